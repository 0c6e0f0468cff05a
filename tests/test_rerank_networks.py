from dataclasses import replace

import jax
import numpy as np
import pytest
from candidates_of_a_shop import SHOP
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax.errors import InputError
from grapher_jax.rankers.protocol import Needs
from grapher_jax.rankers.running import blocks
from grapher_jax.systems.networks import open_network
from grapher_jax.training.candidates import CandidateBatch, scalar_features


@pytest.fixture
def network(weights):
    """A network whose weights were never trained."""
    return gj.Reranker(ranker=weights)


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """Weights that nobody trained, for the cosines of any embedder."""
    return untrained(tmp_path_factory.mktemp("untrained") / "weights")


@pytest.fixture(scope="module")
def of_axes(tmp_path_factory):
    """Weights that nobody trained, for embeddings of `offline`."""
    folder = tmp_path_factory.mktemp("axes") / "weights"
    return untrained(folder, inputs=("scalars", "interaction"))


def untrained(folder, **shape):
    from flax import nnx

    from grapher_jax.systems.networks import save_weights
    from grapher_jax.training.gat import Gat, GatConfig

    model = Gat(GatConfig(dimension=384, layers=1, heads=2, channels=4, **shape), nnx.Rngs(0))
    kernel = np.random.default_rng(0).normal(size=model.score.kernel.shape)
    model.score.kernel[...] = kernel.astype(np.float32)
    save_weights(folder, model, embedder="offline", record={})
    return str(folder)


TABLES = [{**table, "text": f"{table['id']}: id, name"} for table in SHOP]


def test_a_network_reranks_what_any_retriever_found(network):
    lists = [TABLES, TABLES[2:], [], TABLES[:1]]
    questions = ["who bought?", "which songs?", "what?", "orders"]
    batch = network.rerank_batch(questions, lists, k=3)
    assert list(map(len, batch)) == [3, 2, 0, 1]
    for question, together, candidates in zip(questions, batch, lists, strict=True):
        alone = network.rerank(question, candidates, k=3)
        assert [hit.id for hit in together] == [hit.id for hit in alone]
        np.testing.assert_allclose(
            [hit.score for hit in together], [hit.score for hit in alone], atol=1e-5
        )
    assert network.rerank_batch([], []) == []


def test_a_network_reads_embeddings_or_texts(network, embedder):
    texts = [table["text"] for table in TABLES]
    given = [
        {**table, "text": "", "embedding": (7 * vector).tolist()}
        for table, vector in zip(TABLES, embedder.embed_objects(texts), strict=True)
    ]
    mixed = [*given[:2], *TABLES[2:]]
    expected = [(hit.id, pytest.approx(hit.score, abs=1e-4)) for hit in network.rerank("?", TABLES)]
    for candidates in (given, mixed):
        assert [(hit.id, hit.score) for hit in network.rerank("?", candidates)] == expected


def test_a_networks_explanation_names_neighbours_and_claims_no_shares(network):
    hits = network.rerank("who bought?", TABLES)
    explanation = next(hit.explanation for hit in hits if hit.id == "orders")
    assert explanation.learned
    assert [source.id for source in explanation.sources] == ["stores", "customers"]
    assert {source.share for source in explanation.sources} == {None}
    assert "by 'weights'; neighbours: stores (foreign key)" in str(explanation)
    assert "neighbours: none" in str(next(hit for hit in hits if hit.id == "songs").explanation)


@pytest.mark.parametrize(
    ("candidate", "complaint"),
    [
        ({"embedding": [1.0, 2.0]}, "candidate 'x': embedding must be 384 finite numbers"),
        ({"embedding": [np.nan] * 384}, "candidate 'x': embedding must be 384 finite numbers"),
        ({"embedding": "dense"}, "candidate 'x': embedding must be 384 finite numbers"),
    ],
)
def test_a_candidate_that_a_network_cannot_read_is_named(network, candidate, complaint):
    with pytest.raises(InputError, match=complaint):
        network.rerank("?", [{"id": "x", "score": 1.0, **candidate}])


def test_a_network_of_embeddings_needs_those_of_each_candidate(of_axes):
    with pytest.raises(
        InputError, match="'x': a trained ranker reads embeddings; give it a `text`"
    ):
        gj.Reranker(ranker=of_axes).rerank("?", [{"id": "x", "score": 1.0}])


@pytest.mark.parametrize("name", ["question", "object", "interaction", "smoothed", "scalars"])
def test_a_network_needs_an_embedder_where_it_reads_the_axes(tmp_path, name):
    needs = open_network(untrained(tmp_path / "own", inputs=(name,))).needs
    if name in ("smoothed", "scalars"):
        assert needs == Needs(cosine=True, proximities=True)
    else:
        assert needs == Needs(embedder="offline", dimension=384, proximities=True)


def test_a_network_whose_weights_are_no_numbers_says_so(weights):
    trained = open_network(str(weights))
    broken = replace(trained, tensors=jax.tree.map(lambda array: array * np.nan, trained.tensors))
    with pytest.raises(InputError, match="its weights hold NaN or overflow"):
        gj.Reranker(ranker=broken).rerank("?", TABLES)


def test_a_network_needs_a_question(network):
    with pytest.raises(InputError, match="question 1 is empty"):
        network.rerank(" ", TABLES)


def test_a_bucket_of_a_network_compiles_once(weights, compilations, embedder):
    rng = np.random.default_rng(0)
    objects = [gj.Object(name, "", metadata={"foreign_keys": ["a", "b"]}) for name in "abcdefgh"]
    collection = MemoryCollection(objects, embedder, unit(rng, 8))

    def found(queries, n):
        rows = np.stack([rng.permutation(8)[:n] for _ in range(queries)]).astype(np.int32)
        return candidates_of(rows, rng.random(rows.shape, np.float32), unit(rng, queries))

    reranker = gj.Reranker(ranker=weights)
    reranker.rank(collection, found(4, 8), k=4)
    before = compilations()
    reranker.rank(collection, found(3, 6), k=3)
    gj.Reranker(ranker=weights).rank(collection, found(4, 5), k=4)
    assert compilations() == before


def unit(rng, size):
    values = rng.normal(size=(size, 384)).astype(np.float32)
    return values / np.linalg.norm(values, axis=-1, keepdims=True)


@pytest.mark.nightly
def test_scores_of_a_network_do_not_depend_on_the_block(weights, monkeypatch, embedder):
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(30)]
    joined = [{"foreign_keys": [names[-1 - i]]} for i in range(30)]
    objects = [gj.Object(name, "", metadata=own) for name, own in zip(names, joined, strict=True)]
    rows = np.stack([rng.permutation(30)[:20] for _ in range(12)]).astype(np.int32)
    rows[3, 11:] = -1
    asked, collection = unit(rng, 12), MemoryCollection(objects, embedder, unit(rng, 30))
    found = candidates_of(rows, rng.random(rows.shape, np.float32), asked)
    reranker = gj.Reranker(ranker=weights)
    whole = reranker.rank(collection, found, k=20)
    monkeypatch.setattr(type(reranker.opened), "candidates_at_once", 64)
    assert len(list(blocks(found, 64))) == 6
    parts = reranker.rank(collection, found, k=20)
    np.testing.assert_array_equal(whole.positions, parts.positions)
    np.testing.assert_allclose(whole.scores, parts.scores, atol=1e-5)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"alpha": 0.5}, "alpha: of gcs, ppr and diffusion; .* has what it was trained with"),
        ({"weights": {"chunk": 1.0}}, "weights: of gcs, ppr and diffusion"),
        ({"tol": 1e-3}, "tol: of gcs, ppr and diffusion"),
        ({"max_steps": 10}, "max_steps: of gcs, ppr and diffusion"),
        ({"max_df": None}, "max_df: None cannot be used; .* was trained with 8"),
    ],
)
def test_what_a_network_was_trained_with_cannot_be_changed(weights, options, complaint):
    with pytest.raises(InputError, match=complaint):
        gj.Reranker(ranker=weights, **options)


def test_a_network_reads_so_many_candidates_and_no_more(network):
    complaint = "candidates: 4097 for a question; .* reads 4096 at most; .* or use gcs"
    lists = [TABLES, [{"id": str(n), "score": 0.5, "text": "table"} for n in range(4097)]]
    with pytest.raises(InputError, match=complaint):
        network.rerank_batch(["?", "?"], lists)
    one = MemoryCollection([gj.Object("a", "")])
    found = candidates_of(np.zeros((1, 4097), np.int32), np.zeros((1, 4097), np.float32))
    with pytest.raises(InputError, match=complaint):
        network.rank(one, found, k=1)


def test_a_ranker_that_is_not_there_is_named(tmp_path):
    with pytest.raises(
        InputError,
        match="use auto, base, gcs, ppr, diffusion, gat, query-gnn, g-rag, or a folder of trained",
    ):
        gj.Reranker(ranker=str(tmp_path / "none"))
    with pytest.raises(InputError, match="no weights"):
        gj.Reranker(ranker=str(tmp_path))


def test_a_network_is_told_of_other_embeddings(of_axes):
    one = MemoryCollection([gj.Object("a", "")], embeddings=np.zeros((1, 2), np.float32))
    found = candidates_of(np.zeros((1, 1), np.int32), np.ones((1, 1), np.float32))
    complaint = (
        r"trained on embeddings of 'offline' \(384 dim.*, the index has those of 'none' \(2\)"
    )
    with pytest.raises(InputError, match=complaint):
        gj.Reranker(ranker=of_axes).rank(one, found, k=1)


def test_gcs_needs_no_network():
    import subprocess
    import sys

    code = (
        "import sys, grapher_jax as gj;"
        "gj.Reranker().rerank('?', [{'id': 'a', 'score': 1.0}]);"
        "assert not {'flax', 'safetensors', 'optax', 'jraph'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_network_does_not_mind_the_order_of_a_list():
    rng = np.random.default_rng(0)
    hub = {"links": [f"c{n}" for n in range(1, 30)]}
    candidates = [
        {
            "id": f"c{n}",
            "score": 1 - n / 30,
            "embedding": rng.normal(size=384),
            "metadata": {} if n else hub,
            "text": "",
        }
        for n in range(30)
    ]
    question = "where?"
    reranker = gj.Reranker(ranker="gat")
    one = reranker.rerank(question, candidates)
    other = reranker.rerank(question, [candidates[n] for n in rng.permutation(30)])
    assert [hit.id for hit in one] == [hit.id for hit in other]
    np.testing.assert_allclose([h.score for h in one], [h.score for h in other], atol=1e-5)


def test_equal_scores_are_no_features():
    mask = np.ones((1, 7), bool)
    batch = CandidateBatch(
        scores=np.full((1, 7), 0.1, np.float32),
        smoothed=np.full((1, 7), 0.7, np.float32),
        questions=np.zeros((1, 2), np.float32),
        objects=np.zeros((1, 7, 2), np.float32),
        neighbors=np.full((1, 7, 1), -1),
        degrees=np.zeros((1, 7, 4), np.float32),
        mask=mask,
    )
    features = scalar_features(batch)
    np.testing.assert_array_equal(features[..., :3], 0.0)
    # Of equal scores the places count, of equal cosines nothing.
    np.testing.assert_array_equal(features[..., 3], features[..., 4])
    assert (np.diff(features[0, :, 3]) > 0).all()
    np.testing.assert_array_equal(features[..., 5], 0.0)
    several = jax.jit(jax.vmap(lambda asked: scalar_features(replace(batch, questions=asked))))
    for found in several(np.zeros((2, 1, 2), np.float32)):
        np.testing.assert_allclose(found, features, atol=1e-6)


@pytest.mark.nightly
def test_a_program_of_64_bits_ranks_as_one_of_32():
    documents = [
        {"id": f"t{n}", "score": 1 - n / 9, "metadata": {"foreign_keys": [f"t{2 * n % 9}"]}}
        for n in range(9)
    ]
    with jax.enable_x64(True):
        wide = gj.Reranker(ranker="gat").rerank("Which?", documents)
    narrow = gj.Reranker(ranker="gat").rerank("Which?", documents)
    assert [hit.id for hit in wide] == [hit.id for hit in narrow]
    assert [hit.score for hit in wide] == pytest.approx([hit.score for hit in narrow], abs=1e-4)

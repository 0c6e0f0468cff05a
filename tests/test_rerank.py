import multiprocessing
import warnings
from contextlib import nullcontext
from dataclasses import replace

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from memory_collection import MemoryCollection, candidates_of

import grapher_jax as gj
from grapher_jax import kernels
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.protocol import Needs
from grapher_jax.rankers.running import blocks
from grapher_jax.systems.networks import open_network
from grapher_jax.training.candidates import CandidateBatch, scalar_features

SHOP = [
    {"id": "orders", "score": 0.9, "metadata": {"foreign_keys": ["customers", "stores"]}},
    {"id": "stores", "score": 0.8, "text": "stores: city"},
    {"id": "songs", "score": 0.3},
    {"id": "customers", "score": 0.1},
]


def test_the_graph_lifts_what_the_best_candidate_references():
    ranking = gj.Reranker(ranker="gcs", alpha=0.3).rerank("who bought?", SHOP)
    assert [hit.id for hit in ranking] == ["orders", "stores", "customers", "songs"]
    lifted = ranking[2]
    assert (lifted.rank, lifted.base_rank, lifted.base_score) == (3, 4, pytest.approx(0.1))
    assert ranking[1].text == "stores: city"


@pytest.mark.parametrize("ranker", ["base", "gcs"])
def test_results_below_the_lowest_score_are_left_out(ranker):
    reranker = gj.Reranker(ranker=ranker)
    every = reranker.rerank("who bought?", SHOP)
    assert reranker.rerank("who bought?", SHOP, min_score=every[1].score) == every[:2]
    assert reranker.rerank("who bought?", SHOP, k=1, min_score=-5.0) == every[:1]
    found = reranker.rerank_batch(["a", "b"], [SHOP, SHOP[1:]], min_score=every[0].score + 1)
    assert found == [[], []]
    left = reranker.rerank("who bought?", SHOP, min_score=every[2].score)[2]
    assert left.explanation == every[2].explanation
    with pytest.raises(InputError, match=r"^min_score: nan must be a finite number"):
        reranker.rerank("who bought?", SHOP, min_score=float("nan"))


MISSPELT = ["foreign_key", "foreignKeys", "Foreign-Keys", "foriegn_keys"]


@pytest.mark.parametrize("key", MISSPELT)
def test_misspelt_foreign_keys_are_told_once_a_call(key):
    shop = [{**candidate, "metadata": {key: ["customers"], "link": "x"}} for candidate in SHOP]
    with pytest.warns(GrapherWarning) as told:
        gj.Reranker().rerank_batch(["a", "b"], [shop, shop])
    told = [str(warning.message) for warning in told]
    counted = "(8 objects, such as 'orders')"
    assert told == [f"metadata: {key!r} is not read; write it as 'foreign_keys' {counted}"]


@pytest.mark.parametrize("key", ["foreign_keys", *MISSPELT])
def test_foreign_keys_beside_metadata_are_told_once_a_call(key):
    shop = [{"id": name, "score": 1.0, key: ["customers"]} for name in ("orders", "customers")]
    with pytest.warns(GrapherWarning) as told:
        gj.Reranker().rerank("a", shop)
    (told,) = [str(warning.message) for warning in told]
    assert told.startswith(f"candidates: {key!r} beside metadata is not read; put it into meta")


def test_an_explanation_sums_to_the_score_and_names_the_relation():
    lifted = gj.Reranker(alpha=0.3).rerank("who bought?", SHOP)[2]
    explanation = lifted.explanation
    assert explanation.score == pytest.approx(lifted.score, abs=1e-6)
    assert sum(source.amount for source in explanation.sources) == pytest.approx(
        lifted.score, abs=1e-6
    )
    best = explanation.sources[0]
    assert (best.id, best.relations) == ("orders", ("foreign_key",))
    assert "from orders (foreign key)" in str(explanation)
    assert explanation.to_dict()["sources"][0]["id"] == "orders"


def test_base_keeps_the_retrievers_order_and_explains_itself():
    ranking = gj.Reranker(ranker="base").rerank("?", SHOP[::-1])
    assert [hit.id for hit in ranking] == ["orders", "stores", "songs", "customers"]
    assert str(ranking[0].explanation) == "orders: 0.9000 = 100% its own"


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr", "diffusion"])
def test_a_batch_is_its_questions_one_by_one(ranker):
    reranker = gj.Reranker(ranker=ranker)
    lists = [SHOP, SHOP[2:], [], SHOP[:1]]
    batch = reranker.rerank_batch(["a", "b", "c", "d"], lists, k=3)
    for together, candidates in zip(batch, lists, strict=True):
        alone = reranker.rerank("a", candidates, k=3)
        assert [hit.id for hit in together] == [hit.id for hit in alone]
        np.testing.assert_allclose(
            [hit.score for hit in together], [hit.score for hit in alone], atol=1e-6
        )
    assert list(map(len, batch)) == [3, 2, 0, 1]


def test_candidates_of_one_question_are_no_neighbours_of_anothers():
    apart = [[SHOP[0]], [SHOP[3]]]
    (_,), (customers,) = gj.Reranker().rerank_batch(["a", "b"], apart)
    assert customers.score == pytest.approx(0.1)


def test_many_queries_are_one_call_and_a_bucket_compiles_once(compilations):
    rng = np.random.default_rng(0)

    def lists(queries, n):
        return [
            [
                {
                    "id": str(i),
                    "score": float(score),
                    "metadata": {"foreign_keys": [str(rng.integers(n))]},
                }
                for i, score in enumerate(rng.random(n))
            ]
            for _ in range(queries)
        ]

    reranker = gj.Reranker()
    assert len(reranker.rerank_batch(["?"] * 200, lists(200, 12))) == 200
    before = compilations()
    reranker.rerank_batch(["?"] * 199, lists(199, 15), k=15)  # another size, the same buckets
    assert compilations() == before


def test_too_few_steps_warn_with_the_cure():
    with pytest.warns(GrapherWarning, match="1 of 1 queries had not converged .* raise max_steps"):
        gj.Reranker(alpha=0.1, max_steps=1).rerank("?", SHOP)


def test_weights_scale_a_proximity():
    candidates = [
        {"id": "a", "score": 1.0, "metadata": {"foreign_keys": ["b"], "links": ["c"]}},
        {"id": "b", "score": 0.8},
        {"id": "c", "score": 0.1},
    ]
    plain = gj.Reranker(ranker="gcs", alpha=0.5).rerank("?", candidates)
    without = gj.Reranker(ranker="gcs", alpha=0.5, weights={"link": 0.0}).rerank("?", candidates)
    assert plain[2].score > 0.1
    assert without[2].score == pytest.approx(0.1)


def test_a_hit_made_by_hand_has_no_explanation():
    with pytest.raises(InputError, match="nothing to explain"):
        _ = Hit(id="x", score=1.0, rank=1, base_score=1.0, base_rank=1).explanation


def test_base_ranks_of_negative_scores_ignore_shorter_lists():
    lists = [
        [{"id": "x", "score": -1.0}, {"id": "y", "score": -2.0}],
        [{"id": name, "score": 1.0} for name in "abcd"],
    ]
    ranking, _ = gj.Reranker(ranker="base").rerank_batch(["?", "?"], lists)
    assert [(hit.id, hit.rank, hit.base_rank) for hit in ranking] == [("x", 1, 1), ("y", 2, 2)]


@pytest.mark.parametrize("ranker", ["gcs", "ppr", "diffusion"])
def test_a_key_lifts_a_candidate_whatever_the_sign_of_the_scores(ranker):
    candidates = [
        {"id": "a", "score": -2.0, "metadata": {"foreign_keys": ["c"]}},
        {"id": "b", "score": -6.0},
        {"id": "c", "score": -9.0},
    ]
    moved = pytest.warns(GrapherWarning, match="scores: some are negative")
    with moved if ranker != "diffusion" else nullcontext():
        hits = gj.Reranker(ranker=ranker, alpha=0.1).rerank("?", candidates)
    assert [hit.id for hit in hits] == ["a", "c", "b"]
    assert [hit.base_score for hit in hits] == [-2.0, -9.0, -6.0]
    lifted = hits[1].explanation
    assert sum(source.amount for source in lifted.sources) == pytest.approx(hits[1].score, abs=1e-5)


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr", "diffusion"])
@given(st.lists(st.floats(-(2.0**99), 2.0**99) | st.floats(-2, 2), min_size=1, max_size=6))
def test_candidates_that_nothing_joins_keep_their_order_whatever_their_signs(ranker, scores):
    candidates = [{"id": str(n), "score": score} for n, score in enumerate(scores)]
    with warnings.catch_warnings():
        # Diffusion needs no zero, and moves nothing.
        if ranker in ("gcs", "ppr"):
            warnings.simplefilter("ignore", GrapherWarning)
        hits = gj.Reranker(ranker=ranker).rerank("?", candidates)
    expected = sorted(range(len(scores)), key=lambda place: -scores[place])
    assert [hit.id for hit in hits] == [str(place) for place in expected]


def test_the_retrievers_own_order_keeps_negative_scores():
    hits = gj.Reranker(ranker="base").rerank("?", [{"id": "a", "score": -2.0}])
    assert (hits[0].score, hits[0].base_score) == (-2.0, -2.0)


def test_weights_too_large_to_add_up_are_named():
    reranker = gj.Reranker(weights={"foreign_key": 1e38})
    joined = [{**candidate, "metadata": {"foreign_keys": ["orders"]}} for candidate in SHOP]
    with pytest.raises(InputError, match="weights of proximities are too large"):
        reranker.rerank("?", joined)


def test_nothing_can_be_reranked_by_a_chosen_proximity():
    assert gj.Reranker(proximities=["foreign_key"]).rerank("?", []) == []


def test_no_room_is_made_for_results_that_cannot_be(index, monkeypatch):
    rank, widths = gj.Reranker.rank, []

    def noting(reranker, graph, candidates, *, k):
        widths.append(k)
        return rank(reranker, graph, candidates, k=min(k, 100))

    monkeypatch.setattr(gj.Reranker, "rank", noting)
    assert len(index.search("orders", k=200_000_000)) == len(index.ids)
    candidates = [{"id": name, "score": 1.0} for name in "abcd"]
    assert len(gj.Reranker().rerank("?", candidates, k=200_000_000)) == 4
    # What auto takes is asked too, for as many.
    assert widths == [len(index.ids)] * 2 + [4] * 2
    for ask in (index.search, lambda text, k: gj.Reranker().rerank(text, candidates, k=k)):
        with pytest.raises(InputError, match="k: 0 must be at least 1"):
            ask("orders", k=0)


def test_an_order_is_as_wide_as_asked_for():
    found = candidates_of(np.array([[0, 1]]), np.array([[0.2, 0.1]], np.float32))
    two = MemoryCollection([gj.Object("a", ""), gj.Object("b", "")])
    order = gj.Reranker().rank(two, found, k=100)
    assert order.positions.shape == order.scores.shape == (1, 100)
    assert order.positions[0, :3].tolist() == [0, 1, -1]


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
    assert "by the network 'weights'; neighbours: stores (foreign key)" in str(explanation)
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


def test_spawned_processes_rank_as_their_parent_does():
    reranker = gj.Reranker(ranker="gcs")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        (ranking,) = pool.starmap(reranker.rerank, [("who bought?", SHOP)])
    assert ranking == reranker.rerank("who bought?", SHOP)


def test_a_guard_of_transfers_is_lifted_outside_jit_alone():
    scores, entities = jax.device_put((np.ones((2, 4), np.float32), np.zeros((2, 4, 1), np.int32)))
    best = jax.jit(lambda *given: kernels.rerank(given[0], entity_ids=given[1], ranker="gcs", k=2))
    reranker = gj.Reranker(ranker="gcs")
    with jax.transfer_guard("disallow"):
        assert best(scores, entities).indices.shape == (2, 2)
        with jax.transfer_guard("allow"):
            assert len(reranker.rerank("who bought?", SHOP)) == 4
        with pytest.raises(jax.errors.JaxRuntimeError, match="Disallowed host-to-device transfer"):
            reranker.rerank("who bought?", SHOP)


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

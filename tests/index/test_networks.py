"""A trained network that ranks an index."""

import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.errors import InputError


@pytest.fixture
def network(tmp_path):
    """Weights that nobody trained."""
    from flax import nnx

    from grapher_jax.systems.networks import save_weights
    from grapher_jax.training.gat import Gat, GatConfig

    def make(dimension=384, embedder="offline", **shape):
        config = GatConfig(dimension=dimension, layers=1, heads=2, channels=4, **shape)
        folder = tmp_path / f"net-{embedder}-{dimension}"
        save_weights(folder, Gat(config, nnx.Rngs(0)), embedder=embedder, record={})
        return str(folder)

    return make


@pytest.mark.nightly
def test_a_network_searches_a_saved_index_the_same(index, saved, network):
    questions = ["orders of stores", "animals"]
    found = index.search_batch(questions, k=6, ranker=network())
    assert gj.Index.load(saved).search_batch(questions, k=6, ranker=network()) == found
    for question, together in zip(questions, found, strict=True):
        alone = index.search(question, k=6, ranker=network())
        assert [hit.id for hit in alone] == [hit.id for hit in together]
        np.testing.assert_allclose(
            [hit.score for hit in alone], [hit.score for hit in together], atol=1e-5
        )
    assert "neighbours: shop.orders (foreign key)" in str(
        next(hit for hit in found[0] if hit.id == "shop.stores").explanation
    )


def test_a_network_of_another_embedder_is_refused(index, network):
    for arguments in ((2, "flat"), (384, "flat"), (2, "offline")):
        complaint = (
            rf"was trained on embeddings of '{arguments[1]}' \({arguments[0]} dimensions\), the "
            r"index has those of 'offline' \(384\); build the index with --embedder"
        )
        with pytest.raises(InputError, match=complaint):
            index.search("orders", ranker=network(*arguments, inputs=("interaction",)))


def test_a_network_is_evaluated_and_reranks_another_retrievers_run(index, network, tmp_path):
    from grapher_jax.evaluation import evaluate
    from grapher_jax.runs import read_run, rerank_run

    reranker = gj.Reranker(ranker=network())
    (result,) = evaluate(index, "test", [reranker]).to_dict()["results"]
    assert result["parameters"] == {
        "weights": "net-offline-384",
        "sha256": reranker.opened.sha256,
        "alpha": 0.1,
        "max_df": 8,
        "neighbors": 16,
        "proximities": ["foreign_key"],
    }
    queries = list(index.queries.values())
    rerank_run(index, queries, tmp_path / "own.trec", reranker)
    base = {
        query.id: [(hit.id, hit.score) for hit in index.search(query.text, ranker="base")]
        for query in queries
    }
    rerank_run(index, queries, tmp_path / "other.trec", reranker, base_run=base)
    own, other = (read_run(tmp_path / name) for name in ("own.trec", "other.trec"))
    assert "grapher-jax-net-offline-384" in (tmp_path / "own.trec").read_text()
    for query, hits in own.items():
        assert [name for name, _ in hits] == [name for name, _ in other[query]]

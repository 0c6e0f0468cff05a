"""No kernel broadcasts ranks or mixes types unseen: programs are traced, and not compiled."""

import sys
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parent))

from callers import rerank_by

N, D = 12, 4
RANKERS = ["gcs", "ppr", "diffusion"]


@pytest.fixture(autouse=True)
def strictly():
    with jax.numpy_rank_promotion("raise"), jax.numpy_dtype_promotion("strict"):
        yield


def arrays(*batch, n=N):
    rng = np.random.default_rng(0)
    return {
        "scores": rng.random((*batch, n), np.float32),
        "entity_ids": rng.integers(-1, 9, (*batch, n, 20)),
        "object_ids": np.broadcast_to(np.arange(n), (*batch, n)),
        "foreign_keys": rng.integers(-1, n, (*batch, n, 2)),
        "document_ids": rng.integers(0, 3, (*batch, n)),
        "chunk_ids": np.broadcast_to(np.arange(n), (*batch, n)),
        "embeddings": rng.random((*batch, n, D), np.float32),
        "mask": rng.random((*batch, n)) < 0.9,
        "alpha": np.full(batch, 0.3, np.float32),
    }


@pytest.mark.parametrize("way", [ways.in_blocks, ways.by_pairs])
@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize(("batch", "n"), [((), N), ((2, 3), N), ((2,), 1_100)])
def test_the_program(way, ranker, batch, n):
    rank = lambda given: rerank_by(way, **given, ranker=ranker).scores  # noqa: E731
    best = jax.eval_shape(rank, arrays(*batch, n=n))
    assert best.shape == (*batch, 10)


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize("form", ["entities", "neighbors", "edges"])
def test_operators_and_their_derivatives(form, ranker):
    given = arrays(3)
    ones = np.ones(given["foreign_keys"].shape, np.float32)
    graph = {
        "entities": kernels.SharedEntities.build(given["entity_ids"]),
        "neighbors": kernels.NeighborList(given["foreign_keys"], ones),
        "edges": kernels.WeightedEdges(*np.array([[0, 1], [1, 2]]), np.ones(2, np.float32)),
    }[form]
    options = {"alpha": jnp.asarray(given["alpha"]), "mask": given["mask"]}
    best = np.zeros((3, 2), np.int32)
    shares = partial(kernels.contributions, ranker=ranker, **options)
    assert jax.eval_shape(shares, graph, given["scores"], best).shape == (3, 2, N)
    smooth = lambda scores: getattr(kernels, ranker)(graph, scores, **options).scores.sum()  # noqa: E731
    assert jax.eval_shape(jax.grad(smooth), jnp.asarray(given["scores"])).shape == (3, N)


@pytest.mark.parametrize("attend", [kernels.gatv2_attention, kernels.gatv2_attention_dense])
def test_attention_and_its_derivative(attend):
    given = arrays(3)
    lists = given["foreign_keys"]
    graph = lists if attend is kernels.gatv2_attention else np.ones((3, N, N), np.float32)
    heard = lambda x: attend(x, x, jnp.ones((2, 16)), graph, mask=given["mask"]).sum()  # noqa: E731
    x = jnp.ones((3, N, 2, 16))
    assert jax.eval_shape(jax.grad(heard), x).shape == x.shape


@pytest.mark.parametrize("batch", [(), (3,), (2, 3)])
def test_rankings_and_measures(batch):
    given = arrays(*batch)
    scores, mask = given["scores"], given["mask"]
    joined, hits = np.ones((*batch, N, N), bool), given["chunk_ids"] < 2
    graph = joined.astype(np.float32)
    has, found = np.ones((*batch, N, 5), bool), np.full(batch, 2, np.int32)
    for program in (
        lambda: kernels.grow_along_edges(scores, graph, mask=mask, k=3),
        lambda: kernels.maximal_marginal_relevance(scores, graph, mask=mask, k=3),
        lambda: kernels.cover_words(scores, has, np.ones((*batch, 5), np.float32), mask=mask, k=3),
        lambda: kernels.mean_reciprocal_rank(hits, found, scores=scores),
        lambda: kernels.mean_hits(hits, found, 3, scores=scores),
        lambda: kernels.mean_edges(np.ones((*batch, N, N, 2), np.float32), joined),
    ):
        assert jax.eval_shape(lambda own=program: jax.tree.leaves(own()))


@contextmanager
def doubles():
    """Types of 64 bits beside those of 32, which strict promotion forbids even to users."""
    with jax.enable_x64(True), jax.numpy_dtype_promotion("standard"):
        yield


DOUBLE = {
    "dense": kernels.Dense(np.ones((3, N, N)), np.ones((3, N))),
    "entities": kernels.SharedEntities.build(arrays(3)["entity_ids"]),
    "neighbors": kernels.NeighborList(np.zeros((3, N, 2), int), np.ones((3, N, 2))),
    "edges": kernels.WeightedEdges(*np.array([[0, 1], [1, 2]]), np.ones(2)),
    "sum": np.float64(0.5) * kernels.Dense(np.ones((3, N, N), np.float32)),
}


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize("form", [*DOUBLE])
def test_scores_keep_their_type_beside_weights_of_more_bits(form, ranker):
    scores = arrays(3)["scores"]
    with doubles():
        rank = lambda scores: getattr(kernels, ranker)(DOUBLE[form], scores).scores  # noqa: E731
        found = jax.eval_shape(rank, scores)
        shares = partial(kernels.contributions, ranker=ranker)
        told = jax.eval_shape(shares, DOUBLE[form], scores, np.zeros((3, 2), np.int32))
    assert {found.dtype, told.dtype} == {jnp.float32.dtype}


@pytest.mark.parametrize("ranker", RANKERS)
def test_embeddings_may_have_more_bits_than_scores(ranker):
    given = arrays(3)
    with doubles():
        embeddings = given["embeddings"].astype(float)
        given_too = {"embeddings": embeddings, "ranker": ranker, "k": 3}
        rank = lambda scores: kernels.rerank(scores, **given_too).scores  # noqa: E731
        assert jax.eval_shape(rank, given["scores"]).dtype == jnp.float32


def test_scores_of_numpy_may_meet_numbers_of_jax():
    given = arrays(3)
    for alpha in (jnp.float32(0.3), np.float64(0.3), 0.3):
        top = kernels.rerank(given["scores"].astype(float), alpha=alpha, k=3)
        assert top.scores.dtype == jnp.float32


def test_no_query_has_a_solution_of_the_scores_type():
    with doubles():
        found = kernels.rerank(np.zeros((0, N)), object_ids=np.zeros((0, N), int)).solution
    kinds = [found.scores, found.residual, found.error, found.steps]
    assert [one.dtype for one in kinds] == [jnp.float64] * 3 + [jnp.int32]

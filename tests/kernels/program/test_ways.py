"""Every way of the program gives the same ranking."""

import sys
from collections import Counter
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.program import ways

sys.path.append(str(Path(__file__).parents[1]))

from callers import rerank_by
from samples import random_ids

RNG = np.random.default_rng(0)
THREES = partial(ways.in_blocks, size=3)  # the second block of five questions is filled up


def batch(seed, queries=5, n=12):
    """Candidates with every kind of metadata. Shapes are few, so that programs are."""
    rng = np.random.default_rng(seed)
    return {
        "scores": rng.random((queries, n)).astype(np.float32),
        "entity_ids": random_ids(rng, (queries, n, 3), 9),
        "object_ids": np.stack([rng.permutation(3 * n)[:n] for _ in range(queries)]),
        "foreign_keys": random_ids(rng, (queries, n, 2), 3 * n),
        "document_ids": random_ids(rng, (queries, n), 3),
        "chunk_ids": np.stack([rng.permutation(n) for _ in range(queries)]),
        "mask": rng.random((queries, n)) < 0.9,
    }


@partial(jax.jit, static_argnames="ranker")
def by_pairs(arrays, ranker, alpha):
    """The ranking over one dense matrix, built as an accelerator builds it."""
    rest = {name: array for name, array in arrays.items() if name not in ("scores", "mask")}
    mask = arrays.get("mask")
    adjacency = kernels.build_adjacency(arrays["scores"].shape, **rest, mask=mask)
    rank = getattr(kernels, ranker)
    return rank(adjacency, arrays["scores"], mask=mask, alpha=alpha).scores


def agrees_with_pairs(arrays, way=ways.in_blocks, *, ranker="gcs", alpha, tol=1e-6):
    top = rerank_by(way, **arrays, ranker=ranker, alpha=alpha, tol=tol, k=3)
    expected = by_pairs(arrays, ranker, alpha)
    np.testing.assert_allclose(top.solution.scores, expected, atol=2e-6)
    assert top.solution.converged.all()


@pytest.mark.parametrize(
    "ranker",
    [
        "gcs",
        pytest.param("ppr", marks=pytest.mark.nightly),
        pytest.param("diffusion", marks=pytest.mark.nightly),
    ],
)
def test_look_up_ranks_as_all_pairs_do(ranker):
    agrees_with_pairs(batch(7), ranker=ranker, alpha=0.3)


@pytest.mark.nightly
def test_more_queries_than_a_block_rank_alike():
    agrees_with_pairs(batch(8), THREES, alpha=0.3, tol=np.full(5, 1e-6, np.float32))


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["temperature", "gap_part", "least_degree"])
def test_each_query_may_have_its_own_numbers(name):
    arrays, each = batch(8), np.float32([0.01, 0.05, 0.2, 1.0, 5.0])
    options = {"ranker": "diffusion", "alpha": 0.3, "k": 3}
    together = rerank_by(THREES, **arrays, **options, **{name: each})
    assert together.solution.converged.all()
    for query, value in enumerate(each):
        own = {name: array[query : query + 1] for name, array in arrays.items()}
        alone = rerank_by(ways.by_pairs, **own, **options, **{name: value})
        np.testing.assert_allclose(
            together.solution.scores[query], alone.solution.scores[0], atol=2e-6
        )


def test_many_edges_rank_alike():
    arrays = batch(9, 2, 10)
    only = {name: arrays[name] for name in ("scores", "object_ids")}
    crowded = np.random.default_rng(0).choice(arrays["object_ids"][0], (2, 10, 6))
    agrees_with_pairs(only | {"foreign_keys": crowded}, alpha=0.3)


@pytest.mark.parametrize("slots", [2, 30])  # few are listed, many counted
@pytest.mark.parametrize(
    "others", [(), pytest.param(("object_ids", "foreign_keys"), marks=pytest.mark.nightly)]
)
def test_listed_and_counted_entities_rank_alike(slots, others):
    arrays = batch(15, 3, 10)
    ids = np.random.default_rng(16).integers(0, 40, (3, 10, slots)).astype(np.int32)
    only = {name: arrays[name] for name in ("scores", "mask", *others)}
    agrees_with_pairs(only | {"entity_ids": ids}, alpha=0.3)


def test_repeated_identities_rank_alike():
    arrays = batch(10)
    arrays["object_ids"][1, 4] = arrays["object_ids"][1, 2]
    arrays["mask"][1] = True
    agrees_with_pairs(arrays, alpha=0.3)


def test_semantic_neighbors_join_the_program():
    embeddings = np.random.default_rng(11).normal(size=(2, 9, 3)).astype(np.float32)
    scores = RNG.random((2, 9)).astype(np.float32)
    agrees_with_pairs({"scores": scores, "embeddings": embeddings}, alpha=0.3)


@pytest.mark.nightly
@pytest.mark.parametrize(("slots", "used"), [(3, 0.7), (20, 0.3), (20, 0.9)])
def test_thousands_of_candidates_are_ranked_without_a_matrix(slots, used):
    rng = np.random.default_rng(13)
    arrays = batch(12, 1, 1500)
    ids = rng.integers(0, 300 * slots, (1, 1500, slots))
    arrays["entity_ids"] = np.where(rng.random(ids.shape) < used, ids, -1).astype(np.int32)
    agrees_with_pairs(arrays, alpha=0.5)


def test_repeated_identities_among_thousands_are_told():
    arrays = batch(14, 1, 1500)  # of the shape before
    arrays["mask"][:] = True
    assert rerank_by(ways.in_blocks, **arrays, alpha=0.5, k=3).solution.converged.all()
    arrays["object_ids"][0, 0] = arrays["object_ids"][0, 1]
    assert not rerank_by(ways.in_blocks, **arrays, alpha=0.5, k=3).solution.converged.any()


@pytest.mark.parametrize("way", [ways.in_blocks, ways.by_platform])
def test_the_program_maps(way):
    arrays = batch(15)
    together = rerank_by(ways.in_blocks, **arrays, alpha=0.4, k=3)
    mapped = jax.vmap(lambda given: rerank_by(way, **given, alpha=0.4, k=3))(arrays)
    np.testing.assert_array_equal(mapped.indices, together.indices)


def operations(jaxpr):
    """How often a program has each operation, those inside loops and branches included."""
    counts = Counter()
    for equation in jaxpr.eqns:
        counts[equation.primitive.name] += 1
        for part in jax.tree.leaves(
            list(equation.params.values()), is_leaf=lambda part: hasattr(part, "eqns")
        ):
            inner = getattr(part, "jaxpr", part)
            if hasattr(inner, "eqns"):
                counts += operations(inner)
    return counts


# Nothing is compiled: a map that took every branch would have more of nearly all operations.
@pytest.mark.parametrize("name", ["foreign_keys", "entity_ids"])
def test_a_map_over_questions_is_the_program_of_a_batch(name):
    arrays = batch(15)
    read = {"foreign_keys": ("object_ids", "foreign_keys"), "entity_ids": ("entity_ids",)}[name]
    arrays = {key: arrays[key] for key in ("scores", *read)}
    rank = lambda given: rerank_by(ways.by_platform, **given, alpha=0.4, k=3)  # noqa: E731
    pairs = jax.tree.map(lambda a: np.stack([a, a]), arrays)
    programs = [
        operations(jax.make_jaxpr(program)(given).jaxpr)
        for program, given in (
            (rank, arrays),
            (jax.vmap(rank), arrays),
            (jax.vmap(jax.vmap(rank)), pairs),
        )
    ]
    shapes = ("reshape", "broadcast_in_dim", "pjit", "jit")
    together, mapped, twice = (
        {key: count for key, count in found.items() if key not in shapes} for found in programs
    )
    assert together["cond"] and together["while"]
    assert mapped == together
    assert twice == together


def test_what_is_not_mapped_is_every_questions_own():
    arrays = batch(15)
    scores = arrays.pop("scores")
    shared = {name: array[0] for name, array in arrays.items()}
    mapped = jax.vmap(lambda own: rerank_by(ways.by_pairs, own, **shared, alpha=0.4, k=3))(scores)
    every = {name: np.stack([array] * len(scores)) for name, array in shared.items()}
    together = rerank_by(ways.by_pairs, scores, **every, alpha=0.4, k=3)
    np.testing.assert_array_equal(mapped.indices, together.indices)


def test_a_map_over_weights_leaves_every_batch_its_own():
    arrays = batch(15)
    by = partial(rerank_by, ways.by_pairs, **arrays, alpha=0.4, k=3)
    mapped = jax.vmap(lambda weight: by(weights={"chunk": weight}).solution.scores)
    with_chunks, without = mapped(jnp.array([1.0, 0.0]))
    np.testing.assert_allclose(with_chunks, by().solution.scores, atol=1e-6)
    assert not np.allclose(with_chunks, without)


def test_the_program_differentiates():
    """By the way of the platform, which on CPUs is that in blocks."""
    arrays = batch(15)

    def best(scores, alpha):
        rest = {name: array for name, array in arrays.items() if name != "scores"}
        return rerank_by(ways.by_platform, scores, **rest, alpha=alpha, tol=1e-12, k=3).scores.sum()

    with jax.enable_x64(True):
        scores = arrays["scores"].astype(np.float64)
        slope = jax.jit(jax.value_and_grad(best, argnums=1))
        (_, gradient), (ahead, _), (behind, _) = (
            slope(scores, 0.4 + nudge) for nudge in (0.0, 1e-6, -1e-6)
        )
        np.testing.assert_allclose(gradient, (ahead - behind) / 2e-6, atol=1e-4)


def test_scores_that_are_returned_are_not_donated():
    scores = jnp.asarray(np.random.default_rng(0).random((2, 8)), jnp.float32)
    kernels.rerank(scores, ranker="base", donate=True)
    assert not scores.is_deleted()


def test_donated_scores_are_gone():
    scores = jnp.asarray(RNG.random((2, 8)), jnp.float32)
    kernels.rerank(scores, donate=True)
    assert scores.is_deleted()


def test_queries_answer_for_their_own_identities_alone():
    # 47 queries make blocks of 46: the last block is nearly all padding, which changes no flag.
    n, queries = 1100, 47
    ids = np.tile(np.arange(n, dtype=np.int32), (queries, 1))
    keys = np.roll(ids, 1, 1)[..., None]
    scores = RNG.random((queries, n)).astype(np.float32)
    assert kernels.rerank(scores, object_ids=ids, foreign_keys=keys).solution.converged.all()
    ids[1, 0] = 1
    top = kernels.rerank(scores, object_ids=ids, foreign_keys=keys)
    assert np.flatnonzero(~top.solution.converged).tolist() == [1]


def test_each_query_may_have_its_own_tolerance():
    arrays = batch(16)
    tol = np.array([1e-1, 1e-6, 1e-1, 1e-6, 1e-1], np.float32)
    steps = rerank_by(THREES, **arrays, alpha=0.2, tol=tol, k=3).solution.steps
    assert (steps[::2] < steps[1]).all()


@pytest.mark.parametrize("shape", [(0, 5), (2, 0), (2, 3)])
def test_nothing_to_rank_or_to_build_from_is_no_error(shape):
    slots = 2 if 0 in shape else 0
    arrays = {
        "entity_ids": np.zeros((*shape, slots), np.int32),
        "object_ids": np.zeros(shape, np.int32),
        "links": np.zeros((*shape, slots), np.int32),
    }
    top = kernels.rerank(np.ones(shape, np.float32), **arrays, k=2)
    assert top.indices.shape == (shape[0], 2)
    assert top.solution.converged.all()

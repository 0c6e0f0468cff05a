import subprocess
import sys

import jax
import numpy as np
import pytest

from grapher_jax import kernels


def batch(rng, queries, n=12):
    return {
        "scores": rng.random((queries, n)).astype(np.float32),
        "entity_ids": rng.integers(-1, 9, (queries, n, 3)),
        "object_ids": np.tile(np.arange(n), (queries, 1)),
        "foreign_keys": rng.integers(-1, n, (queries, n, 2)),
        "document_ids": rng.integers(-1, 3, (queries, n)),
        "chunk_ids": rng.integers(-1, 5, (queries, n)),
    }


@jax.jit
def weighted_sum(arrays):
    return (
        2.0 * kernels.foreign_key_adjacency(arrays["object_ids"], arrays["foreign_keys"])
        + kernels.shared_entity_adjacency(arrays["entity_ids"])
        + 0.5 * kernels.chunk_adjacency(arrays["document_ids"], arrays["chunk_ids"])
    )


def test_one_program_equals_its_parts():
    """PPR's against an oracle: test_random_graphs.py."""
    given_arrays = batch(np.random.default_rng(0), 4)
    weights = {"foreign_key": 2.0, "chunk": 0.5}
    top = kernels.rerank(**given_arrays, weights=weights, alpha=0.4, k=12)
    adjacency = weighted_sum(given_arrays)
    expected = kernels.top_k(kernels.gcs(adjacency, given_arrays["scores"], alpha=0.4).scores, 12)
    np.testing.assert_array_equal(top.indices, expected.indices)
    np.testing.assert_allclose(top.scores, expected.scores, atol=1e-6)
    assert top.solution.converged.all()


def test_without_metadata_the_order_is_the_retrievers():
    scores = np.random.default_rng(0).random((3, 7)).astype(np.float32)
    for ranker in ("base", "gcs", "diffusion"):
        top = kernels.rerank(scores, ranker=ranker, k=7)
        np.testing.assert_array_equal(top.indices, np.argsort(-scores, axis=1))


def test_lists_are_taken_as_arrays(tmp_path):
    code = """
import warnings, numpy as np
from grapher_jax import kernels
warnings.simplefilter("error")
lists = {"scores": [[0.9, 0.1, 0.2]], "entity_ids": [[[3], [3], [5]]], "mask": [[True, True, False]]}
top, same = (kernels.rerank(**given, k=2) for given in
             (lists, {name: np.array(value) for name, value in lists.items()}))
assert np.array_equal(top.indices, same.indices) and np.allclose(top.scores, same.scores)
"""
    # In a process of its own, for here annotations are checked, and these say arrays.
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_links_join_like_foreign_keys():
    arrays = batch(np.random.default_rng(5), 2)
    common = {name: arrays[name] for name in ("scores", "object_ids")}
    by_key = kernels.rerank(**common, foreign_keys=arrays["foreign_keys"])
    by_link = kernels.rerank(**common, links=arrays["foreign_keys"])
    np.testing.assert_array_equal(by_key.scores, by_link.scores)


def test_the_second_call_of_a_shape_compiles_nothing(compilations, types_unchecked):
    first, second = (batch(np.random.default_rng(seed), 3) for seed in (1, 2))
    for arrays in (first, second):
        for name in ("object_ids", "foreign_keys", "document_ids", "chunk_ids"):
            del arrays[name]
    kernels.rerank(**first, alpha=0.2, k=4)
    weak = jax.jit(lambda: 0.5)()  # of a weak type
    kernels.rerank(**second, alpha=weak, weights={"mention": weak}, k=4)
    before = compilations()
    kernels.rerank(**second, alpha=0.7, tol=1e-4, k=np.int64(4))
    kernels.rerank(**first, alpha=weak, weights={"mention": weak}, k=4)
    assert compilations() == before


def test_an_unknown_ranker_is_named_with_the_known_ones():
    with pytest.raises(
        ValueError, match=r"'bm25' is unknown; use one of base, gcs, ppr, diffusion"
    ):
        kernels.rerank(np.ones(3, np.float32), ranker="bm25")


def test_a_single_question_and_a_batch_rank_alike():
    arrays = batch(np.random.default_rng(2), 4)
    together = kernels.rerank(**arrays, k=12)
    for query in range(4):
        alone = kernels.rerank(**{name: array[query] for name, array in arrays.items()}, k=12)
        np.testing.assert_array_equal(alone.indices, together.indices[query])
        np.testing.assert_allclose(alone.scores, together.scores[query], atol=1e-6)
        assert alone.solution.converged


# Nightly, where programs are optimised: the derivative of `jnp.maximum` was lost in those alone.
@pytest.mark.nightly
@pytest.mark.parametrize("shape", [(4, 8, 3), (8, 16, 4)])
def test_gradients_of_optimised_programs_are_those_of_the_equation(shape):
    batch, n, _ = shape
    rng = np.random.default_rng(1)
    scores, weights = rng.random((2, batch, n)).astype(np.float32)
    entity_ids = rng.integers(-1, n // 2 + 1, shape)

    def value(scores):
        return (weights * kernels.rerank(scores, entity_ids=entity_ids).solution.scores).sum()

    expected = np.empty((batch, n))
    for query, A in enumerate(np.asarray(kernels.shared_entity_adjacency(entity_ids), float)):
        sums = A.sum(1, keepdims=True)
        walk = np.divide(A, sums, out=np.zeros_like(A), where=sums > 0)
        smoothing = 0.1 * np.linalg.inv(np.eye(n) - 0.9 * walk)
        raised = smoothing @ scores[query] > scores[query]
        expected[query] = (weights[query] * raised) @ smoothing + weights[query] * ~raised
    np.testing.assert_allclose(jax.grad(value)(scores), expected, atol=1e-5)
    np.testing.assert_allclose(jax.jit(jax.grad(value))(scores), expected, atol=1e-5)

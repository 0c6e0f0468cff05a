"""Large batches are divided among the cores of a CPU, in whole blocks, which changes no result."""

import subprocess
import sys
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.program import cores

pytestmark = pytest.mark.skipif(jax.default_backend() != "cpu", reason="of CPUs alone")
# A block is 64 questions of 200 candidates where entities join them.
QUERIES, N, BLOCK = 4 * 64, 200, 64


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    monkeypatch.setattr(cores, "_cores", lambda: 4)


@pytest.fixture
def parts(monkeypatch):
    """How many queries each program has got, in any order."""
    sizes, joined = [], cores._joined
    monkeypatch.setattr(
        cores,
        "_joined",
        lambda tops: sizes.extend(len(top.indices) for top in tops) or joined(tops),
    )
    return sizes


def arrays(queries=QUERIES):
    """Few shared entities, but in one question, whose block is solved by matrices."""
    rng = np.random.default_rng(0)
    ids = np.where(rng.random((queries, N, 6)) < 0.3, rng.integers(0, 900, (queries, N, 6)), -1)
    ids[1] = rng.integers(0, 9, (N, 6))
    return {
        "scores": rng.random((queries, N), np.float32),
        "entity_ids": ids.astype(np.int32),
        "mask": rng.random((queries, N)) < 0.9,
    }


def in_one(given, monkeypatch, **options):
    with monkeypatch.context() as alone:
        alone.setattr(cores, "_cores", lambda: 1)
        return kernels.rerank(**given, **options)


def assert_equal(one, other):
    # Optimised programs of two shapes may round the bound itself, a sum of two products, apart.
    bounds = [top.solution.error for top in (one, other) if top.solution is not None]
    if bounds:
        np.testing.assert_allclose(*bounds, rtol=1e-6)
    found = [
        replace(top, solution=top.solution and replace(top.solution, error=0 * top.solution.error))
        for top in (one, other)
    ]
    pairs = zip(*map(jax.tree.leaves, found), strict=True)
    assert all(np.array_equal(*pair) for pair in pairs)


@pytest.mark.parametrize("form", [np.asarray, pytest.param(jnp.asarray, marks=pytest.mark.nightly)])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": np.linspace(0.1, 0.9, QUERIES, dtype=np.float32)},
        {"ranker": "diffusion", "gap_part": np.full(QUERIES, 0.3, np.float32), "tol": 1e-4},
        {"ranker": "diffusion", "least_degree": np.full(QUERIES, 1.5, np.float32)},
        pytest.param({"ranker": "base"}, marks=pytest.mark.nightly),
        pytest.param({"alpha": np.full(1, 0.5, np.float32)}, marks=pytest.mark.nightly),
    ],
)
def test_parts_rank_as_one_does(form, options, parts, monkeypatch):
    given = {name: form(array) for name, array in arrays().items()}
    whole = in_one(given, monkeypatch, **options)
    assert not parts
    assert_equal(kernels.rerank(**given, **options), whole)
    assert parts == [BLOCK] * 4


@pytest.mark.parametrize(
    ("queries", "sizes"), [(64, []), (100, []), (128, [64, 64]), (192, [64] * 3), (320, [])]
)
def test_whole_blocks_are_divided_evenly_or_not_at_all(queries, sizes, parts):
    kernels.rerank(**arrays(queries))
    assert parts == sizes


def test_a_thread_keeps_its_own_settings(parts):
    with jax.enable_x64(True):
        given = arrays() | {"scores": arrays()["scores"].astype(np.float64)}
        found = kernels.rerank(**given)
    assert found.scores.dtype == np.float64
    assert parts == [BLOCK] * 4
    assert kernels.rerank(**arrays()).scores.dtype == np.float32


def test_traced_and_sharded_queries_are_not_divided(parts):
    scores = arrays()["scores"]
    kernels.rerank(scores, mesh=kernels.query_mesh())
    kernels.rerank(scores, donate=True)
    jax.jit(lambda scores: kernels.rerank(scores).indices)(scores)
    jax.vmap(lambda scores: kernels.rerank(scores).indices)(scores)
    assert not parts


@pytest.mark.nightly
def test_a_traced_weight_keeps_a_batch_whole(parts):
    queries = 1_024  # four blocks, where no matrix is formed
    places = np.tile(np.arange(N, dtype=np.int32), (queries, 1))
    given = {"scores": np.ones((queries, N), np.float32), "document_ids": 0 * places}

    def total(weight):
        top = kernels.rerank(**given, chunk_ids=places, weights={"chunk": weight})
        return top.solution.scores.sum()

    jax.jit(total)(1.0)
    assert not parts
    total(1.0)
    assert parts == [256] * 4


def test_lists_are_arrays(types_unchecked):
    given = {"alpha": np.linspace(0.1, 0.9, QUERIES), "tol": np.full(QUERIES, 1e-4)}
    lists = {name: array.tolist() for name, array in given.items()}
    assert_equal(kernels.rerank(**arrays(), **lists), kernels.rerank(**arrays(), **given))


@pytest.mark.parametrize("name", ["alpha", "tol"])
@pytest.mark.parametrize("shape", [(BLOCK,), (N,), (QUERIES, 1)])
def test_numbers_of_another_count_than_the_queries_are_refused(name, shape):
    with pytest.raises(ValueError, match=rf"{name}: shape .* one for each query: \(256,\)"):
        kernels.rerank(**arrays(), **{name: np.full(shape, 0.5, np.float32)})


@pytest.mark.nightly
def test_threads_rank_after_the_main_thread_has_ended():
    program = """
import threading

import numpy as np

from grapher_jax import kernels
from grapher_jax.kernels.program import cores

cores._cores = lambda: 4


def late():
    threading.main_thread().join()
    print(kernels.rerank(np.ones((1024, 200), np.float32), ranker="base").indices.shape)


threading.Thread(target=late).start()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "(1024, 10)\n", done.stderr


def test_parts_share_the_program_of_a_batch_of_their_size(compilations):
    kernels.rerank(**arrays(64), k=3)
    before = compilations()
    kernels.rerank(**arrays(256), k=3)
    compiled = compilations()
    assert compiled <= before + 1  # which puts the parts together
    kernels.rerank(**arrays(256), k=3)
    assert compilations() == compiled

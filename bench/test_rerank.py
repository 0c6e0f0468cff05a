"""The suite: every workload by every implementation at every batch, the stages of ours, and GATv2.

Run it through `bench/run.py`, which sees to a clean environment and makes the table. A group holds
one workload at one batch, so that what is compared was timed within seconds of each other. Results
are checked before they are timed; no time is ever asserted.
"""

import resource
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import gat
import jax
import numpy as np
import peers
import pytest
from implementations import IMPLEMENTATIONS, Implementation, check, reference
from threadpoolctl import threadpool_limits
from workloads import GAT_WORKLOADS, WORKLOADS, Arrays, Workload, real_workloads

from grapher_jax import kernels
from grapher_jax.graph import Ragged

QUICK_BATCH = 32
# What takes ten seconds or more, and is compared with the reference by the tests too.
LONG = {("entities-20k", "networkx"), ("gat-200 degree 4", "grapher-jax dense")}
# That by which a `Reranker` smooths where it is told nothing, and one that is quick to solve.
ALPHAS = (kernels.DEFAULT_ALPHA["gcs"], peers.ALPHA)
STAGES = ("padding", "transfer", "graph", "fixed point", "top k", "all in one")
STAGED = ("entity_ids", "entity_counts", "object_ids", "foreign_keys", "document_ids", "chunk_ids")


def cases() -> list[Any]:
    """Workload, α, batch, implementation; a group's implementations follow each other."""
    return [
        pytest.param(w, alpha, batch, i, id=f"{w.name}-{alpha}-{batch}-{i.name}")
        for w in (*real_workloads(), *WORKLOADS)
        for alpha in ALPHAS
        for batch in w.batches
        for i in IMPLEMENTATIONS
    ]


@cache
def arrays_of(workload: Workload, batch: int) -> Arrays:
    """One batch, made once."""
    return workload.batch(batch)


@cache
def scores_of(workload: Workload, batch: int, ranker: str, alpha: float) -> np.ndarray:
    """What every implementation has to find."""
    return reference(arrays_of(workload, batch), ranker, alpha)


@cache
def layers_of(workload: Workload, batch: int) -> np.ndarray:
    """What five layers say of the first queries."""
    return gat.reference(arrays_of(workload, batch))


@pytest.mark.parametrize(("workload", "alpha", "batch", "implementation"), cases())
def test_rerank(
    benchmark: Any,
    request: pytest.FixtureRequest,
    workload: Workload,
    alpha: float,
    batch: int,
    implementation: Implementation,
) -> None:
    """Time one implementation on one batch."""
    quick = request.config.getoption("--quick")
    if not implementation.installed:
        pytest.skip(f"{implementation.package} is not installed")
    if quick and batch != (QUICK_BATCH if QUICK_BATCH in workload.batches else workload.batches[0]):
        pytest.skip("a quick run takes one batch")
    if quick and alpha != peers.ALPHA:
        pytest.skip("a quick run takes one α")
    other_form = implementation.kind == "ours" and implementation is not IMPLEMENTATIONS[0]
    if quick and other_form and workload is not WORKLOADS[1]:
        pytest.skip("a quick run takes the other forms of ours on one workload")
    if quick and (workload.name, implementation.name) in LONG:
        pytest.skip("a quick run leaves out what takes long")
    everything = arrays_of(workload, batch)
    if not implementation.takes(everything):
        pytest.skip(f"{implementation.name} does not take {workload.name}")
    queries = min(batch, implementation.queries)
    arrays = {name: values[:queries] for name, values in everything.items()}
    run = partial(implementation.run, arrays, alpha)
    jax.clear_caches()
    first, found = timed(run)
    check(found, scores_of(workload, batch, implementation.ranker, alpha)[:queries], alpha)
    threads = best_threads(run) if implementation.uses_blas else 1
    with threadpool_limits(threads if implementation.uses_blas else None):
        rounds = measure(benchmark, run, quick=quick)
    benchmark.group = f"{workload.name}, α = {alpha}, batch {batch}"
    benchmark.extra_info.update(
        workload=workload.name,
        alpha=alpha,
        implementation=implementation.name,
        kind=implementation.kind,
        ranker=implementation.ranker,
        batch=batch,
        queries=queries,
        rounds=rounds,
        first_call_seconds=first,
        blas_threads=threads,
        peak_memory_mib=peak_memory_mib(),
    )


@pytest.mark.parametrize("implementation", gat.IMPLEMENTATIONS, ids=lambda one: one.name)
@pytest.mark.parametrize("batch", GAT_WORKLOADS[0].batches)
@pytest.mark.parametrize("workload", GAT_WORKLOADS, ids=lambda workload: workload.name)
def test_gat(
    benchmark: Any,
    request: pytest.FixtureRequest,
    workload: Workload,
    batch: int,
    implementation: gat.Implementation,
) -> None:
    """Time five layers of graph attention on one batch."""
    quick = request.config.getoption("--quick")
    if quick and (workload, batch) != (GAT_WORKLOADS[0], GAT_WORKLOADS[0].batches[0]):
        pytest.skip("a quick run takes one workload and one batch")
    if quick and (workload.name, implementation.name) in LONG:
        pytest.skip("a quick run leaves out what takes long")
    if not implementation.installed:
        pytest.skip(f"{implementation.package} is not installed")
    arrays = arrays_of(workload, batch)
    run = implementation.prepare(arrays)
    jax.clear_caches()
    first, found = timed(run)
    if implementation.kind != "limit":
        gat.check(found, layers_of(workload, batch))
    rounds = measure(benchmark, run, 2.0, quick=quick)
    benchmark.group = f"{workload.name}, batch {batch}"
    benchmark.extra_info.update(
        workload=workload.name,
        implementation=implementation.name,
        kind=implementation.kind,
        ranker="gat",
        batch=batch,
        queries=batch,
        rounds=rounds,
        first_call_seconds=first,
        peak_memory_mib=peak_memory_mib(),
    )


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("workload", WORKLOADS[:3], ids=lambda workload: workload.name)
def test_stages(
    benchmark: Any, request: pytest.FixtureRequest, workload: Workload, stage: str
) -> None:
    """Time each stage of ours alone, over arrays that are on the device already."""
    quick = request.config.getoption("--quick")
    if quick and workload is not WORKLOADS[1]:
        pytest.skip("a quick run takes one workload")
    host = arrays_of(workload, QUICK_BATCH)
    run = stages(host)[stage]
    run()
    measure(benchmark, run, quick=quick)
    benchmark.group = f"stages of {workload.name}, batch {QUICK_BATCH}"
    benchmark.extra_info.update(workload=workload.name, stage=stage, queries=QUICK_BATCH)


def stages(host: Arrays) -> dict[str, Callable[[], object]]:
    """The stages as functions that return once their results are there."""
    device = jax.device_put(host)
    scores = device["scores"]
    metadata = {name: device[name] for name in STAGED if name in device}
    build = jax.jit(lambda s, m: kernels.build_adjacency(s.shape, **m))
    smooth = jax.jit(partial(kernels.gcs, alpha=ALPHAS[0]))
    choose = jax.jit(partial(kernels.top_k, k=peers.BEST))
    adjacency = build(scores, metadata)
    smoothed = smooth(adjacency, scores).scores
    whole = partial(kernels.rerank, **device, alpha=ALPHAS[0], k=peers.BEST)
    candidates = np.arange(scores.size).reshape(scores.shape)
    lists = [[i for i in row if i >= 0] for row in _slots(host).reshape(scores.size, -1).tolist()]
    ragged = Ragged.build(lists)
    return {
        "padding": lambda: ragged.padded(candidates),
        "transfer": lambda: jax.block_until_ready(jax.device_put(host)),
        "graph": lambda: jax.block_until_ready(build(scores, metadata)),
        "fixed point": lambda: jax.block_until_ready(smooth(adjacency, scores)),
        "top k": lambda: jax.block_until_ready(choose(smoothed)),
        "all in one": lambda: jax.block_until_ready(whole()),
    }


def _slots(host: Arrays) -> np.ndarray:
    """The widest array of metadata: what padding makes from lists."""
    return max((host[name] for name in STAGED if name in host), key=lambda array: array.size)


def measure(benchmark: Any, run: Callable[[], object], seconds: float = 1.0, *, quick: bool) -> int:
    """Time one round if quick, else what fills the seconds, from 3 to 200; returns how many."""
    rounds = 1 if quick else int(min(max(seconds / timed(run)[0], 3), 200))
    benchmark.pedantic(run, rounds=rounds, iterations=1)
    return rounds


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result of one call."""
    start = time.perf_counter()
    result = run()
    return time.perf_counter() - start, result


def best_threads(run: Callable[[], object]) -> int:
    """The number of BLAS threads, 1 or 2, with which the best of three calls is faster."""
    best = {}
    for threads in (1, 2):
        with threadpool_limits(threads):
            best[threads] = min(timed(run)[0] for _ in range(3))
    return min(best, key=lambda threads: best[threads])


def peak_memory_mib() -> float:
    """The most memory that this process has held until now; it never falls."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)

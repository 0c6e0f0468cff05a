"""Steps of training by every implementation, in a process of its own: ours shares its devices.

These are as many as `grapher-jax train` has. Run it through `bench/run.py`. Scores and gradients
are checked before a step is timed.
"""

from functools import cache
from typing import Any

import jax
import pytest
import ranker_training
from test_rerank import arrays_of, measure, peak_memory_mib, timed
from workloads import TRAINING_WORKLOADS, Workload, real_training_workloads

from grapher_jax.training.program import use_cores

use_cores(TRAINING_WORKLOADS[0].batches[0])


@cache
def judged(workload: Workload, batch: int) -> ranker_training.Judged:
    """What a peer has to find."""
    arrays = arrays_of(workload, batch)
    return ranker_training.ours(arrays, ranker_training.settings(arrays), False).judge()


@pytest.mark.parametrize(
    "implementation", ranker_training.IMPLEMENTATIONS, ids=lambda one: one.name
)
@pytest.mark.parametrize(
    "workload", (*TRAINING_WORKLOADS, *real_training_workloads()), ids=lambda one: one.name
)
def test_training(
    benchmark: Any,
    request: pytest.FixtureRequest,
    workload: Workload,
    implementation: ranker_training.Implementation,
) -> None:
    """Time one step on one batch."""
    quick = request.config.getoption("--quick")
    if quick and workload is not TRAINING_WORKLOADS[0]:
        pytest.skip("a quick run takes one workload")
    if not implementation.installed:
        pytest.skip(f"{implementation.package} is not installed")
    (batch,) = workload.batches
    arrays = arrays_of(workload, batch)
    expected = judged(workload, batch) if implementation.kind == "peer" else None
    jax.clear_caches()
    preparing, ready = timed(
        lambda: implementation.prepare(arrays, ranker_training.settings(arrays), not quick)
    )
    if expected:
        ranker_training.check(ready.judge(), expected)
    first, _ = timed(ready.step)
    rounds = measure(benchmark, ready.step, 4.0, quick=quick)
    benchmark.group = workload.name
    benchmark.extra_info.update(
        workload=workload.name,
        implementation=implementation.name,
        kind=implementation.kind,
        ranker="training",
        batch=batch,
        queries=batch,
        devices=jax.local_device_count() if implementation.kind == "ours" else 1,
        rounds=rounds,
        prepare_seconds=preparing,
        first_call_seconds=first,
        peak_memory_mib=peak_memory_mib(),
    )

"""Run every workload on this machine's first device, check it, time it; `--help` lists the options.

Kernels on candidates of tables and passages, the shipped network for tables, the offline encoder, a
step of training, and questions to an index, at batches of 1 to 8,192. Results are compared with
float64 before anything is timed. A batch whose program would not fit into memory is run in blocks.
What the device can do at best is measured on the spot. Needs jax, numpy, jaxtyping, flax, optax,
safetensors and tokenizers; what needs more is left out with a line where it is missing.

Writes `bench/results/<device>.json`, and from all such files the page of results.
"""

# ruff: noqa: T201

import argparse
import json
import os
import platform
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import device_cases
import jax
import jax.numpy as jnp
import numpy as np
import oracles
from device_cases import BEST, DIFFERENT, Case
from device_page import write_page
from device_peers import peer_rows

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "results" / "devices.md"
BATCHES = (1, 32, 1_024, 8_192)
# What JAX calls the coarser ways to multiply matrices; the library's own is float32.
PRECISIONS = {"tf32": "tensorfloat32", "bf16": "BF16_BF16_F32"}
MIB = 1 << 20
# The part of the free memory that a block may take; a CPU has arguments twice, as NumPy arrays too.
SHARE = 0.4

# Of an error, what the results keep.
MESSAGE = 300

Record = dict[str, Any]
# Runs something that has a name, and keeps what it measured, or that it failed.
Keep = Callable[[Callable[[], Record], str], None]


def main() -> int:
    """Measure, and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="one small batch; nothing is kept")
    parser.add_argument("--batch", type=int, nargs="+", default=BATCHES, metavar="N")
    parser.add_argument("--seconds", type=float, default=2.0, help="of rounds, for each figure")
    parser.add_argument("--only", metavar="TEXT", default="", help="workloads with it in the name")
    parser.add_argument("--out", type=Path, default=HERE / "results", help="where the JSON goes")
    parser.add_argument("--page", type=Path, default=PAGE, help="where the table goes")
    options = parser.parse_args()
    batches = (4,) if options.smoke else tuple(options.batch)
    seconds = 0.05 if options.smoke else options.seconds
    # PyTorch, a peer, needs memory too.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if not options.smoke:  # a program that is read from there was not compiled
        jax.config.update("jax_enable_compilation_cache", False)
    file = options.out / f"{slug(device_name(jax.devices()[0]))}.json"

    def write(found: Record) -> None:
        options.out.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found, indent=1) + "\n")
        write_page(options.out, options.page)

    # After every row: a run may be cut off.
    found = measure(
        batches,
        seconds,
        smoke=options.smoke,
        only=options.only,
        write=(lambda _: None) if options.smoke else write,
    )
    if not options.smoke:
        print(f"\nwrote {file} and {options.page}")
    return 1 if found["failed"] else 0


def measure(
    batches: Sequence[int],
    seconds: float,
    *,
    smoke: bool,
    only: str,
    write: Callable[[Record], None],
) -> Record:
    """All figures of this device, which are written whenever there is another."""
    device, skipped, failed = jax.devices()[0], list[str](), list[str]()
    roof = roofline(seconds, 256 if smoke else 1_024 if device.platform == "cpu" else 4_096)
    print(", ".join(f"{name} {figure:.3g}" for name, figure in roof.items()))
    rows: list[Record] = []
    found = {
        "device": device_name(device),
        "platform": device.platform,
        "jax": jax.__version__,
        "python": platform.python_version(),
        "load": os.getloadavg()[0],
        "roofline": roof,
        "rows": rows,
        "skipped": skipped,
        "failed": failed,
        "peers": [],
    }

    def keep(run: Callable[[], Record], name: str) -> None:
        try:
            row = run()
        except (AssertionError, jax.errors.JaxRuntimeError) as error:
            # The rest of a device's figures are worth having; the status of the process tells.
            failed.append(f"{name}: {type(error).__name__} {str(error)[:MESSAGE]}")
            print(f"FAILED {failed[-1]}", flush=True)
        else:
            rows.append(row)
            print(line(row), flush=True)
        write(found)

    for case in device_cases.cases(smoke=smoke, skipped=skipped):
        if only in case.name:
            run_case(case, batches, seconds, roof, keep, precisions={} if smoke else PRECISIONS)
    if only in END_TO_END:
        run_index(batches, seconds, keep, skipped)
    if only in "peers" and not smoke:
        try:
            for row in peer_rows(batches, partial(best_time, seconds=seconds), skipped):
                found["peers"].append(row)
                print(row, flush=True)
                write(found)
        except RuntimeError as error:  # of PyTorch as of JAX
            failed.append(f"peers: {str(error)[:MESSAGE]}")
    for reason in skipped:
        print(f"left out: {reason}")
    write(found)
    return found


def run_case(
    case: Case,
    batches: Sequence[int],
    seconds: float,
    roof: Record,
    keep: Keep,
    precisions: Mapping[str, str],
) -> None:
    """Every batch of a workload; the precisions at the largest that is not over a thousand."""
    constants = jax.device_put(case.constants, jax.devices()[0])
    few = max((batch for batch in batches if batch <= 1_024), default=batches[0])
    for batch in batches:
        keep(partial(run_batch, case, constants, batch, seconds, roof), f"{case.name}, {batch:,}")
        asked = precisions if case.multiplications and batch == few else {}
        for name, precision in asked.items():
            with jax.default_matmul_precision(precision):
                run = partial(run_batch, case, constants, batch, seconds, roof, precision=name)
                keep(run, f"{case.name}, {batch:,}, {name}")


def run_batch(
    case: Case,
    constants: Any,
    batch: int,
    seconds: float,
    roof: Record,
    *,
    precision: str = "float32",
) -> Record:
    """One workload at one batch: checked, then timed."""
    different = case.make(min(batch, DIFFERENT))
    block, program, compiling, memory = fitting(case, constants, different, batch)
    arrays = device_cases.repeated(different, block)
    on_device = jax.device_put(arrays, jax.devices()[0])
    results = jax.device_get(program(constants, on_device))
    error = case.check(arrays, *results, case.constants, exact=precision == "float32")
    blocks = range(-(-batch // block))

    def alone() -> None:
        jax.block_until_ready([program(constants, on_device) for _ in blocks])

    def with_transfers() -> None:
        for _ in blocks:
            jax.device_get(program(constants, arrays)[0])

    device_s, whole_s = (best_time(run, seconds) for run in (alone, with_transfers))
    moved = memory["arguments"] + memory["outputs"]
    least = max(
        case.multiplications * block / roof[f"{precision} FLOP/s"], moved / roof["copied bytes/s"]
    )
    return {
        "workload": case.name,
        "batch": batch,
        "block": block,
        "precision": precision,
        "us": 1e6 * device_s / batch,
        "us_with_transfers": 1e6 * whole_s / batch,
        "us_least": 1e6 * least / block,
        "compile_s": compiling,
        "program_mib": sum(memory.values()) / MIB,
        "peak_mib": peak_memory() / MIB,
        "error": error,
    }


def fitting(
    case: Case, constants: Any, different: Any, batch: int
) -> tuple[int, Any, float, dict[str, int]]:
    """The largest block that memory holds: its size, program, seconds to compile, and bytes."""
    limit, block = free_memory() * SHARE, batch
    while True:
        shapes = jax.tree.map(
            lambda a: jax.ShapeDtypeStruct((block, *a.shape[1:]), a.dtype),  # noqa: B023
            different,
        )
        # A new function, so that no precision finds what another has traced.
        own = partial(case.program)
        start = time.perf_counter()
        program = jax.jit(own).lower(constants, shapes).compile()
        seconds = time.perf_counter() - start
        told = program.memory_analysis()
        memory = {
            "arguments": told.argument_size_in_bytes,
            "outputs": told.output_size_in_bytes,
            "temporaries": told.temp_size_in_bytes,
        }
        if sum(memory.values()) <= limit or block == 1:
            return block, program, seconds, memory
        block = -(-block // 2)


# --- questions to an index ----------------------------------------------------------------------

END_TO_END = "search, sample company"


def run_index(batches: Sequence[int], seconds: float, keep: Keep, skipped: list[str]) -> None:
    """From questions in words to hits, by GCS over the sample company's tables."""
    try:
        from grapher_jax import Index
        from grapher_jax.demo import sample_folder, sample_tables

        index = Index.build(sample_tables(), folder=sample_folder())
    except ImportError as error:
        skipped.append(f"{END_TO_END}: {error}")
        return
    asked = [query.text for query in index.queries.values()][:DIFFERENT]
    for batch in batches:
        questions = [asked[i % len(asked)] for i in range(batch)]
        keep(partial(run_questions, index, questions, seconds), f"{END_TO_END}, {batch:,}")


def run_questions(index: Any, questions: Sequence[str], seconds: float) -> Record:
    """One batch of questions: checked, then timed."""
    batch = len(questions)
    search = partial(index.search_batch, questions, ranker="gcs", expand=False, k=BEST)
    start = time.perf_counter()
    hits = search()
    first = time.perf_counter() - start
    error = check_hits(index, questions, hits)
    row = {"workload": END_TO_END, "batch": batch, "block": batch, "precision": "float32"}
    spent = best_time(search, seconds)
    row |= {"us_with_transfers": 1e6 * spent / batch, "compile_s": first - spent}
    return row | {"peak_mib": peak_memory() / MIB, "error": error}


def check_hits(index: Any, questions: Sequence[str], hits: Sequence[Any]) -> float:
    """The largest difference from GCS in float64 over what the retriever returned.

    Raises:
        AssertionError: where it is more than rounding.
    """
    different = list(dict.fromkeys(questions))
    found = index.retrieve(different)
    joined = index.graph.gather(found.rows, index.graph.proximities())
    error, right = 0.0, {}
    for number, question in enumerate(different):
        one = {name: np.asarray(array)[number] for name, array in joined.given().items()}
        real = found.rows[number] >= 0
        one["scores"] = np.where(real, found.scores[number], 0.0)
        scores = oracles.gcs(oracles.graph(one, real), one["scores"], 0.1, real)
        right[question] = np.sort(scores[real])[::-1][:BEST]
    for question, own in zip(questions, hits, strict=True):
        error = max(error, *np.abs([hit.score for hit in own] - right[question]))
    assert error <= 1e-4, error
    return float(error)


# --- the device ---------------------------------------------------------------------------------


def roofline(seconds: float, size: int) -> dict[str, float]:
    """What the device does at best: bytes copied and moved, and multiplications, a second.

    Args:
        seconds: of rounds, for each.
        size: of the square matrices; a copy is of sixteen such.
    """
    device = jax.devices()[0]
    host = np.ones((16, size, size), np.float32)
    x = jax.device_put(host, device)
    copy = jax.jit(lambda x: x + 1)
    found = {"copied bytes/s": 2 * host.nbytes / best_time(lambda: ready(copy(x)), seconds)}
    put = best_time(lambda: ready(jax.device_put(host, device, may_alias=False)), seconds)
    found["to the device bytes/s"] = host.nbytes / put
    matrix = x[0]
    for name, precision in {"float32": "highest", **PRECISIONS}.items():
        multiply = jax.jit(partial(jnp.matmul, precision=precision))
        spent = best_time(lambda: ready(multiply(matrix, matrix)), seconds)  # noqa: B023
        found[f"{name} FLOP/s"] = 2 * size**3 / spent
    return found


def ready(array: jax.Array) -> None:
    """Wait for it."""
    array.block_until_ready()


def best_time(run: Callable[[], object], seconds: float) -> float:
    """The least time of a call, in rounds of so many seconds after a first one."""
    run()
    least, begun = float("inf"), time.perf_counter()
    while True:
        start = time.perf_counter()
        run()
        now = time.perf_counter()
        least = min(least, now - start)
        if now - begun > seconds:
            return least


def free_memory() -> int:
    """Bytes of the device that are not in use; of the machine, for a CPU."""
    told = jax.devices()[0].memory_stats()
    if told and "bytes_limit" in told:
        return told["bytes_limit"] - told.get("bytes_in_use", 0)
    lines = Path("/proc/meminfo").read_text().splitlines()
    (kibibytes,) = (row.split()[1] for row in lines if row.startswith("MemAvailable"))
    return 1024 * int(kibibytes)


def peak_memory() -> int:
    """The most bytes that the device has held until now; of the process, for a CPU."""
    told = jax.devices()[0].memory_stats()
    if told and "peak_bytes_in_use" in told:
        return told["peak_bytes_in_use"]
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else 1024 * most


def device_name(device: jax.Device) -> str:
    """What the device is called; a CPU by its model."""
    if device.platform != "cpu":
        return device.device_kind
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found.group(1) if found else platform.machine()


def slug(name: str) -> str:
    """A file name of a device's."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def line(row: Record) -> str:
    """A row for the terminal."""
    parts = (f"{key} {row[key]:.4g}" for key in row if isinstance(row[key], float))
    return f"{row['workload']}, {row['batch']:,} ({row['precision']}): {', '.join(parts)}"


if __name__ == "__main__":
    sys.exit(main())

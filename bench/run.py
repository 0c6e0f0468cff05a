"""Time reranking by this library and by its peers; `--help` lists the options.

Prints a table and writes `latest.json` and `latest.png` into `bench/results`. Times are the best of
many rounds, in milliseconds a query, from NumPy arrays to NumPy arrays with graph building included
and compilation left out. Everybody ranks at the default α of GCS and at 0.5, and is as exact; real
candidates of the public sets come first where `GRAPHER_JAX_DATA` names their folder. networkx,
igraph and scikit-network run personalised PageRank, all others GCS; `gat-200` is five layers of
GATv2; `training` is one step, from arrays in memory to updated weights. `serve.py` then loads the
HTTP service, and `scale.py` reranks a few thousand questions.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from report import draw, groups, print_stages, print_steps, print_table
from workloads import INDEXES, WORKLOADS, real_workloads

HERE = Path(__file__).parent
# Settings that make OpenBLAS choose kernels for another processor: NumPy would be timed too slow.
BLAS_SETTINGS = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
# Each in a process of its own: training has a device for every core.
SUITES = ("test_rerank.py", "test_training.py")
LIMIT = "c++ limit"
LIMITED = ("musique-all", "entities-200")

Record = dict[str, Any]


def main() -> int:
    """Run the suite and report it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a smoke run, under a minute")
    parser.add_argument(
        "--index",
        action="append",
        default=[],
        metavar="DIR",
        help="an index to take questions from",
    )
    parser.add_argument("--limit", type=Path, metavar="CPP", help="a C++ program to time as well")
    parser.add_argument(
        "--out", type=Path, help="where results go: bench/results; by default not of a smoke run"
    )
    options = parser.parse_args()
    status, measured = 0, []
    for suite in SUITES:
        failed, entries = run_suite(suite, quick=options.quick, indexes=options.index)
        status, measured = status or failed, measured + entries
    if not measured:
        return status or 1
    records = [record(entry) for entry in measured if "batch" in entry["extra_info"]]
    if options.limit:
        records += limit_records(options.limit, records)
    add_ratios(records)
    print_table([r for r in records if r["ranker"] != "training"])
    print_stages([entry for entry in measured if "stage" in entry["extra_info"]])
    print_steps([r for r in records if r["ranker"] == "training"])
    if folder := options.out or (None if options.quick else HERE / "results"):
        write(records, folder)
    status = status or run_service(quick=options.quick)
    return status or run_scale() or run_updating() or run_table_selection() or run_accelerator()


def run_suite(suite: str, *, quick: bool, indexes: Sequence[str]) -> tuple[int, list[Record]]:
    """Run pytest in a process of its own, without BLAS settings and without runtime type checks.

    Returns its status, and what it measured.
    """
    environment = {k: v for k, v in os.environ.items() if k not in BLAS_SETTINGS}
    environment[INDEXES] = os.pathsep.join(str(Path(index).resolve()) for index in indexes)
    command = [sys.executable, "-m", "pytest", str(HERE / suite), "-q", "-o", "addopts="]
    command += ["--import-mode=importlib", "-p", "no:cacheprovider", f"--rootdir={HERE.parent}"]
    # Plugins that others' test kits bring; the second would time in the place of pytest-benchmark.
    command += ["-p", "no:asyncio", "-p", "no:codspeed"]
    command += ["--benchmark-disable-gc", "--benchmark-quiet", *(["--quick"] if quick else [])]
    with tempfile.TemporaryDirectory() as folder:
        document = Path(folder) / "benchmark.json"
        command += [f"--benchmark-json={document}"]
        status = subprocess.run(command, cwd=HERE, env=environment, check=False).returncode
        written = document.is_file() and document.stat().st_size
        return status, json.loads(document.read_text())["benchmarks"] if written else []


def run_service(*, quick: bool) -> int:
    """Load on the HTTP service, see `serve.py`; returns its status."""
    command = [sys.executable, HERE / "serve.py", *(["--quick"] if quick else [])]
    return subprocess.run(command, check=False).returncode


def run_scale() -> int:
    """A smoke run of many queries in one call, see `scale.py`; returns its status."""
    return subprocess.run([sys.executable, HERE / "scale.py", "--quick"], check=False).returncode


def run_updating() -> int:
    """A smoke run of updates of an index, see `updating.py`; returns its status."""
    return subprocess.run([sys.executable, HERE / "updating.py", "--quick"], check=False).returncode


def run_table_selection() -> int:
    """A smoke run of ways to choose tables, see `table_selection.py`; returns its status."""
    command = [sys.executable, HERE / "table_selection.py", "--quick"]
    return subprocess.run(command, check=False).returncode


def run_accelerator() -> int:
    """A smoke run of every workload on one device, see `accelerator.py`; returns its status."""
    command = [sys.executable, HERE / "accelerator.py", "--smoke"]
    return subprocess.run(command, check=False).returncode


def record(entry: Record) -> Record:
    """What is kept of a benchmark: who, what, and milliseconds a query."""
    info = entry["extra_info"]
    return {**info, "ms_per_query": 1000 * entry["stats"]["min"] / info["queries"]}


def limit_records(source: Path, measured: Sequence[Record]) -> list[Record]:
    """The C++ program on the same arrays: it prints its best milliseconds a query first."""
    limited = {w.name: w for w in (*real_workloads(), *WORKLOADS) if w.name in LIMITED}
    runs = {(r["workload"], r["alpha"], r["batch"]) for r in measured if r["workload"] in limited}
    records = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        program = folder / "limit"
        flags = ["-O3", "-march=native", "-ffast-math"]
        subprocess.run(["g++", *flags, "-o", program, source], check=True, capture_output=True)
        for name, alpha, batch in sorted(runs):
            arrays = limited[name].batch(batch)
            ids = arrays["entity_ids"]
            ids.tofile(folder / "ids.bin")
            arrays["scores"].tofile(folder / "scores.bin")
            sizes = [str(size) for size in (*ids.shape, ids.max() + 1, alpha)]
            command = [program, folder / "ids.bin", folder / "scores.bin", *sizes]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            ms = float(output.split()[0])
            who = {"workload": name, "implementation": LIMIT, "ranker": "gcs", "kind": "limit"}
            records.append({**who, "alpha": alpha, "batch": batch, "ms_per_query": ms})
    return records


def add_ratios(records: list[Record]) -> None:
    """How many times faster than the fastest peer each is; the C++ limit is no peer."""
    for _, same in groups(records):
        peers = [r["ms_per_query"] for r in same if r["kind"] == "peer"]
        for r in same:
            r["ratio_to_fastest_peer"] = min(peers) / r["ms_per_query"] if peers else None


def write(records: list[Record], folder: Path) -> None:
    """`latest.json` and `latest.png`."""
    keys = ("workload", "alpha", "implementation", "batch", "ms_per_query", "ratio_to_fastest_peer")
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{key: r[key] for key in keys if key in r} for r in records]
    (folder / "latest.json").write_text(json.dumps(rows, indent=1) + "\n")
    draw(records, folder / "latest.png")
    print(f"\nwrote {folder / 'latest.json'} and {folder / 'latest.png'}")  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())

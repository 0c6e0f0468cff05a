"""The page of results of `accelerator.py`, from the files that it left."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Record = dict[str, Any]

HEAD = """# On one device

Microseconds a question, measured by `make accelerator` (`bench/accelerator.py`), which checks every
result against float64 before it is timed.

- *Alone*: the time when arrays and results stay on the device.
- *With transfers*: the time from NumPy arrays to the best ten, the embeddings or the losses, as
  NumPy arrays.
- *At least*: the time that the device needs, at the rates that it showed in the same run, to read
  the arguments once, write the results once and compute the matrix products.
- *Program*: the memory of arguments, results and temporary arrays.
- *Error*: the largest difference from float64: of a score, of a network's score in standard
  deviations, of a number of an embedding, or of a derivative relative to the gradient's length.

A batch that does not fit into memory runs in blocks. XLA for CPUs multiplies in float32 whatever
precision it is asked for.
"""
NOTE = {"float32": "", "tf32": ", TF32 products", "bf16": ", bf16 products"}


def write_page(folder: Path, page: Path) -> None:
    """Write the tables of all devices whose files lie in the folder."""
    files = [json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))]
    devices = [found for found in files if isinstance(found, dict)]
    told = [text for one in devices for text in _device(one)]
    page.write_text("\n".join([HEAD, *(told or ["No device has been measured yet.\n"])]))


def _device(found: Record) -> Iterator[str]:
    roof = found["roofline"]
    yield f"## {found['device']}\n"
    rates = {name: f"{figure / 1e9:,.0f}" for name, figure in roof.items()}
    yield (
        f"JAX {found['jax']}, Python {found['python']}. It copies {rates['copied bytes/s']} GB/s, "
        f"takes {rates['to the device bytes/s']} GB/s from NumPy, and multiplies at "
        f"{rates['float32 FLOP/s']} GFLOP/s in float32, {rates['tf32 FLOP/s']} in TF32 and "
        f"{rates['bf16 FLOP/s']} in bf16. "
        f"The machine's load at the start: {found['load']:.1f}.\n"
    )
    yield "| | batch | alone | with transfers | at least | compiled in, s | program, MiB | error |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in found["rows"]:
        block = "" if row["block"] == row["batch"] else f" in blocks of {row['block']:,}"
        figures = ("us", "us_with_transfers", "us_least", "compile_s", "program_mib")
        cells = [_figure(row.get(key)) for key in figures]
        name = f"{row['workload']}{NOTE[row['precision']]}"
        yield f"| {name} | {row['batch']:,}{block} | {' | '.join(cells)} | {row['error']:.1e} |"
    yield from _peers(found["peers"])
    yield from (f"\nLeft out: {reason}." for reason in found["skipped"])
    yield from (f"\nFailed: {reason}" for reason in found["failed"])
    yield from (f"\n{note}" for note in found.get("notes", []))
    yield ""


def _peers(rows: list[Record]) -> Iterator[str]:
    if rows:
        yield "\nPeers, arrays on the device; PyTorch's ways are CUDA graphs where that works.\n"
        yield "| | batch | library | µs a question | error |\n|---|---|---|---|---|"
    for row in rows:
        name = f"{row['workload']} | {row['batch']:,} | {row['library']}"
        error = row.get("failed") or f"{row['error']:.1e}"
        yield f"| {name} | {_figure(row.get('us'))} | {error} |"


def _figure(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"

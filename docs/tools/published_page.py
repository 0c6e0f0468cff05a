"""Measure what can be measured of the papers' tables, and write the page on them.

`published.toml` names every table with the papers' own figures and the commands that stand for
them. A command's report is kept in `docs/results/published/`, so that one table can be measured
anew without the others, and the page is made of what is kept. `--help` lists the options.
"""

import argparse
import json
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import PIPE, run
from typing import Any

from grapher_jax.errors import InputError
from grapher_jax.files import atomic_file, parse_json

TABLES = Path(__file__).with_name("published.toml")
PAGE = Path(__file__).parents[1] / "results" / "published.md"
KEPT = PAGE.with_suffix("")
Part = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the tables that are named, and write the page of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the sets, or of indexes of them")
    parser.add_argument(
        "--table", action="append", default=[], help="one of them; may be given several times"
    )
    parser.add_argument("--keep", action="store_true", help="measure nothing, write the page")
    options = parser.parse_args(arguments)
    published = tomllib.loads(TABLES.read_text(encoding="utf-8"))
    tables = published["table"]
    names = [table["name"] for table in tables]
    if unknown := set(options.table) - set(names):
        raise InputError(f"table: {min(unknown)!r} is unknown; use {', '.join(names)}")
    for table in tables:
        if not options.keep and table["name"] in (options.table or names):
            for part in table.get("part", ()):
                there = source_of(part, options.data).is_dir()
                sys.stderr.write(
                    f"{table['name']}: {part['set']}{'' if there else ': not there'}\n"
                )
                if there:
                    measure(table, part, options.data)
    with atomic_file(PAGE) as file:
        file.write_text(published["head"] + "\n".join(map(section, tables)), encoding="utf-8")
    return 0


def kept(table: Part, part: Part) -> Path:
    """Where the report of a part's command is kept."""
    return KEPT / f"{table['name']}-{part['set'].split()[0].lower()}.json"


def measure(table: Part, part: Part, data: Path) -> None:
    """Run a part's command and keep the figures of its report that the table shows."""
    with tempfile.TemporaryDirectory() as folder:
        source = []
        if options := part.get("index"):
            source = [str(Path(folder) / "made.index")]
            call("index", *words(options, data), "--out", *source)
        report = call("evaluate", *source, *words(part["command"], data), "--json")
    results = [
        {
            "ranker": result["ranker"],
            "metrics": {name: result["metrics"][name] for name in table["measures"]},
        }
        for result in json.loads(report)["results"]
    ]
    with atomic_file(kept(table, part)) as file:
        file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def source_of(part: Part, data: Path) -> Path:
    """The folder of a part's set."""
    return Path(words(part.get("index", part["command"]), data)[0])


def words(command: str, data: object) -> list[str]:
    """A command's words, with the sets' folder in its place."""
    return shlex.split(command.replace("{data}", str(data)))


def call(verb: str, *arguments: str) -> str:
    """What a verb of the command line prints."""
    command = [sys.executable, "-m", "grapher_jax", verb, *arguments]
    return run(command, check=True, stdout=PIPE, text=True).stdout


def section(table: Part) -> str:
    """A table's part of the page."""
    lines = [f"## {table['title']}", table["shows"], *([table["note"]] if "note" in table else [])]
    if parts := table.get("part", ()):
        columns = ["set", "", *table["columns"], "here"]
        rows = [row for part in parts for row in cells(table, part)]
        shown = [columns, ["---"] * len(columns), *rows]
        typed = [line for part in parts for line in commands(part)]
        lines += ["\n".join(f"| {' | '.join(row)} |" for row in shown)]
        lines += ["\n".join(["```bash", *typed, "```"])]
    if left := table.get("left"):
        lines += ["Not measured:\n\n" + "\n".join(f"- {reason}" for reason in left)]
    return "\n\n".join(lines) + "\n"


def cells(table: Part, part: Part) -> list[list[str]]:
    """A row a result: the paper's figures, and those of the report that is kept."""
    place = kept(table, part)
    found = parse_json(place.read_text(encoding="utf-8")) if place.is_file() else []
    if found and len(found) != len(part["rows"]):
        told = f"{len(found)} results for {len(part['rows'])} rows"
        raise InputError(f"{place}: {told}; measure it anew")
    rows = []
    for number, (label, *theirs) in enumerate(part["rows"]):
        own = "–"
        if found:
            metrics = found[number]["metrics"]
            own = " / ".join(
                f"{100 * metrics[name][table['over']]:.1f}" for name in table["measures"]
            )
        rows.append([part["set"] if number == 0 else "", label, *theirs, own])
    return rows


def commands(part: Part) -> list[str]:
    """What a reader types for a part."""
    source = ""
    lines = []
    if options := part.get("index"):
        source = "made.index "
        lines = [f"grapher-jax index {options} --out made.index"]
    lines.append(f"grapher-jax evaluate {source}{part['command']}")
    return [line.replace("{data}", "DATA") for line in lines]


if __name__ == "__main__":
    sys.exit(main())

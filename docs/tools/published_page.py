"""Measure what can be measured of the papers' tables, and write the page on them.

`published.toml` names every table and figure with the papers' own figures and the commands that
stand for them. A command's report is kept in `docs/results/published/`, so that one table can be
measured anew without the others, and the page is made of what is kept. `--help` lists the options.
"""

import argparse
import json
import re
import shlex
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from subprocess import PIPE, run
from typing import Any

from grapher_jax.errors import InputError
from grapher_jax.files import atomic_file, parse_json

TABLES = Path(__file__).with_name("published.toml")
PAGE = Path(__file__).parents[1] / "results" / "published.md"
KEPT = PAGE.with_suffix("")
PICTURES = PAGE.with_name("images")
# Of the report of a set: how many questions and objects it has.
COUNTS = ("queries", "multi_queries", "objects")
MISSING = "–"
Part = Mapping[str, Any]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the tables that are named, and write the page of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    told = "the folder of the sets; where a part makes no index, an index can take a set's place"
    parser.add_argument("data", type=Path, help=told)
    parser.add_argument(
        "--table", action="append", default=[], help="one of them; may be given several times"
    )
    parser.add_argument("--keep", action="store_true", help="measure nothing, write the page")
    options = parser.parse_args(arguments)
    published = tomllib.loads(TABLES.read_text(encoding="utf-8"))
    tables = published["table"]
    names = [table["name"] for table in tables if "part" in table]
    if unknown := set(options.table) - set(names):
        raise InputError(f"table: {min(unknown)!r} is unknown; use {', '.join(names)}")
    for table in tables:
        if not options.keep and table["name"] in (options.table or names):
            for part in measured_parts(table):
                there = source_of(part, options.data).is_dir()
                sys.stderr.write(
                    f"{table['name']}: {part['set']}{'' if there else ': not there'}\n"
                )
                if there:
                    measure(table, part, options.data)
    sections = [section(table, published["entities"]) for table in tables if "shows" in table]
    with atomic_file(PAGE) as file:
        file.write_text("\n".join([published["head"], contents(tables), *sections]), "utf-8")
    return 0


def measured_parts(table: Part) -> list[Part]:
    """The parts of a table that have a command."""
    return [part for part in table.get("part", ()) if "command" in part]


def kept(table: Part, part: Part) -> Path:
    """Where the report of a part's command is kept."""
    named = re.sub("[^a-z0-9]+", "-", f"{table['name']} {part['set']}".lower())
    return KEPT / f"{named}.json"


def measure(table: Part, part: Part, data: Path) -> None:
    """Run a part's commands and keep the figures of their reports that the table shows."""
    drawn = ["--picture", str(PICTURES / part["picture"])] if "picture" in part else []
    verb = part.get("verb", "evaluate")
    results = []
    with tempfile.TemporaryDirectory() as folder:
        source: list[str] = []
        for number, value in enumerate(part.get("each", [""])):
            index = part.get("index", "")
            if index and (number == 0 or "{each}" in index):
                source = [str(Path(folder) / f"{number}.index")]
                call("index", *words(index, data, value), "--out", *source)
            typed = words(part["command"], data, value)
            report = json.loads(call(verb, *source, *typed, *drawn, "--json"))
            results += list((of_grid if verb == "tune" else of_rankers)(table, report))
    with atomic_file(kept(table, part)) as file:
        file.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def of_rankers(table: Part, report: Part) -> Iterator[dict[str, Any]]:
    """A row a ranker, or one for all if the table compares them in one metric."""
    if across := table.get("across"):
        found = {result["ranker"]: result["metrics"][across] for result in report["results"]}
        yield {"metrics": {name: found[name] for name in table["measures"]}}
        return
    counts = {name: report[name] for name in COUNTS}
    for result in report["results"]:
        spent = {
            stage: 1000 * seconds / report["queries"]
            for stage, seconds in result["seconds"].items()
        }
        levels = {name: {"all": at["R@5"]} for name, at in result.get("levels", {}).items()}
        found = {**result["metrics"], **levels, **counts, **spent}
        metrics = {name: found[name] for name in table["measures"]}
        yield {"ranker": Path(result["ranker"]).name, "metrics": metrics}


def of_grid(table: Part, report: Part) -> Iterator[dict[str, Any]]:
    """A row for each α; at 1 the graph has no effect, which leaves the retriever's figure."""
    grids = [report["rankers"][name]["grid"] for name in table["measures"]]
    for points in (*zip(*grids, strict=True), [report["base"]] * len(grids)):
        yield {"metrics": dict(zip(table["measures"], points, strict=True))}


def source_of(part: Part, data: Path) -> Path:
    """The folder of a part's set."""
    return Path(words(part.get("index", part["command"]), data)[0])


def words(command: str, data: object, value: str = "") -> list[str]:
    """A command's words, with the sets' folder and one of the part's values in their places."""
    return shlex.split(command.replace("{data}", str(data)).replace("{each}", value))


def call(verb: str, *arguments: str) -> str:
    """What a verb of the command line prints."""
    command = [sys.executable, "-m", "grapher_jax", verb, *arguments]
    return run(command, check=True, stdout=PIPE, text=True).stdout


def contents(tables: Sequence[Part]) -> str:
    """The list of all tables and figures: what is measured of each, or why nothing is."""
    rows = [["paper", "table, figure, or section", "here"], ["---"] * 3]
    for table in tables:
        named = table["title"]
        if "shows" in table:
            named = f"[{named}](#{anchor(heading(table))})"
        if sets := {part["set"].partition(",")[0]: None for part in measured_parts(table)}:
            told = f"measured on {', '.join(sets)}"
        else:
            why, *_ = table["left"][0].partition(". ")
            told = f"not measured, because {lowered(why).removesuffix('.')}"
        rows.append([table["paper"], named, told])
    return "## What they publish\n\n" + in_rows(rows) + "\n"


def heading(table: Part) -> str:
    """The title of a table's section."""
    return f"{table['paper']}, {lowered(table['title'])}"


def lowered(text: str) -> str:
    """A text that goes on a sentence."""
    return text[0].lower() + text[1:]


def anchor(title: str) -> str:
    """The name that the site gives to a heading."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower(), flags=re.ASCII))


def in_rows(rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def section(table: Part, entities: Mapping[str, str]) -> str:
    """A table's part of the page."""
    lines = [f"## {heading(table)}", table["shows"], *([table["note"]] if "note" in table else [])]
    for part in measured_parts(table):
        if "picture" in part:
            lines += [f"![{part['drawn']}](images/{part['picture']})"]
    if parts := table.get("part", ()):
        columns = ["set", "", *table["columns"], "here"]
        rows = [row for part in parts for row in cells(table, part)]
        lines += [in_rows([columns, ["---"] * len(columns), *rows])]
        if "entities" in table:
            lines += [entities[table["entities"]]]
        typed = [line for part in measured_parts(table) for line in commands(part)]
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
        own = MISSING
        if found:
            metrics = found[number]["metrics"]
            own = " / ".join(figure(metrics[name], table["over"]) for name in table["measures"])
        rows.append([part["set"] if number == 0 else "", label, *theirs, own])
    return rows


def figure(metric: Any, over: str) -> str:
    """A count, milliseconds, or a metric in %: over some questions, or over both kinds."""
    if isinstance(metric, int):
        return f"{metric:,}"
    if isinstance(metric, float):
        return f"{metric:.2g}"
    if over == "both":
        return f"{figure(metric, 'multi')} ({figure(metric, 'all')})"
    return f"{100 * metric[over]:.1f}"


def commands(part: Part) -> list[str]:
    """What a reader types for a part."""
    index, verb = part.get("index", ""), part.get("verb", "evaluate")
    made = [f"grapher-jax index {index} --out made.index"] if index else []
    picture = f" --picture {part['picture']}" if "picture" in part else ""
    asked = f"grapher-jax {verb} {'made.index ' if index else ''}{part['command']}{picture}"
    if values := part.get("each"):
        every, once = ([*made, asked], []) if "{each}" in index else ([asked], made)
        loop = f"for each in {shlex.join(values)}; do {'; '.join(every)}; done"
        made, asked = once, loop
    return [line.replace("{data}", "DATA").replace("{each}", "$each") for line in (*made, asked)]


if __name__ == "__main__":
    sys.exit(main())

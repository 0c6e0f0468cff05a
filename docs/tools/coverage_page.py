"""Write the page on coverage from coverage.py's JSON report; `make coverage` makes both."""

import sys
from collections import defaultdict
from pathlib import Path

from grapher_jax.files import atomic_file, parse_json

PAGE = Path(__file__).parents[1] / "results" / "coverage.md"
COUNTS = ("num_statements", "missing_lines", "num_branches", "missing_branches")
HEAD = """# Coverage

How much of the package the tests run, by folder: its lines, and its branches, which are the
outcomes of its conditions. Code in child processes is not counted, so the tests run more of
`command_line`, `runs` and `serve` than the figures show. `make coverage` writes this page; what is
changed by hand is lost.

| folder | files | lines | of which run | branches | of which run |
|---|---|---|---|---|---|
"""


def main() -> int:
    """Read the report that is named, and write the page."""
    files = parse_json(Path(sys.argv[1]).read_text(encoding="utf-8"))["files"]
    rooms: dict[str, list[list[int]]] = defaultdict(list)
    for path, found in files.items():
        _, *folders, _ = Path(path).parts
        rooms[folders[0] if folders else "outside of folders"].append(
            [found["summary"][name] for name in COUNTS]
        )
    rows = {name: [len(own), *map(sum, zip(*own, strict=True))] for name, own in rooms.items()}
    total = [*map(sum, zip(*rows.values(), strict=True))]
    lines = [_line(name, *row) for name, row in [*sorted(rows.items()), ("**all**", total)]]
    with atomic_file(PAGE) as file:
        file.write_text(HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    return 0


def _line(room: str, files: int, lines: int, missed: int, branches: int, unseen: int) -> str:
    run, gone = (_share(*pair) for pair in ((lines, missed), (branches, unseen)))
    return f"| {room} | {files:,} | {lines:,} | {run} | {branches:,} | {gone} |"


def _share(count: int, missed: int) -> str:
    return f"{100 * (count - missed) / count:.1f} %" if count else "–"


if __name__ == "__main__":
    sys.exit(main())

"""The files of a folder: which are read, and which are left out, for which reasons."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from grapher_jax.corpus.documents.data import TABLES, WORKBOOKS
from grapher_jax.corpus.documents.formats import BUILT_IN, endings, writings
from grapher_jax.corpus.documents.mail import MAILBOX
from grapher_jax.errors import InputError, warn
from grapher_jax.files import read_json_lines

# The endings of files of records.
_JSON_LINES = (".jsonl", ".ndjson")
JSON = (".json", *_JSON_LINES)
RECORDS = (".csv", ".tsv", *WORKBOOKS, *JSON, MAILBOX)
# Reasons for skipping files without a warning.
_HIDDEN, _INDEX = "hidden", "an index"
BESIDE = "data or code, which is read beside documents alone"
_NOT_READ = ", not read"
# Folders of what others wrote, besides those of virtual environments.
_PACKAGES = ("node_modules", "bower_components", "site-packages")
# What Sphinx puts beside the pages that it makes, and by which such a folder is known.
_SPHINX = ("searchindex.js", "objects.inv")
_BESIDE_PAGES = re.compile(
    r"_sources|_\w*static|_modules|searchindex\.js|(?:gen|(?:\w+-)?mod)index(?:(?:-\w+)?\.html)?"
)
_WAYS_ON = {
    ("dbt_project.yml",): "of a dbt project, give the database that it builds, with --dbt-manifest "
    "target/manifest.json",
    (".sql", ".sql.gz"): "of files of SQL, give one, such as {}, as the source",
    tuple(TABLES): "two or more files of tables (.csv, .tsv, .parquet) directly in a folder are "
    "read as those of a database",
    RECORDS: "a file of records, such as {}, may be a source by itself",
}
_MOST_KINDS = 6
# How Python represents a byte of a file name that is not UTF-8.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
_NOTIONS_TABLE = re.compile(r"(.+)( [0-9a-f]{32})(?:_all)?\.csv")


def holds_documents(folder: Path, reader: str = BUILT_IN) -> bool:
    """Whether a folder holds a document; if so, `read_documents` also reads data and code."""
    names, _ = find_files(folder, reader)
    return any(_is_document(name, reader) for name in names)


def is_document_file(path: Path, reader: str = BUILT_IN) -> bool:
    """Whether a path is a file of a document or of records, which is read without a folder."""
    return path.suffix.lower() in (*writings(reader), *RECORDS) and path.is_file()


def is_read(folder: Path) -> bool:
    """Whether `read_documents` looks into a subfolder."""
    hidden = folder.name.startswith(".")
    made = _is_of_sphinx(folder) or _is_of_packages(folder)
    return not hidden and not made and not holds_index(folder)


def _is_of_sphinx(path: Path) -> bool:
    """Whether Sphinx made a file or folder beside its pages: sources, code, scripts or an index."""
    found = _BESIDE_PAGES.fullmatch(path.name) is not None
    return found and any((path.parent / name).is_file() for name in _SPHINX)


def _is_of_packages(folder: Path) -> bool:
    """Whether a folder is where package managers of JavaScript or Python put what they install."""
    return folder.name in _PACKAGES or (folder / "pyvenv.cfg").is_file()


def holds_index(folder: Path) -> bool:
    """Whether a folder is one that `Index.save` wrote; a website has a manifest too."""
    return all((folder / name).is_file() for name in ("manifest.json", "objects.parquet"))


def are_documents(folder: Path, names: Sequence[str], reader: str) -> bool:
    """Whether one of these files is a document, or all are workbooks or JSON, and none of BEIR."""
    return any(_is_document(name, reader) for name in names) or (
        bool(names)
        and all(name.lower().endswith((*WORKBOOKS, *JSON)) for name in names)
        and not any(is_of_beir(folder / name) for name in names)
    )


def is_of_beir(path: Path) -> bool:
    """Whether a file has JSON Lines, and the first is an object or a question of a BEIR folder."""
    if path.suffix.lower() not in _JSON_LINES:
        return False
    try:
        _, first = next(read_json_lines(path), ("", {}))
    except InputError:  # records that cannot be read are told later, and left out
        return False
    return isinstance(first.get("_id"), str) and "text" in first


def _is_document(name: str, reader: str) -> bool:
    return name.lower().endswith(writings(reader))


def find_files(folder: Path, reader: str) -> tuple[list[str], dict[str, str]]:
    """The documents' sorted paths within the folder; and the skipped ones, with the reason."""
    names: list[str] = []
    passed: dict[str, str] = {}

    def unlisted(error: OSError) -> None:
        name = Path(error.filename).relative_to(folder).as_posix()
        passed[name] = f"unreadable ({error.strerror or error})"

    for place, folders, files in os.walk(folder, onerror=unlisted):
        for entry in (*folders, *files):
            path = Path(place, entry)
            name = path.relative_to(folder).as_posix()
            if reason := _passed_over(path, name, reader):
                passed[ascii(name) if _HALF_CHARACTER.search(name) else name] = reason
            elif path.is_file():
                names.append(name)
        folders[:] = [entry for entry in folders if is_read(Path(place, entry))]
    return sorted(names), passed


def _passed_over(path: Path, name: str, reader: str) -> str:
    """The reason why a file or folder is skipped; empty if it is read."""
    if path.name.startswith("."):
        return _HIDDEN
    if holds_index(path):
        return _INDEX
    if path.is_symlink():
        return "linked symbolically, which is not followed"
    if _HALF_CHARACTER.search(name):
        return "with a name that is not UTF-8"
    if _is_of_sphinx(path):
        return "made by Sphinx beside its pages"
    if _is_of_packages(path):
        return "of installed packages"
    if _is_of_notion(path):
        return "a table of Notion, whose rows are pages too"
    ending = path.suffix.lower()
    if path.is_file() and ending not in endings(reader):
        return f"{ending or 'without an ending'}{_NOT_READ}"
    return ""


def _is_of_notion(path: Path) -> bool:
    """Whether a file is a table that Notion exports beside a folder with a page for each row."""
    if not (found := _NOTIONS_TABLE.fullmatch(path.name)):
        return False
    folders = (path.with_name(f"{found[1]}{found[2]}"), path.with_name(found[1]))
    return any(page for folder in folders for page in folder.glob("*.md"))


def report(folder: Path, left_out: Mapping[str, str], reader: str, *, read: int) -> None:
    """Warn of files left out; raise InputError if no other file was read."""
    files = f"{len(left_out)} file{'s' * (len(left_out) != 1)} left out: {counted(left_out)}"
    if not read:
        raise InputError(f"{folder}: {files}; no other is there; {what_is_read(reader)}")
    if set(left_out.values()) - {_HIDDEN, _INDEX}:
        warn(f"{folder}: {files}")


def way_on(left_out: Iterable[str]) -> str:
    """How a folder without documents may be a source all the same."""
    told = ""
    for kinds, way in _WAYS_ON.items():
        if named := [name for name in sorted(left_out) if name.lower().endswith(kinds)]:
            told += f"; {way}".format(named[0])
    return told


def what_is_read(reader: str) -> str:
    """The kinds of files that a reader reads, in words."""
    return f"{', '.join(writings(reader))} are read, and beside them tables, JSON and code"


def counted(left_out: Mapping[str, str]) -> str:
    """The number of skipped files by reason, each with an example.

    Files that should have been read come first, by all reasons, and then some of the endings that
    are not read; of each, the most frequent first.
    """
    reasons, kinds = list[tuple[str, int]](), list[tuple[str, int]]()
    for why, times in Counter(left_out.values()).most_common():
        passed = why.endswith((_NOT_READ, _HIDDEN, _INDEX))
        (kinds if passed else reasons).append((why, times))
    examples = {left_out[name]: name for name in sorted(left_out, reverse=True)}
    told = [*reasons, *kinds[:_MOST_KINDS]]
    named = [f"{times} {why} (such as {examples[why]})" for why, times in told]
    if rest := sum(times for _, times in kinds[_MOST_KINDS:]):
        named.append(f"{rest} of other kinds")
    return ", ".join(named)

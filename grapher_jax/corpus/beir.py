"""The BEIR layout: `corpus.jsonl[.gz]`, `queries.jsonl[.gz]`, `qrels/<split>.tsv`.

The judgements may also have TREC's form. An extension of BEIR: `amr/<split>.jsonl[.gz]`, joint AMR
graphs of questions and documents.
"""

import csv
import math
from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from grapher_jax.checks import check_kind, check_names, check_path, check_stream, check_text, shown
from grapher_jax.corpus.filters import check_filter
from grapher_jax.corpus.misspelt import NearKeys
from grapher_jax.corpus.objects import Object, Query, check_metadata, check_object
from grapher_jax.errors import InputError, warn
from grapher_jax.files import (
    Json,
    allow_long_fields,
    atomic_folder,
    first_times,
    json_line,
    open_text,
    read_json_lines,
    read_lines,
)

Judgements = Mapping[str, Mapping[str, int]]
PairGraphs = Mapping[tuple[str, str], str]
T = TypeVar("T")

_QRELS_HEADER = ["query-id", "corpus-id", "score"]
# `query iteration object grade`, between white space and without a header.
_TREC_FIELDS = 4
_READ = {"_id", "title", "text", "metadata"}
_MOST_NAMED = 5
_PAIR_KEYS = ("query-id", "corpus-id", "amr")
# The file endings in the folders with one file per split.
_SPLITS = {"qrels": (".tsv",), "amr": (".jsonl", ".jsonl.gz")}
_JSON_LINES = {f"{stem}.jsonl{end}" for stem in ("corpus", "queries") for end in ("", ".gz")}
# The list of `enrich`'s failures, next to its output.
FAILURES = "failures.jsonl"
_FOLDER_OF_MACOS = ".DS_Store"


def is_beir(folder: str | Path) -> bool:
    """Whether a folder holds a corpus in BEIR layout."""
    folder = check_path("folder", folder)
    return any((folder / name).is_file() for name in ("corpus.jsonl", "corpus.jsonl.gz"))


def read_objects(folder: str | Path) -> Iterator[Object]:
    """Stream the objects of a BEIR folder.

    Raises:
        InputError: naming file and line, for malformed JSON and missing or duplicate ids.
    """
    folder = check_path("folder", folder)
    path, misplaced = _find(folder, "corpus"), NearKeys(beside=True)
    others: set[str] = set()
    for place, record, identity in _records(path):
        misplaced.look(identity, record)
        others |= record.keys() - _READ
        title, text = (_string(record, key, place) for key in ("title", "text"))
        yield Object(identity, text, title, check_metadata(record.get("metadata"), place))
    if told := misplaced.told():
        warn(f"{path}: {told}")
    if unread := sorted(others - misplaced.keys):
        names = f"{', '.join(unread[:_MOST_NAMED])}{', …' * (len(unread) > _MOST_NAMED)}"
        cure = "put into metadata what filters or edges ask for"
        warn(f"{path}: not read beside metadata: {names}; {cure}")


def read_queries(path: str | Path) -> Iterator[Query]:
    """Stream the queries of a BEIR folder, or of one JSON Lines file.

    Raises:
        InputError: naming file and line, for malformed JSON, missing or duplicate ids and empty
            questions.
    """
    path = check_path("path", path)
    for place, record, identity in _records(_find(path, "queries") if path.is_dir() else path):
        text = _string(record, "text", place)
        if not text.strip():
            raise InputError(f"{place}: query {identity!r} has an empty question; give it a text")
        metadata = check_metadata(record.get("metadata"), place)
        check_filter(metadata.get("filter", {}), f"{place}: metadata.filter")
        yield Query(identity, text, metadata)


def has_queries(folder: Path) -> bool:
    """Whether a folder has questions."""
    return any((folder / name).is_file() for name in ("queries.jsonl", "queries.jsonl.gz"))


def check_judged(folder: str | Path | None, objects: Container[str]) -> None:
    """Checks the questions of a folder and what is judged or known of them, if it has any.

    Args:
        folder: a BEIR folder, or any other, or None.
        objects: the ids of the objects.

    Raises:
        InputError: as `read_queries`, `read_judgements` and `read_pair_graphs`.
    """
    if folder is not None and has_queries(folder := check_path("folder", folder)):
        queries = {query.id for query in read_queries(folder)}
        for split in splits(folder):
            read_judgements(folder, split, objects=objects, queries=queries)
        read_pair_graphs(folder, objects=objects, queries=queries)


def splits(folder: str | Path) -> list[str]:
    """The names of a folder's qrels, sorted."""
    folder = check_path("folder", folder)
    return sorted(path.stem for path in _shown_files(folder / "qrels", ".tsv"))


def _shown_files(folder: Path, *ends: str) -> Iterator[Path]:
    """The files with these endings; macOS puts a hidden one beside each into archives."""
    every = folder.iterdir() if folder.is_dir() else ()
    return (path for path in every if path.name.endswith(ends) and not path.name.startswith("."))


def read_judgements(
    folder: str | Path, split: str, *, objects: Container[str], queries: Container[str]
) -> Judgements:
    """The judgements of one split: query id → object id → grade.

    Args:
        folder: a BEIR folder or an index.
        split: the name of a file in `qrels/`, without its ending: tabs under BEIR's header, or
            TREC's `query iteration object grade`.
        objects: the ids that may be judged.
        queries: the ids of the questions.

    Raises:
        InputError: for an unknown split, a malformed line, an unknown id or a pair judged twice,
            naming file and line.
    """
    folder = check_path("folder", folder)
    if not isinstance(split, str) or split not in splits(folder):
        known = ", ".join(splits(folder)) or "none"
        raise InputError(f"{folder}: no split {shown(split)}; its splits: {known}")
    path = folder / "qrels" / f"{split}.tsv"
    judgements: dict[str, dict[str, int]] = {}
    for place, query, identity, grade in _judgement_lines(path):
        if query not in queries:
            raise InputError(f"{place}: unknown query {query!r}; add it to queries.jsonl")
        if identity not in objects:
            raise InputError(f"{place}: unknown object {identity!r}; add it to corpus.jsonl")
        grades = judgements.setdefault(query, {})
        if identity in grades:
            raise InputError(f"{place}: {identity!r} is judged twice for {query!r}; keep one line")
        grades[identity] = as_grade(grade, place)
    return judgements


def read_pair_graphs(
    folder: str | Path, *, objects: Container[str], queries: Container[str]
) -> PairGraphs:
    """The joint AMR graphs of questions and objects: (query id, object id) → Penman notation.

    They are read from all files in `amr/`, whatever the split; the graphs are not parsed.

    Args:
        folder: a BEIR folder or an index.
        objects: the ids of the objects.
        queries: the ids of the questions.

    Raises:
        InputError: for a malformed line, an unknown id, a graph that is no string or a pair given
            twice, naming file and line.
    """
    folder = check_path("folder", folder)
    graphs: dict[tuple[str, str], str] = {}
    for path in pair_graph_files(folder):
        for place, record in read_json_lines(path):
            query, identity, graph = (record.get(key) for key in _PAIR_KEYS)
            if not isinstance(query, str) or query not in queries:
                raise InputError(f"{place}: unknown query-id {query!r}; add it to queries.jsonl")
            if not isinstance(identity, str) or identity not in objects:
                raise InputError(f"{place}: unknown corpus-id {identity!r}; add it to corpus.jsonl")
            if not isinstance(graph, str):
                raise InputError(f"{place}: amr must be a string in Penman notation, not {graph!r}")
            if (query, identity) in graphs:
                raise InputError(
                    f"{place}: {identity!r} has two AMR graphs for {query!r}; keep one line"
                )
            graphs[query, identity] = graph
    return graphs


def pair_graph_files(folder: Path) -> list[Path]:
    """The files in a folder's `amr/`, sorted."""
    return sorted(_shown_files(folder / "amr", ".jsonl", ".jsonl.gz"))


def write_beir(
    folder: str | Path,
    objects: Iterable[Object],
    queries: Iterable[Query] = (),
    judgements: Mapping[str, Judgements] | None = None,
    *,
    pair_graphs: PairGraphs | None = None,
    compress: bool = False,
) -> None:
    """Write a BEIR folder, completely or not at all.

    Args:
        folder: the folder to write; an existing BEIR folder is replaced once all is written.
        objects: streamed, never all held in memory.
        queries: streamed too.
        judgements: by split.
        pair_graphs: joint AMR graphs of questions and objects, see `read_pair_graphs`.
        compress: write `corpus.jsonl.gz`.

    Raises:
        InputError: if the folder holds anything else or cannot be written, and for what is no
            object, query or grade.
    """
    folder = check_path("folder", folder)
    given = enumerate(check_stream("objects", objects, of="objects"), start=1)
    with atomic_folder(folder) as temporary:
        check_replaceable(folder)
        name = "corpus.jsonl.gz" if compress is True else "corpus.jsonl"
        records = (object_record(check_object(item, f"object {n}")) for n, item in given)
        _write_json_lines(temporary / name, records)
        write_queries(temporary, queries, {} if judgements is None else judgements)
        if pair_graphs is not None:
            write_pair_graphs(temporary, pair_graphs)


def check_replaceable(folder: Path) -> None:
    """Check that only a BEIR folder would be replaced.

    Raises:
        InputError: if the folder holds anything else.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder}: is a file; give a folder")
    for entry in sorted(folder.iterdir()) if folder.exists() else ():
        if not (
            all(
                split.name.endswith(_SPLITS[entry.name]) or split.name == _FOLDER_OF_MACOS
                for split in entry.iterdir()
            )
            if entry.name in _SPLITS and entry.is_dir()
            else entry.name in {FAILURES, _FOLDER_OF_MACOS, *_JSON_LINES} and entry.is_file()
        ):
            raise InputError(
                f"{folder}: exists and is not a BEIR folder; give another folder (it has "
                f"{entry.name})"
            )


def check_split(split: str) -> str:
    """Raise InputError for a split whose file would be outside its folder, or hidden."""
    odd = {"\0", "\\"} & {*split} or split.startswith(".")
    if not split or odd or Path(split).name != split:
        raise InputError(f"split: {split!r} cannot be the name of a file; use letters and digits")
    return split


def write_queries(
    folder: str | Path, queries: Iterable[Query], judgements: Mapping[str, Judgements]
) -> None:
    """Write `queries.jsonl` and `qrels/` into an existing folder.

    Raises:
        InputError: for a split whose file would be outside the folder, and for what is no query or
            grade.
    """
    folder = check_path("folder", folder)
    given = enumerate(check_stream("queries", queries, of="queries"), start=1)
    rows = {
        split: [_QRELS_HEADER, *_judged(check_split(split), by_query)]
        for split, by_query in _mapping("judgements", judgements, "splits to questions")
    }
    _write_json_lines(folder / "queries.jsonl", (_query_record(query, n) for n, query in given))
    (folder / "qrels").mkdir(exist_ok=True)
    for split, lines in rows.items():
        with open_text(folder / "qrels" / f"{split}.tsv", "w") as file:
            file.writelines("\t".join(map(_quoted, row)) + "\n" for row in lines)


def _query_record(query: Query, number: int) -> dict[str, Json]:
    place = f"query {number}"
    check_kind(place, query, Query, "a Query")
    text = check_text(f"{place}: text", query.text)
    metadata = check_kind(f"{place}: metadata", query.metadata, Mapping, "a mapping")
    return {"_id": check_text(f"{place}: id", query.id), "text": text, "metadata": dict(metadata)}


def _judged(split: str, by_query: Judgements) -> Iterator[list[str]]:
    """The rows of a split's judgements."""
    place = f"judgements of {split!r}"
    for query, grades in _mapping(place, by_query, "questions to objects"):
        for identity, grade in _mapping(f"{place}: {query!r}", grades, "objects to grades"):
            yield [query, identity, str(as_grade(grade, f"{place}: {query!r}: {identity!r}"))]


def _mapping(place: str, value: Mapping[str, T], told: str) -> Iterator[tuple[str, T]]:
    """The items of a mapping whose keys are strings."""
    for key, one in check_kind(place, value, Mapping, f"a mapping of {told}").items():
        yield check_text(f"{place}: a name", key), one


def write_pair_graphs(folder: str | Path, graphs: PairGraphs) -> None:
    """Write joint AMR graphs of questions and objects, if any, to `amr/pairs.jsonl` in a folder.

    Raises:
        InputError: for a key that is not a pair of ids, or a graph that is not a string.
    """
    folder = check_path("folder", folder)
    check_kind("pair_graphs", graphs, Mapping, "a mapping of pairs to graphs")
    records = [_pair_record(pair, graph) for pair, graph in graphs.items()]
    if not records:
        return
    (folder / "amr").mkdir(exist_ok=True)
    _write_json_lines(folder / "amr" / "pairs.jsonl", records)


def _pair_record(pair: tuple[str, str], graph: str) -> dict[str, Json]:
    ids = check_names("pair_graphs: a key", pair, of="two ids")
    if len(ids) != 2:
        raise InputError(f"pair_graphs: {shown(pair)} must be the ids of a question and an object")
    values = (*ids, check_text(f"pair_graphs: {shown(pair)}", graph))
    return dict(zip(_PAIR_KEYS, values, strict=True))


def object_record(item: Object) -> dict[str, Json]:
    """An object as a line of `corpus.jsonl`."""
    return {
        "_id": item.id,
        "title": item.title,
        "text": item.text,
        "metadata": dict(item.metadata),
    }


def _quoted(field: str) -> str:
    # Before Python 3.13, csv.writer leaves a lone carriage return unquoted, and no reader joins
    # what that splits.
    return '"' + field.replace('"', '""') + '"' if any(c in field for c in '\t\r\n"') else field


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    allow_long_fields()
    lines = csv.reader((line for _, line in read_lines(path)), delimiter="\t", strict=True)
    number = 1  # where the row begins: a quoted field may contain line breaks
    try:
        for fields in lines:
            yield f"{path}:{number}", fields
            number = lines.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"{path}:{number}: a field that begins with a quote must end with one; "
            "double the quotes inside"
        ) from error


def _judgement_lines(path: Path) -> Iterator[tuple[str, str, str, str]]:
    """The place, question, object and grade of each judgement."""
    first = next((line for _, line in read_lines(path) if line.strip()), "").split()
    if len(first) == _TREC_FIELDS:
        for number, line in read_lines(path):
            if fields := line.split():
                if len(fields) != _TREC_FIELDS:
                    raise InputError(f"{path}:{number}: four fields are needed, not {len(fields)}")
                query, _, identity, grade = fields
                yield f"{path}:{number}", query, identity, grade
        return
    rows = _rows(path)
    place, header = next(rows, (str(path), _QRELS_HEADER))
    if header != _QRELS_HEADER:
        raise InputError(
            f"{place}: the header must be {' '.join(_QRELS_HEADER)} (tabs); or write TREC's four "
            "fields: query iteration object grade"
        )
    for place, fields in rows:
        if not fields:
            continue
        if len(fields) != len(_QRELS_HEADER):
            raise InputError(f"{place}: three fields between tabs are needed, not {len(fields)}")
        query, identity, grade = fields
        yield place, query, identity, grade


def as_grade(given: object, place: str) -> int:
    """The grade of a judgement, which is an integer; raises InputError for anything else."""
    try:
        grade = float(given)  # type: ignore[arg-type]  # some sets write 1.0
    except (TypeError, ValueError, OverflowError):
        grade = math.nan
    if not grade.is_integer() or abs(grade) >= 2**31:  # metrics are computed with 32 bits
        raise InputError(f"{place}: the score must be an integer of 32 bits, not {shown(given)}")
    return int(grade)


def _write_json_lines(path: Path, records: Iterable[dict[str, Json]]) -> None:
    with open_text(path, "w") as file:
        file.writelines(map(json_line, records))


def _find(folder: Path, stem: str) -> Path:
    for name in (f"{stem}.jsonl", f"{stem}.jsonl.gz"):
        if (folder / name).is_file():
            return folder / name
    raise InputError(f"{folder}: no {stem}.jsonl or {stem}.jsonl.gz")


def _records(path: Path) -> Iterator[tuple[str, dict[str, Json], str]]:
    with first_times() as is_new:
        for place, record in read_json_lines(path):
            identity = record.get("_id")
            if not isinstance(identity, str) or not identity:
                cure = "; write it in quotes" if isinstance(identity, int | float) else ""
                cure = "; rename 'id'" if "id" in record and "_id" not in record else cure
                if "question" in record:
                    cure = "; `grapher-jax export --questions` makes a queries.jsonl of such a file"
                raise InputError(
                    f"{place}: _id must be a string that is not empty, not {identity!r}{cure}"
                )
            if not is_new(identity):
                raise InputError(f"{place}: duplicate _id {identity!r}; ids must be unique")
            yield place, record, identity


def _string(record: dict[str, Json], key: str, place: str) -> str:
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(f"{place}: {key} must be a string, not {value!r}")
    return value

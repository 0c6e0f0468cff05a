"""Public sets by name, by `ir_datasets` and Hugging Face's `datasets`, as BEIR folders."""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TypeGuard
from urllib.parse import quote

from grapher_jax.checks import shown
from grapher_jax.corpus.beir import Judgements, as_grade, write_beir
from grapher_jax.corpus.flat import unflatten
from grapher_jax.corpus.keys import KEYS
from grapher_jax.corpus.objects import Object, Query, check_object
from grapher_jax.errors import GrapherError, InputError, require, shorten, warn
from grapher_jax.files import Json, cache_folder

# The configurations of sets for retrieval, and those of judgements by what comes first.
_CORPUS, _QUERIES, _QRELS = "corpus", "queries", ("qrels", "default")

Row = Mapping[str, Json]
# By split: question, object and grade.
Judged = dict[str, list[tuple[str, str, int]]]
Found = tuple[list[Object], list[Query], Judged]


def is_public_set(source: str | Path) -> TypeGuard[str]:
    """Whether a source is `ir_datasets:NAME` or `datasets:NAME`."""
    return isinstance(source, str) and source.startswith(tuple(f"{kind}:" for kind in _READERS))


def local_source(source: str | Path) -> str | Path:
    """The source itself; for a public set the folder in the user's cache to which it is written.

    Args:
        source: `ir_datasets:beir/scifact/test`; `datasets:NAME` for a set of Hugging Face with a
            configuration `corpus`, and usually `queries` and `default`; `datasets:NAME:CONFIG` for
            the rows of one configuration; anything else is returned.

    Raises:
        InputError: if a public set is unknown, cannot be fetched, or has no texts.
        MissingExtraError: if the library is not installed.
    """
    if not is_public_set(source):
        return source
    kind, _, name = source.partition(":")
    library = require(kind)
    try:
        objects, queries, judged = _READERS[kind](library, name)
        known = _known(source, objects, queries, judged)
    except GrapherError:
        raise
    except Exception as error:
        told = shorten(" ".join(f"{type(error).__name__} {error}".split()), 300)
        raise InputError(
            f"source: {shown(source)} cannot be read ({told}); check the name and the connection"
        ) from error
    folder = cache_folder() / "sets" / _folder_name(source)
    write_beir(folder, objects, queries, known)
    return folder


def _folder_name(source: str) -> str:
    """A name that differs between sources; those of long paths would be too long for a folder."""
    name = quote(source, safe="", errors="surrogatepass")
    return name if len(name) <= 150 else f"{name[:80]}-{sha256(name.encode()).hexdigest()}"


def _known(
    source: str, objects: Iterable[Object], queries: Iterable[Query], judged: Judged
) -> dict[str, Judgements]:
    """The judgements of known questions and objects; some sets judge what they lack."""
    ids, asked = {item.id for item in objects}, {query.id for query in queries}
    judgements: dict[str, dict[str, dict[str, int]]] = {split: {} for split in judged}
    lacking = 0
    for split, rows in judged.items():
        for query, identity, grade in rows:
            if query in asked and identity in ids:
                judgements[split].setdefault(query, {})[identity] = grade
            else:
                lacking += 1
    if lacking:
        warn(f"{source}: {lacking} judgements of objects or questions that it lacks; left out")
    return {**judgements}


def _of_ir_datasets(library: ModuleType, name: str) -> Found:
    dataset = library.load(name)
    if not dataset.has_docs():
        raise InputError(f"source: {name!r} of ir_datasets has no documents; name one with them")
    objects = [
        check_object(
            Object(
                item.doc_id,
                item.text if hasattr(item, "text") else item.default_text(),
                getattr(item, "title", "") or "",
            ),
            f"source: document {number} of {name!r}",
        )
        for number, item in enumerate(dataset.docs_iter(), start=1)
    ]
    asked = dataset.queries_iter() if dataset.has_queries() else ()
    queries = [Query(item.query_id, item.default_text()) for item in asked]
    rows = dataset.qrels_iter() if dataset.has_qrels() else ()
    judged = [(row.query_id, row.doc_id, row.relevance) for row in rows]
    split = name.rpartition("/")[2]
    return objects, queries, {split: judged} if judged else {}


def _of_datasets(library: ModuleType, given: str) -> Found:
    name, _, config = given.partition(":")
    configs = library.get_dataset_config_names(name)
    if not config and _CORPUS not in configs and len(configs) > 1:
        known = ", ".join(configs[:20])
        raise InputError(f"source: datasets:{name}:CONFIG is needed, with one of: {known}")

    def rows(config: str) -> Iterator[tuple[str, Row]]:
        for split, table in library.load_dataset(name, config).items():
            yield from ((split, row) for row in table)

    chosen = config or (_CORPUS if _CORPUS in configs else configs[0])
    objects = [_object(row, number, chosen) for number, (_, row) in enumerate(rows(chosen))]
    if config or _QUERIES not in configs:
        return objects, [], {}
    queries = [
        Query(_identity(row, number), row["text"]) for number, (_, row) in enumerate(rows(_QUERIES))
    ]
    judged: dict[str, list[tuple[str, str, int]]] = {}
    qrels = next((one for one in _QRELS if one in configs), None)
    for split, row in rows(qrels) if qrels else ():
        query, item = str(row["query-id"]), str(row["corpus-id"])
        grade = as_grade(row["score"], f"source: {qrels} of {query!r} with {item!r}")
        judged.setdefault(split, []).append((query, item, grade))
    return objects, queries, judged


# By library, and by what stands before the name of a set.
_READERS = {"ir_datasets": _of_ir_datasets, "datasets": _of_datasets}


def _object(row: Row, number: int, config: str) -> Object:
    if "text" not in row:
        raise InputError(
            f"source: the configuration {config!r} has no texts in a column text, but "
            f"{', '.join(sorted(row))}; name another configuration by datasets:NAME:CONFIG"
        )
    text, title = ("" if row.get(key) is None else row[key] for key in ("text", "title"))
    given, own = row.get("metadata"), {key: row[key] for key in KEYS if row.get(key) is not None}
    place = f"source: row {number + 1} of the configuration {config!r}"
    metadata = unflatten({**(given if isinstance(given, Mapping) else {}), **own}, place)
    return check_object(Object(_identity(row, number), text, title, metadata), place)


def _identity(row: Row, number: int) -> str:
    return str(next((row[key] for key in ("_id", "id") if key in row), number))

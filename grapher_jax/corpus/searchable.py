"""What of an object is searched: its title and text, and what else is asked for."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from grapher_jax.checks import check_choice
from grapher_jax.corpus.objects import Object
from grapher_jax.files import Json

# The part that changes how words are read, in questions too.
SPLIT = "split"
# The part that takes something away, by the names of all tables of a database.
PREFIX = "prefix"
# So few names that begin alike may do so by chance.
_FEWEST = 5


def _comments(item: Object) -> Iterator[str]:
    yield from _strings(item.metadata.get("comment"))
    for column in _columns(item):
        yield from _strings(column.get("comment"))


def _types(item: Object) -> Iterable[str]:
    return dict.fromkeys(name for column in _columns(item) for name in _strings(column.get("type")))


@dataclass(frozen=True)
class _Neighbors:
    """A part that names the objects which keys of the metadata lead to, and from which they come.

    Attributes:
        keys: of lists of ids.
        name: what an object is called.
        verbs: of the object, towards others, and of others towards it.
    """

    keys: tuple[str, ...]
    name: Callable[[Object], Json]
    verbs: tuple[str, str]

    def of(self, objects: Sequence[Object]) -> dict[str, list[str]]:
        """By id, `references a, b` and `referenced by c`, where there are any."""
        names = {item.id: next(_strings(self.name(item)), item.id) for item in objects}
        targets = {item.id: self._targets(item, names) for item in objects}
        sources: dict[str, list[str]] = {}
        for name, referenced in targets.items():
            for target in referenced:
                sources.setdefault(target, []).append(name)
        return {
            item.id: [
                f"{verb} {', '.join(sorted({names[other] for other in others}))}"
                for verb, others in zip(
                    self.verbs, (targets[item.id], sources.get(item.id, [])), strict=True
                )
                if others
            ]
            for item in objects
        }

    def _targets(self, item: Object, known: Mapping[str, str]) -> list[str]:
        """The objects of the corpus that this one names, itself left out."""
        named = dict.fromkeys(one for key in self.keys for one in item.metadata.get(key) or ())
        return [one for one in named if one in known and one != item.id]


# Keys of the metadata by which tables name others.
_KEYS = ("foreign_keys", "inferred_keys")
# Keys of the metadata whose value stands before the text, and what gives phrases behind it.
_BEFORE = {"database": "db", "schema": "schema", "headings": "headings"}
_NEIGHBORS = {
    "neighbors": _Neighbors(
        _KEYS,
        lambda item: item.metadata.get("table"),
        ("references", "referenced by"),
    ),
    "links": _Neighbors(("links",), lambda item: item.title, ("links to", "linked from")),
}
_BEHIND: dict[str, Callable[[Object], Iterable[str]]] = {"comments": _comments, "types": _types}
TEXT_PARTS = (SPLIT, PREFIX, *_BEFORE, *_NEIGHBORS, *_BEHIND)
# The keys of the metadata by which an object's text depends on others, by the part that reads them.
NAMING = {part: own.keys for part, own in _NEIGHBORS.items()}
# What train splits chose, see docs/decisions.md.
_TEXT_OF_TABLES = (SPLIT, "schema", "neighbors", "comments")


def are_tables(objects: Sequence[Object]) -> bool:
    """Whether most of the objects are tables: by their metadata, or because keys join them."""
    tables = {item.id for item in objects if "table" in item.metadata or "columns" in item.metadata}
    for item in objects:
        for key in _KEYS:
            if named := item.metadata.get(key):
                tables.update((item.id, *named))
    return 2 * sum(item.id in tables for item in objects) > len(objects)


def default_text(objects: Sequence[Object]) -> tuple[str, ...]:
    """The parts that are searched where none are named: some of tables, none of other objects."""
    return _TEXT_OF_TABLES if are_tables(objects) else ()


def check_parts(parts: Iterable[str]) -> tuple[str, ...]:
    """The parts, each once and in one order.

    Raises:
        InputError: for an unknown one.
    """
    chosen = {check_choice("text", part, TEXT_PARTS) for part in parts}
    return tuple(part for part in TEXT_PARTS if part in chosen)


def searchable_texts(objects: Sequence[Object], parts: Iterable[str] = ()) -> list[str]:
    """What is searched of every object: title and text, and these parts.

    Args:
        objects: of one corpus: a part may read what others say.
        parts: of `TEXT_PARTS`: `database`, `schema` and `headings` put these before the text;
            `neighbors` adds the names of the tables that this one references, and of those that
            reference it, and `links` likewise the titles of what is linked; `comments` those of
            table and columns; `types` those of columns. `prefix` leaves out of tables' names how
            all of their database begin, such as `myapp_`. `split` changes nothing here: it is how
            words are read.
    """
    chosen = check_parts(parts)
    keys = [_BEFORE[part] for part in chosen if part in _BEFORE]
    behind = [_BEHIND[part] for part in chosen if part in _BEHIND]
    prefixes = _prefixes(objects) if PREFIX in chosen else {}
    neighbors = [_NEIGHBORS[part].of(objects) for part in chosen if part in _NEIGHBORS]
    texts = []
    for item in objects:
        phrases = [
            *(name for key in keys for name in _strings(item.metadata.get(key))),
            item.searchable_text,
            *(phrase for named in neighbors for phrase in named[item.id]),
            *(phrase for part in behind for phrase in part(item)),
        ]
        text = " ".join(filter(None, phrases))
        prefix = prefixes.get(next(_strings(item.metadata.get("db")), ""))
        texts.append(re.sub(rf"\b{re.escape(prefix)}", "", text) if prefix else text)
    return texts


def _prefixes(objects: Sequence[Object]) -> dict[Json, str]:
    """By database, what the names of all its tables begin with, up to an underscore."""
    tables: dict[str, list[str]] = {}
    for item in objects:
        for database in _strings(item.metadata.get("db")):
            tables.setdefault(database, []).extend(_strings(item.metadata.get("table")))
    return {
        database: prefix
        for database, names in tables.items()
        if len(names) >= _FEWEST and (prefix := _beginning(names))
    }


def _beginning(names: Sequence[str]) -> str:
    """The whole words, with the underscores behind them, that all names begin with."""
    words: list[str] = []
    # No name is left without a word.
    for same in zip(*(name.split("_")[:-1] for name in names), strict=False):
        if len(set(same)) > 1:
            break
        words.append(same[0])
    return "".join(f"{word}_" for word in words)


def _columns(item: Object) -> list[Mapping[str, Json]]:
    """The columns of a table, where the metadata lists them as `read_database` does."""
    listed = item.metadata.get("columns")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _strings(value: Json) -> Iterator[str]:
    """The value where it is a string that says something, or those of a list."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one.strip():
            yield one

"""The searchable text of an object: title, text, and further parts."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from grapher_jax.checks import check_choice, check_names, check_text
from grapher_jax.corpus.columns import fields_of, is_cryptic, readable_names
from grapher_jax.corpus.objects import Object, is_table
from grapher_jax.files import Json
from grapher_jax.text import Reading, name_words

# The part that changes how words are read, also in questions.
SPLIT = "split"
# The part by which questions about people also ask for users.
PEOPLE = "people"
# The part that removes a common prefix from the names of all tables of a database.
PREFIX = "prefix"
# With so few names, a common prefix may be chance.
_FEWEST = 5


def _comments(item: Object) -> Iterator[str]:
    yield from _strings(item.metadata.get("comment"))
    for column in _columns(item):
        yield from _strings(column.get("comment"))
        for kind in _strings(column.get("type")):
            yield from fields_of(kind)


def _types(item: Object) -> Iterable[str]:
    return dict.fromkeys(name for column in _columns(item) for name in _strings(column.get("type")))


@dataclass(frozen=True)
class _Neighbors:
    """A part with the names of objects to which metadata keys refer, in both directions.

    Attributes:
        keys: metadata keys of lists of ids.
        name: returns the name of an object.
        verbs: the words for outgoing and incoming references.
    """

    keys: tuple[str, ...]
    name: Callable[[Object], Json]
    verbs: tuple[str, str]

    def of(self, objects: Sequence[Object]) -> dict[str, list[str]]:
        """The phrases by id, such as `references a, b` and `referenced by c`, if there are any."""
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
        """The objects of the corpus that this one names, except itself."""
        named = dict.fromkeys(one for key in self.keys for one in item.metadata.get(key) or ())
        return [one for one in named if one in known and one != item.id]


# The metadata keys by which tables reference others.
_KEYS = ("foreign_keys", "inferred_keys")
# The metadata keys whose value comes before the text, and the parts that add phrases after it.
_BEFORE = {"database": "db", "schema": "schema", "headings": "headings"}
_NEIGHBORS = {
    "neighbors": _Neighbors(
        _KEYS,
        lambda item: readable_names(item)[0] if is_cryptic(item) else item.metadata.get("table"),
        ("references", "referenced by"),
    ),
    "links": _Neighbors(("links",), lambda item: item.title, ("links to", "linked from")),
}
_BEHIND: dict[str, Callable[[Object], Iterable[str]]] = {"comments": _comments, "types": _types}
TEXT_PARTS = (SPLIT, PEOPLE, PREFIX, *_BEFORE, *_NEIGHBORS, *_BEHIND)
# For each part, the metadata keys through which an object's text depends on other objects.
NAMING = {part: own.keys for part, own in _NEIGHBORS.items()}
# Chosen on training splits, see docs/decisions.md.
_TEXT_OF_TABLES = (SPLIT, "schema", "neighbors", "comments")


def are_tables(objects: Sequence[Object]) -> bool:
    """Whether most objects are tables, by their metadata or because foreign keys join them."""
    tables = {item.id for item in objects if is_table(item)}
    for item in objects:
        for key in _KEYS:
            if named := item.metadata.get(key):
                tables.update((item.id, *named))
    return 2 * sum(item.id in tables for item in objects) > len(objects)


def default_text(objects: Sequence[Object]) -> tuple[str, ...]:
    """The default parts: some for tables, none for other objects."""
    if not are_tables(objects):
        return ()
    return check_parts([*_TEXT_OF_TABLES, PEOPLE] if _has_users(objects) else _TEXT_OF_TABLES)


def _has_users(objects: Sequence[Object]) -> bool:
    """Whether these are the tables of one database, with a table of its users.

    Among the tables of many databases, those of the users are mostly another database's.
    """
    databases, tables = zip(*(tables_of(item.metadata) for item in objects), strict=True)
    alone = len({*chain.from_iterable(databases)}) == 1
    words = map(name_words, chain.from_iterable(tables))
    return alone and any(name and name[-1].endswith("user") for name in words)


def check_parts(parts: Iterable[str]) -> tuple[str, ...]:
    """Checks the parts, and returns each once and in a fixed order.

    Raises:
        InputError: for an unknown one.
    """
    named = check_names("text", parts, of="parts")
    chosen = {check_choice("text", part, TEXT_PARTS) for part in named}
    return tuple(part for part in TEXT_PARTS if part in chosen)


def reading_of(
    parts: Collection[str], *, language: str | None = None, bigrams: bool = True
) -> Reading:
    """How texts with these parts, and questions about them, are read; raises as `Reading`."""
    spoken = None if language is None else check_text("language", language)
    return Reading(split=SPLIT in parts, people=PEOPLE in parts, bigrams=bigrams, language=spoken)


def searchable_texts(
    objects: Sequence[Object],
    parts: Iterable[str] = (),
    *,
    prefixes: Mapping[str, str] | None = None,
) -> list[str]:
    """The searchable text of every object: title, text, and these parts.

    Args:
        objects: all objects of one corpus, because a part may read other objects.
        parts: parts from `TEXT_PARTS`: `database`, `schema` and `headings` are put before the text;
            `neighbors` adds the names of tables that reference this one or are referenced by it,
            and `links` the titles of linked objects; `comments` adds comments of table and columns;
            `types` adds column types. `prefix` removes from table names the prefix that all tables
            of the database share, such as `myapp_`. `split` changes nothing here: it affects how
            words are read.
        prefixes: of the tables of each database, if `objects` are not all; see `prefixes_of`.
    """
    chosen = check_parts(parts)
    keys = [_BEFORE[part] for part in chosen if part in _BEFORE]
    behind = [_BEHIND[part] for part in chosen if part in _BEHIND]
    if PREFIX not in chosen:
        prefixes = {}
    elif prefixes is None:
        prefixes = prefixes_of(tables_of(item.metadata) for item in objects)
    neighbors = [_NEIGHBORS[part].of(objects) for part in chosen if part in _NEIGHBORS]
    texts = []
    for item in objects:
        prefix = prefixes.get(next(_strings(item.metadata.get("db")), ""), "")
        name, colon, columns = item.text.partition(": ")
        own = _without(prefix, name) if colon else name.removeprefix(prefix)
        first = [_comments] if _comments in behind and is_cryptic(item) else []
        phrases = [
            *(name for key in keys for name in _strings(item.metadata.get(key))),
            *(phrase for part in first for phrase in part(item)),
            f"{_without(prefix, item.title)} {own}{colon}{columns}".strip(),
            *(_without(prefix, phrase) for named in neighbors for phrase in named[item.id]),
            *(phrase for part in behind if part not in first for phrase in part(item)),
        ]
        texts.append(" ".join(filter(None, phrases)))
    return texts


def _without(prefix: str, names: str) -> str:
    """Names of tables without the prefix that all have."""
    return re.sub(rf"\b{re.escape(prefix)}", "", names) if prefix else names


def tables_of(metadata: Mapping[str, Json]) -> tuple[list[str], list[str]]:
    """The databases and the tables that an object's metadata names."""
    return [*_strings(metadata.get("db"))], [*_strings(metadata.get("table"))]


def prefixes_of(named: Iterable[tuple[Iterable[str], Iterable[str]]]) -> dict[str, str]:
    """For each database, the common prefix of its table names, up to an underscore.

    Args:
        named: for each object its databases and tables.
    """
    tables: dict[str, list[str]] = {}
    for databases, own in named:
        for database in databases:
            tables.setdefault(database, []).extend(own)
    return {
        database: prefix
        for database, names in tables.items()
        if len(names) >= _FEWEST and (prefix := _beginning(names))
    }


def _beginning(names: Sequence[str]) -> str:
    """The whole words, with their underscores, with which all names begin."""
    words: list[str] = []
    # Every name must keep at least one word.
    for same in zip(*(name.split("_")[:-1] for name in names), strict=False):
        if len(set(same)) > 1:
            break
        words.append(same[0])
    return "".join(f"{word}_" for word in words)


def _columns(item: Object) -> list[Mapping[str, Json]]:
    """The columns of a table, if the metadata lists them as `read_database` does."""
    listed = item.metadata.get("columns")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _strings(value: Json) -> Iterator[str]:
    """The value if it is a string that is not blank, or those of a list."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str) and one.strip():
            yield one

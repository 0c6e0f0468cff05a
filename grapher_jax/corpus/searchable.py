"""What of an object is searched: its title and text, and what else is asked for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from grapher_jax.checks import check_choice
from grapher_jax.corpus.objects import Object
from grapher_jax.files import Json

# The part that changes how words are read, in questions too.
SPLIT = "split"


def _comments(item: Object) -> Iterator[str]:
    yield from _strings(item.metadata.get("comment"))
    for column in _columns(item):
        yield from _strings(column.get("comment"))


def _types(item: Object) -> Iterable[str]:
    return dict.fromkeys(name for column in _columns(item) for name in _strings(column.get("type")))


# Keys of the metadata whose value stands before the text, and what gives phrases behind it.
_BEFORE = {"database": "db", "schema": "schema"}
_NEIGHBORS = "neighbors"
_BEHIND: dict[str, Callable[[Object], Iterable[str]]] = {"comments": _comments, "types": _types}
TEXT_PARTS = (SPLIT, *_BEFORE, _NEIGHBORS, *_BEHIND)
# What train splits chose, see docs/decisions.md.
DEFAULT_TEXT = (SPLIT, "schema", _NEIGHBORS, "comments")


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
        parts: of `TEXT_PARTS`: `database` and `schema` put these names before the text; `neighbors`
            adds the names of the tables that this one references, and of those that reference it;
            `comments` those of table and columns; `types` those of columns. `split` changes nothing
            here: it is how words are read.
    """
    chosen = check_parts(parts)
    keys = [_BEFORE[part] for part in chosen if part in _BEFORE]
    behind = [_BEHIND[part] for part in chosen if part in _BEHIND]
    neighbors = _neighbors_of(objects) if _NEIGHBORS in chosen else {}
    texts = []
    for item in objects:
        phrases = [
            *(name for key in keys for name in _strings(item.metadata.get(key))),
            item.searchable_text,
            *neighbors.get(item.id, ()),
            *(phrase for part in behind for phrase in part(item)),
        ]
        texts.append(" ".join(filter(None, phrases)))
    return texts


def _neighbors_of(objects: Sequence[Object]) -> dict[str, list[str]]:
    """By id, `references a, b` and `referenced by c`, where there are any."""
    names = {item.id: next(_strings(item.metadata.get("table")), item.id) for item in objects}
    targets = {item.id: _targets(item, names) for item in objects}
    sources: dict[str, list[str]] = {}
    for name, referenced in targets.items():
        for target in referenced:
            sources.setdefault(target, []).append(name)
    return {
        item.id: [
            f"{verb} {', '.join(sorted({names[other] for other in others}))}"
            for verb, others in (
                ("references", targets[item.id]),
                ("referenced by", sources.get(item.id, [])),
            )
            if others
        ]
        for item in objects
    }


def _targets(item: Object, known: Mapping[str, str]) -> list[str]:
    """The objects of the corpus that this one references, itself left out."""
    keys = item.metadata.get("foreign_keys") or []
    return [key for key in dict.fromkeys(keys) if key in known and key != item.id]


def _columns(item: Object) -> list[Mapping[str, Json]]:
    """The columns of a table, where the metadata lists them as `read_database` does."""
    listed = item.metadata.get("columns")
    return [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []


def _strings(value: Json) -> Iterator[str]:
    """The value where it is a string that says something."""
    if isinstance(value, str) and value.strip():
        yield value

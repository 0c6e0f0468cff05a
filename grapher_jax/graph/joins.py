"""What joins two objects directly, as names and in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grapher_jax.corpus.inferred.types import listed, records
from grapher_jax.errors import shorten
from grapher_jax.files import Json
from grapher_jax.text import enumerated

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays

_NAMED = 3
# The maximum number of names in a join, and of letters in each name.
_MOST_NAMES, _LONGEST, _LONGEST_CONDITION = 16, 100, 400


@dataclass(frozen=True)
class Join:
    """What joins two objects directly.

    Attributes:
        relation: the name of the proximity, or `in_common` for concepts or keywords.
        names: for a reference, source and target; for shared entities, concepts or keywords, at
            most 16, the rarest first; for chunks, their document. Only ids may have over 100
            letters.
        text: the same in words, with a few names and the number of the others.
        more: how many further names there are.
    """

    relation: str
    names: tuple[str, ...]
    text: str
    more: int = 0

    def to_dict(self) -> dict[str, Json]:
        """The join as JSON-ready values; `more` only if there are any."""
        told = {"relation": self.relation, "names": self.names, "text": self.text}
        return told | ({"more": self.more} if self.more else {})


@dataclass(frozen=True)
class Context:
    """The data from which a join is described.

    Attributes:
        graph: the metadata of all objects.
        ids: the id of every row of `graph`.
        max_df: ignore entities that more than this many objects have; None for no limit.
        metadata: returns the metadata of a row.
    """

    graph: "GraphArrays"
    ids: Sequence[str]
    max_df: int | None
    metadata: Callable[[int], Mapping[str, Json]]


def shared(relation: str, names: Sequence[str], told: str = "both have") -> Join:
    """The join of two objects with these names in common."""
    held = tuple(map(short, names[:_MOST_NAMES]))
    some = held if len(names) <= _NAMED else (*held[:_NAMED], f"{len(names) - _NAMED} more")
    return Join(relation, held, f"{told} {enumerated(some)}", len(names) - len(held))


def short(name: str) -> str:
    """The name, shortened if it is long."""
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def on_columns(own: Mapping[str, Json], key: str, source: str, target: str) -> str:
    """The join conditions of the keys by which one table references another; empty if unknown.

    Args:
        own: the metadata of the referencing table.
        key: the metadata key with records of columns, `references` and referenced columns.
        source: the id of the referencing table.
        target: the id of the referenced table.
    """

    def conditions() -> Iterator[str]:
        for record in records(own.get(key)):
            ends = [listed(record.get(name)) for name in ("columns", "referenced_columns")]
            if record.get("references") == target and 0 < len(ends[0]) == len(ends[1]):
                pairs = zip(*ends, strict=True)
                yield " and ".join(f"{source}.{one} = {target}.{other}" for one, other in pairs)

    told = [*dict.fromkeys(conditions())]
    more = [f"{len(told) - _NAMED} more"] if len(told) > _NAMED else []
    return " or ".join([*(shorten(one, _LONGEST_CONDITION) for one in told[:_NAMED]), *more])

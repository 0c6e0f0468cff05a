"""What joins two objects directly, by name and in words."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grapher_jax.corpus.inferred.types import listed, records
from grapher_jax.errors import shorten
from grapher_jax.files import Json

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays

_NAMED = 3
# Of names that a join holds, and of letters that a name has there.
_MOST_NAMES, _LONGEST, _LONGEST_CONDITION = 16, 100, 400


@dataclass(frozen=True)
class Join:
    """What joins two objects directly.

    Attributes:
        relation: the proximity, or `in_common` for concepts or keywords.
        names: of a reference, source and target; of shared entities, concepts or keywords, 16 at
            most, the rarest first; of chunks, their document. Only ids may have over 100 letters.
        text: the same in words, which name a few and count the rest.
        more: how many names there are besides.
    """

    relation: str
    names: tuple[str, ...]
    text: str
    more: int = 0

    def to_dict(self) -> dict[str, Json]:
        """The join as JSON-ready values; `more` only where there are any."""
        told = {"relation": self.relation, "names": self.names, "text": self.text}
        return told | ({"more": self.more} if self.more else {})


@dataclass(frozen=True)
class Context:
    """What the words of a join are taken from.

    Attributes:
        graph: the metadata of all objects.
        ids: the id of every row of `graph`.
        max_df: entities that more objects have join nothing; None lets all join.
        metadata: of a row.
    """

    graph: "GraphArrays"
    ids: Sequence[str]
    max_df: int | None
    metadata: Callable[[int], Mapping[str, Json]]


def shared(relation: str, names: Sequence[str], told: str = "both have") -> Join:
    """What two objects have in common, by name."""
    held = tuple(map(short, names[:_MOST_NAMES]))
    *first, last = held if len(names) <= _NAMED else (*held[:_NAMED], f"{len(names) - _NAMED} more")
    listed = f"{', '.join(first)} and {last}" if first else last
    return Join(relation, held, f"{told} {listed}", len(names) - len(held))


def short(name: str) -> str:
    """The name, cut where it is long."""
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def on_columns(own: Mapping[str, Json], key: str, source: str, target: str) -> str:
    """The conditions of the keys by which one table references another; empty where none is known.

    Args:
        own: the metadata of what references.
        key: of it: records of columns, `references` and referenced columns.
        source: the id of what references.
        target: of what is referenced.
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

"""What joins two objects, in words: which reference, which entities, which chunks."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grapher_jax.graph import EMPTY, GraphArrays, Ragged

# What is joined by something in common other than a proximity: concepts, keywords.
IN_COMMON = "in_common"
_VERBS = {"foreign_key": "references", "link": "links to"}
_NAMED = 3
# Of names that a join holds, and of letters that a name has there.
_MOST_NAMES, _LONGEST = 16, 100


@dataclass(frozen=True)
class Join:
    """What joins two objects directly.

    Attributes:
        relation: the proximity, or `in_common` for concepts or keywords.
        names: of a reference, who references whom; of shared entities, concepts or keywords, 16 at
            most, the rarest first; of chunks, their document. Only ids may have over 100 letters.
        text: the same in words, which name a few and count the rest.
        more: how many names there are besides.
    """

    relation: str
    names: tuple[str, ...]
    text: str
    more: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The join as JSON-ready values; `more` only where there are any."""
        told = {"relation": self.relation, "names": self.names, "text": self.text}
        return told | ({"more": self.more} if self.more else {})


@dataclass(frozen=True)
class Joins:
    """Says what joins two objects.

    Attributes:
        graph: the metadata of all objects.
        ids: the id of every row of `graph`.
        max_df: entities that more objects have join nobody; None lets all join.
        document: the document of a row that is a chunk.
    """

    graph: GraphArrays
    ids: Sequence[str]
    max_df: int | None
    document: Callable[[int], str]

    def between(self, one: int, other: int, relations: Sequence[str]) -> tuple[Join, ...]:
        """What joins two rows by these relations; `semantic` is taken at its word."""
        return tuple(join for name in relations for join in self._by(name, one, other))

    def _by(self, relation: str, one: int, other: int) -> Iterator[Join]:
        if relation in _VERBS:
            references = getattr(self.graph, f"{relation}s")
            for pair in ((one, other), (other, one)):
                if self.graph.object_ids[pair[1]] in _list(references, pair[0]):
                    source, target = (self.ids[row] for row in pair)
                    text = f"{source} {_VERBS[relation]} {target}"
                    yield Join(relation, (source, target), text)
        elif relation == "shared_entity":
            if names := self._entities(one, other):
                yield shared(relation, names)
        elif relation == "semantic":
            yield Join(relation, (), "their texts are alike")
        else:
            yield from self._consecutive(relation, *sorted((one, other), key=self._place))

    def _consecutive(self, relation: str, earlier: int, later: int) -> Iterator[Join]:
        (document, place), (same, after) = self._place(earlier), self._place(later)
        if EMPTY not in (document, place) and (same, after) == (document, place + 1):
            name = _short(self.document(later))
            text = f"{self.ids[later]} follows {self.ids[earlier]} in {name}"
            yield Join(relation, (name,), text)

    def _place(self, row: int) -> tuple[int, int]:
        """A chunk's document and its number there."""
        return int(self.graph.document_ids[row]), int(self.graph.chunk_ids[row])

    def _entities(self, one: int, other: int) -> list[str]:
        found = set(_list(self.graph.entities, one)) & set(_list(self.graph.entities, other))
        frequency = {entity: int(self.graph.document_frequency[entity]) for entity in found}
        most = max(frequency.values(), default=0) if self.max_df is None else self.max_df
        ranked = sorted((n, self.graph.entity_names[e]) for e, n in frequency.items() if n <= most)
        return [name for _, name in ranked]


def shared(relation: str, names: Sequence[str]) -> Join:
    """What two objects have in common, by name."""
    held = tuple(map(_short, names[:_MOST_NAMES]))
    *first, last = held if len(names) <= _NAMED else (*held[:_NAMED], f"{len(names) - _NAMED} more")
    listed = f"{', '.join(first)} and {last}" if first else last
    return Join(relation, held, f"both have {listed}", len(names) - len(held))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[:_LONGEST]}…"


def _list(lists: Ragged, row: int) -> list[int]:
    return lists.values[lists.offsets[row] : lists.offsets[row + 1]].tolist()

"""Describes in words how two objects are joined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grapher_jax.graph.joins import Context, Join

# Relations by something in common that is no proximity: concepts, keywords.
IN_COMMON = "in_common"


@dataclass(frozen=True)
class Joins(Context):
    """Describes how two objects are joined; see `Context` for the attributes."""

    def between(self, one: int, other: int, relations: Sequence[str]) -> tuple[Join, ...]:
        """The joins of two rows by these relations; `semantic` is assumed to hold.

        Args:
            one: a row of `graph`.
            other: another.
            relations: names of proximities, or of the relations of query-aware GNN retrieval.
        """
        return tuple(join for name in relations for join in self._by(name, one, other, relations))

    def _by(self, relation: str, one: int, other: int, asked: Sequence[str]) -> Iterator[Join]:
        if relation == "semantic":
            yield Join(relation, (), "their texts are alike")
            return
        for row in self.graph.rows.values():
            # A relation that is asked for by its own name is reported only under that name.
            if relation == row.name or (relation == row.relation and row.name not in asked):
                told = row.words(self, one, other)
                yield from (replace(join, relation=relation) for join in told)

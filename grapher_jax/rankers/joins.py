"""What joins two objects by any of the proximities, in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from grapher_jax.graph.joins import Context, Join

# What is joined by something in common other than a proximity: concepts, keywords.
IN_COMMON = "in_common"


@dataclass(frozen=True)
class Joins(Context):
    """What says how two objects are joined; see `Context` for the attributes."""

    def between(self, one: int, other: int, relations: Sequence[str]) -> tuple[Join, ...]:
        """What joins two rows by these relations; `semantic` is taken at its word.

        Args:
            one: a row of `graph`.
            other: another.
            relations: proximities, or what query-aware GNN retrieval calls them.
        """
        return tuple(join for name in relations for join in self._by(name, one, other, relations))

    def _by(self, relation: str, one: int, other: int, asked: Sequence[str]) -> Iterator[Join]:
        if relation == "semantic":
            yield Join(relation, (), "their texts are alike")
            return
        for row in self.graph.rows.values():
            # What is asked for by its own name is told under that alone.
            if relation == row.name or (relation == row.relation and row.name not in asked):
                told = row.words(self, one, other)
                yield from (replace(join, relation=relation) for join in told)

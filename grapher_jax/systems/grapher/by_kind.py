"""GraphER's two included networks as one ranker: one for tables, one for all other objects."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import jax.numpy as jnp
import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph import EMPTY, of_keys
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.rankers.protocol import Needs, Prepared, Ranker
from grapher_jax.retrieve.collection import Candidates, Collection

# Their names: for tables, and for all other objects.
INCLUDED = ("gat-tables", "gat")


@dataclass(frozen=True, kw_only=True, eq=False)
class GatByKind:
    """Two networks, chosen by whether keys join a question's candidates (a `Ranker`).

    Attributes:
        name: its name in reports.
        tables: the network for candidates that foreign keys join.
        others: the network for all other candidates.
    """

    name: str
    tables: Ranker
    others: Ranker

    @property
    def needs(self) -> Needs:
        """Those of the network for other candidates; the one for tables needs no more."""
        return self.others.needs

    @property
    def candidates_at_once(self) -> int:
        """The number that either network may rank in one program."""
        return min(self.tables.candidates_at_once, self.others.candidates_at_once)

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of both: before a collection is read, either may be used."""
        tables, others = self.tables.parameters, self.others.parameters
        both = {name: value for name, value in others.items() if tables.get(name) == value}
        return both | {"networks": [tables["sha256"], others["sha256"]]}

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedByKind":
        """See `Ranker`."""
        return PreparedByKind(
            self.name,
            collection,
            proximities,
            self.tables.prepare(collection, proximities),
            self.others.prepare(collection, proximities),
            self.parameters,
        )


@dataclass(frozen=True)
class PreparedByKind:
    """Both networks over the graphs of a collection (`Prepared`)."""

    name: str
    collection: Collection
    proximities: Sequence[str]
    tables: Prepared
    others: Prepared
    of_both: Mapping[str, Json]

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of the network for candidates with all edges of the metadata."""
        own = self._of(self._keys(self.collection.graph.proximities())).parameters
        return own | dict(self.of_both)

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`."""
        tables = self._tables(candidates.rows)
        # Padding counts as the other kind.
        own = tables[(candidates.rows != EMPTY).any(axis=1)]
        if own.all() or not own.any():
            return self._of(bool(own.all() and len(own))).rank(candidates, k)
        first, second = self.tables.rank(candidates, k), self.others.rank(candidates, k)
        chosen = tables[:, None]
        return TopK(
            jnp.where(chosen, first.indices, second.indices),
            jnp.where(chosen, first.scores, second.scores),
        )

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`."""
        (tables,) = self._tables(candidates.rows).tolist()
        found = self._of(tables).explain(candidates, positions, scores)
        return [replace(one, ranker=self.name) for one in found]

    def _tables(self, rows: Int[ndarray, "B n"]) -> Bool[ndarray, " B"]:
        """For each question, whether foreign keys join its candidates."""
        return np.array([self._keys(own) for own in self.collection.joined_by(rows)], bool)

    def _keys(self, joined_by: Sequence[str]) -> bool:
        return bool(of_keys(name for name in joined_by if name in self.proximities))

    def _of(self, tables: bool) -> Prepared:
        return self.tables if tables else self.others

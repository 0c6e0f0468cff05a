"""Hits: the results of a ranking, with what they show and why they stand where they stand."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from functools import partial
from typing import Any, SupportsIndex, overload

import numpy as np

from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.rankers import tabular
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.rankers.options import NONE
from grapher_jax.rankers.running import Order, best_first
from grapher_jax.retrieve.collection import Candidates, Collection

_HAND_MADE = "made by hand, so there is nothing to explain"
_UNREAD = "its explanations were not read before it was pickled; read one there first"


class _Explanations:
    """Those of one ranking, made when the first of them is read.

    What makes them holds an index or a program, and stays where it is: pickled are the explanations
    themselves, where they were read.
    """

    def __init__(self, make: Callable[[], Sequence[Explanation]] | None) -> None:
        self._make = make
        self._made: Sequence[Explanation] | None = None

    def of(self, hit: "Hit") -> Explanation:
        """The one of a hit; raises InputError where there is none."""
        if self._made is None:
            if self._make is None:
                raise InputError(f"hit {hit.id!r}: {_UNREAD}")
            self._made = self._make()
        return self._made[hit.rank - 1]

    def __deepcopy__(self, memo: dict[int, object]) -> "_Explanations":
        return self

    def __getstate__(self) -> dict[str, object]:
        return {"_make": None, "_made": self._made}


@dataclass(frozen=True)
class Hit:
    """One result.

    Hits are equal where all of their attributes are, and can be pickled; `dataclasses.asdict` gives
    the attributes alone.

    Attributes:
        id: the object's id.
        score: the ranker's score.
        rank: from 1.
        base_score: the retriever's score.
        base_rank: the retriever's rank, from 1.
        title: the object's title, where known.
        text: the object's text, where known.
        metadata: the object's metadata.
        index: its place among the candidates that were given, from 0; None for an index's object.
    """

    id: str
    score: float
    rank: int
    base_score: float
    base_rank: int
    title: str = ""
    text: str = ""
    metadata: Mapping[str, Json] = field(default_factory=dict)
    index: int | None = None
    _explanations: InitVar[_Explanations | None] = None

    def __post_init__(self, _explanations: _Explanations | None) -> None:
        # No field: `asdict` would give it away, and comparisons would read it.
        object.__setattr__(self, "_explanations", _explanations)

    def __repr__(self) -> str:
        return (
            f"Hit(id={self.id!r}, score={self.score:.4g}, rank={self.rank}, "
            f"base_score={self.base_score:.4g}, base_rank={self.base_rank})"
        )

    @property
    def explanation(self) -> Explanation:
        """Which candidates this score came from; computed for the whole ranking when asked for.

        Raises:
            InputError: for a hit that was not made by ranking, or came out of a pickle without.
        """
        found: _Explanations | None = vars(self)["_explanations"]
        if found is None:
            raise InputError(f"hit {self.id!r}: {_HAND_MADE}")
        return found.of(self)

    def to_dict(self, *, explain: bool = False) -> dict[str, Json]:
        """The hit as JSON can hold it, with its explanation if asked for."""
        known = {
            "rank": self.rank,
            "id": self.id,
            "score": self.score,
            "base_rank": self.base_rank,
            "base_score": self.base_score,
            "title": self.title,
            "text": self.text,
            "metadata": dict(self.metadata),
        }
        place = {} if self.index is None else {"index": self.index}
        return known | place | ({"explanation": self.explanation.to_dict()} if explain else {})


class Hits(list[Hit]):
    """The results of one question, best first: a list of `Hit`, which shows itself as a table.

    Attributes:
        scale: what the retriever's scores were taken for, see `RankingOptions.scores`; `compared`
            where there were none, and the documents were compared with the question.
    """

    def __init__(self, hits: Sequence[Hit] = (), *, scale: str = NONE) -> None:
        """The hits of a question.

        Args:
            hits: best first.
            scale: what the retriever's scores were taken for.
        """
        super().__init__(hits)
        self.scale = scale

    @overload
    def __getitem__(self, place: SupportsIndex) -> Hit: ...
    @overload
    def __getitem__(self, place: slice) -> "Hits": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "Hit | Hits":
        if isinstance(place, slice):
            return Hits(super().__getitem__(place), scale=self.scale)
        return super().__getitem__(place)

    def at_least(self, min_score: float) -> "Hits":
        """Those whose score is no lower."""
        return Hits([hit for hit in self if hit.score >= min_score], scale=self.scale)

    def without_documents(self) -> "Hits":
        """The same without title, text and metadata."""
        return Hits(
            [replace(hit, title="", text="", metadata={}) for hit in self], scale=self.scale
        )

    def to_dict(self, *, explain: bool = False) -> list[dict[str, Json]]:
        """All hits as JSON can hold them; see `Hit.to_dict`."""
        return [hit.to_dict(explain=explain) for hit in self]

    def to_arrow(self) -> Any:
        """A pyarrow table, a row a hit; metadata as JSON, for documents have different ones.

        Raises:
            MissingExtraError: where pyarrow is not installed.
        """
        return tabular.to_arrow(self.to_dict())

    def to_pandas(self) -> Any:
        """A pandas data frame, a row a hit.

        Raises:
            MissingExtraError: where pandas is not installed.
        """
        return tabular.to_pandas(self.to_dict())

    def to_polars(self) -> Any:
        """A Polars data frame, a row a hit; metadata as JSON, as in `to_arrow`.

        Raises:
            MissingExtraError: where Polars is not installed.
        """
        return tabular.to_polars(self.to_dict())

    def _repr_html_(self) -> str:
        return tabular.to_html(self.to_dict())


def make_hits(
    collection: Collection,
    candidates: Candidates,
    order: Order,
    explain: Callable[[Candidates, Order], Sequence[Explanation]],
    *,
    scales: Sequence[str],
    places: Sequence[int] | None = None,
) -> list[Hits]:
    """The hits of an order over candidates.

    Args:
        collection: what the candidates are rows of; texts are read for the hits alone.
        candidates: as they were ranked.
        order: of them.
        explain: the explanations of one question's results, asked for when one is read.
        scales: what the scores of each question were taken for.
        places: of each row among the candidates that were given; None where none were.
    """
    rankings = []
    for query in range(len(candidates)):
        rows, scores = candidates.rows[query], candidates.scores[query]
        base_ranks = np.empty(len(rows), int)
        base_ranks[best_first(rows, scores)] = np.arange(1, len(rows) + 1)
        positions = order.positions[query][order.positions[query] != EMPTY]
        alone = candidates.block(slice(query, query + 1), (1, len(rows)))
        best = Order(positions[None], order.scores[query : query + 1, : len(positions)])
        explanations = _Explanations(partial(explain, alone, best))
        hits = [
            Hit(
                **_shown(collection, int(rows[position])),
                score=float(order.scores[query, place]),
                rank=place + 1,
                base_score=float(scores[position]),
                base_rank=int(base_ranks[position]),
                index=None if places is None else places[rows[position]],
                _explanations=explanations,
            )
            for place, position in enumerate(positions)
        ]
        rankings.append(Hits(hits, scale=scales[query]))
    return rankings


def _shown(collection: Collection, row: int) -> dict[str, Json]:
    item = collection.objects[row]
    return {"id": item.id, "title": item.title, "text": item.text, "metadata": item.metadata}

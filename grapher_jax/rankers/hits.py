"""Hits: the results of a ranking, with how they are displayed and explained."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field, replace
from functools import partial
from math import isfinite
from typing import Any, SupportsIndex, overload

import numpy as np

from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.rankers import tabular
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.rankers.options import NONE
from grapher_jax.rankers.running import Order
from grapher_jax.retrieve.collection import Candidates, Collection, best_first

_HAND_MADE = "made by hand, so there is nothing to explain"
_UNREAD = "its explanations were not read before it was pickled; read one there first"


class _Explanations:
    """The explanations of one ranking, computed when the first of them is read.

    The function that computes them holds an index or a program and is not pickled: only
    explanations that were already read are.
    """

    def __init__(self, make: Callable[[], Sequence[Explanation]] | None) -> None:
        self._make = make
        self._made: Sequence[Explanation] | None = None

    def of(self, hit: "Hit") -> Explanation:
        """The explanation of a hit; raises InputError if there is none."""
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

    Hits with equal attributes are equal, and hits can be pickled; `dataclasses.asdict` gives only
    the attributes.

    Attributes:
        id: the object's id.
        score: the ranker's score.
        rank: from 1.
        base_score: the retriever's score.
        base_rank: the retriever's rank, from 1.
        title: the object's title, if known.
        text: the object's text, if known.
        metadata: the object's metadata.
        index: its position among the given candidates, from 0; None for an object of an index.
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
        # Not a field, so that `asdict` and comparisons do not include it.
        object.__setattr__(self, "_explanations", _explanations)

    def __repr__(self) -> str:
        return (
            f"Hit(id={self.id!r}, score={self.score:.4g}, rank={self.rank}, "
            f"base_score={self.base_score:.4g}, base_rank={self.base_rank})"
        )

    @property
    def explanation(self) -> Explanation:
        """Which candidates this score came from; computed for the whole ranking on first access.

        Raises:
            InputError: for a hit that was not made by a ranking, or was pickled before this was
                read.
        """
        found: _Explanations | None = vars(self)["_explanations"]
        if found is None:
            raise InputError(f"hit {self.id!r}: {_HAND_MADE}")
        return found.of(self)

    def to_dict(self, *, explain: bool = False) -> dict[str, Json]:
        """The hit as JSON-ready values, with its explanation if asked for, of the main sources.

        Values of metadata that JSON has no form for, such as dates, become strings.
        """
        known = {
            "rank": self.rank,
            "id": self.id,
            "score": self.score,
            "base_rank": self.base_rank,
            "base_score": self.base_score,
            "title": self.title,
            "text": self.text,
            "metadata": _json_ready(self.metadata),
        }
        place = {} if self.index is None else {"index": self.index}
        told = {"explanation": self.explanation.shortened().to_dict()} if explain else {}
        return known | place | told


def _json_ready(value: object) -> Json:
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): _json_ready(own) for key, own in value.items()}
    if isinstance(value, list | tuple):
        return [_json_ready(own) for own in value]
    finite = not isinstance(value, float) or isfinite(value)
    return value if isinstance(value, str | int | float | None) and finite else str(value)


class Hits(list[Hit]):
    """The results of one question, best first: a list of `Hit` that notebooks show as a table.

    Attributes:
        scale: the scale assumed for the retriever's scores, see `RankingOptions.scores`; `compared`
            if there were none, and the documents were compared with the question.
    """

    def __init__(self, hits: Sequence[Hit] = (), *, scale: str = NONE) -> None:
        """Make the list of a question's hits.

        Args:
            hits: best first.
            scale: the scale assumed for the retriever's scores.
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
        """The hits with at least this score."""
        return Hits([hit for hit in self if hit.score >= min_score], scale=self.scale)

    def without_documents(self) -> "Hits":
        """The same without title, text and metadata."""
        return Hits(
            [replace(hit, title="", text="", metadata={}) for hit in self], scale=self.scale
        )

    def to_dict(self, *, explain: bool = False) -> list[dict[str, Json]]:
        """All hits as JSON-ready values; see `Hit.to_dict`."""
        return [hit.to_dict(explain=explain) for hit in self]

    def to_arrow(self) -> Any:
        """A pyarrow table, one row per hit; metadata as JSON, since documents differ in their keys.

        Raises:
            MissingExtraError: if pyarrow is not installed.
        """
        return tabular.to_arrow(self.to_dict())

    def to_pandas(self) -> Any:
        """A pandas data frame, one row per hit.

        Raises:
            MissingExtraError: if pandas is not installed.
        """
        return tabular.to_pandas(self.to_dict())

    def to_polars(self) -> Any:
        """A Polars data frame, one row per hit; metadata as JSON, as in `to_arrow`.

        Raises:
            MissingExtraError: if Polars is not installed.
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
    """Make the hits for ranked candidates.

    Args:
        collection: what the candidates are rows of; only the texts of hits are read.
        candidates: as they were ranked.
        order: their ranking.
        explain: computes the explanations of one question's results, when one is first read.
        scales: the scale assumed for the scores of each question.
        places: the position of each row among the given candidates; None for an index.
    """
    shown = _shown(collection, candidates, order)
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
                **shown[query, place],
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


def _shown(
    collection: Collection, candidates: Candidates, order: Order
) -> dict[tuple[int, int], dict[str, Json]]:
    """What each hit shows of its object, by question and place.

    Objects are read in the order of the collection, which on disk is in groups of rows.
    """
    places = np.argwhere(order.positions != EMPTY)
    query, place = places.T
    rows = candidates.rows[query, order.positions[query, place]]
    shown = {}
    for at in np.argsort(rows, kind="stable").tolist():
        item = collection.objects[int(rows[at])]
        told = {"id": item.id, "title": item.title, "text": item.text, "metadata": item.metadata}
        shown[int(query[at]), int(place[at])] = told
    return shown

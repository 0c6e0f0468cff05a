"""Collections, and the candidates that a retriever returned from them."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar, overload

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.checks import short_repr
from grapher_jax.corpus import Object, Query
from grapher_jax.graph import EMPTY, GraphArrays
from grapher_jax.graph.stacked import Stacked
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.retrieve.lexical import WordsIn
from grapher_jax.shapes import pad

T = TypeVar("T")
Settings = ParamSpec("Settings")


class Collection:
    """A collection whose rows are candidates: an index, or lists from another retriever.

    A subclass must have all of these as attributes or properties.
    """

    # Declared only for type checkers: at run time, dataclass fields would take these as defaults.
    if TYPE_CHECKING:

        @property
        def ids(self) -> Sequence[str]:
            """The id of every row."""

        @property
        def objects(self) -> Sequence[Object]:
            """The object of every row."""

        @property
        def graph(self) -> GraphArrays:
            """The metadata of all rows."""

        @property
        def embedder(self) -> Embedder:
            """The embedder of the questions and texts."""

        @property
        def embeddings(self) -> Float[ndarray | Stacked, "N d"]:
            """`[N, d]` the embeddings of all rows, of unit length."""

        @property
        def pair_graphs(self) -> Mapping[tuple[str, str], str]:
            """The joint AMR graph of a question and an object, by their ids, in Penman notation."""

        @property
        def kept(self) -> "Kept":
            """What rankers computed from the collection."""

    # Whether `words_in` knows words. Without a type, dataclasses do not take it for a field.
    counts_words = False

    @property
    def spoken(self) -> str | None:
        """The language of the texts and questions; see `Reading.spoken`."""
        return None

    def asked(self, question: str) -> str:
        """A question with the words that it is searched by besides its own."""
        return question

    def words_in(self, questions: Sequence[str], rows: Int[ndarray, "B n"]) -> WordsIn:
        """Which of each question's words its candidates have; see `LexicalIndex.words_in`.

        Only for a collection that `counts_words`.
        """
        raise NotImplementedError

    def joined_by(self, rows: Int[ndarray, "B n"]) -> Sequence[Sequence[str]]:
        """For every question, the proximities that may join its candidates.

        Args:
            rows: `[B, n]` the candidates, -1 for none.
        """
        return [self.graph.proximities()] * len(rows)


class Kept:
    """A cache of what rankers computed from a collection, with the lifetime of the collection.

    Thread-safe: while one thread computes an entry, others wait.
    """

    def __init__(self) -> None:
        """Start empty."""
        self._lock = RLock()
        self._made: dict[tuple[Hashable, ...], Any] = {}

    def get(
        self,
        make: Callable[Concatenate[Collection, Settings], T],
        collection: Collection,
        *settings: Settings.args,
        **named: Settings.kwargs,
    ) -> T:
        """The result of `make(collection, *settings)`, computed on first use.

        Args:
            make: a function of the collection and hashable settings.
            collection: the collection to which this cache belongs.
            settings: further positional arguments of `make`.
            named: further keyword arguments of `make`.
        """
        key = (make, settings, *sorted(named.items()))
        with self._lock:
            if key not in self._made:
                self._made[key] = make(collection, *settings, **named)
            found: T = self._made[key]
            return found


@dataclass(frozen=True)
class Questions(Sequence[Query]):
    """B questions, with embeddings that are computed when a ranker first reads them.

    Attributes:
        queries: the questions with their metadata.
        embed: computes their embeddings.
    """

    queries: Sequence[Query]
    embed: Callable[[], Float[ndarray, "B d"]]

    @cached_property
    def embeddings(self) -> Float[ndarray, "B d"]:
        """`[B, d]` of unit length."""
        return self.embed()

    def __len__(self) -> int:
        return len(self.queries)

    def __repr__(self) -> str:
        return short_repr(self, questions=len(self))

    @overload
    def __getitem__(self, place: int) -> Query: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Query]: ...
    def __getitem__(self, place: int | slice) -> Query | Sequence[Query]:
        return self.queries[place]

    def at(self, places: Int[ndarray, " m"]) -> "Questions":
        """The questions at these places, which may repeat; none is embedded twice."""
        return Questions(
            [self.queries[place] for place in places.tolist()], lambda: self.embeddings[places]
        )

    def block(self, chosen: slice, size: int) -> "Questions":
        """Some of the questions, whose embeddings are padded with zeros to `size` rows."""
        return Questions(self.queries[chosen], lambda: pad(self.embeddings[chosen], (size,), 0.0))


def best_first(rows: Int[ndarray, "*B n"], scores: Float[ndarray, "*B n"]) -> Int[ndarray, "*B n"]:
    """The order of each list by its scores; ties keep their order, and padding comes last."""
    return np.argsort(np.where(rows == EMPTY, np.inf, -scores), axis=-1, kind="stable")


@dataclass(frozen=True)
class Candidates:
    """What a retriever returned for a batch of questions.

    Attributes:
        rows: `[B, n]` int32 rows of a collection, best first; padded with -1 at the end.
        scores: `[B, n]` float32 their scores; 0 for padding.
        questions: the B questions.
        features: `[B, n]` by name, further values from a system's retrieval for its ranker; 0 for
            padding.
        any_scale: for each question or for all, whether the scores come from another retriever, so
            that the ranker's options give their scale.
    """

    rows: Int[ndarray, "B n"]
    scores: Float[ndarray, "B n"]
    questions: Questions
    features: Mapping[str, Float[ndarray, "B n"]] = field(default_factory=dict)
    any_scale: bool | Bool[ndarray, " B"] = False

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return short_repr(self, questions=len(self), candidates=int((self.rows != EMPTY).sum()))

    def texts(self, objects: Sequence[Object]) -> Iterator[tuple[tuple[int, int], tuple[str, str]]]:
        """The position of each candidate, with its question and its text.

        Args:
            objects: the objects of the collection.
        """
        found = self.rows != EMPTY
        # Each text is read once, in the order of the index.
        texts = {row: objects[row].searchable_text for row in np.unique(self.rows[found]).tolist()}
        for question, place in np.argwhere(found).tolist():
            asked = self.questions[question].text
            yield (question, place), (asked, texts[int(self.rows[question, place])])

    def take(self, places: Int[ndarray, " b"]) -> "Candidates":
        """The candidates of some of the questions."""
        return replace(
            self,
            rows=self.rows[places],
            scores=self.scores[places],
            questions=self.questions.at(places),
            features={name: own[places] for name, own in self.features.items()},
            any_scale=self.foreign[places],
        )

    def by_score(self) -> "Candidates":
        """The same in float32, each question's candidates in the order of `best_first`."""
        order = best_first(self.rows, self.scores)
        rows, scores = (np.take_along_axis(own, order, 1) for own in (self.rows, self.scores))
        features = {name: np.take_along_axis(own, order, 1) for name, own in self.features.items()}
        return replace(self, rows=rows, scores=scores.astype(np.float32), features=features)

    def narrowed(self) -> "Candidates":
        """The same without the last columns in which no question has a candidate; one is left."""
        width = int((self.rows != EMPTY).sum(axis=1).max(initial=1))
        features = {name: own[:, :width] for name, own in self.features.items()}
        rows, scores = self.rows[:, :width], self.scores[:, :width]
        return replace(self, rows=rows, scores=scores, features=features)

    def block(self, chosen: slice, shape: tuple[int, int]) -> "Candidates":
        """Some questions' candidates, padded to this shape; `questions` is not padded."""
        return replace(
            self,
            rows=pad(self.rows[chosen], shape, EMPTY),
            scores=pad(self.scores[chosen], shape, 0.0),
            questions=self.questions.block(chosen, shape[0]),
            features={name: pad(own[chosen], shape, 0.0) for name, own in self.features.items()},
            any_scale=pad(self.foreign[chosen], shape[:1], fill=False),
        )

    @property
    def foreign(self) -> Bool[ndarray, " B"]:
        """`[B]` for which questions the scores come from another retriever."""
        return np.broadcast_to(np.asarray(self.any_scale), (len(self),))

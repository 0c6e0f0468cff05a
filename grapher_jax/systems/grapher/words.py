"""How much of a question the names of tables and columns say, for every candidate.

Words weigh by how few of the question's own candidates have them, so that the lists of different
questions are read apart, and an index and a list of dicts alike.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.columns import columns_of
from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.collection import Collection
from grapher_jax.text import name_words
from grapher_jax.training.candidates import WORDS


def word_features(
    collection: Collection, questions: Sequence[str], rows: Int[ndarray, "B n"]
) -> Float[ndarray, "B n w"]:
    """What the names of tables and columns say of questions.

    Args:
        collection: what the candidates are rows of; what is read of it is kept with it.
        questions: B texts.
        rows: `[B, n]` the candidates, best first; -1 for none.

    Returns:
        `[B, n, WORDS]` float32: the share of the question's words that the table says, by its name
        or its columns; by its name alone; the share of its name that the question says; the share
        of the question's words that no better candidate says, and the same where one that m better
        ones say counts 1 / (1 + m); the largest share of a column's name that the question says,
        how many it says wholly, and how many in part, both as log(1 + m), and so the number of
        columns. All 0 where the metadata does not say that the object is a table (`table` or
        `columns`).
    """
    read: TableWords = collection.kept.get(_read, collection)
    return read.features(questions, rows)


@dataclass(frozen=True)
class Lists:
    """Lists of the numbers of words, one after the other.

    Attributes:
        starts: `[m + 1]` where each begins in `words`.
        words: `[total]`.
    """

    starts: Int[ndarray, " m_plus_1"]
    words: Int[ndarray, " total"]

    @classmethod
    def build(cls, lists: Iterable[Sequence[str]], numbers: dict[str, int]) -> "Lists":
        """Of words, of which new ones get the next numbers."""
        found = [[numbers.setdefault(word, len(numbers)) for word in own] for own in lists]
        starts = np.cumsum([0, *map(len, found)])
        return cls(starts, np.array([word for own in found for word in own], np.int64))

    def of(
        self, first: Int[ndarray, " p"], last: Int[ndarray, " p"]
    ) -> tuple[Int[ndarray, " t"], Int[ndarray, " t"]]:
        """The words of some runs of lists, and the number of the run that has each."""
        begins, ends = self.starts[first], self.starts[last]
        lengths = ends - begins
        owners = np.repeat(np.arange(len(first)), lengths)
        offsets = np.cumsum(lengths) - lengths
        return self.words[np.arange(len(owners)) + (begins - offsets)[owners]], owners


class TableWords:
    """The words of the names of tables and of their columns."""

    def __init__(self, objects: Sequence[Object]) -> None:
        """Read all names."""
        self._numbers: dict[str, int] = {}
        named = [columns_of(item) if _is_table(item) else () for item in objects]
        tables = [_name(item) if _is_table(item) else "" for item in objects]
        columns = [name_words(one.name) for own in named for one in own]
        said = [f"{one.name} {one.comment}" for own in named for one in own]
        self._columns_from = np.cumsum([0, *map(len, named)])
        texts = [
            name_words(" ".join([table, *said[first:last]]))
            for table, first, last in zip(
                tables, self._columns_from, self._columns_from[1:], strict=False
            )
        ]
        self._names = Lists.build(map(name_words, tables), self._numbers)
        self._texts = Lists.build(texts, self._numbers)
        self._columns = Lists.build(columns, self._numbers)

    def features(
        self, questions: Sequence[str], rows: Int[ndarray, "B n"]
    ) -> Float[ndarray, "B n w"]:
        """See `word_features`."""
        found = np.zeros((*rows.shape, WORDS), np.float32)
        places = np.flatnonzero(rows != EMPTY)
        own = rows.reshape(-1)[places].astype(np.int64)
        asker = places // rows.shape[1]
        asked = np.zeros((len(rows), len(self._numbers)), bool)
        for number, question in enumerate(questions):
            known = [self._numbers.get(word, EMPTY) for word in name_words(question)]
            asked[number, [word for word in known if word != EMPTY]] = True
        words, owners = self._texts.of(own, own + 1)
        weights = self._weights(rows, asker[owners], words)
        columns = _Columns(self, own)
        found.reshape(-1, WORDS)[places] = np.stack(
            [*self._said(asked, weights, asker, own), *columns.told(asked, weights, asker)], -1
        )
        return found

    def _weights(
        self, rows: Int[ndarray, "B n"], askers: Int[ndarray, " t"], words: Int[ndarray, " t"]
    ) -> Float[ndarray, "B v"]:
        """By how few of each question's candidates have a word; 0 where none has it."""
        size = len(self._numbers)
        having = np.bincount(askers * size + words, minlength=len(rows) * size)
        having = having.reshape(len(rows), size)
        counts = (rows != EMPTY).sum(1)[:, None]
        return np.where(having > 0, np.log((counts + 1) / (having + 0.5)), 0.0)

    def _said(
        self,
        asked: Bool[ndarray, "B v"],
        weights: Float[ndarray, "B v"],
        asker: Int[ndarray, " p"],
        own: Int[ndarray, " p"],
    ) -> list[Float[ndarray, " p"]]:
        """The first five numbers of `word_features`."""
        total = _at_least((asked * weights).sum(1))[asker]

        def summed(owners: Int[ndarray, " t"], values: Float[ndarray, " t"]) -> ndarray:
            return np.bincount(owners, values, minlength=len(own)).astype(float)

        words, owners = self._names.of(own, own + 1)
        weight = weights[asker[owners], words]
        whole = summed(owners, weight)
        by_name = summed(owners, weight * asked[asker[owners], words])
        words, owners = self._texts.of(own, own + 1)
        hit = asked[asker[owners], words]
        words, owners = words[hit], owners[hit]
        weight = weights[asker[owners], words]
        earlier = _earlier(asker[owners] * asked.shape[1] + words)
        return [
            summed(owners, weight) / total,
            by_name / total,
            by_name / _at_least(whole),
            summed(owners, weight * (earlier == 0)) / total,
            summed(owners, weight / (1 + earlier)) / total,
        ]


class _Columns:
    """The columns of some tables."""

    def __init__(self, read: TableWords, own: Int[ndarray, " p"]) -> None:
        first, last = read._columns_from[own], read._columns_from[own + 1]
        self._counts = last - first
        self._words, self._owners = read._columns.of(first, last)
        # Which column of all tables each word is of, for tables may be chosen twice.
        numbers = np.repeat(np.arange(len(read._columns.starts) - 1), np.diff(read._columns.starts))
        whose, _ = Lists(read._columns.starts, numbers).of(first, last)
        change = np.diff(whose, prepend=-1) != 0
        change |= np.diff(self._owners, prepend=-1) != 0
        self._starts = np.flatnonzero(change)

    def told(
        self,
        asked: Bool[ndarray, "B v"],
        weights: Float[ndarray, "B v"],
        asker: Int[ndarray, " p"],
    ) -> list[Float[ndarray, " p"]]:
        """The last four numbers of `word_features`."""
        size = len(self._counts)
        if not len(self._starts):
            return [np.zeros(size)] * 3 + [np.log1p(self._counts)]
        by = asker[self._owners]
        weight = weights[by, self._words]
        said = np.add.reduceat(weight * asked[by, self._words], self._starts)
        shares = said / _at_least(np.add.reduceat(weight, self._starts))
        owners = self._owners[self._starts]
        best = np.zeros(size)
        np.maximum.at(best, owners, shares)
        return [
            best,
            np.log1p(np.bincount(owners, shares > _WHOLE, minlength=size)),
            np.log1p(np.bincount(owners, shares**2, minlength=size)),
            np.log1p(self._counts),
        ]


# A share of a name that is all of it, but for rounding.
_WHOLE = 0.999
_SMALLEST = 1e-6


def _read(collection: Collection) -> TableWords:
    return TableWords(collection.objects)


def _is_table(item: Object) -> bool:
    return "table" in item.metadata or "columns" in item.metadata


def _name(item: Object) -> str:
    name = item.metadata.get("table")
    return name if isinstance(name, str) else item.title


def _at_least(values: Float[ndarray, " p"]) -> Float[ndarray, " p"]:
    """The values, none so small that it cannot be divided by."""
    return np.maximum(values, _SMALLEST)


def _earlier(keys: Int[ndarray, " t"]) -> Int[ndarray, " t"]:
    """How often each key stood before."""
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    found = np.empty(len(keys), np.int64)
    found[order] = np.arange(len(keys)) - np.repeat(first, np.diff(np.append(first, len(keys))))
    return found

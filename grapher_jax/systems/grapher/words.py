"""Word overlap between questions and the names of tables and columns.

The weight of a word depends on how few of the question's own candidates have it, so that questions
are independent of each other, and an index gives the same as a list of dicts.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.columns import columns_of, own_name, readable_names
from grapher_jax.corpus.objects import is_table
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.retrieve.collection import Collection
from grapher_jax.text import name_words
from grapher_jax.training.candidates import WORDS

# Of the features, those of names alone: what tables and columns are called, without what comments
# add, but where these say what cryptic names mean.
OF_NAMES = [1, 5]


def word_features(
    collection: Collection, questions: Sequence[str], rows: Int[ndarray, "B n"]
) -> Float[ndarray, "B n w"]:
    """Features of the word overlap of table and column names with questions.

    Args:
        collection: the collection of which candidates are rows; it caches what is read.
        questions: B texts.
        rows: `[B, n]` the candidates, best first; -1 for none.

    Returns:
        `[B, n, WORDS]` float32: the fraction of the question's words in the table's name or
        columns; in its name alone; the fraction of its name in the question; the fraction of the
        question's words that no better candidate has, and the same with a word that m better ones
        have counted as 1 / (1 + m); the largest fraction of a column's name in the question; the
        numbers m of columns wholly and partly in the question, both as log(1 + m), and of all
        columns likewise. All are 0 if the metadata does not say that the object is a table (`table`
        or `columns`).
    """
    read: TableWords = collection.kept.get(_read, collection)
    return read.features(questions, rows)


class TableWords:
    """The words of the names of tables and columns, as numbers."""

    def __init__(self, objects: Sequence[Object], spoken: str | None = None) -> None:
        """Read all names, in the language that is spoken; see `name_words`."""
        self._spoken = spoken
        named = [readable_names(item) for item in objects]
        tables, columns = [name for name, _ in named], [names for _, names in named]
        self._numbers: dict[str, int] = {}
        self._names = self._numbered(tables)
        self._texts = self._numbered(map(_told, objects))
        self._columns = self._numbered(name for own in columns for name in own)
        # The first column of each table, and the column of each word.
        self._first_columns = np.cumsum([0, *map(len, columns)])
        self._column_of = self._columns.owners

    def _numbered(self, texts: Iterable[str]) -> Ragged:
        """The words of texts as numbers; new words get the next numbers."""
        numbers = self._numbers
        return Ragged.build(
            [numbers.setdefault(word, len(numbers)) for word in name_words(text, self._spoken)]
            for text in texts
        )

    def features(
        self, questions: Sequence[str], rows: Int[ndarray, "B n"]
    ) -> Float[ndarray, "B n w"]:
        """See `word_features`."""
        places = np.flatnonzero(rows != EMPTY)
        own = rows.reshape(-1)[places].astype(np.int64)
        asker = places // rows.shape[1]
        at, owners = self._texts.runs(own, own + 1)
        words = self._texts.values[at]
        # The candidates' words alone are counted: an index may have a hundred times as many.
        present = np.zeros(len(self._numbers), bool)
        present[words] = True
        among = np.flatnonzero(present)
        half = len(rows) // 2
        if half and len(rows) * len(among) > _CELLS:
            parts = slice(half), slice(half, None)
            return np.concatenate([self.features(questions[own], rows[own]) for own in parts])
        # All others share the last number, whose weight is 0.
        renumbered = np.full(len(present), len(among))
        renumbered[among] = np.arange(len(among))
        asked = np.zeros((len(rows), len(among) + 1), bool)
        for number, question in enumerate(questions):
            said = name_words(question, self._spoken)
            known = [self._numbers[word] for word in said if word in self._numbers]
            asked[number, renumbered[known]] = True
        text = _Words(renumbered[words], owners, asker[owners])
        weights = _weights(text, rows, len(among) + 1)
        found = np.zeros((*rows.shape, WORDS), np.float32)
        found.reshape(-1, WORDS)[places] = np.stack(
            [
                *self._said(asked, weights, text, renumbered, asker, own),
                *self._columns_said(asked, weights, renumbered, asker, own),
            ],
            -1,
        )
        return found

    def _said(
        self,
        asked: Bool[ndarray, "B v"],
        weights: Float[ndarray, "B v"],
        text: "_Words",
        renumbered: Int[ndarray, " w"],
        asker: Int[ndarray, " p"],
        own: Int[ndarray, " p"],
    ) -> list[Float[ndarray, " p"]]:
        """The first five features of `word_features`."""
        total = _at_least((asked * weights).sum(1))[asker]

        def summed(owners: Int[ndarray, " t"], values: Float[ndarray, " t"]) -> ndarray:
            return np.bincount(owners, values, minlength=len(own)).astype(float)

        at, owners = self._names.runs(own, own + 1)
        name = _Words(renumbered[self._names.values[at]], owners, asker[owners])
        whole = summed(name.owners, weights[name.askers, name.words])
        name = name.where(asked)
        by_name = summed(name.owners, weights[name.askers, name.words])
        text = text.where(asked)
        weight = weights[text.askers, text.words]
        earlier = _earlier(text.askers * asked.shape[1] + text.words)
        return [
            summed(text.owners, weight) / total,
            by_name / total,
            by_name / _at_least(whole),
            summed(text.owners, weight * (earlier == 0)) / total,
            summed(text.owners, weight / (1 + earlier)) / total,
        ]

    def _columns_said(
        self,
        asked: Bool[ndarray, "B v"],
        weights: Float[ndarray, "B v"],
        renumbered: Int[ndarray, " w"],
        asker: Int[ndarray, " p"],
        own: Int[ndarray, " p"],
    ) -> list[Float[ndarray, " p"]]:
        """The last four features of `word_features`."""
        size = len(own)
        first, last = self._first_columns[own], self._first_columns[own + 1]
        at, owners = self._columns.runs(first, last)
        if not len(at):
            return [np.zeros(size)] * 3 + [np.log1p(last - first)]
        words, askers = renumbered[self._columns.values[at]], asker[owners]
        columns = self._column_of[at]
        # The same table may be a candidate of two questions.
        change = (np.diff(columns, prepend=-1) != 0) | (np.diff(owners, prepend=-1) != 0)
        starts = np.flatnonzero(change)
        weight = weights[askers, words]
        said = np.add.reduceat(weight * asked[askers, words], starts)
        shares = said / _at_least(np.add.reduceat(weight, starts))
        owners = owners[starts]
        best = np.zeros(size)
        np.maximum.at(best, owners, shares)
        return [
            best,
            np.log1p(np.bincount(owners, shares > _WHOLE, minlength=size)),
            np.log1p(np.bincount(owners, shares**2, minlength=size)),
            np.log1p(last - first),
        ]


class _Words(NamedTuple):
    """Words of candidates: their numbers, with the candidate and the question of each."""

    words: Int[ndarray, " t"]
    owners: Int[ndarray, " t"]
    askers: Int[ndarray, " t"]

    def where(self, asked: Bool[ndarray, "B v"]) -> "_Words":
        """The words that also occur in their question."""
        said = asked[self.askers, self.words]
        return _Words(*(values[said] for values in self))


def _weights(text: _Words, rows: Int[ndarray, "B n"], size: int) -> Float[ndarray, "B v"]:
    """The weight of words by how few of a question's candidates have them; 0 if none has it."""
    having = np.bincount(text.askers * size + text.words, minlength=len(rows) * size)
    having = having.reshape(len(rows), size)
    counts = (rows != EMPTY).sum(1)[:, None]
    return np.where(having > 0, np.log((counts + 1) / (having + 0.5)), 0.0)


# The minimum fraction of a name that counts as all of it, to allow for rounding.
_WHOLE = 0.999
_SMALLEST = 1e-6
# The maximum number of questions times words that are counted at once.
_CELLS = 1 << 24


def _read(collection: Collection) -> TableWords:
    return TableWords(collection.objects, collection.spoken)


def _told(item: Object) -> str:
    """The names of a table and its columns, and their comments; empty for other objects."""
    if not is_table(item):
        return ""
    comment = item.metadata.get("comment")
    columns = (f"{one.name} {one.told}" for one in columns_of(item))
    return " ".join([own_name(item), comment if isinstance(comment, str) else "", *columns])


def _at_least(values: Float[ndarray, " p"]) -> Float[ndarray, " p"]:
    """The values with a lower bound, so that one can divide by them."""
    return np.maximum(values, _SMALLEST)


def _earlier(keys: Int[ndarray, " t"]) -> Int[ndarray, " t"]:
    """How often each key occurred before."""
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    found = np.empty(len(keys), np.int64)
    found[order] = np.arange(len(keys)) - np.repeat(first, np.diff(np.append(first, len(keys))))
    return found

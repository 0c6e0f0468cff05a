"""Semantic similarity between questions and the names of tables and columns.

The similarity of a question's word and a table is the highest cosine of `word_vectors` with a word
of the table's names: "client" is near to `customer`, although the words are different.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.columns import readable_names
from grapher_jax.graph import EMPTY, Ragged
from grapher_jax.retrieve.collection import Collection
from grapher_jax.systems.grapher.word_vectors import shipped_vectors
from grapher_jax.text import STOP_WORDS, name_words, stop_words
from grapher_jax.training.candidates import MEANINGS

# The difference in cosine from the best candidate that reduces a feature by the factor e.
_NEAR = 0.2


def meaning_features(
    collection: Collection, questions: Sequence[str], rows: Int[ndarray, "B n"]
) -> Float[ndarray, "B n m"]:
    """Features of the similarity of table and column names to questions.

    Args:
        collection: the collection of which candidates are rows; it caches what is read.
        questions: B texts.
        rows: `[B, n]` the candidates, best first; -1 for none.

    Returns:
        `[B, n, MEANINGS]` float32. The first five are means over the question's words without stop
        words, with more weight for rare words: how the table's names compare with the nearest
        candidate's, `exp(-difference / 0.2)`; the same with only the table's own name; the
        similarity of its names; the similarity of its own name; and how much nearer it is than all
        better candidates. The last one is the mean, over the words of its own name, of the
        question's similarity. All are 0 if the metadata does not say that the object is a table.
    """
    read: TableMeanings = collection.kept.get(_read, collection)
    return read.features(questions, rows)


class TableMeanings:
    """The words of tables, with their vectors."""

    def __init__(self, objects: Sequence[Object], spoken: str | None = None) -> None:
        """Read all names; stop words are those of English, and of the language that is spoken."""
        self._stop = STOP_WORDS if spoken is None else STOP_WORDS | stop_words(spoken)
        numbers: dict[str, int] = {}

        def numbered(text: str) -> list[int]:
            return [numbers.setdefault(word, len(numbers)) for word in name_words(text)]

        own, columns = zip(*map(readable_names, objects), strict=True) if objects else ((), ())
        names = [numbered(name) for name in own]
        texts = [
            [*dict.fromkeys([*name, *(n for one in of for n in numbered(one))])]
            for name, of in zip(names, columns, strict=True)
        ]
        self._names, self._texts = Ragged.build(names), Ragged.build(texts)
        self._vectors, _ = shipped_vectors().embed([*numbers])

    def features(
        self, questions: Sequence[str], rows: Int[ndarray, "B n"]
    ) -> Float[ndarray, "B n m"]:
        """See `meaning_features`."""
        found = np.zeros((*rows.shape, MEANINGS), np.float32)
        for number, question in enumerate(questions):
            places = np.flatnonzero(rows[number] != EMPTY)
            places = places[self._texts.filled[rows[number, places]]]
            said = name_words(question)
            asked = [word for word in said if word not in self._stop] or said
            if len(places) and asked:
                found[number, places] = self._of_question(asked, rows[number, places])
        return found

    def _of_question(
        self, asked: Sequence[str], tables: Int[ndarray, " p"]
    ) -> Float[ndarray, "p m"]:
        """The features of one question's candidates, from its words."""
        vectors, weights = shipped_vectors().embed(asked)
        weights /= max(weights.sum(), 1e-6)
        at, text_owners = self._texts.runs(tables, tables + 1)
        texts = self._texts.values[at]
        at, name_owners = self._names.runs(tables, tables + 1)
        names = self._names.values[at]
        # In a large collection, only few words belong to the candidates.
        mine = np.zeros(len(self._vectors), bool)
        mine[texts] = True
        place = np.cumsum(mine) - 1
        near = self._vectors[mine] @ vectors.T
        text = _nearest(near[place[texts]], text_owners, len(tables))
        name = _nearest(near[place[names]], name_owners, len(tables))
        before = np.vstack([np.zeros_like(text[:1]), text[:-1]])
        better = np.maximum(text - np.maximum.accumulate(before), 0)
        reached = np.bincount(name_owners, near.max(1)[place[names]], minlength=len(tables))
        sizes = np.maximum(np.bincount(name_owners, minlength=len(tables)), 1)
        columns = [_as_near(text), _as_near(name), text, name, better]
        # Not `@`, which warns if the processor reports invalid numbers: the library for such
        # products may leave a report where all numbers are valid.
        return np.stack([*(one.dot(weights) for one in columns), reached / sizes], 1)


def _nearest(
    near: Float[ndarray, "t q"], owners: Int[ndarray, " t"], tables: int
) -> Float[ndarray, "p q"]:
    """The similarity of each table to each word of the question; 0 if the table has no words."""
    found = np.zeros((tables, near.shape[1]), np.float32)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    if len(starts):
        found[owners[starts]] = np.maximum.reduceat(near, starts)
    return found


def _as_near(near: Float[ndarray, "p q"]) -> Float[ndarray, "p q"]:
    """1 for the nearest table, and a factor e less for each `_NEAR` of additional distance."""
    return np.exp((near - near.max(0)) / _NEAR)


def _read(collection: Collection) -> TableMeanings:
    return TableMeanings(collection.objects, collection.spoken)

"""BM25 with weights that are computed when a question needs them.

Only the counts of each term in each object are stored. Everything else (how rare a term is, how
long objects are) changes with every added or deleted object, and is cheap to compute for a
question's few terms. The formulas are those of rank-bm25 and bm25s, which agree to float32.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError, require
from grapher_jax.graph.ragged import EMPTY
from grapher_jax.graph.stacked import Places
from grapher_jax.text import NO_WORD, READING, Reading

if TYPE_CHECKING:
    from scipy.sparse import csr_array


BM25_PLUS = "bm25+"
LEXICAL_VARIANTS = (BM25_PLUS, "bm25l", "okapi")
LEXICAL_ENGINES = ("rank-bm25", "bm25s")
# So many words of a question are looked for in candidates.
WORDS = 32
# Which of these words objects have, and how rare they are; see `LexicalIndex.words_in`.
WordsIn = tuple[Bool[ndarray, "B n w"], Float[ndarray, "B w"]]
# The defaults of rank-bm25: the δ of BM25+ and of BM25L; and for Okapi, the fraction of the average
# IDF that a term in most objects gets.
_K1, _B, _DELTA_PLUS, _DELTA_L, _EPSILON = 1.5, 0.75, 1.0, 0.5, 0.25


@dataclass(frozen=True)
class Counts:
    """How often each term occurs in each of n texts.

    Attributes:
        terms: each term's row.
        found: counts, term × text, in float32, which is exact up to 2²⁴; the texts of a row are
            ascending.
        lengths: `[n]` the number of words of each text.
    """

    terms: dict[str, int]
    found: "csr_array"
    lengths: Int[ndarray, " n"]

    @classmethod
    def of(cls, texts: Iterable[Sequence[str]]) -> "Counts":
        """Count the words of texts."""
        terms: dict[str, int] = {}
        rows: list[int] = []
        times: list[int] = []
        different, lengths = [], []
        for words in texts:
            counted = Counter(words)
            rows += [terms.setdefault(word, len(terms)) for word in counted]
            times += counted.values()
            different.append(len(counted))
            lengths.append(len(words))
        columns = np.repeat(np.arange(len(lengths)), different)
        found = _matrix(
            np.array(rows, int), columns, np.array(times, int), (len(terms), len(lengths))
        )
        return cls(terms, found, np.array(lengths, np.int64))

    def frequency(self, texts: Int[ndarray, " m"]) -> Int[ndarray, " terms"]:
        """In how many of the given texts each term occurs."""
        if len(texts) == len(self.lengths):
            return np.diff(self.found.indptr)
        counted = np.zeros(len(self.lengths), bool)
        counted[texts] = True
        before = np.cumsum(np.concatenate([[0], counted[self.found.indices]]))
        return np.diff(before[self.found.indptr])


@dataclass(frozen=True)
class _Term:
    """What a term adds to the scores of objects.

    Attributes:
        places: `[n]` the objects that have it.
        weights: `[n]` what it adds to their scores.
        always: what it adds to the scores of all objects, with or without it.
    """

    places: Int[ndarray, " n"]
    weights: Float[ndarray, " n"]
    always: float


@dataclass(frozen=True)
class LexicalIndex:
    """The counts of terms in every object, with BM25 scores computed from them.

    Attributes:
        parts: the counts of all objects, one part after the other.
        places: which of these objects are not deleted.
        engine: the library whose BM25 it computes: the two agree, and bm25s lacks Okapi.
        variant: the variant of BM25, one of `LEXICAL_VARIANTS`.
        reading: how texts and questions are read.
    """

    parts: tuple[Counts, ...]
    places: Places
    engine: str = LEXICAL_ENGINES[0]
    variant: str = BM25_PLUS
    reading: Reading = READING

    @classmethod
    def build(
        cls,
        texts: Iterable[str],
        *,
        engine: str = LEXICAL_ENGINES[0],
        variant: str = BM25_PLUS,
        reading: Reading = READING,
    ) -> "LexicalIndex":
        """BM25 with rank-bm25's defaults: k1 = 1.5, b = 0.75, and δ = 1 for BM25+, 0.5 for BM25L.

        Args:
            texts: one per object.
            engine: `rank-bm25` or `bm25s`, which agree to float32.
            variant: `bm25+`, `bm25l`, or `okapi`, which only rank-bm25 has.
            reading: see `LexicalIndex`.

        Raises:
            InputError: for an unknown engine or variant.
        """
        check_choice("lexical", engine, LEXICAL_ENGINES)
        check_choice("lexical_variant", variant, LEXICAL_VARIANTS)
        if engine == "bm25s" and variant == "okapi":
            raise InputError("lexical_variant: bm25s has no 'okapi' of rank-bm25; use that engine")
        counts = Counts.of(map(reading.tokens, texts))
        return cls((counts,), Places.whole(len(counts.lengths)), engine, variant, reading)

    def changed(self, gone: Int[ndarray, " m"], texts: Sequence[str]) -> "LexicalIndex":
        """The same without some objects, and with new ones appended.

        Args:
            gone: the rows to leave out.
            texts: one per new object.
        """
        parts, places = self.parts, self.places.changed(gone, len(texts))
        if texts:
            parts = (*parts, Counts.of(map(self.reading.tokens, texts)))
        return replace(self, parts=parts, places=places)

    def merged(self, first: int = 0) -> Counts:
        """The counts of the parts from `first` on, merged into one."""
        if first:
            behind = replace(self, parts=self.parts[first:], places=self.places.behind(first))
            return behind.merged()
        if len(self.parts) == 1 and self.places.complete:
            return self.parts[0]
        terms = {term: row for row, term in enumerate(self.terms)}
        rows, columns, times = [], [], []
        for counts, start in zip(self.parts, self.places.starts, strict=True):
            numbers = np.array([terms.get(term, EMPTY) for term in counts.terms], np.int64)
            texts = self.places.numbers[start + counts.found.indices]
            kept = texts != EMPTY
            rows.append(np.repeat(numbers, np.diff(counts.found.indptr))[kept])
            columns.append(texts[kept])
            times.append(counts.found.data[kept])
        shape = len(terms), len(self.places)
        each = [np.concatenate(lists) for lists in (rows, columns, times)]
        found = _matrix(each[0], each[1], each[2], shape)
        return Counts(terms, found, self._lengths[self.places.rows])

    def scores(self, questions: Sequence[str]) -> "LexicalScores":
        """BM25 of every object for every question."""
        asked = [*map(self._asked, questions)]
        known = {word: self._term(word) for word in set().union(*asked) if self._objects(word)}
        present = np.zeros((len(asked), self.places.total), np.float32)
        absent = np.zeros(len(asked))
        for number, words in enumerate(asked):
            own = present[number]
            for word, times in words.items():
                if (term := known.get(word)) is not None:
                    # Positions are unique, so plain indexing works; a sparse product takes twice
                    # the time.
                    own[term.places] += times * term.weights
                    absent[number] += times * term.always
            # Deleted objects must be neither the lowest nor the highest.
            own[self.places.dead] = own[self.places.rows[0]]
        return LexicalScores(present, absent.astype(np.float32), self.places)

    def scores_of(
        self, questions: Sequence[str], rows: Int[ndarray, "B n"]
    ) -> Float[ndarray, "B n"]:
        """`[B, n]` float32: BM25 of given objects for every question; as `scores`, in less time.

        Args:
            questions: the questions.
            rows: the objects to score for each of them.
        """
        found = np.zeros(rows.shape, np.float32)
        for own, question, places in zip(found, questions, self.places.rows[rows], strict=True):
            asked = self._asked(question)
            known = {word: objects for word in asked if (objects := self._objects(word))}
            if known:
                times = np.array([[asked[word]] for word in known], np.float32)
                rarity = self._rarities(np.array([*known.values()]))[:, None]
                often = np.stack([self._often(word, places) for word in known])
                weights = self._weights(rarity, often, places) + rarity * self._floor
                own += (times * weights).sum(axis=0, dtype=np.float32)
        return found

    def words_in(self, questions: Sequence[str], rows: Int[ndarray, "B n"]) -> WordsIn:
        """Which of each question's words some objects have, and how rare each word is.

        Args:
            questions: the questions.
            rows: objects for each of them; -1 for none, which has no words.

        Returns:
            `[B, n, w]`, and `[B, w]` float32, the rarity as it counts in scores; 0 for padding. Of
            a question with more than w words, the rarest are taken. A word of the first object is
            not looked up in the others, since it raises none of them.
        """
        has = np.zeros((*rows.shape, WORDS), bool)
        rarity = np.zeros((len(rows), WORDS), np.float32)
        for number, question in enumerate(questions):
            known = {word: n for word in self._asked(question) if (n := self._objects(word))}
            rarest = sorted(known, key=known.__getitem__)[:WORDS]
            if rarest:
                counts = np.array([known[word] for word in rarest])
                rarity[number, : len(rarest)] = np.maximum(self._rarities(counts), 0.0)
            places = self.places.rows[rows[number]]
            for place, word in enumerate(rarest):
                has[number, :1, place] = self._often(word, places[:1]) > 0
                if not has[number, :1, place].any():
                    has[number, :, place] = self._often(word, places) > 0
        return has & (rows != EMPTY)[..., None], rarity

    def _asked(self, question: str) -> Counter[str]:
        return Counter(self.reading.tokens(self.reading.asked(question)))

    def having(self, text: str) -> Int[ndarray, " m"]:
        """The rows of objects that have all words of a text, ascending.

        Stop words do not count, nor does a word that no object ever had; without others, all rows.
        """
        # Beside a word that no object has, stop words are left out even if there are no others.
        words = {*self.reading.tokens(f"{text} {NO_WORD}")}
        counts = {word: sum(len(texts) for _, texts, _ in self._postings(word)) for word in words}
        if not any(counts.values()):
            return np.arange(len(self.places))
        rarest, *others = sorted(filter(counts.get, counts), key=lambda word: (counts[word], word))
        own = [start + texts.astype(np.intp) for start, texts, _ in self._postings(rarest)]
        places = np.concatenate(own)
        for word in others:
            places = places[self._often(word, places) > 0]
        rows = self.places.numbers[places]
        return rows[rows != EMPTY]

    def _often(self, word: str, places: Int[ndarray, " n"]) -> Float[ndarray, " n"]:
        """How often a word occurs in the objects at given positions."""
        often = np.zeros(len(places), np.float32)
        for start, texts, times in self._postings(word):
            # Of another type, they would convert every text that has the word.
            wanted = (places - start).astype(texts.dtype)
            at = texts.searchsorted(wanted)
            at[at == len(texts)] = 0
            has = texts[at] == wanted
            often[has] = times[at[has]]
        return often

    def _postings(
        self, word: str
    ) -> Iterator[tuple[int, Int[ndarray, " n"], Float[ndarray, " n"]]]:
        """By part: its first position, the texts in it that have a word, and how often."""
        for counts, start in zip(self.parts, self.places.starts.tolist(), strict=True):
            if (row := counts.terms.get(word)) is not None:
                own = slice(*counts.found.indptr[row : row + 2])
                yield start, counts.found.indices[own], counts.found.data[own]

    def _term(self, word: str) -> _Term:
        """What a word adds that occurs in at least one object."""
        places, often = [], []
        for start, texts, times in self._postings(word):
            places.append(start + texts.astype(np.intp))
            often.append(times)
        (rarity,) = self._rarities(np.array([self._objects(word)])).tolist()
        found = np.concatenate(places)
        weights = self._weights(rarity, np.concatenate(often), found)
        return _Term(found, weights, rarity * self._floor)

    def _weights(
        self,
        rarity: float | Float[ndarray, "t 1"],
        often: Float[ndarray, "*t n"],
        places: Int[ndarray, " n"],
    ) -> Float[ndarray, "*t n"]:
        """What words add to the scores of objects that have them this often."""
        weights = often * self._shortness[places] + np.float32(self._frequency_shift)
        weights /= weights + np.float32(_K1)
        weights -= np.float32(self._saturated_zero)
        weights *= np.multiply(rarity, _K1 + 1, dtype=np.float32)
        return weights

    @property
    def _frequency_shift(self) -> float:
        """δ of BM25L, added to each term's normalised frequency; 0 for other variants."""
        return _DELTA_L if self.variant == "bm25l" else 0.0

    @property
    def _floor(self) -> float:
        """What a word adds to the score of every object, as a share of its rarity."""
        return _DELTA_PLUS if self.variant == BM25_PLUS else self._saturated_zero * (_K1 + 1)

    @property
    def _saturated_zero(self) -> float:
        """The saturated frequency of an absent term, which is above 0 with BM25L."""
        return self._frequency_shift / (_K1 + self._frequency_shift)

    def _objects(self, word: str) -> int:
        """The number of objects that have a word."""
        parts = zip(self.parts, self._frequencies, strict=True)
        return sum(int(own[counts.terms[word]]) for counts, own in parts if word in counts.terms)

    def _rarities(self, objects: Int[ndarray, " n"]) -> Float[ndarray, " n"]:
        """The rarity of terms that this many objects have, as it counts in scores."""
        rarity = self._rarity(objects)
        return np.where(rarity < 0, self._least_rarity, rarity) if (rarity < 0).any() else rarity

    def _rarity(self, objects: Int[ndarray, " n"]) -> Float[ndarray, " n"]:
        """The inverse document frequency of terms that this many objects have."""
        every = len(self.places)
        if self.variant == BM25_PLUS:
            return np.log((every + 1) / objects)
        if self.variant == "bm25l":
            return np.log((every + 1) / (objects + 0.5))
        return np.log((every - objects + 0.5) / (objects + 0.5))

    @cached_property
    def _least_rarity(self) -> float:
        """The value that Okapi uses instead of a negative IDF, which terms in most objects have."""
        return _EPSILON * float(self._rarity(np.array([*map(self._objects, self.terms)])).mean())

    @cached_property
    def _shortness(self) -> Float[ndarray, " places"]:
        """The factor of a term's frequency at every position: higher for short texts."""
        average = self._lengths[self.places.rows].mean() or 1.0
        return (1 / (1 - _B + _B * self._lengths / average)).astype(np.float32)

    @cached_property
    def _lengths(self) -> Int[ndarray, " places"]:
        return np.concatenate([counts.lengths for counts in self.parts])

    @cached_property
    def _frequencies(self) -> list[Int[ndarray, " terms"]]:
        """For each part, the number of objects that have each of its terms."""
        return [own.frequency(self.places.part(n)) for n, own in enumerate(self.parts)]

    @cached_property
    def terms(self) -> Collection[str]:
        """The terms that occur in any object."""
        parts = zip(self.parts, self._frequencies, strict=True)
        return dict.fromkeys(
            term
            for counts, own in parts
            for term, objects in zip(counts.terms, own.tolist(), strict=True)
            if objects
        )


@dataclass(frozen=True)
class LexicalScores:
    """The BM25 scores of all objects for some questions.

    Attributes:
        present: `[B, positions]` what the terms in the object add; deleted objects have the value
            of another one.
        absent: `[B]` what every object gets.
        places: which positions are not deleted.
    """

    present: Float[ndarray, "B places"]
    absent: Float[ndarray, " B"]
    places: Places

    @property
    def all(self) -> Float[ndarray, "B N"]:
        """`[B, N]` float32: the scores of all objects."""
        return self.at(slice(None) if self.places.complete else self.places.rows)

    def at(self, places: slice | Int[ndarray, " m"]) -> Float[ndarray, "B m"]:
        """`[B, m]` float32: the scores at some positions."""
        return self.present[:, places] + self.absent[:, None]

    def add(
        self,
        named: Iterable[tuple[Int[ndarray, " m"], Float[ndarray, " m"]]],
        by: Float[ndarray, " B"],
    ) -> None:
        """Add to the scores of some objects of each question, in place; `bounds` change with them.

        Args:
            named: rows of each question, and the part of `by` that each gets.
            by: for each question.
        """
        for own, (rows, parts), most in zip(self.present, named, by, strict=True):
            own[self.places.rows[rows]] += parts * most

    @property
    def bounds(self) -> tuple[Float[ndarray, " B"], Float[ndarray, " B"]]:
        """`[B]` the lowest and the highest score of any object."""
        return self.present.min(axis=1) + self.absent, self.present.max(axis=1) + self.absent


def _matrix(
    rows: Int[ndarray, " n"],
    columns: Int[ndarray, " n"],
    values: Int[ndarray, " n"] | Float[ndarray, " n"],
    shape: tuple[int, int],
) -> "csr_array":
    """A sparse float32 matrix with sorted columns in each row."""
    pairs = rows.astype(np.int32), columns.astype(np.int32)
    made = require("scipy.sparse").csr_array((values.astype(np.float32), pairs), shape=shape)
    made.sort_indices()
    found: csr_array = made
    return found

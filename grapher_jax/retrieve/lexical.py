"""BM25 as one sparse product.

rank-bm25 or bm25s takes the statistics, once; each term's weight in each object is then a number
that no query changes, so scoring a batch is a query × term matrix times a term × object matrix.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError, require
from grapher_jax.text import READING, Reading

if TYPE_CHECKING:
    from scipy.sparse import csr_array


BM25_PLUS = "bm25+"
LEXICAL_VARIANTS = (BM25_PLUS, "bm25l", "okapi")
Statistics: TypeAlias = "tuple[dict[str, int], csr_array, Float[ndarray, ' terms']]"


@dataclass(frozen=True)
class LexicalIndex:
    """BM25 weights of every term in every object.

    Attributes:
        terms: each term's row.
        weights: term × object, float32; 0 where the term is absent.
        absent: `[terms]` what BM25Plus gives every object for a term of the query, present or not.
        engine: which library took the statistics.
        variant: of BM25, one of `LEXICAL_VARIANTS`.
        reading: how texts and questions are read.
    """

    terms: dict[str, int]
    weights: "csr_array"
    absent: Float[ndarray, " terms"]
    engine: str
    variant: str = BM25_PLUS
    reading: Reading = READING

    @classmethod
    def build(
        cls,
        texts: Iterable[str],
        *,
        engine: str = "rank-bm25",
        variant: str = BM25_PLUS,
        reading: Reading = READING,
    ) -> "LexicalIndex":
        """Weights with rank-bm25's defaults: k1 = 1.5, b = 0.75, and δ = 1 of BM25+, 0.5 of BM25L.

        Args:
            texts: one an object.
            engine: which library takes the statistics, `rank-bm25` or `bm25s`, which agree to
                float32.
            variant: `bm25+`, `bm25l`, or `okapi`, which rank-bm25 alone has.
            reading: see `LexicalIndex`.

        Raises:
            InputError: for an unknown engine or variant.
        """
        check_choice("lexical", engine, LEXICAL_ENGINES)
        check_choice("lexical_variant", variant, LEXICAL_VARIANTS)
        sparse = require("scipy.sparse")
        tokens = [*map(reading.tokens, texts)]
        if not any(tokens):
            nothing = sparse.csr_array((0, len(tokens)), dtype=np.float32)
            return cls({}, nothing, np.zeros(0), engine, variant, reading)
        return cls(*_ENGINES[engine](tokens, variant), engine, variant, reading)

    def scores(self, questions: Sequence[str]) -> "LexicalScores":
        """BM25 of every object for every question."""
        sparse = require("scipy.sparse")
        asked = [*map(self.reading.tokens, questions)]
        counts = [Counter(term for term in terms if term in self.terms) for terms in asked]
        starts = np.cumsum([0] + [len(c) for c in counts])
        columns = np.array([self.terms[term] for c in counts for term in c], np.int64)
        repeats = np.array([n for c in counts for n in c.values()], np.float32)
        batch = sparse.csr_array(
            (repeats, columns, starts), shape=(len(questions), len(self.terms))
        )
        present = batch @ self.weights
        absent = (batch @ self.absent).astype(np.float32)
        low, high = (_extreme(bound, present) + absent for bound in (np.minimum, np.maximum))
        return LexicalScores(present, absent, (low, high))


@dataclass(frozen=True)
class LexicalScores:
    """BM25 of all objects for some questions, of which only those that share a term are held.

    Attributes:
        present: question × object, float32: what the terms in the object add.
        absent: `[B]` what every object has.
        bounds: `[B]` the lowest and the highest score of any.
    """

    present: "csr_array"
    absent: Float[ndarray, " B"]
    bounds: tuple[Float[ndarray, " B"], Float[ndarray, " B"]]

    @property
    def all(self) -> Float[ndarray, "B N"]:
        """`[B, N]` float32: the scores of all objects."""
        return self.present.toarray() + self.absent[:, None]

    def at(self, objects: slice | Int[ndarray, " m"]) -> Float[ndarray, "B m"]:
        """`[B, m]` float32: the scores of some objects."""
        found: csr_array = self.present[:, objects]  # type: ignore[index]
        return found.toarray() + self.absent[:, None]


def _extreme(bound: np.ufunc, matrix: "csr_array") -> Float[ndarray, " B"]:
    """The lowest or highest of every row; scipy sorts the rows first, which costs more."""
    held, size = np.diff(matrix.indptr), matrix.shape[1]
    found = np.zeros(len(held), np.float32)
    found[held > 0] = bound.reduceat(matrix.data, matrix.indptr[:-1][held > 0])
    # What a row does not hold is 0.
    return np.where(held < size, bound(found, 0), found)


def _by_rank_bm25(tokens: Sequence[Sequence[str]], variant: str) -> Statistics:
    module = require("rank_bm25")
    variants = module.BM25Plus, module.BM25L, module.BM25Okapi
    bm25 = dict(zip(LEXICAL_VARIANTS, variants, strict=True))[variant](tokens)
    terms = {term: row for row, term in enumerate(sorted(bm25.idf))}
    idf = np.array([bm25.idf[term] for term in terms])
    rows = np.array([terms[term] for counts in bm25.doc_freqs for term in counts])
    columns = np.repeat(np.arange(len(tokens)), [len(counts) for counts in bm25.doc_freqs])
    frequency = np.array([f for counts in bm25.doc_freqs for f in counts.values()], float)
    length = np.array(bm25.doc_len)[columns] / bm25.avgdl
    shortened = frequency / (1 - bm25.b + bm25.b * length)
    # BM25L moves a term's frequency up, BM25+ what it adds; both also where the term is absent.
    moved = bm25.delta if variant == "bm25l" else 0.0
    absent = moved / (bm25.k1 + moved) * (bm25.k1 + 1) * idf
    if variant == BM25_PLUS:
        absent = bm25.delta * idf
    present = (shortened + moved) / (bm25.k1 + shortened + moved)
    values = idf[rows] * (bm25.k1 + 1) * (present - moved / (bm25.k1 + moved))
    weights = require("scipy.sparse").csr_array(
        (values.astype(np.float32), (rows, columns)), shape=(len(terms), len(tokens))
    )
    return terms, weights, absent


def _by_bm25s(tokens: Sequence[Sequence[str]], variant: str) -> Statistics:
    if variant == "okapi":
        raise InputError("lexical_variant: bm25s has no 'okapi' of rank-bm25; use that engine")
    terms = {term: row for row, term in enumerate(sorted(set().union(*tokens)))}
    numbered = [[terms[token] for token in words] for words in tokens]
    bm25 = require("bm25s").BM25(
        method=variant, k1=1.5, b=0.75, delta=1.0 if variant == BM25_PLUS else 0.5
    )
    bm25.index((numbered, terms), create_empty_token=False, show_progress=False)
    # A column of bm25s is a term.
    parts = (bm25.scores["data"], bm25.scores["indices"], bm25.scores["indptr"])
    weights = require("scipy.sparse").csr_array(parts, shape=(len(terms), len(tokens)))
    return terms, weights, bm25.nonoccurrence_array


_ENGINES: dict[str, Callable[[Sequence[Sequence[str]], str], Statistics]] = {
    "rank-bm25": _by_rank_bm25,
    "bm25s": _by_bm25s,
}
LEXICAL_ENGINES = tuple(_ENGINES)

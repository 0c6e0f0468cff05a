"""The options of the base retriever: declared, explained and checked for all interfaces."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypedDict, Unpack

from jaxtyping import Float
from numpy import minimum, ndarray, where

from grapher_jax.checks import check_choice, check_count, check_share

CANDIDATES = 200
MIN_MAX = "min-max"
LEXICAL_NORMS = (MIN_MAX, "max")


class BaseFinding(TypedDict, total=False):
    """Given options of the base retriever (`RetrievalOptions`); None for the index's own."""

    candidates: int | None
    lexical_weight: float | None
    lexical_norm: str | None
    title_weight: float | None


class Finding(BaseFinding, total=False):
    """Given options of how candidates are found, with those for expansion."""

    expand: bool | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class RetrievalOptions:
    """How many objects the base retriever returns, and how it fuses BM25 and cosine.

    The defaults are GraphER's (section 3.1), which does not specify how BM25 is normalised, and
    which has no `title_weight`.

    Attributes:
        candidates: how many objects are returned for ranking.
        lexical_weight: the weight of BM25, in [0, 1]; the cosine has the rest, and 0 means purely
            dense search.
        lexical_norm: how BM25 is scaled to [0, 1] over all objects of the index: `min-max` maps the
            lowest score to 0, `max` only divides by the highest. BM25+ gives a score even to
            objects without any word of the question; `max` keeps it, `min-max` removes it.
        title_weight: in [0, 1], the part of BM25's range that is added to the BM25 score of an
            object whose title the question names; objects with the same title share it, and an
            object whose id it says gains twice as much. The question's scores are then divided by
            a constant, so that none exceeds 1. Tables gain by neither, and purely dense search
            reads neither.

    Raises:
        InputError: for a value of a wrong type or out of its range.
    """

    candidates: int = CANDIDATES
    lexical_weight: float = 0.3
    lexical_norm: str = MIN_MAX
    title_weight: float = 0.5

    def __post_init__(self) -> None:
        checked = {
            "candidates": check_count("candidates", self.candidates),
            "lexical_weight": check_share("lexical_weight", self.lexical_weight),
            "lexical_norm": check_choice("lexical_norm", self.lexical_norm, LEXICAL_NORMS),
            "title_weight": check_share("title_weight", self.title_weight),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)

    def given(self, **given: Unpack[BaseFinding]) -> "RetrievalOptions":
        """These options, with values replaced that are not None."""
        told: dict[str, Any] = {name: one for name, one in given.items() if one is not None}
        return replace(self, **told)

    def bounds(
        self, low: Float[ndarray, " B"], high: Float[ndarray, " B"]
    ) -> tuple[Float[ndarray, " B"], Float[ndarray, " B"]]:
        """`[B]` the scores mapped to 0 and to 1, from the lowest and the highest BM25 score."""
        # Okapi scores may be negative.
        low = low if self.lexical_norm == MIN_MAX else minimum(low, 0)
        # Where all are equal, what a title adds still has a unit.
        return low, where(high == low, low + 1, high)


GRAPHER = RetrievalOptions(title_weight=0.0)
OF_TEXTS = RetrievalOptions()
# Chosen on the training splits of BIRD and Spider, see docs/decisions.md.
OF_TABLES = RetrievalOptions(lexical_weight=0.2)

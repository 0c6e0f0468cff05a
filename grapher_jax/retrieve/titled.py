"""The objects whose titles a question names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.corpus.titles import Titles
from grapher_jax.graph.names import Names, letters
from grapher_jax.graph.ragged import Ragged
from grapher_jax.text import STOP_WORDS


@dataclass(frozen=True)
class Titled:
    """The titles of objects, to be found in questions.

    Attributes:
        vocabulary: each title once, as `read_title` gives it; some may no longer be borne.
        bearers: for each title, the rows of the objects that have it.
    """

    vocabulary: Sequence[str]
    bearers: Ragged

    @classmethod
    def of(cls, titles: Names) -> "Titled":
        """From the title of each object, if it has one."""
        lists, vocabulary = titles.lists, letters(titles.vocabulary)
        return cls(vocabulary, Ragged.from_pairs(lists.values, lists.owners, len(vocabulary)))

    def shares(self, question: str) -> tuple[Int[ndarray, " m"], Float[ndarray, " m"]]:
        """The objects whose titles a question names, and the part of the title that each has.

        Stop words name nothing.

        Returns:
            the rows, ascending; and 1 for an object that alone has its title, ½ for two, and so on.
        """
        found = self._titles.in_text(question)
        said = [one for one in found if not STOP_WORDS.issuperset(one.casefold().split())]
        lists = [self.bearers.at(self._numbers[one]) for one in said]
        if not any(map(len, lists)):
            return np.zeros(0, np.int32), np.zeros(0, np.float32)
        rows = np.concatenate(lists)
        shares = np.concatenate([np.full(len(own), 1 / max(1, len(own))) for own in lists])
        order = np.argsort(rows)
        return rows[order], shares[order].astype(np.float32)

    @cached_property
    def _titles(self) -> Titles:
        return Titles(self.vocabulary)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {title: number for number, title in enumerate(self.vocabulary)}

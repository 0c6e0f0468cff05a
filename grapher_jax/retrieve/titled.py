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
from grapher_jax.text import READING, Reading

# The rows of objects, ascending, and what each has of a title that a question names.
Shares = tuple[Int[ndarray, " m"], Float[ndarray, " m"]]
NOTHING: Shares = (np.zeros(0, np.int32), np.zeros(0, np.float32))


@dataclass(frozen=True)
class Titled:
    """The titles of objects, to be found in questions.

    Attributes:
        vocabulary: each title once, as `read_title` gives it; some may no longer be borne.
        bearers: for each title, the rows of the objects that have it.
        reading: knows the stop words, which name nothing.
    """

    vocabulary: Sequence[str]
    bearers: Ragged
    reading: Reading = READING

    @classmethod
    def of(cls, titles: Names, reading: Reading = READING) -> "Titled":
        """From the title of each object, if it has one."""
        lists, vocabulary = titles.lists, letters(titles.vocabulary)
        bearers = Ragged.from_pairs(lists.values, lists.owners, len(vocabulary))
        return cls(vocabulary, bearers, reading)

    def shares(self, question: str) -> Shares:
        """The objects whose titles a question names, and the part of the title that each has.

        A title of stop words alone is not looked for.

        Returns:
            1 for an object that alone has its title, ½ for each of two, and so on.
        """
        found = filter(self.reading.says, self._titles.in_text(question))
        lists = [self.bearers.at(self._numbers[one]) for one in found]
        if not any(map(len, lists)):
            return NOTHING
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

"""The objects that a question names, by their titles or ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.corpus.titles import Titles
from grapher_jax.graph.names import Names, letters
from grapher_jax.graph.ragged import Ragged
from grapher_jax.retrieve.ids_in_questions import Called
from grapher_jax.text import READING, Reading

# The rows of objects, ascending, and what each has of what a question names.
Shares = tuple[Int[ndarray, " m"], Float[ndarray, " m"]]
NOTHING: Shares = (np.zeros(0, np.int32), np.zeros(0, np.float32))


@dataclass(frozen=True)
class Titled:
    """The titles and ids of objects, to be found in questions.

    Attributes:
        vocabulary: each title once, as `read_title` gives it; some may no longer be borne.
        bearers: for each title, the rows of the objects that have it.
        reading: knows the stop words, which name nothing.
        called: finds ids; None for none.
    """

    vocabulary: Sequence[str]
    bearers: Ragged
    reading: Reading = READING
    called: Called | None = None

    @classmethod
    def of(
        cls, titles: Names, reading: Reading = READING, *, called: Called | None = None
    ) -> "Titled":
        """From the title of each object, if it has one."""
        lists, vocabulary = titles.lists, letters(titles.vocabulary)
        bearers = Ragged.from_pairs(lists.values, lists.owners, len(vocabulary))
        return cls(vocabulary, bearers, reading, called)

    def shares(self, question: str) -> Shares:
        """The objects that a question names, and the part of the names that each has.

        A title of stop words alone is not looked for.

        Returns:
            1 for an object that alone has its title, ½ for each of two, and so on; an id, which
            nothing but its object is called, counts as two titles.
        """
        found = filter(self.reading.says, self._titles.in_text(question))
        titles = ((self.bearers.at(self._numbers[one]), 1.0) for one in found)
        ids = ((rows, 2.0) for rows in self.called.of(question)) if self.called else ()
        lists = [(rows, whole / len(rows)) for rows, whole in (*titles, *ids) if len(rows)]
        if not lists:
            return NOTHING
        rows, place = np.unique(np.concatenate([own for own, _ in lists]), return_inverse=True)
        parts = np.concatenate([np.full(len(own), share) for own, share in lists])
        shares = np.bincount(place, weights=parts)
        return rows.astype(np.int32), shares.astype(np.float32)

    @cached_property
    def _titles(self) -> Titles:
        return Titles(self.vocabulary)

    @cached_property
    def _numbers(self) -> Mapping[str, int]:
        return {title: number for number, title in enumerate(self.vocabulary)}

"""The names that each object refers to, before they are resolved to other objects.

Rows of the table read the names from metadata, object by object, and resolve them to arrays for all
objects at once. An index stores the names, so that adding and deleting objects does not read the
metadata of all others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import TypeVar

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.graph.ragged import EMPTY, Ragged

KindT = TypeVar("KindT")
# A name, or a name with its scope.
Name = str | tuple[int, str]


@dataclass(frozen=True)
class Names:
    """Lists of names, one list per object.

    Attributes:
        lists: the names as indices into the vocabulary.
        vocabulary: each name once; some may no longer be in any list.
    """

    lists: Ragged
    vocabulary: Sequence[Name]

    @classmethod
    def build(cls, lists: Iterable[Iterable[Name]]) -> "Names":
        """Builds it from the names of every object."""
        places: dict[Name, int] = {}
        numbered = [[places.setdefault(name, len(places)) for name in names] for names in lists]
        return cls(Ragged.build(numbered), [*places])

    def numbers(self, known: Mapping[Name, int]) -> Int[ndarray, " total"]:
        """The number of every name in the lists; -1 if unknown."""
        found = map(known.get, self.vocabulary, repeat(EMPTY))
        return np.fromiter(found, np.int32, len(self.vocabulary))[self.lists.values]

    @property
    def single(self) -> Int[ndarray, " N"]:
        """The place in the vocabulary of each object's only name; -1 for none."""
        places = np.full(len(self.lists.offsets) - 1, EMPTY, np.int32)
        places[self.lists.owners] = self.lists.values
        return places

    @property
    def words(self) -> Iterator[list[str]]:
        """The list of every object, as names without scopes."""
        names, values = letters(self.vocabulary), self.lists.values.tolist()
        for first, last in pairwise(self.lists.offsets.tolist()):
            yield [names[value] for value in values[first:last]]

    def having(self, names: Iterable[Name]) -> Int[ndarray, " m"]:
        """The rows whose lists contain any of these names, in ascending order."""
        wanted = set(names)
        places = [place for place, name in enumerate(self.vocabulary) if name in wanted]
        return np.unique(self.lists.owners[np.isin(self.lists.values, places)])


# Lists of names, lists of other numbers, or one number per object.
Named = Names | Ragged | ndarray
AllNamed = Mapping[str, Named]


def only(named: AllNamed, rows: Int[ndarray, " n"]) -> AllNamed:
    """The same for only these rows, in ascending order."""

    def take(own: Named) -> Named:
        if isinstance(own, Names):
            return Names(own.lists.only(rows), own.vocabulary)
        return own.only(rows) if isinstance(own, Ragged) else own[rows]

    return {name: take(own) for name, own in named.items()}


def joined(parts: Sequence[AllNamed]) -> AllNamed:
    """The concatenation of several parts, with the entries that all parts have."""
    shared = [name for name in parts[0] if all(name in part for part in parts)]
    return {name: _joined([part[name] for part in parts]) for name in shared}


def _joined(parts: Sequence[Named]) -> Named:
    names = [part for part in parts if isinstance(part, Names)]
    if len(names) > 1:
        # Most names of a small part also occur in the large part before it.
        places = {name: place for place, name in enumerate(names[0].vocabulary)}
        numbered = [names[0].lists]
        for part in names[1:]:
            new = [places.setdefault(name, len(places)) for name in part.vocabulary]
            values = np.array(new, np.int32)[part.lists.values]
            numbered.append(Ragged(part.lists.offsets, values))
        return Names(_behind(numbered), [*places])
    if lists := [part for part in parts if isinstance(part, Ragged)]:
        return _behind(lists)
    return names[0] if names else np.concatenate([own for own in parts if isinstance(own, ndarray)])


def _behind(lists: Sequence[Ragged]) -> Ragged:
    """The concatenation of lists."""
    lengths = np.concatenate([np.diff(own.offsets) for own in lists])
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return Ragged(offsets, np.concatenate([own.values for own in lists]))


def of_kind(found: object, kind: type[KindT], name: str, told: str) -> KindT:
    """What has this name, which must be of this kind."""
    if not isinstance(found, kind):
        raise TypeError(f"{name} holds no {told}")
    return found


def names_in(named: AllNamed, name: str) -> Names:
    """The lists of names with this name."""
    return of_kind(named[name], Names, name, "names")


def lists_in(named: AllNamed, name: str) -> Ragged:
    """The lists of numbers with this name."""
    return of_kind(named[name], Ragged, name, "lists")


def numbers_in(named: AllNamed, name: str) -> ndarray:
    """The numbers with this name."""
    return of_kind(named[name], ndarray, name, "numbers")


def letters(vocabulary: Iterable[Name]) -> list[str]:
    """The names without their scopes."""
    return [name if isinstance(name, str) else name[1] for name in vocabulary]

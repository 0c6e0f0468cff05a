"""The metadata of all objects, from which the rows of the table make arrays."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.names import Name, Names
from grapher_jax.graph.ragged import Ragged

# Numbers, lists of numbers, or a vocabulary.
Array = ndarray | Ragged | Sequence[str]


@dataclass(frozen=True)
class Known:
    """The objects to which names can refer.

    Attributes:
        numbers: the integer of each object, by name.
        warn: warn of names without an object.
    """

    numbers: Mapping[Name, int]
    warn: bool = True


@dataclass(frozen=True)
class Metadata:
    """The metadata of N objects.

    Attributes:
        ids: one per object; an object may appear more than once.
        values: one per object; keys as in the BEIR layout.
        scopes: one per object, if values and names count only within a scope.
        warn_of_unknown: warn of references to objects that are not among `ids`.
    """

    ids: Sequence[str]
    values: Sequence[Mapping[str, Json]]
    scopes: Sequence[int] | None = None
    warn_of_unknown: bool = True

    @cached_property
    def numbers(self) -> dict[Name, int]:
        """The integer by which references identify each object, by its id."""
        return {name: number for number, name in enumerate(dict.fromkeys(self.ids))}

    @cached_property
    def known(self) -> Known:
        """The objects to which names in this metadata can refer: those of the same scope."""
        if self.scopes is None:
            return Known(self.numbers, self.warn_of_unknown)
        own = zip(self.scopes, self.ids, strict=True)
        return Known({pair: self.numbers[pair[1]] for pair in own}, self.warn_of_unknown)

    def names(self, lists: Iterable[Iterable[str]]) -> Names:
        """Lists of names, one per object, each name with its scope."""
        if self.scopes is None:
            return Names.build(lists)
        pairs = zip(self.scopes, lists, strict=True)
        return Names.build([[(scope, name) for name in names] for scope, names in pairs])

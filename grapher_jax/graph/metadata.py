"""The metadata of all objects, as the rows of the table make arrays of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from numpy import ndarray

from grapher_jax.files import Json
from grapher_jax.graph.ragged import Ragged

# Of numbers, of lists of numbers, or a vocabulary.
Array = ndarray | Ragged | Sequence[str]


@dataclass(frozen=True)
class Metadata:
    """The metadata of N objects.

    Attributes:
        ids: one an object; an object may appear more than once.
        values: one an object; keys as in the BEIR layout.
        scopes: one an object, where a scope's objects share, count and name one another alone.
        warn_of_unknown: warn of references to objects that are not among `ids`.
    """

    ids: Sequence[str]
    values: Sequence[Mapping[str, Json]]
    scopes: Sequence[int] | None = None
    warn_of_unknown: bool = True

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The integer by which references name an object, by its id."""
        return {name: number for number, name in enumerate(dict.fromkeys(self.ids))}

    @cached_property
    def in_reach(self) -> Sequence[Mapping[str, int]]:
        """For every object, the `numbers` of those that it may reference: of its scope."""
        if self.scopes is None:
            return [self.numbers] * len(self.ids)
        by_scope: dict[int, dict[str, int]] = {}
        for name, scope in zip(self.ids, self.scopes, strict=True):
            by_scope.setdefault(scope, {})[name] = self.numbers[name]
        return [by_scope[scope] for scope in self.scopes]

"""The metadata that joins the candidates of a batch, as arrays of integers and embeddings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace

import jax.numpy as jnp
from jaxtyping import Array, Shaped
from numpy import ndarray

from grapher_jax.kernels.types import EMPTY, Mask, pytree

# Any shape and dtype, since `grad` and `vmap` replace the arrays by their own objects.
# `check_relations`, next to the table of proximities, checks what users give.
Metadata = Shaped[Array | ndarray, "..."]


@pytree
@dataclass(frozen=True, kw_only=True)
class Relations:
    """The metadata of a batch of candidates; an array that is not given is None.

    Attributes:
        entity_ids: `[*B, n, e]`, see `shared_entity_adjacency`.
        entity_counts: `[*B, n]`, see `shared_entity_adjacency`.
        object_ids: `[*B, n]`, see `foreign_key_adjacency`.
        foreign_keys: `[*B, n, r]`, see `foreign_key_adjacency`.
        inferred_keys: `[*B, n, r]`, inferred (undeclared) keys, in the same form.
        links: `[*B, n, r]`, see `link_adjacency`.
        document_ids: `[*B, n]`, see `chunk_adjacency`.
        chunk_ids: `[*B, n]`, see `chunk_adjacency`.
        embeddings: `[*B, n, d]`, see `semantic_adjacency`.
        others: further arrays by name, for rows that were added to the table of proximities.
    """

    entity_ids: Metadata | None = None
    entity_counts: Metadata | None = None
    object_ids: Metadata | None = None
    foreign_keys: Metadata | None = None
    inferred_keys: Metadata | None = None
    links: Metadata | None = None
    document_ids: Metadata | None = None
    chunk_ids: Metadata | None = None
    embeddings: Metadata | None = None
    others: Mapping[str, Metadata] = field(default_factory=dict)

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Metadata]) -> "Relations":
        """Builds it from arrays by name; arrays that are no attribute become `others`."""
        own = {name: array for name, array in arrays.items() if name in _OWN}
        others = {name: array for name, array in arrays.items() if name not in _OWN}
        return cls(**own, others=others)

    def given(self) -> dict[str, Metadata]:
        """The given arrays, by name."""
        own = ((name, getattr(self, name)) for name in _OWN)
        return {name: array for name, array in own if array is not None} | {**self.others}

    def map(self, change: Callable[[str, Metadata], Metadata | None]) -> "Relations":
        """Applies a function of name and array to every given array; None drops the array."""
        changed = {name: change(name, array) for name, array in self.given().items()}
        kept = {name: changed.pop(name) for name in self.others}
        others = {name: array for name, array in kept.items() if array is not None}
        return replace(self, **changed, others=others)

    def __getitem__(self, name: str) -> Metadata:
        """The array with this name.

        Raises:
            KeyError: if there is none.
        """
        return self.given()[name]


_OWN = tuple(one.name for one in fields(Relations) if one.name != "others")


def without_masked(ids: Metadata, mask: Mask | None) -> Array:
    """IDs with -1 where masked, and in place of all values below -1."""
    array = jnp.maximum(jnp.asarray(ids), EMPTY)
    if mask is None:
        return array
    valid = jnp.asarray(mask)
    return jnp.where(valid if array.ndim == valid.ndim else valid[..., None], array, EMPTY)

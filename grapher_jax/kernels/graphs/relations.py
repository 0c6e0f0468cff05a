"""What joins the candidates of a batch, as arrays of integers and embeddings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace

import jax
import jax.numpy as jnp
from jaxtyping import Array, Shaped
from numpy import ndarray

from grapher_jax.kernels.types import EMPTY, Mask

# Of any shape and dtype: a derivative or a map puts its own in their place. `check_relations`, in
# the table of proximities, looks at what users give.
Metadata = Shaped[Array | ndarray, "..."]


@jax.tree_util.register_dataclass
@dataclass(frozen=True, kw_only=True)
class Relations:
    """The metadata of a batch of candidates, each array None where there is none.

    Attributes:
        entity_ids: `[*B, n, e]`, see `shared_entity_adjacency`.
        entity_counts: `[*B, n]`, see `shared_entity_adjacency`.
        object_ids: `[*B, n]`, see `foreign_key_adjacency`.
        foreign_keys: `[*B, n, r]`, see `foreign_key_adjacency`.
        inferred_keys: `[*B, n, r]`, keys that nobody declared, read likewise.
        links: `[*B, n, r]`, see `link_adjacency`.
        document_ids: `[*B, n]`, see `chunk_adjacency`.
        chunk_ids: `[*B, n]`, see `chunk_adjacency`.
        embeddings: `[*B, n, d]`, see `semantic_adjacency`.
        others: arrays by name that rows added to the table of proximities read.
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
        """From arrays by name, of which those that are no attribute are `others`."""
        own = {name: array for name, array in arrays.items() if name in _OWN}
        others = {name: array for name, array in arrays.items() if name not in _OWN}
        return cls(**own, others=others)

    def given(self) -> dict[str, Metadata]:
        """The arrays that there are, by name."""
        own = ((name, getattr(self, name)) for name in _OWN)
        return {name: array for name, array in own if array is not None} | {**self.others}

    def map(self, change: Callable[[str, Metadata], Metadata | None]) -> "Relations":
        """Every array that there is changed by a function of its name and itself; None drops it."""
        changed = {name: change(name, array) for name, array in self.given().items()}
        kept = {name: changed.pop(name) for name in self.others}
        others = {name: array for name, array in kept.items() if array is not None}
        return replace(self, **changed, others=others)

    def __getitem__(self, name: str) -> Metadata:
        """The array of this name.

        Raises:
            KeyError: where there is none.
        """
        return self.given()[name]


_OWN = tuple(one.name for one in fields(Relations) if one.name != "others")


def without_masked(ids: Metadata, mask: Mask | None) -> Array:
    """IDs with -1 in every masked place, and in place of whatever is below -1."""
    array = jnp.maximum(jnp.asarray(ids), EMPTY)
    if mask is None:
        return array
    valid = jnp.asarray(mask)
    return jnp.where(valid if array.ndim == valid.ndim else valid[..., None], array, EMPTY)

"""A query adapter: the offline embedder reads questions by slightly other weights, objects as ever.

To each linear layer an adapter adds the product of two thin matrices (LoRA, Hu et al., 2021). Only
questions are read with it, so that an index holds the same embeddings with and without one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError
from grapher_jax.retrieve.embedders.types import Embedder, Progress, no_progress

if TYPE_CHECKING:
    from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

NO_ADAPTER = "none"
# Learned from questions about tables; `docs/tools/query_adapter.py` makes its weights.
FOR_TABLES = "tables"
QUERY_ADAPTERS = (NO_ADAPTER, FOR_TABLES)
# What all adapters change.
_ADAPTS = "offline"


@dataclass(frozen=True)
class AdaptedEmbedder:
    """The offline embedder with a query adapter (`Embedder`).

    Attributes:
        unadapted: embeds the objects.
        query_adapter: the name of the adapter through which questions are read.
    """

    unadapted: Embedder
    query_adapter: str

    @property
    def name(self) -> str:
        """The name of the embedder of the objects."""
        return self.unadapted.name

    @property
    def dimension(self) -> int:
        """The dimension of the vectors."""
        return self.unadapted.dimension

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, 384]` float32 embeddings of questions, of unit length, read through the adapter."""
        return _reader(self.query_adapter).embed(texts, progress=progress)

    def embed_objects(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, 384]` float32 embeddings of objects, of unit length."""
        return self.unadapted.embed_objects(texts, progress=progress)


@cache
def _reader(query_adapter: str) -> "OfflineEmbedder":
    """The embedder of questions, shared by the process; weights that ship never change."""
    from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

    return OfflineEmbedder(shipped_adapter(query_adapter))


def shipped_adapter(name: str) -> Path:
    """The file of weights of an adapter that ships, one of `QUERY_ADAPTERS` except `none`."""
    from grapher_jax.training.weights import SHIPPED_FOLDER

    return SHIPPED_FOLDER / f"query-adapter-{name}" / "weights.safetensors"


def adapted(embedder: Embedder, query_adapter: str | None) -> Embedder:
    """An embedder whose questions are read through an adapter.

    Args:
        embedder: the embedder of the objects.
        query_adapter: `tables`, or `none` for the embedder of the objects; None leaves an adapter
            that the embedder has.

    Raises:
        InputError: for an unknown adapter, or for an embedder without adapters.
    """
    if query_adapter is None:
        return embedder
    plain = embedder.unadapted if isinstance(embedder, AdaptedEmbedder) else embedder
    if check_choice("query_adapter", query_adapter, QUERY_ADAPTERS) == NO_ADAPTER:
        return plain
    if plain.name != _ADAPTS:
        raise InputError(
            f"query_adapter: {query_adapter!r} adapts the embedder {_ADAPTS!r}, not "
            f"{plain.name!r}; leave it out"
        )
    return AdaptedEmbedder(plain, query_adapter)


def adapter_of(embedder: Embedder) -> str:
    """The name of the adapter through which an embedder reads questions; `none` for none."""
    return embedder.query_adapter if isinstance(embedder, AdaptedEmbedder) else NO_ADAPTER

"""Searches an index's own embeddings with the library of a vector store."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_choice
from grapher_jax.errors import InputError, first_line, require
from grapher_jax.graph import EMPTY
from grapher_jax.graph.stacked import Places
from grapher_jax.retrieve.stores import chroma, faiss, lancedb, qdrant
from grapher_jax.retrieve.stores.records import Store


class _Kind(Protocol):
    """The module of a library, as a store of an index."""

    def build_local(self, folder: Path, embeddings: Float[ndarray, "N d"]) -> None:
        """Writes an index's embeddings to a new folder."""

    def open_local(self, folder: Path, embeddings: Float[ndarray, "N d"]) -> Store:
        """Opens what `build_local` wrote."""

    def local_errors(self) -> tuple[type[Exception], ...]:
        """The errors that the library raises for damaged files."""


_KINDS: dict[str, _Kind] = {"chroma": chroma, "faiss": faiss, "qdrant": qdrant, "lancedb": lancedb}
_LIBRARIES = {"chroma": "chromadb", "qdrant": "qdrant_client"}
STORES = ("array", *_KINDS)
# The factor by which more objects are fetched if too many of those found are deleted.
_WIDER = 4


def check_store(kind: str) -> None:
    """Raise InputError for an unknown store of an index."""
    check_choice("store", kind, STORES)


def require_store(kind: str) -> None:
    """Raise MissingExtraError if the library of a store is not installed."""
    if kind in _KINDS:
        require(_LIBRARIES.get(kind, kind))


@runtime_checkable
class Nearest(Protocol):
    """Nearest-neighbour search for questions."""

    def nearest(
        self, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B k"], Float[ndarray, "B k"]]:
        """The objects with the highest cosines, best first.

        Args:
            questions: the embeddings of the questions, of unit length.
            k: how many; at most the number of objects.

        Returns:
            `[B, k]` int32 objects and their float32 cosines.
        """


@dataclass(frozen=True)
class LocalStore:
    """An index's embeddings in a store (`Nearest`), which is opened on first use.

    Attributes:
        kind: one of `STORES` except `array`.
        folder: the store's own folder; Qdrant has none, and reads the embeddings when opened.
        embeddings: `[N, d]` the embeddings that the store must have.
    """

    kind: str
    folder: Path
    embeddings: Float[ndarray, "N d"]

    @classmethod
    def build(cls, kind: str, folder: Path, embeddings: Float[ndarray, "N d"]) -> "LocalStore":
        """Write embeddings to a new folder.

        Raises:
            MissingExtraError: if the store's library is not installed.
        """
        require_store(kind)
        _KINDS[kind].build_local(folder, embeddings)
        return cls(kind, folder, embeddings)

    def nearest(
        self, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B k"], Float[ndarray, "B k"]]:
        """See `Nearest`.

        Raises:
            InputError: for a folder that does not match the embeddings, or questions of another
                dimension.
            MissingExtraError: if the store's library is not installed.
        """
        objects, dimension = self.embeddings.shape
        if questions.shape[1] != dimension:
            raise InputError(
                f"embedder: it gives {questions.shape[1]} dimensions, {self.folder} has "
                f"{dimension}; use the embedder that built the index"
            )
        rows = np.full((len(questions), k), EMPTY, np.int32)
        cosines = np.zeros(rows.shape, np.float32)
        require_store(self.kind)
        try:
            answers = self._store.search(questions, k)
        except InputError:
            raise
        except _KINDS[self.kind].local_errors() as error:
            raise self._damaged(error) from error
        for question, found in enumerate(answers):
            if len(found) < min(k, objects):
                raise self._damaged(f"it finds {len(found)} objects instead of {k}")
            rows[question, : len(found)] = [int(candidate["id"]) for candidate in found]
            cosines[question, : len(found)] = [candidate["score"] for candidate in found]
        return rows, cosines

    def changes(self, file: Path) -> bool:
        """Whether the store may change a file when it is opened, as Chroma does."""
        return self.kind == "chroma" and self.folder in file.parents

    @cached_property
    def _store(self) -> Store:
        store = _KINDS[self.kind].open_local(self.folder, self.embeddings)
        if store.count != len(self.embeddings):
            raise self._damaged(f"it holds {store.count} objects instead of {len(self.embeddings)}")
        return store

    def _damaged(self, reason: Any) -> InputError:
        told = f"damaged ({first_line(reason)}); build the index again"
        if self.kind != "qdrant" and not self.folder.is_dir():
            told += ", or load it again if a new one has taken its place"
        return InputError(f"{self.folder}: {told}")


@dataclass(frozen=True)
class PartStores:
    """The stores of the parts of an index, searched as one (`Nearest`).

    Attributes:
        parts: one for each part, with all its objects.
        places: which of these objects are not deleted.
    """

    parts: Sequence[LocalStore]
    places: Places

    def nearest(
        self, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B k"], Float[ndarray, "B k"]]:
        """See `Nearest`; raises as `LocalStore.nearest`."""
        found = [self._of_part(number, questions, k) for number in range(len(self.parts))]
        rows, cosines = (np.concatenate(own, axis=1) for own in zip(*found, strict=True))
        best = np.argsort(-cosines, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(rows, best, 1), np.take_along_axis(cosines, best, 1)

    def _of_part(
        self, number: int, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B m"], Float[ndarray, "B m"]]:
        """At least the k nearest objects of a part that are not deleted, with others at -inf."""
        start, size = int(self.places.starts[number]), self.places.sizes[number]
        numbers = self.places.numbers[start : start + size]
        asked, wanted = min(k, size), min(k, len(self.places.part(number)))
        while True:
            found, cosines = self.parts[number].nearest(questions, asked)
            rows = numbers[found]
            left = rows != EMPTY
            if (left.sum(axis=1) >= wanted).all():
                return rows, np.where(left, cosines, np.float32(-np.inf))
            asked = min(_WIDER * asked, size)

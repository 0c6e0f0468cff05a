"""Where embeddings are searched by another library than the index itself."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.errors import InputError, require

STORES = ("array", "chroma")
_DATABASE = "chroma.sqlite3"
_COLLECTION = "objects"
# Of the graph through which Chroma searches: on HotpotQA's 17,217 passages it finds 99 % of the 20
# nearest. Written at once, lest what is missing be made up from the last few objects.
_GRAPH = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 200,
    "max_neighbors": 32,
    "sync_threshold": 2,
}
_EMPTY = -1


@runtime_checkable
class Store(Protocol):
    """The nearest objects of questions."""

    def nearest(
        self, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B k"], Float[ndarray, "B k"]]:
        """The objects with the highest cosine, best first.

        Args:
            questions: of unit length.
            k: how many, at most as many as there are objects.

        Returns:
            `[B, k]` int32 objects and their float32 cosines.
        """


@dataclass(frozen=True)
class ChromaStore:
    """A persistent Chroma collection of the index's own embeddings (`Store`), opened when asked.

    Chroma searches approximately: a near object may be missed.

    Attributes:
        folder: Chroma's.
        objects: how many embeddings it must hold.
        dimension: of these.
    """

    folder: Path
    objects: int
    dimension: int

    @classmethod
    def build(cls, folder: Path, embeddings: Float[ndarray, "N d"]) -> "ChromaStore":
        """Write a collection to a new folder.

        Raises:
            MissingExtraError: where chromadb is not installed.
        """
        client = _open(folder)
        try:
            collection = client.create_collection(
                _COLLECTION, configuration={"hnsw": _GRAPH}, embedding_function=None
            )
            size = client.get_max_batch_size()
            for start in range(0, len(embeddings), size):
                part = np.asarray(embeddings[start : start + size])
                names = [str(start + place) for place in range(len(part))]
                collection.add(ids=names, embeddings=part)
        finally:
            client.close()
        return cls(folder, *embeddings.shape)

    def nearest(
        self, questions: Float[ndarray, "B d"], k: int
    ) -> tuple[Int[ndarray, "B k"], Float[ndarray, "B k"]]:
        """See `Store`.

        Raises:
            InputError: for a folder that is not what was built, or questions of another dimension.
            MissingExtraError: where chromadb is not installed.
        """
        if questions.shape[1] != self.dimension:
            raise InputError(
                f"embedder: it gives {questions.shape[1]} dimensions, {self.folder} has "
                f"{self.dimension}; use the embedder that built the index"
            )
        rows = np.full((len(questions), k), _EMPTY, np.int32)
        cosines = np.zeros(rows.shape, np.float32)
        if not len(questions):
            return rows, cosines
        try:
            found = self._collection.query(
                query_embeddings=np.asarray(questions), n_results=k, include=["distances"]
            )
        except require("chromadb").errors.ChromaError as error:
            raise self._damaged(error) from error
        for question, (names, distances) in enumerate(
            zip(found["ids"], found["distances"], strict=True)
        ):
            if len(names) < min(k, self.objects):
                raise self._damaged(f"it finds {len(names)} objects instead of {k}")
            rows[question, : len(names)] = [*map(int, names)]
            cosines[question, : len(names)] = 1 - np.asarray(distances)
        return rows, cosines

    @cached_property
    def _collection(self) -> Any:
        errors = require("chromadb").errors
        if not (self.folder / _DATABASE).is_file():
            raise self._damaged(f"it has no {_DATABASE}")
        try:
            collection = _open(self.folder).get_collection(_COLLECTION, embedding_function=None)
            count = collection.count()
        except errors.ChromaError as error:
            raise self._damaged(error) from error
        if count != self.objects:
            raise self._damaged(f"it holds {count} objects instead of {self.objects}")
        return collection

    def _damaged(self, reason: Any) -> InputError:
        said = str(reason).strip().splitlines()[0]
        return InputError(f"{self.folder}: damaged ({said}); build the index again")


def _open(folder: Path) -> Any:
    chromadb = require("chromadb")
    return chromadb.PersistentClient(
        path=str(folder), settings=chromadb.config.Settings(anonymized_telemetry=False)
    )

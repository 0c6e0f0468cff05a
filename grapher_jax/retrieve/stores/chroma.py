"""Chroma: a collection with its documents and metadata."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import ORDER, Comparison, Condition, Every, Not, kind
from grapher_jax.corpus.flat import flatten
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.retrieve.stores.records import BeyondStoreError, Native, Record, Store

_DATABASE = "chroma.sqlite3"
_COLLECTION = "objects"
# How keys begin that Chroma has for itself.
_OWN = ("#", "$", "chroma:")
# Parameters of Chroma's HNSW graph: on HotpotQA's 17,217 passages it finds 99 % of the 20 nearest.
# Written to disk at once; otherwise Chroma would rebuild missing files from only the last few
# objects.
_GRAPH = {
    "space": "cosine",
    "ef_construction": 200,
    "ef_search": 200,
    "max_neighbors": 32,
    "sync_threshold": 2,
}


@dataclass(frozen=True)
class ChromaStore(Store):
    """A Chroma collection, searched approximately; its documents are the texts.

    Attributes:
        collection: a `chromadb` collection.
        title: the metadata key that holds titles.
    """

    collection: Any
    title: str = "title"

    _metrics: ClassVar = {"cosine": "1 minus it", "ip": "1 minus it", "l2": "squared Euclidean"}

    def __post_init__(self) -> None:
        if not callable(getattr(self.collection, "query", None)):
            given = type(self.collection).__name__
            raise InputError(f"collection: {given} is none; give client.get_collection(NAME)")

    @property
    def name(self) -> str:
        """See `Store`."""
        return f"Chroma collection {self.collection.name!r}"

    @property
    def dimension(self) -> int | None:
        """See `Store`."""
        found = self.collection.get(limit=1, include=["embeddings"])["embeddings"]
        return len(found[0]) if len(found) else None

    @property
    def count(self) -> int:
        """See `Store`."""
        return self.collection.count()

    @property
    def _metric(self) -> str:
        settings = self.collection.configuration_json
        return (settings.get("hnsw") or settings.get("spann"))["space"]

    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        columns = ["distances", "documents", "metadatas", *["embeddings"][:embeddings]]
        found = self.collection.query(
            query_embeddings=vectors,
            n_results=k,
            where=chosen,
            include=columns,
        )
        for columns_of_one in zip(*(found[name] for name in ("ids", *columns)), strict=True):
            yield [*map(Record, *columns_of_one)]

    def _chosen(self, wanted: Condition) -> Native:
        return _where(wanted, negated=False)

    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        return self.collection.get(ids=list(ids), include=[])["ids"]

    def _prepare(self, items: Sequence[Object], *, new: bool) -> None:
        for item in items:
            for key, value in item.metadata.items():
                if not key or key.startswith(_OWN):
                    raise InputError(
                        f"{self.name}: metadata.{key} of object {item.id!r} is no name for "
                        f"Chroma; use one that is not empty and begins with none of "
                        f"{' '.join(_OWN)}"
                    )
                if isinstance(value, int) and not _fits(value):
                    raise InputError(
                        f"{self.name}: metadata.{key} of object {item.id!r} is {value}, which 64 "
                        "bits do not hold; give it as a string"
                    )

    def _write(self, items: Sequence[Object]) -> None:
        metadata = [flatten(item.metadata) for item in items]
        self.collection.update(ids=[item.id for item in items], metadatas=metadata)

    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        self.collection.add(
            ids=[item.id for item in items],
            embeddings=vectors,
            documents=[item.text for item in items],
            # Chroma refuses empty values.
            metadatas=[flatten(self._with_title(item)) or None for item in items],
        )


def build_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> None:
    """Write an index's embeddings to a new folder; see `LocalStore`."""
    client = _client(folder)
    try:
        collection = client.create_collection(
            _COLLECTION, configuration={"hnsw": _GRAPH}, embedding_function=None
        )
        size = client.get_max_batch_size()
        for start in range(0, len(embeddings), size):
            part = np.asarray(embeddings[start : start + size])
            collection.add(ids=[str(start + row) for row in range(len(part))], embeddings=part)
    finally:
        client.close()


def open_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> Store:
    """Open what `build_local` wrote."""
    if not (folder / _DATABASE).is_file():
        raise FileNotFoundError(f"it has no {_DATABASE}")
    return ChromaStore(_client(folder).get_collection(_COLLECTION, embedding_function=None))


def local_errors() -> tuple[type[Exception], ...]:
    """The errors that Chroma raises for damaged files."""
    return (OSError, require("chromadb").errors.ChromaError)


def _fits(value: int | float) -> bool:
    """Whether 64 bits hold a number."""
    return -(2**63) <= value < 2**63


def _where(wanted: Condition, *, negated: bool) -> dict[str, Json]:
    """A condition in Chroma's form, which can negate only equality."""
    if isinstance(wanted, Not):
        return _where(wanted.part, negated=not negated)
    if isinstance(wanted, Comparison):
        return _compared(wanted, negated=negated)
    parts = [_where(part, negated=negated) for part in wanted.parts]
    return _joined(parts, every=isinstance(wanted, Every) != negated)


def _compared(wanted: Comparison, *, negated: bool) -> dict[str, Json]:
    for value in wanted.value if wanted.operator == "$in" else [wanted.value]:
        # Chroma compares integers with the whole part of a number.
        whole = not isinstance(value, float) or value.is_integer()
        if kind(value) == "number" and not (whole and _fits(value)):
            raise BeyondStoreError
    if wanted.operator == "$in":
        # All values of a list have the same type.
        alike: dict[type, list[Json]] = {}
        for value in wanted.value:
            alike.setdefault(type(value), []).append(value)
        operator = "$nin" if negated else "$in"
        parts: list[dict[str, Json]] = [{wanted.key: {operator: v}} for v in alike.values()]
        return _joined(parts, every=negated)
    if negated or wanted.operator not in ORDER or kind(wanted.value) != "number":
        raise BeyondStoreError
    return {wanted.key: {wanted.operator: wanted.value}}


def _joined(parts: Sequence[dict[str, Json]], *, every: bool) -> dict[str, Json]:
    """Combines conditions; a single one must not be in a list."""
    if not parts:
        raise BeyondStoreError
    return parts[0] if len(parts) == 1 else {"$and" if every else "$or": [*parts]}


def _client(folder: Path) -> Any:
    chromadb = require("chromadb")
    settings = chromadb.config.Settings(anonymized_telemetry=False)
    return chromadb.PersistentClient(path=str(folder), settings=settings)

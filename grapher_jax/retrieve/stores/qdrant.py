"""Qdrant: a collection with vectors and payload."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, ClassVar
from uuid import NAMESPACE_URL, UUID, uuid5

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import Comparison, Condition, folded, kind
from grapher_jax.errors import InputError, require, warn
from grapher_jax.files import Json
from grapher_jax.retrieve.stores.records import BeyondStoreError, Native, Record, Store

_COLLECTION = "objects"
_PAGE = 1000  # points


@dataclass(frozen=True, kw_only=True)
class QdrantStore(Store):
    """A Qdrant collection; a server searches approximately, a local client exactly.

    Attributes:
        client: a `QdrantClient`.
        collection: its name.
        vector: the name of the vectors that are searched, if they have names.
        identity: the payload key that holds ids; by default the points' own, which are integers
            or UUIDs.
        text: the payload key that holds texts.
        title: the metadata key that holds titles.
        metadata: the payload key that holds the metadata; by default the whole payload is metadata.
    """

    client: Any
    collection: str
    vector: str | None = None
    identity: str | None = None
    text: str = "text"
    title: str = "title"
    metadata: str | None = None

    _metrics: ClassVar = {"Cosine": "itself", "Dot": "itself", "Euclid": "Euclidean"}

    @property
    def name(self) -> str:
        """See `Store`."""
        return f"Qdrant collection {self.collection!r}"

    @property
    def dimension(self) -> int:
        """See `Store`."""
        return self._settings.size

    @property
    def count(self) -> int:
        """See `Store`."""
        return self.client.count(self.collection).count

    @property
    def _metric(self) -> str:
        return self._settings.distance.value

    @property
    def _reserved(self) -> Collection[str | None]:
        return () if self.metadata else (self.identity, self.text)

    @cached_property
    def _settings(self) -> Any:
        if not self.client.collection_exists(self.collection):
            known = sorted(each.name for each in self.client.get_collections().collections)
            raise InputError(
                f"{self.name}: there is none; this client has {', '.join(known) or 'no collection'}"
            )
        settings = self.client.get_collection(self.collection).config.params.vectors
        if not isinstance(settings, Mapping):
            return settings
        self._check_field("vector", self.vector or "", settings)
        return settings[self.vector]

    @property
    def _models(self) -> Any:
        return require("qdrant_client.models")

    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        requests = [
            self._models.QueryRequest(
                query=vector,
                using=self.vector,
                filter=chosen,
                limit=k,
                with_payload=True,
                with_vector=embeddings,
            )
            for vector in vectors.tolist()
        ]
        batch = self.client.query_batch_points(self.collection, requests)
        points = [point for found in batch for point in found.points]
        if self.identity and points and not any(self.identity in (p.payload or ()) for p in points):
            warn(
                f"identity: {self.name} has no {self.identity!r} in the payload of {len(points)} "
                "points found, which are called by their own ids; name the key that holds the ids"
            )
        return [[*map(self._record, found.points)] for found in batch]

    def _record(self, point: Any) -> Record:
        payload = dict(point.payload or {})
        identity, text = payload.pop(self.identity, point.id), payload.pop(self.text, None)
        metadata = payload.get(self.metadata) if self.metadata else payload
        vector = point.vector[self.vector] if point.vector and self.vector else point.vector
        return Record(str(identity), point.score, text, metadata, vector)

    def _known(self, ids: Sequence[str]) -> Mapping[str, Sequence[int | str]]:
        """The points with each of these ids that any has."""
        if self.identity is None:
            points = [point for point in map(self._point, ids) if point is not None]
            found = self.client.retrieve(self.collection, points, with_payload=False)
            return {str(point.id): [point.id] for point in found}
        models, key = self._models, _path(self.identity)
        # A payload may hold ids as 64-bit integers.
        short = [name for name in ids if name.isdecimal() and len(name) < 19]
        numbers = [int(name) for name in short if str(int(name)) == name]
        wanted = models.Filter(
            should=[
                models.FieldCondition(key=key, match=models.MatchAny(any=values))
                for values in (ids, numbers)
                if values
            ]
        )
        known: dict[str, list[int | str]] = {}
        page = None
        while True:  # several points may have one id
            found, page = self.client.scroll(
                self.collection, wanted, limit=_PAGE, offset=page, with_payload=[key]
            )
            for point in found:
                known.setdefault(str(point.payload[self.identity]), []).append(point.id)
            if page is None:
                return known

    def _write(self, items: Sequence[Object]) -> None:
        models, points = self._models, self._known([item.id for item in items])
        key = _path(self.metadata) if self.metadata else None
        payloads = (
            models.SetPayload(payload=dict(item.metadata), points=points[item.id], key=key)
            for item in items
        )
        operations = [models.SetPayloadOperation(set_payload=payload) for payload in payloads]
        self.client.batch_update_points(self.collection, operations)

    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        points = [self._point(item.id) for item in items]
        if None in points:
            raise InputError(
                f"{self.name}: its ids are integers and UUIDs, not "
                f"{items[points.index(None)].id!r}; give identity= a payload key that shall hold "
                "the ids"
            )
        rows = vectors.tolist()
        batch = self._models.Batch(
            ids=points,
            vectors={self.vector: rows} if self.vector else rows,
            payloads=[self._payload(item) for item in items],
        )
        self.client.upsert(self.collection, batch)

    def _payload(self, item: Object) -> dict[str, Json]:
        metadata = self._with_title(item)
        own = {self.identity: item.id} if self.identity else {}
        return (
            {self.text: item.text}
            | own
            | ({self.metadata: metadata} if self.metadata else metadata)
        )

    def _point(self, identity: str) -> int | str | None:
        """The point with this id; None if it cannot exist."""
        if self.identity:
            return str(uuid5(NAMESPACE_URL, identity))
        if identity.isdecimal() and str(int(identity)) == identity:
            return int(identity)
        with suppress(ValueError):
            if str(UUID(identity)) == identity:
                return identity
        return None

    def _chosen(self, wanted: Condition) -> Native:
        models = self._models
        made = folded(
            wanted,
            comparison=self._compared,
            every=lambda parts: models.Filter(must=parts),
            some=lambda parts: models.Filter(should=_several(parts)),
            negated=lambda part: models.Filter(must_not=[part]),
        )
        return made if isinstance(made, models.Filter) else models.Filter(must=[made])

    def _compared(self, one: Comparison) -> Native:
        models = self._models
        path = ".".join(_path(name) for name in (self.metadata, one.key) if name)
        if one.operator == "$in":
            equal = [self._lone(path, partial(self._equal, value=value)) for value in one.value]
            return equal[0] if len(equal) == 1 else models.Filter(should=_several(equal))
        if one.operator == "$contains":
            return self._equal(f"{path}[]", one.value)
        # For our filters an empty list exists, but not for Qdrant.
        if one.operator == "$exists" or kind(one.value) != "number":
            raise BeyondStoreError
        bound = {one.operator.removeprefix("$"): one.value}
        range_ = models.Range(**bound)
        return self._lone(path, lambda path: models.FieldCondition(key=path, range=range_))

    def _lone(self, path: str, condition: Callable[[str], Native]) -> Native:
        """A condition on a value that is no list, of which Qdrant compares the elements."""
        return self._models.Filter(must=[condition(path)], must_not=[condition(f"{path}[]")])

    def _equal(self, path: str, value: Json) -> Native:
        models = self._models
        field = partial(models.FieldCondition, key=path)
        # Qdrant matches no floats, so they are compared with a range, which rounds large integers.
        if isinstance(value, float):
            return field(range=models.Range(gte=value, lte=value))
        exact = field(match=models.MatchValue(value=value))
        if kind(value) != "number" or abs(value) > 2**53:
            return exact
        near = field(range=models.Range(gte=value, lte=value))
        return models.Filter(should=[exact, near])


def _several(parts: list[Native]) -> list[Native]:
    """Conditions of which one must hold; without any, Qdrant would let everything through."""
    if not parts:
        raise BeyondStoreError
    return parts


def build_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> None:
    """Write nothing; see `open_local`."""


def open_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> Store:
    """A collection in memory; see `LocalStore`.

    Qdrant's own files of a local collection can run code that their writer put into them, and only
    one process can open them.
    """
    models = require("qdrant_client.models")
    client = require("qdrant_client").QdrantClient(":memory:")
    settings = models.VectorParams(size=embeddings.shape[1], distance=models.Distance.DOT)
    client.create_collection(_COLLECTION, vectors_config=settings)
    ids = range(len(embeddings))
    client.upload_collection(_COLLECTION, vectors=np.asarray(embeddings), ids=ids)
    return QdrantStore(client=client, collection=_COLLECTION)


def local_errors() -> tuple[type[Exception], ...]:
    """Empty: there are no files that could be damaged."""
    return ()


def _path(key: str) -> str:
    """A payload key as a Qdrant path.

    Raises:
        InputError: for a key with a quotation mark, which a path cannot contain.
    """
    if '"' in key:
        raise InputError(f"payload key {key!r}: Qdrant finds none with a quotation mark; rename it")
    return f'"{key}"'

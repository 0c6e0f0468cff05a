"""What a vector store does, whichever library keeps its records."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object, check_filter, check_object
from grapher_jax.corpus.filters import Condition, comparisons, fits, parsed
from grapher_jax.corpus.flat import unflatten
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json

# How what a library gives becomes the cosine, for vectors of unit length.
COSINE: Mapping[str, Callable[[ndarray], ndarray]] = {
    "itself": lambda similarity: similarity,
    "1 minus it": lambda distance: 1 - distance,
    "squared Euclidean": lambda distance: 1 - distance / 2,
    "Euclidean": lambda distance: 1 - distance**2 / 2,
}
# A little above 1, since stores may keep vectors in half precision or fewer bits.
HIGHEST_COSINE = 1.05
_AT_ONCE = 1000
# How many times as many are looked at where too few fit.
_WIDER = 4


class Record(NamedTuple):
    """What a library found: its distance or similarity, and what it keeps with the vector."""

    id: str
    distance: float
    text: str | None
    metadata: Mapping[str, Json] | None
    vector: Any = None


# What only a store's library knows the type of.
Native: TypeAlias = Any
# How SQL writes what `Comparison` compares by.
SIGNS: Mapping[str, str] = {"$in": "=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


class BeyondStoreError(Exception):
    """A store's library has no form of a condition."""


class Store(ABC):
    """Records of a vector of unit length, a text and metadata each, which a library keeps.

    Attributes:
        title: the key of the metadata that holds titles.
    """

    title: str = "title"
    # For each metric of the library, how it becomes the cosine.
    _metrics: ClassVar[Mapping[str, str]]

    def search(
        self,
        vectors: Float[ndarray, "B d"],
        k: int,
        *,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        embeddings: bool = False,
    ) -> list[list[dict[str, Json]]]:
        """The records nearest to each vector, best first, as `Reranker.rerank_batch` takes them.

        Args:
            vectors: `[B, d]` of unit length.
            k: how many for each; all where there are fewer.
            filter: what the metadata of records must be, see `Index.search`; what the library
                cannot say is looked for among ever more of the nearest.
            embeddings: whether candidates shall have their `embedding`, where it can be told.

        Returns:
            For each vector, mappings with `id`, `score` (the cosine), `title`, `text` and
            `metadata`.

        Raises:
            InputError: for vectors of another dimension, a k below 1, a filter by anything but
                strings, numbers and booleans or with an unknown operator, a metric that tells no
                cosine, or metadata that are not what the graph needs.
        """
        if k < 1:
            raise InputError(f"k: {k} must be at least 1")
        self._check_dimension(vectors)
        wanted = _condition(filter)
        if not len(vectors):
            return []
        rows = np.ascontiguousarray(vectors, np.float32)
        return [self._candidates(found) for found in self._fitting(rows, k, wanted, embeddings)]

    def annotate(self, objects: Iterable[Object]) -> None:
        """Write the metadata of objects to the records that have their ids.

        Metadata under other keys, vectors and texts stay. Warns of ids that no record has.

        Raises:
            InputError: where no record has any of the ids, or for metadata of a wrong type or
                under a key where the store keeps something else.
        """
        checked = self._checked(objects)
        there = self._there(checked)
        missing = [item.id for item in checked if item.id not in there]
        if missing and not there:
            raise InputError(
                f"{self.name}: no record has any of the {len(missing)} ids, such as {missing[0]!r};"
                " give the objects the ids of the records"
            )
        if missing:
            warn(
                f"{self.name}: no record has the ids of {len(missing)} objects (such as "
                f"{missing[0]!r}); their metadata is left out",
            )
        items = [item for item in checked if item.id in there and item.metadata]
        for part in _parts(items):
            self._write(items[part])

    def add(self, objects: Iterable[Object], vectors: Float[ndarray, "N d"]) -> None:
        """Add records.

        Raises:
            InputError: for an id that is there already or stands twice, metadata as in `annotate`,
                or other than one vector an object, of the store's dimension.
        """
        items = self._checked(objects)
        if len(items) != len(vectors):
            raise InputError(
                f"{self.name}: {len(vectors)} vectors for {len(items)} objects; give one each"
            )
        self._check_dimension(vectors)
        for identity in self._there(items):
            raise InputError(
                f"{self.name}: has a record {identity!r} already; annotate it, or delete it first"
            )
        for part in _parts(items):
            self._insert(items[part], np.ascontiguousarray(vectors[part], np.float32))

    @property
    @abstractmethod
    def name(self) -> str:
        """What messages call it."""

    @property
    @abstractmethod
    def dimension(self) -> int | None:
        """Of its vectors; None where it is empty and does not tell."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many records it has."""

    @property
    @abstractmethod
    def _metric(self) -> str:
        """What its distances are, as the library calls it."""

    @abstractmethod
    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        """The records nearest to each vector, best first, of those that `_chosen` let through."""

    @abstractmethod
    def _chosen(self, wanted: Condition) -> Native:
        """The library's form of a condition.

        Raises:
            BeyondStoreError: where it has none.
        """

    @abstractmethod
    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        """Those of some ids that records have."""

    @abstractmethod
    def _write(self, items: Sequence[Object]) -> None:
        """Write metadata, which are not empty, to records that are there."""

    @abstractmethod
    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        """Add records that are not there."""

    @property
    def _reserved(self) -> Collection[str | None]:
        """Keys that metadata cannot have, since ids, texts or vectors are kept there."""
        return ()

    def _fitting(
        self,
        vectors: Float[ndarray, "B d"],
        k: int,
        wanted: Condition | None,
        embeddings: bool,
    ) -> Iterable[Sequence[Record]]:
        if wanted is None:
            return self._nearest(vectors, k, None, embeddings)
        try:
            return self._nearest(vectors, k, self._chosen(wanted), embeddings)
        except BeyondStoreError:
            return self._sifted(vectors, k, wanted, embeddings)

    def _sifted(
        self, vectors: Float[ndarray, "B d"], k: int, wanted: Condition, embeddings: bool
    ) -> list[list[Record]]:
        """The first k that fit, among as many of the nearest as it takes."""
        count, looked = self.count, 0
        kept: list[list[Record]] = [[] for _ in vectors]
        while looked < count and any(len(found) < k for found in kept):
            looked = min(max(_WIDER * k, _WIDER * looked), count)
            kept = [
                [record for record in found if fits(wanted, record.metadata or {})][:k]
                for found in self._nearest(vectors, looked, None, embeddings)
            ]
        return kept

    def _checked(self, objects: Iterable[Object]) -> list[Object]:
        checked = [check_object(item, f"object {n}") for n, item in enumerate(objects, start=1)]
        for identity, times in Counter(item.id for item in checked).most_common(1):
            if times > 1:
                raise InputError(f"objects: duplicate id {identity!r}; ids must be unique")
        for item in checked:
            for key in item.metadata.keys() & {*self._reserved}:
                raise InputError(
                    f"{self.name}: metadata.{key} of object {item.id!r} would overwrite what the "
                    f"store keeps under {key!r}; rename that metadata key"
                )
        return checked

    def _with_title(self, item: Object) -> dict[str, Json]:
        """The object's metadata, and its title where it has one."""
        return dict(item.metadata) | ({self.title: item.title} if item.title else {})

    def _check_field(self, option: str, field: str, known: Collection[str]) -> None:
        if field not in known:
            raise InputError(
                f"{self.name}: has no {field!r}; give {option}= one of {', '.join(sorted(known))}"
            )

    def _check_dimension(self, vectors: Float[ndarray, "B d"]) -> None:
        if self.dimension not in (None, vectors.shape[1]):
            raise InputError(
                f"{self.name}: its vectors have {self.dimension} dimensions, not "
                f"{vectors.shape[1]}; use the embedder that filled it"
            )

    def _there(self, items: Sequence[Object]) -> set[str]:
        ids = [item.id for item in items]
        return {found for part in _parts(ids) for found in self._known(ids[part])}

    def _candidates(self, found: Sequence[Record]) -> list[dict[str, Json]]:
        made = []
        for record, score in zip(found, self._cosines(found), strict=True):
            metadata = unflatten(record.metadata, f"{self.name}: record {record.id!r}")
            title = str(metadata.pop(self.title, ""))
            candidate = {"id": record.id, "score": score, "title": title, "text": record.text or ""}
            if record.vector is not None:
                candidate["embedding"] = np.asarray(record.vector, np.float32)
            made.append(candidate | {"metadata": metadata})
        return made

    def _cosines(self, found: Sequence[Record]) -> list[float]:
        metric = self._metric
        if metric not in self._metrics:
            raise InputError(
                f"{self.name}: its metric {metric} tells no cosine; fill one that has "
                f"{' or '.join(self._metrics)}"
            )
        cosines = COSINE[self._metrics[metric]](np.array([record.distance for record in found]))
        if (np.abs(cosines) > HIGHEST_COSINE).any():
            raise InputError(
                f"{self.name}: its vectors are not of unit length, so that its metric {metric} "
                "tells no cosine; normalise them, or use the cosine as its metric"
            )
        return cosines.tolist()


def numbered(count: int) -> list[Object]:
    """Objects without text, whose ids are their places."""
    return [Object(str(place), "") for place in range(count)]


def _condition(wanted: Mapping[str, Json] | None) -> Condition | None:
    """A filter, once its values can be compared in every store; None for none."""
    if not wanted and (wanted is None or isinstance(wanted, Mapping)):
        return None
    condition = parsed(check_filter(wanted, "filter"))
    for one in comparisons(condition):
        for value in one.value if one.operator == "$in" else ():
            if not isinstance(value, str | int | float):
                raise InputError(
                    f"filter: {one.key!r} must be a string, a number or a boolean, not {value!r}"
                )
    return condition


def _parts(items: Sequence[Any]) -> Iterator[slice]:
    """As many at a time as every store takes."""
    return (slice(start, start + _AT_ONCE) for start in range(0, len(items), _AT_ONCE))

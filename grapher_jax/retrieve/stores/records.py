"""The behaviour that all vector stores share, whichever library keeps the records."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_count
from grapher_jax.corpus import Object, check_filter, check_object
from grapher_jax.corpus.filters import ORDER, Condition, comparisons, fits, parsed
from grapher_jax.corpus.flat import unflatten, with_lists
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json
from grapher_jax.shapes import slices

# The conversion of each metric to the cosine, for vectors of unit length.
_Cosine: TypeAlias = Callable[[ndarray], ndarray]
COSINE: Mapping[str, _Cosine] = {
    "itself": lambda similarity: similarity,
    "1 minus it": lambda distance: 1 - distance,
    "squared Euclidean": lambda distance: 1 - distance / 2,
    "Euclidean": lambda distance: 1 - distance**2 / 2,
}
# Slightly above 1, because stores may keep vectors in half precision or fewer bits.
HIGHEST_COSINE = 1.05
# A number of records that every store takes in one call.
_AT_ONCE = 1000
# The factor by which more records are fetched if too few match.
_WIDER = 4


class Record(NamedTuple):
    """A record found by a library: its distance or similarity, and the stored data."""

    id: str
    distance: float
    text: str | None
    metadata: Mapping[str, Json] | None
    vector: Any = None


# A value whose type only the store's library knows.
Native: TypeAlias = Any
# The SQL for the operators of `Comparison`.
SIGNS: Mapping[str, str] = {"$in": "=", "$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}


class BeyondStoreError(Exception):
    """A store's library cannot express a condition."""


class Store(ABC):
    """A vector store: records with a vector of unit length, a text and metadata.

    Attributes:
        title: the metadata key that holds titles.
    """

    title: str = "title"
    # For each metric of the library, its conversion to the cosine.
    _metrics: ClassVar[Mapping[str, str]]

    def search(
        self,
        vectors: Float[ndarray, "B d"],
        k: int,
        *,
        filter: Mapping[str, Json] | None = None,  # noqa: A002
        embeddings: bool = False,
    ) -> list[list[dict[str, Json]]]:
        """The records nearest to each vector, best first, as `Reranker.rerank_batch` accepts them.

        Args:
            vectors: `[B, d]` of unit length.
            k: how many per vector; all if there are fewer.
            filter: a filter on the metadata, see `Index.search`; if the library cannot express it,
                it is applied to more and more of the nearest records.
            embeddings: whether candidates should have their `embedding`, if the store can return
                it.

        Returns:
            For each vector, a list of mappings with `id`, `score` (the cosine), `title`, `text` and
            `metadata`.

        Raises:
            InputError: for vectors of another dimension, a k below 1, a filter with an unknown
                operator or other values than strings, numbers and Booleans, a metric that gives no
                cosine, or metadata of a wrong type for the graph.
        """
        k, rows = check_count("k", k), _matrix(vectors)
        self._check_dimension(rows)
        wanted = _condition(filter)
        if not len(rows):
            return []
        lists = self._fitting(rows, k, wanted, embeddings)
        cosine = self._cosine()
        return [self._candidates(found, cosine) for found in lists]

    def annotate(self, objects: Iterable[Object]) -> None:
        """Write the metadata of objects to the records that have their ids.

        Metadata under other keys, vectors and texts do not change. Warns of ids that no record has.

        Raises:
            InputError: if no record has any of the ids, or for metadata of a wrong type, that the
                library cannot hold, or under a key that the store uses for something else. Nothing
                is written then.
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
        self._prepare(items, new=False)
        for part in slices(len(items), _AT_ONCE):
            self._write(items[part])

    def add(
        self, objects: Iterable[Object], vectors: Float[ndarray, "N d"] | Sequence[Sequence[float]]
    ) -> None:
        """Add records.

        Raises:
            InputError: for an id that already exists or is repeated, for metadata as in `annotate`,
                or if there is not one vector of the store's dimension per object.
        """
        items, rows = self._checked(objects), _matrix(vectors)
        if len(items) != len(rows):
            raise InputError(
                f"{self.name}: {len(rows)} vectors for {len(items)} objects; give one each"
            )
        self._check_dimension(rows)
        for identity in self._there(items):
            raise InputError(
                f"{self.name}: has a record {identity!r} already; annotate it, or delete it first"
            )
        self._prepare(items, new=True)
        for part in slices(len(items), _AT_ONCE):
            self._insert(items[part], rows[part])

    @property
    @abstractmethod
    def name(self) -> str:
        """Its name in messages."""

    @property
    @abstractmethod
    def dimension(self) -> int | None:
        """The dimension of its vectors; None if it is empty and unknown."""

    @property
    @abstractmethod
    def count(self) -> int:
        """How many records it has."""

    @property
    @abstractmethod
    def _metric(self) -> str:
        """The metric of its distances, by the library's name."""

    @abstractmethod
    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        """The records nearest to each vector, best first, among those that match `_chosen`."""

    @abstractmethod
    def _chosen(self, wanted: Condition) -> Native:
        """A condition in the library's form.

        Raises:
            BeyondStoreError: if the library cannot express it.
        """

    @abstractmethod
    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        """The given ids that records have."""

    @abstractmethod
    def _write(self, items: Sequence[Object]) -> None:
        """Write non-empty metadata to existing records."""

    @abstractmethod
    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        """Add records that do not exist yet."""

    def _prepare(self, items: Sequence[Object], *, new: bool) -> None:  # noqa: B027 - if needed
        """Check, and make room for, what the library is to hold, before any of it is written.

        Args:
            items: the objects, `new` or with metadata for existing records.
            new: whether they are added, with their titles and texts.

        Raises:
            InputError: naming what the library cannot hold.
        """

    @property
    def _reserved(self) -> Collection[str | None]:
        """Keys that metadata cannot use, because they hold ids, texts or vectors."""
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
        """The first k records that match, among as many of the nearest as necessary."""
        count, looked = self.count, 0
        told = ("$contains", *ORDER)
        lists = {one.key for one in comparisons(wanted) if one.operator in told}
        kept: list[list[Record]] = [[] for _ in vectors]
        while looked < count and any(len(found) < k for found in kept):
            looked = min(max(_WIDER * k, _WIDER * looked), count)
            kept = [
                [one for one in found if fits(wanted, with_lists(one.metadata or {}, lists))][:k]
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
        """The object's metadata, with its title if it has one."""
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
        return {found for part in slices(len(ids), _AT_ONCE) for found in self._known(ids[part])}

    def _candidates(self, found: Sequence[Record], cosine: _Cosine) -> list[dict[str, Json]]:
        made = []
        # A vector of zeros has no direction: PostgreSQL says NaN.
        cosines = np.nan_to_num(cosine(np.array([record.distance for record in found])), nan=0.0)
        if (np.abs(cosines) > HIGHEST_COSINE).any():
            raise InputError(
                f"{self.name}: its vectors are not of unit length, so that its metric "
                f"{self._metric} tells no cosine; normalise them, or use the cosine as its metric"
            )
        for record, score in zip(found, cosines.tolist(), strict=True):
            metadata = unflatten(record.metadata, f"{self.name}: record {record.id!r}")
            title = str(metadata.pop(self.title, ""))
            candidate = {"id": record.id, "score": score, "title": title, "text": record.text or ""}
            if record.vector is not None:
                candidate["embedding"] = np.asarray(record.vector, np.float32)
            made.append(candidate | {"metadata": metadata})
        return made

    def _cosine(self) -> _Cosine:
        """The conversion of its distances to cosines."""
        metric = self._metric
        if metric not in self._metrics:
            raise InputError(
                f"{self.name}: its metric {metric} tells no cosine; fill one that has "
                f"{' or '.join(self._metrics)}"
            )
        return COSINE[self._metrics[metric]]


def _matrix(vectors: object) -> Float[ndarray, "N d"]:
    """One vector in each row, as every library takes them.

    Raises:
        InputError: if they are no finite numbers in rows of one length.
    """
    try:
        rows = np.ascontiguousarray(vectors, np.float32)
    except (TypeError, ValueError):
        rows = np.zeros(0, np.float32)
    if rows.ndim != 2:
        raise InputError("vectors: give one for each record, all of one length, as of an embedder")
    if not np.isfinite(rows).all():
        raise InputError("vectors: they must be finite numbers; one has NaN or infinity")
    return rows


def numbered(count: int) -> list[Object]:
    """Objects without text, with their positions as ids."""
    return [Object(str(place), "") for place in range(count)]


def _condition(wanted: Mapping[str, Json] | None) -> Condition | None:
    """A filter, checked to have only values that every store can compare; None for no filter."""
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

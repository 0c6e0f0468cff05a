"""FAISS: a vector index with separate records."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import repeat
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object, check_object
from grapher_jax.corpus.filters import Condition
from grapher_jax.errors import InputError, require
from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.metadata_rows import MetadataRows
from grapher_jax.retrieve.stores.records import Native, Record, Store, numbered

_FILE = "vectors.faiss"


class FaissStore(Store):
    """A FAISS index and the records of its vectors, which FAISS does not keep.

    Whether the search is exact depends on the kind of index. A filter with a key that no record has
    raises InputError.
    """

    _metrics: ClassVar = {"METRIC_INNER_PRODUCT": "itself", "METRIC_L2": "squared Euclidean"}

    def __init__(self, index: Any, objects: Mapping[int, Object] | Sequence[Object]) -> None:
        """Combine a FAISS index with records.

        Args:
            index: a `faiss` index with the inner product or the Euclidean distance as metric.
            objects: one per vector, in the order of the vectors; or by the numbers given to an
                `IndexIDMap` or an inverted file. `annotate` and `add` change only a copy
                of the objects; `add` also adds the vectors to `index`.

        Raises:
            InputError: if there is not exactly one record per vector, or for metadata that JSON
                cannot hold.
        """
        self.index = index
        self._in_order = not isinstance(objects, Mapping)
        given = objects if isinstance(objects, Mapping) else dict(enumerate(objects))
        # Those of an index are a million numbers without metadata, which need no check.
        self.objects = {
            number: check_object(one, f"object {number}") if getattr(one, "metadata", True) else one
            for number, one in given.items()
        }
        if len(self.objects) != self.count:
            raise InputError(
                f"{self.name}: {len(self.objects)} objects for {self.count} vectors; give one each"
            )

    @property
    def name(self) -> str:
        """See `Store`."""
        return f"FAISS {type(self.index).__name__}"

    @property
    def dimension(self) -> int:
        """See `Store`."""
        return self.index.d

    @property
    def count(self) -> int:
        """See `Store`."""
        return self.index.ntotal

    @property
    def _metric(self) -> str:
        faiss, kind = require("faiss"), self.index.metric_type
        return next((name for name in self._metrics if getattr(faiss, name) == kind), str(kind))

    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        found = self.index.search(vectors, max(1, min(k, self.count)), params=chosen)
        for distances, numbers in zip(*found, strict=True):
            used = numbers != EMPTY
            given = self._vectors(numbers[used]) if embeddings else repeat(None)
            items = (self.objects[number] for number in numbers[used].tolist())
            yield [
                Record(item.id, far, item.text, self._with_title(item), vector)
                for item, far, vector in zip(items, distances[used].tolist(), given, strict=False)
            ]

    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        return (name for name in ids if name in self._numbers)

    def _write(self, items: Sequence[Object]) -> None:
        for item in items:
            for number in self._numbers[item.id]:
                had = self.objects[number]
                self.objects[number] = replace(had, metadata={**had.metadata, **item.metadata})
        self.__dict__.pop("_rows", None)

    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        numbers = max(self.objects, default=EMPTY) + 1 + np.arange(len(items))
        if self._in_order:
            self.index.add(vectors)
        else:
            self.index.add_with_ids(vectors, numbers)
        self.objects.update(zip(numbers.tolist(), items, strict=True))
        for outdated in ("_rows", "_numbers"):
            self.__dict__.pop(outdated, None)

    @cached_property
    def _rows(self) -> MetadataRows:
        every = self.objects.values()
        return MetadataRows(len(every), lambda: map(self._with_title, every))

    @cached_property
    def _numbers(self) -> dict[str, list[int]]:
        """The numbers of the records with each id; several may have one."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for number, item in self.objects.items():
            numbers[item.id].append(number)
        return dict(numbers)

    def _vectors(self, numbers: ndarray) -> Iterable[Any]:
        try:
            return iter(self.index.reconstruct_batch(numbers))
        except RuntimeError:  # this index returns no vectors; texts can be embedded again
            return repeat(None)

    def _chosen(self, wanted: Condition) -> Native:
        faiss = require("faiss")
        numbers = np.fromiter(self.objects, np.int64, self.count)
        chosen = faiss.IDSelectorBatch(numbers[self._rows.fitting(wanted)])
        inner = self.index
        while isinstance(inner, faiss.IndexIDMap):
            inner = faiss.downcast_index(inner.index)
        # Search parameters replace all of the index's own.
        if isinstance(inner, faiss.IndexIVF):
            return faiss.SearchParametersIVF(sel=chosen, nprobe=inner.nprobe)
        if isinstance(inner, faiss.IndexHNSW):
            return faiss.SearchParametersHNSW(sel=chosen, efSearch=inner.hnsw.efSearch)
        return faiss.SearchParameters(sel=chosen)


def build_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> None:
    """Write an index's embeddings to a new folder, for exact search; see `LocalStore`."""
    faiss = require("faiss")
    index = faiss.IndexFlatIP(embeddings.shape[1])
    index.add(np.ascontiguousarray(embeddings, np.float32))
    folder.mkdir()
    faiss.write_index(index, str(folder / _FILE))


def open_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> Store:
    """Open what `build_local` wrote."""
    index = require("faiss").read_index(str(folder / _FILE))
    return FaissStore(index, numbered(index.ntotal))


def local_errors() -> tuple[type[Exception], ...]:
    """The errors that FAISS raises for damaged files."""
    return (RuntimeError,)

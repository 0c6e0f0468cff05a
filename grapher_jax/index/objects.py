"""Objects on disk, which are read only when they are shown."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import compress
from pathlib import Path
from threading import Lock
from typing import Any, overload

from jaxtyping import Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.errors import InputError, require
from grapher_jax.files import MAPPED, Json, parse_json
from grapher_jax.graph.stacked import Places

# Few rows are read at a time: a question shows about ten objects, however large the index is.
ROW_GROUP = 2048
_GROUPS_KEPT = 64
_COLUMNS = ("title", "text", "metadata")


def open_parquet(path: Path) -> Any:
    """A Parquet file, which may be gone from its folder before it is read."""
    source = path if MAPPED else require("pyarrow").BufferReader(path.read_bytes())
    return require("pyarrow.parquet").ParquetFile(source, memory_map=True)


class ParquetObjects(Sequence[Object]):
    """Objects in a Parquet file, read a row group at a time."""

    def __init__(self, path: Path) -> None:
        """Open the file and read only the ids."""
        self._path = path
        self._file = open_parquet(path)
        self.ids: list[str] = self._file.read(columns=["id"]).column("id").to_pylist()
        self._group = lru_cache(maxsize=_GROUPS_KEPT)(self._read_group)
        self._reading = Lock()

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, row: Any) -> Any:
        if isinstance(row, slice):
            return [self[i] for i in range(*row.indices(len(self)))]
        row = range(len(self))[row]
        number, place = divmod(row, ROW_GROUP)
        with self._damage():
            title, text, metadata = (col[place].as_py() for col in self._group(number).columns)
            return Object(self.ids[row], text, title, parse_json(metadata))

    def __iter__(self) -> Iterator[Object]:
        """Every object; what is read is not kept."""
        ids = iter(self.ids)
        for number in range(self._file.num_row_groups):
            with self._damage():
                columns = [column.to_pylist() for column in self._read_group(number).columns]
                group = [
                    Object(name, text, title, parse_json(metadata))
                    for title, text, metadata, name in zip(*columns, ids, strict=False)
                ]
            yield from group

    @property
    def metadata(self) -> Iterator[Mapping[str, Json]]:
        """The metadata of every object; no text is read."""
        for number in range(self._file.num_row_groups):
            with self._damage():
                (column,) = self._read_group(number, "metadata").columns
                found = [*map(parse_json, column.to_pylist())]
            yield from found

    def _read_group(self, number: int, *columns: str) -> Any:
        # pyarrow does not promise that threads may share a file.
        with self._reading:
            return self._file.read_row_group(number, columns=columns or _COLUMNS)

    @contextmanager
    def _damage(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # pyarrow raises many kinds
            raise InputError(f"{self._path}: damaged ({error}); build the index again") from error


class StackedObjects(Sequence[Object]):
    """Objects in several sequences, presented as one sequence.

    Attributes:
        parts: the sequences.
        places: which of their objects are not deleted.
    """

    def __init__(self, parts: Sequence[Sequence[Object]], places: Places) -> None:
        """Read nothing yet."""
        self.parts, self.places = parts, places

    @classmethod
    def of(cls, objects: Sequence[Object]) -> "StackedObjects":
        """Wraps a single sequence; a `StackedObjects` stays as it is."""
        if isinstance(objects, StackedObjects):
            return objects
        return cls([objects], Places.whole(len(objects)))

    def changed(self, gone: Int[ndarray, " m"], objects: Sequence[Object]) -> "StackedObjects":
        """The same without some rows, and with new objects appended."""
        parts = [*self.parts, objects] if objects else self.parts
        return StackedObjects(parts, self.places.changed(gone, len(objects)))

    @property
    def metadata(self) -> Iterator[Mapping[str, Json]]:
        """The metadata of every object; no text is read from a disk."""
        for part, start in zip(self.parts, self.places.starts.tolist(), strict=True):
            alive = self.places.alive[start : start + len(part)]
            if isinstance(part, ParquetObjects):
                yield from compress(part.metadata, alive)
            else:
                yield from (item.metadata for item in compress(part, alive))

    def __len__(self) -> int:
        return len(self.places)

    def __iter__(self) -> Iterator[Object]:
        for part, start in zip(self.parts, self.places.starts.tolist(), strict=True):
            yield from compress(part, self.places.alive[start : start + len(part)])

    @overload
    def __getitem__(self, row: int) -> Object: ...
    @overload
    def __getitem__(self, row: slice) -> list[Object]: ...
    def __getitem__(self, row: int | slice) -> Object | list[Object]:
        if isinstance(row, slice):
            return [self[one] for one in range(*row.indices(len(self)))]
        part, place = self.places.find(range(len(self))[row])
        return self.parts[part][place]

"""LanceDB: a table with metadata in columns."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.filters import (
    Comparison,
    Condition,
    comparisons,
    folded,
    kind,
)
from grapher_jax.corpus.flat import flatten
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.retrieve.stores.records import (
    SIGNS,
    BeyondStoreError,
    Native,
    Record,
    Store,
    numbered,
)

_DISTANCE = "_distance"
# What Lance calls its own columns.
_OWN = (_DISTANCE, "_rowid", "_rowaddr", "_rowoffset")
_TABLE = "objects"
# Characters in column names that Lance cannot read back.
_FORBIDDEN = {'"', "`", "."}


@dataclass(frozen=True, kw_only=True)
class LanceDBStore(Store):
    """A LanceDB table, searched exactly if its vectors have no index.

    Metadata that no column can hold raises InputError, as does a filter on a missing column.

    Attributes:
        table: a `lancedb` table.
        vector: the column that is searched.
        identity: the column that holds ids.
        text: the column that holds texts.
        title: the column that holds titles.
    """

    table: Any
    vector: str = "vector"
    identity: str = "id"
    text: str = "text"
    title: str = "title"

    _metrics: ClassVar = {"cosine": "1 minus it", "dot": "1 minus it", "l2": "squared Euclidean"}

    def __post_init__(self) -> None:
        if not callable(getattr(self.table, "search", None)):
            raise InputError(
                f"table: {type(self.table).__name__} is none; give db.open_table(NAME)"
            )

    @property
    def name(self) -> str:
        """See `Store`."""
        return f"LanceDB table {self.table.name!r}"

    @property
    def dimension(self) -> int:
        """See `Store`."""
        kind = self._schema.field(self.vector).type
        if not hasattr(kind, "list_size"):
            raise InputError(
                f"vector: {self.name} holds {self.vector!r} as {kind}, which it cannot search; "
                "store lists of a fixed size, such as pyarrow.list_(pyarrow.float32(), 384)"
            )
        return kind.list_size

    @property
    def count(self) -> int:
        """See `Store`."""
        return self.table.count_rows()

    @property
    def _metric(self) -> str:
        """The metric of the vector index; without an index, any metric works."""
        for index in self.table.list_indices():
            if list(index.columns) == [self.vector]:
                return self.table.index_stats(index.name).distance_type
        return "cosine"

    @property
    def _reserved(self) -> Collection[str]:
        return (self.vector, self.identity, self.text, *_OWN)

    @property
    def _schema(self) -> Any:
        schema = self.table.schema
        for option, column in (("vector", self.vector), ("identity", self.identity)):
            self._check_field(option, column, schema.names)
        return schema

    def _nearest(
        self, vectors: Float[ndarray, "B d"], k: int, chosen: Native, embeddings: bool
    ) -> Iterable[Sequence[Record]]:
        names = [name for name in self._schema.names if embeddings or name != self.vector]
        metric = self._metric
        for vector in vectors:
            search = self.table.search(vector, vector_column_name=self.vector)
            search = search.distance_type(metric).limit(k).select([*names, _DISTANCE])
            yield [
                Record(
                    str(row.pop(self.identity)),
                    row.pop(_DISTANCE),
                    row.pop(self.text, None),
                    vector=row.pop(self.vector, None),
                    metadata=row,
                )
                for row in (search if chosen is None else search.where(chosen)).to_list()
            ]

    def _chosen(self, wanted: Condition) -> str:
        schema = self._schema
        for one in comparisons(wanted):
            self._check_field("filter", one.key, schema.names)
            if one.operator == "$contains":
                raise BeyondStoreError
        return folded(
            wanted,
            comparison=lambda one: _compared(one, schema.field(one.key).type),
            every=lambda parts: f"({' AND '.join(parts) or 'true'})",
            some=lambda parts: f"({' OR '.join(parts) or 'false'})",
            # A comparison with null is neither true nor false.
            negated=lambda part: f"(NOT coalesce({part}, false))",
        )

    def _known(self, ids: Sequence[str]) -> Iterable[str]:
        wanted = require("lancedb.expr").col(self.identity).cast("string").isin(ids)
        rows = self.table.search().where(wanted).select([self.identity])
        # Several rows may have one id.
        found = rows.limit(max(1, self.table.count_rows())).to_list()
        return {str(row[self.identity]) for row in found}

    def _prepare(self, items: Sequence[Object], *, new: bool) -> None:
        # The type of a column depends on all of its values.
        self._columns([self._row(item, new=new) for item in items])

    def _row(self, item: Object, *, new: bool) -> dict[str, Json]:
        own = {**self._with_title(item), self.text: item.text} if new else dict(item.metadata)
        return {**own, self.identity: item.id}

    def _write(self, items: Sequence[Object]) -> None:
        # Every written row has a value in every written column.
        alike: dict[tuple[str, ...], list[dict[str, Json]]] = defaultdict(list)
        for item in items:
            alike[tuple(sorted(item.metadata))].append(self._row(item, new=False))
        for rows in alike.values():
            merge = self.table.merge_insert(self.identity).when_matched_update_all()
            merge.execute(self._columns(rows))

    def _insert(self, items: Sequence[Object], vectors: Float[ndarray, "N d"]) -> None:
        arrow = require("pyarrow")
        rows = [self._row(item, new=True) for item in items]
        column = arrow.FixedSizeListArray.from_arrays(vectors.ravel(), vectors.shape[1])
        self.table.add(self._columns(rows).append_column(self.vector, column))

    def _columns(self, rows: Sequence[Mapping[str, Json]]) -> Any:
        """The values of rows as columns; missing columns are added to the table.

        Raises:
            InputError: naming a column that cannot be, or hold its values; none is added then.
        """
        arrow, schema = require("pyarrow"), self._schema
        columns, added = {}, []
        for name in dict.fromkeys(key for row in rows for key in row):
            values = [row.get(name) for row in rows]
            flat = [flatten({name: value}).get(name) for value in values]
            known = name in schema.names
            if not known and (not name.isprintable() or not name or set(name) & _FORBIDDEN):
                raise InputError(
                    f"{self.name}: metadata.{name} cannot be a column; use a name without "
                    f"{' '.join(sorted(_FORBIDDEN))} and control characters that is not empty"
                )
            try:
                kind = schema.field(name).type if known else arrow.array(flat).type
                # An existing column of lists keeps its lists.
                columns[name] = arrow.array(values if arrow.types.is_nested(kind) else flat)
                columns[name] = columns[name].cast(kind)
            except (arrow.ArrowException, TypeError, OverflowError) as error:
                raise InputError(
                    f"{self.name}: column {name!r} cannot hold this metadata ({error})"
                ) from error
            if not known:
                added.append(arrow.field(name, kind))
        if added:
            self.table.add_columns(added)
        return arrow.table(columns)


def _compared(one: Comparison, column: Native) -> str:
    """A comparison as SQL; if column and value have different kinds, nothing matches."""
    expressions = require("lancedb.expr")
    field = expressions.col(one.key).to_sql()
    if one.operator == "$exists":
        return f"({field} IS NOT NULL)"
    known = _kind(column)
    values = [_whole(value) for value in (one.value if one.operator == "$in" else [one.value])]
    alike = [value for value in values if known in (None, kind(value))]
    if known == "number" and any(isinstance(value, float) for value in alike):
        field = f"CAST({field} AS double)"
    sign = SIGNS[one.operator]
    made = [f"({field} {sign} {expressions.lit(value).to_sql()})" for value in alike]
    return f"({' OR '.join(made) or 'false'})"


def _kind(column: Native) -> str | None:
    """The kind of a column's values, as in `kind`; None if Lance may convert strings to them."""
    types = require("pyarrow").types
    if types.is_integer(column) or types.is_floating(column) or types.is_decimal(column):
        return "number"
    if types.is_string(column) or types.is_large_string(column):
        return "string"
    if types.is_boolean(column):
        return "boolean"
    return "list" if types.is_nested(column) else None


def _whole(value: Json) -> Json:
    """A number for Lance: an integer if it is a whole number of 64 bits."""
    if isinstance(value, bool | str):
        return value
    small = -(2**63) <= value < 2**63
    if isinstance(value, float):
        return int(value) if small and value.is_integer() else value
    return value if small else float(value)


def build_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> None:
    """Write an index's embeddings to a new folder, for exact search; see `LocalStore`."""
    arrow = require("pyarrow")
    vector = arrow.list_(arrow.float32(), embeddings.shape[1])
    schema = arrow.schema([("id", arrow.string()), ("vector", vector)])
    table = require("lancedb").connect(folder).create_table(_TABLE, schema=schema)
    LanceDBStore(table=table).add(numbered(len(embeddings)), embeddings)


class _Embeddings(LanceDBStore):
    """The embeddings of an index: of unit length, or zeros, whose cosine Lance leaves out."""

    _metric = "dot"


def open_local(folder: Path, embeddings: Float[ndarray, "N d"]) -> Store:
    """Open what `build_local` wrote."""
    if not folder.is_dir():
        raise FileNotFoundError("it is missing")
    return _Embeddings(table=require("lancedb").connect(folder).open_table(_TABLE))


def local_errors() -> tuple[type[Exception], ...]:
    """The errors that LanceDB raises for damaged files."""
    return (OSError, RuntimeError, ValueError)

"""The one table of proximities: what may join objects, a row each.

Whatever lists proximities is derived from it: the arrays of an index and of candidates, the graphs
that rankers read, the steps of expansion, the words of explanations, the keys that metadata is
checked for. `register` adds a row; no other module is edited. `references` and `shared_values` make
the rows of the two commonest forms.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING, Any

from jaxtyping import Bool, Int
from numpy import ndarray

from grapher_jax.corpus.keys import (
    CHUNK_ID,
    DOCUMENT_ID,
    ENTITIES,
    FOREIGN_KEYS,
    INFERRED_KEYS,
    KEYS,
    LINKS,
    STRINGS,
    Key,
)
from grapher_jax.errors import InputError
from grapher_jax.graph.chunks import Sequences
from grapher_jax.graph.common_values import SharedValues
from grapher_jax.graph.joins import Context, Join
from grapher_jax.graph.meanings import Meanings
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed
from grapher_jax.graph.ragged import Ragged
from grapher_jax.graph.reference_lists import InferredReferences, References

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow
    from grapher_jax.kernels.graphs.proximities import Table as KernelTable

# The relation of those that are keys of tables.
KEY = "foreign_key"
# What joins candidates otherwise, or names several: no row may be called so.
TAKEN = ("semantic", "sequential", "in_common", "several", "other", "carrying")


# Rows are told apart as objects: two of one name are two rows.
@dataclass(frozen=True, eq=False, kw_only=True)
class Proximity:
    """A row of the table.

    Attributes:
        name: what options and weights call it.
        keys: the metadata that it is built from; without the last of them it joins nothing. None
            where embeddings join.
        arrays: those of a `GraphArrays` that it reads.
        build: from the metadata of all objects to those of the arrays that no other row builds:
            numbers `[N]`, lists of numbers, or a vocabulary.
        read: where `build` is `resolve` of it: what each object names by itself, which an index
            keeps, so that an update reads the metadata of what changed alone. None where an update
            is to build it from the metadata of all objects.
        resolve: from that of all objects to the arrays.
        joins: `[N]` which objects the arrays can join to any; of candidates, to one of their list.
        gather: from the arrays, candidates `[*B, n]` (-1 for none) and `max_df` to the arrays that
            the kernels read. Values that more than `max_df` objects share count as none; None lets
            all count.
        kernel: gives the row of the kernels, which builds the graph of those. Called when
            candidates are ranked: the table itself needs no JAX.
        steps: from the arrays and `max_df` to the lists that a step leads through, one after the
            other, such as from objects to objects, or from objects to values to objects.
        seeds: how many of the best candidates bring those that are one step away.
        words: what joins two rows of a collection, in words; none where the proximity does not.
        label: what a drawing calls it; the name by default.
        filled: from a number of slots to the metadata of an object that needs so many, by which a
            service compiles its programs beforehand.
        relation: what the weights of query-aware GNN retrieval call its edges; rows may share it.
            They know no other relations than those they were trained with, so that a row which is
            added has none.
        slots: how many such edges an object has at most.
        auto: the ranker that `auto` takes where this joins candidates: `diffusion`, `gcs` or `gat`.
        diffusion_alpha: the α of diffusion where this joins candidates; of several the lowest.
    """

    name: str
    keys: tuple[Key, ...]
    arrays: tuple[str, ...]
    build: Callable[[Metadata], Mapping[str, Array]]
    joins: Callable[["GraphArrays"], Bool[ndarray, " N"]]
    gather: Callable[["GraphArrays", Int[ndarray, "*B n"], int | None], Mapping[str, ndarray]]
    kernel: Callable[[], "KernelRow"]
    steps: Callable[["GraphArrays", int], Sequence[Ragged]]
    seeds: int
    words: Callable[[Context, int, int], Iterator[Join]]
    read: Callable[[Metadata], AllNamed] | None = None
    resolve: Callable[[AllNamed, Known], Mapping[str, Array]] | None = None
    label: str = ""
    filled: Callable[[int], Mapping[str, Any]] = lambda slots: {}
    relation: str | None = None
    slots: int = 0
    auto: str = "diffusion"
    diffusion_alpha: float = 0.3

    @cached_property
    def kernel_row(self) -> "KernelRow":
        """The row of the kernels, which compiled programs know by its identity."""
        return self.kernel()


def references(
    name: str,
    key: str,
    *,
    verb: str,
    array: str = "",
    columns: str = "",
    seeds: int = 10,
    **further: Any,
) -> Proximity:
    """A row by which objects name others.

    Args:
        name: of the proximity.
        key: of the metadata: lists of ids.
        verb: what one object does to the other, such as `links to`.
        array: the name of its array, in an index too; by default made of `name`.
        columns: the key of the metadata that says by which columns, where there is one.
        seeds: see `Proximity`.
        further: likewise.
    """
    row = References(name, key, array or f"{name}_targets", verb, columns)
    return of_row(row, ("object_ids", row.array), seeds=seeds, **further)


def shared_values(
    name: str,
    key: str,
    *,
    told: str = "both have",
    arrays: tuple[str, str, str] | None = None,
    gathered: tuple[str, str] | None = None,
    seeds: int = 5,
    diffusion_alpha: float = 0.7,
    **further: Any,
) -> Proximity:
    """A row by which objects have something in common.

    Args:
        name: of the proximity.
        key: of the metadata: lists of names, compared as those of entities are.
        told: what an explanation says of two objects before it names what they share.
        arrays: see `SharedValues`, in an index too; by default made of `name`.
        gathered: likewise.
        seeds: see `Proximity`.
        diffusion_alpha: likewise.
        further: likewise.
    """
    made = f"{name}_ids", f"{name}_counts", f"{name}_names"
    row = SharedValues(name, key, arrays or made, gathered or made[:2], told)
    return of_row(row, row.arrays, seeds=seeds, diffusion_alpha=diffusion_alpha, **further)


def of_row(
    row: References | SharedValues | Sequences | Meanings, arrays: tuple[str, ...], **own: Any
) -> Proximity:
    """A row of the table, of what says how it is read, gathered and told.

    Args:
        row: that.
        arrays: see `Proximity`.
        own: what else the row has; `keys` and `read` may be others than `row` says.
    """
    read = own.setdefault("read", row.read)
    if isinstance(row, References | SharedValues):
        own = {"keys": (Key(row.key, STRINGS, joins=True),)} | own
    return Proximity(
        name=row.name,
        arrays=arrays,
        joins=row.joins,
        gather=row.gather,
        kernel=row.kernel,
        steps=row.steps,
        words=row.words,
        filled=row.filled,
        build=lambda objects: row.resolve(read(objects), objects.known),
        resolve=row.resolve,
        **own,
    )


# How many of the best candidates bring others: what lifted the ceiling most on train splits without
# pushing others out of the few places there are.
_OF_THE_PACKAGE = (
    references(
        "foreign_key",
        FOREIGN_KEYS.name,
        verb="references",
        array="foreign_keys",
        columns="joins",
        label="foreign key",
        relation=KEY,
        slots=8,
        auto="gat",
    ),
    of_row(
        InferredReferences(
            "inferred_key", INFERRED_KEYS.name, "inferred_keys", "references", "inferred_joins"
        ),
        ("object_ids", "inferred_keys", "inferred_by"),
        seeds=10,
        label="inferred key",
        relation=KEY,
        slots=8,
        auto="gat",
    ),
    references(
        "link", LINKS.name, verb="links to", array="links", label="link", relation="link", slots=8
    ),
    shared_values(
        "shared_entity",
        ENTITIES.name,
        arrays=("entities", "entity_counts", "entity_names"),
        gathered=("entity_ids", "entity_counts"),
        label="shared entity",
        relation="shared_entity",
        slots=8,
    ),
    of_row(
        Sequences("chunk", (DOCUMENT_ID.name, CHUNK_ID.name), ("document_ids", "chunk_ids")),
        ("document_ids", "chunk_ids"),
        # A document's name joins nothing: neighbours in it do.
        keys=(DOCUMENT_ID, CHUNK_ID),
        seeds=10,
        label="next chunk",
        relation="sequential",
        slots=2,
        auto="gcs",
        diffusion_alpha=0.1,
    ),
)


class Proximities(Mapping[str, Proximity]):
    """The rows by name: those of the package, then those that were added."""

    def __init__(self) -> None:
        """Those of the package alone."""
        self._rows = {row.name: row for row in _OF_THE_PACKAGE}
        self._lock = Lock()

    def __getitem__(self, name: str) -> Proximity:
        return self._rows[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Proximity) -> None:
        """See `register`."""
        with self._lock:
            if row.name in (*self._rows, *TAKEN):
                raise InputError(f"proximity: {row.name!r} is taken; choose another name")
            # It stands in files, messages and pages.
            if not row.name.isidentifier():
                raise InputError(
                    f"proximity: {row.name!r} is no name; use letters, digits and underscores"
                )
            if row.relation is not None:
                raise InputError(
                    f"proximity: {row.name!r} names a relation, but query-gnn's weights know no "
                    "further ones; leave relation and slots out"
                )
            self._put({**self._rows, row.name: row})

    def remove(self, name: str) -> None:
        """Takes a row away that was added."""
        with self._lock:
            self._put({own: row for own, row in self._rows.items() if own != name})

    def _put(self, rows: dict[str, Proximity]) -> None:
        KEYS.add(chain.from_iterable(row.keys for row in rows.values()))
        # Another mapping, not this one changed: threads may be reading it.
        self._rows = rows


PROXIMITIES = Proximities()


def of_keys(names: Iterable[str]) -> list[str]:
    """Those of some proximities that are keys of tables; edges of one's own are none."""
    rows = ((name, PROXIMITIES.get(name)) for name in names)
    return [name for name, row in rows if row is not None and row.relation == KEY]


def register(row: Proximity) -> None:
    """Adds a row to the table, in this process.

    An index that is built, or read, from then on has its arrays; a graph that is there already
    lacks them.

    Raises:
        InputError: for a name that is taken, a key that has another type already, or a relation,
            which the weights of query-aware GNN retrieval would not know.
    """
    PROXIMITIES.add(row)


@contextmanager
def registered(*rows: Proximity) -> Iterator[None]:
    """A block of code for which rows are in the table."""
    added: list[str] = []
    try:
        for row in rows:
            register(row)
            added.append(row.name)
        yield
    finally:
        for name in reversed(added):
            PROXIMITIES.remove(name)


def kernel_table(
    proximities: Sequence[str], rows: Mapping[str, Proximity] = PROXIMITIES
) -> "KernelTable":
    """The rows of the kernels that build the graphs of these proximities.

    Those of the package are always the one table, so that no choice among them is another program:
    which of them join candidates, their arrays tell. A row that was added may read arrays which
    others read too, so that where there is one, the table holds what was chosen and nothing else.

    Args:
        proximities: their names.
        rows: the table, with the edges that a graph has of its own.
    """
    from grapher_jax.kernels.graphs.proximities import TABLE

    chosen = tuple(rows[name].kernel_row for name in proximities)
    return TABLE if set(chosen) <= set(TABLE) else chosen


def kernel_weights(
    weights: Mapping[str, float] | None,
    proximities: Iterable[str],
    rows: Mapping[str, Proximity] = PROXIMITIES,
) -> dict[str, float]:
    """The weights of these proximities under the names that kernels have for them.

    Args:
        weights: by name; of some.
        proximities: their names.
        rows: see `kernel_table`.
    """
    given = weights or {}
    return {rows[name].kernel_row.name: given[name] for name in proximities if name in given}


def connecting_keys(rows: Mapping[str, Proximity] = PROXIMITIES) -> tuple[str, ...]:
    """The keys of metadata that can join objects, one a proximity that has any.

    Args:
        rows: the table, perhaps with edges of one's own.
    """
    return tuple(row.keys[-1].name for row in rows.values() if row.keys)

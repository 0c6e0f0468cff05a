"""The table of proximities: one row for each kind of edge between objects.

Everything that depends on proximities is derived from it: the arrays of an index and of candidates,
the graphs that rankers read, the steps of expansion, the words of explanations, and the metadata
keys that are checked. `register` adds a row; no other module needs a change. `references` and
`shared_values` build rows of the two most common forms.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
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
    MENTIONS,
    STRINGS,
    Key,
)
from grapher_jax.errors import InputError
from grapher_jax.graph.common_values import SharedValues
from grapher_jax.graph.joins import Context, Join
from grapher_jax.graph.metadata import Array, Known, Metadata
from grapher_jax.graph.names import AllNamed
from grapher_jax.graph.ragged import Ragged
from grapher_jax.graph.reference_lists import InferredReferences, References
from grapher_jax.graph.semantic import Meanings
from grapher_jax.graph.sequences import Sequences

if TYPE_CHECKING:
    from grapher_jax.graph.arrays import GraphArrays
    from grapher_jax.kernels.graphs.proximities import Proximity as KernelRow
    from grapher_jax.kernels.graphs.proximities import Table as KernelTable

# The relation of the proximities that are keys of tables.
KEY = "foreign_key"
# Names used for other relations or for groups of them: no row may have these names.
TAKEN = ("semantic", "sequential", "in_common", "several", "other", "carrying")


# Rows are compared by identity: two rows may have the same name.
@dataclass(frozen=True, eq=False, kw_only=True)
class Proximity:
    """A row of the table.

    Attributes:
        name: its name in options and weights.
        keys: the metadata keys that it is built from; without the last one, it joins nothing. Empty
            if it uses embeddings.
        arrays: the arrays of a `GraphArrays` that it reads.
        build: computes, from the metadata of all objects, those of the arrays that no other row
            builds: numbers `[N]`, lists of numbers, or a vocabulary.
        read: reads the names that each object refers to, if `build` is `resolve` after `read`. An
            index stores them, so that an update reads only the metadata of changed objects. If
            None, an update builds the arrays from the metadata of all objects.
        resolve: computes the arrays from the names of all objects.
        joins: `[N]` which objects the arrays can join to any other; for candidates, to one in their
            list.
        gather: computes the arrays for the kernels from the arrays, candidates `[*B, n]` (-1 for
            none) and `max_df`. Values that more than `max_df` objects share are ignored; None for
            no limit.
        kernel: returns the row of the kernels, which builds the graph from these arrays. Called
            when candidates are ranked: the table itself does not need JAX.
        steps: computes, from the arrays and `max_df`, the lists that a step follows in turn, such
            as from objects to objects, or from objects to values to objects.
        seeds: how many of the best candidates are expanded by one step.
        to_hubs: whether expansion may add an object with very many edges. A table that half of a
            database references may be what a question asks about; a package that half of all
            packages need is not.
        words: describes the joins of two rows of a collection; empty if there are none.
        label: its name in drawings; the name by default.
        filled: returns example metadata of an object that needs a given number of slots, with which
            a service compiles its programs in advance.
        relation: the name of its edges in the weights of query-aware GNN retrieval; rows may share
            one. The weights know only the relations that they were trained with, so an added row
            has none.
        slots: the maximum number of such edges per object.
        auto: the ranker that `auto` takes if this joins candidates: `diffusion`, `gcs` or `gat`.
        auto_expands: whether `auto` may add objects one step from the best candidates if this joins
            objects.
        diffusion_gap: the part of the gap between the best score and the tenth that diffusion takes
            as its temperature if this joins candidates. Of several proximities, the one with the
            largest part decides, and of those the one with the lowest α.
        diffusion_alpha: the α of diffusion, if this proximity decides.
        diffusion_degree: the least degree of diffusion, if this proximity decides.
        auto_covers: whether words of the question that the first result, with its document, lacks
            raise others, if `auto` takes diffusion and only such proximities join the candidates.
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
    to_hubs: bool = True
    read: Callable[[Metadata], AllNamed] | None = None
    resolve: Callable[[AllNamed, Known], Mapping[str, Array]] | None = None
    label: str = ""
    filled: Callable[[int], Mapping[str, Any]] = lambda slots: {}
    relation: str | None = None
    slots: int = 0
    auto: str = "diffusion"
    auto_expands: bool = True
    diffusion_gap: float = 0.25
    diffusion_alpha: float = 0.3
    diffusion_degree: float = 0.0
    auto_covers: bool = False

    @cached_property
    def kernel_row(self) -> "KernelRow":
        """The row of the kernels, which compiled programs identify by object identity."""
        return self.kernel()


def decides_diffusion(rows: Iterable[Proximity]) -> Proximity:
    """Of the rows that join candidates, the one whose numbers diffusion takes: the most careful."""
    return max(rows, key=lambda row: (row.diffusion_gap, -row.diffusion_alpha))


def references(
    name: str,
    key: str,
    *,
    verb: str,
    array: str = "",
    columns: str = "",
    **further: Any,
) -> Proximity:
    """A row for objects that reference others by id.

    Args:
        name: the name of the proximity.
        key: the metadata key of lists of ids.
        verb: the verb in explanations, such as `links to`.
        array: the name of its array, also in an index; by default derived from `name`.
        columns: the metadata key with the columns of the references, if there is one.
        further: see `Proximity`; `seeds` is 10, `diffusion_alpha` 0.7 and `to_hubs` False by
            default.
    """
    array = array or f"{name}_targets"
    row = References(name, key, array, verb, columns)
    return of_row(row, ("object_ids", array), **further)


def shared_values(
    name: str,
    key: str,
    *,
    told: str = "both have",
    arrays: tuple[str, str, str] | None = None,
    gathered: tuple[str, str] | None = None,
    **further: Any,
) -> Proximity:
    """A row for objects that have values in common.

    Args:
        name: the name of the proximity.
        key: the metadata key of lists of names, compared like entity names.
        told: the words of an explanation before the names of the shared values.
        arrays: see `SharedValues`, also names in an index; by default derived from `name`.
        gathered: see `SharedValues`.
        further: see `Proximity`; `seeds` is 5 and `diffusion_alpha` 0.7 by default.
    """
    made = f"{name}_ids", f"{name}_counts", f"{name}_names"
    row = SharedValues(name, key, arrays or made, gathered or made[:2], told)
    return of_row(row, row.arrays, **further)


# What was tuned on train splits for each form of edges, unless a row has its own. The `seeds` are
# the numbers that raised the ceiling of expansion most, without filling the few places for added
# objects with the wrong ones.
_TUNED: Mapping[type, Mapping[str, float]] = {
    References: {"seeds": 10, "to_hubs": False, "diffusion_alpha": 0.7},
    SharedValues: {"seeds": 5, "diffusion_alpha": 0.7},
    Sequences: {
        "seeds": 10,
        "auto_expands": False,
        "diffusion_gap": 1.0,
        "diffusion_alpha": 0.6,
        "diffusion_degree": 1.5,
    },
    Meanings: {"seeds": 0},
}


def of_row(
    row: References | SharedValues | Sequences | Meanings, arrays: tuple[str, ...], **own: Any
) -> Proximity:
    """A row of the table, from an object that reads, gathers and explains it.

    Args:
        row: this object.
        arrays: see `Proximity`.
        own: the other attributes of the row; `keys` and `read` may replace those of `row`, and
            numbers those that were tuned for its form.
    """
    tuned = next(numbers for form, numbers in _TUNED.items() if isinstance(row, form))
    own = {"read": row.read, **tuned, **own}
    read = own["read"]
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


_OF_THE_PACKAGE = (
    references(
        "foreign_key",
        FOREIGN_KEYS.name,
        verb="references",
        array="foreign_keys",
        columns="joins",
        to_hubs=True,
        label="foreign key",
        relation=KEY,
        slots=8,
        auto="gat",
        diffusion_alpha=0.3,
    ),
    of_row(
        InferredReferences(
            "inferred_key",
            INFERRED_KEYS.name,
            "inferred_keys",
            "references",
            "inferred_joins",
        ),
        ("object_ids", "inferred_keys", "inferred_by"),
        to_hubs=True,
        label="inferred key",
        relation=KEY,
        slots=8,
        auto="gat",
        diffusion_alpha=0.3,
    ),
    references(
        "link", LINKS.name, verb="links to", array="links", label="link", relation="link", slots=8
    ),
    # An index also finds mentions of titles. No network has learned from this relation.
    references(
        "mention",
        MENTIONS.name,
        verb="mentions",
        array="mentions",
        label="mention",
        auto_covers=True,
    ),
    shared_values(
        "shared_entity",
        ENTITIES.name,
        arrays=("entities", "entity_counts", "entity_names"),
        gathered=("entity_ids", "entity_counts"),
        label="shared entity",
        relation="shared_entity",
        slots=8,
        auto_covers=True,
    ),
    of_row(
        Sequences("chunk", (DOCUMENT_ID.name, CHUNK_ID.name), ("document_ids", "chunk_ids")),
        ("document_ids", "chunk_ids"),
        # The document alone joins nothing: only consecutive chunks in it are joined.
        keys=(DOCUMENT_ID, CHUNK_ID),
        label="next chunk",
        relation="sequential",
        slots=2,
        auto_covers=True,
    ),
)


class Proximities(Mapping[str, Proximity]):
    """The rows by name: those of the package, then the added ones."""

    def __init__(self) -> None:
        """Start with the rows of the package."""
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
            # The name is used in files, messages and pages.
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
        """Removes an added row."""
        with self._lock:
            self._put({own: row for own, row in self._rows.items() if own != name})

    def _put(self, rows: dict[str, Proximity]) -> None:
        KEYS.add(chain.from_iterable(row.keys for row in rows.values()))
        # A new mapping instead of a change in place: threads may be reading the old one.
        self._rows = rows


PROXIMITIES = Proximities()


def of_keys(names: Iterable[str]) -> list[str]:
    """The given proximities that are keys of tables; never edges of your own."""
    rows = ((name, PROXIMITIES.get(name)) for name in names)
    return [name for name, row in rows if row is not None and row.relation == KEY]


def register(row: Proximity) -> None:
    """Adds a row to the table, in this process.

    Indexes that are built or read afterwards have its arrays; existing graphs do not.

    Raises:
        InputError: for a name that is taken, a key that already has another type, or a given
            `relation`, which the weights of query-aware GNN retrieval would not know.
    """
    PROXIMITIES.add(row)


@contextmanager
def registered(*rows: Proximity) -> Iterator[None]:
    """A context in which these rows are in the table."""
    with ExitStack() as added:
        for row in rows:
            register(row)
            added.callback(PROXIMITIES.remove, row.name)
        yield


def kernel_table(
    proximities: Sequence[str], rows: Mapping[str, Proximity] = PROXIMITIES
) -> "KernelTable":
    """The rows of the kernels that build the graphs of these proximities.

    For the package's own proximities, the table is always the same, so that every choice uses the
    same program: the arrays decide which of them join candidates. An added row may read arrays that
    others also read; if there is one, the table has only the chosen rows.

    Args:
        proximities: their names.
        rows: the table, with a graph's own edges.
    """
    from grapher_jax.kernels.graphs.proximities import TABLE

    chosen = tuple(rows[name].kernel_row for name in proximities)
    return TABLE if set(chosen) <= set(TABLE) else chosen


def kernel_weights(
    weights: Mapping[str, float] | None,
    proximities: Iterable[str],
    rows: Mapping[str, Proximity] = PROXIMITIES,
) -> dict[str, float]:
    """The weights of these proximities, by their names in the kernels.

    Args:
        weights: by name, for some of them.
        proximities: their names.
        rows: see `kernel_table`.
    """
    given = weights or {}
    return {rows[name].kernel_row.name: given[name] for name in proximities if name in given}


def connecting_keys(rows: Mapping[str, Proximity] = PROXIMITIES) -> tuple[str, ...]:
    """The metadata keys that can join objects, one for each proximity with keys.

    Args:
        rows: the table, possibly with edges of your own.
    """
    return tuple(row.keys[-1].name for row in rows.values() if row.keys)

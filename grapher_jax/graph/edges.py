"""Edges of your own: metadata keys that join objects, besides those of the table.

They are additional rows of the table of proximities, for one index or reranker. Kernels know only
their form and a number, not their name, so that other names do not compile other programs.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from grapher_jax.checks import finite, shown
from grapher_jax.corpus.keys import CHUNK_ID, DOCUMENT_ID, PLACE, STRINGS, Key
from grapher_jax.errors import InputError
from grapher_jax.files import Json, parse_json
from grapher_jax.graph.common_values import SharedValues
from grapher_jax.graph.metadata import Metadata
from grapher_jax.graph.names import AllNamed
from grapher_jax.graph.proximities import PROXIMITIES, TAKEN, Proximity, of_row
from grapher_jax.graph.reference_lists import References
from grapher_jax.graph.semantic import Meanings
from grapher_jax.graph.sequences import Sequences
from grapher_jax.graph.weighted_references import WeightedReferences

# The key type of a Mapping is invariant, so both types are listed.
Edges = Mapping[str, str] | Mapping[tuple[str, str], str] | Mapping[str | tuple[str, str], str]
_SEMANTIC = "semantic"
_CURE = (
    "give keys of metadata with one of reference, shared, weighted, or of two keys sequence, such "
    'as {"cites": "reference", "authors": "shared", ("thread", "position"): "sequence"}; or any '
    "name with semantic"
)


# A name such as [anonymous], and no list that is written otherwise than in JSON.
_BRACKETED = re.compile(r"""\[[^]\[,"']*\][^]\[,"']*""")


def _listed(text: str) -> object:
    try:
        return parse_json(text)
    except ValueError:
        if _BRACKETED.fullmatch(text):
            return text
        raise


def _strings(value: object) -> list[str]:
    """One name or several; stores that hold only strings may have a list as JSON."""
    if isinstance(value, str) and value.startswith("["):
        value = _listed(value)
    items = value if isinstance(value, list | tuple | np.ndarray) else [value]
    return [*map(_name, items)]


def _name(value: object) -> str:
    if isinstance(value, bool | np.bool_) or not isinstance(value, str | int | np.integer):
        raise ValueError
    return str(value)


def _place(value: object) -> object:
    return PLACE.checked(PLACE.stored(value))


def _pairs(value: object) -> list[tuple[str, float]]:
    read = parse_json(value) if isinstance(value, str) else value
    pairs = [*read.items()] if isinstance(read, Mapping) else read
    if not isinstance(pairs, list | tuple) or not all(
        isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs
    ):
        raise ValueError
    weights = [finite(weight) for _, weight in pairs]
    if any(weight is None or weight < 0 for weight in weights):
        raise ValueError
    return [(_name(name), float(weight)) for name, weight in pairs]


_Read = tuple[Callable[[object], object], str]
_NAMES: _Read = (_strings, "a string or a list of strings")
_WEIGHTS: _Read = (_pairs, 'ids with numbers from 0 to 3e38, such as {"a": 0.8}, or pairs of both')


def _references(name: str, keys: tuple[str, ...], slot: str) -> Proximity:
    row = References(name, keys[0], slot, f"refers by {name} to", slot=slot)
    read = _reading(row.read, {name: _NAMES})
    return of_row(row, ("object_ids", slot), read=read)


def _shared(name: str, keys: tuple[str, ...], slot: str) -> Proximity:
    arrays = f"{slot}_ids", f"{slot}_counts", f"{slot}_names"
    told = f"both have the same {name}:"
    row = SharedValues(name, keys[0], arrays, arrays[:2], told, slot=slot)
    read = _reading(row.read, {name: _NAMES})
    return of_row(row, arrays, read=read)


def _weighted(name: str, keys: tuple[str, ...], slot: str) -> Proximity:
    weights = f"{slot}_weights"
    verb = f"refers by {name} to"
    row = WeightedReferences(name, keys[0], slot, verb, slot=slot, strengths=weights)
    read = _reading(row.read, {name: _WEIGHTS})
    return of_row(row, ("object_ids", slot, weights), read=read)


def _sequence(name: str, keys: tuple[str, ...], slot: str) -> Proximity:
    whole, place = keys
    row = Sequences(name, (whole, place), (f"{slot}_wholes", f"{slot}_places"), slot=slot)
    read = {whole: (_name, "a string"), place: (_place, PLACE.told)}
    return of_row(
        row,
        row.arrays,
        keys=tuple(Key(key, STRINGS, joins=True) for key in keys),
        read=_reading(row.read, read),
    )


def _semantic(name: str, keys: tuple[str, ...], slot: str) -> Proximity:
    return of_row(Meanings(name, slot), (), keys=())


@dataclass(frozen=True)
class _Form:
    """A form of edges: how many keys it has (mostly metadata keys), and what builds its row."""

    keys: int
    row: Callable[[str, tuple[str, ...], str], Proximity]


_FORMS = {
    "reference": _Form(1, _references),
    "shared": _Form(1, _shared),
    "sequence": _Form(2, _sequence),
    "weighted": _Form(1, _weighted),
    _SEMANTIC: _Form(1, _semantic),
}


def check_edges(edges: object) -> dict[str, str]:
    """Edges in a form for JSON: the two keys of a sequence become one, separated by a comma.

    The name of an edge is its first key.

    Args:
        edges: the form of each edge, by its metadata keys; None for no edges.

    Raises:
        InputError: naming the edge, if it is invalid, its form is unknown, or its name is taken.
    """
    if edges is None:
        return {}
    if not isinstance(edges, Mapping):
        raise InputError(f"edges: {_CURE}, not {shown(edges)}")
    found: dict[str, str] = {}
    for key, form in edges.items():
        parts = key.split(",") if isinstance(key, str) else key
        if not isinstance(parts, list | tuple) or not all(isinstance(one, str) for one in parts):
            raise InputError(f"edges: {shown(key)} is no key of metadata; {_CURE}")
        keys = [part.strip() for part in parts]
        if not all(one and one.isprintable() and "=" not in one and "," not in one for one in keys):
            raise InputError(
                f"edges: {shown(key)} cannot be a key here; rename it, without commas and ="
            )
        if not isinstance(form, str) or form not in _FORMS or len(keys) != _FORMS[form].keys:
            raise InputError(f"edges: {shown(key)}: {shown(form)} cannot be used; {_CURE}")
        _check_free(keys)
        if ",".join(keys) in found:
            raise InputError(f"edges: {shown(key)} is there twice; leave one out")
        found[",".join(keys)] = form
    names = Counter(map(edge_name, found))
    if names and names.most_common(1)[0][1] > 1:
        raise InputError(f"edges: {names.most_common(1)[0][0]!r} is the name of two; rename a key")
    return found


def _check_free(keys: list[str]) -> None:
    read = {row.keys[-1].name: row.name for row in PROXIMITIES.values() if row.keys}
    known = tuple(keys) == (DOCUMENT_ID.name, CHUNK_ID.name) or len(keys) == 1
    if known and keys[-1] in read:
        raise InputError(f"edges: {keys[-1]!r} is read already, as {read[keys[-1]]}; leave it out")
    if keys[0] in (*PROXIMITIES, *TAKEN):
        raise InputError(f"edges: {keys[0]!r} is the name of another proximity; rename the key")


def edge_name(keys: str) -> str:
    """The name of an edge: its first key."""
    return keys.partition(",")[0]


def reads_embeddings(edges: Mapping[str, str]) -> bool:
    """Whether any of the edges uses embeddings.

    Args:
        edges: as `check_edges` returns them.
    """
    return _SEMANTIC in edges.values()


def edge_rows(edges: Mapping[str, str]) -> Mapping[str, Proximity]:
    """The rows for edges, by name; equal edges give the same row objects.

    Args:
        edges: as `check_edges` returns them.
    """
    return _rows(tuple(edges.items()))


# Rows are compared by identity, also in the caches of an index.
@lru_cache(maxsize=256)
def _rows(edges: tuple[tuple[str, str], ...]) -> Mapping[str, Proximity]:
    numbers: Counter[str] = Counter()
    rows = {}
    for keys, form in edges:
        numbers[form] += 1
        name = edge_name(keys)
        # The name of the slot is also used for arrays, even in files.
        slot = f"own_{form}_{numbers[form]}"
        rows[name] = _FORMS[form].row(name, tuple(keys.split(",")), slot)
    return rows


def _reading(
    row: Callable[[Metadata], AllNamed], read: Mapping[str, _Read]
) -> Callable[[Metadata], AllNamed]:
    """The same function, for metadata in which only these keys are read and normalised."""

    def values(identity: str, own: Mapping[str, Json]) -> dict[str, Json]:
        found = {}
        for key, (reads, told) in read.items():
            if own.get(key) is not None:
                try:
                    found[key] = reads(own[key])
                except ValueError:
                    raise InputError(
                        f"{identity!r}: metadata.{key} must be {told}, as edges has it, not "
                        f"{shown(own[key])}"
                    ) from None
        return found

    def of_keys(objects: Metadata) -> AllNamed:
        pairs = zip(objects.ids, objects.values, strict=True)
        return row(replace(objects, values=[values(*pair) for pair in pairs]))

    return of_keys

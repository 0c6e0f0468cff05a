"""Finds copies of tables, such as one for each day, year or version."""

import re
from collections.abc import Mapping

from grapher_jax.corpus.database.reflect import TABLE, Key, Reflected, identity
from grapher_jax.corpus.inferred.types import strings_in
from grapher_jax.corpus.objects import Object

# A few tables whose names differ in a number alone may be lists of different codes, such as
# `race_recode_3`, `_5` and `_40`; those with low numbers may be levels, such as of regions.
_FEWEST, _LEAST = 4, 10
# Copies share this part of all columns that one of the two has.
_SHARED = 0.5
# A date that begins with its year is one number, as are `2024_q1` and `2024_m01`.
_NUMBER = re.compile(r"(?:19|20)\d\d(?:[-_.][qm]?\d\d?){1,2}(?![^\W_])|\d+", re.IGNORECASE)
_Numbers = tuple[int, ...]


def newest_of_copies(found: Reflected) -> Mapping[Key, Key]:
    """For each table that another stands for, the other one.

    The names of copies differ in one number or date. The newest, which has the highest, stands for
    all; it must be at least 10. There are at least three others, each with half of its columns.
    """
    series: dict[tuple[str | None, str, str], dict[_Numbers, Key]] = {}
    for key in found.columns:
        if found.kinds.get(key, TABLE) == TABLE:
            for number in _NUMBER.finditer(name := key[1].casefold()):
                alike = series.setdefault(
                    (key[0], name[: number.start()], name[number.end() :]), {}
                )
                alike[tuple(map(int, re.findall(r"\d+", number[0])))] = key
    newest: dict[Key, Key] = {}
    for alike in series.values():
        for highest, *older in _runs(found, alike):
            if len(older) + 1 >= _FEWEST and max(highest) >= _LEAST:
                newest |= {alike[number]: alike[highest] for number in reversed(older)}
    return {key: _last(newest, key) for key in newest}


def _runs(found: Reflected, alike: Mapping[_Numbers, Key]) -> list[list[_Numbers]]:
    """The numbers of tables with about the same columns, the highest first."""
    runs: list[list[_Numbers]] = []
    for number in sorted(alike, reverse=True):
        if runs and _are_alike(found, alike[runs[-1][0]], alike[number]):
            runs[-1].append(number)
        else:
            runs.append([number])
    return runs


def _are_alike(found: Reflected, one: Key, other: Key) -> bool:
    some, others = ({c["name"].casefold() for c in found.columns[key]} for key in (one, other))
    return bool(some & others) and len(some & others) >= _SHARED * len(some | others)


def _last(newest: Mapping[Key, Key], key: Key) -> Key:
    """The table that stands for one that may stand for others itself, as of a year and a place."""
    while key in newest:
        key = newest[key]
    return key


def copies_of(item: Object) -> list[str]:
    """The ids that the tables had for which a table stands."""
    schema = item.metadata.get("schema")
    own = schema if isinstance(schema, str) else None
    return [identity(own, name) for name in strings_in(item.metadata.get("copies"))]

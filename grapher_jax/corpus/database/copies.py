"""Finds copies of tables, such as one for each day, year or version."""

import re
from collections.abc import Mapping

from grapher_jax.corpus.database.reflect import TABLE, Key, Reflected

# A few tables whose names differ in a number alone may be lists of different codes, such as
# `race_recode_3`, `_5` and `_40`; those with low numbers may be levels, such as of regions.
_FEWEST, _LEAST = 4, 10
# Copies share this part of all columns that one of the two has.
_SHARED = 0.5
_NUMBER = re.compile(r"\d+")


def newest_of_copies(found: Reflected) -> Mapping[Key, Key]:
    """The newest table for each of its copies: those whose names differ from its in numbers alone.

    The newest is the one with the highest number, at least 10. There are at least three copies,
    each with half of its columns, from one number to the next.
    """
    series: dict[Key, list[Key]] = {}
    for key in found.columns:
        if found.kinds.get(key, TABLE) == TABLE and _NUMBER.search(key[1]):
            series.setdefault((key[0], _NUMBER.sub("0", key[1].casefold())), []).append(key)
    newest: dict[Key, list[Key]] = {}
    for tables in series.values():
        last: Key | None = None
        for key in sorted(tables, key=_numbers, reverse=True):
            if last and _are_alike(_columns(found, key), _columns(found, last)):
                newest[last].append(key)
            else:
                last, newest[key] = key, []
    return {
        key: last
        for last, older in newest.items()
        if len(older) + 1 >= _FEWEST and max(_numbers(last)) >= _LEAST
        for key in reversed(older)
    }


def _numbers(key: Key) -> list[int]:
    return [int(number) for number in _NUMBER.findall(key[1])]


def _columns(found: Reflected, key: Key) -> set[str]:
    return {column["name"].casefold() for column in found.columns[key]}


def _are_alike(some: set[str], others: set[str]) -> bool:
    return bool(some & others) and len(some & others) >= _SHARED * len(some | others)

"""Metadata filters: their syntax, and which metadata match.

The syntax is that of MongoDB, also used by Chroma, Pinecone and LangChain.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import ge, gt, le, lt
from typing import TypeAlias, TypeVar

from grapher_jax.checks import check_list, shown
from grapher_jax.errors import InputError
from grapher_jax.files import Json, json_text

T = TypeVar("T")

ORDER: Mapping[str, Callable[[Json, Json], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_OPERATORS = ("$eq", "$ne", "$in", "$nin", *ORDER, "$contains", "$exists")
_JOINING = ("$and", "$or", "$not")
_DEEPEST = 32
# How a filter that no object fits may be meant otherwise.
HOW_COMPARED = 'values are compared as JSON: 1 is neither true nor "1", a list equals the same list'
# Stores may return what JSON has no form for, such as dates, which equal no value of a filter.
_SORTED = json.JSONEncoder(sort_keys=True, default=repr)


@dataclass(frozen=True)
class Comparison:
    """A condition on the value of one key; metadata without the key does not match.

    Attributes:
        key: the metadata key.
        operator: `$in`, `$gt`, `$gte`, `$lt`, `$lte`, `$contains` or `$exists`, to which the others
            are reduced.
        value: for `$in` a tuple of values, for `$exists` true, for `$contains` an element of a
            list; else a number or a string, and only values of the same kind match.
    """

    key: str
    operator: str
    value: Json

    def holds(self, value: Json) -> bool:
        """Whether an existing value matches."""
        if self.operator == "$in":
            return as_json(value) in self._among
        if self.operator == "$exists":
            return value is not None
        if self.operator == "$contains":
            return isinstance(value, list) and self._is_in(value)
        return kind(value) == kind(self.value) and ORDER[self.operator](value, self.value)

    def _is_in(self, elements: list[Json]) -> bool:
        if isinstance(self.value, str):  # which equals nothing but a string
            return self.value in elements
        return self._element in map(as_json, elements)

    @cached_property
    def _element(self) -> str:
        return as_json(self.value)

    @cached_property
    def _among(self) -> frozenset[str]:
        return frozenset(map(as_json, self.value))


@dataclass(frozen=True)
class Every:
    """Matches if all its parts match; without parts, everything matches."""

    parts: Sequence["Condition"]


@dataclass(frozen=True)
class Some:
    """Matches if at least one of its parts matches."""

    parts: Sequence["Condition"]


@dataclass(frozen=True)
class Not:
    """Matches if its part does not match."""

    part: "Condition"


Condition: TypeAlias = Comparison | Every | Some | Not


def parsed(wanted: Mapping[str, Json], place: str = "filter") -> Condition:
    """Parses a filter into a condition.

    Raises:
        InputError: naming the place, the key and the cure, for an unknown operator or a value that
            an operator cannot compare.
    """
    return _parsed(wanted, place, _DEEPEST)


def fits(condition: Condition, metadata: Mapping[str, Json]) -> bool:
    """Whether metadata matches a condition."""
    return folded(
        condition,
        comparison=lambda one: one.key in metadata and one.holds(metadata[one.key]),
        every=all,
        some=any,
        negated=lambda part: not part,
    )


def folded(
    condition: Condition,
    *,
    comparison: Callable[[Comparison], T],
    every: Callable[[list[T]], T],
    some: Callable[[list[T]], T],
    negated: Callable[[T], T],
) -> T:
    """Folds a condition bottom-up, starting with its comparisons."""

    def made(one: Condition) -> T:
        match one:
            case Comparison():
                return comparison(one)
            case Not():
                return negated(made(one.part))
            case Every():
                return every([made(part) for part in one.parts])
            case Some():
                return some([made(part) for part in one.parts])

    return made(condition)


def merged(condition: Condition) -> Condition:
    """The same, where alternatives that compare one key with values are one comparison."""
    if isinstance(condition, Comparison):
        return condition
    if isinstance(condition, Not):
        return Not(merged(condition.part))
    parts = tuple(map(merged, condition.parts))
    if isinstance(condition, Every):
        return parts[0] if len(parts) == 1 else Every(parts)
    values: dict[str, list[Json]] = {}
    others = []
    for part in parts:
        if isinstance(part, Comparison) and part.operator == "$in":
            values.setdefault(part.key, []).extend(part.value)
        else:
            others.append(part)
    return Some((*(Comparison(key, "$in", tuple(own)) for key, own in values.items()), *others))


def comparisons(condition: Condition) -> list[Comparison]:
    """All comparisons of a condition."""
    if isinstance(condition, Comparison):
        return [condition]
    parts = [condition.part] if isinstance(condition, Not) else condition.parts
    return [one for part in parts for one in comparisons(part)]


def as_json(value: Json) -> str:
    """A value in the form that equality compares: JSON, where 1 equals 1.0, but not true or "1"."""
    return _SORTED.encode(_whole(value))


def _whole(value: Json) -> Json:
    """A value with integers for the whole numbers in it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list | tuple):
        return [*map(_whole, value)]
    if isinstance(value, Mapping):
        return {_name(name): _whole(own) for name, own in value.items()}
    return value


def _name(key: object) -> str:
    """A key as JSON writes it."""
    return key if isinstance(key, str) else json.dumps(key)


def kind(value: Json) -> str | None:
    """The comparable kind of a value: `number`, `string` or `boolean`; None for others."""
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    return "string" if isinstance(value, str) else None


def check_filter(wanted: object, place: str) -> Mapping[str, Json]:
    """Check that a query's filter is a JSON object with known operators.

    Raises:
        InputError: naming the place, if it is anything else.
    """
    if not isinstance(wanted, Mapping) or not all(isinstance(key, str) for key in wanted):
        raise InputError(f"{place} must map metadata keys to values, not {shown(wanted)}")
    json_text(dict(wanted), place)
    parsed(wanted, place)
    return wanted


def check_filters(filters: object, questions: int) -> list[Mapping[str, Json]] | None:
    """One filter per question, empty for none; None if no question has a filter.

    Raises:
        InputError: if their number is wrong, or one is invalid.
    """
    if filters is None:
        return None
    listed = check_list("filters", filters, of="filters, one a question")
    if len(listed) != questions:
        raise InputError(f"filters: {len(listed)} for {questions} questions; give one each")
    checked = [{} if one is None else check_filter(one, "filter") for one in listed]
    return checked if any(checked) else None


def _parsed(wanted: Mapping[str, Json], place: str, depth: int) -> Condition:
    if not depth:
        raise InputError(f"{place}: nested more than {_DEEPEST} deep; give a flatter one")
    return Every([*_parts(wanted, place, depth - 1)])


def _parts(wanted: Mapping[str, Json], place: str, depth: int) -> Iterator[Condition]:
    for key, value in wanted.items():
        if not key.startswith("$"):
            yield from _of_key(key, value, place)
        elif key == "$not":
            if not isinstance(value, dict):
                raise InputError(f"{place}: $not needs a filter, not {shown(value)}")
            yield Not(_parsed(value, place, depth))
        elif key in _JOINING:
            if not (isinstance(value, list) and value and all(isinstance(v, dict) for v in value)):
                raise InputError(
                    f"{place}: {key} needs a list of one filter or more, not {shown(value)}"
                )
            yield (Every if key == "$and" else Some)([_parsed(v, place, depth) for v in value])
        else:
            raise InputError(
                f"{place}: {shown(key)} is unknown beside keys; use {', '.join(_JOINING)}"
            )


def _of_key(key: str, value: Json, place: str) -> Iterator[Condition]:
    if not isinstance(value, dict) or not any(str(name).startswith("$") for name in value):
        yield Comparison(key, "$in", (value,))
        return
    for operator, operand in value.items():
        if operator not in _OPERATORS:
            raise InputError(
                f"{place}: {shown(key)} has the unknown operator {shown(operator)}; use one of "
                f"{', '.join(_OPERATORS)}"
            )
        yield _compared(key, operator, operand, place)


def _compared(key: str, operator: str, operand: Json, place: str) -> Condition:
    needed = None
    if operator == "$exists" and not isinstance(operand, bool):
        needed = "true or false"
    elif operator in ("$in", "$nin") and not isinstance(operand, list):
        needed = "a list of values"
    elif operator in ORDER and kind(operand) not in ("number", "string"):
        needed = "a number or a string"
    elif operator == "$contains" and kind(operand) is None:
        needed = "a string, a number or a boolean"
    if needed:
        raise InputError(
            f"{place}: {operator} of {shown(key)} needs {needed}, not {shown(operand)}"
        )
    if operator in (*ORDER, "$contains"):
        return Comparison(key, operator, operand)
    if operator == "$exists":
        there = Comparison(key, "$exists", True)
        return there if operand else Not(there)
    among = Comparison(key, "$in", tuple(operand) if operator in ("$in", "$nin") else (operand,))
    return Not(among) if operator in ("$ne", "$nin") else among

"""English questions about joined tables, worded from the names of tables and columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from grapher_jax.text import enumerated

T = TypeVar("T")
_LIST = ("List", "Show", "Give", "Find", "Tell me", "Return", "I need")
_IRREGULAR = {"person": "people", "child": "children", "man": "men", "woman": "women"}
_ONE_OF = {many: one for one, many in _IRREGULAR.items()} | {"movies": "movie", "cookies": "cookie"}
# Words without a plural form, and words that only look like plurals.
_SAME = {
    *("data", "equipment", "information", "media", "metadata", "music", "news", "personnel"),
    *("series", "species", "staff", "statistics", "stock", "weather"),
}
_AMOUNTS = (2, 3, 5, 10, 20, 50, 100, 1000)
_LETTERS = "ABCDEHKMPRSTX"
_MEANS, _MOST = ("average", "total"), ("highest", "lowest")
_EXTREMES = {"number": _MOST, "time": ("latest", "earliest")}
# How often a table between two others is not named, a table at an end is described by a column
# alone, rows are filtered, and a subject's own columns are asked for, too.
_UNNAMED, _BY_COLUMN, _FILTERED, _ITS_OWN = 0.35, 0.2, 0.4, 0.7


@dataclass(frozen=True)
class Shown:
    """A column.

    Attributes:
        name: its name as words.
        kind: the kind of its values: `text`, `number` or `time`.
    """

    name: str
    kind: str


@dataclass(frozen=True, eq=False)
class Named:
    """The names of a table in questions.

    Attributes:
        one: the name of one row.
        many: the name of several rows.
        columns: the columns that may be asked for.
        bridge: whether it only joins others.
    """

    one: str
    many: str
    columns: tuple[Shown, ...]
    bridge: bool = False


@dataclass(frozen=True, eq=False)
class Branch:
    """A table of a tree, and the one that references it; None for the root."""

    table: Named
    by: "Branch | None" = None

    @property
    def down(self) -> tuple["Branch", ...]:
        """The path from this branch to the root."""
        return (self, *(self.by.down if self.by else ()))


@dataclass(frozen=True)
class _Step:
    """A table on the path from a subject, and whether a subject's row has many of its rows."""

    table: Named
    many: bool

    @property
    def name(self) -> str:
        return self.table.many if self.many else self.table.one


_Way = Sequence[_Step]


def names_of(words: Sequence[str]) -> tuple[str, str]:
    """The names of one row and of several rows of a table."""
    *before, last = words
    one = " ".join([*before, _singular(last)])
    return one, _plural(one)


def ask(rng: np.random.Generator, branches: Sequence[Branch]) -> str:
    """Makes a question that needs every table of a tree; the root comes first."""
    if len(branches) == 1:
        return _of_one(rng, branches[0].table)
    inner = {one.by for one in branches}
    ends = [one for one in branches if one not in inner]
    if sum(one.by is branches[0] for one in branches) == 1:
        ends.append(branches[0])
    named = [one for one in branches if one in ends or _is_named(rng, one)]
    subject = pick(rng, named)
    ways = [_way(subject, end, named) for end in ends if end is not subject]
    return _of_several(rng, subject.table, ways)


def _is_named(rng: np.random.Generator, between: Branch) -> bool:
    return not between.table.bridge and rng.random() >= _UNNAMED


def _way(subject: Branch, end: Branch, named: Sequence[Branch]) -> _Way:
    """The named tables on the path to a table, which is the last."""
    below = [one for one in subject.down if one not in end.down]
    down = [*subject.down[1 : len(below) + 1]]
    up = [one for one in reversed(end.down) if one not in subject.down]
    steps = [_Step(one.table, True) for one in down if one in named]
    return steps + [_Step(one.table, bool(down)) for one in up if one in named]


def _of_one(rng: np.random.Generator, table: Named) -> str:
    one, many = table.one, table.many
    if not table.columns:
        return pick(rng, [f"How many {many} are there?", f"{pick(rng, _LIST)} all {many}."])
    column, imperative = pick(rng, table.columns), pick(rng, _LIST)
    listed, value = enumerated(_columns(rng, table)), _value(rng, pick(rng, table.columns))
    options = [
        f"How many {many} are there for each {column.name}?",
        f"How many {many} have {value}?",
        f"Which {many} have {value}?",
        f"{_what_is(listed)} of the {one} with {value}?",
        f"{_what_is(listed)} of all {many}?",
        f"{imperative} {listed} of all {many}.",
        f"{imperative} {listed} of {many} with {value}.",
        f"What are the different {_plural(column.name)} of the {many}?",
    ]
    if column.kind == "number":
        options += [
            f"What is the {pick(rng, (*_MEANS, *_MOST))} {column.name} of the {many}?",
            f"Which {one} has the {pick(rng, _MOST)} {column.name}?",
        ]
    return pick(rng, options)


def _of_several(rng: np.random.Generator, subject: Named, ways: Sequence[_Way]) -> str:
    filtered: list[_Way] = []
    shown: list[_Way] = []
    for way in ways:
        (filtered if rng.random() < _FILTERED else shown).append(way)
    having = " and ".join(_having(rng, way) for way in filtered)
    if not shown:
        return _filtered(rng, subject, having)
    if not having and subject.columns and rng.random() < _FILTERED:
        having = _value(rng, pick(rng, subject.columns))
    whom = f" with {having}" if having else ""
    if len(shown) == 1:
        return pick(rng, (_counted, _asked, _beside))(rng, subject, whom, shown)
    return _beside(rng, subject, whom, shown)


def _filtered(rng: np.random.Generator, subject: Named, having: str) -> str:
    """A question for the rows of a subject that have something."""
    many, imperative = subject.many, pick(rng, _LIST)
    options = [
        f"Which {many} have {having}?",
        f"How many {many} have {having}?",
        f"{imperative} all {many} with {having}.",
    ]
    if subject.columns:
        listed = enumerated(_columns(rng, subject))
        options += [
            f"{imperative} {listed} of {many} that have {having}.",
            f"{_what_is(listed)} of the {subject.one} with {having}?",
            f"{_what_is(listed)} of {many} with {having}?",
        ]
    return pick(rng, options)


def _beside(rng: np.random.Generator, subject: Named, whom: str, ways: Sequence[_Way]) -> str:
    """A question for what other tables say about each row of a subject."""
    parts = [_told(rng, way) for way in ways]
    if subject.columns and rng.random() < _ITS_OWN:
        parts = [*_columns(rng, subject), *parts]
    listed, imperative = enumerated(parts), pick(rng, _LIST)
    options = [
        f"For each {subject.one}{whom}, {imperative.replace('I need', 'give').lower()} {listed}.",
        f"{imperative} {listed} for each {subject.one}{whom}.",
        f"{_what_is(listed)} for every {subject.one}{whom}?",
    ]
    return pick(rng, options)


def _asked(rng: np.random.Generator, subject: Named, whom: str, ways: Sequence[_Way]) -> str:
    """A question for what another table says about one row of a subject."""
    [way] = ways
    whose = f"{'the' if whom else pick(rng, ('each', 'a given'))} {subject.one}{whom}"
    rows = f"{_reversed(way, ' of the ')} of {whose}"
    if not way[-1].table.columns:
        return f"{pick(rng, _LIST)} the {rows}."
    listed = enumerated(_columns(rng, way[-1].table))
    options = [
        f"{_what_is(listed)} of the {rows}?",
        f"{pick(rng, _LIST)} {listed} of the {rows}.",
        f"Which {_reversed(way, ' of the ')} does {whose} have? Give {listed}.",
    ]
    return pick(rng, options)


def _counted(rng: np.random.Generator, subject: Named, whom: str, ways: Sequence[_Way]) -> str:
    """A question for how many rows of one table belong to each row of another."""
    [way] = ways
    if way[-1].many:
        counted, rows, each = way[-1].table, _reversed(way, " of "), subject.one + whom
    else:
        counted, rows, each = subject, subject.many + whom, _reversed(way, " of the ")
    options = [
        f"How many {rows} does each {each} have?",
        f"How many {rows} are there for each {each}?",
        f"Which {each} has the {pick(rng, ('most', 'fewest'))} {rows}?",
        f"{pick(rng, _LIST)} the number of {rows} for every {each}.",
    ]
    measures = [column.name for column in counted.columns if column.kind == "number"]
    if measures:
        measure = f"{pick(rng, _MEANS)} {pick(rng, measures)}"
        options += [
            f"What is the {measure} of the {rows} for each {each}?",
            f"Which {each} has the {pick(rng, _MOST)} {measure} of {rows}?",
        ]
    return pick(rng, options)


def _having(rng: np.random.Generator, way: _Way) -> str:
    """The condition on the rows of a subject."""
    end = way[-1]
    telling = [column for column in end.table.columns if " " in column.name]
    if telling and rng.random() < _BY_COLUMN:
        return _value(rng, pick(rng, telling))
    names = _reversed(way, " of ") if end.many else " of ".join(_a(step.name) for step in way)
    options = [names]
    if end.table.columns:
        options = [f"{names} with {_value(rng, pick(rng, end.table.columns))}"] * 4
    if end.many:
        options += [f"more than {pick(rng, _AMOUNTS)} {names}", f"no {names}"]
    return pick(rng, options)


def _told(rng: np.random.Generator, way: _Way) -> str:
    """The words for what a table says about a row of a subject."""
    end = way[-1]
    telling = [column.name for column in end.table.columns if " " in column.name]
    if telling and rng.random() < _BY_COLUMN:
        name = pick(rng, telling)
        return f"the {_plural(name) if end.many else name}"
    its = f"its {way[0].name}"
    if len(way) > 1:
        its = f"the {_reversed(way[1:], ' of the ')} of {its}"
    options = [f"the number of {its}", its] if end.many else []
    for column in end.table.columns:
        name = _short(rng, end.table, column)
        if not end.many:
            options.append(f"the {name} of {its}")
        elif column.kind == "number":
            options.append(f"the {pick(rng, (*_MEANS, *_MOST))} {name} of {its}")
        else:
            options.append(f"the {_plural(name)} of {its}")
    return pick(rng, options or [its])


def _reversed(way: _Way, of: str) -> str:
    return of.join(step.name for step in reversed(way))


def _value(rng: np.random.Generator, column: Shown) -> str:
    """A column with a value; rows are not read, so the value is invented."""
    name, year, amount = column.name, rng.integers(1990, 2025), pick(rng, _AMOUNTS)
    code = f"{pick(rng, _LETTERS)}{rng.integers(1, 99)}"
    options = {
        "number": [f"{_a(name)} {how} {amount}" for how in ("above", "below", "of at least", "of")],
        "time": [f"{_a(name)} {how} {year}" for how in ("in", "after", "before")],
        "text": [f'the {name} "{code}"', f"{name} {code}", f"a given {name}"],
    }[column.kind]
    if column.kind in _EXTREMES:
        options.append(f"the {pick(rng, _EXTREMES[column.kind])} {name}")
    return pick(rng, options)


def _columns(rng: np.random.Generator, table: Named) -> list[str]:
    """One to three columns of a table."""
    count = min(len(table.columns), pick(rng, (1, 1, 1, 2, 2, 3)))
    chosen = rng.choice(len(table.columns), count, replace=False)
    return [f"the {_short(rng, table, table.columns[place])}" for place in chosen]


def _short(rng: np.random.Generator, table: Named, column: Shown) -> str:
    """The name of a column, without repeating the name of its table."""
    first, _, rest = column.name.partition(" ")
    return rest if rest and first in table.one.split() and rng.random() < 0.5 else column.name


def _what_is(listed: str) -> str:
    *_, last = listed.partition(" of ")[0].split()
    several = " and " in listed or _singular(last) != last
    return f"What {'are' if several else 'is'} {listed}"


def _a(name: str) -> str:
    """A name with its article; plurals have none."""
    *_, last = name.split()
    if _singular(last) != last:
        return name
    vowel = name[0] in "aeiou" and not name.startswith(("us", "uni", "eu"))
    return f"{'an' if vowel else 'a'} {name}"


def _singular(word: str) -> str:
    if word in _ONE_OF or word in _SAME:
        return _ONE_OF.get(word, word)
    for ending, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if len(word) > len(ending) + 1 and word.endswith(ending):
            return word.removesuffix(ending) + one
    plain = len(word) < 4 or word.endswith(("ss", "us", "is"))
    return word if plain else word.removesuffix("s")


def _plural(name: str) -> str:
    """A name with its last word in the plural."""
    before, space, word = name.rpartition(" ")
    if word in _SAME or _singular(word) != word:
        return name
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    elif word.endswith("y") and word[-2:-1] not in ("", *"aeiou"):
        word = f"{word[:-1]}ies"
    elif word.endswith(("s", "x", "ch", "sh")):
        word = f"{word}es"
    else:
        word = f"{word}s"
    return f"{before}{space}{word}"


def pick(rng: np.random.Generator, options: Sequence[T]) -> T:
    """A random one of the options."""
    return options[int(rng.integers(len(options)))]

from datetime import date

import pytest

from grapher_jax.corpus import check_filter
from grapher_jax.corpus.filters import fits, parsed
from grapher_jax.errors import InputError

PAPER = {"year": 2021, "venue": "WWW", "open": True, "tags": ["a"], "odd": {"$x": 1}}
PAPER["pages"] = [1, {"to": 9}]


@pytest.mark.parametrize(
    "wanted",
    [
        {"year": {"$gte": 2020, "$lt": 2024}},
        {"year": {"$eq": 2021.0}},
        {"venue": {"$gt": "WW", "$lte": "WWW"}},
        {"venue": {"$in": ["KDD", "WWW"]}},
        {"tags": {"$nin": ["a"]}},
        {"tags": ["a"]},
        {"pages": [1.0, {"to": 9.0}]},
        {"tags": {"$contains": "a"}},
        {"$not": {"venue": {"$contains": "WWW"}}},
        {"missing": {"$ne": 3}},
        {"missing": {"$exists": False}, "open": {"$exists": True}},
        {"$and": [{"open": True}, {"$or": [{"year": 1}, {"venue": "WWW"}]}]},
        {"$not": {"open": {"$gt": 0}}},
        {},
    ],
)
def test_what_fits_a_filter_does_not_fit_its_negation(wanted):
    assert fits(parsed(wanted), PAPER)
    assert not fits(parsed({"$not": wanted}), PAPER)


def test_keys_that_are_no_strings_are_compared_as_json_has_them():
    assert fits(parsed({"m": {"1": "a", "b": 2}}), {"m": {1: "a", "b": 2}})
    assert fits(parsed({"m": {"true": 1, "null": 2}}), {"m": {True: 1, None: 2}})


@pytest.mark.parametrize("wanted", ["2021-05-01", {"$contains": 3}, {"$gt": "2020"}])
def test_what_json_has_no_form_for_equals_nothing(wanted):
    assert not fits(parsed({"day": wanted}), {"day": date(2021, 5, 1)})
    assert not fits(parsed({"day": wanted}), {"day": [date(2021, 5, 1)]})


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"year": {"$above": 3}}, r"'year' has the unknown operator '\$above'; use one of \$eq, "),
        ({"year": {"$gt": 3, "x": 1}}, r"'year' has the unknown operator 'x'"),
        ({"year": {"$gt": True}}, r"\$gt of 'year' needs a number or a string, not True"),
        (
            {"tags": {"$contains": ["a"]}},
            r"\$contains of 'tags' needs a string, a number or a bool",
        ),
        ({"year": {"$lt": None}}, r"\$lt of 'year' needs a number or a string, not None"),
        ({"year": {"$in": 2020}}, r"\$in of 'year' needs a list of values, not 2020"),
        ({"year": {"$nin": "2020"}}, r"\$nin of 'year' needs a list of values, not '2020'"),
        ({"year": {"$exists": 1}}, r"\$exists of 'year' needs true or false, not 1"),
        ({"$or": {"year": 3}}, r"\$or needs a list of one filter or more, not {'year': 3}"),
        ({"$and": []}, r"\$and needs a list of one filter or more, not \[\]"),
        ({"$not": [{"year": 3}]}, r"\$not needs a filter, not \[{'year': 3}\]"),
        ({"$nor": [{"year": 3}]}, r"'\$nor' is unknown beside keys; use \$and, \$or, \$not"),
        ({"$or": [{"$and": [{"a": {"$is": 1}}]}]}, r"'a' has the unknown operator '\$is'"),
    ],
)
def test_what_a_filter_cannot_say_is_named(wanted, said):
    with pytest.raises(InputError, match=f"^line 3: filter: {said}"):
        check_filter(wanted, "line 3: filter")


def test_a_filter_has_few_levels():
    wanted = {"year": 3}
    for _ in range(31):
        wanted = {"$not": wanted}
    assert check_filter(wanted, "filter") is wanted
    with pytest.raises(InputError, match="nested more than 32 deep"):
        check_filter({"$not": wanted}, "filter")

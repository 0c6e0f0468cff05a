import inspect
import warnings

import pytest

from grapher_jax import errors
from grapher_jax.errors import GrapherWarning, InputError, shorten, warn


@pytest.mark.parametrize("length", [0, 999, 1000, 1001, 5_000_000])
def test_a_long_text_keeps_its_beginning_and_its_end(length):
    text = ("filter: " + "x" * length)[:length]
    short = shorten(text)
    assert len(short) <= 1000
    assert short == text if length <= 1000 else short.startswith("filter: ")


def test_whatever_an_error_quotes_its_place_and_cure_are_read():
    message = str(InputError(f"filter: {'x' * 5000!r} is unknown; use db"))
    assert len(message) <= 1000
    assert message.startswith("filter: 'xxx")
    assert message.endswith("is unknown; use db")


def test_warnings_are_shortened_and_only_the_last_are_kept():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for number in [*range(2500), 2499]:
            warn(f"{number}: {'x' * 5000}; mend it")
    # What was said just before is not said again.
    assert len(said) == 2500
    assert {one.category for one in said} == {GrapherWarning}
    assert all(len(str(one.message)) <= 1000 for one in said)
    assert sum(map(len, errors._said.values())) <= errors._MOST_SAID + 2


def test_the_same_warning_of_another_file_is_given_too():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("default")
        for file in ("one.py", "other.py", "one.py"):
            code = compile("warn('the same, at line 1 of two files')", file, "exec")
            exec(code, {"__name__": "theirs", "warn": inspect.unwrap(warn)})
    assert [one.filename for one in said] == ["one.py", "other.py"]


def test_a_warning_points_at_the_line_that_called_the_package():
    # As deep inside as may be; what checks types in tests would stand between.
    inside = {"__name__": "grapher_jax.rankers.deep", "warn": inspect.unwrap(warn)}
    exec("def inner():\n    warn('look')\n\ndef outer():\n    inner()", inside)
    with pytest.warns(GrapherWarning, match="look") as said:
        inside["outer"]()
    assert [one.filename for one in said] == [__file__]

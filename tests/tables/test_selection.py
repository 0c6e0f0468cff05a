"""The choice of tables that belong together."""

import numpy as np
import pytest

from grapher_jax.corpus import Object
from grapher_jax.tables.schema import Schema
from grapher_jax.tables.selection import select_tables


def schema(count: int, *joins: tuple[int, int]) -> Schema:
    """`count` tables, of which some reference another."""
    targets: dict[int, list[str]] = {}
    for table, other in joins:
        targets.setdefault(table, []).append(str(other))
    return Schema(
        [Object(str(i), "", metadata={"foreign_keys": targets.get(i, [])}) for i in range(count)]
    )


def test_without_keys_the_ranking_stays():
    """Nothing is joined, so the scores decide alone."""
    assert select_tables([2, 0, 3, 1], [4.0, 3.0, 2.0, 1.0], schema(4), k=3) == [2, 0, 3]


def test_a_joined_table_goes_before_one_that_stands_apart():
    """Table 3, a little lower than table 2, is joined to the best, whichever has the key."""
    for joins in ((0, 3), (3, 0)):
        chosen = select_tables([0, 1, 2, 3], [1.0, 0.5, 0.3, 0.2], schema(4, joins), k=4)
        assert chosen == [0, 3, 1, 2]


def test_a_table_far_below_stays_below():
    """A key is worth less than the gap between the best and the tenth."""
    assert select_tables([0, 1, 2], [1.0, 0.9, 0.0], schema(3, (0, 2)), k=2) == [0, 1]


def test_it_grows_from_what_was_chosen():
    """Table 2 is joined to the best through table 1 alone, and both go before table 3."""
    given = [0, 3, 1, 2], [1.0, 0.5, 0.4, 0.3]
    assert select_tables(*given, schema(4, (1, 0), (1, 2)), k=4) == [0, 1, 2, 3]
    assert select_tables(*given, schema(4, (1, 2)), k=4) == [0, 3, 1, 2]


def test_fewer_tables_are_the_first_of_more():
    """The answer of fewer tables is the beginning of the answer of more."""
    rng = np.random.default_rng(0)
    joins = [tuple(map(int, rng.integers(0, 50, 2))) for _ in range(60)]
    rows, scores = rng.permutation(50), -np.sort(-rng.random(50))
    whole = select_tables(rows, scores, schema(50, *joins), k=50)
    assert sorted(whole) == list(range(50))
    assert whole != rows.tolist()
    for k in (0, 1, 7, 49):
        assert select_tables(rows, scores, schema(50, *joins), k=k) == whole[:k]


def test_the_scale_of_the_scores_does_not_matter():
    """Logits, probabilities and similarities are read alike."""
    rng = np.random.default_rng(1)
    joins = [tuple(map(int, rng.integers(0, 40, 2))) for _ in range(60)]
    rows, scores = np.arange(40), -np.sort(-rng.random(40))
    own = schema(40, *joins)
    chosen = select_tables(rows, scores, own, k=10)
    assert select_tables(rows, 20 * scores - 7, own, k=10) == chosen


@pytest.mark.parametrize(
    ("rows", "scores", "expected"),
    [
        ([], [], []),
        ([1], [0.3], [1]),
        ([1, 0], [0.3, 0.3], [1, 0]),
        ([1, -1], [0.3, -np.inf], [1]),
        (list(range(12)), [0.5] * 11 + [0.1], list(range(10))),
    ],
)
def test_few_and_equal_scores(rows, scores, expected):
    """Nothing is divided by a gap of 0, and what is padded is left out."""
    with np.errstate(all="raise"):
        assert select_tables(rows, scores, schema(12), k=10) == expected

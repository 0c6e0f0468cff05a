"""The published ways to choose tables, as `bench` has them, do what they say."""

import sys
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

from table_peers import PEERS, Asked, core_t, greedy, jar, phrases_of, rear


def question(seed: int, n: int = 8, phrases: int = 2) -> Asked:
    rng = np.random.default_rng(seed)
    joined = np.triu(rng.random((n, n)) < 0.2, 1)
    columns = rng.random((n, n))
    return Asked(
        np.arange(n),
        -np.sort(-rng.random(n)),
        rng.random((phrases, n)),
        joined | joined.T,
        (columns + columns.T) / 2,
    )


def pieces(joined, chosen):
    group = {place: place for place in chosen}
    for left, right in combinations(chosen, 2):
        if joined[left, right]:
            old, new = group[left], group[right]
            group = {place: new if own == old else own for place, own in group.items()}
    return len({*group.values()})


@pytest.mark.parametrize("seed", range(6))
def test_jar_is_the_best_of_all_sets(seed):
    """Its objective, of the set that it returns, is the highest of any set's."""
    asked = question(seed)

    def gain(chosen):
        own = [*chosen]
        covered = asked.near[:, own].max(1).sum()
        return asked.scores[own].sum() + 0.7 * covered - 0.4 * pieces(asked.joined, own)

    found = jar(asked, 3, coverage=0.7, joins=0.4)
    assert len(found) == 3
    assert gain(found) == pytest.approx(max(map(gain, combinations(range(8), 3))), abs=1e-4)


def test_without_weights_all_follow_the_scores():
    asked = question(0)
    assert jar(asked, 3, coverage=0, joins=0) == [0, 1, 2]
    assert greedy(asked, 3, coverage=0, joins=0) == [0, 1, 2]
    assert rear(asked, 3, retrieved=0, joins=0) == [0, 1, 2]
    assert core_t(asked, 3, share=1) == [0, 1, 2]


def test_greedy_takes_what_covers_and_what_is_joined():
    near = np.array([[0.9, 0.9, 0.1, 0.1], [0.1, 0.1, 0.9, 0.1]])
    joined = np.zeros((4, 4), bool)
    joined[0, 3] = joined[3, 0] = True
    asked = Asked(np.arange(4), np.array([0.5, 0.4, 0.3, 0.2]), near, joined, np.zeros((4, 4)))
    assert greedy(asked, 2, coverage=1, joins=0) == [0, 2]
    assert greedy(asked, 2, coverage=0, joins=0.3) == [0, 3]


def test_rear_and_core_t_bring_in_a_joined_table():
    asked = question(0)
    lone = np.zeros((8, 8), bool)
    lone[0, 7] = lone[7, 0] = True
    asked = Asked(asked.rows, asked.scores, asked.near, lone, np.zeros((8, 8)))
    assert 7 in rear(asked, 3, retrieved=0, expanded=1, joins=1.0)
    assert core_t(asked, 3, share=0.67) == [0, 1, 7]


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("n", [1, 3, 8])
def test_as_many_tables_as_there_are(peer, n):
    for k in (1, 3, 5):
        found = PEERS[peer](question(1, n), k)
        assert len({*found}) == len(found) == min(k, n)


@pytest.mark.parametrize(
    ("question", "phrases"),
    [
        (
            "What are the first names of all singers from France?",
            ["first names", "singers", "France"],
        ),
        ("Which order lines, by price?", ["order lines", "price"]),
        ("orders and orders", ["orders"]),
        ("What is it?", ["What is it?"]),
        ("die Bestellungen, je Kunde", ["die Bestellungen", "je Kunde"]),
        ("", [""]),
    ],
)
def test_phrases(question, phrases):
    """Stop words and punctuation part phrases."""
    assert phrases_of(question) == phrases

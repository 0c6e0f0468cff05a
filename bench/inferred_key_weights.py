"""Fit the weights of evidence by which keys are inferred, and tell what they find elsewhere.

    python bench/inferred_key_weights.py bird spider bench/applications/{galaxy,…}/schema.sql

Sources are those of `inferred_keys.py`; of a folder, the half of the databases that is held out is
fit them, and precision and recall of pairs of tables in each source by weights that all the others
fit. `--without FEATURE` (repeated, `A,B` for several at once) tells the means over sources without
it.

Weights are those under which the declared keys are likeliest, with a normal prior. Where a source
tells only which tables a key joins, it is the column that the weights so far hold likeliest.
"""

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from inferred_keys import Found, by_database, halves, tell
from scipy.optimize import minimize

from grapher_jax.corpus import Object
from grapher_jax.corpus.inferred.likely import LIKELY, WEIGHTS, weighed
from grapher_jax.corpus.inferred.stage import without_keys
from grapher_jax.corpus.inferred.tables import Tables

# How often columns and weights are told from each other.
ROUNDS = 4
# A source of so many pairs counts them fully; of four times as many, half.
PAIRS = 100


def main() -> None:
    """Print the weights, and what they find."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", type=Path)
    parser.add_argument("--without", action="append", default=[], metavar="FEATURE")
    arguments = parser.parse_args()
    sources = dict(read(arguments.sources))
    for without in ["", *arguments.without]:
        left_out = without.split(",")
        features = [name for name in WEIGHTS if name not in left_out]
        examples = {name: Examples.of(source, features) for name, source in sources.items()}
        if not without:
            for name, weight in zip(features, fit(examples.values()), strict=True):
                tell(name, f"{weight:.2f}")
        elsewhere = {}
        for name, one in examples.items():
            others = [other for key, other in examples.items() if key != name]
            elsewhere[name] = one.found(fit(others))
        if not without:
            for name, found in elsewhere.items():
                tell(name, found)
        tell(without or "all", *means(elsewhere.values()))


def means(found: Collection[Found]) -> Iterator[str]:
    """The mean precision and recall."""
    yield f"{np.mean([one.both / max(1, one.inferred) for one in found]):.3f}"
    yield f"{np.mean([one.both / max(1, one.declared) for one in found]):.3f}"


Database = Sequence[Object]


def read(paths: Iterable[Path]) -> Iterator[tuple[str, list[Database]]]:
    """The databases of each source that declare keys, by its name."""
    for path in paths:
        for half, objects in halves(path):
            if not path.is_dir() or half == "choosing":
                own = [
                    tables
                    for tables in by_database(objects).values()
                    if any(item.metadata.get("foreign_keys") for item in tables)
                ]
                yield path.name if path.is_dir() else path.parent.name, own


@dataclass(frozen=True)
class Examples:
    """The candidates of the columns of a source.

    Attributes:
        evidence: a row a candidate.
        column: the number of its column.
        pair: its tables' ids, the one that references first.
        own: whether it is the column's own table, so that no key is meant.
        directed: whether its table is declared to reference that candidate's.
        told: whether this column is declared to; all False where only tables are known.
        is_told: whether its source tells columns.
        declared: the pairs of tables.
    """

    evidence: np.ndarray
    column: np.ndarray
    pair: list[tuple[str, str]]
    own: np.ndarray
    directed: np.ndarray
    told: np.ndarray
    is_told: bool
    declared: set[frozenset[str]]

    @classmethod
    def of(cls, databases: Iterable[Database], features: Sequence[str]) -> "Examples":
        """Of databases; candidates that features left out alone tell of are no candidates."""
        rows, column, pair, joined = [], [], [], []
        joins = declared_columns(databases)
        number = 0
        for objects in databases:
            for tables in Tables(without_keys(objects)).databases.values():
                for source, one, candidates in weighed(tables):
                    number += 1
                    for each in candidates:
                        if next(iter(each.evidence)) in features:
                            rows.append([each.evidence.get(name, 0.0) for name in features])
                            column.append(number)
                            pair.append((source.id, each.table.id))
                            joined.append(joins.get((source.id, one.name)) == each.table.id)
        directed = {
            (item.id, other)
            for objects in databases
            for item in objects
            for other in item.metadata.get("foreign_keys") or ()
            if other != item.id and other in {each.id for each in objects}
        }
        return cls(
            evidence=np.array(rows, float),
            column=np.array(column),
            pair=pair,
            own=np.array([one == other for one, other in pair]),
            directed=np.array([one in directed for one in pair]),
            told=np.array(joined) & np.array([one != other for one, other in pair]),
            is_told=bool(joins),
            declared={frozenset(one) for one in directed},
        )

    def chances(self, weights: np.ndarray) -> np.ndarray:
        """How likely each candidate is."""
        odds = np.exp(self.evidence @ weights)
        return odds / (1 + np.bincount(self.column, odds))[self.column]

    def found(self, weights: np.ndarray) -> Found:
        """Pairs of tables that weights tell."""
        chances = self.chances(weights).round(9)
        best = np.zeros(self.column.max() + 1)
        np.maximum.at(best, self.column, chances)
        is_best = chances == best[self.column]
        alone = np.bincount(self.column, is_best & ~self.own)[self.column] == 1
        likely = np.flatnonzero(is_best & alone & (chances >= LIKELY) & ~self.own)
        return Found.of({frozenset(self.pair[row]) for row in likely}, self.declared)

    def right(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The candidate that each column means, and which candidates say nothing.

        The latter are those of columns that may mean a table which another column likelier means,
        and of columns of a table that the candidate's own references.
        """
        if self.is_told:
            return self.told, np.zeros(len(self.told), bool)
        chances = self.chances(weights)
        best: dict[object, int] = {}
        for row in np.flatnonzero(self.directed):
            if chances[row] > chances[best.setdefault(self.pair[row], row)]:
                best[self.pair[row]] = row
        of_column: dict[int, int] = {}
        for row in best.values():
            column = self.column[row]
            if chances[row] >= chances[of_column.setdefault(column, row)]:
                of_column[column] = row
        means = np.zeros(len(chances), bool)
        means[[*of_column.values()]] = True
        any_pair = np.array([frozenset(one) in self.declared for one in self.pair])
        unknown = np.isin(self.column, self.column[any_pair]) & ~np.isin(self.column, [*of_column])
        return means, unknown


def declared_columns(databases: Iterable[Database]) -> Mapping[tuple[str, str], str]:
    """The table that a column alone references, by its table's id and its name."""
    return {
        (item.id, join["columns"][0]): join["references"]
        for objects in databases
        for item in objects
        for join in item.metadata.get("joins") or ()
        if len(join["columns"]) == 1
    }


def fit(sources: Collection[Examples]) -> np.ndarray:
    """The likeliest weights."""
    weights = np.zeros(next(iter(sources)).evidence.shape[1])
    for _ in range(ROUNDS):
        parts = [(one, *one.right(weights)) for one in sources]
        weights = minimize(loss, weights, args=(parts,), jac=True, method="L-BFGS-B").x
    return weights


def loss(
    weights: np.ndarray, parts: Iterable[tuple[Examples, np.ndarray, np.ndarray]]
) -> tuple[float, np.ndarray]:
    """How unlikely what is declared is, and its gradient."""
    total, gradient = weights @ weights / 2, weights.copy()
    for one, means, unknown in parts:
        scale = (PAIRS / len(one.declared)) ** 0.5
        odds = np.exp(np.clip(one.evidence @ weights, -30, 30))
        known = ~unknown
        # No key is meant where no candidate is right, or where the table's own key is.
        means_none = 1 - np.bincount(one.column, means)
        right = np.where(means_none[one.column] > 0, one.own, means)
        every = 1 + np.bincount(one.column, odds)
        chosen = means_none + np.bincount(one.column, odds * right)
        counted = np.bincount(one.column, known) > 0
        total += scale * np.sum(np.log(every / chosen)[counted])
        pull = known * odds * (1 / every[one.column] - right / chosen[one.column])
        gradient += scale * (one.evidence.T @ pull)
    return total, gradient


if __name__ == "__main__":
    sys.exit(main())

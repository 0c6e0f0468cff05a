"""How many tables to return: the probability of each ranked table, and the best set.

A table's probability is a logistic function of its rank, its joins with tables ranked above it, and
the question's words in its names that no table above has. It does not use the ranker's scores, so
it works with any ranking. `docs/tools/fit_tables.py` fitted it on BIRD train and Spider train.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_number, shown
from grapher_jax.errors import InputError
from grapher_jax.retrieve import Collection
from grapher_jax.tables.reading import TableReader, share, trigrams, words

# The number of tables of a ranking that are used.
READ = 50
# The weight of each feature in the log-odds, see `table_features`; then the bias.
_WEIGHTS = (-0.89, -1.03, 0.56, 0.24, 1.04, 5.82, 1.5, 0.82, 1.21, -2.18)
# The number of first tables of a ranking whose joins with a table are counted.
_BEST = 5
# Words that belong to asking, not to the content of a question.
_ASKING = frozenset(
    words(
        "a all an and are at be by did do does each find for from give had has have how in is it "
        "its list many me more most much not of on or show tell than that the their there this to "
        "was were what when where which who whose with"
    )
)


@dataclass(frozen=True)
class LikelySet:
    """The tables that a question is expected to need.

    Attributes:
        rows: the rows of the tables, the most likely first.
        probabilities: the probability that each table is needed.
        confidence: the probability that no other table is needed.
    """

    rows: tuple[int, ...]
    probabilities: tuple[float, ...]
    confidence: float


def check_confidence(confidence: float | None) -> None:
    """Raise InputError for a probability that no set can be made for; None is allowed."""
    if confidence is not None and not 0 < check_number("confidence", confidence) < 1:
        raise InputError(f"confidence: {shown(confidence)} must be above 0 and below 1")


def auto_size(
    index: Collection,
    question: str,
    rows: Sequence[int],
    *,
    embedding: Float[ndarray, " d"],
    confidence: float | None = None,
) -> LikelySet:
    """The set with the best expected F1, or the smallest that has all needed tables surely enough.

    Args:
        index: the index of the tables.
        question: its text.
        rows: the rows of the tables, ranked by any ranker; the first 50 are used.
        embedding: the embedding of the question, by the index's embedder.
        confidence: the probability that all needed tables are included, above 0 and below 1; near
            1, sets have twenty tables or more. None for the best expected F1.

    Raises:
        InputError: for a confidence out of its range.
    """
    check_confidence(confidence)
    rows = rows[:READ]
    likely = table_probabilities(index, question, rows, embedding=embedding)
    order = np.argsort(-likely, kind="stable")
    held = held_by_first(likely[order])
    if confidence is None:
        last = int(np.argmax(expected_f1(likely[order]))) if len(rows) else 0
    else:
        last = int(np.searchsorted(held, confidence))
    chosen = order[: last + 1]
    return LikelySet(
        tuple(int(rows[place]) for place in chosen),
        tuple(likely[chosen].tolist()),
        float(held[len(chosen) - 1]) if len(rows) else 0.0,
    )


def held_by_first(likely: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """`[n]` the probability that the first 1, 2, … tables include all needed ones.

    Args:
        likely: that each table is needed.
    """
    missing = np.cumprod((1 - likely)[::-1])[::-1]
    return np.append(missing[1:], np.ones(min(len(likely), 1)))


def expected_f1(likely: Float[ndarray, " n"]) -> Float[ndarray, " n"]:
    """`[n]` the expected F1 of the first 1, 2, … tables (Ye et al., ICML 2012).

    Args:
        likely: the probability that each table is needed, independent of the others.
    """
    n = len(likely)
    # For the first m tables and for the others: `[n, n + 1]` probabilities that 0, 1, … are needed.
    first = _counted(likely)[1:]
    others = _counted(likely[::-1])[-2::-1]
    m, hits, missed = np.ogrid[1 : n + 1, : n + 1, : n + 1]
    return np.einsum("mh,mhr,mr->m", first, 2 * hits / (m + hits + missed), others)


def _counted(likely: Float[ndarray, " n"]) -> Float[ndarray, "n+1 n+1"]:
    """The probability that 0, 1, … of the first 0, 1, … tables are needed."""
    found = np.eye(1, len(likely) + 1)
    for one in likely:
        more = np.append(0.0, found[-1, :-1])
        found = np.vstack([found, (1 - one) * found[-1] + one * more])
    return found


def table_probabilities(
    index: Collection, question: str, rows: Sequence[int], *, embedding: Float[ndarray, " d"]
) -> Float[ndarray, " n"]:
    """`[n]` the probability that each ranked table is needed; see `auto_size`."""
    from scipy.special import expit  # it imports as many modules as the rest of this package

    *weights, bias = _WEIGHTS
    features = table_features(index, question, rows, embedding=embedding)
    probabilities: Float[ndarray, " n"] = expit(features @ weights + bias)
    return probabilities


def table_features(
    index: Collection, question: str, rows: Sequence[int], *, embedding: Float[ndarray, " d"]
) -> Float[ndarray, "n f"]:
    """The features of `table_probabilities`; the arguments are the same.

    Returns:
        `[n, f]`: the logarithm of the rank; whether it is the first; whether keys connect it to the
        first in any number of steps; whether a key joins it to any table above; to what fraction of
        the first five; the distance of its cosine from the best; the fraction of its name in the
        question, weighted by rarity; the number of the question's words that it has but no table
        above; the fraction of these words that neither it nor any table above has.
    """
    read: TableReader = index.kept.get(TableReader, index)
    features = np.zeros((len(rows), 9))
    if not len(rows):
        return features
    features[:, 0] = np.log(np.arange(1, len(rows) + 1))
    features[0, 1] = 1
    features[:, 2:5] = _joined(read, rows)
    cosines = np.asarray(index.embeddings[list(rows)]) @ embedding
    features[:, 5] = cosines - cosines.max()
    features[:, 6:] = _said(read, question, rows)
    return features


def _joined(read: TableReader, rows: Sequence[int]) -> Float[ndarray, "n 3"]:
    """The features of joins."""
    schema, (first, *_) = read.schema, rows
    best, above = set(rows[:_BEST]), set[int]()
    found = []
    for row in rows:
        near = set(schema.neighbors(row))
        reached = row != first and schema.component[row] == schema.component[first]
        others = best - {row}
        found.append((reached, bool(near & above), len(near & others) / max(len(others), 1)))
        above.add(row)
    return np.array(found, float)


def _said(read: TableReader, question: str, rows: Sequence[int]) -> Float[ndarray, "n 3"]:
    """The features of words."""
    asked, rarity = trigrams(question), read.rarity
    told = [trigrams(word) for word in words(question) if word not in _ASKING]
    covered = np.zeros(len(told))
    found = []
    for row in rows:
        table = read.table(row)
        has = np.array([share(word, table.all) for word in told])
        together = np.maximum(covered, has)
        gain, covered = float((together - covered).sum()), together
        weights = [rarity[word] for word in table.name]
        named = sum(
            w * share(own, asked) for w, own in zip(weights, table.name.values(), strict=True)
        )
        left = 1 - float(covered.mean()) if told else 0.0
        found.append((named / sum(weights) if weights else 0.0, gain, left))
    return np.array(found)

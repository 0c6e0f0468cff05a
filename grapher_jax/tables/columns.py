"""The columns of tables, ranked against a question.

A column's score is the probability that a query which answers the question selects, restricts,
groups or orders by it: a logistic function of how much of its name the question says, fitted on
BIRD train and Spider train by `docs/tools/fit_tables.py`. It compares columns of several tables.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.retrieve import Collection
from grapher_jax.tables.reading import TableReader, share, trigrams

# What each feature adds to the log-odds, see `column_features`; then what all have.
_BY_WORDS = (1.77, 1.8, -0.86, 1.65, -0.48, -2.54)
_BY_MEANING = (0.68, 2.1, -0.88, 1.68, -0.51, 2.86, -2.93)


def column_scores(
    index: Collection,
    question: str,
    rows: Sequence[int],
    *,
    embedding: Float[ndarray, " d"] | None = None,
) -> list[Float[ndarray, " C"]]:
    """How likely the question is about each column of some tables.

    What is read of a column is kept with the index, so that it is read, and embedded, once.

    Args:
        index: of the tables.
        question: its text.
        rows: of the tables.
        embedding: of the question, by the index's embedder: then the columns' embeddings count
            too. Without it words alone do, and no text is embedded.

    Returns:
        `[C]` a probability a column, in the order of `Schema.table(row).columns`; one array a row.
    """
    from scipy.special import expit  # it loads as many modules as the whole room

    found = column_features(index, question, rows, embedding=embedding)
    *weights, bias = _BY_WORDS if embedding is None else _BY_MEANING
    return [expit(features @ weights + bias) for features in found]


def column_features(
    index: Collection,
    question: str,
    rows: Sequence[int],
    *,
    embedding: Float[ndarray, " d"] | None = None,
) -> list[Float[ndarray, "C f"]]:
    """What decides `column_scores`, with its arguments.

    Returns:
        `[C, f]` for each table: the share of the column's trigrams that the question has, of its
        name or of its comment, whichever has more; the same of those that the table's name lacks;
        whether `id` and whether `name` is the last word of its name; its place in the table, from 0
        to 1; and with an embedding the cosine.
    """
    read: TableReader = index.kept.get(TableReader, index)
    asked = trigrams(question)
    if embedding is not None:
        embeddings = read.embedded([text for row in rows for text in read.table(row).texts])
    found = []
    for row in rows:
        table = read.table(row)
        features = np.zeros((len(table.texts), 5 if embedding is None else 6))
        for place, (own, further) in enumerate(zip(table.trigrams, table.further, strict=True)):
            features[place, :2] = [
                max((share(part, asked) for part in parts), default=0.0) for parts in (own, further)
            ]
        features[:, 2:5] = table.fixed
        if embedding is not None and table.texts:
            features[:, 5] = np.stack([embeddings[text] for text in table.texts]) @ embedding
        found.append(features)
    return found

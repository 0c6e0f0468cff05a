"""Ranks the columns of tables for a question.

A column's score is the probability that SQL for the question selects, filters, groups or orders by
it: a logistic function of the overlap between its name and the question, fitted on BIRD train and
Spider train by `docs/tools/fit_tables.py`. Scores are comparable between tables.
"""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.retrieve import Collection
from grapher_jax.tables.reading import TableReader, share, trigrams

# The weight of each feature in the log-odds, see `column_features`; then the bias.
_BY_WORDS = (1.77, 1.8, -0.86, 1.65, -0.48, -2.54)
_BY_MEANING = (0.68, 2.1, -0.88, 1.68, -0.51, 2.86, -2.93)


def column_scores(
    index: Collection,
    question: str,
    rows: Sequence[int],
    *,
    embedding: Float[ndarray, " d"] | None = None,
) -> list[Float[ndarray, " C"]]:
    """The probability that the question needs each column of some tables.

    The words and embeddings of columns are cached with the index.

    Args:
        index: the index of the tables.
        question: its text.
        rows: the rows of the tables.
        embedding: the embedding of the question by the index's embedder; then the columns'
            embeddings count, too. Without it, only words count, and no text is embedded.

    Returns:
        `[C]` one probability per column, in the order of `Schema.table(row).columns`; one array per
        row.
    """
    from scipy.special import expit  # it imports as many modules as the rest of this package

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
    """The features of `column_scores`; the arguments are the same.

    Returns:
        `[C, f]` for each table: the fraction of the column's trigrams in the question, from its
        name or its comment, whichever is higher; the same without trigrams of the table's name;
        whether `id` and whether `name` is the last word of its name; its position in the table,
        from 0 to 1; and with an embedding, the cosine.
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

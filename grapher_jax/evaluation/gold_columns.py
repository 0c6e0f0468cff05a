"""The columns that the SQL of judged questions reads, and how many a ranking keeps."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import ceil

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Judgements, Object, Query
from grapher_jax.corpus.inferred.statements import ReadColumns, read_columns
from grapher_jax.corpus.inferred.tables import Tables
from grapher_jax.errors import InputError
from grapher_jax.index import IndexData
from grapher_jax.tables.columns import column_scores
from grapher_jax.tables.schema import schema_of

SHARES = (0.25, 0.5, 0.75)


def gold_columns(
    objects: Sequence[Object],
    queries: Mapping[str, Query],
    judgements: Judgements,
) -> dict[str, ReadColumns] | None:
    """For each judged question, the columns of its relevant tables that its SQL reads.

    Args:
        objects: the tables.
        queries: the questions, with SQL in their metadata as `sql`.
        judgements: the judgements of some of these questions.

    Returns:
        The columns by question id, without questions whose SQL cannot be parsed in the dialect of
        their tables (SQLite's, where the metadata names none); None if no question has SQL.
    """
    told = {query: queries[query].metadata.get("sql") for query in judgements}
    if not any(isinstance(sql, str) for sql in told.values()):
        return None
    grouped: dict[str, list[Object]] = defaultdict(list)
    for item in objects:
        grouped[str(item.metadata.get("db"))].append(item)
    tables = {database: Tables(own) for database, own in grouped.items()}
    by_id = {item.id: item.metadata for item in objects}
    found = {}
    for query, sql in told.items():
        relevant = {
            name for name, grade in judgements[query].items() if grade > 0 and name in by_id
        }
        if isinstance(sql, str) and relevant:
            with suppress(InputError):
                own = by_id[min(relevant)]
                dialect = str(own.get("dialect") or "sqlite")
                read = read_columns(tables[str(own.get("db"))], sql, dialect)
                asked, joining = (
                    frozenset(one for one in columns if one[0] in relevant)
                    for columns in (read.asked, read.joining)
                )
                found[query] = ReadColumns(asked, joining)
    return found


def column_recall(
    index: IndexData,
    judgements: Judgements,
    *,
    queries: Mapping[str, Query] | None = None,
    shares: Sequence[float] = SHARES,
    embeddings: Float[ndarray, "B d"] | None = None,
) -> dict[float, float] | None:
    """The fraction of needed columns that are among the best columns of the relevant tables.

    Columns that are known to be keys are always kept, so they do not count; nor do columns that are
    only used in joins.

    Args:
        index: the index of the tables.
        judgements: the judgements of the questions.
        queries: the questions with text and SQL; by default the index's own.
        shares: fractions of a question's columns to keep, over its relevant tables.
        embeddings: the embeddings of the questions, in the order of `judgements`, see
            `column_scores`; none by default.

    Returns:
        For each of `shares`, the mean fraction of needed columns that are kept; None if no question
        has SQL that reads a column.
    """
    queries = index.queries if queries is None else queries
    gold = gold_columns(index.objects, queries, judgements)
    schema = schema_of(index)
    found = []
    for place, query in enumerate(judgements):
        if gold is None or query not in gold:
            continue
        relevant = [name for name, grade in judgements[query].items() if grade > 0]
        rows = [schema.row[name] for name in relevant if name in schema.row]
        embedding = None if embeddings is None else embeddings[place]
        scores = column_scores(index, queries[query].text, rows, embedding=embedding)
        kept = [
            (score, (schema.ids[row], column.name) in gold[query].asked)
            for row, own in zip(rows, scores, strict=True)
            for column, score in zip(schema.table(row).columns, own.tolist(), strict=True)
            if column.name not in schema.keys_of(row)
        ]
        asked = [wanted for _, wanted in sorted(kept, key=lambda one: -one[0])]
        if any(asked):
            found.append([sum(asked[: ceil(share * len(asked))]) / sum(asked) for share in shares])
    return dict(zip(shares, np.mean(found, axis=0).tolist(), strict=True)) if found else None

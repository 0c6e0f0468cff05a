"""Perfect recall of tables that can be joined, as a SQL query needs them."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Bool, Float, Int
from numpy import ndarray

from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.measures import PERFECT_RECALL, Values
from grapher_jax.graph import EMPTY
from grapher_jax.tables.finding import choose_tables
from grapher_jax.tables.schema import Schema, keys_join_tables, schema_of


def join_measures(run: JudgedRun, rows: Int[ndarray, "B n"]) -> Values:
    """JPR@K of a ranking; empty if no foreign keys join tables.

    Args:
        run: the questions.
        rows: `[B, n]` the objects, best first; -1 if there are fewer.
    """
    if not keys_join_tables(run.index):
        return {}
    schema, relevant, answers = schema_of(run.index), run.relevant_rows, rows.tolist()
    return {
        f"JPR@{k}": join_perfect_recall(schema, answers, relevant, k).astype(float)
        for k in PERFECT_RECALL
    }


def table_measures(
    run: JudgedRun, rows: Int[ndarray, "B n"], scores: Float[ndarray, "B n"]
) -> Values:
    """PR@K and JPR@K of the sets of K tables that `Index.tables` makes from a ranking.

    Args:
        run: the questions.
        rows: `[B, n]` the tables, best first; -1 if there are fewer.
        scores: `[B, n]` the ranker's scores.

    Raises:
        InputError: if the objects are not tables.
    """
    schema, relevant = schema_of(run.index), run.relevant_rows
    found: dict[str, Float[ndarray, " B"]] = {}
    for k in PERFECT_RECALL:
        sets = _sets(run, rows, scores, k)
        complete = [{*wanted} <= {*own} for wanted, own in zip(relevant, sets, strict=True)]
        found[f"tables PR@{k}"] = np.array(complete, float)
        found[f"tables JPR@{k}"] = join_perfect_recall(schema, sets, relevant, k).astype(float)
    return found


def join_perfect_recall(
    schema: Schema, rows: Sequence[Sequence[int]], relevant: Sequence[Sequence[int]], k: int
) -> Bool[ndarray, " B"]:
    """JPR@K: whether the first k tables have all relevant ones, connected by keys among the k.

    A question with one relevant table needs no join.

    Args:
        schema: the foreign keys between tables.
        rows: the tables of each answer, best first; -1 if there are fewer.
        relevant: for each question, the rows of its relevant tables.
        k: how many tables per answer count.
    """
    answers = zip(rows, relevant, strict=True)
    return np.array([_connected(schema, own[:k], wanted) for own, wanted in answers], bool)


def _sets(
    run: JudgedRun, rows: Int[ndarray, "B n"], scores: Float[ndarray, "B n"], k: int
) -> list[list[int]]:
    questions, sets = run.candidates.questions, []
    for place, query in enumerate(questions.queries):
        known = rows[place] != EMPTY
        chosen = choose_tables(
            run.index,
            query.text,
            questions.embeddings[place],
            rows[place][known],
            scores[place][known],
            k=k,
        )
        sets.append(chosen.rows)
    return sets


def _connected(schema: Schema, rows: Sequence[int], wanted: Sequence[int]) -> bool:
    answer = [int(row) for row in rows if row != EMPTY]
    if not wanted or not {*wanted} <= {*answer}:
        return False
    return len(wanted) == 1 or any({*wanted} <= {*piece} for piece in schema.pieces(answer))

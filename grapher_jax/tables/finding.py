"""Finds the tables of an index that a question needs, or that are named."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import check_count, check_names
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.index import IndexData
from grapher_jax.systems import System
from grapher_jax.tables.columns import column_scores
from grapher_jax.tables.context import (
    CountTokens,
    SchemaContext,
    describe,
    estimate_tokens,
    within,
)
from grapher_jax.tables.paths import connecting, trees
from grapher_jax.tables.schema import Schema, schema_of
from grapher_jax.tables.selection import select_tables
from grapher_jax.tables.size import READ, auto_size, check_confidence

# The value of k for as many tables as needed.
AUTO = "auto"
NO_JOINS = (
    "no key joins any tables of this index, so none is found as a bridge; index their source with "
    "--keys, --queries-from or --dbt-manifest, or, if keys were never inferred, --infer-keys always"
)


@dataclass(frozen=True)
class Chosen:
    """The tables of an answer.

    Attributes:
        rows: the best tables first, then the bridges between them, then the others.
        bridges: the rows by which keys connect the better half of the tables.
        probability: the probability that no other table is needed, if k was `auto`.
    """

    rows: list[int]
    bridges: frozenset[int]
    probability: float | None = None


def choose_tables(
    index: IndexData,
    question: str,
    embedding: Float[ndarray, " d"],
    rows: Int[ndarray, " n"],
    scores: Float[ndarray, " n"],
    *,
    k: int | str,
    confidence: float | None = None,
) -> Chosen:
    """Chooses tables of a ranking that belong together, see `select_tables` and `auto_size`.

    Args:
        index: the index of the tables.
        question: its text.
        embedding: the embedding of the question, by the index's embedder.
        rows: `[n]` the ranked tables, best first.
        scores: `[n]` the ranker's scores.
        k: how many tables, including bridges; `auto` for as many as needed.
        confidence: see `auto_size`.
    """
    schema = schema_of(index)
    most = READ if k == AUTO else int(k)
    selected = select_tables(rows, scores, schema, k=most)
    if k != AUTO:
        return with_bridges(schema, selected, most)
    likely = auto_size(index, question, selected, embedding=embedding, confidence=confidence)
    bridges = connecting(schema, likely.rows)
    return Chosen([*likely.rows, *bridges], frozenset(bridges), likely.confidence)


def with_bridges(schema: Schema, selected: Sequence[int], k: int) -> Chosen:
    """The selected tables, with bridges that connect the better half if these fit in k tables."""
    best, dropped, bridges = selected[: (k + 1) // 2], 0, list[int]()
    for dropped, bridges in enumerate(trees(schema, best)):
        if len(best) - dropped + len(bridges) <= k:
            break
    first = [*best[: len(best) - dropped], *bridges]
    rest = [row for row in selected if row not in first]
    return Chosen([*first, *rest][:k], frozenset(bridges))


def find_tables(
    index: IndexData,
    question: str,
    *,
    system: System,
    k: int | str = 10,
    confidence: float | None = None,
    budget: int | None = None,
    count_tokens: CountTokens = estimate_tokens,
    filter: Mapping[str, Json] | None = None,  # noqa: A002
) -> SchemaContext:
    """The tables for a question; see `Index.tables`, which has the same options.

    Args:
        index: the index of tables.
        question: the question in words.
        system: the system that finds and ranks tables.
        k: how many tables, or `auto`.
        confidence: for `auto`, see `auto_size`.
        budget: the maximum number of tokens of the DDL.
        count_tokens: counts the tokens of a text.
        filter: a filter on the metadata of ranked tables; bridges need not match it.
    """
    schema = schema_of(index)
    check_confidence(confidence)
    if not (isinstance(k, str) and k == AUTO):
        k = check_count("k", k, cure="; or give 'auto'")
        if confidence is not None:
            raise InputError(f"confidence: it is for k='auto', not k={k}; leave one out")
    choice = system.choice(index)
    system = system.over(index)
    found = system.retrieve(index, [question], filters=[filter])
    order = system.rank(index, found, k=found.rows.shape[1])
    best = order.positions[0][order.positions[0] != EMPTY]
    rows, scores = found.rows[0][best], order.scores[0][: len(best)]
    if not len(rows):
        return SchemaContext((), question=question, notes=("no table fits the filter",))
    chosen = choose_tables(
        index,
        question,
        found.questions.embeddings[0],
        rows,
        scores,
        k=k,
        confidence=confidence,
    )
    name = system.reranker.name
    ranked = {int(row): (rank, float(scores[rank - 1])) for rank, row in enumerate(rows, start=1)}
    reasons = {row: f"rank {rank} by {name}" for row, (rank, _) in ranked.items()}
    reasons |= {row: f"connects {_connected(schema, row, chosen.rows)}" for row in chosen.bridges}
    context = replace(
        describe(schema, chosen.rows, reasons=reasons, scores=ranked, bridges=chosen.bridges),
        question=question,
        ranked_by=name,
        because=choice.because if choice else "",
        probability=chosen.probability,
        notes=_notes(schema, rows, chosen, k),
    )
    return _fitted(index, context, budget, count_tokens)


def _notes(
    schema: Schema, rows: Int[ndarray, " n"], chosen: Chosen, k: int | str
) -> tuple[str, ...]:
    """What whoever reads the answer should know of tables that it lacks."""
    if not schema.joins:
        return (NO_JOINS,)
    best = rows[: (int(k) + 1) // 2].tolist() if k != AUTO else []
    left_out = [
        f"{schema.ids[row]} (rank {rank})"
        for rank, row in enumerate(best, start=1)
        if row not in chosen.rows
    ]
    told = f"left out for tables that keys join to better ones: {', '.join(left_out)}"
    return (f"{told}; a larger k has them too",) if left_out else ()


def describe_tables(
    index: IndexData,
    names: Sequence[str],
    *,
    question: str = "",
    budget: int | None = None,
    count_tokens: CountTokens = estimate_tokens,
) -> SchemaContext:
    """The named tables with their columns and joins; see `Index.describe_tables`."""
    schema = schema_of(index)
    rows = [*dict.fromkeys(map(schema.find, check_names("tables", names)))]
    if not rows:
        raise InputError("tables: name one at least")
    context = replace(describe(schema, rows, reasons={}, scores={}), question=question)
    return _fitted(index, context, budget, count_tokens)


def _fitted(
    index: IndexData, context: SchemaContext, budget: int | None, count_tokens: CountTokens
) -> SchemaContext:
    """The context within its budget, without the least needed columns."""
    if budget is None:
        return context
    rows = [schema_of(index).row[name] for name in context.ids]
    scores = column_scores(index, context.question, rows)
    return within(context, check_count("budget", budget), scores, count_tokens)


def _connected(schema: Schema, bridge: int, rows: Sequence[int]) -> str:
    """The tables of the answer that a bridge joins, in words."""
    names = dict.fromkeys(
        name
        for key in schema.among(rows)
        if schema.ids[bridge] in (key.table, key.references)
        for name in (key.references, key.table)
        if name != schema.ids[bridge]
    )
    return " and ".join(names)

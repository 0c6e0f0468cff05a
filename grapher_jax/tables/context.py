"""The schema context for SQL generation: columns, keys, missing joins and DDL of some tables."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.tables.ddl import (
    SqlJoin,
    comment_line,
    create_tables,
    quoted,
    quoted_table,
    sql_joins,
)
from grapher_jax.tables.paths import join_record
from grapher_jax.tables.schema import Schema, Table

CountTokens = Callable[[str], int]
# The approximate minimum of bytes per token of SQL, for current language models.
_BYTES_A_TOKEN = 3


def estimate_tokens(text: str) -> int:
    """A conservative estimate of the tokens of a text: one per three bytes."""
    return -(-len(text.encode()) // _BYTES_A_TOKEN)


@dataclass(frozen=True)
class ContextTable:
    """A table of an answer.

    Attributes:
        table: the table with the columns that are shown.
        reason: why it is part of the answer, in words.
        score: the ranker's score; None if it was not ranked.
        rank: the rank from 1; None if it was not ranked.
        bridge: whether it connects others.
        keys: the columns by which it is joined or its rows are identified.
        left_out: the columns left out because of a budget.
    """

    table: Table
    reason: str
    score: float | None = None
    rank: int | None = None
    bridge: bool = False
    keys: frozenset[str] = frozenset()
    left_out: tuple[str, ...] = ()

    def without(self, columns: frozenset[str]) -> "ContextTable":
        """The same without these columns."""
        kept = tuple(one for one in self.table.columns if one.name not in columns)
        gone = tuple(one.name for one in self.table.columns if one.name in columns)
        return replace(self, table=replace(self.table, columns=kept), left_out=gone)

    def to_dict(self) -> dict[str, Json]:
        """The table as JSON-ready values, without empty ones."""
        table = self.table
        columns = [
            {
                "name": column.name,
                **({"type": column.type} if column.type else {}),
                **({"key": True} if column.name in self.keys else {}),
                **({"comment": column.comment} if column.comment else {}),
            }
            for column in table.columns
        ]
        told: dict[str, Json] = {
            "id": table.id,
            "name": table.name,
            "schema": table.schema,
            "database": table.database,
            "kind": table.kind,
            "score": self.score,
            "rank": self.rank,
            "reason": self.reason,
            "comment": table.comment,
            "primary_key": list(table.primary_key),
            "left_out_columns": list(self.left_out),
        }
        known = {name: value for name, value in told.items() if value not in (None, "", [])}
        return known | {"bridge": self.bridge, "columns": columns}


@dataclass(frozen=True)
class SchemaContext:
    """Tables for a question, and the joins between them.

    Attributes:
        tables: the chosen tables by rank, with bridges next to the tables that they connect.
        joins: the keys between them.
        apart: the ids of the tables in unconnected groups; one group if all are connected.
        absent: the keys to tables that are not part of the context.
        question: the question; empty if tables were named.
        ranked_by: the name of the ranker; empty if tables were named.
        because: why this ranker was taken; empty if tables were named.
        notes: further notes for the reader.
        probability: the probability that all needed tables are included, if estimated.
    """

    tables: tuple[ContextTable, ...]
    joins: tuple[SqlJoin, ...] = ()
    apart: tuple[tuple[str, ...], ...] = ()
    absent: tuple[SqlJoin, ...] = ()
    question: str = ""
    ranked_by: str = ""
    because: str = ""
    notes: tuple[str, ...] = ()
    probability: float | None = None

    @property
    def ids(self) -> list[str]:
        """The ids of the tables."""
        return [one.table.id for one in self.tables]

    @property
    def told_apart(self) -> str:
        """Describes unconnected tables; empty if all are connected."""
        if len(self.apart) < 2:
            return ""
        groups = " | ".join(", ".join(group) for group in self.apart)
        views = any(one.table.is_view for one in self.tables)
        return f"no key connects: {groups}{' (views declare none)' if views else ''}"

    def ddl(self) -> str:
        """CREATE TABLE statements in the database's dialect; see `create_tables`.

        Foreign keys to tables outside the context are left out, and listed in a comment at the end.
        """
        tables = [one.table for one in self.tables]
        dialects = {table.dialect for table in tables}
        written = create_tables(
            tables, self.joins, dialect=dialects.pop() if len(dialects) == 1 else ""
        )
        gone = [comment_line(f"left out: {join}") for join in self.absent]
        if count := sum(len(one.left_out) for one in self.tables):
            gone.append(f"-- left out: {count} columns, which the question needs least")
        return "\n".join([written, *gone, ""]) if gone else written

    def sql_comments(self) -> str:
        """The tables as SQL comments, one line per table and join, for a prompt."""
        several = len({one.table.database for one in self.tables}) > 1
        lines = []
        for one in self.tables:
            columns = ", ".join(
                f"{quoted(column.name, one.table.dialect)} {column.type}".strip()
                for column in one.table.columns
            )
            told = [f"{quoted_table(one.table)}({columns})"]
            told += [f"of the database {one.table.database}"] * several
            told += [f"a {one.table.kind}"] * one.table.is_view
            told += [one.reason] * (one.bridge or one.table.is_view)
            lines.append(comment_line(" -- ".join(told)))
        lines += [comment_line(f"join: {join}") for join in self.joins]
        if apart := self.told_apart:
            lines.append(comment_line(apart))
        return "\n".join(lines) + "\n"

    def to_dict(self) -> dict[str, Json]:
        """The context as JSON-ready values, without parts that were not requested."""
        told: dict[str, Json] = {
            "question": self.question,
            "ranker": self.ranked_by,
            "because": self.because,
            "probability": self.probability,
            "notes": list(self.notes),
        }
        known = {name: value for name, value in told.items() if value not in (None, "", [])}
        return known | {
            "tables": [one.to_dict() for one in self.tables],
            "joins": [join_record(join) for join in self.joins],
            "apart": [list(group) for group in self.apart],
            "absent": [join_record(join) for join in self.absent],
        }


def describe(
    schema: Schema,
    rows: Sequence[int],
    *,
    reasons: Mapping[int, str],
    scores: Mapping[int, tuple[int, float]],
    bridges: frozenset[int] = frozenset(),
) -> SchemaContext:
    """Builds the context of tables with all their columns and the joins between them.

    Args:
        schema: the schema of all tables.
        rows: the rows of the tables, without repeats.
        reasons: the reason for each table.
        scores: rank and score of the ranked tables.
        bridges: the tables that connect others.
    """
    ids = {schema.ids[row] for row in rows}
    tables = tuple(
        ContextTable(
            schema.table(row),
            "; ".join(filter(None, [reasons.get(row), _told_reads(schema, row, ids)])),
            rank=scores[row][0] if row in scores else None,
            score=scores[row][1] if row in scores else None,
            bridge=row in bridges,
            keys=schema.keys_of(row),
        )
        for row in rows
    )
    pieces = schema.pieces(rows)
    return SchemaContext(
        tables,
        sql_joins(schema, schema.among(rows)),
        tuple(tuple(schema.ids[row] for row in piece) for piece in pieces),
        sql_joins(schema, schema.leaving(rows)),
    )


def _told_reads(schema: Schema, row: int, ids: Collection[str]) -> str:
    """Those of some tables that a view reads, in words; empty for a table."""
    read = [name for name in schema.read_by_view(row) if name in ids]
    return f"reads {' and '.join(read)}" if read else ""


def within(
    context: SchemaContext,
    budget: int,
    column_scores: Sequence[Float[ndarray, " _"]],
    count_tokens: CountTokens = estimate_tokens,
) -> SchemaContext:
    """The context with columns left out to fit a token budget.

    Columns that join these tables, or identify their rows, are always kept. Those that join only
    other tables are left out after all that are no keys, with what is told of these keys; the best
    column of a table of which nothing is always kept goes last.

    Args:
        context: the context with all columns.
        budget: the maximum number of tokens of `ddl`.
        column_scores: the scores of each table's columns; the lowest are left out first, and of
            equal ones the last.
        count_tokens: counts the tokens of a text.

    Raises:
        InputError: if the columns that are always kept need more.
    """
    droppable = _first_to_go(context, column_scores)

    def needed(count: int) -> int:
        return count_tokens(_without(context, droppable[:count]).ddl())

    # The next guess is interpolated linearly between a count that is too small and one that is
    # enough, because most columns have similar lengths; every other guess is the middle.
    few, many = 0, len(droppable)
    of_few = needed(few)
    if of_few <= budget:
        return context
    of_many = needed(many)
    if of_many > budget:
        raise InputError(
            f"budget: {budget} tokens do not hold the key columns of {len(context.tables)} tables, "
            f"which need {min(of_few, of_many)}; give more, or ask for fewer tables"
        )
    halves = False
    while many - few > 1:
        share = 0.5 if halves else (of_few - budget) / max(of_few - of_many, 1)
        halves = not halves
        middle = min(max(few + round(share * (many - few)), few + 1), many - 1)
        if (of_middle := needed(middle)) <= budget:
            many, of_many = middle, of_middle
        else:
            few, of_few = middle, of_middle
    return _without(context, droppable[:many])


def _without(context: SchemaContext, gone: Collection[tuple[int, int]]) -> SchemaContext:
    """The context without columns, given as table and column, and without their keys to others."""
    left = {*gone}
    tables = tuple(
        one.without(
            frozenset(
                column.name
                for number, column in enumerate(one.table.columns)
                if (place, number) in left
            )
        )
        for place, one in enumerate(context.tables)
    )
    shown = {one.table.id: {column.name for column in one.table.columns} for one in tables}
    absent = tuple(
        key
        for key in context.absent
        if shown.get(key.table, {*key.columns}).issuperset(key.columns)
    )
    return replace(context, tables=tables, absent=absent)


def _first_to_go(
    context: SchemaContext, column_scores: Sequence[Float[ndarray, " _"]]
) -> list[tuple[int, int]]:
    """The columns that may be left out, as table and column, in this order; see `within`."""
    kept = {one.table.id: {*one.table.primary_key} for one in context.tables}
    for key in context.joins:
        kept[key.table].update(key.columns)
        kept[key.references].update(key.referenced_columns)
    found = []
    for place, (one, scores) in enumerate(zip(context.tables, column_scores, strict=True)):
        own = kept[one.table.id]
        last = int(np.argmax(scores)) if len(scores) and not own else None
        found += [
            (number == last, column.name in one.keys, float(score), -place, -number)
            for number, (column, score) in enumerate(zip(one.table.columns, scores, strict=True))
            if column.name not in own
        ]
    return [(-place, -number) for *_, place, number in sorted(found)]

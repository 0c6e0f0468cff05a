"""How many tables to answer with: fixed numbers, `k="auto"`, and sets of a stated confidence."""

from collections.abc import Sequence
from dataclasses import astuple

import numpy as np
from table_sets import auto_sets, fixed_sets, set_figures

from grapher_jax.evaluation import JudgedRun, Ranking
from grapher_jax.rerank import Reranker
from grapher_jax.tables.context import estimate_tokens
from grapher_jax.tables.ddl import create_tables
from grapher_jax.tables.schema import schema_of

FIXED = (3, 5, 10)
CONFIDENCES = (0.5, 0.8, 0.95)
COLUMNS = ("precision", "recall", "F1", "perfect recall", "tables", "tokens of DDL")


def size_figures(run: JudgedRun) -> dict[str, list[float]]:
    """The means of `COLUMNS` for each way to choose how many, those of a confidence with theirs.

    After them stands what sets of a confidence state on average; NaN for the others.
    """
    ranking = Ranking.from_run(run, Reranker())
    schema = schema_of(run.index)
    tokens = np.array(
        [estimate_tokens(create_tables([schema.table(row)], ())) for row in range(len(schema.ids))]
    )

    def figures(sets: Sequence[Sequence[int]], stated: float = np.nan) -> list[float]:
        *shares, size = astuple(set_figures(ranking, sets))
        long = float(np.mean([tokens[[*rows]].sum() for rows in sets]))
        return [*(100 * share for share in shares), size, long, 100 * stated]

    found = {f"{k} tables": figures(fixed_sets(ranking, k)) for k in FIXED}
    found["as many as needed"] = figures([one.rows for one in auto_sets(ranking)])
    for confidence in CONFIDENCES:
        chosen = auto_sets(ranking, confidence=confidence)
        stated = float(np.mean([one.probability for one in chosen]))
        found[f"confidence {confidence:g}"] = figures([one.rows for one in chosen], stated)
    return found


def size_table(runs: Sequence[JudgedRun]) -> str:
    """The figures as a table: means over sets, all questions of each counted."""
    each = [size_figures(run) for run in runs]
    lines = [("tables", *COLUMNS, "stated"), ("---",) * (len(COLUMNS) + 2)]
    for name in each[0]:
        *shares, tables, tokens, stated = np.mean([one[name] for one in each], 0)
        cells = [f"{share:.1f}" for share in shares] + [f"{tables:.1f}", f"{tokens:,.0f}"]
        lines.append((name, *cells, "" if np.isnan(stated) else f"{stated:.1f}"))
    return in_markdown(lines)


def in_markdown(lines: Sequence[Sequence[str]]) -> str:
    """Lines of cells as a table in Markdown."""
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

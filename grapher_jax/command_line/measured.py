"""What evaluating, training and tuning measured, as tables on standard output."""

import json
from collections.abc import Mapping, Sequence

from rich.table import Table

from grapher_jax.command_line.console import output, print_concepts, table_of
from grapher_jax.evaluation import EvaluationReport, Figure, RankingReport, TuningReport
from grapher_jax.files import Json

# What fits a terminal of 80 columns; --json has every metric.
_SHOWN = ("PR@5", "PR@10", "nDCG@10", "RR")
_OF_TABLES = ("JPR@5", "tables JPR@5", "JPR@10", "tables JPR@10")


def print_evaluation(report: EvaluationReport) -> None:
    """Print one row of metrics per ranker: queries with several relevant objects, (all queries)."""
    rows = report.results
    graphs = [_graph(row.parameters) for row in rows]
    several = len({graph for graph in graphs if graph}) > 1
    apart = graphs if several else []
    output.print(
        f"{report.dataset} {report.split}: {report.queries} queries, "
        f"{report.multi_queries} with more than one relevant object, "
        f"{report.objects} objects; in %, (over all queries)"
    )
    reached = ", ".join(f"{name} {_percent(share)}" for name, share in report.ceiling.items())
    output.print(f"all relevant objects among the candidates: {reached}")
    if report.columns:
        shares = (f"{float(kept):.0%}: {own:.1%}" for kept, own in report.columns.items())
        output.print(f"columns found by the share of columns kept: {', '.join(shares)}")
    if not several and any(graphs):
        output.print(f"graph: {max(graphs, key=len)}")
    for row in rows:
        print_concepts(row.parameters)
    own = {
        "α": [str(row.parameters.get("alpha", "")) for row in rows],
        **_percents(rows, _SHOWN),
        "rerank s": [f"{row.seconds['rerank']:.2f}" for row in rows],
    }
    output.print(_by_ranker(rows, own, apart))
    if _OF_TABLES[-1] in rows[0].metrics:
        output.print()
        output.print(_by_ranker(rows, _percents(rows, _OF_TABLES), apart))
    counts = [f"{_name(row)} {row.moved}" for row in rows if row.moved is not None]
    if counts:
        output.print(f"queries whose first 10 changed: {', '.join(counts)}", soft_wrap=True)
    if len(rows) > 1:
        output.print()
        output.print(_versus(rows, apart))
        output.print("in brackets where 95 % of bootstrap resamples of the queries lie")
    for further in (_answers(rows), _levels(rows)):
        if further is not None:
            output.print()
            output.print(further)


def _percents(rows: Sequence[RankingReport], names: Sequence[str]) -> dict[str, list[str]]:
    """The metrics of each ranker, those of these names that were measured."""
    measured = [name for name in names if name in rows[0].metrics]
    return {name: [_percent(row.metrics[name]) for row in rows] for name in measured}


def _by_ranker(
    rows: Sequence[RankingReport], columns: Mapping[str, Sequence[str]], graphs: Sequence[str]
) -> Table:
    """A row for each ranker; with its graph, if there are several."""
    columns = {**columns, "graph": graphs} if graphs else columns
    table = table_of("ranker", *columns)
    table.columns[0].no_wrap = False
    for row, *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(_name(row), *cells)
    return table


def _versus(rows: Sequence[RankingReport], graphs: Sequence[str]) -> Table:
    """The gain of each ranker over the first, and how many of all queries it wins and loses."""
    table = table_of("", f"PR@10 against {rows[0].ranker}", "all queries", "won", "lost")
    if graphs:
        table.add_column("graph")
    for place, row in enumerate(rows):
        if gain := row.versus:
            mean, interval = gain.differences["PR@10"], gain.intervals["PR@10"]
            gains = _signed(mean.multi, interval.multi), _signed(mean.all, interval.all)
            counts = str(gain.wins.all), str(gain.losses.all)
            table.add_row(_name(row), *gains, *counts, *graphs[place : place + 1])
    return table


def _answers(rows: Sequence[RankingReport]) -> Table | None:
    """The quality of the answers from each ranking's best passages; None without answers."""
    found = [(row, row.answers) for row in rows if row.answers]
    if not found:
        return None
    first = found[0][1]
    table = table_of(
        f"answers to {first.questions} questions ({first.left_out} have no reference)",
        *("judged yes", "ROUGE-L", "BLEU", "refused", "failed"),
    )
    for row, answers in found:
        low, high = answers.intervals["judged_yes"]
        judged = f"{100 * answers.shares['judged_yes']:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
        others = (answers.shares["rouge_l"], answers.bleu, answers.shares["refused"])
        shares = (f"{100 * share:.1f}" for share in others)
        table.add_row(_name(row), judged, *shares, str(answers.failed))
    return table


def _levels(rows: Sequence[RankingReport]) -> Table | None:
    """R@5 by level of complexity; None if no query has a level."""
    levels = rows[0].levels
    if not levels:
        return None
    heads = (f"level {name} ({level.queries})" for name, level in levels.items())
    table = table_of("R@5 by level (queries)", *heads)
    for row in rows:
        cells = (f"{100 * level.mean:.1f}" for level in row.levels.values())
        table.add_row(_name(row), *cells)
    return table


def _name(row: RankingReport) -> str:
    """The name of a row; for a system's retriever alone, with the system's name in brackets."""
    return row.ranker if row.system in ("", row.ranker) else f"{row.ranker} ({row.system})"


def _graph(parameters: Mapping[str, Json]) -> str:
    names = ", ".join(parameters.get("proximities", ()))
    if "shared_entity" in parameters.get("proximities", ()) and parameters.get("max_df"):
        names += f" (entities of at most {parameters['max_df']} objects)"
    return names.replace("_", " ")


def print_training(report: Mapping[str, Json]) -> None:
    """Print the training data and PR@K on the validation sets, after any choice of settings."""
    if "choice" in report:
        choice = report["choice"]
        output.print(
            f"{choice['measure']} in % of questions with more than one relevant object, the mean "
            "over the watched sets; * chosen"
        )
        output.print(_trials(choice))
    for found in report["questions"]:
        left_out = found["no_relevant_candidate"] + found["no_relevant_object"]
        output.print(
            f"{found['set']}: {found['learned_from']} questions, {found['held_out']} held out, "
            f"{left_out} left out (no relevant object among the candidates)"
        )
    if report["watch"]:
        names = list(next(iter(report["watch"].values())))
        table = table_of("watched", *names)
        for name, metrics in report["watch"].items():
            table.add_row(name, *(_percent(Figure(**metrics[measure])) for measure in names))
        output.print(table)
    early = ", stopped early" if report["stopped_early"] else ""
    output.print(
        f"{report['weights']}: weights of step {report['best_step']} of {report['steps']}{early}, "
        f"{report['seconds']:.0f} s",
        soft_wrap=True,
    )


def _trials(choice: Mapping[str, Json]) -> Table:
    """One row per combination of settings."""
    table = table_of(*choice["chosen"], choice["measure"], "at step")
    for trial in choice["trials"]:
        cells = [json.dumps(value) for value in trial["settings"].values()]
        if "error" in trial:
            cells += ["diverged"]
        else:
            mark = " *" if trial["settings"] == choice["chosen"] else ""
            cells += [
                f"{100 * trial[choice['measure']]:.1f}{mark}",
                f"{trial['best_step']} of {trial['steps']}",
            ]
        table.add_row(*cells)
    return table


def print_alpha_grid(report: TuningReport) -> None:
    """Print PR@K at every α, one column per ranker."""
    grids = report.rankers.values()
    table = table_of("α", *report.rankers)
    for row in zip(*(grid.points for grid in grids), strict=True):
        alpha = row[0].alpha
        cells = [
            _percent(point.recall) + (" *" if grid.best == alpha else "")
            for point, grid in zip(row, grids, strict=True)
        ]
        table.add_row(str(alpha), *cells)
    output.print(
        f"PR@{report.k} in %, more than one relevant (over all); base "
        f"{_percent(report.base)}; * the best"
    )
    output.print(table)
    if (learned := report.learned) is not None:
        output.print(
            f"\nLearned from {learned.learned_from} questions in {learned.seconds:.0f} s: "
            f"{learned.options}\nOn the {learned.measured_on} questions held out, PR@10 is "
            f"{_percent(learned.held_out)} by these and {_percent(learned.default)} by diffusion's "
            f"defaults{'' if learned.gains else ', which are at least as good: keep them'}",
            soft_wrap=True,
        )


def _percent(value: Figure[float]) -> str:
    multi = "–" if value.multi is None else f"{100 * value.multi:.1f}"
    return f"{multi} ({100 * value.all:.1f})"


def _signed(difference: float | None, interval: Sequence[float] | None) -> str:
    if difference is None or interval is None:
        return "–"
    low, high = interval
    return f"{100 * difference:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"

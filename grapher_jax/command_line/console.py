"""Output for people: tables on standard output, progress on standard error."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import typer
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.table import Table

from grapher_jax.answers.grounding import Answer
from grapher_jax.command_line.printable import printable
from grapher_jax.corpus.inferred.types import InferredKey
from grapher_jax.enrich.generate import Generated
from grapher_jax.errors import GrapherError
from grapher_jax.evaluation import EvaluationReport, Figure, RankingReport, TuningReport
from grapher_jax.explain import display_names, main_sources
from grapher_jax.files import Json
from grapher_jax.llm import Cost
from grapher_jax.rankers.hits import Hit
from grapher_jax.tables.context import SchemaContext

_WIDTH_OF_A_FILE = 160
# Longer than any key with its columns.
_WIDEST = 10_000
# What fits a terminal of 80 columns; --json has every metric.
_SHOWN = ("PR@5", "PR@10", "nDCG@10", "RR")
_OF_TABLES = ("JPR@5", "tables JPR@5", "JPR@10", "tables JPR@10")
_OTHER_COLUMNS = 24  # rank, score and former rank of a hit
_OTHER_OF_TABLES = 36  # score and reason of a table
_NOTHING = "no results"
# Ids are data: rich must neither read markup or `:train:` in them nor colour their digits.
_console = partial(Console, markup=False, highlight=False, emoji=False)
output = _console()
if not output.is_terminal:
    output = _console(width=_WIDTH_OF_A_FILE)
errors = _console(stderr=True)


def confirm_cost(cost: Cost, price_in: float, price_out: float, *, ask: bool) -> None:
    """Print the estimated cost and, on a terminal, ask for confirmation.

    Raises:
        GrapherError: if the user declines.
    """
    price = cost.price(price_in, price_out)
    errors.print(
        f"requests: {cost.requests}, about {cost.tokens_in} tokens in and up to {cost.tokens_out} "
        f"out (4 characters a token){f', at most about {price:.2f}' if price else ''}",
        soft_wrap=True,
    )
    terminal = errors.is_terminal and sys.stdin.isatty()
    if ask and terminal and not typer.confirm("Go on?", default=True, err=True):
        raise GrapherError("not begun, as asked")


def print_json(document: Json) -> None:
    """Print one JSON document; in ASCII if the encoding of standard output lacks a character."""
    text = json.dumps(document, ensure_ascii=False, indent=2)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(document, indent=2)
    sys.stdout.write(f"{text}\n")


def print_sql(text: str) -> None:
    """Print SQL unchanged if a program reads it; on a terminal, escape control characters."""
    lines = text.split("\n")
    sys.stdout.write("\n".join(map(printable, lines) if sys.stdout.isatty() else lines))


def print_keys(keys: Sequence[InferredKey]) -> None:
    """Print the foreign keys of an index."""
    table = _table("table", "columns", "references", "referenced columns", "by")
    for column in table.columns:  # a name that is cut is of no use
        column.no_wrap, column.overflow = False, "fold"
    for key in keys:
        by = f"{key.by} ({key.count})" if key.count else key.by
        ends = (key.table, ", ".join(key.columns), key.references)
        cells = (*ends, ", ".join(key.referenced_columns), by)
        table.add_row(*map(printable, cells))
    # A program that reads them needs each on one line, however long.
    lines = output if output.is_terminal else _console(width=_WIDEST)
    lines.print(table if keys else "no keys")


def print_tables(context: SchemaContext) -> None:
    """Print the tables for a question, and the joins between them."""
    table = _table("table", "score", "why", "columns")
    table.columns[2].no_wrap = False  # a bridge names all tables that it connects
    width = _left_by((one.table.id for one in context.tables), _OTHER_OF_TABLES)
    for one in context.tables:
        columns = printable(", ".join(column.name for column in one.table.columns))
        score = "" if one.score is None else f"{one.score:.4f}"
        cells = (printable(one.table.id), score, printable(one.reason), _cut(columns, width))
        table.add_row(*cells)
    output.print(table)
    for join in context.joins:
        output.print(printable(str(join)), soft_wrap=True)
    if context.told_apart:
        output.print(printable(context.told_apart), soft_wrap=True)
    print_choice({"ranker": context.ranked_by, "because": context.because})


def print_questions(folder: Path, done: Generated, *, of_tables: bool) -> None:
    """Print the number of questions of each kind, and how many objects have none."""
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(done.kinds.items())) or "none"
    source = f"from {done.units} drafts" if of_tables else f"about {done.units} documents"
    output.print(f"{folder}: questions: {kinds}; {source}", soft_wrap=True)
    if done.left_out:
        why = "are needed by no draft" if of_tables else "have no document_id and chunk_id"
        output.print(f"{done.left_out} objects {why}: no question is about them")


def print_notes(notes: Iterable[str]) -> None:
    """Print notes about the results on standard error, one per line."""
    for note in notes:
        errors.print(f"grapher-jax: note: {printable(note)}", soft_wrap=True)


def print_hits(hits: Sequence[Hit], *, explain: bool) -> None:
    """Print the results of one question."""
    table = _table("", "object", "score", "was", "text")
    # Ids may be as long as a line; the columns after them must remain visible.
    for column, least in zip(table.columns, (3, 8, 6, 3, 4), strict=True):
        column.min_width, column.overflow = least, "ellipsis"
    width = _left_by((hit.id for hit in hits), _OTHER_COLUMNS)
    for hit in hits:
        text = printable(" ".join(hit.text.split()))
        cells = (str(hit.rank), printable(hit.id), f"{hit.score:.4f}", str(hit.base_rank))
        table.add_row(*cells, _cut(text, width))
    output.print(table if hits else _NOTHING)
    if explain:
        for hit in hits:
            output.print(printable(str(hit.explanation)), soft_wrap=True)


def print_choice(named: Mapping[str, Json]) -> None:
    """Print which ranker `auto` took, and why; see `ranking_name`."""
    if named.get("because"):
        told = f"Ranked by {named['ranker']}, because {named['because']}"
        output.print(printable(told), soft_wrap=True)


def print_explanation(report: Mapping[str, Json]) -> None:
    """Print which candidates raised each result, and by which edges; see `explain_question`."""
    table = _table("", "was", "score", "object", "share", "from", "through")
    # Ids may be as long as a line; the columns after them must remain visible.
    for column, least in zip(table.columns, (3, 3, 6, 8, 5, 8, 10), strict=True):
        column.min_width, column.overflow = least, "ellipsis"
    table.columns[-1].no_wrap, table.columns[-1].overflow = False, "fold"
    names = display_names(report)
    for result in report["results"]:
        title = f"  {result['title']}" if result["title"] else ""
        head = [str(result["rank"]), str(result["base_rank"]), f"{result['score']:.4f}"]
        head.append(printable(f"{result['id']}{title}"))
        for cells in _sources(result["explanation"], names):
            table.add_row(*head, *cells)
            head = [""] * len(head)
    output.print(table if report["results"] else _NOTHING)


def _sources(
    explanation: Mapping[str, Json], names: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """The share, source and path of the main sources, and the rest in one row."""
    named, others, share = main_sources(explanation)
    for source in named:
        own = source["id"] == explanation["id"]
        name = "its own" if own else printable(names.get(source["id"], source["id"]))
        through = "; ".join(printable(join["text"]) for join in source["joins"])
        yield _share(source["share"]), name, through
    if others:
        yield _share(None if explanation["learned"] else share), f"{others} more", ""
    if not (named or others):
        yield "", "no neighbours", ""


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.0%}"


def print_pieces(pieces: Iterable[str]) -> str:
    """Print a text piece by piece as it arrives; returns the whole text."""
    said = []
    try:
        for piece in pieces:
            said.append(piece)
            sys.stdout.write("\n".join(map(printable, piece.split("\n"))))
            sys.stdout.flush()
    finally:
        if said:
            sys.stdout.write("\n")
    return "".join(said)


def print_sources(answer: Answer, *, asked: bool) -> None:
    """Print the passages that an answer cites, and how far to trust it."""
    output.print()
    for source in answer.sources:
        title = f"  {printable(source.title)}" if source.title else ""
        url = f"  {printable(source.url)}" if source.url else ""
        output.print(f"[{source.number}] {printable(source.id)}{title}{url}", soft_wrap=True)
    if answer.unknown:
        numbers = ", ".join(map(str, answer.unknown))
        output.print(f"cited, but there is no such passage: {numbers}", soft_wrap=True)
    if not answer.sources and not answer.refused:
        output.print("it cites no passage: do not rely on it")
    found = "nothing was found" if answer.confidence is None else f"{answer.confidence:.2f}"
    output.print(f"confidence: {found}{'' if asked else '; the model was not asked'}")


def print_concepts(parameters: Mapping[str, Json]) -> None:
    """Print what the concepts are, if the ranking uses concepts."""
    if "concepts" in parameters:
        output.print(f"concepts: {parameters['concepts']}", soft_wrap=True)


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
    table = _table("ranker", *columns)
    table.columns[0].no_wrap = False
    for row, *cells in zip(rows, *columns.values(), strict=True):
        table.add_row(_name(row), *cells)
    return table


def _versus(rows: Sequence[RankingReport], graphs: Sequence[str]) -> Table:
    """The gain of each ranker over the first, and how many of all queries it wins and loses."""
    table = _table("", f"PR@10 against {rows[0].ranker}", "all queries", "won", "lost")
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
    table = _table(
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
    table = _table("R@5 by level (queries)", *heads)
    for row in rows:
        cells = (f"{100 * level.mean:.1f}" for level in row.levels.values())
        table.add_row(_name(row), *cells)
    return table


def _name(row: RankingReport) -> str:
    """The name of a row; for a system's retriever alone, with the system's name in brackets."""
    return row.ranker if row.system in ("", row.ranker) else f"{row.ranker} ({row.system})"


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
        table = _table("watched", *names)
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
    table = _table(*choice["chosen"], choice["measure"], "at step")
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


def _graph(parameters: Mapping[str, Json]) -> str:
    names = ", ".join(parameters.get("proximities", ()))
    if "shared_entity" in parameters.get("proximities", ()) and parameters.get("max_df"):
        names += f" (entities of at most {parameters['max_df']} objects)"
    return names.replace("_", " ")


def print_alpha_grid(report: TuningReport) -> None:
    """Print PR@K at every α, one column per ranker."""
    grids = report.rankers.values()
    table = _table("α", *report.rankers)
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


def print_demo(report: Mapping[str, Json]) -> None:
    """Print the demo's metrics, all its questions, and one of them before and after reranking."""
    output.print(report["subtitle"], soft_wrap=True)
    table = _table("ranker", "PR@5", "PR@10", "first 10 changed")
    for row in report["metrics"]:
        moved = report["moved"].get(row["ranker"])
        shares = (f"{100 * row[name]:.1f}" for name in ("PR@5", "PR@10"))
        table.add_row(row["ranker"], *shares, "" if moved is None else f"{moved} questions")
    output.print(table)
    output.print(
        f"in % of the {report['questions']} questions that need more than one table\n", style="dim"
    )
    table = _table(
        f"tables needed, and how many are in the first {report['k']}", "", "alone", "graph"
    )
    table.columns[0].overflow = "ellipsis"
    for one in report["asked"]:
        gain = one["ranked"] - one["alone"]
        mark = "↑" if gain > 0 else "↓" if gain < 0 else ""
        counts = str(one["alone"]), f"{one['ranked']} {mark}".rstrip()
        table.add_row(one["question"], str(one["needs"]), *counts)
    output.print(table)
    output.print(f"\nOne of those that {report['ranker']} helps most:")
    output.print(f"“{report['question']}”  (✓ needed)")
    table = _table("", "retriever alone", "with the graph", "was", "came from, or is joined to")
    for old, new in zip(report["before"], report["results"], strict=True):
        main = main_sources(new["explanation"])[0]
        sources = ", ".join(_source(source, new["id"]) for source in main)
        table.add_row(str(new["rank"]), _marked(old), _marked(new), str(new["base_rank"]), sources)
    output.print(table)


def _source(source: Mapping[str, Json], own: str) -> str:
    name, share = "own" if source["id"] == own else source["id"], source["share"]
    return name if share is None else f"{share:.0%} {name}"


def _left_by(ids: Iterable[str], others: int) -> int:
    """The width that ids and other columns leave; rich would narrow all columns alike."""
    return output.width - max((cell_len(printable(name)) for name in ids), default=0) - others


def _cut(text: str, width: int) -> str:
    """The text on so many cells of a terminal, of which a Chinese character takes two."""
    return text if cell_len(text) <= width else set_cell_size(text, max(width, 1) - 1) + "…"


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, no_wrap=True)
    return table


def _percent(value: Figure[float]) -> str:
    multi = "–" if value.multi is None else f"{100 * value.multi:.1f}"
    return f"{multi} ({100 * value.all:.1f})"


def _signed(difference: float | None, interval: Sequence[float] | None) -> str:
    if difference is None or interval is None:
        return "–"
    low, high = interval
    return f"{100 * difference:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]"


def _marked(row: Mapping[str, Json]) -> str:
    return f"{'✓' if row['relevant'] else ' '} {row['id']}"

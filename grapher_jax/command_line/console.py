"""Output for people: tables on standard output, progress on standard error."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
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
from grapher_jax.explain import display_names, main_sources
from grapher_jax.files import Json
from grapher_jax.llm import Cost
from grapher_jax.rankers.hits import Hit
from grapher_jax.tables.context import SchemaContext

_WIDTH_OF_A_FILE = 160
# Longer than any key with its columns.
_WIDEST = 10_000
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
    table = table_of("table", "columns", "references", "referenced columns", "by")
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
    table = table_of("table", "score", "why", "columns")
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
    table = table_of("", "object", "score", "was", "text", least=(3, 8, 6, 3, 4))
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
    heads = ("", "was", "score", "object", "share", "from", "through")
    table = table_of(*heads, least=(3, 3, 6, 8, 5, 8, 10))
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


def print_demo(report: Mapping[str, Json]) -> None:
    """Print the demo's metrics, all its questions, and one of them before and after reranking."""
    output.print(report["subtitle"], soft_wrap=True)
    table = table_of("ranker", "PR@5", "PR@10", "first 10 changed")
    for row in report["metrics"]:
        moved = report["moved"].get(row["ranker"])
        shares = (f"{100 * row[name]:.1f}" for name in ("PR@5", "PR@10"))
        table.add_row(row["ranker"], *shares, "" if moved is None else f"{moved} questions")
    output.print(table)
    output.print(
        f"in % of the {report['questions']} questions that need more than one table\n", style="dim"
    )
    table = table_of(
        f"tables needed, and how many are in the first {report['k']}", "", "alone", "graph"
    )
    for one in report["asked"]:
        gain = one["ranked"] - one["alone"]
        mark = "↑" if gain > 0 else "↓" if gain < 0 else ""
        counts = str(one["alone"]), f"{one['ranked']} {mark}".rstrip()
        table.add_row(one["question"], str(one["needs"]), *counts)
    output.print(table)
    output.print(f"\nOne of those that {report['ranker']} helps most:")
    output.print(f"“{report['question']}”  (✓ needed)")
    table = table_of("", "retriever alone", "with the graph", "was", "came from, or is joined to")
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


def table_of(*columns: str, least: Sequence[int] = ()) -> Table:
    """A table without rows, of columns that are cut before they wrap.

    Args:
        columns: their heads.
        least: their least widths: ids may be as long as a line, and the columns after them must
            remain visible.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column, width in zip_longest(columns, least):
        table.add_column(column, no_wrap=True, min_width=width)
    return table


def _marked(row: Mapping[str, Json]) -> str:
    return f"{'✓' if row['relevant'] else ' '} {row['id']}"

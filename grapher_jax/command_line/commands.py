"""All verbs as one command-line application."""

from typing import Annotated

import typer

from grapher_jax.command_line.help import Verb, Verbs
from grapher_jax.command_line.verbs.answer import answer
from grapher_jax.command_line.verbs.compact import compact
from grapher_jax.command_line.verbs.demo import demo
from grapher_jax.command_line.verbs.enrich import enrich
from grapher_jax.command_line.verbs.evaluate import evaluate
from grapher_jax.command_line.verbs.explain import explain
from grapher_jax.command_line.verbs.export import export
from grapher_jax.command_line.verbs.index import index
from grapher_jax.command_line.verbs.keys import keys
from grapher_jax.command_line.verbs.mcp import mcp
from grapher_jax.command_line.verbs.questions import questions
from grapher_jax.command_line.verbs.rerank import rerank
from grapher_jax.command_line.verbs.search import search
from grapher_jax.command_line.verbs.serve import serve
from grapher_jax.command_line.verbs.tables import tables
from grapher_jax.command_line.verbs.train import train
from grapher_jax.command_line.verbs.tune import tune
from grapher_jax.command_line.verbs.update import update
from grapher_jax.command_line.verbs.watch import watch

_MOST, _FEW = "Commands", "More commands"
# Each must fit on one line of a terminal.
_VERBS = (
    (_MOST, index, "Index a database, a folder or a corpus for search."),
    (_MOST, search, "Search an index with one question."),
    (_MOST, tables, "Find the tables that a question's SQL needs."),
    (_MOST, serve, "Serve reranking and search over HTTP."),
    (_MOST, mcp, "Serve tables and search as tools for a language model."),
    (_MOST, evaluate, "Compare rankers and systems on judged questions."),
    (_MOST, train, "Train a ranker on judged questions."),
    (_FEW, demo, "Show the effect of the graph on a sample database."),
    (_FEW, explain, "Show which candidates raised each result, and by which edges."),
    (_FEW, answer, "Answer a question with a language model, and name the sources."),
    (_FEW, rerank, "Rerank many queries, up to millions, and write a run file."),
    (_FEW, tune, "Compare values of α on a training split."),
    (_FEW, update, "Add, replace and delete objects of an index."),
    (_FEW, watch, "Update an index whenever its source changes, until Ctrl-C."),
    (_FEW, compact, "Merge the parts of an index after many updates."),
    (_FEW, keys, "List the foreign keys of an index, declared and inferred."),
    (_FEW, enrich, "Add entities, keywords, AMR graphs or aliases."),
    (_FEW, questions, "Generate questions about documents or joined tables."),
    (_FEW, export, "Write an index as a folder in BEIR layout."),
)
app = typer.Typer(cls=Verbs, rich_markup_mode=None, pretty_exceptions_enable=False)


def _version(asked: bool) -> bool:
    if asked:
        from grapher_jax import __version__

        typer.echo(__version__)
        raise typer.Exit
    return asked


@app.callback()
def main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Graph-based reranking for retrieval-augmented generation."""


for panel, verb, told in _VERBS:
    app.command(cls=Verb, short_help=told, rich_help_panel=panel)(verb)

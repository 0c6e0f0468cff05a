"""All verbs in one application."""

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
# A line of a terminal each.
_VERBS = (
    (_MOST, index, "Make a database, a folder or a corpus ready for questions."),
    (_MOST, search, "Answer one question."),
    (_MOST, tables, "Find the tables that SQL for a question needs."),
    (_MOST, serve, "Serve reranking and search over HTTP."),
    (_MOST, mcp, "Serve tables and search as tools of a language model."),
    (_MOST, evaluate, "Compare rankers and systems on judged questions."),
    (_MOST, train, "Train a ranker of your own."),
    (_FEW, demo, "See on a sample database what the graph does."),
    (_FEW, explain, "Say who lifted each result, and through what."),
    (_FEW, answer, "Answer a question by a language model, with sources."),
    (_FEW, rerank, "Rerank millions of questions into a run."),
    (_FEW, tune, "Try every α on a train split."),
    (_FEW, update, "Add, replace and delete objects of an index."),
    (_FEW, watch, "Keep an index as its source is, until Ctrl-C."),
    (_FEW, compact, "Write an index as one part again, after many updates."),
    (_FEW, keys, "List the keys that join tables, and what told them."),
    (_FEW, enrich, "Add entities, keywords, AMR graphs or aliases."),
    (_FEW, questions, "Let a language model write questions on documents."),
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

"""All verbs in one application."""

from typing import Annotated

import typer

from grapher_jax.command_line.verbs.answer import answer
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

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


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


for verb in (
    *(demo, index, keys, update, search, tables, explain, answer, rerank),
    *(evaluate, tune, train, enrich, questions, export, serve, mcp),
):
    app.command()(verb)

"""`grapher-jax export`: write an index as a BEIR folder."""

from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import Json, OwnQuestions


def export(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    out: Annotated[Path, typer.Option(help="The BEIR folder to write.")],
    questions: OwnQuestions = None,
    split: Annotated[
        str | None,
        typer.Option(help="For --questions: the name of their file in qrels/; default: `test`."),
    ] = None,
    json: Json = False,
) -> None:
    """Write an index as a BEIR folder: its objects, queries and judgements."""
    from grapher_jax.command_line import console
    from grapher_jax.search import Index

    opened = Index.load(index)
    opened.export(out, questions=questions, split=split)
    if json:
        console.print_json({"folder": str(out), "objects": len(opened.ids)})
    else:
        console.output.print(f"{out}: {len(opened.ids)} objects", soft_wrap=True)

"""`grapher-jax tune`: a grid search over α, and diffusion's parameters by gradient descent."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.given import listed_names, proximity_weights
from grapher_jax.command_line.groups import RetrievalGroup, grouped
from grapher_jax.command_line.options import (
    Json,
    MaxDf,
    OwnEmbedder,
    OwnQuestions,
    Proximity,
    Split,
    Weight,
)
from grapher_jax.errors import InputError, require
from grapher_jax.graph import MAX_DF


@grouped
def tune(
    folder: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    retrieves: RetrievalGroup,
    split: Split = None,
    questions: OwnQuestions = None,
    proximity: Proximity = None,
    weight: Weight = None,
    max_df: MaxDf = MAX_DF,
    embedder: OwnEmbedder = None,
    picture: Annotated[Path, typer.Option(help="The picture to write, PNG or SVG.")] = Path(
        "alpha-grid.png"
    ),
    learn: Annotated[
        bool,
        typer.Option(
            "--learn",
            help="Also learn the temperature, α and weights of diffusion, and measure them on "
            "held-out questions (every fourth).",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Compare α from 0.1 to 0.9 for GCS, PPR and diffusion on a training split."""
    from grapher_jax.command_line import console, measured, meter
    from grapher_jax.corpus import judge_questions
    from grapher_jax.evaluation import JudgedRun, learn_diffusion
    from grapher_jax.evaluation import tune as grid
    from grapher_jax.pictures import check_picture, draw_alpha_grid
    from grapher_jax.search import open_source
    from grapher_jax.systems import Retrieval

    check_picture(picture)
    if (split is None) == (questions is None):
        raise InputError("tune: give either a split of the source or a file of --questions")
    if learn:
        require("scipy.optimize")
        if weight:
            raise InputError("weight: --learn finds the weights itself; leave out one of the two")
    with meter.progress("embedding objects") as progress:
        opened = open_source(folder, embedder=embedder, progress=progress)
    with meter.progress("embedding questions") as progress:
        judged = JudgedRun.retrieve_by(
            Retrieval(**retrieves.finding()),
            opened,
            judge_questions(questions, opened.rows) if questions else split or "",
            progress=progress,
        )
    report = grid(
        judged,
        proximities=listed_names(proximity),
        weights=proximity_weights(weight),
        max_df=max_df or None,
    )
    if learn:
        learned = learn_diffusion(
            judged, proximities=listed_names(proximity), max_df=max_df or None
        )
        report = replace(report, learned=learned)
    draw_alpha_grid(report.to_dict(), picture)
    if json:
        console.print_json(report.to_dict())
    else:
        measured.print_alpha_grid(report)
        console.output.print(f"\nThe picture: {picture}", soft_wrap=True)

"""`grapher-jax train`: train a ranker of your own."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import Json, OwnEmbedder, OwnQuestions
from grapher_jax.errors import InputError, require
from grapher_jax.files import cache_folder


def train(
    source: Annotated[
        list[str] | None,
        typer.Argument(
            help="An index or a BEIR folder, and the name of its qrels; `train` by default.",
            metavar="SOURCE[:SPLIT]...",
        ),
    ] = None,
    out: Annotated[
        Path, typer.Option(help="The folder of the run; the same command resumes it.")
    ] = Path("run"),
    watch: Annotated[
        list[str] | None,
        typer.Option(
            help="Validate on these questions, for early stopping; may be given several times.",
            metavar="SOURCE:SPLIT",
        ),
    ] = None,
    held_out: Annotated[
        float | None,
        typer.Option(help="Validate on this share of each source, by database or document."),
    ] = None,
    questions: OwnQuestions = None,
    expand: Annotated[
        bool, typer.Option("--expand", help="Add objects one step from the best candidates.")
    ] = False,
    cloze: Annotated[
        int | None,
        typer.Option(
            help="Train on this many questions made from objects' own words, instead of judged "
            "questions; a source then needs no judgements."
        ),
    ] = None,
    paths: Annotated[
        int | None,
        typer.Option(
            help="Train on this many questions made from tables and their declared foreign keys."
        ),
    ] = None,
    choose: Annotated[
        list[str] | None,
        typer.Option(
            help="Try each of these values (JSON or strings), and all combinations if given "
            "several times; then train with the best, on validation data too, into OUT/final.",
            metavar="SETTING=VALUE,VALUE",
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="A JSON file with settings, such as the config.json of a run."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(
            help="Begin with these weights instead of random ones: gat-tables (for tables), gat "
            "(for all else), or a folder of weights.",
            metavar="RANKER",
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option(help="Passes over the questions; 1 by default.")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Training steps, instead of epochs.")] = None,
    batch_size: Annotated[
        int | None, typer.Option(help="Questions per step; 32 by default.")
    ] = None,
    learning_rate: Annotated[
        float | None, typer.Option(help="The peak learning rate; 0.001 by default.")
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option(
            help="perfect-recall (the default), softmax, hinge, binary or triplet.", metavar="NAME"
        ),
    ] = None,
    evaluate_every: Annotated[
        int | None, typer.Option(help="Steps between two checkpoints; 100 by default.")
    ] = None,
    patience: Annotated[
        int | None, typer.Option(help="Checkpoints without progress before it stops; 0 for never.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The random seed; 0 by default.")] = None,
    embedder: OwnEmbedder = None,
    cache: Annotated[
        Path | None,
        typer.Option(help="The folder for prepared examples; by default in the user's cache."),
    ] = None,
    json: Json = False,
) -> None:
    """Train a ranker on judged questions; run it again to resume after a stop."""
    from grapher_jax.command_line import console, measured, meter

    for module in ("flax", "optax", "orbax.checkpoint", "safetensors.numpy"):
        require(module)
    from grapher_jax.learn.choose import choose as run_all
    from grapher_jax.learn.choose import read_settings
    from grapher_jax.learn.trainer import train as run
    from grapher_jax.systems.networks import architectures
    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.program import use_cores
    from grapher_jax.training.reading import JsonObject, read_config

    given = {
        "start": start,
        "epochs": epochs,
        "steps": steps,
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "loss": loss,
        "evaluate_every": evaluate_every,
        "patience": patience,
        "seed": seed,
        "embedder": embedder,
    }
    of_sets = {
        "expand": expand or None,
        "held_out": held_out,
        "questions": None if questions is None else str(questions),
        "cloze": cloze,
        "paths": paths,
    }
    chosen: JsonObject = (read_config(config) if config else {}) | _given(given)
    own = _given(of_sets)
    if source:
        chosen["sets"] = _sets(source, own)
    elif "sets" not in chosen:
        raise InputError("train: nothing to learn from; give a SOURCE, or --config with `sets`")
    elif own:
        raise InputError(f"train: {config} has the sets; write {', '.join(own)} into each of them")
    if watch:
        more = {"expand": True} if expand else {}
        chosen["watch"] = [_judged(place) | more for place in watch]
    settings = read_settings(choose or [])
    work = partial(run_all, settings=settings) if choose else partial(run)
    wanted = TrainConfig.from_json(
        chosen, place=str(config or "train"), architectures=architectures()
    )
    if "batch_size" not in settings:  # a given size might not be a multiple of the devices
        use_cores(wanted.batch_size)
    report = work(
        wanted,
        out,
        cache=cache or cache_folder() / "examples",
        progress=meter.progress,
    )
    if json:
        console.print_json(report)
    else:
        measured.print_training(report)


def _given(options: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in options.items() if value is not None}


def _sets(sources: list[str], own: Mapping[str, object]) -> list[dict[str, object]]:
    sets = [{**_judged(place), **own} for place in sources]
    if "questions" in own and any("split" in one for one in sets):
        raise InputError("questions: they take the place of a split; give one of the two")
    return sets


def _judged(place: str) -> dict[str, str]:
    """A source with its split, from `SOURCE:SPLIT`; a folder's own name may contain a colon."""
    source, separator, split = place.rpartition(":")
    if not separator or {"/", "\\"} & {*split} or Path(place).is_dir():
        return {"source": place}
    return {"source": source, "split": split}

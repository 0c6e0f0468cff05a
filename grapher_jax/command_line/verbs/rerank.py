"""`grapher-jax rerank`: rerank many queries, and write a run file."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.command_line.given import check_engine, concept_names, ranking_name
from grapher_jax.command_line.groups import SystemGroup, grouped
from grapher_jax.command_line.options import Engine, Json, Results, Scores
from grapher_jax.errors import InputError
from grapher_jax.rankers.options import AUTO_SCALE

if TYPE_CHECKING:
    from grapher_jax.runs import Shard


@grouped
def rerank(
    index: Annotated[Path, typer.Argument(help="An index folder.")],
    queries: Annotated[Path, typer.Option(help="A queries.jsonl file in BEIR layout.")],
    out: Annotated[Path, typer.Option(help="The run file to write: TREC text, or *.parquet.")],
    chosen_by: SystemGroup,
    k: Results = 200,
    run: Annotated[
        Path | None,
        typer.Option(help="Rerank another retriever's run: a TREC or *.parquet file."),
    ] = None,
    scores: Scores = AUTO_SCALE,
    shard: Annotated[
        str | None,
        typer.Option(
            help="Rerank one part of the queries, such as 2/8. The process that finishes last "
            "merges all parts.",
            metavar="I/N",
        ),
    ] = None,
    distributed: Annotated[
        bool,
        typer.Option(
            "--distributed",
            help="Take the part from jax.distributed, in every process of a cluster. SLURM, Open "
            "MPI and Kubernetes are recognised; else set JAX_COORDINATOR_ADDRESS, "
            "JAX_NUM_PROCESSES and JAX_PROCESS_ID.",
        ),
    ] = False,
    engine: Engine = "local",
    json: Json = False,
) -> None:
    """Rerank many queries, and write a run file; run it again to resume after a stop."""
    from contextlib import nullcontext

    from grapher_jax.command_line import console, meter
    from grapher_jax.corpus import read_queries
    from grapher_jax.runs import (
        count_queries,
        open_run,
        rerank_run,
        rerank_settings,
        rerank_shard,
    )
    from grapher_jax.search import Index

    finding = chosen_by.finding()
    if run:
        _refuse(finding)
    elif chosen_by.base is None and scores != AUTO_SCALE:
        raise InputError("scores: of another retriever's run; give --run too, or --base")
    check_engine(engine)
    part = _part(shard, distributed, engine)
    chosen = chosen_by.open(index, k=k, scores=scores)
    opened = Index.load(index)
    named = ranking_name(chosen, chosen_by.system, opened) | concept_names(chosen, opened)
    chosen = chosen.over(opened)
    _check_files(queries, out, run)
    total = count_queries(queries)
    first, end = part.part(total) if part else (0, total)
    decided = rerank_settings(index, queries, chosen, k=k, base_run=run)

    with (
        meter.progress("reranking queries", end - first) as progress,
        open_run(run) if run and engine == "local" else nullcontext() as base_run,
    ):
        work: Callable[..., int | None]
        if engine == "ray":
            from grapher_jax.runs.ray_engine import rerank_with_ray

            work = partial(rerank_with_ray, index, queries, out, chosen, base_run=run)
        elif part:
            work = partial(rerank_shard, opened, queries, out, chosen, part, base_run=base_run)
        else:
            work = partial(
                rerank_run, opened, read_queries(queries), out, chosen, base_run=base_run
            )
        done = work(k=k, settings=decided, progress=progress)
    if json:
        made = {"run": str(out), "queries": done} | ({"shard": str(part)} if part else {})
        console.print_json(made | named)
    elif done is None:
        console.output.print(
            f"{out}: shard {part} is complete; the run is there once all are merged",
            soft_wrap=True,
        )
    else:
        console.output.print(f"{out}: {done} queries", soft_wrap=True)
        console.print_choice(named)
        console.print_concepts(named)


def _check_files(queries: Path, out: Path, run: Path | None) -> None:
    """Raise InputError if there are no queries, or the new run would replace something else."""
    from grapher_jax.runs import check_target

    if not queries.is_file():
        raise InputError(f"{queries}: no such file; give a queries.jsonl in BEIR layout")
    check_target(out, queries, run)


def _part(shard: str | None, distributed: bool, engine: str) -> "Shard | None":
    """The part of the queries that this process reranks; None for all."""
    from grapher_jax.runs import Shard, join_cluster

    if (shard is not None) + distributed + (engine == "ray") > 1:
        raise InputError("shard: one of --shard, --distributed and --engine ray divides the work")
    return Shard.parse(shard) if shard else join_cluster() if distributed else None


def _refuse(of_retrievers: Mapping[str, object]) -> None:
    """Raise InputError for options of retrieval, which a base run leaves no room for."""
    for name, value in of_retrievers.items():
        if value is not None and value is not False:
            option = name.replace("_", "-")
            raise InputError(
                f"{option}: a base run is taken as it is; leave out --run or --{option}"
            )

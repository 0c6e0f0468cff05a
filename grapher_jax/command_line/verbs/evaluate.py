"""`grapher-jax evaluate`: rankers and systems, compared on judged questions."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from grapher_jax.command_line.options import (
    NO_PLACE_FOR_CROSS_ENCODER,
    Alpha,
    Confidence,
    CrossEncoder,
    Endpoint,
    Expand,
    ExpandBy,
    Json,
    MaxDf,
    Model,
    OwnEmbedder,
    PriceIn,
    PriceOut,
    Replies,
    Split,
    Timeout,
    Yes,
    decided_by_systems,
    listed_names,
    open_llm,
)
from grapher_jax.errors import InputError
from grapher_jax.graph import MAX_DF
from grapher_jax.llm import CONCURRENCY, Llm


def evaluate(
    source: Annotated[str, typer.Argument(help="An index, or a BEIR folder.")],
    split: Split,
    ranker: Annotated[
        list[str] | None,
        typer.Option(
            help="base, gcs, ppr, gat, query-gnn, g-rag, or the folder of trained weights; may be "
            "given several times.",
            metavar="NAME_OR_FOLDER",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="A published method, beside the rankers or alone: grapher, g-rag, keyword-graph "
            "or query-gnn. May be given several times.",
            metavar="NAME",
        ),
    ] = None,
    cross_encoder: CrossEncoder = None,
    alpha: Alpha = None,
    proximity: Annotated[
        list[str] | None,
        typer.Option(
            help="Build the graph from these alone: foreign_key, link, shared_entity, chunk. "
            "May be given several times, to compare sets of them.",
            metavar="NAME,NAME",
        ),
    ] = None,
    expand: Expand = False,
    expand_by: ExpandBy = None,
    max_df: MaxDf = MAX_DF,
    embedder: OwnEmbedder = None,
    llm: Annotated[
        str | None,
        typer.Option(
            help="Beside the rankers and systems or alone: this language model, asked how relevant "
            "each candidate is.",
            metavar="MODEL",
        ),
    ] = None,
    llm_candidates: Annotated[
        int, typer.Option(help="How many candidates a question the model is asked about.")
    ] = 100,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Let --model answer the questions from each row's 10 best passages, and have the "
            "answers judged against the reference answers.",
        ),
    ] = False,
    model: Model = "",
    judge_model: Annotated[
        str | None, typer.Option(help="Judges the answers; --model by default.", metavar="MODEL")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(help="Answer the first so many questions that have a reference answer."),
    ] = None,
    confidence: Confidence = None,
    endpoint: Endpoint = None,
    workers: Annotated[int | None, typer.Option(help="Requests at a time; 8.")] = None,
    timeout: Timeout = 60.0,
    cache: Replies = None,
    price_in: PriceIn = 0.0,
    price_out: PriceOut = 0.0,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Compare rankers, sets of proximities and whole systems on judged questions."""
    from contextlib import ExitStack

    from grapher_jax.command_line import console
    from grapher_jax.evaluation.rankings import JudgedRun, compare, rank_all
    from grapher_jax.rankers.fixed_point import FIXED_POINTS
    from grapher_jax.rerank import Reranker
    from grapher_jax.retrieve.embedders import no_progress
    from grapher_jax.search import open_source
    from grapher_jax.systems import build_llm, choose_system
    from grapher_jax.systems.llm.ranker import LlmRanker

    given = decided_by_systems(alpha, proximity, expand, expand_by, max_df)
    of_answers = {"model": model or None, "judge-model": judge_model, "limit": limit}
    for name, value in (of_answers | {"confidence": confidence}).items():
        if value is not None and not answers:
            raise InputError(f"{name}: of answers; give --answers too, or leave it out")
    if cross_encoder and "keyword-graph" not in (system or []):
        raise InputError(NO_PLACE_FOR_CROSS_ENCODER)
    systems = [
        choose_system(
            name, cross_encoder=cross_encoder if name == "keyword-graph" else None, **given
        )
        for name in system or []
    ]
    rerankers = [
        Reranker(ranker=name, alpha=alpha, proximities=names, max_df=max_df or None)
        for name in ranker or ([] if systems or llm is not None else FIXED_POINTS)
        for names in ([listed_names(p) for p in proximity or []] if name != "base" else [])
        or [None]
    ]
    with ExitStack() as clients:

        def connect(name: str) -> Llm:
            return clients.enter_context(open_llm(name, endpoint, timeout, workers, cache))

        client = None if llm is None else connect(llm)
        asked = [connect(name) for name in [model, judge_model] if name is not None and answers]
        build = partial(build_llm, candidates=llm_candidates, workers=workers or CONCURRENCY)
        if client is not None:
            judge = choose_system(build(client), **given)
        with console.progress("embedding objects") as progress:
            opened = open_source(source, embedder=embedder, progress=progress)
        if client is not None:
            with console.progress("embedding questions") as progress:
                found = JudgedRun.by(judge.retrieval, opened, split, progress=progress)
            cost = LlmRanker(client).estimate(opened, found.candidates)
            if cost.requests:
                console.confirm_cost(cost, price_in, price_out, ask=not yes)
        doing = "embedding questions" if client is None else "asking about candidates"
        with console.progress(doing) as progress:
            if client is not None:
                systems.append(build(client, progress=progress))
            rankings = rank_all(
                opened,
                split,
                rerankers,
                systems=systems,
                expand=listed_names(expand_by) or expand,
                progress=progress if client is None else no_progress,
            )
        report = compare(rankings, split=split, dataset=Path(source).resolve().name)
        if answers:
            from grapher_jax.answers.grounding import CONFIDENCE
            from grapher_jax.evaluation import answers as judged_answers

            least = CONFIDENCE if confidence is None else confidence
            tasks = [
                judged_answers.answer_tasks(ranking, confidence=least, limit=limit)
                for ranking in rankings
            ]
            cost = judged_answers.estimate(tasks, asked[0], asked[-1])
            if cost.requests:
                console.confirm_cost(cost, price_in, price_out, ask=not yes)
            with console.progress("answering questions") as progress:
                judged = judged_answers.judge_answers(
                    tasks, asked[0], asked[-1], workers=workers or CONCURRENCY, progress=progress
                )
            for result, answered in zip(report["results"], judged, strict=True):
                result["answers"] = answered
    if json:
        console.print_json(report)
    else:
        console.print_evaluation(report)

"""`grapher-jax evaluate`: compare rankers and systems on judged questions."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grapher_jax.command_line.given import check_by_question, listed_names
from grapher_jax.command_line.groups import (
    NO_PLACE_FOR_CROSS_ENCODER,
    CostGroup,
    ExpansionGroup,
    Ranking,
    RankingGroup,
    decided_by_systems,
    grouped,
)
from grapher_jax.command_line.options import (
    HELP,
    Confidence,
    CrossEncoder,
    Json,
    Model,
    OwnEmbedder,
    OwnQuestions,
    Scores,
    Split,
)
from grapher_jax.errors import InputError
from grapher_jax.files import atomic_file, json_text
from grapher_jax.llm import CONCURRENCY, Llm
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.options import AUTO_SCALE

if TYPE_CHECKING:
    from grapher_jax.evaluation import EvaluationReport
    from grapher_jax.rerank import Reranker
    from grapher_jax.systems import System


@grouped
def evaluate(
    source: Annotated[
        str,
        typer.Argument(help="An index, a BEIR folder, ir_datasets:NAME or datasets:NAME."),
    ],
    expands: ExpansionGroup,
    ranks: RankingGroup,
    asks: CostGroup,
    split: Split = None,
    questions: OwnQuestions = None,
    run: Annotated[
        Path | None,
        typer.Option(
            help="Take the candidates from another retriever's run: a TREC or *.parquet file."
        ),
    ] = None,
    ranker: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{HELP['ranker']}. May be given several times; by default base, gcs, ppr, "
            "diffusion and auto.",
            metavar="NAME_OR_FOLDER",
        ),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="Compare this published method, with or without rankers: grapher, g-rag, "
            "keyword-graph or query-gnn. May be given several times.",
            metavar="NAME",
        ),
    ] = None,
    cross_encoder: CrossEncoder = None,
    proximity: Annotated[
        list[str] | None,
        typer.Option(
            help=f"{HELP['proximities']} May be given several times, to compare sets of them.",
            metavar="NAME,NAME",
        ),
    ] = None,
    scores: Scores = AUTO_SCALE,
    embedder: OwnEmbedder = None,
    tables: Annotated[
        bool,
        typer.Option(
            "--tables",
            help="Also measure the sets of tables that the verb `tables` makes from each ranking, "
            "and the columns that it keeps.",
        ),
    ] = False,
    level: Annotated[
        str,
        typer.Option(
            help="Report R@5 also by this key of the questions' metadata, such as their kind.",
            metavar="KEY",
        ),
    ] = "level",
    llm: Annotated[
        str | None,
        typer.Option(
            help="Compare this language model, asked how relevant each candidate is, with or "
            "without rankers and systems.",
            metavar="MODEL",
        ),
    ] = None,
    llm_candidates: Annotated[
        int, typer.Option(help="How many candidates per question the model of --llm judges.")
    ] = 100,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Let --model answer the questions from the 10 best passages of each ranking, and "
            "let a model judge the answers against the reference answers.",
        ),
    ] = False,
    model: Model = "",
    judge_model: Annotated[
        str | None, typer.Option(help="The judge of answers; default: --model.", metavar="MODEL")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(help="Answer at most this many questions that have a reference answer."),
    ] = None,
    confidence: Confidence = None,
    workers: Annotated[int, typer.Option(help="Requests at a time.")] = CONCURRENCY,
    by_question: Annotated[
        Path | None,
        typer.Option(
            help="Write the ranks of each question's relevant objects to this file, a line of JSON "
            "per question."
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Compare rankers, sets of proximities and whole systems on judged questions."""
    from contextlib import ExitStack

    from grapher_jax.answers.grounding import CONFIDENCE
    from grapher_jax.command_line import meter
    from grapher_jax.evaluation import Answering
    from grapher_jax.evaluation import evaluate as compare
    from grapher_jax.rankers.fixed_point import FIXED_POINTS
    from grapher_jax.systems import build_llm, choose_system

    finding = expands.finding()
    if by_question is not None:
        check_by_question(by_question)
    ranking = ranks.ranking(source, proximity=",".join(proximity or []), scores=scores)
    if run is None and ranks.base is None and scores != AUTO_SCALE:
        raise InputError("scores: of another retriever's run; give --run too, or --base")
    given = decided_by_systems(ranking, finding)
    if not answers:
        _refuse({"model": model or None, "judge-model": judge_model, "limit": limit})
        _refuse({"confidence": confidence})
    systems = _choose_systems(system or [], cross_encoder, given)
    names = ranker or ([] if systems or llm is not None else (*FIXED_POINTS, AUTO))
    with ExitStack() as clients:

        def connect(name: str) -> Llm:
            return clients.enter_context(asks.open(name, workers=workers))

        answering = None
        if answers:
            answering = Answering(
                llm=connect(model),
                judge=None if judge_model is None else connect(judge_model),
                limit=limit,
                confidence=CONFIDENCE if confidence is None else confidence,
            )
        if llm is not None:
            judge = build_llm(connect(llm), candidates=llm_candidates, workers=workers)
            systems.append(choose_system(judge, cross_encoder=None, **given))
        report = compare(
            source,
            split,
            _choose_rerankers(names, proximity, ranking),
            questions=questions,
            run=run,
            systems=systems,
            embedder=embedder,
            tables=tables,
            level=level,
            answers=answering,
            workers=workers,
            confirm=asks.confirm,
            progress=meter.progress,
            **finding,
        )
    _tell(report, by_question, json=json)


def _tell(report: "EvaluationReport", by_question: Path | None, *, json: bool) -> None:
    """Write results by question, if they are wanted, and print all others."""
    from grapher_jax.command_line import console, measured

    if by_question is not None:
        with atomic_file(by_question) as temporary:
            lines = (json_text(one, "question") + "\n" for one in report.by_question())
            temporary.write_text("".join(lines), encoding="utf-8")
    console.print_notes(report.notes)
    if json:
        console.print_json(report.to_dict())
    else:
        measured.print_evaluation(report)


def _refuse(of_answers: Mapping[str, object]) -> None:
    """Raise InputError for an option of --answers that is given without it."""
    for name, value in of_answers.items():
        if value is not None:
            raise InputError(f"{name}: of answers; give --answers too, or leave it out")


def _choose_rerankers(
    names: Sequence[str], proximity: Sequence[str] | None, ranking: Ranking
) -> "list[Reranker]":
    """One reranker for each pair of a ranker and a set of proximities."""
    from grapher_jax.evaluation import pair_proximities

    return pair_proximities(
        names,
        [listed_names(those) for those in proximity or []],
        alpha=ranking["alpha"],
        temperature=ranking["temperature"],
        weights=ranking["weights"],
        max_df=ranking["max_df"],
        scores=ranking["scores"],
        edges=ranking["edges"],
        base=ranking["base"],
    )


def _choose_systems(
    names: Sequence[str], cross_encoder: str | None, given: Mapping[str, object]
) -> "list[System]":
    """The systems with these names; raises InputError for options that a system decides."""
    from grapher_jax.systems import choose_system

    if cross_encoder and "keyword-graph" not in names:
        raise InputError(NO_PLACE_FOR_CROSS_ENCODER)
    encoders = {"keyword-graph": cross_encoder}
    return [choose_system(name, cross_encoder=encoders.get(name), **given) for name in names]

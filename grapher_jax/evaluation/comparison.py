"""Compares rankers and whole systems on judged questions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeVar, Unpack

from grapher_jax.checks import check_count, check_kind, check_list, check_path
from grapher_jax.corpus import JudgedQueries, JudgedQuestion, is_public_set, judge_questions
from grapher_jax.corpus.keys import DOCUMENT_ID
from grapher_jax.errors import InputError, require
from grapher_jax.evaluation.answers import (
    Answering,
    answer_tasks,
    estimate,
    judge_answers,
)
from grapher_jax.evaluation.figures import Figure
from grapher_jax.evaluation.gold_columns import column_recall
from grapher_jax.evaluation.judged import LEVEL, JudgedRun
from grapher_jax.evaluation.other_runs import RunRetrieval
from grapher_jax.evaluation.ranking import MOVED_WITHIN, Ranking
from grapher_jax.evaluation.reports import EvaluationReport
from grapher_jax.graph import EMPTY, Edges
from grapher_jax.index.objects import StackedObjects
from grapher_jax.llm import CONCURRENCY, Cost
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import as_scorer
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.retrieve.options import Finding
from grapher_jax.search import Index, open_source
from grapher_jax.systems import Finder, Retrieval, System, load_system
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.llm.ranker import LlmRanker
from grapher_jax.systems.notes import expand_note, unmoved_note

T = TypeVar("T")
# Maps the name of a stage to a context that gives the progress of the stage.
Stages: TypeAlias = Callable[[str], AbstractContextManager[Progress]]
# Called with the estimated cost; raises to refuse it.
Confirm: TypeAlias = Callable[[Cost], None]


@contextmanager
def no_stages(what: str) -> Iterator[Progress]:
    """Show nothing of a stage."""
    yield no_progress


@dataclass(frozen=True)
class Row:
    """A row of an evaluation: a retrieval method and a ranker.

    Attributes:
        retrieval: finds the candidates.
        reranker: ranks them.
        name: its name in reports; empty for the ranker's own name.
        system: the system to which it belongs; empty for none.
    """

    retrieval: Finder
    reranker: ChosenRanker
    name: str = ""
    system: str = ""


def evaluate(
    source: str | Path | Index,
    split: str | None = None,
    rerankers: Sequence[Reranker | str] = (),
    *,
    questions: str | Path | Sequence[JudgedQuestion] | None = None,
    run: str | Path | None = None,
    systems: Sequence[System | str] = (),
    dataset: str | None = None,
    embedder: str | None = None,
    expand: bool | Sequence[str] | None = None,
    candidates: int | None = None,
    lexical_weight: float | None = None,
    lexical_norm: str | None = None,
    title_weight: float | None = None,
    tables: bool = False,
    level: str = LEVEL,
    answers: Answering | None = None,
    workers: int = CONCURRENCY,
    confirm: Confirm | None = None,
    progress: Stages = no_stages,
) -> EvaluationReport:
    """Compare rankers after the base retriever, and whole systems, on judged questions.

    The metrics are PR@5 and PR@10 (perfect recall: whether all relevant objects are in the top K);
    P@10, R@5, R@10, R@20, nDCG@10 and RR by ir-measures, where RR uses only the first relevant
    object; and those of G-RAG, which are means over all relevant objects of a question: MRR (1 /
    rank), MHits@10 (whether in the top 10, so the same as R@10), and MTRR and TMHits@10, which also
    count ties of the ranker's scores (see `kernels.mean_reciprocal_rank` and `kernels.mean_hits`).
    Tables also have JPR@K (`join_perfect_recall`). Intervals are 95 % intervals of the percentile
    bootstrap, with 2,000 resamples and a fixed seed. A ranker wins a question if its PR@10 is 1 and
    the other's is 0. R@5 is also reported by `level`, if queries have one.

    Args:
        source: an index, the folder of one, or a BEIR folder.
        split: the name of its judgements.
        rerankers: the rankers to compare, or their names.
        questions: judged questions to use instead of a split, see `judge_questions`.
        run: another retriever's run, see `open_run`, with candidates for the id of every question.
            The rankers get all of them, in the order of trec_eval (of equal scores, the greatest id
            first), and no filter is applied.
        systems: the systems to compare, or their names; a retriever that differs from those of all
            rows before it gets a row of its own. Use `build_llm` to rank by a language model.
        dataset: a name for the report; by default that of the opened folder.
        embedder: the embedder; by default the index's own, and `offline` for a BEIR folder.
        expand: for the rankers, see `Index.search_batch`.
        candidates: how many objects are reranked; the index's by default, as the next three.
        lexical_weight: the weight of BM25.
        lexical_norm: see `RetrievalOptions`.
        title_weight: see `RetrievalOptions`.
        tables: whether to add `table_measures` and `column_recall`.
        level: the metadata key of a query's level, such as its complexity or kind.
        answers: the models that answer the questions from each row's best ten, and judge.
        workers: the maximum number of questions answered at a time.
        confirm: called with the estimated cost of language models; raises to refuse it.
        progress: shows the progress of embedding and of language models.

    Raises:
        InputError: for an unknown split or `level`, malformed judgements or questions, a folder
            that is neither index nor BEIR folder, nothing to compare, or a run that lacks a
            question, names an unknown object, or is given with systems or retriever options.
        MissingExtraError: if a package that a ranker or `answers` needs is not installed.
    """
    called, (index, known) = _called(split, questions, workers), _opened(source, embedder, progress)
    rankings = rank_all(
        index,
        called if questions is None else _judged(index, questions),
        _loaded("rerankers", rerankers, Reranker, lambda name: Reranker(ranker=name)),
        systems=_loaded("systems", systems, System, load_system),
        expand=expand,
        candidates=candidates,
        lexical_weight=lexical_weight,
        lexical_norm=lexical_norm,
        title_weight=title_weight,
        tables=tables,
        level=level,
        run=run,
        confirm=confirm,
        progress=progress,
    )
    report = compare(rankings, split=called, dataset=known if dataset is None else dataset)
    return _answered(report, rankings, answers, workers, confirm, progress)


def pair_proximities(
    names: Sequence[str],
    sets: Sequence[Sequence[str] | None],
    *,
    alpha: float | None = RankingOptions.alpha,
    temperature: float | None = RankingOptions.temperature,
    weights: Mapping[str, float] | None = None,
    max_df: int | None = RankingOptions.max_df,
    scores: str = RankingOptions.scores,
    edges: Edges | None = None,
    base: object = None,
) -> list[Reranker]:
    """One reranker per ranker and set of proximities; `base`, which reads none, once.

    Args:
        names: names of rankers.
        sets: sets of proximities, None for all that the metadata allows; no sets mean all.
        alpha: for all rankers, see `RankingOptions`, also for the next ones.
        temperature: for diffusion.
        weights: the weights of proximities.
        max_df: the limit for shared entities.
        scores: the scale of a run's scores.
        edges: edges of your own.
        base: a model that rescores the candidates first.

    Raises:
        InputError: for a temperature without the ranker diffusion, and as `Reranker`.
    """
    if temperature is not None and "diffusion" not in names:
        raise InputError("temperature: of the ranker diffusion; choose it, or leave this out")
    # One scorer for all, so that a model is loaded once.
    scorer = None if base is None else as_scorer(base)
    return [
        Reranker(
            ranker=name,
            alpha=alpha,
            temperature=temperature if name == "diffusion" else None,
            proximities=chosen,
            weights=weights,
            max_df=max_df,
            scores=scores,
            edges=edges,
            base=scorer,
        )
        for name in names
        for chosen in (sets if name != "base" else ()) or (None,)
    ]


def rank_all(
    index: Index,
    split: str | JudgedQueries,
    rerankers: Sequence[Reranker] = (),
    *,
    systems: Sequence[System] = (),
    tables: bool = False,
    level: str = LEVEL,
    run: str | Path | None = None,
    confirm: Confirm | None = None,
    progress: Stages = no_stages,
    **finding: Unpack[Finding],
) -> list[Ranking]:
    """The rankings that `evaluate` compares, one per row; arguments and errors as there."""
    if isinstance(split, JudgedQueries):
        index = replace(index, folder=None)  # its AMR graphs belong to other questions
    retriever = Retrieval(**finding)
    if run is not None:
        if systems:
            raise InputError(
                f"run: {systems[0].name!r} has a retriever of its own; leave one of them out"
            )
        if replace(retriever, expand=retriever.expand or None) != Retrieval():
            raise InputError(
                "run: it is taken as it is; leave out the retriever's options (expand, candidates "
                "and so on)"
            )
    own = retriever if run is None else RunRetrieval(check_path("run", run))
    rows = _rows(index, rerankers, systems, own)
    runs: list[JudgedRun] = []
    with progress("embedding questions" if run is None else "reading the run") as told:
        for row in rows:
            if not any(run.retrieval == row.retrieval for run in runs):
                before = next((run for run in runs if isinstance(run.retrieval, Retrieval)), None)
                found = JudgedRun.retrieve_by(
                    row.retrieval, index, split, level=level, before=before, progress=told
                )
                runs.append(found)
    pairs = [(row, next(run for run in runs if run.retrieval == row.retrieval)) for row in rows]
    asked = [(row.reranker.ranker, run) for row, run in pairs]
    models = [(one, run) for one, run in asked if isinstance(one, LlmRanker)]
    if confirm is not None:
        costs = (one.estimate(index, run.candidates) for one, run in models)
        _confirm_cost(confirm, sum(costs, Cost()))
    with (progress if models else no_stages)("asking about candidates") as told:
        return [
            Ranking.from_run(
                run,
                _reporting(row.reranker, told),
                name=row.name,
                system=row.system,
                tables=tables,
            )
            for row, run in pairs
        ]


def compare(rankings: Sequence[Ranking], *, split: str, dataset: str = "") -> EvaluationReport:
    """The report of `evaluate` for rankings of the same questions."""
    first, *others = rankings
    run = first.run
    gains = [replace(one.report(), versus=one.versus(first)) for one in others]
    return EvaluationReport(
        dataset=dataset,
        split=split,
        queries=len(run.judgements),
        multi_queries=int(run.multi.sum()),
        objects=len(run.index.ids),
        embedder=run.index.embedder.name,
        ceiling=_ceiling(rankings),
        results=[first.report(), *gains],
        notes=_notes(rankings),
        columns=_columns(run) if first.tables else {},
        texts={query.id: query.text for query in run.candidates.questions.queries},
    )


def _called(
    split: str | None, questions: str | Path | Sequence[JudgedQuestion] | None, workers: int
) -> str:
    """The name of the judged questions in a report; raises InputError unless one of both is given.

    Checks early what is needed last: the metrics, and the number of workers.
    """
    require("ir_measures")
    check_count("workers", workers)
    if split is not None and questions is None:
        return split
    if split is None and questions is not None:
        return Path(questions).name if isinstance(questions, str | Path) else "questions"
    if split is None:
        raise InputError("questions: give those of a file, or a split of the source")
    raise InputError("questions: they take the place of a split; give one of the two")


def _judged(index: Index, questions: str | Path | Sequence[JudgedQuestion]) -> JudgedQueries:
    return judge_questions(questions, index.rows, documents=_chunks_of_documents(index))


def _chunks_of_documents(index: Index) -> Mapping[str, Sequence[str]]:
    """The ids of the chunks of each document, by its `document_id`."""
    found: dict[str, list[str]] = {}
    if (index.graph.document_ids != EMPTY).any():
        objects = StackedObjects.of(index.objects)  # of which no text is read
        for identity, metadata in zip(index.ids, objects.metadata, strict=True):
            if name := metadata.get(DOCUMENT_ID.name):
                found.setdefault(name, []).append(identity)
    return found


def _loaded(
    name: str, given: Sequence[T | str], kind: type[T], load: Callable[[str], T]
) -> list[T]:
    """The items of a list in which names stand for what they load."""
    return [
        load(one) if isinstance(one, str) else check_kind(name, one, kind, f"a {kind.__name__}")
        for one in check_list(name, given, of="names")
    ]


def _opened(
    source: str | Path | Index, embedder: str | None, progress: Stages
) -> tuple[Index, str]:
    """The index, and the name of its folder or public set if one was opened."""
    if isinstance(source, Index):
        if embedder is not None:
            raise InputError("embedder: of a folder; an index that is open has its own")
        return source, ""
    with progress("embedding objects") as told:
        index = open_source(source, embedder=embedder, progress=told)
    # What follows a question mark may be a password.
    name = str(source).partition("?")[0]
    return index, name if is_public_set(name) else Path(name).resolve().name


def _rows(
    index: Index,
    rerankers: Sequence[Reranker],
    systems: Sequence[System],
    own: Retrieval | RunRetrieval,
) -> list[Row]:
    """The rows of rankers after their retriever, and of systems, each after its own retriever."""
    behind = [
        System(name=one.name, retrieval=replace(own, scorer=one.scorer), reranker=one)
        for one in rerankers
    ]
    rows = [Row(system.over(index).retrieval, system.reranker) for system in behind]
    for number, system in enumerate(systems):
        if system.name in (other.name for other in systems[:number]):
            raise InputError(f"systems: {system.name!r} stands twice; give each a name of its own")
        system = system.over(index)
        base = system.retrieval.base
        if not any(row.retrieval == base for row in rows):
            rows.append(Row(base, Reranker(ranker="base"), "base", system.name))
        rows.append(Row(system.retrieval, system.reranker, system.name, system.name))
    if not rows:
        raise InputError("rerankers: there are none, nor systems; give one of either")
    return rows


def _columns(run: JudgedRun) -> dict[str, float]:
    """Column recall by the fraction of columns kept; empty if no question has SQL."""
    queries = {query.id: query for query in run.candidates.questions.queries}
    found = column_recall(run.index, run.judgements, queries=queries) or {}
    return {str(share): recall for share, recall in found.items()}


def _notes(rankings: Sequence[Ranking]) -> list[str]:
    """Notes on why a ranking changed nothing or no object was added, each once."""
    notes = []
    for ranking in rankings:
        run = ranking.run
        notes.append(expand_note(run.retrieval, run.index, run.candidates))
        if ranking.moved == 0:
            note = unmoved_note(
                ranking.reranker,
                run.index,
                run.candidates,
                name=ranking.label,
                k=MOVED_WITHIN,
                questions=f" of any of {len(run.judgements)} questions",
            )
            notes.append(note)
    return [note for note in dict.fromkeys(notes) if note]


def _ceiling(rankings: Sequence[Ranking]) -> Mapping[str, Figure[float]]:
    """For each retriever, the fraction of questions whose relevant objects are all candidates."""
    runs: dict[str, JudgedRun] = {}
    for ranking in rankings:
        name = ranking.system or _retriever_name(ranking.run.retrieval)
        found = _unscored(ranking.run.retrieval)
        if not any(
            ranking.run is known or found == _unscored(known.retrieval) for known in runs.values()
        ):
            runs[f"{name}, joined" if name in runs else name] = ranking.run
    ceiling = {name: run.ceiling(run.candidates.rows.shape[1]) for name, run in runs.items()}
    run = runs.get("expanded")
    if run and "retriever" not in runs and isinstance(run.retrieval, Retrieval):
        options = run.retrieval.options_of(run.index.options)
        ceiling["retriever"] = run.ceiling(options.candidates)
    return ceiling


def _unscored(finder: Finder) -> Finder:
    """What finds the same objects, whatever scores them."""
    return replace(finder, scorer=None) if isinstance(finder, Retrieval | RunRetrieval) else finder


def _retriever_name(finder: Finder) -> str:
    """The name under which the ceiling of a retriever is reported."""
    if isinstance(finder, RunRetrieval):
        return "run"
    return "expanded" if isinstance(finder, Retrieval) and finder.expands else "retriever"


def _reporting(reranker: ChosenRanker, told: Progress) -> ChosenRanker:
    """The reranker; a language model in it reports every candidate that it judges."""
    model = reranker.ranker
    if not isinstance(model, LlmRanker) or model.progress is not no_progress:
        return reranker
    return replace(reranker, ranker=replace(model, progress=told))


def _answered(
    report: EvaluationReport,
    rankings: Sequence[Ranking],
    answers: Answering | None,
    workers: int,
    confirm: Confirm | None,
    progress: Stages,
) -> EvaluationReport:
    """The report, completed by the quality of answers from each row's passages, if asked for."""
    if answers is None:
        return report
    judge = answers.judge or answers.llm
    tasks = [
        answer_tasks(ranking, confidence=answers.confidence, limit=answers.limit)
        for ranking in rankings
    ]
    if confirm is not None:
        _confirm_cost(confirm, estimate(tasks, answers.llm, judge))
    with progress("answering questions") as told:
        found = judge_answers(tasks, answers.llm, judge, workers=workers, progress=told)
    rows = zip(report.results, found, strict=True)
    return replace(report, results=[replace(row, answers=own) for row, own in rows])


def _confirm_cost(confirm: Confirm, cost: Cost) -> None:
    """Ask for confirmation if there are requests to pay for."""
    if cost.requests:
        confirm(cost)

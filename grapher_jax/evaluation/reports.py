"""The results of an evaluation and of an α grid, with the JSON of `evaluate --json`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from grapher_jax.evaluation.figures import Figure, Interval, Intervals, Means
from grapher_jax.files import Json
from grapher_jax.graph import MAX_DF


@dataclass(frozen=True, kw_only=True)
class Gain:
    """The gain of one ranking over another on the same questions.

    Attributes:
        ranker: the name of the other ranker.
        system: the name of the other system; empty if it belongs to none.
        differences: the means of the paired differences of each metric.
        intervals: the 95 % bootstrap intervals of these means.
        wins: the number of questions for which only this one has perfect recall in the top 10.
        losses: the number for which only the other has.
    """

    ranker: str
    system: str = ""
    differences: Means
    intervals: Intervals
    wins: Figure[int]
    losses: Figure[int]

    def to_dict(self) -> dict[str, Json]:
        """The gain as JSON-ready values."""
        return {
            **_named(self.ranker, self.system),
            "differences": _told(self.differences),
            "intervals": _told(self.intervals),
            "wins": self.wins.to_dict(),
            "losses": self.losses.to_dict(),
        }


@dataclass(frozen=True, kw_only=True)
class Level:
    """The quality of a ranking on the questions of one level, such as a level of complexity.

    Attributes:
        queries: how many there are.
        metric: the name of the metric.
        mean: the mean of the metric over these questions.
    """

    queries: int
    metric: str
    mean: float

    def to_dict(self) -> dict[str, Json]:
        """The level as JSON-ready values."""
        return {"queries": self.queries, self.metric: self.mean}


@dataclass(frozen=True, kw_only=True)
class AnswersReport:
    """The quality of the answers from one ranking's passages.

    Attributes:
        questions: the number of questions with a reference answer.
        left_out: the number of questions without one.
        failed: the number of questions whose answer or judgement failed.
        shares: `judged_yes`, `refused`, `rouge_l` and `sentence_bleu`, means over the questions.
        bleu: BLEU over all answers together.
        intervals: the interval of each share.
    """

    questions: int
    left_out: int
    failed: int
    shares: Mapping[str, float]
    bleu: float
    intervals: Mapping[str, Interval]

    def to_dict(self) -> dict[str, Json]:
        """The report as JSON-ready values."""
        return {
            "questions": self.questions,
            "left_out": self.left_out,
            "failed": self.failed,
            **self.shares,
            "bleu": self.bleu,
            "intervals": {name: list(ends) for name, ends in self.intervals.items()},
        }


@dataclass(frozen=True, kw_only=True)
class RankingReport:
    """One row of an evaluation.

    Attributes:
        ranker: the name of the ranker; for a system, the system's name, or `base` for its retriever
            alone.
        system: the system's name; empty if the row belongs to none.
        parameters: the parameters that decide the ranking.
        metrics: the mean of each metric, as a fraction.
        intervals: the 95 % bootstrap intervals of these means.
        levels: the quality by level; empty if no question has a level.
        seconds: the times of `retrieve`, `rerank` and `compile`.
        moved: the number of questions whose first ten differ from the retriever's, see `moved`;
            None for the retriever's own order.
        versus: the gain over the first row; None for the first row itself.
        answers: the quality of answers; None if none were asked for.
        ranks: for each question, the rank of every relevant object, from 1; None if it is no
            candidate.
    """

    ranker: str
    system: str = ""
    parameters: Mapping[str, Json]
    metrics: Means
    intervals: Intervals
    levels: Mapping[str, Level]
    seconds: Mapping[str, float]
    moved: int | None = None
    versus: Gain | None = None
    answers: AnswersReport | None = None
    ranks: Mapping[str, Mapping[str, int | None]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Json]:
        """The row as JSON-ready values, without empty ones, None and `ranks`."""
        later = {"versus": self.versus, "answers": self.answers}
        return {
            **_named(self.ranker, self.system),
            "parameters": dict(self.parameters),
            "metrics": _told(self.metrics),
            "intervals": _told(self.intervals),
            **({"levels": _told(self.levels)} if self.levels else {}),
            "seconds": dict(self.seconds),
            **({} if self.moved is None else {"moved": self.moved}),
            **{name: report.to_dict() for name, report in later.items() if report},
        }


@dataclass(frozen=True, kw_only=True)
class EvaluationReport:
    """The comparison of rankers and systems on the judged questions of one split.

    Attributes:
        dataset: the name of the data set.
        split: the name of the judgements; with own questions, their file or `questions`.
        queries: the number of judged questions.
        multi_queries: the number of these with more than one relevant object.
        objects: the number of objects searched.
        embedder: the name of the embedder.
        ceiling: the fraction of questions whose relevant objects are all candidates: of the
            rankers' `retriever` (or `run`); `expanded`, with the objects that expansion adds; of a
            system with another retriever, by its name, and `NAME, joined` with added objects.
        results: one row per ranker or system.
        notes: why a row changed nothing or no object was added, and what to do; usually empty.
        columns: the recall of columns that the questions' SQL needs, by the fraction of the
            relevant tables' columns kept, see `column_recall`; empty if no question has SQL.
        texts: the questions by id.
    """

    dataset: str
    split: str
    queries: int
    multi_queries: int
    objects: int
    embedder: str
    ceiling: Mapping[str, Figure[float]]
    results: Sequence[RankingReport]
    notes: Sequence[str] = ()
    columns: Mapping[str, float] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Json]:
        """The report as `grapher-jax evaluate --json` prints it, without empty `notes`."""
        own = {"ceiling": _told(self.ceiling), "results": [row.to_dict() for row in self.results]}
        told = vars(self) | own | {"notes": list(self.notes), "columns": dict(self.columns)}
        del told["texts"]
        optional = ("notes", "columns")
        return {name: value for name, value in told.items() if value or name not in optional}

    def by_question(self) -> Iterator[dict[str, Json]]:
        """Each question as JSON-ready values, with the ranks of its relevant objects by each row.

        They are the lines of `grapher-jax evaluate --by-question`.
        """
        for query, text in self.texts.items():
            rows: list[Json] = [
                {**_named(row.ranker, row.system), "ranks": dict(row.ranks[query])}
                for row in self.results
            ]
            yield {"id": query, "question": text, "results": rows}


@dataclass(frozen=True)
class GridPoint:
    """Perfect recall at one α.

    Attributes:
        alpha: the weight of a candidate's own score.
        recall: PR@K.
    """

    alpha: float
    recall: Figure[float]


@dataclass(frozen=True)
class AlphaGrid:
    """Perfect recall of one ranker at every α.

    Attributes:
        best: the α with the highest PR@K over questions with more than one relevant object, or over
            all questions if there are none.
        points: one point per α.
    """

    best: float
    points: Sequence[GridPoint]

    def to_dict(self) -> dict[str, Json]:
        """The grid as JSON-ready values."""
        points = [{"alpha": point.alpha, **point.recall.to_dict()} for point in self.points]
        return {"best": self.best, "grid": points}


@dataclass(frozen=True)
class LearnedDiffusion:
    """The learned parameters of diffusion, and their quality.

    Attributes:
        temperature: see `RankingOptions`.
        alpha: see `RankingOptions`.
        weights: the weights of the proximities; empty if only one joins the objects.
        proximities: the chosen proximities; None for all.
        max_df: see `RankingOptions`.
        learned_from: the number of training questions.
        seconds: the time of learning.
        measured_on: the number of held-out questions.
        held_out: PR@10 over these, with the learned parameters.
        default: the same with diffusion's default parameters.
    """

    temperature: float
    alpha: float
    weights: Mapping[str, float]
    proximities: Sequence[str] | None
    max_df: int | None
    learned_from: int
    seconds: float
    measured_on: int
    held_out: Figure[float]
    default: Figure[float]

    @property
    def gains(self) -> bool:
        """Whether they are better than the defaults on the questions held out."""
        learned, default = self.held_out, self.default
        return (learned.multi or 0.0, learned.all) > (default.multi or 0.0, default.all)

    @property
    def options(self) -> str:
        """The command-line options to rank with these parameters, without retriever options."""
        numbers = f"--temperature {self.temperature:.3g} --alpha {self.alpha:.3g}"
        weights = "".join(f" --weight {name}={own:.3g}" for name, own in self.weights.items())
        chosen = f" --proximity {','.join(self.proximities)}" if self.proximities else ""
        limit = "" if self.max_df == MAX_DF else f" --max-df {self.max_df or 0}"
        return f"--ranker diffusion {numbers}{weights}{chosen}{limit}"

    def to_dict(self) -> dict[str, Json]:
        """The report as JSON-ready values."""
        figures = {"held_out": self.held_out.to_dict(), "default": self.default.to_dict()}
        return vars(self) | figures | {"weights": dict(self.weights)}


@dataclass(frozen=True)
class TuningReport:
    """The α grids of rankers, and the retriever's own order for comparison.

    Attributes:
        k: the cut-off rank.
        base: PR@K of the retriever alone.
        rankers: the grid of each ranker, by name.
        learned: the learned parameters of diffusion, if asked for.
    """

    k: int
    base: Figure[float]
    rankers: Mapping[str, AlphaGrid]
    learned: LearnedDiffusion | None = None

    def to_dict(self) -> dict[str, Json]:
        """The report as `grapher-jax tune --json` prints it."""
        told = {"k": self.k, "base": self.base.to_dict(), "rankers": _told(self.rankers)}
        return told if self.learned is None else told | {"learned": self.learned.to_dict()}


def _named(ranker: str, system: str) -> dict[str, str]:
    return {"ranker": ranker, **({"system": system} if system else {})}


def _told(by_name: Mapping[str, Figure[float] | Figure[Interval] | Level | AlphaGrid]) -> Json:
    return {name: one.to_dict() for name, one in by_name.items()}

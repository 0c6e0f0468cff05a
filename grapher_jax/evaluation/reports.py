"""What an evaluation and an α grid found, with the JSON that `evaluate --json` prints of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from grapher_jax.evaluation.figures import Figure, Interval, Intervals, Means
from grapher_jax.files import Json
from grapher_jax.graph import MAX_DF


@dataclass(frozen=True, kw_only=True)
class Gain:
    """What one ranking gains over another on the same questions.

    Attributes:
        ranker: the other's.
        system: the other's; empty where it belongs to none.
        differences: the means of the paired differences of each metric.
        intervals: where 95 % of the means of resampled questions lie.
        wins: for how many questions only the one has perfect recall in the top 10.
        losses: for how many only the other has.
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
    """How a ranking does on the questions of one level of complexity.

    Attributes:
        queries: how many there are.
        metric: which one `mean` is of.
        mean: over them.
    """

    queries: int
    metric: str
    mean: float

    def to_dict(self) -> dict[str, Json]:
        """The level as JSON-ready values."""
        return {"queries": self.queries, self.metric: self.mean}


@dataclass(frozen=True, kw_only=True)
class AnswersReport:
    """How good the answers are that one ranking leads to.

    Attributes:
        questions: how many have a reference answer.
        left_out: how many have none.
        failed: of how many the answer or its judgement failed.
        shares: `judged_yes`, `refused`, `rouge_l` and `sentence_bleu`, means over the questions.
        bleu: of all answers at once.
        intervals: of each share.
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
        ranker: its name; of a system either the system's or `base`, for its retriever alone.
        system: the system's name; empty where the row belongs to none.
        parameters: what decides the ranking.
        metrics: the mean of each, a fraction.
        intervals: where 95 % of the means of resampled questions lie.
        levels: by level of complexity; empty where no question has one.
        seconds: of `retrieve`, `rerank` and `compile`, each apart.
        moved: of how many questions the first ten are others than the retriever's, see `moved`;
            None for the retriever's own order.
        versus: the gain over the first row; None for that one.
        answers: how good the answers are; None where none were asked for.
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

    def to_dict(self) -> dict[str, Json]:
        """The row as JSON-ready values; what is None or empty is left out."""
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
    """Rankers and systems, compared on the judged questions of one split.

    Attributes:
        dataset: what it is called.
        split: which judgements; the file of questions, or `questions`, where they took its place.
        queries: how many questions are judged.
        multi_queries: how many of them have more than one relevant object.
        objects: how many are searched.
        embedder: what embedded them.
        ceiling: the share of questions whose relevant objects are all among the candidates: those
            of the rankers' `retriever` (or `run`) alone and with those that joined, `expanded`;
            those of a system with another retriever by its name, and `NAME, joined` where others
            join.
        results: a row a ranker or system.
        notes: why a row changed nothing, or no object joined, and what would; mostly none.
        columns: by the share of the relevant tables' columns that is kept, how many of those that
            the questions' SQL asks for are kept, see `column_recall`; empty where none has SQL.
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

    def to_dict(self) -> dict[str, Json]:
        """The report as `grapher-jax evaluate --json` prints it; no notes are left out."""
        own = {"ceiling": _told(self.ceiling), "results": [row.to_dict() for row in self.results]}
        told = vars(self) | own | {"notes": list(self.notes), "columns": dict(self.columns)}
        optional = ("notes", "columns")
        return {name: value for name, value in told.items() if value or name not in optional}


@dataclass(frozen=True)
class GridPoint:
    """Perfect recall at one α.

    Attributes:
        alpha: the weight kept on a candidate's own score.
        recall: PR@K.
    """

    alpha: float
    recall: Figure[float]


@dataclass(frozen=True)
class AlphaGrid:
    """Perfect recall of one ranker at every α.

    Attributes:
        best: the α with the highest PR@K over questions with more than one relevant object, over
            all where there are none.
        points: of every α.
    """

    best: float
    points: Sequence[GridPoint]

    def to_dict(self) -> dict[str, Json]:
        """The grid as JSON-ready values."""
        points = [{"alpha": point.alpha, **point.recall.to_dict()} for point in self.points]
        return {"best": self.best, "grid": points}


@dataclass(frozen=True)
class LearnedDiffusion:
    """The numbers of diffusion as they were learned, and what they are worth.

    Attributes:
        temperature: see `RankingOptions`, as are the next two.
        alpha: likewise.
        weights: of the proximities; none where a single one joins.
        proximities: those that were chosen; None for all.
        max_df: see `RankingOptions`.
        learned_from: of how many questions.
        seconds: what learning took.
        held_out: PR@10 over the questions that were not learned from, by the learned numbers.
        default: likewise, by those of the package.
    """

    temperature: float
    alpha: float
    weights: Mapping[str, float]
    proximities: Sequence[str] | None
    max_df: int | None
    learned_from: int
    seconds: float
    held_out: Figure[float]
    default: Figure[float]

    @property
    def options(self) -> str:
        """The options of the command line that rank by these numbers; the retriever has its own."""
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
    """The α grids of rankers, beside the retriever's own order.

    Attributes:
        k: the cut-off rank.
        base: PR@K of the retriever alone.
        rankers: a grid by name.
        learned: the numbers of diffusion, where these were asked for.
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

"""Evaluation: metrics of rankers on judged questions, and the α grid."""

from grapher_jax.evaluation.answers import Answering
from grapher_jax.evaluation.comparison import (
    compare,
    evaluate,
    no_stages,
    pair_proximities,
    rank_all,
)
from grapher_jax.evaluation.figures import RESAMPLES, Figure
from grapher_jax.evaluation.judged import JudgedRun
from grapher_jax.evaluation.learning import learn_diffusion
from grapher_jax.evaluation.ranking import Ranking
from grapher_jax.evaluation.reports import (
    AlphaGrid,
    AnswersReport,
    EvaluationReport,
    Gain,
    GridPoint,
    LearnedDiffusion,
    Level,
    RankingReport,
    TuningReport,
)
from grapher_jax.evaluation.tuning import tune

__all__ = [
    "RESAMPLES",
    "AlphaGrid",
    "Answering",
    "AnswersReport",
    "EvaluationReport",
    "Figure",
    "Gain",
    "GridPoint",
    "JudgedRun",
    "LearnedDiffusion",
    "Level",
    "Ranking",
    "RankingReport",
    "TuningReport",
    "compare",
    "evaluate",
    "learn_diffusion",
    "no_stages",
    "pair_proximities",
    "rank_all",
    "tune",
]

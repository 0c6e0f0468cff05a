"""Rerankers of other libraries and services, whose scores are the input of the graph."""

from collections.abc import Callable, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_path, finite, shown
from grapher_jax.corpus import Object
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.retrieve.cross_encoder import CrossEncoder
from grapher_jax.retrieve.rerank_service import RerankService, is_service

# Scores texts for a question, in the order of the texts.
Score = Callable[[str, Sequence[str]], Sequence[float] | ndarray]
_CURE = (
    "give a sentence-transformers CrossEncoder or the name of one, a rerankers.Reranker, a "
    "function of a question and texts that gives a score each, or the URL of a /rerank service"
)
_LOGIT, _ANY = "logit", "auto"


@dataclass(frozen=True)
class Scorer:
    """A reranker that scores texts for a question.

    Attributes:
        name: its name in reports.
        score: computes the scores.
        scale: the scale of the scores, see `RankingOptions.scores`.
        at_once: the maximum number of questions at a time.
    """

    name: str
    score: Score
    scale: str = _ANY
    at_once: int = 1

    def scores(
        self, questions: Sequence[str], lists: Sequence[Sequence[str]]
    ) -> list[Float[ndarray, " n"]]:
        """The scores of the texts of every question.

        Args:
            questions: none of them empty.
            lists: the texts of each question, any number.

        Raises:
            GrapherError: if it does not return one finite number per text.
        """
        if self.at_once == 1 or len(questions) < 2:
            return [self._of_one(*pair) for pair in zip(questions, lists, strict=True)]
        with ThreadPoolExecutor(self.at_once) as threads:
            return [*threads.map(self._of_one, questions, lists)]

    def load(self) -> None:
        """Loads the model now, instead of on first use.

        Raises:
            InputError: if there is no such cross-encoder.
            MissingExtraError: if sentence-transformers is not installed.
        """
        if isinstance(self.score, _PairScores):
            self.score.encoder.load()

    def _of_one(self, question: str, texts: Sequence[str]) -> Float[ndarray, " n"]:
        if not texts:
            return np.zeros(0, np.float32)
        given = self.score(question, texts)
        try:
            # A mapping or set would give its keys in some order, and bytes would give numbers.
            unfit = isinstance(given, Mapping | Set | bytes)
            numbers = [] if unfit else [finite(one) for one in np.asarray(given).tolist()]
        except (TypeError, ValueError):
            numbers = []
        if len(numbers) != len(texts) or None in numbers:
            raise GrapherError(
                f"base: {self.name} must give a finite number for each of {len(texts)} texts, not "
                f"{shown(given)}"
            )
        return np.array(numbers, np.float32)

    def rescored(self, candidates: Candidates, objects: Sequence[Object]) -> Candidates:
        """The candidates with these scores instead of the retriever's, best first.

        Equal questions with equal candidates are scored once.

        Args:
            candidates: the candidates of a retriever.
            objects: the objects of the collection.

        Raises:
            GrapherError: for a candidate without a text, or as `scores`.
        """
        texts: list[list[str]] = [[] for _ in range(len(candidates))]
        for (question, place), (_, text) in candidates.texts(objects):
            if not text:
                raise GrapherError(textless(objects[int(candidates.rows[question, place])].id))
            texts[question].append(text)
        asked = [query.text for query in candidates.questions]
        first: dict[tuple[str, bytes], int] = {}
        same = [
            first.setdefault((text, candidates.rows[place].tobytes()), place)
            for place, text in enumerate(asked)
        ]
        places = [*first.values()]
        given = self.scores([asked[one] for one in places], [texts[one] for one in places])
        found = dict(zip(places, given, strict=True))
        scores = np.zeros(candidates.rows.shape, np.float32)
        for place, alike in enumerate(same):
            scores[place, candidates.rows[place] != EMPTY] = found[alike]
        return replace(candidates, scores=scores, any_scale=True).by_score()


def textless(identity: str) -> str:
    """The error message for a candidate without a text."""
    return f"candidate {identity!r}: base reads texts; give it a `text`"


def as_scorer(base: object) -> Scorer:
    """Makes a scorer from the value of `base`.

    Raises:
        InputError: for anything else.
    """
    if isinstance(base, Scorer):
        return base
    if isinstance(base, str | Path):
        named = str(base)
        if not named:
            raise InputError("base: the name is empty; " + _CURE)
        if is_service(named):
            base = RerankService(named)
        else:
            check_path("base", named)
            base = CrossEncoder(named, called="base")
    if isinstance(base, RerankService):
        return Scorer(base.name, base, at_once=base.at_once)
    if isinstance(base, CrossEncoder):
        return Scorer(base.name, _PairScores(base), _LOGIT)
    if callable(getattr(base, "rerank_batch", None)):
        raise InputError("base: a Reranker of grapher_jax ranks, and scores no texts; " + _CURE)
    # A network is callable too, but not on texts.
    for method, make in (("predict", _of_cross_encoder), ("rank", _of_rerankers)):
        if callable(getattr(base, method, None)) and not isinstance(base, type):
            return make(base)
    if callable(base) and not isinstance(base, type):
        return Scorer(getattr(base, "__name__", type(base).__name__), base)
    raise InputError(f"base: {_CURE}, not {shown(base)}")


@dataclass(frozen=True)
class _PairScores:
    """Scores by a cross-encoder; equal objects let `evaluate` score only once.

    Attributes:
        encoder: the cross-encoder.
        model: the loaded model from which it was made, because two models may have the same name.
    """

    encoder: CrossEncoder
    model: object = field(default=None, repr=False)

    def __call__(self, question: str, texts: Sequence[str]) -> ndarray:
        return self.encoder.logits([(question, text) for text in texts])


def _of_cross_encoder(model: object) -> Scorer:
    if (labels := getattr(model, "num_labels", 1)) != 1:
        raise InputError(f"base: the cross-encoder gives {labels} numbers a pair, not one")
    name = getattr(getattr(model, "config", None), "name_or_path", "") or type(model).__name__
    return Scorer(name, _PairScores(CrossEncoder.of_model(name, model), model), _LOGIT)


@dataclass(frozen=True)
class _Ranked:
    """Scores by a reranker of the package `rerankers`."""

    ranker: Any

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        found = self.ranker.rank(query=question, docs=list(texts), doc_ids=[*range(len(texts))])
        try:
            # A language model may give only ranks.
            by_place = {
                one.document.doc_id: 1 / one.rank if one.score is None else one.score
                for one in found.results
            }
            return [by_place[place] for place in range(len(texts))]
        except (AttributeError, KeyError, TypeError):
            raise GrapherError(
                f"base: {type(self.ranker).__name__} gave no score for some texts; take a ranker "
                "that scores each"
            ) from None


def _of_rerankers(ranker: object) -> Scorer:
    return Scorer(getattr(ranker, "model_name", None) or type(ranker).__name__, _Ranked(ranker))

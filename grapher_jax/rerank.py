"""The reranker of candidates, whoever retrieved them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from grapher_jax.corpus import Query
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.listed import Listed, as_lists, check_lists, collect
from grapher_jax.rankers.running import Order, check_k
from grapher_jax.retrieve.collection import Candidates
from grapher_jax.systems.chosen import ChosenRanker

__all__ = ["Hit", "Order", "Reranker"]


@dataclass(frozen=True, kw_only=True)
class Reranker(ChosenRanker):
    """A ranker with its parameters, which are those of `RankingOptions`.

    Raises:
        InputError: for an unknown ranker, weights that cannot be used, or a parameter out of its
            range.
    """

    def rerank(
        self,
        question: str | Query,
        candidates: Sequence[Mapping[str, Any]],
        *,
        k: int | None = None,
    ) -> list[Hit]:
        """Rerank one question's candidates; see `rerank_batch`."""
        return self.rerank_batch([question], [candidates], k=k)[0]

    def rerank_batch(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
        *,
        k: int | None = None,
        any_scale: bool = True,
    ) -> list[list[Hit]]:
        """Rerank any retriever's output, one list of candidates a question.

        Args:
            questions: for rankers that read them, with their metadata if need be; GCS and PPR do
                not.
            candidate_lists: each candidate has an `id`, a `score`, and `metadata` as in the BEIR
                layout; `title` and `text` come back with the hit. A network reads the `embedding`,
                or embeds the text; a language model reads the text.
            k: how many results; all by default.
            any_scale: whether negative scores are moved up, question by question; False for
                cosines, whose zero means something.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: naming the candidate, for a missing or repeated id, a score that is not a
                finite number, metadata of a wrong type, or nothing that a network can read.
        """
        questions, candidate_lists = as_lists(questions, candidate_lists)
        if self.opened.needs.frequencies and len(questions) != 1:
            check_lists(questions, candidate_lists, needs=self.opened.needs, name=self.name)
            # What one question's candidates have in common is no matter of another's.
            return [
                self.rerank_batch([question], [candidates], k=k, any_scale=any_scale)[0]
                for question, candidates in zip(questions, candidate_lists, strict=True)
            ]
        collection, found = self.collect(questions, candidate_lists)
        found = replace(found, any_scale=any_scale)
        widest = found.rows.shape[1]
        k = widest if k is None else min(check_k(k), widest)
        return self.hits(collection, found, self.rank(collection, found, k=k))

    def collect(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
    ) -> tuple[Listed, Candidates]:
        """What `rank` reads of any retriever's output; arguments and errors as `rerank_batch`."""
        questions, candidate_lists = as_lists(questions, candidate_lists)
        return collect(questions, candidate_lists, needs=self.opened.needs, name=self.name)

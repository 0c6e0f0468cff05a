"""Rankers chosen by options: opened by name, checked, and applied to any collection."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np

from grapher_jax.checks import check_choice, check_count, check_kind
from grapher_jax.corpus import Query
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.graph import (
    EMPTY,
    MAX_DF,
    PROXIMITIES,
    GraphArrays,
    check_proximities,
    of_keys,
    reads_embeddings,
)
from grapher_jax.rankers.auto import AUTO, Choice
from grapher_jax.rankers.choices import choice_for, choices_for, grows, of_fixed_points, too_many
from grapher_jax.rankers.coverage import covered
from grapher_jax.rankers.explanation import Explanation, name_joins
from grapher_jax.rankers.fixed_point import FIXED_POINTS, FixedPoint
from grapher_jax.rankers.growth import grown
from grapher_jax.rankers.hits import Hits, make_hits
from grapher_jax.rankers.joins import Joins
from grapher_jax.rankers.listed import Listed, as_lists, check_lists, collect
from grapher_jax.rankers.options import COMPARED, SCALES, RankingOptions
from grapher_jax.rankers.protocol import Needs, Prepared, Ranker
from grapher_jax.rankers.running import (
    Order,
    check_candidates,
    check_k,
    check_min_score,
    rank_blocks,
)
from grapher_jax.rankers.scales import check_scale, rescaled, scales_of
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.embedders import AnyEmbedder
from grapher_jax.systems.networks import open_network

RankerT = TypeVar("RankerT", bound="ChosenRanker")
# The rankers whose scores are shares of 1.
_SHARES = ("ppr", "diffusion")


@dataclass(frozen=True, kw_only=True, repr=False)
class ChosenRanker(RankingOptions):
    """A ranker with its parameters, as part of a system; `Reranker` is the public class.

    Raises:
        InputError: for an unknown ranker, unusable weights, or a parameter out of its range.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranker not in (AUTO, *FIXED_POINTS):
            self._check_unused()

    @property
    def name(self) -> str:
        """The name of the ranker, as it was given."""
        return self.ranker if isinstance(self.ranker, str) else self.ranker.name

    @cached_property
    def opened(self) -> Ranker:
        """The ranker that the options name; for `auto`, a fixed-point ranker with these options."""
        if not isinstance(self.ranker, str | Path):
            return self.ranker
        if self.ranker not in (AUTO, *FIXED_POINTS):
            return open_network(self.name)
        return FixedPoint(
            name=self.name,
            temperature=self.temperature,
            alpha=self.alpha,
            weights=self.weights,
            max_df=self.max_df,
            tol=self.tol,
            max_steps=self.max_steps,
        )

    def reading(self: RankerT, scores: str) -> RankerT:
        """The same for scores of another scale (`SCALES`); opened models stay open.

        Raises:
            InputError: for an unknown scale.
        """
        return self._with("scores", check_choice("scores", scores, SCALES))

    def joined_by(self: RankerT, edges: Mapping[str, str]) -> RankerT:
        """The same with other edges, as from `check_edges`; opened models stay open."""
        return self._with("edges", edges)

    def _with(self: RankerT, option: str, value: object) -> RankerT:
        """A copy, since `replace` would open models again."""
        other = copy(self)
        object.__setattr__(other, option, value)
        return other

    @property
    def reads(self) -> Needs:
        """What is read of candidates; also the cosine if `auto` may take a network."""
        networks = any(row.auto == "gat" for row in PROXIMITIES.values())
        needs = self.opened.needs
        return replace(needs, cosine=True) if self.ranker == AUTO and networks else needs

    def choice(
        self, collection: Collection, *, width: int = 0, without_networks: str = ""
    ) -> Choice | None:
        """The choice of `auto` for a collection; None for other rankers.

        Args:
            collection: the collection to rank.
            width: the maximum number of candidates per question, if known.
            without_networks: why no network may be taken, in words; empty if one may.

        Raises:
            InputError: for an unknown proximity.
        """
        if self.ranker != AUTO:
            return None
        joining, without = self.joining(collection.graph), without_networks or too_many(width)
        return choice_for(self, collection, joining, without_networks=without)

    def over(self, collection: Collection, *, without_networks: str = "") -> "ChosenRanker":
        """The same with the ranker that `auto` takes for a collection; see `choice`."""
        choice = self.choice(collection, without_networks=without_networks)
        return self if choice is None else self.taking(choice)

    def taking(self, choice: Choice) -> "ChosenRanker":
        """The same with the ranker that `auto` takes, and what follows it."""
        return replace(
            self,
            ranker=choice.ranker,
            # Where nothing follows, None stays: the user has chosen neither.
            along_keys=True if grows(self, choice.ranker) else self.along_keys,
            cover_words=True if choice.covers else self.cover_words,
        )

    def prepare(self, collection: Collection) -> Prepared:
        """The ranker prepared for a collection; raises InputError for an unknown proximity."""
        chosen = self._proximities(collection.graph)
        return self.over(collection).opened.prepare(collection, chosen)

    def parameters(self, collection: Collection) -> dict[str, Json]:
        """The parameters that decide the ranking over a collection, for a report."""
        settled = self.over(collection)
        told = {name: True for name in ("along_keys", "cover_words") if getattr(settled, name)}
        return settled.prepare(collection).parameters | told

    def rank(self, collection: Collection, candidates: Candidates, *, k: int) -> Order:
        """Rank a batch of candidate lists.

        Args:
            collection: the collection of which candidates are rows.
            candidates: with the retriever's scores.
            k: how many results, at least 1.

        Raises:
            InputError: for a k below 1, a score that is not finite or outside the given scale, an
                unknown proximity, more candidates than a network can read, embeddings of another
                embedder than it needs, or `cover_words` where no words are counted.
        """
        k, opened = check_k(k), self.opened
        if self.cover_words and not collection.counts_words:
            raise InputError("cover_words: only an index counts words; search one, or leave it out")
        check_scale(collection, candidates, self.scale)
        if self.ranker == AUTO:
            return self._rank_by_choice(collection, candidates, k)
        prepared = self.prepare(collection)
        check_candidates(collection, candidates, opened.needs, self.name)
        keys = of_keys(self.joining(collection.graph)) if self.along_keys else []
        every = max(k, candidates.rows.shape[1])
        order = rank_blocks(
            prepared,
            candidates,
            needs=opened.needs,
            name=self.name,
            at_once=self._at_once(collection),
            max_steps=self.max_steps,
            k=every if keys or self.cover_words else k,
            scores=self.scale,
        )
        if keys:
            k_grown = every if self.cover_words else k
            order = grown(collection, candidates, order, keys, k=k_grown)
        if self.cover_words:
            shares = self.ranker in _SHARES
            order = covered(collection, candidates, order, shares=shares, k=k)
        return order

    def hits(self, collection: Collection, candidates: Candidates, order: Order) -> list[Hits]:
        """The hits for the order that `rank` returned for these candidates."""

        def explain(alone: Candidates, best: Order) -> list[Explanation]:
            (settled,) = self._settled(collection, alone)
            read = rescaled(alone, self.scale, settled.opened.needs)
            scores = best.scores[0]
            told = settled.prepare(collection).explain(read, best.positions[0], scores)
            found = [own.at(score) for own, score in zip(told, scores.tolist(), strict=True)]
            joins, by = self.joins(collection), self.joining(collection.graph)
            return name_joins(found, joins, alone.rows[0], by)

        scales = self.scales(collection, candidates)
        places = collection.places if isinstance(collection, Listed) else None
        return make_hits(collection, candidates, order, explain, scales=scales, places=places)

    def scales(self, collection: Collection, candidates: Candidates) -> list[str]:
        """The scale assumed for the scores of each question: see `scales_of` and `Hits.scale`."""
        settled = self._settled(collection, candidates)
        of_each = {
            key: scales_of(candidates, self.scale, one.opened.needs)
            for key, one in {id(one): one for one in settled}.items()
        }
        found = [of_each[id(one)][place] for place, one in enumerate(settled)]
        if not isinstance(collection, Listed):
            return found
        return np.where(candidates.foreign, found, COMPARED).tolist()

    def joins(self, collection: Collection) -> Joins:
        """The object that describes how rows of a collection are joined."""

        def metadata(row: int) -> Mapping[str, Json]:
            return collection.objects[row].metadata

        max_df = self.opened.parameters.get("max_df", MAX_DF)
        return Joins(collection.graph, collection.ids, max_df, metadata)

    def joining(self, graph: GraphArrays) -> list[str]:
        """The proximities that the graph is built from, without those of weight 0.

        Raises:
            InputError: for an unknown proximity.
        """
        weights = self.weights or {}
        return [name for name in self._proximities(graph) if weights.get(name, 1.0) > 0]

    def _proximities(self, graph: GraphArrays) -> list[str]:
        """The proximities that the graph is built from; raises as `joining`."""
        for keys, form in self.own_edges.items():
            if graph.edges.get(keys) != form:
                raise InputError(
                    f"edges: {keys!r} is no {form} edge of this index; give it there, as "
                    "index.with_edges does"
                )
        return check_proximities(self.proximities, graph)

    def rerank(
        self,
        question: str | Query,
        candidates: Sequence[object],
        *,
        k: int | None = None,
        top_k: int | None = None,
        top_n: int | None = None,
        min_score: float | None = None,
        return_documents: bool = True,
        embedder: AnyEmbedder | None = None,
    ) -> Hits:
        """Rerank one question's candidates, whatever found them.

        `Reranker().rerank("Who bought?", ["orders: …", "customers: …"])` is enough. Rankings become
        better with scores of a good retriever, and with metadata that joins candidates.

        Args:
            question: the question; used if candidates have no score, and by networks.
            candidates: in any order and any mixture of: texts; dicts with a `text` or an `id`, and
                optionally `score` (higher is better), `title`, `metadata` and `embedding`; objects
                with a `text`, `page_content` or `content`, such as `Object` and documents of
                LangChain, LlamaIndex and Haystack; or pairs of any of these and a score. A
                candidate without an id is called by its place, `documents[0]`. If any of them has
                no score, all are compared with the question, as `Index.search` would. Metadata is
                as in the BEIR layout: `foreign_keys`, `links`, `title_mentions`, `entities`,
                `document_id` with `chunk_id`.
            k: how many results; all by default.
            top_k: the same as `k`, by its name in sentence-transformers and others.
            top_n: the same as `k`, by its name in Cohere and Jina.
            min_score: leave out results with a lower `Hit.score`, which is the ranker's score.
            return_documents: whether hits have title, text and metadata; if not, `Hit.index`
                identifies the candidate.
            embedder: compares candidates without a score with the question, and is the embedder of
                given embeddings: a name or an embedder; `offline` by default.

        Returns:
            The hits, best first, a list that a notebook shows as a table; `Hits.scale` is the scale
            assumed for the scores, `Hit.explanation` tells where each score came from.

        Raises:
            InputError: naming the candidate and the cure, see `rerank_batch`.
        """
        return self.rerank_batch(
            [question],
            [candidates],
            k=k,
            top_k=top_k,
            top_n=top_n,
            min_score=min_score,
            return_documents=return_documents,
            embedder=embedder,
        )[0]

    def rerank_batch(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[object]],
        *,
        k: int | None = None,
        top_k: int | None = None,
        top_n: int | None = None,
        min_score: float | None = None,
        return_documents: bool = True,
        embedder: AnyEmbedder | None = None,
    ) -> list[Hits]:
        """Rerank any retriever's output, one list of candidates per question, in one program.

        Args:
            questions: the questions, with metadata if a ranker needs it. Fixed-point rankers do not
                read them, but candidates without a score are compared with them.
            candidate_lists: for each question the candidates, as in `rerank`. A network reads the
                `embedding`, or embeds the text; if a candidate has neither, `gat` uses only scores
                and graph for that question. A language model reads the text.
            k: how many results; all by default.
            top_k: see `rerank`.
            top_n: see `rerank`.
            min_score: the lowest score of a result.
            return_documents: whether hits have title, text and metadata.
            embedder: the embedder of given embeddings, for `gat`, and for candidates without a
                score: a name or an embedder; `offline` by default. Other networks have their own.

        Returns:
            One list of hits per question, best first.

        Raises:
            InputError: naming the candidate, for a wrong type, a repeated id, a score that is not
                finite or outside the given scale, metadata of a wrong type, or nothing to compare
                or for a network to read.
            MissingExtraError: if the embedder is needed and not installed.
        """
        check_kind("return_documents", return_documents, bool, "True or False")
        k, least = _named_once(k=k, top_k=top_k, top_n=top_n), check_min_score(min_score)
        questions, candidate_lists = as_lists(questions, candidate_lists)
        if self.opened.needs.frequencies and len(questions) != 1:
            check_lists(questions, candidate_lists, needs=self.opened.needs, name=self.name)
            # What one question's candidates have in common must not depend on other questions.
            return [
                self.rerank(
                    question,
                    own,
                    k=k,
                    min_score=min_score,
                    return_documents=return_documents,
                    embedder=embedder,
                )
                for question, own in zip(questions, candidate_lists, strict=True)
            ]
        collection, found = self.collect(questions, candidate_lists, embedder=embedder)
        widest = found.rows.shape[1]
        k = widest if k is None else min(k, widest)
        order = self.rank(collection, found, k=k)
        hits = [own.at_least(least) for own in self.hits(collection, found, order)]
        return hits if return_documents else [own.without_documents() for own in hits]

    def collect(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[object]],
        *,
        embedder: AnyEmbedder | None = None,
    ) -> tuple[Listed, Candidates]:
        """Prepare any retriever's output for `rank`; arguments and errors as in `rerank_batch`.

        For `auto`, texts are embedded only if candidates have no score.
        """
        questions, candidate_lists = as_lists(questions, candidate_lists)
        return collect(
            questions,
            candidate_lists,
            needs=self.reads,
            name=self.name,
            embedder=embedder,
            embeds=self.ranker != AUTO,
            edges=self.own_edges,
            scorer=self.scorer,
        )

    def _at_once(self, collection: Collection) -> int:
        """The number of candidates that are ranked together."""
        most = self.opened.candidates_at_once
        # Embeddings take a hundred times the memory of other metadata.
        return min(most, 1 << 15) if reads_embeddings(collection.graph.edges) else most

    def _settled(self, collection: Collection, candidates: Candidates) -> list["ChosenRanker"]:
        """For every question, the same, or with what `auto` takes for its candidates."""
        if self.ranker != AUTO:
            return [self] * len(candidates)
        choices = self._choices(collection, candidates)
        taken = {choice: self.taking(choice) for choice in set(choices)}
        return [taken[choice] for choice in choices]

    def _choices(self, collection: Collection, candidates: Candidates) -> list[Choice]:
        return choices_for(self, collection, self.joining(collection.graph), candidates)

    def _rank_by_choice(self, collection: Collection, candidates: Candidates, k: int) -> Order:
        choices = self._choices(collection, candidates)
        taken = dict.fromkeys(choices)
        if len(taken) < 2:
            chosen = self.taking(next(iter(taken), Choice("gcs", "there are no questions")))
            return chosen.rank(collection, candidates, k=k)
        positions = np.full((len(candidates), k), EMPTY, np.int32)
        scores = np.full(positions.shape, -np.inf, np.float32)
        for choice in taken:
            places = np.array([place for place, own in enumerate(choices) if own == choice])
            taken_by = candidates.take(places).narrowed()
            order = self.taking(choice).rank(collection, taken_by, k=k)
            positions[places], scores[places] = order.positions, order.scores
        return Order(positions, scores)

    def _check_unused(self) -> None:
        """Raise InputError for an option that the ranker does not read."""
        trained = self.opened.parameters
        if self.proximities is not None and not self.opened.needs.proximities:
            raise InputError(f"proximities: {self.name!r} has relations of its own; leave them out")
        for name in of_fixed_points(self):
            if name != "max_df":
                raise InputError(
                    f"{name}: of gcs, ppr and diffusion; {self.name!r} has what it was trained with"
                )
        if self.max_df not in (MAX_DF, trained.get("max_df", MAX_DF)):
            raise InputError(
                f"max_df: {self.max_df} cannot be used; {self.name!r} was trained with "
                f"{trained.get('max_df', MAX_DF)}"
            )


def _named_once(**names: int | None) -> int | None:
    """The number of results, by any of its names; raises InputError if invalid or given twice."""
    given = {name: value for name, value in names.items() if value is not None}
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)}: are names of the same; give one")
    return next((check_count(name, value) for name, value in given.items()), None)

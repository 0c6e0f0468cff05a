"""Rerank candidates, whoever retrieved them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import chain, repeat
from typing import Any

import numpy as np
from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.checks import (
    check_count,
    check_list,
    check_text,
    finite,
    shown,
)
from grapher_jax.corpus import Object, Query, as_query, check_metadata, misplaced
from grapher_jax.errors import InputError, warn
from grapher_jax.graph import EMPTY, MAX_DF, GraphArrays, check_proximities
from grapher_jax.rankers.explanation import Explanation, name_joins
from grapher_jax.rankers.fixed_point import RANKERS, FixedPoint, Ranker, load_learned
from grapher_jax.rankers.joins import Joins
from grapher_jax.rankers.options import RankingOptions
from grapher_jax.retrieve.embedders import Embedder, load_embedder
from grapher_jax.retrieve.hybrid import (
    Candidates,
    Passages,
    Vectors,
    check_questions,
    non_negative,
)
from grapher_jax.shapes import MAX_BATCH, candidate_bucket, coarse_bucket, pad, power_of_two
from grapher_jax.systems.g_rag.concepts import concept_source
from grapher_jax.text import readable

# A network compares all candidates of a question with each other.
_MOST_CANDIDATES = 4096
_NEGATIVE = (
    "scores: some are negative, which a graph would turn over; those of each such question were "
    "moved up by its lowest, so that what nothing joins keeps its order. Give scores from 0 up to "
    "choose their zero yourself"
)


@dataclass(frozen=True)
class Hit:
    """One result.

    Attributes:
        id: the object's id.
        score: the ranker's score.
        rank: from 1.
        base_score: the retriever's score.
        base_rank: the retriever's rank, from 1.
        title: the object's title, where known.
        text: the object's text, where known.
        metadata: the object's metadata.
    """

    id: str
    score: float
    rank: int
    base_score: float
    base_rank: int
    title: str = ""
    text: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    _explanations: Callable[[], Sequence[Explanation]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def explanation(self) -> Explanation:
        """Which candidates this score came from; computed for the whole ranking when asked for.

        Raises:
            InputError: for a hit that was not made by ranking.
        """
        if self._explanations is None:
            raise InputError(f"hit {self.id!r}: made by hand, so there is nothing to explain")
        return self._explanations()[self.rank - 1]

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        """The hit as JSON can hold it, with its explanation if asked for."""
        known = {
            "rank": self.rank,
            "id": self.id,
            "score": self.score,
            "base_rank": self.base_rank,
            "base_score": self.base_score,
            "title": self.title,
            "text": self.text,
            "metadata": dict(self.metadata),
        }
        return known | ({"explanation": self.explanation.to_dict()} if explain else {})


@dataclass(frozen=True)
class Order:
    """The best k of every query's candidates.

    Attributes:
        positions: `[B, k]` places in the candidate list, best first; -1 where there are fewer.
        scores: `[B, k]` the ranker's scores; -inf where there are fewer.
    """

    positions: Int[ndarray, "B k"]
    scores: Float[ndarray, "B k"]


@dataclass(frozen=True)
class Collected:
    """Candidates that another retriever found, as `Reranker.rank` takes them.

    Attributes:
        graph: their metadata, list after list.
        candidates: rows of `graph`, in the order of their scores.
        given: the candidates as they came, in the order of `graph`.
        metadata: theirs, checked.
    """

    graph: GraphArrays
    candidates: Candidates
    given: Sequence[Mapping[str, Any]]
    metadata: Sequence[Mapping[str, Any]]

    @property
    def ids(self) -> list[str]:
        """The id of every row."""
        return [candidate["id"] for candidate in self.given]

    def describe(self, row: int) -> dict[str, Any]:
        """What a hit tells of a row."""
        candidate = self.given[row]
        return {
            "id": candidate["id"],
            "title": candidate.get("title", ""),
            "text": candidate.get("text", ""),
            "metadata": self.metadata[row],
        }


@dataclass(frozen=True, kw_only=True)
class Reranker(RankingOptions):
    """A ranker with its parameters, which are those of `RankingOptions`.

    Raises:
        InputError: for an unknown ranker, weights that cannot be used, or a parameter out of its
            range.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.ranker not in RANKERS:
            self._check_learned()

    @property
    def name(self) -> str:
        """Of the ranker, as it was given."""
        return self.ranker if isinstance(self.ranker, str) else self.ranker.name

    @cached_property
    def kind(self) -> Ranker:
        """What ranks."""
        if not isinstance(self.ranker, str):
            return self.ranker
        if self.ranker not in RANKERS:
            return load_learned(self.ranker)
        return FixedPoint(
            name=self.ranker,
            alpha=self.alpha,
            weights=self.weights,
            max_df=self.max_df,
            tol=self.tol,
            max_steps=self.max_steps,
        )

    def parameters(self, graph: GraphArrays, passages: Passages | None = None) -> dict[str, Any]:
        """What decides the ranking over these objects, for a report."""
        own = self.kind.parameters
        if self.kind.reads_proximities:
            own |= {"proximities": check_proximities(self.proximities, graph)}
        if self.kind.reads_concepts and passages:
            own |= {"concepts": concept_source(passages)}
        return own

    def rank(self, graph: GraphArrays, candidates: Candidates, *, k: int) -> Order:
        """Rank a batch of candidate lists.

        Args:
            graph: the metadata of the objects.
            candidates: rows of `graph` with the retriever's scores.
            k: how many results, at least 1.

        Raises:
            InputError: for a k below 1, a score that is not finite, an unknown proximity, more
                candidates than a network can read, embeddings that are not those which it reads,
                or no texts where the ranker reads them.
        """
        k = check_k(k)
        proximities = check_proximities(self.proximities, graph)
        self._check_number(candidates.rows.shape[1])
        bad = np.argwhere(~np.isfinite(candidates.scores) & (candidates.rows != EMPTY))
        if len(bad):
            query, place = map(int, bad[0])
            value = candidates.scores[query, place]
            raise InputError(
                f"scores: candidate {place + 1} of query {query + 1} has score {value}; "
                "scores must be finite numbers"
            )
        self._check_embeddings(candidates.vectors)
        if self.kind.reads_texts and candidates.passages is None:
            raise InputError(f"ranker: {self.name!r} reads texts, and there are none")
        given = self._rankable(candidates)
        if given is not candidates:
            warn(_NEGATIVE, stacklevel=2)
        parts, stuck = [], 0
        for block in blocks(given, self.kind.candidates_at_once):
            rows = given.rows[block]
            shape = (power_of_two(len(rows)), candidate_bucket(rows.shape[1]))
            top = self.kind.best(
                graph,
                given.block(block, shape),
                proximities=proximities,
                k=min(coarse_bucket(k), shape[1]),
            )
            parts.append([np.asarray(a)[: len(rows), :k] for a in (top.indices, top.scores)])
            if top.solution is not None:
                stuck += int((~np.asarray(top.solution.converged)[: len(rows)]).sum())
        positions, best = (np.concatenate(part) for part in zip(*parts, strict=True))
        if stuck:
            warn(
                f"{self.name}: {stuck} of {len(candidates)} queries had not converged after "
                f"{self.max_steps} steps; raise max_steps or alpha",
                stacklevel=2,
            )
        shape = (len(positions), k)
        return Order(pad(positions, shape, EMPTY), pad(best, shape, -np.inf))

    def _rankable(self, candidates: Candidates) -> Candidates:
        # Smoothing would lift a negative score: the share α of it is more than all of it.
        negative = candidates.any_scale and candidates.scores.min(initial=0.0) < 0
        by_graph = self.kind.reads_proximities or self.kind.reads_concepts
        if not (negative and by_graph):
            return candidates
        moved = np.where(candidates.rows == EMPTY, np.float32(0), non_negative(candidates.scores))
        return replace(candidates, scores=moved)

    def _check_number(self, candidates: int) -> None:
        if self.kind.embedder and candidates > _MOST_CANDIDATES:
            raise InputError(
                f"candidates: {candidates} for a question; {self.name!r} reads "
                f"{_MOST_CANDIDATES} at most; give it the best of them, or use gcs"
            )

    def _check_embeddings(self, vectors: Vectors | None) -> None:
        needed, dimension = self.kind.embedder, self.kind.dimension
        if needed is None:
            return
        if vectors is None:
            raise InputError(f"ranker: {self.name!r} reads embeddings, and there are none")
        have = vectors.objects.shape[1]
        if (vectors.embedder, have) != (needed, dimension):
            raise InputError(
                f"ranker: {self.name!r} was trained on embeddings of {needed!r} ({dimension} "
                f"dimensions), the index has those of {vectors.embedder!r} ({have}); build the "
                f"index with --embedder {needed}, or use weights trained on {vectors.embedder!r}"
            )

    def _check_learned(self) -> None:
        trained = self.kind.parameters
        if self.proximities is not None and not self.kind.reads_proximities:
            raise InputError(f"proximities: {self.name!r} has relations of its own; leave them out")
        for name in ("alpha", "weights", "tol", "max_steps"):
            if getattr(self, name) != getattr(Reranker, name):
                raise InputError(
                    f"{name}: of gcs and ppr; {self.name!r} has what it was trained with"
                )
        if self.max_df not in (MAX_DF, trained.get("max_df", MAX_DF)):
            raise InputError(
                f"max_df: {self.max_df} cannot be used; {self.name!r} was trained with "
                f"{trained.get('max_df', MAX_DF)}"
            )

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
    ) -> list[list[Hit]]:
        """Rerank any retriever's output, one list of candidates a question.

        Args:
            questions: for rankers that read them, with their metadata if need be; GCS and PPR do
                not.
            candidate_lists: each candidate has an `id`, a `score`, and `metadata` as in the BEIR
                layout; `title` and `text` come back with the hit. A network reads the `embedding`,
                or embeds the text; a language model reads the text.
            k: how many results; all by default.

        Returns:
            One list of hits a question, best first.

        Raises:
            InputError: naming the candidate, for a missing or repeated id, a score that is not a
                finite number, metadata of a wrong type, or nothing that a network can read.
        """
        return self._rerank_lists(questions, candidate_lists, k, any_scale=True)

    def _rerank_lists(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
        k: int | None,
        *,
        any_scale: bool,
    ) -> list[list[Hit]]:
        questions, candidate_lists = _as_lists(questions, candidate_lists)
        lists = self._check_lists(questions, candidate_lists)
        if self.kind.reads_concepts and len(questions) != 1:
            # What one question's candidates have in common is no matter of another's.
            return [
                self._rerank_lists([question], [candidates], k, any_scale=any_scale)[0]
                for question, candidates in zip(questions, candidate_lists, strict=True)
            ]
        given = self._collect(questions, candidate_lists, *lists)
        found = replace(given.candidates, any_scale=any_scale)
        widest = found.rows.shape[1]
        k = widest if k is None else min(check_k(k), widest)
        order = self.rank(given.graph, found, k=k)
        return self.hits(given.graph, found, order, given.ids, given.describe)

    def collect(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
    ) -> Collected:
        """What `rank` reads of any retriever's output; arguments and errors as `rerank_batch`."""
        questions, candidate_lists = _as_lists(questions, candidate_lists)
        lists = self._check_lists(questions, candidate_lists)
        return self._collect(questions, candidate_lists, *lists)

    def _check_lists(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
    ) -> tuple[list[list[float]], list[Mapping[str, Any]]]:
        """The scores of each list, and the metadata of all."""
        if self.kind.reads_others:
            raise InputError(
                f"ranker: {self.name!r} reads the documents around candidates; give the other "
                "retriever's results as a run: grapher-jax rerank INDEX --run"
            )
        if len(questions) != len(candidate_lists):
            raise InputError(
                f"candidate_lists: {len(candidate_lists)} lists for {len(questions)} questions; "
                "give one each"
            )
        if self.kind.embedder or self.kind.reads_texts:
            check_questions([as_query(question).text for question in questions])
        self._check_number(max(map(len, candidate_lists), default=0))
        scores: list[list[float]] = []
        metadata: list[Mapping[str, Any]] = []
        for number, candidates in enumerate(candidate_lists):
            scores.append(_check_candidates(candidates, number))
            metadata += [
                check_metadata(c.get("metadata"), f"candidate {c['id']!r}") for c in candidates
            ]
        return scores, metadata

    def _collect(
        self,
        questions: Sequence[str | Query],
        candidate_lists: Sequence[Sequence[Mapping[str, Any]]],
        score_lists: Sequence[Sequence[float]],
        metadata: Sequence[Mapping[str, Any]],
    ) -> Collected:
        queries = [as_query(question) for question in questions]
        flat = list(chain.from_iterable(candidate_lists))
        widest = max(map(len, candidate_lists), default=0)
        rows = np.full((len(queries), max(widest, 1)), EMPTY, np.int32)
        scores = np.zeros(rows.shape)
        start = 0
        for number, own in enumerate(score_lists):
            rows[number, : len(own)] = start + np.arange(len(own))
            scores[number, : len(own)] = own
            start += len(own)
        # A candidate may well reference what the retriever did not return.
        questions_of = chain.from_iterable(
            repeat(number, len(candidates)) for number, candidates in enumerate(candidate_lists)
        )
        ids = [candidate["id"] for candidate in flat]
        _warn_of_misplaced(flat)
        # As a retriever gives them: of many neighbours, a network hears the best ranked.
        order = best_first(rows, scores)
        return Collected(
            GraphArrays.build(ids, metadata, scopes=questions_of, warn_of_unknown=False),
            Candidates(
                np.take_along_axis(rows, order, axis=1),
                np.take_along_axis(scores, order, axis=1).astype(np.float32),
                self._embed([query.text for query in queries], flat),
                queries,
                self._passages(flat, metadata),
                any_scale=True,
            ),
            flat,
            metadata,
        )

    @cached_property
    def _embedder(self) -> Embedder:
        # Where only texts are read, it never embeds, and this one is loaded when it does.
        return load_embedder(self.kind.embedder or "offline")

    def _embed(
        self, questions: Sequence[str], candidates: Sequence[Mapping[str, Any]]
    ) -> Vectors | None:
        if self.kind.embedder is None:
            return None
        embedder = self._embedder
        # The last row is what rows of -1 find.
        vectors = np.zeros((len(candidates) + 1, embedder.dimension), np.float32)
        texts: dict[str, list[int]] = {}
        for place, candidate in enumerate(candidates):
            if candidate.get("embedding") is None:
                texts.setdefault(_text_of(candidate), []).append(place)
            else:
                vectors[place] = given_vector(candidate, embedder.dimension)
        if texts:
            embedded = embedder.embed_objects(list(texts))
            for places, vector in zip(texts.values(), embedded, strict=True):
                vectors[places] = vector
        asked = embedder.embed_queries([*map(readable, questions)])
        return Vectors(embedder.name, asked, vectors)

    def _passages(
        self,
        candidates: Sequence[Mapping[str, Any]],
        metadata: Sequence[Mapping[str, Any]],
    ) -> Passages | None:
        if not self.kind.reads_texts:
            return None
        objects = [
            Object(c["id"], _string(c, "text"), _string(c, "title"), given)
            for c, given in zip(candidates, metadata, strict=True)
        ]
        return Passages(objects, self._embedder)

    def hits(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        order: Order,
        ids: Sequence[str],
        describe: Callable[[int], Mapping[str, Any]],
    ) -> list[list[Hit]]:
        """The hits of an order over candidates.

        Args:
            graph: the metadata of the objects.
            candidates: as they were ranked.
            order: what `rank` returned for them.
            ids: the id of every row of `graph`.
            describe: a row's `id`, `title`, `text` and `metadata`, read for the hits alone.
        """
        rankings = []
        for query in range(len(candidates)):
            rows, scores = candidates.rows[query], candidates.scores[query]
            base_ranks = np.empty(len(rows), int)
            base_ranks[best_first(rows, scores)] = np.arange(1, len(rows) + 1)
            positions = order.positions[query][order.positions[query] != EMPTY]
            explanations = cache(
                partial(
                    self._explain,
                    graph,
                    candidates.block(slice(query, query + 1), (1, len(rows))),
                    positions,
                    order.scores[query, : len(positions)],
                    self.joins(graph, ids, describe),
                )
            )
            rankings.append(
                [
                    Hit(
                        **describe(int(rows[position])),
                        score=float(order.scores[query, place]),
                        rank=place + 1,
                        base_score=float(scores[position]),
                        base_rank=int(base_ranks[position]),
                        _explanations=explanations,
                    )
                    for place, position in enumerate(positions)
                ]
            )
        return rankings

    def joins(
        self,
        graph: GraphArrays,
        ids: Sequence[str],
        describe: Callable[[int], Mapping[str, Any]],
    ) -> Joins:
        """What says how candidates are joined; see `hits`."""
        max_df = self.kind.parameters.get("max_df", MAX_DF)
        return Joins(graph, ids, max_df, lambda row: describe(row)["metadata"]["document_id"])

    def joining(self, graph: GraphArrays) -> list[str]:
        """The proximities that the graph is built from and that weigh anything.

        Raises:
            InputError: for an unknown proximity.
        """
        weights = self.weights or {}
        chosen = check_proximities(self.proximities, graph)
        return [name for name in chosen if weights.get(name, 1.0) > 0]

    def _explain(
        self,
        graph: GraphArrays,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        found: Float[ndarray, " k"],
        joins: Joins,
    ) -> list[Explanation]:
        explained = self.kind.explain(
            graph,
            self._rankable(candidates),
            positions,
            found,
            ids=joins.ids,
            proximities=check_proximities(self.proximities, graph),
        )
        return name_joins(explained, joins, candidates.rows[0], self.joining(graph))


def blocks(candidates: Candidates, at_once: int = FixedPoint.candidates_at_once) -> Iterator[slice]:
    """Slices of as many queries as one program ranks, `at_once` candidates in all."""
    # A power of two: the batch is padded to one.
    fitting = max(1, at_once // candidates.rows.shape[1])
    size = min(MAX_BATCH, 1 << (fitting.bit_length() - 1))
    for start in range(0, max(len(candidates), 1), size):
        yield slice(start, start + size)


def best_first(rows: Int[ndarray, "*B n"], scores: Float[ndarray, "*B n"]) -> Int[ndarray, "*B n"]:
    """The retriever's order of each list; ties keep their places, empty ones come last."""
    return np.argsort(np.where(rows == EMPTY, np.inf, -scores), axis=-1, kind="stable")


def check_k(k: int) -> int:
    """A number of results; raises InputError for what is none."""
    return check_count("k", k)


def _as_lists(
    questions: Sequence[str | Query], candidate_lists: Sequence[Sequence[Mapping[str, Any]]]
) -> tuple[list[str | Query], list[list[Mapping[str, Any]]]]:
    listed = check_list("candidate_lists", candidate_lists, of="lists, one a question")
    return check_list("questions", questions, of="questions"), [
        check_list(f"candidates of question {number}", candidates, of="candidates")
        for number, candidates in enumerate(listed, start=1)
    ]


def _check_candidates(candidates: Sequence[Any], number: int) -> list[float]:
    def wrong(place: int, message: str) -> InputError:
        return InputError(f"candidate {place + 1} of question {number + 1}: {message}")

    seen: set[str] = set()
    scores = []
    for place, candidate in enumerate(candidates):
        if not isinstance(candidate, Mapping):
            needed = 'give its id and score, such as {"id": "orders", "score": 0.9}'
            raise wrong(place, f"{needed}, not {shown(candidate)}")
        identity, score = candidate.get("id"), finite(candidate.get("score"))
        if not isinstance(identity, str) or not identity:
            raise wrong(place, f"id must be a string that is not empty, not {shown(identity)}")
        if identity in seen:
            raise wrong(place, f"id {shown(identity)} stands in the list twice")
        if score is None:
            given = shown(candidate.get("score"))
            raise wrong(place, f"score must be a finite number, not {given}; float32 must hold it")
        seen.add(identity)
        scores.append(score)
    return scores


def _warn_of_misplaced(candidates: Iterable[Mapping[str, Any]]) -> None:
    if told := misplaced(set().union(*candidates)):
        warn(f"candidates: {told}", stacklevel=4)


def given_vector(candidate: Mapping[str, Any], dimension: int) -> Float[ndarray, " d"]:
    """The candidate's own embedding, at unit length."""
    try:
        vector = np.asarray(candidate["embedding"], np.float32)
    except (TypeError, ValueError, OverflowError):
        vector = np.array(np.nan)
    if vector.shape != (dimension,) or not np.isfinite(vector).all():
        raise InputError(
            f"candidate {candidate['id']!r}: embedding must be {dimension} finite numbers, which "
            "the weights were trained on"
        )
    return vector / (np.linalg.norm(vector) or 1)


def _string(candidate: Mapping[str, Any], key: str) -> str:
    value = candidate.get(key)
    return "" if value is None else check_text(f"candidate {candidate['id']!r}: {key}", value)


def _text_of(candidate: Mapping[str, Any]) -> str:
    item = Object(candidate["id"], _string(candidate, "text"), _string(candidate, "title"))
    if not item.searchable_text:
        raise InputError(
            f"candidate {candidate['id']!r}: a trained ranker reads embeddings; give it a `text` "
            "or an `embedding`"
        )
    return readable(item.searchable_text)

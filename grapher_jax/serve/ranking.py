"""The work of the service: answers to batches of requests, in any thread."""

from collections.abc import Hashable, Mapping, Sequence
from copy import copy
from dataclasses import InitVar, dataclass, field, replace
from functools import partial

import numpy as np
from pydantic_core import to_json

from grapher_jax.corpus import as_query
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.files import Json
from grapher_jax.graph import (
    EMPTY,
    PROXIMITIES,
    Metadata,
    check_edges,
    edge_name,
    edge_rows,
    reads_embeddings,
)
from grapher_jax.rankers.explanation import Explanation
from grapher_jax.rankers.fixed_point import FixedPoint
from grapher_jax.rankers.given import compared, embedded, scored_by
from grapher_jax.rankers.hits import Hit
from grapher_jax.rankers.listed import Listed
from grapher_jax.rankers.options import COMPARED
from grapher_jax.rankers.running import Order
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve import CANDIDATES, Candidates, Scorer
from grapher_jax.retrieve.collection import Collection, Questions
from grapher_jax.retrieve.hybrid import JOINING
from grapher_jax.retrieve.scorers import Score
from grapher_jax.search import Index
from grapher_jax.serve.jobs import KnownJob, Ranked, RerankJob, SearchJob
from grapher_jax.serve.known_documents import KnownDocuments
from grapher_jax.serve.known_questions import KnownQuestions
from grapher_jax.serve.schema import LONGEST_LIST, MOST_EXPLAINED_BYTES
from grapher_jax.serve.shapes import BATCH, FEW, SEARCHES, Shape, list_length, width
from grapher_jax.shapes import candidate_bucket
from grapher_jax.systems import Retrieval, System
from grapher_jax.systems.chosen import ChosenRanker

_LEAVE = "leave it out, or start the service without --proximity"
# The reason why documents of requests are ranked without a network.
NO_NETWORK = "a service does not wait for its programs"


@dataclass(frozen=True)
class _Guarded:
    """A scorer whose failures are not reported as errors of the request."""

    name: str
    score: Score

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float] | np.ndarray:
        try:
            return self.score(question, texts)
        except Exception as error:
            raise GrapherError(f"base: {self.name} has failed: {error!r}") from error


def _constant(question: str, texts: Sequence[str]) -> list[float]:
    return [0.5] * len(texts)


@dataclass(frozen=True)
class Engine:
    """Answers batches of requests, in any thread.

    Attributes:
        index: the index to search, and to look up documents in.
        asked: how to rank; an argument alone.
        reranker: ranks documents; for `auto`, the fixed-point ranker chosen for the index, so that
            no request waits for compilation.
        system: searches the index; for `auto`, with the ranker chosen for the index.
        scorer: rescores documents instead of their own scores and the retriever's; None for no
            rescoring.
        known: finds documents in the index.
        questions: embeds questions, and remembers the latest.
        compiled: the shapes of documents with a compiled program.

    Raises:
        InputError: for a ranker with another embedder than the index's (vectors could not be
            distinguished), one that needs more than candidates, or a cross-encoder that cannot be
            loaded.
        MissingExtraError: if the packages for the cross-encoder are not installed.
    """

    index: Index
    asked: InitVar[Reranker]
    reranker: ChosenRanker = field(init=False)
    system: System = field(init=False)
    scorer: Scorer | None = field(init=False)
    known: KnownDocuments = field(init=False)
    questions: KnownQuestions = field(init=False)
    compiled: set[Hashable] = field(default_factory=set, init=False)

    def __post_init__(self, asked: Reranker) -> None:
        scorer, searches = asked.scorer, asked
        if scorer is not None:
            scorer.load()
            scorer = replace(scorer, score=_Guarded(scorer.name, scorer.score))
            searches = replace(asked, base=scorer)
        system = System.from_reranker(searches, k=CANDIDATES).over(self.index)
        # Edges of the reranker that the index lacks are reported now.
        asked.joining(self.index.graph)
        # Jobs already have the scores of `base`, on its scale.
        own = replace(asked, edges=self.index.edges or None, base=None, scores=asked.scale)
        lists = own.over(self.index, without_networks=NO_NETWORK)
        made = {
            "system": system,
            "scorer": scorer,
            "known": KnownDocuments(self.index),
            "questions": KnownQuestions(self.index),
            # The words of documents that the index lacks are not counted.
            "reranker": replace(lists, cover_words=None),
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)
        self._check_needs()

    def _check_needs(self) -> None:
        opened, have = self.reranker.opened, self.index.embedder.name
        needed = opened.needs.embedder
        if needed not in (None, have):
            raise InputError(
                f"ranker: {opened.name!r} was trained on embeddings of {needed!r}, the index "
                f"has those of {have!r}; build the index with --embedder {needed}, or use "
                f"weights trained on {have!r}"
            )
        if opened.needs.other_objects:
            raise InputError(
                f"ranker: {opened.name!r} reads the documents around candidates, which requests do "
                "not bring; serve another, and use this one by grapher-jax search"
            )

    @property
    def _joining(self) -> int:
        """The maximum number of objects that expansion adds."""
        retrieval = self.system.retrieval
        return JOINING if isinstance(retrieval, Retrieval) and retrieval.expands else 0

    @property
    def fixed(self) -> bool:
        """Whether a fixed-point ranker ranks the documents of requests."""
        return isinstance(self.reranker.opened, FixedPoint)

    def joined(self, asked: Mapping[str, str] | None) -> tuple[tuple[str, str], ...] | None:
        """The edges of a request, the index's and its own; None if the index has all of them.

        Raises:
            InputError: naming the edge, if it is invalid, different in the index, or missing.
        """
        if not asked:
            return None
        own, listed = self.reranker.own_edges, self.reranker.proximities
        for key, form in check_edges(asked).items():
            if own.get(key, form) != form:
                raise InputError(f"edges: {key!r} is {own[key]} in the index; leave it out")
            if listed is not None and edge_name(key) not in listed:
                told = f"--proximity {','.join(listed)}"
                raise InputError(f"edges: {key!r} joins nothing in a service of {told}; {_LEAVE}")
        every = check_edges({**own, **asked})
        # Sorted by form, so that few programs serve all requests.
        return tuple(sorted(every.items(), key=lambda edge: edge[::-1])) if every != own else None

    def check_lengths(
        self,
        documents: Sequence[Mapping[str, Json]],
        edges: tuple[tuple[str, str], ...] | None,
    ) -> None:
        """Check the lengths of lists for edges; those of the BEIR layout are checked on parsing.

        Args:
            documents: the documents of a request.
            edges: as `joined` returns them.

        Raises:
            InputError: naming the document, for a list that is too long.
        """
        keys = [key for key, form in self._edges(edges).items() if form != "sequence"]
        for number, document in enumerate(documents):
            metadata = document.get("metadata") or {}
            for key in keys:
                if (length := list_length(metadata.get(key))) > LONGEST_LIST:
                    raise InputError(
                        f"documents[{number}].metadata.{key}: {length} values; give "
                        f"{LONGEST_LIST} at most"
                    )

    def check_values(
        self, documents: Sequence[Mapping[str, Json]], edges: tuple[tuple[str, str], ...]
    ) -> None:
        """Check the values that edges read; raises InputError naming the document."""
        ids = [f"documents[{number}]" for number in range(len(documents))]
        facts = Metadata(ids, [document.get("metadata") or {} for document in documents])
        for row in edge_rows(dict(edges)).values():
            if row.read is not None:
                row.read(facts)

    def _edges(self, joined: tuple[tuple[str, str], ...] | None) -> Mapping[str, str]:
        """The edges that join a request's documents."""
        return self.reranker.own_edges if joined is None else dict(joined)

    def _kind(self, job: RerankJob) -> tuple[Shape, tuple[str, ...]]:
        """The key of a job's program; it does not depend on names of edges."""
        edges = self._edges(job.edges)
        shape = Shape.fitting(job.documents, {**PROXIMITIES, **edge_rows(edges)})
        return shape, tuple(edges.values())

    def company(self, job: RerankJob) -> tuple[Hashable, int]:
        """The key of jobs that may share a batch, and the maximum size of the batch."""
        if self.fixed:
            kind = self._kind(job)
            return (kind, job.scale, job.edges), kind[0].requests
        # What one question's candidates have in common must not depend on other questions.
        return (None, job.scale, job.edges), 1 if self.reranker.opened.needs.frequencies else BATCH

    def compiles(self, job: RerankJob) -> bool:
        """Whether a new program is compiled; not for edges by meaning, which embed each time."""
        by_meaning = reads_embeddings(self._edges(job.edges))
        return self.fixed and not by_meaning and not self.is_compiled(job)

    def is_compiled(self, job: RerankJob) -> bool:
        """Whether there is a compiled program for the shape of these documents."""
        return self.fixed and self._kind(job) in self.compiled

    def similarities(self, jobs: Sequence[tuple[str, list[dict[str, Json]]]]) -> list[list[float]]:
        """The score of every document by the base retriever (with these as corpus) or `scorer`.

        Raises:
            InputError: for a document without anything to compare, or another embedder's embedding.
            GrapherError: if `scorer` fails.
        """
        questions, lists = [query for query, _ in jobs], [given for _, given in jobs]
        if self.scorer is not None:
            scored = scored_by(self.scorer, questions, lists)
            return [[one["score"] for one in own] for own in scored]
        engine, embedder = self.index.lexical.engine, self.index.embedder
        found = compared(questions, lists, embedder, engine=engine, width=width)
        return [one.scores.tolist() for one in found]

    def embedded(self, lists: Sequence[list[dict[str, Json]]]) -> list[list[dict[str, Json]]]:
        """The documents with embeddings; raises as `similarities`."""
        return [embedded(documents, self.index.embedder) for documents in lists]

    def rerank(self, jobs: Sequence[RerankJob]) -> list[Ranked]:
        """The results of every job; all jobs have the same `company`."""
        scale, edges = jobs[0].scale, jobs[0].edges
        reranker = self.reranker if scale is None else self.reranker.reading(scale)
        if edges is not None:
            reranker = reranker.joined_by(dict(edges))
        questions = [job.query for job in jobs]
        lists = [job.documents for job in jobs]
        if not self.fixed:
            given, found = reranker.collect(questions, lists, embedder=self.index.embedder)
            order = reranker.rank(given, found, k=max(map(len, lists)))
            return _given_results(reranker, jobs, given, found, order)
        shape, _ = kind = self._kind(jobs[0])
        filler = shape.filler(reranker.rows)
        by = self.index.embedder if reads_embeddings(reranker.own_edges) else None
        given, found = reranker.collect([*questions, "-"], [*lists, filler], embedder=by)
        found = found.block(slice(None), (shape.requests + 1, shape.candidates))
        order = reranker.rank(given, found, k=shape.candidates)
        if by is None:  # embedding makes others wait, compiled or not
            self.compiled.add(kind)
        return _given_results(reranker, jobs, given, found, order)

    def search(self, jobs: Sequence[SearchJob]) -> list[list[dict[str, Json]]]:
        """The hits of every job.

        Raises:
            GrapherError: if `scorer` fails.
        """
        asked = self._batch(jobs)
        filters = [job.filter for job in jobs]
        filters += filters[-1:] * (len(asked) - len(jobs))
        found = self.system.retrieve(self.index, asked, filters=filters)
        for job in jobs:
            if job.retrieved:
                job.retrieved()
        # Even if a filter leaves fewer, or fewer are requested.
        n = self.search_width
        found = found.block(slice(len(jobs)), (len(asked), n))
        order = self.system.rank(self.index, found, k=n)
        answers = []
        for number, job in enumerate(jobs):
            hits = _hits(self.system.reranker, self.index, found, order, number, job.top_n)
            answers.append([hit.to_dict() for hit in hits])
            if job.explain:
                _explain(answers[-1], [hit.explanation for hit in hits])
        return answers

    def _batch(self, jobs: Sequence[SearchJob] | Sequence[KnownJob]) -> Questions:
        """The questions of a batch: one, or as many as a full batch has, the last repeated.

        Programs for sizes in between are not worth compiling. What fills a batch gets no
        candidates, and then costs little.
        """
        size = 1 if len(jobs) == 1 else SEARCHES
        places = np.minimum(np.arange(size), len(jobs) - 1)
        texts = [job.query for job in jobs]
        asked = Questions([*map(as_query, texts)], partial(self.questions.embeddings, texts))
        return asked.at(places)

    @property
    def search_width(self) -> int:
        """The number of candidates of the programs for searches."""
        most = max(CANDIDATES, self.index.options.candidates) + self._joining
        return candidate_bucket(min(most, len(self.index.ids)))

    def known_kind(self, job: KnownJob) -> tuple[int, bool, str | None]:
        """The key of jobs that may share a batch, with the number of candidates first."""
        n = FEW if len(job.rows) <= FEW else self.search_width
        return n, job.scores is None, job.scale

    def known_rows(self, documents: Sequence[Mapping[str, Json]]) -> list[int] | None:
        """The objects that a request's documents are, if `rerank_known` can rank them."""
        rows = self.known.rows(documents) if self.scorer is None else None
        return None if rows is None or len(rows) > max(FEW, self.search_width) else rows

    def rerank_known(self, jobs: Sequence[KnownJob]) -> list[Ranked]:
        """The results of every job, ranked as a search ranks; all jobs are of the same kind."""
        asked = self._batch(jobs)
        n, compared, scale = self.known_kind(jobs[0])
        rows = np.full((len(asked), n), EMPTY, np.int32)
        scores = np.zeros(rows.shape, np.float32)
        for number, job in enumerate(jobs):
            own, values = job.best_first()
            rows[number, : len(own)], scores[number, : len(own)] = own, values
        if compared:
            found = self.index.retriever.among(asked, rows)
        else:
            found = Candidates(rows, scores, asked, any_scale=True)
        ranks = self.system.reranker
        reranker = ranks if scale is None else ranks.reading(scale)
        order = reranker.rank(self.index, found, k=n)
        scales = [COMPARED] * len(jobs) if compared else reranker.scales(self.index, found)
        places = [{row: place for place, row in enumerate(job.rows)} for job in jobs]
        return _results(reranker, jobs, places, self.index, found, order, scales)

    def unasked(self) -> "Engine":
        """The same with the same programs, but without `scorer`, which may cost money."""
        retrieval = self.system.retrieval
        if self.scorer is None or not isinstance(retrieval, Retrieval):
            return self
        scorer = replace(self.scorer, score=_constant)
        system = replace(self.system, retrieval=replace(retrieval, scorer=scorer))
        made = copy(self)
        object.__setattr__(made, "system", system)
        return made


def _given_results(
    reranker: ChosenRanker,
    jobs: Sequence[RerankJob],
    given: Listed,
    found: Candidates,
    order: Order,
) -> list[Ranked]:
    scales = reranker.scales(given, found)
    return _results(reranker, jobs, [given.places] * len(jobs), given, found, order, scales)


def _results(
    reranker: ChosenRanker,
    jobs: Sequence[RerankJob | KnownJob],
    places: Sequence[Mapping[int, int] | Sequence[int]],
    collection: Collection,
    found: Candidates,
    order: Order,
    scales: Sequence[str],
) -> list[Ranked]:
    """The results of every job; `places` gives, for each, a document's place by its row."""
    answers = []
    for number, job in enumerate(jobs):
        ranked = int((order.positions[number] != EMPTY).sum())
        count = min(job.top_n, job.size, ranked)
        rows = found.rows[number, order.positions[number, :count]].tolist()
        values = order.scores[number, :count].tolist()
        results: list[dict[str, Json]] = [
            {"index": places[number][row], "relevance_score": value}
            for row, value in zip(rows, values, strict=True)
        ]
        if job.explain:
            hits = _hits(reranker, collection, found, order, number, count)
            _explain(results, [hit.explanation for hit in hits])
        answers.append(Ranked(results, scales[number], reranker.opened.name))
    return answers


def _hits(
    reranker: ChosenRanker,
    collection: Collection,
    found: Candidates,
    order: Order,
    number: int,
    top_n: int,
) -> list[Hit]:
    """The best results of one question of a batch."""
    one, best = slice(number, number + 1), slice(top_n)
    return reranker.hits(
        collection,
        found.block(one, (1, found.rows.shape[1])),
        Order(order.positions[one, best], order.scores[one, best]),
    )[0]


def _explain(results: Sequence[dict[str, Json]], explanations: Sequence[Explanation]) -> None:
    """Adds explanations with main sources; without sources beyond a total size."""
    left = MOST_EXPLAINED_BYTES
    for result, explanation in zip(results, explanations, strict=True):
        result["explanation"] = explanation.shortened().to_dict()
        left -= len(to_json(result["explanation"]))
        if left < 0:
            count = len(explanation.sources)
            result["explanation"] = replace(explanation, sources=(), left_out=count).to_dict()

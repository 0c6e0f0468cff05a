"""The steps from a request to its results, each in the lane that fits it."""

import asyncio
from collections.abc import Mapping
from functools import partial

from fastapi import HTTPException

from grapher_jax.files import Json
from grapher_jax.rankers.auto import AUTO
from grapher_jax.rankers.given import free_id
from grapher_jax.rankers.options import COMPARED, NONE
from grapher_jax.serve import spans
from grapher_jax.serve.jobs import KnownJob, Ranked, RerankJob, SearchJob
from grapher_jax.serve.lanes import Lanes
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.schema import MOST_EXPLAINED, TOP_N, Document, RerankRequest, SearchRequest
from grapher_jax.serve.shapes import EMBEDDED, SEARCHES, WORTH_A_BATCH
from grapher_jax.shapes import slices

# What a hit has of its object, beside the id.
_OF_DOCUMENTS = ("title", "text", "metadata")


async def rerank(lanes: Lanes, engine: Engine, asked: RerankRequest) -> Ranked:
    """The results for a request's documents, best first.

    Raises:
        HTTPException: 422 for documents of which some alone have a score, for too many results with
            explanations, and for another ranker than the engine's.
        Exception: what `Engine.rerank` and `Lanes.ask` raise.
    """
    documents = list(asked.documents)
    _check_explained(asked.explain, _top_n(asked))
    edges = engine.joined(asked.edges)
    engine.check_lengths(documents, edges)
    if edges is not None:  # now, since a request that compiles may wait for long
        await asyncio.to_thread(engine.check_values, documents, edges)
    scored = sum(document.get("score") is not None for document in documents)
    if scored not in (0, len(documents)):
        message = f"documents: {scored} of {len(documents)} have a score; give all one, or none"
        raise HTTPException(422, message)
    if edges is None and (rows := engine.known_rows(documents)) is not None:
        _check_ranker(asked.ranker, engine.system.name)
        results = await _rank_known(lanes, engine, asked, rows)
        if asked.return_documents:
            documents = await _looked_up(lanes, engine, documents)
    else:
        _check_ranker(asked.ranker, engine.reranker.opened.name)
        if engine.known.any_of(documents):
            documents = await _looked_up(lanes, engine, documents)
        results = await _rank_given(lanes, engine, asked, documents, edges)
    results[:] = _at_least(asked.min_score, results, "relevance_score")
    if asked.return_documents:
        for result in results:
            result["document"] = _shown(documents[result["index"]])
    return results


async def search(lanes: Lanes, engine: Engine, asked: SearchRequest) -> list[dict[str, Json]]:
    """The hits of a request.

    Raises:
        HTTPException: 422 for too many results with explanations, and for another ranker than the
            engine's.
        Exception: what `Engine.search` and `Lane.ask` raise.
    """
    top_n = TOP_N if asked.top_n is None else asked.top_n
    _check_explained(asked.explain, top_n)
    _check_ranker(asked.ranker, engine.system.name)
    with spans.steps(lanes.tracer, "retrieve") as told:
        begun, retrieved = (told.begun, partial(told.then, "rank")) if told else (None, None)
        job = SearchJob(asked.query, top_n, asked.filter, bool(asked.explain), retrieved)
        lane = lanes.slow if job.explain else lanes.searches
        results: list[dict[str, Json]] = await lane.ask(
            engine.search, job, most=SEARCHES, least=WORTH_A_BATCH, begun=begun
        )
    if asked.return_documents is False:
        results = [
            {key: value for key, value in one.items() if key not in _OF_DOCUMENTS}
            for one in results
        ]
    return _at_least(asked.min_score, results, "score")


async def _rank_known(
    lanes: Lanes, engine: Engine, asked: RerankRequest, rows: list[int]
) -> Ranked:
    """The results for objects of the index, whose programs are those of searches."""
    own = [score for one in asked.documents if (score := one.get("score")) is not None]
    scores, scale = (own, asked.scores) if own else (None, None)
    job = KnownJob(asked.query, rows, _top_n(asked), bool(asked.explain), scores, scale)
    results: Ranked = await lanes.ask(
        lanes.slow if job.explain else lanes.searches,
        "rank",
        engine.rerank_known,
        job,
        kind=engine.known_kind(job),
        most=SEARCHES,
        least=WORTH_A_BATCH,
    )
    return results


async def _rank_given(
    lanes: Lanes,
    engine: Engine,
    asked: RerankRequest,
    documents: list[Document],
    edges: tuple[tuple[str, str], ...] | None,
) -> Ranked:
    """The results for documents as they are given, or were looked up."""
    taken = {document.get("id") for document in documents}
    documents = [
        document if document.get("id") else {**document, "id": free_id(number, taken)}
        for number, document in enumerate(documents)
    ]
    # Scores of the base retriever need no conversion, and those of `base` have their own scale.
    scale = asked.scores if engine.scorer is None else None
    compared = engine.scorer is None and documents[0].get("score") is None
    if compared:
        documents = await _embedded(lanes, engine, documents)
        scale = NONE
    if compared or engine.scorer is not None:
        texts = (asked.query, documents)
        scores = await lanes.ask(lanes.slow, "embed", engine.similarities, texts)
        pairs = zip(documents, scores, strict=True)
        documents = [{**document, "score": score} for document, score in pairs]
    job = RerankJob(asked.query, documents, _top_n(asked), bool(asked.explain), scale, edges)
    kind, most = engine.company(job)
    # Work that compiles or explains must not make others wait.
    lane = lanes.slow
    if engine.compiles(job):
        lane = lanes.compiling
    elif engine.is_compiled(job) and not job.explain:
        lane = lanes.quick
    results: Ranked = await lanes.ask(lane, "rank", engine.rerank, job, kind=kind, most=most)
    if compared:
        results.scale = COMPARED
    return results


async def _looked_up(lanes: Lanes, engine: Engine, documents: list[Document]) -> list[Document]:
    """The documents, with the data of those that are objects of the index."""
    found: list[Document] = await lanes.ask(lanes.slow, "look up", engine.known.look_up, documents)
    return found


async def _embedded(lanes: Lanes, engine: Engine, documents: list[Document]) -> list[Document]:
    """The documents, those of a long list with embeddings.

    They are embedded block by block, so that short requests come in between, and nothing is
    embedded for a request that is no longer awaited. Long ones are embedded one after the other: in
    turns, all of them would end late, and so none in time.
    """
    if len(documents) <= EMBEDDED:
        return documents
    found: list[Document] = []
    async with lanes.embeds_many:
        for block in slices(len(documents), EMBEDDED):
            some = documents[block]
            found += await lanes.ask(lanes.slow, "embed", engine.embedded, some, most=1)
    return found


def _top_n(asked: RerankRequest) -> int:
    """The maximum number of results: all, unless the request says fewer."""
    return min(asked.top_n or len(asked.documents), len(asked.documents))


def _check_explained(explain: bool | None, top_n: int) -> None:
    if explain and top_n > MOST_EXPLAINED:
        raise HTTPException(422, f"explain: of {MOST_EXPLAINED} results at most; give a top_n")


def _check_ranker(name: str | None, ranks: str) -> None:
    if name is not None and name not in (AUTO, ranks):
        message = f"ranker: {name[:100]!r} does not rank here, but {ranks!r}"
        raise HTTPException(422, f"{message}; leave it out, or start a service with --ranker")


def _at_least(
    min_score: float | None, results: list[dict[str, Json]], score: str
) -> list[dict[str, Json]]:
    """The results with at least this score; all if there is no minimum."""
    return [one for one in results if min_score is None or one[score] >= min_score]


def _shown(document: Mapping[str, Json]) -> dict[str, Json]:
    kept = {key: value for key, value in document.items() if key != "embedding"}
    return {**kept, "text": document.get("text") or ""}

"""The application: paths, and what leads from a request to its answer."""

import asyncio
import gc
import secrets
from collections.abc import AsyncIterator, Awaitable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic_core import to_json
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware import Middleware

from grapher_jax import __version__
from grapher_jax.errors import GrapherError, InputError
from grapher_jax.files import Json
from grapher_jax.rankers.batching import Full, Lane
from grapher_jax.rankers.choice import AUTO
from grapher_jax.rankers.given import free_id
from grapher_jax.rankers.options import COMPARED, NONE
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.serve import docs_page
from grapher_jax.serve.metrics import Metrics, Watch, log, problem
from grapher_jax.serve.middleware import LATER, Limits, StrictRoute, place_name
from grapher_jax.serve.programs import MOST_PROGRAMS, Programs, return_memory
from grapher_jax.serve.ranking import BATCH, Engine, Ranked, RerankJob, SearchJob, carry_out
from grapher_jax.serve.schema import (
    MOST_EXPLAINED,
    Problem,
    RerankRequest,
    RerankResponse,
    SearchRequest,
    SearchResponse,
    TeiRequest,
    TeiResult,
)
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.serve.settings import Settings
from grapher_jax.systems.chosen import ChosenRanker

_PROBLEMS: dict[int | str, dict[str, Json]] = {
    status: {"model": Problem} for status in (400, 401, 408, 413, 415, 422, 500, 503)
}
_TIDY_SECONDS, _WATCH_SECONDS = 10.0, 1.0
_Answer = TypeVar("_Answer")


def create_app(
    index: Index,
    reranker: Reranker | None = None,
    settings: Settings | None = None,
    *,
    warm_up: bool = True,
    folder: ServedFolder | None = None,
    watch: bool = False,
) -> FastAPI:
    """The service over an index, as an ASGI application.

    Args:
        index: what is searched.
        reranker: ranks; by default what `auto` takes over the index.
        settings: its limits.
        warm_up: compile what most requests need before it counts as ready, or serves an index anew.
        folder: where the index is opened anew when `POST /v1/reload` or `app.state.ask_reload()`
            asks for it; requests are answered by what was there before until that is ready.
        watch: open it anew whenever the folder changes, too.

    Raises:
        InputError: for an unknown ranker, one of another embedder than the index's, or one that
            reads more than candidates.
    """
    limits = settings or Settings()
    ranks = reranker or Reranker()
    service = _Service(Engine(index, ranks), limits, ranks, folder)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.running(warm_up=warm_up, watch=watch):
            yield

    app = FastAPI(
        title="grapher-jax",
        version=__version__,
        description="Graph-based reranking for retrieval-augmented generation.",
        # Those load scripts from elsewhere.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=_PROBLEMS,
    )
    app.state.settings = service.settings
    app.state.ask_reload = service.ask_reload
    app.router.route_class = StrictRoute

    _add_answers(app, service)
    _add_state(app, service)
    _add_errors(app)
    paths = frozenset(getattr(route, "path", "") for route in app.routes)
    app.user_middleware = [
        Middleware(Watch, metrics=service.metrics, paths=paths),
        Middleware(Limits, settings=service.settings),
    ]
    return app


def _add_answers(app: FastAPI, service: "_Service") -> None:
    """The paths that rank."""

    @app.post("/v2/rerank", response_model=RerankResponse, operation_id="rerank_v2")
    @app.post("/v1/rerank", response_model=RerankResponse, operation_id="rerank")
    async def rerank(asked: RerankRequest) -> Response:
        """Rerank documents, with their own scores or with the retriever's."""
        results = await service.in_time(service.rerank(asked))
        return _answer(service.engine.reranker, results, scores=results.scale)

    @app.post("/rerank", response_model=list[TeiResult], operation_id="rerank_tei")
    async def rerank_texts(asked: TeiRequest) -> Response:
        """Rerank texts, as Text Embeddings Inference does."""
        documents = [{"text": text} for text in asked.texts]
        request = RerankRequest.model_validate({"query": asked.query, "documents": documents})
        found = []
        for result in await service.in_time(service.rerank(request)):
            text = {"text": asked.texts[result["index"]]} if asked.return_text else {}
            found.append({"index": result["index"], "score": result["relevance_score"], **text})
        return Response(to_json(found), media_type="application/json")

    @app.post("/v1/search", response_model=SearchResponse, operation_id="search")
    async def search(asked: SearchRequest) -> Response:
        """Ask the index."""
        results = await service.in_time(service.search(asked))
        return _answer(service.engine.system.reranker, results)

    @app.post("/v1/reload", operation_id="reload")
    async def reload() -> dict[str, int]:
        """Serve the index as its folder has it now; answers when that is so."""
        try:
            await service.reload()
        except InputError as error:
            raise HTTPException(409, str(error)) from None
        return {"objects": len(service.engine.index.ids)}


def _add_state(app: FastAPI, service: "_Service") -> None:
    """The paths that tell of the service."""

    @app.get("/health/live", operation_id="live")
    async def live() -> dict[str, str]:
        """Whether the process answers."""
        return {"status": "alive"}

    @app.get("/health", operation_id="health")
    async def health() -> dict[str, str]:
        """503 while programs are compiled, then `ready`; `cold` where that has failed."""
        if not service.ready.is_set():
            raise HTTPException(503, "starting: programs are being compiled", LATER)
        return {"status": "ready" if service.warm else "cold"}

    @app.get("/metrics", response_class=Response, operation_id="metrics")
    async def metrics() -> Response:
        """Metrics for Prometheus."""
        return Response(
            generate_latest(service.metrics.registry), headers={"content-type": CONTENT_TYPE_LATEST}
        )

    @app.get("/docs", response_class=HTMLResponse, operation_id="docs")
    async def docs() -> Response:
        """This page: the paths, and what they take and give."""
        return HTMLResponse(docs_page.render(app.openapi()), headers=docs_page.HEADERS)


def _add_errors(app: FastAPI) -> None:
    """What is said of requests that cannot be answered."""

    @app.exception_handler(StarletteHTTPException)
    async def refuse(request: Request, error: StarletteHTTPException) -> Response:
        return problem(error.status_code, error.detail, error.headers)

    @app.exception_handler(RequestValidationError)
    async def name_fields(request: Request, error: RequestValidationError) -> Response:
        found = error.errors()[:3]
        return problem(
            422, "; ".join(f"{place_name(one['loc'][1:])}: {one['msg']}" for one in found)
        )


class _Service:
    """What requests share: three threads and what they are given to do."""

    def __init__(
        self, engine: Engine, settings: Settings, reranker: Reranker, folder: ServedFolder | None
    ) -> None:
        self.engine, self.settings, self.metrics = engine, settings, Metrics()
        self._reranker, self._folder = reranker, folder
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked_anew, self._reloading = asyncio.Event(), asyncio.Lock()
        self._warms = False
        self.ready, self.warm = asyncio.Event(), True
        self._programs, self._crowded = Programs(), asyncio.Event()
        self.metrics.programs.set_function(lambda: self._programs.held)
        # What embeds documents, explains or compiles takes its time, and nobody else's.
        self._quick, self._slow = self._lane("rank"), self._lane("embed")
        self._searches = self._lane("search")

    def _lane(self, name: str) -> Lane:
        sizes = self.metrics.batches.labels(name)

        def observe(size: int) -> None:
            sizes.observe(size)
            if self._programs.held > MOST_PROGRAMS:
                self._crowded.set()

        lane = Lane(
            name=name,
            longest=self.settings.max_queue,
            wait=self.settings.max_wait / 1000,
            observe=observe,
        )
        self.metrics.waiting.labels(name).set_function(lane.__len__)
        return lane

    @asynccontextmanager
    async def running(self, *, warm_up: bool, watch: bool) -> AsyncIterator[None]:
        self._loop, self._warms = asyncio.get_running_loop(), warm_up
        lanes = (lane.run() for lane in (self._quick, self._searches, self._slow))
        work = (*lanes, self._make_room(), self._tidy(), self._keep_up(watch=watch))
        tasks = [asyncio.create_task(one) for one in work]
        if warm_up:
            tasks.append(asyncio.create_task(self._become_ready()))
        else:
            self.ready.set()
        with self._programs.counted():
            yield
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _make_room(self) -> None:
        """Let go of programs whenever there are too many, while none runs."""
        while True:
            await self._crowded.wait()
            # The slow one first: meanwhile the others go on.
            async with self._slow.busy, self._searches.busy, self._quick.busy:
                await asyncio.to_thread(self.engine.forget, self._programs)
                self._crowded.clear()

    async def _tidy(self) -> None:
        """Return memory now and then."""
        while True:
            await asyncio.sleep(_TIDY_SECONDS)
            await asyncio.to_thread(return_memory)

    async def _become_ready(self) -> None:
        await self._warm_up(self.engine)
        self.ready.set()

    async def _warm_up(self, engine: Engine) -> None:
        # One step at a time: a lane that is told to end finishes its step alone.
        for step in engine.warm_up():
            try:
                await self._slow.ask(carry_out, step)
            except Exception:  # noqa: BLE001
                self.warm = False
                log.exception("a step of the warm-up failed; first requests may be slow or fail")
        # What is there now stays: no need to look through it again and again.
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def ask_reload(self) -> None:
        """Have the index opened anew, soon; any thread may ask, and a handler of signals."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._asked_anew.set)

    async def reload(self) -> None:
        """Serve the index as its folder has it now, as soon as that is ready.

        Raises:
            InputError: where there is no folder, or its index cannot be served; the one from before
                goes on.
        """
        folder = self._folder
        if folder is None:
            raise InputError("reload: this service has its index from memory, not from a folder")
        async with self._reloading:
            engine = await asyncio.to_thread(lambda: Engine(folder.open(), self._reranker))
            if self._warms:
                await self._warm_up(engine)
            self.engine = engine

    async def _keep_up(self, *, watch: bool) -> None:
        """Reload when asked to and, where the folder is watched, when it has changed."""
        folder = self._folder
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_WATCH_SECONDS if folder and watch else None):
                    await self._asked_anew.wait()
            asked = self._asked_anew.is_set()
            self._asked_anew.clear()
            if asked or (folder and await asyncio.to_thread(folder.changed)):
                try:
                    await self.reload()
                    log.info("the index was opened anew: %d objects", len(self.engine.index.ids))
                except Exception:  # noqa: BLE001
                    log.exception("the index could not be opened anew; the one from before goes on")

    async def rerank(self, asked: RerankRequest) -> Ranked:
        engine, slow = self.engine, self._slow
        documents = list(asked.documents)
        top_n = min(asked.top_n or len(documents), len(documents))
        if asked.explain and top_n > MOST_EXPLAINED:
            raise HTTPException(422, f"explain: of {MOST_EXPLAINED} results at most; give a top_n")
        edges = engine.joined(asked.edges)
        engine.check_lengths(documents, edges)
        scored = sum(document.get("score") is not None for document in documents)
        if scored not in (0, len(documents)):
            message = f"documents: {scored} of {len(documents)} have a score; give all one, or none"
            raise HTTPException(422, message)
        if engine.known.any_of(documents):
            documents = await slow.ask(engine.known.look_up, documents, most=BATCH)
        given = documents
        taken = {document.get("id") for document in documents}
        documents = [
            document if document.get("id") else {**document, "id": free_id(number, taken)}
            for number, document in enumerate(documents)
        ]
        if engine.scorer is not None or not scored:
            scores = await slow.ask(engine.similarities, (asked.query, documents), most=BATCH)
            pairs = zip(documents, scores, strict=True)
            documents = [{**document, "score": score} for document, score in pairs]
        # Those of the base retriever need nothing made of them.
        compared = not scored and engine.scorer is None
        scale = NONE if compared else asked.scores
        job = RerankJob(asked.query, documents, top_n, bool(asked.explain), scale, edges)
        kind, most = engine.company(job)
        # What compiles or embeds keeps nobody else waiting.
        lane = self._quick if engine.is_compiled(job) and not job.explain else slow
        results: Ranked = await lane.ask(engine.rerank, job, kind=kind, most=most)
        if compared:
            results.scale = COMPARED
        results[:] = _at_least(asked.min_score, results, "relevance_score")
        if asked.return_documents:
            for result in results:
                result["document"] = _shown(given[result["index"]])
        return results

    async def search(self, asked: SearchRequest) -> list[dict[str, Json]]:
        engine = self.engine
        ranks = engine.system.name
        if asked.ranker not in (None, AUTO, ranks):
            message = f"ranker: {asked.ranker[:100]!r} does not rank here, but {ranks!r}"
            cure = "leave it out, or start a service with --ranker"
            raise HTTPException(422, f"{message}; {cure}")
        job = SearchJob(asked.query, asked.top_n, asked.filter, bool(asked.explain))
        lane = self._slow if job.explain else self._searches
        results: list[dict[str, Json]] = await lane.ask(engine.search, job, most=BATCH)
        return _at_least(asked.min_score, results, "score")

    async def in_time(self, answer: Awaitable[_Answer]) -> _Answer:
        """A request's answer; what keeps it from one becomes a status."""
        try:
            async with asyncio.timeout(self.settings.answer_seconds):
                return await answer
        except Full:
            raise HTTPException(503, "busy: too many requests wait; try again", LATER) from None
        except TimeoutError:
            seconds = self.settings.answer_seconds
            message = f"busy: no answer within {seconds:g} seconds; try again, with less"
            raise HTTPException(503, message, LATER) from None
        except InputError as error:
            raise HTTPException(422, str(error)) from None
        except GrapherError:
            # It may name what this service asks, which is nobody's business.
            log.exception("a request could not be answered")
            message = "base: what scores documents for this service has failed; its log has more"
            raise HTTPException(502, message) from None


def _at_least(
    min_score: float | None, results: list[dict[str, Json]], score: str
) -> list[dict[str, Json]]:
    """Those whose score is no lower; all where none is asked for."""
    return [one for one in results if min_score is None or one[score] >= min_score]


def _answer(ranks: ChosenRanker, results: list[dict[str, Json]], **told: str) -> Response:
    body = {
        "id": secrets.token_hex(16),
        "model": ranks.opened.name,
        "results": results,
        "meta": {"api_version": {"version": "1"}, **told},
    }
    return Response(to_json(body), media_type="application/json")


def _shown(document: Mapping[str, Json]) -> dict[str, Json]:
    kept = {key: value for key, value in document.items() if key != "embedding"}
    return {**kept, "text": document.get("text") or ""}

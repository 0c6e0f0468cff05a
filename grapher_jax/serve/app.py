"""The HTTP application: its paths, and the way from a request to its answer."""

import secrets
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic_core import to_json
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.middleware import Middleware

from grapher_jax import __version__
from grapher_jax.checks import check_path
from grapher_jax.corpus.filters import HOW_COMPARED
from grapher_jax.corpus.keys import KEYS
from grapher_jax.corpus.misspelt import misplaced_keys
from grapher_jax.errors import InputError
from grapher_jax.files import Json
from grapher_jax.rankers.given import textless_told
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.serve import answering, docs_page
from grapher_jax.serve.leaving import while_awaited
from grapher_jax.serve.metrics import Counted, problem
from grapher_jax.serve.middleware import LATER, OPEN_PATHS, Limits, StrictRoute, place_name
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.schema import (
    Document,
    Models,
    Problem,
    ReloadRequest,
    RerankRequest,
    RerankResponse,
    SearchRequest,
    SearchResponse,
    ServedModel,
    TeiRequest,
    TeiResult,
)
from grapher_jax.serve.served import Served
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.serve.service import Service
from grapher_jax.serve.settings import Settings
from grapher_jax.serve.spans import Traced

_PROBLEMS: dict[int | str, dict[str, Json]] = {
    status: {"model": Problem} for status in (400, 401, 403, 408, 413, 415, 422, 500, 502, 503)
}
_LONE = "index"
IndexOrFolder: TypeAlias = Index | ServedFolder | str | Path


def create_app(
    index: IndexOrFolder | Mapping[str, IndexOrFolder],
    reranker: Reranker | Mapping[str, Reranker] | None = None,
    settings: Settings | None = None,
    *,
    warm_up: bool = True,
    watch: bool = False,
) -> FastAPI:
    """Creates the service for one or several indexes, as an ASGI application.

    Args:
        index: an index in memory or the path of its folder. A folder is reopened on
            `POST /v1/reload` or `app.state.ask_reload()`; until the new index is ready, the old one
            answers. For several indexes, a mapping from names, which requests give as `model`.
        reranker: the reranker; by default the one that `auto` takes for each index. One for all, or
            one per name.
        settings: the limits of the service.
        warm_up: compile what most requests need before reporting ready, or using a reopened index.
        watch: also reopen an index when its folder changes.

    Raises:
        InputError: for an unknown ranker, one that needs another embedder than the index's or more
            than candidates; for a folder without index, no index at all, or a token for an unknown
            index.
    """
    if not isinstance(index, Mapping):
        one = _to_serve(index)
        index = {_LONE if isinstance(one, Index) else one.path.absolute().name: one}
    service = Service(_served(index, reranker or Reranker()), settings or Settings())

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with service.running(warm_up=warm_up, watch=watch):
            # For the other processes of a service, if there are any.
            app.state.ready = service.ready
            yield

    app = FastAPI(
        title="grapher-jax",
        version=__version__,
        description="Graph-based reranking for retrieval-augmented generation.",
        # FastAPI's own pages load scripts from other servers.
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
        responses=_PROBLEMS,
    )
    app.state.settings = service.settings
    app.state.ask_reload, app.state.served = service.ask_reload, service.served
    app.state.reloaded = lambda names: None  # tells the other processes of a service
    app.router.route_class = StrictRoute

    _add_answers(app, service)
    _add_state(app, service)
    _add_errors(app)
    if service.settings.tokens:
        _add_security(app)
    paths = frozenset(getattr(route, "path", "") for route in app.routes)
    app.user_middleware = [
        Middleware(Counted, metrics=service.metrics, paths=paths),
        Middleware(Limits, settings=service.settings),
    ]
    if service.lanes.tracer:
        traced = Middleware(Traced, tracer=service.lanes.tracer, paths=paths)
        app.user_middleware.insert(0, traced)
    return app


def _add_security(app: FastAPI) -> None:
    """Adds the token to the description that clients are generated from."""

    def described() -> dict[str, Json]:
        if app.openapi_schema is None:
            schema = FastAPI.openapi(app)
            schema["components"]["securitySchemes"] = {
                "token": {"type": "http", "scheme": "bearer"}
            }
            schema["security"] = [{"token": []}]
            for path in schema["paths"].keys() & {*OPEN_PATHS}:
                schema["paths"][path]["get"]["security"] = []
        return app.openapi_schema or {}

    app.openapi = described  # type: ignore[method-assign]  # as FastAPI has it extended


def _served(
    given: Mapping[str, IndexOrFolder], rerankers: Reranker | Mapping[str, Reranker]
) -> dict[str, Served]:
    """Opens all indexes; if there are several, errors name the index."""
    if not given:
        raise InputError("index: give one at least")
    if not isinstance(rerankers, Reranker) and (missing := [*(given.keys() - rerankers.keys())]):
        raise InputError(f"reranker: there is none for {missing[0]!r}; give one for each index")
    served = {}
    for name, one in zip(given, map(_to_serve, given.values()), strict=True):
        reranker = rerankers if isinstance(rerankers, Reranker) else rerankers[name]
        folder = one if isinstance(one, ServedFolder) else None
        opened = one.open() if isinstance(one, ServedFolder) else one
        served[name] = Served(name, Engine(opened, reranker), reranker, folder)
    return served


def _to_serve(index: IndexOrFolder) -> Index | ServedFolder:
    if isinstance(index, Index | ServedFolder):
        return index
    return ServedFolder(check_path("index", index))


def _add_answers(app: FastAPI, service: Service) -> None:
    """Adds the paths that rank."""

    @app.post("/v2/rerank", response_model=RerankResponse, operation_id="rerank_v2")
    @app.post("/v1/rerank", response_model=RerankResponse, operation_id="rerank")
    async def rerank(asked: RerankRequest, request: Request) -> Response:
        """Rerank documents, with their own scores or with the retriever's."""
        engine = service.choose(request, asked.model).engine
        results = await service.in_time(request, answering.rerank(service.lanes, engine, asked))
        told = [*_told(asked.documents)]
        warnings = {"warnings": told} if told else {}
        return _answer(results.ranker, results, scores=results.scale, **warnings)

    @app.post("/rerank", response_model=list[TeiResult], operation_id="rerank_tei")
    async def rerank_texts(asked: TeiRequest, request: Request) -> Response:
        """Rerank texts, as Text Embeddings Inference does."""
        engine = service.choose(request, asked.model).engine
        documents = [{"text": text} for text in asked.texts]
        given = RerankRequest.model_validate(
            {"query": asked.query, "documents": documents, "ranker": asked.ranker}
        )
        found = []
        for result in await service.in_time(
            request, answering.rerank(service.lanes, engine, given)
        ):
            text = {"text": asked.texts[result["index"]]} if asked.return_text else {}
            found.append({"index": result["index"], "score": result["relevance_score"], **text})
        return Response(to_json(found), media_type="application/json")

    @app.post("/v1/search", response_model=SearchResponse, operation_id="search")
    async def search(asked: SearchRequest, request: Request) -> Response:
        """Ask the index."""
        engine = service.choose(request, asked.model).engine
        results = await service.in_time(request, answering.search(service.lanes, engine, asked))
        unfit = asked.filter and not results and asked.min_score is None
        warnings = {"warnings": [f"filter: no object fits it; {HOW_COMPARED}"]} if unfit else {}
        return _answer(engine.system.reranker.opened.name, results, **warnings)


# Keys that are alike take long to find, and are the worker's to log.
_OF_GRAPHS = frozenset(KEYS.joining)


def _told(documents: Sequence[Document]) -> Iterator[str]:
    """Warnings of keys of the graph beside the metadata of documents, and of blank texts."""
    if misplaced := misplaced_keys(
        (one.get("id") or f"documents[{number}]", {k: v for k, v in one.items() if k in keys})
        for number, one in enumerate(documents)
        if (keys := one.keys() & _OF_GRAPHS)
    ):
        yield f"documents: {misplaced}"
    is_compared = any(one.get("score") is None for one in documents)
    if is_compared and (textless := textless_told(documents)):
        yield textless


def _add_state(app: FastAPI, service: Service) -> None:
    """Adds the paths for the state of the service and its indexes."""

    @app.post("/v1/reload", operation_id="reload", responses={409: {"model": Problem}})
    async def reload(request: Request, asked: ReloadRequest | None = None) -> dict[str, int]:
        """Reopen indexes from their folders; answers when they are in use."""
        if asked and asked.model is not None:
            chosen = [service.choose(request, asked.model)]
        else:
            chosen = [service.served[name] for name in service.names(request)]
        try:
            await while_awaited(request, service.reload(chosen))
        except InputError as error:
            raise HTTPException(409, str(error)) from None
        app.state.reloaded([one.name for one in chosen])
        return {"objects": sum(one.count() for one in chosen)}

    @app.get("/v1/models", response_model=Models, operation_id="models")
    async def models(request: Request) -> Models:
        """The indexes that requests may name as their `model`."""
        opened = [service.served[name] for name in service.names(request)]
        return Models(data=[_model(one) for one in opened])

    def check_whole() -> None:
        if service.broken:
            raise HTTPException(503, "broken: a part of the service ended; start it again")

    # Some load balancers ask for headers alone.
    @app.head("/health/live", include_in_schema=False)
    @app.get("/health/live", operation_id="live")
    async def live() -> dict[str, str]:
        """Whether the process answers; 503 if a part of it has ended."""
        check_whole()
        return {"status": "alive"}

    @app.head("/health", include_in_schema=False)
    @app.get("/health", operation_id="health")
    async def health() -> dict[str, str]:
        """503 while programs are compiled, then `ready`, or `cold` if compilation failed."""
        check_whole()
        if not service.ready.is_set():
            raise HTTPException(503, "starting: programs are being compiled", LATER)
        return {"status": "ready" if service.warm else "cold"}

    @app.get("/metrics", response_class=Response, operation_id="metrics")
    async def metrics(request: Request) -> Response:
        """Metrics for Prometheus, of all indexes."""
        if len(service.names(request)) < len(service.served):
            message = "token: it opens some indexes, and metrics tell of all; send one for all"
            raise HTTPException(403, message)
        return Response(service.metrics.page(), headers={"content-type": CONTENT_TYPE_LATEST})

    @app.get("/docs", response_class=HTMLResponse, operation_id="docs")
    async def docs() -> Response:
        """This page: the paths with their requests and responses."""
        return HTMLResponse(docs_page.render(app.openapi()), headers=docs_page.HEADERS)


# Pydantic's messages that name no cure.
_SAID = {"extra_forbidden": "no field of this request; /docs lists them"}
_OF_STARLETTE = {
    "Not Found": "no such path: /docs lists all",
    "Method Not Allowed": "method: none of this path; /docs lists them",
}


def _add_errors(app: FastAPI) -> None:
    """Adds the answers to requests that fail."""

    @app.exception_handler(InputError)
    async def name_input(request: Request, error: InputError) -> Response:
        return problem(422, str(error))

    @app.exception_handler(StarletteHTTPException)
    async def refuse(request: Request, error: StarletteHTTPException) -> Response:
        told = _OF_STARLETTE.get(error.detail, error.detail)
        return problem(error.status_code, told, error.headers)

    @app.exception_handler(RequestValidationError)
    async def name_fields(request: Request, error: RequestValidationError) -> Response:
        found = error.errors()[:3]
        told = [
            f"{place_name(one['loc'][1:])}: {_SAID.get(one['type'], one['msg'])}" for one in found
        ]
        return problem(422, "; ".join(told))


def _model(served: Served) -> ServedModel:
    ranker = served.engine.system.name
    return ServedModel(id=served.name, created=served.since, objects=served.count(), ranker=ranker)


def _answer(ranker: str, results: list[dict[str, Json]], **told: Json) -> Response:
    body = {
        "id": secrets.token_hex(16),
        "model": ranker,
        "results": results,
        "meta": {"api_version": {"version": "1"}, **told},
    }
    return Response(to_json(body), media_type="application/json")

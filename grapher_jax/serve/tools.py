"""Tools over indexes for the Model Context Protocol: find tables, join them, search, explain.

The indexes do the work; this module defines the inputs and outputs of the tools.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Annotated, Literal, NotRequired

from anyio import create_task_group
from anyio.to_thread import run_sync
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from pydantic import ConfigDict, Field, ValidationError, with_config
from pydantic_core import to_json
from typing_extensions import TypedDict

from grapher_jax import __version__
from grapher_jax.checks import shown
from grapher_jax.corpus.searchable import are_tables
from grapher_jax.errors import GrapherError, InputError, shorten
from grapher_jax.files import Json
from grapher_jax.rankers.hits import Hit
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.search import Index
from grapher_jax.serve.opened import Opened
from grapher_jax.serve.schema import Question
from grapher_jax.tables.context import SchemaContext
from grapher_jax.tables.schema import schema_of

# The maximum tokens of DDL, some hundred tables: more would leave too little room in the model's
# context.
_BUDGET = 8000
# The maximum length of an answer's texts: that of a chunk, and enough of a wide table.
_LONGEST_TEXT, _MOST_SOURCES = 1500, 5
_READ_ONLY = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

_Name = Annotated[str, Field(min_length=1, max_length=1024)]
_Names = Annotated[
    list[_Name], Field(min_length=1, max_length=256, description="Ids or names of tables")
]
_Which = Annotated[_Name | None, Field(description="The index")]
_RESULTS = 10
_Count = Annotated[int, Field(ge=1, le=CANDIDATES, description="How many results")]
_Tables = Annotated[
    Annotated[int, Field(ge=1, le=CANDIDATES)] | Literal["auto"],
    Field(description="How many tables, including bridge tables; auto: as many as needed"),
]
_Budget = Annotated[
    int, Field(ge=1, description="Maximum tokens of DDL; the least needed columns are left out")
]
_Form = Annotated[
    Literal["sql-comments", "ddl", "json"],
    Field(description="One comment line per table, CREATE TABLE statements, or columns as JSON"),
]


@with_config(extra="allow")
class _Column(TypedDict):
    name: str
    type: NotRequired[str]
    key: NotRequired[bool]


@with_config(extra="allow")
class _Table(TypedDict):
    id: str
    bridge: bool
    columns: list[_Column]


class _Schemas(TypedDict):
    index: str
    tables: list[str]
    bridges: Annotated[list[str], Field(description="Tables that connect others")]
    joins: list[str]
    notes: list[str]
    sql: NotRequired[str]
    described: NotRequired[Annotated[list[_Table], Field(description="Only with form json")]]


@with_config(extra="allow")
class _Join(TypedDict):
    on: str
    by: Annotated[str, Field(description="Evidence: declared, or how it was inferred")]


class _Path(TypedDict):
    index: str
    tables: list[str]
    bridges: Annotated[list[str], Field(description="Tables that were not asked for")]
    joins: list[_Join]
    others: Annotated[
        list[list[str]],
        Field(description="Other bridge tables; ask again with some of them for their joins"),
    ]


class _Found(TypedDict):
    rank: int
    id: str
    score: float
    title: str
    text: Annotated[str, Field(description="The beginning of the text")]


class _Results(TypedDict):
    index: str
    results: list[_Found]


class _Source(TypedDict):
    id: str
    share: Annotated[float | None, Field(description="Fraction of the score")]
    relations: list[str]
    joins: list[str]


class _Reasons(TypedDict):
    index: str
    id: str
    rank: int
    base_rank: Annotated[int, Field(description="The rank before reranking")]
    score: float
    ranker: str
    sources: list[_Source]
    left_out: Annotated[int, Field(description="How many smaller sources are left out")]


class _Server(MCPServer):
    async def call_tool(
        self, name: str, arguments: dict[str, Json], context: Context | None = None
    ) -> CallToolResult | InputRequiredResult:
        """The answer of a tool; errors that a caller can correct become one line."""
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            if isinstance(error.__cause__, GrapherError):
                told = str(error.__cause__)
            elif isinstance(error.__cause__, ValidationError):
                wrong = error.__cause__.errors()[:3]
                by_place: dict[str, list[str]] = {}
                for one in wrong:  # of a union, one for each member
                    by_place.setdefault(_place(one["loc"]), []).append(one["msg"])
                told = "; ".join(f"{at}: {', or '.join(own)}" for at, own in by_place.items())
                if any(one["type"] == "extra_forbidden" for one in wrong):
                    tool = next(one for one in await self.list_tools() if one.name == name)
                    told += f"; the arguments are {', '.join(tool.input_schema['properties'])}"
            else:
                raise
            raise ToolError(shorten(" ".join(told.split()))) from error.__cause__


def create_server(indexes: Opened) -> MCPServer:
    """Creates a server with tools over indexes, which are opened when it starts.

    Args:
        indexes: the indexes by name.
    """

    @asynccontextmanager
    async def opening(_: MCPServer) -> AsyncIterator[None]:
        async with create_task_group() as tasks:
            tasks.start_soon(run_sync, indexes.open_all)
            yield

    return _Server(
        "grapher-jax",
        version=__version__,
        instructions=f"Search over the indexes {', '.join(indexes.names)}. In an index of "
        "documents, ask search. In an index of a database, ask find_tables which tables a question "
        "needs and what joins them, then write SQL over what it gives.",
        tools=[_tool(function, indexes.names) for function in _functions(indexes)],
        log_level="WARNING",
        lifespan=opening,
    )


def _tool(function: Callable[..., CallToolResult], indexes: tuple[str, ...]) -> Tool:
    """A tool that accepts only the parameters of its function, with exactly their types."""
    tool = Tool.from_function(function, annotations=_READ_ONLY)
    arguments = tool.fn_metadata.arg_model
    arguments.model_config |= ConfigDict(strict=True, extra="forbid")
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema()
    tool.parameters["properties"]["index"] = {"type": "string", "enum": [*indexes]}
    if len(indexes) > 1:
        tool.parameters["required"].append("index")
    return tool


def _functions(indexes: Opened) -> list[Callable[..., CallToolResult]]:
    def find_tables(
        question: Question,
        index: _Which = None,
        k: _Tables = 10,
        budget: _Budget = _BUDGET,
        form: _Form = "sql-comments",
    ) -> Annotated[CallToolResult, _Schemas]:
        """Find the tables that SQL for a question needs, with bridge tables and joins."""
        name, opened = indexes.get(index)
        found = opened.tables(question, k=k, budget=budget)
        return _schemas(name, found, form)

    def describe_tables(
        tables: _Names, index: _Which = None, budget: _Budget = _BUDGET, form: _Form = "ddl"
    ) -> Annotated[CallToolResult, _Schemas]:
        """Describe named tables: their columns and joins."""
        name, opened = indexes.get(index)
        return _schemas(name, opened.describe_tables(tables, budget=budget), form)

    def join_path(tables: _Names, index: _Which = None) -> Annotated[CallToolResult, _Path]:
        """Find the keys that join given tables, by the fewest bridge tables and by others."""
        name, opened = indexes.get(index)
        path = opened.join_path(tables)
        return _answer(str(path), {"index": name, **path.to_dict()})

    def search(
        question: Question, index: _Which = None, k: _Count = _RESULTS
    ) -> Annotated[CallToolResult, _Results]:
        """Search the index with a question: tables or passages of documents, best first."""
        name, opened = indexes.get(index)
        found = [_found(hit) for hit in opened.search(question, k=k)]
        told = [f"{one['rank']}. {_named(one['id'], one['text'])}" for one in found]
        return _answer("\n\n".join(told), {"index": name, "results": found})

    def explain(
        question: Question,
        id: _Name,  # noqa: A002
        index: _Which = None,
    ) -> Annotated[CallToolResult, _Reasons]:
        """Explain a result's rank for a question: what raised it, and by which edges."""
        name, opened = indexes.get(index)
        hit = _hit(opened, question, id)
        why = hit.explanation
        main = why.main_sources[:_MOST_SOURCES]
        sources = [
            {
                "id": one.id,
                "share": one.share,
                "relations": [*one.relations],
                "joins": [join.text for join in one.joins],
            }
            for one in main
        ]
        told = {"id": hit.id, "rank": hit.rank, "base_rank": hit.base_rank, "score": hit.score}
        told |= {"ranker": why.ranker, "sources": sources}
        told |= {"left_out": why.left_out + len(why.sources) - len(main)}
        text = f"rank {hit.rank}, {hit.base_rank} before reranking\n{replace(why, sources=main)}"
        return _answer(text, {"index": name, **told})

    return [find_tables, describe_tables, join_path, search, explain]


def _place(way: tuple[int | str, ...]) -> str:
    """The location of a value in the input, without the members of unions."""
    return ".".join(str(one) for one in way if isinstance(one, int) or one.isidentifier())


def _answer(text: str, told: dict[str, Json]) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=text)], structured_content=told)


def _schemas(name: str, context: SchemaContext, form: str) -> CallToolResult:
    """The tables in one of the forms, as structured data and as text for the model."""
    notes = [*context.notes, *([context.told_apart] if context.told_apart else [])]
    notes += [
        f"columns left out of {one.table.id}: {', '.join(one.left_out)}"
        for one in context.tables
        if one.left_out
    ]
    told: dict[str, Json] = {
        "index": name,
        "tables": context.ids,
        "bridges": [one.table.id for one in context.tables if one.bridge],
        "joins": [*map(str, context.joins)],
        "notes": notes,
    }
    if form == "json":
        told["described"] = [one.to_dict() for one in context.tables]
        return _answer(to_json(told).decode(), told)
    told["sql"] = sql = context.ddl() if form == "ddl" else context.sql_comments()
    return _answer("\n".join([sql, *(note for note in notes if note not in sql)]), told)


def _found(hit: Hit) -> dict[str, Json]:
    text = hit.text.strip()  # with its lines, which code and lists need
    text = text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} …"
    place = {"rank": hit.rank, "id": hit.id, "score": hit.score}
    return {**place, "title": hit.title, "text": text}


def _named(name: str, text: str) -> str:
    """A text below its id, unless it begins with it, as those of tables do."""
    return text if text.startswith(f"{name}:") else f"{name}\n{text}"


def _hit(index: Index, question: str, name: str) -> Hit:
    """The hit with this id among all ranked ones."""
    if name not in index.rows and are_tables(index.objects):
        name = index.ids[schema_of(index).find(name)]
    if name not in index.rows:
        raise InputError(f"id: {shown(name)} is not in the index; `search` finds ids")
    # As `search` ranks a few, and else as it ranks as many as possible: with other candidates.
    for most in dict.fromkeys((max(index.options.candidates, _RESULTS), CANDIDATES)):
        for hit in index.search(question, k=most):
            if hit.id == name:
                return hit
    raise InputError(
        f"id: {shown(name)} is not among the first {CANDIDATES} results of this question; ask for "
        "what it holds"
    )

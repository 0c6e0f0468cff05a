"""The options that verbs share, and what they are turned into."""

import os
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypedDict

import typer

from grapher_jax.checks import shown
from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.files import Json as JsonValue
from grapher_jax.files import NoJsonError, cache_folder, parse_json
from grapher_jax.graph import MAX_DF, check_edges
from grapher_jax.llm import CONCURRENCY, Llm
from grapher_jax.rankers.options import AUTO_SCALE, DEFAULT_RANKER, RankingOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grapher_jax.corpus import SourceOptions
    from grapher_jax.search import Index
    from grapher_jax.serve.settings import Tokens
    from grapher_jax.systems import System

# What stands of an option where it is declared.
HELP = {field.name: field.metadata.get("help", "") for field in fields(RankingOptions)}
Embedder = Annotated[
    str, typer.Option(help="`offline`, or a sentence-transformers name or path.", metavar="NAME")
]
OwnEmbedder = Annotated[
    str | None,
    typer.Option(
        help="`offline`, or a sentence-transformers name or path; an index has its own.",
        metavar="NAME",
    ),
]
Alpha = Annotated[float | None, typer.Option(help=HELP["alpha"])]
Temperature = Annotated[float | None, typer.Option(help=HELP["temperature"])]
Ranker = Annotated[
    str | None,
    typer.Option(help=f"{HELP['ranker']}; {DEFAULT_RANKER} by default.", metavar="NAME_OR_FOLDER"),
]
Scores = Annotated[str, typer.Option(help=f"{HELP['scores']}.", metavar="SCALE")]
Base = Annotated[str | None, typer.Option(help=f"{HELP['base']}.", metavar="NAME_OR_URL")]
SystemName = Annotated[
    str | None,
    typer.Option(
        "--system",
        help="A published method instead of a ranker and its options: grapher, g-rag, "
        "keyword-graph or query-gnn.",
        metavar="NAME",
    ),
]
CrossEncoder = Annotated[
    str | None,
    typer.Option(
        help="Of keyword-graph: the name or path of a sentence-transformers cross-encoder; by "
        "default the cosine stands in its place.",
        metavar="NAME_OR_PATH",
    ),
]
ENGINES = ("local", "ray")
Engine = Annotated[
    str,
    typer.Option(
        help="`local`, or `ray`: Ray Data, over the cluster of RAY_ADDRESS or on this machine.",
        metavar="NAME",
    ),
]
NO_PLACE_FOR_CROSS_ENCODER = "cross-encoder: of keyword-graph alone; add --system keyword-graph"
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Proximity = Annotated[str | None, typer.Option(help=HELP["proximities"], metavar="NAME,NAME")]
Filter = Annotated[
    list[str] | None,
    typer.Option(
        "--filter",
        help="Only objects with this metadata; the value is read as JSON where it is JSON, but for "
        "document_id, db, table and amr, which are strings. "
        'Or a filter as JSON, such as {"year": {"$gte": 2020}}. '
        "May be given several times; then all must hold.",
        metavar="KEY=VALUE",
    ),
]
Expand = Annotated[
    bool | None,
    typer.Option(
        "--expand/--no-expand",
        help="Let objects one step from the best join; by default where auto's choice gains by it.",
    ),
]
ExpandBy = Annotated[
    str | None,
    typer.Option(help="The same, by these proximities.", metavar="NAME,NAME"),
]
MinScore = Annotated[
    float | None, typer.Option(help="Leave out results whose score, the ranker's, is lower.")
]
Weight = Annotated[list[str] | None, typer.Option(help=HELP["weights"], metavar="PROXIMITY=W")]
Candidates = Annotated[
    int | None,
    typer.Option(
        help="How many objects the retriever returns to be ranked; 200, or what the index says."
    ),
]
LexicalWeight = Annotated[
    float | None,
    typer.Option(
        help="Weight of BM25, in [0, 1]; the rest goes to the cosine. By default 0.2 for tables "
        "and 0.3 for all else, or what the index says."
    ),
]
LexicalNorm = Annotated[
    str | None,
    typer.Option(
        help="How BM25 comes to [0, 1]: min-max, or max, divided by it alone; min-max, or what the "
        "index says.",
        metavar="NAME",
    ),
]
MaxDf = Annotated[int, typer.Option(help=f"{HELP['max_df']}; 0 lets all connect.")]
Source = Annotated[
    str, typer.Argument(help="A BEIR folder, a folder of documents, or a database URL.")
]
ChunkTokens = Annotated[
    int | None, typer.Option(help="Of documents: the most tokens of a chunk; 200.")
]
OverlapTokens = Annotated[
    int | None, typer.Option(help="Of documents: the most tokens that two chunks share; 40.")
]
Schema = Annotated[
    list[str] | None,
    typer.Option(
        help="Of databases: read this schema alone; may be given several times. All by default, of "
        "MySQL and MariaDB the URL's database.",
        metavar="NAME",
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option(
        help="Of databases: read only tables whose id or bare name fits; may be given several "
        "times.",
        metavar="GLOB",
    ),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        help="Of databases: leave out tables whose id or bare name fits; may be given several "
        "times.",
        metavar="GLOB",
    ),
]
NoViews = Annotated[bool, typer.Option("--no-views", help="Of databases: leave out views.")]
InferKeys = Annotated[
    str,
    typer.Option(
        help="Of databases: infer keys that nobody declared from names and views: always, "
        "parts (by names, between few parts that declared keys leave), never, or auto (parts, but "
        "always where none or few are declared). Of a BEIR folder of tables, auto is parts.",
        metavar="MODE",
    ),
]
QueriesFrom = Annotated[
    Path | None,
    typer.Option(help="Of tables: infer keys from the joins of this file of SQL statements."),
]
DbtManifest = Annotated[
    Path | None,
    typer.Option(help="Of tables: infer keys from the relationship tests of dbt's manifest.json."),
]
Keys = Annotated[
    Path | None,
    typer.Option(
        help="Of tables: a YAML file, a list of keys with table, columns, references and "
        "referenced_columns."
    ),
]
EdgesFile = Annotated[
    Path | None,
    typer.Option(
        help="Edges of your own, a YAML or JSON file: keys of the metadata with reference, shared, "
        "weighted or, of two keys such as thread,position, sequence."
    ),
]
_WHICH_QRELS = typer.Option(help="Which qrels: the name of a file in qrels/.")
Split = Annotated[str, _WHICH_QRELS]
SplitIfAny = Annotated[str | None, _WHICH_QRELS]
OwnQuestions = Annotated[
    Path | None,
    typer.Option(
        help='Judged questions of your own, JSON Lines: {"question": "…", "relevant": ["id", …]}, '
        "perhaps with an id and a filter."
    ),
]
Results = Annotated[int, typer.Option("-k", help="How many results.")]
TOKEN = "GRAPHER_JAX_TOKEN"  # noqa: S105 - a name
TokenFile = Annotated[
    Path | None,
    typer.Option(
        help=f"Holds the tokens that requests must bear, one a line; by default {TOKEN}, or none. "
        "Of several indexes, the names of those that a token opens may stand behind it: "
        "`TOKEN NAME,NAME`.",
        metavar="FILE",
    ),
]
Model = Annotated[str, typer.Option(help="The language model, as the endpoint names it.")]
Endpoint = Annotated[
    str | None,
    typer.Option(
        help="Any OpenAI-compatible endpoint, such as http://localhost:8000/v1; "
        "by default OPENAI_BASE_URL, or OpenAI's. The key is read from OPENAI_API_KEY.",
        metavar="URL",
    ),
]
Timeout = Annotated[float, typer.Option(help="Seconds to wait for an answer.")]
Replies = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        help="Where usable replies are kept; by default in the user's cache folder.",
    ),
]
PriceIn = Annotated[float, typer.Option(min=0, help="Of a million tokens in.")]
PriceOut = Annotated[float, typer.Option(min=0, help="Of a million tokens out.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask whether the cost is fine.")]
Confidence = Annotated[
    float | None,
    typer.Option(
        help="The least that the best passage's cosine with the question must be, from -1 to 1; "
        "0.3. Below it the model is not asked."
    ),
]


def open_llm(
    model: str, endpoint: str | None, timeout: float, workers: int | None, cache: Path | None
) -> Llm:
    """The language model, its replies kept in the user's cache folder."""
    return Llm(
        model,
        endpoint=endpoint,
        timeout=timeout,
        concurrency=workers or CONCURRENCY,
        cache=cache or cache_folder() / "llm.jsonl",
    )


def given_tokens(file: Path | None) -> "Tokens | None":
    """The tokens of a file, else of the environment; None where there is neither.

    Raises:
        InputError: where the file cannot be read, or as `read_tokens`.
    """
    from grapher_jax.serve.settings import read_tokens

    if file is None:
        return read_tokens(os.environ[TOKEN]) if TOKEN in os.environ else None
    try:
        return read_tokens(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"token-file: {file} cannot be read: {error}") from error


def check_engine(name: str) -> None:
    """Raise InputError for an unknown engine."""
    if name not in ENGINES:
        raise InputError(f"engine: {name!r} is unknown; use {', '.join(ENGINES)}")


def check_failures(count: int, out: Path) -> None:
    """Fail where some objects or documents did; what was written stays."""
    from grapher_jax.corpus.beir import FAILURES

    if count:
        raise GrapherError(
            f"failures: {count}, listed in {out / FAILURES}; all else is written. The same "
            "command tries them again; what an LLM has answered it is not asked again"
        )


class Retrieving(TypedDict):
    """What was given of how candidates are found."""

    candidates: int | None
    lexical_weight: float | None
    lexical_norm: str | None
    expand: bool | list[str] | None


class Ranking(TypedDict):
    """What was given of how they are ranked."""

    alpha: float | None
    temperature: float | None
    proximities: list[str] | None
    weights: dict[str, float] | None
    max_df: int | None
    scores: str
    base: str | None
    edges: "Mapping[str, str] | None"


def given_retrieval(
    candidates: int | None,
    lexical_weight: float | None,
    lexical_norm: str | None,
    expand: bool | None = None,
    expand_by: str | None = None,
) -> Retrieving:
    """The options of a retriever, as Python takes them."""
    if expand is False and expand_by:
        raise InputError("expand-by: --no-expand lets none join; leave out one of the two")
    return {
        "candidates": candidates,
        "lexical_weight": lexical_weight,
        "lexical_norm": lexical_norm,
        "expand": listed_names(expand_by) or expand,
    }


def given_ranking(
    alpha: float | None,
    temperature: float | None,
    proximity: str | None,
    weight: list[str] | None,
    max_df: int,
    scores: str = AUTO_SCALE,
    base: str | None = None,
    index: str | Path | None = None,
) -> Ranking:
    """The options of a ranker, as Python takes them; the edges are those of the index."""
    from grapher_jax.index import read_edges

    return {
        "alpha": alpha,
        "temperature": temperature,
        "proximities": listed_names(proximity),
        "weights": proximity_weights(weight),
        "max_df": max_df or None,
        "scores": scores,
        "base": base,
        "edges": None if index is None else read_edges(index) or None,
    }


def edges_of_file(file: Path | None) -> dict[str, str] | None:
    """Edges of one's own, of a file of YAML or JSON; None where none is given.

    Raises:
        InputError: where the file cannot be read, or has anything else.
    """
    if file is None:
        return None
    yaml = require("yaml")
    try:
        return check_edges(yaml.safe_load(file.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise InputError(f"edges: {file} cannot be read: {error}") from error


def proximity_weights(pairs: list[str] | None) -> dict[str, float] | None:
    """`PROXIMITY=W` pairs; what they may be, `RankingOptions` checks."""
    weights = {}
    for pair in pairs or []:
        name, _, value = pair.partition("=")
        try:
            weights[name] = float(value)
        except ValueError:
            raise InputError(
                f"weight: {shown(pair)} must be PROXIMITY=W, such as foreign_key=2"
            ) from None
    return weights or None


def choose_ranking(
    name: str | None,
    k: int,
    ranker: str | None,
    ranks: Ranking,
    retrieves: Retrieving,
    cross_encoder: str | None = None,
) -> "System":
    """The system of that name, or a ranker with its options behind the base retriever."""
    from grapher_jax.rerank import Reranker
    from grapher_jax.systems import System, choose_system

    if name:
        given = decided_by_systems(ranks, retrieves)
        return choose_system(name, cross_encoder=cross_encoder, ranker=ranker, **given)
    if cross_encoder:
        raise InputError(NO_PLACE_FOR_CROSS_ENCODER)
    reranker = Reranker(ranker=ranker or DEFAULT_RANKER, **ranks)
    return System.from_reranker(reranker, k=k, **retrieves)


def decided_by_systems(ranks: Ranking, retrieves: Retrieving) -> dict[str, object]:
    """What was asked for that a system decides, under the names of the command line."""
    expand = retrieves["expand"]
    return {
        "alpha": ranks["alpha"],
        "temperature": ranks["temperature"],
        "proximity": ranks["proximities"],
        "weight": ranks["weights"],
        "max-df": None if ranks["max_df"] == MAX_DF else ranks["max_df"] or 0,
        "scores": None if ranks["scores"] == AUTO_SCALE else ranks["scores"],
        "base": ranks["base"],
        "candidates": retrieves["candidates"],
        "lexical-weight": retrieves["lexical_weight"],
        "lexical-norm": retrieves["lexical_norm"],
        "expand" if isinstance(expand, bool) else "expand-by": expand,
    }


def ranking_name(chosen: "System", system: str | None, index: "Index") -> dict[str, str]:
    """What a report calls the ranking; of `auto`, what it takes over the index, and why."""
    if system:
        return {"ranker": system, "system": system}
    choice = chosen.choice(index)
    return {"ranker": chosen.reranker.name} if choice is None else vars(choice)


def concept_names(chosen: "System", index: "Index") -> dict[str, str]:
    """What concepts are, where the ranking rests on them."""
    from grapher_jax.systems.g_rag.concepts import concept_source

    reads = chosen.reranker.opened.needs.frequencies
    return {"concepts": concept_source(index)} if reads else {}


def listed_names(listed: str | None) -> list[str] | None:
    """The names of a list with commas."""
    return [name.strip() for name in listed.split(",")] if listed else None


def source_settings(
    chunk_tokens: int | None,
    overlap_tokens: int | None,
    schema: list[str] | None,
    include: list[str] | None,
    exclude: list[str] | None,
    no_views: bool,
) -> "SourceOptions":
    """What was given of how a source is read."""
    settings: SourceOptions = {
        "schemas": schema or (),
        "include": include or (),
        "exclude": exclude or (),
        "views": not no_views,
    }
    if chunk_tokens is not None:
        settings["chunk_tokens"] = chunk_tokens
    if overlap_tokens is not None:
        settings["overlap_tokens"] = overlap_tokens
    return settings


def key_settings(
    infer_keys: str, queries_from: Path | None, dbt_manifest: Path | None, keys: Path | None
) -> "SourceOptions":
    """What was given of keys that nobody declared."""
    return {
        "infer_keys": infer_keys,
        "queries_from": queries_from,
        "dbt_manifest": dbt_manifest,
        "keys": keys,
    }


def metadata_filter(given: list[str] | None) -> dict[str, JsonValue]:
    """The filter of all that was given, each `KEY=VALUE` or a JSON object."""
    filters = [_one_filter(text) for text in given or []]
    return {"$and": filters} if len(filters) > 1 else next(iter(filters), {})


def _one_filter(text: str) -> dict[str, JsonValue]:
    """A filter; the value of a pair is read as JSON where the key allows it."""
    from grapher_jax.corpus.keys import KEYS

    key, separator, value = text.partition("=")
    try:
        if text.startswith("{"):
            with suppress(NoJsonError):
                whole: dict[str, JsonValue] = parse_json(text)
                return whole
        wanted = value if KEYS.is_text(key) else parse_json(value)
    except NoJsonError:
        wanted = value
    except ValueError as error:
        raise InputError(
            f"filter: {shown(text)} cannot be used ({error}); put a string in quotes"
        ) from error
    if not separator:
        raise InputError(f"filter: {text!r} must be KEY=VALUE, or a JSON object")
    return {key: wanted}

"""What the options of a verb gave, as the Python interface takes it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from grapher_jax.checks import check_choice, shown
from grapher_jax.command_line.options import TOKEN
from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.files import Json, NoJsonError, cache_folder, parse_json, read_option
from grapher_jax.graph import MAX_DF, check_edges
from grapher_jax.llm import CONCURRENCY, Llm
from grapher_jax.rankers.options import AUTO_SCALE, DEFAULT_RANKER

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grapher_jax.corpus import SourceOptions
    from grapher_jax.retrieve.options import Finding
    from grapher_jax.search import Index
    from grapher_jax.serve.settings import Tokens
    from grapher_jax.systems import System

NO_PLACE_FOR_CROSS_ENCODER = "cross-encoder: of keyword-graph alone; add --system keyword-graph"


def open_llm(
    model: str, endpoint: str | None, timeout: float, workers: int | None, cache: Path | None
) -> Llm:
    """Open the language model; its replies are cached in the user's cache folder by default."""
    return Llm(
        model,
        endpoint=endpoint,
        timeout=timeout,
        concurrency=CONCURRENCY if workers is None else workers,
        cache=cache or cache_folder() / "llm.jsonl",
    )


def given_tokens(file: Path | None) -> "Tokens | None":
    """The tokens from a file, else from the environment; None if there is neither.

    Raises:
        InputError: if the file cannot be read, or as `read_tokens`.
    """
    from grapher_jax.serve.settings import read_tokens

    if file is None:
        return read_tokens(os.environ[TOKEN]) if TOKEN in os.environ else None
    return read_tokens(read_option("token-file", file, "a file of tokens"))


def check_engine(name: str) -> None:
    """Raise InputError for an unknown engine."""
    check_choice("engine", name, ("local", "ray"))


def check_failures(count: int, out: Path) -> None:
    """Raise GrapherError if some objects or documents failed; the written files stay."""
    from grapher_jax.corpus.beir import FAILURES

    if count:
        raise GrapherError(
            f"failures: {count}, listed in {out / FAILURES}; all else is written. The same "
            "command tries them again; what an LLM has answered it is not asked again"
        )


class Ranking(TypedDict):
    """The given options of ranking."""

    alpha: float | None
    temperature: float | None
    proximities: list[str] | None
    weights: dict[str, float] | None
    max_df: int | None
    scores: str
    base: str | None
    edges: "Mapping[str, str] | None"


def given_finding(
    candidates: int | None,
    lexical_weight: float | None,
    lexical_norm: str | None,
    title_weight: float | None,
    expand: bool | None = None,
    expand_by: str | None = None,
) -> "Finding":
    """The options of the retriever, as the Python interface takes them."""
    if expand is False and expand_by:
        raise InputError("expand-by: --no-expand lets none join; leave out one of the two")
    return {
        "candidates": candidates,
        "lexical_weight": lexical_weight,
        "lexical_norm": lexical_norm,
        "title_weight": title_weight,
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
    """The options of the ranker, as the Python interface takes them, with the index's edges."""
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
    """Edges of your own from a YAML or JSON file; None without a file.

    Raises:
        InputError: if the file cannot be read, or contains anything but edges.
    """
    if file is None:
        return None
    yaml = require("yaml")
    text = read_option("edges", file, "a YAML or JSON file")
    try:
        return check_edges(yaml.safe_load(text))
    except (yaml.YAMLError, RecursionError) as error:
        raise InputError(f"edges: {file} cannot be read: {error}") from error


def proximity_weights(pairs: list[str] | None) -> dict[str, float] | None:
    """Parse `PROXIMITY=W` pairs; `RankingOptions` checks the names and values."""
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
    retrieves: "Finding",
    cross_encoder: str | None = None,
) -> "System":
    """The system with this name, or a ranker with its options after the base retriever."""
    from grapher_jax.rerank import Reranker
    from grapher_jax.systems import System, choose_system

    if name:
        given = decided_by_systems(ranks, retrieves)
        return choose_system(name, cross_encoder=cross_encoder, ranker=ranker, **given)
    if cross_encoder:
        raise InputError(NO_PLACE_FOR_CROSS_ENCODER)
    reranker = Reranker(ranker=ranker or DEFAULT_RANKER, **ranks)
    return System.from_reranker(reranker, k=k, **retrieves)


def decided_by_systems(ranks: Ranking, retrieves: "Finding") -> dict[str, object]:
    """The given options that a system decides itself, by their command-line names."""
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
        "title-weight": retrieves["title_weight"],
        "expand" if isinstance(expand, bool) else "expand-by": expand,
    }


def ranking_name(chosen: "System", system: str | None, index: "Index") -> dict[str, str]:
    """The name of the ranking in reports; for `auto`, the ranker taken for the index, and why."""
    if system:
        return {"ranker": system, "system": system}
    choice = chosen.choice(index)
    if choice is None:
        return {"ranker": chosen.reranker.name}
    return {"ranker": choice.ranker, "because": choice.because}


def concept_names(chosen: "System", index: "Index") -> dict[str, str]:
    """What the concepts are, if the ranking uses concepts."""
    from grapher_jax.systems.g_rag.concepts import concept_source

    reads = chosen.reranker.opened.needs.frequencies
    return {"concepts": concept_source(index)} if reads else {}


def listed_names(listed: str | None) -> list[str] | None:
    """The names in a comma-separated list."""
    return [name.strip() for name in listed.split(",")] if listed else None


def source_settings(
    chunk_tokens: int | None,
    overlap_tokens: int | None,
    reader: str,
    schema: list[str] | None,
    include: list[str] | None,
    exclude: list[str] | None,
    no_views: bool,
    copies: bool,
) -> "SourceOptions":
    """The given options of how a source is read."""
    settings: SourceOptions = {
        "reader": reader,
        "schemas": schema or (),
        "include": include or (),
        "exclude": exclude or (),
        "views": not no_views,
        "copies": copies,
    }
    if chunk_tokens is not None:
        settings["chunk_tokens"] = chunk_tokens
    if overlap_tokens is not None:
        settings["overlap_tokens"] = overlap_tokens
    return settings


def key_settings(
    infer_keys: str, queries_from: Path | None, dbt_manifest: Path | None, keys: Path | None
) -> "SourceOptions":
    """The given options of how undeclared foreign keys are inferred."""
    return {
        "infer_keys": infer_keys,
        "queries_from": queries_from,
        "dbt_manifest": dbt_manifest,
        "keys": keys,
    }


def metadata_filter(given: list[str] | None) -> dict[str, Json]:
    """Combine all given filters, each `KEY=VALUE` or a JSON object."""
    filters = [_one_filter(text) for text in given or []]
    return {"$and": filters} if len(filters) > 1 else next(iter(filters), {})


def _one_filter(text: str) -> dict[str, Json]:
    """Parse one filter; the value of a pair is read as JSON if the key allows it."""
    from grapher_jax.corpus.keys import KEYS

    key, separator, value = text.partition("=")
    try:
        if text.startswith("{"):
            with suppress(NoJsonError):
                whole: dict[str, Json] = parse_json(text)
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


def check_page(out: Path) -> None:
    """Raise InputError if an HTML page would replace a folder, or a file that is no page."""
    begin = _begin_of(out)
    if begin and not begin.lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise InputError(f"{out}: exists and is not an HTML page; give another --out")


def check_by_question(out: Path) -> None:
    """Raise InputError if results by question would replace anything but earlier ones."""
    begin = _begin_of(out)
    if begin and b'"results": [' not in begin.partition(b"\n")[0]:
        raise InputError(f"{out}: exists and holds something else; give another --by-question")


def _begin_of(out: Path) -> bytes:
    """The beginning of a file that would be replaced; empty if there is none."""
    if out.is_dir():
        raise InputError(f"{out}: is a folder; give a file")
    if not out.is_file():
        return b""
    with out.open("rb") as file:
        return file.read(1 << 20)

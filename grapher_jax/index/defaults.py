"""The retrieval options that an index has by default."""

from collections.abc import Sequence
from dataclasses import replace

from grapher_jax.corpus import Object
from grapher_jax.corpus.searchable import are_tables
from grapher_jax.errors import warn
from grapher_jax.retrieve import Embedder, RetrievalOptions
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.retrieve.options import OF_TABLES, OF_TEXTS
from grapher_jax.text import spread

# The weight of BM25 where the embedder has not learned the script of the texts. Of 38 questions
# on Chinese, Japanese and Arabic documents, 0.8 to 1 gave nearly the same results.
_BY_WORDS = 0.9
# How much of a text is looked at.
_LETTERS = 300


def default_options(
    objects: Sequence[Object], texts: Sequence[str], embedder: Embedder, *, given: bool
) -> RetrievalOptions:
    """The options for a corpus: those of tables or of texts, and mostly by words for some scripts.

    Args:
        objects: the corpus.
        texts: what is searched of each object.
        embedder: the embedder of the index.
        given: whether the weight of BM25 is given, and so need not be found.
    """
    options = OF_TABLES if are_tables(objects) else OF_TEXTS
    if given or embedder.name != OfflineEmbedder.name or not _mostly_unlearned(texts):
        return options
    warn(
        "embedder: 'offline' has not learned the script of most texts, so BM25 decides "
        f"(lexical_weight {_BY_WORDS}, not {options.lexical_weight}); a multilingual "
        "sentence-transformers model would find more"
    )
    return replace(options, lexical_weight=_BY_WORDS)


def _mostly_unlearned(texts: Sequence[str]) -> bool:
    """Whether most letters are neither Latin nor Greek nor Cyrillic."""
    letters = [letter for text in spread(texts) for letter in text[:_LETTERS] if letter.isalpha()]
    others = sum("\u0530" <= letter < "\u1e00" or letter >= "\u2e80" for letter in letters)
    return 2 * others > len(letters)

"""What a network reads of the names of tables and columns: words, and their meanings."""

from collections.abc import Callable, Container, Mapping, Sequence

from jaxtyping import Float, Int
from numpy import ndarray

from grapher_jax.retrieve.collection import Collection
from grapher_jax.systems.grapher.meanings import meaning_features
from grapher_jax.systems.grapher.words import OF_NAMES, word_features

_READINGS: Mapping[str, Callable[..., Float[ndarray, "B n w"]]] = {
    "words": word_features,
    "meanings": meaning_features,
}


def name_features(
    collection: Collection,
    questions: Sequence[str],
    rows: Int[ndarray, "B n"],
    *,
    inputs: Container[str] = tuple(_READINGS),
) -> dict[str, Float[ndarray, "B n w"] | None]:
    """The `words` and `meanings` of candidates, see `word_features` and `meaning_features`.

    Where a question's words have no meanings, as in Chinese, and no name of a table or column has
    any of them, both are 0: networks have learned to rank without names, but not from names and
    comments in different languages.

    Args:
        collection: the collection of which candidates are rows; it caches what is read.
        questions: B texts.
        rows: `[B, n]` the candidates, best first; -1 for none.
        inputs: what a network reads; what it does not is None.
    """
    found: dict[str, Float[ndarray, "B n w"] | None] = dict.fromkeys(_READINGS)
    chosen = [name for name in _READINGS if name in inputs]
    texts = [collection.asked(question) for question in questions] if chosen else []
    found |= {name: _READINGS[name](collection, texts, rows) for name in chosen}
    words, meanings = found["words"], found["meanings"]
    if words is not None and meanings is not None:
        words[~meanings.any((1, 2)) & ~words[..., OF_NAMES].any((1, 2))] = 0
    return found

"""Aliases: entity names with the same meaning, which are all written as one name.

Names are compared across the whole corpus, before any object is changed. Two names are aliases in
three cases: they have the same letters (`U.S.` and `US`); one is the initials of the other and an
object has both; or their embeddings and their spellings (by RapidFuzz) are near, and both have the
same numbers, because `World War I` is not `World War II`.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.errors import require
from grapher_jax.files import Json
from grapher_jax.retrieve import shared_embedder
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.text import STOP_WORDS, normalise, readable, tokenize

# The minimum cosine of two names, and RapidFuzz's minimum ratio of their letters.
MIN_COSINE, MIN_RATIO = 0.6, 90
_NUMBER = re.compile(r".*\d.*|[ivxlcdm]+")
# The maximum number of pairs of names that are compared at once.
_CELLS = 1 << 24
# The signs and numbers by which names of the same letters differ: C, C++ and C#, .NET and net.
_DECISIVE = re.compile(r"[0-9]+|[+#]|^\.")


@dataclass(frozen=True)
class Aliases:
    """An enricher that replaces each entity by the name that `find_aliases` chose.

    Attributes:
        names: the chosen name, by the normalised name.
    """

    names: Mapping[str, str]

    name = "aliases"
    # Questions have entities, too.
    questions = True

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide the result."""
        told = json.dumps(sorted(self.names.items())).encode()
        return {"names": hashlib.sha256(told).hexdigest()}

    def __call__(self, item: Object, /) -> Object:
        """The object with replaced names in `metadata.entities`, without repeats."""
        if not (entities := item.metadata.get("entities")):
            return item
        written: dict[str, str] = {}
        for entity in entities:
            other = self.names.get(normalise(entity), entity)
            written.setdefault(normalise(other), other)
        return replace(item, metadata={**item.metadata, "entities": [*written.values()]})


def find_aliases(
    objects: Iterable[Object], *, embedder: str = "offline", progress: Progress = no_progress
) -> dict[str, str]:
    """For each normalised name, the name to write instead, if different.

    Initials are replaced by the whole name, other names by the one that most objects have. All
    pairs of names are compared by embedding, so the time grows with the square of their number.

    Args:
        objects: with `metadata.entities`, read once.
        embedder: `offline`, or a sentence-transformers name or path.
        progress: called with the number of newly compared names.

    Raises:
        InputError: if there is no such embedder.
        MissingExtraError: if RapidFuzz, or a package that the embedder needs, is not installed.
    """
    ratio = require("rapidfuzz").fuzz.ratio
    owners, spelling = _names(objects)
    # The most frequent names first.
    names = sorted(owners, key=lambda name: (-len(owners[name]), -len(name), name))
    other = _of_the_same_letters(names)
    other |= _of_initials([name for name in names if name not in other], owners)
    left = [name for name in names if name not in other]
    if left:
        vectors = shared_embedder(embedder).embed_objects([*map(readable, left)])
        other |= _of_near_spelling(left, vectors, ratio, progress)

    def whole(name: str) -> str:
        return whole(other[name]) if name in other else name

    return {name: spelling[whole(name)] for name in other}


def _names(objects: Iterable[Object]) -> tuple[dict[str, set[int]], dict[str, str]]:
    """For every normalised name, the objects that have it, and its first spelling."""
    owners: dict[str, set[int]] = {}
    spelling: dict[str, str] = {}
    for number, item in enumerate(objects):
        for entity in item.metadata.get("entities", []):
            if name := normalise(entity):
                owners.setdefault(name, set()).add(number)
                spelling.setdefault(name, entity)
    return owners, spelling


def _letters(name: str) -> str:
    """A name without accents, punctuation and spaces."""
    decomposed = unicodedata.normalize("NFKD", name)
    return "".join(tokenize("".join(c for c in decomposed if not unicodedata.combining(c))))


def _of_the_same_letters(names: Sequence[str]) -> dict[str, str]:
    first: dict[tuple[str, ...], str] = {}
    pairs = ((name, _letters(name)) for name in names)
    found = {
        name: first.setdefault((own, *_DECISIVE.findall(name)), name)
        for name, own in pairs
        if not own.isdigit() and own
    }
    return {name: other for name, other in found.items() if name != other}


def _of_initials(names: Sequence[str], owners: Mapping[str, set[int]]) -> dict[str, str]:
    """For initials, with or without words such as `of`, the whole name in the same object."""
    by_initials: dict[str, list[str]] = {}
    for name in names:
        words = tokenize(name)
        for some in {(*words,), tuple(word for word in words if word not in STOP_WORDS)}:
            # Single letters, as in `U.S.`, are their own initials.
            if 1 < len(some) < len("".join(words)):
                by_initials.setdefault("".join(word[0] for word in some), []).append(name)
    found = {}
    for name in names:
        wholes = by_initials.get(_letters(name), ())
        if beside := [whole for whole in wholes if owners[whole] & owners[name]]:
            found[name] = beside[0]
    return found


def _of_near_spelling(
    names: Sequence[str],
    vectors: Float[ndarray, "N d"],
    ratio: Callable[[str, str], float],
    progress: Progress,
) -> dict[str, str]:
    found: dict[str, str] = {}
    words = [tokenize(name) for name in names]
    numbers = [
        [*(word for word in own if _NUMBER.fullmatch(word)), *_DECISIVE.findall(name)]
        for own, name in zip(words, names, strict=True)
    ]
    at_once = max(1, _CELLS // max(1, len(names)))
    for start in range(0, len(names), at_once):
        end = start + at_once
        cosines = vectors[start:end] @ vectors[:end].T
        for place, near in enumerate(cosines, start=start):
            before = np.flatnonzero(near[:place] >= MIN_COSINE)
            for other in before[np.argsort(-near[before], kind="stable")].tolist():
                # A chain of similar names would join two names that are not similar.
                if names[other] in found or numbers[other] != numbers[place]:
                    continue
                if ratio(" ".join(words[other]), " ".join(words[place])) >= MIN_RATIO:
                    found[names[place]] = names[other]
                    break
        progress(len(cosines))
    return found

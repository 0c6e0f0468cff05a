"""Candidates as callers give them: texts, dicts, objects of any library, pairs with a score."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
from jaxtyping import Float
from numpy import ndarray

from grapher_jax.checks import check_text, finite, shown
from grapher_jax.errors import InputError, warn
from grapher_jax.files import Json
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.retrieve.scorers import Scorer, textless
from grapher_jax.retrieve.unscored import Similarities, Unscored, similarities
from grapher_jax.shapes import candidate_bucket
from grapher_jax.text import READING

Given = Mapping[str, Json]
# The names of a candidate's keys in BEIR, LangChain, Haystack, LlamaIndex and rerankers.
_ALSO: Mapping[str, tuple[str, ...]] = {
    "id": ("_id", "id_", "doc_id"),
    "text": ("page_content", "content"),
    "metadata": ("meta",),
}
# The name of a score in reranking services, and in the metadata of LangChain's documents.
_SCORE = "relevance_score"
# The names for dicts, such as rows of a search engine; attributes of these names may be anything.
_ALSO_IN_DICTS = {
    **_ALSO,
    "text": (*_ALSO["text"], "body"),
    "score": (_SCORE, "similarity", "_score"),
}
# In a request, an id may be that of a whole document, which several chunks have.
_ALSO_OF_REQUESTS = {key: _ALSO_IN_DICTS[key] for key in ("text", "score")}
# What a text and a score can be; of other keys, another type is an error.
_FITS: Mapping[str, Callable[[object], bool]] = {
    "text": lambda value: isinstance(value, str),
    "score": lambda value: finite(value) is not None,
}
_KEYS = ("id", "title", "text", "score", "metadata", "embedding")
_TEXTS = ("text", *_ALSO["text"])
_CURE = (
    'give a text, a dict with a text or an id, such as {"id": "orders", "score": 0.9}, an object '
    "that has a text, page_content or content, or a pair of one of these and its score"
)


def as_candidates(given: Sequence[object], number: int) -> list[Given]:
    """One question's candidates as dicts: each with an `id` and a `score`, which may be None.

    Args:
        given: texts, dicts, objects with a `text`, `page_content` or `content`, or pairs of one of
            these and a score; a candidate without an id is called by its place,
            `documents[0]`, with `'` added if another one has that id.
        number: the number of the question, from 0.

    Raises:
        InputError: naming the candidate, for any other type, an id that is not a string or is
            repeated, or a score that is not a finite number.
    """

    def wrong(place: int, message: str) -> InputError:
        return InputError(f"candidate {place + 1} of question {number + 1}: {message}")

    found: list[Given] = []
    seen: set[str] = set()
    for place, one in enumerate(given):
        candidate = _as_mapping(one)
        if candidate is None:
            raise wrong(place, f"{_CURE}, not {shown(one)}")
        identity = candidate.get("id")
        if identity is not None and (not isinstance(identity, str) or not identity):
            raise wrong(place, f"id must be a string that is not empty, not {shown(identity)}")
        if identity in seen:
            raise wrong(place, f"id {shown(identity)} stands in the list twice")
        if isinstance(identity, str):
            seen.add(identity)
        score = candidate.get("score")
        if score is not None and (score := finite(score)) is None:
            told = f"score must be a finite number, not {shown(candidate['score'])}; float32 must "
            raise wrong(place, f"{told}hold it")
        found.append({**candidate, "score": score})
    return [
        one if one.get("id") is not None else {**one, "id": free_id(place, seen)}
        for place, one in enumerate(found)
    ]


def free_id(place: int, taken: Set[str | None]) -> str:
    """An id for a document without one that no other document has."""
    name = f"documents[{place}]"
    while name in taken:
        name += "'"
    return name


def _as_mapping(given: object) -> Given | None:
    """A candidate as a dict with our keys; None if it is not a candidate."""
    if isinstance(given, str):
        return {"text": given}
    # A named tuple is treated as an object with attributes.
    if isinstance(given, tuple | list) and type(given) in (tuple, list) and len(given) == 2:
        of_first = _as_mapping(given[0])
        return None if of_first is None else {**of_first, "score": given[1]}
    if isinstance(given, Mapping):
        return with_our_names(given, _ALSO_IN_DICTS)
    # Something with only an id or a score is not a document: a class, a module, a number.
    if isinstance(given, type) or not any(isinstance(_read(given, name), str) for name in _TEXTS):
        return None
    read = {key: _read(given, key) for key in (*_KEYS, *(n for own in _ALSO.values() for n in own))}
    named = with_our_names({key: value for key, value in read.items() if value is not None}, _ALSO)
    kept = {key: named[key] for key in _KEYS if key in named}
    metadata = kept.get("metadata")
    if "score" not in kept and isinstance(metadata, Mapping):
        kept["score"] = metadata.get(_SCORE)
    if not isinstance(kept.get("title"), str):
        # It may be a method, or a title in several parts.
        kept.pop("title", None)
    # Libraries may use integers as ids.
    return {**kept, "id": str(kept["id"])} if isinstance(kept.get("id"), int | UUID) else kept


def _read(given: object, name: str) -> Any:
    # A property may raise any error: LlamaIndex's `text` does for a picture.
    try:
        return getattr(given, name, None)
    except Exception:  # noqa: BLE001
        return None


def with_our_names(given: Given, also: Mapping[str, tuple[str, ...]] = _ALSO_OF_REQUESTS) -> Given:
    """A candidate with what it has under others' names under ours too, if that can be meant.

    Args:
        given: the candidate.
        also: by our name, those of others; by default those that a document of a request may have.
    """
    other = {
        ours: name
        for ours, theirs in also.items()
        if given.get(ours) is None
        for name in reversed(theirs)  # the first that fits is the one that is kept
        if given.get(name) is not None and (ours not in _FITS or _FITS[ours](given[name]))
    }
    return {**given, **{ours: given[name] for ours, name in other.items()}} if other else given


def scored_by(
    scorer: Scorer, questions: Sequence[str], lists: Sequence[Sequence[Given]]
) -> list[list[Given]]:
    """The candidates, with scores that another reranker gives to their texts.

    Raises:
        InputError: for an empty question, or a candidate without a text.
        GrapherError: as `Scorer.scores`.
    """
    for number, (question, own) in enumerate(zip(questions, lists, strict=True), start=1):
        if own and not check_text(f"question {number}", question).strip():
            raise InputError(f"question {number}: empty, and base compares texts with it")
    texts = [[_scored_text(candidate) for candidate in own] for own in lists]
    return [
        [{**one, "score": score} for one, score in zip(own, scores.tolist(), strict=True)]
        for own, scores in zip(lists, scorer.scores(questions, texts), strict=True)
    ]


def _scored_text(candidate: Given) -> str:
    text = _text(candidate)
    if not text:
        raise InputError(textless(candidate["id"]))
    return text


def with_scores(
    questions: Sequence[str],
    lists: Sequence[Sequence[Given]],
    needs: Needs,
    embedder: Callable[[], Embedder],
) -> tuple[list[Sequence[Given]], dict[int, Float[ndarray, " d"]]]:
    """The candidates; if any candidate of a question has no score, all get the base retriever's.

    The second result has the embeddings of the compared questions, by their positions.

    Args:
        questions: the text of each question.
        lists: the candidates of each question.
        needs: what the ranker reads; if it reads embeddings, those computed here are added.
        embedder: opened if there is anything to compare.

    Raises:
        InputError: for an empty question, or a candidate without text, embedding and score.
        MissingExtraError: if the embedder is not installed.
    """
    found = list(lists)
    lacking = [n for n, own in enumerate(lists) if any(one.get("score") is None for one in own)]
    if not lacking:
        return found, {}
    for number in lacking:
        if not check_text(f"question {number + 1}", questions[number]).strip():
            raise InputError(
                f"question {number + 1}: empty, and documents without a score are compared with it"
            )
        # Checked before anything is loaded.
        others = _without_blanks(lists[number])
        for candidate in sorted(others, key=lambda one: one.get("score") is not None):
            _compared_text(candidate)
    if told := [text for number in lacking if (text := textless_told(lists[number]))]:
        warn(told[0])
    if any(one.get("score") is not None for number in lacking for one in lists[number]):
        warn(
            "score: some candidates of a question have none, so that all of it are compared with "
            "it anew; give all a score, or none",
        )
    opened = embedder()
    alike = compared([questions[n] for n in lacking], [lists[n] for n in lacking], opened)
    reads = needs.cosine or needs.embedder == opened.name
    for number, own in zip(lacking, alike, strict=True):
        known = zip(lists[number], own.scores.tolist(), own.embeddings, strict=True)
        found[number] = [
            {**one, "score": score} | ({"embedding": vector} if reads else {})
            for one, score, vector in known
        ]
    return found, {number: own.question for number, own in zip(lacking, alike, strict=True)}


def compared(
    questions: Sequence[str],
    lists: Sequence[Sequence[Given]],
    embedder: Embedder,
    *,
    engine: str = "rank-bm25",
    width: Callable[[int], int] = candidate_bucket,
) -> list[Similarities]:
    """The base retriever's score of every candidate, with its question's candidates as the corpus.

    Args:
        questions: none of them empty.
        lists: the candidates of each question, with ids.
        embedder: see `similarities`, as for the next two.
        engine: see `similarities`.
        width: see `similarities`.

    Raises:
        InputError: for a candidate without text and embedding, or with another embedder's
            embedding.
    """
    unscored = [[_unscored(one, embedder) for one in _without_blanks(own)] for own in lists]
    found = similarities(questions, unscored, embedder, engine=engine, width=width)
    return [_with_blanks(one, blanks(own)) for one, own in zip(found, lists, strict=True)]


def blanks(candidates: Sequence[Given]) -> list[int]:
    """The positions of candidates whose text is blank, as a scanned page's; none if all are so."""
    blank = [place for place, one in enumerate(candidates) if _is_blank(one)]
    return blank if len(blank) < len(candidates) else []


def textless_told(candidates: Sequence[Given]) -> str:
    """A warning of `blanks`; empty without any."""
    if not (blank := blanks(candidates)):
        return ""
    first = shown(candidates[blank[0]].get("id") or f"documents[{blank[0]}]")
    return (
        f"documents: {len(blank)} of {len(candidates)} have no text to compare with the question "
        f"(such as {first}), and are ranked as the least similar; give them a text or a score"
    )


def _is_blank(candidate: Given) -> bool:
    title, text = candidate.get("title") or "", candidate.get("text")
    written = isinstance(title, str) and isinstance(text, str)
    return written and candidate.get("embedding") is None and not f"{title}{text}".strip()


def _without_blanks(candidates: Sequence[Given]) -> list[Given]:
    blank = {*blanks(candidates)}
    return [one for place, one in enumerate(candidates) if place not in blank]


def _with_blanks(found: Similarities, blank: Sequence[int]) -> Similarities:
    """The similarities of all candidates: a blank text shares nothing with the question."""
    if not blank:
        return found
    before = np.array(blank) - np.arange(len(blank))  # positions among the others
    scores = np.insert(found.scores, before, found.scores.min())
    embeddings = np.insert(found.embeddings, before, 0.0, axis=0)
    return replace(found, scores=scores, embeddings=embeddings)


def embedded(candidates: Sequence[Given], embedder: Embedder) -> list[dict[str, Json]]:
    """The candidates with the embeddings of their texts, but for blank ones; others keep theirs.

    Raises:
        InputError: for a candidate without text and embedding.
    """
    without = [own.get("embedding") is None and not _is_blank(own) for own in candidates]
    lacking = [own for own, lacks in zip(candidates, without, strict=True) if lacks]
    texts = [READING.words(_compared_text(own)) for own in lacking]
    vectors = iter(embedder.embed_objects(texts) if texts else ())
    return [
        {**own, "embedding": next(vectors)} if lacks else {**own}
        for own, lacks in zip(candidates, without, strict=True)
    ]


def _unscored(candidate: Given, embedder: Embedder) -> Unscored:
    given = candidate.get("embedding") is not None
    vector = given_vector(candidate, embedder) if given else None
    return Unscored(_compared_text(candidate), vector)


def _compared_text(candidate: Given) -> str:
    text = _text(candidate)
    if not text and candidate.get("embedding") is None:
        lacks = "score, no text" if candidate.get("score") is None else "text"
        raise InputError(
            f"candidate {candidate['id']!r} has no {lacks} and no embedding, by which it could be "
            "ranked; give it one of them, or all candidates of the question a score"
        )
    return text


def _text(candidate: Given) -> str:
    return " ".join(string_of(candidate, key) for key in ("title", "text")).strip()


def string_of(candidate: Given, key: str) -> str:
    """The string under a key of a candidate, empty for None; raises InputError for other types."""
    value = candidate.get(key)
    return "" if value is None else check_text(f"candidate {candidate['id']!r}: {key}", value)


def given_vector(candidate: Given, embedder: Embedder) -> np.ndarray:
    """The candidate's given embedding, scaled to unit length.

    Raises:
        InputError: for an embedding of another dimension, or with values that are not finite.
    """
    try:
        vector = np.asarray(candidate["embedding"], np.float32)
    except (TypeError, ValueError, OverflowError):
        vector = np.array(np.nan)
    if vector.shape != (embedder.dimension,) or not np.isfinite(vector).all():
        raise InputError(
            f"candidate {candidate['id']!r}: embedding must be {embedder.dimension} finite "
            f"numbers, as those of {embedder.name!r} are, which embeds the question"
        )
    return vector / (np.linalg.norm(vector) or 1)

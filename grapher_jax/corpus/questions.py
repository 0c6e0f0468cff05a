"""Judged questions of your own, each with the ids of the objects that answer it."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from grapher_jax.checks import check_kind, check_list, check_names, check_path, check_text, shown
from grapher_jax.corpus.beir import Judgements
from grapher_jax.corpus.filters import check_filter
from grapher_jax.corpus.objects import Query, check_metadata
from grapher_jax.errors import InputError
from grapher_jax.files import Json, read_json_lines

_FORM = ', as in {"question": "Who bought?", "relevant": ["orders"]}'


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its relevant objects.

    Attributes:
        question: its text.
        relevant: the ids of the objects that answer it, at least one.
        id: unique among the questions; by default its number, from "1".
        metadata: as for a `Query`, such as a `filter`.
    """

    question: str
    relevant: Sequence[str]
    id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedQueries:
    """Questions with their judgements.

    Attributes:
        queries: the questions.
        judgements: the judgements of each question, in the same order.
    """

    queries: Sequence[Query]
    judgements: Judgements


# One question: its place in the input, and its fields, which may be of any type.
_Fields: TypeAlias = tuple[str, Json, Json, Json, Json]


def judge_questions(
    questions: str | Path | Sequence[JudgedQuestion], objects: Collection[str]
) -> JudgedQueries:
    """Reads questions of your own, with the objects that answer them as judgements.

    Args:
        questions: the questions, or a JSON Lines file with the fields `question` and `relevant`,
            and optionally `id` and `filter`; other fields become metadata of the question.
        objects: the ids that may be relevant.

    Raises:
        InputError: naming the question or its line, for malformed JSON, a question without text,
            `relevant` that is not a list of ids, an unknown or repeated id, or metadata of a wrong
            type; or if there is no question.
    """
    queries: list[Query] = []
    judgements: dict[str, dict[str, int]] = {}
    for number, (place, text, relevant, identity, metadata) in enumerate(_listed(questions), 1):
        query = _query(place, text, str(number) if identity is None else identity, metadata)
        if query.id in judgements:
            raise InputError(
                f"{place}: id {shown(query.id)} is another question's; give each its own"
            )
        queries.append(query)
        judgements[query.id] = _grades(place, relevant, objects)
    if not queries:
        named = "questions" if isinstance(questions, Sequence) else questions
        raise InputError(f"{named}: there are no questions; give at least one")
    return JudgedQueries(queries, judgements)


def _listed(questions: str | Path | Sequence[JudgedQuestion]) -> Iterator[_Fields]:
    if isinstance(questions, str | os.PathLike):
        for place, record in read_json_lines(check_path("questions", questions)):
            text, relevant, identity = (
                record.pop(name, None) for name in ("question", "relevant", "id")
            )
            yield place, text, relevant, identity, record
        return
    for number, one in enumerate(check_list("questions", questions, of="JudgedQuestion"), 1):
        place = f"question {number}"
        check_kind(place, one, JudgedQuestion, "a JudgedQuestion")
        yield place, one.question, one.relevant, one.id, one.metadata


def _query(place: str, text: Json, identity: Json, metadata: Json) -> Query:
    check_text(f"{place}: question", text, cure=_FORM)
    if not text.strip():
        raise InputError(f"{place}: question is empty; give it a text")
    if not check_text(f"{place}: id", identity):
        raise InputError(f"{place}: id is empty; give it characters, or leave it out")
    known = check_metadata(metadata, place)
    check_filter(known.get("filter", {}), f"{place}: filter")
    return Query(identity, text, known)


def _grades(place: str, relevant: Json, objects: Collection[str]) -> dict[str, int]:
    grades: dict[str, int] = {}
    for name in check_names(f"{place}: relevant", relevant, of="ids"):
        if name not in objects:
            near = get_close_matches(name, objects, n=1)
            cure = f"did you mean {near[0]!r}?" if near else "give ids of objects that are"
            raise InputError(f"{place}: relevant: {shown(name)} is not in the index; {cure}")
        if name in grades:
            raise InputError(f"{place}: relevant: {shown(name)} stands twice; keep it once")
        grades[name] = 1
    if not grades:
        raise InputError(f"{place}: relevant is empty; give the id of at least one object")
    return grades

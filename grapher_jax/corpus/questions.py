"""Judged questions of your own, each with the objects or documents that answer it."""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

from grapher_jax.checks import (
    check_count,
    check_kind,
    check_list,
    check_names,
    check_path,
    check_text,
    near_name,
    shown,
)
from grapher_jax.corpus.beir import Judgements
from grapher_jax.corpus.filters import check_filter
from grapher_jax.corpus.objects import Query, check_metadata
from grapher_jax.errors import InputError
from grapher_jax.files import Json, json_object, read_filled_lines

_FORM = ', as in {"question": "Who bought?", "relevant": ["orders"]}'
# Of more unusable questions, an error tells only how many there are.
_MOST_TOLD = 5


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question with its relevant objects.

    Attributes:
        question: its text.
        relevant: the ids of the objects that answer it, at least one, where the `document_id` of
            chunks stands for any of them; or their grades by id, whole numbers of which one at
            least is above 0.
        id: unique among the questions; by default its number, from "1".
        metadata: as for a `Query`, such as a `filter`.
    """

    question: str
    relevant: Sequence[str] | Mapping[str, int]
    id: str | None = None
    metadata: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JudgedQueries:
    """Questions with their judgements.

    Attributes:
        queries: the questions.
        judgements: the judgements of each question, in the same order.
        documents: the ids of the chunks of each document that is judged instead of them.
    """

    queries: Sequence[Query]
    judgements: Judgements
    documents: Mapping[str, Sequence[str]] = field(default_factory=dict)


# The fields of a question, which may be of any type.
_Fields: TypeAlias = tuple[Json, Json, Json, Json]


def judge_questions(
    questions: str | Path | Sequence[JudgedQuestion],
    objects: Collection[str],
    *,
    documents: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> JudgedQueries:
    """Reads questions of your own, with the objects that answer them as judgements.

    Args:
        questions: the questions, or a JSON Lines file with the fields `question` and `relevant`,
            and optionally `id` and `filter`; other fields become metadata of the question.
        objects: the ids that may be relevant.
        documents: those that may be relevant instead of their chunks, with the ids of these.

    Raises:
        InputError: naming the first five unusable questions or their lines, and how many more there
            are: for malformed JSON, a question without text, `relevant` that is neither a list of
            ids nor grades by id, an unknown or repeated id, a chunk beside its document, or
            metadata of a wrong type. Also if there is no question.
    """
    queries: list[Query] = []
    judgements: dict[str, dict[str, int]] = {}
    wrong: list[str] = []
    known = [*documents, *objects]
    for number, (place, read) in enumerate(_listed(questions), 1):
        try:
            text, relevant, identity, metadata = read(place)
            query = _query(place, text, str(number) if identity is None else identity, metadata)
            if query.id in judgements:
                raise InputError(
                    f"{place}: id {shown(query.id)} is another question's; give each its own"
                )
            # To compare an unknown id with all others takes long.
            compared = known if len(wrong) < _MOST_TOLD else ()
            judgements[query.id] = _grades(place, relevant, objects, documents, compared)
            queries.append(query)
        except InputError as error:
            wrong.append(str(error))
    if wrong:
        more = [f"and {len(wrong) - _MOST_TOLD} more"] if len(wrong) > _MOST_TOLD else []
        raise InputError("; ".join([*wrong[:_MOST_TOLD], *more]))
    if not queries:
        named = questions if isinstance(questions, str | os.PathLike) else "questions"
        raise InputError(f"{named}: there are no questions; give at least one")
    judged = {name for grades in judgements.values() for name in grades if name not in objects}
    return JudgedQueries(queries, judgements, {name: documents[name] for name in judged})


def _listed(
    questions: str | Path | Sequence[JudgedQuestion],
) -> Iterator[tuple[str, Callable[[str], _Fields]]]:
    """The place of each question, and what reads its fields."""
    if isinstance(questions, str | os.PathLike):
        for place, line in read_filled_lines(check_path("questions", questions)):
            yield place, partial(_of_line, line)
        return
    for number, one in enumerate(check_list("questions", questions, of="JudgedQuestion"), 1):
        yield f"question {number}", partial(_of_object, one)


def _of_line(line: str, place: str) -> _Fields:
    record = json_object(line, place)
    text, relevant, identity = (record.pop(name, None) for name in ("question", "relevant", "id"))
    return text, relevant, identity, record


def _of_object(one: JudgedQuestion, place: str) -> _Fields:
    check_kind(place, one, JudgedQuestion, "a JudgedQuestion")
    return one.question, one.relevant, one.id, one.metadata


def _query(place: str, text: Json, identity: Json, metadata: Json) -> Query:
    check_text(f"{place}: question", text, cure=_FORM)
    if not text.strip():
        raise InputError(f"{place}: question is empty; give it a text")
    if not check_text(f"{place}: id", identity):
        raise InputError(f"{place}: id is empty; give it characters, or leave it out")
    known = check_metadata(metadata, place)
    check_filter(known.get("filter", {}), f"{place}: filter")
    return Query(identity, text, known)


def _grades(
    place: str,
    relevant: Json,
    objects: Collection[str],
    documents: Mapping[str, Sequence[str]],
    compared: Collection[str],
) -> dict[str, int]:
    grades: dict[str, int] = {}
    given = relevant if isinstance(relevant, Mapping) else None
    names = relevant if given is None else [*given]
    for name in check_names(f"{place}: relevant", names, of="ids"):
        if name not in objects and name not in documents:
            chunk = next((known for known in compared if known.startswith(f"{name}#")), None)
            if chunk is not None:
                told = f"is not in the index, but chunks of it, such as {shown(chunk)}"
                raise InputError(f"{place}: relevant: {shown(name)} {told}; give those that answer")
            cure = near_name(name, compared, "give ids of objects that are")
            raise InputError(f"{place}: relevant: {shown(name)} is not in the index; {cure}")
        if name in grades:
            raise InputError(f"{place}: relevant: {shown(name)} stands twice; keep it once")
        grade = 1 if given is None else given[name]
        grades[name] = check_count(f"{place}: relevant: {name}", grade, least=0)
    for document in grades:
        of_document = () if document in objects else documents[document]
        if chunks := grades.keys() & of_document:
            raise InputError(
                f"{place}: relevant: {shown(min(chunks))} is a chunk of {shown(document)}, which "
                "is given too; keep one of them"
            )
    if not any(grades.values()):
        raise InputError(f"{place}: relevant is empty; give the id of at least one object")
    return grades

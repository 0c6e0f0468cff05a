"""What a language model's reply may be, of which questions are read."""

import json

import pytest
from written_questions import CHUNKS, question

from grapher_jax.enrich.questions import KINDS, parse_questions


def test_questions_are_read_alone_or_in_one_fence():
    records = [
        question(" What \n became of it? "),
        question("Which event comes first?", "structural", 1, [2]),
        question("Why a museum?", "contextual", 5, [4, 1, 2, 3]),
    ]
    wanted = dict.fromkeys(KINDS, 1)
    for reply in (json.dumps(records), f"\n```json\n{json.dumps(records)}\n```\n"):
        found = parse_questions(reply, chunks=CHUNKS, wanted=wanted)
        assert [(q.text, q.kind, q.level, q.chunks) for q in found] == [
            ("What became of it?", "multi-hop", 4, (1, 3)),
            ("Which event comes first?", "structural", 1, (2,)),
            ("Why a museum?", "contextual", 5, (4, 1, 2, 3)),
        ]


@pytest.mark.parametrize("chunks", [(1, 3), (4, 1), (1, 2, 3), (4, 3, 2, 1), (2, 3, 4)])
def test_a_multi_hop_question_needs_chunks_that_stand_apart(chunks):
    reply = json.dumps([question(chunks=chunks)])
    (found,) = parse_questions(reply, chunks=CHUNKS, wanted={"multi-hop": 1})
    assert found.chunks == chunks


BAD = [
    ("What became of it?", "not one whole JSON list"),
    ('Here: [{"question": ""}]', "not one whole JSON list"),
    ("[" * 100_000, "not one whole JSON list"),
    ("[]", "no list of questions"),
    (json.dumps(question()), "no list of questions"),
    ('["What became of it?"]', "question 1 must be an object with question, kind, level, chunks"),
    (json.dumps([question() | {"answer": "x"}]), "and nothing else"),
    (json.dumps([question(), {"question": "Why?"}]), "question 2 must be an object"),
]

BAD += [
    (json.dumps([question() | fields]), reason)
    for fields, reason in [
        ({"question": ""}, "question 1 has no words"),
        ({"question": " ?\u200b "}, "has no words"),
        ({"question": 7}, "has no words"),
        ({"question": "x" * 501}, "has 501 characters; at most 500"),
        ({"question": "why \ud800?"}, "half of a surrogate"),
        ({"question": CHUNKS[0]}, "is copied from a chunk"),
        ({"question": "WHO  owned it then?"}, "is copied from a chunk"),
        ({"kind": "counterfactual"}, "kind must be one of multi-hop, structural, contextual"),
        ({"kind": ["multi-hop"]}, "kind must be one of"),
        ({"level": 0}, "level must be an integer from 1 to 5"),
        ({"level": 6}, "level must be"),
        ({"level": True}, "level must be"),
        ({"level": 4.0}, "level must be"),
        ({"level": "4"}, "level must be"),
        ({"chunks": []}, "list of numbers from 1 to 4"),
        ({"chunks": [0, 2]}, "numbers from 1 to 4"),
        ({"chunks": [1, 5]}, "numbers from 1 to 4"),
        ({"chunks": [-1, 3]}, "numbers from 1 to 4"),
        ({"chunks": [True, 3]}, "numbers from 1 to 4"),
        ({"chunks": ["long#0", 3]}, "numbers from 1 to 4"),
        ({"chunks": {"1": 3}}, "numbers from 1 to 4"),
        ({"chunks": [1, 3, 1]}, "names a chunk twice"),
        ({"chunks": [1]}, "no two of its chunks stand apart"),
        ({"chunks": [3, 2]}, "no two of its chunks stand apart"),
        ({"kind": "structural"}, "1 of its questions are structural; at most 0 may be"),
    ]
]

BAD += [
    (json.dumps([question(), question("WHAT became of it?")]), "the same question twice"),
    (json.dumps([question(), question("Who  OWNED it?")]), "question 2 was asked already; word it"),
    (json.dumps([question(f"Why {n}?") for n in range(3)]), "3 of its questions are multi-hop; at"),
]


@pytest.mark.parametrize(("reply", "reason"), BAD)
def test_anything_else_has_its_reason(reply, reason):
    with pytest.raises(ValueError, match=reason):
        parse_questions(reply, chunks=CHUNKS, wanted={"multi-hop": 2}, taken={"who owned it?"})


def test_a_multi_hop_question_has_four_hops_at_most():
    reply = json.dumps([question(chunks=range(1, 6))])
    with pytest.raises(ValueError, match="needs 5 chunks; at most 4 may be"):
        parse_questions(reply, chunks=[*CHUNKS, "It is open daily."], wanted={"multi-hop": 1})

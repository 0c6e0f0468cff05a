"""Sets of chunks, which are sentences, turns or paragraphs: QMSum, Chunkeval, COVID-QA, SQuAD."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from benchmark_sets.made import Asked, Made

from grapher_jax.corpus import Object, Query

WORDS = 120
# A longer sentence, such as the text of a table, is cut below the second number of characters.
LONGEST, CUT = 1200, 1000
# As many as are embedded in a minute, of 442.
ARTICLES = 11
_SENTENCE = r"""(?:(?<=[.!?])|(?<=[.!?]["')\]]))\s+(?=["'(\[]?[A-Z0-9])"""
AFTER_BLANK_LINES = re.compile(_SENTENCE + r"|\s*\n\s*\n\s*")
AFTER_LINES = re.compile(_SENTENCE + r"|\s*\n\s*")


def packed(units: Iterable[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Units (start, end, number of words) joined to spans of 120 words at most, if they fit."""
    spans: list[tuple[int, int]] = []
    words = 0
    for start, end, more in units:
        joins = bool(spans) and words + more <= WORDS
        words = words + more if joins else more
        spans[len(spans) - joins :] = [(spans[-1][0] if joins else start, end)]
    return spans


def sentences(text: str, boundary: re.Pattern[str]) -> Iterator[tuple[int, int, int]]:
    """The sentences of a text: start, end and number of words of each."""
    first, last = len(text) - len(text.lstrip()), len(text.rstrip())
    between = (match.span() for match in boundary.finditer(text, first, last))
    for (_, start), (end, _) in pairwise([(first, first), *between, (last, last)]):
        while end - start > LONGEST:
            place = text.rfind(" ", start + 1, start + CUT)
            place = start + CUT if place < 0 else place
            yield start, place, len(text[start:place].split())
            start = place + text[place].isspace()
        if start < end:
            yield start, end, len(text[start:end].split())


def marked_chunks(
    chunks: Sequence[tuple[int, int]], marked: Iterable[tuple[int, int]], sizes: Iterable[int]
) -> list[int]:
    """The chunks that hold half of a marked span, or of which one covers 30 %.

    Args:
        chunks: as spans.
        marked: further spans.
        sizes: the sizes of what all spans count, such as turns or characters.
    """
    before = [0, *accumulate(sizes)]

    def size(start: int, end: int) -> int:
        return max(before[end] - before[start], 0)

    shared = [
        [(size(max(one, start), min(other, end)), size(one, other)) for one, other in marked]
        for start, end in chunks
    ]
    return [
        at
        for at, chunk in enumerate(chunks)
        if any(
            both and (both >= 0.5 * own or both >= 0.3 * size(*chunk)) for both, own in shared[at]
        )
    ]


def letters(text: str) -> list[int]:
    """1 for every character but white space, which is 0."""
    return [not letter.isspace() for letter in text]


def _chunks(document: str, title: str, texts: Iterable[str], prefix: str) -> list[Object]:
    return [
        Object(f"{prefix}-{at:04}", text, title, {"document_id": document, "chunk_id": at})
        for at, text in enumerate(texts)
    ]


def qmsum(asked: Asked) -> Made:
    """QMSum: relevant are the chunks of the turns that are marked for a specific query."""
    objects, queries, judgements = [], [], {}
    splits = ("test", "train", "val")
    every = [(one, path) for one in splits for path in asked.files.every(f"ALL/{one}/*.json")]
    for split, path in every:
        meeting = path.name.removesuffix(".json")
        record = json.loads(path.read_text(encoding="utf-8"))
        transcript = record["meeting_transcripts"]
        turns = [f"{one['speaker']}: {one['content'].strip()}" for one in transcript]
        words = [len(turn.split()) for turn in turns]
        spans = packed((at, at + 1, count) for at, count in enumerate(words))
        texts = ("\n".join(turns[start:end]) for start, end in spans)
        own = _chunks(meeting, meeting, texts, f"qmsum-{meeting}")
        objects += own
        rows = record["specific_query_list"] if split in asked.splits else ()
        for number, row in enumerate(rows):
            text, only = row["query"].strip(), {"filter": {"document_id": meeting}}
            queries.append(Query(f"qmsum-{meeting}-q{number:02}", text, only))
            marked = [(int(first), int(last) + 1) for first, last in row["relevant_text_span"]]
            relevant = {own[at].id: 1 for at in marked_chunks(spans, marked, words)}
            judgements.setdefault(split, {})[queries[-1].id] = relevant
    return Made(objects, queries, judgements)


def chunkeval(asked: Asked) -> Made:
    """Chroma's chunking evaluation: relevant are chunks of the excerpts, and equal chunks."""
    objects, found = [], {}
    for path in asked.files.every("corpora/*.md"):
        name, text = path.name.removesuffix(".md"), path.read_text(encoding="utf-8")
        spans = packed(sentences(text, AFTER_LINES))
        own = _chunks(name, "", (text[start:end] for start, end in spans), f"chunkeval-{name}")
        objects += own
        found[name] = own, spans, letters(text)
    equal: dict[str, list[str]] = {}
    for item in objects:
        equal.setdefault(item.text, []).append(item.id)
    queries, judged = [], {}
    with asked.files.one("questions_df.csv").open("r", encoding="utf-8", newline="") as file:
        rows = [*csv.DictReader(file)]
    for number, row in enumerate(rows):
        marked = [(one["start_index"], one["end_index"]) for one in json.loads(row["references"])]
        own, spans, sizes = found[row["corpus_id"]]
        texts = [own[at].text for at in marked_chunks(spans, marked, sizes)]
        queries.append(Query(f"chunkeval-q{number:03}", row["question"]))
        judged[queries[-1].id] = {name: 1 for text in texts for name in equal[text]}
    return Made(objects, queries, {"test": judged})


def covidqa(asked: Asked) -> Made:
    """COVID-QA, in SQuAD's format: relevant are the chunks of the answer."""
    objects, queries, judged = [], [], {}
    articles = asked.files.json("200423_covidQA.json")["data"]
    paragraphs = (paragraph for article in articles for paragraph in article["paragraphs"])
    for paragraph in paragraphs:
        text, document = paragraph["context"], f"covidqa-{paragraph['document_id']}"
        if "License" not in text:  # some articles state none
            continue
        title, _, _ = text.partition("\n")
        spans = packed(sentences(text, AFTER_BLANK_LINES))
        spans[0] = (len(title) + 1, spans[0][1])
        own = _chunks(document, title, (text[start:end] for start, end in spans), document)
        objects += own
        for row in paragraph["qas"]:
            answer, at = row["answers"][0]["text"], row["answers"][0]["answer_start"]
            # Some places are wrong by a few characters.
            starts = (match.start() for match in re.finditer(re.escape(answer), text))
            start = min(starts, key=lambda start: abs(start - at), default=at)
            marked = [(start, start + len(answer))]
            query = Query(f"covidqa-q{row['id']}", row["question"].strip(), {"answer": answer})
            queries.append(query)
            judged[query.id] = {own[at].id: 1 for at in marked_chunks(spans, marked, letters(text))}
    return Made(objects, queries, {"test": judged})


def squad(asked: Asked) -> Made:
    """SQuAD's first articles of its train split: relevant is the paragraph of the answer."""
    objects, queries, judged = [], [], {}
    for article in asked.files.json("train-v1.1.json")["data"][:ARTICLES]:
        name, paragraphs = article["title"], article["paragraphs"]
        texts = [paragraph["context"].strip() for paragraph in paragraphs]
        own = _chunks(name, name.replace("_", " "), texts, f"squad-{name}")
        objects += own
        for item, paragraph in zip(own, paragraphs, strict=True):
            for row in paragraph["qas"]:
                query = Query(f"squad-q{row['id']}", row["question"].strip())
                queries.append(query)
                judged[query.id] = {item.id: 1}
    return Made(objects, queries, {"train": judged})

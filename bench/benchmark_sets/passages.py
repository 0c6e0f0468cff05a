"""Sets of passages: HotpotQA, 2WikiMultihopQA, MuSiQue and those of BEIR."""

import html
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from benchmark_sets.files import Row
from benchmark_sets.made import Asked, Judged, Made

from grapher_jax.corpus import Object, Query


def hotpotqa(asked: Asked, *, prefix: str, names: Mapping[str, str], between: str) -> Made:
    """HotpotQA, and what has its format: relevant are the passages of the supporting facts."""

    def read(row: Row) -> tuple[Query, list[tuple[str, str, bool]]]:
        gold = {title for title, _ in row["supporting_facts"]}
        metadata = {key: row[key] for key in ("answer", "type", "level") if key in row}
        context = [
            (html.unescape(title), html.unescape(between.join(sentences)), title in gold)
            for title, sentences in row["context"]
        ]
        return Query(f"{prefix}-{row['_id']}", _folded(row["question"]), metadata), context

    rows = {split: asked.sampled(asked.files.json(names[split])) for split in asked.splits}
    return _passages(prefix, {split: [*map(read, own)] for split, own in rows.items()})


def musique(asked: Asked) -> Made:
    """MuSiQue, the answerable questions: relevant are the paragraphs marked as supporting."""

    def read(row: Row) -> tuple[Query, list[tuple[str, str, bool]]]:
        metadata = {"answer": row["answer"], "hops": int(row["id"][0])}
        context = [(p["title"], p["paragraph_text"], p["is_supporting"]) for p in row["paragraphs"]]
        return Query(f"musique-{row['id']}", _folded(row["question"]), metadata), context

    names = {split: f"musique_ans_v1.0_{split}.jsonl" for split in asked.splits}
    rows = {split: asked.sampled([*asked.files.lines(name)]) for split, name in names.items()}
    return _passages("musique", {split: [*map(read, own)] for split, own in rows.items()})


def _folded(text: str) -> str:
    """With one blank in place of any white space; questions share passages that differ by it."""
    return " ".join(text.split())


def _passages(
    prefix: str, by_split: Mapping[str, Sequence[tuple[Query, list[tuple[str, str, bool]]]]]
) -> Made:
    contexts = (context for rows in by_split.values() for _, context in rows)
    every = {(_folded(title), _folded(text)) for row in contexts for title, text, _ in row}
    ids = {passage: f"{prefix}-{number:06}" for number, passage in enumerate(sorted(every))}
    objects = [Object(name, text, title) for (title, text), name in ids.items()]
    judgements = {
        split: {
            query.id: {
                ids[_folded(title), _folded(text)]: 1 for title, text, gold in context if gold
            }
            for query, context in rows
        }
        for split, rows in by_split.items()
    }
    return Made(objects, [query for rows in by_split.values() for query, _ in rows], judgements)


def beir(asked: Asked, *, inside: str = "", chunks: bool = False) -> Made:
    """A set of BEIR.

    Args:
        asked: whose files are the archive, or what it holds.
        inside: the folder of a set among several in an archive, such as `android`.
        chunks: a document is what has one title, its chunks are in order, and only documents with
            a relevant chunk are kept, as GraphER does for Natural Questions.
    """
    judgements: dict[str, Judged] = {}
    files = asked.files
    for path in files.every(str(PurePosixPath(inside, "qrels/*.tsv"))):
        split = path.name.removesuffix(".tsv")
        if not asked.splits or split in asked.splits:
            judged = judgements.setdefault(split, {})
            for line in path.read_text("utf-8").splitlines()[1:]:
                query, identity, grade = line.split("\t")
                judged.setdefault(query, {})[identity] = int(grade)
    questions = {query for judged in judgements.values() for query in judged}
    relevant = {one for judged in judgements.values() for row in judged.values() for one in row}
    corpus = str(PurePosixPath(inside, "corpus.jsonl"))
    all_rows = files.lines(corpus) if chunks else ()
    kept = {row["title"] for row in all_rows if row["_id"] in relevant}

    def objects() -> Iterator[Object]:
        places: Counter[str] = Counter()
        for row in files.lines(corpus):
            title, metadata = row.get("title", ""), row.get("metadata") or {}
            if chunks:
                if title not in kept:
                    continue
                metadata = {"document_id": title, "chunk_id": places[title]}
                places[title] += 1
            yield Object(row["_id"], row["text"], title, metadata)

    rows = files.lines(str(PurePosixPath(inside, "queries.jsonl")))
    queries = [Query(row["_id"], row["text"]) for row in rows if row["_id"] in questions]
    return Made(objects(), queries, judgements)

"""Headings of documentation as questions, each for the chunks of its own section.

    python bench/heading_questions.py make sphinx-8.2.3.tar.gz sphinx
    grapher-jax index sphinx --out sphinx.index
    python bench/heading_questions.py grid sphinx.index [--own]

The first makes a BEIR folder from a source archive: the text of each page without its headings, in
chunks of up to 130 words, and for each heading below a page's title, half of the time with that
title, the chunks that its section fills or that hold most of it. The last takes any index of chunks
with a train split, and prints PR@5, PR@10, nDCG@10 and RR over all questions for temperatures and
weights of the own seed of diffusion, with `--own` where each question searches the right document
alone. So were the numbers for chunks chosen.
"""

import argparse
import hashlib
import random
import re
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from grapher_jax.corpus import JudgedQueries, Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.evaluation import JudgedRun, Ranking
from grapher_jax.graph import EMPTY, MAX_DF, PROXIMITIES, kernel_table
from grapher_jax.kernels.program.reranking import rerank_relations
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval

SPLIT = "train"
WORDS, FEWEST, MOST = 130, 5, 400
# A section with fewer words is no answer.
SHORTEST = 30
METRICS = ("PR@5", "PR@10", "nDCG@10", "RR")
PARTS, ALPHAS = (0.25, 0.5, 1.0), (0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9)
_UNDERLINE = re.compile(r"^([=\-~^\"'`*#+.])\1{2,}\s*$")
_ROLE = re.compile(r":\w+:`~?([^`<]+?)(?:\s*<[^>]*>)?`")
_SKIPPED = re.compile(
    r"^\s*\.\. (_|index|version(added|changed)|only|contents|toctree|automod|currentmodule|module|"
    r"highlight|default-domain|class)|^\s+:\w+:"
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")

# A heading, how deep it is (0 before the first), and the lines below it.
Section = tuple[int, str, list[str]]


def sections(text: str) -> list[Section]:
    """The sections of a page in reStructuredText."""
    found: list[Section] = [(0, "", [])]
    marks: list[str] = []
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if _UNDERLINE.match(line):
            continue
        marked = _UNDERLINE.match(following) and len(following.strip()) >= len(line.strip()) - 2
        if marked and line.strip() and not line.startswith((" ", "..")):
            if following[0] not in marks:
                marks.append(following[0])
            found.append((marks.index(following[0]) + 1, _plain(line.strip()), []))
        else:
            found[-1][2].append(line)
    return found


def sentences(lines: list[str]) -> Iterator[str]:
    """The sentences of a section, without what is for the renderer alone."""
    text = _plain("\n".join(line for line in lines if not _SKIPPED.match(line)))
    for paragraph in re.split(r"\n\s*\n", text):
        yield from filter(None, map(str.strip, _SENTENCE_END.split(paragraph)))


def chunks(page: list[Section]) -> list[list[tuple[int, str]]]:
    """Sentences of a page with the number of their section, in chunks."""
    found: list[list[tuple[int, str]]] = [[]]
    for number, (_, _, lines) in enumerate(page):
        for sentence in sentences(lines):
            if found[-1] and _words(found[-1]).total() + len(sentence.split()) > WORDS:
                found.append([])
            found[-1].append((number, sentence))
    return [chunk for chunk in found if chunk]


def make(archive: Path, out: Path, *, inside: str, without: str, most: int) -> None:
    """Write the folder from pages drawn at random, until there are so many chunks."""
    objects: list[Object] = []
    queries: list[Query] = []
    judged: dict[str, dict[str, int]] = {}
    with tarfile.open(archive) as files:
        pages = [
            own
            for own in files
            if own.isfile()
            and own.name.endswith(".rst")
            and inside in own.name
            and not (without and without in own.name)
        ]
        random.Random(0).shuffle(pages)
        for own in pages:
            content = files.extractfile(own)
            page = sections(content.read().decode("utf-8", "replace") if content else "")
            held, title = chunks(page), next((heading for _, heading, _ in page if heading), "")
            if len(objects) >= most or not title or not FEWEST <= len(held) <= MOST:
                continue
            name = own.name.partition("/")[2]
            for place, chunk in enumerate(held):
                text = " ".join(sentence for _, sentence in chunk)
                metadata = {"document_id": name, "chunk_id": place}
                objects.append(Object(f"{name}#{place}", text, title, metadata))
            for heading, places in asked(page, held):
                odd = hashlib.md5(heading.encode(), usedforsecurity=False).digest()[0] % 2
                query = f"q{len(queries)}"
                queries.append(Query(query, f"{heading} ({title})" if odd else heading, {}))
                judged[query] = {f"{name}#{place}": 1 for place in places}
    write_beir(out, objects, queries, {SPLIT: judged})
    several = sum(len(own) > 1 for own in judged.values())
    told = f"{len(objects)} chunks, {len(queries)} questions, {several} with several"
    sys.stdout.write(f"{out}: {told}\n")


def asked(
    page: list[Section], held: list[list[tuple[int, str]]]
) -> Iterator[tuple[str, list[int]]]:
    """The headings of a page that are questions, each with the chunks of its section."""
    each = [_words(chunk) for chunk in held]
    whole = sum(each, Counter[int]())
    for number, (depth, heading, _) in enumerate(page):
        if depth < 2 or whole[number] < SHORTEST or len(heading.split()) < 2:
            continue
        places = [
            place
            for place, own in enumerate(each)
            if own[number] >= min(0.5 * own.total(), 0.6 * whole[number])
        ]
        if places:
            yield heading, places


def grid(index: Index, *, own: bool) -> Iterator[str]:
    """The lines of the table."""
    judged = index.judgements(SPLIT)
    queries = [index.queries[name] for name in judged]
    if own:
        pages = {item.id: item.metadata["document_id"] for item in index.objects}
        queries = [
            replace(query, metadata={"filter": {"document_id": pages[next(iter(answers))]}})
            for query, answers in zip(queries, judged.values(), strict=True)
        ]
    run = JudgedRun.retrieve_by(Retrieval(), index, JudgedQueries(queries, judged))
    for name in ("base", "gcs"):
        yield _line(name, Ranking.from_run(run, Reranker(ranker=name)))
    rows, names = run.candidates.rows, index.graph.proximities()
    relations, mask = index.graph.gather(rows, names, max_df=MAX_DF), rows != EMPTY
    for part in PARTS:
        for alpha in ALPHAS:
            best = rerank_relations(
                np.where(mask, run.candidates.scores, 0.0).astype(np.float32),
                relations,
                table=kernel_table(names, index.graph.rows),
                mask=mask,
                ranker="diffusion",
                gap_part=part,
                least_degree=PROXIMITIES["chunk"].diffusion_degree,
                alpha=alpha,
                k=rows.shape[1],
            )
            order, scores = np.asarray(best.indices), np.asarray(best.scores)
            ranking = Ranking(run, Reranker(ranker="diffusion"), order, scores, {})
            yield _line(f"{part:g} × gap, {alpha:g}", ranking)


def _line(label: str, ranking: Ranking) -> str:
    figures = (f"{100 * ranking.values[name].mean():.1f}" for name in METRICS)
    return f"{label}: {', '.join(figures)}\n"


def _plain(text: str) -> str:
    return re.sub(r"[`*]+", "", _ROLE.sub(r"\1", text))


def _words(chunk: list[tuple[int, str]]) -> Counter[int]:
    """How many words of each section."""
    found = Counter[int]()
    for number, sentence in chunk:
        found[number] += len(sentence.split())
    return found


def main() -> None:
    """Make a folder, or print a grid."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    does = parser.add_subparsers(required=True, dest="does")
    making = does.add_parser("make")
    making.add_argument("archive", type=Path)
    making.add_argument("out", type=Path)
    making.add_argument("--inside", default="/doc/", help="a part of the path of each page")
    making.add_argument("--without", default="", help="a part of the path of no page")
    making.add_argument("--most", type=int, default=2000, help="chunks")
    printing = does.add_parser("grid")
    printing.add_argument("index", type=Path)
    printing.add_argument("--own", action="store_true", help="search the right page alone")
    given = parser.parse_args()
    if given.does == "make":
        limits = {"inside": given.inside, "without": given.without, "most": given.most}
        make(given.archive, given.out, **limits)
    else:
        sys.stdout.writelines(grid(Index.load(given.index), own=given.own))


if __name__ == "__main__":
    main()

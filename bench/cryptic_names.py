"""How well tables are found whose names are codes, as SAP's, and whose comments say what they are.

    python bench/cryptic_names.py shared/bird --split train --every 15

Each set of tables is ranked with its own names, with codes for the names of tables and columns and
the names' words as comments, and in variants: with sentences around the comments of tables, with
comments of tables alone, and with its own names and one sentence as the comment of every table.
"""

import argparse
import hashlib
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from grapher_jax.corpus import (
    JudgedQuestion,
    Object,
    judge_questions,
    read_judgements,
    read_objects,
    read_queries,
)
from grapher_jax.corpus.columns import columns_of
from grapher_jax.evaluation import rank_all
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.text import parts

OWN, CODES, SENTENCES, TABLES_ALONE, SAME = (
    "own names",
    "codes, and comments",
    "codes, tables with a sentence",
    "codes, comments of tables alone",
    "own names, one comment for all",
)
RANKERS = ("base", "diffusion", "auto")
_CONSONANTS = "BCDFGHJKLMNPQRSTVWXZ"


def called(item: Object, variant: str) -> Object:
    """A table in one of the variants; the same name is the same code in every table."""
    if variant == OWN:
        return item
    name = str(item.metadata["table"])
    if variant == SAME:
        told = {"comment": "Loaded every night from the source system"}
        return replace(item, metadata={**item.metadata, **told})
    columns = columns_of(item)
    codes = [code(column.name, 5) for column in columns]
    comment = _words(name)
    if variant == SENTENCES:
        comment = f"This table contains the {comment} of the organisation. It is loaded every night"
    told = [
        {"name": own, "comment": column.comment or _words(column.name)}
        for own, column in zip(codes, columns, strict=True)
    ]
    metadata = {**item.metadata, "table": code(name, 4), "comment": comment}
    if variant != TABLES_ALONE:
        metadata["columns"] = told
    return replace(item, text=f"{code(name, 4)}: {', '.join(codes)}", metadata=metadata)


def code(name: str, length: int) -> str:
    """Consonants that tell nothing of a name."""
    digest = hashlib.sha256(name.casefold().encode()).digest()
    return "".join(_CONSONANTS[byte % len(_CONSONANTS)] for byte in digest[:length])


def _words(name: str) -> str:
    return " ".join(part for word in name.replace("_", " ").split() for part in parts(word))


def measure(folder: Path, split: str, every: int, variants: Sequence[str]) -> None:
    """Print PR@5 and PR@10 over questions for several tables, and RR over all, in %."""
    objects = [*read_objects(folder)]
    ids = {item.id for item in objects}
    asked = {query.id: query.text for query in read_queries(folder)}
    judgements = read_judgements(folder, split, objects=ids, queries=asked)
    questions = [
        JudgedQuestion(asked[name], [*filter(judgements[name].get, judgements[name])])
        for name in sorted(judgements)[::every]
    ]
    judged = judge_questions(questions, ids)
    sys.stdout.write(f"{folder.name} {split}, {len(questions)} questions\n")
    for variant in variants:
        index = Index.build(called(item, variant) for item in objects)
        for ranking in rank_all(index, judged, [Reranker(ranker=name) for name in RANKERS]):
            several = ranking.run.multi
            figures = [100 * ranking.values[name][several].mean() for name in ("PR@5", "PR@10")]
            figures.append(100 * ranking.values["RR"].mean())
            told = "  ".join(f"{one:5.1f}" for one in figures)
            sys.stdout.write(f"{variant:32} {ranking.reranker.name:10} {told}\n")


def main() -> None:
    """Read the arguments, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--every", type=int, default=1, help="take every n-th question")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    for folder in arguments.folders:
        measure(
            folder, arguments.split, arguments.every, (OWN, CODES, SENTENCES, TABLES_ALONE, SAME)
        )


if __name__ == "__main__":
    main()

"""Exports an index as a BEIR folder."""

from collections.abc import Sequence
from pathlib import Path

from grapher_jax.checks import check_path, check_text
from grapher_jax.corpus import JudgedQuestion, judge_questions, write_beir
from grapher_jax.errors import InputError
from grapher_jax.index.data import IndexData
from grapher_jax.index.storage import check_questions_kept

SPLIT = "test"


def export(
    index: IndexData,
    folder: str | Path,
    *,
    questions: str | Path | Sequence[JudgedQuestion] | None = None,
    split: str | None = None,
) -> None:
    """Writes an index as a BEIR folder; see `Index.export`."""
    folder = check_path("folder", folder)
    if questions is None:
        if split is not None:
            raise InputError("split: of questions; give these too, or leave it out")
        check_questions_kept(index)
        queries = index.queries.values() if index.has_queries else ()
        graphs = index.pair_graphs
        write_beir(folder, index.objects, queries, index.judgements_by_split, pair_graphs=graphs)
        return
    name = SPLIT if split is None else check_text("split", split)
    judged = judge_questions(questions, index.rows)
    write_beir(folder, index.objects, judged.queries, {name: judged.judgements})

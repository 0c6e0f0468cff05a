import gc
import gzip
import random
import tracemalloc

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from grapher_jax.corpus import Object, Query
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.graph import EMPTY
from grapher_jax.rerank import Reranker
from grapher_jax.runs import open_run, parquet, read_run, rerank_run, stream, trec_run
from grapher_jax.runs.base import Lacks, MappedRun, candidates
from grapher_jax.search import Index

NAMES = ["a b", "ü%20", "c/d", "NA", "e"]
RUN = {
    f"q {n}": [
        (name, score)
        for name, score in zip(NAMES[: 1 + n % 5], (3.0, 1.0, 2.0, 1.0, 4.0), strict=False)
    ]
    for n in range(40)
}


@pytest.fixture(scope="module")
def index(embedder):
    return Index.build([Object(name, f"text {name}") for name in NAMES], embedder=embedder)


def lines_of(run):
    from grapher_jax.runs.trec import encode

    return [
        f"{encode(query)} Q0 {encode(name)} {rank} {score} t\n"
        for query, hits in run.items()
        for rank, (name, score) in enumerate(hits, 1)
    ]


def table(run):
    rows = [(query, name, score) for query, hits in run.items() for name, score in hits]
    return pa.table(
        dict(zip(("query_id", "object_id", "score"), zip(*rows, strict=True), strict=True))
    )


def same_candidates(index, path, queries=tuple(RUN)):
    block = [Query(name, "?") for name in queries]
    expected = candidates(index, block, MappedRun(RUN), Lacks())
    with open_run(path) as run:
        found = candidates(index, block, run, Lacks())
    np.testing.assert_array_equal(found.rows, expected.rows)
    np.testing.assert_array_equal(found.scores, expected.scores)
    return expected


def test_candidates_are_best_first_and_ties_stay_in_the_order_of_the_run(index, tmp_path):
    (tmp_path / "run").write_text("".join(lines_of(RUN)))
    found = same_candidates(index, tmp_path / "run")
    assert found.rows[3].tolist() == [0, 2, 1, 3, -1]
    assert found.scores[3].tolist() == [3, 2, 1, 1, 0]
    assert found.scores.dtype == np.float32


@pytest.mark.parametrize("block", [1, 1024])
def test_an_id_of_two_queries_is_named(index, tmp_path, monkeypatch, block):
    monkeypatch.setattr(stream, "BLOCK", block)
    twice = [Query("q", "one"), Query("q", "two")]
    for base_run in (None, {}):
        with pytest.raises(InputError, match="queries: 'q' is the id of several"):
            rerank_run(index, twice, tmp_path / "run", Reranker(ranker="gcs"), base_run=base_run)


@pytest.mark.parametrize("chunk", [1, 100, 1 << 24])
def test_lines_may_stand_in_any_order(index, tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(trec_run, "_CHUNK", chunk)
    other = {f"else {n}": [("nobody", 1.0)] for n in range(3)}
    queries = random.Random(0).sample(list(RUN), 30)
    (tmp_path / "run").write_text(
        "".join(lines_of({name: RUN[name] for name in queries[::-1]} | other))
    )
    same_candidates(index, tmp_path / "run", queries)
    # Not even together: the first and the other hits of every query.
    first = {query: hits[:1] for query, hits in RUN.items()}
    rest = {query: hits[1:] for query, hits in reversed(RUN.items())}
    (tmp_path / "run").write_text("".join(lines_of(first) + lines_of(rest)).rstrip("\n"))
    same_candidates(index, tmp_path / "run")


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.replace(b" ", b"\t"),
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: b"\n" + data.replace(b"Q0", b" Q0 ").replace(b"\n", b"\n\n"),
        lambda data: data.replace(b"%C3%BC", "ü".encode()),
    ],
    ids=["tabs", "crlf", "mark", "blanks", "raw"],
)
def test_lines_may_be_written_otherwise(index, tmp_path, change):
    (tmp_path / "run").write_bytes(change("".join(lines_of(RUN)).encode()))
    same_candidates(index, tmp_path / "run")


def test_a_run_may_be_packed(index, tmp_path):
    with gzip.open(tmp_path / "run.gz", "wt") as file:
        file.writelines(lines_of(RUN))
    same_candidates(index, tmp_path / "run.gz")
    (tmp_path / "cut.gz").write_bytes((tmp_path / "run.gz").read_bytes()[:-9])
    with pytest.raises(InputError, match=r"cut\.gz: cannot be read"), open_run(tmp_path / "cut.gz"):
        pass


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("q Q0 e 1 2 x\nq Q0 a%20b 1 0.5\n", r"run:2: 5 fields; a run has six"),
        (
            "q Q0 e 1 2 x\n\nq Q0 a%20b 1 nan x\n",
            r"run:3: score must be a finite number, not 'nan'",
        ),
        (
            "q Q0 e 1 2 x\nr Q0 e 1 2 x\nq Q0 e 2 1 x\n",
            r"run:3: 'e' stands twice in the ranking of 'q'",
        ),
        ("q Q0 e 1 2 x\nq Q0 %65 2 1 x\n", r"run:2: 'e' stands twice in the ranking of 'q'"),
        ("q Q0 \xff 1 2 x\n", r"run:1: not UTF-8 text"),
    ],
)
def test_a_bad_line_is_named_by_its_place_in_the_file(index, tmp_path, lines, complaint):
    (tmp_path / "run").write_bytes(lines.encode("latin-1"))
    with pytest.raises(InputError, match=complaint), open_run(tmp_path / "run") as run:
        candidates(index, [Query("q", "?")], run, Lacks())


@pytest.mark.parametrize("lines", ["r Q0 e 1 2 x\n", "", "q Q0 gone 1 2 x\n"])
def test_a_query_that_a_run_lacks_has_no_candidates(index, tmp_path, lines):
    (tmp_path / "run").write_text(lines)
    with open_run(tmp_path / "run") as run:
        assert candidates(index, [Query("q", "?")], run, Lacks()).rows.tolist() == [[EMPTY]]


def test_a_bad_line_of_another_query_does_no_harm(index, tmp_path):
    (tmp_path / "run").write_text("p Q0 what 1\nq Q0 e 1 2 x\n")
    with open_run(tmp_path / "run") as run:
        assert candidates(index, [Query("q", "?")], run, Lacks()).rows.tolist() == [[4]]


def test_distances_in_place_of_scores_are_told(tmp_path):
    path, line = tmp_path / "run", "q Q0 d{0} {0} {1} t\n"
    path.write_text("".join(line.format(n, n / 10) for n in range(1, 5)))
    with pytest.warns(GrapherWarning, match="run: the scores rise with the rank"), open_run(path):
        pass
    rising = path.read_text()
    path.write_text(rising + line.format(5, 0.4))
    with pytest.warns(GrapherWarning, match="rise with the rank"), open_run(path):
        pass
    # One step down, or ranks that are no numbers, and nothing is told.
    for text in (rising.replace(" 0.4 ", " 0.2 "), rising.replace(" 1 ", " first ")):
        path.write_text(text)
        with open_run(path):
            pass


def test_a_parquet_run_may_stand_in_any_order(index, tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "_ROWS", 7)
    path = tmp_path / "run.parquet"
    shuffled = {query: RUN[query] for query in random.Random(0).sample(list(RUN), len(RUN))}
    for groups in (3, 1000):
        pq.write_table(table(shuffled), path, row_group_size=groups)
        same_candidates(index, path)
    encoded = table(RUN)
    for n, name in enumerate(("query_id", "object_id")):
        encoded = encoded.set_column(n, name, encoded.column(name).dictionary_encode())
    pq.write_table(encoded.append_column("rank", encoded.column("score")), path)
    same_candidates(index, path)


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        (
            {"query_id": ["q"], "object_id": ["e"]},
            "has no column score; a run has query_id, object_id, score",
        ),
        (
            {"query_id": ["q", "q"], "object_id": ["e", "e"], "score": [1.0, 2.0]},
            "'e' stands twice in the ranking of 'q'",
        ),
        (
            {"query_id": ["p", "q"], "object_id": ["e", "e"], "score": [1.0, None]},
            "object 'e' of query 'q': score must be",
        ),
        (
            {"query_id": ["q", None], "object_id": ["e", "e"], "score": [1.0, 2.0]},
            "column query_id has rows without an id",
        ),
    ],
)
def test_a_bad_parquet_run_is_named(index, tmp_path, columns, complaint):
    pq.write_table(pa.table(columns), tmp_path / "run.parquet")
    with pytest.raises(InputError, match=complaint), open_run(tmp_path / "run.parquet") as run:
        candidates(index, [Query("q", "?")], run, Lacks())


def test_no_parquet_is_named(tmp_path):
    (tmp_path / "run.parquet").write_text("q Q0 a 1 2 x\n")
    with (
        pytest.raises(InputError, match="cannot be read as Parquet"),
        open_run(tmp_path / "run.parquet"),
    ):
        pass
    with pytest.raises(InputError, match="No such file"), open_run(tmp_path / "none.parquet"):
        pass


def test_a_run_is_written_as_parquet(index, tmp_path):
    queries = [Query(name, "?") for name in RUN]
    for name in ("run.trec", "run.parquet", "again.parquet"):
        rerank_run(index, queries, tmp_path / name, Reranker(ranker="base"), base_run=RUN)
    rows = pq.read_table(tmp_path / "run.parquet").to_pylist()
    assert [*rows[0]] == ["query_id", "object_id", "rank", "score"]
    expected = [
        (query, name, rank, np.float32(score))
        for query, hits in read_run(tmp_path / "run.trec").items()
        for rank, (name, score) in enumerate(hits, 1)
    ]
    assert [tuple(row.values()) for row in rows] == expected
    assert (tmp_path / "run.parquet").read_bytes() == (tmp_path / "again.parquet").read_bytes()
    assert len([*tmp_path.iterdir()]) == 3


def test_a_run_is_written_compressed_and_read_again(index, tmp_path):
    queries = [Query(name, "?") for name in RUN]
    for name in ("run.trec", "run.gz", "again.gz", "again.gz"):
        rerank_run(index, queries, tmp_path / name, Reranker(ranker="base"), base_run=RUN)
    plain = (tmp_path / "run.trec").read_bytes()
    assert gzip.decompress((tmp_path / "run.gz").read_bytes()) == plain
    assert read_run(tmp_path / "run.gz") == read_run(tmp_path / "run.trec")
    assert (tmp_path / "run.gz").read_bytes() == (tmp_path / "again.gz").read_bytes()


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["trec", "parquet"])
def test_what_is_kept_of_a_run_does_not_grow_with_its_queries(tmp_path, kind):
    def held(queries):
        path = tmp_path / f"{queries}.{kind}"
        columns = {"query_id": [f"q{n}" for n in range(queries)], "object_id": ["e"] * queries}
        if kind == "parquet":
            pq.write_table(pa.table(columns | {"score": [1.0] * queries}), path)
        else:
            path.write_text("".join(f"q{n} Q0 e 1 1.0 x\n" for n in range(queries)))
        tracemalloc.start()
        with open_run(path) as run:
            found = run.hits(["q1", f"q{queries - 1}"]).counts.tolist()
            gc.collect()
            size = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert found == [1, 1]
        return size

    held(100)  # what is imported on the way
    assert held(4_000) < held(100) + 20_000

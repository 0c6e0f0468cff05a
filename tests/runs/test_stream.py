import gzip
import json
import warnings

import ir_measures
import numpy as np
import pytest

from grapher_jax import runs
from grapher_jax.corpus import Object, Query
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.rerank import Reranker
from grapher_jax.runs import stream
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, System, build_grapher


@pytest.fixture(scope="module")
def index():
    objects = [
        Object("a b", "apples and pears", metadata={"links": ["ü%20"]}),
        Object("ü%20", "plums"),
        Object("c/d", "apples"),
    ]
    return Index.build(objects)


MALFORMED = {"q 0": [("a b", 1.0), ("a b", 2.0)]}
QUERIES = [Query(f"q {number}", f"apples number {number}") for number in range(7)]


def test_a_run_is_read_back_with_its_ids(index, tmp_path):
    out = tmp_path / "run.trec"
    assert runs.rerank_run(index, QUERIES, out, Reranker(), k=3) == 7
    run = runs.read_run(out)
    assert list(run) == [query.id for query in QUERIES]
    hits = index.search(QUERIES[0].text, k=3)
    assert [identity for identity, _ in run["q 0"]] == [hit.id for hit in hits]
    np.testing.assert_allclose([s for _, s in run["q 0"]], [hit.score for hit in hits], rtol=1e-6)
    assert [path.name for path in tmp_path.iterdir()] == ["run.trec"]


def test_a_run_is_what_trec_tools_read(index, tmp_path):
    out = tmp_path / "run.trec"
    runs.rerank_run(index, QUERIES, out, Reranker(), k=3)
    rows = list(ir_measures.read_trec_run(str(out)))
    assert {row.query_id for row in rows} == {f"q%20{number}" for number in range(7)}
    assert {row.doc_id for row in rows} == {"a%20b", "%C3%BC%2520", "c/d"}
    assert out.read_text().splitlines()[0].split()[1::2] == ["Q0", "1", "grapher-jax-diffusion"]


def test_another_retrievers_run_is_reranked(index, tmp_path):
    base = tmp_path / "base.trec"
    base.write_text("q%200 Q0 c/d 1 2.5 x\nq%200 Q0 %C3%BC%2520 2 0.5 x\nq%200 Q0 a%20b 3 2.0 x\n")
    out = tmp_path / "run.trec"
    gcs = Reranker(ranker="gcs", alpha=0.3)
    runs.rerank_run(index, QUERIES[:1], out, gcs, base_run=runs.read_run(base))
    ranked = runs.read_run(out)["q 0"]
    assert [identity for identity, _ in ranked] == ["c/d", "a b", "ü%20"]
    assert ranked[2][1] > 0.5  # lifted by the link from "a b"


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("q Q0 a 1 0.5", r"base:1: 5 fields; a run has six"),
        ("q Q0 a 1 high x", r"base:1: score must be a finite number, not 'high'"),
        ("q Q0 a 1 nan x", r"base:1: score must be a finite number, not 'nan'"),
        ("q Q0 a 1 1e300 x", r"base:1: score must be a finite number, not '1e300'"),
        ("q Q0 a 1 2 x\nq Q0 a 2 1 x", r"base:2: 'a' stands twice in the ranking of 'q'"),
    ],
)
def test_a_bad_line_of_a_run_is_named(tmp_path, line, complaint):
    (tmp_path / "base").write_text(line + "\n")
    with pytest.raises(InputError, match=complaint):
        runs.read_run(tmp_path / "base")


def test_a_run_that_does_not_fit_the_index_is_named(index, tmp_path):
    out = tmp_path / "run.trec"
    twice = {"q 0": [("c/d", 2.0)], "q 1": [("a b", 2.0), ("c/d", 1.5), ("a b", 1.0)]}
    with pytest.raises(InputError, match="'a b' stands twice in the ranking of 'q 1'"):
        runs.rerank_run(index, QUERIES[:2], out, Reranker(), base_run=twice)
    assert not out.exists()


@pytest.mark.parametrize("ranker", ["auto", "gcs", "diffusion"])
def test_queries_that_a_base_run_lacks_get_no_results(index, tmp_path, monkeypatch, ranker):
    monkeypatch.setattr(stream, "BLOCK", 2)
    out, base = (
        tmp_path / "run.trec",
        {"q 3": [("gone", 2.0), ("a b", 1.0)], "q 4": [("gone", 2.0)]},
    )
    with pytest.warns(GrapherWarning) as told:
        made = runs.rerank_run(index, QUERIES[:5], out, Reranker(ranker=ranker), base_run=base)
    assert [str(one.message) for one in told] == [
        "2 of 3 lines of the base run name objects that the index lacks, such as 'gone'; they are "
        "left out",
        "the base run has no candidates for 4 of 5 queries ranked now, such as 'q 0'; they get no "
        "results",
    ]
    assert made == 5
    assert {name: [found for found, _ in hits] for name, hits in runs.read_run(out).items()} == {
        "q 3": ["a b"]
    }


def test_the_score_of_an_unknown_object_decides_nothing(index, tmp_path):
    base = {"q 0": [("a b", 0.9), ("c/d", 0.2)]}
    for name, more in (("known", []), ("unknown", [("gone", -5.0)])):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GrapherWarning)
            run = {"q 0": base["q 0"] + more}
            out = tmp_path / name
            runs.rerank_run(index, QUERIES[:1], out, Reranker(ranker="gcs"), base_run=run)
    assert (tmp_path / "known").read_bytes() == (tmp_path / "unknown").read_bytes()


@pytest.mark.parametrize("interrupted_at", [0, 2, 5])
def test_an_interrupted_run_goes_on_and_ends_with_the_same_bytes(
    index, tmp_path, monkeypatch, interrupted_at
):
    monkeypatch.setattr(stream, "BLOCK", 2)
    whole, out = tmp_path / "whole.trec", tmp_path / "run.trec"
    runs.rerank_run(index, QUERIES, whole, Reranker(), settings={"v": 1})
    answered = []

    def failing():
        for number, query in enumerate(QUERIES):
            if number == interrupted_at:
                raise KeyboardInterrupt
            yield query

    with pytest.raises(KeyboardInterrupt):
        runs.rerank_run(index, failing(), out, Reranker(), settings={"v": 1})
    assert not out.exists()
    # What was cut off in the middle of a line is dropped.
    with (tmp_path / "run.trec.partial").open("a") as file:
        file.write("q%20half Q0 a")
    retrieve = index.retriever.retrieve
    monkeypatch.setattr(
        type(index.retriever),
        "retrieve",
        lambda self, questions, **options: (
            answered.extend(questions) or retrieve(questions, **options)
        ),
    )
    runs.rerank_run(index, QUERIES, out, Reranker(), settings={"v": 1})
    assert out.read_bytes() == whole.read_bytes()
    assert len(answered) == 7 - interrupted_at // 2 * 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.trec", "whole.trec"]


def test_a_partial_run_with_other_settings_is_not_continued(index, tmp_path):
    out = tmp_path / "run.trec"
    out.with_name("run.trec.partial").write_text("q%200 Q0 nonsense 1 1 x\n")
    state = {"settings": {"alpha": 0.1}, "done": 1, "bytes": [24]}
    out.with_name("run.trec.partial.json").write_text(json.dumps(state))
    with pytest.warns(GrapherWarning, match=r"run\.trec\.partial: 1 were done with other settings"):
        runs.rerank_run(index, QUERIES, out, Reranker(), settings={"alpha": 0.2})
    assert "nonsense" not in out.read_text()


def test_settings_hold_whatever_decides_the_bytes(index, tmp_path):
    index.save(tmp_path / "index")
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"_id": "q", "text": "x"}\n')
    settings = runs.rerank_settings(tmp_path / "index", queries, Reranker(), k=5)
    for other in (Reranker(alpha=0.9), Reranker(tol=1e-3), Reranker(weights={"link": 2.0})):
        assert runs.rerank_settings(tmp_path / "index", queries, other, k=5) != settings
    assert runs.rerank_settings(tmp_path / "index", queries, Reranker(), k=6) != settings
    queries.write_text('{"_id": "q", "text": "y"}\n')
    assert runs.rerank_settings(tmp_path / "index", queries, Reranker(), k=5) != settings


def test_settings_hold_the_system_with_all_its_parts(index, tmp_path):
    index.save(tmp_path / "index")
    queries = tmp_path / "queries.jsonl"
    queries.write_text('{"_id": "q", "text": "x"}\n')

    def settings(ranker):
        found = runs.rerank_settings(tmp_path / "index", queries, ranker, k=5)
        return json.dumps(found)

    systems = [
        System(name=name, retrieval=retrieval, reranker=reranker)
        for name in ("one", "other")
        for retrieval in (Retrieval(), Retrieval(lexical_weight=0.0), Retrieval(expand=True))
        for reranker in (Reranker(), Reranker(alpha=0.9))
    ]
    assert len({settings(system) for system in systems}) == len(systems)
    assert settings(systems[0]) == settings(systems[0])
    assert settings(Reranker()) == settings(System.from_reranker(Reranker(), k=5))
    # That nothing joins is told in two ways, and both networks of `gat` decide what it does.
    gcs = Reranker(ranker="gcs")
    told = System.from_reranker(gcs, k=5, expand=False)
    assert settings(gcs) == settings(told)
    found = runs.rerank_settings(tmp_path / "index", queries, Reranker(ranker="gat"), k=5)
    assert len(set(found["parameters"]["networks"])) == 2


def test_a_run_of_a_system_is_what_the_system_finds(index, tmp_path):
    out = tmp_path / "run.trec"
    few = System(
        name="few",
        retrieval=Retrieval(candidates=2, lexical_weight=0.0, expand=False),
        reranker=Reranker(),
    )
    runs.rerank_run(index, QUERIES, out, few, k=3)
    hits = index.search(QUERIES[0].text, k=3, system=few)
    assert [name for name, _ in runs.read_run(out)["q 0"]] == [hit.id for hit in hits]
    assert len(hits) == 2
    assert out.read_text().splitlines()[0].endswith(" grapher-jax-few")


def test_a_system_reranks_another_retrievers_run(index, tmp_path):
    base = {"q 0": [("c/d", 2.5), ("a b", 2.0), ("ü%20", 0.5)]}
    ranked = []
    for ranker in (build_grapher("gcs"), Reranker(ranker="gcs")):
        runs.rerank_run(index, QUERIES[:1], tmp_path / "run", ranker, base_run=base)
        ranked.append(runs.read_run(tmp_path / "run"))
    assert ranked[0] == ranked[1]
    assert len(ranked[0]["q 0"]) == 3


def test_without_settings_nothing_is_continued(index, tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "BLOCK", 2)

    def failing():
        yield from QUERIES[:2]
        raise KeyboardInterrupt

    out = tmp_path / "run.trec"
    with pytest.raises(KeyboardInterrupt):
        runs.rerank_run(index, failing(), out, Reranker(ranker="base"))
    runs.rerank_run(index, QUERIES, out, Reranker(ranker="ppr"))
    assert {line.split()[-1] for line in out.read_text().splitlines()} == {"grapher-jax-ppr"}


def test_a_wrong_call_leaves_nothing(index, tmp_path):
    for call in (
        lambda: runs.rerank_run(index, QUERIES, tmp_path / "run", Reranker(), k=0),
        lambda: runs.rerank_run(index, [], tmp_path / "run", Reranker()),
        lambda: runs.rerank_run(index, QUERIES, tmp_path, Reranker()),
        lambda: runs.rerank_run(index, QUERIES, tmp_path / "no" / "run", Reranker()),
        lambda: runs.rerank_run(index, QUERIES, tmp_path / "run", Reranker(), base_run=MALFORMED),
    ):
        with pytest.raises(InputError):
            call()
        assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("identity", "told"), [("", "query: its id is empty"), ("q\ud800", "query: id is not UTF-8")]
)
def test_an_id_that_no_run_can_hold_is_refused(index, tmp_path, identity, told):
    queries = [*QUERIES, Query(identity, "?")]
    with pytest.raises(InputError, match=told):
        runs.rerank_run(index, queries, tmp_path / "run", Reranker(ranker="base"))
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("line", ["q0,a,1.0", '{"query": "q 0"}'])
def test_a_base_run_of_another_format_is_refused(tmp_path, line):
    (tmp_path / "base.csv").write_text(line + "\n")
    refused = pytest.raises(InputError, match=r"base.csv:1: \d fields; a run has six")
    with refused, runs.open_run(tmp_path / "base.csv"):
        pass


def test_a_run_replaces_a_run_alone_and_nothing_that_is_read_for_it(index, tmp_path):
    note, run, packed = tmp_path / "note.txt", tmp_path / "run", tmp_path / "run.parquet"
    note.write_text("Buy milk and\nbread.\n")
    run.write_text("q Q0 a 1 0.5 tag\n")
    packed.write_bytes(b"PAR1")
    for name, text in (("run.gz", b"q Q0 a 1 0.5 tag\n"), ("other.gz", b"Buy milk and bread.\n")):
        (tmp_path / name).write_bytes(gzip.compress(text))
    (tmp_path / "broken.gz").write_bytes(b"\x1f\x8bno")
    for out in (run, packed, tmp_path / "run.gz", tmp_path / "new"):
        runs.check_target(out)
    for name in ("other.gz", "broken.gz"):
        with pytest.raises(InputError, match=f"{name}: exists and is not a run"):
            runs.check_target(tmp_path / name)
    with pytest.raises(InputError, match=r"note.txt: exists and is not a run; give another --out"):
        runs.rerank_run(index, QUERIES, note, Reranker())
    assert note.read_text().startswith("Buy milk")
    with pytest.raises(InputError, match="run: the run would replace what is read for it"):
        runs.check_target(run, None, tmp_path / "." / "run")

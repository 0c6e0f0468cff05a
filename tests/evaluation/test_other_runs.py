"""Evaluation of rankers over another retriever's run."""

import json
from dataclasses import replace

import ir_measures
import numpy as np
import pytest
from ir_measures import RR, P, R, nDCG

from grapher_jax.corpus import JudgedQuestion, Object, Query, write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import evaluate, rank_all
from grapher_jax.rerank import Reranker
from grapher_jax.runs import open_run, read_run, rerank_run
from grapher_jax.runs.trec import encode
from grapher_jax.search import Index

RUN = """\
q2 Q0 zoo.cages 1 2.0 t
q1 Q0 shop.orders 1 3.0 t
q1 Q0 music.songs 2 2.0 t
q1 Q0 shop.stores 3 1.0 t
q1 Q0 shop.customers 4 1.0 t
q2 Q0 zoo.animals 2 -1.5 t
elsewhere Q0 nothing 1 1.0 t
"""


@pytest.fixture
def write(tmp_path):
    """A run in a file."""

    def write(text):
        (tmp_path / "base.trec").write_text(text)
        return tmp_path / "base.trec"

    return write


def ids_of(ranking):
    return [[ranking.run.index.ids[row] for row in own if row >= 0] for own in ranking.rows]


def test_the_candidates_are_those_of_the_run(index, write):
    (base,) = rank_all(index, "test", [Reranker(ranker="base")], run=write(RUN))
    assert ids_of(base) == [
        ["shop.orders", "music.songs", "shop.stores", "shop.customers"],
        ["zoo.cages", "zoo.animals"],
    ]


@pytest.mark.filterwarnings("ignore:scores. some are negative")
def test_rankers_rank_them_as_rerank_does(index, write):
    path = write(
        RUN.replace("customers 4 1.0", "customers 4 0.9").replace("songs 2 2.0", "songs 2 1.1")
    )
    gcs = Reranker()
    rankings = rank_all(index, "test", [Reranker(ranker="base"), gcs], run=path)
    with open_run(path) as run:
        out = path.with_name("out.trec")
        rerank_run(index, index.queries.values(), out, gcs, base_run=run)
    expected = read_run(out)
    assert ids_of(rankings[1]) == [[name for name, _ in expected[q]] for q in ("q1", "q2")]
    assert ids_of(rankings[0]) != ids_of(rankings[1])


# Ties of equal numbers, of numbers equal in 32 bits alone, and of 0.0 and -0.0.
SCORES = ["3.0", "1.0", "1.00000000001", "0.0", "-0.0", "-1.0"]
ODD = ["a b", "a!b", "Z", "z", "é", "ü", "10", "9", "𝔘", "ￜ", "a", "aa"]


@pytest.fixture(scope="module")
def tied(tmp_path_factory, embedder):
    """A corpus of odd ids, and a run over it that is full of ties."""
    folder, rng = tmp_path_factory.mktemp("tied"), np.random.default_rng(0)
    queries = [f"q {n}" for n in range(40)]
    judged = {
        q: dict.fromkeys(rng.choice(ODD, 1 + n % 3, False).tolist(), 1)
        for n, q in enumerate(queries)
    }
    write_beir(
        folder, [Object(n, n) for n in ODD], [Query(q, "?") for q in queries], {"dev": judged}
    )
    lines = [
        f"{encode(query)} Q0 {encode(name)} 1 {rng.choice(SCORES)} t\n"
        for number, query in enumerate(queries)
        for name in rng.permutation(ODD)[: 4 + number % 9].tolist()
    ]
    (folder / "base.trec").write_text("".join(lines))
    return Index.from_source(folder, embedder=embedder), folder / "base.trec", judged


def test_the_base_row_equals_trec_eval_on_the_same_run(tied):
    index, path, judged = tied
    run = {query: dict(found) for query, found in read_run(path).items()}
    measures = [P @ 10, R @ 5, R @ 10, R @ 20, nDCG @ 10, RR]
    found = ir_measures.calc_aggregate(measures, judged, run)
    expected = {str(measure): value for measure, value in found.items()}
    (row,) = evaluate(index, "dev", ["base"], run=path).results
    own = {name: row.metrics[name].all for name in expected}
    assert own == pytest.approx(expected, abs=1e-12)


def test_ties_are_broken_question_by_question_as_trec_eval_does(tied):
    """RR of one object at a time tells the rank of each."""
    import pytrec_eval

    index, path, _ = tied
    (base,) = rank_all(index, "dev", [Reranker(ranker="base")], run=path)
    run = {query: dict(found) for query, found in read_run(path).items()}
    for query, order in zip(base.run.judgements, ids_of(base), strict=True):
        assert sorted(order) == sorted(run[query])
        for rank, name in enumerate(order, 1):
            judge = pytrec_eval.RelevanceEvaluator({query: {name: 1}}, {"recip_rank"})
            assert judge.evaluate({query: run[query]})[query]["recip_rank"] == 1 / rank


def test_a_ranker_that_changes_nothing_equals_the_base_row(tied):
    index, path, _ = tied
    rankings = rank_all(
        index, "dev", [Reranker(ranker="base"), Reranker(alpha=1.0, scores="shift")], run=path
    )
    np.testing.assert_array_equal(*(ranking.rows for ranking in rankings))


def test_a_long_run_is_read_in_blocks(tied, monkeypatch):
    from grapher_jax.evaluation import other_runs

    index, path, _ = tied
    (whole,) = rank_all(index, "dev", [Reranker(ranker="base")], run=path)
    monkeypatch.setattr(other_runs, "BLOCK", 7)
    (parts,) = rank_all(index, "dev", [Reranker(ranker="base")], run=path)
    np.testing.assert_array_equal(parts.rows, whole.rows)


def test_a_report_tells_the_run(index, write):
    path = write(RUN)
    others = [Reranker(base=base) for base in (None, lambda _, texts: [*map(len, texts)])]
    report = evaluate(index, "test", ["base", *others], run=str(path))
    assert report.results[0].parameters["run"] == str(path)
    assert list(report.ceiling) == ["run"]
    assert report.ceiling["run"].all == 1


def test_questions_of_ones_own_are_found_by_their_ids(index, write):
    bare, path = replace(index, folder=None), write(RUN)
    questions = [JudgedQuestion("animals?", ["zoo.animals"], id="q2")]
    (row,) = evaluate(bare, None, ["base"], questions=questions, run=path).results
    assert row.metrics["RR"].all == 0.5
    with pytest.warns(
        GrapherWarning, match="no candidates for 1 of 1 queries ranked now, such as '1'"
    ):
        report = evaluate(
            bare, None, ["base"], questions=[replace(questions[0], id=None)], run=path
        )
    assert report.results[0].metrics["RR"].all == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RUN.replace("-1.5", "nan"), r"base\.trec:6: score must be a finite number"),
        (RUN.replace("shop.stores", "shop.orders"), r"base\.trec:4: 'shop.orders' stands twice"),
    ],
)
def test_a_run_that_does_not_fit_is_told(index, write, text, told):
    with pytest.raises(InputError, match=told):
        evaluate(index, "test", ["base"], run=write(text))


def test_what_a_run_leaves_no_place_for_is_told(index, write):
    path = write(RUN)
    with pytest.raises(InputError, match="run: 'grapher' has a retriever of its own; leave one"):
        evaluate(index, "test", ["base"], systems=["grapher"], run=path)
    for given in ({"expand": True}, {"candidates": 10}, {"title_weight": 0.0}):
        with pytest.raises(InputError, match="run: it is taken as it is; leave out the retriever"):
            evaluate(index, "test", ["base"], run=path, **given)
    with pytest.raises(InputError, match=r"none\.trec: cannot be read"):
        evaluate(index, "test", ["base"], run="none.trec")


def test_the_verb(grapher, beir, write):
    arguments = ("evaluate", beir, "--split", "test", "--ranker", "base", "--run", write(RUN))
    status, out, err = grapher(*arguments, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["results"][0]["metrics"]["RR"]["all"] == 0.75
    assert "among the candidates: run 100.0" in grapher(*arguments)[1]
    status, out, err = grapher(*arguments, "--system", "grapher")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "run: 'grapher' has a retriever of its own" in err

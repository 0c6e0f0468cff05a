"""Perfect recall of tables that can be joined."""

import pytest

from grapher_jax.corpus import JudgedQuestion, Object
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.evaluation import evaluate
from grapher_jax.evaluation.join_recall import join_perfect_recall
from grapher_jax.search import Index
from grapher_jax.tables.schema import Schema

KEYS = {"order": ["customer", "product"], "customer": [], "product": [], "log": []}


@pytest.fixture(scope="module")
def tables():
    return [
        Object(
            name,
            f"{name}: id, name",
            metadata={"table": name, "columns": [{"name": "id"}], "foreign_keys": keys},
        )
        for name, keys in KEYS.items()
    ]


def test_the_relevant_tables_lie_in_one_piece_of_the_answer(tables):
    schema = Schema(tables)
    order, customer, product, log = range(4)
    answers = [
        [customer, product, log, -1],  # all there, and nothing that connects them
        [customer, product, log, order],
        [customer, log, order, product],
        [log, customer, -1, -1],  # one relevant table needs no join
        [customer, log, -1, -1],
    ]
    relevant = [[customer, product]] * 3 + [[log], [customer, -1]]
    assert join_perfect_recall(schema, answers, relevant, 4).tolist() == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert join_perfect_recall(schema, answers, relevant, 3).tolist() == [
        False,
        False,
        False,
        True,
        False,
    ]


QUESTIONS = [
    JudgedQuestion("Which customer bought the product?", ["customer", "product"]),
    JudgedQuestion("What is in the log?", ["log"]),
]


def test_an_evaluation_tells_it_where_keys_join_tables(tables, embedder):
    index = Index.build(tables, embedder=embedder)
    report = evaluate(index, questions=QUESTIONS, rerankers=["base", "gcs"])
    metrics = report.results[0].metrics
    assert metrics["JPR@10"].all == 1
    assert not any(name.startswith("tables") for name in metrics)
    told = evaluate(index, questions=QUESTIONS, rerankers=["base"], tables=True)
    metrics = told.results[0].metrics
    assert {"tables PR@5", "tables JPR@5", "tables PR@10", "tables JPR@10"} <= metrics.keys()
    assert metrics["tables JPR@5"].all == 1
    passages = Index.build([Object("a", "A log."), Object("b", "Else.")], embedder=embedder)
    asked = [JudgedQuestion("What is in the log?", ["a"])]
    metrics = evaluate(passages, questions=asked, rerankers=["base"]).results[0].metrics
    assert not any("JPR" in name for name in metrics)
    with pytest.raises(InputError, match="its objects are no tables"):
        evaluate(passages, questions=asked, rerankers=["base"], tables=True)


def test_questions_that_no_table_fits_have_no_set(tables, embedder):
    index = Index.build(tables, embedder=embedder)
    asked = JudgedQuestion("What?", ["log"], metadata={"filter": {"table": "nonesuch"}})
    with pytest.warns(GrapherWarning, match="no object fits"):
        report = evaluate(index, questions=[asked], rerankers=["base"], tables=True)
    assert report.results[0].metrics["tables JPR@10"].all == 0


def test_a_few_tables_among_passages_are_evaluated_as_before(tables, embedder):
    passages = [Object(f"p{place}", f"Passage {place}.") for place in range(6)]
    index = Index.build([*tables, *passages], embedder=embedder)
    metrics = evaluate(index, questions=QUESTIONS, rerankers=["base"]).results[0].metrics
    assert "PR@10" in metrics
    assert "JPR@10" not in metrics

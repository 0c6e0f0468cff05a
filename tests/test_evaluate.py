import numpy as np
import pytest

from grapher_jax.errors import InputError
from grapher_jax.evaluate import JudgedRun, evaluate, tune
from grapher_jax.index import Index
from grapher_jax.pictures import draw_alpha_grid
from grapher_jax.rerank import Reranker


def test_the_report_has_every_ranker_and_metric(index):
    rankers = [Reranker(ranker="base"), Reranker(ranker="gcs", alpha=0.3)]
    report = evaluate(index, "test", rankers, dataset="shop")
    assert (report["dataset"], report["split"], report["embedder"]) == ("shop", "test", "offline")
    assert (report["queries"], report["multi_queries"], report["objects"]) == (2, 1, 6)
    base, gcs = report["results"]
    assert (base["ranker"], base["parameters"]) == ("base", {})
    assert gcs["parameters"] == {
        "alpha": 0.3,
        "proximities": ["foreign_key"],
        "max_df": 8,
    }
    assert list(gcs["metrics"]) == ["PR@5", "PR@10", "P@10", "R@5", "R@10", "nDCG@10", "RR"]
    assert set(gcs["metrics"]["PR@5"]) == {"all", "multi"}
    assert set(gcs["seconds"]) == {"retrieve", "rerank", "compile"}


def test_metrics_agree_with_a_count_by_hand(index):
    questions = [query.text for query in index.queries.values()]
    report = evaluate(index, "test", [Reranker()])
    rankings = index.search_batch(questions, k=6)
    relevant = [{"shop.orders", "shop.stores", "shop.customers"}, {"zoo.animals"}]
    metrics = report["results"][0]["metrics"]
    perfect, recall, reciprocal = [], [], []
    for hits, wanted in zip(rankings, relevant, strict=True):
        ids = [hit.id for hit in hits]
        perfect.append(wanted <= set(ids[:5]))
        recall.append(len(wanted & set(ids[:5])) / len(wanted))
        reciprocal.append(1 / (1 + min(ids.index(name) for name in wanted)))
    assert metrics["PR@5"]["all"] == np.mean(perfect)
    assert metrics["PR@5"]["multi"] == perfect[0]
    assert metrics["R@5"]["all"] == pytest.approx(np.mean(recall))
    assert metrics["RR"]["all"] == pytest.approx(np.mean(reciprocal))


def test_a_relevant_object_that_was_not_retrieved_spoils_perfect_recall(index):
    report = evaluate(index, "test", [Reranker(ranker="base")], candidates=2)
    assert report["results"][0]["metrics"]["PR@10"]["multi"] == 0.0


def test_without_questions_of_several_objects_there_is_no_multi_figure(beir, embedder):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tzoo.animals\t1\n")
    report = evaluate(Index.from_source(str(beir), embedder=embedder), "test", [Reranker()])
    assert report["multi_queries"] == 0
    assert report["results"][0]["metrics"]["PR@5"]["multi"] is None


def test_a_split_without_judgements_is_refused(beir, embedder):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")
    with pytest.raises(InputError, match="test: no judged questions"):
        evaluate(Index.from_source(str(beir), embedder=embedder), "test", [Reranker()])


def test_the_grid_agrees_with_reranking_at_each_alpha(index):
    run = JudgedRun.retrieve(index, "test")
    report = tune(run, k=3)
    for ranker, found in report["rankers"].items():
        assert [point["alpha"] for point in found["grid"]] == [i / 10 for i in range(1, 10)]
        for point in found["grid"]:
            order = Reranker(ranker=ranker, alpha=point["alpha"]).rank(
                index.graph, run.candidates, k=3
            )
            hits = np.take_along_axis(run.relevant, order.positions, axis=1)
            assert point["all"] == np.mean(hits.sum(1) == run.relevant_counts)
        best = max(point["multi"] for point in found["grid"])
        assert found["best"] == next(p["alpha"] for p in found["grid"] if p["multi"] == best)


def test_the_grid_is_drawn_without_questions_of_several_objects(beir, embedder, tmp_path):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tzoo.animals\t1\n")
    run = JudgedRun.retrieve(Index.from_source(str(beir), embedder=embedder), "test")
    draw_alpha_grid(tune(run), tmp_path / "grid.png")
    assert (tmp_path / "grid.png").stat().st_size > 1000
    with pytest.raises(InputError, match=r"ends in \.png or \.svg"):
        draw_alpha_grid(tune(run), tmp_path / "grid.xyz")


def test_a_question_is_answered_within_its_filter(beir, embedder):
    lines = (beir / "corpus.jsonl").read_text().replace('"metadata": {', '"metadata": {"db": "x", ')
    (beir / "corpus.jsonl").write_text(lines.replace('"db": "x"', '"db": "zoo"', 4))
    lines = (beir / "queries.jsonl").read_text()
    (beir / "queries.jsonl").write_text(lines.replace("{}", '{"filter": {"db": "zoo"}}'))
    run = JudgedRun.retrieve(Index.from_source(str(beir), embedder=embedder), "test")
    assert [set(rows.tolist()) for rows in run.candidates.rows] == [{0, 1, 2, 3}] * 2


def test_the_ceiling_is_told_with_and_without_expansion(index):
    report = evaluate(index, "test", [Reranker()], candidates=2, expand=["foreign_key"])
    assert report["ceiling"] == {
        "retriever": {"all": 0.5, "multi": 0.0},
        "expanded": {"all": 1.0, "multi": 1.0},
    }
    assert list(evaluate(index, "test", [Reranker()])["ceiling"]) == ["retriever"]


def test_sets_of_proximities_are_compared(index):
    sets = [["foreign_key"], ["chunk"]]
    report = evaluate(index, "test", [Reranker(proximities=names) for names in sets])
    assert [r["parameters"]["proximities"] for r in report["results"]] == sets
    base = evaluate(index, "test", [Reranker(ranker="base")])["results"][0]["metrics"]
    # Nobody has a chunk number: the graph is empty, and GCS keeps the retriever's order.
    assert report["results"][1]["metrics"] == base

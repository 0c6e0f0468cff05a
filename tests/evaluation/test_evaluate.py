import json
import sys
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from memory_collection import candidates_of
from scipy import stats

from grapher_jax.command_line import measured
from grapher_jax.corpus import Object
from grapher_jax.demo import run_demo
from grapher_jax.errors import InputError, MissingExtraError
from grapher_jax.evaluation import JudgedRun, Ranking, evaluate, rank_all, tune
from grapher_jax.pictures import draw_alpha_grid
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval, System, load_system

OBJECTS, QUESTIONS = 14, 80


@pytest.fixture(scope="module")
def rankings(embedder):
    """Three orders of the same candidates: at random, and twice the same a little better one."""
    rng = np.random.default_rng(0)
    index = Index.build([Object(f"o{n}", f"object {n}") for n in range(OBJECTS)], embedder=embedder)
    rows = np.array([rng.permutation(OBJECTS) for _ in range(QUESTIONS)], np.int32)
    scores = np.tile(np.linspace(1, 0, OBJECTS, dtype=np.float32), (QUESTIONS, 1))
    chosen = [rng.choice(OBJECTS, 1 + n % 3, replace=False) for n in range(QUESTIONS)]
    judgements = {f"q{n}": {f"o{row}": 1 for row in of_one} for n, of_one in enumerate(chosen)}
    run = JudgedRun(index, judgements, candidates_of(rows, scores), 0.0)
    better = np.argsort(rng.random(rows.shape) - 0.1 * run.relevant, axis=1)
    orders = (np.argsort(rng.random(rows.shape), axis=1), better, better)
    return [
        Ranking(run, Reranker(ranker=name), order.astype(np.int32), scores, {"rerank": 0.0})
        for name, order in zip(("base", "gcs", "ppr"), orders, strict=True)
    ]


def test_the_report_has_every_ranker_and_metric(index):
    rankers = [Reranker(ranker="base"), Reranker(ranker="gcs", alpha=0.3)]
    report = evaluate(index, "test", rankers, dataset="shop").to_dict()
    assert (report["dataset"], report["split"], report["embedder"]) == ("shop", "test", "offline")
    assert (report["queries"], report["multi_queries"], report["objects"]) == (2, 1, 6)
    base, gcs = report["results"]
    assert (base["ranker"], base["parameters"]) == ("base", {})
    assert gcs["parameters"] == {
        "alpha": 0.3,
        "proximities": ["foreign_key"],
        "max_df": 8,
    }
    assert list(gcs["metrics"]) == [
        *("PR@5", "PR@10", "P@10", "R@5", "R@10", "R@20", "nDCG@10", "RR"),
        *("MRR", "MHits@10", "MTRR", "TMHits@10", "JPR@5", "JPR@10"),
    ]
    assert set(gcs["metrics"]["PR@5"]) == {"all", "multi"}
    assert set(gcs["seconds"]) == {"retrieve", "rerank", "compile"}


def test_metrics_agree_with_a_count_by_hand(index):
    questions = [query.text for query in index.queries.values()]
    report = evaluate(index, "test", [Reranker()]).to_dict()
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


def test_ties_of_the_ranker_s_scores_count(embedder):
    index = Index.build([Object(f"o{n}", f"object {n}") for n in range(OBJECTS)], embedder=embedder)
    scores = [9, 5, 5, 5, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
    rows = [*range(12), -1, -1]
    # The third object of the first question is not retrieved.
    relevant = [["o1", "o3", "o13"], ["o4", "o11"], ["o4"], ["o11"], ["o0"]]
    judgements = {f"q{n}": dict.fromkeys(ids, 1) for n, ids in enumerate(relevant)}
    found = candidates_of(np.array([rows] * 5, np.int32), np.array([scores] * 5, np.float32))
    ranking = Ranking.from_run(JudgedRun(index, judgements, found, 0.0), Reranker(ranker="base"))
    assert ranking.scores.tolist() == [[*scores[:12], -np.inf, -np.inf]] * 5
    by_hand = {
        "RR": [1 / 2, 1 / 5, 1 / 5, 1 / 12, 1],
        "MRR": [(1 / 2 + 1 / 4) / 3, (1 / 5 + 1 / 12) / 2, 1 / 5, 1 / 12, 1],
        "MHits@10": [2 / 3, 1 / 2, 1, 0, 1],
        # Tied ranks are 2 to 4, on average 3, and 5 to 12, on average 8.5.
        "MTRR": [2 / 3 / 3, 1 / 8.5, 1 / 8.5, 1 / 8.5, 1],
        # Eight are tied for six places.
        "TMHits@10": [2 / 3, 6 / 8, 6 / 8, 6 / 8, 1],
    }
    for name, values in by_hand.items():
        np.testing.assert_allclose(ranking.values[name], values, rtol=1e-6, err_msg=name)
    np.testing.assert_allclose(ranking.values["MHits@10"], ranking.values["R@10"], rtol=1e-6)


def test_without_ties_g_rag_s_metrics_are_known_ones(rankings):
    for ranking in rankings:
        values, one = ranking.values, ranking.run.relevant_counts == 1
        np.testing.assert_allclose(values["MHits@10"], values["R@10"], rtol=1e-6)
        np.testing.assert_allclose(values["MRR"][one], values["RR"][one], rtol=1e-6)
        assert (values["MRR"] <= values["RR"] + 1e-6).all()
        assert values["MTRR"].tolist() == values["MRR"].tolist()
        assert values["TMHits@10"].tolist() == values["MHits@10"].tolist()


def test_a_relevant_object_that_was_not_retrieved_spoils_perfect_recall(index):
    report = evaluate(index, "test", [Reranker(ranker="base")], candidates=2).to_dict()
    assert report["results"][0]["metrics"]["PR@10"]["multi"] == 0.0


def test_without_questions_of_several_objects_there_is_no_multi_figure(beir, embedder):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tzoo.animals\t1\n")
    report = evaluate(
        Index.from_source(str(beir), embedder=embedder), "test", [Reranker()]
    ).to_dict()
    assert report["multi_queries"] == 0
    assert report["results"][0]["metrics"]["PR@5"]["multi"] is None


def test_a_split_without_judgements_is_refused(beir, embedder):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n")
    with pytest.raises(InputError, match="test: no judged questions"):
        evaluate(Index.from_source(str(beir), embedder=embedder), "test", [Reranker()])


def test_the_grid_agrees_with_reranking_at_each_alpha(index):
    check_grid(JudgedRun.retrieve(index, "test"))


@pytest.mark.parametrize("name", ["rankers", "alphas"])
def test_a_grid_of_nothing_is_refused(index, name):
    with pytest.raises(InputError, match=f"{name}: there are none; give at least one"):
        tune(JudgedRun.retrieve(index, "test"), **{name: ()})


@pytest.mark.nightly
def test_the_grid_of_chunks_has_the_temperature_of_chunks(embedder):
    rng = np.random.default_rng(0)
    chunks = [
        Object(f"o{n}", f"object {n}", "", {"document_id": f"d{n // 7}", "chunk_id": n % 7})
        for n in range(OBJECTS)
    ]
    index = Index.build(chunks, embedder=embedder)
    rows = np.array([rng.permutation(OBJECTS) for _ in range(QUESTIONS)], np.int32)
    scores = -np.sort(-rng.random(rows.shape, np.float32), axis=1)
    judgements = {f"q{n}": {f"o{row}": 1 for row in own[:4:3]} for n, own in enumerate(rows)}
    check_grid(JudgedRun(index, judgements, candidates_of(rows, scores), 0.0))


def check_grid(run):
    report = tune(run, k=3).to_dict()
    for ranker, found in report["rankers"].items():
        assert [point["alpha"] for point in found["grid"]] == [i / 10 for i in range(1, 10)]
        for point in found["grid"]:
            order = Reranker(ranker=ranker, alpha=point["alpha"]).rank(
                run.index, run.candidates, k=3
            )
            hits = np.take_along_axis(run.relevant, order.positions, axis=1)
            mean = np.mean(hits.sum(1) == run.relevant_counts)
            assert np.float32(point["all"]) == np.float32(mean)
        best = max(point["multi"] for point in found["grid"])
        assert found["best"] == next(p["alpha"] for p in found["grid"] if p["multi"] == best)


def test_the_grid_is_drawn_without_questions_of_several_objects(beir, embedder, tmp_path):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tzoo.animals\t1\n")
    run = JudgedRun.retrieve(Index.from_source(str(beir), embedder=embedder), "test")
    matplotlib.use("svg")
    draw_alpha_grid(tune(run).to_dict(), tmp_path / "grid.png")
    assert matplotlib.get_backend() == "svg"
    assert (tmp_path / "grid.png").stat().st_size > 1000
    with pytest.raises(InputError, match=r"ends in \.png or \.svg"):
        draw_alpha_grid(tune(run).to_dict(), tmp_path / "grid.xyz")


def test_a_question_is_answered_within_its_filter(beir, embedder):
    lines = (beir / "corpus.jsonl").read_text().replace('"metadata": {', '"metadata": {"db": "x", ')
    (beir / "corpus.jsonl").write_text(lines.replace('"db": "x"', '"db": "zoo"', 4))
    lines = (beir / "queries.jsonl").read_text()
    (beir / "queries.jsonl").write_text(lines.replace("{}", '{"filter": {"db": "zoo"}}'))
    run = JudgedRun.retrieve(Index.from_source(str(beir), embedder=embedder), "test")
    assert [set(rows.tolist()) for rows in run.candidates.rows] == [{0, 1, 2, 3}] * 2


def test_the_ceiling_is_told_with_and_without_expansion(index):
    report = evaluate(index, "test", [Reranker()], candidates=2, expand=["foreign_key"]).to_dict()
    assert report["ceiling"] == {
        "retriever": {"all": 0.5, "multi": 0.0},
        "expanded": {"all": 1.0, "multi": 1.0},
    }
    assert list(evaluate(index, "test", [Reranker()]).to_dict()["ceiling"]) == ["retriever"]


def test_the_ceiling_is_that_of_the_objects_whoever_scores_them(index):
    bases = [None, lambda _, texts: [1.0] * len(texts), lambda _, texts: [*map(len, texts)]]
    rerankers = [Reranker(base=base) for base in bases]
    assert list(evaluate(index, "test", rerankers).to_dict()["ceiling"]) == ["retriever"]


def test_what_auto_takes_has_objects_join_and_the_retriever_alone_has_not(index):
    report = evaluate(index, "test", ["base", "auto"], candidates=2).to_dict()
    assert [row["ranker"] for row in report["results"]] == ["base", "auto (gat)"]
    assert report["ceiling"] == {
        "retriever": {"all": 0.5, "multi": 0.0},
        "expanded": {"all": 1.0, "multi": 1.0},
    }
    assert [row["parameters"].get("expand") for row in report["results"]] == [None, True]
    assert [row["metrics"]["PR@10"]["all"] for row in report["results"]] == [0.5, 1.0]
    turned = evaluate(index, "test", ["auto", "base"], candidates=2).to_dict()
    assert turned["ceiling"] == report["ceiling"]
    own = System.from_reranker(Reranker(), candidates=2)
    ranked = rank_all(index, "test", systems=[replace(own, name="own")])
    assert [ranking.run.candidates.rows.shape[1] for ranking in ranked] == [2, 3]
    alone = evaluate(index, "test", ["base", "auto"], candidates=2, expand=False).to_dict()
    assert list(alone["ceiling"]) == ["retriever"]


def test_questions_are_embedded_once_however_often_they_are_retrieved_for(index, monkeypatch):
    kind, asked = type(index.embedder), []
    embeds = kind.embed_queries

    def counting(self, texts, **options):
        asked.extend(texts)
        return embeds(self, texts, **options)

    monkeypatch.setattr(kind, "embed_queries", counting)
    ranked = rank_all(index, "test", [Reranker(ranker="base"), Reranker()], candidates=2)
    first, second = (ranking.run for ranking in ranked)
    assert first.candidates.rows.shape != second.candidates.rows.shape
    assert len(asked) == len(first.judgements)
    apart = rank_all(index, "test", [Reranker()], candidates=2)[0].run
    np.testing.assert_array_equal(second.candidates.rows, apart.candidates.rows)
    np.testing.assert_array_equal(second.candidates.scores, apart.candidates.scores)


def test_sets_of_proximities_are_compared(index):
    sets = [["foreign_key"], ["chunk"]]
    report = evaluate(index, "test", [Reranker(proximities=names) for names in sets]).to_dict()
    assert [r["parameters"]["proximities"] for r in report["results"]] == sets
    base = evaluate(index, "test", [Reranker(ranker="base")]).to_dict()["results"][0]["metrics"]
    # Nobody has a chunk number: the graph is empty, and GCS keeps the retriever's order.
    assert report["results"][1]["metrics"] == base


def test_intervals_agree_with_scipy(rankings):
    base, gcs, _ = rankings
    report, versus = gcs.report().to_dict(), gcs.versus(base).to_dict()
    for over, chosen in {"all": slice(None), "multi": gcs.run.multi}.items():
        for name in ("PR@5", "PR@10", "nDCG@10", "RR", "MTRR", "TMHits@10"):
            values = gcs.values[name][chosen]
            gains = values - base.values[name][chosen]
            for data, mean, interval in (
                (values, report["metrics"][name][over], report["intervals"][name][over]),
                (gains, versus["differences"][name][over], versus["intervals"][name][over]),
            ):
                expected = stats.bootstrap((data,), np.mean, method="percentile", rng=1)
                assert mean == pytest.approx(data.mean())
                np.testing.assert_allclose(interval, expected.confidence_interval, atol=0.02)


def test_questions_won_and_lost_are_counted(rankings):
    base, gcs, ppr = rankings
    versus = gcs.versus(base).to_dict()
    recalled = [
        (one.hits[:, :10].sum(1) == one.run.relevant_counts).astype(int) for one in (gcs, base)
    ]
    for over, chosen in {"all": slice(None), "multi": gcs.run.multi}.items():
        change = (recalled[0] - recalled[1])[chosen]
        assert versus["wins"][over] == (change == 1).sum() > 0
        assert versus["losses"][over] == (change == -1).sum() > 0
    back = base.versus(gcs).to_dict()
    assert (back["wins"], back["losses"]) == (versus["losses"], versus["wins"])
    assert (back["ranker"], versus["ranker"]) == ("gcs", "base")
    same = gcs.versus(ppr).to_dict()
    assert same["wins"] == same["losses"] == {"all": 0, "multi": 0}
    assert same["intervals"]["RR"] == {"all": [0.0, 0.0], "multi": [0.0, 0.0]}


def test_every_ranker_but_the_first_is_compared_with_the_first(index):
    rankers = [Reranker(ranker="base"), Reranker(ranker="gcs"), Reranker(ranker="ppr")]
    report = evaluate(index, "test", rankers).to_dict()
    assert ["versus" in result for result in report["results"]] == [False, True, True]
    for result in report["results"]:
        assert list(result["intervals"]) == list(result["metrics"])
        for name, means in result["metrics"].items():
            low, high = result["intervals"][name]["all"]
            assert 0 <= low <= means["all"] <= high <= 1
    assert report["results"][2]["versus"]["ranker"] == "base"
    again = evaluate(index, "test", rankers).to_dict()
    for key in ("intervals", "versus"):
        assert again["results"][2][key] == report["results"][2][key]
    json.dumps(report)


def test_the_gains_are_printed(index, rankings, capsys):
    report = evaluate(index, "test", [Reranker(ranker="base"), Reranker(ranker="gcs")])
    gain = rankings[1].versus(rankings[0])
    versus, (base, gcs) = gain.to_dict(), report.results
    measured.print_evaluation(replace(report, results=[base, replace(gcs, versus=gain)]))
    header, row, _ = capsys.readouterr().out.splitlines()[-3:]
    gain, (low, high) = (versus[key]["PR@10"]["multi"] for key in ("differences", "intervals"))
    assert header.split() == ["PR@10", "against", "base", "all", "queries", "won", "lost"]
    assert f"{100 * gain:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]" in row
    assert row.split()[-2:] == [str(versus["wins"]["all"]), str(versus["losses"]["all"])]
    assert max(map(len, (header, row))) <= 80


def test_without_questions_of_several_objects_there_is_no_multi_interval(beir, embedder, capsys):
    (beir / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq2\tzoo.animals\t1\n")
    index = Index.from_source(str(beir), embedder=embedder)
    report = evaluate(index, "test", [Reranker(ranker="base"), Reranker()])
    versus = report.to_dict()["results"][1]["versus"]
    assert versus["differences"]["PR@5"] == {"all": 0.0, "multi": None}
    assert versus["intervals"]["PR@5"] == {"all": [0.0, 0.0], "multi": None}
    measured.print_evaluation(report)
    assert "–  " in capsys.readouterr().out.splitlines()[-2]


def dense(ranker):
    """A system with a retriever of its own."""
    retrieval = Retrieval(candidates=2, lexical_weight=0.0)
    return System(name=f"dense-{ranker}", retrieval=retrieval, reranker=Reranker(ranker=ranker))


def named(report):
    return [(result["ranker"], result.get("system")) for result in report["results"]]


def test_systems_stand_beside_rankers_each_with_its_retriever(index):
    systems = [load_system("grapher"), dense("gcs"), dense("ppr")]
    report = evaluate(index, "test", [Reranker(ranker="base")], systems=systems).to_dict()
    assert named(report) == [
        ("base", None),
        ("base", "grapher"),
        ("grapher", "grapher"),
        ("base", "dense-gcs"),
        ("dense-gcs", "dense-gcs"),
        ("dense-ppr", "dense-ppr"),
    ]
    _, _, grapher, base, gcs, _ = report["results"]
    assert grapher["parameters"]["weights"] == "gat-tables"
    told = {"candidates": 2, "lexical_weight": 0.0, "lexical_norm": "min-max"}
    told |= {"title_weight": 0.5, "query_adapter": "none", "expand": False}
    assert base["parameters"] == told
    assert gcs["parameters"] == told | {"alpha": 0.1, "max_df": 8, "proximities": ["foreign_key"]}
    # Two candidates cannot hold three relevant objects.
    assert report["ceiling"] == {
        "retriever": {"all": 1.0, "multi": 1.0},
        "grapher": {"all": 1.0, "multi": 1.0},
        "dense-gcs": {"all": 0.5, "multi": 0.0},
    }
    assert gcs["metrics"]["PR@10"]["multi"] == 0.0 < grapher["metrics"]["PR@10"]["multi"]
    assert gcs["versus"]["ranker"] == "base"
    assert gcs["versus"]["differences"]["PR@10"]["multi"] == -1.0
    json.dumps(report)


def test_systems_alone_are_compared_with_their_retriever(index):
    report = evaluate(index, "test", systems=[dense("gcs"), load_system("grapher")]).to_dict()
    assert named(report) == [
        ("base", "dense-gcs"),
        ("dense-gcs", "dense-gcs"),
        ("base", "grapher"),
        ("grapher", "grapher"),
    ]
    assert list(report["ceiling"]) == ["dense-gcs", "grapher"]
    assert report["results"][1]["versus"]["system"] == "dense-gcs"
    with pytest.raises(InputError, match="there are none, nor systems"):
        evaluate(index, "test")
    with pytest.raises(InputError, match="'dense-gcs' stands twice"):
        evaluate(index, "test", systems=[dense("gcs"), dense("gcs")])


def test_candidates_are_retrieved_once_for_each_setting(index, monkeypatch):
    asked, retrieve = [], Index.retrieve

    def counted(self, questions, **options):
        asked.append(options["lexical_weight"])
        return retrieve(self, questions, **options)

    monkeypatch.setattr(Index, "retrieve", counted)
    systems = [load_system("grapher"), dense("gcs"), dense("ppr")]
    evaluate(index, "test", [Reranker(ranker="base"), Reranker()], systems=systems)
    assert asked == [0.2, 0.3, 0.0]


def test_the_rows_of_systems_are_printed(index, capsys):
    measured.print_evaluation(evaluate(index, "test", systems=[dense("gcs")]))
    out = capsys.readouterr().out
    assert "among the candidates: dense-gcs 0.0 (50.0)" in out
    assert any(line.startswith("base (dense-gcs) ") for line in out.splitlines())
    assert any(line.startswith("dense-gcs ") for line in out.splitlines())


def test_recall_is_told_by_level_where_questions_have_one(beir, embedder, capsys):
    lines = (beir / "queries.jsonl").read_text().splitlines()
    odd = json.dumps({"_id": "q3", "text": "Which cages?", "metadata": {"level": True}})
    lines[0] = lines[0].replace("{}", '{"level": 4, "kind": "hop"}')
    lines = [lines[0], lines[1].replace("{}", '{"level": 10}'), odd]
    (beir / "queries.jsonl").write_text("\n".join(lines) + "\n")
    with (beir / "qrels" / "test.tsv").open("a") as file:
        file.write("q3\tzoo.cages\t1\n")
    index = Index.from_source(str(beir), embedder=embedder)
    report = evaluate(index, "test", systems=[dense("base")])
    base, _ = report.to_dict()["results"]
    recall = base["metrics"]["R@5"]["all"]
    assert base["levels"] == {
        "4": {"queries": 1, "R@5": pytest.approx(2 / 3)},
        "10": {"queries": 1, "R@5": 1.0},
    }
    assert [*base["levels"]] == ["4", "10"]
    assert recall == pytest.approx((2 / 3 + 1 + 1) / 3)
    measured.print_evaluation(report)
    header, row, _ = capsys.readouterr().out.splitlines()[-3:]
    assert " ".join(header.split()) == "R@5 by level (queries) level 4 (1) level 10 (1)"
    assert row.split()[-2:] == ["66.7", "100.0"]
    by_kind = evaluate(index, "test", systems=[dense("base")], level="kind").to_dict()["results"]
    assert by_kind[0]["levels"] == {"hop": base["levels"]["4"]}
    with pytest.raises(InputError, match="level: no judged question has metadata 'hops'; give"):
        evaluate(index, "test", [Reranker()], level="hops")


def test_without_levels_none_are_told(index):
    assert "levels" not in evaluate(index, "test", [Reranker()]).to_dict()["results"][0]


def test_what_metrics_and_pictures_need_is_told_before_anything_is_ranked(grapher, monkeypatch):
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    # Neither is there, which whoever begins would tell.
    for begun in (lambda: evaluate("nowhere", "dev"), lambda: run_demo(embedder="/nowhere")):
        with pytest.raises(MissingExtraError, match=r'pip install "grapher-jax\[evaluate\]"'):
            begun()
    status, _, err = grapher("tune", "nowhere", "--split", "dev")
    assert status == 1 and "matplotlib is not installed" in err

"""The page of results shows what `evaluate` finds, chosen and written so that anyone may read it."""

import re
import sys
from html import unescape
from pathlib import Path

import markdown
import numpy as np
import pytest
from flax import nnx
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import results_page
from results_page import (
    AUTO,
    BASE,
    DIFFUSION,
    EXPANDED,
    GAT,
    GCS,
    MLP,
    PPR,
    Comparison,
    main,
    plain,
)

from grapher_jax.corpus import Object, Query, write_queries
from grapher_jax.evaluation import JudgedRun, Ranking, evaluate
from grapher_jax.rerank import Reranker
from grapher_jax.search import Index
from grapher_jax.systems.networks import save_weights
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.gat import Gat, GatConfig

ODD = "Which *orders* | were <b>placed</b> in [stores](http://x.y) of `Boston`?"


@pytest.fixture
def mlp(tmp_path):
    network = GatConfig(dimension=384, inputs=("scalars",), layers=1, messages=False)
    training = TrainConfig(sets=(SetConfig(source="data/shop"),)).to_json()
    folder = tmp_path / "weights"
    model = Gat(network, nnx.Rngs(0))
    save_weights(folder, model, embedder="offline", record={"training": training})
    return folder


def tables(text):
    """The rows of every table, by its first header cell and those of its first column."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        header, _, *rows = (
            [cell.strip() for cell in line.strip("|").split(" | ")]
            for line in block.replace("|  |", "| |").splitlines()
        )
        found.append((header, {row[0].strip("* "): row[1:] for row in rows}))
    return found


@pytest.fixture
def things(tmp_path, embedder):
    """A set whose rankers stand where the ranks say, and its folder."""
    # The place of the one relevant object of each question, counted from 1.
    ranks = {
        BASE: [1, 11, 9, 2, 12, 14, 1, 2, 3],
        GCS: [12, 3, 12, 2, 12, 14, 14, 2, 3],
        GAT: [11, 12, 14, 10, 1, 14, 14, 13, 14],
        EXPANDED: [1] * 9,
        AUTO: [1] * 9,
    }
    objects = [Object(f"thing {n}", f"the *{n}*. thing", f"Thing_ {n}") for n in range(14)]
    queries = [Query(f"q{n}", f"<i>Which</i> thing is {n}?") for n in range(9)]
    judgements = {query.id: {"thing 0": 1} for query in queries}
    write_queries(tmp_path, queries, {"dev": judgements})
    index = Index.build(objects, embedder=embedder, folder=tmp_path)
    run = JudgedRun.retrieve(index, "dev")
    relevant = np.argmax(run.relevant, axis=1)
    rankings = {}
    for label, of_label in ranks.items():
        positions = [
            np.insert(np.delete(np.arange(14), place), rank - 1, place)
            for place, rank in zip(relevant, of_label, strict=True)
        ]
        order = np.array(positions, np.int32)
        scores = np.sort(run.candidates.scores)[:, ::-1]
        rankings[label] = Ranking(run, Reranker(ranker="base"), order, scores, {})
    return Comparison("things", "dev", run, run, rankings)


@pytest.mark.nightly
def test_the_page_has_the_figures_of_evaluate(beir, embedder, mlp, tmp_path, capsys):
    out = tmp_path / "docs" / "results" / "intervals.md"
    main([str(tmp_path), "--sets", "shop:test", "--mlp", str(mlp), "--out", str(out)])
    assert str(out) in capsys.readouterr().out
    text = out.read_text()
    # Without where GAT is behind, of which there may be none.
    found = [table for table in tables(text) if "against GCS" not in table[0]]
    (_, rankers), (header, several), (_, every) = found[:3]
    assert rankers[MLP][0].endswith("learned from shop train")
    assert header[1:] == ["PR@5", "PR@10", "nDCG@10", "RR", "won, lost"]
    index = Index.from_source(str(beir), embedder=embedder)
    labels = {
        BASE: "base",
        PPR: "ppr",
        GCS: "gcs",
        DIFFUSION: "diffusion",
        MLP: str(mlp),
        GAT: "gat",
    }
    rerankers = [Reranker(ranker=name) for name in labels.values()]
    results = dict(
        zip(labels, evaluate(index, "test", rerankers).to_dict()["results"], strict=True)
    )
    grown = evaluate(index, "test", [Reranker(ranker="gat")], expand=True).to_dict()
    results[EXPANDED] = grown["results"][0]
    results[AUTO] = evaluate(index, "test", [Reranker()]).to_dict()["results"][0]
    for over, table in {"multi": several, "all": every}.items():
        assert list(table) == [
            *results,
            *(f"{label} − {BASE}" for label in results if label != BASE),
            *(f"{label} − {GCS}" for label in results if label not in (BASE, GCS)),
        ]
        for label, result in results.items():
            for name, cell in zip(header[1:], table[label][:-1], strict=False):
                shown = [float(figure) for figure in re.findall(r"[\d.]+", cell)]
                found = [result["metrics"][name][over], *result["intervals"][name][over]]
                assert shown == [float(f"{100 * share:.1f}") for share in found]
    for command in ("make results DATA=FOLDER MLP=FOLDER", 'ARGS="--sets shop:test"'):
        assert command in text
    picture = re.search(r"!\[.*\]\((.*)\)", text)[1]
    assert (out.parent / picture).read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--sets", "gone:test"], "gone"),
        (["--sets", "shop:gone"], "no split 'gone'; its splits: test"),
        (
            ["--sets", "shop:test", "--mlp", str(results_page.SHIPPED_FOLDER / "gat")],
            "has messages",
        ),
    ],
)
def test_what_cannot_be_compared_is_named(beir, tmp_path, capsys, options, message):
    with pytest.raises(SystemExit):
        main([str(tmp_path), *options, "--out", str(tmp_path / "intervals.md")])
    assert message in capsys.readouterr().err
    assert not (tmp_path / "intervals.md").exists()


def test_failures_are_the_deepest_falls(things):
    text = "\n\n".join(results_page._failures(things))
    assert text.splitlines()[2].startswith("For 6 of 9 questions, base or GCS has all")
    assert "For 1, GAT alone has." in text
    assert re.findall(r"\*\*Question\*\* \((\w+)\)", text) == ["q6", "q7", "q8"]
    relevant, first = tables(text)[:2]
    assert relevant[1] == {"Thing&#95; 0 (thing 0)** the &#42;0&#42;. thing": ["1", "14", "14"]}
    assert list(first[1]) == ["1", "2", "3", "4", "5"]
    assert "<i>" not in text


def test_where_gat_is_behind_is_told(things):
    (header, rows) = tables("\n\n".join(results_page._behind([things])) + "\n")[0]
    assert header == ["questions", "ranker", "against base", "against GCS"]
    ((label, *against),) = rows.values()
    assert label == GAT
    for cell in against:
        assert re.findall(r"(?:^|<br>)(\S+) (?:\*\*)?−\d", cell) == list(results_page.METRICS)
    best = Comparison(
        "things", "dev", things.run, things.run, things.rankings | {GAT: things.rankings[EXPANDED]}
    )
    assert list(results_page._behind([best]))[1:] == [
        "All differences to base and to GCS below 0: there are none."
    ]


def test_bold_is_a_difference_whose_interval_leaves_out_0():
    def shown(*figures):
        mean, *interval = figures
        versus = {"differences": {"RR": {"all": mean}}, "intervals": {"RR": {"all": interval}}}
        return results_page._difference(versus, "RR", "all").replace("\u00a0", " ")

    assert shown(0.02, 0.001, 0.03) == "**+2.0 [+0.1, +3.0]**"
    assert shown(-0.02, -0.03, -0.01) == "**−2.0 [−3.0, −1.0]**"
    assert shown(0.02, 0.0, 0.03) == "+2.0 [+0.0, +3.0]"
    # What is shown as 0 counts as 0.
    assert shown(-0.02, -0.03, -0.0004) == "−2.0 [−3.0, +0.0]"


@pytest.mark.parametrize(
    ("counts", "overs"), [([1, 2], ["multi", "all"]), ([2, 2], ["multi"]), ([1, 1], ["all"])]
)
def test_each_group_of_questions_is_shown_once(things, counts, overs):
    run = things.run
    judgements = {
        f"q{n}": {f"thing {m}": 1 for m in range(count)} for n, count in enumerate(counts)
    }
    judged = JudgedRun(run.index, judgements, run.candidates, 0.0)
    assert list(Comparison("things", "dev", judged, judged, {}).questions) == overs


@given(st.text(st.sampled_from("*_~`[]()<>{}|\\!#&:;$@^ \nab1.-") | st.characters()))
def test_no_text_means_anything_to_markdown(text):
    shown = plain(text, 40)
    source = f"| a |\n|---|\n| **x{shown}** x{shown} |"
    expected = plain_line(text)
    for html in (
        markdown.markdown(source, extensions=["tables"]),
        MarkdownIt("commonmark").enable("table").render(source),
    ):
        cell = re.search(r"<td>(.*)</td>", html, re.DOTALL)[1]
        assert unescape(re.sub(r"<[^>]+>", "", cell)) == f"x{expected} x{expected}"


def plain_line(text):
    line = results_page.printable(" ".join(text.split()))
    return line if len(line) <= 40 else line[:39].rstrip() + "…"

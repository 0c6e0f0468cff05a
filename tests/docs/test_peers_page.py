"""The page of peers has the figures of `evaluate`, and says where a peer is ahead."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grapher_jax.demo import sample_folder, sample_tables
from grapher_jax.evaluation import evaluate
from grapher_jax.search import Index

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

import peers_page
from passage_peers import PEERS
from peers_page import CROSSED, GRID, METRICS, SETS, Opened, ahead, main

SMALL = {
    "reciprocal rank fusion": {"constant": (60,), "lexical": (0.5,)},
    "MMR": {"trade_off": (0.0, 1.0)},
    "HippoRAG's walk": {"damping": (0.5,), "passages": (1.0,), "synonyms": (0.9,)},
    "LightRAG-like hop": {"seeds": (1,), "common": (8,), "mixed": (True,)},
}


@pytest.fixture
def folder(embedder, tmp_path):
    """An index of the sample's tables as passages, which share a few entities."""
    passages = [
        replace(item, metadata={"entities": [f"Name {number % 7}"]})
        for number, item in enumerate(sample_tables())
    ]
    Index.build(passages, embedder=embedder, folder=sample_folder()).save(tmp_path / "shop.index")
    return tmp_path


def test_settings_are_those_of_the_schemes():
    assert [*GRID, CROSSED] == [*PEERS]
    assert {split for _, split in SETS.values()} == {"train"}
    assert not {*SETS} & {*SETS.values()}


@pytest.mark.nightly
def test_the_page_has_the_figures_of_evaluate(folder, cross_encoder, monkeypatch):
    monkeypatch.setattr(peers_page, "GRID", SMALL)
    monkeypatch.setattr(peers_page, "PEERS", {name: PEERS[name] for name in (*SMALL, CROSSED)})
    monkeypatch.setattr(peers_page, "SETS", {("shop", "test"): ("shop", "test")})
    out = folder / "peers.md"
    given = ["--out", str(out), "--every", "1", "--cross-encoder", cross_encoder]
    main([str(folder), *given])
    written = out.read_text(encoding="utf-8")
    _, _, shown = written.partition("## shop test")
    rows = [line.split("|")[1:-1] for line in shown.splitlines() if line.startswith("|")]
    lines = [[cell.strip() for cell in row] for row in rows]
    report = evaluate(folder / "shop.index", "test", ["base", "ppr", "gcs", "auto"]).to_dict()
    for over in ("multi", "all"):
        header, _, base, *peers, ppr, gcs, auto = lines[: 6 + len(SMALL) + 1]
        lines = lines[6 + len(SMALL) + 1 :]
        assert header[-1] == "ms" and header[: 1 + len(METRICS)] == ["", *METRICS]
        for row, result in zip([base, ppr, gcs, auto], report["results"], strict=True):
            assert row[1 : 1 + len(METRICS)] == [
                f"{100 * result['metrics'][name][over]:.1f}" for name in METRICS
            ]
        assert [row[0] for row in peers] == [*SMALL, CROSSED]
    assert not lines


@pytest.mark.nightly
def test_relevance_alone_is_the_retriever_s_order(folder):
    questions = Opened.of(folder, "shop").questions("test")
    found = questions.of_peer("MMR", {"trade_off": 1.0})
    base = questions.of_ours("base")
    for name in METRICS:
        np.testing.assert_allclose(found.values[name], base.values[name])


def test_the_first_paragraph_says_where_a_peer_is_ahead():
    class Fake:
        def ahead(self):
            return iter([("MMR", "RR **+1.0 [+0.5, +1.5]**")])

    class Behind(Fake):
        def ahead(self):
            return iter(())

    assert "on one set, MMR by RR **+1.0" in ahead({"one set": Fake(), "another": Behind()})
    assert ahead({"another": Behind()}).startswith("No peer has a higher mean")

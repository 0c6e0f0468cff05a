"""Questions are split by how densely they name the graph's keywords."""

import sys
from pathlib import Path

from grapher_jax.corpus import Object, Query, read_judgements, read_queries, write_beir
from grapher_jax.search import Index

sys.path.append(str(Path(__file__).parents[2] / "docs" / "tools"))

from keyword_density import main

OBJECTS = [
    Object("a", "The bridge.", metadata={"keywords": ["Bridge", "stone"]}),
    Object("b", "The river.", metadata={"keywords": ["river", "bridge"]}),
]
QUESTIONS = {
    "many": Query("many", "river bridge stone", {"filter": {}}),
    "told": Query("told", "What is it?", {"keywords": ["River", "stone"]}),
    "few": Query("few", "What is the longest bridge?"),
    "none": Query("none", "What is it?"),
    "unjudged": Query("unjudged", "bridge"),
}


def test_the_denser_half_of_the_questions_is_high(embedder, tmp_path):
    judged = {name: {"a": 1} for name in QUESTIONS if name != "unjudged"}
    write_beir(tmp_path / "set", OBJECTS, QUESTIONS.values(), {"dev": judged})
    Index.build(OBJECTS, embedder=embedder, folder=tmp_path / "set").save(tmp_path / "set.index")
    assert main([str(tmp_path / "set.index"), "dev", str(tmp_path / "split")]) == 0
    found = {query.id: query for query in read_queries(tmp_path / "split")}
    assert {name: query.metadata["density"] for name, query in found.items()} == {
        "many": "high",
        "told": "high",
        "few": "low",
        "none": "low",
    }
    assert found["many"].metadata["filter"] == {}
    names = {item.id for item in OBJECTS}
    assert read_judgements(tmp_path / "split", "dev", objects=names, queries={*found}) == judged

import json

import pytest

from grapher_jax import Index, Object, Reranker
from grapher_jax.corpus import read_source
from grapher_jax.corpus.beir import write_beir
from grapher_jax.enrich.mentions import Mentions, find_mentions
from grapher_jax.errors import InputError

PAGES = [
    Object("film", "The Third Man is a film, directed by Carol Reed in Vienna.", "The Third Man"),
    Object("reed", "An English director, born in Putney.", "Carol Reed"),
    Object("putney", "A district of London on the Thames.", "Putney"),
    Object("told", "It names Carol Reed.", metadata={"title_mentions": ["putney"]}),
    Object("silent", "It names Carol Reed.", metadata={"title_mentions": []}),
    Object("table", "reed: id", "Putney", {"table": "reed"}),
]
FOUND = {"film": ["reed"], "reed": ["putney"]}


def test_texts_that_mention_titles_are_found_as_by_an_index(embedder):
    assert find_mentions(iter(PAGES)) == FOUND
    graph = Index.build(PAGES, embedder=embedder).graph
    told = {**FOUND, "told": ["putney"]}
    assert [
        [PAGES[row].id for row in own.tolist()] for own in map(graph.lists("mentions").at, range(6))
    ] == [told.get(page.id, []) for page in PAGES]


def test_a_corpus_is_checked():
    with pytest.raises(InputError, match="duplicate id 'film'"):
        find_mentions([PAGES[0], PAGES[0]])
    with pytest.raises(InputError, match="links"):
        find_mentions([Object("a", "See Putney.", metadata={"links": 5}), PAGES[2]])


def test_an_object_that_says_what_it_mentions_stays():
    enricher = Mentions({"told": ["reed"], "silent": ["reed"], "film": ["reed"]})
    assert enricher(PAGES[3]) is PAGES[3]
    assert enricher(PAGES[4]) is PAGES[4]
    assert enricher(PAGES[2]) is PAGES[2]
    assert enricher(PAGES[0]).metadata == {"title_mentions": ["reed"]}


def test_the_command_writes_them_into_the_corpus(grapher, tmp_path):
    write_beir(tmp_path / "pages", PAGES)
    status, out, _ = grapher(
        "enrich", tmp_path / "pages", "--out", tmp_path / "out", "--enricher", "mentions", "--json"
    )
    assert (status, json.loads(out)["enrichers"]) == (0, ["mentions"])
    written = {item.id: item for item in read_source(str(tmp_path / "out"))}
    found = {name: item.metadata.get("title_mentions") for name, item in written.items()}
    assert found == {**FOUND, "told": ["putney"], "silent": [], "putney": None, "table": None}


def test_candidates_without_an_index_are_joined_by_them():
    found = map(Mentions(find_mentions(PAGES)), [PAGES[0], PAGES[1], PAGES[4]])
    scored = [
        {"id": item.id, "text": item.text, "metadata": dict(item.metadata), "score": score}
        for item, score in zip(found, [0.9, 0.1, 0.4], strict=True)
    ]
    hits = Reranker(ranker="gcs", alpha=0.1).rerank("Who directed it?", scored)
    assert [hit.id for hit in hits] == ["film", "reed", "silent"]

"""Public sets by name, from small sets that the real libraries read from this machine."""

import json
import sys
from typing import NamedTuple

import pytest

from grapher_jax.corpus import (
    Object,
    is_public_set,
    local_source,
    read_judgements,
    read_objects,
    read_queries,
    read_source,
    splits,
)
from grapher_jax.errors import GrapherWarning, InputError, MissingExtraError

CARD = """---
configs:
- config_name: corpus
  data_files: corpus.jsonl
- config_name: queries
  data_files: queries.jsonl
- config_name: default
  data_files:
  - split: dev
    path: dev.jsonl
  - split: test
    path: test.jsonl
---
"""
ROWS = {
    "corpus.jsonl": [
        {"_id": "d1", "title": "Rome", "text": "It is old.", "entities": ["Rome"], "other": 1},
        {"_id": "d2", "title": "", "text": "Oslo is a city.", "entities": None, "other": 2},
    ],
    "queries.jsonl": [{"_id": "q1", "text": "Which is old?"}],
    "dev.jsonl": [{"query-id": "q1", "corpus-id": "d1", "score": 2}],
    "test.jsonl": [{"query-id": "q1", "corpus-id": "d2", "score": 1}],
}


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setattr("grapher_jax.corpus.public_sets.cache_folder", lambda: folder)
    return folder


@pytest.fixture
def datasets(cache, monkeypatch):
    library = pytest.importorskip("datasets")
    library.disable_progress_bars()
    monkeypatch.setattr(library.config, "HF_DATASETS_CACHE", cache / "datasets")
    return library


@pytest.fixture
def hub(tmp_path, datasets):
    """A set for retrieval as the hub has them."""
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "README.md").write_text(CARD)
    for name, rows in ROWS.items():
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def contents(folder):
    objects = {item.id: item for item in read_objects(folder)}
    queries = {query.id: query.text for query in read_queries(folder)}
    known = {"objects": objects, "queries": queries}
    return (
        objects,
        queries,
        {name: read_judgements(folder, name, **known) for name in splits(folder)},
    )


def test_a_set_of_the_hub_has_objects_questions_and_judgements(hub, cache):
    folder = local_source(f"datasets:{hub}")
    objects, queries, judged = contents(folder)
    assert objects == {
        "d1": Object("d1", "It is old.", "Rome", {"entities": ["Rome"]}),
        "d2": Object("d2", "Oslo is a city."),
    }
    assert queries == {"q1": "Which is old?"}
    assert judged == {"dev": {"q1": {"d1": 2}}, "test": {"q1": {"d2": 1}}}
    assert folder.is_relative_to(cache)
    assert list(read_source(f"datasets:{hub}")) == list(objects.values())


def test_a_grade_that_is_no_integer_is_named(hub):
    (hub / "dev.jsonl").write_text('{"query-id": "q1", "corpus-id": "d1", "score": 0.7}\n')
    with pytest.raises(InputError, match="of 'q1' with 'd1': the score must be an integer"):
        local_source(f"datasets:{hub}")


def test_one_configuration_gives_its_rows(hub):
    objects, queries, judged = contents(local_source(f"datasets:{hub}:queries"))
    assert objects == {"q1": Object("q1", "Which is old?")}
    assert not queries
    assert not judged


def test_rows_without_ids_are_numbered(tmp_path, datasets):
    (tmp_path / "rows.jsonl").write_text('{"text": "one"}\n{"text": "two"}\n')
    objects = list(read_source(f"datasets:{tmp_path}"))
    assert objects == [Object("0", "one"), Object("1", "two")]


def test_rows_are_read_as_those_of_a_store(tmp_path, datasets):
    rows = [
        {"text": "one", "document_id": 7, "entities": '["Rome"]', "metadata": "a note"},
        {"text": None, "document_id": 8, "entities": "[]", "metadata": None},
    ]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert list(read_source(f"datasets:{tmp_path}")) == [
        Object("0", "one", metadata={"document_id": "7", "entities": ["Rome"]}),
        Object("1", "", metadata={"document_id": "8", "entities": []}),
    ]


def test_what_cannot_be_an_object_is_named_with_its_row(tmp_path, datasets):
    (tmp_path / "rows.jsonl").write_text(json.dumps({"text": "", "links": [{"to": "b"}]}))
    told = "row 1 of the configuration 'default': metadata.links must be a list of strings"
    with pytest.raises(InputError, match=f"^source: {told}"):
        local_source(f"datasets:{tmp_path}")


def test_a_long_path_has_a_folder_of_its_own(hub, tmp_path):
    deep = tmp_path.joinpath(*["x" * 60] * 4)
    deep.mkdir(parents=True)
    other = hub.rename(deep / "one")
    folders = {local_source(f"datasets:{other}{config}") for config in (":corpus", ":queries")}
    assert len({folder.name for folder in folders}) == 2


def test_a_configuration_must_be_named_and_have_texts(hub):
    (hub / "README.md").write_text(CARD.replace("config_name: corpus", "config_name: texts"))
    with pytest.raises(
        InputError, match=r":CONFIG is needed, with one of: texts, queries, default"
    ):
        local_source(f"datasets:{hub}")
    with pytest.raises(InputError, match="'default' has no texts in a column text, but corpus-id"):
        local_source(f"datasets:{hub}:default")


def test_an_unknown_set_of_the_hub_is_one_line(datasets):
    with pytest.raises(
        InputError, match=r"^source: 'datasets:nobody/none' cannot be read \("
    ) as told:
        local_source("datasets:nobody/none")
    assert "\n" not in str(told.value)


def test_a_set_of_the_hub_is_indexed_and_evaluated(hub, grapher):
    source = f"datasets:{hub}"
    assert grapher("index", source, "--out", "set.index")[0] == 0
    for place in ("set.index", source):
        status, shown, told = grapher(
            "evaluate", place, "--split", "dev", "--ranker", "gcs", "--json"
        )
        assert status == 0, told
        report = json.loads(shown)
        assert (report["queries"], report["dataset"]) == (1, place)
    assert grapher("update", "set.index", "--add", source)[0] == 0


@pytest.fixture
def ir_dataset(tmp_path):
    """A set that is registered as `tests/rome/dev`."""
    library = pytest.importorskip("ir_datasets")
    (tmp_path / "docs.tsv").write_text("d1\tRome is old.\nd2\tOslo is a city.\n")
    (tmp_path / "queries.tsv").write_text("q1\tWhich is old?\n")
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d9 1\n")
    made = library.create_dataset(
        docs_tsv=tmp_path / "docs.tsv",
        queries_tsv=tmp_path / "queries.tsv",
        qrels_trec=tmp_path / "qrels.txt",
    )
    library.registry.register("tests/rome/dev", made)
    yield library
    del library.registry._registered["tests/rome/dev"]


def test_a_set_of_ir_datasets_has_one_split(ir_dataset):
    with pytest.warns(GrapherWarning, match="1 judgements of objects or questions that it lacks"):
        folder = local_source("ir_datasets:tests/rome/dev")
    objects, queries, judged = contents(folder)
    assert objects["d1"] == Object("d1", "Rome is old.")
    assert queries == {"q1": "Which is old?"}
    assert judged == {"dev": {"q1": {"d1": 1}}}


def test_titles_of_ir_datasets_are_kept(ir_dataset, monkeypatch):
    class Document(NamedTuple):
        doc_id: str
        text: str
        title: str

    dataset = ir_dataset.load("tests/rome/dev")
    monkeypatch.setattr(dataset, "docs_iter", lambda: iter([Document("d1", "It is old.", "Rome")]))
    monkeypatch.setattr(ir_dataset, "load", lambda name: dataset)
    with pytest.warns(GrapherWarning):
        assert list(read_source("ir_datasets:x")) == [Object("d1", "It is old.", "Rome")]


def test_an_unknown_set_of_ir_datasets_is_one_line(ir_dataset):
    with pytest.raises(InputError, match=r"'ir_datasets:no/such' cannot be read \(KeyError"):
        local_source("ir_datasets:no/such")


@pytest.mark.parametrize("source", ["ir_datasets:vaswani", "datasets:mteb/scifact"])
def test_a_missing_library_is_named_with_its_extra(source, monkeypatch):
    monkeypatch.setitem(sys.modules, source.partition(":")[0], None)
    with pytest.raises(MissingExtraError, match=r'pip install "grapher-jax\[public-sets\]"'):
        local_source(source)


def test_other_sources_stay_what_they_are(tmp_path):
    for source in ("corpus", tmp_path, "sqlite:///shop.db"):
        assert not is_public_set(source)
        assert local_source(source) is source

import json
import shutil

import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.corpus import Object, read_source, write_pair_graphs
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.files import MAPPED
from grapher_jax.index import FORMAT, ParquetObjects
from grapher_jax.retrieve import RetrievalOptions
from grapher_jax.search import Index, open_source
from grapher_jax.text import PLAIN


@pytest.fixture
def saved(index, tmp_path):
    index.save(tmp_path / "shop.index")
    return tmp_path / "shop.index"


def test_a_source_may_be_a_path(beir, embedder):
    index = Index.from_source(beir, embedder=embedder)
    assert index.folder == beir
    assert len(index.judgements("test")) == 2


def test_misspelt_metadata_of_an_index_are_told_once(embedder):
    objects = [gj.Object(name, "x", "", {"chunkId": 1}) for name in "abc"]
    with pytest.warns(
        GrapherWarning, match="'chunkId' is not read; write it as 'chunk_id'"
    ) as told:
        Index.build(objects, embedder=embedder)
    assert len(told) == 1


def test_a_search_brings_back_what_the_question_does_not_name(index):
    question = "Which orders were placed in stores of Boston?"
    ids = [hit.id for hit in index.search(question, k=3)]
    assert set(ids) == {"shop.orders", "shop.stores", "shop.customers"}
    hit = next(hit for hit in index.search(question) if hit.id == "shop.orders")
    assert hit.text.startswith("orders: ")
    assert hit.metadata["foreign_keys"] == ["shop.customers", "shop.stores"]


def test_a_saved_index_answers_the_same(index, saved):
    loaded = gj.Index.load(saved)
    for ranker in ("base", "gcs", "ppr"):
        before = index.search_batch(["orders of stores", "animals"], k=6, ranker=ranker)
        after = loaded.search_batch(["orders of stores", "animals"], k=6, ranker=ranker)
        assert before == after
    assert list(loaded.objects) == list(index.objects)
    assert loaded.queries == index.queries
    assert loaded.judgements("test") == index.judgements("test")
    assert isinstance(loaded.embeddings, np.memmap) == (MAPPED is not None)


def test_results_are_the_same_to_the_bit_on_every_run_and_alone(index):
    questions = ["orders of stores", "animals in cages", "long songs"]
    first = index.search_batch(questions, k=6)
    assert index.search_batch(questions, k=6) == first
    for question, together in zip(questions, first, strict=True):
        alone = index.search(question, k=6)
        assert [hit.id for hit in alone] == [hit.id for hit in together]
        np.testing.assert_allclose(
            [hit.score for hit in alone], [hit.score for hit in together], atol=1e-5
        )


def test_more_results_than_objects_give_all_objects(index):
    assert len(index.search("orders", k=500)) == 6


def test_saving_replaces_an_index_and_nothing_else(index, saved, tmp_path):
    index.save(saved)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop", "shop.index"]
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="exists and is not an index"):
        index.save(tmp_path / "precious")
    assert (tmp_path / "precious" / "thesis.txt").exists()


def test_a_failed_save_leaves_the_old_index(index, saved, monkeypatch):
    monkeypatch.setattr("grapher_jax.index.storage.sha256", lambda path: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        index.save(saved)
    monkeypatch.undo()
    assert len(gj.Index.load(saved).ids) == 6
    assert sorted(path.name for path in saved.parent.iterdir()) == ["shop", "shop.index"]


@pytest.fixture
def replacing(index, saved, monkeypatch):
    """Between two files that a reader reads, the index is replaced by the next of these."""
    others, read = [], ParquetObjects.__init__

    def read_then_replace(objects, path):
        read(objects, path)
        if others:
            others.pop().save(saved)

    monkeypatch.setattr(ParquetObjects, "__init__", read_then_replace)
    return others


@pytest.mark.parametrize("verify", [True, False])
@pytest.mark.parametrize("size", [4, 5])
def test_an_index_that_is_replaced_while_it_is_read_is_read_again(
    index, saved, replacing, size, verify
):
    other = index.update([Object("shop.stores", "caves of bears")])
    if size < len(index.ids):
        other = other.update(delete=["zoo.animals"])
    replacing.append(other)
    loaded = Index.load(saved, verify=verify)
    assert list(loaded.objects) == list(other.objects)
    assert loaded.search("bears") == other.search("bears")


def test_an_index_that_is_replaced_without_end_is_told(index, saved, replacing):
    replacing += [index, index.update(delete=["zoo.animals"])]
    with pytest.raises(InputError, match="replaced faster than it can be read; try again later"):
        Index.load(saved, verify=False)


def test_every_changed_file_is_noticed(saved):
    files = [path for path in saved.rglob("*") if path.is_file() and path.name != "manifest.json"]
    assert len(files) > 15
    for path in files:
        original = path.read_bytes()
        path.write_bytes(original[:-1] + bytes([original[-1] ^ 1]))
        with pytest.raises(InputError, match=rf"{path.name}: its checksum does not match"):
            gj.Index.load(saved)
        path.write_bytes(original)
    (saved / "embeddings.npy").unlink()
    with pytest.raises(InputError, match=r"embeddings\.npy: missing"):
        gj.Index.load(saved)


class Flat:
    """An embedder of two dimensions."""

    name, dimension = "flat", 2

    def embed_objects(self, texts, *, progress=lambda done: None):
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    embed_queries = embed_objects


def test_any_embedder_will_do(beir):
    assert (
        Index.from_source(str(beir), embedder=Flat()).search("order_date", k=1)[0].id
        == "shop.orders"
    )


def test_an_empty_question_is_refused(index):
    with pytest.raises(InputError, match="question 2 is empty"):
        index.search_batch(["orders", "  "])


def test_ids_with_spaces_and_tabs_work(embedder, tmp_path):
    objects = [Object("a b", "apples"), Object("c\td", "cheese", metadata={"links": ["a b"]})]
    Index.build(objects, embedder=embedder).save(tmp_path / "odd.index")
    hits = gj.Index.load(tmp_path / "odd.index").search("cheese", k=2)
    assert [hit.id for hit in hits] == ["c\td", "a b"]


def test_a_key_to_an_unknown_object_warns(embedder):
    with pytest.warns(GrapherWarning, match="foreign_keys: 1 name objects that the corpus lacks"):
        Index.build([Object("a", "x", metadata={"foreign_keys": ["b"]})], embedder=embedder)


def test_a_source_is_opened_or_indexed(beir, saved):
    assert open_source(str(saved)).ids == open_source(str(beir)).ids


def test_objects_are_read_across_row_groups(tmp_path, monkeypatch):
    import pyarrow
    import pyarrow.parquet

    monkeypatch.setattr("grapher_jax.index.objects.ROW_GROUP", 3)
    ids = [str(number) for number in range(8)]
    table = pyarrow.table({"id": ids, "title": ids, "text": ids, "metadata": ["{}"] * 8})
    pyarrow.parquet.write_table(table, tmp_path / "objects.parquet", row_group_size=3)
    objects = ParquetObjects(tmp_path / "objects.parquet")
    assert [item.text for item in objects] == ids
    assert [item.id for item in objects[2:4]] == ["2", "3"]
    assert objects[-1].id == "7"
    with pytest.raises(IndexError):
        objects[8]


def test_a_database_becomes_an_index(tmp_path, embedder):
    import sqlite3

    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.executescript(
        "CREATE TABLE store (id INTEGER PRIMARY KEY, city TEXT);"
        "CREATE TABLE sale (id INTEGER PRIMARY KEY, store INTEGER REFERENCES store(id));"
    )
    connection.close()
    index = Index.from_source(f"sqlite:///{tmp_path}/shop.db", embedder=embedder)
    assert index.graph.proximities() == ["foreign_key"]
    assert {hit.id for hit in index.search("which city?")} == {"store", "sale"}


def test_rebuilding_from_the_same_source_gives_the_same_bytes(beir, embedder, tmp_path):
    for name in ("one", "two"):
        Index.build(read_source(str(beir)), embedder=embedder, folder=beir).save(tmp_path / name)
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("one", "two")]
    assert manifests[0] == manifests[1]
    shutil.rmtree(tmp_path / "two")


def test_objects_are_checked_however_they_come(embedder):
    for bad, complaint in (
        (Object("", "x"), "object 1: id"),
        (Object("a", "x", metadata={"foreign_keys": "cd"}), "foreign_keys must be a list"),
        (Object("a", "x", metadata={"chunk_id": "3"}), "chunk_id must be an integer"),
    ):
        with pytest.raises(InputError, match=complaint):
            Index.build([bad], embedder=embedder)
    nulls = {"document_id": None, "chunk_id": None, "foreign_keys": None}
    index = Index.build(
        [Object("a", "x", metadata=nulls), Object("b", "y", metadata=nulls)], embedder=embedder
    )
    assert index.graph.proximities() == []


def test_another_model_of_the_same_dimension_is_told(saved, embedder):
    class Other(type(embedder)):
        name = "other"

    with pytest.warns(GrapherWarning, match="was built with 'offline'"):
        gj.Index.load(saved, embedder=Other())


def test_arguments_that_contradict_each_other_are_refused(index):
    with pytest.raises(InputError, match="alpha: the Reranker has its own"):
        index.search("x", ranker=gj.Reranker(), alpha=0.5)
    with pytest.raises(InputError, match="questions: give a list"):
        index.search_batch("xy")


def test_explanations_are_worked_out_once_a_ranking(index, monkeypatch):
    import grapher_jax.rankers.explanation as module

    calls = []
    contributions = module._contributions
    monkeypatch.setattr(
        module, "_contributions", lambda *a, **k: calls.append(1) or contributions(*a, **k)
    )
    hits = index.search("orders of stores", k=6, ranker="diffusion")
    assert [hit.explanation.id for hit in hits] == [hit.id for hit in hits]
    assert len(calls) == 1


NEW = Object(
    "shop.returns", "returns: order_id, reason", metadata={"foreign_keys": ["shop.orders"]}
)
CHANGED = Object("zoo.cages", "cages: cage_id, size, keeper")


def test_an_updated_index_equals_one_built_afresh(index, embedder, tmp_path):
    updated = index.update([NEW, CHANGED], delete=["music.songs"])
    # Those that name another one that changed come last.
    objects = {item.id: item for item in index.objects[:-1] if item.id != "shop.orders"}
    del objects["zoo.cages"]
    afresh = Index.build([*objects.values(), NEW, CHANGED, index["shop.orders"]], embedder=embedder)
    for one in (updated, save_and_load(updated, tmp_path)):
        assert list(one.objects) == list(afresh.objects)
        np.testing.assert_allclose(one.embeddings, afresh.embeddings, atol=1e-6)
        question = "Which orders were returned?"
        scores = [own.lexical.scores([question]).all for own in (one, afresh)]
        np.testing.assert_allclose(*scores, atol=1e-6)
        for name, array in afresh.graph.to_arrays().items():
            np.testing.assert_array_equal(one.graph.to_arrays()[name], array)
        assert [h.id for h in one.search(question)] == [h.id for h in afresh.search(question)]


def save_and_load(index, tmp_path):
    index.save(tmp_path / "updated.index")
    return Index.load(tmp_path / "updated.index")


def test_an_update_embeds_nothing_but_what_changed(index, monkeypatch):
    embedded = []
    embed = type(index.embedder).embed_objects

    def listen(self, texts, **options):
        embedded.extend(texts)
        return embed(self, texts, **options)

    monkeypatch.setattr(type(index.embedder), "embed_objects", listen)
    index.update([NEW, CHANGED], delete=["music.songs"])
    index.update(delete=["music.songs"])
    assert embedded == [
        "returns: order id, reason references shop.orders",
        "cages: cage id, size, keeper referenced by zoo.animals",
        # Its neighbours are among its words.
        "orders: order id, customer id, store id, total "
        "references shop.customers, shop.stores referenced by shop.returns",
    ]


def test_judgements_of_deleted_objects_are_gone(index, tmp_path):
    left = {"q1": index.judgements("test")["q1"]}
    updated = index.update(delete=["zoo.animals"])
    for one in (updated, save_and_load(updated, tmp_path)):
        assert one.judgements("test") == left


def test_amr_graphs_of_pairs_come_along(beir, embedder, tmp_path):
    assert Index.from_source(str(beir), embedder=embedder).pair_graphs == {}
    pairs = {("q1", "shop.orders"): "(o / order-02)", ("q2", "zoo.animals"): "(a / animal)"}
    write_pair_graphs(beir, pairs)
    index = Index.from_source(str(beir), embedder=embedder)
    assert index.pair_graphs == pairs
    assert save_and_load(index, tmp_path).pair_graphs == pairs
    manifest = json.loads((tmp_path / "updated.index" / "manifest.json").read_text())
    assert "amr/pairs.jsonl" in manifest["sha256"]
    # Those of deleted objects are gone.
    updated = index.update(delete=["zoo.animals"])
    del pairs["q2", "zoo.animals"]
    for one in (updated, save_and_load(updated, tmp_path)):
        assert one.pair_graphs == pairs


def test_an_amr_graph_of_an_unknown_pair_is_named(beir, embedder, tmp_path):
    write_pair_graphs(beir, {("q1", "shop.gone"): "(o / order-02)"})
    with pytest.raises(InputError, match=r"pairs\.jsonl:1: unknown corpus-id 'shop\.gone'"):
        save_and_load(Index.from_source(str(beir), embedder=embedder), tmp_path)
    without = Index.build([Object("shop.gone", "x")], embedder=embedder)
    assert without.pair_graphs == {}


SCHEMA = [
    Object("customer", "customer: customerId", metadata={"table": "customer"}),
    Object("orders", "orders: buyerId", metadata={"foreign_keys": ["customer"], "db": "shop"}),
    Object("animals", "animals: cage"),
]


def test_parts_of_the_text_stay_with_an_index(embedder, tmp_path, monkeypatch):
    parts = ["neighbors", "split"]
    index = Index.build(SCHEMA, embedder=embedder, text=parts)
    assert {"customer", "customerid", "buyer", "references", "referenced"} <= set(
        index.lexical.terms
    )
    index.save(tmp_path / "index")
    loaded = Index.load(tmp_path / "index")
    assert loaded.text == index.text == ("split", "neighbors")
    question = "by whose buyerId"
    assert loaded.search(question) == index.search(question)
    # A question's identifiers are split too: nothing else has "buyer".
    assert loaded.retrieve(["BuyerKey"]).rows[0, 0] == 1
    # What an update changes is also the text of whatever it joins.
    zoo = Object("zoo", "zoo: name", metadata={"foreign_keys": ["animals"]})
    embedded = []
    embed = embedder.embed_objects
    monkeypatch.setattr(
        type(embedder),
        "embed_objects",
        lambda self, texts, **options: embedded.extend(texts) or embed(texts, **options),
    )
    updated = loaded.update([zoo])
    assert embedded == ["zoo: name references animals", "animals: cage referenced by zoo"]
    built = Index.build([*SCHEMA, zoo], embedder=embedder, text=parts)
    rows = [built.rows[name] for name in updated.ids]
    np.testing.assert_allclose(updated.embeddings, built.embeddings[rows], atol=1e-6)
    assert set(updated.lexical.terms) == set(built.lexical.terms)


def test_without_parts_an_index_is_that_of_title_and_text(embedder, tmp_path):
    built = Index.build(SCHEMA, embedder=embedder, text=())
    built.save(tmp_path / "index")
    manifest = json.loads((tmp_path / "index" / "manifest.json").read_text())
    assert manifest.pop("text") == []
    # As an index was written before there were parts.
    for name in ("language", "bigrams", "lexical_variant", "retrieval"):
        del manifest[name]
    (tmp_path / "index" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.warns(GrapherWarning, match="an earlier version built it, and it is searched as"):
        index = Index.load(tmp_path / "index")
    assert index.text == ()
    assert index.options == RetrievalOptions(lexical_weight=0.3)
    assert index.lexical.reading == PLAIN
    assert "customerid" in index.lexical.terms
    assert "customer" in index.lexical.terms
    assert "buyer" not in index.lexical.terms


def test_an_index_whose_words_were_not_counted_is_read(index, saved):
    """As format 2 was, which held weights in the place of counts."""
    for file in [*(saved / "lexical").iterdir(), saved / "terms.parquet"]:
        file.unlink()
    path = saved / "manifest.json"
    manifest = json.loads(path.read_text()) | {"format": 2}
    kept = {name: own for name, own in manifest["sha256"].items() if (saved / name).is_file()}
    path.write_text(json.dumps(manifest | {"sha256": kept}))
    with pytest.warns(GrapherWarning, match="its words are counted at every opening; save it"):
        loaded = Index.load(saved)
    assert loaded.search("orders of stores") == index.search("orders of stores")
    loaded.save(saved)
    assert json.loads(path.read_text())["format"] == FORMAT
    assert Index.load(saved).search("animals") == index.search("animals")


def test_a_part_that_is_none_is_refused(embedder, tmp_path):
    with pytest.raises(InputError, match="text: 'names' is unknown; use split, prefix, database,"):
        Index.build(SCHEMA, embedder=embedder, text=["names"])
    Index.build(SCHEMA, embedder=embedder).save(tmp_path / "index")
    path = tmp_path / "index" / "manifest.json"
    for damaged in ("split", ["names"], [1]):
        path.write_text(json.dumps(json.loads(path.read_text()) | {"text": damaged}))
        with pytest.raises(InputError, match="damaged"):
            Index.load(tmp_path / "index")


def test_both_lexical_engines_give_the_same_results(index, embedder, tmp_path):
    other = Index.build(index.objects, embedder=embedder, lexical="bm25s")
    ours, theirs = (
        one.search("orders of stores") for one in (index, save_and_load(other, tmp_path))
    )
    assert [hit.id for hit in ours] == [hit.id for hit in theirs]
    assert Index.load(tmp_path / "updated.index").lexical.engine == "bm25s"


@pytest.fixture
def network(tmp_path):
    """Weights that nobody trained."""
    from flax import nnx

    from grapher_jax.systems.networks import save_weights
    from grapher_jax.training.gat import Gat, GatConfig

    def make(dimension=384, embedder="offline", **shape):
        config = GatConfig(dimension=dimension, layers=1, heads=2, channels=4, **shape)
        folder = tmp_path / f"net-{embedder}-{dimension}"
        save_weights(folder, Gat(config, nnx.Rngs(0)), embedder=embedder, record={})
        return str(folder)

    return make


def test_a_network_searches_a_saved_index_the_same(index, saved, network):
    questions = ["orders of stores", "animals"]
    found = index.search_batch(questions, k=6, ranker=network())
    assert gj.Index.load(saved).search_batch(questions, k=6, ranker=network()) == found
    for question, together in zip(questions, found, strict=True):
        alone = index.search(question, k=6, ranker=network())
        assert [hit.id for hit in alone] == [hit.id for hit in together]
        np.testing.assert_allclose(
            [hit.score for hit in alone], [hit.score for hit in together], atol=1e-5
        )
    assert "neighbours: shop.orders (foreign key)" in str(
        next(hit for hit in found[0] if hit.id == "shop.stores").explanation
    )


def test_a_network_of_another_embedder_is_refused(index, network):
    for arguments in ((2, "flat"), (384, "flat"), (2, "offline")):
        complaint = (
            rf"was trained on embeddings of '{arguments[1]}' \({arguments[0]} dimensions\), the "
            r"index has those of 'offline' \(384\); build the index with --embedder"
        )
        with pytest.raises(InputError, match=complaint):
            index.search("orders", ranker=network(*arguments, inputs=("interaction",)))


def test_a_network_is_evaluated_and_reranks_another_retrievers_run(index, network, tmp_path):
    from grapher_jax.evaluation import evaluate
    from grapher_jax.runs import read_run, rerank_run

    reranker = gj.Reranker(ranker=network())
    (result,) = evaluate(index, "test", [reranker]).to_dict()["results"]
    assert result["parameters"] == {
        "weights": "net-offline-384",
        "sha256": reranker.opened.sha256,
        "alpha": 0.1,
        "max_df": 8,
        "neighbors": 16,
        "proximities": ["foreign_key"],
    }
    queries = list(index.queries.values())
    rerank_run(index, queries, tmp_path / "own.trec", reranker)
    base = {
        query.id: [(hit.id, hit.score) for hit in index.search(query.text, ranker="base")]
        for query in queries
    }
    rerank_run(index, queries, tmp_path / "other.trec", reranker, base_run=base)
    own, other = (read_run(tmp_path / name) for name in ("own.trec", "other.trec"))
    assert "grapher-jax-net-offline-384" in (tmp_path / "own.trec").read_text()
    for query, hits in own.items():
        assert [name for name, _ in hits] == [name for name, _ in other[query]]


def test_neither_number_of_results_nor_of_references_compiles_a_program(embedder, compilations):
    objects = [
        Object(
            str(i),
            f"number {i}",
            metadata={"links": [str(j) for j in range(i % 17)], "kind": i % 17},
        )
        for i in range(2 * 17)
    ]
    index = Index.build(objects, embedder=embedder)
    index.search("number", k=1, filter={"kind": 16})
    before = compilations()
    for k in range(1, 9):
        index.search("number", k=k, filter={"kind": k})
    assert compilations() == before

"""An index on disk: what is read is what was written, whoever replaces or damages it meanwhile."""

import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

import grapher_jax as gj
from grapher_jax.corpus import Object, read_source
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.files import MAPPED
from grapher_jax.index import FORMAT, ParquetObjects
from grapher_jax.search import Index


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


def test_saving_replaces_an_index_and_nothing_else(index, saved, tmp_path):
    index.save(saved)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shop", "shop.index"]
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="exists and is not an index"):
        index.save(tmp_path / "precious")
    assert (tmp_path / "precious" / "thesis.txt").exists()


def test_questions_that_are_gone_are_not_lost_silently(beir, embedder, tmp_path):
    index = Index.from_source(str(beir), embedder=embedder)
    beir.rename(away := tmp_path / "away")
    for write in (index.save, index.export):
        with pytest.raises(InputError, match=r"shop: is gone, .* put it back"):
            write(tmp_path / "written")
    assert not (tmp_path / "written").exists()
    away.rename(beir)
    index.save(tmp_path / "written")
    assert gj.Index.load(tmp_path / "written").queries == index.queries


def test_an_index_without_questions_needs_no_folder(embedder, tmp_path):
    Index.build([Object("a", "a", "")], embedder=embedder).save(tmp_path / "one")
    loaded = Index.load(tmp_path / "one", embedder=embedder)
    (tmp_path / "one").rename(tmp_path / "away")
    loaded.save(tmp_path / "two")
    loaded.export(tmp_path / "three")
    assert Index.load(tmp_path / "two").ids == ["a"]


def test_a_failed_save_leaves_the_old_index(index, saved, monkeypatch):
    monkeypatch.setattr("grapher_jax.index.manifest.sha256", lambda path: 1 / 0)
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


def test_rebuilding_from_the_same_source_gives_the_same_bytes(beir, embedder, tmp_path):
    for name in ("one", "two"):
        Index.build(read_source(str(beir)), embedder=embedder, folder=beir).save(tmp_path / name)
    manifests = [(tmp_path / name / "manifest.json").read_bytes() for name in ("one", "two")]
    assert manifests[0] == manifests[1]
    shutil.rmtree(tmp_path / "two")


def test_another_model_of_the_same_dimension_is_told(saved, embedder):
    class Other(type(embedder)):
        name = "other"

    with pytest.warns(GrapherWarning, match="was built with 'offline'"):
        index = gj.Index.load(saved, embedder=Other())
    with pytest.raises(InputError, match="was built with 'offline', not 'other'; update it with"):
        index.update([Object("new", "Words.")])
    assert len(index.update([], delete=[index.ids[-1]])) == len(index) - 1


def test_embeddings_keep_the_name_of_the_model_that_made_them(saved, embedder, tmp_path):
    class Other(type(embedder)):
        name = "other"

    with pytest.warns(GrapherWarning, match="was built with 'offline'"):
        index = gj.Index.load(saved, embedder=Other())
    with pytest.raises(InputError, match="reuse: that index was built with 'offline', not 'other'"):
        Index.build([Object("new", "Words.")], embedder=index.embedder, reuse=index)
    with pytest.raises(InputError, match="was built with 'offline', not 'other'; update it with"):
        index.with_edges({"cites": "reference"}).update([Object("new", "Words.")])
    index.save(tmp_path / "again")
    assert gj.Index.load(tmp_path / "again").embedder.name == "offline"


def test_indexes_are_compared_by_identity(index):
    assert index in [index]
    assert len({index, replace(index)}) == 2


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

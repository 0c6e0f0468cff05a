"""Embeddings that outlive the process that made them."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from grapher_jax.corpus import Object, write_beir
from grapher_jax.errors import InputError
from grapher_jax.files import BusyError
from grapher_jax.index import embedding
from grapher_jax.index.embedding import kept_embeddings
from grapher_jax.search import Index

TEXTS = [f"text {number}" for number in range(7)]


class Counting:
    """An embedder of two dimensions that remembers what it was given, and may stop."""

    name, dimension = "counting", 2

    def __init__(self, stop_at=99):
        self.given, self.stop_at = [], stop_at

    def embed_objects(self, texts, *, progress=lambda done: None):
        if len(self.given) >= self.stop_at:
            raise RuntimeError("stopped")
        self.given += texts
        progress(len(texts))
        angles = np.array([float(text.split()[-1]) for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    embed_queries = embed_objects


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(embedding, "_BLOCK", 2)


def run(embedder, folder, texts=TEXTS):
    told = []
    with kept_embeddings(embedder, folder) as kept:
        vectors = kept.embed_objects(texts, progress=told.append)
    return kept, vectors, told


@pytest.mark.usefixtures("small_blocks")
def test_what_was_embedded_before_a_stop_is_not_embedded_again(tmp_path):
    folder = tmp_path / "x.partial"
    with pytest.raises(RuntimeError, match="stopped"):
        run(Counting(stop_at=4), folder)
    again = Counting()
    # In another order, with others between, and one twice.
    texts = [TEXTS[6], *TEXTS[:4], "new 9", TEXTS[0]]
    kept, vectors, told = run(again, folder, texts)
    assert again.given == [TEXTS[6], "new 9"]
    assert (kept.made, kept.found, sum(told)) == (2, 4, 7)
    np.testing.assert_array_equal(vectors, Counting().embed_objects(texts))
    assert not folder.exists()


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("damage", ["cut", "empty", "text", "dimension", "type", "name"])
def test_what_is_damaged_or_anothers_is_embedded_again(tmp_path, damage):
    folder, first = tmp_path / "x.partial", Counting(stop_at=2)
    if damage == "name":
        first.name = "another"
    with pytest.raises(RuntimeError, match="stopped"):
        run(first, folder)
    (block,) = folder.iterdir()
    stored = dict(np.load(block))
    if damage == "cut":
        block.write_bytes(block.read_bytes()[:-40])
    elif damage == "empty":
        block.write_bytes(b"")
    elif damage == "text":
        block.write_text("no block")
    elif damage == "dimension":
        np.savez(block, keys=stored["keys"], vectors=stored["vectors"][:, :1])
    elif damage == "type":
        np.savez(block, keys=stored["keys"], vectors=stored["vectors"].astype(object))
    again = Counting()
    run(again, folder)
    assert again.given == TEXTS


def test_what_others_have_put_there_stays(tmp_path):
    folder = tmp_path / "x.partial"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    np.savez(folder / "mine.npz", vectors=np.ones(2))
    os.mkfifo(folder / f"{'0' * 64}.npz")  # whoever opens it waits for another
    run(Counting(), folder)
    assert {"mine.npz", "notes.txt"} <= {file.name for file in folder.iterdir()}


def test_one_process_at_a_time(tmp_path):
    folder = tmp_path / "x.partial"
    with (
        kept_embeddings(Counting(), folder),
        pytest.raises(BusyError, match="another process is writing it"),
        kept_embeddings(Counting(), folder),
    ):
        pass


def test_a_folder_that_cannot_be_is_named(tmp_path):
    (tmp_path / "x.partial").write_text("a file")
    with pytest.raises(InputError, match=r"cannot be written"):
        run(Counting(), tmp_path / "x.partial")


@pytest.mark.nightly
def test_an_index_that_was_killed_goes_on_where_it_was(tmp_path):
    objects = [Object(str(number), f"object number {number}") for number in range(400)]
    write_beir(tmp_path / "set", objects, [], {})
    out, partial = tmp_path / "set.index", tmp_path / "set.index.partial"
    # Small blocks, so that it is killed long before its end.
    script = "from grapher_jax.index import embedding; embedding._BLOCK = 32\n"
    script += "from grapher_jax.command_line import main; main()"
    command = [sys.executable, "-c", script, "index", str(tmp_path / "set"), "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE) as killed:
        while killed.poll() is None and not [*partial.glob("*.npz")]:
            time.sleep(0.01)
        killed.kill()
        killed.communicate(timeout=60)
    assert killed.returncode
    kept = 32 * len([*partial.glob("*.npz")])
    assert kept and not out.exists()
    again = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    told = f"{len(objects) - kept} texts embedded; {kept} were, by a run that did not end"
    assert told in again.stderr
    assert not partial.exists()
    index = Index.load(out)
    assert index.ids == [item.id for item in objects]
    whole = index.embedder.embed_objects([item.text for item in objects])
    np.testing.assert_allclose(index.embeddings, whole, atol=1e-5)

"""Indexes that are written and read again."""

from grapher_jax.search import Index


def save_and_load(index, tmp_path):
    index.save(tmp_path / "updated.index")
    return Index.load(tmp_path / "updated.index")

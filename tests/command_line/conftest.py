"""Fixtures of the command line's tests."""

from pathlib import Path

import pytest

import grapher_jax as gj


@pytest.fixture(scope="session")
def shop_index(shop_files, embedder, tmp_path_factory) -> Path:
    """The small shop's index; whoever changes it takes a copy."""
    folder = tmp_path_factory.mktemp("made") / "shop.index"
    gj.Index.from_source(str(shop_files), embedder=embedder).save(folder)
    return folder

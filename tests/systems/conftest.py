"""Fixtures of systems."""

import pytest

from grapher_jax.demo import sample_folder, sample_tables
from grapher_jax.search import Index


@pytest.fixture(scope="session")
def company(embedder) -> Index:
    """The sample company's tables with their questions."""
    return Index.build(sample_tables(), embedder=embedder, folder=sample_folder())

"""The example corpus that was parsed into AMR."""

import sys
from pathlib import Path

import pytest

from grapher_jax.corpus import parse_amr
from grapher_jax.search import Index

sys.path.append(str(Path(__file__).parent))

from concepts_in_common import Recorder

PARSED = Path(__file__).parents[3] / "docs" / "examples" / "parsed"


@pytest.fixture(scope="session")
def parsed():
    """The example corpus, with what every question and document was parsed into."""
    index = Index.from_source(str(PARSED), embedder=Recorder())
    graphs = {item.id: parse_amr(item.metadata["amr"], item.id) for item in index.objects}
    return index, graphs

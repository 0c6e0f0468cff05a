"""The small shop's index on disk."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))


@pytest.fixture
def saved(index, tmp_path):
    index.save(tmp_path / "shop.index")
    return tmp_path / "shop.index"

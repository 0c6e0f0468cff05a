"""An index that tests update."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))

from updated_indexes import build, plain


@pytest.fixture
def saved(tmp_path):
    build([plain(number) for number in range(20)]).save(tmp_path / "index")
    return tmp_path / "index"

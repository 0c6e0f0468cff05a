"""Makes the files of this folder importable by each other, and adds `--quick`."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parent))


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--quick`: a smoke run."""
    parser.addoption("--quick", action="store_true", help="one round, small batches")

"""Small batches take the way of large ones, which is what there is most to test of."""

import sys
from collections.abc import Callable, Iterator

import pytest

import grapher_jax.kernels  # noqa: F401

program = sys.modules["grapher_jax.kernels.rerank"]  # the package names its function so


@pytest.fixture(autouse=True, scope="module")
def compare_all_pairs_up_to() -> Iterator[Callable[[int], None]]:
    """Graphs are looked up; a function that sets how many pairs are compared instead."""
    usual = program._FEW

    def choose(pairs: int) -> None:
        program._FEW = pairs
        for compiled in (program._rerank, program._rerank_donating):
            compiled.clear_cache()

    choose(0)
    yield choose
    choose(usual)

"""Single questions take the way of batches, of which there is most to test."""

import sys
from collections.abc import Callable, Iterator

import pytest

import grapher_jax.kernels  # noqa: F401

program = sys.modules["grapher_jax.kernels.program.reranking"]


@pytest.fixture(autouse=True, scope="module")
def compare_all_pairs_up_to() -> Iterator[Callable[[int], None]]:
    """Graphs are looked up; a function sets for how many candidates pairs are compared instead."""
    usual = program._FEW

    def choose(candidates: int) -> None:
        program._FEW = candidates
        for compiled in (program._rerank, program._rerank_donating):
            compiled.clear_cache()

    choose(0)
    yield choose
    choose(usual)

"""The soak test sees growth, and its requests are what it says."""

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import soak


def samples(memory, programs=lambda second: 7):
    return [soak.Sample(second, memory(second), programs(second)) for second in range(200)]


@pytest.mark.parametrize(
    ("memory", "grown"),
    [
        (lambda second: 1000, 0),
        (lambda second: 1000 + second, 160),
        # One sample that stands out is no growth.
        (lambda second: 9000 if second == 199 else 1000, 0),
        # Nor is what is taken at the start.
        (lambda second: 500 if second < 20 else 1000, 0),
    ],
)
def test_growth_is_seen_and_a_peak_is_none(memory, grown):
    assert soak.growth(samples(memory)) == (grown, 0)


def test_a_program_more_is_seen():
    assert soak.growth(samples(lambda second: 1, lambda second: 7 + (second > 190)))[1] == 1


@pytest.mark.nightly
@pytest.mark.parametrize("kind", soak.KINDS)
def test_requests_of_a_kind_need_one_program(kind, compilations):
    from grapher_jax import Reranker

    rng = random.Random(0)
    request = soak.rerank_request(Reranker(), kind, 8, 32, 16)
    request(rng)
    before = compilations()
    for _ in range(6):
        assert 5 <= request(rng) <= 8
    assert compilations() == before


@pytest.mark.nightly
def test_explanations_compile_nothing_new(index, compilations):
    request = soak.search_request(index, ["Which stores had orders?", "animals"], "gcs", 4)
    rng = random.Random(0)
    for _ in range(8):
        request(rng)
    before = compilations()
    for _ in range(8):
        request(rng)
    assert compilations() == before

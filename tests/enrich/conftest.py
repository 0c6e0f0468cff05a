"""Clients of the language model on this machine, and writers of questions that ask it."""

import sys
from pathlib import Path

import pytest

from grapher_jax.enrich.questions import QuestionWriter
from grapher_jax.llm import Llm

sys.path.append(str(Path(__file__).parent))

from written_questions import willing


@pytest.fixture
def new_llm(endpoint):
    """Makes clients that remember nothing, closed at the end."""
    clients = []

    def make(timeout=5.0):
        clients.append(Llm("m", endpoint=endpoint.url, max_retries=0, timeout=timeout))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def writer(endpoint, new_llm):
    """Writers, each with a client of its own that remembers nothing."""
    endpoint.answer = willing

    def make(timeout=5.0, **options):
        return QuestionWriter(new_llm(timeout), **options)

    return make

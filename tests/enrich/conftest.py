"""Clients of the language model on this machine."""

import pytest

from grapher_jax.llm import Llm


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

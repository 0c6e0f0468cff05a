"""Clients of a model, and a corpus with reference answers."""

import json

import pytest
from questions_of_a_zoo import ANIMALS, ELSEWHERE, ORDERS

from grapher_jax.llm import Llm


@pytest.fixture
def llm(endpoint):
    """Clients of the endpoint, closed at the end."""
    clients = []

    def make(model="m", **options):
        clients.append(Llm(model, **{"endpoint": endpoint.url, "max_retries": 0} | options))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def zoo(beir, embedder):
    """The shop with a reference answer to each of three questions, and none to one."""
    lines = [
        ("q1", ORDERS, {"answer": "the first order"}),
        ("q2", ANIMALS, {"answer": "There are seven animals."}),
        ("q3", ELSEWHERE, {"answer": "Alexander Fleming"}),
        ("q4", "Which songs are there?", {"answer": " "}),
        ("q5", "Which cages are there?", {}),
    ]
    records = [{"_id": name, "text": text, "metadata": more} for name, text, more in lines]
    (beir / "queries.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    with (beir / "qrels" / "test.tsv").open("a") as file:
        file.write("q3\tzoo.animals\t1\nq4\tmusic.songs\t1\nq5\tzoo.cages\t1\n")
    return beir

import json

import pytest

from grapher_jax.errors import InputError
from grapher_jax.llm import Llm
from grapher_jax.systems import SYSTEMS, Retrieval, build_llm, load_system
from grapher_jax.training.g_rag import DocumentSettings


@pytest.fixture
def llm(endpoint):
    """A client of the endpoint."""
    endpoint.answer = lambda body: "50"
    with Llm("m", endpoint=endpoint.url, max_retries=0) as client:
        yield client


def test_it_ranks_what_g_rag_ranks(llm):
    system, candidates = build_llm(llm), DocumentSettings().candidates
    assert system.name == "llm-m"
    assert system.retrieval == Retrieval(candidates=candidates, lexical_weight=0.0)


def test_it_has_no_name_since_it_needs_a_model(llm):
    assert not [name for name in SYSTEMS if name.startswith("llm")]
    with pytest.raises(InputError, match="system: 'llm' is unknown"):
        load_system("llm")


def test_a_question_costs_a_request_a_candidate(endpoint, llm, index):
    dense = Retrieval(candidates=3, lexical_weight=0.0)(index, ["How many animals are there?"])
    hits = index.search("How many animals are there?", system=build_llm(llm, candidates=3))
    # The model sees no difference, so the retriever's order stands.
    assert [index.rows[hit.id] for hit in hits] == dense.rows[0].tolist()
    assert [hit.score for hit in hits] == [50.0] * 3
    asked = [json.loads(body["messages"][1]["content"])["passage"] for body in endpoint.requests]
    assert sorted(asked) == sorted(hit.text for hit in hits)

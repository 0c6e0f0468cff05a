import pytest

from grapher_jax.systems import build_grapher, load_system


@pytest.mark.parametrize(("ranker", "name"), [("gat", "grapher"), ("gcs", "grapher-gcs")])
def test_it_is_the_base_retriever_with_a_graph_ranker(company, ranker, name):
    questions = [query.text for query in company.queries.values()][:1]
    system = build_grapher(ranker)
    assert system.name == name
    found = company.search_batch(questions, k=70, system=system)
    assert found == company.search_batch(questions, k=70, ranker=ranker, lexical_weight=0.3)
    base = company.search_batch(questions, k=70, ranker="base", lexical_weight=0.3)
    assert [[hit.id for hit in hits] for hits in found] != [
        [hit.id for hit in hits] for hits in base
    ]


def test_its_parameters_are_those_of_the_paper(company):
    parameters = load_system("grapher").parameters(company)
    assert parameters["candidates"] == 200
    assert parameters["lexical_weight"] == 0.3
    assert parameters["proximities"] == ["foreign_key", "inferred_key"]
    assert parameters["weights"] == "gat-tables"


def test_its_results_are_explained(company):
    hits = company.search("Which customers have open invoices?", k=3, system="grapher")
    assert "by 'gat'; neighbours: " in str(hits[0].explanation)

"""Rankings that grow along foreign keys."""

import numpy as np
import pytest

from grapher_jax import Reranker
from grapher_jax.errors import InputError
from grapher_jax.rankers import growth


def tables(count, key, *, name="foreign_keys"):
    """Tables with falling scores, of which one references the first."""
    found = [{"id": str(i), "score": 1 - 0.01 * i} for i in range(count)]
    found[key]["metadata"] = {name: ["0"]}
    return found


def names(hits):
    return [hit.id for hit in hits]


@pytest.mark.parametrize("key", ["foreign_keys", "inferred_keys"])
def test_what_a_key_joins_to_the_best_rises_below_the_third(key):
    given = tables(12, 5, name=key)
    assert names(Reranker(ranker="base").rerank("?", given))[:6] == [*"012345"]
    grown = Reranker(ranker="base", along_keys=True)
    assert names(grown.rerank("?", given)) == [*"0125346789", "10", "11"]
    assert names(grown.rerank("?", given, k=4)) == [*"0125"]
    assert (np.diff([hit.score for hit in grown.rerank("?", given)]) <= 0).all()
    # An entity is no key, and neither is a key that takes no part in the graph.
    assert names(grown.rerank("?", tables(12, 5, name="entities")))[:6] == [*"012345"]
    without = Reranker(ranker="base", along_keys=True, weights={key.removesuffix("s"): 0.0})
    assert names(without.rerank("?", given))[:6] == [*"012345"]


def test_those_that_keys_join_to_one_share_its_bonus():
    grown = Reranker(ranker="base", along_keys=True)
    alone = tables(12, 6)
    assert names(grown.rerank("?", alone))[:7] == [*"0123645"]
    for item in alone[6:]:
        item["metadata"] = {"foreign_keys": ["0"]}
    assert names(grown.rerank("?", alone))[:7] == [*"0123465"]


def test_auto_is_the_network_grown():
    given, further = tables(12, 6), tables(5, 4)
    asked = "t3 t4"
    auto = Reranker().rerank(asked, given)
    network = Reranker(ranker="gat", along_keys=True).rerank(asked, given)
    assert [(hit.id, hit.score) for hit in auto] == [(hit.id, hit.score) for hit in network]
    plain = Reranker(ranker="gat").rerank(asked, given)
    assert names(Reranker(along_keys=False).rerank(asked, given)) == names(plain)
    both = Reranker().rerank_batch([asked, asked], [given, further])
    assert [names(own) for own in both] == [names(auto), names(Reranker().rerank(asked, further))]


def test_one_program_serves_a_bucket():
    grown = Reranker(ranker="base", along_keys=True)
    grown.rerank("?", tables(30, 8), k=5)
    before = growth._grown.function._cache_size()
    for count in (17, 25, 32):
        grown.rerank("?", tables(count, 8), k=count)
    assert growth._grown.function._cache_size() <= before + 1
    grown.rerank("?", tables(29, 8), k=3)
    assert growth._grown.function._cache_size() <= before + 1


def test_a_list_without_candidates_and_one_in_which_none_has_a_key():
    grown = Reranker(ranker="base", along_keys=True)
    assert [names(own) for own in grown.rerank_batch(["?", "?"], [[], tables(5, 4)])] == [
        [],
        [*"01243"],
    ]


def test_more_candidates_than_a_matrix_should_have_are_refused():
    grown, given = Reranker(ranker="base", along_keys=True), tables(4097, 5)
    with pytest.raises(InputError, match="along_keys: 4097 candidates for a question; 4096 can"):
        grown.rerank("?", given)
    assert len(Reranker(along_keys=None, ranker="base").rerank("?", given, k=3)) == 3


def test_the_reason_tells_growth_only_where_keys_join():
    grown = Reranker(along_keys=True)
    given = [{"id": str(i), "score": 1.0, "metadata": {"entities": ["x"]}} for i in range(3)]
    collection, _ = grown.collect(["?"], [given])
    assert grown.choice(collection).because == "these join the objects: shared entity"

"""The table of proximities: what is derived from it, and a row that a user adds."""

import sys
from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kernels
from grapher_jax.kernels.graphs.operators import Dense
from grapher_jax.kernels.graphs.proximities import (
    PROXIMITIES,
    TABLE,
    Proximity,
    Reads,
    arrays_needed_with,
    compare_pairs,
    wide_arrays,
)
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.program import ways
from grapher_jax.kernels.program.reranking import rerank_relations

sys.path.append(str(Path(__file__).parents[1]))

from callers import METADATA

RNG = np.random.default_rng(0)


def test_what_the_table_tells():
    assert PROXIMITIES == (
        "foreign_key",
        "inferred_key",
        "link",
        "mention",
        "shared_entity",
        "chunk",
        "semantic",
    )
    references = {"foreign_keys", "inferred_keys", "links", "mentions"}
    assert wide_arrays() == {"entity_ids", "embeddings", *references}
    needed = {name: set(arrays_needed_with(name)) for name in METADATA if name != "others"}
    assert {name: one for name, one in needed.items() if one} == {
        "foreign_keys": {"object_ids"},
        "inferred_keys": {"object_ids"},
        "links": {"object_ids"},
        "entity_counts": {"entity_ids"},
        "document_ids": {"chunk_ids"},
        "chunk_ids": {"document_ids"},
    }


def same_author(relations, mask):
    authors = jnp.asarray(relations["author_ids"])
    same = (authors[..., :, None] == authors[..., None, :]) & (authors[..., None] >= 0)
    same &= ~jnp.eye(authors.shape[-1], dtype=bool)
    if mask is not None:
        same &= mask[..., :, None] & mask[..., None, :]
    return same.astype(jnp.float32)


ROW = Proximity("same_author", (Reads("author_ids"),), same_author)
FAST = Proximity("same_author", ROW.reads, same_author, lambda r, mask: Dense(same_author(r, mask)))


@pytest.mark.parametrize(
    ("way", "row"),
    [(ways.by_pairs, ROW), (ways.in_blocks, ROW), (ways.by_platform, FAST)],
    ids=["all pairs", "in blocks", "looked up"],
)
def test_a_row_that_a_user_adds_ranks_like_the_others(way, row):
    scores = RNG.random((3, 8)).astype(np.float32)
    keys = np.where(RNG.random((3, 8, 2)) < 0.4, RNG.integers(0, 8, (3, 8, 2)), -1)
    arrays = {"object_ids": np.tile(np.arange(8), (3, 1)), "foreign_keys": keys}
    authors, mask = RNG.integers(-1, 3, (3, 8)), RNG.random((3, 8)) < 0.9
    relations = Relations(**arrays, others={"author_ids": authors})
    table, weights = (*TABLE, row), {"same_author": 0.5}
    top = rerank_relations(
        scores, relations, weights=weights, mask=mask, alpha=0.3, k=8, table=table, way=way
    )
    adjacency = kernels.build_adjacency(scores.shape, **arrays, mask=mask)
    adjacency += 0.5 * same_author(relations, mask)
    np.testing.assert_allclose(
        compare_pairs(scores.shape, relations, weights=weights, mask=mask, table=table), adjacency
    )
    expected = kernels.gcs(adjacency, scores, mask=mask, alpha=0.3)
    np.testing.assert_allclose(top.solution.scores, expected.scores, atol=2e-6)


@pytest.mark.parametrize(
    ("others", "complaint"),
    [
        ({"author_ids": np.zeros(2, int)}, r"author_ids: shape \(2\) .* \(3\)|author_ids: shape"),
        ({"author_ids": np.full(3, -2)}, r"author_ids: -2 at \[0\] .* -1 stands for none"),
        ({"writers": np.zeros(3, int)}, "writers: no proximity reads it; use object_ids"),
    ],
)
def test_arrays_of_such_a_row_are_looked_at(others, complaint):
    scores = np.ones(3, np.float32)
    with pytest.raises(ValueError, match=complaint):
        rerank_relations(scores, Relations(others=others), table=(*TABLE, ROW))

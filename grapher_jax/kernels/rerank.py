"""One program from padded IDs and scores to the best k."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int
from numpy import ndarray

from grapher_jax.kernels.adjacency import (
    chunk_adjacency,
    combine,
    foreign_key_adjacency,
    link_adjacency,
    shared_entity_adjacency,
)
from grapher_jax.kernels.gcs import GCS_ALPHA, gcs
from grapher_jax.kernels.ppr import PPR_ALPHA, ppr
from grapher_jax.kernels.top_k import top_k
from grapher_jax.kernels.types import Ids, Mask, Scores, Slots, Solution, TopK

FIXED_POINT_RANKERS: dict[str, Callable[..., Solution]] = {"gcs": gcs, "ppr": ppr}
DEFAULT_ALPHA = {"gcs": GCS_ALPHA, "ppr": PPR_ALPHA}
BASE = "base"
PROXIMITIES = ("foreign_key", "link", "shared_entity", "chunk")


def build_adjacency(
    shape: tuple[int, ...],
    *,
    entity_ids: Slots | None = None,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    object_ids: Ids | None = None,
    foreign_keys: Slots | None = None,
    links: Slots | None = None,
    document_ids: Ids | None = None,
    chunk_ids: Ids | None = None,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
) -> Float[Array, "*B n n"]:
    """The weighted sum of every proximity whose arrays are given; see `rerank` for the arguments.

    Args:
        shape: `(*B, n)`, for the empty graph of candidates without any metadata.
    """
    relations: dict[str, Float[Array, "*B n n"]] = {}
    if foreign_keys is not None and object_ids is not None:
        relations["foreign_key"] = foreign_key_adjacency(object_ids, foreign_keys, mask=mask)
    if links is not None and object_ids is not None:
        relations["link"] = link_adjacency(object_ids, links, mask=mask)
    if entity_ids is not None:
        relations["shared_entity"] = shared_entity_adjacency(entity_ids, entity_counts, mask=mask)
    if document_ids is not None and chunk_ids is not None:
        relations["chunk"] = chunk_adjacency(document_ids, chunk_ids, mask=mask)
    if not relations:
        return jnp.zeros((*shape, shape[-1]), jnp.float32)
    chosen = weights or {}
    return combine(list(relations.values()), [chosen.get(name, 1.0) for name in relations])


def rerank(
    scores: Scores,
    *,
    entity_ids: Slots | None = None,
    entity_counts: Int[Array | ndarray, "*B n"] | None = None,
    object_ids: Ids | None = None,
    foreign_keys: Slots | None = None,
    links: Slots | None = None,
    document_ids: Ids | None = None,
    chunk_ids: Ids | None = None,
    weights: Mapping[str, float | Array] | None = None,
    mask: Mask | None = None,
    ranker: str = "gcs",
    alpha: float | Array | None = None,
    tol: float | Array = 1e-6,
    max_steps: int = 1000,
    k: int = 10,
) -> TopK:
    """Build the candidate graphs, rank, and take the best k: one jitted program.

    A proximity joins the graph where its arrays are given: `foreign_keys` or `links` with
    `object_ids`, `entity_ids`, `document_ids` with `chunk_ids`.

    Args:
        scores: `[*B, n]` the retriever's scores.
        entity_ids: `[*B, n, e]`, see `shared_entity_adjacency`.
        entity_counts: `[*B, n]`, see `shared_entity_adjacency`.
        object_ids: `[*B, n]`, see `foreign_key_adjacency`.
        foreign_keys: `[*B, n, r]`, see `foreign_key_adjacency`.
        links: `[*B, n, r]`, see `link_adjacency`.
        document_ids: `[*B, n]`, see `chunk_adjacency`.
        chunk_ids: `[*B, n]`, see `chunk_adjacency`.
        weights: the weight of each proximity by name (`PROXIMITIES`), 1 by default.
        mask: `[*B, n]` true for real candidates; all by default.
        ranker: `gcs`, `ppr`, or `base` for the retriever's own order.
        alpha: the weight kept on a candidate's own score, in (0, 1]; the ranker's own by default.
        tol: see the ranker.
        max_steps: see the ranker.
        k: how many results.

    Returns:
        Indices into the candidates and scores `[*B, k]`, with the ranker's solution.

    Raises:
        ValueError: for an unknown ranker.
    """
    if ranker != BASE and ranker not in FIXED_POINT_RANKERS:
        known = ", ".join([BASE, *FIXED_POINT_RANKERS])
        raise ValueError(f"ranker: {ranker!r} is unknown; use one of {known}")
    metadata = {
        "entity_ids": entity_ids,
        "entity_counts": entity_counts,
        "object_ids": object_ids,
        "foreign_keys": foreign_keys,
        "links": links,
        "document_ids": document_ids,
        "chunk_ids": chunk_ids,
    }
    # Defaults become arguments too: leaving one out or giving it compiles the same program.
    return _rerank(
        scores,
        metadata,
        {name: (weights or {}).get(name, 1.0) for name in PROXIMITIES},
        mask,
        DEFAULT_ALPHA.get(ranker) if alpha is None else alpha,
        tol,
        ranker=ranker,
        max_steps=max_steps,
        k=k,
    )


@partial(jax.jit, static_argnames=("ranker", "max_steps", "k"))
def _rerank(
    scores: Scores,
    metadata: dict[str, Any],
    weights: dict[str, float | Array],
    mask: Mask | None,
    alpha: float | Array | None,
    tol: float | Array,
    *,
    ranker: str,
    max_steps: int,
    k: int,
) -> TopK:
    if ranker == BASE:
        return top_k(scores, k, mask=mask)
    adjacency = build_adjacency(jnp.shape(scores), **metadata, weights=weights, mask=mask)
    solution = FIXED_POINT_RANKERS[ranker](
        adjacency, scores, mask=mask, alpha=alpha, tol=tol, max_steps=max_steps
    )
    return top_k(solution.scores, k, mask=mask, solution=solution)

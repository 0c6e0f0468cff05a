"""Pure JAX kernels for candidate graphs: arrays in, arrays out.

Needs jax, numpy and jaxtyping only. Shape letters: `B` queries, `n` candidates (padded), `e` entity
slots, `r` reference slots, `k` results. Integer arrays pad with -1; leading batch dimensions are
free; functions of arrays work under `jit` and `vmap`, and scores have gradients.
"""

from grapher_jax.kernels.attention.gatv2 import gatv2_attention, gatv2_attention_dense
from grapher_jax.kernels.fixed_point.graph_cohesive_smoothing import gcs
from grapher_jax.kernels.fixed_point.graph_diffusion import diffusion
from grapher_jax.kernels.fixed_point.pagerank import ppr
from grapher_jax.kernels.fixed_point.score_contributions import contributions
from grapher_jax.kernels.graphs.adjacency import (
    chunk_adjacency,
    combine,
    foreign_key_adjacency,
    link_adjacency,
    semantic_adjacency,
    semantic_neighbors,
    shared_entity_adjacency,
    stack,
    weighted_adjacency,
)
from grapher_jax.kernels.graphs.documents import (
    connected,
    document_edges,
    mean_edges,
    mean_messages,
)
from grapher_jax.kernels.graphs.operators import (
    Dense,
    NeighborList,
    Operator,
    SharedEntities,
    WeightedEdges,
)
from grapher_jax.kernels.graphs.proximities import PROXIMITIES, build_adjacency
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.graphs.subgraphs import expand_seeds, induced_neighbors
from grapher_jax.kernels.program.artifacts import export_rerank, load_rerank, warm_up
from grapher_jax.kernels.program.devices import local_queries, query_mesh, shard_queries
from grapher_jax.kernels.program.reranking import DEFAULT_ALPHA, rerank
from grapher_jax.kernels.ranking.coverage import cover_words
from grapher_jax.kernels.ranking.diversity import maximal_marginal_relevance
from grapher_jax.kernels.ranking.fusion import (
    adjust_scores,
    hybrid,
    min_max,
    reciprocal_rank_fusion,
)
from grapher_jax.kernels.ranking.growth import grow_along_edges
from grapher_jax.kernels.ranking.metrics import (
    mean_hits,
    mean_reciprocal_rank,
    ndcg,
    perfect_recall,
    reciprocal_rank,
    ties,
)
from grapher_jax.kernels.ranking.selection import top_k
from grapher_jax.kernels.types import Solution, TopK

__all__ = [
    "DEFAULT_ALPHA",
    "PROXIMITIES",
    "Dense",
    "NeighborList",
    "Operator",
    "Relations",
    "SharedEntities",
    "Solution",
    "TopK",
    "WeightedEdges",
    "adjust_scores",
    "build_adjacency",
    "chunk_adjacency",
    "combine",
    "connected",
    "contributions",
    "cover_words",
    "diffusion",
    "document_edges",
    "expand_seeds",
    "export_rerank",
    "foreign_key_adjacency",
    "gatv2_attention",
    "gatv2_attention_dense",
    "gcs",
    "grow_along_edges",
    "hybrid",
    "induced_neighbors",
    "link_adjacency",
    "load_rerank",
    "local_queries",
    "maximal_marginal_relevance",
    "mean_edges",
    "mean_hits",
    "mean_messages",
    "mean_reciprocal_rank",
    "min_max",
    "ndcg",
    "perfect_recall",
    "ppr",
    "query_mesh",
    "reciprocal_rank",
    "reciprocal_rank_fusion",
    "rerank",
    "semantic_adjacency",
    "semantic_neighbors",
    "shard_queries",
    "shared_entity_adjacency",
    "stack",
    "ties",
    "top_k",
    "warm_up",
    "weighted_adjacency",
]

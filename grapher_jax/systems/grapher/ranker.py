"""GraphER's network as a ranker: from candidates to the best k in one program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

from grapher_jax import kernels
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY, kernel_table
from grapher_jax.kept_programs import kept_jit
from grapher_jax.kernels.graphs.proximities import Table
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.kernels.types import TopK
from grapher_jax.rankers.explanation import Explanation, explain_neighbors
from grapher_jax.rankers.networks import NetworkRanker
from grapher_jax.rankers.protocol import Needs
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.systems.grapher.reading import name_features
from grapher_jax.training.candidates import GraphSettings, build_candidates
from grapher_jax.training.gat_shape import reads_axes
from grapher_jax.training.weights import Design


@dataclass(frozen=True, kw_only=True, eq=False)
class GatRanker(NetworkRanker[GraphSettings]):
    """A trained GATv2 over the candidates' graph (a `Ranker`)."""

    # The activations of this many candidates fit a CPU's caches.
    candidates_at_once = 1 << 13

    @property
    def needs(self) -> Needs:
        """Proximities, and embeddings if it reads their axes, else one cosine per candidate."""
        if reads_axes(self.config):
            return Needs(embedder=self.embedder, dimension=self.config.dimension, proximities=True)
        return Needs(cosine=True, proximities=True)

    @property
    def parameters(self) -> dict[str, Json]:
        """`weights`, their `sha256`, `alpha`, `max_df`, `neighbors`, and `smoothing` unless GCS."""
        other = [] if self.settings.smoothing == "gcs" else ["smoothing"]
        return self.told("alpha", "max_df", "neighbors", *other)

    def prepare(self, collection: Collection, proximities: Sequence[str]) -> "PreparedGat":
        """See `Ranker`."""
        return PreparedGat(self, collection, proximities)


@dataclass(frozen=True)
class PreparedGat:
    """The network over the graphs of a collection (`Prepared`)."""

    ranker: GatRanker
    collection: Collection
    proximities: Sequence[str]

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters of the ranker, and the `proximities`."""
        return self.ranker.parameters | {"proximities": self.proximities}

    def rank(self, candidates: Candidates, k: int) -> TopK:
        """See `Prepared`."""
        rows, settings = candidates.rows, self.ranker.settings
        graph = self.collection.graph
        top = _best(
            self.ranker.tensors,
            candidates.scores,
            (candidates.questions.embeddings, self.collection.embeddings[rows]),
            graph.gather(rows, self.proximities, max_df=settings.max_df),
            rows != EMPTY,
            settings.alpha,
            smoothing=settings.smoothing,
            design=self.ranker.design,
            neighbors=settings.neighbors,
            table=kernel_table(self.proximities, graph.rows),
            **name_features(
                self.collection,
                [one.text for one in candidates.questions],
                rows,
                inputs=self.ranker.config.inputs,
            ),
            k=k,
        )
        return self.ranker.checked(top, candidates)

    def explain(
        self,
        candidates: Candidates,
        positions: Int[ndarray, " k"],
        scores: Float[ndarray, " k"],
    ) -> list[Explanation]:
        """See `Prepared`: the neighbours of a result in the graph."""
        return explain_neighbors(
            self.collection.graph,
            candidates.rows[0],
            positions,
            scores,
            ids=self.collection.ids,
            ranker=self.ranker.name,
            proximities=self.proximities,
            max_df=self.ranker.settings.max_df,
            neighbors=self.ranker.settings.neighbors,
        )


@partial(kept_jit, static_argnames=("design", "smoothing", "neighbors", "table", "k"))
def _best(
    tensors: Mapping[str, Array],
    scores: Float[Array | ndarray, "B n"],
    embeddings: tuple[Float[Array | ndarray, "B d"], Float[Array | ndarray, "B n d"]],
    relations: Relations,
    mask: Bool[Array | ndarray, "B n"],
    alpha: float | Array,
    *,
    smoothing: str,
    design: Design,
    neighbors: int,
    table: Table,
    words: Float[Array | ndarray, "B n w"] | None,
    meanings: Float[Array | ndarray, "B n m"] | None,
    k: int,
) -> TopK:
    batch = build_candidates(
        scores,
        *embeddings,
        relations,
        mask=mask,
        smoothing=smoothing,
        alpha=alpha,
        neighbors=neighbors,
        table=table,
        words=words,
        meanings=meanings,
    )
    return kernels.top_k(design.build(tensors)(batch), k, mask=mask)

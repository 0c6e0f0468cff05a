"""The candidate graphs of questions, built once for all epochs, for GraphER's network."""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import jax
import numpy as np
from jaxtyping import Array, Bool, Float
from numpy import ndarray

from grapher_jax.files import array_file
from grapher_jax.graph import EMPTY, kernel_table
from grapher_jax.kernels.graphs.proximities import Table
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.shapes import pad, slices
from grapher_jax.systems.grapher.reading import name_features
from grapher_jax.systems.network import GRAPHS_AT_ONCE
from grapher_jax.training.candidates import MEANINGS, WORDS, GraphSettings, build_candidates
from grapher_jax.training.relations import DEGREES


def write_candidate_graphs(
    folder: Path,
    collection: Collection,
    candidates: Candidates,
    settings: GraphSettings,
    report: Callable[[int], None],
) -> None:
    """Write `smoothed`, `neighbors`, `degrees`, `words` and `meanings`; see `Network.write_graphs`.

    They are the same in every epoch, and building them costs about as much as a training step.
    """
    rows, scores = candidates.rows, candidates.scores
    degree = np.uint16 if rows.shape[1] < 1 << 16 else np.uint32
    place = np.int16 if rows.shape[1] < 1 << 15 else np.int32
    graph, texts = collection.graph, [one.text for one in candidates.questions]
    proximities = graph.proximities()
    with ExitStack() as files:
        writers = {
            name: files.enter_context(
                array_file(folder / f"{name}.npy", np.dtype(kind), (*rows.shape, *widths))
            )
            for name, kind, widths in (
                ("smoothed", np.float32, ()),
                ("neighbors", place, (settings.neighbors,)),
                ("degrees", degree, (len(DEGREES),)),
                ("words", np.float16, (WORDS,)),
                ("meanings", np.float16, (MEANINGS,)),
            )
        }
        for block in slices(len(rows), GRAPHS_AT_ONCE):
            some = pad(rows[block], (GRAPHS_AT_ONCE,), EMPTY)
            built = _built(
                pad(scores[block], (GRAPHS_AT_ONCE,), 0.0),
                graph.gather(some, proximities, max_df=settings.max_df),
                some != EMPTY,
                settings=settings,
                table=kernel_table(proximities, graph.rows),
            )
            built |= name_features(collection, texts[block], rows[block])
            for name, values in built.items():
                writers[name](np.asarray(values)[: len(rows[block])])
            report(len(rows[block]))


@partial(jax.jit, static_argnames=("settings", "table"))
def _built(
    scores: Float[Array | ndarray, "B n"],
    relations: Relations,
    mask: Bool[Array | ndarray, "B n"],
    *,
    settings: GraphSettings,
    table: Table,
) -> dict[str, Array]:
    batch = build_candidates(
        scores,
        np.zeros((len(scores), 1), np.float32),
        np.zeros((*scores.shape, 1), np.float32),
        relations,
        mask=mask,
        smoothing=settings.smoothing,
        alpha=settings.alpha,
        neighbors=settings.neighbors,
        table=table,
    )
    return {name: getattr(batch, name) for name in ("smoothed", "neighbors", "degrees")}

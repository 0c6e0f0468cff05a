"""Compiles what requests need before they come."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from grapher_jax.files import Json
from grapher_jax.retrieve import CANDIDATES
from grapher_jax.retrieve.embedders.offline import BATCHES, LENGTHS
from grapher_jax.search import Index
from grapher_jax.serve.jobs import KnownJob, RerankJob, SearchJob
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.shapes import FEW, SEARCHES, SIZES, SLOTS

# The texts embedded at the start, one for every length that has its own program: each word is a
# token, and two more mark the ends.
_TEXTS = ["word " * (length - 2) for length in LENGTHS]


def common_steps(engine: Engine) -> Iterator[Callable[[], object]]:
    """Steps that compile what most requests need: a search, and tables with scores."""
    for text in _TEXTS[:3]:
        yield partial(engine.index.embedder.embed_queries, [text])
    for job in _examples(engine.index)[:1]:
        yield partial(engine.unasked().search, [job])
    if engine.fixed:
        for n in (min(SIZES), CANDIDATES):
            yield partial(engine.rerank, [_made_up(n, {})])


def all_steps(engine: Engine, *, embedder: bool = True) -> Iterator[Callable[[], object]]:
    """Steps that compile the programs for requests of every size, and maybe the embedder's."""
    for count in BATCHES[::-1] if embedder else ():
        for text in _TEXTS:
            yield partial(engine.index.embedder.embed_queries, [text] * count)
    jobs = _examples(engine.index)
    every = np.arange(len(engine.index.ids), dtype=np.int32)
    unasked = engine.unasked()
    for batch in (jobs[:1], jobs[:SEARCHES]):
        if batch:
            yield partial(unasked.search, batch)
            # As for a filter; its keys are not known in advance.
            asked = [batch[0].query] * (1 if len(batch) == 1 else SEARCHES)
            yield partial(engine.index.retriever.retrieve, asked, allowed=[every] * len(asked))
        for n in {FEW, engine.search_width} if batch and engine.scorer is None else ():
            known = [KnownJob(job.query, every[:n].tolist(), 1, False) for job in batch]
            yield partial(engine.rerank_known, known)
    for n in SIZES:
        if engine.fixed:
            for metadata in ({}, *({"links": [""] * slots} for slots in SLOTS)):
                yield partial(engine.rerank, [_made_up(n, metadata)])
        if engine.scorer is None:
            vector = engine.index.embeddings[0]
            embedded = [{**one, "embedding": vector} for one in _made_up(n, {}).documents]
            yield partial(engine.similarities, [("word", embedded)])


def carry_out(steps: Sequence[Callable[[], object]]) -> list[object]:
    """Runs the steps, and returns their results."""
    return [step() for step in steps]


def _examples(index: Index) -> list[SearchJob]:
    """Example questions for the index."""
    texts = [item.searchable_text for item in index.objects[: 4 * SEARCHES]]
    return [SearchJob(text, 10, None, False) for text in texts if text.strip()]


def _made_up(documents: int, metadata: Mapping[str, Json]) -> RerankJob:
    """An example request with this many documents, one of which has metadata."""
    given = [{"id": str(i), "text": "word", "score": 0.5} for i in range(documents)]
    return RerankJob("-", [given[0] | {"metadata": metadata}, *given[1:]], 1, False)

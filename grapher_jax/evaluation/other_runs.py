"""Candidates from another retriever's run, sorted as trec_eval does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grapher_jax.corpus import Query, as_query
from grapher_jax.files import Json
from grapher_jax.graph import EMPTY
from grapher_jax.index import IndexData
from grapher_jax.retrieve import Candidates, Scorer
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.runs import open_run
from grapher_jax.runs.base import Lacks, candidates
from grapher_jax.runs.stream import BLOCK, blocks
from grapher_jax.shapes import pad


@dataclass(frozen=True)
class RunRetrieval:
    """Another retriever's run (`Finder`), used as it is: without filters and expansion.

    Attributes:
        path: see `open_run`.
        scorer: rescores the candidates; None for the run's own scores.
    """

    path: Path
    scorer: Scorer | None = None

    @property
    def base(self) -> "RunRetrieval":
        """Itself."""
        return self

    @property
    def parameters(self) -> dict[str, Json]:
        """The parameters that decide the candidates, for a report."""
        scored = {} if self.scorer is None else {"base": self.scorer.name}
        return {"run": str(self.path), **scored}

    def over(self, index: IndexData) -> dict[str, Json]:
        """`parameters`, which do not depend on the index."""
        return self.parameters

    def __call__(
        self,
        index: IndexData,
        questions: Sequence[str | Query],
        *,
        filters: Sequence[Mapping[str, Json] | None] | None = None,
        progress: Progress = no_progress,
    ) -> Candidates:
        """The candidates of every question, by its id; warns of what run and index lack.

        Raises:
            InputError: if the run cannot be read.
        """
        queries = [*map(as_query, questions)]
        parts: list[Candidates] = []
        lacks = Lacks()
        with open_run(self.path) as run:
            for block in blocks(queries, BLOCK):
                parts.append(_as_trec_eval(index, candidates(index, block, run, lacks)))
                progress(len(block))
        widest = max(part.rows.shape[1] for part in parts)
        rows = np.concatenate([pad(part.rows, (len(part), widest), EMPTY) for part in parts])
        scores = np.concatenate([pad(part.scores, (len(part), widest), 0.0) for part in parts])
        found = Candidates(rows, scores, index.questions(queries), any_scale=True)
        lacks.warn()
        return found if self.scorer is None else self.scorer.rescored(found, index.objects)


def _as_trec_eval(index: IndexData, found: Candidates) -> Candidates:
    """Sorts candidates by their float32 scores, and equal scores by the greatest id first."""
    rows, inverse = np.unique(found.rows, return_inverse=True)
    names = [index.ids[row] for row in rows]
    # Python compares code points, which sort like the UTF-8 bytes that trec_eval compares.
    places = np.argsort(sorted(range(len(names)), key=names.__getitem__))
    place = places[inverse.reshape(found.rows.shape)]  # NumPy 1 returns a flat array
    order = np.lexsort((-place, -found.scores, found.rows == EMPTY), axis=-1)
    rows, scores = (np.take_along_axis(array, order, 1) for array in (found.rows, found.scores))
    return Candidates(rows, scores, found.questions, any_scale=True)

"""An index that is being served."""

import time
from dataclasses import dataclass, field

from grapher_jax.rerank import Reranker
from grapher_jax.serve.ranking import Engine
from grapher_jax.serve.served_folder import ServedFolder


@dataclass(eq=False)
class Served:
    """An index that is being served.

    Attributes:
        name: the name by which requests choose it.
        engine: answers its requests; replaced when the index is reopened.
        reranker: the reranker for new engines.
        folder: the folder from which it is reopened; None for an index in memory.
        opening: the next engine, used once its programs are compiled.
        warm: whether all programs could be compiled.
        since: when it was opened, in whole seconds since the epoch.
    """

    name: str
    engine: Engine
    reranker: Reranker
    folder: ServedFolder | None
    opening: Engine | None = None
    warm: bool = True
    since: int = field(default_factory=lambda: int(time.time()))

    def opened_anew(self, folder: ServedFolder) -> tuple[Engine, Reranker]:
        """The engine for the present state of a folder, and the reranker in it.

        Raises:
            InputError: as `Index.load` and `Engine`.
        """
        index, reranker = folder.open(), self.reranker
        if reranker.own_edges == self.engine.index.edges:
            # They were the index's own, which may have others now.
            reranker = reranker.joined_by(index.edges)
        return Engine(index, reranker), reranker

    def count(self) -> int:
        """The number of its objects."""
        return len(self.engine.index.ids)

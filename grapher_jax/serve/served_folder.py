"""The folder of a served index, which may be written anew while it is served."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from grapher_jax.index import written
from grapher_jax.search import Index

# After a failure: each fills the log with a traceback.
_AGAIN_SECONDS = 30.0


@dataclass
class ServedFolder:
    """An index on disk, and which state of it was opened last.

    Attributes:
        path: of the folder.
    """

    path: Path
    _opened: tuple[int, ...] | None = field(default=None, init=False)
    _failed: float | None = field(default=None, init=False)

    def open(self) -> Index:
        """The index as it is now.

        Raises:
            InputError: as `Index.load`.
        """
        # Before it is read: what is written meanwhile is a change.
        self._opened, self._failed = written(self.path), time.monotonic()
        index = Index.load(self.path)
        self._failed = None
        return index

    def changed(self) -> bool:
        """Whether there is another state than the one opened last, or it is to be tried again.

        What could not be opened was being copied, perhaps.
        """
        now = written(self.path)
        if now is None or now != self._opened:
            return now is not None
        return self._failed is not None and time.monotonic() - self._failed >= _AGAIN_SECONDS

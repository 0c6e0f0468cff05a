"""The folder of a served index, which may be rewritten while it is served."""

import time
from dataclasses import dataclass, field
from pathlib import Path

from grapher_jax.index import written
from grapher_jax.search import Index

# Seconds to wait after a failure, since each failure logs a traceback.
_AGAIN_SECONDS = 30.0


@dataclass
class ServedFolder:
    """An index on disk, with the state that was opened last.

    Attributes:
        path: the path of the folder.
    """

    path: Path
    _opened: tuple[int, ...] | None = field(default=None, init=False)
    _failed: float | None = field(default=None, init=False)

    def open(self) -> Index:
        """Open the current index.

        Raises:
            InputError: as `Index.load`.
        """
        # Recorded before reading: anything written meanwhile is a change.
        self._opened, self._failed = written(self.path), time.monotonic()
        index = Index.load(self.path)
        self._failed = None
        return index

    def failed(self) -> None:
        """The state opened last cannot be served, which is tried again later."""
        self._failed = time.monotonic()

    def forget(self) -> None:
        """The state opened last is not used after all, and counts as a change."""
        self._opened = None

    def changed(self) -> bool:
        """Whether the state differs from the one opened last, or opening should be retried.

        An index that could not be opened may have been incomplete, during a copy.
        """
        now = written(self.path)
        if now is None or now != self._opened:
            return now is not None
        return self._failed is not None and time.monotonic() - self._failed >= _AGAIN_SECONDS

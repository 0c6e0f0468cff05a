"""The folder of a served index, which may be written anew while it is served."""

from dataclasses import dataclass, field
from pathlib import Path

from grapher_jax.index import written
from grapher_jax.search import Index


@dataclass
class ServedFolder:
    """An index on disk, and which state of it was opened last.

    Attributes:
        path: of the folder.
    """

    path: Path
    _opened: tuple[int, ...] | None = field(default=None, init=False)

    def open(self) -> Index:
        """The index as it is now.

        Raises:
            InputError: as `Index.load`.
        """
        # Before it is read: what is written meanwhile is a change.
        self._opened = written(self.path)
        return Index.load(self.path)

    def changed(self) -> bool:
        """Whether there is another state than the one opened last."""
        now = written(self.path)
        return now is not None and now != self._opened

"""Indexes by their names, each opened when it is first needed."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from grapher_jax.checks import shown
from grapher_jax.errors import GrapherError, InputError, warn
from grapher_jax.index import is_index
from grapher_jax.search import Index
from grapher_jax.tables.schema import keys_join_tables


class Opened:
    """Indexes by the names of their folders, or of links to them; any thread may ask for one.

    Attributes:
        names: in the order in which they were given.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        """None of them opened yet.

        Raises:
            InputError: where there is none, one is no index, or two have the same name.
        """
        named: dict[str, Path] = {}
        for folder in folders:
            if not is_index(folder):
                raise InputError(f"index: {folder} is no index; make one with grapher-jax index")
            name = folder.absolute().name
            if name in named:
                raise InputError(
                    f"index: {named[name]} and {folder} are both called {name!r}; rename one, or "
                    "give a link to it of another name"
                )
            named[name] = folder
        if not named:
            raise InputError("index: give one at least")
        self.names = tuple(named)
        self._folders, self._locks = named, {name: Lock() for name in named}
        self._indexes: dict[str, Index] = {}

    def get(self, name: str | None) -> tuple[str, Index]:
        """An index, and its name; the only one there is where no name is given.

        Raises:
            InputError: for an unknown name or, where there are several, none; as `Index.load`.
        """
        known = ", ".join(self.names)
        if name is None and len(self.names) > 1:
            raise InputError(f"index: there are several; name one of {known}")
        name = self.names[0] if name is None else name
        if name not in self._folders:
            raise InputError(f"index: {shown(name)} is unknown; name one of {known}")
        with self._locks[name]:
            if name not in self._indexes:
                self._indexes[name] = _ready(Index.load(self._folders[name]))
        return name, self._indexes[name]

    def open_all(self) -> None:
        """Open all, in their order; warns of those that cannot be."""
        for name in self.names:
            try:
                self.get(name)
            except GrapherError as error:  # whoever asks for it is told, too
                warn(f"index {name}: {error}")


def _ready(index: Index) -> Index:
    """The index, with programs that its first question would wait for."""
    if keys_join_tables(index):
        index.tables("which tables?")
    else:
        index.search("which documents?")
    return index

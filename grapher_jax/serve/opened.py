"""Indexes by name, each opened on first use."""

from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from grapher_jax.checks import shown
from grapher_jax.corpus import check_no_url
from grapher_jax.corpus.documents import holds_index
from grapher_jax.errors import GrapherError, InputError, warn
from grapher_jax.search import Index
from grapher_jax.serve.served_folder import ServedFolder
from grapher_jax.tables.schema import keys_join_tables


def named_folders(given: Sequence[str | Path]) -> dict[str, Path]:
    """The folders of indexes by name, in the given order.

    Args:
        given: paths, whose names are those of the folder or the link to it, or `NAME=PATH`.

    Raises:
        InputError: if there are none, one is not an index, or two have the same name.
    """
    named: dict[str, Path] = {}
    for one in map(str, given):
        check_no_url(Path(one))
        name, equals, path = one.partition("=")
        if not equals or Path(one).exists():
            name, path = Path(one).absolute().name, one
        folder = Path(path)
        if not holds_index(folder):
            raise InputError(f"index: {folder} is no index; make one with grapher-jax index")
        if not name:
            raise InputError(f"index: {one!r} has an empty name; give NAME=PATH, or the path alone")
        if name in named:
            raise InputError(
                f"index: {named[name]} and {folder} are both called {name!r}; name one by NAME=PATH"
            )
        named[name] = folder
    if not named:
        raise InputError("index: give one at least")
    return named


def chosen_name(field: str, name: str | None, names: Sequence[str]) -> str:
    """The chosen name; the only existing one if none is given.

    Args:
        field: the field of the name, for errors.
        name: the given name.
        names: the existing names.

    Raises:
        InputError: for an unknown name, or for no name if there are several.
    """
    known = ", ".join(names)
    if name is None and len(names) > 1:
        raise InputError(f"{field}: there are several indexes; name one of {known}")
    name = names[0] if name is None else name
    if name not in names:
        raise InputError(f"{field}: {shown(name)} is unknown; name one of {known}")
    return name


class Opened:
    """Indexes by name, each opened again once its folder has changed; thread-safe.

    Attributes:
        names: the names, in the given order.
    """

    def __init__(self, folders: Sequence[str | Path]) -> None:
        """Store the folders; none is opened yet. See `named_folders`."""
        self._folders = {name: ServedFolder(own) for name, own in named_folders(folders).items()}
        self.names = tuple(self._folders)
        self._locks = {name: Lock() for name in self.names}
        self._indexes: dict[str, Index] = {}

    def get(self, name: str | None) -> tuple[str, Index]:
        """An index and its name; the only existing one if no name is given.

        If a changed folder cannot be opened, a warning tells, and the index from before is given.

        Raises:
            InputError: as `chosen_name` and `Index.load`.
        """
        name = chosen_name("index", name, self.names)
        folder = self._folders[name]
        with self._locks[name]:
            if name not in self._indexes:
                self._indexes[name] = _ready(folder.open())
            elif folder.changed():
                try:
                    self._indexes[name] = _ready(folder.open())
                except GrapherError as error:
                    folder.failed()
                    warn(f"index {name}: {error}; the one from before goes on")
            return name, self._indexes[name]

    def open_all(self) -> None:
        """Open all indexes, in order; warns of those that cannot be opened."""
        for name in self.names:
            try:
                self.get(name)
            except GrapherError as error:  # requests for it get the error, too
                warn(f"index {name}: {error}")


def _ready(index: Index) -> Index:
    """The index, with the programs compiled that its first question needs."""
    if keys_join_tables(index):
        index.tables("which tables?")
    else:
        index.search("which documents?")
    return index

"""SQLite's files and what lies beside them are read, and stay as they are."""

import errno
import os
import shutil
import sqlite3
from pathlib import Path
from urllib.parse import quote

import pytest

from grapher_jax.corpus import read_database
from grapher_jax.errors import InputError


@pytest.mark.parametrize(
    "url",
    [
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file::memory:?uri=true",
        "sqlite:///file:x?mode=memory&uri=true",
    ],
)
@pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SADeprecationWarning")
def test_a_database_in_memory_needs_no_file(url):
    with pytest.raises(InputError, match="the database has no tables; check that it is the one"):
        list(read_database(url))


def files_of(folder):
    """Whatever a reader might change: names, bytes and times of what is in a folder."""
    found = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.iterdir()}
    return found, folder.stat().st_mtime_ns


def journaled(path):
    """A connection amid a transaction that has changed the file, and keeps what was in a journal."""
    writer = sqlite3.connect(path, isolation_level=None)
    writer.executescript("PRAGMA cache_size = 1; CREATE TABLE first (x)")
    for statement in ("BEGIN", "ALTER TABLE first RENAME TO second", "CREATE TABLE padding (x)"):
        writer.execute(statement)
    writer.executemany("INSERT INTO padding VALUES (?)", [("x" * 3000,)] * 50)
    return writer


def logged(path):
    """A connection whose first transaction is in a write-ahead log, and whose second is not over."""
    writer = sqlite3.connect(path, isolation_level=None)
    writer.executescript(
        "CREATE TABLE zero (x); PRAGMA journal_mode = WAL; ALTER TABLE zero RENAME TO first"
    )
    writer.execute("BEGIN")
    writer.execute("CREATE TABLE second (x)")
    return writer


@pytest.mark.parametrize("begin", [journaled, logged])
@pytest.mark.parametrize("living", [True, False])
@pytest.mark.parametrize("name", ["shop.db", "a b#c%d&e=f;g+ü.db", "a?b.db"])
def test_a_database_with_a_log_is_read_whole_and_not_changed(tmp_path, begin, living, name):
    folder, left = tmp_path / name.replace("db", "dir"), tmp_path / "left"
    folder.mkdir()
    writer = begin(folder / name)
    if not living:  # as a killed process leaves it
        shutil.copytree(folder, left, ignore=shutil.ignore_patterns("*-shm"))
        writer.close()
        folder = left
    assert any(file.name.endswith(("-wal", "-journal")) for file in folder.iterdir())
    before = files_of(folder)
    (table,) = read_database(f"sqlite:///{quote(str(folder / name))}")
    assert (table.id, table.metadata["db"]) == ("first", Path(name).stem)
    assert files_of(folder) == before
    writer.close()


@pytest.mark.parametrize("mode", ["WAL", "PERSIST", "DELETE"])
def test_a_database_at_rest_is_read_in_place(tmp_path, monkeypatch, mode):
    from grapher_jax.corpus.database import sqlite

    folder = tmp_path / "a b?c#d%"
    folder.mkdir()
    path = folder / "shop.db"
    writer = sqlite3.connect(path)
    writer.executescript(f"PRAGMA journal_mode = {mode}; CREATE TABLE first (x)")
    writer.close()
    link = tmp_path / "link.db"
    link.symlink_to(path)
    before = files_of(folder)
    if mode != "PERSIST":
        monkeypatch.setattr(sqlite, "_copy", lambda *_: pytest.fail("it may be large"))
    for source in (f"sqlite:///{link}", link):
        assert [item.id for item in read_database(source)] == ["first"]
    assert files_of(folder) == before


@pytest.mark.parametrize("begin", [journaled, logged, None])
def test_a_database_in_a_folder_that_cannot_be_written_is_read(tmp_path, begin):
    folder = tmp_path / "folder"
    folder.mkdir()
    writer = (begin or logged)(folder / "shop.db")
    if begin is None:  # a write-ahead log is taken away by the last who closes
        writer.execute("ROLLBACK")
        writer.close()
    # Up to pytest's own folder, one lower where processes share the tests.
    for place in (tmp_path, *tmp_path.parents[:3]):
        place.chmod(place.stat().st_mode | 0o055)
    for file in folder.iterdir():
        file.chmod(0o444)
    folder.chmod(0o555)
    before, user = files_of(folder), os.geteuid()
    if not user:
        os.seteuid(65534)  # what root may write cannot be told
    try:
        objects = list(read_database(f"sqlite:///{folder / 'shop.db'}"))
    finally:
        os.seteuid(user)
        folder.chmod(0o755)
    assert [item.id for item in objects] == ["first"]
    assert files_of(folder) == before
    writer.close()


@pytest.mark.parametrize("begin", [journaled, logged])
def test_a_database_that_changes_while_it_is_copied_is_copied_again(tmp_path, monkeypatch, begin):
    path, copied = tmp_path / "shop.db", []
    writer, copyfile = begin(path), shutil.copyfile

    def change_then_copy(source, target):
        if str(source).endswith(("-wal", "-journal")) and len(copied) < 2:
            more = f"CREATE TABLE more{len(copied)} (x)"
            for statement in ("COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)", "BEGIN", more):
                writer.execute(statement)
        copied.append(source)
        return copyfile(source, target)

    monkeypatch.setattr(shutil, "copyfile", change_then_copy)
    names = {item.id for item in read_database(f"sqlite:///{path}")}
    assert names >= {"second"}
    assert len(copied) > 2
    writer.close()


def test_a_database_that_cannot_be_copied_or_stands_never_still_is_named(tmp_path, monkeypatch):
    path = tmp_path / "shop.db"
    writer, copyfile = logged(path), shutil.copyfile

    def touch_then_copy(source, target):
        times = path.stat().st_mtime_ns + 1
        os.utime(path, ns=(times, times))
        return copyfile(source, target)

    monkeypatch.setattr(shutil, "copyfile", touch_then_copy)
    with pytest.raises(InputError, match=r"shop\.db: it changes faster than it can be copied; try"):
        list(read_database(f"sqlite:///{path}"))

    def full(source, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(InputError, match=r"shop\.db: cannot be copied.*No space.*TMPDIR"):
        list(read_database(f"sqlite:///{path}"))
    writer.close()

import errno
import os
from pathlib import Path

import pytest

from grapher_jax.errors import InputError
from grapher_jax.files import atomic_file, atomic_folder, scratch_database, scratch_errors

WRITERS = [atomic_file, atomic_folder]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("writer", WRITERS)
def test_a_place_under_a_file_cannot_be_written(tmp_path, writer):
    (tmp_path / "file").touch()
    path = tmp_path / "file" / "below" / "out"
    with pytest.raises(InputError) as raised, writer(path):
        pass
    assert str(raised.value) == f"{path}: cannot be written (Not a directory); give another place"


def test_a_file_does_not_take_the_place_of_a_folder(tmp_path):
    path = tmp_path / "out"
    path.mkdir()
    with pytest.raises(InputError) as raised, atomic_file(path) as temporary:
        temporary.write_text("x")
    assert str(raised.value) == f"{path}: cannot be written (Is a directory); give another place"
    assert names(tmp_path) == ["out"]


def test_a_folder_does_not_take_the_place_of_a_file(tmp_path):
    path = tmp_path / "out"
    path.write_text("mine")
    with pytest.raises(InputError, match=r"out: cannot be written \(Not a directory"):  # noqa: SIM117
        with atomic_folder(path):
            pytest.fail("the work begins, to be thrown away")
    assert path.read_text() == "mine"


@pytest.mark.parametrize("writer", WRITERS)
def test_a_place_without_permission_is_named(tmp_path, monkeypatch, writer):
    def refuse(place, *_, **__):
        raise PermissionError(errno.EACCES, "Permission denied", str(place))

    monkeypatch.setattr(os, "open", refuse)  # permissions mean nothing to root
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(InputError) as raised, writer(tmp_path / "out"):
        pass
    assert str(raised.value) == (
        f"{tmp_path / 'out'}: cannot be written (Permission denied); give another place"
    )


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (lambda _: OSError(errno.ENOSPC, "no space"), "No space left on device"),
        (lambda path: OSError(errno.ENOSPC, f"no space at {path}"), "No space left on device"),
        (lambda path: OSError(errno.ENOSPC, "no space", f"{path}/a"), "No space left on device"),
        (lambda path: OSError(f"9 of {path} written"), "9 of {out} written"),
    ],
)
def test_a_failed_write_is_named_without_temporary_names(tmp_path, writer, error, reason):
    out = tmp_path / "out"
    with pytest.raises(InputError) as raised, writer(out) as temporary:
        raise error(temporary)
    reason = reason.format(out=out)
    assert str(raised.value) == f"{out}: cannot be written ({reason}); give another place"
    assert names(tmp_path) == []


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize(
    "error", [KeyError("x"), FileNotFoundError(errno.ENOENT, "No such file", "/elsewhere/source")]
)
def test_what_else_fails_meanwhile_passes_unchanged(tmp_path, writer, error):
    with pytest.raises(type(error)) as raised, writer(tmp_path / "out"):
        raise error
    assert raised.value is error
    assert names(tmp_path) == []


def test_a_folder_that_cannot_be_replaced_is_put_back(tmp_path, monkeypatch):
    path = tmp_path / "out"
    path.mkdir()
    (path / "old").touch()
    rename, calls = Path.rename, []

    def second_fails(source, target):
        calls.append(target)
        if len(calls) == 2:
            raise OSError(errno.EIO, "Input/output error", str(source), None, str(target))
        return rename(source, target)

    monkeypatch.setattr(Path, "rename", second_fails)
    with pytest.raises(InputError, match=r"out: cannot be written \(Input/output error"):  # noqa: SIM117
        with atomic_folder(path) as temporary:
            (temporary / "new").touch()
    assert len(calls) == 3
    assert names(tmp_path) == ["out"]
    assert names(path) == ["old"]


def test_a_replaced_folder_leaves_nothing_behind(tmp_path):
    path = tmp_path / "out"
    for name in ("old", "new"):
        with atomic_folder(path) as temporary:
            (temporary / name).touch()
    assert names(tmp_path) == ["out"]
    assert names(path) == ["new"]


def test_what_is_written_has_the_permissions_of_any_new_file(tmp_path, monkeypatch):
    mask = os.umask(0o027)
    try:
        # The mask belongs to all threads: to ask for it is to set it.
        monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the umask is touched"))
        with atomic_file(tmp_path / "file") as temporary:
            temporary.write_text("x")
        with atomic_folder(tmp_path / "folder"):
            pass
    finally:
        monkeypatch.undo()
        os.umask(mask)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o750


def test_a_full_folder_for_temporary_files_is_named():
    with scratch_database() as database, pytest.raises(InputError, match="SQLITE_TMPDIR"):
        database.execute("PRAGMA max_page_count = 2")
        with scratch_errors():
            database.execute("CREATE TABLE one (text)")
            database.execute("CREATE TABLE two (text)")

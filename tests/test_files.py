import errno
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path

import filelock
import numpy as np
import pytest

from grapher_jax import files
from grapher_jax.errors import InputError
from grapher_jax.files import (
    BusyError,
    alone,
    array_file,
    atomic_file,
    atomic_folder,
    flush,
    scratch_database,
    scratch_errors,
)
from grapher_jax.resume import complete, resumable

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

    monkeypatch.setattr(files, "_exchange", lambda *_: False)
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


KILLED = """
import os, sys
from pathlib import Path
from grapher_jax import files

EVENTS = ("ctypes.dlsym", "os.mkdir", "os.rename", "os.rmdir", "shutil.rmtree")
path, left = Path(sys.argv[1]), int(sys.argv[2])
if len(sys.argv) > 3:
    files._exchange = lambda *_: False

def kill(event, _):
    global left
    left -= event in EVENTS
    if left == 0:
        left = -1  # to kill is an event too
        os.kill(os.getpid(), 9)

import filelock  # what it does meanwhile is no step of ours
sys.addaudithook(kill)
with files.atomic_folder(path) as temporary:
    for name in "ab":
        (temporary / name).write_text("new")
"""


def write(path, content):
    with atomic_folder(path) as temporary:
        for name in "ab":
            (temporary / name).write_text(content)


def whole(path):
    """What a folder holds, where all of its files are of one writer."""
    contents = {file.read_text() for file in path.iterdir()}
    assert names(path) == ["a", "b"]
    assert len(contents) == 1
    return contents.pop()


def test_a_writer_that_is_killed_at_any_step_leaves_a_whole_folder(tmp_path):
    path, seen = tmp_path / "out", []
    for step in range(1, 50):
        write(path, "old")
        assert names(tmp_path) == ["out"], "what the killed one left is removed"
        done = subprocess.run([sys.executable, "-c", KILLED, path, str(step)])
        assert done.returncode in {0, -9}
        seen.append(whole(path))
        if not done.returncode:
            break
    assert done.returncode == 0
    assert len(seen) > 3
    assert seen == sorted(seen, key="old new".index)


@pytest.mark.nightly
def test_where_names_cannot_be_exchanged_the_next_writer_puts_back_what_was_there(tmp_path):
    path, gone = tmp_path / "out", 0
    for step in range(1, 50):
        write(path, "old")
        done = subprocess.run([sys.executable, "-c", KILLED, path, str(step), "renames"])
        if not path.exists():
            gone += 1
            with alone(path, wait=False):
                assert whole(path) == "old"
        assert whole(path) in {"old", "new"}
        if not done.returncode:
            break
    assert done.returncode == 0
    assert gone == 1
    write(path, "old")
    assert names(tmp_path) == ["out"]


def test_of_two_writers_one_waits_and_both_come_to_their_end(tmp_path, monkeypatch):
    path, waiting = tmp_path / "out", threading.Event()
    acquire = filelock.FileLock.acquire

    def noting(lock, **options):
        if threading.current_thread() is second:
            waiting.set()
        return acquire(lock, **options)

    monkeypatch.setattr(filelock.FileLock, "acquire", noting)
    second = threading.Thread(target=write, args=(path, "second"))
    with atomic_folder(path) as temporary:
        (temporary / "first").touch()
        second.start()
        assert waiting.wait(60)
        busy = pytest.raises(BusyError, match="out: another process is writing it; wait for it")
        with busy, alone(path, wait=False):
            pytest.fail("two hold one lock")
    second.join(60)
    assert whole(path) == "second"
    assert names(tmp_path) == ["out"]


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no place where no file can be made")
def test_a_place_where_no_file_can_be_made_is_not_called_busy():
    cannot = pytest.raises(InputError, match="/proc/out: cannot be written")
    with cannot, alone(Path("/proc/out"), wait=False):
        pytest.fail("written into /proc")


def test_what_others_keep_beside_it_is_no_orphan(tmp_path):
    kept = [".out", ".out.0123", ".outer.0123456789abcdef", ".out.0123456789abcdeg"]
    for name in kept:
        (tmp_path / name).mkdir()
    (tmp_path / ".out.0123456789abcdef").mkdir()
    write(tmp_path / "out", "new")
    assert names(tmp_path) == sorted([*kept, "out"])


@pytest.fixture(params=["a pipe", "a link to a pipe", "a socket", "a device"])
def node(request, tmp_path):
    """What is neither a file nor a folder."""
    path = tmp_path / "node"
    if request.param == "a socket":
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(str(path))
    elif request.param == "a device":
        if os.getuid():
            pytest.skip("only root makes devices")
        os.mknod(path, 0o600 | stat.S_IFCHR, os.makedev(1, 3))
    else:
        os.mkfifo(path)
    if request.param == "a link to a pipe":
        (tmp_path / "link").symlink_to(path)
        path = tmp_path / "link"
    return path


@pytest.mark.parametrize("writer", [*WRITERS, lambda path: resumable(path, None)])
def test_a_device_or_a_pipe_is_refused_and_stays(tmp_path, node, writer):
    def there():
        # Without the time of the last reading, to which each look may belong.
        found = node.lstat()
        return names(tmp_path), found.st_mode, found.st_ino, found.st_mtime_ns, found.st_ctime_ns

    before = there()
    refused = pytest.raises(InputError, match="is a device, a pipe or a socket; give another place")
    with refused, writer(node):
        pytest.fail("the work begins, to be thrown away")
    assert there() == before


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "far").mkdir()
    links = {name: tmp_path / name for name in ("file", "folder", "run")}
    for name, link in links.items():
        link.symlink_to(tmp_path / "far" / name)
    with atomic_file(links["file"]) as temporary:
        temporary.write_text("new")
    for content in ("old", "new"):
        write(links["folder"], content)
    with resumable(links["run"], None) as partial:
        partial.files[0].write("new")
        partial.record(1)
        complete(partial, links["run"])
    assert all(link.is_symlink() for link in links.values())
    assert links["file"].read_text() == links["run"].read_text() == whole(links["folder"]) == "new"
    assert names(tmp_path) == ["far", "file", "folder", "run"]
    assert names(tmp_path / "far") == ["file", "folder", "run"]


APPENDED = """
import os, sys
from pathlib import Path
from grapher_jax import files
from grapher_jax.resume import complete, resumable

EVENTS = ("ctypes.dlsym", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree")
path, left = Path(sys.argv[1]), int(sys.argv[2])

def kill(event, _):
    global left
    left -= event in EVENTS
    if left == 0:
        left = -1  # to kill is an event too
        os.kill(os.getpid(), 9)

import filelock
sys.addaudithook(kill)
with resumable(path, {"a": 1}, names=("a", "b")) as partial:
    print(partial.done)
    for done in range(partial.done, 2):
        partial.files[done].write("new")
        partial.record(done + 1)
    complete(partial, path)
"""


@pytest.mark.nightly
def test_long_work_killed_at_any_step_goes_on_and_leaves_a_whole_folder(tmp_path):
    path, kept = tmp_path / "out", 0
    for step in range(1, 50):
        write(path, "older")  # longer than the new: what was replaced is not gone on from
        killed = subprocess.run([sys.executable, "-c", APPENDED, path, str(step)])
        assert whole(path) in {"older", "new"}
        again = subprocess.run([sys.executable, "-c", APPENDED, path, "-1"], capture_output=True)
        kept += int(again.stdout)
        assert whole(path) == "new"
        assert names(tmp_path) == ["out"]
        if not killed.returncode:
            break
    assert killed.returncode == 0
    assert kept


@pytest.mark.skipif(os.name != "posix", reason="Windows flushes no folder")
def test_files_and_folders_are_flushed_where_the_system_can(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    flushed, code = [], 0

    def fsync(opened):
        kind = stat.S_ISDIR(os.fstat(opened).st_mode)
        flushed.append(kind)
        if code and kind:
            raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fsync)
    flush(tmp_path / "file", tmp_path)
    code = errno.EINVAL  # of network drives
    flush(tmp_path / "file", tmp_path)
    assert flushed == [False, True] * 2
    code = errno.EIO
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        flush(tmp_path)
    with pytest.raises(FileNotFoundError):
        flush(tmp_path / "none")


@pytest.mark.parametrize("shape", [(0, 3), (7,), (7, 3, 2)])
def test_an_array_is_written_a_few_rows_at_a_time(tmp_path, shape):
    array = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    with array_file(tmp_path / "array.npy", np.dtype(np.float16), shape) as write:
        for start in range(0, len(array), 3):
            write(array[start : start + 3])
    read = np.load(tmp_path / "array.npy")
    assert read.dtype == np.float16
    np.testing.assert_array_equal(read, array)


def test_a_disk_that_is_full_is_an_error_and_does_not_end_the_process(tmp_path):
    small = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        'mount -t tmpfs -o size=1m none "$0" && "$@"',
        tmp_path,
    ]
    if not shutil.which("unshare") or subprocess.run([*small, "true"], check=False).returncode:
        pytest.skip("no small disk can be mounted")
    code = """if True:
        import sys
        from pathlib import Path
        import numpy as np
        from grapher_jax.files import array_file
        with array_file(Path(sys.argv[1]) / "a.npy", np.dtype(np.float32), (1 << 20,)) as write:
            for _ in range(16):
                write(np.zeros(1 << 16))
    """
    ended = subprocess.run(
        [*small, sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "No space left on device" in ended.stderr

"""What Windows lacks and refuses, held on Linux against the package and what it calls.

`hold` takes from the modules of the package what POSIX alone has, and lets the operating system
refuse, as Windows does, to move, replace or delete what this process holds open or mapped, and to
flush a file that is open for reading alone. Paths stay POSIX's.

As a plugin of pytest, `-p windows_rules` with `tests` on the path, it holds from the beginning.
"""

import builtins
import errno
import fcntl
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

ABSENT = (
    *("crypt", "curses", "fcntl", "grp", "nis", "posix", "pty", "pwd", "readline"),
    *("resource", "spwd", "syslog", "termios", "tty"),
)
# Of modules that Windows has, what it lacks there.
LACKING = {
    "os": (
        *("chown", "chroot", "confstr", "ctermid", "fchdir", "fchown", "fdatasync", "fork"),
        *("forkpty", "fpathconf", "fstatvfs", "getegid", "geteuid", "getgid", "getgroups"),
        *("getloadavg", "getpgid", "getpgrp", "getpriority", "getresuid", "getsid", "getuid"),
        *("getxattr", "initgroups", "killpg", "lchown", "listxattr", "lockf", "memfd_create"),
        *("mkfifo", "mknod", "nice", "openpty", "pathconf", "pipe2", "posix_fadvise"),
        *("posix_fallocate", "posix_spawn", "pread", "preadv", "pwrite", "pwritev", "readv"),
        *("sched_getaffinity", "sched_yield", "sendfile", "setgid", "setpgid", "setsid", "setuid"),
        *("setxattr", "statvfs", "sync", "sysconf", "tcgetpgrp", "ttyname", "uname", "wait"),
        *("wait3", "wait4", "writev", "O_CLOEXEC", "O_DIRECTORY", "O_DSYNC", "O_NOFOLLOW"),
        *("O_NONBLOCK", "O_SYNC", "EX_USAGE", "WNOHANG"),
    ),
    "signal": (
        *("SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGTSTP", "SIGUSR1"),
        *("SIGUSR2", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer", "sigwait"),
    ),
}


class _Lesser(ModuleType):
    """A module without some of its names."""

    def __init__(self, module: ModuleType, lacking: tuple[str, ...]) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(
            (name, value) for name, value in vars(module).items() if name not in lacking
        )


def _without_posix() -> None:
    """Let `import`, and what imports by a name, find in the package what Windows has."""
    lesser = {
        name: _Lesser(importlib.import_module(name), names) for name, names in LACKING.items()
    }
    lesser["os"].name = "nt"
    ordinary, by_name = builtins.__import__, importlib.import_module

    def found(name: str, *arguments: Any, **options: Any) -> ModuleType:
        given = arguments[0] if arguments else options.get("globals")
        if ((given or {}).get("__name__") or "").split(".")[0] != "grapher_jax":
            return ordinary(name, *arguments, **options)
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}, as on Windows", name=name)
        return lesser[name] if name in lesser else ordinary(name, *arguments, **options)

    def named(name: str, package: str | None = None) -> ModuleType:
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}, as on Windows", name=name)
        return by_name(name, package)

    builtins.__import__, importlib.import_module = found, named


def held() -> Iterator[str]:
    """What this process has open, and what it has mapped; as text, for there are thousands."""
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            place = descriptor.readlink()
        except OSError:
            continue
        if not place.is_dir():
            yield str(place)
    for line in Path("/proc/self/maps").read_text().splitlines():
        if len(parts := line.split(maxsplit=5)) == 6:
            yield parts[5]


def _place(path: Any, directory: int | None) -> Path:
    folder = Path.cwd() if directory is None else Path(f"/proc/self/fd/{directory}").readlink()
    return Path(os.path.realpath(folder / os.fsdecode(path)))


def _in_use(path: Any, directory: int | None = None) -> None:
    place = _place(path, directory)
    if place.suffix == ".lock":  # of which filelock takes care itself, by other means on Windows
        return
    if any(file == str(place) or file.startswith(f"{place}/") for file in held()):
        raise PermissionError(errno.EACCES, "held open, which Windows refuses", os.fspath(path))


def _guarded(done: Callable[..., Any], *directories: str) -> Callable[..., Any]:
    """A function of the operating system whose first argument, or first two, nobody may hold."""

    def checked(*paths: Any, **options: Any) -> Any:
        for path, name in zip(paths, directories, strict=False):
            _in_use(path, options.get(name))
        return done(*paths, **options)

    return checked


def hold() -> None:
    """Hold the rules from now on; to be called before the package is imported."""
    assert "grapher_jax" not in sys.modules, "the package has been imported"
    # What would find them under their own names later.
    for name in ("asyncio", "concurrent.futures", "multiprocessing", "subprocess", "tempfile"):
        importlib.import_module(name)
    for name, directories in (
        ("rename", ("src_dir_fd", "dst_dir_fd")),
        ("replace", ("src_dir_fd", "dst_dir_fd")),
        ("unlink", ("dir_fd",)),
        ("remove", ("dir_fd",)),
        ("rmdir", ("dir_fd",)),
    ):
        guarded = _guarded(getattr(os, name), *directories)
        for table in (os.supports_dir_fd, os.supports_follow_symlinks):
            if getattr(os, name) in table:
                table.add(guarded)
        setattr(os, name, guarded)
    flush = os.fsync

    def fsync(file: Any) -> None:
        number = file if isinstance(file, int) else file.fileno()
        if fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            raise OSError(errno.EBADF, "open for reading alone, which Windows does not flush")
        flush(number)

    os.fsync = fsync
    _without_posix()


if "pytest" in sys.modules:
    hold()

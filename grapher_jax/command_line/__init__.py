"""The command line: a thin layer over the Python interface."""

import _thread
import atexit
import errno
import gc
import os
import sys
import threading
import warnings
from collections.abc import Sequence
from io import TextIOWrapper
from traceback import walk_tb
from typing import NoReturn

from grapher_jax.checks import shown
from grapher_jax.command_line.printable import printable
from grapher_jax.errors import GrapherError, InputError, require
from grapher_jax.files import PROGRAMS, cache_folder

_FAILURE, _USAGE, _INTERRUPTED = 1, 2, 130
_AGAIN = 0.02  # seconds


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit.

    The status is 0, 1 for a failure, 2 for wrong usage or input, 130 for an interruption.
    """
    ignored, sys.unraisablehook = sys.unraisablehook, _interrupt_again
    try:
        status = _run(arguments)
    except KeyboardInterrupt:  # typer handles one only while a verb runs, not during imports
        status = _INTERRUPTED
    finally:
        sys.unraisablehook = ignored
    if status == _INTERRUPTED:
        if arguments is None:  # with arguments, the caller's process must not end
            atexit.register(_leave)
        _fail("interrupted", _INTERRUPTED)
    sys.exit(status)


def _run(arguments: Sequence[str] | None) -> int:
    warnings.showwarning = _show_warning
    _write_what_a_terminal_cannot()
    try:
        require("typer")
        require("rich")
        _keep_compiled_programs()
        from typer.exceptions import TyperException

        gc.disable()  # modules are no garbage, and scanning them takes a tenth of the time
        from grapher_jax.command_line.commands import app
    except GrapherError as error:
        _fail(error, _FAILURE)
    finally:
        gc.enable()
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        status = app(args=arguments or ["--help"], prog_name="grapher-jax", standalone_mode=False)
    except TyperException as error:
        _fail(error.format_message() if hasattr(error, "format_message") else error, _USAGE)
    except InputError as error:
        _fail(error, _USAGE)
    except GrapherError as error:
        _fail(error, _FAILURE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_FAILURE)
    except Exception as error:  # users see one line; GRAPHER_JAX_DEBUG shows the traceback
        if isinstance(error.__context__, KeyboardInterrupt):  # an import lost its lock by it
            raise error.__context__ from None
        if os.environ.get("GRAPHER_JAX_DEBUG"):
            raise
        if isinstance(error, OSError) and error.filename is not None:
            _fail(f"{shown(error.filename)}: {error.strerror}; give another path", _USAGE)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _fail(f"{error.strerror}; make room, or send the output elsewhere", _FAILURE)
        if platforms := _platforms_that_failed(error):
            cure = "leave it out, or install what they need, such as grapher-jax[cuda13]"
            _fail(f"JAX finds none of JAX_PLATFORMS={platforms} here; {cure}", _USAGE)
        _fail(f"{type(error).__name__}: {error} (GRAPHER_JAX_DEBUG=1 shows where)", _FAILURE)
    return status or 0


def _platforms_that_failed(error: Exception) -> str:
    """The platforms in JAX_PLATFORMS if JAX failed to find them; else an empty string."""
    frames = list(walk_tb(error.__traceback__))
    found = frames[-1][0].f_globals.get("__name__") == "jax._src.xla_bridge"
    return os.environ.get("JAX_PLATFORMS", "") if found else ""


def _leave() -> None:
    """Exit at once: a compilation that still runs in a thread of XLA would crash a normal exit.

    Python itself would end by the signal if the interruption met code run by `exec`, such as the
    methods of a dataclass, although it was caught.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(_INTERRUPTED)


def _interrupt_again(ignored: "sys.UnraisableHookArgs") -> None:
    """Raise an interruption again if it happened in a callback, where Python ignores it."""
    if issubclass(ignored.exc_type, KeyboardInterrupt):
        # With a delay: at once, it would interrupt this function.
        threading.Timer(_AGAIN, _thread.interrupt_main).start()
    else:
        sys.__unraisablehook__(ignored)


def _fail(message: object, status: int) -> NoReturn:
    _print_line(f"grapher-jax: {message}")
    sys.exit(status)


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    _print_line(f"grapher-jax: warning: {message}")


def _write_what_a_terminal_cannot() -> None:
    """Print characters that the terminal's encoding lacks as escapes, as standard error does."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _print_line(message: str) -> None:
    print(printable(" ".join(message.split())), file=sys.stderr)  # noqa: T201


def _keep_compiled_programs() -> None:
    """Cache programs on disk, so that the next call of the command line reuses them."""
    folder = str(cache_folder() / "compiled")
    folder = os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", folder)
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0.1")
    if folder and "://" not in folder:  # it may be a bucket of a cloud, or turned off
        os.environ.setdefault(PROGRAMS, os.path.join(folder, "traced"))  # noqa: PTH118
    if not os.environ.get("GRAPHER_JAX_DEBUG"):
        # Before jaxlib 0.10.2, XLA logs a page about the processor for each cached program.
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

"""Counts the compiled programs of a process, and frees them and their memory."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import jax

from grapher_jax.kept_programs import drop_programs

# Each program takes some 200 of the 65,530 memory maps that Linux allows per process, and XLA
# crashes if there are no more.
MOST_PROGRAMS = 200


class Programs:
    """Counts the programs that JAX compiles in this process.

    Attributes:
        held: the number of programs, compiled or read from disk.
    """

    def __init__(self) -> None:
        """Start at 0."""
        self.held = 0
        self._read, self._written = 0, 0

    @property
    def kept(self) -> bool:
        """Whether all needed programs that are worth caching were already in the disk cache."""
        return self._read > 0 and not self._written

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the programs compiled in this context."""
        jax.monitoring.register_event_duration_secs_listener(self._count)
        jax.monitoring.register_event_listener(self._count_kept)
        try:
            yield
        finally:
            jax.monitoring.unregister_event_duration_listener(self._count)
            jax.monitoring.unregister_event_listener(self._count_kept)

    def _count(self, event: str, duration_secs: float, **_: object) -> None:
        self.held += event == "/jax/core/compile/backend_compile_duration"

    def _count_kept(self, event: str, **_: object) -> None:
        self._read += event == "/jax/compilation_cache/cache_hits"
        # This event comes when a program is written, and fast compilations are not written.
        self._written += event == "/jax/compilation_cache/cache_misses"

    def let_go(self) -> None:
        """Drop all programs and free their memory; none may be running."""
        drop_programs()
        jax.clear_caches()
        self.held = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """For creating long-lived objects: no garbage collection here, and never of its objects."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def return_memory() -> None:
    """Return freed memory to the system.

    glibc keeps the memory freed by a compiler or a large request: some 200 MB after the start of a
    service. Without glibc, this does nothing.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)

"""How many compiled programs a process holds, and how it lets go of them and of memory."""

import ctypes
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import jax

# Each takes some 200 of the 65,530 memory maps that Linux gives a process, and XLA crashes where it
# gets no more.
MOST_PROGRAMS = 200


class Programs:
    """A count of what JAX compiles in this process.

    Attributes:
        held: programs, compiled or read from disk.
    """

    def __init__(self) -> None:
        """None yet."""
        self.held = 0
        self._read, self._written = 0, 0

    @property
    def kept(self) -> bool:
        """Whether all that are worth to be kept on disk were there, as far as any were needed."""
        return self._read > 0 and not self._written

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is compiled meanwhile."""
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
        # Told of where one is written, which those that compile at once are not.
        self._written += event == "/jax/compilation_cache/cache_misses"

    def let_go(self) -> None:
        """Forget all programs and return their memory; none may run."""
        jax.clear_caches()
        self.held = 0


@contextmanager
def uncollected() -> Iterator[None]:
    """Make what stays: no garbage is looked for meanwhile, nor later among what was made."""
    gc.disable()
    try:
        yield
        gc.freeze()
    finally:
        gc.enable()


def return_memory() -> None:
    """Return freed memory to the system.

    What a compiler or a large request frees, glibc keeps for this process: some 200 MB after the
    start of a service. Without glibc nothing is done.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)

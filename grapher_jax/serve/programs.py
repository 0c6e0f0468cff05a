"""How many compiled programs a process holds, and how it lets go of them and of memory."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import jax

# Each takes some 200 of the 65,530 memory maps that Linux gives a process, and XLA crashes where it
# gets no more.
MOST_PROGRAMS = 200


class Programs:
    """A count of what JAX compiles in this process."""

    def __init__(self) -> None:
        """None yet."""
        self.held = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what is compiled meanwhile."""
        jax.monitoring.register_event_duration_secs_listener(self._count)
        try:
            yield
        finally:
            jax.monitoring.unregister_event_duration_listener(self._count)

    def _count(self, event: str, duration_secs: float, **_: object) -> None:
        self.held += event == "/jax/core/compile/backend_compile_duration"

    def let_go(self) -> None:
        """Forget all programs and return their memory; none may run."""
        jax.clear_caches()
        self.held = 0


def return_memory() -> None:
    """Return freed memory to the system.

    What a compiler or a large request frees, glibc keeps for this process: some 200 MB after the
    start of a service. Without glibc nothing is done.
    """
    if sys.platform == "linux" and (trim := getattr(ctypes.CDLL(None), "malloc_trim", None)):
        trim(0)

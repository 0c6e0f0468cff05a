"""How many compiled programs a process holds, and how it lets go of them."""

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

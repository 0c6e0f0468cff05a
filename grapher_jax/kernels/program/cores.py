"""Large batches on the cores of a CPU.

XLA runs the loops of a program for CPUs one after the other and most of their steps on one core, so
that a second core saves almost nothing. Parts of a batch are therefore programs of their own, each
started by another thread: those of one thread would wait for each other.
"""

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import PyTree

# Settings of JAX; a thread may have its own, as inside `jax.enable_x64`. All count here, while
# `kept_programs`, which kernels do not import, counts those alone that change a program.
_NAMES = [name for name in dir(type(jax.config)) if name.startswith("jax_")]


def in_parts(program: Callable[[PyTree], PyTree], arrays: PyTree, batch: int, block: int) -> PyTree:
    """The results of a program that treats blocks of queries independently, on several cores.

    Parts have whole blocks, so that the number of cores changes no rounding. There is one part if
    the batch cannot be divided evenly, if an array is traced, or if JAX has other devices than one
    CPU.

    Args:
        program: a jitted function from arrays to arrays, whose first dimension is the queries.
        arrays: a pytree; arrays without dimensions, or with another first one, are for all queries.
        batch: the number of queries.
        block: how many of them the program computes at a time.
    """
    parts = _divisor(batch // block, at_most=_cores()) if batch % block == 0 else 1
    if parts == 1 or not _on_one_cpu() or any(map(_is_traced, jax.tree.leaves(arrays))):
        return program(arrays)

    def part(number: int) -> PyTree:
        own = slice(number * batch // parts, (number + 1) * batch // parts)
        return jax.tree.map(
            lambda leaf: leaf[own] if np.shape(leaf)[:1] == (batch,) else leaf, arrays
        )

    # The first is started here: it compiles the program that the others then find.
    first, settings = program(part(0)), _settings()

    def start(number: int) -> PyTree | None:
        return program(part(number)) if _settings() == settings else None

    try:
        started = [_workers().submit(start, number) for number in range(1, parts)]
    except RuntimeError:  # Once its main thread has ended, Python takes no work for other threads.
        started = []
    found = [one.result() for one in started] or [None] * (parts - 1)
    others = [program(part(i)) if own is None else own for i, own in enumerate(found, 1)]
    return _joined([first, *others])


@jax.jit
def _joined(parts: list[PyTree]) -> PyTree:
    return jax.tree.map(lambda *own: jnp.concatenate(own), *parts)


def _cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@functools.cache
def _workers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, _cores() - 1), thread_name_prefix="grapher-jax")


def _divisor(blocks: int, *, at_most: int) -> int:
    """The most parts that have equally many blocks."""
    return max((count for count in range(1, at_most + 1) if blocks % count == 0), default=1)


def _is_traced(leaf: object) -> bool:
    return isinstance(leaf, jax.core.Tracer)


def _on_one_cpu() -> bool:
    devices = jax.devices()
    return len(devices) == 1 and devices[0].platform == "cpu"


def _settings() -> list[object]:
    """The settings of JAX in this thread."""
    return [jax.sharding.get_abstract_mesh(), *(getattr(jax.config, name) for name in _NAMES)]

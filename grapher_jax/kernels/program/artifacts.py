"""Reranking programs as bytes: exported once, and run without this package or tracing."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax import export

from grapher_jax.kernels.program.reranking import rerank

PLATFORMS = ("cpu", "cuda", "tpu")


def export_rerank(
    arrays: Mapping[str, Any],
    *,
    ranker: str = "gcs",
    temperature: float | None = None,
    gap_part: float | None = None,
    alpha: float | None = None,
    max_steps: int = 1000,
    k: int = 10,
    platforms: Sequence[str] = PLATFORMS,
) -> bytes:
    """Exports `rerank`, traced and lowered for these shapes.

    Args:
        arrays: arrays, or `jax.ShapeDtypeStruct`s, by their names in `rerank`; `scores` among them.
        ranker: as in `rerank`; fixed in the program, as are all other options.
        temperature: as in `rerank`.
        gap_part: as in `rerank`.
        alpha: as in `rerank`.
        max_steps: as in `rerank`.
        k: as in `rerank`.
        platforms: the platforms that the program can run on.

    Returns:
        A serialised `jax.export` artifact: a function of the dictionary of arrays that gives
        `(indices, scores, converged)`.

    Raises:
        ImportError: if flatbuffers is not installed.
    """

    def program(given: dict[str, Any]) -> tuple[jax.Array, ...]:
        top = rerank(
            **given,
            ranker=ranker,
            temperature=temperature,
            gap_part=gap_part,
            alpha=alpha,
            max_steps=max_steps,
            k=k,
        )
        converged = () if top.solution is None else (top.solution.converged,)
        return (top.indices, top.scores, *converged)

    if importlib.util.find_spec("flatbuffers") is None:
        raise ImportError('flatbuffers is not installed; run: pip install "grapher-jax[export]"')
    shapes = {name: jax.ShapeDtypeStruct(a.shape, a.dtype) for name, a in arrays.items()}
    return bytes(export.export(jax.jit(program), platforms=platforms)(shapes).serialize())


def load_rerank(artifact: bytes) -> Callable[[Mapping[str, Any]], tuple[jax.Array, ...]]:
    """The function of an artifact; plain `jax.export.deserialize(artifact).call` does the same.

    An artifact is a program: load only artifacts that you trust.

    Raises:
        ValueError: for bytes that are not an artifact.
    """
    try:
        found = export.deserialize(bytearray(artifact))
    except Exception as error:  # damaged bytes can make the reader fail in any way
        raise ValueError(
            f"artifact: these {len(artifact)} bytes hold no program; give what export_rerank made"
        ) from error
    return jax.jit(found.call)


def warm_up(arrays: Mapping[str, Any], **options: Any) -> None:
    """Compiles `rerank` for these shapes ahead of time, so that the first queries do not wait.

    With JAX's persistent compilation cache (`jax_compilation_cache_dir`), the next process reuses
    what this one compiled.

    Args:
        arrays: arrays, or `jax.ShapeDtypeStruct`s, by their names in `rerank`; `scores` among them.
        options: the other arguments of `rerank`, as they will be used.
    """
    nothing: dict[str, Any] = {
        name: np.zeros(array.shape, array.dtype) for name, array in arrays.items()
    }
    jax.block_until_ready(rerank(**nothing, **options))

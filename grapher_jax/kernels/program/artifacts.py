"""Reranking programs as bytes: exported once, and run without this package or tracing."""

import importlib.util
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from jax import export

from grapher_jax.kernels.program.devices import shard_queries
from grapher_jax.kernels.program.reranking import rerank

PLATFORMS = ("cpu", "cuda", "tpu")


def export_rerank(
    arrays: Mapping[str, Any], *, platforms: Sequence[str] = PLATFORMS, **options: Any
) -> bytes:
    """Exports `rerank` for these shapes; all are fixed, the number of queries too.

    Args:
        arrays: arrays, or `jax.ShapeDtypeStruct`s, by their names in `rerank`; `scores` among them.
        platforms: the platforms that the program can run on.
        options: the other arguments of `rerank`, such as `ranker`, `alpha`, `weights` and `k`; they
            are fixed in the program.

    Returns:
        A serialised `jax.export` artifact: a function of the dictionary of arrays that gives
        `(indices, scores, converged)`, or `(indices, scores)` for the ranker `base`, which solves
        nothing.

    Raises:
        ImportError: if flatbuffers is not installed.
        ValueError: if the scores are missing, and as `rerank`.
    """
    _check_scored(arrays)

    def program(given: dict[str, Any]) -> tuple[jax.Array, ...]:
        top = rerank(**given, **options)
        converged = () if top.solution is None else (top.solution.converged,)
        return (top.indices, top.scores, *converged)

    if importlib.util.find_spec("flatbuffers") is None:
        raise ImportError('flatbuffers is not installed; run: pip install "grapher-jax[export]"')
    shapes = {name: jax.ShapeDtypeStruct(*_form(array)) for name, array in arrays.items()}
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

    With a mesh, also for arrays that `shard_queries` spread over it.

    With JAX's persistent compilation cache (`jax_compilation_cache_dir`), the next process reuses
    what this one compiled.

    Args:
        arrays: arrays, or `jax.ShapeDtypeStruct`s, by their names in `rerank`; `scores` among them.
        options: the other arguments of `rerank`, as they will be used.

    Raises:
        ValueError: if the scores are missing, and as `rerank`.
    """
    _check_scored(arrays)
    # α and temperatures must be above 0.
    nothing: dict[str, Any] = {
        name: (np.ones if name in ("alpha", "temperature", "gap_part") else np.zeros)(*_form(array))
        for name, array in arrays.items()
    }
    jax.block_until_ready(rerank(**nothing, **options))
    mesh, shape = options.get("mesh"), np.shape(nothing["scores"])
    if mesh is not None and shape[0] % mesh.size == 0:
        # Arrays that are spread over the devices already have a program of their own.
        each = {name: array for name, array in nothing.items() if array.shape[:1] == shape[:1]}
        jax.block_until_ready(rerank(**nothing | shard_queries(each, mesh), **options))


def _check_scored(arrays: Mapping[str, Any]) -> None:
    if "scores" not in arrays:
        raise ValueError(f"arrays: no 'scores' among {', '.join(arrays) or 'none'}; add them")


def _form(array: Any) -> tuple[tuple[int, ...], Any]:
    """The shape and dtype of an array, of a list, or of what only describes an array."""
    described = array if hasattr(array, "dtype") else np.asarray(array)
    return described.shape, described.dtype

"""Queries split over several devices: each device ranks its share independently."""

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from jaxtyping import PyTree

_AXIS = "queries"


def query_mesh(devices: Sequence[jax.Device] | None = None) -> Mesh:
    """A one-axis mesh over these devices; by default over the devices of all processes."""
    chosen = jax.devices() if devices is None else devices
    return Mesh(np.array(chosen), (_AXIS,), axis_types=(AxisType.Auto,))


def check_mesh(mesh: Mesh | None, scores: object) -> None:
    """Checks the mesh for scores, if there is one, and that over which they are spread.

    Raises:
        ValueError: for a mesh that is not like `query_mesh`'s, and for a single query.
    """
    spread = getattr(scores, "sharding", None) if isinstance(scores, jax.Array) else None
    if isinstance(spread, NamedSharding) and AxisType.Explicit in spread.mesh.axis_types:
        raise ValueError(
            "scores: spread over a mesh with axes of type Explicit; spread them by shard_queries, "
            "or make the mesh by jax.make_mesh(…, axis_types=(AxisType.Auto,))"
        )
    if mesh is None:
        return
    shape = np.shape(scores)  # type: ignore[call-overload]
    if len(mesh.axis_names) != 1 or mesh.axis_types != (AxisType.Auto,):
        raise ValueError("mesh: one axis of type Auto is needed; give query_mesh()")
    if len(shape) < 2:
        raise ValueError(f"mesh: scores of shape {shape} are one query; leave the mesh out")


def shard_queries(arrays: PyTree, mesh: Mesh) -> PyTree:
    """Arrays whose first dimension is the queries, spread over the devices of a mesh.

    With `jax.distributed`, every process gives its own queries, the same number each, and the
    result is the arrays of all processes.

    Args:
        arrays: a pytree of arrays; their first dimension must be a multiple of the process's
            devices.
        mesh: see `query_mesh`.

    Raises:
        ValueError: for another number of queries.
    """
    sharding = NamedSharding(mesh, PartitionSpec(*mesh.axis_names))
    devices = len(sharding.addressable_devices)

    def spread(array: jax.Array | np.ndarray) -> jax.Array:
        own = np.asarray(array)
        if not own.shape or len(own) % devices:
            raise ValueError(
                f"arrays: one of shape {own.shape} cannot be spread over {devices} devices; pad "
                f"the queries to a multiple of {devices}, or give rerank the mesh alone"
            )
        return jax.make_array_from_process_local_data(sharding, own)

    return jax.tree.map(spread, arrays)


def local_queries(arrays: PyTree) -> PyTree:
    """The part of sharded arrays that this process holds, as NumPy arrays; NumPy's unchanged.

    Raises:
        ValueError: for an array that is spread by another axis than its first.
    """

    def gather(array: jax.Array | np.ndarray) -> np.ndarray:
        if isinstance(array, np.ndarray) or not array.ndim:
            return np.asarray(array)
        if any(shard.data.shape[1:] != array.shape[1:] for shard in array.addressable_shards):
            raise ValueError(
                f"arrays: one of shape {array.shape} is spread by more than its queries; spread it "
                "by shard_queries"
            )
        shards = {shard.index[0].start or 0: shard.data for shard in array.addressable_shards}
        return np.concatenate([np.asarray(shards[start]) for start in sorted(shards)])

    return jax.tree.map(gather, arrays)


def spread_queries(
    program: Callable[..., PyTree], mesh: Mesh
) -> Callable[[tuple[PyTree, ...], tuple[PyTree, ...]], PyTree]:
    """Wraps a program so that every device runs it on its share of the queries.

    Args:
        program: takes arrays whose first dimension is the queries, then arrays that all devices
            need.
        mesh: see `query_mesh`.

    Returns:
        A function of both groups as tuples; queries are padded to a multiple of the devices.
    """
    (axis,) = mesh.axis_names
    shared, whole = PartitionSpec(axis), PartitionSpec()

    def run(by_query: tuple[PyTree, ...], by_all: tuple[PyTree, ...]) -> PyTree:
        batch = jax.tree.leaves(by_query)[0].shape[0]

        def grow(array: jax.Array) -> jax.Array:
            # Padded with copies of the last query, which converge as it does and are cut off.
            missing = [(0, -batch % mesh.size)] + [(0, 0)] * (array.ndim - 1)
            return jnp.pad(array, missing, mode="edge")

        spread: Callable[..., PyTree] = jax.shard_map(
            lambda own, common: program(*own, *common),
            mesh=mesh,
            in_specs=(shared, whole),
            out_specs=shared,
            # Loops start from constants that are not yet assigned to a device.
            check_vma=False,
        )
        results = spread(jax.tree.map(grow, by_query), by_all)
        return jax.tree.map(lambda array: array[:batch], results)

    return run

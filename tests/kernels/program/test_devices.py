"""Queries over several devices and several processes, each in processes of their own."""

import os
import subprocess
import sys
import textwrap

import pytest

COMMON = """
    import jax, numpy as np
    {setup}
    from grapher_jax import kernels

    def batch(queries, keys=False, n=10):
        rng = np.random.default_rng(0)
        arrays = dict(
            scores=rng.random((queries, n)).astype(np.float32),
            entity_ids=rng.integers(-1, 9, (queries, n, 3)).astype(np.int32),
        )
        if keys:
            arrays |= dict(
                object_ids=np.tile(np.arange(n, dtype=np.int32), (queries, 1)),
                foreign_keys=rng.integers(-1, n, (queries, n, 2)).astype(np.int32),
            )
        return arrays
"""


def python(setup, body, *arguments):
    code = textwrap.dedent(COMMON.format(setup=setup)) + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err[-3000:]
    return out.strip()


FEW_CASES = "((11, True, own),)"
MORE_CASES = '((16, True, {}), (16, False, dict(ranker="ppr")), (11, False, {}), (11, True, part))'


@pytest.mark.parametrize("cases", [FEW_CASES, pytest.param(MORE_CASES, marks=pytest.mark.nightly)])
def test_eight_devices_rank_as_one_does(cases):
    body = f"""
        mesh = kernels.query_mesh()
        assert mesh.size == 8
        each = np.linspace(0.1, 1.0, 11).astype(np.float32)
        own, part = (
            dict(ranker="diffusion") | {{name: each}} for name in ("temperature", "gap_part")
        )
        for queries, keys, of in {cases}:
            arrays, options = batch(queries, keys), dict(alpha=0.3, k=5) | of
            one = kernels.rerank(**arrays, **options)
            many = kernels.rerank(**arrays, **options, mesh=mesh)
            assert np.array_equal(one.indices, many.indices)
            assert np.abs(np.asarray(one.scores) - np.asarray(many.scores)).max() < 1e-6
            assert many.solution.scores.shape == arrays["scores"].shape
            if queries % 8 == 0:
                sharded = kernels.shard_queries(arrays, mesh)
                again = kernels.rerank(**sharded, **options, mesh=mesh)
                assert np.array_equal(kernels.local_queries(again.indices), one.indices)
                assert len(again.indices.sharding.device_set) == 8
        from jax.sharding import AxisType, NamedSharding, PartitionSpec

        explicit = jax.make_mesh((8,), ("query",), axis_types=(AxisType.Explicit,))
        spread = NamedSharding(explicit, PartitionSpec("query"))
        try:
            kernels.rerank(jax.device_put(np.ones((8, 3), np.float32), spread))
            raise SystemExit("nothing was said of the mesh")
        except ValueError as error:
            assert str(error).startswith("scores: spread over a mesh with axes of type Explicit")
        try:
            kernels.shard_queries({{"scores": np.ones((11, 3), np.float32)}}, mesh)
        except ValueError as error:
            assert "(11, 3) cannot be spread over 8 devices; pad the queries" in str(error)
            assert kernels.local_queries(np.arange(3)).tolist() == [0, 1, 2]
            print("same")
    """
    setup = 'jax.config.update("jax_num_cpu_devices", 8)'
    assert finish(python(setup, body)) == "same"


@pytest.mark.nightly
def test_two_processes_rank_as_one_does():
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    setup = f"""import sys; rank = int(sys.argv[1])
    jax.distributed.initialize("127.0.0.1:{port}", num_processes=2, process_id=rank)"""
    body = """
        mine = {name: array[4 * rank : 4 * rank + 4] for name, array in batch(8).items()}
        mesh = kernels.query_mesh()
        sharded = kernels.shard_queries(mine, mesh)
        top = kernels.rerank(**sharded, alpha=0.3, k=5, mesh=mesh)
        assert top.indices.shape == (8, 5)
        alone = kernels.rerank(**mine, alpha=0.3, k=5)
        assert np.array_equal(kernels.local_queries(top.indices), alone.indices)
        assert np.abs(kernels.local_queries(top.scores) - alone.scores).max() < 1e-6
        print("same")
    """
    processes = [python(setup, body, rank) for rank in range(2)]
    assert [finish(process) for process in processes] == ["same", "same"]

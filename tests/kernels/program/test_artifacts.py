import subprocess
import sys

import jax
import numpy as np
import pytest

from grapher_jax import kernels


def batch(queries=3, n=8):
    rng = np.random.default_rng(0)
    return {
        "scores": rng.random((queries, n)).astype(np.float32),
        "entity_ids": rng.integers(-1, 9, (queries, n, 3)).astype(np.int32),
        "mask": rng.random((queries, n)) < 0.9,
    }


@pytest.mark.nightly
def test_an_exported_program_runs_in_a_process_without_this_package(tmp_path):
    arrays = batch()
    expected = kernels.rerank(**arrays, ranker="ppr", alpha=0.4, k=4)
    (tmp_path / "program").write_bytes(kernels.export_rerank(arrays, ranker="ppr", alpha=0.4, k=4))
    np.savez(tmp_path / "arrays.npz", **arrays, expected=expected.indices)
    code = """
import sys, jax.export, numpy as np
folder = sys.argv[1]
program = jax.export.deserialize(bytearray(open(folder + "/program", "rb").read()))
arrays = dict(np.load(folder + "/arrays.npz"))
expected = arrays.pop("expected")
indices, scores, converged = program.call(arrays)
assert np.array_equal(indices, expected) and converged.all()
assert not any(name.startswith("grapher_jax") for name in sys.modules)
print(program.platforms)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == "('cpu', 'cuda', 'tpu')"


@pytest.mark.parametrize(
    "options",
    [
        {},
        pytest.param({"ranker": "diffusion", "temperature": 0.5}, marks=pytest.mark.nightly),
        {"ranker": "diffusion", "gap_part": 1.0, "least_degree": 1.5},
    ],
)
def test_a_loaded_program_ranks_as_the_package_does(options):
    arrays = batch()
    program = kernels.load_rerank(kernels.export_rerank(arrays, **options, alpha=0.2, k=3))
    indices, scores, converged = program(arrays)
    expected = kernels.rerank(**arrays, **options, alpha=0.2, k=3)
    np.testing.assert_array_equal(indices, expected.indices)
    np.testing.assert_allclose(scores, expected.scores, atol=1e-6)
    assert converged.all()


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr", "diffusion"])
def test_every_ranker_lowers_for_accelerators(platform, ranker):
    arrays = batch() | {
        "object_ids": np.tile(np.arange(8, dtype=np.int32), (3, 1)),
        "foreign_keys": np.zeros((3, 8, 2), np.int32),
        "embeddings": np.ones((3, 8, 4), np.float32),
    }
    assert kernels.export_rerank(arrays, ranker=ranker, platforms=[platform])


def test_gradients_lower_for_accelerators():
    def loss(scores):
        return kernels.gcs(1 - np.eye(4, dtype=np.float32), scores, alpha=0.3).scores.sum()

    shape = jax.ShapeDtypeStruct((4,), np.float32)
    for platform in ("cuda", "tpu"):
        jax.export.export(jax.jit(jax.grad(loss)), platforms=[platform])(shape)


def test_a_warmed_up_shape_compiles_nothing(compilations):
    arrays = batch(5, 9)
    kernels.warm_up(arrays, alpha=0.3, k=2)
    before = compilations()
    kernels.rerank(**arrays, alpha=0.9, k=2)
    assert compilations() == before


def test_a_warmed_up_mesh_compiles_nothing_for_arrays_that_are_spread_over_it(compilations):
    arrays, mesh = batch(4, 9), kernels.query_mesh()
    kernels.warm_up(arrays | {"alpha": np.array(0.3, np.float32)}, k=2, mesh=mesh)
    before = compilations()
    spread = kernels.shard_queries(arrays, mesh)
    kernels.rerank(**spread, alpha=np.array(0.5, np.float32), k=2, mesh=mesh)
    assert compilations() == before


@pytest.mark.parametrize("damaged", [b"", b"junk", bytes(100)])
def test_bytes_that_are_no_program_are_told(damaged):
    with pytest.raises(ValueError, match=f"artifact: these {len(damaged)} bytes hold no program"):
        kernels.load_rerank(damaged)

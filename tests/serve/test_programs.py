import os
import subprocess
import sys
from pathlib import Path

import jax.numpy as jnp
import pytest
from jax import jit

from grapher_jax.serve.programs import Programs

MAPS = Path("/proc/self/maps")


def test_programs_are_counted_while_they_shall_be():
    programs, double = Programs(), jit(lambda x: x * 2)
    x = jnp.ones(3)
    with programs.counted():
        double(x)
        double(x)
        assert programs.held == 1
        double(jnp.broadcast_to(x, (2, 3)))
        assert programs.held >= 2
    held = programs.held
    jit(lambda x: x * 3)(x)
    assert programs.held == held


@pytest.mark.nightly
@pytest.mark.skipif(not MAPS.exists(), reason="Linux tells of memory maps")
def test_programs_that_are_let_go_of_return_their_memory_maps():
    programs, x = Programs(), jnp.ones(3)
    functions = [jit(lambda x, n=n: x * n) for n in range(8)]
    programs.let_go()
    before = MAPS.read_bytes().count(b"\n")
    with programs.counted():
        results = [function(x).tolist() for function in functions]
        assert programs.held == len(functions)
        grown = MAPS.read_bytes().count(b"\n") - before
        programs.let_go()
    assert programs.held == 0
    assert MAPS.read_bytes().count(b"\n") - before < grown / 2
    assert [function(x).tolist() for function in functions] == results


@pytest.mark.nightly
def test_programs_are_kept_once_a_process_has_written_them(tmp_path):
    script = """
import jax
from grapher_jax.serve.programs import Programs

programs = Programs()
with programs.counted():
    before = programs.kept
    jax.jit(lambda x: x + 1)(1.0)
    print(before, programs.kept)
    jax.config.update("jax_enable_compilation_cache", False)
    jax.jit(lambda x: x + 2)(1.0)  # as one that compiles at once, it is not written
    print(programs.kept)
"""
    environment = os.environ | {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }
    command = [sys.executable, "-c", script]
    told = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert told == ["False False\nFalse\n", "False True\nTrue\n"]

"""Runs made by processes of their own, some of which are killed."""

import random
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from .conftest import QUERIES, done


def killed_after(process, out, count):
    """Kill the process once so many queries are recorded; whether it was still running."""
    while process.poll() is None and done(out) < count:
        time.sleep(0.002)
    process.kill()
    process.communicate()
    return process.returncode != 0


@pytest.mark.nightly
def test_a_run_that_is_killed_at_any_moment_ends_with_the_same_bytes(work, tmp_path):
    out, moments = tmp_path / "run.trec", random.Random(0)
    expected = work.expected
    first = work.start(out)
    while first.poll() is None and not done(out):
        time.sleep(0.002)
    first.send_signal(signal.SIGSTOP)  # it holds its lock, and nobody else may write
    other = work.start(out)
    _, errors = other.communicate(timeout=240)
    assert other.returncode == 2
    assert "another process is writing it" in errors
    kills = killed_after(first, out, 0)
    for high in (0, QUERIES - 2048):
        process = work.start(out)
        time.sleep(moments.uniform(0, 0.1))
        kills += killed_after(process, out, moments.randint(0, high))
    assert kills == 3
    assert not out.exists()
    assert f"{QUERIES} queries" in work.finish(work.start(out))
    assert out.read_bytes() == expected
    assert [path.name for path in tmp_path.iterdir()] == ["run.trec"]


@pytest.mark.nightly
def test_several_devices_write_the_bytes_of_one(work, tmp_path):
    code = f"""
        import jax
        from pathlib import Path
        from grapher_jax import Index, Reranker
        from grapher_jax.corpus import read_queries
        from grapher_jax.runs import open_run, rerank_run, stream

        stream.BLOCK = 512
        folder = Path({str(work.folder)!r})
        index, devices = Index.load(folder / "index"), jax.local_devices()
        assert len(devices) == 4
        used = set()
        rank = stream.BlockRanker.rank
        def noting(self, found):
            used.add(jax.numpy.zeros(()).device)
            return rank(self, found)
        stream.BlockRanker.rank = noting
        for chosen in (devices, devices[:1]):
            with open_run(folder / "base.trec") as base:
                out = Path({str(tmp_path)!r}) / f"{{len(chosen)}}.trec"
                queries = read_queries(folder / "queries.jsonl")
                rerank_run(index, queries, out, Reranker(), k=5, base_run=base, devices=chosen)
            print(len(used))
            used.clear()
    """
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import jax; jax.config.update('jax_num_cpu_devices', 4)\n" + textwrap.dedent(code),
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.split() == ["4", "1"]
    assert (tmp_path / "4.trec").read_bytes() == (tmp_path / "1.trec").read_bytes()


@pytest.mark.nightly
def test_a_jax_cluster_one_of_which_is_killed_ends_with_the_bytes_of_one(work, tmp_path):
    out = tmp_path / "run.trec"

    def start():
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        cluster = {"JAX_COORDINATOR_ADDRESS": address, "JAX_NUM_PROCESSES": "2"}
        return [work.start(out, "--distributed", **cluster, JAX_PROCESS_ID=str(n)) for n in (0, 1)]

    first, second = start()
    assert killed_after(second, tmp_path / "run.trec.shards" / "00002-of-00002.trec", 1024)
    # JAX ends the others of a cluster when one is lost, or who runs them does.
    first.kill()
    first.communicate()
    assert not out.exists()
    printed = [work.finish(process) for process in start()]
    assert sorted(f"{QUERIES} queries" in one for one in printed) == [False, True]
    assert out.read_bytes() == work.expected
    assert [path.name for path in tmp_path.iterdir()] == ["run.trec"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--shard", "3/2"], "shard: 3/2; give one from 1/2 to 2/2"),
        (["--shard", "two"], "shard: 'two'; give its number and of how many, such as 2/8"),
        (["--shard", "1/2", "--distributed"], "one of --shard, --distributed and --engine ray"),
        (["--engine", "spark"], "engine: 'spark' is unknown; use local, ray"),
    ],
)
def test_wrong_options_are_named(work, tmp_path, capsys, options, complaint):
    from grapher_jax.command_line import main

    with pytest.raises(SystemExit) as end:
        main(work.command(tmp_path / "run", *options)[3:])
    assert end.value.code == 2
    assert complaint in capsys.readouterr().err
    assert not any(Path(tmp_path).iterdir())

"""The same bytes by Ray Data, in a cluster of its own on this machine."""

import itertools
import json
import os
import subprocess
import sys
import textwrap
from functools import partial

import numpy as np
import pytest

from grapher_jax.corpus import Object, read_queries, read_source, write_beir, write_queries
from grapher_jax.enrich import enrich, survey
from grapher_jax.errors import EnrichmentError, InputError
from grapher_jax.index.embedding import kept_embeddings
from grapher_jax.retrieve.embedders import shared_embedder
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder

from .conftest import QUERIES, done

ray = pytest.importorskip("ray")

from grapher_jax.enrich.ray_engine import ray_outcomes  # noqa: E402
from grapher_jax.runs import open_run, rerank_run, rerank_settings  # noqa: E402
from grapher_jax.runs.ray_engine import Forward, map_blocks, rerank_with_ray  # noqa: E402
from grapher_jax.runs.stream import as_system  # noqa: E402

# Ray leaves sockets open, and warns of what it will change.
pytestmark = [
    pytest.mark.ray,
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning",
        "ignore::pytest.PytestUnraisableExceptionWarning",
        "ignore::FutureWarning",
        "ignore::DeprecationWarning",
    ),
]


@pytest.fixture(scope="module", autouse=True)
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # By default, Ray's workers give way to all other processes: beside them, a test took minutes.
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112
    options = {"num_cpus": 2, "include_dashboard": False}
    # Where Ray's processes do not find each other, it ends the one that asked.
    alone = [sys.executable, "-c", f"import ray; ray.init('local', **{options})"]
    try:
        subprocess.run(alone, capture_output=True, text=True, timeout=180, check=True)
    except subprocess.SubprocessError as error:
        pytest.skip(f"Ray does not start here ({error}): {error.stderr}")
    # Ray's processes do not import tests.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init("local", **options, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


class Shout:
    """An enricher that fails now and then."""

    name, settings = "shout", {}

    def __call__(self, item):
        if item.id.endswith("3"):
            raise EnrichmentError("it ends with 3")
        return Object(item.id, item.text, item.title, {**item.metadata, "loud": item.text.upper()})


class ShoutHere(Shout):
    """The same in threads of this process."""

    waits = True


def test_a_run_by_ray_has_the_bytes_of_one_process(work, tmp_path):
    from grapher_jax.rerank import Reranker

    index, queries, base = (work.folder / name for name in ("index", "queries.jsonl", "base.trec"))
    out, system = tmp_path / "run.trec", as_system(Reranker(), 5)
    settings = rerank_settings(index, queries, system, k=5, base_run=base)
    told = []

    def progress(count):
        told.append(count)
        if len(told) == 3:
            raise KeyboardInterrupt

    given = {"k": 5, "settings": settings, "base_run": base}
    with pytest.raises(KeyboardInterrupt):
        rerank_with_ray(index, queries, out, system, progress=progress, **given)
    assert done(out) == 2 * 1024
    told.clear()
    assert rerank_with_ray(index, queries, out, system, progress=told.append, **given) == QUERIES
    assert told[0] == 2 * 1024
    assert out.read_bytes() == work.expected


def test_what_lacks_but_its_place_is_not_ranked_again(work, tmp_path):
    from grapher_jax.rerank import Reranker
    from grapher_jax.search import Index

    index, base, out = work.folder / "index", work.folder / "base.trec", tmp_path / "run.trec"
    asked = itertools.islice(read_queries(work.folder / "queries.jsonl"), 1100)
    write_queries(tmp_path, asked, {})
    queries, system = tmp_path / "queries.jsonl", as_system(Reranker(), 5)
    settings = rerank_settings(index, queries, system, k=5, base_run=base)
    told = []

    def progress(count):
        told.append(count)
        if sum(told) == 1100:
            raise KeyboardInterrupt

    given = {"k": 5, "settings": settings}
    with open_run(base) as run, pytest.raises(KeyboardInterrupt):
        rerank_run(
            Index.load(index),
            read_queries(queries),
            out,
            system,
            base_run=run,
            progress=progress,
            **given,
        )
    whole = (tmp_path / "run.trec.partial").read_bytes()
    assert len(whole.splitlines()) == 1100 * 5
    assert rerank_with_ray(index, queries, out, system, base_run=base, **given) == 1100
    assert out.read_bytes() == whole


def test_another_kind_of_device_is_refused(work, tmp_path):
    from grapher_jax.rerank import Reranker

    index, queries = work.folder / "index", work.folder / "queries.jsonl"
    settings, out = {"device": "abacus"}, tmp_path / "run.trec"
    with pytest.raises(InputError, match="ray computes on 'cpu', and the settings name 'abacus'"):
        rerank_with_ray(index, queries, out, as_system(Reranker(), 5), k=5, settings=settings)
    assert [*tmp_path.iterdir()] == []


def test_objects_are_enriched_by_ray_as_by_one_process(tmp_path):
    objects = [Object(f"o{n}", f"text {n}", "ü", {"n": n / 3}) for n in range(150)]
    write_beir(tmp_path / "corpus", objects)

    def read():
        return read_source(str(tmp_path / "corpus"))

    elsewhere = ray_outcomes(read, 150, [Shout()])
    seen = survey(read()).sha256
    for name, shout, way in (("one", ShoutHere(), None), ("other", Shout(), elsewhere)):
        told = enrich(read(), tmp_path / name, [shout], objects_sha256=seen, elsewhere=way)
        assert (told.objects, told.failures) == (150, 15)
    for file in ("corpus.jsonl", "failures.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "other" / file).read_bytes()
    lines = (tmp_path / "one" / "corpus.jsonl").read_text().splitlines()
    rest = [item.id for item, _ in elsewhere(70)]
    assert rest == [json.loads(line)["_id"] for line in lines[70:]]


def test_an_index_embedded_by_ray_is_that_of_one_process(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from grapher_jax.command_line.commands import app
    from grapher_jax.search import Index

    # Several blocks, of which the first was embedded by a run that did not end.
    monkeypatch.setattr("grapher_jax.index.embedding._BLOCK", 8)
    objects = [Object(f"o{n}", f"The {n}th text is about {'tea' * (n % 5)}.") for n in range(30)]
    write_beir(tmp_path / "corpus", objects)
    run = partial(CliRunner().invoke, app, catch_exceptions=False)
    given = ["index", str(tmp_path / "corpus"), "--out"]
    assert run([*given, str(tmp_path / "one")]).exit_code == 0
    with kept_embeddings(shared_embedder("offline"), tmp_path / "other.partial") as kept:
        kept.embed_objects([item.text for item in objects[:8]])
        (written,) = (tmp_path / "other.partial").glob("*.npz")
        before = written.read_bytes()
    written.parent.mkdir()
    written.write_bytes(before)
    # Only other processes embed.
    monkeypatch.setattr(OfflineEmbedder, "embed_objects", pytest.fail)
    told = run([*given, str(tmp_path / "other"), "--engine", "ray"])
    assert told.exit_code == 0
    assert "22 texts embedded; 8 were" in told.stderr
    one, other = (Index.load(tmp_path / name) for name in ("one", "other"))
    assert one.ids == other.ids
    # Processes of other numbers of threads round otherwise.
    np.testing.assert_allclose(one.embeddings, other.embeddings, atol=1e-6)


def test_what_the_work_raises_is_raised_after_what_came_before():
    def make():
        def work(number):
            if number == 5:
                raise InputError("five is none")
            return b"%d" % number

        return work

    found = map_blocks(make, range(2, 9))
    assert [*itertools.islice(found, 3)] == [b"2", b"3", b"4"]
    with pytest.raises(InputError, match="five is none"):
        next(found)
    assert [*map_blocks(make, range(0))] == []


def test_an_enricher_that_waits_is_refused():
    with pytest.raises(InputError, match="shout waits; use local"):
        ray_outcomes(list, 0, [ShoutHere()])


def test_items_are_read_forwards_and_from_the_beginning_again():
    begun = []
    items = Forward(lambda: begun.append(1) or iter(range(10)))
    assert [items[n] for n in (0, 3, 9, 2, 4)] == [0, 3, 9, 2, 4]
    assert len(begun) == 2


def test_without_an_address_a_cluster_of_its_own_is_started_and_ended():
    code = """
        import ray
        from grapher_jax.runs.ray_engine import map_blocks
        found = map_blocks(lambda: lambda number: b"%d" % number, range(2))
        print(next(found), ray.is_initialized())
        print(*found, ray.is_initialized())
    """
    alone = {name: value for name, value in os.environ.items() if name != "RAY_ADDRESS"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=alone,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines() == ["b'0' True", "b'1' False"]

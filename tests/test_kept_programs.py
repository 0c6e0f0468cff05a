"""Traced programs on disk: found again by a new process, and by nothing that differs."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial, wraps
from types import FunctionType

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from grapher_jax import kept_programs
from grapher_jax.files import PROGRAMS
from grapher_jax.kept_programs import drop_programs, kept, kept_jit
from grapher_jax.kernels import Solution, TopK, rerank
from grapher_jax.kernels.graphs.proximities import TABLE
from grapher_jax.search import Index

X = np.arange(3, dtype=np.float32)
TRACES: list[str] = []


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(PROGRAMS, str(tmp_path / "programs"))
    jax.clear_caches()  # newer versions of JAX share them between wrappers of one function
    TRACES.clear()
    return tmp_path / "programs"


def written(folder):
    return sorted(folder.rglob("*.program"))


def as_ours(function):
    """The function as of a module of the package; functions of others are not kept."""
    own = {**function.__globals__, "__name__": "grapher_jax.tests"}
    made = FunctionType(function.__code__, own, closure=function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


@as_ours
def scaled(x, *, by=2.0, name="a", table=()):
    TRACES.append(name)
    return x * by


@dataclass(frozen=True, eq=False)
class HashableArray:
    array: np.ndarray


def anew(x, **options):
    """What a new process would find."""
    jax.clear_caches()
    return kept_jit(scaled, static_argnames=("name", "table"))(x, **options)


def test_a_traced_program_is_not_traced_again(folder):
    for _ in range(3):
        np.testing.assert_array_equal(anew(X), X * 2)
    assert (len(TRACES), len(written(folder))) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"name": "b"},
        {"table": TABLE},
        {"by": np.float32(2)},  # with a type of its own, unlike a number of Python's
        {"by": np.int32(2)},
    ],
)
def test_what_differs_has_a_program_of_its_own(folder, other):
    for options in ({}, other, {}, other):
        found = anew(X, **options)
        np.testing.assert_array_equal(found, X * 2)
    assert (len(TRACES), len(written(folder))) == (2, 2)


def test_so_has_another_shape_another_type_and_another_setting_of_jax(folder):
    for x in (X, X[:2], X.astype(np.int32)):
        anew(x)
    with jax.default_matmul_precision("highest"):
        anew(X)
    assert len(TRACES) == len(written(folder)) == 4


def test_a_row_of_the_table_is_known_by_what_it_does(folder):
    for number in range(1, len(TABLE) + 1):
        anew(X, table=TABLE[:number])
    assert len(TRACES) == len(written(folder)) == len(TABLE)


def test_what_nothing_describes_is_not_kept(folder):
    others = {"object": object(), "array": HashableArray(np.arange(5000))}
    for other in others.values():
        for _ in range(2):
            np.testing.assert_array_equal(anew(X, table=(other,)), X * 2)
    assert (len(TRACES), written(folder)) == (4, [])


def test_functions_of_others_are_not_kept(folder):
    def another(x):
        return x * 2

    for found in (kept_jit(another)(X), anew(X, table=(another,))):
        np.testing.assert_array_equal(found, X * 2)
    assert written(folder) == []


def test_decorators_are_told_apart(folder):
    def times(number):
        def decorate(function):
            return as_ours(wraps(function)(lambda x: number * function(x)))

        return decorate

    for number in (2, 3):
        found = kept_jit(times(number)(scaled))(X)
        np.testing.assert_array_equal(found, number * 2 * X)
    assert len(written(folder)) == 2


def test_equal_options_of_other_types_are_told_apart(folder):
    own = kept_jit(as_ours(lambda x, *, by=1: x * by), static_argnames=("by",))
    x = np.arange(3, dtype=np.int32)
    assert [own(x, by=by).dtype for by in (1, 1.0, 1)] == ["int32", "float32", "int32"]


def test_nothing_is_kept_once_the_sources_are_others(folder, monkeypatch):
    monkeypatch.setattr(kept_programs, "_IMPORTED", 0.0)
    monkeypatch.setattr(kept_programs, "_sources", kept_programs._sources.__wrapped__)
    np.testing.assert_array_equal(anew(X), X * 2)
    assert written(folder) == []


def test_programs_are_dropped_with_those_of_jax(folder):
    ours = kept_jit(scaled)
    ours(X)
    drop_programs()
    assert ours.programs == {}
    np.testing.assert_array_equal(ours(X), X * 2)
    assert TRACES == ["a"]


@pytest.mark.nightly
def test_results_of_kernels_are_those_without_it(folder):
    given = {"scores": np.random.default_rng(0).random((2, 12), np.float32)}
    given["entity_ids"] = np.arange(24).reshape(2, 12, 1) % 3
    own = partial(kept, rerank, static_argnames=("ranker", "k"))
    for ranker in ("gcs", "ppr", "diffusion", "base"):
        wanted = rerank(**given, ranker=ranker, k=5)
        for _ in range(2):
            found = own()(**given, ranker=ranker, k=5)
            assert isinstance(found, TopK)
            assert (ranker == "base") == (found.solution is None)
            pairs = zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True)
            for one, other in pairs:
                np.testing.assert_array_equal(one, other)
    assert len(written(folder)) == 4


def test_without_a_folder_and_inside_a_program_it_is_the_function_itself(folder, monkeypatch):
    ours = kept_jit(scaled, static_argnames=("name", "table"))
    np.testing.assert_array_equal(jax.jit(lambda x: ours(x) + 1)(X), X * 2 + 1)
    np.testing.assert_array_equal(jax.vmap(ours)(X), X * 2)
    np.testing.assert_array_equal(jax.grad(lambda x: ours(x).sum())(X), [2, 2, 2])
    monkeypatch.setenv(PROGRAMS, "")
    np.testing.assert_array_equal(ours(X), X * 2)
    assert (ours.programs, written(folder)) == ({}, [])


@pytest.mark.parametrize("damage", [b"", b"no program", None])
def test_a_damaged_file_is_traced_anew_and_mended(folder, damage):
    anew(X)
    (path,) = written(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + b"?" if damage is None else damage)
    np.testing.assert_array_equal(anew(X), X * 2)
    assert len(TRACES) == 2
    anew(X)
    assert len(TRACES) == 2


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("a file, where a folder should be")
    monkeypatch.setenv(PROGRAMS, str(tmp_path / "file"))
    np.testing.assert_array_equal(anew(X), X * 2)


def test_programs_of_other_sources_are_not_found_and_go_at_last(folder, monkeypatch):
    (folder / "mine").mkdir(parents=True)
    for letter in "abcde":
        monkeypatch.setattr(kept_programs, "_sources", lambda name=letter * 32: name)
        anew(X)
    assert len(TRACES) == 5
    left = {path.name for path in folder.iterdir()}
    assert left >= {"mine", "e" * 32}
    assert len(left) == kept_programs._VERSIONS + 1


def test_threads_share_it(folder):
    ours = kept_jit(scaled, static_argnames=("name", "table"))
    with ThreadPoolExecutor(8) as threads:
        for found in threads.map(lambda number: ours(X + number), range(32)):
            assert found.shape == (3,)
    assert len(written(folder)) == 1


def test_a_solution_can_be_kept(folder):
    @as_ours
    def solution(x):
        return Solution(x, jnp.zeros((), jnp.int32), x.sum(), x.sum() > 0, x.sum())

    for _ in range(2):
        found = kept_jit(solution)(X)
        assert found.converged
    assert len(written(folder)) == 1


SEARCH = """
import json, sys
import jax
from grapher_jax.search import Index

traced = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, duration, **_: traced.append(event)
)
index = Index.load(sys.argv[1])
hits = index.search("Which customers bought?", k=5)
rank = [(hit.id, float(hit.score)) for hit in hits]
own = traced.count("/jax/core/compile/jaxpr_to_mlir_module_duration")
print(json.dumps([rank, own, "flax" in sys.modules]))
"""


@pytest.mark.nightly
def test_a_search_of_a_new_process_finds_what_another_has_traced(
    folder, tmp_path, shop_files, embedder
):
    """The default ranker for tables is a network; a process that traces nothing needs no Flax."""
    index = tmp_path / "shop.index"
    Index.from_source(str(shop_files), embedder=embedder).save(index)

    def search():
        command = [sys.executable, "-c", SEARCH, str(index)]
        return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)

    first, _, needed = search()
    again, _, still = search()
    assert again == first
    assert (needed, still) == (True, False)

"""Readers, writers and kills while an index is updated."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from updated_indexes import QUESTIONS, Hashed, build, files_of, opened, plain, same

from grapher_jax import files
from grapher_jax.errors import InputError
from grapher_jax.files import BusyError, alone
from grapher_jax.index import merged, rewrite, storage
from grapher_jax.search import Index

# Of links to what a test has deleted.
pytestmark = pytest.mark.filterwarnings("ignore:.* name objects that the corpus lacks")


def test_who_has_opened_an_index_keeps_its_answers(saved):
    index = opened(saved)
    manifest = (saved / "manifest.json").read_bytes()
    fresh = opened(saved)
    expected = fresh.search_batch(QUESTIONS, k=99), [*fresh.objects]
    for number in range(20, 24):
        opened(saved).update([plain(number)], delete=[f"o{number - 20}"]).save(saved)
        if number == 20:
            # What the manifest of before names is there until the next update.
            later = (saved / "manifest.json").read_bytes()
            (saved / "manifest.json").write_bytes(manifest)
            same(opened(saved), fresh)
            (saved / "manifest.json").write_bytes(later)
    rewrite(Index, saved, merged)
    assert (index.search_batch(QUESTIONS, k=99), [*index.objects]) == expected


def test_an_update_meanwhile_costs_a_reader_nothing(saved, monkeypatch):
    before, updated = opened(saved), opened(saved).update([plain(20)], delete=["o1"])
    read, times = storage.read_graph, []

    def update_and_read(*arguments):
        found = read(*arguments)
        times.append(updated.save(saved))
        return found

    monkeypatch.setattr(storage, "read_graph", update_and_read)
    same(opened(saved), before)
    assert len(times) == 1


@pytest.mark.parametrize("work", ["update", "compact"])
def test_what_takes_the_place_of_another_is_on_the_disk_before(work, saved, monkeypatch):
    before, flushed, fsync = files_of(saved), set(), files.os.fsync

    def listen(file):
        flushed.add(os.fstat(file).st_ino)
        fsync(file)

    monkeypatch.setattr(files.os, "fsync", listen)
    if work == "update":
        opened(saved).update([plain(20)], delete=["o7"]).save(saved)
    else:
        rewrite(Index, saved, merged)
    new = {name: own for name, own in files_of(saved).items() if before.get(name) != own}
    assert "manifest.json" in new
    assert {inode for inode, _ in new.values()} <= flushed


def test_one_writer_at_a_time(saved):
    def change(index):
        with pytest.raises(BusyError), alone(saved, wait=False):
            pass
        return index

    rewrite(Index, saved, change)


@pytest.mark.nightly
def test_two_processes_that_update_at_once_both_have_done_so(saved, tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        line = {"_id": name, "text": f"word7 of {name}"}
        (tmp_path / name / "corpus.jsonl").write_text(json.dumps(line) + "\n")
    build([plain(0)]).save(tmp_path / "unused")
    Index.build([plain(n) for n in range(3)]).save(saved)
    command = [sys.executable, "-m", "grapher_jax", "update", str(saved), "--add"]
    running = [
        subprocess.Popen([*command, str(tmp_path / name)], stderr=subprocess.PIPE) for name in "ab"
    ]
    for process in running:
        _, told = process.communicate(timeout=300)
        assert process.returncode == 0, told
    assert sorted(Index.load(saved).ids) == ["a", "b", "o0", "o1", "o2"]


# Kills itself at the n-th time that it opens, moves or removes a file of the index.
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from updated_indexes import opened, plain
from grapher_jax.index import merged, rewrite
from grapher_jax.search import Index
place, kept, step = Path(sys.argv[2], "killed"), Path(sys.argv[2], "kept"), int(sys.argv[3])
EVENTS = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.truncate")

def updated():
    opened(place).update([plain(3, "word5"), plain(20)], delete=["o7"]).save(place)

def compacted():
    rewrite(Index, place, merged)

for work in (updated, compacted):
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(place, kept)
    before = opened(kept).ids
    work()
    after = opened(place).ids
    number, moved = 1 - step, 0
    while True:
        shutil.rmtree(place)
        shutil.copytree(kept, place)
        number += step
        if not (child := os.fork()):
            left = [number]
            def hook(event, found):
                if event in EVENTS and str(place.name) in str(found[0]):
                    if event == "open" and "w" not in str(found[1]) and not (found[2] or 0) & 3:
                        return
                    left[0] -= 1
                    if not left[0]:
                        os.kill(os.getpid(), signal.SIGKILL)
            sys.addaudithook(hook)
            work()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        ids = opened(place).ids
        assert ids in (before, after), (work, number, ids)
        moved += ids == after
        # And the next one works, whatever was left.
        opened(place).update([plain(30)], delete=[ids[0]]).save(place)
        assert opened(place).ids == [*ids[1:], "o30"], (work, number)
        if status == 0:
            break
    print(work.__name__, number, moved)
    shutil.rmtree(place)
    shutil.copytree(kept, place)
    if work is updated:
        updated()
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="a process is killed halfway")
# Of the moments at which it is killed: all take a minute.
@pytest.mark.parametrize("every", ["160", pytest.param("1", marks=pytest.mark.nightly)])
def test_a_kill_at_any_moment_leaves_the_index_of_before_or_after(tmp_path, saved, every):
    saved.rename(tmp_path / "killed")
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path), every]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert ran.returncode == 0, ran.stderr[-2000:]
    for line, least in zip(ran.stdout.splitlines(), (15, 5), strict=True):
        _, moments, moved = line.split()
        assert int(moments) > least
        assert int(moved) > 0


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("objects.parquet", "cut"),
        ("embeddings.npy", "cut"),
        ("lexical/indices.npy", "gone"),
        ("graph/links.values.npy", "gone"),
        ("gone.npy", "cut"),
    ],
)
def test_a_damaged_part_is_named(saved, name, change):
    opened(saved).update([plain(3, "word5")], delete=["o7"]).save(saved)
    (folder,) = saved.glob("update-*")
    file = folder / name
    if change == "gone":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:-20])
    told = rf"{file}: (missing|its checksum does not match); build the index again"
    with pytest.raises(InputError, match=told):
        opened(saved)
    with pytest.raises(InputError, match=r"index: damaged \(.*\); build the index again"):
        Index.load(saved, embedder=Hashed(), verify=False)

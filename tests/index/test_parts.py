"""An index whose updates lie beside what was there: the same answers, whatever happens meanwhile."""

import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from grapher_jax import files
from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.files import BusyError, alone
from grapher_jax.graph.proximities import Proximity, registered
from grapher_jax.index import merged, parts, rewrite, storage, updating
from grapher_jax.index.objects import StackedObjects
from grapher_jax.retrieve import hybrid
from grapher_jax.search import Index

WORDS = [f"word{number}" for number in range(30)]
# Of links to what a test has deleted.
pytestmark = pytest.mark.filterwarnings("ignore:.* name objects that the corpus lacks")
QUESTIONS = ["word1 word2 word3", "word4 word4 word9", "word17 of word28"]


class Hashed:
    """An embedder of eight dimensions that needs no model: words, each with a direction."""

    name, dimension = "offline", 8

    def embed_objects(self, texts, *, progress=lambda done: None):
        vectors = np.full((len(texts), 8), 0.01)
        for row, text in enumerate(texts):
            for word in text.split():
                vectors[row] += np.random.default_rng(list(word.encode())).normal(size=8)
        progress(len(texts))
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)

    embed_queries = embed_objects


def some_object(dice, number):
    """Made up, with names that may or may not be there."""

    def names(most, of):
        return [f"{of}{n}" for n in dice.integers(40, size=dice.integers(most))]

    return Object(
        f"o{number}",
        " ".join(dice.choice(WORDS, dice.integers(1, 9))),
        str(dice.choice(WORDS)),
        {
            "foreign_keys": names(3, "o"),
            "links": names(3, "o"),
            "entities": names(4, "Entity "),
            "document_id": f"d{dice.integers(6)}",
            "chunk_id": int(dice.integers(8)),
            "cites": names(3, "o"),
            "tags": names(3, "Tag "),
            "near": [[name, float(dice.integers(3))] for name in names(3, "o")],
        },
    )


EDGES = {"cites": "reference", "tags": "shared", "near": "weighted"}


def build(objects, **options):
    return Index.build(objects, embedder=Hashed(), edges=EDGES, **options)


def opened(path):
    return Index.load(path, embedder=Hashed())


def relations(index):
    """What the graph says of each object, by ids and names alone."""
    graph, told = index.graph, {name: {} for name in index.ids}
    wholes = {}
    for row, name in enumerate(index.ids):
        own = told[name]
        own["joined"] = [one for one, rows in graph.joined().items() if rows[row]]
        for key in ("foreign_keys", "links", "own_reference_1"):
            own[key] = [index.ids[target] for target in graph.lists(key).at(row)]
        weights = graph.lists("own_weighted_1_weights").at(row).view(np.float32).tolist()
        targets = [index.ids[target] for target in graph.lists("own_weighted_1").at(row)]
        own["weighted"] = [*zip(targets, weights, strict=True)]
        for lists, counts, names in (
            ("entities", "entity_counts", "entity_names"),
            ("own_shared_1_ids", "own_shared_1_counts", "own_shared_1_names"),
        ):
            own[lists] = {graph.name(names, place) for place in graph.lists(lists).at(row).tolist()}
            own[counts] = int(graph.numbers(counts)[row])
        own["place"] = int(graph.numbers("chunk_ids")[row])
        wholes.setdefault(int(graph.numbers("document_ids")[row]), set()).add(name)
    return told, sorted(map(sorted, wholes.values())), len(graph.entity_names)


def same(one, other):
    """Both find the same objects with the same scores, by id, and join the same."""
    assert {item.id: item for item in one.objects} == {item.id: item for item in other.objects}
    assert [item.id for item in one.objects] == list(one.ids)
    assert relations(one) == relations(other)
    for ranker in ("base", "gcs"):
        hits = (index.search_batch(QUESTIONS, k=99, ranker=ranker) for index in (one, other))
        for found, expected in zip(*hits, strict=True):
            scores = {hit.id: hit.score for hit in expected}
            assert {hit.id for hit in found} == set(scores)
            np.testing.assert_allclose(
                [hit.score for hit in found], [scores[hit.id] for hit in found], atol=1e-5
            )


def changes(dice, index, fresh):
    """Some objects to add and to replace, and ids to delete."""
    dice.shuffle(present := [*index.ids])
    deleted = present[: dice.integers(min(4, len(present)))]
    replaced = present[len(deleted) :][: dice.integers(4)]
    numbers = [int(name[1:]) for name in replaced]
    numbers += range(fresh, fresh + dice.integers(0 if numbers or deleted else 1, 4))
    return [some_object(dice, number) for number in numbers], deleted


def a_life(seed, folder, *, steps=8, text=None):
    """Updates, saves and openings at random, of which each ends in an index built afresh."""
    dice = np.random.default_rng(seed)
    index = build([some_object(dice, number) for number in range(12)], text=text)
    fresh = 12
    for _ in range(steps):
        objects, deleted = changes(dice, index, fresh)
        fresh = max([fresh, *(int(item.id[1:]) + 1 for item in objects)])
        index = index.update(objects, delete=deleted)
        action = dice.integers(4)
        if action:
            index.save(folder)
        if action > 1:
            index = opened(folder)
        if action == 3 and dice.random() < 0.3:
            rewrite(Index, folder, merged)
            index = opened(folder)
    # By default, which objects there are decides the weight; an index keeps the one that it has.
    kept = {"text": text, "lexical_weight": index.options.lexical_weight}
    same(index, build(index.objects, **kept))
    same(opened(folder), build(opened(folder).objects, **kept)) if folder.exists() else None


@pytest.mark.parametrize("text", [(), ("split", "neighbors", "links"), ("prefix",)])
@pytest.mark.parametrize("seed", range(2))
def test_a_life_of_updates_ends_in_what_is_built_afresh(seed, text, tmp_path):
    a_life(seed, tmp_path / "index", text=text)


def plain(number, text="word1"):
    return Object(f"o{number}", f"{text} of {number}", metadata={"links": ["o0"]})


@pytest.fixture
def saved(tmp_path):
    build([plain(number) for number in range(20)]).save(tmp_path / "index")
    return tmp_path / "index"


def files_of(folder):
    return {
        file.relative_to(folder).as_posix(): (file.stat().st_ino, file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }


def test_an_update_writes_what_is_new_and_touches_nothing_else(saved):
    before = files_of(saved)
    opened(saved).update([plain(3, "word5"), plain(20)], delete=["o7"]).save(saved)
    after = files_of(saved)
    assert {name for name in before if after.get(name) != before[name]} == {"manifest.json"}
    (name,) = {name.split("/")[0] for name in after.keys() - before.keys()}
    assert len(np.load(saved / name / "embeddings.npy")) == 2
    index = opened(saved)
    assert list(index.ids) == [f"o{n}" for n in range(20) if n not in (3, 7)] + ["o3", "o20"]
    assert isinstance(index.embeddings.parts[0], np.memmap)
    # Deleting alone adds no part; what only the update before last needs is gone.
    index.update(delete=["o8"]).save(saved)
    opened(saved).update(delete=["o9"]).save(saved)
    manifest = json.loads((saved / "manifest.json").read_text())
    assert manifest["parts"] == ["", name]
    assert not (saved / "graph").exists()
    assert not (saved / name / "graph").exists()
    assert len(opened(saved)) == 18


def test_what_is_the_same_is_not_written(saved):
    index = opened(saved)
    assert index.update([plain(3)]) is index
    before = files_of(saved)
    assert rewrite(Index, saved, lambda found: found.update([plain(3)])).ids == index.ids
    assert files_of(saved) == before


def test_an_index_that_was_not_updated_is_saved_as_one_part(saved, tmp_path):
    opened(saved).update([plain(20)], delete=["o1"]).save(saved)
    updated = opened(saved)
    updated.save(saved)
    assert not [*saved.glob("update-*")]
    same(opened(saved), updated)
    # Elsewhere it is one part too, and so where the folder has changed meanwhile.
    updated.update([plain(21)]).save(tmp_path / "other")
    assert not [*(tmp_path / "other").glob("update-*")]
    build([plain(number) for number in range(5)]).save(saved)
    updated.update([plain(21)]).save(saved)
    assert len(opened(saved)) == 21
    assert not [*saved.glob("update-*")]


def test_judgements_and_deleted_objects_stay_with_the_folder(index, embedder, tmp_path):
    folder = tmp_path / "shop.index"
    index.save(folder)
    left = {"q1": index.judgements("test")["q1"]}
    Index.load(folder).update(delete=["zoo.animals"]).save(folder)
    Index.load(folder).update([Object("new", "a new one")]).save(folder)
    again = Index.load(folder)
    assert len(again.objects.parts) > 1
    assert again.judgements("test") == left
    again.save(folder)
    assert Index.load(folder).judgements("test") == left


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


def test_ten_parts_rank_as_one(saved):
    many = opened(saved)
    for number in range(20, 29):
        many = many.update([plain(number, "word2 word3"), plain(number - 10, "word4")])
    assert len(many.objects.parts) == 10
    merged(many).save(saved)
    one = opened(saved)
    assert len(one.objects.parts) == 1
    assert one.ids == many.ids
    for ranker in ("base", "gcs"):
        for filters in (None, [{"links": {"$exists": True}}] * 3):
            pair = (
                i.search_batch(QUESTIONS, k=9, ranker=ranker, filters=filters) for i in (one, many)
            )
            for hits, others in zip(*pair, strict=True):
                assert [hit.id for hit in hits] == [hit.id for hit in others]
                np.testing.assert_allclose(
                    [hit.score for hit in hits], [hit.score for hit in others], atol=1e-6
                )


def sizes(index):
    return StackedObjects.of(index.objects).places.sizes


def test_updates_leave_few_parts_and_few_deleted_objects(saved, monkeypatch):
    found = []
    for number in range(20, 28):
        opened(saved).update([plain(number)]).save(saved)
        found.append(sizes(opened(saved))[1:])
    # A part is written again together with those behind it that are no smaller.
    assert found == [(1,), (2,), (2, 1), (4,), (4, 1), (4, 2), (4, 2, 1), (8,)]
    # And so is everything once a search reads many deleted objects.
    monkeypatch.setattr(parts, "_FEW", 0)
    opened(saved).update(delete=["o1"]).save(saved)
    assert sizes(opened(saved)) == (20, 8)
    opened(saved).update(delete=["o2"]).save(saved)
    assert sizes(opened(saved)) == (26,)
    same(opened(saved), build(opened(saved).objects))
    # An index that has doubled is one part as well.
    opened(saved).update([plain(number) for number in range(30, 60)]).save(saved)
    assert sizes(opened(saved)) == (56,)


def test_a_part_without_objects_is_left_out(saved):
    opened(saved).update([plain(20), plain(21)]).save(saved)
    opened(saved).update([plain(22)]).save(saved)
    opened(saved).update(delete=["o22"]).save(saved)
    assert sizes(opened(saved)) == (20, 2)
    opened(saved).update([plain(23)], delete=["o20", "o21"]).save(saved)
    assert sizes(opened(saved)) == (20, 1)


@pytest.mark.parametrize("sizes", [(17, 43), (30, 17, 6, 30)])
def test_a_large_part_behind_small_ones_is_read_once(sizes, monkeypatch):
    monkeypatch.setattr(hybrid, "_SMALL", 24)
    ends = np.cumsum(sizes).tolist()
    index = build([plain(number) for number in range(ends[0])])
    for first, last in pairwise(ends):
        index = index.update([plain(number) for number in range(first, last)])
    found, expected = (
        [[hit.id for hit in hits] for hits in own.search_batch(QUESTIONS, k=99, ranker="base")]
        for own in (index, build(index.objects))
    )
    assert found == expected


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


# Of the moments at which it is killed: "1" for all, in a minute.
EVERY = "5"
# Kills itself at the n-th time that it opens, moves or removes a file of the index.
KILLED = """
import os, shutil, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_parts import build, merged, opened, plain, rewrite
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
def test_a_kill_at_any_moment_leaves_the_index_of_before_or_after(tmp_path, saved):
    saved.rename(tmp_path / "killed")
    command = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path), EVERY]
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


def test_the_verb(grapher, saved):
    opened(saved).update([plain(20)], delete=["o1"]).save(saved)
    told = f"{saved}: 20 objects, joined by link\n"
    assert grapher("compact", saved) == (0, told, "")
    assert not [*saved.glob("update-*")]
    assert grapher("compact", saved.parent / "none")[0] == 2
    shutil.rmtree(saved)


def table(number, name, *, db="shop", key=None):
    text = f"{name}: id, of {number}"
    keys = [] if key is None else [key]
    return Object(f"{db}.{number}", text, "", {"db": db, "table": name, "foreign_keys": keys})


@pytest.fixture
def told(monkeypatch):
    """The objects whose texts an update makes."""
    ids, texts = set(), updating.searchable_texts
    monkeypatch.setattr(
        updating,
        "searchable_texts",
        lambda items, *a, **k: ids.update(item.id for item in items) or texts(items, *a, **k),
    )
    return ids


def test_a_prefix_is_known_without_the_texts_of_all_tables(saved, told):
    shop = [table(n, f"app_t{n}") for n in range(6)]
    zoo = [table(n, f"zoo_t{n}", db="zoo") for n in range(6)]
    text = ("prefix", "neighbors")
    build([*shop, *zoo], text=text).save(saved)

    def updated(*objects, **options):
        told.clear()
        opened(saved).update(objects, **options).save(saved)
        same(opened(saved), build(opened(saved).objects, text=text))

    # The prefix remains.
    updated(table(6, "app_t6", key="shop.0"))
    assert told == {"shop.6", "shop.0"}
    # It is gone, and with it the texts of all tables of this database, and of no other.
    updated(table(7, "t7"))
    assert told == {f"shop.{n}" for n in range(8)}
    # It is back.
    updated(delete=["shop.7"])
    assert told == {f"shop.{n}" for n in range(8)}


def test_a_part_that_lacks_names_is_read_until_it_is_written_again(saved, told, monkeypatch):
    tables = [table(n, f"app_t{n}") for n in range(9)]
    build(tables, text=("prefix",)).save(saved)
    for path in saved.glob("names/tables.*"):
        path.unlink()
    for written_again in (False, True):
        index = Index.load(saved, embedder=Hashed(), verify=False)
        assert ("tables" in index.named[0]) == written_again
        grown = index.update([table(9, "app_t9")])
        assert told == {"shop.9"}
        same(grown, build(grown.objects, text=("prefix",)))
        merged(index).save(saved)


WORDY = Proximity(
    name="wordy",
    keys=(),
    arrays=("wordy_links",),
    build=lambda objects: {"wordy_links": np.array([len(own["links"]) for own in objects.values])},
    joins=lambda graph: np.zeros(len(graph.object_ids), bool),
    gather=lambda graph, rows, max_df: {},
    kernel=lambda: None,
    steps=lambda graph, max_df: [],
    seeds=1,
    words=lambda context, one, other: iter(()),
)


def test_a_proximity_without_names_is_built_from_metadata_and_no_text(saved, monkeypatch):
    opened(saved).update([plain(3, "word5"), plain(20)], delete=["o7"]).save(saved)
    index = opened(saved)
    assert [*index.objects.metadata] == [item.metadata for item in index.objects]

    def read(self):
        raise AssertionError("texts are read")

    monkeypatch.setattr(StackedObjects, "__iter__", read)
    with registered(WORDY):
        index = opened(saved)
        assert index.graph.numbers("wordy_links").tolist() == [1] * 20
        grown = index.update([plain(21)])
        assert grown.graph.numbers("wordy_links").tolist() == [1] * 21

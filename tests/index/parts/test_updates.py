"""An index whose updates lie beside what was there: the same answers as of one built afresh."""

import json
from itertools import pairwise

import numpy as np
import pytest
from updated_indexes import QUESTIONS, build, files_of, opened, plain, same

from grapher_jax.corpus import Object
from grapher_jax.index import merged, rewrite
from grapher_jax.retrieve import hybrid
from grapher_jax.search import Index

# Of links to what a test has deleted.
pytestmark = pytest.mark.filterwarnings("ignore:.* name objects that the corpus lacks")

WORDS = [f"word{number}" for number in range(30)]


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


@pytest.mark.parametrize(
    "text",
    [
        pytest.param((), marks=pytest.mark.nightly),
        ("split", "neighbors", "links"),
        pytest.param(("prefix",), marks=pytest.mark.nightly),
    ],
)
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.nightly)])
def test_a_life_of_updates_ends_in_what_is_built_afresh(seed, text, tmp_path):
    a_life(seed, tmp_path / "index", text=text)


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

"""How many parts there are, and when they are written again as one."""

import shutil

import pytest
from updated_indexes import build, opened, plain, same

from grapher_jax.index import parts
from grapher_jax.index.objects import StackedObjects


def sizes(index):
    return StackedObjects.of(index.objects).places.sizes


@pytest.mark.nightly
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


def test_the_verb(grapher, saved):
    opened(saved).update([plain(20)], delete=["o1"]).save(saved)
    told = f"{saved}: 20 objects, joined by link\n"
    assert grapher("compact", saved) == (0, told, "")
    assert not [*saved.glob("update-*")]
    assert grapher("compact", saved.parent / "none")[0] == 2
    shutil.rmtree(saved)

"""The load beside reloads sees an update that is not served."""

import random
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "bench"))

import reloads

ALL = [{}] * reloads.EACH


@pytest.mark.parametrize(
    ("there", "gone", "follows"),
    [(ALL, [], True), (ALL[1:], [], False), (ALL, [{}], False), (None, [], False)],
)
def test_an_update_is_served_once_all_that_joined_is_found_and_nothing_that_left(
    monkeypatch, there, gone, follows
):
    found = {7: there, 7 - reloads.STAY: gone}

    def post(self, client, path, body):
        results = found[body["filter"]["update"]]
        return None if results is None else {"results": results}

    monkeypatch.setattr(reloads.Seen, "post", post)
    assert reloads.follows(None, 7, reloads.Seen()) == follows


def test_what_leaves_has_joined_before():
    made = reloads.made_up(random.Random(0), reloads.joined(3)[0], ["a", "b"], 3)
    assert made.metadata["update"] == 3
    assert sorted(made.metadata["foreign_keys"]) == ["a", "b"]
    assert reloads.joined(3 - reloads.STAY) == []

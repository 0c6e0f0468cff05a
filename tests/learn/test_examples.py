"""What is learned from, and how it is kept."""

import shutil
import time
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from words import Words

from grapher_jax.corpus import Object, Query
from grapher_jax.corpus.beir import write_beir
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.learn.examples import prepare, unchanged
from grapher_jax.search import Index
from grapher_jax.systems.networks import find_network
from grapher_jax.training.batches import epoch_batches, gather, watch_batches
from grapher_jax.training.candidates import GraphSettings
from grapher_jax.training.config import SetConfig
from grapher_jax.training.data import Data
from grapher_jax.training.examples import ARRAYS
from grapher_jax.training.g_rag import DocumentSettings


def test_an_epoch_visits_every_question_as_often_as_asked(pools):
    seen = {number: [] for number in range(len(pools))}
    batches = epoch_batches(pools, 8, seed=0, epoch=3)
    for picks in batches:
        assert 0 < len(picks.questions) <= 8
        for number, question in zip(picks.sets, picks.questions, strict=True):
            seen[number].append(question)
    times = np.bincount(seen[0])[pools[0].questions]
    assert set(times) == {1, 2}
    assert times.sum() == round(1.5 * len(pools[0].questions) + 0.1)
    assert sorted(seen[1]) == list(pools[1].questions)

    def drawn(**which):
        drawn = epoch_batches(pools, 8, **which)
        return [(*picks.sets, *picks.questions, picks.candidates) for picks in drawn]

    assert drawn(seed=0, epoch=3) == drawn(seed=0, epoch=3)
    assert drawn(seed=0, epoch=3) != drawn(seed=0, epoch=4) != drawn(seed=1, epoch=4)


def test_whole_databases_are_held_out(pools):
    own, held = ({*chain(*(pool.examples.groups[q] for q in pool.questions))} for pool in pools)
    assert not own & held
    assert len(held) == 2


def test_of_one_database_single_questions_are_held_out(pools, config):
    examples = pools[0].examples
    alone = replace(examples, groups=[["school"]] * len(examples.ids))
    with pytest.warns(GrapherWarning, match="about 'school', so single questions are held out"):
        held = alone.held_out(0.25)
    assert held.sum() == round(0.25 * len(examples.ids))
    with pytest.warns(GrapherWarning):
        learned, watched = (
            [alone.ids[q] for pool in kept for q in pool.questions]
            for data in [Data.collect(config, lambda _: alone)]
            for kept in (data.learned, data.watched)
        )
    assert learned and watched
    assert not {*learned} & {*watched}
    one = replace(alone, ids=alone.ids[:1], groups=alone.groups[:1])
    with pytest.warns(GrapherWarning), pytest.raises(InputError, match="has one question"):
        one.held_out(0.25)


@pytest.mark.parametrize("order", [1, -1])
def test_what_one_set_holds_out_no_other_learns_whatever_it_is_divided_into(pools, config, order):
    whole = pools[0].examples
    database = whole.groups[np.flatnonzero(whole.held_out(0.2))[0]]
    own = np.flatnonzero([groups == database for groups in whole.groups])
    alone = replace(
        whole,
        ids=[whole.ids[q] for q in own],
        groups=[database] * len(own),
        rows=whole.rows[own],
        scores=whole.scores[own],
        relevant=whole.relevant[own],
        counts=whole.counts[own],
        questions=whole.questions[own],
    )
    held, rest = replace(config.sets[0], split="held"), replace(config.sets[0], held_out=0.0)
    sets = (held, replace(rest, split="alone"), replace(rest, split="more"))[::order]
    found = {"held": whole, "alone": alone, "more": whole}
    with pytest.raises(InputError, match="split 'alone' that is not held out"):
        Data.collect(replace(config, sets=sets), lambda one: found[one.split])
    kept = tuple(one for one in sets if one.split != "alone")
    data = Data.collect(replace(config, sets=kept), lambda one: found[one.split])
    learned = {*chain(*(pool.examples.groups[q] for pool in data.learned for q in pool.questions))}
    assert learned == {*chain(*whole.groups)} - {
        *chain(*(whole.groups[q] for q in np.flatnonzero(whole.held_out(0.2))))
    }


def of_groups(examples, groups):
    """Questions about some documents, in the shape of other examples."""
    few = {name: getattr(examples, name)[: len(groups)] for name in ("ids", *ARRAYS[:5])}
    return replace(examples, **few, groups=groups)


def test_questions_about_a_held_out_document_are_not_learned_from(pools, config):
    groups = [["a", "b"], ["b", "a"], ["b", "c"], ["d"], ["e"], ["f"]]
    examples = of_groups(pools[0].examples, groups)
    sets = (replace(config.sets[0], held_out=0.34),)
    data = Data.collect(replace(config, sets=sets), lambda _: examples)
    held = examples.held_groups(0.34)
    (learned,), (watched,) = data.learned, data.watched
    assert all(held.isdisjoint(groups[question]) for question in learned.questions)
    assert not any(held.isdisjoint(groups[question]) for question in watched.questions)
    # None is lost.
    assert len(learned.questions) + len(watched.questions) == len(groups)


def test_a_document_that_every_question_needs_is_not_held_out(pools, config):
    examples = of_groups(pools[0].examples, [["handbook", str(n)] for n in range(10)])
    sets = (replace(config.sets[0], held_out=0.2),)
    data = Data.collect(replace(config, sets=sets), lambda _: examples)
    assert [len(own.questions) for own in (*data.learned, *data.watched)] == [8, 2]


@pytest.mark.parametrize("groups", [[["a", "b"], ["b", "a"]], [["a"], ["a"]]])
def test_where_no_documents_can_be_held_out_single_questions_are(pools, groups):
    examples = of_groups(pools[0].examples, groups * 10)
    with pytest.warns(GrapherWarning, match="so single questions are held out"):
        assert examples.held_out(0.2).sum() == 4


def test_a_group_that_is_far_too_large_is_not_held_out(pools):
    for name in "abcdef":  # whichever comes first
        examples = of_groups(pools[0].examples, [["big"]] * 18 + [[name]] * 2)
        assert examples.held_out(0.1).tolist() == [False] * 18 + [True] * 2
    with pytest.warns(GrapherWarning, match=r"9 of 20 questions are held out, not 0\.1 of them"):
        of_groups(pools[0].examples, [["big"]] * 11 + [["less"]] * 9).held_out(0.1)


def test_questions_of_two_files_may_have_the_same_ids(pools, config):
    whole = of_groups(pools[0].examples, [["school"]] * 10)
    first, second = (replace(config.sets[0], questions=name) for name in ("a.jsonl", "b.jsonl"))
    sets = (replace(first, held_out=0.2), replace(second, held_out=0.0))
    chosen = replace(config, sets=sets, watch=(replace(second, questions="c.jsonl"),))
    with pytest.warns(GrapherWarning, match="single questions are held out") as told:
        data = Data.collect(chosen, lambda _: whole)
    assert len(told) == 1
    assert [len(own.questions) for own in data.learned] == [8, 10]


def test_many_groups_are_held_out_in_little_time(pools):
    def seconds(count):
        groups = [[str(number)] for number in range(count)]
        examples = replace(pools[0].examples, ids=[str(n) for n in range(count)], groups=groups)
        begun = time.process_time()
        assert examples.held_out(0.2).sum() == count // 5
        return time.process_time() - begun

    few = min(seconds(4_000) for _ in range(3))
    assert seconds(40_000) < 40 * few


def test_watching_what_is_learned_from_is_told(pools, config):
    learned = config.sets[0]
    with pytest.warns(GrapherWarning, match="questions of .* are learned from too, so that over"):
        Data.collect(replace(config, watch=(learned,)), lambda _: pools[0].examples)


def test_a_folder_of_documents_is_to_be_indexed_first(tmp_path):
    (tmp_path / "a.md").write_text("# Bridges\n\nAll that is known of bridges.\n")
    config = SetConfig(source=str(tmp_path), cloze=3)
    with pytest.raises(InputError, match="neither an index nor a BEIR folder; index it first"):
        prepare(config, find_network("gat"), GraphSettings(), tmp_path / "k", embedder=Words())


def test_made_questions_are_about_objects_of_the_split(tmp_path):
    texts = "The old boat left harbour {0} at noon, and nobody knew why it went to island {0}."
    objects = [Object(f"free{n}", texts.format(n)) for n in range(4)]
    objects += [Object(f"a{n}", texts.format(n + 4), metadata={"document_id": "a"}) for n in (0, 1)]
    judged = {"train": {"q0": {"a0": 1, "free0": 1}}, "test": {"q1": {"free1": 1}}}
    write_beir(tmp_path, objects, [Query("q0", "boat 0"), Query("q1", "boat 1")], judged)
    config = SetConfig(source=str(tmp_path), cloze=10)
    found = prepare(config, find_network("gat"), GraphSettings(), tmp_path / "k", embedder=Words())
    assert {*found.ids} == {"cloze free0", "cloze a0", "cloze a1"}
    assert {*map(tuple, found.groups)} == {("free0",), ("a",)}


def test_hidden_keys_leave_the_settings_of_an_index_as_they_are(school, tmp_path):
    chosen = {"lexical_weight": 0.9, "title_weight": 0.0, "lexical_variant": "okapi"}
    index = Index.from_source(school, embedder=Words(), candidates=40, text=["split"], **chosen)
    index.save(tmp_path / "index")
    config, settings = SetConfig(source=str(tmp_path / "index")), GraphSettings()
    found = {
        keys: prepare(
            replace(config, keys=keys), find_network("gat"), settings, tmp_path, embedder=Words()
        )
        for keys in ("declared", "none")
    }
    np.testing.assert_array_equal(found["none"].rows, found["declared"].rows)
    np.testing.assert_array_equal(found["none"].scores, found["declared"].scores)
    assert found["declared"].graphs["degrees"].any() and not found["none"].graphs["degrees"].any()


def test_a_batch_holds_what_was_retrieved(pools):
    examples = pools[0].examples
    (picks,) = watch_batches(replace(pools[0], questions=pools[0].questions[:3]), 4)
    batch = gather(pools, picks, 4)
    candidates = batch.candidates
    assert candidates.objects.shape == (4, 64, 16)
    assert candidates.mask.sum(1).tolist() == [60, 60, 60, 0]
    for place, question in enumerate(picks.questions):
        rows = examples.rows[question]
        np.testing.assert_array_equal(candidates.objects[place, 0], examples.embeddings[rows[0]])
        assert batch.relevant[place].sum() == batch.counts[place] == 2
        cosine = candidates.objects[place, :60] @ candidates.questions[place]
        assert (0.8 * cosine <= candidates.scores[place, :60] + 1e-5).all()
        assert (candidates.smoothed[place] >= candidates.scores[place]).all()
        assert (candidates.degrees[place, :60, 0] == 2).all()
    assert batch.counts[3] == 0


def test_examples_come_from_the_cache(config, school, cache, pools):
    again = prepare(config.sets[0], find_network("gat"), config.graph, cache, embedder=Words())
    np.testing.assert_array_equal(again.rows, pools[0].examples.rows)
    assert isinstance(again.rows, np.memmap)
    assert not list(Path(cache).rglob("*.pkl"))


class Folder(Words):
    """A model in a folder."""

    def __init__(self, folder):
        self.name = str(folder)


def test_examples_are_made_anew_where_the_embedder_has_changed(config, cache, tmp_path):
    def digest(embedder):
        chosen, settings = config.sets[0], config.graph
        return prepare(chosen, find_network("gat"), settings, cache, embedder=embedder).digest

    model = tmp_path / "model"
    model.mkdir()
    digests = [digest(Words()), digest(Folder(model))]
    (model / "weights").write_text("1, 2")
    digests += [digest(Folder(model))]
    assert digest(Words()) == digests[0]
    assert len(set(digests)) == 3


def test_examples_are_made_anew_where_their_format_has_changed(config, cache, pools, monkeypatch):
    monkeypatch.setattr("grapher_jax.learn.examples.FORMAT", 0)
    found = prepare(config.sets[0], find_network("gat"), config.graph, cache, embedder=Words())
    assert found.digest != pools[0].examples.digest


def test_examples_of_another_digest_are_the_same_where_all_their_arrays_are(pools, cache, tmp_path):
    examples = pools[0].examples
    assert unchanged(cache, find_network("gat"), examples.digest, examples)
    assert not unchanged(cache, find_network("gat"), "0" * 64, examples)
    now = cache / examples.digest[:32]
    for name, spoil in {
        "1": lambda folder: None,
        "2": lambda folder: (folder / "degrees.npy").unlink(),
        "3": lambda folder: np.save(folder / "counts.npy", examples.counts + 1),
        "4": lambda folder: (folder / "examples.json").write_text("{}"),
    }.items():
        shutil.copytree(now, cache / (name * 32))
        spoil(cache / (name * 32))
        assert unchanged(cache, find_network("gat"), name * 64, examples) is (name == "1"), name
        shutil.rmtree(cache / (name * 32))


def test_lists_without_an_order_may_be_in_another(school, tmp_path):
    chosen, settings = SetConfig(source=str(school)), DocumentSettings(candidates=8)
    examples = prepare(chosen, find_network("g-rag"), settings, tmp_path, embedder=Words())
    other = shutil.copytree(tmp_path / examples.digest[:32], tmp_path / ("1" * 32))
    for name, values in (("triples", examples.graphs["triples"][..., ::-1]), ("rows", None)):
        np.save(other / f"{name}.npy", examples.rows[:, ::-1] if values is None else values)
        same = unchanged(tmp_path, find_network("g-rag"), "1" * 64, examples)
        assert same is (name == "triples")


def test_embedders_of_one_name_are_told_apart_by_what_they_give(tmp_path):
    class Otherwise(Words):
        def embed_objects(self, texts, **options):
            return -super().embed_objects(texts, **options)

    objects = [Object(name, f"The old boat of {name} left harbour at noon.") for name in "abc"]
    write_beir(tmp_path, objects, [Query("q", "boat")], {"train": {"q": {"a": 1}}})
    config, kept = SetConfig(source=str(tmp_path)), tmp_path / "kept"
    digests = [
        prepare(config, find_network("gat"), GraphSettings(), kept, embedder=own).digest
        for own in (Words(), Otherwise(), Words())
    ]
    assert digests[0] == digests[2] != digests[1]

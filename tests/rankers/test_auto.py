"""What `auto` takes by what joins the candidates, and the α and temperature of diffusion."""

import numpy as np
import pytest
from memory_collection import MemoryCollection, candidates_of, questions

from grapher_jax import InputError, Object, Reranker
from grapher_jax.evaluation import pair_proximities
from grapher_jax.graph import references, registered, shared_values
from grapher_jax.rankers import auto, choices, running
from grapher_jax.rankers.auto import choose
from grapher_jax.retrieve import Candidates

KEYS = [{"foreign_keys": ["c"]}, {}, {}]
ENTITIES = [{"entities": ["Boston"]}, {}, {"entities": ["Boston"]}]
CHUNKS = [{"document_id": "d", "chunk_id": n} for n in range(3)]
BOTH = [key | chunk for key, chunk in zip(KEYS, CHUNKS, strict=True)]
NOTHING = [{}, {}, {}]
# What these name is not among them, so that nothing joins them, whatever other lists have.
ELSEWHERE = [
    {"foreign_keys": ["f"], "inferred_keys": ["f"], "links": ["f"], "entities": ["Rome"]},
    {"entities": ["Oslo"], "chunk_id": 1},
    {"document_id": "d"},
]
SHARED = [{"foreign_keys": ["f"], "entities": ["x"]}, {}, {"entities": ["x"], "chunk_id": 1}]


def collection(kind):
    objects = [Object(name, name, "", own) for name, own in zip("abc", kind, strict=True)]
    return MemoryCollection(objects)


def listed(kind, names="abc"):
    scores = (0.9, 0.5, 0.4, 0.3, 0.2, 0.1)
    return [
        {"id": name, "score": score, "metadata": own}
        for name, score, own in zip(names, scores, kind, strict=False)
    ]


def six(kind):
    """A list that is long enough for a network."""
    return listed([*kind, {}, {}, {}], "abcuvw")


@pytest.mark.parametrize(
    ("kind", "ranker", "because"),
    [
        (KEYS, "gat", "these join the objects: foreign key, along which the ranking grows"),
        (ENTITIES, "diffusion", "these join the objects: shared entity"),
        (CHUNKS, "diffusion", "these join the objects: next chunk"),
        (BOTH, "diffusion", "these join the objects: foreign key, next chunk"),
        (NOTHING, "gcs", "nothing joins the objects"),
    ],
)
def test_what_auto_takes_and_why(kind, ranker, because):
    choice = Reranker().choice(collection(kind))
    assert (choice.ranker, choice.because) == (ranker, because)
    grows = True if ranker == "gat" else None
    assert Reranker().over(collection(kind)) == Reranker(ranker=ranker, along_keys=grows)
    plain = Reranker(along_keys=False).over(collection(kind))
    assert plain == Reranker(ranker=ranker, along_keys=False)
    (first, *_) = Reranker().rerank("?", six(kind))
    assert first.explanation.ranker == ranker


def test_a_network_needs_others_to_compare_with():
    for count, ranker in ((5, "diffusion"), (6, "gat")):
        (first, *_) = Reranker().rerank("?", six(KEYS)[:count])
        assert first.explanation.ranker == ranker
    short, long = Reranker().rerank_batch(["?", "?"], [six(KEYS)[:5], six(KEYS)])
    assert (short[0].explanation.ranker, long[0].explanation.ranker) == ("diffusion", "gat")
    # What has the lowest score and is joined to nothing is not the best of three.
    best = [("a", 0.9, {"foreign_keys": ["b"]}), ("b", 0.8, {}), ("c", 0.0, {})]
    given = [{"id": name, "score": score, "metadata": own} for name, score, own in best]
    assert [hit.id for hit in Reranker().rerank("who bought in Boston", given)] == ["a", "b", "c"]


def test_a_row_that_a_user_adds_says_what_suits_it():
    author = shared_values("same_author", "authors", diffusion_alpha=0.4)
    version = references("version", "replaces", verb="replaces", auto="gcs")
    metadata = [{"authors": ["Ann"]}, {"authors": ["Ann"]}, {"replaces": ["a"]}]
    with registered(author, version):
        added = collection(metadata)
        assert choose(["same_author"]).because == "these join the objects: same_author"
        assert Reranker().choice(added).ranker == "gcs"
        by_authors = Reranker(proximities=["same_author"])
        assert by_authors.over(added).ranker == "diffusion"
        assert by_authors.parameters(added)["alpha"] == 0.4


def test_a_row_may_take_the_network():
    with registered(references("version", "replaces", verb="replaces", auto="gat")):
        version = [{"replaces": ["c"]}, {}, {}]
        assert Reranker().over(collection(version)).ranker == "gat"
        assert Reranker().rerank("?", six(version))[0].explanation.ranker == "gat"
        linked = [one | {"links": one.get("replaces", [])} for one in version]
        assert Reranker().over(collection(linked)).ranker == "diffusion"


def test_diffusion_ranks_in_place_of_a_network_that_cannot(monkeypatch):
    for option in ({"alpha": 0.5}, {"weights": {"link": 2.0}}, {"tol": 1e-3}, {"max_df": 3}):
        choice = Reranker(**option).choice(collection(KEYS))
        because = f"foreign key; not gat, for {next(iter(option))} is no option of it"
        assert (choice.ranker, choice.because.partition(": ")[2]) == ("diffusion", because)
        assert Reranker(**option).rerank("?", listed(KEYS))[0].explanation.ranker == "diffusion"
    monkeypatch.setattr(choices, "networks_missing", lambda: "flax cannot be imported")
    assert Reranker().over(collection(KEYS)).ranker == "diffusion"
    assert Reranker().choice(collection(KEYS)).because.endswith("for flax cannot be imported")
    monkeypatch.undo()
    monkeypatch.setattr(auto, "_NEEDED", ("flax", "no_such_package"))
    auto.networks_missing.cache_clear()
    assert "no_such_package cannot be imported" in auto.networks_missing()
    auto.networks_missing.cache_clear()


def test_more_candidates_than_a_network_reads_are_diffused(monkeypatch):
    monkeypatch.setattr(choices, "MOST_CANDIDATES", 5)
    assert Reranker().rerank("?", six(KEYS))[0].explanation.ranker == "diffusion"


def test_a_long_list_does_not_change_the_ranker_of_a_short_one(monkeypatch):
    monkeypatch.setattr(choices, "MOST_CANDIDATES", 6)
    monkeypatch.setattr(running, "MOST_CANDIDATES", 6)
    short, long = six(KEYS), [*six(KEYS), {"id": "seventh", "score": 0.1}]
    alone = Reranker().rerank("?", short)
    beside, diffused = Reranker().rerank_batch(["?", "?"], [short, long])
    assert [hits[0].explanation.ranker for hits in (beside, diffused)] == ["gat", "diffusion"]
    assert [(hit.id, hit.score) for hit in beside] == [(hit.id, hit.score) for hit in alone]


def test_texts_of_lists_are_not_embedded_for_auto(monkeypatch):
    def refuse(name):
        raise AssertionError("nothing is to be embedded")

    monkeypatch.setattr("grapher_jax.rankers.listed.shared_embedder", refuse)
    candidates = [one | {"text": "some text"} for one in six(KEYS)]
    hits = Reranker().rerank("?", candidates)
    assert hits[0].explanation.ranker == "gat"
    assert [(hit.id, hit.score) for hit in hits] == [
        (hit.id, hit.score) for hit in Reranker().rerank("?", six(KEYS))
    ]


def test_another_ranker_is_nobodys_choice():
    for reranker in (Reranker(ranker="ppr"), Reranker(ranker="base")):
        assert reranker.choice(collection(KEYS)) is None
        assert reranker.over(collection(KEYS)) is reranker


def test_what_weighs_nothing_chooses_nothing():
    weightless = Reranker(weights={"chunk": 0.0})
    assert weightless.over(collection(BOTH)).ranker == "diffusion"
    assert weightless.parameters(collection(BOTH))["alpha"] == 0.3
    assert Reranker(weights={"chunk": 0.0}).over(collection(CHUNKS)).ranker == "gcs"
    assert Reranker(proximities=["foreign_key"]).over(collection(BOTH)).ranker == "gat"
    # The lists of another retriever likewise, one by one: GCS leaves what nothing joins.
    both, chunks = weightless.rerank_batch(["?", "?"], [listed(BOTH), listed(CHUNKS)])
    assert [hit.score for hit in chunks] == [hit.base_score for hit in chunks]
    keys = Reranker(ranker="diffusion", weights={"chunk": 0.0}).rerank("?", listed(BOTH))
    assert [(hit.id, hit.score) for hit in both] == [(hit.id, hit.score) for hit in keys]


@pytest.mark.parametrize("ranker", ["auto", "diffusion"])
def test_a_batch_is_its_lists_one_by_one_whatever_joins_others(ranker):
    reranker = Reranker(ranker=ranker)
    # What the third and the fourth reference is in a list of others alone.
    lists = [listed(BOTH), six(KEYS), *map(listed, (ELSEWHERE, SHARED, KEYS))]
    lists += [listed(NOTHING, "fgh"), []]
    # A chunk whose neighbour is a candidate of another question alone.
    for name, number in (("p", 6), ("q", 5)):
        apart = [{"document_id": name_of, "chunk_id": number} for name_of in ("report", "x", "y")]
        lists.append(listed(apart, (f"{name}1", f"{name}2", f"{name}3")))
    batch = reranker.rerank_batch(["?"] * len(lists), lists)
    for together, candidates in zip(batch, lists, strict=True):
        alone = reranker.rerank("?", candidates)
        assert [hit.id for hit in together] == [hit.id for hit in alone]
        np.testing.assert_allclose(
            [hit.score for hit in together], [hit.score for hit in alone], atol=1e-6
        )
    taken = ["diffusion", "gat"] if ranker == "auto" else ["diffusion"] * 2
    for (hit, *_), name in zip(batch, taken, strict=False):
        assert hit.explanation.ranker == name
        amounts = [source.amount for source in hit.explanation.sources]
        assert name == "gat" or sum(amounts) == pytest.approx(hit.score, abs=1e-6)


@pytest.mark.parametrize(
    ("kind", "alpha", "part", "degree"),
    [
        (KEYS, 0.3, 0.25, 0),
        (ENTITIES, 0.7, 0.25, 0),
        (CHUNKS, 0.6, 1, 1.5),
        (BOTH, 0.6, 1, 1.5),
        (NOTHING, 0.3, 0.25, 0),
    ],
)
def test_the_numbers_of_diffusion_are_those_of_what_joins(kind, alpha, part, degree):
    temperature = part * (0.9 - 0.4)
    by_default = Reranker(ranker="diffusion")
    given = Reranker(ranker="diffusion", alpha=alpha, temperature=temperature)
    told = by_default.parameters(collection(kind))
    assert (told["alpha"], told["gap_part"], told["least_degree"]) == (alpha, part, degree)
    assert "gap_part" not in given.parameters(collection(kind))
    assert given.parameters(collection(kind))["least_degree"] == degree
    hits, expected = (one.rerank("?", listed(kind)) for one in (by_default, given))
    assert [hit.id for hit in hits] == [hit.id for hit in expected]
    np.testing.assert_allclose([hit.score for hit in hits], [hit.score for hit in expected], 1e-5)
    own = Reranker(ranker="diffusion", alpha=0.9)
    assert own.parameters(collection(kind))["alpha"] == 0.9


def test_a_list_that_keys_join_as_well_as_entities_has_the_lower_alpha():
    both = [key | entity for key, entity in zip(KEYS, ENTITIES, strict=True)]
    assert Reranker().parameters(collection(both))["alpha"] == 0.3


def test_nothing_of_no_questions():
    assert Reranker().rerank_batch([], []) == []
    none = candidates_of(np.zeros((0, 2), np.int32), np.zeros((0, 2), np.float32))
    assert Reranker().rank(collection(KEYS), none, k=2).positions.shape == (0, 2)


def test_a_temperature_is_of_diffusion_alone():
    for ranker in ("auto", "gcs", "ppr", "base", "gat"):
        with pytest.raises(InputError, match="temperature: of the ranker diffusion"):
            Reranker(ranker=ranker, temperature=0.1)
    for wrong, complaint in (
        (0.0, "0.0 must be above 0"),
        (-1.0, "-1.0 must"),
        (1e-50, "1e-50 must"),
        (np.nan, "nan must be"),
    ):
        with pytest.raises(InputError, match=f"temperature: {complaint}"):
            Reranker(ranker="diffusion", temperature=wrong)
    with pytest.raises(InputError, match="temperature: of the ranker diffusion"):
        pair_proximities(["base", "gcs", "auto"], [], temperature=0.1)
    paired = pair_proximities(["gcs", "diffusion"], [], temperature=0.1)
    assert [one.temperature for one in paired] == [None, 0.1]


def test_a_temperature_ranks_and_explains():
    plain = Reranker(ranker="diffusion", temperature=0.2)
    assert plain.parameters(collection(NOTHING))["temperature"] == 0.2
    hits = plain.rerank("?", listed(NOTHING))
    seeds = np.exp(np.array([0.9, 0.5, 0.4]) / 0.2)
    expected = plain.parameters(collection(NOTHING))["alpha"] * seeds / seeds.sum()
    np.testing.assert_allclose([hit.score for hit in hits], expected, rtol=1e-5)
    for hit in plain.rerank("?", listed(KEYS)):
        amounts = [source.amount for source in hit.explanation.sources]
        assert sum(amounts) == pytest.approx(hit.score, abs=1e-6)


def test_neither_a_constant_nor_a_factor_of_the_scores_moves_diffusion():
    """Of negative scores too, and without the warning of a ranker that needs their zero."""
    reranker = Reranker(ranker="diffusion")
    expected = reranker.rerank("?", listed(BOTH))
    for factor, constant in ((1, -5), (1, 3), (0.125, 0), (16, -20)):
        moved = [one | {"score": factor * one["score"] + constant} for one in listed(BOTH)]
        hits = reranker.rerank("?", moved)
        assert [hit.id for hit in hits] == [hit.id for hit in expected]
        np.testing.assert_allclose(
            [hit.score for hit in hits], [hit.score for hit in expected], atol=2e-5
        )


def test_some_questions_keep_all_that_belongs_to_them():
    rows, scores = np.arange(6, dtype=np.int32).reshape(3, 2), np.ones((3, 2), np.float32)
    embeddings = np.arange(3, dtype=np.float32)[:, None]
    asked = questions(3, embeddings)
    found = Candidates(rows, scores, asked, {"own": scores * [[1], [2], [3]]}, any_scale=True)
    some = found.take(np.array([2, 0]))
    assert (some.rows.tolist(), some.any_scale.tolist()) == ([[4, 5], [0, 1]], [True] * 2)
    assert some.questions.embeddings.tolist() == [[2], [0]]
    assert some.features["own"].tolist() == [[3, 3], [1, 1]]
    assert len(some.questions) == 2

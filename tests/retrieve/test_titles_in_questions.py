import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

from grapher_jax import Index, Object
from grapher_jax.corpus import Query, read_source
from grapher_jax.errors import InputError
from grapher_jax.graph.names import Names
from grapher_jax.rankers.calibration import Calibration
from grapher_jax.retrieve import Questions, RetrievalOptions
from grapher_jax.retrieve.ids_in_questions import Called
from grapher_jax.retrieve.titles_in_questions import Titled

TITLES = [["new york"], [], ["Apple"], ["new york"], ["the who"], ["What"], ["york"], ["東 京"]]
QUESTION = "Who founded the band that plays in New York?"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is NEW York larger than 東京?", {0: 0.5, 3: 0.5, 7: 1.0}),
        ("What does Apple sell in York?", {2: 1.0}),
        ("an apple of newyork", {}),
        ("Which songs are by the Who?", {}),
        ("", {}),
    ],
)
def test_objects_share_a_title_that_a_question_names(question, expected):
    rows, shares = Titled.of(Names.build(TITLES)).shares(question)
    assert rows.tolist() == sorted(expected)
    assert dict(zip(rows.tolist(), shares.tolist(), strict=True)) == expected


IDS = [
    *("t.csv#Inc-7#0", "t.csv#Inc-7#1", "issues.json#31#0", "b/issues-2.jsonl#31#0"),
    *(
        "inc-8",
        "a.b",
        "3.11",
        "issues.json#1#0",
        "INC-8",
        "t.csv#B.x#0",
        "t.csv#b.x#0",
        "Eq-2",
        "Abc-1",
    ),
    "x.csv#Abc-1#0",
    "help_desk_tickets.csv#7#0",
    "help_desk_tickets.csv#8#0",
]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is inc-7 about, INC-7?", {0: 2.0}),
        ("INC-8: why was a.b closed?", {5: 2.0, 8: 2.0}),
        ("Which of #31 and Issue 31 is open?", {2: 2.0, 3: 2.0}),
        ("issue 1, b.x and B.X", {7: 2.0, 9: 1.0, 10: 1.0}),
        ("the tickets 31 of version 3.11, INC-70, a., and the #1", {}),
        ("eq-2 and EQ-2", {11: 2.0}),
        ("Abc-1", {12: 1.0, 13: 1.0}),
        ("Who has help desk ticket 7, or the help desk tickets 8?", {14: 2.0, 15: 2.0}),
        ("Who has ticket 7 of 2024 and 8, and desk ticket 8 9?", {14: 2.0, 15: 2.0}),
        ("Status? tickets 7 tickets 8", {14: 2.0, 15: 2.0}),
    ],
)
def test_an_id_in_a_question_names_its_object_alone(question, expected):
    rows = dict(zip(IDS, range(len(IDS)), strict=True))
    titled = Titled.of(Names.build([[] for _ in IDS]), called=Called(lambda: rows))
    found, shares = titled.shares(question)
    assert dict(zip(found.tolist(), shares.tolist(), strict=True)) == expected


def test_a_record_is_found_by_its_id(embedder, tmp_path):
    records = [
        {"id": f"INC-{n}", "text": f"The printer jams, as in INC-{n % 7}. " * (n % 3 + 1)}
        for n in range(40)
    ]
    (tmp_path / "tickets.jsonl").write_text("\n".join(map(json.dumps, records)))
    index = Index.from_source(tmp_path / "tickets.jsonl", embedder=embedder)
    questions = [f"Which printer jams, and what is inc-{n} about?" for n in range(40)]
    found = index.retrieve(questions)
    assert [index.ids[row] for row in found.rows[:, 0]] == [
        f"tickets.jsonl#INC-{n}#0" for n in range(40)
    ]
    assert found.scores.max() <= 1


def test_a_record_is_found_by_its_number_beside_its_id(embedder, tmp_path):
    issues = [
        {"id": 10**9 + n, "key": f"OPS-{n}", "number": 100 + n, "text": f"As #{100 + n % 7} says"}
        for n in range(20)
    ]
    (tmp_path / "issues.json").write_text(json.dumps(issues[:15]))
    index = Index.from_source(tmp_path / "issues.json", embedder=embedder)
    assert index.objects[3].metadata["called"] == ["OPS-3", "#103"]
    index.save(tmp_path / "index")
    (tmp_path / "issues.json").write_text(json.dumps(issues))
    loaded = Index.load(tmp_path / "index", embedder=embedder)
    updated = loaded.update(read_source(tmp_path / "issues.json"))
    updated.save(tmp_path / "index")
    again = Index.load(tmp_path / "index", embedder=embedder)
    for question in ("#103", "What is issue 103 about?", "ops-3", "Is OPS-3 done?"):
        for one in (index, loaded, updated, again):
            found = one.retrieve([question])
            assert one.ids[found.rows[0, 0]] == f"issues.json#{10**9 + 3}#0", question
    assert again.ids[again.retrieve(["issue 118"]).rows[0, 0]] == f"issues.json#{10**9 + 18}#0"
    told = [{"called": "OPS-1"}, {"called": ["OPS-2", 5]}, {"called": None}, {}]
    kept = Index.build(
        [Object(f"o{n}", "Tea is served", "", one) for n, one in enumerate(told)], embedder=embedder
    )
    assert kept.ids[kept.retrieve(["OPS-2"]).rows[0, 0]] == "o1"


def test_a_number_that_is_said_goes_before_an_id(embedder, tmp_path):
    issues = [
        {"id": n, "iid": n + 10, "text": f"A note of tea {'abc'[n % 3]}"} for n in range(1, 30)
    ]
    (tmp_path / "issues.json").write_text(json.dumps(issues))
    index = Index.from_source(tmp_path / "issues.json", embedder=embedder)
    for question in ("issue 15", "#15"):
        assert index.ids[index.retrieve([question]).rows[0, 0]] == "issues.json#5#0"


def test_an_index_without_codes_reads_no_object_for_them(bands, tmp_path, monkeypatch):
    bands.save(tmp_path / "bands")
    stored = [*(tmp_path / "bands").rglob("called.*.npy")]
    assert len(stored) == 2
    for file in stored:
        file.unlink()
    older = Index.load(tmp_path / "bands", embedder=bands.embedder, verify=False)
    monkeypatch.setattr("grapher_jax.index.parts.called_in", None)
    expected = bands.retrieve([QUESTION])
    np.testing.assert_array_equal(older.retrieve([QUESTION]).scores, expected.scores)


@pytest.mark.parametrize("question", ["INC-2202", "Who opened ticket INC-2202?"])
def test_an_id_alone_finds_its_object_where_no_text_has_a_word_of_the_question(embedder, question):
    objects = [Object(f"pad-{n}", f"A note about gardens, number {n}") for n in range(30)]
    objects.insert(20, Object("INC-2202", "Tea is served in the hall."))
    index = Index.build(objects, embedder=embedder)
    found = index.retrieve([question])
    without = index.retrieve([question], title_weight=0.0)
    at = [objects[row].id for row in found.rows[0]].index("INC-2202")
    before = [objects[row].id for row in without.rows[0]].index("INC-2202")
    own = index.options
    gain = own.lexical_weight * own.title_weight * 2
    expected = (without.scores[0, before] + gain) / (1 + gain)
    assert found.scores[0, at] == pytest.approx(expected, abs=1e-6)
    again = index.retriever.among(found.questions, found.rows)
    assert again.rows[0, 0] == found.rows[0, 0]
    np.testing.assert_allclose(again.scores, found.scores, atol=1e-6)


@pytest.fixture(scope="module")
def bands(embedder):
    objects = [
        Object("band", "They play in a small hall near the harbour.", "The Harbour Lights"),
        Object("city", "A city with a harbour, where bands play and were founded.", "New York"),
        Object("state", "A state with many a hall.", "New York (state)"),
        Object("table", "harbour_lights: id, name", "Harbour Lights", {"table": "harbour_lights"}),
        Object("founder", "Founded a band, and left it."),
    ]
    return Index.build(objects, embedder=embedder)


def expected(index, question, weight):
    """Every object's score by NumPy in float64."""
    lexical = index.lexical.scores([question]).all[0].astype(float)
    scaled = (lexical - lexical.min()) / (lexical.max() - lexical.min())
    rows, shares = index.retriever.titled.shares(question)
    scaled[rows] += weight * shares
    cosines = np.asarray(index.embeddings) @ index.retriever.embed([question])[0]
    return (0.3 * scaled + 0.7 * cosines) / (1 + 0.3 * weight * shares.max(initial=0))


@pytest.mark.parametrize("weight", [None, 0.0, 1.0])
def test_bm25_counts_the_titles_that_a_question_names(bands, weight):
    found = bands.retrieve([QUESTION], title_weight=weight)
    scores = expected(bands, QUESTION, 0.5 if weight is None else weight)
    np.testing.assert_array_equal(found.rows[0], np.argsort(-scores, kind="stable"))
    np.testing.assert_allclose(found.scores[0], np.sort(scores)[::-1], atol=1e-6)


def test_no_score_exceeds_one(embedder):
    """So that `Calibration` reads it, and a list that is ranked again is not taken for logits."""
    question = "The Third Man, a film by Carol Reed"
    index = Index.build(
        [
            Object("film", "a film by Carol Reed", "The Third Man"),
            Object("reed", "An English director.", "Carol Reed"),
            Object("soup", "Boil the leeks, and add cream.", "Soup"),
        ],
        embedder=embedder,
    )
    hits = index.search(question, k=3, ranker="base")
    assert hits[0].id == "film"
    assert 0.95 < hits[0].base_score <= 1
    assert max(Calibration().probabilities(hits)) <= 1


@pytest.mark.parametrize("norm", ["min-max", "max"])
@pytest.mark.parametrize("variant", ["bm25+", "okapi"])
def test_a_title_gains_the_same_part_of_any_range(bands, norm, variant):
    index = Index.build(
        bands.objects, embedder=bands.embedder, lexical_variant=variant, lexical_norm=norm
    )
    allowed = [{"$not": {"table": "harbour_lights"}}]
    found = index.retrieve([QUESTION], filters=allowed, candidates=2, expand=True)
    assert {index.ids[row] for row in found.rows[0]} >= {"city"}
    lexical = index.lexical.scores([QUESTION])
    low, high = index.options.bounds(*lexical.bounds)
    scaled = (lexical.all[0] - low) / (high - low)
    rows, shares = index.retriever.titled.shares(QUESTION)
    scaled[rows] += 0.5 * shares
    cosines = np.asarray(index.embeddings) @ index.retriever.embed([QUESTION])[0]
    scores = (0.3 * scaled + 0.7 * cosines) / (1 + 0.15 * shares.max())
    np.testing.assert_allclose(found.scores[0], scores[found.rows[0]], atol=1e-6)


def test_given_objects_gain_as_retrieved_ones(bands):
    asked = Questions([Query("1", QUESTION)], lambda: bands.retriever.embed([QUESTION]))
    rows = np.arange(len(bands), dtype=np.int32)[None]
    found, every = bands.retriever.among(asked, rows), bands.retrieve([QUESTION])
    np.testing.assert_array_equal(found.rows, every.rows)
    np.testing.assert_allclose(found.scores, every.scores, atol=1e-6)


def test_a_batch_is_its_questions_one_by_one(bands):
    questions = [QUESTION, "Where do The Harbour Lights play?", "Who left?"]
    batch = bands.retrieve(questions)
    for number, question in enumerate(questions):
        one = bands.retrieve([question])
        np.testing.assert_array_equal(batch.rows[number], one.rows[0])
        np.testing.assert_allclose(batch.scores[number], one.scores[0], atol=1e-6)


def test_an_updated_and_loaded_index_finds_the_titles_of_a_new_one(bands, tmp_path):
    bands.save(tmp_path / "bands")
    index = Index.load(tmp_path / "bands", embedder=bands.embedder)
    more = [
        Object("city", "It was renamed.", "New Amsterdam"),
        Object("book", "A novel about a band.", "Harbour Lights"),
    ]
    index = index.update(more, delete=["band"])
    index.save(tmp_path / "bands")
    index = Index.load(tmp_path / "bands", embedder=bands.embedder)
    question = "Are the Harbour Lights of New York or of New Amsterdam?"
    rows, shares = index.retriever.titled.shares(question)
    named = {index.ids[row]: share for row, share in zip(rows, shares, strict=True)}
    assert named == {"state": 1.0, "city": 1.0, "book": 1.0}
    again = Index.build(index.objects, embedder=bands.embedder)
    found, fresh = index.search(question, k=5), again.search(question, k=5)
    assert [hit.id for hit in found] == [hit.id for hit in fresh]


@pytest.mark.parametrize("forget", [lambda named: None, lambda named: [{}]])
def test_titles_that_are_not_stored_are_read_from_the_objects(bands, forget):
    other = replace(bands, named=forget(bands.named))
    found = other.retrieve([QUESTION])
    np.testing.assert_array_equal(found.scores, bands.retrieve([QUESTION]).scores)


def test_an_index_of_an_earlier_version_counts_no_titles(bands, tmp_path):
    bands.save(tmp_path / "bands")
    manifest = json.loads((tmp_path / "bands" / "manifest.json").read_text())
    del manifest["retrieval"]["title_weight"]
    (tmp_path / "bands" / "manifest.json").write_text(json.dumps(manifest))
    older = Index.load(tmp_path / "bands", embedder=bands.embedder)
    assert older.options == replace(bands.options, title_weight=0.0)


def test_titles_are_read_when_they_count(bands, tmp_path, monkeypatch):
    bands.save(tmp_path / "bands")
    index = Index.load(tmp_path / "bands", embedder=bands.embedder)
    monkeypatch.setattr(Titled, "of", lambda *_, **__: pytest.fail("read"))
    index.retriever.embed([QUESTION])
    index.retrieve([QUESTION], title_weight=0.0)
    index.retrieve([QUESTION], lexical_weight=0.0)
    index.search(QUESTION, system="grapher")
    with pytest.raises(pytest.fail.Exception, match="read"):
        index.retrieve([QUESTION])


def test_threads_share_the_titles_of_a_loaded_index(bands, tmp_path):
    bands.save(tmp_path / "bands")
    for _ in range(5):
        index = Index.load(tmp_path / "bands", embedder=bands.embedder)
        with ThreadPoolExecutor(4) as threads:
            found = [*threads.map(index.retrieve, [[QUESTION]] * 4)]
        for one in found:
            np.testing.assert_array_equal(one.scores, bands.retrieve([QUESTION]).scores)


@pytest.mark.parametrize(
    ("language", "question", "named"),
    [(None, "Die Hauptstadt ist wo?", True), ("german", "Die Hauptstadt ist wo?", False)],
)
def test_stop_words_of_a_language_name_nothing(embedder, language, question, named):
    films = [Object("film", "A film.", "Die"), Object("city", "Eine Stadt", "Berlin")]
    index = Index.build(films, embedder=embedder, language=language)
    assert bool(len(index.retriever.titled.shares(question)[0])) == named


@pytest.mark.parametrize("weight", [None, 0.0])
def test_the_command_line_takes_the_weight(bands, grapher, tmp_path, weight):
    bands.save(tmp_path / "bands")
    given = () if weight is None else ("--title-weight", weight)
    status, out, _ = grapher(
        "search", tmp_path / "bands", QUESTION, "--ranker", "base", "--json", *given
    )
    hits = bands.search(QUESTION, ranker="base", title_weight=weight)
    assert status == 0
    assert [(one["id"], pytest.approx(one["score"])) for one in json.loads(out)["results"]] == [
        (hit.id, hit.score) for hit in hits
    ]


def test_a_weight_is_a_part_of_the_range():
    with pytest.raises(InputError, match=r"title_weight: 1.5 is outside \[0, 1\]"):
        RetrievalOptions(title_weight=1.5)

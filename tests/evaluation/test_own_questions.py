"""Evaluation on questions of one's own: from a file, or from Python."""

import json
from dataclasses import replace

import pytest

from grapher_jax.corpus import JudgedQuestion, Object, judge_questions, write_pair_graphs
from grapher_jax.errors import InputError
from grapher_jax.evaluation import comparison, evaluate
from grapher_jax.search import Index

IDS = ["shop.orders", "shop.stores", "shop.customers"]
QUESTIONS = [
    JudgedQuestion("Which orders were placed in stores of Boston?", IDS),
    JudgedQuestion("How many animals are there?", ["zoo.animals"]),
]


@pytest.fixture
def write(tmp_path):
    """Lines of JSON in a file, as records or as they stand."""

    def write(*records):
        lines = [one if isinstance(one, str) else json.dumps(one) for one in records]
        (tmp_path / "own.jsonl").write_text("".join(f"{line}\n" for line in lines))
        return tmp_path / "own.jsonl"

    return write


@pytest.fixture
def bare(index):
    """The shop as a database has it: without queries or qrels."""
    return replace(index, folder=None)


def metrics(report):
    return [row.metrics for row in report.results]


def test_questions_of_ones_own_give_what_the_split_gives(index, bare, write):
    path = write(*({"question": one.question, "relevant": one.relevant} for one in QUESTIONS))
    of_split = evaluate(index, "test", ["base", "gcs"])
    of_file = evaluate(bare, questions=path, rerankers=["base", "gcs"])
    assert metrics(of_file) == metrics(of_split)
    assert metrics(evaluate(bare, None, ["base", "gcs"], questions=QUESTIONS)) == metrics(of_split)
    assert (of_file.split, of_file.queries, of_file.multi_queries) == ("own.jsonl", 2, 1)


def test_they_take_the_place_of_the_questions_that_came_along(index):
    report = evaluate(index, rerankers=["base"], questions=QUESTIONS[1:])
    assert (report.split, report.queries) == ("questions", 1)


def test_grades_tell_better_answers_from_others(bare, write):
    gains = []
    for grades in ({"shop.orders": 2, "shop.stores": 1}, {"shop.orders": 1, "shop.stores": 2}):
        path = write({"question": "orders", "relevant": grades})
        report = evaluate(bare, None, ["base"], questions=path)
        gains.append(report.results[0].metrics["nDCG@10"].all)
        asked = [JudgedQuestion("orders", grades)]
        assert metrics(evaluate(bare, None, ["base"], questions=asked)) == metrics(report)
    assert gains[0] > gains[1]


def test_fields_of_a_line(write):
    path = write(
        {"question": "a?", "relevant": ["a"], "id": "x", "filter": {"db": "d"}, "answer": "b"},
        "",
        {"question": "b?", "relevant": ["a", "b"], "id": None, "filter": None},
    )
    judged = judge_questions(path, ["a", "b"])
    assert [(one.id, one.text, one.metadata) for one in judged.queries] == [
        ("x", "a?", {"filter": {"db": "d"}, "answer": "b"}),
        ("2", "b?", {}),
    ]
    assert judged.judgements == {"x": {"a": 1}, "2": {"a": 1, "b": 1}}


def test_a_filter_restricts_the_candidates(bare):
    objects = [replace(one, metadata={"db": one.id.split(".")[0]}) for one in bare.objects]
    (animals,) = QUESTIONS[1:]
    elsewhere = replace(animals, metadata={"filter": {"db": "shop"}})
    report = evaluate(
        bare.build(objects, embedder=bare.embedder), None, ["base"], questions=[elsewhere]
    )
    assert report.ceiling["retriever"].all == 0
    assert evaluate(bare, None, ["base"], questions=[animals]).ceiling["retriever"].all == 1


def test_graphs_of_the_questions_that_came_along_are_not_read(parsed_pairs):
    assert parsed_pairs.pair_graphs
    seen = []

    def spied(_, index, *__, **___):
        seen.append(index.pair_graphs)
        raise InterruptedError

    with pytest.MonkeyPatch.context() as patched, pytest.raises(InterruptedError):
        patched.setattr(comparison.JudgedRun, "retrieve_by", spied)
        evaluate(parsed_pairs, None, ["base"], questions=QUESTIONS)
    assert seen == [{}]


@pytest.fixture
def parsed_pairs(beir, embedder):
    write_pair_graphs(beir, {("q1", "shop.orders"): "(a / animal)"})
    return Index.from_source(str(beir), embedder=embedder)


GOOD = {"question": "a?", "relevant": ["shop.orders"]}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{", r"own\.jsonl:2: malformed JSON"),
        ("[]", r"own\.jsonl:2: a JSON object is needed, not list"),
        ({"relevant": ["a"]}, r":2: question must be a string, as in .*, not None"),
        (GOOD | {"question": " "}, r":2: question is empty; give it a text"),
        ({"question": "a?"}, r":2: relevant: give a list of ids, not None"),
        (GOOD | {"relevant": "a"}, r":2: relevant: give a list of ids, such as \['a'\]"),
        (GOOD | {"relevant": [1]}, r":2: relevant: .* strings; 1 is none"),
        (GOOD | {"relevant": []}, r":2: relevant is empty; give the id of at least one object"),
        (
            GOOD | {"relevant": ["shop.order"]},
            r":2: relevant: 'shop\.order' is not in the index; did you mean 'shop\.orders'\?",
        ),
        (GOOD | {"relevant": ["?"]}, r":2: relevant: '\?' is not in the index; give ids"),
        (
            GOOD | {"relevant": {"shop.orders": 0}},
            r":2: relevant is empty; give the id of at least",
        ),
        (
            GOOD | {"relevant": {"shop.orders": 0.5}},
            r":2: relevant: shop\.orders: 0\.5 must be an int",
        ),
        (GOOD | {"relevant": IDS[:1] * 2}, r":2: relevant: 'shop\.orders' stands twice"),
        (GOOD | {"id": "1"}, r":2: id '1' is another question's; give each its own"),
        (GOOD | {"id": ""}, r":2: id is empty"),
        (GOOD | {"id": 7}, r":2: id must be a string, not 7"),
        (GOOD | {"filter": "shop"}, r":2: filter must map metadata keys to values, not 'shop'"),
    ],
)
def test_a_bad_line_is_told(bare, write, line, told):
    with pytest.raises(InputError, match=told):
        evaluate(bare, None, ["base"], questions=write(GOOD, line))


def test_several_bad_lines_are_told_at_once(bare, write):
    unknown = GOOD | {"relevant": ["shop.order"]}
    path = write("{", GOOD, unknown, "[]")
    with pytest.raises(InputError) as told:
        evaluate(bare, None, ["base"], questions=path)
    faults = str(told.value).split("; ")
    assert [fault.partition(": ")[0] for fault in faults if str(path) in fault] == [
        f"{path}:{line}" for line in (1, 3, 4)
    ]
    assert "more" not in faults[-1]
    with pytest.raises(InputError, match=r"^question 1: .* question 5: .*\?; and 2 more$"):
        evaluate(bare, None, ["base"], questions=[JudgedQuestion(**unknown)] * 7)


def test_no_questions_are_told(bare, write, tmp_path):
    with pytest.raises(InputError, match=r"own\.jsonl: there are no questions; give at least one"):
        evaluate(bare, None, ["base"], questions=write())
    with pytest.raises(InputError, match=r"^questions: there are no questions"):
        evaluate(bare, None, ["base"], questions=[])
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read"):
        evaluate(bare, None, ["base"], questions=tmp_path / "none.jsonl")
    twice = [replace(QUESTIONS[0], id="x")] * 2
    with pytest.raises(InputError, match=r"^question 2: id 'x' is another question's"):
        evaluate(bare, None, ["base"], questions=twice)


def test_questions_and_a_split_exclude_each_other(index):
    with pytest.raises(InputError, match="questions: they take the place of a split; give one"):
        evaluate(index, rerankers=["base"], split="test", questions=QUESTIONS)
    with pytest.raises(InputError, match="questions: give those of a file, or a split"):
        evaluate(index, rerankers=["base"])


def test_the_verb(grapher, beir, write, index, bare):
    bare.save("shop.index")
    path = write(*({"question": one.question, "relevant": one.relevant} for one in QUESTIONS))
    asked = ("evaluate", "shop.index", "--ranker", "base", "--questions", path)
    status, out, err = grapher(*asked, "--json")
    assert (status, err) == (0, "")
    report = json.loads(out)
    expected = evaluate(index, "test", ["base"]).to_dict()["results"][0]["metrics"]
    assert report["results"][0]["metrics"] == expected
    assert (report["dataset"], report["split"]) == ("shop.index", "own.jsonl")
    assert "shop.index own.jsonl: 2 queries" in grapher(*asked)[1]
    status, out, err = grapher(*asked, "--split", "test")
    assert (status, out) == (2, "")
    assert err == "grapher-jax: questions: they take the place of a split; give one of the two\n"


def test_the_verb_tells_ranks_question_by_question(grapher, write, bare, tmp_path):
    bare.save("shop.index")
    path = write(*({"question": one.question, "relevant": one.relevant} for one in QUESTIONS))
    asked = ("evaluate", "shop.index", "--ranker", "base", "--candidates", "2", "--questions", path)
    out = tmp_path / "ranks.jsonl"
    for _ in range(2):  # earlier results are replaced
        assert grapher(*asked, "--ranker", "gcs", "--by-question", out)[0] == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["question"] for line in lines] == [one.question for one in QUESTIONS]
    for one, line in zip(QUESTIONS, lines, strict=True):
        assert [row["ranker"] for row in line["results"]] == ["base", "gcs"]
        found = [hit.id for hit in bare.search(one.question, k=2, ranker="base", candidates=2)]
        ranks = {name: found.index(name) + 1 if name in found else None for name in one.relevant}
        assert line["results"][0]["ranks"] == ranks
    assert None in lines[0]["results"][0]["ranks"].values()
    before = path.read_bytes()
    status, _, err = grapher(*asked, "--by-question", path)
    assert (status, "holds something else; give another --by-question" in err) == (2, True)
    assert path.read_bytes() == before
    assert "is a folder" in grapher(*asked, "--by-question", tmp_path)[2]


@pytest.fixture
def handbook(embedder):
    """Two documents, of which the first has two chunks that say the same, and a lone object."""
    texts = {
        "leave.md#1": "Holidays are asked for in the portal.",
        "leave.md#2": "The portal shows how many holidays are left.",
        "travel.md#1": "Trains are booked in the portal too.",
        "menu": "Today there is soup.",
    }
    objects = [
        Object(name, text, metadata={"document_id": name[:-2], "chunk_id": int(name[-1])})
        if "#" in name
        else Object(name, text)
        for name, text in texts.items()
    ]
    return Index.build(objects, embedder=embedder)


def test_a_document_counts_once_where_its_first_chunk_stands(handbook, write):
    path = write(
        {"question": "holidays in the portal", "relevant": ["leave.md", "travel.md"]},
        {"question": "holidays in the portal", "relevant": {"leave.md": 2, "menu": 1}},
    )
    report = evaluate(handbook, questions=path, rerankers=["base"])
    first, second = (own["results"][0]["ranks"] for own in report.by_question())
    assert first == {"leave.md": 1, "travel.md": 3}
    assert second == {"leave.md": 1, "menu": 4}
    assert report.multi_queries == 2
    metrics = report.results[0].metrics
    assert {name: metrics[name].all for name in ("PR@5", "R@5", "RR", "MRR")} == pytest.approx(
        {"PR@5": 1, "R@5": 1, "RR": 1, "MRR": (2 / 3 + 5 / 8) / 2}
    )
    assert metrics["P@10"].all == pytest.approx(0.2)
    assert report.ceiling["retriever"].all == 1


def test_a_document_counts_as_its_only_chunk_does(handbook):
    for_documents, for_chunks = (
        evaluate(handbook, questions=[JudgedQuestion("trains", [name])], rerankers=["base", "gcs"])
        for name in ("travel.md", "travel.md#1")
    )
    assert metrics(for_documents) == metrics(for_chunks)


def test_a_document_and_its_chunk_are_not_both_relevant(handbook):
    both = [JudgedQuestion("holidays", ["leave.md", "leave.md#2"])]
    with pytest.raises(
        InputError, match=r"'leave\.md#2' is a chunk of 'leave\.md', which is given"
    ):
        evaluate(handbook, questions=both, rerankers=["base"])
    with pytest.raises(
        InputError,
        match=r"'leave\.md' is not in the index, but chunks of it, such as 'leave\.md#1'",
    ):
        judge_questions(both, handbook.rows)
    near = [JudgedQuestion("holidays", ["leaves.md"])]
    with pytest.raises(InputError, match=r"not in the index; did you mean 'leave\.md'\?"):
        evaluate(handbook, questions=near, rerankers=["base"])

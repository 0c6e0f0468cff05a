"""Rankings in which objects rise by the words that the first result lacks."""

import numpy as np
import pytest

from grapher_jax import Reranker
from grapher_jax.corpus import Object
from grapher_jax.errors import InputError
from grapher_jax.rankers import coverage
from grapher_jax.search import Index

QUESTION = "Which bridge did the engineer of the lighthouse at Gdynia design?"
TEXTS = [
    "The lighthouse at Gdynia was built by an engineer of the harbour.",
    "The harbour of Gdynia has a lighthouse museum.",
    "The lighthouse keeper of Gdynia wrote about the harbour.",
    "Anna Nowak was praised for a bridge, her last design.",
    "Lunch is served in the harbour.",
    *(f"Note {number} about the harbour." for number in range(8)),
]


@pytest.fixture(scope="module")
def index(embedder):
    objects = [
        Object(str(number), text, metadata={"entities": ["Nowak"] if number == 3 else ["Harbour"]})
        if number < 7  # an entity of more than eight joins none of them
        else Object(str(number), text)
        for number, text in enumerate(TEXTS)
    ]
    return Index.build(objects, embedder=embedder)


def names(hits):
    return [hit.id for hit in hits]


def test_auto_raises_what_has_words_that_the_first_lacks(index):
    plain = index.search(QUESTION, ranker=Reranker(cover_words=False), k=13)
    found = index.search(QUESTION, k=13)
    assert names(found)[0] == names(plain)[0] == "0"
    assert names(found).index("3") < names(plain).index("3")
    same = index.search(QUESTION, ranker=Reranker(ranker="diffusion", cover_words=True), k=13)
    assert [(hit.id, hit.score) for hit in same] == [(hit.id, hit.score) for hit in found]
    choice = Reranker().choice(index)
    assert choice.covers and choice.because.endswith("that the first result lacks rises")
    assert Reranker().parameters(index)["cover_words"]
    assert "cover_words" not in Reranker(cover_words=False).parameters(index)


def test_scores_stay_shares_and_are_explained(index):
    found = index.search(QUESTION, k=13)
    plain = index.search(QUESTION, ranker="diffusion", k=13)
    whole = sum(hit.score for hit in plain)
    assert sum(hit.score for hit in found) == pytest.approx(whole, rel=1e-5)
    assert (np.diff([hit.score for hit in found]) <= 0).all()
    for hit in found:
        amounts = sum(source.amount for source in hit.explanation.sources)
        assert hit.explanation.score == hit.score == pytest.approx(amounts, rel=1e-5)
        shares = sum(source.share for source in hit.explanation.sources)
        assert shares == pytest.approx(1, abs=1e-5)


def test_a_batch_is_its_questions_and_fewer_results_its_beginning(index):
    questions = [QUESTION, "Where is lunch?", "harbour harbour", "Xyzzy?"]
    together = index.search_batch(questions, k=13)
    for question, hits in zip(questions, together, strict=True):
        assert names(hits) == names(index.search(question, k=13))
        assert names(hits)[:4] == names(index.search(question, k=4))


@pytest.mark.parametrize("ranker", ["base", "gcs", "ppr"])
def test_any_ranker_may_be_followed(index, ranker):
    plain = index.search(QUESTION, ranker=ranker, k=13)
    found = index.search(QUESTION, ranker=Reranker(ranker=ranker, cover_words=True), k=13)
    assert names(found)[0] == names(plain)[0]
    assert names(found).index("3") < names(plain).index("3")


def test_one_program_serves_a_bucket(index):
    index.search(QUESTION)
    before = coverage._cover_words.function._cache_size()
    for k, question in ((3, "lunch"), (5, "What of the harbour and its many notes?"), (13, "one")):
        index.search(question, k=k)
    assert coverage._cover_words.function._cache_size() == before


def test_other_joins_and_lists_are_left_as_they_are():
    chunks = [{"document_id": "d", "chunk_id": n} for n in range(3)]
    given = [{"id": str(n), "text": "a", "score": 1.0, "metadata": m} for n, m in enumerate(chunks)]
    collection, _ = Reranker().collect(["?"], [given])
    assert not Reranker().choice(collection).covers
    for own in given:
        own["metadata"] = {"entities": ["x"]}
    collection, _ = Reranker().collect(["?"], [given])
    choice = Reranker().choice(collection)
    assert (choice.ranker, choice.covers) == ("diffusion", False)
    with pytest.raises(InputError, match="cover_words: only an index counts words; search one"):
        Reranker(cover_words=True).rerank("?", given)


def test_a_chunk_lacks_only_what_its_whole_document_lacks(embedder):
    texts = {
        "acme": ["Acme: debt of the company rose.", "Acme was founded in Gdynia.", "Acme: staff."],
        "bolt": ["Bolt: the company has ships.", "Bolt: debt fell to nothing.", "Bolt: weather."],
        "coda": ["Coda: the founders of Gdynia.", "Coda: lunch is late.", "Coda: more on lunch."],
    }
    objects = [
        Object(f"{name}#{n}", text, metadata={"document_id": name, "chunk_id": n})
        for name, own in texts.items()
        for n, text in enumerate(own)
    ]
    index = Index.build(objects, embedder=embedder)
    assert Reranker().choice(index).covers

    def gains(question):
        plain, found = (
            {hit.id: hit.score for hit in index.search(question, ranker=ranker, k=9)}
            for ranker in (Reranker(cover_words=False), Reranker())
        )
        assert next(iter(plain)) == next(iter(found)) == "acme#0"
        return {
            name: found[name] / found["coda#2"] - plain[name] / plain["coda#2"] for name in found
        }

    # Another chunk of the first one's document says Gdynia, and so nothing is left to raise.
    assert max(gains("debt of the company Acme, from Gdynia").values()) == pytest.approx(
        0, abs=1e-6
    )
    raised = gains("debt of the company Acme, from Gdynia, and of Bolt")
    assert min(raised[f"bolt#{n}"] for n in range(3)) > 1e-3
    assert raised["coda#0"] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("kinds", "covers"),
    [
        ("chunks", True),
        ("chunks entities", True),
        ("entities links", False),
        ("chunks links", False),
        ("chunks keys", False),
        ("thread", False),
    ],
)
def test_links_keys_and_edges_of_ones_own_turn_it_off(embedder, kinds, covers):
    every = {
        "entities": lambda n: {"entities": ["x"]},
        "chunks": lambda n: {"document_id": "d", "chunk_id": n},
        "links": lambda n: {"links": ["0"]},
        "keys": lambda n: {"foreign_keys": ["0"]},
        "thread": lambda n: {"thread": "t", "place": n},
    }
    objects = [
        Object(
            str(n),
            f"text {n}",
            metadata={k: v for kind in kinds.split() for k, v in every[kind](n).items()},
        )
        for n in range(3)
    ]
    index = Index.build(objects, embedder=embedder, edges={("thread", "place"): "sequence"})
    assert Reranker().choice(index).covers == covers


@pytest.mark.parametrize(
    ("pairs", "common", "covers"), [(1, 0, False), (6, 0, True), (1, 60, False), (6, 60, True)]
)
def test_a_few_joined_objects_of_many_do_not_turn_it_on(embedder, pairs, common, covers):
    objects = [
        Object(
            str(n),
            f"text {n}",
            metadata={
                # An entity of very many connects none of them.
                "entities": [f"x{n // 2}"] * (n < 2 * pairs) + ["page"] * (n < common)
            },
        )
        for n in range(100)
    ]
    choice = Reranker().choice(Index.build(objects, embedder=embedder))
    assert (choice.ranker, choice.covers) == ("diffusion", covers)

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from small_embedder import SmallEmbedder

pytest.importorskip("pydantic")


from grapher_jax import Index, Object, Reranker
from grapher_jax.errors import GrapherWarning, InputError
from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
from grapher_jax.rankers import listed
from grapher_jax.retrieve import HybridRetriever, LexicalIndex, RerankService
from grapher_jax.serve.ranking import Engine

JOINED = {"entities": ["Boston"]}


def found(identity, score, metadata=JOINED, text=None):
    return Found(identity, identity, score, identity if text is None else text, metadata)


def scored(document, hit):
    return (document, round(hit.score, 6))


def best(*documents, question="a question", **options):
    return rerank(GraphOptions(**options), [question], [documents], scored)[0]


def test_documents_are_ranked_as_the_reranker_ranks_them(shop, question):
    scores = [0.1, 0.2, 0.9, 0.3, 0.4, 0.05]
    expected = Reranker(ranker="ppr", alpha=0.4, proximities=["foreign_key"]).rerank(
        question, [item | {"score": score} for item, score in zip(shop, scores, strict=True)], k=4
    )
    documents = [
        Found(item["id"], item["id"], score, item["text"], item["metadata"])
        for item, score in zip(shop, scores, strict=True)
    ]
    assert best(
        *documents, question=question, ranker="ppr", alpha=0.4, proximities=["foreign_key"], top_k=4
    ) == [(hit.id, round(hit.score, 6)) for hit in expected]


def test_what_is_stored_holds_names_alone_and_no_key():
    url = "http://localhost:1/rerank"
    kept = GraphOptions(base=RerankService(url, key="a secret"), embedder="offline").model_dump()
    assert (kept["base"], kept["embedder"]) == (url, "offline")
    assert GraphOptions(**kept).base == url
    for base in (RerankService(url, model="m", key="a secret"), lambda question, texts: texts):
        with pytest.raises(InputError, match=r"base: .* cannot be stored") as raised:
            GraphOptions(base=base).model_dump()
        assert GraphOptions(base=base).model_dump(include={"ranker"}) == {"ranker": "auto"}
        with pytest.raises(InputError, match=r"base: .* cannot be stored"):
            GraphOptions(base=base).model_dump_json()
        assert "a secret" not in str(raised.value)


def test_lists_may_be_json():
    as_lists = [found("a", 0.9, {"foreign_keys": ["c"]}), found("b", 0.2, {}), found("c", 0.1, {})]
    as_json = [found("a", 0.9, {"foreign_keys": '["c"]'}), *as_lists[1:]]
    assert best(*as_json) == best(*as_lists)
    assert [name for name, _ in best(*as_json)] == ["a", "c", "b"]


def test_edges_of_ones_own_join_documents():
    documents = [
        found("a", 0.9, {"thread": "t", "place": 0, "cites": "c"}),
        found("b", 0.2, {}),
        found("c", 0.1, {"thread": "t", "place": 1}),
    ]
    for edges in ({"cites": "reference"}, {("thread", "place"): "sequence"}):
        ranked = best(*documents, ranker="gcs", edges=edges)
        assert [name for name, _ in ranked] == ["a", "c", "b"]
    weighed = best(*documents, ranker="gcs", edges={"cites": "reference"}, weights={"cites": 0.0})
    assert [name for name, _ in weighed] == ["a", "b", "c"]
    options = GraphOptions(edges={("thread", "place"): "sequence"})
    assert GraphOptions(**options.model_dump()).edges == {"thread,place": "sequence"}
    with pytest.raises(InputError, match=r"^edges: 'cites': 'link' cannot be used"):
        GraphOptions(edges={"cites": "link"})


def base_scores(embedder, shop, question):
    """Of each document by the base retriever, whose corpus they are; none below 0."""
    texts = [item["text"] for item in shop]
    vectors = embedder.embed_objects([text.replace("_", " ") for text in texts])
    retriever = HybridRetriever(embedder, vectors, LexicalIndex.build(texts))
    found = retriever.retrieve([question])
    scores = found.scores[0][np.argsort(found.rows[0])]
    return (scores - min(scores.min(), 0)).tolist(), vectors


def test_documents_without_a_score_have_the_base_retrievers(embedder, shop, question):
    scores, _ = base_scores(embedder, shop, question)
    given = [item | {"score": score} for item, score in zip(shop, scores, strict=True)]
    expected = Reranker(ranker="diffusion").rerank(question, given)
    # Of scores on two scales there is no order: where one lacks its own, all get another.
    documents = [
        Found(item["id"], item["id"], score, item["text"], item["metadata"])
        for item, score in zip(shop, [None, *[100.0] * 5], strict=True)
    ]
    ranked = best(*documents, question=question, ranker="diffusion")
    assert [name for name, _ in ranked] == [hit.id for hit in expected]
    np.testing.assert_allclose([s for _, s in ranked], [h.score for h in expected], atol=2e-6)


def test_a_network_ranks_documents_without_a_score(embedder, shop, question):
    scores, vectors = base_scores(embedder, shop, question)
    expected = Reranker(ranker="gat").rerank(
        question,
        [
            item | {"score": score, "embedding": vector}
            for item, score, vector in zip(shop, scores, vectors, strict=True)
        ],
    )
    documents = [
        Found(item["id"], item["id"], None, item["text"], item["metadata"]) for item in shop
    ]
    ranked = best(*documents, question=question, ranker="gat")
    assert [name for name, _ in ranked] == [hit.id for hit in expected]
    np.testing.assert_allclose([s for _, s in ranked], [h.score for h in expected], atol=1e-5)


def test_a_network_reads_the_embeddings_of_the_embedder_that_was_named(monkeypatch, shop, question):
    def small(name):
        return {"small": SmallEmbedder()}[name]

    monkeypatch.setattr(listed, "shared_embedder", small)
    scores, vectors = base_scores(SmallEmbedder(), shop, question)
    known = [item | {"score": score} for item, score in zip(shop, scores, strict=True)]
    (expected,) = Reranker(ranker="gat").rerank_batch(
        [question],
        [[one | {"embedding": own} for one, own in zip(known, vectors, strict=True)]],
        embedder=SmallEmbedder(),
    )
    documents = [
        Found(item["id"], item["id"], None, item["text"], item["metadata"]) for item in shop
    ]
    ranked = best(*documents, question=question, ranker="gat", embedder="small")
    assert [name for name, _ in ranked] == [hit.id for hit in expected]
    np.testing.assert_allclose([s for _, s in ranked], [h.score for h in expected], atol=1e-4)


def test_a_document_without_a_score_gets_the_same_one_from_the_service(embedder, shop, question):
    index = Index.build([Object("x", "elsewhere")], embedder=embedder)
    (scores,) = Engine(index, Reranker()).similarities([(question, shop)])
    documents = [
        Found(item["id"], item["id"], None, item["text"], item["metadata"]) for item in shop
    ]
    # At α = 1 a document keeps its own score.
    ranked = dict(best(*documents, question=question, ranker="gcs", alpha=1.0))
    own = dict(zip((item["id"] for item in shop), scores, strict=True))
    assert ranked == {name: round(score, 6) for name, score in own.items()}


def test_a_document_without_an_id_has_one_by_its_content():
    names = []

    def named(document, hit):
        names.append(hit.id)
        return document

    documents = [
        Found("first", None, 0.5, "same", {"entities": ["x"], "page": 1}),
        Found("again", None, 0.9, "same", {"page": 1, "entities": '["x"]'}),
        Found("other page", None, 0.4, "same", {"entities": ["x"], "page": 2}),
        Found("other text", None, 0.3, "more", {"entities": ["x"], "page": 1}),
    ]
    ranked = rerank(GraphOptions(), ["q"], [documents], named)[0]
    assert ranked == ["again", "other page", "other text"]
    assert len(set(names)) == 3
    first, names = names, []
    rerank(GraphOptions(), ["q"], [documents[::-1]], named)
    assert names == first


def test_of_one_id_the_best_document_is_kept():
    a, better, b = found("a", 0.1), Found("better", "a", 0.5, "a", JOINED), found("b", 0.3)
    for documents in ([a, better, b], [better, a, b]):
        assert [name for name, _ in best(*documents)] == ["better", "b"]
    with pytest.warns(GrapherWarning, match="'a' is the id of several texts"):
        ranked = best(a, b, Found("clash", "a", 0.5, "another text", JOINED))
    assert [name for name, _ in ranked] == ["clash", "b"]


@pytest.mark.parametrize("ranker", ["auto", "gcs", "ppr", "diffusion"])
def test_where_nothing_joins_the_order_is_the_retrievers(ranker):
    documents = [found(n, s, {}) for n, s in zip("cab", (0.9, 0.5, -0.2), strict=True)]
    with pytest.warns(GrapherWarning) as told:
        ranked = best(*documents, ranker=ranker)
    first, *others = [str(warning.message) for warning in told]
    assert re.search(f"no metadata of 3 have foreign_keys.*{ranker!r}", first)
    moved = [other.startswith("scores: some are negative") for other in others]
    assert moved == ([] if ranker == "diffusion" else [True])
    assert [name for name, _ in ranked] == ["c", "a", "b"]
    with pytest.warns(GrapherWarning, match="no graph"):
        # Unscored, as they came.
        assert best(
            *(found(n, None, {"document_id": "d"}) for n in "cab"), top_k=2, ranker=ranker
        ) == ["c", "a"]


@pytest.mark.parametrize("score", [0.5, None])
def test_there_is_no_warning_where_metadata_were_looked_for(score):
    looked_for = [found(name, score, {"entities": []}) for name in "ba"]
    assert [document[0] for document in best(*looked_for)] == ["b", "a"]
    assert best(found("alone", None, {})) == ["alone"]


def test_what_could_join_but_does_not_keeps_the_order_without_a_warning():
    ranked = best(found("a", 0.2, {"entities": ["x"]}), found("b", 0.9, {"links": ["elsewhere"]}))
    assert ranked == [("b", 0.9), ("a", 0.2)]


def test_where_one_of_some_has_a_score_all_are_compared():
    texts = {"cats": "Cats sleep all day.", "bread": "How to bake bread at home."}
    given = [found(n, s, {}, texts[n]) for n, s in (("cats", None), ("bread", 0.9))]
    with pytest.warns(GrapherWarning, match="no metadata of 2 have"):
        ranked = best(*given, question="Which recipe bakes bread?", ranker="gcs")
    assert [name for name, _ in ranked] == ["bread", "cats"]


def test_base_ranks_by_scores_else_by_similarity():
    assert best(found("b", 0.1), found("a", 0.2), ranker="base") == [("a", 0.2), ("b", 0.1)]
    texts = {"cats": "Cats sleep all day.", "bread": "How to bake bread at home."}
    question = "Which recipe bakes bread?"
    documents = [found(name, None, {}, text) for name, text in texts.items()]
    given = [{"id": name, "text": text} for name, text in texts.items()]
    expected = Reranker(ranker="base").rerank(question, given)
    assert [hit.id for hit in expected] == ["bread", "cats"]
    ranked = best(*documents, question=question, ranker="base")
    assert ranked == [(hit.id, round(hit.score, 6)) for hit in expected]


def test_nothing_comes_of_nothing():
    assert best() == []
    assert rerank(GraphOptions(), [], [], scored) == []


def test_questions_of_a_batch_do_not_mix():
    one = [found("a", 0.9), found("b", 0.1)]
    other = [found("a", 0.2, {"entities": ["x"]}), found("c", 0.3, {"entities": ["x"]})]
    both = rerank(GraphOptions(), ["q", "r", "s"], [one, [], other], scored)
    assert both == [best(*one), [], best(*other)]


def test_many_threads_may_rank_at_once():
    options = GraphOptions(top_k=3)
    documents = [found(str(n), n / 40, {"entities": [str(n // 5)]}) for n in range(40)]

    def ranked(_):
        return rerank(options, ["q"], [documents], scored)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ranked, range(16))) == [ranked(0)] * 16


def test_options_may_be_assigned_to():
    options = GraphOptions(alpha=0.9)
    documents = [found("a", 0.9), found("b", 0.1)]
    options.alpha = 0.1
    assert rerank(options, ["q"], [documents], scored)[0] == best(*documents, alpha=0.1)
    assert best(*documents, alpha=0.1) != best(*documents, alpha=0.9)
    copy = options.model_copy(update={"alpha": 0.9})
    assert rerank(copy, ["q"], [documents], scored)[0] == best(*documents, alpha=0.9)


def test_an_explanation_is_told_on_request():
    documents = [found("a", 0.9), found("b", 0.1)]
    options = GraphOptions(explain=True, alpha=0.5)
    told = rerank(options, ["q"], [documents], lambda _, hit: options.explanation(hit))[0]
    b = told[1]["explanation"]
    assert b["id"] == "b"
    assert b["sources"][0]["relations"] == ("shared_entity",)
    assert sum(source["amount"] for source in b["sources"]) == pytest.approx(b["score"], abs=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 2}, r"alpha: 2.0 is outside \(0, 1\]"),
        ({"alpha": "much"}, "alpha: Input should be a valid number"),
        ({"ranker": "bert"}, "ranker: 'bert' is unknown"),
        ({"top_k": 0}, "top_k: .*greater than or equal to 1"),
        ({"max_df": 0}, "max_df: 0 must be at least 1"),
        ({"proximities": "chunk"}, "proximities: Input should be a valid list"),
        ({"alfa": 0.2}, "alfa: Extra inputs are not permitted"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(InputError, match=message):
        GraphOptions(**options)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (found("a", float("nan")), "candidate 1 of question 1: score must be a finite number"),
        (found("a", "high"), "candidate 1 of question 1: score must be a finite number"),
        (found("a", None, text=" "), "candidate 'a' has no score, no text and no embedding"),
    ],
)
def test_bad_documents_are_named(document, message):
    with pytest.raises(InputError, match=message):
        best(document)


@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({"entities": "Boston"}, "document 'a': metadata.entities must be a list"),
        ({"chunk_id": "abc"}, "document 'a': metadata.chunk_id must be an integer"),
        ({"links": "http://x"}, "document 'a': metadata.links must be a list of .* 'http://x'"),
        ({"document_id": 1.5}, "document 'a': metadata.document_id must be a string"),
    ],
)
def test_metadata_of_other_tools_are_left_out_with_one_warning(metadata, message):
    (key,) = metadata
    ours = {"foreign_keys": ["c"]}
    documents = [found("a", 0.9, ours | metadata), found("b", 0.2, metadata), found("c", 0.1, {})]
    with pytest.warns(GrapherWarning, match=f"{message}.*; left out .* 1 more .*rename") as told:
        ranked = best(*documents)
    assert len(told) == 1
    plain = [found("a", 0.9, ours), found("b", 0.2, {}), found("c", 0.1, {})]
    assert ranked == best(*plain)
    assert key in documents[0].metadata


@pytest.mark.parametrize("keywords", ["a, b", "", 3])
def test_keywords_of_other_tools_are_no_matter(keywords):
    assert best(found("a", 0.5, JOINED | {"keywords": keywords})) == [("a", 0.5)]


def test_bad_questions_and_numbers_are_named():
    with pytest.raises(InputError, match="question 1: empty"):
        best(found("a", None), question=" ")
    with pytest.raises(InputError, match="proximity: 'kinship' is unknown"):
        best(found("a", 0.5), proximities=["kinship"])
    with pytest.raises(InputError, match="reads the documents around candidates"):
        best(found("a", 0.5), ranker="query-gnn")
    with pytest.raises(InputError, match="k: 0 must be at least 1"):
        rerank(GraphOptions(), ["q"], [[found("a", 0.5)]], scored, top_k=0)


@pytest.mark.parametrize(
    ("module", "framework", "extra"),
    [
        pytest.param("langchain", "langchain_core", "langchain", marks=pytest.mark.nightly),
        pytest.param("llama_index", "llama_index", "llama-index", marks=pytest.mark.nightly),
        pytest.param("haystack", "haystack", "haystack", marks=pytest.mark.nightly),
    ],
)
def test_a_framework_alone_suffices_and_a_missing_one_is_named(module, framework, extra):
    pytest.importorskip(framework)
    # What other extras hold is out of reach; then the framework is, too.
    code = f"""
import importlib, sys
for name in ["flax", "tokenizers", "safetensors", "sentence_transformers", "torch"]:
    sys.modules[name] = None
from grapher_jax.integrations import {module}
from grapher_jax.integrations.candidates import Found, GraphOptions, rerank
documents = [Found(n, n, 0.5, "", {{"entities": ["x"]}}) for n in "ab"]
assert rerank(GraphOptions(), [""], [documents], lambda d, hit: d) == [["a", "b"]]
for name in [m for m in sys.modules if m.split(".")[0] == {framework!r}]:
    del sys.modules[name]
del sys.modules["grapher_jax.integrations.{module}"]
class Gone:
    def find_spec(self, name, *_):
        if name.split(".")[0] == {framework!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name={framework!r})
sys.meta_path.insert(0, Gone())
from grapher_jax.errors import MissingExtraError
try:
    importlib.import_module("grapher_jax.integrations.{module}")
except MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == (
        f'{framework} is not installed; run: pip install "grapher-jax[{extra}]"'
    ), done.stderr

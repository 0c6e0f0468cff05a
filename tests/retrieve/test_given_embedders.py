"""What other libraries embed by, and functions, as embedders."""

import numpy as np
import pytest

from grapher_jax import Index, Object, Reranker
from grapher_jax.errors import InputError
from grapher_jax.retrieve import open_embedder
from grapher_jax.retrieve.embedders.given import of_other_library

TEXTS = ["orders of boston", "songs", "orders of boston"]
NUMBERS = {"orders of boston": [3.0, 4.0], "songs": [0.0, 2.0], "who ordered?": [5.0, 0.0]}


class Counted:
    """A function from texts to vectors that counts what it is asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, texts):
        self.asked += texts
        return [NUMBERS.get(text, [1.0, 1.0]) for text in texts]


def test_a_function_embeds_each_text_once():
    function = Counted()
    embedder = of_other_library(function)
    np.testing.assert_allclose(embedder.embed_objects(TEXTS), [[0.6, 0.8], [0, 1], [0.6, 0.8]])
    assert function.asked == TEXTS[:2]
    # Whoever opens it again finds what was kept; a question is another text.
    assert of_other_library(function) is embedder
    of_other_library(function).embed_objects(["songs"])
    assert (len(function.asked), embedder.dimension) == (2, 2)
    embedder.embed_queries(["songs"])
    assert function.asked == [*TEXTS[:2], "songs"]
    assert embedder.embed_objects([]).shape == (0, 2)


def test_vectors_of_another_length_are_not_kept():
    size = 2
    embedder = of_other_library(lambda texts: [[1.0] * size for _ in texts])
    embedder.embed_objects(["songs"])
    size = 3
    with pytest.raises(InputError, match="vectors of different lengths"):
        embedder.embed_objects(["songs", "boats"])
    size = 2
    assert embedder.embed_objects(["songs", "boats"]).shape == (2, 2)


def test_vectors_are_reused_by_the_same_embedder_alone():
    objects = [Object(text, text) for text in NUMBERS]
    one, other = Counted(), Counted()
    index = Index.build(objects, embedder=one)
    again = Index.build(objects, embedder=one, reuse=index)
    np.testing.assert_array_equal(again.embeddings, index.embeddings)
    with pytest.raises(InputError, match="reuse: that index has another embedder of this name"):
        Index.build(objects, embedder=other, reuse=index)


def test_texts_without_scores_are_compared_by_it():
    function = Counted()
    texts = ["songs", "orders of boston"]
    for _ in range(2):
        hits = Reranker(ranker="base").rerank("who ordered?", texts, embedder=function)
        assert [hit.text for hit in hits] == texts[::-1]
    # Checking types asks for the dimension, for which a text is embedded.
    asked = [text for text in function.asked if text != "dimension"]
    assert sorted(asked) == sorted([*texts, "who ordered?"])


def test_an_index_says_that_no_name_opens_it(tmp_path):
    index = Index.build([Object("a", "songs"), Object("b", "orders")], embedder=Counted())
    assert index.embedder.name == "given:Counted"
    index.save(tmp_path / "index")
    with pytest.raises(InputError, match=r"'Counted' was given as an object.*Index.load\(path"):
        Index.load(tmp_path / "index")
    opened = Index.load(tmp_path / "index", embedder=Counted())
    assert opened.search("who ordered?", k=1)[0].id == "b"


def of_langchain():
    embeddings = pytest.importorskip("langchain_core.embeddings")
    return embeddings.DeterministicFakeEmbedding(size=5)


def of_llama_index():
    return pytest.importorskip("llama_index.core").MockEmbedding(embed_dim=5)


def of_haystack():
    module = pytest.importorskip("haystack.components.embedders")
    return module.MockTextEmbedder(dimension=5)


def of_haystack_for_both():
    module = pytest.importorskip("haystack.components.embedders")
    return of_haystack(), module.MockDocumentEmbedder(dimension=5)


@pytest.mark.parametrize("made", [of_langchain, of_llama_index, of_haystack, of_haystack_for_both])
def test_an_embedder_of_another_library_embeds(made):
    embedder = open_embedder(made())
    for embed in (embedder.embed_queries, embedder.embed_objects):
        vectors = embed(TEXTS)
        assert (vectors.shape, vectors.dtype) == ((3, 5), np.float32)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
        np.testing.assert_array_equal(vectors[0], vectors[2])


@pytest.mark.parametrize("given", [3, (), (1, 2), dict, [len]], ids=repr)
def test_what_is_no_embedder(given):
    with pytest.raises(InputError, match="embedder: a name or an embedder is needed"):
        open_embedder(given)


@pytest.mark.parametrize(
    "vectors",
    [None, [[], []], [[1.0]], [1.0, 2.0], [["a"], ["b"]], [[np.nan], [1.0]], [[1.0], [1.0, 2.0]]],
)
def test_what_gives_no_vectors(vectors):
    with pytest.raises(InputError, match=r"<lambda> must give a list of finite numbers for each"):
        of_other_library(lambda texts: vectors).embed_objects(["a", "b"])

"""The retrieval options that an index has by default."""

import pytest

from grapher_jax.corpus import Object
from grapher_jax.errors import GrapherWarning
from grapher_jax.index.defaults import default_options
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.search import Index

CHINESE = [Object(str(n), f"安装 Debian 需要多少内存 {n}", "", {}) for n in range(3)]
ENGLISH = [Object(str(n), f"how much memory is needed {n}", "", {}) for n in range(3)]
RUSSIAN = [Object(str(n), f"сколько памяти нужно {n}", "", {}) for n in range(3)]


class Other(OfflineEmbedder):
    """An embedder of whose languages nothing is known."""

    name = "some/model"


def test_words_decide_where_the_embedder_has_not_learned_the_script(embedder):
    assert embedder.name == "offline"
    with pytest.warns(GrapherWarning, match=r"has not learned the script .* \(lexical_weight 0.9"):
        index = Index.build(CHINESE, embedder=embedder)
    assert index.options.lexical_weight == 0.9
    assert Index.build(CHINESE, embedder=embedder, lexical_weight=0.4).options.lexical_weight == 0.4
    assert Index.build(ENGLISH, embedder=embedder).options.lexical_weight == 0.3


@pytest.mark.parametrize("objects", [ENGLISH, RUSSIAN, [Object("a", "12 + 3", "", {})]])
def test_other_texts_have_the_weights_as_before(embedder, objects):
    texts = [item.text for item in objects]
    assert default_options(objects, texts, embedder, given=False).lexical_weight == 0.3


def test_of_another_embedder_nothing_is_known():
    texts = [item.text for item in CHINESE]
    assert default_options(CHINESE, texts, Other(), given=False).lexical_weight == 0.3

"""Mentions: which objects have titles that the text of another mentions.

An index finds them by itself; metadata tell them to rankers of candidates without an index, such as
those of a vector store.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grapher_jax.corpus import Object, check_corpus
from grapher_jax.corpus.keys import MENTIONS
from grapher_jax.corpus.titles import may_mention
from grapher_jax.files import Json
from grapher_jax.retrieve.embedders import Progress, no_progress


@dataclass(frozen=True)
class Mentions:
    """An enricher that adds `title_mentions` to objects without any.

    Attributes:
        found: by id, the ids of the objects that an object mentions, see `find_mentions`.
    """

    found: Mapping[str, Sequence[str]]

    name = "mentions"

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide the result."""
        told = json.dumps(sorted(self.found.items())).encode()
        return {"found": hashlib.sha256(told).hexdigest()}

    def __call__(self, item: Object, /) -> Object:
        """The object with `metadata.title_mentions`, if that is not there and not empty."""
        if MENTIONS.name in item.metadata or not (found := self.found.get(item.id)):
            return item
        return replace(item, metadata={**item.metadata, MENTIONS.name: [*found]})


def find_mentions(
    objects: Iterable[Object], *, progress: Progress = no_progress
) -> dict[str, list[str]]:
    """By id, the ids of the objects whose titles an object's text mentions, as an index finds them.

    Objects that mention nothing are left out, and those whose metadata say what they mention.

    Args:
        objects: all objects of a corpus.
        progress: called with the number of newly read objects.

    Raises:
        InputError: for an empty corpus, a repeated id, and metadata that cannot be read.
    """
    # Worker processes, which import this module, need neither these nor the JAX that they bring.
    from grapher_jax.graph import GraphArrays, Metadata
    from grapher_jax.index.mentions import with_mentions
    from grapher_jax.index.parts import names_of

    items = []
    for item in objects:
        items.append(item)
        progress(1)
    items = check_corpus(items)
    ids = [item.id for item in items]
    named = names_of(items, {}, ())
    graph = GraphArrays.resolved(Metadata(ids, [item.metadata for item in items]), named)
    lists = with_mentions(graph, items, named).lists("mentions")
    return {
        item.id: [ids[row] for row in own]
        for row, item in enumerate(items)
        if may_mention(item) and (own := lists.at(row).tolist())
    }

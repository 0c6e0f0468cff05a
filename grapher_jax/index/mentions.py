"""The objects that mention others by their titles, found in texts.

The titles that each object mentions are kept with the graph, so that an update looks for all titles
only in new texts, and for new titles only in texts that have their words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.corpus import Object
from grapher_jax.corpus.titles import Titles, called_of, may_mention, title_of, words_in, written
from grapher_jax.graph import EMPTY, PROXIMITIES, GraphArrays, Ragged, of_keys
from grapher_jax.graph.names import AllNamed, Names, letters, names_in
from grapher_jax.retrieve import LexicalIndex

# The names of the titles and codes of objects among the names that a part stores.
TITLES = "titles"
CALLED = "called"
# A title that more objects mention, or bear, says little. On the train splits of MuSiQue and
# HotpotQA, 16 was better than 8 and 32.
_MOST = 16
# Two arrays of the graph: for each object, those that it mentions; and one bearer of each title in
# its text, however common the title is.
_MENTIONS, _SAID = "mentions", "titles_said"
MENTIONED = (_MENTIONS, _SAID)


def titles_in(objects: Iterable[Object]) -> Names:
    """The title of each object, none for an object that cannot be mentioned."""
    return Names.build([title] if (title := title_of(item)) else [] for item in objects)


def called_in(objects: Iterable[Object]) -> Names:
    """The codes and numbers by which questions call each object, beside its id."""
    return Names.build(map(called_of, objects))


def with_mentions(graph: GraphArrays, objects: Sequence[Object], named: AllNamed) -> GraphArrays:
    """The graph with edges to the objects that each object mentions.

    Args:
        graph: the graph of the objects, with the mentions that their metadata give.
        objects: all objects.
        named: what they refer to, with their titles.
    """
    titles = _Titles.of(names_in(named, TITLES))
    return titles.join(graph, titles.said_by(enumerate(objects), only=titles.borne))


@dataclass(frozen=True)
class Update:
    """What an update changes.

    Attributes:
        graph: the graph before it.
        named: the names before it.
        staying: `[n]` the rows that stay, ascending.
        added: the objects that come after these.
    """

    graph: GraphArrays
    named: AllNamed
    staying: Int[ndarray, " n"]
    added: Sequence[Object]


def updated_mentions(
    update: Update,
    graph: GraphArrays,
    objects: Sequence[Object],
    named: AllNamed,
    lexical: LexicalIndex,
) -> GraphArrays:
    """As `with_mentions`, from what was known before an update.

    Args:
        update: the update.
        graph: see `with_mentions`, as the next two.
        objects: see `with_mentions`.
        named: see `with_mentions`.
        lexical: the words of all objects.
    """
    kept = update.graph.others.get(_SAID)
    titles, first = _Titles.of(names_in(named, TITLES)), len(update.staying)
    # A vocabulary only grows with an update, so that its numbers stay.
    before = names_in(update.named, TITLES).single
    known_before = np.zeros(len(titles.vocabulary), bool)
    known_before[before[before != EMPTY]] = True
    added_titles = np.unique(titles.numbers[first:])
    added_titles = added_titles[added_titles != EMPTY]
    new = added_titles[~known_before[added_titles]].tolist()
    # Without bigrams, a word of BM25 may be several words here.
    if not isinstance(kept, Ragged) or (new and not lexical.reading.bigrams):
        return with_mentions(graph, objects, named)
    known = Ragged(kept.offsets, before[kept.values]).only(update.staying)
    added = enumerate(update.added, start=first)
    possible = titles.beginning_in(item.text for item in update.added)
    pairs = [(known.owners, known.values), titles.said_by(added, only=possible)]
    if new:
        # Each text is read once, however many of the new titles have their words in it.
        having = [lexical.having(written(titles.vocabulary[number])) for number in new]
        rows = np.unique(np.concatenate(having))
        texts = ((row, objects[row]) for row in rows[rows < first].tolist())
        pairs.append(titles.said_by(texts, only=new))
    owners, said = map(np.concatenate, zip(*pairs, strict=True))
    return titles.join(graph, (owners, said))


# Owners and titles, as rows and numbers.
_Pairs = tuple[Int[ndarray, " p"], Int[ndarray, " p"]]


@dataclass(frozen=True)
class _Titles:
    """The titles of all objects.

    Attributes:
        vocabulary: each title once; some may no longer be borne.
        numbers: `[N]` the title of each object, -1 for none.
    """

    vocabulary: Sequence[str]
    numbers: Int[ndarray, " N"]

    @classmethod
    def of(cls, titles: Names) -> "_Titles":
        """From the names that the parts of an index store."""
        return cls(letters(titles.vocabulary), titles.single)

    @property
    def borne(self) -> list[int]:
        """The numbers of the titles that objects bear."""
        # Counted, because `np.unique` takes two hundred times as long for a million objects.
        counts = np.bincount(self.numbers[self.numbers != EMPTY])
        found: list[int] = np.flatnonzero(counts).tolist()
        return found

    def beginning_in(self, texts: Iterable[str]) -> list[int]:
        """The titles whose first word is in some texts: the only ones that these may mention."""
        words: set[str] = set().union(*map(words_in, texts))
        if not words:
            return []
        return [one for one in self.borne if self.vocabulary[one].split(" ", 1)[0] in words]

    def said_by(self, objects: Iterable[tuple[int, Object]], *, only: Sequence[int]) -> _Pairs:
        """Those of some titles that some objects mention, except their own.

        Args:
            objects: the objects with their rows.
            only: the titles.
        """
        places = {self.vocabulary[number]: number for number in only}
        titles = Titles(places)
        owners: list[int] = []
        said: list[int] = []
        for row, item in objects:
            if may_mention(item):
                own = [places[title] for title in titles.in_text(item.text)]
                other = [number for number in own if number != self.numbers[row]]
                owners += [row] * len(other)
                said += other
        return np.array(owners, np.int64), np.array(said, np.int64)

    def join(self, graph: GraphArrays, said: _Pairs) -> GraphArrays:
        """The graph, joined by the titles that objects mention unless keys join objects.

        Tables, and what is written beside them, name columns, which may be called like tables.
        """
        owners, titles = said
        size, bearing = len(self.vocabulary), np.flatnonzero(self.numbers != EMPTY)
        bearers = np.full(size, EMPTY, np.int32)
        bearers[self.numbers[bearing[::-1]]] = bearing[::-1]
        borne = bearers[titles] != EMPTY
        owners, titles = owners[borne], titles[borne]
        kept = Ragged.from_pairs(owners, bearers[titles], len(self.numbers))
        rare = np.bincount(titles, minlength=size)[titles] <= _MOST
        if any(PROXIMITIES[name].joins(graph).any() for name in of_keys(PROXIMITIES)):
            rare[:] = False
        found = Ragged.from_pairs(owners[rare], titles[rare], len(self.numbers))
        found = found.through(self._mentioned(graph, bearing))
        given = graph.lists(_MENTIONS)
        mentions = Ragged.from_pairs(
            np.concatenate([given.owners, found.owners]),
            np.concatenate([given.values, found.values]),
            len(self.numbers),
        )
        return replace(graph, others={**graph.others, _MENTIONS: mentions, _SAID: kept})

    def _mentioned(self, graph: GraphArrays, bearing: Int[ndarray, " m"]) -> Ragged:
        """For each title, the objects that a mention of it leads to.

        Of a document in chunks, this is the first chunk.
        """
        chunked = graph.chunk_ids[bearing] != EMPTY
        parts = bearing[chunked]
        documents = graph.document_ids[parts].astype(np.int64) + 1
        whole = self.numbers[parts] * (documents.max(initial=0) + 1) + documents
        wholes = np.unique(whole, return_inverse=True)[1]
        lowest = np.full(len(parts), np.iinfo(np.int32).max)
        np.minimum.at(lowest, wholes, graph.chunk_ids[parts])
        first = parts[graph.chunk_ids[parts] == lowest[wholes]]
        found = np.sort(np.concatenate([bearing[~chunked], first]))
        mentioned = Ragged.from_pairs(self.numbers[found], found, len(self.vocabulary))
        return mentioned.without_long(_MOST)

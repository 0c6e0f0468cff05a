"""Tells the language of texts that are not English by its most frequent words."""

from collections import Counter
from collections.abc import Iterable

from grapher_jax.text import tokenize

# Words that only few other languages have, by the name that Snowball gives the language.
_FREQUENT = {
    "catalan": "els amb és les una dels més als aquest pels també són ser aquesta",
    "danish": "og er det på til af den som ikke blev kan eller fra",
    "dutch": "het een van en niet zijn voor met wordt naar aan ook bij deze",
    "finnish": "ja ei että se hän oli ovat myös tai kun mutta ole kuin joka",
    "french": "le la les des et est une du dans que pour pas vous sur",
    "german": "der die und das ist nicht von mit den ein eine sie auf zu",
    "hungarian": "az és hogy nem egy vagy csak ez mint kell lehet amely minden",
    "italian": "il di che della per non una sono è con gli nel più anche",
    "norwegian": "og er det på til av den som ikke ble kan eller fra ved",
    "portuguese": "o de que não uma da em para os com é ao dos das",
    "romanian": "și în este de nu pe cu care din mai sau pentru fi",
    "russian": "и в не на что с по это для как или из к от",
    "spanish": "el de que los las en del una por con para es se",
    "swedish": "och är att det på till av den som inte kan eller från för",
    "turkish": "ve bir bu için ile olarak olan gibi daha değil çok kadar her",
}
_WORDS = 60
# The part of all words that a language's frequent ones must be. In manuals that are translated in
# part it was 3 to 13 %, and of other languages at most 1 % of English ones.
_SHARE = 0.03
# How many of a language's frequent words must occur: one or two may be words of another, as "met".
_DIFFERENT = 4


def spoken_in(texts: Iterable[str]) -> str:
    """The language of many of the texts, by its English name; empty for English.

    A language that is not among those known may be taken for one that is close to it, such as
    Ukrainian for Russian.

    Args:
        texts: some texts, of which the beginning is read.
    """
    counts = Counter(word for text in texts for word in tokenize(text[: 10 * _WORDS])[:_WORDS])
    frequent = {name: sum(counts[word] for word in own.split()) for name, own in _FREQUENT.items()}
    best = max(frequent, key=frequent.__getitem__)
    different = sum(word in counts for word in _FREQUENT[best].split())
    enough = frequent[best] > _SHARE * counts.total() and different >= _DIFFERENT
    return best if enough else ""

"""Questions made from objects' own words, each with that object as its only answer.

Most judged questions ask for several objects, and a network trained only on these raises every
neighbour of a good candidate. This is the inverse cloze task (Lee et al., 2019, section 4), with
some words left out to make retrieval harder.
"""

import re
from collections.abc import Sequence

import numpy as np

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# Shorter sentences do not identify an object; of longer ones, the beginning is enough.
_SHORTEN_FROM, _LONGEST = 8, 40
_KEPT = (0.2, 0.7)
_FEWEST = 3


def cloze_questions(texts: Sequence[str], count: int, *, seed: int = 0) -> dict[int, str]:
    """Questions from some of the words of some texts.

    Args:
        texts: the texts of objects.
        count: how many questions; fewer if fewer texts have a sentence of eight words.
        seed: the seed for choosing texts, sentences and words.

    Returns:
        By position in `texts`, in this order: words of one sentence in their order, between a fifth
        and seven tenths of them, and at least three.
    """
    rng = np.random.default_rng(seed)
    made: dict[int, str] = {}
    for place in rng.permutation(len(texts)):
        if len(made) == count:
            break
        sentences = [s.split() for s in _SENTENCE.split(texts[place])]
        long = [words for words in sentences if len(words) >= _SHORTEN_FROM]
        if not long:
            continue
        words = long[rng.integers(len(long))][:_LONGEST]
        kept = max(_FEWEST, round(rng.uniform(*_KEPT) * len(words)))
        chosen = np.sort(rng.choice(len(words), kept, replace=False))
        made[int(place)] = " ".join(words[i] for i in chosen)
    return dict(sorted(made.items()))

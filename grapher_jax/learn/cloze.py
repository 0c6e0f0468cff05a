"""Questions made of objects' own words, each with that object as its one answer.

Most judged questions ask for several objects, and a network that saw no others lifts whatever
stands beside a good candidate. This is the inverse cloze task (Lee et al., 2019, section 4) with
words left out, so that not every question is found at once.
"""

import re
from collections.abc import Sequence

import numpy as np

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
# A sentence of fewer words names no object; of a longer one the beginning is enough.
_SHORTEN_FROM, _LONGEST = 8, 40
_KEPT = (0.2, 0.7)
_FEWEST = 3


def cloze_questions(texts: Sequence[str], count: int, *, seed: int = 0) -> dict[int, str]:
    """Questions from some of the words of some texts.

    Args:
        texts: of objects.
        count: how many questions; fewer where fewer texts have a sentence of eight words.
        seed: decides which texts, sentences and words.

    Returns:
        By place in `texts`, in the order of these: words of one sentence in their order, between a
        fifth and seven tenths of them and at least three.
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

"""Keywords as metadata: candidates by YAKE, of which k-medoids keeps one per meaning."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from importlib import resources
from importlib.metadata import version

import numpy as np

from grapher_jax.checks import check_count
from grapher_jax.corpus import Object
from grapher_jax.errors import InputError, require
from grapher_jax.files import Json
from grapher_jax.retrieve import shared_embedder
from grapher_jax.text import readable

_LIBRARIES = ("yake", "kmedoids")
_LONGEST = 100


@dataclass(frozen=True)
class Keywords:
    """Keyword-graph RAG's enrichment (section 4.2): YAKE, then k-medoids over embeddings.

    The paper only names the two algorithms. Here YAKE ranks the n-grams of title and text; the best
    are embedded, and clustered by cosine distance (FasterPAM with BUILD initialisation; only the
    order of swaps is random, with a fixed seed). The medoids are the keywords, in YAKE's order. If
    there are no more candidates than `keywords`, all are kept. The defaults are the number of
    keywords in the paper's listing 1, with up to three words as there, and YAKE's own default of 20
    candidates.

    Attributes:
        candidates: the maximum number of n-grams from YAKE.
        keywords: the maximum number of keywords kept.
        max_ngram: the maximum number of words in a keyword.
        embedder: `offline`, or a sentence-transformers name or path.
        language: the language of the texts, as an ISO 639-1 code, for YAKE's stop words.

    Raises:
        InputError: for a number below 1, or a language without stop words in YAKE.
        MissingExtraError: if YAKE or kmedoids is not installed.
    """

    candidates: int = 20
    keywords: int = 8
    max_ngram: int = 3
    embedder: str = "offline"
    language: str = "en"

    name = "keywords"

    def __post_init__(self) -> None:
        for field in ("candidates", "keywords", "max_ngram"):
            check_count(field, getattr(self, field))
        for module in _LIBRARIES:
            require(module)
        lists = resources.files("yake.core") / "StopwordsList"
        if not (lists / f"stopwords_{self.language}.txt").is_file():
            raise InputError(
                f"language: YAKE has no stop words of {self.language!r}; give a code such "
                "as en, de or ja"
            )

    @property
    def settings(self) -> Mapping[str, Json]:
        """The parameters that decide the result."""
        return {**asdict(self), "versions": [*map(version, _LIBRARIES)]}

    def __call__(self, item: Object, /) -> Object:
        """The object with `metadata["keywords"]`; empty if it has only stop words or no text.

        Raises:
            InputError: if there is no such embedder.
            MissingExtraError: if a package that the embedder needs is not installed.
        """
        return replace(item, metadata={**item.metadata, "keywords": self._choose(item)})

    def _choose(self, item: Object) -> list[str]:
        extractor = require("yake").KeywordExtractor(
            lan=self.language, n=self.max_ngram, top=self.candidates
        )
        # A full stop between them, so that no keyword spans title and text.
        text = f"{item.title}.\n{item.text}" if item.title else item.text
        ranked = extractor.extract_keywords(text)
        found = [phrase for phrase, _ in ranked if len(phrase) <= _LONGEST]
        if len(found) <= self.keywords:
            return found
        embeddings = shared_embedder(self.embedder).embed_objects([*map(readable, found)])
        distances = np.clip(1 - embeddings @ embeddings.T, 0, None)
        clusters = require("kmedoids").fasterpam(
            distances, self.keywords, init="build", random_state=0, n_cpu=1
        )
        return [found[medoid] for medoid in sorted(clusters.medoids)]

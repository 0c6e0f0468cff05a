"""Train the network for tables on cosines of questions that the query adapter has not learned from.

    python docs/tools/query_adapter.py data/bird data/spider data/app-* --folds folds
    python docs/tools/train_tables.py folds data/bird data/spider data/app-* --out gat-tables

An adapter knows the questions that it learned from better than any others, so that a network which
read its cosines of these would trust them too much. Here each question is read by the adapter that
did not learn from it. The sources are those of the adapters, in their order.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from query_adapter import FOLDS, WEIGHTS, Source, fold_of

from grapher_jax.files import parse_json
from grapher_jax.learn.trainer import train
from grapher_jax.retrieve.embedders import Progress, load_embedder, no_progress
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.retrieve.embedders.query_adapter import FOR_TABLES, AdaptedEmbedder
from grapher_jax.systems.networks import architectures
from grapher_jax.training import weights
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.program import use_cores

RECIPE = Path(weights.__file__).parent / "recipe" / "gat-tables.json"


@dataclass(frozen=True)
class CrossFitted(AdaptedEmbedder):
    """An embedder that knows the embeddings of some questions, and reads no other.

    Attributes:
        known: the embeddings by question.
    """

    known: Mapping[str, Float[ndarray, " d"]] = field(default_factory=dict, repr=False)

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "N d"]:
        """`[N, 384]` float32 embeddings of questions; KeyError for an unknown one."""
        progress(len(texts))
        return np.stack([self.known[text] for text in texts])


def cross_fitted(folder: Path, sources: Sequence[Source]) -> CrossFitted:
    """The embedder of the questions of some sources, with the adapters in a folder."""
    known: dict[str, ndarray] = {}
    for fold in FOLDS:
        reader = OfflineEmbedder(fold_of(folder, fold) / WEIGHTS)
        texts = []
        for place, source in enumerate(sources):
            held = source.held(place, fold)
            texts += [
                text
                for text, rows in zip(source.asked, source.relevant, strict=True)
                if held[rows[0]]
            ]
        known |= zip(texts, reader.embed(texts), strict=True)
    return CrossFitted(load_embedder("offline"), FOR_TABLES, known)


def main(arguments: Sequence[str] | None = None) -> int:
    """Train."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folds", type=Path)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--config", type=Path, default=RECIPE)
    parser.add_argument("--out", type=Path, required=True)
    told = parser.parse_args(arguments)
    embedder = cross_fitted(told.folds, [Source.read(folder) for folder in told.sources])
    config = parse_json(told.config.read_text(encoding="utf-8"))
    wanted = TrainConfig.from_json(config, place=str(told.config), architectures=architectures())
    use_cores(wanted.batch_size)
    report = train(wanted, told.out, embedder=embedder)
    print(report["weights"], report["watch"])  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())

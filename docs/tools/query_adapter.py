"""Train the query adapter for tables, and write it where it ships.

    python bench/application_corpora.py data/
    python docs/tools/query_adapter.py data/bird data/spider data/app-*

A source is a BEIR folder or an index of tables with questions for training. The offline embedder
reads the questions, with thin matrices added to its linear layers, and these alone are learned: a
relevant table's cosine shall exceed those of the tables that are not relevant, among all tables of
the source and among those of its own database. Embeddings of tables stay as they are. The questions
of a small source are read several times.

`--folds DIR` trains two others instead, each from half of the databases (of the sources with one
database, from every second), prints what cosines rank in the other half, and writes both under DIR.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray
from numpy.random import Generator
from safetensors.numpy import save

import grapher_jax
from grapher_jax.files import atomic_folder
from grapher_jax.retrieve.embedders.bert import LINEAR, Bert, adapted, load_bert
from grapher_jax.retrieve.embedders.offline import LENGTHS, OfflineEmbedder
from grapher_jax.retrieve.embedders.query_adapter import FOR_TABLES, shipped_adapter
from grapher_jax.search import open_source

SPLIT, WEIGHTS, FOLDS = "train", "weights.safetensors", (0, 1)
RANK = 6
TEMPERATURE = 0.05
BATCH, RATE, WEIGHT_DECAY, WARMUP, CLIP = 32, 5e-4, 1e-4, 30, 1.0
# By this factor a step remembers those before it. The usual 0.9 ranks unseen databases no better.
MOMENTUM = 0.01
# The share of the questions that is read; those of small sources count as often as they are.
EPOCHS = 0.8
# A source with fewer questions has each of them read several times.
FEWEST = 800
# Of one question, at most; the others are neither relevant nor irrelevant.
RELEVANT = 8
TOLD_EVERY = 100

Adapter = Mapping[str, Float[Array, "_ _"]]


@dataclass(frozen=True)
class Source:
    """Tables with questions for training.

    Attributes:
        name: of the folder.
        tables: `[N, d]` the embeddings of the tables.
        databases: `[N]` a number of each table's database.
        asked: the questions as the embedder reads them.
        relevant: of each question, the rows of its relevant tables.
    """

    name: str
    tables: Float[ndarray, "N d"]
    databases: Int[ndarray, " N"]
    asked: Sequence[str]
    relevant: Sequence[Sequence[int]]

    @classmethod
    def read(cls, folder: str) -> "Source":
        """The source in a folder."""
        index = open_source(folder)
        judged, reading = index.judgements(SPLIT), index.lexical.reading
        names = [str(item.metadata.get("db", "")) for item in index.objects]
        relevant = {
            query: [index.rows[name] for name, grade in own.items() if grade > 0]
            for query, own in judged.items()
        }
        asked = [query for query, rows in relevant.items() if rows]
        return cls(
            name=Path(folder).name,
            tables=np.asarray(index.embeddings),
            databases=np.unique(names, return_inverse=True)[1].astype(np.int32),
            asked=[reading.words(reading.asked(index.queries[name].text)) for name in asked],
            relevant=[relevant[name] for name in asked],
        )

    def held(self, place: int, fold: int) -> Bool[ndarray, " N"]:
        """Which tables a fold holds out: of every second database.

        Args:
            place: of the source among all; it decides where there is one database.
            fold: 0 or 1.
        """
        several = self.databases.max() > 0
        return (self.databases if several else np.full_like(self.databases, place)) % 2 == fold

    def asking(self, tables: Bool[ndarray, " N"]) -> list[int]:
        """The questions all of whose relevant tables are among these."""
        return [place for place, rows in enumerate(self.relevant) if tables[list(rows)].all()]


@dataclass(frozen=True)
class Lesson:
    """All questions to learn from, over the tables of all sources.

    Attributes:
        tokens: of each question.
        relevant: `[Q, r]` rows of tables, padded with -1.
        source: `[Q]` the number of its source.
        tables: `[N, d]` embeddings; `[N]` their source, -1 where held out; `[N]` their database.
    """

    tokens: Sequence[Sequence[int]]
    relevant: Int[ndarray, "Q r"]
    source: Int[ndarray, " Q"]
    tables: tuple[Float[ndarray, "N d"], Int[ndarray, " N"], Int[ndarray, " N"]]

    def batches(self, rng: Generator) -> Iterator[tuple[ndarray, ...]]:
        """Batches of questions in random order: tokens, lengths, relevant rows, sources."""
        order = rng.permutation(len(self.tokens))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            lengths = np.array([len(self.tokens[one]) for one in chosen], np.int32)
            tokens = np.zeros((BATCH, next(n for n in LENGTHS if n >= lengths.max())), np.int32)
            for row, one in enumerate(chosen):
                tokens[row, : lengths[row]] = self.tokens[one]
            yield tokens, lengths, self.relevant[chosen], self.source[chosen]


def lesson(sources: Sequence[Source], embedder: OfflineEmbedder, fold: int | None) -> Lesson:
    """The questions to learn from, those of small sources repeated; None holds nothing out."""
    tokens, relevant, source, owners, databases, first, known = [], [], [], [], [], 0, 0
    for place, one in enumerate(sources):
        seen = np.full(len(one.tables), True) if fold is None else ~one.held(place, fold)
        learned = one.asking(seen)
        for question in learned * max(1, math.ceil(FEWEST / max(1, len(learned)))):
            rows = np.full(RELEVANT, -1, np.int32)
            own = one.relevant[question][:RELEVANT]
            rows[: len(own)] = np.add(own, first)
            tokens.append(embedder.tokenizer.encode(one.asked[question]).ids)
            relevant.append(rows)
            source.append(place)
        owners.append(np.where(seen, place, -1))
        databases.append(one.databases + known)
        first, known = first + len(seen), known + 1 + int(one.databases.max())
    tables = np.concatenate([one.tables for one in sources])
    return Lesson(
        tokens,
        np.stack(relevant),
        np.array(source, np.int32),
        (tables, np.concatenate(owners).astype(np.int32), np.concatenate(databases)),
    )


def new_adapter(bert: Bert, rng: Generator) -> dict[str, Float[ndarray, "_ _"]]:
    """An adapter that changes nothing yet."""
    thin = {}
    for place, layer in enumerate(bert.layers):
        for name in LINEAR:
            into, out = getattr(layer, name).kernel.shape
            down = rng.standard_normal((into, RANK)) / math.sqrt(into)
            thin[f"{place}.{name}.down"] = down.astype(np.float32)
            thin[f"{place}.{name}.up"] = np.zeros((RANK, out), np.float32)
    return thin


def loss_of(
    thin: Adapter,
    bert: Bert,
    tables: tuple[Float[Array, "N d"], Int[Array, " N"], Int[Array, " N"]],
    tokens: Int[Array, "B l"],
    lengths: Int[Array, " B"],
    relevant: Int[Array, "B r"],
    source: Int[Array, " B"],
) -> Float[Array, ""]:
    """The mean logistic loss of each relevant table against the log-sum-exp of the irrelevant."""
    embeddings, owners, databases = tables
    logits = adapted(bert, thin)(tokens, lengths) @ embeddings.T / TEMPERATURE
    real = relevant >= 0
    wanted = jnp.take_along_axis(logits, jnp.where(real, relevant, 0), axis=1)
    places = jnp.arange(len(embeddings))
    wrong = (owners == source[:, None]) & ~(relevant[:, :, None] == places).any(1)
    own = wrong & (databases == databases[relevant[:, 0]][:, None])
    losses = [
        jax.nn.softplus(jax.nn.logsumexp(logits, axis=1, where=mask)[:, None] - wanted)
        for mask in (wrong, own)
    ]
    return jnp.mean(sum(losses) / 2, where=real)


def train(one: Lesson, bert: Bert) -> dict[str, Float[ndarray, "_ _"]]:
    """The adapter after all questions."""
    steps = int(EPOCHS * (len(one.tokens) // BATCH))
    rate = optax.warmup_cosine_decay_schedule(0.0, RATE, WARMUP, steps)
    optimizer = optax.chain(
        optax.clip_by_global_norm(CLIP),
        optax.adamw(rate, b1=MOMENTUM, weight_decay=WEIGHT_DECAY),
    )
    rng = np.random.default_rng(0)
    thin = jax.device_put(new_adapter(bert, rng))
    state, tables = optimizer.init(thin), jax.device_put(one.tables)

    @partial(jax.jit, donate_argnums=(0, 1))
    def step(thin, state, bert, batch):
        loss, slopes = jax.value_and_grad(loss_of)(thin, bert, tables, *batch)
        changes, state = optimizer.update(slopes, state, thin)
        return optax.apply_updates(thin, changes), state, loss

    started, recent = time.perf_counter(), []
    for number, batch in enumerate(one.batches(rng), start=1):
        thin, state, loss = step(thin, state, bert, batch)
        recent.append(float(loss))
        if number % TOLD_EVERY == 0 or number == steps:
            seconds = time.perf_counter() - started
            tell(f"step {number} of {steps}, {seconds:.0f} s: loss {np.mean(recent):.3f}")
            recent.clear()
        if number == steps:
            break
    return {name: np.asarray(matrix, np.float16) for name, matrix in thin.items()}


def judged(source: Source, embedder: OfflineEmbedder, chosen: Sequence[int]) -> str:
    """What cosines rank: PR@5, PR@10 over questions with several relevant tables; RR over all."""
    cosines = embedder.embed([source.asked[one] for one in chosen]) @ source.tables.T
    places = [
        np.sort([(own > own[row]).sum() for row in source.relevant[one]])
        for one, own in zip(chosen, cosines, strict=True)
    ]
    several = [ranks[-1] for ranks in places if len(ranks) > 1]
    figures = (
        np.mean([last < 5 for last in several]),
        np.mean([last < 10 for last in several]),
        np.mean([1 / (1 + ranks[0]) for ranks in places]),
    )
    return " ".join(f"{100 * figure:5.1f}" for figure in figures)


def fold_of(folder: Path, fold: int) -> Path:
    """The folder of the adapter that has not seen a fold."""
    return folder / f"fold-{fold}"


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write(thin: Mapping[str, ndarray], out: Path, **described: object) -> None:
    """Write an adapter with what it was made of."""
    described |= {"embedder": "offline", "rank": RANK, "version": grapher_jax.__version__}
    with atomic_folder(out) as folder:
        (folder / WEIGHTS).write_bytes(save(thin))
        (folder / "config.json").write_text(json.dumps(described, indent=2) + "\n", "utf-8")
    tell(f"wrote {out}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--folds", type=Path, metavar="DIR")
    told = parser.parse_args(arguments)
    embedder = OfflineEmbedder()
    sources, bert = [Source.read(folder) for folder in told.sources], load_bert(embedder.folder)
    names = [source.name for source in sources]
    for fold in FOLDS if told.folds else (None,):
        learned = lesson(sources, embedder, fold)
        out = shipped_adapter(FOR_TABLES).parent if fold is None else fold_of(told.folds, fold)
        write(train(learned, bert), out, questions=len(learned.tokens), sources=names)
        reader = OfflineEmbedder(out / WEIGHTS)
        for place, source in enumerate(() if fold is None else sources):
            if unseen := source.asking(source.held(place, fold)):
                before, after = (judged(source, by, unseen) for by in (embedder, reader))
                tell(f"{source.name:16s} {before}  ->  {after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Train a cross-encoder on the train splits of judged questions, from the offline embedder's model.

    python bench/train_cross_encoder.py --out cross-encoder \
        hotpotqa.index musique.index spider.index

Each source is an index or a BEIR folder. A pair is a question with one of its relevant objects or
with another: in the first epoch, which takes source by source, with a candidate of another
question, and then with a candidate of its own. Pairs are drawn anew in every epoch. The loss is
binary cross-entropy, so that the logit is that of a probability. Beside it the states before the
last layer learn which tokens of the question the text has: a pair has one label, its tokens have
many, and from these the network learns to compare within a hundred steps.

Some questions of each source are held out, and tell at the end what was learned. What is written is
opened by `CrossEncoder(FOLDER)` of sentence-transformers, and by `--base FOLDER` and
`--cross-encoder FOLDER` of `grapher-jax`.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Bool, Float
from numpy import ndarray
from numpy.random import Generator
from sentence_transformers import CrossEncoder
from torch.nn.functional import binary_cross_entropy_with_logits
from transformers import get_linear_schedule_with_warmup

from grapher_jax.corpus import JudgedQueries
from grapher_jax.evaluation import JudgedRun
from grapher_jax.files import atomic_folder
from grapher_jax.graph import EMPTY
from grapher_jax.retrieve.embedders.offline import OfflineEmbedder
from grapher_jax.search import Index, open_source
from grapher_jax.systems import Retrieval

SPLIT = "train"
# Of the retriever's: what pairs are made of, and what is ranked at the end.
CANDIDATES = 30
# Of one question in one epoch, at most.
RELEVANT, STRANGERS, OTHERS = 2, 3, 5
HELD_OUT = 24
# Pairs are cut there to be learned from, to save time, and read further later.
TOKENS, READ = 64, 160
BATCH = 16
# So many batches share pairs of like length.
SORTED = 100
RATE, WEIGHT_DECAY, WARMUP = 3e-4, 0.01, 50

Pair = tuple[str, str, float]


@dataclass(frozen=True)
class Example:
    """A question with the texts of objects.

    Attributes:
        question: its text.
        relevant: of its relevant objects, found or not.
        found: of the retriever's candidates, best first.
        right: which of those found are relevant.
    """

    question: str
    relevant: Sequence[str]
    found: Sequence[str]
    right: Bool[ndarray, " n"]


def pairs(examples: Sequence[Example], rng: Generator, *, strange: bool) -> Iterator[Pair]:
    """Questions of one source with texts, and whether these are relevant.

    Args:
        examples: of the source.
        rng: draws the texts.
        strange: whether those that are not were found for another question.
    """
    for one in examples:
        other = examples[rng.integers(len(examples))] if strange else one
        wrong = [text for text in other.found if text not in one.relevant]
        for texts, most, label in (
            (one.relevant, RELEVANT, 1.0),
            (wrong, STRANGERS if strange else OTHERS, 0.0),
        ):
            for place in rng.permutation(len(texts))[:most]:
                yield one.question, texts[place], label


def read(index: Index, most: int, rng: Generator) -> list[Example]:
    """Examples of so many train questions of an index, drawn."""
    judged = index.judgements(SPLIT)
    names = [[*judged][place] for place in rng.permutation(len(judged))[:most]]
    asked = JudgedQueries(
        [index.queries[name] for name in names], {name: judged[name] for name in names}
    )
    run = JudgedRun.retrieve_by(Retrieval(candidates=CANDIDATES), index, asked)
    examples = []
    for place, query in enumerate(asked.queries):
        found = run.candidates.rows[place] != EMPTY
        rows, relevant = run.candidates.rows[place][found].tolist(), run.relevant_rows[place]
        texts = [[index.objects[row].searchable_text for row in own] for own in (relevant, rows)]
        examples.append(Example(query.text, *texts, run.relevant[place][found]))
    return examples


def batches(drawn: Sequence[Pair], rng: Generator) -> Iterator[list[Pair]]:
    """All pairs in a random order, those of a batch of like length."""
    order = rng.permutation(len(drawn))
    for start in range(0, len(drawn), BATCH * SORTED):
        some = sorted(order[start : start + BATCH * SORTED], key=lambda one: len(drawn[one][1]))
        for first in rng.permutation(range(0, len(some), BATCH)):
            yield [drawn[one] for one in some[first : first + BATCH]]


def opened(folder: Path, layers: int) -> CrossEncoder:
    """The first layers of a model, with a head of one number."""
    kwargs = {"num_hidden_layers": layers}
    kwargs |= dict.fromkeys(("hidden_dropout_prob", "attention_probs_dropout_prob"), 0.0)
    encoder = CrossEncoder(str(folder), num_labels=1, max_length=READ, config_kwargs=kwargs)
    # MiniLM was trained without its pooler, whose weights would hide the state that it reads.
    torch.nn.init.eye_(encoder.model.bert.pooler.dense.weight)
    torch.nn.init.normal_(encoder.model.classifier.weight, std=0.05)
    return encoder


def losses(
    encoder: CrossEncoder, copied: torch.nn.Linear, batch: Sequence[Pair]
) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean loss of the pairs' labels, and of telling which question's tokens the text has."""
    questions, texts, labels = zip(*batch, strict=True)
    tokens = encoder.tokenizer(
        questions, texts, padding=True, truncation=True, max_length=TOKENS, return_tensors="pt"
    )
    with torch.autocast("cpu", torch.bfloat16):
        told = encoder.model(**tokens, output_hidden_states=True)
    ids, kinds = tokens["input_ids"], tokens["token_type_ids"]
    special = torch.isin(ids, torch.tensor(encoder.tokenizer.all_special_ids))
    asked = (kinds == 0) & ~special
    same = ((ids[:, :, None] == ids[:, None, :]) & (kinds == 1)[:, None, :]).any(-1)
    found = copied(told.hidden_states[-2].float())[..., 0]
    return (
        binary_cross_entropy_with_logits(told.logits[:, 0].float(), torch.tensor(labels)),
        binary_cross_entropy_with_logits(found[asked], same[asked].float()),
    )


def train(encoder: CrossEncoder, steps: Sequence[Sequence[Pair]]) -> None:
    """Change the weights of a cross-encoder so that it tells relevant texts from others."""
    copied = torch.nn.Linear(encoder.model.config.hidden_size, 1)
    weights = [*encoder.model.parameters(), *copied.parameters()]
    optimizer = torch.optim.AdamW(weights, RATE, weight_decay=WEIGHT_DECAY)
    schedule = get_linear_schedule_with_warmup(optimizer, WARMUP, len(steps))
    encoder.model.train()
    started, recent = time.perf_counter(), []
    for step, batch in enumerate(steps, 1):
        both = losses(encoder, copied, batch)
        sum(both).backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimizer.step()
        schedule.step()
        optimizer.zero_grad()
        recent.append([loss.item() for loss in both])
        if step % SORTED == 0 or step == len(steps):
            pair, token = np.mean(recent, axis=0)
            seconds = time.perf_counter() - started
            tell(
                f"step {step} of {len(steps)}, {seconds:.0f} s: "
                f"loss {pair:.3f}, of tokens {token:.3f}"
            )
            recent.clear()
    encoder.model.eval()


def reciprocal_rank(right: Bool[ndarray, " n"], scores: Float[ndarray, " n"]) -> float:
    """1 / the rank of the first relevant text by these scores; 0 where none is."""
    found = np.flatnonzero(right[np.argsort(-scores, kind="stable")])
    return 1 / (1 + found[0]) if len(found) else 0.0


def judge(encoder: CrossEncoder, examples: Sequence[Example]) -> tuple[float, float]:
    """The mean reciprocal rank by the retriever, and by the cross-encoder."""
    asked = [(one.question, text) for one in examples for text in one.found]
    scores = np.split(
        encoder.predict(asked, show_progress_bar=False),
        np.cumsum([len(one.found) for one in examples])[:-1],
    )
    before = [reciprocal_rank(one.right, -np.arange(len(one.found))) for one in examples]
    after = [reciprocal_rank(one.right, own) for one, own in zip(examples, scores, strict=True)]
    return float(np.mean(before)), float(np.mean(after))


def tell(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, write the folder, and tell what was learned."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sources", nargs="+", help="indexes or BEIR folders with a train split")
    parser.add_argument("--out", type=Path, required=True, help="the folder of the cross-encoder")
    parser.add_argument("--start", type=Path, help="a model's folder in the place of MiniLM's")
    parser.add_argument("--layers", type=int, default=3, help="how many of its first layers")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--questions", type=int, default=350, help="of a source, at most")
    options = parser.parse_args(arguments)
    if options.out.exists():
        parser.error(f"--out: {options.out} is there already; give another folder")
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    encoder = opened(options.start or OfflineEmbedder().folder, options.layers)
    examples = {
        source: read(open_source(source), options.questions + HELD_OUT, rng)
        for source in options.sources
    }
    learned = [own[HELD_OUT:] for own in examples.values()]
    if not any(learned):
        parser.error(f"sources: {HELD_OUT} questions of each are held out; give one with more")
    steps: list[list[Pair]] = []
    for own in learned:
        steps += batches([*pairs(own, rng, strange=True)], rng)
    for _ in range(1, options.epochs):
        steps += batches([one for own in learned for one in pairs(own, rng, strange=False)], rng)
    train(encoder, steps)
    with atomic_folder(options.out) as temporary:
        encoder.save_pretrained(str(temporary))
    for source, own in examples.items():
        before, after = judge(encoder, own[:HELD_OUT])
        tell(f"{source}: RR of {HELD_OUT} held out by the retriever {before:.3f}, now {after:.3f}")


if __name__ == "__main__":
    main()

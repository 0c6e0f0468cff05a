"""Compare published ways to rank passages and chunks with ours, and write the page.

The peers are those of `bench/passage_peers.py`, each with the settings that are best on train
splits. None of the page's sentences holds for some figures alone.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from jaxtyping import Float
from numpy import ndarray
from results_page import TITLES, difference, open_set, table

import grapher_jax
from grapher_jax import kernels
from grapher_jax.corpus import JudgedQueries, Query
from grapher_jax.evaluation import RESAMPLES, Gain, JudgedRun, Ranking, rank_all
from grapher_jax.files import atomic_file
from grapher_jax.graph import EMPTY, PROXIMITIES, Steps
from grapher_jax.graph.names import Names
from grapher_jax.rerank import Reranker
from grapher_jax.retrieve.embedders import Progress, no_progress
from grapher_jax.search import Index
from grapher_jax.systems import Retrieval
from grapher_jax.text import normalise

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "bench"))

from passage_peers import PEERS, Asked, Corpus, entity_graph  # noqa: E402
from timing import median_seconds  # noqa: E402

PAGE = ROOT / "docs" / "results" / "peers.md"
# What is reported, and the split on which the peers' settings for it are chosen.
SETS = {
    ("musique", "dev"): ("musique", "train"),
    ("hotpotqa", "dev"): ("hotpotqa", "train"),
    ("qmsum", "val"): ("qmsum", "train"),
    ("chunkeval", "test"): ("qmsum", "train"),
}
# Ours, by their names on the page; the others are compared with the last.
BASE, AUTO = "retriever", "auto"
WALK, CROSSED = "HippoRAG's walk", "cross-encoder"
RANKERS = {"PPR": "ppr", "GCS": "gcs", AUTO: "auto"}
METRICS = ("PR@5", "PR@10", "R@10", "nDCG@10", "RR")
GAINS = ("PR@10", "nDCG@10")
# Settings are chosen by the mean of these, on every so many questions.
CHOSEN_BY = ("PR@5", "PR@10", "nDCG@10")
EVERY = 4
# Times are of so many questions, each asked so often.
TIMED, ROUNDS = 50, 3
# How many candidates a cross-encoder reads.
READ = 30
# How many a peer chooses, and how many stand in its order with those of the retriever after them.
BEST, SHOWN = 10, 200
GRID: Mapping[str, Mapping[str, Sequence[float | str]]] = {
    "reciprocal rank fusion": {"constant": (1, 2, 5, 20, 60), "lexical": (0.2, 0.3, 0.4, 0.5)},
    "MMR": {"trade_off": (0.5, 0.7, 0.8, 0.9, 0.95, 1.0)},
    WALK: {
        "damping": (0.2, 0.3, 0.5),
        "passages": (0.002, 0.005, 0.02, 0.05),
        "synonyms": (0.8, 0.9),
    },
    "graph-retriever": {
        "strategy": ("eager", "scored", "mmr"),
        "start": (1, 2, 4, 8),
        "adjacent": (3, 5, 10, 20),
    },
    "LightRAG-like hop": {"seeds": (1, 2, 3), "common": (4, 8, 16, 64), "mixed": (True, False)},
}

Settings = Mapping[str, float | str]
T = TypeVar("T")


@dataclass(frozen=True)
class Told:
    """An embedder that knows some texts alone, which it was told, so that it takes no time.

    Attributes:
        name: of the embedder that made the vectors.
        dimension: of the vectors.
        vectors: by text.
    """

    name: str
    dimension: int
    vectors: Mapping[str, Float[ndarray, " d"]]

    def embed_queries(
        self, texts: Sequence[str], *, progress: Progress = no_progress
    ) -> Float[ndarray, "B d"]:
        """`[B, d]` the vectors of these texts."""
        return np.stack([self.vectors[text] for text in texts])

    embed_objects = embed_queries


@dataclass(frozen=True, eq=False)
class Opened:
    """A set.

    Attributes:
        index: of its objects.
        corpus: what peers see of it.
    """

    index: Index
    corpus: Corpus

    @classmethod
    def of(cls, data: Path, name: str) -> "Opened":
        """The set of this name in a folder."""
        index = open_set(data, name)
        named = Names.build(dict.fromkeys(_names(item.metadata)) for item in index.objects)
        names = [*map(str, named.vocabulary)]
        corpus = Corpus(
            vectors=index.embeddings[np.arange(len(index.ids))],
            entities=named.lists,
            holders=named.lists.transposed(len(names)),
            names=names,
            name_vectors=index.embedder.embed_objects(names),
            beside=Steps(index.graph).neighbors(PROXIMITIES["chunk"], 0),
            texts=[item.searchable_text for item in index.objects],
        )
        return cls(index, corpus)

    def questions(self, split: str, every: int = 1) -> "Questions":
        """Every so many questions of a split."""
        index = self.index
        judged = dict([*index.judgements(split).items()][::every])
        queries = [index.queries[name] for name in judged]
        texts = [index.lexical.reading.words(query.text) for query in queries]
        known = dict(zip(texts, index.embedder.embed_queries(texts), strict=True))
        told = replace(index, embedder=Told(index.embedder.name, index.embedder.dimension, known))
        run = JudgedRun.retrieve_by(Retrieval(), told, JudgedQueries(queries, judged))
        names = [_names(query.metadata) or [query.text] for query in queries]
        vectors = index.embedder.embed_queries([name for own in names for name in own])
        owned = np.split(vectors, np.cumsum([*map(len, names)])[:-1])
        each = zip(queries, run.candidates.questions.embeddings, owned, strict=True)
        return Questions(run, [self._asked(*one) for one in each])

    def _asked(
        self, query: Query, vector: Float[ndarray, " d"], names: Float[ndarray, "e d"]
    ) -> Asked:
        index, corpus = self.index, self.corpus
        options, found = index.options, index.lexical.scores([query.text])
        lexical, (low, high) = found.all[0], found.bounds
        cosines = corpus.vectors @ vector
        if index.retriever.titled is not None:
            named = index.retriever.titled.shares(query.text)
            found.add([named], options.title_weight * (high - low))
        scores = np.asarray(
            kernels.hybrid(
                found.all,
                cosines[None],
                lexical_weight=options.lexical_weight,
                lexical_bounds=(low, high),
            )
        )[0]
        allowed = index.allowed(query.metadata.get("filter"))
        rows = np.arange(len(scores)) if allowed is None else allowed
        rows = rows[np.argsort(-scores[rows], kind="stable")]
        alike = names @ corpus.name_vectors.T
        return Asked(
            corpus=corpus,
            text=query.text,
            rows=rows,
            scores=scores[rows],
            cosines=cosines[rows],
            lexical=lexical[rows],
            vector=vector,
            linked=alike.argmax(1),
            nearness=alike.max(1),
        )

    def graph(self, settings: Settings) -> tuple[str, ...]:
        """The sizes of the walk's graph."""
        edges = entity_graph(self.corpus, settings["synonyms"]).nnz // 2
        return tuple(f"{n:,}" for n in (len(self.index), len(self.corpus.names), edges))


@dataclass(frozen=True, eq=False)
class Questions:
    """Judged questions, as the rankers and the peers see them.

    Attributes:
        run: what the retriever returned from an index that was told their embeddings.
        asked: each as a peer sees it.
    """

    run: JudgedRun
    asked: Sequence[Asked]

    def of_peer(self, peer: str, settings: Settings) -> Ranking:
        """What a peer makes of all questions, followed by the retriever's order."""
        scheme = partial(PEERS[peer], k=BEST, **settings)
        rows = np.full((len(self.asked), SHOWN), EMPTY, np.int32)
        for own, asked in zip(rows, self.asked, strict=True):
            places = [*dict.fromkeys([*scheme(asked), *range(min(SHOWN, len(asked.rows)))])]
            own[: len(places)] = asked.rows[places[:SHOWN]]
        found = replace(self.run.candidates, rows=rows, scores=np.zeros(rows.shape, np.float32))
        places = np.where(rows == EMPTY, EMPTY, np.arange(SHOWN))
        scores = np.where(rows == EMPTY, -np.inf, -np.arange(SHOWN, dtype=np.float32))
        run = replace(self.run, candidates=found)
        return Ranking(run, Reranker(ranker="base"), places, scores, {}, peer)

    def timed(self, peer: str, settings: Settings) -> Ranking:
        """`of_peer` with the seconds of one question."""
        seconds = _seconds(self.asked, partial(PEERS[peer], k=BEST, **settings))
        return replace(self.of_peer(peer, settings), seconds={"rerank": seconds})

    def of_ours(self, ranker: str) -> Ranking:
        """What a ranker makes of them, after the retrieval that it chooses."""
        index, judged = self.run.index, self.run.judgements
        queries = self.run.candidates.questions.queries
        (ranking,) = rank_all(index, JudgedQueries(queries, judged), [Reranker(ranker=ranker)])
        found, expands = ranking.run.candidates, ranking.run.retrieval.expands
        one = [found.take(np.array([place])) for place in range(len(found))]
        width = found.rows.shape[1]
        seconds = _seconds(one, lambda own: ranking.reranker.rank(index, own, k=width))
        if expands:

            def retrieve(query: Query, *, expand: bool | Sequence[str]) -> object:
                wanted = [query.metadata.get("filter")]
                return index.retrieve([query], filters=wanted, expand=expand)

            seconds += _seconds(queries, partial(retrieve, expand=expands))
            seconds -= _seconds(queries, partial(retrieve, expand=False))
        return replace(ranking, seconds={"rerank": seconds})


def _names(metadata: Mapping[str, Any]) -> list[str]:
    """The entities of a text, as they are compared."""
    return [name for name in map(normalise, metadata.get("entities", ())) if name]


def _seconds(each: Sequence[T], call: Callable[[T], object]) -> float:
    """The median over some of these, for each the best of a few rounds."""
    return median_seconds(each[:: -(-len(each) // TIMED)], call, rounds=ROUNDS)


def chosen(questions: Questions) -> dict[str, Settings]:
    """The settings of each peer that are best for these questions."""
    found = {}
    for peer, grid in GRID.items():

        def reached(settings: Settings, peer: str = peer) -> float:
            means = _means(questions.of_peer(peer, settings), "multi")
            return float(np.mean([means[name] for name in CHOSEN_BY]))

        every = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
        found[peer] = max(every, key=reached)
    return found


@dataclass(frozen=True, eq=False)
class Measured:
    """All rows of a set.

    Attributes:
        rankings: by label.
    """

    rankings: Mapping[str, Ranking]

    @classmethod
    def of(cls, questions: Questions, settings: Mapping[str, Settings]) -> "Measured":
        """The retriever, the peers with these settings, and the rankers of this package."""
        found = {BASE: replace(questions.of_ours("base"), seconds={"rerank": 0.0})}
        found |= {peer: questions.timed(peer, own) for peer, own in settings.items()}
        return cls(found | {label: questions.of_ours(name) for label, name in RANKERS.items()})

    @cached_property
    def _gains(self) -> Mapping[str, Gain]:
        default = self.rankings[AUTO]
        return {label: own.versus(default) for label, own in self.rankings.items()}

    def gain(self, label: str, metric: str, over: str) -> tuple[float, float, float]:
        """What a row has over the default, and the ends of its interval."""
        gain = self._gains[label]
        mean, ends = (getattr(own[metric], over) for own in (gain.differences, gain.intervals))
        return (mean, *ends)

    @property
    def over(self) -> dict[str, str]:
        """What is averaged over: `multi`, and `all` where that is not the same."""
        multi = self.rankings[BASE].run.multi
        if multi.all():
            return {"all": f"All {len(multi):,} questions, each with several relevant objects:"}
        several = f"The {multi.sum():,} questions with several relevant objects:"
        return {"multi": several, "all": f"All {len(multi):,} questions:"}

    def lines(self, over: str) -> Iterator[tuple[str, ...]]:
        """The lines of a table."""
        for label, ranking in self.rankings.items():
            means, spent = _means(ranking, over), 1000 * ranking.seconds["rerank"]
            figures = (f"{100 * means[name]:.1f}" for name in METRICS)
            gains = (difference(*self.gain(label, name, over)) for name in GAINS)
            compared = gains if label != AUTO else [""] * len(GAINS)
            yield (label, *figures, *compared, f"{spent:.2g}" if spent else "")

    def ahead(self) -> Iterator[tuple[str, str]]:
        """The peers with a higher mean than the default, and the differences."""
        for peer in [label for label in self.rankings if label in PEERS]:
            gains = {(n, over): self.gain(peer, n, over) for over in self.over for n in METRICS}
            told = [
                f"{name} {difference(*gain)}{_OVER[over] if len(self.over) > 1 else ''}"
                for (name, over), gain in gains.items()
                if round(100 * gain[0], 1) > 0
            ]
            if told:
                yield peer, ", ".join(told)


_OVER = {"multi": " of several", "all": " of all"}


def _means(ranking: Ranking, over: str) -> dict[str, float]:
    chosen = ranking.run.multi if over == "multi" else slice(None)
    return {name: float(values[chosen].mean()) for name, values in ranking.values.items()}


def ahead(found: Mapping[str, Measured]) -> str:
    """Where peers are ahead of the default, as a list."""
    told = [
        f"- on {title}, {peer} by {by}" for title, own in found.items() for peer, by in own.ahead()
    ]
    if not told:
        return "No peer has a higher mean than `auto`, the default, on any of these sets."
    return (
        "Peers with a higher mean than `auto`, the default, and the difference, **bold** where its "
        "interval excludes 0; everywhere else `auto` is ahead or as good:\n\n" + "\n".join(told)
    )


def page(
    found: Mapping[str, Measured],
    settings: Mapping[str, Mapping[str, Settings]],
    graphs: Sequence[tuple[str, ...]],
) -> str:
    """The page in Markdown."""
    (used, *_) = settings.values()
    parts = [
        "# Peers on passages and chunks",
        "Published ways to rank passages and chunks beside those of this package: the same sets, "
        f"embedder, BM25, entities and run. {ahead(found)}",
        _METHOD,
        table(("peer", "what it does"), [(peer, _PEERS[peer]) for peer in used]),
        f"{_FAIR}\n\n{_TRAINED if CROSSED in used else _NONE_TRAINED}",
        table(
            ("peer", *settings),
            [(peer, *(_told(own[peer]) for own in settings.values())) for peer in GRID],
        ),
        _GRAPHS,
        table(("set", "passages", "entities", "edges"), graphs),
        "The following writes this page; what is changed by hand is lost:",
        f"```bash\nmake peers DATA=FOLDER{_CROSSING if CROSSED in used else ''}\n```",
        f"The figures are those of grapher-jax {grapher_jax.__version__}.",
    ]
    header = ("", *METRICS, *(f"{name} − auto" for name in GAINS), "ms")
    for title, own in found.items():
        parts.append(f"## {title}")
        for over, told in own.over.items():
            parts += [told, table(header, own.lines(over))]
    return "\n\n".join(parts) + "\n"


def _told(settings: Settings) -> str:
    return ", ".join(f"{name} {value}" for name, value in settings.items())


_METHOD = (
    "PR@5 and PR@10 are the share of the questions whose relevant objects are *all* among the "
    "first 5 or 10; R@10 is the share of a question's relevant objects among the first 10; nDCG@10 "
    "and RR are as everywhere. All are means in %. Differences are paired with `auto`, "
    f"question by question; square brackets hold the interval of 95 % of {RESAMPLES:,} "
    "bootstrap resamples of the questions, and **bold** differences are those whose interval "
    "excludes 0."
)
_PEERS = {
    "reciprocal rank fusion": "BM25 and the cosine, each as ranks (Cormack and others, 2009)",
    "MMR": "maximal marginal relevance: the retriever's candidates, less what is like those before",
    WALK: "[HippoRAG 2](https://arxiv.org/abs/2502.14802) without its language model: "
    "personalised PageRank over all passages and their entities, where entities of like names are "
    "joined; a walk returns to the entities of the question and, by the retriever's "
    "scores, to passages",
    "graph-retriever": "the traversal of the [package of that name]"
    "(https://pypi.org/project/graph-retriever/) from the retriever's best passages along shared "
    "entities and consecutive chunks",
    "LightRAG-like hop": "passages that share an entity with the retriever's best ones, as in "
    "[LightRAG](https://arxiv.org/abs/2410.05779) without its language model",
    CROSSED: f"a small cross-encoder reads the question beside each of the retriever's best {READ} "
    "([Nogueira and Cho](https://arxiv.org/abs/1901.04085), 2019)",
}
_FAIR = (
    "`bench/passage_peers.py` tells what was simplified. Above all, HippoRAG and LightRAG let a "
    "language model read the corpus; here, the entities of the sets' metadata take the place of "
    "what it extracts. So these rows measure the schemes on the data that this package has, not "
    "the published systems. Each peer chooses ten objects, and the retriever's order follows. All "
    "but MMR choose from the whole corpus, `auto` from 200 candidates and, for passages, those "
    "that expansion adds, PPR and GCS from the 200. The walk and the hop know no order of chunks. "
    "A question of QMSum is answered from its own meeting.\n\n"
    "The settings of each peer are those with the best mean of PR@5, PR@10 and nDCG@10 over every "
    f"{EVERY}th question of the set's train split; for Chunkeval, which has none, of QMSum's. PPR, "
    "GCS and `auto` have their defaults, which were chosen on train splits once for all sets. "
    "Other rankers of this package are in [the comparison](comparison.md).\n\n"
    f"Milliseconds are the median over {TIMED} questions, asked one at a time on a CPU, each the "
    f"best of {ROUNDS}. Embeddings, BM25, cosines and the graph of the walk are given: a peer's "
    "time begins with the scores of all objects, that of PPR and GCS with the candidates, and "
    "that of `auto` includes what expansion adds to retrieval. Many questions in one call take "
    "this package [less each](performance.md)."
)
_TRAINED = (
    "No package brings the weights of a cross-encoder, so `bench/train_cross_encoder.py` made the "
    "one of these rows, from three layers of all-MiniLM-L6-v2 and a part of the train splits of "
    "HotpotQA, MuSiQue, QMSum and Spider. Published ones have learned from over a hundred times as "
    "many questions: its rows do not tell how good a cross-encoder can be, but its time is theirs "
    "or less. [Another page](cross-encoder.md) gives its scores to the rankers of the graph."
)
_CROSSING = ' ARGS="--cross-encoder FOLDER"'
_NONE_TRAINED = (
    "No cross-encoder is among the rows, since no package brings the weights of one; "
    "`--cross-encoder FOLDER` adds the one that `bench/train_cross_encoder.py` makes."
)
_GRAPHS = (
    "What the walk keeps beside the index is a graph of all passages and entities, and the "
    "embeddings of the names of entities, by which it links a question and joins names that are "
    "alike:"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Choose settings, measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder of the sets, NAME or NAME.index")
    parser.add_argument("--cross-encoder", help="the folder of one that is compared as well")
    parser.add_argument("--every", type=int, default=EVERY, help="of the train splits' questions")
    parser.add_argument("--out", type=Path, default=PAGE)
    options = parser.parse_args(arguments)
    opened = cache(partial(Opened.of, options.data))
    settings = cache(lambda name, split: chosen(opened(name).questions(split, options.every)))
    found: dict[str, Measured] = {}
    used: dict[str, dict[str, Settings]] = {}
    graphs = []
    crossing: dict[str, Settings] = {}
    if options.cross_encoder:
        crossing[CROSSED] = {"encoder": options.cross_encoder, "candidates": READ}
    for (name, split), train in SETS.items():
        label = TITLES.get(name, name)
        used[label] = {**settings(*train), **crossing}
        found[f"{label} {split}"] = Measured.of(opened(name).questions(split), used[label])
        graphs.append((label, *opened(name).graph(used[label][WALK])))
        sys.stderr.write(f"{label}: {used[label]}\n")
    with atomic_file(options.out) as temporary:
        temporary.write_text(page(found, used, graphs), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Judged questions as training examples: what a retriever returned for them, and the graphs."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxtyping import Array, Bool, Float, Int
from numpy import ndarray

import grapher_jax
from grapher_jax.errors import InputError
from grapher_jax.files import atomic_folder, parse_json, sha256
from grapher_jax.graph import EMPTY, GraphArrays, kernel_table
from grapher_jax.kernels.graphs.proximities import Table
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.learn.cloze import cloze_questions
from grapher_jax.shapes import candidate_bucket, pad
from grapher_jax.systems.g_rag.concepts import build_document_graphs
from grapher_jax.systems.query_gnn.ranker import build_object_graph
from grapher_jax.training.candidates import CandidateBatch, GraphSettings, build_candidates
from grapher_jax.training.config import SetConfig
from grapher_jax.training.g_rag import DocumentBatch, DocumentSettings
from grapher_jax.training.query_gnn import EgoSettings
from grapher_jax.training.relations import DEGREES, RELATIONS

# Opens an index folder or a BEIR folder, as `grapher_jax.index.data.open_source` does. It is an
# argument because this room may not import those above it.
OpenSource = Callable[..., Any]
# What is begun, of how many, to a context in which one tells how many more are done.
Progress = Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]]
_FORMAT = 1
_ARRAYS = ("rows", "scores", "relevant", "counts", "questions", "embeddings")
# What else there is, by how the graphs are built.
_GRAPHS = {
    GraphSettings: ("smoothed", "neighbors", "degrees"),
    EgoSettings: ("neighbors", "weights", "relations"),
    DocumentSettings: ("concepts", "triples", "encoded", "places"),
}
# The code that decides what is retrieved, asked and joined.
_DECISIVE = (
    "systems/g_rag/concepts.py",
    "corpus/amr.py",
    "systems/query_gnn/object_graph.py",
    "graph/*.py",
    "text.py",
    "learn/cloze.py",
    "retrieve/**/*.py",
)
_BLOCK = 128  # questions whose graphs are built at a time


@contextmanager
def no_progress(what: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show nothing."""
    yield lambda done: None


@dataclass(frozen=True)
class Examples:
    """The judged questions of one split, memory-mapped.

    Attributes:
        name: for reports.
        digest: of what decided them.
        ids: of the questions that have a relevant object.
        groups: for each, what its relevant objects belong to.
        embedder: the name of what embedded objects and questions.
        without_positives: how many judged questions were left out for want of a relevant object.
        rows: `[Q, n]` candidates; -1 for none.
        scores: `[Q, n]` the retriever's.
        relevant: `[Q, n]`.
        counts: `[Q]` how many objects are relevant, retrieved or not.
        questions: `[Q, d]` embeddings.
        embeddings: `[N, d]` of the objects.
        graphs: of every question `smoothed`, `neighbors` and `degrees` as in `CandidateBatch`; or
            of the whole index `neighbors`, `weights` and `relations` as in `Episodes`; or of every
            question `concepts`, `triples`, `encoded` and `places` as in
            `grapher_jax.systems.g_rag.concepts.DocumentGraphs`.
    """

    name: str
    digest: str
    ids: Sequence[str]
    groups: Sequence[str]
    embedder: str
    without_positives: int
    rows: Int[ndarray, "Q n"]
    scores: Float[ndarray, "Q n"]
    relevant: Bool[ndarray, "Q n"]
    counts: Int[ndarray, " Q"]
    questions: Float[ndarray, "Q d"]
    embeddings: Float[ndarray, "N d"]
    graphs: Mapping[str, ndarray]

    @cached_property
    def buckets(self) -> Int[ndarray, " Q"]:
        """To how many candidates each question is padded."""
        last = self.rows.shape[1] - np.argmax(self.rows[:, ::-1] != EMPTY, axis=1)
        return np.array([min(candidate_bucket(int(n)), self.rows.shape[1]) for n in last])

    @cached_property
    def learnable(self) -> Int[ndarray, " m"]:
        """The questions with a relevant candidate."""
        return np.flatnonzero(self.relevant.any(1))

    def held_out(self, share: float) -> Bool[ndarray, " Q"]:
        """About this share of the questions, by whole groups in an order that hashes decide.

        Raises:
            InputError: where all questions are of one group.
        """
        chosen = np.zeros(len(self.ids), bool)
        if not share:
            return chosen
        groups = np.array(self.groups)
        order = sorted(set(self.groups), key=lambda g: hashlib.sha256(g.encode()).digest())
        if len(order) == 1:
            raise InputError(
                f"{self.name}: all questions are about {order[0]!r}, so that none can be held out; "
                "watch another split"
            )
        for group in order[:-1]:
            own = groups == group
            # Whole groups, to the nearest.
            if chosen.any() and chosen.sum() + own.sum() / 2 > share * len(groups):
                break
            chosen |= own
        return chosen


def prepare(
    config: SetConfig,
    graph: GraphSettings | EgoSettings | DocumentSettings,
    cache: Path,
    *,
    open_source: OpenSource,
    embedder: str | None = None,
    progress: Progress = no_progress,
) -> Examples:
    """The examples of a split: read from the cache, or retrieved and put there.

    Args:
        config: which questions.
        graph: how the graphs are built.
        cache: a folder that holds a folder for each set of examples.
        open_source: see `grapher_jax.index.data.open_source`.
        embedder: of a BEIR folder.
        progress: shown while something is computed.

    Raises:
        InputError: for a source that is none, an unknown split, malformed judgements or labels of
            unknown objects, and where no question has a relevant object.
    """
    source = Path(config.source)
    if not source.is_dir():
        raise InputError(f"{source}: no such folder; give an index or a BEIR folder")
    package = Path(__file__).parents[1]
    decisive = {
        "format": _FORMAT,
        "version": grapher_jax.__version__,
        # Its settings are in its code, and this room may not import them.
        "code": _checksums(package, *_DECISIVE),
        "source": _digest(source, config.split),
        "split": config.split,
        "expand": config.expand,
        "cloze": config.cloze,
        "embedder": _embedder(embedder),
        "graph": _retrieval(graph) if isinstance(graph, EgoSettings) else asdict(graph),
    }
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
    folder = cache / digest[:32]
    if not folder.is_dir():
        with progress(f"embedding {config.name}", None) as report:
            index = open_source(config.source, embedder=embedder, progress=report)
        with atomic_folder(folder) as temporary:
            _write(temporary, index, config, graph, progress)
    described = parse_json((folder / "examples.json").read_text(encoding="utf-8"))
    arrays, graphs = (
        {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in names}
        for names in (_ARRAYS, _GRAPHS[type(graph)])
    )
    return Examples(name=config.name, digest=digest, **described, **arrays, graphs=graphs)


def _digest(source: Path, split: str) -> dict[str, str]:
    """The checksums of what decides the candidates; the manifest of an index has all others."""
    queries = [source / f"queries.jsonl{end}" for end in ("", ".gz")]
    corpus = [source / f"corpus.jsonl{end}" for end in ("", ".gz")]
    files = [source / "manifest.json", *queries, source / "qrels" / f"{split}.tsv", *corpus]
    decisive = {file.name: sha256(file) for file in files if file.is_file()}
    return decisive | _checksums(source, "amr/*.jsonl*")


def _embedder(name: str | None) -> Any:
    """The name, or the place and the checksums of a model in a folder, which may change."""
    if name is None or not Path(name).is_dir():
        return name
    return [str(Path(name).resolve()), _checksums(Path(name), "**/*")]


def _checksums(folder: Path, *patterns: str) -> dict[str, str]:
    files = (file for pattern in patterns for file in folder.glob(pattern) if file.is_file())
    return {file.relative_to(folder).as_posix(): sha256(file) for file in files}


@dataclass(frozen=True)
class _Asked:
    """Questions with the rows of what is relevant to each.

    Attributes:
        questions: texts or queries, by id.
        filters: one a question.
        wanted: one list a question.
        without: how many judged questions have nothing relevant.
    """

    questions: Mapping[str, Any]
    filters: Sequence[Mapping[str, Any] | None]
    wanted: Sequence[Sequence[int]]
    without: int = 0


def _judged(index: Any, config: SetConfig) -> _Asked:
    judged = index.judgements(config.split)
    wanted = {
        query: [index.rows[identity] for identity, grade in grades.items() if grade > 0]
        for query, grades in judged.items()
    }
    without = sum(not rows for rows in wanted.values())
    wanted = {query: rows for query, rows in wanted.items() if rows}
    if not wanted:
        raise InputError(
            f"{config.source}: split {config.split!r} has no question with a relevant object; "
            "give its qrels scores above 0"
        )
    queries = [index.queries[query] for query in wanted]
    return _Asked(
        questions={query.id: query for query in queries},
        filters=[query.metadata.get("filter") for query in queries],
        wanted=list(wanted.values()),
        without=without,
    )


def _made(index: Any, config: SetConfig, judged: _Asked) -> _Asked:
    """Questions of the objects' own words; objects without a document may all be asked for."""
    documents = [item.metadata.get("document_id") for item in index.objects]
    about = {documents[row] for rows in judged.wanted for row in rows}
    eligible = [row for row, document in enumerate(documents) if document in about]
    made = cloze_questions([index.objects[row].text for row in eligible], config.cloze)
    if not made:
        raise InputError(f"{config.source}: no text has a sentence of which cloze makes a question")
    return _Asked(
        questions={f"cloze {index.ids[eligible[place]]}": text for place, text in made.items()},
        filters=[None] * len(made),
        wanted=[[eligible[place]] for place in made],
    )


def _write(
    folder: Path,
    index: Any,
    config: SetConfig,
    graph: GraphSettings | EgoSettings | DocumentSettings,
    progress: Progress,
) -> None:
    asked = _judged(index, config)
    if config.cloze:
        asked = _made(index, config, asked)
    with progress(f"embedding questions of {config.name}", len(asked.questions)) as report:
        found = index.retrieve(
            list(asked.questions.values()),
            filters=asked.filters,
            expand=config.expand,
            progress=report,
            **_retrieval(graph),
        )
    shape = (len(asked.questions), candidate_bucket(found.rows.shape[1]))
    rows = pad(found.rows, shape, EMPTY).astype(np.int32)
    scores = pad(found.scores, shape, 0.0)
    keys = np.arange(len(rows))[:, None] * len(index.ids) + rows
    relevant = [q * len(index.ids) + row for q, own in enumerate(asked.wanted) for row in own]
    arrays = {
        "rows": rows,
        "scores": scores,
        "relevant": np.isin(keys, relevant) & (rows != EMPTY),
        "counts": np.array([len(own) for own in asked.wanted], np.int32),
        "questions": found.questions.embeddings,
        "embeddings": index.embeddings,
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    with progress(f"building graphs of {config.name}", len(rows)) as report:
        if isinstance(graph, EgoSettings):
            _write_episodes(folder, build_object_graph(index))
        elif isinstance(graph, DocumentSettings):
            _write_documents(folder, index, found, graph, report)
        else:
            _write_graphs(folder, index.graph, rows, scores, graph, report)
    firsts = [index.objects[own[0]].metadata for own in asked.wanted]
    described = {
        "ids": list(asked.questions),
        "groups": [
            m.get("db") or m.get("document_id") or query
            for query, m in zip(asked.questions, firsts, strict=True)
        ],
        "embedder": index.embedder.name,
        "without_positives": asked.without,
    }
    (folder / "examples.json").write_text(json.dumps(described), encoding="utf-8")


def _retrieval(graph: GraphSettings | EgoSettings | DocumentSettings) -> dict[str, Any]:
    """What candidates a network of this kind is given."""
    if isinstance(graph, GraphSettings):
        return {}
    return {"candidates": graph.candidates, "lexical_weight": 0.0}


def _write_episodes(folder: Path, episodes: Any) -> None:
    np.save(folder / "neighbors.npy", episodes.neighbors)
    np.save(folder / "weights.npy", episodes.weights)
    np.save(folder / "relations.npy", [RELATIONS.index(name) for name in episodes.relations])


def _write_documents(
    folder: Path,
    index: Any,
    found: Any,
    settings: DocumentSettings,
    report: Callable[[int], None],
) -> None:
    parts = []
    for start in range(0, len(found), _BLOCK):
        block = slice(start, start + _BLOCK)
        shape = (len(found.rows[block]), candidate_bucket(found.rows.shape[1]))
        parts.append(
            build_document_graphs(
                index, found.block(block, shape), max_df=settings.max_df, paths=settings.paths
            )
        )
        report(len(found.rows[block]))
    for name in ("concepts", "triples"):
        lists = [getattr(part, name) for part in parts]
        widest = max(numbers.shape[2] for numbers in lists)
        padded = [pad(numbers, (*numbers.shape[:2], widest), EMPTY) for numbers in lists]
        np.save(folder / f"{name}.npy", np.concatenate(padded))
    firsts = np.cumsum([0] + [len(part.encoded) for part in parts])
    places = [
        np.where(part.places == EMPTY, EMPTY, part.places + first)
        for part, first in zip(parts, firsts, strict=False)
    ]
    np.save(folder / "places.npy", np.concatenate(places).astype(np.int32))
    np.save(folder / "encoded.npy", np.concatenate([part.encoded for part in parts]))


def _write_graphs(
    folder: Path,
    arrays: GraphArrays,
    rows: Int[ndarray, "Q n"],
    scores: Float[ndarray, "Q n"],
    settings: GraphSettings,
    report: Callable[[int], None],
) -> None:
    # The graphs are the same in every epoch, and building them costs about as much as a step.
    degree = np.uint16 if rows.shape[1] < 1 << 16 else np.uint32
    kinds = {"smoothed": (), "neighbors": (settings.neighbors,), "degrees": (len(DEGREES),)}
    place = np.int16 if rows.shape[1] < 1 << 15 else np.int32
    types = {"smoothed": np.float32, "neighbors": place, "degrees": degree}
    maps = {
        name: np.lib.format.open_memmap(
            folder / f"{name}.npy", "w+", types[name], (*rows.shape, *extra)
        )
        for name, extra in kinds.items()
    }
    proximities = arrays.proximities()
    for start in range(0, len(rows), _BLOCK):
        block = slice(start, start + _BLOCK)
        some = pad(rows[block], (_BLOCK,), EMPTY)
        built = _graphs(
            pad(scores[block], (_BLOCK,), 0.0),
            arrays.gather(some, proximities, max_df=settings.max_df),
            some != EMPTY,
            settings=settings,
            table=kernel_table(proximities),
        )
        for name, values in built.items():
            maps[name][block] = np.asarray(values)[: len(rows[block])]
        report(len(rows[block]))
    for mapped in maps.values():
        mapped.flush()


@partial(jax.jit, static_argnames=("settings", "table"))
def _graphs(
    scores: Float[Array | ndarray, "B n"],
    relations: Relations,
    mask: Bool[Array | ndarray, "B n"],
    *,
    settings: GraphSettings,
    table: Table,
) -> dict[str, Array]:
    batch = build_candidates(
        scores,
        np.zeros((len(scores), 1), np.float32),
        np.zeros((*scores.shape, 1), np.float32),
        relations,
        mask=mask,
        alpha=settings.alpha,
        neighbors=settings.neighbors,
        table=table,
    )
    return {name: getattr(batch, name) for name in ("smoothed", "neighbors", "degrees")}


@dataclass(frozen=True)
class Pool:
    """Questions of one set that are learned from, or watched.

    Attributes:
        examples: the set.
        questions: which of them.
        repeat: see `SetConfig`.
        name: for reports.
    """

    examples: Examples
    questions: Int[ndarray, " m"]
    repeat: float = 1.0
    name: str = ""


@dataclass(frozen=True)
class Picks:
    """The questions of one batch.

    Attributes:
        sets: `[m]` the pool of each.
        questions: `[m]` its place there.
        candidates: to how many candidates all are padded.
    """

    sets: Int[ndarray, " m"]
    questions: Int[ndarray, " m"]
    candidates: int


@dataclass(frozen=True)
class LabelledBatch:
    """What a step reads.

    Attributes:
        candidates: the network's input, which has a `mask` of what it scores.
        relevant: `[B, n]`.
        counts: `[B]` how many objects are relevant, retrieved or not; 0 where the batch is padded.
    """

    candidates: Any
    relevant: Bool[Array | ndarray, "B n"]
    counts: Int[ndarray, " B"]


def epoch_batches(
    pools: Sequence[Pool], size: int, *, seed: int, epoch: int, apart: bool = False
) -> list[Picks]:
    """The batches of an epoch, over all pools, in an order that seed and epoch alone decide.

    Args:
        pools: what is visited.
        size: questions a batch.
        seed: of the order.
        epoch: which.
        apart: let no batch hold questions of two pools.
    """
    rng = np.random.default_rng((seed, epoch))
    chosen = [_repeated(pool, rng) for pool in pools]
    return _batches(pools, chosen, size, rng, apart=apart)


def watch_batches(pool: Pool, size: int) -> list[Picks]:
    """The batches of a pool, each question once."""
    return _batches([pool], [pool.questions], size)


def gather(pools: Sequence[Pool], picks: Picks, size: int) -> LabelledBatch:
    """The arrays of a batch, padded to `size` questions."""
    n, m = picks.candidates, len(picks.questions)
    first = pools[int(picks.sets[0])].examples
    shape = (size, n)
    widths = {name: array.shape[2:] for name, array in first.graphs.items()}
    arrays: dict[str, ndarray] = {
        "rows": np.full(shape, EMPTY, np.int32),
        "scores": np.zeros(shape, np.float32),
        "smoothed": np.zeros(shape, np.float32),
        "neighbors": np.full((*shape, *widths["neighbors"]), EMPTY, np.int32),
        "degrees": np.zeros((*shape, *widths["degrees"]), np.float32),
        "relevant": np.zeros(shape, bool),
        "counts": np.zeros(size, np.int32),
    }
    dimension = first.questions.shape[1]
    questions = np.zeros((size, dimension), np.float32)
    objects = np.zeros((*shape, dimension), np.float32)
    for number in np.unique(picks.sets):
        examples = pools[number].examples
        places, own = np.flatnonzero(picks.sets == number), picks.questions[picks.sets == number]
        width = min(n, examples.rows.shape[1])
        for name in ("rows", "scores", "relevant"):
            arrays[name][places, :width] = getattr(examples, name)[own, :width]
        for name, array in examples.graphs.items():
            arrays[name][places, :width] = array[own, :width]
        arrays["counts"][places] = examples.counts[own]
        questions[places] = examples.questions[own]
        objects[places, :width] = examples.embeddings[np.maximum(examples.rows[own, :width], 0)]
    mask = arrays.pop("rows") != EMPTY
    mask[m:] = False
    relevant, counts = arrays.pop("relevant"), arrays.pop("counts")
    candidates = CandidateBatch(questions=questions, objects=objects, mask=mask, **arrays)
    return LabelledBatch(candidates, relevant, counts)


def gather_documents(pools: Sequence[Pool], picks: Picks, size: int) -> LabelledBatch:
    """As `gather`, of questions of one set, for networks over documents."""
    examples = pools[int(picks.sets[0])].examples
    own, width = picks.questions, min(picks.candidates, examples.rows.shape[1])
    shape = (size, picks.candidates)

    def padded(values: ndarray, fill: Any) -> ndarray:
        return pad(values, shape, fill)

    rows = examples.rows[own, :width]
    documents = examples.embeddings[np.maximum(rows, 0)]
    read, places = documents.copy(), examples.graphs["places"][own, :width]
    read[places != EMPTY] = examples.graphs["encoded"][places[places != EMPTY]]
    batch = DocumentBatch(
        questions=pad(examples.questions[own], (size,), 0.0),
        documents=padded(documents, 0.0),
        read=padded(read, 0.0),
        concepts=padded(examples.graphs["concepts"][own, :width], EMPTY),
        triples=padded(examples.graphs["triples"][own, :width], EMPTY),
        mask=padded(rows, EMPTY) != EMPTY,
    )
    relevant = padded(examples.relevant[own, :width], False)
    return LabelledBatch(batch, relevant, pad(examples.counts[own], (size,), 0))


def _repeated(pool: Pool, rng: np.random.Generator) -> Int[ndarray, " m"]:
    whole, fraction = divmod(pool.repeat, 1)
    # At least one, or an epoch might have no step at all.
    share = max(round(fraction * len(pool.questions)), int(pool.repeat < 1))
    some = rng.permutation(pool.questions)[:share]
    return np.concatenate([np.tile(pool.questions, int(whole)), some])


def _batches(
    pools: Sequence[Pool],
    chosen: Sequence[Int[ndarray, " _"]],
    size: int,
    rng: np.random.Generator | None = None,
    *,
    apart: bool = False,
) -> list[Picks]:
    sets = np.repeat(np.arange(len(pools)), [len(own) for own in chosen])
    questions = np.concatenate(chosen)
    order = np.arange(len(sets)) if rng is None else rng.permutation(len(sets))
    sets, questions = sets[order], questions[order]
    buckets = np.concatenate(
        [np.zeros(0, np.int64)]
        + [pool.examples.buckets[own] for pool, own in zip(pools, chosen, strict=True)]
    )[order]
    made = []
    kinds = np.stack([buckets, sets * apart])
    for bucket, own in np.unique(kinds, axis=1).T:
        members = np.flatnonzero((buckets == bucket) & (kinds[1] == own))
        for start in range(0, len(members), size):
            some = members[start : start + size]
            made.append(Picks(sets[some], questions[some], int(bucket)))
    return made if rng is None else [made[i] for i in rng.permutation(len(made))]

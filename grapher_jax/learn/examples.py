"""Judged questions of an index as training examples, cached on disk."""

import filecmp
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

import grapher_jax
from grapher_jax.checks import check_path
from grapher_jax.corpus import Query, is_beir, judge_questions
from grapher_jax.corpus.documents import holds_index
from grapher_jax.corpus.inferred.stage import ALWAYS, KeyChoice, with_inferred_keys, without_keys
from grapher_jax.errors import InputError
from grapher_jax.files import atomic_folder, parse_json, sha256
from grapher_jax.graph import EMPTY, PROXIMITIES
from grapher_jax.learn.cloze import cloze_questions
from grapher_jax.learn.join_paths import path_questions
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.search import Index, open_source
from grapher_jax.shapes import candidate_bucket, pad
from grapher_jax.systems.network import Network
from grapher_jax.training.config import SetConfig
from grapher_jax.training.examples import ARRAYS, Examples
from grapher_jax.training.run import Stages, no_stages

# Raise it by one with every change that gives other examples for the same corpus, questions and
# settings: in retrieval, in the questions asked or made, in the edges, or in the file format. Then
# all examples are made again, and earlier runs no longer resume.
# `tests/learn/test_example_format.py` fails if this was forgotten.
FORMAT = 9
_DESCRIBED = "examples.json"
# A text, by whose largest components embedders of one name are told apart.
_PROBE, _LARGEST = "orders: order_id, customer_id, total", 3


def prepare(
    config: SetConfig,
    network: Network[object],
    settings: object,
    cache: Path,
    *,
    embedder: str | Embedder | None = None,
    progress: Stages = no_stages,
) -> Examples:
    """The examples of a split: read from the cache, or retrieved and cached.

    Args:
        config: the set of questions.
        network: the network for which they are made.
        settings: how its graphs are built.
        cache: a folder with one subfolder per set of examples.
        embedder: the embedder of a BEIR folder, and, if not a name, of the questions.
        progress: shows the progress of computations.

    Raises:
        InputError: for an invalid source, an unknown split, malformed judgements or labels of
            unknown objects, and if no question has a relevant object.
    """
    source = Path(config.source)
    if not source.is_dir():
        raise InputError(f"{source}: no such folder; give an index or a BEIR folder")
    if not holds_index(source) and not is_beir(source):
        raise InputError(f"{source}: is neither an index nor a BEIR folder; index it first")
    decisive = {
        "format": FORMAT,
        "version": grapher_jax.__version__,
        "source": _digest(source, config.split),
        "split": config.split,
        "expand": config.expand,
        "keys": config.keys,
        # Proximities may be added by the user.
        "proximities": [*PROXIMITIES],
        "cloze": config.cloze,
        "embedder": _embedder(embedder),
        "graph": {"arrays": [*network.graphs], "settings": network.decisive(settings)},
    }
    if config.paths:
        decisive["paths"] = config.paths
    if config.questions:
        decisive["questions"] = sha256(check_path("questions", config.questions))
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()
    folder = _folder(cache, digest)
    if not folder.is_dir():
        with progress(f"embedding {config.name}", None) as report:
            index = open_source(config.source, embedder=embedder, progress=report)
            searched = _joined_by(config.keys, index)
        with atomic_folder(folder) as temporary:
            _write(temporary, index, searched, config, network, settings, progress)
    described = parse_json((folder / _DESCRIBED).read_text(encoding="utf-8"))
    arrays, graphs = (
        {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in names}
        for names in (ARRAYS, network.graphs)
    )
    return Examples(name=config.name, digest=digest, **described, **arrays, graphs=graphs)


def unchanged(cache: Path, network: Network[object], recorded: str, examples: Examples) -> bool:
    """Whether examples equal those under another digest, which are still cached.

    Digests of earlier versions included checksums of the package's own code. To resume their runs,
    the examples are compared, if they are still cached.

    Args:
        cache: the folder of both.
        network: the network for which they are made.
        recorded: the other digest.
        examples: the examples made from the same sources now.
    """
    before, now = _folder(cache, recorded), _folder(cache, examples.digest)
    if not before.is_dir():
        return False
    names = {file.name for file in now.iterdir()}
    if names != {file.name for file in before.iterdir()}:
        return False
    # Lists without a meaningful order, whose order has changed between versions.
    unordered = {f"{name}.npy" for name in network.unordered}
    ordered = sorted(names - unordered)
    same, _, _ = filecmp.cmpfiles(before, now, ordered, shallow=False)
    return same == ordered and all(
        np.array_equal(np.sort(np.load(before / name)), np.sort(np.load(now / name)))
        for name in unordered
    )


def _folder(cache: Path, digest: str) -> Path:
    return cache / digest[:32]


def _digest(source: Path, split: str) -> dict[str, str]:
    """The checksums of what decides the candidates; for an index, the manifest has all others."""
    queries = [source / f"queries.jsonl{end}" for end in ("", ".gz")]
    corpus = [source / f"corpus.jsonl{end}" for end in ("", ".gz")]
    files = [source / "manifest.json", *queries, source / "qrels" / f"{split}.tsv", *corpus]
    decisive = {file.name: sha256(file) for file in files if file.is_file()}
    return decisive | _checksums(source, "amr/*.jsonl*")


def _embedder(embedder: str | Embedder | None) -> str | list[object] | None:
    """The name; also the path and the checksums of a folder, and what your own embedder gives.

    A model may change behind its name.
    """
    name = embedder if embedder is None or isinstance(embedder, str) else embedder.name
    told: str | list[object] | None = name
    if name is not None and Path(name).is_dir():
        told = [str(Path(name).resolve()), _checksums(Path(name), "**/*")]
    if embedder is None or isinstance(embedder, str):
        return told
    # Its largest components, which rounding on another device does not change.
    vector = np.asarray(embedder.embed_objects([_PROBE]), np.float32)[0]
    largest = np.argsort(-np.abs(vector), kind="stable")[:_LARGEST]
    return [told, [[int(place), bool(vector[place] > 0)] for place in largest]]


def _checksums(folder: Path, pattern: str) -> dict[str, str]:
    files = (file for file in folder.glob(pattern) if file.is_file())
    return {file.relative_to(folder).as_posix(): sha256(file) for file in files}


@dataclass(frozen=True)
class _Asked:
    """Questions with the rows of their relevant objects.

    Attributes:
        questions: the texts or queries, by id.
        filters: one per question.
        wanted: one list of rows per question.
        without: how many judged questions have no relevant object.
    """

    questions: Mapping[str, str | Query]
    filters: Sequence[Mapping[str, object] | None]
    wanted: Sequence[Sequence[int]]
    without: int = 0


def _joined_by(keys: str, index: Index) -> Index:
    """The index, or a copy with the same rows and settings, and hidden declared keys."""
    if keys == "declared":
        return index
    hidden = without_keys(index.objects)
    objects = with_inferred_keys(hidden, KeyChoice(ALWAYS)) if keys == "inferred" else hidden
    words = index.lexical
    return Index.build(
        objects,
        embedder=index.embedder,
        lexical=words.engine,
        lexical_variant=words.variant,
        text=index.text,
        language=words.reading.language,
        edges=index.edges,
        reuse=index if index.embedded_by == index.embedder.name else None,
        **asdict(index.options),
    )


def _judged(index: Index, config: SetConfig) -> _Asked:
    if config.questions:
        own = judge_questions(config.questions, index.rows)
        asked, judged = {query.id: query for query in own.queries}, own.judgements
    elif index.has_queries:
        asked, judged = index.queries, index.judgements(config.split)
    else:
        raise InputError(
            f"{config.source}: has no judged questions; give a file of your own by --questions, or "
            "let questions be made: --cloze 1000 or --paths 1000; or `questions`, `cloze` or "
            "`paths` of a set"
        )
    wanted = {
        query: [index.rows[identity] for identity, grade in grades.items() if grade > 0]
        for query, grades in judged.items()
    }
    without = sum(not rows for rows in wanted.values())
    wanted = {query: rows for query, rows in wanted.items() if rows}
    if not wanted:
        raise InputError(
            f"{config.source}: {config.judged} has no question with a relevant object; give its "
            "judgements grades above 0"
        )
    queries = [asked[query] for query in wanted]
    return _Asked(
        questions={query.id: query for query in queries},
        filters=[query.metadata.get("filter") for query in queries],
        wanted=list(wanted.values()),
        without=without,
    )


def _eligible(index: Index, config: SetConfig, whole: str, *, unnamed: bool = False) -> list[int]:
    """The rows of objects from which questions may be made.

    If the split has judged questions, these are its relevant objects and all of their documents or
    databases, so that none of another split are used.

    Args:
        index: the index of the objects.
        config: the set with its split.
        whole: the metadata key that names the document or database of an object.
        unnamed: whether objects that name none are of one and the same.
    """
    eligible = [*range(len(index.ids))]
    if not index.has_queries:
        return eligible
    judged = _judged(index, config)
    wholes = [item.metadata.get(whole) for item in index.objects]
    relevant = {row for rows in judged.wanted for row in rows}
    about = {wholes[row] for row in relevant} - ({None} if not unnamed else set())
    return [row for row in eligible if row in relevant or wholes[row] in about]


def _made_of_words(index: Index, config: SetConfig) -> _Asked:
    eligible = _eligible(index, config, "document_id")
    made = cloze_questions([index.objects[row].text for row in eligible], config.cloze)
    if not made:
        raise InputError(f"{config.source}: no text has a sentence of which cloze makes a question")
    return _Asked(
        questions={f"cloze {index.ids[eligible[place]]}": text for place, text in made.items()},
        filters=[None] * len(made),
        wanted=[[eligible[place]] for place in made],
    )


def _made_of_paths(index: Index, config: SetConfig) -> _Asked:
    tables = [index.objects[row] for row in _eligible(index, config, "db", unnamed=True)]
    made = path_questions(tables, config.paths)
    if not made:
        raise InputError(
            f"{config.source}: no table declares a foreign key to another table of its database, "
            "from which paths makes questions; give metadata `table` and `foreign_keys`, or use "
            "cloze"
        )
    return _Asked(
        questions={f"paths {number}": text for number, text in enumerate(made)},
        filters=[None] * len(made),
        wanted=[[index.rows[identity] for identity in ids] for ids in made.values()],
    )


def _write(
    folder: Path,
    index: Index,
    searched: Index,
    config: SetConfig,
    network: Network[object],
    settings: object,
    progress: Stages,
) -> None:
    made = _made_of_words if config.cloze else _made_of_paths if config.paths else _judged
    asked = made(index, config)
    with progress(f"embedding questions of {config.name}", len(asked.questions)) as report:
        found = searched.retrieve(
            list(asked.questions.values()),
            filters=asked.filters,
            expand=config.expand,
            progress=report,
            **network.retrieving(settings),
        )
    shape = (len(asked.questions), candidate_bucket(found.rows.shape[1]))
    rows = pad(found.rows, shape, EMPTY).astype(np.int32)
    scores = pad(found.scores, shape, 0.0)
    # Pairs of a question and an object, as single numbers.
    keys = np.arange(len(rows))[:, None] * len(index.ids) + rows
    relevant = [q * len(index.ids) + row for q, own in enumerate(asked.wanted) for row in own]
    arrays = {
        "rows": rows,
        "scores": scores,
        "relevant": np.isin(keys, relevant) & (rows != EMPTY),
        "counts": np.array([len(own) for own in asked.wanted], np.int32),
        "questions": found.questions.embeddings,
        "embeddings": np.asarray(searched.embeddings),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    with progress(f"building graphs of {config.name}", len(rows)) as report:
        candidates = replace(found, rows=rows, scores=scores)
        network.write_graphs(folder, searched, candidates, settings, report)
    described = {
        "ids": list(asked.questions),
        "groups": [_groups(index, own) for own in asked.wanted],
        "embedder": index.embedder.name,
        "without_positives": asked.without,
    }
    (folder / _DESCRIBED).write_text(json.dumps(described), encoding="utf-8")


def _groups(index: Index, rows: Sequence[int]) -> list[str]:
    """The databases and documents of some objects, and the ids of those that are in none."""
    items = [index.objects[row] for row in rows]
    names = [item.metadata.get("db") or item.metadata.get("document_id") for item in items]
    return [*dict.fromkeys(name or item.id for name, item in zip(names, items, strict=True))]

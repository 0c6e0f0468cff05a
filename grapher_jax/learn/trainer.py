"""Trains a network from judged questions: from an index to weights."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import jax

from grapher_jax.errors import InputError
from grapher_jax.files import alone
from grapher_jax.learn.examples import prepare, unchanged
from grapher_jax.retrieve.embedders import AnyEmbedder, open_embedder
from grapher_jax.systems.grapher.start import started
from grapher_jax.systems.networks import NETWORKS, find_network
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data
from grapher_jax.training.run import Stages, no_stages
from grapher_jax.training.run_folder import check_target, claim
from grapher_jax.training.trainer import TrainReport, keep_trained


def train(
    config: TrainConfig,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    embedder: AnyEmbedder | None = None,
    devices: Sequence[jax.Device] | None = None,
    progress: Stages = no_stages,
) -> TrainReport:
    """Train a network, or resume an earlier call with the same configuration.

    The folder gets `config.json`, `metrics.jsonl` (one JSON object per line), `curves.png`,
    `checkpoints/` and, at the end, the best weights in `weights/`. On the same machine, a call that
    was killed and restarted gives exactly the same weights as an uninterrupted one.

    Args:
        config: everything that decides the weights.
        out: a new folder, or one with a run of the same configuration.
        cache: the folder of examples, also for other runs; by default `<out>/examples`.
        embedder: an embedder of your own, of any kind that `Index.build` takes, instead of the one
            that the configuration or an index names.
        devices: the devices that share every batch; by default all of this process. Only the random
            draws of `dropout` depend on their number, and not on CPUs with equal and even shares.
        progress: shows the progress of making examples and of training steps.

    Returns:
        JSON-ready: `weights` (the folder), `steps`, `best_step`, `stopped_early`, `seconds`,
        `questions` used and left out by set, and `watch`: by set at `best_step`, PR, R and
        MRR at 5, 10 and `k`, over all questions and over those with several relevant objects.

    Raises:
        InputError: for unusable questions or labels, a folder with another or a damaged run, or one
            that cannot be written; its content stays.
        GrapherError: if the loss is not finite; the last good checkpoint stays.
        BusyError: if another process trains in the folder.
    """
    out = Path(out)
    kept = Path(cache) if cache else out / "examples"
    if config.architecture not in NETWORKS:
        raise InputError(f"network.name: {config.architecture!r} is unknown; add it to `NETWORKS`")
    network = find_network(config.architecture)
    own = config.embedder if embedder is None else open_embedder(embedder)
    config = started(config)
    check_target(out, config)
    settings = config.own.graph
    data = Data.collect(
        config,
        lambda chosen: prepare(chosen, network, settings, kept, embedder=own, progress=progress),
    )
    config = config.with_dimension(data.dimension)
    with alone(out, wait=False):
        claim(out, config, data.sets, unchanged=partial(unchanged, kept, network))
        trained = network.train(config, data, out, devices, progress)
        return keep_trained(trained, network.architecture, config, data, out)

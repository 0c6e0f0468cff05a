"""Training from judged questions: from an index to weights."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import jax

from grapher_jax.errors import InputError
from grapher_jax.learn.examples import prepare, unchanged
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.systems.networks import NETWORKS
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.data import Data
from grapher_jax.training.run import Progress, no_progress
from grapher_jax.training.run_folder import check_target, claim
from grapher_jax.training.trainer import TrainReport, keep_trained


def train(
    config: TrainConfig,
    out: str | Path,
    *,
    cache: str | Path | None = None,
    embedder: Embedder | None = None,
    devices: Sequence[jax.Device] | None = None,
    progress: Progress = no_progress,
) -> TrainReport:
    """Train a network, or go on where a call with the same configuration was stopped.

    The folder gets `config.json`, `metrics.jsonl` (a JSON object a line), `curves.png`,
    `checkpoints/` and, in the end, the best weights in `weights/`. On the same machine a call that
    was killed and started again ends with the same weights, to the bit, as one that was not.

    Args:
        config: all that decides the weights.
        out: a new folder, or one that holds a run of the same configuration.
        cache: where examples are kept for other runs; by default `<out>/examples`.
        embedder: your own, instead of the one that the configuration or an index names.
        devices: which share every batch; all of this process by default. The drawing of `dropout`
            alone depends on their number, and not on CPUs of which each has an even share.
        progress: shown while examples are made and steps taken.

    Returns:
        JSON-ready: `weights` (the folder), `steps`, `best_step`, `stopped_early`, `seconds`,
        `questions` and what was left out by set, and `watch`: PR@K by set at `best_step`.

    Raises:
        InputError: for questions or labels that cannot be used, a folder that holds another run or
            a damaged one, or one that cannot be written; what was there stays.
        GrapherError: where the loss is no number; the last good checkpoint stays.
    """
    out = Path(out)
    kept = Path(cache) if cache else out / "examples"
    if config.architecture not in NETWORKS:
        known = ", ".join(NETWORKS)
        raise InputError(f"network.name: {config.architecture!r} is unknown; use {known}")
    network = NETWORKS[config.architecture]
    check_target(out, config)
    data = Data.collect(
        config,
        lambda chosen: prepare(
            chosen,
            network,
            config.own.graph,
            kept,
            embedder=embedder or config.embedder,
            progress=progress,
        ),
    )
    config = config.with_dimension(data.dimension)
    claim(out, config, data.sets, unchanged=partial(unchanged, kept))
    trained = network.train(config, data, out, devices=devices, progress=progress)
    return keep_trained(trained, network.architecture, config, data, out)

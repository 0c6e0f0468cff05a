"""The files in a run's folder that describe the run."""

import json
from collections.abc import Callable
from pathlib import Path

import grapher_jax
from grapher_jax.errors import InputError
from grapher_jax.files import atomic_file, parse_json
from grapher_jax.training.architecture import UNSET
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.examples import Examples
from grapher_jax.training.reading import JsonObject

_CONFIG = "config.json"


def check_target(out: Path, config: TrainConfig) -> None:
    """Raise early, before any computation, if the folder holds something else.

    Raises:
        InputError: if it does.
    """
    if not out.exists():
        return
    recorded = _recorded(out)
    if recorded is None:
        # A run that was killed while writing its first file may have left a hidden one.
        if not out.is_dir() or any(
            entry.name != "examples" and not entry.name.startswith(".") for entry in out.iterdir()
        ):
            raise InputError(f"{out}: exists and holds no training run; give another --out")
        return
    if recorded.get("version") != grapher_jax.__version__:
        raise InputError(
            f"{out}: begun by version {recorded.get('version')} of grapher-jax, and this is "
            f"{grapher_jax.__version__}; go on with that version, or give another --out"
        )
    given, found = config.to_json(), dict(recorded["config"])
    for asked, had in zip(_models(given), _models(found), strict=False):
        if asked["dimension"] == UNSET:
            had["dimension"] = UNSET
    if given != found:
        names = sorted(given.keys() | found.keys())
        differing = [name for name in names if given.get(name) != found.get(name)]
        raise InputError(
            f"{out}: holds a run of another configuration ({', '.join(differing)}); "
            "give another --out, or the same configuration to go on"
        )


def claim(
    out: Path,
    config: TrainConfig,
    sets: list[Examples],
    *,
    unchanged: Callable[[str, Examples], bool],
) -> None:
    """Write the description of this run.

    Args:
        out: the folder.
        config: everything that decides the weights.
        sets: the examples that the run reads.
        unchanged: checks whether examples equal those that a run recorded under another digest.

    Raises:
        InputError: if the run was started with other data.
    """
    digests = [examples.digest for examples in sets]
    recorded = _recorded(out)
    if recorded is not None:
        if recorded["data"] == digests:
            return
        pairs = zip(recorded["data"], sets, strict=False)
        if len(recorded["data"]) != len(sets) or not all(
            digest == own.digest or unchanged(digest, own) for digest, own in pairs
        ):
            raise InputError(
                f"{out}: its sources have changed since it was begun, or what retrieves from them "
                "(or an earlier version began it, and its examples are no longer kept); "
                "give another --out to begin anew"
            )
    content = {"config": config.to_json(), "data": digests, "version": grapher_jax.__version__}
    with atomic_file(out / _CONFIG) as temporary:
        temporary.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def _models(config: JsonObject) -> list[JsonObject]:
    """The shapes of networks in a configuration."""
    parts = (config, config.get("query_gnn"), config.get("g_rag"), config.get("network"))
    return [part["model"] for part in parts if part]


def _recorded(out: Path) -> JsonObject | None:
    try:
        recorded = parse_json((out / _CONFIG).read_text(encoding="utf-8"))
        return recorded if {"config", "data"} <= recorded.keys() else None
    except (OSError, ValueError, AttributeError):
        return None

"""Chooses settings on validation questions, then trains on all data (GraphER, A.3)."""

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from grapher_jax.errors import GrapherError, InputError, MissingExtraError
from grapher_jax.files import atomic_file, parse_json, read_json_lines
from grapher_jax.learn.trainer import train
from grapher_jax.retrieve.embedders import Embedder
from grapher_jax.systems.networks import architectures
from grapher_jax.training.config import TrainConfig
from grapher_jax.training.measures import mean_over_sets
from grapher_jax.training.reading import JsonObject
from grapher_jax.training.run import Stages, no_stages
from grapher_jax.training.trainer import TrainReport

_TRIALS, _CHOICE, _FINAL = "trials", "choice.json", "final"
# The fields of a trial's report that are included in a choice.
_TOLD = ("steps", "best_step", "stopped_early", "watch")
Value = object
Settings = Mapping[str, Sequence[Value]]
Report = Callable[[int], None]


class ChoiceReport(TrainReport):
    """The report of a choice: of the final run, and of how its settings were chosen; JSON-ready."""

    choice: JsonObject


def choose(
    config: TrainConfig,
    out: str | Path,
    *,
    settings: Settings,
    cache: str | Path | None = None,
    embedder: Embedder | None = None,
    progress: Stages = no_stages,
) -> ChoiceReport:
    """Try every combination of values, then train with the best, also on the validation data.

    Every combination is a run of `train` in `trials/`. The best has the highest mean over the
    validation sets; of equal ones, the earlier is taken. The run in `final/` has its settings, also
    trains on the validation sets, and validates on nothing. It is as long as the trial or, if early
    stopping ended the trial, has as many passes (with `steps`, steps) as the trial had at its best.
    On the same machine, a call that was killed and restarted gives exactly the same weights.

    Args:
        config: the configuration that all combinations share.
        out: a new folder, or one with the same choice.
        settings: the values by name, as in JSON, such as `{"model.dropout": [0.1, 0.3]}`.
        cache: the folder of examples for all runs; by default `<out>/examples`.
        embedder: see `trainer.train`.
        progress: see `trainer.train`.

    Returns:
        JSON-ready: the report of `train` for the final run, and as `choice` the content of
        `choice.json`: `measure`, such as `PR@10`; `chosen`, the best settings; `trials`, each with
        its `settings`, its `folder`, its mean under the measure's name, and `steps`, `best_step`,
        `stopped_early` and `watch` from the report of `train`. If a loss was not finite, the mean
        is None, and the rest is the `error`.

    Raises:
        InputError: for unknown settings or invalid values, equal combinations, combinations without
            or with different validation data, a folder with something else, and as `train`.
        GrapherError: if the loss of every combination, or of the final run, is not finite.
    """
    out = Path(out)
    trials = _trials(config, settings)
    _check_target(out, {trial.name for trial in trials})
    kept = Path(cache) if cache else out / "examples"

    def run(what: str, config: TrainConfig, folder: Path) -> TrainReport:
        def told(begun: str, total: int | None = None) -> AbstractContextManager[Report]:
            return progress(f"{what}: {begun}", total)

        return train(config, folder, cache=kept, embedder=embedder, progress=told)

    measure = f"{trials[0].config.watch_by}@{trials[0].config.k}"
    tried: list[JsonObject] = []
    for number, trial in enumerate(trials, start=1):
        folder = f"{_TRIALS}/{trial.name}"
        found: JsonObject
        try:
            report = run(f"{number} of {len(trials)}", trial.config, out / folder)
            mean = mean_over_sets(report["watch"], measure)
            found = {measure: mean, **{name: own for name, own in report.items() if name in _TOLD}}
        except (InputError, MissingExtraError):
            raise
        except GrapherError as error:  # the loss is not finite; other settings may be better
            found = {measure: None, "error": str(error)}
        tried.append({"settings": trial.settings, "folder": folder} | found)
    best = _best(tried, measure)
    choice: JsonObject = {"measure": measure, "chosen": trials[best].settings, "trials": tried}
    with atomic_file(out / _CHOICE) as temporary:
        temporary.write_text(json.dumps(choice, indent=2) + "\n", encoding="utf-8")
    final = _final(trials[best].config, out / tried[best]["folder"], tried[best])
    return ChoiceReport(**run(_FINAL, final, out / _FINAL), choice=choice)


def read_settings(listed: Sequence[str]) -> dict[str, list[Value]]:
    """Parse settings `NAME=VALUE,VALUE`; a value that is not JSON is a string.

    Raises:
        InputError: for another form, or a setting given twice.
    """
    settings: dict[str, list[Value]] = {}
    for one in listed:
        name, separator, values = one.partition("=")
        if not separator:
            raise InputError(f"choose: {one!r} must be NAME=VALUE,VALUE, such as epochs=1,2")
        if name in settings:
            raise InputError(f"choose: {name} is given twice; give all its values at once")
        try:
            settings[name] = parse_json(f"[{values}]")  # values may be lists
        except ValueError:
            settings[name] = [_value(value) for value in values.split(",")]
    return settings


def _value(text: str) -> Value:
    try:
        return parse_json(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class _Trial:
    """A combination: its folder's name, its settings, and its whole configuration."""

    name: str
    settings: Mapping[str, Value]
    config: TrainConfig


def _best(tried: Sequence[JsonObject], measure: str) -> int:
    """The position of the best; raises GrapherError if no loss was finite."""
    sound = [place for place, found in enumerate(tried) if found[measure] is not None]
    if not sound:
        raise GrapherError(tried[-1]["error"])
    return max(sound, key=lambda place: tried[place][measure])


def _trials(config: TrainConfig, settings: Settings) -> list[_Trial]:
    for name, values in settings.items():
        if not values:
            raise InputError(f"choose: {name} has no values; give some, such as {name}=1,2")
    known = architectures()
    trials: list[_Trial] = []
    for number, values in enumerate(product(*settings.values()), start=1):
        own = dict(zip(settings, values, strict=True))
        given = config.to_json()
        for name, value in own.items():
            given = _with(given, name.split("."), value)
        made = TrainConfig.from_json(given, place="choose", architectures=known)
        trial = _Trial(_name(number, own), own, made)
        if not trial.config.watch and not any(held.held_out for held in trial.config.sets):
            raise InputError(
                "choose: nothing is watched, so that no combination is better than another; give "
                "--watch SOURCE:SPLIT or --held-out SHARE"
            )
        for other in trials:
            if trial.config == other.config:
                raise InputError(
                    f"choose: {trial.name} is the same as {other.name}; give every value once"
                )
            if _watched(trial.config) != _watched(other.config):
                raise InputError(
                    f"choose: {trial.name} does not watch what {other.name} does, so that they "
                    f"cannot be compared; choose between other settings than {', '.join(settings)}"
                )
        trials.append(trial)
    return trials


def _with(values: Mapping[str, Value], path: Sequence[str], value: Value) -> JsonObject:
    """The values with the one at a path of names changed."""
    first, *rest = path
    if rest:
        inner = values.get(first)
        value = _with(inner if isinstance(inner, Mapping) else {}, rest, value)
    return {**values, first: value}


def _name(number: int, settings: Mapping[str, Value]) -> str:
    """The name of a folder: a unique number, and the settings in readable form."""
    written = ",".join(f"{name}={json.dumps(value)}" for name, value in settings.items())
    legible = re.sub(r"[^\w.,=+-]", "", written)
    return f"{number}-{legible[:100]}"


def _watched(config: TrainConfig) -> tuple[object, ...]:
    """The validation data of a trial."""
    held_out = [replace(own, repeat=1.0) for own in config.sets if own.held_out]
    return config.watch, held_out, config.watch_limit, config.watch_by, config.k


def _check_target(out: Path, names: set[str]) -> None:
    """Raise early, before any computation, if the folder holds something else."""
    if not out.exists():
        return
    ours = {_TRIALS, _CHOICE, _FINAL, "examples"}
    if not out.is_dir() or _entries(out) - ours:
        raise InputError(f"{out}: exists and holds no choice of settings; give another --out")
    begun = _entries(out / _TRIALS) if (out / _TRIALS).is_dir() else set()
    # If the choice is made, all trials must be in the folder.
    strange = begun ^ names if (out / _CHOICE).exists() else begun - names
    if strange:
        raise InputError(
            f"{out}: chooses between other settings ({min(strange)}); give another --out, or the "
            "same --choose to go on"
        )


def _entries(folder: Path) -> set[str]:
    # A kill may have left hidden files.
    return {entry.name for entry in folder.iterdir() if not entry.name.startswith(".")}


def _final(config: TrainConfig, folder: Path, trial: JsonObject) -> TrainConfig:
    """The configuration of a trial for training on all data, without validation."""
    sets = tuple(replace(own, held_out=0.0) for own in (*config.sets, *config.watch))
    config = replace(config, sets=sets, watch=())
    if not trial["best_step"]:
        raise InputError(
            f"start: no step with these settings was better than {config.start!r} itself; use it "
            "as it is"
        )
    if not trial["stopped_early"]:
        return config
    if config.steps:
        return replace(config, steps=trial["best_step"])
    lines = read_json_lines(folder / "metrics.jsonl")
    passes = next(line["epoch"] for _, line in lines if line["step"] == trial["best_step"])
    passes = max(passes, 1e-4)  # which may have been rounded to 0
    epochs = math.ceil(passes)
    # A fraction of an epoch is one epoch over a fraction of the questions.
    share = passes / epochs
    return replace(
        config,
        epochs=epochs,
        sets=tuple(replace(own, repeat=own.repeat * share) for own in sets),
    )

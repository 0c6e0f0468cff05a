"""The training and validation data of a run."""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from typing import TypedDict

import numpy as np
from jaxtyping import Int
from numpy import ndarray

from grapher_jax.errors import InputError, warn
from grapher_jax.training.architecture import UNSET
from grapher_jax.training.config import SetConfig, TrainConfig
from grapher_jax.training.examples import Examples, Pool


class SetSummary(TypedDict):
    """The numbers of used and unused questions of a set, for a report."""

    set: str
    learned_from: int
    held_out: int
    no_relevant_object: int
    no_relevant_candidate: int


@dataclass(frozen=True)
class Data:
    """The pools for training and validation, and the numbers of questions left out."""

    learned: list[Pool]
    watched: list[Pool]
    summary: list[SetSummary]

    @classmethod
    def collect(cls, config: TrainConfig, examples: Callable[[SetConfig], Examples]) -> "Data":
        """Splits the examples of all sets into training and validation pools.

        No set learns from questions about a database or document that a set of the same source
        holds out. A warning tells if a set to watch has questions that are learned from.

        Args:
            config: names the sets.
            examples: returns the examples of one set.

        Raises:
            InputError: if nothing can be learned from a set, or the sets do not fit each other or
                the network.
        """
        learned, watched, summary = [], [], []
        sets = []
        # Of two sets, one may hold out groups and the other questions.
        groups: dict[Path, set[str]] = defaultdict(set)
        ids: dict[Path, set[str]] = defaultdict(set)
        for chosen in config.sets:
            found, source = examples(chosen), Path(chosen.source).resolve()
            held, own = found.held_out(chosen.held_out), found.held_groups(chosen.held_out)
            groups[source] |= own
            ids[source] |= {*compress(_asked(chosen, found), held if not own else ())}
            sets.append((chosen, found, held, source))
        taught: dict[Path, set[str]] = defaultdict(set)
        for chosen, found, held, source in sets:
            asked = _asked(chosen, found)
            others = ~(found.having(groups[source]) | np.isin(asked, [*ids[source]]))
            own = found.learnable[others[found.learnable]]
            if not len(own):
                raise InputError(
                    f"{chosen.source}: no question of {chosen.judged} that is not held out has a "
                    "relevant object among its candidates; nothing can be learned from it"
                )
            learned.append(Pool(found, own, chosen.repeat))
            taught[source] |= {asked[question] for question in own.tolist()}
            summary.append(
                SetSummary(
                    set=chosen.name,
                    learned_from=len(own),
                    held_out=int((~others).sum()),
                    no_relevant_object=found.without_positives,
                    no_relevant_candidate=int(others.sum()) - len(own),
                )
            )
            if held.any():
                watched.append(_watched(found, np.flatnonzero(held), config, " (held out)"))
        for chosen in config.watch:
            found, source = examples(chosen), Path(chosen.source).resolve()
            _warn_of_learned(found, taught[source].intersection(_asked(chosen, found)))
            watched.append(_watched(found, np.arange(len(found.ids)), config))
        names = [pool.name for pool in watched]
        for name in names:
            if names.count(name) > 1:
                raise InputError(f"watch: two sets are called {name!r}; rename a folder")
        data = cls(learned, watched, summary)
        data.check(config)
        return data

    @property
    def sets(self) -> list[Examples]:
        """The examples of every pool, in the order in which a run records them."""
        return [pool.examples for pool in (*self.learned, *self.watched)]

    @property
    def embedder(self) -> str:
        """The name of the embedder of all sets."""
        return self.learned[0].examples.embedder

    @property
    def dimension(self) -> int:
        """The dimension of these embeddings."""
        return int(self.learned[0].examples.questions.shape[1])

    def check(self, config: TrainConfig) -> None:
        """Raise InputError if the sets do not fit each other or the network."""
        first, *others = self.sets
        for other in others:
            if other.embedder != first.embedder:
                raise InputError(
                    f"{other.name}: embedded by {other.embedder!r}, {first.name} by "
                    f"{first.embedder!r}; use indexes of one embedder"
                )
        wanted = config.own.model.dimension
        if wanted not in (UNSET, self.dimension):
            raise InputError(
                f"model.dimension: {wanted}, but {first.embedder!r} gives "
                f"{self.dimension}; leave it out"
            )


def _asked(chosen: SetConfig, found: Examples) -> list[str]:
    """The questions of a set, told apart from others with the same ids."""
    return [f"{chosen.questions or chosen.split} {one}" for one in found.ids]


def _warn_of_learned(watched: Examples, both: Collection[str]) -> None:
    """Warn of watched questions that are learned from."""
    if both:
        warn(
            f"watch: {len(both)} of {len(watched.ids)} questions of {watched.name} are learned "
            "from too, so that overfitting looks like success; watch others"
        )


def _watched(
    examples: Examples, questions: Int[ndarray, " m"], config: TrainConfig, held_out: str = ""
) -> Pool:
    """The validation questions up to the limit, spread evenly over all questions."""
    count = min(config.watch_limit, len(questions))
    places = np.linspace(0, len(questions) - 1, count).round().astype(int)
    return Pool(examples, questions[places], name=examples.name + held_out)

"""What the package knows about a network, in one place."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from grapher_jax.rankers.protocol import Ranker
from grapher_jax.retrieve.collection import Candidates, Collection
from grapher_jax.retrieve.options import BaseFinding
from grapher_jax.training.architecture import AnyArchitecture

if TYPE_CHECKING:
    import jax

    from grapher_jax.training.config import TrainConfig
    from grapher_jax.training.data import Data
    from grapher_jax.training.run import Stages, Task
    from grapher_jax.training.trainer import Trained
    from grapher_jax.training.weights import Weights

# The number of questions whose graphs are built at a time as examples.
GRAPHS_AT_ONCE = 128
SettingsT = TypeVar("SettingsT")
Train: TypeAlias = (
    "Callable[[TrainConfig, Data, Path, Sequence[jax.Device] | None, Stages], Trained]"
)


@dataclass(frozen=True, kw_only=True)
class Network(Generic[SettingsT]):
    """How a network is described, gets candidates, is trained, and used as a ranker.

    Attributes:
        architecture: its classes, and its name on disk, which is its key in `NETWORKS`.
        graphs: the names of the arrays that `write_graphs` adds to those of all examples.
        unordered: the names of arrays with lists whose order does not matter.
        make_ranker: makes the ranker with some weights; the text is its name in reports.
        retrieving: the retrieval options for its candidates.
        decisive: the settings that decide its examples, as JSON-ready values.
        write_graphs: writes the arrays of questions' graphs as files `<name>.npy` into a folder,
            from the collection, the candidates of all questions (rows padded to a bucket) and the
            settings; it calls the last argument with the number of newly written questions.
        train: trains it from everything that decides the weights (with the dimension of the
            embeddings) and the data, in the folder of the run, on some devices (None for all of
            this process), and shows the progress of training steps.
    """

    architecture: AnyArchitecture
    graphs: Sequence[str]
    unordered: Sequence[str] = ()
    make_ranker: "Callable[[Weights, str], Ranker]"
    retrieving: Callable[[SettingsT], BaseFinding]
    decisive: Callable[[SettingsT], Mapping[str, object]]
    write_graphs: Callable[[Path, Collection, Candidates, SettingsT, Callable[[int], None]], object]
    train: Train


def trained_by(make_task: "Callable[[TrainConfig], Task]") -> Train:
    """The training of a network in one stage, of the task that a configuration describes."""

    def train(
        config: "TrainConfig",
        data: "Data",
        out: Path,
        devices: "Sequence[jax.Device] | None",
        progress: "Stages",
    ) -> "Trained":
        # Ranking does without the packages for training.
        from grapher_jax.training.trainer import train_task

        task = make_task(config)
        return train_task(task, config, data, out, devices=devices, progress=progress)

    return train

"""The checkpoints of a run on disk: arrays and progress."""

import errno
import hashlib
import logging
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import jax
import numpy as np
import orbax.checkpoint as ocp
from jaxtyping import Array

from grapher_jax.errors import InputError
from grapher_jax.training.reading import JsonObject

# The cure in messages about failed writes.
MAKE_ROOM = "make room and start again with the same configuration"
Arrays = Mapping[str, list[Array]]
# The key, beside those of the progress, of the SHA-256 of the arrays.
_DIGEST = "sha256"


class Checkpoints:
    """Keeps the last two checkpoints, by step."""

    def __init__(self, folder: Path) -> None:
        """Open or create the folder."""
        self._folder = folder
        self._manager = ocp.CheckpointManager(
            folder.resolve(),
            options=ocp.CheckpointManagerOptions(
                max_to_keep=2, enable_async_checkpointing=False, cleanup_tmp_directories=True
            ),
        )

    @property
    def latest(self) -> int | None:
        """The step of the last checkpoint, if any."""
        return self._manager.latest_step()

    def save(self, step: int, arrays: Arrays, progress: JsonObject) -> None:
        """Write a checkpoint.

        Raises:
            InputError: if it cannot be written; earlier ones stay.
        """
        try:
            # Orbax reports a full disk from many threads at once.
            needed = sum(leaf.nbytes for leaf in jax.tree.leaves(arrays))
            if shutil.disk_usage(self._folder.parent).free < 2 * needed:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            self._manager.save(
                step,
                args=ocp.args.Composite(
                    arrays=ocp.args.StandardSave(arrays),
                    progress=ocp.args.JsonSave({**progress, _DIGEST: _digest(arrays)}),
                ),
            )
        except (OSError, ValueError, RuntimeError) as error:  # TensorStore raises ValueErrors
            good = "none is kept" if self.latest is None else f"that of step {self.latest} is kept"
            raise InputError(
                f"{self._folder}: the checkpoint of step {step} cannot be written "
                f"({' '.join(str(error).split())[-200:]}); {good}; {MAKE_ROOM}"
            ) from error

    def read(self, step: int, arrays: Arrays) -> tuple[Arrays, JsonObject]:
        """The arrays and the progress of a checkpoint.

        Args:
            step: the step of the checkpoint.
            arrays: arrays with the same number and shapes.

        Raises:
            InputError: if it is damaged.
        """
        try:
            found = self._manager.restore(
                step,
                args=ocp.args.Composite(
                    arrays=ocp.args.StandardRestore(arrays), progress=ocp.args.JsonRestore()
                ),
            )
            read, progress = found["arrays"], dict(found["progress"])
            # TensorStore reads some damaged blocks as other numbers.
            if progress.pop(_DIGEST, None) not in (None, _digest(read)):
                raise ValueError("its arrays are not those that were written")
            return read, progress
        except Exception as error:  # TensorStore's readers raise no more specific type
            raise InputError(
                f"{self._folder / str(step)}: damaged ({' '.join(str(error).split())[:100]}); "
                "delete this folder to go on from the checkpoint before it, or give another --out"
            ) from error

    def close(self) -> None:
        """Release the folder."""
        self._manager.close()


def _digest(arrays: Arrays) -> str:
    found = hashlib.sha256()
    for leaf in jax.tree.leaves(arrays):
        found.update(np.asarray(leaf).tobytes())
    return found.hexdigest()


@contextmanager
def quiet_orbax() -> Iterator[None]:
    """Keep Orbax from printing the tracebacks of an error that it also raises."""
    loggers = [logging.getLogger(name) for name in ("absl", "asyncio")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)

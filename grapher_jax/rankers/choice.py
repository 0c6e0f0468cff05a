"""The ranker that `auto` takes, by what joins the candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from grapher_jax.graph import PROXIMITIES, Proximity

AUTO = "auto"
# The most careful first: where several things join the candidates, the first that any calls for.
_TAKEN = ("gcs", "diffusion", "gat")
# What runs networks.
_NEEDED = ("flax", "safetensors")


@dataclass(frozen=True)
class Choice:
    """What `auto` takes, and why.

    Attributes:
        ranker: the name of a ranker.
        because: the reason, in words.
    """

    ranker: str
    because: str


def choose(
    joined_by: Sequence[str],
    *,
    without_networks: str = "",
    rows: Mapping[str, Proximity] = PROXIMITIES,
) -> Choice:
    """The ranker for candidates that these proximities join.

    The row of each proximity names the ranker that was the best on train splits; where they differ,
    GCS, which moves least, goes before diffusion, and that before the trained network. Where
    nothing joins, GCS too: it leaves the scores as they are.

    Args:
        joined_by: names of proximities.
        without_networks: why no network can be taken, in words, so that diffusion is in its place;
            empty where one can.
        rows: the table, perhaps with edges of one's own.
    """
    if not joined_by:
        return Choice("gcs", "nothing joins the objects")
    joining = [rows[name] for name in joined_by]
    taken = min((row.auto for row in joining), key=_TAKEN.index)
    because = f"these join the objects: {', '.join(row.label or row.name for row in joining)}"
    if taken == "gat" and without_networks:
        return Choice("diffusion", f"{because}; not gat, for {without_networks}")
    return Choice(taken, because)


@cache
def networks_missing() -> str:
    """Why no network can be run, in words; empty where one can."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    cure = 'pip install "grapher-jax[offline]"'
    return f"{' and '.join(missing)} cannot be imported ({cure})" if missing else ""

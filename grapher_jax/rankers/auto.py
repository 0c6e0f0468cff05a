"""Chooses the ranker for `auto`, by the proximities that join the candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.util import find_spec

from grapher_jax.graph import PROXIMITIES, Proximity

AUTO = "auto"
# The most careful ranker first: if several proximities join the candidates, the first one of these
# that any of them asks for is taken.
_TAKEN = ("gcs", "diffusion", "gat")
# The packages that networks need.
_NEEDED = ("flax", "safetensors")


@dataclass(frozen=True)
class Choice:
    """The ranker that `auto` takes, and why.

    Attributes:
        ranker: the name of a ranker.
        because: the reason, in words, by which choices are not told apart.
        covers: whether objects then rise by words of the question that the first result lacks.
    """

    ranker: str
    because: str = field(compare=False)
    covers: bool = False


def choose(
    joined_by: Sequence[str],
    *,
    without_networks: str = "",
    rows: Mapping[str, Proximity] = PROXIMITIES,
) -> Choice:
    """Chooses the ranker for candidates that these proximities join.

    The row of each proximity names the ranker that was best on training splits. If they differ,
    GCS, which changes rankings least, comes before diffusion, and diffusion before the trained
    network. If nothing joins the candidates, GCS is taken too: it leaves their order unchanged.

    Args:
        joined_by: names of proximities.
        without_networks: why no network can be taken, in words: diffusion is then taken instead;
            empty if one can.
        rows: the table of proximities, possibly with edges of your own.
    """
    if not joined_by:
        return Choice("gcs", "nothing joins the objects")
    joining = [rows[name] for name in joined_by]
    taken = min((row.auto for row in joining), key=_TAKEN.index)
    because = f"these join the objects: {', '.join(row.label or row.name for row in joining)}"
    if taken == "gat" and without_networks:
        return Choice("diffusion", f"{because}; not gat, for {without_networks}")
    return Choice(taken, because, taken == "diffusion" and all(row.auto_covers for row in joining))


@cache
def networks_missing() -> str:
    """Why networks cannot run, in words; empty if they can."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    cure = 'pip install "grapher-jax[offline]"'
    return f"{' and '.join(missing)} cannot be imported ({cure})" if missing else ""

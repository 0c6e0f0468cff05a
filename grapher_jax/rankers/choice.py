"""The ranker that `auto` takes, by what joins the candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

from grapher_jax.graph import PROXIMITIES

AUTO = "auto"


@dataclass(frozen=True)
class Choice:
    """What `auto` takes, and why.

    Attributes:
        ranker: the name of a ranker.
        because: the reason, in words.
    """

    ranker: str
    because: str


def choose(joined_by: Sequence[str]) -> Choice:
    """The ranker for candidates that these proximities join.

    The row of each proximity names the ranker that was the best on train splits; where they differ,
    GCS, which moves least. Where nothing joins, GCS too: it leaves the scores as they are.
    """
    if not joined_by:
        return Choice("gcs", "nothing joins the objects")
    rows = [PROXIMITIES[name] for name in joined_by]
    careful = any(row.auto == "gcs" for row in rows)
    told = ", ".join(row.label or row.name for row in rows)
    return Choice("gcs" if careful else "diffusion", f"these join the objects: {told}")

"""Systems of dense retrieval and a network of their own."""

from typing import TYPE_CHECKING, Protocol, TypeVar

from grapher_jax.errors import InputError
from grapher_jax.systems.chosen import ChosenRanker
from grapher_jax.systems.system import Retrieval, System

if TYPE_CHECKING:
    from grapher_jax.rankers.networks import NetworkRanker


class _Settings(Protocol):
    @property
    def candidates(self) -> int: ...


_SettingsT = TypeVar("_SettingsT", bound=_Settings)


def build_dense(
    ranker: str, *, included: str, kind: "type[NetworkRanker[_SettingsT]]", paper: str
) -> System:
    """Build a system that retrieves as many candidates as its network learned from.

    Args:
        ranker: the name of the included network, or the folder of another network's weights.
        included: the name of the included network, and of the system with it.
        kind: the class of such networks.
        paper: what the system is called, for messages.

    Raises:
        InputError: for an unknown ranker, or a network of another kind.
        MissingExtraError: if the packages for networks are not installed.
    """
    reranker = ChosenRanker(ranker=ranker)
    opened = reranker.opened
    if not isinstance(opened, kind):
        raise InputError(f"ranker: {ranker!r} is no network of {paper}")
    return System(
        name=included if ranker == included else f"{included}-{opened.name}",
        retrieval=Retrieval(candidates=opened.settings.candidates, lexical_weight=0.0),
        reranker=reranker,
    )

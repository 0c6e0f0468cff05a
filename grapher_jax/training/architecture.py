"""What saving, loading and training need to know about a network, without ranking."""

from collections.abc import Callable
from dataclasses import Field, dataclass
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Protocol,
    TypeAlias,
    TypeVar,
    runtime_checkable,
)

from grapher_jax.errors import InputError

if TYPE_CHECKING:
    from flax import nnx

# A dimension of 0 stands for that of the examples' embeddings.
UNSET = 0
# The maximum length of an array's axis.
MOST = 2**31 - 1


@runtime_checkable
class Settings(Protocol):
    """How a network's graphs are built: a dataclass whose fields have defaults."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


@runtime_checkable
class Shape(Protocol):
    """The shape of a network: a dataclass with the dimension of the embeddings."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def dimension(self) -> int:
        """The dimension of the embeddings that it reads."""


ShapeT = TypeVar("ShapeT")
SettingsT = TypeVar("SettingsT")


@dataclass(frozen=True)
class Architecture(Generic[ShapeT, SettingsT]):
    """One network: its classes, and its name in files.

    Attributes:
        name: the name in weights on disk.
        network: creates it from its shape and random numbers; the network keeps its shape as
            `config`.
        shape: the class of its shape.
        settings: the class of the settings for its graphs, all with defaults.
        check: raises InputError, naming the field, for an impossible network or graphs.
    """

    name: str
    network: "Callable[[ShapeT, nnx.Rngs], nnx.Module]"
    shape: type[ShapeT]
    settings: type[SettingsT]
    check: Callable[[ShapeT, SettingsT], None]


# Of any network.
AnyArchitecture: TypeAlias = Architecture[Any, Any]


def check_range(name: str, value: int | None, least: int, most: int = MOST) -> None:
    """Raise InputError for a number out of range; None is allowed."""
    if value is None or least <= value <= most:
        return
    bound = f"least {least}" if value < least else f"most {most}"
    raise InputError(f"{name}: {value!r:.40} must be at {bound}")


def check_rate(name: str, value: float) -> None:
    """Raise InputError for a dropout rate outside [0, 1)."""
    if not 0 <= value < 1:
        raise InputError(f"{name}: {value} is outside [0, 1)")

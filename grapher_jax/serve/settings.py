"""What limits a service, and the tokens that requests bear."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields

from grapher_jax.errors import InputError

# By the token, the names of the indexes that it opens; None for all.
Tokens = Mapping[str, Collection[str] | None]


def read_tokens(text: str) -> Tokens:
    """The tokens of a text.

    Args:
        text: a token a line, alone where it opens every index; else the names of those that it
            opens stand behind it, after a space and with commas between.

    Raises:
        InputError: where there is no token, or one stands there twice.
    """
    found: dict[str, Collection[str] | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        token, *names = line.split(maxsplit=1)
        if token in found:
            raise InputError(f"token: that of line {number} stands there twice; leave one out")
        found[token] = frozenset(name.strip() for name in names[0].split(",")) if names else None
    if not found:
        raise InputError("token: it is empty; leave it out where everyone may ask")
    return found


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits of a service; all but `token` are numbers above 0.

    Attributes:
        token: what requests must bear, one or several, each of these with the names of the indexes
            that it opens, or None for all; None in the place of any lets everyone ask.
        max_body: bytes of a request's body.
        max_documents: of one rerank request.
        max_queue: requests that wait; more are refused with status 503.
        max_wait: milliseconds for which a worker that is free lets requests gather; may be 0. While
            it is busy they gather in any case.
        read_seconds: in which a request's head must have come, and then its body.
        answer_seconds: in which the answer must be ready.

    Raises:
        InputError: for a number out of its range, or an empty token.
    """

    token: str | Tokens | None = None
    max_body: int = 4 << 20
    max_documents: int = 1000
    max_queue: int = 256
    max_wait: float = 0.0
    read_seconds: float = 10.0
    answer_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.token is not None and not (self.tokens and all(self.tokens)):
            raise InputError("token: it is empty; leave it out where everyone may ask")
        for number, opened in enumerate(self.tokens.values(), 1):
            if opened is not None and not opened:
                raise InputError(
                    f"token: the one at place {number} opens nothing; name an index, or give None "
                    "for all"
                )
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "token" or value > 0 or (field.name == "max_wait" and value == 0):
                continue
            raise InputError(f"{field.name}: {value} must be above 0")

    @property
    def tokens(self) -> Tokens:
        """All tokens; none where everyone may ask."""
        if self.token is None:
            return {}
        return {self.token: None} if isinstance(self.token, str) else self.token

    def check_names(self, names: Collection[str]) -> None:
        """Check what tokens open.

        Args:
            names: of the indexes that are served.

        Raises:
            InputError: for a token that opens another one; the token itself is not told.
        """
        for number, opened in enumerate(self.tokens.values(), 1):
            # What it names may be a part of the token, where names and token changed places.
            if not {*names}.issuperset(opened or ()):
                raise InputError(
                    f"token: the one at place {number} opens an index that is not served; name "
                    f"some of {', '.join(names)} after the token, or none for all"
                )

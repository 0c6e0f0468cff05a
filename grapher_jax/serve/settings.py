"""The limits of a service, and the access tokens of requests."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields

from grapher_jax.checks import check_count, check_names, check_number
from grapher_jax.errors import InputError

# The environment's name for the folder in which several processes keep what they count, which
# `prometheus_client` reads when it is imported.
SHARED_METRICS = "PROMETHEUS_MULTIPROC_DIR"
# For each token, the names of the indexes that it allows; None for all.
Tokens = Mapping[str, Collection[str] | None]


def read_tokens(text: str) -> Tokens:
    """Parses a text of tokens.

    Args:
        text: one token per line; to allow only some indexes, a space and their names, separated by
            commas, follow the token.

    Raises:
        InputError: if there is no token, one is repeated, or a line looks like a comment.
    """
    found: dict[str, Collection[str] | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        token, *names = line.split(maxsplit=1)
        if token.startswith("#"):
            raise InputError(f"token: line {number} begins with #; leave out comments")
        if token in found:
            raise InputError(f"token: that of line {number} stands there twice; leave one out")
        found[token] = frozenset(name.strip() for name in names[0].split(",")) if names else None
    if not found:
        raise InputError("token: it is empty; leave it out where everyone may ask")
    return found


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The limits of a service; all except `token` are numbers above 0.

    Attributes:
        token: the access token that requests must send; or several, each with the names of the
            indexes that it allows, or None for all. Without tokens (None), everyone has access.
        max_body: the maximum size of a request's body in bytes.
        max_documents: the maximum number of documents per rerank request.
        max_queue: the maximum number of waiting requests; more are refused with status 503.
        max_wait: milliseconds for which a free worker waits for more requests; may be 0. While it
            is busy, requests gather anyway.
        read_seconds: the time limit for a request's head, and then for its body.
        answer_seconds: the time limit for the answer.

    Raises:
        InputError: for a number out of its range, or a token that is empty or no header can hold.
    """

    token: str | Tokens | None = None
    max_body: int = 4 << 20
    max_documents: int = 1000
    max_queue: int = 256
    max_wait: float = 0.0
    read_seconds: float = 10.0
    answer_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not isinstance(self.token, str | Mapping | None):
            raise InputError(
                f"token: give a string, or a mapping, not a {type(self.token).__name__}"
            )
        if self.token is not None and not (self.tokens and all(self.tokens)):
            raise InputError("token: it is empty; leave it out where everyone may ask")
        for number, (token, allowed) in enumerate(self.tokens.items(), 1):
            place = f"token: the one at place {number}"
            if not isinstance(token, str):
                raise InputError(f"{place} must be a string")
            if not token.isprintable():
                raise InputError(f"{place} has a character that cannot be printed; leave it out")
            if token != token.strip():
                raise InputError(f"{place} begins or ends with a space; leave it out")
            if allowed is not None and not check_names(place, allowed, of="indexes"):
                raise InputError(f"{place} opens nothing; name an index, or give None for all")
        for field in fields(self):
            if field.name == "token":
                continue
            value = getattr(self, field.name)
            check = check_count if isinstance(field.default, int) else check_number
            if check(field.name, value) <= 0 and (field.name != "max_wait" or value < 0):
                raise InputError(f"{field.name}: {value} must be above 0")

    @property
    def tokens(self) -> Tokens:
        """All tokens; empty if everyone has access."""
        if self.token is None:
            return {}
        return {self.token: None} if isinstance(self.token, str) else self.token

    def check_indexes(self, names: Collection[str]) -> None:
        """Check the index names of tokens.

        Args:
            names: the names of the served indexes.

        Raises:
            InputError: for a token with another name; the message does not contain the token.
        """
        for number, allowed in enumerate(self.tokens.values(), 1):
            # The name may be the token itself, if both were swapped.
            if not {*names}.issuperset(allowed or ()):
                raise InputError(
                    f"token: the one at place {number} opens an index that is not served; name "
                    f"some of {', '.join(names)} after the token, or none for all"
                )

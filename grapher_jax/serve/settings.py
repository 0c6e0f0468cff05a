"""What limits a service."""

from dataclasses import dataclass, fields

from grapher_jax.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Limits of a service; all but `token` are numbers above 0.

    Attributes:
        token: what requests must bear; None lets everyone ask.
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

    token: str | None = None
    max_body: int = 4 << 20
    max_documents: int = 1000
    max_queue: int = 256
    max_wait: float = 0.0
    read_seconds: float = 10.0
    answer_seconds: float = 30.0

    def __post_init__(self) -> None:
        if self.token is not None and not self.token:
            raise InputError("token: it is empty; leave it out where everyone may ask")
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "token" or value > 0 or (field.name == "max_wait" and value == 0):
                continue
            raise InputError(f"{field.name}: {value} must be above 0")

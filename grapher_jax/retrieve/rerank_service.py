"""Reranking services over HTTP, with either of two request formats.

`POST …/v1/rerank` and `…/v2/rerank` get requests in the format of Cohere (also used by Jina and
vLLM), and any other path in a format that Text Embeddings Inference accepts too.
"""

import json
import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from grapher_jax.checks import check_count, check_number, check_text, check_url, short_repr
from grapher_jax.errors import GrapherError, InputError, shorten
from grapher_jax.files import Json, parse_json
from grapher_jax.shapes import slices

KEY = "RERANK_API_KEY"
# By default, Text Embeddings Inference accepts no more at a time.
_FEW, _MANY = 32, 1000
_COHERE = re.compile(r"/v\d+/rerank/?$")
_LONGEST_WAIT = 86_400
# A thousand scores are less than 1 MiB, but some services also return the texts.
_MOST_BYTES, _PIECE = 64 << 20, 1 << 16


def is_service(given: str) -> bool:
    """Whether a name is a URL."""
    return given.lower().startswith(("http://", "https://"))


class _StayingHere(HTTPRedirectHandler):
    """Follows no redirect, which would send the key to another host, in a GET without the texts."""

    def redirect_request(self, *_: object) -> None:
        """Make no further request."""


@cache
def _opener() -> OpenerDirector:
    return build_opener(_StayingHere)


@dataclass(frozen=True, repr=False)
class RerankService:
    """A service that reranks over HTTP.

    Attributes:
        url: such as `http://localhost:8080/rerank`.
        model: the name of the model, if the service needs one.
        key: the API key; by default RERANK_API_KEY from the environment, if set.
        timeout: seconds to wait for an answer; at most a day.
        texts: the maximum number of texts per request; by default 32, and 1,000 for a path with a
            version.
        at_once: the maximum number of concurrent requests.

    Raises:
        InputError: for an invalid URL, a key with invalid characters, or a number out of its range.
    """

    url: str
    model: str | None = None
    key: str | None = None
    timeout: float = 60.0
    texts: int | None = None
    at_once: int = 4

    def __post_init__(self) -> None:
        check_url("base: url", self.url, like="http://localhost:8080/rerank", key=KEY, query=True)
        if self.model is not None:
            check_text("base: model", self.model)
        if self.texts is not None:
            check_count("base: texts", self.texts)
        check_count("base: at_once", self.at_once)
        if not 0 < check_number("base: timeout", self.timeout) <= _LONGEST_WAIT:
            raise InputError(
                f"base: timeout: {self.timeout} must be seconds above 0, {_LONGEST_WAIT} at most"
            )
        key = self._key
        if not isinstance(key, str):  # not shown here either, nor in the next message
            raise InputError(f"base: the key must be a string, not a {type(key).__name__}")
        if not (key.isascii() and key.isprintable()):
            raise InputError(f"base: the key ({KEY}) holds characters that no key has")

    def __repr__(self) -> str:
        return short_repr(self, url=self.name, model=self.model)

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """The score of each text, as `score`; makes equal services equal functions."""
        return self.score(question, texts)

    @property
    def name(self) -> str:
        """The URL without its query string, which may contain a key."""
        return re.split("[?#]", self.url, maxsplit=1)[0]

    @property
    def _key(self) -> str:
        return os.environ.get(KEY, "").strip() if self.key is None else self.key

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """The score of each text.

        Raises:
            GrapherError: if the service cannot be reached, refuses, or does not score every text.
        """
        versioned = bool(_COHERE.search(urlsplit(self.url).path))
        size = self.texts or (_MANY if versioned else _FEW)
        parts = [texts[part] for part in slices(len(texts), size)]
        return [score for part in parts for score in self._scores(question, part, versioned)]

    def _scores(self, question: str, texts: Sequence[str], versioned: bool) -> list[float]:
        body: dict[str, Json] = {"query": question, "documents": list(texts)}
        if versioned:
            body["top_n"] = len(texts)
        else:
            # The names of the texts in both formats: a service ignores the other one.
            body |= {"texts": list(texts), "truncate": True}
        if self.model is not None:
            body["model"] = self.model
        answer = self._answer(json.dumps(body).encode())
        found: dict[object, float] = {}
        try:
            results = answer["results"] if isinstance(answer, dict) else answer
            for one in results:
                score = one.get("relevance_score", one.get("score"))
                found[one["index"]] = float(score)
            return [found[place] for place in range(len(texts))]
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
            raise GrapherError(
                f"base: {self.name} gave no index and score for each of {len(texts)} texts, but "
                f"{self._quoted(repr(answer), 100)}"
            ) from None

    def _answer(self, body: bytes) -> Json:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        request = Request(self.url, body, headers)  # noqa: S310  its scheme is checked
        try:
            with _opener().open(request, timeout=self.timeout) as response:
                read = b"".join(self._pieces(response))
            return parse_json(read.decode())
        except HTTPError as error:
            told = self._quoted(_body(error), 300)
            raise GrapherError(f"base: {self.name} answered {error.code}: {told}") from None
        except ValueError as error:
            told = self._quoted(str(error), 300)
            raise GrapherError(f"base: {self.name} answered no JSON: {told}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise GrapherError(
                f"base: {self.name} cannot be asked ({reason}); is the service running?"
            ) from None

    def _pieces(self, response: HTTPResponse) -> Iterator[bytes]:
        """The parts of a service's answer as they arrive, within the limits of time and size.

        Raises:
            GrapherError: if there are too many bytes.
            TimeoutError: if the whole answer takes too long, even if parts keep arriving.
        """
        until, size = time.monotonic() + self.timeout, 0
        while piece := response.read1(_PIECE):
            yield piece
            size += len(piece)
            if size > _MOST_BYTES:
                raise GrapherError(f"base: {self.name} answered more than {_MOST_BYTES} bytes")
            if time.monotonic() > until:
                raise TimeoutError(f"not all there after {self.timeout:g} seconds")

    def _quoted(self, said: str, most: int) -> str:
        """The service's message, without the key, then shortened, so no part of the key is left."""
        return shorten(said.replace(self._key, "…") if self._key else said, most)


def _body(error: HTTPError) -> str:
    """The beginning of an error's body, in one line; empty if it cannot be read."""
    try:
        with error:
            return " ".join(error.read(10_000).decode(errors="replace").split())
    except (OSError, HTTPException):
        return ""

"""Services that rerank over HTTP, in the two shapes that these have.

`POST …/v1/rerank` or `…/v2/rerank` is asked as Cohere's is (so are those of Jina, Voyage and vLLM),
and any other path as well as Text Embeddings Inference.
"""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from grapher_jax.checks import shown
from grapher_jax.errors import GrapherError, InputError, shorten
from grapher_jax.files import Json, parse_json

KEY = "RERANK_API_KEY"
# Text Embeddings Inference takes no more at a time, where it is not told otherwise.
_FEW, _MANY = 32, 1000
_COHERE = re.compile(r"/v\d+/rerank/?$")


def is_service(given: str) -> bool:
    """Whether a name is a URL."""
    return given.startswith(("http://", "https://"))


@dataclass(frozen=True)
class RerankService:
    """A service that reranks over HTTP.

    Attributes:
        url: such as `http://localhost:8080/rerank`.
        model: the name that the service has for it, where it needs one.
        key: what requests bear; by default that of the environment, RERANK_API_KEY, if there is.
        timeout: seconds to wait for an answer.
        texts: of a request at most; by default 32, of a path with a version 1,000.
        at_once: how many requests may be under way.

    Raises:
        InputError: for what is no URL, or a key with characters that no key has.
    """

    url: str
    model: str | None = None
    key: str | None = field(default=None, repr=False)
    timeout: float = 60.0
    texts: int | None = None
    at_once: int = 4

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        except ValueError:
            valid = None
        if "@" in self.url:  # not shown: it may be a password
            raise InputError(f"base: the URL must hold no name or password; set {KEY}")
        if not valid or not self.url.isascii() or not self.url.isprintable() or " " in self.url:
            raise InputError(f"base: {shown(self.url)} is no URL like http://localhost:8080/rerank")
        key = self._key
        if not (key.isascii() and key.isprintable()):
            raise InputError(f"base: the key ({KEY}) holds characters that no key has")

    @property
    def _key(self) -> str:
        return os.environ.get(KEY, "").strip() if self.key is None else self.key

    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        """The score of each text.

        Raises:
            GrapherError: where the service cannot be reached, refuses, or gives no score for each.
        """
        versioned = bool(_COHERE.search(urlsplit(self.url).path))
        size = self.texts or (_MANY if versioned else _FEW)
        parts = [texts[start : start + size] for start in range(0, len(texts), size)]
        return [score for part in parts for score in self._scores(question, part, versioned)]

    def _scores(self, question: str, texts: Sequence[str], versioned: bool) -> list[float]:
        body: dict[str, Json] = {"query": question, "documents": list(texts)}
        if versioned:
            body["top_n"] = len(texts)
        else:
            # What either shape calls them: each passes over the other's.
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
        except (AttributeError, KeyError, TypeError, ValueError):
            raise GrapherError(
                f"base: {self.url} gave no index and score for each of {len(texts)} texts, but "
                f"{shown(answer)}"
            ) from None

    def _answer(self, body: bytes) -> Json:
        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}"
        request = Request(self.url, body, headers)  # noqa: S310  its scheme is checked
        try:
            with urlopen(request, timeout=self.timeout) as response:  # noqa: S310
                return parse_json(response.read().decode())
        except HTTPError as error:
            told = " ".join(error.read(1000).decode(errors="replace").split())
            if self._key:
                told = told.replace(self._key, "…")
            raise GrapherError(
                f"base: {self.url} answered {error.code}: {shorten(told, 300)}"
            ) from None
        except ValueError as error:
            raise GrapherError(f"base: {self.url} answered no JSON: {error}") from None
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise GrapherError(
                f"base: {self.url} cannot be asked ({reason}); is the service running?"
            ) from None

"""Language models at any OpenAI-compatible endpoint."""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from grapher_jax.checks import check_count, check_number, check_path, check_text, check_url
from grapher_jax.errors import GrapherError, InputError, require, warn
from grapher_jax.files import Json, parse_json
from grapher_jax.text import spoken, without_thoughts

OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
CONCURRENCY = 8
# The usual rule of thumb for English; the exact tokenizer depends on the model.
_CHARACTERS_A_TOKEN = 4
_LONGEST = 10_000_000  # bytes of a response
_SHOWN = 300  # characters of a model's or endpoint's text that messages quote
_SHOWN_AGAIN = 2000  # characters of a bad reply, when the model is asked to repair it
# The reasons to finish that leave an answer incomplete.
_CUT = {"length", "content_filter"}
# By name, since openai's versions use different httpx packages, whose errors these are.
_UNREACHED = {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol"}

T = TypeVar("T")
Message = Mapping[str, str]


class LlmError(GrapherError):
    """One request got no usable reply; others may."""


@dataclass(frozen=True)
class Cost:
    """The estimated cost of requests.

    Attributes:
        requests: the number of requests.
        tokens_in: the tokens of the messages: characters / 4.
        tokens_out: the maximum tokens of the replies.
    """

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )

    def price(self, price_in: float, price_out: float) -> float:
        """The cost in the currency of these prices, which are per million tokens in and out."""
        return (self.tokens_in * price_in + self.tokens_out * price_out) / 1e6


def as_messages(instructions: str, shown: str) -> list[Message]:
    """What a model is asked: instructions, and the data that it is to read."""
    return [{"role": "system", "content": instructions}, {"role": "user", "content": shown}]


def tokens(text: str) -> int:
    """The estimated number of tokens of a text: its characters / 4, rounded up."""
    return -(-len(text) // _CHARACTERS_A_TOKEN)


class Llm:
    """A chat model, which several threads can use at once.

    The API key comes from the environment (`OPENAI_API_KEY`) and is in no message, cache or log.
    """

    def __init__(
        self,
        model: str,
        *,
        endpoint: str | None = None,
        max_tokens: int = 4096,
        temperature: float = 0.0,
        timeout: float = 60.0,
        max_retries: int = 5,
        concurrency: int = CONCURRENCY,
        cache: str | Path | None = None,
    ) -> None:
        """Configure the client, without connecting yet.

        Args:
            model: the model's name at the endpoint.
            endpoint: such as `http://localhost:8000/v1`; by default `OPENAI_BASE_URL`, or OpenAI's.
            max_tokens: the maximum length of a reply.
            temperature: 0 for the most likely reply.
            timeout: seconds until a request without a complete answer is cancelled; for a stream,
                seconds without a further piece.
            max_retries: the number of retries, at growing intervals, after a time-out, 429 or 5xx.
            concurrency: the maximum number of concurrent requests.
            cache: a JSON Lines file to which usable replies are appended; cached requests are not
                sent again.

        Raises:
            InputError: for an endpoint that is not an http URL, an unusable key or cache, or a
                number that is too small.
            MissingExtraError: if `openai` is not installed.
        """
        max_tokens = check_count("max_tokens", max_tokens)
        max_retries = check_count("max_retries", max_retries, least=0)
        concurrency = check_count("concurrency", concurrency)
        temperature = check_number("temperature", temperature)
        timeout = check_number("timeout", timeout)
        if timeout < 1e-3:
            raise InputError(f"timeout: {timeout} must be at least 0.001")
        if not check_text("model", model):
            raise InputError("model: is empty; name a model of the endpoint")
        self.model = model
        self.endpoint = check_url(
            "endpoint",
            (os.environ.get("OPENAI_BASE_URL") or OPENAI) if endpoint is None else endpoint,
            like="http://localhost:8000/v1",
            key=KEY,
        )
        self.parameters: Mapping[str, Json] = {"temperature": temperature, "max_tokens": max_tokens}
        self._sent = dict(self.parameters)
        self._key = _read_key()
        # Endpoints without keys must get one, too.
        self._client = require("openai").OpenAI(
            api_key=self._key or "none",
            base_url=self.endpoint,
            timeout=timeout,
            max_retries=max_retries,
        )
        self._timeout = timeout
        self._places = threading.BoundedSemaphore(concurrency)
        self._cache = _Cache(None if cache is None else check_path("cache", cache))

    def __enter__(self) -> "Llm":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections and the cache."""
        self._client.close()
        self._cache.close()

    def ask(self, messages: Sequence[Message], parse: Callable[[str], T]) -> T:
        """The parsed reply of the model, without the thoughts with which it may begin.

        If a reply cannot be parsed, the model gets it back once, together with the error. Usable
        replies are cached by messages, model and parameters, independent of the endpoint.

        Args:
            messages: `{"role": …, "content": …}`, in order.
            parse: converts the reply to a value; a `ValueError` says why it is unusable.

        Raises:
            LlmError: if two replies are unusable, or there is none after all retries.
            InputError: if no request can work: the endpoint, the model or the key is wrong.
        """
        digest = self._digest(messages)
        cached = self._cache.get(digest)
        if cached is not None:
            try:
                return parse(spoken(cached))
            except ValueError:
                pass  # a different parser accepted it
        reply = self._request(messages)
        try:
            value = parse(reply)
        except ValueError as error:
            reply = self._request([*messages, *_repair(reply, error)])
            try:
                value = parse(reply)
            except ValueError as again:
                raise LlmError(f"{self.model}: two replies that cannot be used: {again}") from None
        self._cache.put(digest, reply)
        return value

    def stream(self, messages: Sequence[Message]) -> Generator[str, None, None]:
        """The reply of the model, piece by piece as it arrives, without its thoughts.

        Before the response begins, there are retries after a time-out, 429 or 5xx, as in `ask`.
        Both share the cache; only complete replies are cached.

        Args:
            messages: `{"role": …, "content": …}`, in order.

        Raises:
            LlmError: if there is no reply after all retries, or it breaks off.
            InputError: if no request can work: the endpoint, the model or the key is wrong.
        """
        digest = self._digest(messages)
        cached = self._cache.get(digest)
        if cached is not None:
            yield spoken(cached)
            return
        said = []
        with self._places, self._response(messages, stream=True) as response:
            for piece in without_thoughts(self._pieces(response.iter_bytes())):
                said.append(piece)
                yield piece
        self._cache.put(digest, _said(said))

    def estimate(self, messages: Sequence[Message], *, tokens_out: int | None = None) -> Cost:
        """The estimated cost of a request, without a second attempt; 0 if it is cached.

        Args:
            messages: the messages of the request.
            tokens_out: the maximum length of the reply; `max_tokens` is always a limit.
        """
        if self._cache.get(self._digest(messages)) is not None:
            return Cost()
        longest = int(self.parameters["max_tokens"])
        return Cost(
            1,
            sum(tokens(message["content"]) for message in messages),
            longest if tokens_out is None else min(longest, tokens_out),
        )

    def _digest(self, messages: Sequence[Message]) -> str:
        asked = [self.model, [dict(message) for message in messages], self.parameters]
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()

    def _request(self, messages: Sequence[Message]) -> str:
        with self._places, self._response(messages) as response:
            whole = _text(self._read(response.iter_bytes()))
        return _said([spoken(whole)])

    @contextmanager
    def _response(self, messages: Sequence[Message], **more: Any) -> Iterator[Any]:
        """The response once it begins, with all retries."""
        openai = require("openai")
        sent = self._sent
        try:
            streaming = self._client.chat.completions.with_streaming_response
            asked = [dict(message) for message in messages]
            with streaming.create(model=self.model, messages=asked, **sent, **more) as response:
                yield response
        except openai.APIConnectionError as error:
            cause = error.__cause__ or error
            reason = self._reason(cause)
            if type(cause).__name__ in _UNREACHED:
                raise InputError(
                    f"{self.endpoint}: cannot be reached ({reason}); check --endpoint and that it "
                    "runs"
                ) from None
            raise LlmError(f"{self.endpoint}: no whole answer ({reason})") from None
        except openai.APIStatusError as error:
            status, reason = error.status_code, self._reason(error)
            if status == 400 and self._adapt(error.param, sent):
                with self._response(messages, **more) as response:
                    yield response
                return
            if status in (401, 403):
                raise InputError(
                    f"{self.endpoint}: the key was refused ({reason}); set {KEY} to one that may "
                    f"use {self.model!r}"
                ) from None
            if status == 404:
                raise InputError(
                    f"{self.endpoint}: no such endpoint or model {self.model!r} ({reason}); check "
                    "--endpoint, which often ends in /v1, and --model"
                ) from None
            if error.code == "insufficient_quota":
                raise InputError(
                    f"{self.endpoint}: the account's quota is used up ({reason}); raise it, then "
                    "start again"
                ) from None
            raise LlmError(f"{self.endpoint}: {reason}") from None
        except openai.OpenAIError as error:
            raise LlmError(f"{self.endpoint}: {self._reason(error)}") from None

    def _read(self, parts: Iterator[bytes]) -> str:
        """The body of a response, within the time limit; the client's own limit is per part."""
        body, started = bytearray(), time.monotonic()
        for part in self._checked(parts):
            body += part
            self._check_time(started, "whole answer")
        return body.decode(errors="replace")

    def _pieces(self, parts: Iterator[bytes]) -> Iterator[str]:
        """The texts of a stream of server-sent events, which must have an explicit end.

        An endpoint that answers at once, or a page of a proxy, is read as without a stream.
        """
        rest, finished, heard = bytearray(), False, time.monotonic()
        body = self._checked(parts)
        first = next(body, b"")
        if first.lstrip()[:1] in (b"{", b"<"):
            yield _text(self._read(chain([first], body)))
            return
        for part in chain([first], body):
            rest += part
            *lines, rest = rest.split(b"\n") if b"\n" in part else [rest]
            for line in lines:
                event, _, data = line.partition(b":")
                if event != b"data":  # comments, and events that keep the connection open
                    continue
                if data.strip() == b"[DONE]":
                    return
                piece, last = self._piece(bytes(data))
                finished = finished or last
                if piece:
                    yield piece
                    heard = time.monotonic()
            self._check_time(heard, "further piece of the answer")
        if not finished:
            raise LlmError(f"{self.endpoint}: the answer broke off")

    def _piece(self, data: bytes) -> tuple[str, bool]:
        """The text of one event, and whether it is the last one."""
        try:
            event = parse_json(data.decode(), halves=True)
            if event.get("error"):
                reason = self._reason(RuntimeError(json.dumps(event["error"])))
                raise LlmError(f"{self.endpoint}: the answer broke off ({reason})")
            if not event["choices"]:  # the usage at the end
                return "", False
            choice = event["choices"][0]
            piece = (choice.get("delta") or {}).get("content") or ""
            if not isinstance(piece, str):
                raise TypeError
        except (ValueError, LookupError, TypeError, AttributeError):
            raise LlmError(
                f"{self.endpoint}: the answer broke off, since a part of it is no chat completion"
            ) from None
        ended = choice.get("finish_reason")
        if ended in _CUT:
            raise LlmError(f"{self.endpoint}: the answer was cut off ({ended})")
        return piece, bool(ended)

    def _checked(self, parts: Iterator[bytes]) -> Iterator[bytes]:
        """The parts of a body, checked for errors and total size."""
        size = 0
        try:
            for part in parts:
                size += len(part)
                if size > _LONGEST:
                    raise LlmError(f"{self.endpoint}: the answer has more than {_LONGEST:,} bytes")
                yield part
        except LlmError:
            raise
        except Exception as error:  # noqa: BLE001 - errors of httpx, which has two package names
            reason = self._reason(error)
            raise LlmError(f"{self.endpoint}: no whole answer ({reason})") from None

    def _check_time(self, since: float, what: str) -> None:
        if time.monotonic() - since > self._timeout:
            raise LlmError(f"{self.endpoint}: no {what} in {self._timeout:g} s")

    def _adapt(self, refused: str | None, sent: Mapping[str, Json]) -> bool:
        """From now on, leave out or rename the parameter that this model refuses."""
        if refused not in ("temperature", "max_tokens") or refused not in sent:
            return False
        adapted = {name: value for name, value in sent.items() if name != refused}
        if refused == "max_tokens":
            adapted["max_completion_tokens"] = sent["max_tokens"]
        self._sent = adapted
        return True

    def _reason(self, error: BaseException) -> str:
        """The error in one line, without the API key, which some endpoints repeat."""
        text = " ".join(str(error).split()) or type(error).__name__
        if self._key:
            text = text.replace(self._key, "***")
        return text[:_SHOWN]


class _Cache:
    """A cache of replies by digest, in memory and in a file, with one append per reply."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._replies: dict[str, str] = {}
        self._file: int | None = None
        if path is None:
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Windows would write another line ending.
            as_it_is = getattr(os, "O_BINARY", 0)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | as_it_is, 0o666)
            self._load(path)
        except BaseException as error:
            self.close()
            if not isinstance(error, OSError):
                raise
            raise InputError(
                f"cache: {path} cannot be used ({error.strerror}); give another file"
            ) from error

    def get(self, digest: str) -> str | None:
        return self._replies.get(digest)

    def put(self, digest: str, reply: str) -> None:
        with self._lock:
            self._replies[digest] = reply
            if self._file is not None:
                self._append(json.dumps({"key": digest, "reply": reply}).encode() + b"\n")

    def close(self) -> None:
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _load(self, path: Path) -> None:
        corrupt = []
        line = b"\n"
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                try:
                    record = parse_json(line.decode())
                    digest, reply = record["key"], record["reply"]
                    if not re.fullmatch("[0-9a-f]{64}", digest) or not isinstance(reply, str):
                        raise ValueError
                    self._replies[digest] = reply
                except (ValueError, TypeError, KeyError):
                    if line.strip():
                        corrupt.append(number)
        if not line.endswith(b"\n"):  # cut off by a kill; the next line must start on a new line
            self._append(b"\n")
        if corrupt:
            warn(
                f"{path}:{corrupt[0]}: {len(corrupt)} corrupt lines of the cache are skipped; "
                "what they held is asked again",
            )

    def _append(self, line: bytes) -> None:
        assert self._file is not None  # noqa: S101
        try:
            written = os.write(self._file, line)
        except OSError as error:
            raise InputError(
                f"cache: {self._path} cannot be written ({error.strerror}); make room, or give "
                "another file"
            ) from error
        if written < len(line):
            raise InputError(f"cache: {self._path} cannot be written whole; make room")


def _repair(reply: str, error: ValueError) -> list[Message]:
    return [
        {"role": "assistant", "content": reply[:_SHOWN_AGAIN]},
        {
            "role": "user",
            "content": f"That reply cannot be used: {error}. "
            "Reply again, with nothing but what was asked for.",
        },
    ]


def _text(body: str) -> str:
    """The text of the first choice."""
    try:
        # A model may reply with a lone surrogate; code that shows the reply replaces it.
        choice = parse_json(body, halves=True)["choices"][0]
        text, ended = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, LookupError, TypeError, AttributeError):
        raise LlmError("the endpoint's response is no chat completion") from None
    if ended in _CUT:
        raise LlmError(f"the endpoint's answer was cut off ({ended})")
    return _said([text] if isinstance(text, str) else [])


def _said(pieces: Iterable[str]) -> str:
    if (text := "".join(pieces)).strip():
        return text
    raise LlmError("the endpoint's response has no text")


def _read_key() -> str:
    key = os.environ.get(KEY, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"{KEY}: holds characters that no key has; copy it again")
    return key

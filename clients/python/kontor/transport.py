"""Sends a call, and sends it again where that is safe.

A write has an Idempotency-Key, the same in all its attempts, so that the server does it once, however often it was sent.
"""

from __future__ import annotations

import http.client
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from .errors import KontorError
from .records import RecordScanner
from .values import DryRunEffects, converted, parsed, sent_text

_FIRST_PAUSE_SECONDS = 0.2
_LONGEST_PAUSE_SECONDS = 5.0
# A call whose Retry-After is longer fails, so that the caller can decide.
_LONGEST_RETRY_AFTER_SECONDS = 30.0
_IN_PROGRESS = "A request with this Idempotency-Key is in progress"
_PART_BYTES = 65_536

Shape = TypeVar("Shape")


@dataclass(frozen=True)
class Attempt:
    """One attempt of a call, and its result."""

    path: str
    attempt: int
    """1 for the first."""
    status: int
    """The HTTP status; 0 when no response arrived."""
    duration_seconds: float
    request_id: str | None
    replayed: bool
    """True when the server repeated the stored response to an earlier attempt."""
    remaining: int | None
    """Requests that the company has left for the day."""


@dataclass(frozen=True)
class _Reply:
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: object = None
    cause: Exception | None = None
    stream: http.client.HTTPResponse | None = None
    """The body, when it has not been read yet."""


class Transport:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        timeout_seconds: float,
        retries: int,
        on_attempt: Callable[[Attempt], None] | None,
    ) -> None:
        address = urlsplit(base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"{base_url} is not the address of a server")
        if not api_key.isascii() or not api_key.isprintable() or " " in api_key:
            raise ValueError("The API key cannot be sent in a header")
        self._address = address
        self._base_path = address.path.rstrip("/")
        self._api_key = api_key
        self._timeout_seconds = timeout_seconds
        self._retries = retries
        self._on_attempt = on_attempt

    def send_read(self, path: str, fields: Mapping[str, Any] | None, shape: type[Shape]) -> Shape:
        return cast(Shape, converted(self._send(path, fields, {}), shape))

    def send_write(
        self, path: str, fields: Mapping[str, Any] | None, shape: type[Shape], idempotency_key: str | None, dry_run: bool
    ) -> Shape:
        if dry_run:
            trial = self._send(path, fields, {"Kontor-Dry-Run": "true"})
            trial["effects"] = converted(trial["effects"], DryRunEffects)
            return cast(Shape, converted(trial, shape))
        answer = self._send(path, fields, {"Idempotency-Key": idempotency_key or secrets.token_hex(16)})
        return cast(Shape, converted(answer, shape))

    def each_record(
        self, path: str, listed: str, fields: Mapping[str, Any] | None, shape: type[Shape], page_size: int
    ) -> Iterator[Shape]:
        """Requests page after page until one is not full. The list may change between two pages."""
        offset = 0
        while True:
            page = self._send(path, {**(fields or {}), "limit": page_size, "offset": offset}, {})
            records = page[listed]
            for record in records:
                yield cast(Shape, converted(record, shape))
            if len(records) < page_size:
                return
            offset += page_size

    def stream_records(
        self, path: str, listed: str, fields: Mapping[str, Any] | None, shape: type[Shape]
    ) -> Iterator[Shape]:
        """The records of one response, as they arrive."""
        reply = self._attempts(path, fields, {}, is_stream=True)
        assert reply.stream is not None
        scanner = RecordScanner(listed)
        cause: Exception | None = None
        try:
            while part := reply.stream.read1(_PART_BYTES):
                for record in scanner.add(part):
                    yield cast(Shape, converted(record, shape))
            for record in scanner.end():
                yield cast(Shape, converted(record, shape))
        except (OSError, http.client.HTTPException) as error:
            cause = error
        finally:
            # Also when the caller stops early.
            reply.stream.close()
        whole = parsed(scanner.rest)
        if cause is not None or not isinstance(whole, dict) or whole.get("success") is not True:
            status = 0 if cause is not None or scanner.has_started else reply.status
            raise KontorError(path, status, "", status == 0, 1, reply.headers.get("x-request-id")) from cause

    def _send(self, path: str, fields: Mapping[str, Any] | None, headers: Mapping[str, str]) -> dict[str, Any]:
        answer = cast("dict[str, Any]", self._attempts(path, fields, headers, is_stream=False).body)
        del answer["success"]
        return answer

    def _attempts(
        self, path: str, fields: Mapping[str, Any] | None, headers: Mapping[str, str], is_stream: bool
    ) -> _Reply:
        # Serialized once: the server compares the bytes of requests with the same key.
        body = sent_text(fields)
        attempt = 1
        while True:
            started = time.monotonic()
            reply = self._exchange(path, body, headers, is_stream)
            self._report(path, attempt, time.monotonic() - started, reply)
            answer = reply.body if isinstance(reply.body, dict) else {}
            if reply.stream is not None or (reply.status == 200 and answer.get("success") is True):
                return reply
            text = answer["error"] if isinstance(answer.get("error"), str) else ""
            retryable = _may_repeat(reply.status, text)
            retry_after = _seconds_to_wait(reply)
            if not retryable or attempt > self._retries or (retry_after or 0) > _LONGEST_RETRY_AFTER_SECONDS:
                raise KontorError(
                    path,
                    reply.status,
                    text,
                    retryable,
                    attempt,
                    reply.headers.get("x-request-id"),
                    retry_after,
                    headers.get("Idempotency-Key"),
                    reply.headers.get("kontor-error-code"),
                ) from reply.cause
            time.sleep(max(_growing_pause(attempt), retry_after or 0))
            attempt += 1

    def _exchange(self, path: str, body: bytes, headers: Mapping[str, str], is_stream: bool) -> _Reply:
        """One attempt. A failure without a response has status 0."""
        kind = http.client.HTTPSConnection if self._address.scheme == "https" else http.client.HTTPConnection
        connection = kind(self._address.hostname or "", self._address.port, timeout=self._timeout_seconds)
        stream = None
        try:
            connection.request(
                "POST",
                self._base_path + path,
                body,
                {
                    "Authorization": self._api_key,
                    "Content-Type": "application/json",
                    "User-Agent": "kontor-python",
                    # The response holds the connection, and closes it when it is closed.
                    **({"Connection": "close"} if is_stream else {}),
                    **headers,
                },
            )
            response = connection.getresponse()
            received = {name.lower(): value for name, value in response.getheaders()}
            # A response that ends within its headers looks like one without a body.
            may_be_cut = response.status == 200 and not {"content-length", "transfer-encoding"} & received.keys()
            if is_stream and response.status == 200 and not (may_be_cut and response.peek(1) == b""):
                stream = response
                return _Reply(response.status, received, stream=response)
            # Read within the attempt: a connection that breaks during the body is a failed attempt too.
            answer = parsed(response.read())
            if may_be_cut and answer is None:
                return _Reply(0, cause=http.client.IncompleteRead(b""))
            return _Reply(response.status, received, answer)
        except (OSError, http.client.HTTPException) as cause:
            return _Reply(0, cause=cause)
        finally:
            if stream is None:
                connection.close()

    def _report(self, path: str, attempt: int, duration_seconds: float, reply: _Reply) -> None:
        if self._on_attempt is None:
            return
        remaining = reply.headers.get("ratelimit-remaining")
        self._on_attempt(
            Attempt(
                path,
                attempt,
                reply.status,
                duration_seconds,
                reply.headers.get("x-request-id"),
                reply.headers.get("idempotent-replayed") == "true",
                None if remaining is None else int(remaining),
            )
        )


def _may_repeat(status: int, text: str) -> bool:
    """502 and 504 come from a proxy that could not reach the server. 400, 401 and 429 would be the same again."""
    return status in (0, 500, 502, 503, 504) or (status == 409 and text == _IN_PROGRESS)


def _seconds_to_wait(reply: _Reply) -> float | None:
    """The wait that the server asks for. At the daily limit it is the rest of the day."""
    header = reply.headers.get("retry-after")
    if header is None and reply.status == 429:
        header = reply.headers.get("ratelimit-reset")
    if header is None:
        return None
    if header.isdecimal():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _growing_pause(attempt: int) -> float:
    """Doubles with every attempt; half of it is random, so that clients that failed together do not retry together."""
    pause: float = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
    return pause * (0.5 + random.random() / 2)

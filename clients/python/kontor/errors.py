"""The errors of the client: a call that did not succeed, and a webhook that is not valid."""

from __future__ import annotations


class KontorError(Exception):
    """A call that did not succeed."""

    def __init__(
        self,
        path: str,
        status: int,
        text: str,
        retryable: bool,
        attempts: int,
        request_id: str | None = None,
        retry_after_seconds: float | None = None,
        idempotency_key: str | None = None,
        code: str | None = None,
    ) -> None:
        shown = ("" if status == 0 else f"{status} ") + (text or _reason(status))
        super().__init__(f"{path}: {shown} (attempts: {attempts})")
        self.path = path
        self.status = status
        """The HTTP status, or 0 when no response arrived."""
        self.text = text
        """The `error` text of the server as it was sent; empty when it sent none."""
        self.code = code
        """The kind of the error, such as `feed_restarted`: the reference lists them."""
        self.retryable = retryable
        """True when the same call may succeed later without being changed; all attempts were used up."""
        self.attempts = attempts
        """How often the call was sent."""
        self.request_id = request_id
        """Identifies the request in the log of the service."""
        self.retry_after_seconds = retry_after_seconds
        """Seconds to wait before trying again: a pause when the server is busy, the rest of the day when the limit is reached."""
        self.idempotency_key = idempotency_key
        """The key that a write was sent with. Pass it again to repeat the call without doing it twice."""


class WebhookError(Exception):
    """A webhook that was not sent by Kontor, or was changed on its way."""


def _reason(status: int) -> str:
    """For responses without an error text."""
    if status == 0:
        return "no response arrived"
    if status == 401:
        return "the API key was not accepted"
    return "the response is not from a Kontor server" if status < 400 else "no reason was given"

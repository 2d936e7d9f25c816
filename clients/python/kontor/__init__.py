"""The client of the Kontor API: `Kontor(base_url, api_key)`, then `kontor.orders.add({…})`."""

from __future__ import annotations

from collections.abc import Callable

from .errors import KontorError, WebhookError
from .feed import FeedPosition
from .methods import Methods
from .transport import Attempt, Transport
from .values import DryRunEffects
from .webhooks import verify_webhook

__all__ = [
    "Attempt",
    "DryRunEffects",
    "FeedPosition",
    "Kontor",
    "KontorError",
    "WebhookError",
    "verify_webhook",
]


class Kontor(Methods):
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 4,
        on_attempt: Callable[[Attempt], None] | None = None,
    ) -> None:
        """`base_url` is the address of the server, such as `https://kontor.example.com`.

        `timeout_seconds` is how long one attempt may wait for the server, `retries` how many attempts may follow the first.
        `on_attempt` is called for every attempt, for logs and metrics.
        """
        super().__init__(Transport(base_url, api_key, timeout_seconds, retries, on_attempt))

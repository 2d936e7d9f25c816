"""Verifies webhooks that are signed as the Standard Webhooks conventions define."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Mapping
from typing import Any

from .errors import WebhookError
from .values import parsed

# A message older or newer than this is refused, so that a recorded one cannot be sent again later.
_TOLERANCE_SECONDS = 300


def verify_webhook(
    secret: str, body: bytes, headers: Mapping[str, str], *, now: float | None = None
) -> dict[str, Any]:
    """Returns the payload of a message whose signature and time are valid; raises WebhookError otherwise.

    `secret` is the secret of the endpoint, `whsec_…`; `body` is the request body exactly as it was received.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature", "")
    if not message_id or not signatures or not (timestamp.isascii() and timestamp.isdecimal()):
        raise WebhookError("The webhook headers are missing")
    if abs((time.time() if now is None else now) - int(timestamp)) > _TOLERANCE_SECONDS:
        raise WebhookError("The webhook is too old or too new")
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret is not one of a webhook endpoint")
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    for signature in signatures.split(" "):
        version, _, value = signature.partition(",")
        if version == "v1" and hmac.compare_digest(expected, value.encode()):
            return _payload(body)
    raise WebhookError("No signature of the webhook is valid")


def _payload(body: bytes) -> dict[str, Any]:
    payload = parsed(body)
    if not isinstance(payload, dict):
        raise WebhookError("The webhook is not JSON")
    return payload

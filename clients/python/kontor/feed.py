"""A feed of changes as one sequence that goes on for ever, or until now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any, NotRequired, TypedDict

from .errors import KontorError

_FIRST_PAUSE_SECONDS = 1.0


class FeedPosition(TypedDict):
    """Where a program continues to read. Store it when you have processed the entry that it came with."""

    after: int
    """0 is the start."""
    epoch: NotRequired[str]
    """The history that `after` belongs to."""


def follow_feed(
    read: Callable[[Any], Any],
    listed: str,
    position: FeedPosition | None,
    page_size: int,
    wait: bool,
    longest_pause_seconds: float,
    stop: threading.Event | None,
) -> Iterator[tuple[Any, FeedPosition]]:
    """Each entry with the position after it.

    Entries without a number of their own (`seq`) have the position of the start of their page, except for the last one. Waits while the server
    cannot be reached; every other failure is raised: 409 with the code `feed_restarted` after a restore.
    """
    stop = stop or threading.Event()
    start: FeedPosition = position or {"after": 0}
    pause = _FIRST_PAUSE_SECONDS
    while not stop.is_set():
        page = None
        try:
            page = read({**start, "limit": page_size})
        except KontorError as error:
            if not wait or not error.retryable:
                raise
        if page is not None:
            entries, following, epoch = page[listed], page["next"], page["epoch"]
            for at, entry in enumerate(entries, 1):
                if stop.is_set():
                    return
                after = following if at == len(entries) else entry.get("seq", start["after"])
                yield entry, {"after": after, "epoch": epoch}
            if entries:
                pause = _FIRST_PAUSE_SECONDS
            start = {"after": following, "epoch": epoch}
            if page["more"]:
                continue
        if not wait:
            return
        stop.wait(min(pause, longest_pause_seconds))
        pause *= 2

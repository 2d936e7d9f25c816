"""Finds the records of a list in a response that arrives in parts, so that the whole response is never in memory."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

_SEPARATORS = re.compile(r"[\s,]*")


class RecordScanner:
    def __init__(self, listed: str) -> None:
        """`listed` is the field of the response with the records."""
        self.rest = ""
        """The response without its records: a small JSON text, which is whole when the response is."""
        self.has_started = False
        """False for a response that is not such a list."""
        self._ended = False
        self._start = re.compile(rf'"{re.escape(listed)}"\s*:\s*\[')
        self._json = json.JSONDecoder(parse_float=Decimal)
        self._text = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        # A record that is not whole is looked at again only when there is twice as much of it.
        self._needed = 0

    def add(self, part: bytes) -> Iterator[Any]:
        """The records that are whole now."""
        self._text += self._decoder.decode(part)
        if not self.has_started:
            self._find_start()
        if not self.has_started or self._ended:
            self._take_rest()
            return
        if len(self._text) < self._needed:
            return
        at = 0
        while not self._ended:
            at = _end_of(_SEPARATORS.match(self._text, at))
            if at < len(self._text) and self._text[at] == "]":
                self._ended = True
                break
            try:
                record, at = self._json.raw_decode(self._text, at)
            except json.JSONDecodeError:
                break
            yield record
        self._text = self._text[at:]
        self._needed = 0 if at > 0 else 2 * len(self._text)
        self._take_rest()

    def end(self) -> Iterator[Any]:
        """The records that were not looked at before the response ended."""
        self._needed = 0
        yield from self.add(b"")

    def _find_start(self) -> None:
        found = self._start.search(self._text)
        if found is not None:
            self.rest, self._text = self._text[: found.end()], self._text[found.end() :]
            self.has_started = True

    def _take_rest(self) -> None:
        if self._ended:
            self.rest += self._text
            self._text = ""


def _end_of(found: re.Match[str] | None) -> int:
    return found.end() if found is not None else 0

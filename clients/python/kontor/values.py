"""Converts between the values of a program and those of JSON.

Amounts of money and quantities are `Decimal`, days are `date`, times are `datetime` with a zone. No value is ever a float, which would change its
digits.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timezone
from decimal import Decimal
from functools import cache
from typing import Any, TypedDict, Union, get_args, get_origin, get_type_hints, is_typeddict

Reader = Callable[[Any], Any]

_TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"


class DryRunLevel(TypedDict):
    """A level of stock that would change, each figure before and after."""

    type: str
    id: int
    storage_id: int
    on_hand: list[Decimal]
    reserved: list[Decimal]


class DryRunEffects(TypedDict, total=False):
    """What a dry run would have changed: `effects` of its response."""

    stock: list[DryRunLevel]
    """Missing when the key may not call the section stock."""
    created: list[dict[str, Any]]


def sent_text(fields: Mapping[str, Any] | None) -> bytes:
    """The body of a request. A decimal is sent as its digits in a string, which the server reads exactly."""
    return json.dumps(_sendable(fields or {}, ""), ensure_ascii=False, allow_nan=False).encode()


def parsed(text: bytes | str) -> Any:
    """None for what is not JSON."""
    try:
        return json.loads(text, parse_float=Decimal)
    except ValueError:
        return None


def converted(value: Any, shape: Any) -> Any:
    """The value with everything in it as its type says. Fields that the type does not know are left as they are."""
    reader = reader_of(shape)
    return value if reader is None else reader(value)


def _sendable(value: Any, name: str) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{name} is not a finite number")
        return format(value, "f")
    if isinstance(value, float):
        raise TypeError(f"{name} is a float, which may not have the digits that you mean: use Decimal, int or str")
    if isinstance(value, datetime):
        if value.utcoffset() is None:
            raise ValueError(f"{name} is a time without a zone")
        return value.astimezone(timezone.utc).strftime(_TIME_FORMAT)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: _sendable(inner, str(key)) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [_sendable(inner, name) for inner in value]
    raise TypeError(f"{name} is a {type(value).__name__}, which cannot be sent")


@cache
def reader_of(shape: Any) -> Reader | None:
    """What converts a value of this type; None when it stays as it is."""
    if shape is Decimal:
        return Decimal
    if shape is date:
        # An empty text is a day that is not set.
        return lambda value: date.fromisoformat(value) if value else None
    if shape is datetime:
        return datetime.fromisoformat
    if is_typeddict(shape):
        return _record_reader(shape)
    origin, arguments = get_origin(shape), get_args(shape)
    if origin in (Union, types.UnionType):
        readers = [reader for reader in map(reader_of, arguments) if reader is not None]
        return _optional(readers[0]) if readers else None
    if origin in (list, Sequence) and (inner := reader_of(arguments[0])) is not None:
        return _list_reader(inner)
    return None


def _optional(reader: Reader) -> Reader:
    return lambda value: None if value is None else reader(value)


def _list_reader(reader: Reader) -> Reader:
    return lambda values: [reader(value) for value in values]


def _record_reader(shape: Any) -> Reader | None:
    found = {name: reader_of(hint) for name, hint in get_type_hints(shape).items()}
    readers = {name: reader for name, reader in found.items() if reader is not None}
    if not readers:
        return None

    def read(record: dict[str, Any]) -> dict[str, Any]:
        for name, reader in readers.items():
            if name in record:
                record[name] = reader(record[name])
        return record

    return read

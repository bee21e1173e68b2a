"""Refuses arguments that no Java method takes by their names; py4j and JPype would list the methods' signatures."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, Callable, Dict


def _is_number(bits: int) -> Callable[[Any], bool]:
    bound = 1 << bits - 1
    return lambda value: isinstance(value, Integral) and -bound <= int(value) < bound


_KINDS: Dict[str, Callable[[Any], bool]] = {
    "True or False": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "text or None": lambda value: value is None or isinstance(value, str),
    "a number": lambda value: isinstance(value, Real),
    "a whole number of 32 bits": _is_number(32),
    "a whole number of 64 bits": _is_number(64),
}


def check(kind: str, **arguments: Any) -> None:
    """Refuses the first argument that is not of that kind.

    >>> check("text", key="urn:k", until=5)
    Traceback (most recent call last):
    ...
    ValueError: until=5: must be text
    """
    for name, value in arguments.items():
        if not _KINDS[kind](value):
            raise ValueError(f"{name}={value!r}: must be {kind}")

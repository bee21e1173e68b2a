"""Checks arguments by their names, and converts options for Java.

Without these checks, py4j and JPype report a wrong argument as a list of Java signatures.
"""

from __future__ import annotations

from itertools import chain
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Mapping, Optional

from ._locations import absolute

if TYPE_CHECKING:
    from ._doors import Door


def _is_number(bits: int) -> Callable[[Any], bool]:
    bound = 1 << bits - 1
    return lambda value: isinstance(value, Integral) and -bound <= int(value) < bound


_KINDS: Dict[str, Callable[[Any], bool]] = {
    "True or False": lambda value: isinstance(value, bool),
    "True, False or None": lambda value: value is None or isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "text or None": lambda value: value is None or isinstance(value, str),
    "a number": lambda value: isinstance(value, Real),
    "a whole number of 32 bits": _is_number(32),
    "a whole number of 64 bits": _is_number(64),
    "at least 1": lambda value: value >= 1,
}


def check(kind: str, **arguments: Any) -> None:
    """Raises ValueError for the first argument that is not of the given kind.

    >>> check("text", key="urn:k", until=5)
    Traceback (most recent call last):
    ...
    ValueError: until=5: must be text
    """
    for name, value in arguments.items():
        if not _KINDS[kind](value):
            raise ValueError(f"{name}={value!r}: must be {kind}")


#: Options that are paths, as :func:`texts` has them, in lower case.
_PATHS = ("passwordfile", "tokenfile", "authority", "certificate", "certificatekey")


def camel(name: str) -> str:
    """Returns the camel case that Java uses for the name of an option."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def texts(options: Optional[Mapping[str, Any]]) -> Dict[str, str]:
    """Returns options as Java takes them: names in camel case, booleans in lower case, and absolute paths.

    Paths become absolute because the JVM has a current folder of its own.

    >>> texts({"break_lease": True, "timeout": 5})
    {'breakLease': 'true', 'timeout': '5'}
    """
    found = {camel(str(name)): str(value).lower() if isinstance(value, bool) else str(value)
             for name, value in (options or {}).items()}
    return {name: absolute(text) if name.lower() in _PATHS else text for name, text in found.items()}


def java_options(door: Door, options: Optional[Mapping[str, Any]]) -> Any:
    """Returns the options of :func:`texts` as a Java list of names and values."""
    return java_pairs(door, texts(options))


def java_pairs(door: Door, pairs: Optional[Mapping[str, str]]) -> Any:
    """Returns a mapping as a Java list of keys and values."""
    return java_list(door, chain.from_iterable((pairs or {}).items()))


def java_list(door: Door, texts: Iterable[Optional[str]]) -> Any:
    """Returns texts as a Java list."""
    found = door.java_class("java.util.ArrayList")()
    for text in texts:
        found.add(text)
    return found

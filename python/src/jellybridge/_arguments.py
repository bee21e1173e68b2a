"""What goes to Java: arguments that are checked by their names, where py4j and JPype would list signatures, and options."""

from __future__ import annotations

import os
import re
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Union

if TYPE_CHECKING:
    from ._doors import Door

#: The options of a server: of a dataset, or of a patch log, that is behind HTTP.
ServerOptions = Mapping[str, Union[str, float, "os.PathLike[str]"]]


def _is_number(bits: int) -> Callable[[Any], bool]:
    bound = 1 << bits - 1
    return lambda value: isinstance(value, Integral) and -bound <= int(value) < bound


#: The kind of what is written as a term in N-Triples.
A_TERM = 'a term such as <iri>, _:label or "text"'
_IRI = r'<[^\x00-\x20<>"{}|^`]*>'
_TERM = re.compile(rf'{_IRI}|_:\S+|"(?:[^"\\\n\r]|\\.)*"(?:@[A-Za-z0-9-]+|\^\^{_IRI})?|<<\(.*\)>>', re.DOTALL)


def _is_term(value: Any) -> bool:
    """Whether a value looks like a term; whether it is one, the JVM finds out."""
    return isinstance(value, str) and _TERM.fullmatch(value) is not None


_KINDS: Dict[str, Callable[[Any], bool]] = {
    "True or False": lambda value: isinstance(value, bool),
    "text": lambda value: isinstance(value, str),
    "text or None": lambda value: value is None or isinstance(value, str),
    A_TERM: _is_term,
    f"{A_TERM} or None": lambda value: value is None or _is_term(value),
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
    >>> check(A_TERM, subject="https://example.org/book")
    Traceback (most recent call last):
    ...
    ValueError: subject='https://example.org/book': must be a term such as <iri>, _:label or "text"
    """
    for name, value in arguments.items():
        if not _KINDS[kind](value):
            raise ValueError(f"{name}={value!r}: must be {kind}")


def camel(name: str) -> str:
    """Java's spelling of the name of an option."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def texts(options: Optional[Mapping[str, Any]]) -> Dict[str, str]:
    """Options as Java takes them: their names and what is true or false in Java's spelling, and a file's path whole, since
    the JVM has a current folder of its own.

    >>> texts({"break_lease": True, "timeout": 5})
    {'breakLease': 'true', 'timeout': '5'}
    """
    found = {camel(str(name)): str(value).lower() if isinstance(value, bool) else str(value)
             for name, value in (options or {}).items()}
    return {name: os.path.abspath(text) if name.lower() in ("passwordfile", "tokenfile") else text
            for name, text in found.items()}


def java_options(door: Door, options: Optional[Mapping[str, Any]]) -> Any:
    """Likewise, as a Java list of names and values."""
    found = door.java_class("java.util.ArrayList")()
    for name, text in texts(options).items():
        found.add(name)
        found.add(text)
    return found

"""The errors of jellybridge, and their construction from Java exceptions."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterable, Iterator, NamedTuple, Optional, Tuple

from ._redaction import hidden_in, printable


class JellybridgeError(RuntimeError):
    """The base class of all errors of this package. The message is one line that says what to do.

    It is raised if a call into the JVM failed or was not possible. Catch it to catch the other errors of this package too. For
    arguments that Python itself rejects, ``ValueError`` or ``TypeError`` is raised instead.

    If a Java exception is the cause, it is in ``__context__``, with its stack trace.

    Attributes:
        java: the class name of the Java exception; ``None`` if there is none.
    """

    java: Optional[str] = None
    #: Whether a log could not be opened. A follower that opened it before tries again.
    _is_at_opening = False


class UnreachableError(JellybridgeError):
    """Raised if a server can't be reached, gives no complete answer in time, or is too busy (status 408, 429, 502, 503, 504).

    The request itself is fine, and you may repeat it later.
    """


class PatchFormatError(JellybridgeError, ValueError):
    """Raised if a patch or another Jelly file breaks its format. The message has the rule, the place, the fault and advice.

    Attributes:
        rule: the id of the rule, such as ``P-62``, or a word for the kind of check; ``docs/rules.md`` explains each.
        file: the file or another name of the stream; ``None`` if it has none. For a row to be written, its place in the data,
            such as ``file:/log, patch 7, row 41``.
        frame: the frame, from 0. It is -1 if unknown, as for a row to be written; ``row`` and ``offset`` are -1 then too.
        row: the row in that frame, from 0. Lookup entries and options are rows too.
        offset: the byte offset in the stream, from 0.
        found: the fault.
        advice: a hint how to fix it.

    >>> error = PatchFormatError("P-105", "log.jellyp", 0, 4, 88, "the stream ends inside a transaction", "end it")
    >>> str(error)
    '[P-105] log.jellyp, frame 0, row 4, byte 88: the stream ends inside a transaction; end it'
    >>> error.rule, error.offset
    ('P-105', 88)
    """

    def __init__(
        self, rule: str, file: Optional[str], frame: int, row: int, offset: int, found: str, advice: str
    ) -> None:
        in_stream = [f"frame {frame}, row {row}, byte {offset}"] if offset >= 0 else []
        where = ", ".join([*([file] if file is not None else []), *in_stream]) or "input"
        super().__init__(f"[{rule}] {where}: {found}; {advice}")
        self.rule = rule
        self.file = file
        self.frame = frame
        self.row = row
        self.offset = offset
        self.found = found
        self.advice = advice

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.rule, self.file, self.frame, self.row, self.offset, self.found, self.advice)


class TextFormatError(JellybridgeError, ValueError):
    """Raised if a text file (N-Triples, N-Quads) or a row to be written breaks its format. The message has the place, the fault
    and advice.

    Attributes:
        format: the name of the format.
        file: the file; ``None`` if it has no name.
        line: the line, from 1; 0 if it is unknown, as in a split in the middle of a file.
        column: the character in the line, from 1; 0 if it is unknown.
        offset: the byte in the uncompressed file, from 0; -1 if it is unknown.
        found: the fault.
        advice: a hint how to fix it.
    """

    def __init__(
        self,
        message: str,
        format: str,
        file: Optional[str],
        line: int,
        column: int,
        offset: int,
        found: str,
        advice: str,
    ) -> None:
        super().__init__(message)
        self.format = format
        self.file = file
        self.line = line
        self.column = column
        self.offset = offset
        self.found = found
        self.advice = advice

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (
            str(self), self.format, self.file, self.line, self.column, self.offset, self.found, self.advice,
        )


def _text(value: Any) -> Optional[str]:
    """Converts a Java string as py4j (a str) or JPype (a java.lang.String) passes it."""
    return None if value is None else str(value)


class _Fault(NamedTuple):
    """The values of a Java ``FormatException``, by the names of its methods."""

    rule: str
    file: Optional[str]
    frame: int
    row: int
    line: int
    column: int
    offset: int
    found: str
    advice: str


# The message of such an exception, to parse if only the message is known.
_IN_STREAM = re.compile(r"\[([^]]+)\] (?:(.*?), )?frame (\d+), row (\d+), byte (\d+): (.*?)(?:; (.*))?", re.DOTALL)
_IN_TEXT = re.compile(
    r"\[([^]]+)\] (.*?)(?:, line (\d+))?(?:, column (\d+))?(?: \(byte (\d+)\))?: (.*?)(?:; (.*))?", re.DOTALL
)
# The text in brackets: the id of a rule or a word for the kind of check; otherwise the format of a text, or the kind of rows.
_RULE = re.compile(r"[PR]-\d+|[a-z-]+")


def _fault_of(java: Any) -> _Fault:
    return _Fault(
        str(java.rule()), _text(java.file()), int(java.frame()), int(java.row()), int(java.line()), int(java.column()),
        int(java.offset()), str(java.found()), str(java.advice()),
    )


def _fault_in(message: str) -> Optional[_Fault]:
    match = _IN_STREAM.fullmatch(message)
    if match is not None:
        rule, file, frame, row, offset, found, advice = match.groups()
        return _Fault(rule, file, int(frame), int(row), 0, 0, int(offset), found, advice or "")
    match = _IN_TEXT.fullmatch(message)
    if match is None:
        return None
    rule, file, line, column, offset, found, advice = match.groups()
    where = None if file == "input" else file
    return _Fault(rule, where, -1, -1, int(line or 0), int(column or 0), int(offset or -1), found, advice or "")


class _Cause(NamedTuple):
    """A Java exception. From an executor or a Spark Connect server, only its message is known."""

    name: str
    message: str
    java: Any = None


def _format_error(cause: _Cause) -> JellybridgeError:
    fault = _fault_in(cause.message) if cause.java is None else _fault_of(cause.java)
    error: JellybridgeError
    if fault is None:
        error = JellybridgeError(cause.message)
    elif _RULE.fullmatch(fault.rule):
        error = PatchFormatError(
            fault.rule, fault.file, fault.frame, fault.row, fault.offset, fault.found, fault.advice
        )
    else:
        error = TextFormatError(
            cause.message, fault.rule, fault.file, fault.line, fault.column, fault.offset, fault.found, fault.advice
        )
    error.java = cause.name
    return error


def _one_line(message: str) -> str:
    return printable(hidden_in(" ".join(message.split())))


def _what_it_says(cause: _Cause) -> JellybridgeError:
    return _failure(cause.name, _one_line(cause.message), [cause] if cause.java is None else _causes(cause.java))


def _failure(name: str, text: str, causes: Iterable[_Cause]) -> JellybridgeError:
    unreachable = any(cause.name == _UNREACHABLE for cause in causes)
    failure = UnreachableError(text) if unreachable else JellybridgeError(text)
    failure.java = name
    return failure


_UNREACHABLE = "io.jellybridge.http.UnreachableException"

# If several of these are in a chain of causes, the first in this table counts: faults of rows say the most.
_OURS: Dict[str, Callable[[_Cause], JellybridgeError]] = {
    "io.jellybridge.codec.FormatException": _format_error,
    "io.jellybridge.spark.staging.BatchFailedException": _what_it_says,
    "io.jellybridge.spark.sink.ReadFailedException": _what_it_says,
    "io.jellybridge.jena.apply.ApplyException": _what_it_says,
    "io.jellybridge.sync.SyncLeaseException": _what_it_says,
    _UNREACHABLE: _what_it_says,
    "io.jellybridge.grpc.GrpcException": _what_it_says,
    "io.jellybridge.http.HttpException": _what_it_says,
}

# Longer than any chain that Spark builds. Also ends a cyclic chain.
_MAX_CAUSES = 50


def _causes(java: Any) -> Iterator[_Cause]:
    """Yields the Java exception and its causes, outermost first."""
    for _ in range(_MAX_CAUSES):
        if java is None:
            return
        yield _Cause(str(java.getClass().getName()), _text(java.getMessage()) or "", java)
        java = java.getCause()


def own_error(java: Any) -> Optional[JellybridgeError]:
    """Returns our error for a Java exception or one of its causes: a fault of a format, the sink or a server. ``None`` if it is
    not ours.
    """
    return _own_error(_causes(java))


def own_error_of(causes: Iterable[Tuple[str, str]]) -> Optional[JellybridgeError]:
    """Returns the same as :func:`own_error`, given the classes and messages of an exception and its causes, outermost first."""
    return _own_error(_Cause(name, message) for name, message in causes)


def _own_error(causes: Iterable[_Cause]) -> Optional[JellybridgeError]:
    found: Dict[str, _Cause] = {}
    for cause in causes:
        if cause.name not in _OURS:
            # From an executor, our exception arrives inside one of the JDK, whose message has our class name.
            name, _, message = cause.message.partition(": ")
            cause = _Cause(name, message)
        found.setdefault(cause.name, cause)
    return next((convert(found[name]) for name, convert in _OURS.items() if name in found), None)


def python_error(java: Any, says: Callable[[Any], Any]) -> JellybridgeError:
    """Returns the error that our calls raise for a Java exception: one of ours, or a :class:`JellybridgeError` of one line.

    Args:
        java: the exception.
        says: gets the message of an exception, as ``ExceptionMessages.text`` in Java does.
    """
    error = own_error(java)
    if error is not None:
        return error
    causes = list(_causes(java))
    return _failure(causes[0].name, _one_line(str(says(java))), causes)

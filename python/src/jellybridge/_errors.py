"""The errors that jellybridge raises, and how a Java exception becomes one of them."""

from __future__ import annotations

import re
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from ._redaction import hidden_in, printable


class JellybridgeError(RuntimeError):
    """A call into the JVM side failed, or could not be made. The message is one line that says what to do.

    The root of all errors of this package: who catches it catches the others here too. An argument that Python itself
    refuses is a ``ValueError`` or ``TypeError`` instead.

    Where a Java exception stands behind it, that one is in ``__context__``, with its stack trace.

    Attributes:
        java: the name of its class; ``None`` where there is none.
    """

    java: Optional[str] = None


class UnreachableError(JellybridgeError):
    """A server could not be reached, gave no whole answer in time, or is too busy (status 408, 429, 502, 503, 504).
    Nothing is wrong with what was asked: it may be asked again later."""


class PatchFormatError(JellybridgeError, ValueError):
    """A patch, or another file of Jelly, breaks its format. Says which rule, where, what was found and what to do.

    Attributes:
        rule: the rule's id, such as ``P-62``, or a word for what refused; ``docs/rules.md`` says what each means.
        file: the file, or another name of the stream; ``None`` when it has none. Of a row that was to be written, its
            place in the data, such as ``file:/log, patch 7, row 41``.
        frame: the frame, from 0; -1 where it is not known, as of a row to be written, and then ``row`` and ``offset`` too.
        row: the row in that frame, from 0; lookup entries and options are rows too.
        offset: the byte offset in the stream, from 0.
        found: what was found.
        advice: what to do about it.

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
    """A text file (N-Triples, N-Quads), or a row to be written, breaks its format. Says where, what was found, what to do.

    Attributes:
        format: the format's name.
        file: the file; ``None`` when it has no name.
        line: the line, from 1; 0 where it is not known, as in a split that does not start the file.
        column: the character in the line, from 1; 0 where it is not known.
        offset: the byte in the (uncompressed) file, from 0; -1 where it is not known.
        found: what was found.
        advice: what to do about it.
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
    """A Java string as py4j (a str) or JPype (a java.lang.String) hands it out."""
    return None if value is None else str(value)


class _Fault(NamedTuple):
    """What a ``FormatException`` of Java's says, by the names of its methods."""

    rule: str
    file: Optional[str]
    frame: int
    row: int
    line: int
    column: int
    offset: int
    found: str
    advice: str


# The message of one, where only that is known.
_IN_STREAM = re.compile(r"\[([^]]+)\] (?:(.*?), )?frame (\d+), row (\d+), byte (\d+): (.*?)(?:; (.*))?", re.DOTALL)
_IN_TEXT = re.compile(
    r"\[([^]]+)\] (.*?)(?:, line (\d+))?(?:, column (\d+))?(?: \(byte (\d+)\))?: (.*?)(?:; (.*))?", re.DOTALL
)
# What stands in brackets: the id of a rule, or a word for what refused; else a text's format, or what rows are called.
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
    """An exception in Java, or what is known of it: from an executor, and from a Spark Connect server, only what it says."""

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

# Where several are in a chain of causes, the first of these counts: what is wrong with the rows says the most.
_OURS: Dict[str, Callable[[_Cause], JellybridgeError]] = {
    "io.jellybridge.codec.FormatException": _format_error,
    "io.jellybridge.spark.staging.BatchFailedException": _what_it_says,
    "io.jellybridge.spark.source.ReadFailedException": _what_it_says,
    "io.jellybridge.jena.apply.ApplyException": _what_it_says,
    "io.jellybridge.sync.SyncLeaseException": _what_it_says,
    _UNREACHABLE: _what_it_says,
    "io.jellybridge.grpc.GrpcException": _what_it_says,
    "io.jellybridge.http.HttpException": _what_it_says,
}

# Longer than any chain that Spark builds; a chain that goes round in a circle ends here.
_MAX_CAUSES = 50


def _causes(java: Any) -> Iterator[_Cause]:
    """The Java exception and its causes, outermost first."""
    for _ in range(_MAX_CAUSES):
        if java is None:
            return
        yield _Cause(str(java.getClass().getName()), _text(java.getMessage()) or "", java)
        java = java.getCause()


def own_error(java: Any) -> Optional[JellybridgeError]:
    """Our error that a Java exception is, or was caused by: one of a format, of the sink, or of a server; ``None`` when
    there is none."""
    return _own_error(_causes(java))


def own_error_of(causes: Iterable[Tuple[str, str]]) -> Optional[JellybridgeError]:
    """As :func:`own_error`, of the classes and messages of an exception and of its causes, outermost first."""
    return _own_error(_Cause(name, message) for name, message in causes)


def _own_error(causes: Iterable[_Cause]) -> Optional[JellybridgeError]:
    found: Dict[str, _Cause] = {}
    for cause in causes:
        if cause.name not in _OURS:
            # An exception of ours that came from an executor is one of the JDK's, which says what it was.
            name, _, message = cause.message.partition(": ")
            cause = _Cause(name, message)
        found.setdefault(cause.name, cause)
    return next((convert(found[name]) for name, convert in _OURS.items() if name in found), None)


def python_error(java: Any, says: Callable[[Any], Any]) -> JellybridgeError:
    """What our own calls raise for a Java exception: an error of ours, else a :class:`JellybridgeError` of one line.

    Args:
        says: what the exception says, as ``Causes.text`` in Java has it.
    """
    error = own_error(java)
    if error is not None:
        return error
    causes = list(_causes(java))
    return _failure(causes[0].name, _one_line(str(says(java))), causes)

"""The errors that jellybridge raises, and how a Java exception becomes one of them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Optional, Tuple

from ._redaction import hidden_in


class JellybridgeError(RuntimeError):
    """A call into the JVM side failed, or could not be made. The message is one line that says what to do.

    Where a Java exception stands behind it, that one is in ``__context__``, with its stack trace.

    Attributes:
        java: the name of its class; ``None`` where there is none.
    """

    java: Optional[str] = None


class UnreachableError(JellybridgeError):
    """A server could not be reached, gave no whole answer in time, or is too busy (status 408, 429, 502, 503, 504).
    Nothing is wrong with what was asked: it may be asked again later."""


class PatchFormatError(ValueError):
    """A patch breaks the format. Says which rule, where, what was found and what to do.

    Attributes:
        rule: the rule's id in the checklist of the format, such as ``P-62``.
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


class TextFormatError(ValueError):
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


def _patch_format_error(java: Any) -> PatchFormatError:
    return PatchFormatError(
        str(java.rule()), _text(java.file()), int(java.frame()), int(java.row()), int(java.offset()),
        str(java.found()), str(java.advice()),
    )


def _text_format_error(java: Any) -> TextFormatError:
    return TextFormatError(
        str(java.getMessage()), str(java.format()), _text(java.file()), int(java.line()), int(java.column()),
        int(java.offset()), str(java.found()), str(java.advice()),
    )


def _message(java: Any) -> str:
    """The message, on one line; empty where there is none."""
    return hidden_in(" ".join((_text(java.getMessage()) or "").split()))


def _jellybridge_error(java: Any, text: str) -> JellybridgeError:
    unreachable = any(name == _UNREACHABLE for name, _ in _causes(java))
    failure = UnreachableError(text) if unreachable else JellybridgeError(text)
    failure.java = str(java.getClass().getName())
    return failure


def _what_it_says(java: Any) -> JellybridgeError:
    return _jellybridge_error(java, _message(java))


_UNREACHABLE = "io.jellybridge.http.UnreachableException"

# Where several are in a chain of causes, the first of these counts: what is wrong with the rows says the most.
_OURS: Dict[str, Callable[[Any], Exception]] = {
    "io.jellybridge.codec.PatchFormatException": _patch_format_error,
    "io.jellybridge.text.TextFormatException": _text_format_error,
    "io.jellybridge.spark.sink.BatchFailedException": _what_it_says,
    "io.jellybridge.jena.ApplyException": _what_it_says,
    "io.jellybridge.sync.SyncLeaseException": _what_it_says,
    _UNREACHABLE: _what_it_says,
    "io.jellybridge.http.HttpException": _what_it_says,
}

# Longer than any chain that Spark builds; a chain that goes round in a circle ends here.
_MAX_CAUSES = 50


def _causes(java: Any) -> Iterator[Tuple[str, Any]]:
    """The Java exception and its causes, outermost first, each with the name of its class."""
    for _ in range(_MAX_CAUSES):
        if java is None:
            return
        yield str(java.getClass().getName()), java
        java = java.getCause()


def own_error(java: Any) -> Optional[Exception]:
    """Our error that a Java exception is, or was caused by: one of a format, of the sink, or of a server; ``None`` when
    there is none."""
    causes = dict(reversed(list(_causes(java))))
    for name, convert in _OURS.items():
        if name in causes:
            return convert(causes[name])
    return None


def python_error(java: Any) -> Exception:
    """What our own calls raise for a Java exception: an error of ours, else a :class:`JellybridgeError` of one line."""
    error = own_error(java)
    if error is not None:
        return error
    name = str(java.getClass().getName())
    message = _message(java)
    # An argument or a state that our own code refused: the message is a sentence of ours, and says all.
    ours = name in ("java.lang.IllegalArgumentException", "java.lang.IllegalStateException")
    text = message if ours else f"{name.rpartition('.')[2]}: {message}"
    return _jellybridge_error(java, text if message else name)

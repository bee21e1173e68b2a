"""Formats SPARQL results: a table for people, the TSV, CSV and JSON of SPARQL, and N-Triples. Java writes documents.

A result is JSON from the Java side: ``{"vars": […], "rows": [[…], …]}``, ``{"boolean": …}``, ``{"triples": […]}`` or
``{"quads": […]}``, with terms in canonical N-Triples.
"""

from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ._redaction import printable

Answer = Dict[str, Any]
Row = Sequence[Optional[str]]

_XSD = "http://www.w3.org/2001/XMLSchema#"
_TERM = re.compile(
    r'<(?P<iri>[^<>\s]*)>|_:(?P<blank>[^\s)]+)'
    r'|"(?P<text>(?:[^"\\]|\\.)*)"(?:@(?P<language>[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*)(?:--(?P<direction>ltr|rtl))?'
    r'|\^\^<(?P<datatype>[^<>\s]*)>)?', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
#: The literals that Turtle writes without quotes, by datatype.
_BARE = {
    _XSD + "integer": re.compile("[+-]?[0-9]+"), _XSD + "decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    _XSD + "double": re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?[0-9]+"), _XSD + "boolean": re.compile("true|false"),
}
_INTEGERS = re.compile(_XSD + "(integer|long|int|short|byte|((nonN|n)egative|(nonP|p)ositive)Integer|unsigned(Long|Int|Short|Byte))")
_INTEGER = re.compile("[+-]?[0-9]{1,4000}")  # int() refuses longer texts
_FLOATS = {_XSD + name for name in ("decimal", "double", "float")}
_FLOAT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?|[+-]?INF|NaN")
_BOOLEANS = {"true": True, "1": True, "false": False, "0": False}
_NARROWEST = 8
_BETWEEN = "  "


def usual(answer: Answer, on_terminal: bool) -> str:
    """Returns the default format of a result: lines for statements, otherwise a table on a terminal and TSV elsewhere."""
    if "triples" in answer:
        return "ntriples"
    if "quads" in answer:
        return "nquads"
    return "table" if on_terminal else "tsv"


def is_for_rows(format: str) -> bool:
    """Returns whether a format is for the result of a SELECT or an ASK. A table is for any result."""
    return format in ("table", "tsv", "csv", "json")


def lines(answer: Answer, format: str, width: Optional[int] = None) -> Iterator[str]:
    """Formats a result.

    Args:
        answer: the result.
        format: one of :data:`FORMATS`.
        width: the largest width of a table in characters; ``None`` = no limit.

    Returns:
        The lines, with their line ends.

    Raises:
        ValueError: the format does not fit this kind of result.
    """
    if "boolean" in answer:
        if not is_for_rows(format):
            raise ValueError(f"--to-format {format} is for CONSTRUCT and DESCRIBE, and this query is ASK; take table, tsv, csv or json")
        value = bool(answer["boolean"])
        return iter([json.dumps({"head": {}, "boolean": value} if format == "json" else value) + "\n"])
    if "vars" in answer:
        if not is_for_rows(format):
            raise ValueError(f"--to-format {format} is for CONSTRUCT and DESCRIBE, and this query is SELECT; take table, tsv, csv or json")
        return FORMATS[format](answer["vars"], answer["rows"], width)
    if format != "table" and is_for_rows(format):
        raise ValueError(f"--to-format {format} is for SELECT and ASK, and this query gives statements; take ntriples, nquads or table, or a document such as turtle")
    rows = answer["triples"] if "triples" in answer else answer["quads"]
    if format == "ntriples" and any(len(row) == 4 and row[3] is not None for row in rows):
        raise ValueError("--to-format ntriples has no named graphs, and this query gives some; take nquads")
    names = ["subject", "predicate", "object", "graph"][:3 if "triples" in answer else 4]
    return FORMATS[format](names, rows, width)


def _statements(names: Sequence[str], rows: Sequence[Row], width: Optional[int]) -> Iterator[str]:
    for row in rows:
        yield " ".join([*(term for term in row if term is not None), "."]) + "\n"


def _tsv(names: Sequence[str], rows: Sequence[Row], width: Optional[int]) -> Iterator[str]:
    yield "\t".join(f"?{name}" for name in names) + "\n"
    for row in rows:
        yield "\t".join("" if term is None else term.replace("\t", "\\t") for term in row) + "\n"


def _csv(names: Sequence[str], rows: Sequence[Row], width: Optional[int]) -> Iterator[str]:
    for row in (names, *([_plain(term) for term in row] for row in rows)):
        line = io.StringIO()
        csv.writer(line).writerow(row)
        yield line.getvalue()


def _plain(term: Optional[str]) -> str:
    """Returns the plain value of a term, as in CSV."""
    if term is None:
        return ""
    match = _TERM.fullmatch(term)
    if match is None or match["blank"] is not None:
        return term
    return _unescaped(match["iri"] if match["iri"] is not None else match["text"])


def value(term: Optional[str]) -> Union[None, bool, int, float, str]:
    """Returns the value of a literal: a number, a boolean or its text. Other terms stay as they are.

    >>> value('"2"^^<http://www.w3.org/2001/XMLSchema#integer>'), value('"two"@en'), value("<urn:two>")
    (2, 'two', '<urn:two>')
    """
    match = None if term is None else _TERM.fullmatch(term)
    if match is None or match["text"] is None:
        return term
    text, datatype = _unescaped(match["text"]), match["datatype"]
    if _INTEGERS.fullmatch(datatype or "") and _INTEGER.fullmatch(text):
        return int(text)
    if datatype in _FLOATS and _FLOAT.fullmatch(text):
        return float(text)
    return _BOOLEANS.get(text, text) if datatype == _XSD + "boolean" else text


def _json(names: Sequence[str], rows: Sequence[Row], width: Optional[int]) -> Iterator[str]:
    yield '{"head": {"vars": ' + json.dumps(names) + '}, "results": {"bindings": ['
    for number, row in enumerate(rows):
        bound = {name: _parsed(term, 0)[0] for name, term in zip(names, row) if term is not None}
        yield (",\n" if number else "\n") + json.dumps(bound, ensure_ascii=False)
    yield "\n]}}\n"


def _parsed(text: str, at: int) -> Tuple[Dict[str, Any], int]:
    """Parses a term, and returns it in the JSON of SPARQL, with the index of its end."""
    if text.startswith("<<(", at):
        parts: Dict[str, Any] = {}
        at += 3
        for name in ("subject", "predicate", "object"):
            parts[name], at = _parsed(text, at + 1)
        return {"type": "triple", "value": parts}, at + len(" )>>")
    match = _TERM.match(text, at)
    if match is None:
        raise ValueError(f"{text[at:]} is no term of N-Triples")
    if match["iri"] is not None:
        return {"type": "uri", "value": _unescaped(match["iri"])}, match.end()
    if match["blank"] is not None:
        return {"type": "bnode", "value": match["blank"]}, match.end()
    found = {"type": "literal", "value": _unescaped(match["text"])}
    for name, group in (("xml:lang", "language"), ("its:dir", "direction"), ("datatype", "datatype")):
        if match[group] is not None:
            found[name] = match[group]
    return found, match.end()


def _unescaped(text: str) -> str:
    def character(found: "re.Match[str]") -> str:
        code = found[1] or found[2]
        return chr(int(code, 16)) if code else _ESCAPED.get(found[3], found[3])

    return _ESCAPE.sub(character, text)


def _table(names: Sequence[str], rows: Sequence[Row], width: Optional[int]) -> Iterator[str]:
    cells = [[_cell(term) for term in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(names, *cells)]
    if width is not None:
        _narrow(widths, width)
    yield _line(names, widths)
    yield _line(["-" * each for each in widths], widths)
    for row in cells:
        yield _line(row, widths)
    yield f"\n{len(rows):,} {'row' if len(rows) == 1 else 'rows'}\n"


def _narrow(widths: List[int], width: int) -> None:
    """Narrows the widest columns until the table fits or no column can become narrower."""
    widths[:] = [min(each, width) for each in widths]
    while sum(widths) + len(_BETWEEN) * (len(widths) - 1) > width and max(widths, default=0) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return _BETWEEN.join(_fitted(cell, width) for cell, width in zip(cells, widths)).rstrip() + "\n"


def _fitted(cell: str, width: int) -> str:
    if _width(cell) > width:
        cell = cell[:width]
        while cell and _width(cell) > width - 1:
            cell = cell[:-1]
        cell += "…"
    return cell + " " * (width - _width(cell))


def _width(text: str) -> int:
    """Returns the number of terminal columns of a text."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text)


def _cell(term: Optional[str]) -> str:
    if term is None:
        return ""
    match = _TERM.fullmatch(term)
    if match is not None and match["datatype"] in _BARE and _BARE[match["datatype"]].fullmatch(match["text"]):
        return match["text"]
    return printable(term.replace("\n", "\\n").replace("\t", "\\t"))


#: The result formats by name.
FORMATS: Dict[str, Callable[[Sequence[str], Sequence[Row], Optional[int]], Iterator[str]]] = {
    "table": _table, "tsv": _tsv, "csv": _csv, "json": _json, "ntriples": _statements, "nquads": _statements,
}

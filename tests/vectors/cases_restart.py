"""Cases about restart points (docs/restart-points.md): a reader that knows them refuses what breaks their rules.

A reader that does not know them reads such a stream as any other, so each ``restart`` case has the events that it then
holds: where they depend on what came before the restart point, the two kinds of readers would read different data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, List, Optional, Sequence

import rdf_rows
from vector_case import END, accept, own
from vector_rows import (
    DG, DT, MARK, PA, PUNCTUATED, PX, QUADS, TC, TX, A, H, I, L, N, OPT, Part, Raw, blob_field, frame, notation,
    number_field, varint,
)

_FIELD = 1000
_MARK = bytes([0xFF, *range(1, 16)])


@dataclass(frozen=True)
class Point:
    """What a restart point says; what is ``None`` is as it should be."""

    frame: int = 0
    row: int = 0
    patch: int = 0
    transaction: int = 0
    patch_open: int = 0
    mark: bytes = _MARK
    length: Optional[int] = None
    offset: Optional[int] = None
    checksums: int = 0

    def field(self, frame_length: int, offset: int) -> bytes:
        stated = frame_length if self.length is None else self.length
        place = offset if self.offset is None else self.offset
        message = blob_field(1, self.mark) + b"\x15" + stated.to_bytes(4, "little") + b"\x19" + place.to_bytes(8, "little")
        for number, value in ((4, self.frame), (5, self.row), (6, self.patch), (7, self.transaction), (9, self.patch_open),
                              (10, self.checksums)):
            message += number_field(number, value) if value else b""
        return blob_field(_FIELD, message)


@dataclass(frozen=True)
class Frame:
    """A frame: its restart point, if it has one, and its rows."""

    point: Optional[Point]
    parts: Sequence[Part]
    #: Bytes that stand before the restart point.
    before: bytes = b""
    #: Bytes that the length takes more than it needs.
    padding: int = 0
    #: Makes the frame's last field of the bytes before it.
    end: Optional[Callable[[bytes], bytes]] = None


def restarting(*frames: Frame) -> Raw:
    data = b""
    for made in frames:
        rows = frame(made.parts)
        length = len(made.before) + len(rows) + (len(made.point.field(0, 0)) if made.point else 0)
        length += len(made.end(b"")) if made.end else 0
        field = made.point.field(length, len(data)) if made.point else b""
        content = made.before + field + rows
        data += _length(length, made.padding) + content + (made.end(content) if made.end else b"")
    shown = " ‖ ".join(("RESTART " if made.point else "") + notation([made.parts]) for made in frames)
    return Raw(shown, data)


def _length(value: int, padding: int) -> bytes:
    plain = varint(value)
    return plain if not padding else plain[:-1] + bytes([plain[-1] | 0x80]) + b"\x80" * (padding - 1) + b"\x00"


_options = OPT(PUNCTUATED, QUADS, prefixes=2, datatypes=2)
_tables: List[Part] = [
    N("leaf", 1), N("brews", 2), N("cup", 3), PX("urn:", 1), PX("urn:x:", 2), DT("urn:grams", 1), DT("urn:litres", 2),
]
_seed = A(I(1, 1), I(0, 2), L("3", datatype=2), I(2, 3))
_FIRST = Frame(Point(), [_options, *_tables, _seed, MARK])
_EVENTS = ['A <urn:leaf> <urn:brews> "3"^^<urn:litres> <urn:x:cup>', END]
_SECOND = Point(frame=1, row=1, patch=1)


def second(*parts: Part, point: Optional[Point] = _SECOND, options: bool = True) -> Raw:
    """The first frame, then one with these rows."""
    return restarting(_FIRST, Frame(point, [*([_options] if options else []), *parts, MARK]))


_whole = A(I(1, 1), I(0, 2), I(0, 3), DG)
_WHOLE = "A <urn:leaf> <urn:brews> <urn:cup> DEFAULT"

accept("P-restart-a", "Behind a restart point all first ids and terms are written out.", second(*_tables, _whole),
       [*_EVENTS, _WHOLE, END])
accept("P-restart-b", "The ids of all but the first entries and IRIs may be left out behind a restart point.",
       second(N("leaf", 1), N("brews"), N("cup"), PX("urn:", 1), A(I(1, 1), I(), I(), DG)), [*_EVENTS, _WHOLE, END])
accept("P-restart-c", "A field with the number of a restart point that does not begin with 16 bytes is another's.",
       restarting(Frame(None, [_options, *_tables, _whole, MARK], blob_field(_FIELD, b"\x0a\x0f" + bytes(15)))),
       [_WHOLE, END])
accept("P-restart-d", "Two files with restart points are joined.",
       Raw("two files", 2 * restarting(_FIRST).data), [*_EVENTS, *_EVENTS])

own("P-restart-e", "The first entry of the name lookup behind a restart point has no id.",
    second(PX("urn:", 1), N("pot"), N("jug", 1), N("lid", 2), A(I(1, 4), I(0, 1), I(0, 2), DG)),
    [*_EVENTS, "A <urn:pot> <urn:jug> <urn:lid> DEFAULT", END])
own("P-restart-f", "The first entry of the prefix lookup behind a restart point has no id.",
    restarting(Frame(Point(), [_options, *_tables[:3], PX("urn:", 1), _whole, MARK]),
               Frame(_SECOND, [_options, *_tables[:3], PX("urn:y:"), A(I(2, 1), I(0, 2), I(0, 3), DG), MARK])),
    [_WHOLE, END, "A <urn:y:leaf> <urn:y:brews> <urn:y:cup> DEFAULT", END])
own("P-restart-g", "The first entry of the datatype lookup behind a restart point has no id.",
    restarting(Frame(Point(), [_options, *_tables[:4], DT("urn:grams", 1), _whole, MARK]),
               Frame(_SECOND, [_options, *_tables[:4], DT("urn:litres"),
                               A(I(1, 1), I(0, 2), L("3", datatype=2), DG), MARK])),
    [_WHOLE, END, 'A <urn:leaf> <urn:brews> "3"^^<urn:litres> DEFAULT', END])
own("P-restart-h", "The first IRI behind a restart point has no prefix id.",
    second(*_tables, A(I(0, 1), I(1, 2), I(0, 3), DG)), [*_EVENTS, "A <urn:x:leaf> <urn:brews> <urn:cup> DEFAULT", END])
own("P-restart-i", "The first IRI behind a restart point has no name id.",
    second(*_tables, N("pot"), A(I(1, 0), I(0, 2), I(0, 3), DG)),
    [*_EVENTS, "A <urn:pot> <urn:brews> <urn:cup> DEFAULT", END])
own("P-restart-j", "The first prefix behind a restart point has no graph.", second(*_tables, PA("t", I(1, 1))),
    [*_EVENTS, 'PA "t" <urn:leaf> <urn:x:cup>', END])
own("P-restart-k", "The first IRI behind a restart point is a header's, and has no name id.",
    second(*_tables, N("pot"), H("id", I(1, 0))), [*_EVENTS, 'H "id" <urn:pot>', END])
own("P-restart-l", "The first entry of the stream has no id, and a restart point before it.",
    restarting(Frame(Point(), [_options, N("leaf"), *_tables[1:], _whole, MARK])), [_WHOLE, END])
own("P-restart-m", "The first frame's restart point states another length than its frame has.",
    restarting(Frame(Point(length=7), [_options, *_tables, _whole, MARK])), [_WHOLE, END])
own("P-restart-n", "The second restart point states another length than its frame has.",
    second(*_tables, _whole, point=Point(1, 1, 1, length=1 << 20)), [*_EVENTS, _WHOLE, END])
own("P-restart-o", "A restart point states another offset than its frame's.",
    second(*_tables, _whole, point=Point(1, 1, 1, offset=3)), [*_EVENTS, _WHOLE, END])
own("P-restart-p", "A restart point counts a row that is not there.",
    second(*_tables, _whole, point=Point(1, 2, 1)), [*_EVENTS, _WHOLE, END])
own("P-restart-q", "A restart point says another mark than the file's.",
    second(*_tables, _whole, point=Point(1, 1, 1, mark=_MARK[::-1])), [*_EVENTS, _WHOLE, END])
own("P-restart-r", "The mark of a restart point does not begin with FF.",
    restarting(Frame(Point(mark=bytes(16)), [_options, *_tables, _whole, MARK])), [_WHOLE, END])
own("P-restart-s", "Another field of the frame comes before its restart point.",
    restarting(Frame(Point(), [_options, *_tables, _whole, MARK], blob_field(2000, b"x"))), [_WHOLE, END])
own("P-restart-t", "Options come again in a frame without a restart point.",
    second(_whole, point=None), [*_EVENTS, _WHOLE, END])
own("P-restart-u", "A restart point counts frames before the stream's first one.",
    restarting(Frame(Point(frame=1), [_options, *_tables, _whole, MARK])), [_WHOLE, END])
own("P-restart-v", "A restart point comes in a stream whose first frame has none.",
    restarting(Frame(None, _FIRST.parts), Frame(_SECOND, [_options, *_tables, _whole, MARK])),
    [*_EVENTS, _WHOLE, END])
own("P-restart-w", "The length before a restart point takes more bytes than it needs.",
    restarting(_FIRST, Frame(_SECOND, [_options, *_tables, _whole, MARK], padding=1)), [*_EVENTS, _WHOLE, END])
own("P-restart-x", "A frame with a restart point has no rows; the next one has the options.",
    restarting(_FIRST, Frame(_SECOND, []), Frame(None, [_options, *_tables, _whole, MARK])), [*_EVENTS, _WHOLE, END])
own("P-restart-y", "A restart point says that no transaction is open, and one is.",
    restarting(Frame(Point(), [_options, *_tables, TX]),
               Frame(Point(1, 1, 0, 1, 1), [_options, *_tables, _whole, TC, MARK])),
    ["TX", _WHOLE, "TC", END])

_rdf_options = rdf_rows.OPT(rdf_rows.QUADS, prefixes=2)
_rdf_tables: List[Part] = [rdf_rows.N("leaf", 1), rdf_rows.N("brews", 2), rdf_rows.N("cup", 3), rdf_rows.PX("urn:", 1)]
_quad = rdf_rows.QD(I(1, 1), I(0, 2), I(0, 3), DG)
_QUAD = "Q <urn:leaf> <urn:brews> <urn:cup> DEFAULT"
_RDF_FIRST = Frame(Point(), [_rdf_options, *_rdf_tables, _quad])
_RDF_SECOND = Point(frame=1, row=1)

accept("R-restart-a", "Behind a restart point all first ids and terms are written out.",
       restarting(_RDF_FIRST, Frame(_RDF_SECOND, [_rdf_options, *_rdf_tables, _quad])), [_QUAD, _QUAD])
own("R-restart-b", "The first entry of the name lookup behind a restart point has no id.",
    restarting(_RDF_FIRST, Frame(_RDF_SECOND, [_rdf_options, _rdf_tables[3], rdf_rows.N("pot"), *_rdf_tables[:3],
                                               rdf_rows.QD(I(1, 4), I(0, 2), I(0, 3), DG)])),
    [_QUAD, "Q <urn:pot> <urn:brews> <urn:cup> DEFAULT"])
own("R-restart-c", "The first IRI behind a restart point has no name id.",
    restarting(_RDF_FIRST, Frame(_RDF_SECOND, [_rdf_options, *_rdf_tables, rdf_rows.N("pot"),
                                               rdf_rows.QD(I(1, 0), I(0, 2), I(0, 3), DG)])),
    [_QUAD, "Q <urn:pot> <urn:brews> <urn:cup> DEFAULT"])
own("R-restart-d", "The first frame's restart point states another length than its frame has.",
    restarting(Frame(Point(length=7), [_rdf_options, *_rdf_tables, _quad])), [_QUAD])
own("R-restart-e", "A restart point stands within a graph.",
    restarting(Frame(Point(), [rdf_rows.OPT(rdf_rows.GRAPHS, prefixes=2), *_rdf_tables, rdf_rows.GS(DG)]),
               Frame(Point(frame=1), [rdf_rows.OPT(rdf_rows.GRAPHS, prefixes=2), *_rdf_tables,
                                      rdf_rows.T(I(1, 1), I(0, 2), I(0, 3)), rdf_rows.GE])), [_QUAD])

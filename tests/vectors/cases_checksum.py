"""Cases about checksums (docs/checksums.md): a reader that knows them refuses what breaks their rules. A reader that does not
know them reads such a stream as any other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable, List

import rdf_rows
from cases_restart import Frame, Point, restarting
from vector_case import END, accept, own
from vector_rows import (
    DG, DT, MARK, PUNCTUATED, PX, QUADS, A, I, L, N, OPT, Part, Raw, blob_field, frame, notation, number_field,
)

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from checksums import KEY, checksum  # noqa: E402

_FIELD = 1001


def _flipped(content: bytes) -> bytes:
    return checksum(content[:-1] + bytes([content[-1] ^ 1])) if content else checksum(content)


def _followed(content: bytes) -> bytes:
    return checksum(content) + number_field(2000, 1)


_options = OPT(PUNCTUATED, QUADS, prefixes=2, datatypes=2)
_tables: List[Part] = [N("leaf", 1), N("brews", 2), N("cup", 3), PX("urn:", 1), DT("urn:grams", 1)]
_rows: List[Part] = [_options, *_tables, A(I(1, 1), I(0, 2), I(0, 3), DG), MARK]
_more: List[Part] = [A(I(1, 1), I(0, 2), L("3", datatype=1), DG), MARK]
_EVENTS = ["A <urn:leaf> <urn:brews> <urn:cup> DEFAULT", END]
_MORE = ['A <urn:leaf> <urn:brews> "3"^^<urn:grams> DEFAULT', END]
_NONE = Point()
_SAYS = Point(checksums=1)
_SECOND = Point(frame=1, row=1, patch=1, checksums=1)


def _bare(parts: List[Part], end: Callable[[bytes], bytes]) -> Raw:
    content = frame(parts)
    return Raw(f"{notation([parts])} [non-delimited]", content + end(content))


accept("P-checksum-a", "Each frame ends with the checksum of its bytes.",
       restarting(Frame(None, _rows, end=checksum), Frame(None, _more, end=checksum)), [*_EVENTS, *_MORE])
accept("P-checksum-b", "A restart point says that frames have checksums, and the checksum is of its bytes too.",
       restarting(Frame(_SAYS, _rows, end=checksum), Frame(None, _more, end=checksum)), [*_EVENTS, *_MORE])
accept("P-checksum-c", "The one frame of a stream that is not delimited ends with a checksum.", _bare(_rows, checksum), _EVENTS)
accept("P-checksum-d", "A frame without rows has a checksum, that of no bytes.",
       restarting(Frame(None, [], end=checksum), Frame(None, _rows, end=checksum)), _EVENTS)
accept("P-checksum-e", "A field with the number of a checksum that is no number of four bytes is another's.",
       restarting(Frame(None, _rows, end=lambda content: blob_field(_FIELD, b"abcd"))), _EVENTS)
accept("P-checksum-f", "A field of another ends with bytes that look like a checksum.",
       restarting(Frame(None, _rows, end=lambda content: blob_field(2000, b"x" + KEY + b"abcd"))), _EVENTS)
accept("P-checksum-g", "A file without checksums is joined behind one that has some.",
       Raw("two files", restarting(Frame(_SAYS, _rows, end=checksum)).data + restarting(Frame(_NONE, _rows)).data),
       [*_EVENTS, *_EVENTS])

own("P-checksum-h", "The checksum of the only frame is another's.", restarting(Frame(None, _rows, end=_flipped)), _EVENTS)
own("P-checksum-i", "The checksum of the second frame is another's.",
    restarting(Frame(_SAYS, _rows, end=checksum), Frame(None, _more, end=_flipped)), [*_EVENTS, *_MORE])
own("P-checksum-j", "The checksum of a frame with a restart point is another's.",
    restarting(Frame(_SAYS, _rows, end=checksum), Frame(_SECOND, _rows, end=_flipped)), [*_EVENTS, *_EVENTS])
own("P-checksum-k", "The second frame has no checksum, and the first one has.",
    restarting(Frame(None, _rows, end=checksum), Frame(None, _more)), [*_EVENTS, *_MORE])
own("P-checksum-l", "The second frame has a checksum, and the first one has none.",
    restarting(Frame(None, _rows), Frame(None, _more, end=checksum)), [*_EVENTS, *_MORE])
own("P-checksum-m", "A restart point says that frames have checksums, and its own has none.",
    restarting(Frame(_SAYS, _rows)), _EVENTS)
own("P-checksum-n", "A restart point says that frames have no checksums, and its own has one.",
    restarting(Frame(_NONE, _rows, end=checksum)), _EVENTS)
own("P-checksum-o", "Another field comes behind a checksum.", restarting(Frame(None, _rows, end=_followed)), _EVENTS)
own("P-checksum-p", "The checksum of a stream that is not delimited is another's.", _bare(_rows, _flipped), _EVENTS)
own("P-checksum-q", "The second restart point does not say that frames have checksums, and the first one does.",
    restarting(Frame(_SAYS, _rows, end=checksum), Frame(Point(frame=1, row=1, patch=1), _rows, end=checksum)),
    [*_EVENTS, *_EVENTS])

_quads: List[Part] = [
    rdf_rows.OPT(rdf_rows.QUADS, prefixes=2), rdf_rows.N("leaf", 1), rdf_rows.N("brews", 2), rdf_rows.N("cup", 3),
    rdf_rows.PX("urn:", 1), rdf_rows.QD(I(1, 1), I(0, 2), I(0, 3), DG),
]
_QUAD = "Q <urn:leaf> <urn:brews> <urn:cup> DEFAULT"

accept("R-checksum-a", "A restart point says that frames have checksums, and the checksum is of its bytes too.",
       restarting(Frame(_SAYS, _quads, end=checksum)), [_QUAD])
accept("R-checksum-b", "The one frame of a stream that is not delimited ends with a checksum.", _bare(_quads, checksum), [_QUAD])
own("R-checksum-c", "The checksum of the only frame is another's.", restarting(Frame(_SAYS, _quads, end=_flipped)), [_QUAD])
own("R-checksum-d", "A restart point says that frames have checksums, and its own has none.",
    restarting(Frame(_SAYS, _quads)), [_QUAD])

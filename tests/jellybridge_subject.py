"""jellybridge on trial by the conformance suite, in this process, by the classes of its JVM side that a Java user has too.

As a command it runs a suite, ``tests/conformance`` for one: jellybridge_subject.py FOLDER [--earl FILE]
"""

from __future__ import annotations

import io
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import jpype
from jelly_conformance import Frames, Refused, Subject
from jelly_conformance.__main__ import main
from jelly_conformance.comparison import Term

import jellybridge
from jellybridge._doors import find_door

_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def n_triples(term: Term) -> Any:
    """A term as Java's bytes of text; ``None`` for the default graph."""
    text = _n_triples(term)
    return None if text is None else jpype.JArray(jpype.JByte)(text.encode())


def _n_triples(term: Term) -> Optional[str]:
    kind, *parts = term
    if kind == "iri":
        return f"<{parts[0]}>"
    if kind == "blank node":
        return f"_:{parts[0]}"
    if kind == "triple":
        return f"<< {' '.join(str(_n_triples(part)) for part in parts)} >>"
    if kind != "literal":
        return None
    text, language, datatype = parts
    suffix = f"@{language}" if language else f"^^<{datatype}>" if datatype else ""
    return f'"{"".join(_ESCAPES.get(c, c) for c in text)}"{suffix}'


def java(name: str) -> Any:
    return find_door().java_class(name)


def codec(name: str) -> Any:
    return java(f"io.jellybridge.codec.{name}")


@contextmanager
def refusals() -> Iterator[None]:
    try:
        with find_door().errors():
            yield
    except jellybridge.PatchFormatError as e:
        raise Refused(str(e), e.rule) from None


class Jellybridge(Subject):
    iri = "urn:jellybridge"
    name = "jellybridge"
    version = jellybridge.__version__

    def events(self, file: Path, strict: bool = False) -> str:
        if file.suffix == ".jelly":
            return self._rdf_events(file, strict)
        lines = io.BytesIO()
        with refusals():
            jellybridge.convert(file, lines, to_format="events", strict=strict)
        return lines.getvalue().decode()

    def _rdf_events(self, file: Path, strict: bool) -> str:
        lines = java("java.io.ByteArrayOutputStream")()
        terms = codec("Utf8Terms")()
        with refusals(), _rdf_reader(file, terms, strict) as reader:
            triples = codec("PhysicalType").TRIPLES
            to = java("io.jellybridge.text.EventLines").ofRdf(
                lines, terms, jpype.JProxy("java.util.function.BooleanSupplier", dict={
                    "getAsBoolean": lambda: bool(reader.options().physicalType() != triples)
                })
            )
            reader.readAll(_handler("RdfHandler", to, endFrame=lambda metadata: lines.write(10)))
        return bytes(lines.toByteArray()).decode()

    def metadata(self, file: Path) -> List[Dict[str, bytes]]:
        frames: List[Dict[str, bytes]] = []

        def end_frame(metadata: Any) -> None:
            frames.append({str(entry.getKey()): bytes(entry.getValue()) for entry in metadata.entrySet()})

        with refusals(), _rdf_reader(file, codec("Utf8Terms")(), False) as reader:
            reader.readAll(_handler("RdfHandler", None, endFrame=end_frame))
        return frames

    def is_dataset(self, file: Path, rdf_file: Path) -> bool:
        java("io.jellybridge.jena.nodes.NodeTerms")()  # first of all, since it starts Jena
        datasets = []
        for each in (file, rdf_file):
            datasets.append(java("org.apache.jena.sparql.core.DatasetGraphFactory").create())
            with refusals():
                java("org.apache.jena.riot.RDFDataMgr").read(datasets[-1], each.as_uri())
        return bool(java("org.apache.jena.sparql.util.IsoMatcher").isomorphic(*datasets))

    def write_rdf(self, options: Path, frames: Frames, target: Path) -> None:
        write_options = codec("WriteOptions")
        whole_frames = write_options(2**31 - 1, True, write_options.DEFAULT.maxFrameBytes())
        with refusals():
            with _rdf_reader(options, codec("Utf8Terms")(), False) as reader:
                reader.readAll(_handler("RdfHandler", None))
                given = reader.options()
            writer = codec("StatementWriter")(
                java("java.io.FileOutputStream")(str(target)), str(target), codec("Utf8Terms")(), given,
                whole_frames.withTerms(codec("TermRules").ANY),
            )
            with writer:
                for frame in frames:
                    for statement in frame:
                        terms = [n_triples(term) for term in statement[2:]]
                        writer.statement(*terms, *([None] if len(terms) == 3 else []))
                    writer.endElement()

    def write_patch(
        self, text: Path, target: Path, stream_type: str, statement_type: str, frame_rows: int, delimited: bool
    ) -> None:
        patch_options, write_options = codec("PatchOptions"), codec("WriteOptions")
        options = patch_options.DEFAULT.withRdfStar(True).withStreamType(codec("StreamType").valueOf(stream_type))
        options = options.withStatementType(codec("StatementType").valueOf(statement_type))
        cut = write_options(frame_rows, delimited, write_options.DEFAULT.maxFrameBytes())
        read = java("io.jellybridge.text.RdfPatchReadOptions").DEFAULT
        with refusals():
            out, terms = java("java.io.FileOutputStream")(str(target)), codec("Utf8Terms")()
            with java("io.jellybridge.text.RdfPatchReader")(_content(text), str(text), terms, read) as reader, \
                    codec("PatchWriter")(out, str(target), terms, options, cut.withTerms(codec("TermRules").ANY)) as writer:
                reader.readAll(writer if statement_type == "QUADS" else _handler(
                    "PatchHandler", writer,
                    prefix=lambda op, name, namespace, graph: writer.prefix(op, name, namespace, None),
                    statement=lambda op, s, p, o, graph: writer.statement(op, s, p, o, None),
                ))


def _content(file: Path) -> Any:
    return java("java.io.FileInputStream")(str(file))


def _rdf_reader(file: Path, terms: Any, strict: bool) -> Any:
    return codec("RdfReader")(_content(file), str(file), terms, codec("ReadOptions").DEFAULT.withStrict(strict))


def _handler(name: str, to: Any, **own: Any) -> Any:
    """A handler of events that passes them on, all but some of its own; ``to``: ``None`` = nowhere."""
    interface = f"io.jellybridge.codec.{name}"
    methods = {
        str(method.getName()): getattr(to, str(method.getName())) if to is not None else lambda *_: None
        for method in java(interface).class_.getMethods()
    }
    return jpype.JProxy(interface, dict={**methods, **own})


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Jellybridge()))

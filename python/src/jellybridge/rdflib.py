"""RDFLib: its terms, graphs and datasets in and out, its formats ``jelly-patch`` and ``jelly-rdf``, and a dataset that records.

Wherever jellybridge takes a file of statements, it also takes a graph or a dataset of RDFLib: :func:`jellybridge.diff`,
:func:`jellybridge.convert`, :meth:`jellybridge.Dataset.load`, :meth:`jellybridge.Dataset.publish`::

    import rdflib, jellybridge, jellybridge.rdflib

    graph = rdflib.Graph().parse("monday.ttl")
    print(jellybridge.diff(graph, "tuesday.ttl"))
    with jellybridge.Dataset.open("tdb2:/var/lib/graph") as dataset:
        dataset.publish(graph)
        copy = jellybridge.rdflib.to_dataset(dataset)

RDFLib finds the formats by itself once this package is installed: ``graph.parse("log.jellyp", format="jelly-patch")`` applies
the patches of a file. ``jelly`` stays the format of pyjelly.
"""

from __future__ import annotations

import os
import re
import tempfile
from typing import IO, Any, Dict, Iterable, Iterator, List, Optional, Set, Tuple

import rdflib
import rdflib.util
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
from rdflib.parser import InputSource, Parser
from rdflib.plugins.stores.memory import Memory
from rdflib.serializer import Serializer
from rdflib.term import Node

from ._changes import ChangeRow
from ._convert import convert
from ._files import Patch, read_patch, write_patch
from ._terms import QUAD_LINE, as_literal, lexical

__all__ = ["JellyParser", "JellyRdfParser", "JellyRdfSerializer", "JellySerializer", "RecordingDataset", "apply", "to_dataset", "to_node", "to_text"]

_SUFFIX = re.compile(r'"(?:@([\w-]+)|\^\^(<[^>]*>))?$')
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')

#: An operation; its graph and its statement, or its prefix and its namespace.
_Change = Tuple[str, Any, Any]

rdflib.util.SUFFIX_FORMAT_MAP.setdefault("jellyp", "jelly-patch")


def to_text(node: Node) -> str:
    """Returns a term of RDFLib as change rows have it.

    >>> from rdflib import Literal, URIRef
    >>> to_text(URIRef("urn:s")), to_text(Literal("chat", lang="fr")), to_text(Literal(1))
    ('<urn:s>', '"chat"@fr', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>')

    Raises:
        ValueError: the term is not RDF, such as a variable.
    """
    if isinstance(node, rdflib.URIRef):
        return "<" + _NOT_IN_IRI.sub(lambda found: f"\\u{ord(found[0]):04X}", node) + ">"
    if isinstance(node, rdflib.BNode):
        return f"_:{node}"
    if isinstance(node, rdflib.Literal):
        text = as_literal(str(node))
        if node.language:
            return f"{text}@{node.language}"
        return text if node.datatype in (None, rdflib.XSD.string) else f"{text}^^{to_text(node.datatype)}"
    raise ValueError(f"{node!r} is no term of RDF")


def to_node(text: str) -> Any:
    """Returns a term of a change row as one of RDFLib.

    >>> to_node("<urn:s>"), to_node('"chat"@fr')
    (rdflib.term.URIRef('urn:s'), rdflib.term.Literal('chat', lang='fr'))

    Raises:
        ValueError: RDFLib has no such term, as for triple terms.
    """
    if text.startswith("<") and not text.startswith("<<"):
        return rdflib.URIRef(_ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)), text[1:-1]))
    if text.startswith("_:"):
        return rdflib.BNode(text[2:])
    ending = _SUFFIX.search(text) if text.startswith('"') else None
    if ending is None:
        raise ValueError(f"{text}: RDFLib has no such term")
    # Not normalized, so that the lexical form stays.
    return rdflib.Literal(lexical(text), lang=ending[1], datatype=to_node(ending[2]) if ending[2] else None, normalize=False)


def lines(graph: rdflib.Graph) -> Iterator[bytes]:
    """Yields the N-Quads of a graph, or of a dataset."""
    for quad in _quads(graph):
        yield (" ".join(to_text(node) for node in quad if node is not None) + " .\n").encode()


def _quads(graph: rdflib.Graph) -> Iterator[Tuple[Any, Any, Any, Optional[Node]]]:
    if not isinstance(graph, rdflib.ConjunctiveGraph):
        yield from ((*triple, None) for triple in graph)
        return
    default = None if isinstance(graph, rdflib.Dataset) else graph.default_context.identifier
    for subject, predicate, value, context in graph.quads():
        name = getattr(context, "identifier", context)
        # The default graph of a ConjunctiveGraph has a blank node for a name.
        is_default = name in (None, DATASET_DEFAULT_GRAPH_ID) or name == default
        yield subject, predicate, value, None if is_default else name


def to_dataset(source: Any) -> rdflib.Dataset:
    """Returns statements as a dataset of RDFLib.

    >>> list(to_dataset([ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"')]).objects())
    [rdflib.term.Literal('o')]

    Args:
        source: a file of statements as :func:`jellybridge.convert` takes it, an open :class:`jellybridge.Dataset`, or rows with
            the columns of quads, such as those of :meth:`jellybridge.PatchLog.as_of`.

    Raises:
        ValueError: RDFLib has no such term, or rows delete something: :func:`apply` does that.
    """
    dataset = rdflib.Dataset()
    if not hasattr(source, "_store") and not isinstance(source, (str, os.PathLike, bytes)) and not hasattr(source, "read"):
        _add_all(dataset, _added(source))
        return dataset
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "all.nq")
        source.dump(file) if hasattr(source, "_store") else convert(source, file)
        with open(file, encoding="utf-8", newline="\n") as read:
            _add_all(dataset, map(_split, read))
    return dataset


def _added(rows: Iterable[Any]) -> Iterator[Tuple[Any, ...]]:
    for row in rows:
        if getattr(row, "op", None) in ("D", "TA"):
            raise ValueError(f"a row has op {row.op}, and a dataset has what is added: apply changes to one by apply")
        if row.subject:
            yield row.subject, row.predicate, row.object, row.graph


def _split(line: str) -> Tuple[Any, ...]:
    found = QUAD_LINE.fullmatch(line.rstrip("\n"))
    if found is None:
        raise ValueError(f"{line.rstrip()}: RDFLib has no such statement")
    return found.groups()


def _add_all(graph: rdflib.Graph, rows: Iterable[Tuple[Any, ...]]) -> None:
    nodes: Dict[Optional[str], Any] = {}
    for row in rows:
        for text in row:
            if text is not None and text not in nodes:
                nodes[text] = to_node(text)
        *triple, name = row
        _context(graph, None if name is None else nodes[name]).add(tuple(nodes[text] for text in triple))


def _context(graph: rdflib.Graph, name: Any) -> rdflib.Graph:
    """Returns the graph of a dataset with a name; ``None`` = the default graph."""
    if isinstance(graph, rdflib.Dataset):
        return graph.get_context(DATASET_DEFAULT_GRAPH_ID if name is None else name)
    if name is not None:
        raise ValueError(f"{to_text(name)} is a graph by a name: give a Dataset, and not a Graph")
    # A ConjunctiveGraph itself is the union of all its graphs.
    return graph.default_context if isinstance(graph, rdflib.ConjunctiveGraph) else graph


def apply(patch: Any, graph: rdflib.Graph) -> Tuple[int, int]:
    """Applies patches to a graph or a dataset of RDFLib. Aborted transactions change nothing, and refused ones neither. A prefix
    that a patch deletes stays bound, since RDFLib can't unbind it.

    >>> graph = rdflib.Graph()
    >>> apply([ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"')], graph), len(graph)
    ((1, 0), 1)

    Args:
        patch: a file of patches as :func:`jellybridge.read_patch` takes it, a :class:`jellybridge.changes.Patch`, a
            :class:`jellybridge.Difference`, or change rows.
        graph: the graph or the dataset. A graph has no graphs by a name.

    Returns:
        The numbers of added and of deleted statements that were applied.

    Raises:
        ValueError: RDFLib has no term for a row, a graph has no graph of that name, or a transaction has no begin or no end. The
            transactions before were applied.
    """
    is_file = isinstance(patch, (str, os.PathLike, bytes, Patch)) or hasattr(patch, "read")
    counts = {"A": 0, "D": 0, "PA": 0}
    held: List[_Change] = []
    added: Set[Any] = set()
    is_open = False
    for row in read_patch(patch) if is_file else patch:
        if row.op not in ("TX", "TC", "TA"):
            held += _changes_of(row, graph)
        elif (row.op == "TX") == is_open:
            raise ValueError("TX within a transaction" if is_open else f"{row.op} outside of a transaction")
        else:
            is_open = not is_open
        if row.op == "TA":
            held.clear()
        if not is_open:
            for each in held:
                _change(graph, added, *each)
                counts[each[0]] += 1
            held.clear()
    if is_open:
        raise ValueError("the rows end within a transaction")
    return counts["A"], counts["D"]


def _changes_of(row: ChangeRow, graph: rdflib.Graph) -> List[_Change]:
    """Returns the change of a row, or none if RDFLib can't make it."""
    if row.op == "PA" and row.value is not None:
        return [(row.op, row.name or "", to_node(row.value))]
    if row.op not in ("A", "D"):
        return []
    context = _context(graph, None if row.graph is None else to_node(row.graph))
    return [(row.op, context, tuple(to_node(text or "") for text in (row.subject, row.predicate, row.object)))]


def _change(graph: rdflib.Graph, added: Set[Any], op: str, place: Any, what: Any) -> None:
    if op == "PA":
        graph.bind(place, what, override=True, replace=True)
    elif op == "A":
        place.add(what)
        added.add((place.identifier, what))
    else:
        _remove(what, place, added)


def _remove(triple: Tuple[Any, Any, Any], graph: rdflib.Graph, added: Set[Any]) -> None:
    """Removes a statement. If its literal is not there, removes the one that RDFLib's parsers make of it, but not one that the same
    call added.
    """
    *start, value = triple
    if triple not in graph and isinstance(value, rdflib.Literal) and not value.language:
        parsed = (*start, rdflib.Literal(str(value), datatype=value.datatype or rdflib.XSD.string, normalize=True))
        triple = triple if (graph.identifier, parsed) in added else parsed
    graph.remove(triple)


class _RecordingStore(Memory):
    """A store in memory that records what changes it."""

    def __init__(self) -> None:
        self.rows: List[ChangeRow] = []
        super().__init__()

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:
        if not any(True for _ in self.triples(triple, context)):
            self.rows.append(_row("A", triple, context))
        super().add(triple, context, quoted)

    def remove(self, triple_pattern: Any, context: Any = None) -> None:
        for triple, contexts in self.triples(triple_pattern, context):
            self.rows += [_row("D", triple, each) for each in ([context] if context is not None else filter(None, contexts))]
        super().remove(triple_pattern, context)

    def bind(self, prefix: str, namespace: rdflib.URIRef, override: bool = True) -> None:
        before = dict(self.namespaces())
        super().bind(prefix, namespace, override)
        after = dict(self.namespaces())
        # A namespace has one prefix, so another prefix of it goes.
        self.rows += [ChangeRow(op="PD", name=name, value=to_text(rdflib.URIRef(iri)))
                      for name, iri in before.items() if name not in after]
        self.rows += [ChangeRow(op="PA", name=name, value=to_text(rdflib.URIRef(iri)))
                      for name, iri in after.items() if before.get(name) != iri]


def _row(op: Any, triple: Any, context: Any) -> ChangeRow:
    name = getattr(context, "identifier", context)
    subject, predicate, value = map(to_text, triple)
    return ChangeRow(op=op, subject=subject, predicate=predicate, object=value,
                     graph=None if name in (None, DATASET_DEFAULT_GRAPH_ID) else to_text(name))


class RecordingDataset(rdflib.Dataset):
    """A dataset of RDFLib in memory that records its changes, by whatever way they come: its methods, its graphs, SPARQL.

    >>> dataset = RecordingDataset()
    >>> _ = dataset.add((rdflib.URIRef("urn:s"), rdflib.URIRef("urn:p"), rdflib.Literal("o")))
    >>> for row in dataset.take():
    ...     print(row.op, row.object)
    TX None
    A "o"
    TC None
    """

    def __init__(self) -> None:
        """Creates an empty dataset."""
        self._recorded = _RecordingStore()
        super().__init__(store=self._recorded)
        self.take()

    def take(self) -> List[ChangeRow]:
        """Returns the changes since the last call, as one transaction. Empty if nothing changed.

        The rows are for :func:`jellybridge.write_patch`. To begin with data that you load, call this once after the load.
        """
        rows, self._recorded.rows = self._recorded.rows, []
        return [ChangeRow(op="TX"), *rows, ChangeRow(op="TC")] if rows else []


class JellyParser(Parser):
    """RDFLib's parser for ``jelly-patch``, which applies patches."""

    def parse(self, source: InputSource, sink: rdflib.Graph, **_: Any) -> None:
        stream = source.getByteStream()
        if stream is None:
            raise ValueError("Jelly is binary: give bytes, or a file that is open for reading bytes")
        target = rdflib.Dataset(store=sink.store) if sink.identifier == DATASET_DEFAULT_GRAPH_ID else sink
        self._read(stream.read(), target)

    def _read(self, data: bytes, target: rdflib.Graph) -> None:
        apply(read_patch(data, format="jelly-patch"), target)


class JellyRdfParser(JellyParser):
    """RDFLib's parser for ``jelly-rdf``."""

    def _read(self, data: bytes, target: rdflib.Graph) -> None:
        with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
            file = os.path.join(folder, "all.nq")
            convert(data, file, from_format="jelly")
            with open(file, encoding="utf-8", newline="\n") as read:
                _add_all(target, map(_split, read))


class JellySerializer(Serializer):
    """RDFLib's serializer for ``jelly-patch``: a patch that adds all statements and prefixes."""

    def serialize(self, stream: IO[bytes], base: Optional[str] = None, encoding: Optional[str] = None, **_: Any) -> None:
        write_patch(stream, self._rows(), format="jelly-patch")

    def _rows(self) -> Iterator[ChangeRow]:
        yield ChangeRow(op="TX")
        for name, namespace in self.store.namespaces():
            yield ChangeRow(op="PA", name=name, value=to_text(namespace))
        for *triple, context in _quads(self.store):
            yield _row("A", triple, context)
        yield ChangeRow(op="TC")


class JellyRdfSerializer(JellySerializer):
    """RDFLib's serializer for ``jelly-rdf``."""

    def serialize(self, stream: IO[bytes], base: Optional[str] = None, encoding: Optional[str] = None, **_: Any) -> None:
        kind: Any = "QUADS" if isinstance(self.store, rdflib.ConjunctiveGraph) else "TRIPLES"
        convert(self.store, stream, to_format="jelly", statement_type=kind)  # type: ignore[arg-type]

"""Patches from change formats of other fields: CIM difference models, and the members of Linked Data Event Streams."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import tempfile
import uuid
from itertools import chain
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Set, Tuple
from urllib.parse import urldefrag, urlsplit, urlunsplit
from xml.etree import ElementTree

from ._convert import convert, format_of
from ._errors import JellybridgeError
from ._locations import Readable, Source, absolute, is_remote, without_secrets
from ._terms import QUAD_LINE, as_literal, lexical
from ._times import moment, time_literal

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_XML = "{http://www.w3.org/XML/1998/namespace}"


class _Quad(NamedTuple):
    subject: str
    predicate: str
    object: str
    graph: Optional[str] = None


def _lines(source: Any, format: Optional[str], base_iri: Optional[str]) -> List[str]:
    """Returns the statements of a source as lines of N-Quads."""
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, "statements.nq")
        options: Dict[str, Any] = {} if base_iri is None else {"base": base_iri}
        convert(source, file, from_format=format, **options)  # type: ignore[arg-type]
        with open(file, encoding="utf-8", newline="\n") as text:
            return text.read().split("\n")[:-1]


def _headers(name: Optional[str], time: Optional[str], **texts: Optional[str]) -> Iterator[str]:
    """Yields the headers of a patch. The id follows from the name, so that a log appends the patch once."""
    if name is not None and not name.startswith("_:"):
        try:
            found = uuid.UUID(name.removeprefix("urn:uuid:").removeprefix("_"))
        except ValueError:
            found = uuid.uuid5(uuid.NAMESPACE_URL, name)
        yield f"H id <urn:uuid:{found}> ."
    if time is not None:
        try:
            yield f"H time {time_literal(moment(time).isoformat())} ."
        except ValueError:
            pass  # no time that a log could compare
    for key, text in texts.items():
        if text:
            yield f"H {key} {as_literal(text)} ."


# --- CIM

_MODELS = ("http://iec.ch/TC57/61970-552/DifferenceModel/1#", "http://iec.ch/2002/schema/CIM_difference_model#")
_DESCRIPTION = "{http://iec.ch/TC57/61970-552/ModelDescription/1#}Model."


def of_cim(source: Readable, base_iri: Optional[str], missing: Optional[Callable[[List[str]], Iterator[str]]]) -> Iterator[str]:
    """Yields the lines of RDF Patch for a file of CIM difference models.

    Args:
        source: the file.
        base_iri: the base of relative IRIs.
        missing: returns those of some statements that the state before the models lacks; ``None`` = preconditions are not checked.
    """
    with Source(source, format="rdfxml") as file, open(file.place.path, "rb") as opened:
        content, name = opened.read(), file.place.name
    try:
        root = ElementTree.fromstring(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    except (ElementTree.ParseError, OSError, EOFError) as e:
        raise JellybridgeError(f"{name}: no XML can be read: {e}") from None
    models = [(model, namespace) for model in root.iter() for namespace in _MODELS if model.tag == f"{{{namespace}}}DifferenceModel"]
    if not models:
        raise JellybridgeError(f"{name}: there is no dm:DifferenceModel; a file of statements is compared by diff")
    #: What the models so far say, by the statement.
    said: Dict[str, str] = {}
    for model, namespace in models:

        def statements(part: str) -> Iterator[str]:
            for element in model.findall(f"{{{namespace}}}{part}"):
                yield from _statements(element, (element, model, root), base_iri)

        if missing is not None:
            wanted = [_findable(name, "preconditions", line) for line in statements("preconditions")]
            lacking = [line for line in wanted if said.get(line) == "D"]
            lacking += missing([line for line in wanted if line not in said])
            if lacking:
                about = model.get(f"{{{_RDF}}}about") or "without a name"
                raise JellybridgeError(f"{name}: the model {about} has preconditions that don't hold, so it is for another state; "
                                       f"{len(lacking):,} of {len(wanted):,} are missing there: {lacking[0]}")
        created, description = (model.findtext(f"{_DESCRIPTION}{field}") for field in ("created", "description"))
        yield from _headers(model.get(f"{{{_RDF}}}about"), created and created.strip(), message=description)
        yield "TX ."
        seed = model.get(f"{{{_RDF}}}about") or ElementTree.tostring(model, encoding="unicode")
        deleted = (_findable(name, "reverseDifferences", line) for line in statements("reverseDifferences"))
        for op, lines in (("D", deleted), ("A", _labelled_lines(seed, list(statements("forwardDifferences"))))):
            for line in lines:
                said[line] = op
                yield f"{op} {line}"
        yield from ("TC .", "Z .")


def _findable(name: str, part: str, line: str) -> str:
    if _has_blank(line):
        raise JellybridgeError(f"{name}: {part} has a blank node, and no statement of a state can be found by that: {line}")
    return line


def _has_blank(line: str) -> bool:
    return line.startswith("_:") or " _:" in line.partition('"')[0]


def _labelled_lines(seed: str, lines: List[str]) -> List[str]:
    """Returns statements with the labels of :func:`_labelled`, since those of a temporary file differ each time."""
    if not any(map(_has_blank, lines)):
        return lines
    return sorted(f"{' '.join(quad[:3])} ." for quad in _labelled(seed, map(_quad_of, lines)))


def _statements(element: Any, around: Iterable[Any], base_iri: Optional[str]) -> List[str]:
    """Returns the statements in an element of ``rdf:parseType="Statements"``, which RDF/XML itself does not know."""
    document = ElementTree.Element(f"{{{_RDF}}}RDF")
    for name in (f"{_XML}base", f"{_XML}lang"):
        said = next((each.get(name) for each in around if each.get(name)), None)
        if said is not None:
            document.set(name, said)
    document.extend(element)
    return _lines(ElementTree.tostring(document, encoding="utf-8"), "rdfxml", base_iri)


# --- LDES

_LDES, _TREE = "https://w3id.org/ldes#", "https://w3id.org/tree#"
_DCT, _AS = "http://purl.org/dc/terms/", "https://www.w3.org/ns/activitystreams#"
_TYPE, _VERSION_OF, _OBJECT = f"<{_RDF}type>", f"<{_DCT}isVersionOf>", f"<{_AS}object>"
_TIMES = (f"<{_DCT}created>", f"<{_AS}published>", "<http://www.w3.org/ns/prov#generatedAtTime>", f"<{_DCT}issued>", f"<{_DCT}modified>")


class _Member(NamedTuple):
    """A member of a stream: a version of a thing."""

    name: str
    thing: str
    time: Optional[str]
    #: What is said of the thing then; empty if it was deleted.
    statements: Set[_Quad]


def of_ldes(
    sources: Iterable[Readable], base: Optional[Readable], base_iri: Optional[str], max_pages: Optional[int]
) -> Iterator[str]:
    """Yields the lines of RDF Patch for pages of streams: a patch for each member, in the order of their times."""
    pages = _Statements(chain.from_iterable(_pages(sources, base_iri, max_pages)))
    members = list(_members(pages))
    timeless = [member.name for member in members if member.time is None]
    if not timeless:
        members.sort(key=lambda member: moment(str(member.time)))
    elif len(timeless) < len(members):
        raise JellybridgeError(f"the member {timeless[0]} has no time, and others have one, so their order is not known")
    known: Dict[str, Set[_Quad]] = {}
    before = _Statements(_quads(base, base_iri) if base is not None else ())
    for member in members:
        old = known.get(member.thing)
        if old is None:
            old = {quad._replace(graph=None) for quad in before.about(member.thing)}
        known[member.thing] = member.statements
        yield from _headers(member.name.strip("<>"), member.time, member=member.name.strip("<>"))
        yield "TX ."
        for op, quads in (("D", old - member.statements), ("A", member.statements - old)):
            yield from (f"{op} {' '.join(quad[:3])} ." for quad in sorted(quads))
        yield from ("TC .", "Z .")


def _pages(sources: Iterable[Readable], base_iri: Optional[str], max_pages: Optional[int]) -> Iterator[List[_Quad]]:
    """Yields the statements of pages, and of those that they link to, each page once.

    Raises:
        JellybridgeError: there are more pages than ``max_pages``, or a link leads where it must not.
    """
    left: List[Tuple[Readable, Optional[str]]] = [(source, base_iri) for source in sources]
    named = [os.path.dirname(os.path.realpath(absolute(source)))  # type: ignore[arg-type]
             for source, _ in left if _is_file(source)]
    seen = {_address(source) for source, _ in left}
    labels: Set[str] = set()
    for number, (source, iri) in enumerate(left):  # which grows
        page = _apart(_quads(source, iri), labels, number)
        yield page
        if max_pages is None:
            continue
        for link in map(_address, _links(_Statements(page), source)):
            if link in seen:
                continue
            seen.add(link)
            if len(left) >= max_pages:
                raise JellybridgeError(f"the stream has more than {max_pages:,} pages; raise max_pages (--max-pages) to read them all")
            left.append((_target(link, source, named), None))


def _is_file(source: Readable) -> bool:
    return isinstance(source, (str, os.PathLike)) and not is_remote(os.fspath(source))


def _address(source: Readable) -> Any:
    """Returns the IRI of a page without its fragment and secrets. Two names of a page have the same."""
    if not isinstance(source, (str, os.PathLike)):
        return source
    if _is_file(source):
        return Path(os.path.realpath(absolute(source))).as_uri()
    parts = urlsplit(urldefrag(os.fspath(source)).url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _links(page: _Statements, source: Readable) -> List[str]:
    """Returns the IRIs of the pages that relations lead to; those of the views of a stream if the page has nothing else."""
    relations = dict.fromkeys(quad.object for quad in page.with_predicate(f"<{_TREE}relation>"))
    found = [node for relation in relations for node in page.values(relation, f"<{_TREE}node>")]
    if not found and not page.with_predicate(f"<{_TREE}member>"):
        found = [quad.object for quad in page.with_predicate(f"<{_TREE}view>")]
    for node in found:
        if not re.match(r"<(https?|file):", node, re.IGNORECASE):
            raise JellybridgeError(f"{_name(source)}: {node} is the node of a relation, and no page that can be read")
    return [urldefrag(node.strip("<>")).url for node in found]


def _name(source: Readable) -> str:
    return without_secrets(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else "a page"


def _target(link: str, source: Readable, folders: List[str]) -> str:
    """Returns the page behind a link."""
    if _is_file(link):
        path = os.path.realpath(absolute(link))
        if not _is_file(source) or not any(os.path.commonpath([path, folder]) == folder for folder in folders):
            raise JellybridgeError(f"{_name(source)}: a page links to {link}, which is not in the folder of a page that you name")
        return path
    if not isinstance(source, (str, os.PathLike)) or _is_file(source):
        return link
    here, there = urlsplit(os.fspath(source)), urlsplit(link)
    if here.scheme.lower() == "https" != there.scheme.lower():
        raise JellybridgeError(f"{_name(source)}: a page links to {link}, which is without encryption")
    user, at, host = here.netloc.rpartition("@")
    # A password is for its own server.
    is_same = (here.scheme.lower(), host.lower()) == (there.scheme.lower(), there.netloc.lower())
    return urlunsplit(there._replace(netloc=f"{user}{at}{there.netloc}")) if is_same else link


def _apart(quads: Iterable[_Quad], labels: Set[str], number: int) -> List[_Quad]:
    """Returns the statements of a page, in which labels that other pages have are others, and adds its labels."""
    page = list(quads)
    found = {term for quad in page for term in quad if term is not None and _is_blank(term)}
    renamed = {label: f"{label}-{number}" for label in found & labels}
    labels |= {renamed.get(label, label) for label in found}
    return [_Quad(*(renamed.get(term, term) for term in quad)) for quad in page] if renamed else page  # type: ignore[arg-type]


def _quads(source: Readable, base_iri: Optional[str]) -> Iterator[_Quad]:
    return map(_quad_of, _lines(source, _format_of_page(source), base_iri))


def _quad_of(line: str) -> _Quad:
    found = QUAD_LINE.fullmatch(line)
    if found is None:
        raise JellybridgeError(f"a statement about a statement can't be read here: {line}")
    return _Quad(*found.groups())


def _format_of_page(source: Readable) -> Optional[str]:
    """Returns the format to ask a server for where the address of a page says none; ``None`` = by the suffix."""
    if not isinstance(source, (str, os.PathLike)) or _is_file(source):
        return None
    try:
        format_of(urlsplit(os.fspath(source)).path)
        return None
    except JellybridgeError:
        return "trig"


class _Statements:
    """Statements, by their subjects and by their graphs."""

    def __init__(self, quads: Iterable[_Quad]) -> None:
        self._by_subject: Dict[str, List[_Quad]] = {}
        self._by_graph: Dict[Optional[str], List[_Quad]] = {}
        for quad in quads:
            self._by_subject.setdefault(quad.subject, []).append(quad)
            self._by_graph.setdefault(quad.graph, []).append(quad)

    def with_predicate(self, predicate: str) -> List[_Quad]:
        return [quad for quads in self._by_subject.values() for quad in quads if quad.predicate == predicate]

    def values(self, subject: str, *predicates: str) -> List[str]:
        """Returns the objects of a subject, those of the first predicates first."""
        said = self._by_subject.get(subject, ())
        return [quad.object for predicate in predicates for quad in said if quad.predicate == predicate]

    def in_graph(self, graph: str) -> List[_Quad]:
        return self._by_graph.get(graph, [])

    def about(self, node: str) -> List[_Quad]:
        """Returns the statements about a node, and about the blank nodes that it leads to."""
        found, left, seen = [], [node], {node}
        while left:
            for quad in self._by_subject.get(left.pop(), ()):
                found.append(quad)
                if _is_blank(quad.object) and quad.object not in seen:
                    seen.add(quad.object)
                    left.append(quad.object)
        return found


def _members(pages: _Statements) -> Iterator[_Member]:
    members = pages.with_predicate(f"<{_TREE}member>")
    if not members:
        raise JellybridgeError("no page has a tree:member, so there is nothing to read; a file of statements is compared by diff")
    for stream, name in dict.fromkeys((each.subject, each.object) for each in members):
        if not pages.about(name) and not pages.in_graph(name):
            raise JellybridgeError(f"no page describes the member {name}: name its page, too, or follow links by max_pages (--max-pages)")
        of_path, time_path, delete_path = (next(iter(pages.values(stream, f"<{_LDES}{name}>")), None)
                                           for name in ("versionOfPath", "timestampPath", "versionDeletePath"))
        for path in (of_path, time_path, delete_path):
            if path is not None and not path.startswith("<"):
                raise JellybridgeError(f"the stream {stream} has a path of several steps, and only a predicate can be read")
        deletes = {f"<{_AS}Delete>", *pages.values(stream, f"<{_LDES}versionDeleteObject>")}
        is_deleted = not deletes.isdisjoint(pages.values(name, delete_path or _TYPE, _TYPE))
        # An activity has the version as its object. Another member is the version.
        activity = next(iter(pages.values(name, _OBJECT)), None)
        version = activity or name
        thing = next(iter(pages.values(version, *filter(None, (of_path if of_path != _OBJECT else None, _VERSION_OF)))), version)
        time = _time_of(name, pages.values(name, *filter(None, (time_path,))), pages.values(name, *_TIMES))
        control = {of_path, time_path, _VERSION_OF} if activity is None else {of_path, _VERSION_OF}
        said = pages.in_graph(name) or pages.about(version)
        # A member without an IRI is known by what it says.
        seed = " ".join(_place(name, {name: pages.about(name)})) if _is_blank(name) else name
        statements = _labelled(seed, [_renamed(quad, version, thing) for quad in said
                                      if not (quad.subject in (version, name) and quad.predicate in control)])
        yield _Member(name, thing, time, set() if is_deleted else statements)


def _time_of(name: str, said: Sequence[str], others: Sequence[str]) -> Optional[str]:
    """Returns the time of a member: the first that its stream's own predicate says, or else the first time of the others.

    Raises:
        JellybridgeError: the stream's own predicate says no time.
    """
    for term in said[:1] or others:
        with contextlib.suppress(ValueError):
            moment(lexical(term))
            return lexical(term)
    if said:
        raise JellybridgeError(f"the member {name} has the time {said[0]}, which is none")
    return None


def _renamed(quad: _Quad, version: str, thing: str) -> _Quad:
    subject, object = (thing if term == version else term for term in (quad.subject, quad.object))
    return _Quad(subject, quad.predicate, object)


def _labelled(seed: str, quads: Iterable[_Quad]) -> Set[_Quad]:
    """Returns statements whose blank nodes have labels by a seed and by their order. Those of a page differ when it grows."""
    about: Dict[str, List[_Quad]] = {}
    for quad in quads:
        about.setdefault(quad.subject, []).append(quad)
    labels: Dict[str, str] = {}
    for first in sorted(about, key=lambda node: (_is_blank(node), _place(node, about))):
        left = [first]
        while left:
            node = left.pop()
            if node in labels:
                continue
            if _is_blank(node):
                labels[node] = f"_:b{uuid.uuid5(uuid.NAMESPACE_URL, f'{seed} {len(labels)}').hex}"
            said = sorted(about.get(node, ()), key=lambda quad: (quad.predicate, _place(quad.object, about)), reverse=True)
            left += [quad.object for quad in said if _is_blank(quad.object)]
    return {_Quad(*(labels.get(term, term) for term in quad[:3])) for quads in about.values() for quad in quads}


def _place(node: str, about: Dict[str, List[_Quad]]) -> List[str]:
    """Returns what a node is sorted by: its term, or what is said of a blank one."""
    if not _is_blank(node):
        return [node]
    return sorted(f"{quad.predicate} {quad.object}" for quad in about.get(node, ()) if not _is_blank(quad.object))


def _is_blank(term: str) -> bool:
    return term.startswith("_:")

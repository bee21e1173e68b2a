"""A graph in every RDF syntax, and documents that are damaged."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any, Dict, List, Set, Tuple

import jellybridge

Quad = Tuple[str, ...]

XSD = "http://www.w3.org/2001/XMLSchema#"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

#: Each says the quads of EXPECTED, in the default graph.
TRIPLES = {
    "ttl": f"""@prefix ex: <http://e/> .
        ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> .""",
    "trig": f"""PREFIX ex: <http://e/>
        {{ ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> . }}""",
    "n3": f"""@prefix ex: <http://e/> .
        ex:s ex:p "é\\n", "b"@en-GB, 5 ; ex:q [ ex:r _:x ] . _:x ex:r <rel> .""",
    "rdf": f"""<?xml version="1.0"?><!DOCTYPE rdf:RDF [<!ENTITY e "http://e/">]>
        <rdf:RDF xmlns:rdf="{RDF}" xmlns:ex="&e;"><rdf:Description rdf:about="&e;s">
        <ex:p>é&#10;</ex:p><ex:p xml:lang="en-GB">b</ex:p><ex:p rdf:datatype="{XSD}integer">5</ex:p>
        <ex:q><rdf:Description><ex:r rdf:nodeID="x"/></rdf:Description></ex:q></rdf:Description>
        <rdf:Description rdf:nodeID="x"><ex:r rdf:resource="rel"/></rdf:Description></rdf:RDF>""",
    "jsonld": """{"@context": {"ex": "http://e/", "r": {"@id": "ex:r", "@type": "@id"}}, "@graph": [
        {"@id": "ex:s", "ex:p": ["é\\n", {"@value": "b", "@language": "en-GB"}, 5], "ex:q": {"r": "_:x"}},
        {"@id": "_:x", "r": "rel"}]}""",
    "rj": f"""{{"http://e/s": {{"http://e/p": [{{"type": "literal", "value": "é\\n"}},
        {{"type": "literal", "value": "b", "lang": "en-GB"}},
        {{"type": "literal", "value": "5", "datatype": "{XSD}integer"}}],
        "http://e/q": [{{"type": "bnode", "value": "_:y"}}]}},
        "_:y": {{"http://e/r": [{{"type": "bnode", "value": "_:x"}}]}},
        "_:x": {{"http://e/r": [{{"type": "uri", "value": "http://base/rel"}}]}}}}""",
    "trix": f"""<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral>é&#10;</plainLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><plainLiteral xml:lang="en-GB">b</plainLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/p</uri><typedLiteral datatype="{XSD}integer">5</typedLiteral></triple>
        <triple><uri>http://e/s</uri><uri>http://e/q</uri><id>y</id></triple>
        <triple><id>y</id><uri>http://e/r</uri><id>x</id></triple>
        <triple><id>x</id><uri>http://e/r</uri><uri>rel</uri></triple></graph></TriX>""",
    "nt": f"""<http://e/s> <http://e/p> "é\\n" .\n<http://e/s> <http://e/p> "b"@en-GB .
        <http://e/s> <http://e/p> "5"^^<{XSD}integer> .\n<http://e/s> <http://e/q> _:y .
        _:y <http://e/r> _:x .\n_:x <http://e/r> <http://base/rel> .\n""",
}
BASE = "http://base/x"
EXPECTED = {
    ("<http://e/s>", "<http://e/p>", '"é\\n"'), ("<http://e/s>", "<http://e/p>", '"b"@en-gb'),
    ("<http://e/s>", "<http://e/p>", f'"5"^^<{XSD}integer>'), ("<http://e/s>", "<http://e/q>", "_:0"),
    ("_:0", "<http://e/r>", "_:1"), ("_:1", "<http://e/r>", "<http://base/rel>"),
}
DOCUMENTS = [syntax for syntax in TRIPLES if syntax != "nt"]
FORMATS = {"ttl": "turtle", "trig": "trig", "n3": "n3", "rdf": "rdfxml", "jsonld": "jsonld", "rj": "rdfjson", "trix": "trix",
           "nt": "ntriples"}


def write(folder: Path, syntax: str, text: str = "", name: str = "in") -> Path:
    file = folder / f"{name}.{syntax}"
    file.write_text(text or TRIPLES[syntax], encoding="utf-8")
    return file


def isomorphic(quads: Set[Quad], others: Set[Quad]) -> bool:
    """Whether they are the same but for the labels of the few blank nodes; tags in lower case."""
    def labels(of: Set[Quad]) -> List[str]:
        return sorted({term for quad in of for term in quad if term.startswith("_:")})

    def renamed(names: Dict[str, str]) -> Set[Quad]:
        return {tuple(names.get(term, term) for term in quad) for quad in quads}

    return any(renamed(dict(zip(labels(quads), order))) == others for order in itertools.permutations(labels(others))
               if len(order) == len(labels(quads)))


def terms(line: str) -> Quad:
    subject, predicate, rest = line.rstrip("\n").split(" ", 2)
    return subject, predicate, rest.removesuffix(" .").replace("@en-GB", "@en-gb")


def converted(file: Path, folder: Path, **options: Any) -> Set[Quad]:
    target = folder / "out.nq"
    jellybridge.convert(file, target, **options)
    return {terms(line) for line in target.read_text(encoding="utf-8").splitlines()}


#: Damaged documents, and where that is found.
DAMAGED = {
    "ttl": ("@prefix ex: <http://e/> .\nex:s ex:p ex:o\nex:t ex:p 1 .", "line 3, column 1"),
    "trig": ("PREFIX ex: <http://e/>\nex:g { ex:s ex:p ex:o ", "line 2, column 23"),
    "n3": ('<http://e/s> <http://e/p> "a', "line 1, column 29"),
    "rdf": (f'<rdf:RDF xmlns:rdf="{RDF}">\n<rdf:Description rdf:about="http://e/s">\n', "line 3, column 1"),
    "jsonld": ('{"@id": "http://e/s",\n "http://e/p":: 5}', "line 2, column 15"),
    "rj": ('{"http://e/s": {"http://e/p": [{"type": "literal",\n "value" "x"}]}}', "line 2, column 10"),
    "trix": ('<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>\n<triple></graph></TriX>', "line 2, column 11"),
}

"""Reports in the W3C's Evaluation and Report Language, as Turtle."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Optional, Sequence
from urllib.parse import quote

from .._version import __version__
from ._cases import Case

_OWN_TESTS = "urn:jellybridge:conformance:"
#: The cases that come from the suite of Jelly-RDF have the IRIs of its manifests.
_JELLY_TESTS = "https://w3id.org/jelly/dev/tests/rdf/"
_JELLY_FOLDERS = ("from_jelly/", "to_jelly/")

_HEAD = """\
PREFIX dct:  <http://purl.org/dc/terms/>
PREFIX doap: <http://usefulinc.com/ns/doap#>
PREFIX earl: <http://www.w3.org/ns/earl#>
PREFIX xsd:  <http://www.w3.org/2001/XMLSchema#>

<urn:jellybridge> a doap:Project, earl:Software, earl:TestSubject ;
    doap:name "jellybridge" ;
    doap:description "RDF changes between Apache Spark and Apache Jena, in Jelly-Patch and Jelly-RDF."@en ;
    doap:programming-language "Java", "Python" ;
    doap:license <https://spdx.org/licenses/Apache-2.0> ;
    doap:implements <https://w3id.org/jelly/dev/specification/serialization> ,
        <https://w3id.org/jelly/dev/specification/patch> ;
    doap:release [ a doap:Version ; doap:revision "{version}" ] .

<urn:jellybridge:conformance> a earl:Software, earl:Assertor ;
    dct:title "jellybridge.conformance {version}" .
"""

_ASSERTION = """
[] a earl:Assertion ;
    earl:assertedBy <urn:jellybridge:conformance> ;
    earl:subject <urn:jellybridge> ;
    earl:test <{test}> ;
    earl:mode earl:automatic ;
    earl:result [ a earl:TestResult ; earl:outcome earl:{outcome} ; dct:date "{date}"^^xsd:dateTime{info} ] .
"""


@dataclass(frozen=True)
class Outcome:
    """What became of a case."""

    case: Case
    #: What is wrong; ``None`` where the case passed.
    problem: Optional[str]


def earl_report(outcomes: Sequence[Outcome], when: datetime) -> str:
    """A report of all outcomes, and of the project as the subject of the tests."""
    date = when.isoformat(timespec="seconds")
    return _HEAD.format(version=__version__) + "".join(_assertion(outcome, date) for outcome in outcomes)


def _assertion(outcome: Outcome, date: str) -> str:
    problem = outcome.problem
    return _ASSERTION.format(
        test=test_iri(outcome.case), outcome="passed" if problem is None else "failed", date=date,
        info="" if problem is None else f' ; earl:info "{_escaped(problem)}"',
    )


def test_iri(case: Case) -> str:
    """The IRI that names a case in reports."""
    known = case.upstream.startswith(_JELLY_FOLDERS)
    return _JELLY_TESTS + quote(case.upstream) if known else _OWN_TESTS + quote(case.id)


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in text)

"""Reports in the W3C's Evaluation and Report Language, as Turtle."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Sequence
from urllib.parse import quote

from ._cases import Case
from ._outcome import Outcome
from ._subject import Subject

_ASSERTOR = "urn:jellybridge:conformance"
_OWN_TESTS = f"{_ASSERTOR}:"
#: The cases that come from the suite of Jelly-RDF have the IRIs of its manifests.
_JELLY_TESTS = "https://w3id.org/jelly/dev/tests/rdf/"
_JELLY_FOLDERS = ("from_jelly/", "to_jelly/")
_IRI = re.compile(r'[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\]*')

_HEAD = """\
PREFIX dct:  <http://purl.org/dc/terms/>
PREFIX doap: <http://usefulinc.com/ns/doap#>
PREFIX earl: <http://www.w3.org/ns/earl#>
PREFIX xsd:  <http://www.w3.org/2001/XMLSchema#>

<{subject}> a doap:Project, earl:Software, earl:TestSubject ;
    doap:name "{name}"{release} .

<{assertor}> a earl:Software, earl:Assertor ;
    dct:title "jelly_conformance" .
"""

_ASSERTION = """
[] a earl:Assertion ;
    earl:assertedBy <{assertor}> ;
    earl:subject <{subject}> ;
    earl:test <{test}> ;
    earl:mode earl:automatic ;
    earl:result [ a earl:TestResult ; earl:outcome earl:{outcome} ; dct:date "{date}"^^xsd:dateTime{info} ] .
"""


def earl_report(subject: Subject, outcomes: Sequence[Outcome], when: datetime) -> str:
    """A report of all outcomes, with the subject of the tests by its IRI.

    Raises:
        ValueError: the IRI is none.
    """
    if not _IRI.fullmatch(subject.iri):
        raise ValueError(f"{subject.iri} is no IRI; name the subject by one such as https://example.org/tool")
    release = ""
    if subject.version:
        release = f' ;\n    doap:release [ a doap:Version ; doap:revision "{_escaped(subject.version)}" ]'
    head = _HEAD.format(subject=subject.iri, name=_escaped(subject.name), release=release, assertor=_ASSERTOR)
    date = when.isoformat(timespec="seconds")
    return head + "".join(_assertion(subject, outcome, date) for outcome in outcomes)


def _assertion(subject: Subject, outcome: Outcome, date: str) -> str:
    note = outcome.problem or outcome.untested
    return _ASSERTION.format(
        assertor=_ASSERTOR, subject=subject.iri, test=test_iri(outcome.case), outcome=outcome.result, date=date,
        info=f' ; earl:info "{_escaped(note)}"' if note else "",
    )


def test_iri(case: Case) -> str:
    """The IRI that names a case in reports."""
    known = case.upstream.startswith(_JELLY_FOLDERS)
    return _JELLY_TESTS + quote(case.upstream) if known else _OWN_TESTS + quote(case.id)


def _escaped(text: str) -> str:
    return "".join(c if c.isprintable() and c not in '"\\' else f"\\U{ord(c):08X}" for c in text)

"""Runs suites of conformance cases for Jelly-Patch and Jelly-RDF: ``python -m jellybridge.conformance FOLDER``.

A suite is a folder with a ``cases.tsv``; ``tests/conformance/README.md`` says what stands in it and how results
compare. Expectations are read and compared in Python, by code that shares nothing with the readers and writers on trial.
"""

from ._cases import Case, load_cases
from ._checks import check
from ._earl import Outcome, earl_report

__all__ = ["Case", "Outcome", "check", "earl_report", "load_cases"]

"""Runs suites of conformance cases for Jelly-Patch and Jelly-RDF against any implementation.

On the command line, with a command of the implementation that prints what it reads as lines of events::

    python -m jelly_conformance FOLDER --command 'tool --events {input}' --subject https://example.org/tool --earl report.ttl

or in Python, with a :class:`Subject` that calls it. A suite is a folder with a ``cases.tsv``. Expectations are read and
compared by :mod:`jelly_conformance.comparison`, plain Python that shares nothing with any reader or writer on trial.
"""

from ._cases import Case, load_cases
from ._checks import check
from ._earl import earl_report
from ._outcome import Outcome
from ._subject import Command, Frames, Refused, Subject, Untested

__version__ = "0.1.0"

__all__ = [
    "Case", "Command", "Frames", "Outcome", "Refused", "Subject", "Untested", "check", "earl_report", "load_cases",
]

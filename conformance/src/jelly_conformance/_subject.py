"""The implementations on trial."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path
from typing import Dict, List, Optional, Sequence

from .comparison import Event

#: What stands for the file in a command.
INPUT = "{input}"

_RULE = re.compile(r"\b[PR]-\d+\b")

#: The statements of each frame, as events.
Frames = Sequence[Sequence[Event]]


class Refused(Exception):
    """The subject ended with an error of its own, as it has to for bad input.

    Attributes:
        rule: the id of the rule that it names, such as ``P-62``; ``None`` where it names none.
    """

    def __init__(self, message: str, rule: Optional[str] = None) -> None:
        super().__init__(message)
        self.rule = rule


class Untested(Exception):
    """The subject does not do what a case asks for."""


class Subject:
    """An implementation. A subclass overrides what it can do; cases about what it can't do are untested.

    Any method may raise :class:`Refused`. Any other exception fails the case.

    Attributes:
        iri: names the implementation in reports.
        name: likewise, for people.
        version: likewise; ``None`` where it is not known.
    """

    iri: str = "urn:jelly-conformance:subject"
    name: str = "the implementation"
    version: Optional[str] = None

    def events(self, file: Path, strict: bool = False) -> str:
        """What a stream of either format holds, as lines of events. After each frame of Jelly-RDF there is an empty line,
        or none in all the stream where frames can't be told.

        Args:
            strict: whether every broken MUST is to be refused, where the subject has the choice.
        """
        raise Untested("it does not read")

    def write_rdf(self, options: Path, frames: Frames, target: Path) -> None:
        """Writes a stream of Jelly-RDF with the options of another one, and with these frames."""
        raise Untested("it does not write Jelly-RDF")

    def write_patch(
        self, text: Path, target: Path, stream_type: str, statement_type: str, frame_rows: int, delimited: bool
    ) -> None:
        """Writes RDF Patch text as Jelly-Patch. ``TRIPLES`` leave the graphs out."""
        raise Untested("it does not write Jelly-Patch")

    def metadata(self, file: Path) -> List[Dict[str, bytes]]:
        """The metadata of each frame of Jelly-RDF."""
        raise Untested("it does not show the metadata of frames")

    def is_dataset(self, file: Path, rdf_file: Path) -> bool:
        """Whether a stream of Jelly-RDF is the dataset of a file in Turtle or TriG, but for the labels of blank nodes."""
        raise Untested("it does not compare datasets")


class Command(Subject):
    """A command that prints the events of a file on standard output, in UTF-8, and ends with status 0; or refuses the
    file by another status. The first id of a rule on standard error, such as ``P-62``, is the rule that it names.

    >>> Command("echo {input}").events(Path("x.jellyp"))
    'x.jellyp\\n'

    Args:
        command: its words as a shell has them, with ``{input}`` for the file. No shell runs it.
        seconds: how long it may take; more is no refusal, but a failure.

    Raises:
        ValueError: there is no ``{input}`` in it, or a quote is not closed.
    """

    def __init__(self, command: str, *, iri: str = Subject.iri, name: str = Subject.name, seconds: float = 60) -> None:
        self.iri = iri
        self.name = name
        self._words = shlex.split(command)
        self._seconds = seconds
        if not any(INPUT in word for word in self._words):
            raise ValueError(f"the command has no {INPUT}, which stands for the file: {command}")

    def events(self, file: Path, strict: bool = False) -> str:
        try:
            done = subprocess.run(
                [word.replace(INPUT, str(file)) for word in self._words],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=self._seconds,
            )
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"the command did not end within {self._seconds:g} seconds") from None
        said = done.stderr.decode(errors="replace").strip()
        if done.returncode < 0:
            raise OSError(f"the command died of signal {-done.returncode}: {said[-500:]}")
        if done.returncode > 0:
            rule = _RULE.search(said)
            raise Refused(said[-500:] or f"status {done.returncode}", rule[0] if rule else None)
        return done.stdout.decode()

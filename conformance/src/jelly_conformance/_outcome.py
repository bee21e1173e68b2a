"""What became of a case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ._cases import Case


@dataclass(frozen=True)
class Outcome:
    case: Case
    #: What is wrong; ``None`` where nothing is.
    problem: Optional[str] = None
    #: Why the case could not be run; ``None`` where it was.
    untested: Optional[str] = None

    @property
    def result(self) -> str:
        """``passed``, ``failed`` or ``untested``, as EARL calls them."""
        return "untested" if self.untested else "passed" if self.problem is None else "failed"

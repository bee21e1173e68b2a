"""A base of reports, which print in words, and as a table in a notebook."""

from __future__ import annotations

import dataclasses
import html
from typing import Any, Iterable, List, Mapping, Optional, Sequence, Type, TypeVar

#: The number of rows that a notebook shows.
SHOWN = 20

R = TypeVar("R", bound="Report")


class Report:
    """A report of a call, or something that a log has. A dataclass is its subclass.

    ``print(report)`` says it in words; its ``repr`` has all fields.
    """

    @classmethod
    def _of(cls: Type[R], found: Mapping[str, Any]) -> R:
        """Creates the report from the fields that Java gives."""
        return cls(**{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()})

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        fields = [(each.name.replace("_", " "), getattr(self, each.name)) for each in dataclasses.fields(self)]  # type: ignore[arg-type]
        return f"<p>{html.escape(str(self))}</p>" + table(None, [[name, _cell(value)] for name, value in fields if value is not None])


def _cell(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def counted(count: int, one: str, several: Optional[str] = None) -> str:
    """Returns a number of things in words.

    >>> counted(1, "patch", "patches"), counted(1200, "row")
    ('1 patch', '1,200 rows')
    """
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def table(headings: Optional[Sequence[str]], rows: Iterable[Sequence[Optional[str]]], count: int = 0) -> str:
    """Returns a table in HTML of the first rows.

    Args:
        headings: of the columns; ``None``: the first column has them.
        rows: what is in the cells.
        count: how many rows there are, where not all are among these.
    """
    lines: List[str] = []
    shown = 0
    for row in rows:
        if headings is not None and shown == SHOWN:
            break
        shown += 1
        cells = [f"<td>{html.escape(cell or '')}</td>" for cell in row]
        if headings is None:
            cells[0] = f"<th>{html.escape(row[0] or '')}</th>"
        lines.append(f"<tr>{''.join(cells)}</tr>")
    head = "" if headings is None else f"<thead><tr>{''.join(f'<th>{html.escape(each)}</th>' for each in headings)}</tr></thead>"
    rest = f"<p>… and {count - shown:,} more</p>" if count > shown else ""
    return f'<table class="jellybridge">{head}<tbody>{"".join(lines)}</tbody></table>{rest}'

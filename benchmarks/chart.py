"""Draws the chart of speed that README.md shows, docs/images/speed.svg, from the figures in results.json.

    python benchmarks/chart.py

``make bench`` draws it anew when it has written the figures. Colours follow the reader's light or dark mode.
"""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Dict, List, NamedTuple

HERE = Path(__file__).resolve().parent
CHART = HERE.parent / "docs" / "images" / "speed.svg"


class Bar(NamedTuple):
    """A bar: who did it, under which name of ``figures`` its figure is, and whether it is ours."""

    name: str
    figure: str
    is_ours: bool = False


class Panel(NamedTuple):
    """Bars of one task, of which the longest fills the width."""

    title: str
    unit: str
    bars: List[Bar]


PANELS = [
    Panel("Read a patch in Jena's terms, a row", "ns", [
        Bar("jellybridge, Jelly-Patch", "read rdfChanges, changes-1m", True),
        Bar("jelly-jena, Jelly-RDF", "read jellyJena, changes-1m"),
        Bar("Jena, RDF Patch in Thrift", "read jenaThrift, changes-1m"),
        Bar("Jena, RDF Patch text", "read jenaText, changes-1m"),
    ]),
    Panel("Read a million change rows on Spark", "s", [
        Bar("jellybridge, Jelly-Patch", "read jelly-patch", True),
        Bar("Parquet", "read parquet"),
        Bar("text, regular expressions", "read text"),
    ]),
    Panel("Bring TDB2 to a new version of its data", "s", [
        Bar("jellybridge publish", "publish: tdb2", True),
        Bar("clear, and load again", "publish: tdb2, anew"),
    ]),
]

_WIDTH, _LEFT, _RIGHT, _BAR, _GAP, _TITLE, _SPACE = 760, 210, 90, 18, 6, 30, 12
_STYLE = """
    text { font: 13px system-ui, sans-serif; fill: #24292f } .title { font-weight: 600 } .value { fill: #57606a }
    .name { text-anchor: end } rect { fill: #afb8c1; rx: 3 } .ours { fill: #0969da }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .value { fill: #9da7b3 } rect { fill: #484f58 } .ours { fill: #58a6ff }
    }
"""


def shown(value: float) -> str:
    """Returns a figure with three digits, or all before its point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def draw(figures: Dict[str, float], machine: str) -> str:
    """Returns the chart as SVG.

    Args:
        figures: the medians, by their names; lower is better.
        machine: the machine and the version, for the last line.
    """
    lines: List[str] = []
    y = 0
    for panel in PANELS:
        lines.append(f'<text x="0" y="{y + 18}" class="title">{escape(panel.title)}</text>')
        y += _TITLE
        longest = max(figures[bar.figure] for bar in panel.bars)
        for bar in panel.bars:
            value = figures[bar.figure]
            length = max(1.0, (_WIDTH - _LEFT - _RIGHT) * value / longest)
            ours = ' class="ours"' if bar.is_ours else ""
            lines.append(f'<text x="{_LEFT - 10}" y="{y + 14}" class="name">{escape(bar.name)}</text>'
                         f'<rect{ours} x="{_LEFT}" y="{y}" width="{length:.1f}" height="{_BAR}"/>'
                         f'<text x="{_LEFT + length + 8:.1f}" y="{y + 14}" class="value">{shown(value)} {panel.unit}</text>')
            y += _BAR + _GAP
        y += _SPACE
    lines.append(f'<text x="0" y="{y + 8}" class="value">{escape(f"Shorter is better. {machine}")}</text>')
    said = "; ".join(f"{panel.title}: " + ", ".join(f"{bar.name} {shown(figures[bar.figure])} {panel.unit}" for bar in panel.bars)
                     for panel in PANELS)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {y + 16}" role="img" aria-label="{escape(said)}">\n'
            f"  <style>{_STYLE}  </style>\n  " + "\n  ".join(lines) + "\n</svg>\n")


def write() -> None:
    """Draws the chart from the figures that are there."""
    results = json.loads((HERE / "results.json").read_text(encoding="utf-8"))
    CHART.write_text(draw(results["figures"], machine((HERE / "RESULTS.md").read_text(encoding="utf-8"))), encoding="utf-8")


def machine(report: str) -> str:
    """Returns the machine and the version of a report's first table."""
    rows = dict((cell.strip() for cell in line.strip("|").split("|")) for line in report.splitlines()
                if line.startswith("|") and line.count("|") == 3)
    return f"Measured on {rows['machine']}; jellybridge {rows['jellybridge']}."


if __name__ == "__main__":
    write()

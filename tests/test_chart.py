"""The chart of speed shows what was measured, and a picture of a terminal what is printed."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

PROJECT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(PROJECT / "benchmarks"), str(PROJECT / "scripts")]

import chart  # noqa: E402

FIGURES = json.loads((PROJECT / "benchmarks" / "results.json").read_text(encoding="utf-8"))["figures"]


def test_the_chart_is_drawn_from_the_figures_that_are_there() -> None:
    report = (PROJECT / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
    assert chart.CHART.read_text(encoding="utf-8") == chart.draw(FIGURES, chart.machine(report)), "run python benchmarks/chart.py"
    assert "docs/images/speed.svg" in (PROJECT / "README.md").read_text(encoding="utf-8")


def test_a_bar_is_as_long_as_its_figure() -> None:
    drawn = ElementTree.fromstring(chart.CHART.read_text(encoding="utf-8"))
    bars = [bar for panel in chart.PANELS for bar in panel.bars]
    widths = [float(each.attrib["width"]) for each in drawn.iter("{http://www.w3.org/2000/svg}rect")]
    assert len(widths) == len(bars)
    for panel in chart.PANELS:
        of_panel = [widths[bars.index(bar)] / FIGURES[bar.figure] for bar in panel.bars]
        assert max(of_panel) / min(of_panel) < 1.02
    said = [each.text or "" for each in drawn.iter("{http://www.w3.org/2000/svg}text") if each.attrib.get("class") == "value"]
    numbers = [float(re.sub(r"[^\d.]", "", text.split(" ")[0])) for text in said[:-1]]
    assert all(abs(number - FIGURES[bar.figure]) <= 0.01 * FIGURES[bar.figure] for number, bar in zip(numbers, bars))


def test_it_has_colours_for_light_and_dark() -> None:
    assert "prefers-color-scheme: dark" in chart.CHART.read_text(encoding="utf-8")


def test_pictures_of_a_terminal_show_what_is_printed() -> None:
    import terminal_pictures

    assert terminal_pictures.main(check=True) == 0, "run python scripts/terminal_pictures.py"
    assert all("http" not in source for name in terminal_pictures.PICTURES
               for source in re.findall(r"url\((.*?)\)", (terminal_pictures.IMAGES / name).read_text(encoding="utf-8")))

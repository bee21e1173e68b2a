"""Draws what commands print on a terminal as SVG, for the documents. ``--check`` compares the pictures with what is printed now."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

PROJECT = Path(__file__).resolve().parent.parent
IMAGES = PROJECT / "docs" / "images"
WIDTH = 84
DIFF = "diff examples/snapshots/1.0.nq examples/snapshots/1.1.nq --prefix lib=https://library.example/schema/"
PICTURES = {"diff.svg": DIFF, "release-notes.svg": f"{DIFF} --format markdown"}


def draw(command: str) -> str:
    """Returns the picture of a command of jellybridge and its output."""
    program = [sys.executable, "-m", "jellybridge", *command.split()]
    program += ["--color", "always"] if "--format" in command else ["--format", "text", "--color", "always"]
    printed = subprocess.run(program, cwd=PROJECT, check=True, capture_output=True)
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    asked = command.replace(" --prefix", " \\\n      --prefix")
    console.print(Text(f"$ jellybridge {asked}\n"), Text.from_ansi(printed.stdout.decode()), sep="", soft_wrap=False)
    picture = console.export_svg(title="", unique_id="terminal")
    return re.sub(r"\s*@font-face \{.*?\}", "", picture, flags=re.DOTALL)  # fonts from the network


def main(check: bool) -> int:
    """Draws each picture, or returns 1 if one is not as it would be drawn."""
    old = []
    for name, command in PICTURES.items():
        picture = draw(command)
        if not check:
            (IMAGES / name).write_text(picture, encoding="utf-8")
        elif (IMAGES / name).read_text(encoding="utf-8") != picture:
            old.append(name)
    if old:
        print(f"{', '.join(old)}: what is printed is another now; run python scripts/terminal_pictures.py", file=sys.stderr)
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv[1:]))

"""Prints, as a Markdown table, how large real snapshots and the changes between them are in every format.

    python scripts/format_sizes.py FOLDER

FOLDER holds snapshots in N-Triples or N-Quads, .gz or not. A snapshot is converted into every format for statements; the
difference to the one before it, into every format for patches. Each file is read back and compared first.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import tempfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

from jellybridge.cli import main

STATEMENTS = [".nq", ".jelly"]
PATCHES = [".rdfp", ".trp", ".jellyp"]
COMPRESSED = ["", ".gz", ".zst"]


def run(*arguments: str) -> None:
    """Runs a command of jellybridge; ends this process when it fails."""
    with contextlib.redirect_stdout(io.StringIO()):
        if main(list(arguments)) != 0:
            raise SystemExit(f"jellybridge {' '.join(arguments)} failed")


def sizes(source: Path, suffixes: List[str], folder: Path) -> Dict[str, int]:
    """Converts a file into each format and back, and says how large each of them is."""
    run("convert", "--to-format", "events", str(source), str(folder / "expected.events"))
    expected = set((folder / "expected.events").read_text(encoding="utf-8").splitlines())
    found = {}
    for suffix in (f"{plain}{compression}" for plain in suffixes for compression in COMPRESSED):
        file = folder / f"{source.name.split('.nt')[0].split('.nq')[0]}{suffix}"
        run("convert", str(source), str(file), "--statement-type", "QUADS")
        run("convert", "--to-format", "events", str(file), str(folder / "actual.events"))
        actual = set((folder / "actual.events").read_text(encoding="utf-8").splitlines())
        if as_triples(actual) != as_triples(expected):
            raise SystemExit(f"{file} does not hold what {source} holds")
        found[suffix] = file.stat().st_size
    return found


def as_triples(lines: "set[str]") -> "set[str]":
    """Event lines, where a triple is the same as a quad of the default graph."""
    return {re.sub(r"^Q (.*) DEFAULT$", r"T \1", line).removesuffix(" DEFAULT") for line in lines}


def version(file: Path) -> Tuple[List[int], str]:
    return [int(number) for number in re.findall(r"\d+", file.name)], file.name


def rows(snapshots: List[Path], folder: Path) -> Iterator[Tuple[str, Dict[str, int]]]:
    before: Dict[str, Path] = {}
    for snapshot in snapshots:
        yield snapshot.name, sizes(snapshot, STATEMENTS, folder)
        kind = ".nq" if ".nq" in snapshot.name else ".nt"
        if kind in before:
            patch = folder / f"{before[kind].name.split(kind)[0]} to {snapshot.name.split(kind)[0]}.jellyp"
            run("diff", str(before[kind]), str(snapshot), "-o", str(patch))
            changes = folder / "changes.jellyp"
            patch.rename(changes)
            yield patch.stem, sizes(changes, PATCHES, folder)
        before[kind] = snapshot


def print_table(title: str, suffixes: List[str], table: List[Tuple[str, Dict[str, int]]]) -> None:
    columns = [f"{plain}{compression}" for plain in suffixes for compression in COMPRESSED]
    print(f"| {title} | {' | '.join(columns)} |")
    print("|---|" + "---:|" * len(columns))
    for name, found in table:
        print(f"| {name} | {' | '.join(f'{found[column]:,}' for column in columns)} |")
    print()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    snapshots = sorted(parser.parse_args().folder.glob("*.n[tq]*"), key=version)
    with tempfile.TemporaryDirectory() as temporary:
        table = list(rows(snapshots, Path(temporary)))
    print_table("snapshot, bytes", STATEMENTS, [row for row in table if ".nq" in row[1]])
    print_table("changes, bytes", PATCHES, [row for row in table if ".rdfp" in row[1]])

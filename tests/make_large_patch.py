"""Writes a large RDF Patch file, to try commands on: ``python tests/make_large_patch.py big.rdfp --size 1000000000``.

Transactions of 1,000 rows in patches of 100 transactions, over many subjects, some predicates and graphs; each literal
is another one, so that the file is about as large in Jelly-Patch too.
"""

from __future__ import annotations

import argparse
import random
from typing import Iterator

_ROWS = 1_000
_TRANSACTIONS = 100
_LITERALS = ("", "@en", "@pt-BR", "^^<http://www.w3.org/2001/XMLSchema#token>")


def transaction(number: int, chance: random.Random) -> Iterator[str]:
    """The lines of one transaction."""
    yield "TX ."
    for row in range(_ROWS):
        subject = f"<http://example.org/thing/{chance.randrange(10**9):09d}>"
        predicate = f"<http://example.org/vocabulary#property{chance.randrange(60)}>"
        text = f"{chance.getrandbits(800):0200x}"
        graph = f" <http://example.org/graph/{row % 7}>" if row % 3 else ""
        op = "D" if row % 5 == 0 else "A"
        value = f"<_:b{number % 97}x{row}>" if row % 11 == 0 else f'"{text}"{_LITERALS[row % len(_LITERALS)]}'
        yield f"{op} {subject} {predicate} {value}{graph} ."
    yield "TC ."


def write(path: str, size: int, seed: int = 1) -> None:
    """Writes a file of at least ``size`` bytes, whole patches only."""
    chance = random.Random(seed)
    written = number = 0
    with open(path, "w", encoding="ascii", newline="\n") as file:
        while written < size:
            for _ in range(_TRANSACTIONS):
                written += file.write("\n".join(transaction(number, chance)) + "\n")
                number += 1
            written += file.write("Z .\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path")
    parser.add_argument("--size", type=int, default=10**9, help="in bytes (default: 1 GB)")
    options = parser.parse_args()
    write(options.path, options.size)

"""Measures how easy the guides are to read, page by page, and marks what is out of bounds.

    python scripts/prose.py [FILE ...]

Code, tables and headings do not count. The bounds are what the documentation of Delta, pyjelly and jelly-cli holds.
"""

from __future__ import annotations

import re
import statistics
import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

PROJECT = Path(__file__).resolve().parent.parent
#: Words that make a reader wait for the point of a sentence.
OPENERS = {"what", "who", "whose", "whoever", "where", "so", "of", "else", "such"}
LONG = 30
#: A page of reference may have a few sentences only, too few to measure.
FEW_WORDS = 80


class Bound(NamedTuple):
    """What a figure of a page may be."""

    meaning: str
    least: float
    most: float


BOUNDS = {
    "long": Bound(f"% of sentences with more than {LONG} words", 0, 5),
    "openers": Bound("% of sentences that open with What, Who, Where, So, Of, Such, Else", 0, 2),
    "you": Bound('"you" and "your" in 1,000 words', 10, 1000),
    "paragraph": Bound("words of a paragraph, the median", 0, 25),
    "words": Bound("words of the page", 0, 1500),
}


def guides() -> List[Path]:
    """Returns the pages that people read from top to bottom; rules.md is made from code."""
    pages = [PROJECT / "README.md", PROJECT / "python" / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    return [page for page in pages if page.name != "rules.md"]


def paragraphs(text: str) -> Iterator[str]:
    """Yields the paragraphs and the items of lists, each in one line, without code, tables and headings."""
    paragraph: List[str] = []
    in_code, blank = False, True
    for line in [*text.splitlines(), ""]:
        bare = re.sub(r"^\s*(> ?)?", "", line)
        fence = bare.startswith("```")
        in_code ^= fence
        indented = blank and not paragraph and re.match(" {4}", line)
        if fence or in_code or not bare or indented or re.match(r"[#|<]", bare):
            if paragraph:
                yield " ".join(paragraph)
            paragraph = []
        else:
            item = re.match(r"([-*]|\d+\.) ", bare)
            if item and paragraph:
                yield " ".join(paragraph)
                paragraph = []
            paragraph.append(bare[item.end():] if item else bare)
        blank = not bare


def plain(paragraph: str) -> str:
    """Takes out what is not read as words: code counts as one word, a link as its text."""
    return re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]+`", "code", paragraph))


def measure(text: str) -> Dict[str, float]:
    """Returns the figures of a page by the names of their bounds."""
    texts = [plain(paragraph) for paragraph in paragraphs(text)]
    sentences = [words for each in texts for sentence in re.split(r"(?<=[.!?]) ", each) if len(words := sentence.split()) > 2]
    words = [word.lower() for each in texts for word in re.findall(r"[A-Za-z'’-]+", each)]
    opened = [re.sub(r"\W", "", sentence[0]).lower() for sentence in sentences]
    return {
        "long": 100 * sum(len(sentence) > LONG for sentence in sentences) / max(1, len(sentences)),
        "openers": 100 * sum(word in OPENERS for word in opened) / max(1, len(sentences)),
        "you": 1000 * sum(word in ("you", "your") for word in words) / max(1, len(words)),
        "paragraph": statistics.median([len(each.split()) for each in texts] or [0]),
        "words": len(words),
    }


def out_of_bounds(text: str) -> List[str]:
    """Returns what a page has too much or too little of, as one line each."""
    figures = measure(text)
    if figures["words"] < FEW_WORDS:
        return []
    return [f"{figures[name]:.1f} {bound.meaning}; bounds {bound.least:g} to {bound.most:g}"
            for name, bound in BOUNDS.items() if not bound.least <= figures[name] <= bound.most]


def main(arguments: List[str]) -> int:
    print(*(f"{name:>9}" for name in BOUNDS))
    bad = 0
    for page in [Path(each).resolve() for each in arguments] or guides():
        text = page.read_text(encoding="utf-8")
        figures, wrong = measure(text), out_of_bounds(text)
        bad += bool(wrong)
        print(*(f"{figures[name]:9.1f}" for name in BOUNDS), "!" if wrong else " ", page.relative_to(PROJECT))
    print(*(f"{name}: {bound.meaning}, {bound.least:g} to {bound.most:g}" for name, bound in BOUNDS.items()), sep="\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Measures how easy the guides and the comments in code are to read, and marks what is out of bounds.

    python scripts/prose.py [PAGE ...]

Guides are measured page by page. Code, tables and headings do not count. The bounds are what the documentation of Delta, pyjelly and
jelly-cli holds. Javadoc and docstrings are measured module by module, by the word that each begins with.
"""

from __future__ import annotations

import ast
import re
import statistics
import sys
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple

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


#: Words that open a comment as a subordinate clause: a reader has to wait for what is returned, or done.
COMMENT_OPENERS = {
    "what", "whatever", "where", "wherever", "who", "whoever", "whose", "whom", "which", "whichever", "how", "when", "whenever",
    "whether", "why", "of", "else",
}
#: Verbs that say what code does.
VERBS = set("""
    returns gets finds looks searches selects yields provides lists collects locates resolves computes counts measures estimates numbers
    creates makes builds starts begins opens registers adds appends inserts puts sets fills stores records notes keeps caches
    reads loads fetches downloads receives takes scans walks visits parses decodes unpacks extracts splits cuts
    writes prints formats renders encodes packs sends publishes serves hands passes copies moves broadcasts stages shows draws redraws
    checks verifies validates compares matches tests rejects refuses requires throws raises warns reports tells asks
    converts maps translates turns wraps unwraps renames replaces reduces filters sorts merges joins folds quotes escapes hashes compresses
    decompresses narrows pads skips restores
    runs calls applies implements handles follows does waits locks acquires wakes polls retries serializes
    ends closes stops cancels aborts commits completes rotates compacts discards deletes removes drops clears resets releases undoes forgets
    forces marks updates changes moves repairs prunes syncs
""".split())


class Openings(NamedTuple):
    """The share of a module's comments, in %, that open in one of two ways."""

    #: With one of the words of COMMENT_OPENERS: at most.
    clauses: float
    #: With a verb: at least.
    verbs: float


COMMENT_BOUNDS = Openings(clauses=1, verbs=40)


def modules() -> Dict[str, List[Path]]:
    """Returns the files of each module of Java, and of the Python package without what protoc generates."""
    java = {f"jvm/{root.parents[2].name}": sorted(root.rglob("*.java")) for root in sorted(PROJECT.glob("jvm/*/src/main/java"))}
    python = sorted((PROJECT / "python" / "src" / "jellybridge").rglob("*.py"))
    return {**java, "python": [file for file in python if "proto" not in file.parts]}


def comments(name: str, text: str) -> Iterator[str]:
    """Yields the text of each Javadoc comment or docstring of a file. A comment that has tags alone is left out."""
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                found = ast.get_docstring(node)
                if found:
                    yield found
        return
    for match in re.finditer(r"/\*\*(.*?)\*/", text, re.DOTALL):
        lines = (re.sub(r"^\s*\*? ?", "", line) for line in match[1].splitlines())
        found = " ".join(lines).strip()
        if found and not found.startswith(("@", "{@inheritDoc}")):
            yield found


def openings(files: Iterable[Path]) -> Openings:
    """Returns how the comments of some files open."""
    words = [re.split(r"[^a-z'-]", comment.lower(), maxsplit=1)[0]
             for file in files for comment in comments(file.name, file.read_text(encoding="utf-8"))]
    part = 100 / max(1, len(words))
    return Openings(part * sum(word in COMMENT_OPENERS for word in words), part * sum(word in VERBS for word in words))


def openings_out_of_bounds(found: Openings) -> List[str]:
    """Returns what is wrong with the comments of a module, as one line each."""
    wrong = []
    if found.clauses > COMMENT_BOUNDS.clauses:
        wrong.append(f"{found.clauses:.1f} % of comments open with What, Where, Who, How, When, Of, …; at most {COMMENT_BOUNDS.clauses:g}")
    if found.verbs < COMMENT_BOUNDS.verbs:
        wrong.append(f"{found.verbs:.1f} % of comments open with a verb, such as Returns, Reads, Creates; at least {COMMENT_BOUNDS.verbs:g}")
    return wrong


#: At most so many of the methods of Java may be named by one word, in %. `read` says enough in a reader; `text` rarely does.
ONE_WORD_NAMES = 40
#: A method with a body: its name stands between a type and the parameters.
METHOD = re.compile(r"^ {4,8}(?:[\w@]+ )*?(?:<[^>]+> )?[\w.<>\[\], ?]+ ([a-z]\w*)\([^;{}]*\)(?: throws [\w., ]+)? *\{", re.MULTILINE)


def one_word_names(texts: Iterable[str]) -> float:
    """Returns the share of methods, in %, whose name is one word in lower case."""
    names = [name for text in texts for name in METHOD.findall(re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.DOTALL))]
    return 100 * sum(name.islower() and name.isalpha() for name in names) / max(1, len(names))


def java_texts() -> Iterator[str]:
    """Yields the text of each file of the modules of Java."""
    for module, files in modules().items():
        if module.startswith("jvm/"):
            yield from (file.read_text(encoding="utf-8") for file in files)


def main(arguments: List[str]) -> int:
    print(*(f"{name:>9}" for name in BOUNDS))
    bad = 0
    for page in [Path(each).resolve() for each in arguments] or guides():
        text = page.read_text(encoding="utf-8")
        figures, wrong = measure(text), out_of_bounds(text)
        bad += bool(wrong)
        print(*(f"{figures[name]:9.1f}" for name in BOUNDS), "!" if wrong else " ", page.relative_to(PROJECT))
    print(*(f"{name}: {bound.meaning}, {bound.least:g} to {bound.most:g}" for name, bound in BOUNDS.items()), sep="\n")
    if not arguments:
        bad += measure_modules()
    return 1 if bad else 0


def measure_modules() -> int:
    """Prints the figures of the modules, and returns how many are out of bounds."""
    print(f"\n{'clauses':>9} {'verbs':>9}")
    bad = 0
    for module, files in modules().items():
        found = openings(files)
        wrong = openings_out_of_bounds(found)
        bad += bool(wrong)
        print(f"{found.clauses:9.1f} {found.verbs:9.1f}", "!" if wrong else " ", module)
    print("clauses: % of Javadoc and docstrings that open with What, Where, Who, How, When, Of, …; verbs: % that open with a verb")
    names = one_word_names(java_texts())
    print(f"{names:.1f} % of the methods of Java are named by one word, of {ONE_WORD_NAMES}")
    return bad + (names > ONE_WORD_NAMES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Prints docs/rules.md: what each rule that an error names means, from the comments in codec/Rule.java.

What a reader does about a broken rule comes from the code too: whether the readers tolerate it, or throw.
"""

import re
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional, Set

PROJECT = Path(__file__).resolve().parent.parent
CODEC = PROJECT / "jvm" / "core" / "src" / "main" / "java" / "io" / "jellybridge" / "codec"

_CONSTANT = re.compile(
    r"/\*\*(?P<said>(?:(?!\*/).)*)\*/\s+(?P<name>[A-Z_]+)\((?P<patch>[^,]+), (?P<rdf>[^)]+)\)[,;]", re.DOTALL
)
_SPECIFICATIONS = {
    "P": "https://w3id.org/jelly/dev/specification/patch",
    "R": "https://w3id.org/jelly/dev/specification/serialization",
}

HEAD = """\
# The rules

<!-- Made by `make rules` from the comments in jvm/core/src/main/java/io/jellybridge/codec/Rule.java: change them there. -->

An error about a file, or about rows that were to be written, begins with a rule in brackets: `[P-62] log.jellyp, frame 3, …`.
In Python it is the attribute `rule` of a `PatchFormatError`; `validate --json` and the answers of our Fuseki module have it as
`rule` too. This page says what each means. The same ids name the cases of the [conformance suite](conformance.md).

Writers keep all rules: a call that would break one is refused, and the stream is as if the call had not been made. What readers
do differs:

* *refused*: reading ends with an error at that place;
* *strict*: other writers are known to break the rule, and what they mean is clear. It is read; with `strict` it is refused, and
  `validate` warns of it, or calls it an error where other commands would refuse the file;
* *not checked*: it is about writers, or a reader can't see it.
"""

WORDS = """\
## Words in the place of a rule

Some refusals are by no rule of a specification; a word stands for them.

| word | what was refused |
|---|---|
| `term` | a term that RDF does not have, or that the target can't hold |
| `restart` | a [restart point](restart-points.md) that is not where, or what, it should be |
| `checksum` | the bytes of a frame are not those that its [checksum](checksums.md) was made of: the file is damaged |
| `apply` | a row that no dataset may hold, such as a blank node as predicate |
| `header` | the headers `id` and `prev`: where they stand, or of what was sent to our [Fuseki module](fuseki-module.md) |
| `checkpoint` | the quads of a [checkpoint](log-checkpoints.md) are not in their order |
| `chain` | a patch that is not what was appended to its [patch log](log-folder.md#the-chain) |
| `patch-log` | a patch that a [patch log](patch-logs.md) can't take, or that stands in one and should not |

Errors of text have the name of the format in brackets, and line and column as their place: `[N-Quads]`, `[N-Triples]`,
`[RDF Patch]`, `[compressed data]`. So have rows that were to be written and are none: `[change rows]`, `[jelly rows]`. In Python these are
`TextFormatError`s, and the name is the attribute `format`.
"""


class Rule(NamedTuple):
    name: str
    id: str
    meaning: str
    #: A heading in the specification; ``None`` for a rule of ours.
    section: Optional[str]


def rules(source: str, letter: str) -> List[Rule]:
    """The rules of Jelly-Patch (``P``) or Jelly-RDF (``R``), in the order of their ids; words are none."""
    found = []
    for constant in _CONSTANT.finditer(source):
        id = constant["patch" if letter == "P" else "rdf"].strip('"')
        if not id.startswith(letter):
            continue
        said = " ".join(re.sub(r"\n\s*\*", " ", constant["said"]).split())
        meaning, *sections = said.split(" § ")
        # A rule of both formats has two sections; the second is that of Jelly-RDF.
        found.append(Rule(constant["name"], id, meaning, sections[-1 if letter == "R" else 0] if sections else None))
    return sorted(found, key=lambda rule: int(rule.id[2:]))


def _statements(letter: str) -> Iterator[str]:
    """The statements of the readers of a format."""
    others = ("Rule.java", "RdfReader.java" if letter == "P" else "PatchReader.java")
    for file in sorted(CODEC.glob("*.java")):
        if file.name not in others and "Writ" not in file.name:
            yield from file.read_text(encoding="utf-8").split(";")


def readings(letter: str) -> Dict[str, str]:
    """What the readers of a format do, by the name of each rule that they check."""
    tolerated: Set[str] = set()
    checked: Set[str] = set()
    for statement in _statements(letter):
        (tolerated if "olerate(" in statement else checked).update(re.findall(r"\bRule\.([A-Z_]+)", statement))
    # PatchReader tolerates what the grammar of transactions refuses, but for a stream that ends within one.
    grammar = (CODEC / "TransactionGrammar.java").read_text(encoding="utf-8")
    tolerated |= set(re.findall(r"\bRule\.([A-Z_]+)", grammar)) - {"STREAM_ENDS_TRANSACTION"}
    return {**dict.fromkeys(checked, "refused"), **dict.fromkeys(tolerated, "strict")}


def _rows(source: str, letter: str) -> Iterator[str]:
    reading = readings(letter)
    last = None
    for rule in rules(source, letter):
        anchor = f'<a id="{rule.id.lower()}"></a>' if rule.id != last else ""
        last = rule.id
        meaning = re.sub(r"\{@code (.*?)\}", r"`\1`", rule.meaning)
        yield f"| {anchor}{rule.id} | {meaning} | {reading.get(rule.name, 'not checked')} | {_link(rule.section, letter)} |"


def _link(section: Optional[str], letter: str) -> str:
    if section is None:
        return ""
    slug = re.sub(r"[^\w-]+", "-", section.lower())
    return f"[{section}]({_SPECIFICATIONS[letter]}#{slug})"


def page() -> str:
    source = (CODEC / "Rule.java").read_text(encoding="utf-8")
    parts = [HEAD]
    for letter, title in (("P", "Jelly-Patch"), ("R", "Jelly-RDF")):
        table = "\n".join(["| rule | what it says | reading | section |", "|---|---|---|---|", *_rows(source, letter)])
        parts.append(f"## {title}\n\n{table}\n")
    return "\n".join([*parts, WORDS])


if __name__ == "__main__":
    print(page(), end="")

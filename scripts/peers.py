"""Compares what jellybridge reads with what rdflib and Oxigraph read, over the RDF files that the packages of
requirements-peers.txt ship: python scripts/peers.py [FOLDER...]

Each file is read by all three, with the same base. Where two of them do not find the same statements, a line of
tests/peers.tsv has to say why; else this ends with an error. `make peers` fetches the packages.
"""

from __future__ import annotations

import collections
import csv
import logging
import multiprocessing
import os
import re
import signal
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Callable, Counter, Dict, FrozenSet, Iterable, Iterator, List, NamedTuple, Optional, Set, Tuple, Union

PROJECT = Path(__file__).resolve().parent.parent
PEERS = PROJECT / "build" / "peers"
EXPLANATIONS = PROJECT / "tests" / "peers.tsv"
BASE = "http://base.example/"
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
LANG_STRING = re.compile("http://www.w3.org/1999/02/22-rdf-syntax-ns#(dirL|l)angString")
MOST_BYTES = 3_000_000
SECONDS = 60
ROUNDS = 8
FORMATS = {
    # suffix: ours, rdflib's, Oxigraph's
    "ttl": ("turtle", "turtle", "TURTLE"),
    "nt": ("ntriples", "nt", "N_TRIPLES"),
    "nq": ("nquads", "nquads", "N_QUADS"),
    "trig": ("trig", "trig", "TRIG"),
    "rdf": ("rdfxml", "xml", "RDF_XML"),
    "owl": ("rdfxml", "xml", "RDF_XML"),
    "n3": ("n3", "n3", "N3"),
    "jsonld": ("jsonld", "json-ld", "JSON_LD"),
    "trix": ("trix", "trix", None),
}
Term = Tuple[Any, ...]
Quad = Tuple[Optional[Term], ...]
#: The statements of a file, or why it is refused.
Outcome = Union[FrozenSet[Quad], str]


# --- the packages


def unpack(archives: Path, folder: Path) -> None:
    """Takes the RDF files out of packages."""
    for archive in sorted(archives.iterdir()):
        name = re.match(r"(.*?)-\d", archive.name)[1]  # type: ignore[index]
        target = folder / name
        if target.is_dir():
            continue
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as packed:
                for member in packed.namelist():
                    write(target / member, lambda: packed.read(member))
        else:
            with tarfile.open(archive) as tarred:
                for entry in tarred:
                    if entry.isfile():
                        write(target / entry.name, lambda: tarred.extractfile(entry).read())  # type: ignore[union-attr]


def write(file: Path, content: Callable[[], bytes]) -> None:
    if file.suffix[1:] in FORMATS and ".." not in file.parts:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content())


# --- statements, as each parser finds them


def literal(value: str, language: Optional[str], datatype: Optional[str], direction: Optional[str] = None) -> Term:
    kind = None if datatype in (None, XSD_STRING) or LANG_STRING.match(str(datatype)) else datatype
    return "literal", value, (language or "").lower() or None, direction, kind


def ours(file: Path, base: str, formats: Tuple[Any, ...]) -> FrozenSet[Quad]:
    import jellybridge

    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "out.nq")
        jellybridge.convert(file, output, from_format=formats[0], base=base)
        with open(output, encoding="utf-8", newline="\n") as lines:
            return frozenset(read_line(line) for line in lines)


_TOKEN = re.compile(r'\s*(?:(<<\()|(\)>>)|<([^>]*)>|_:(\S+)|"((?:[^"\\]|\\.)*)"(?:@([A-Za-z0-9-]+?)(?:--(ltr|rtl))?(?=[\s)])|\^\^<([^>]*)>)?|(\.))')
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


def unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda found: chr(int(found[1] or found[2], 16)) if found[1] or found[2] else
                       _ESCAPED.get(found[3], found[3]), text)


def read_line(line: str) -> Quad:
    """A line of our N-Quads, which are canonical."""
    at = 0

    def terms(end: int) -> Iterator[Term]:
        nonlocal at
        while True:
            found = _TOKEN.match(line, at)
            if found is None:
                raise ValueError(line)
            at = found.end()
            if found[2] if end == 2 else found[9]:
                return
            if found[1]:
                yield ("triple", *terms(2))
            elif found[3] is not None:
                yield "iri", unescaped(found[3])
            elif found[4] is not None:
                yield "blank", found[4]
            else:
                yield literal(unescaped(found[5]), found[6], unescaped(found[8]) if found[8] else None, found[7])

    quad = tuple(terms(9))
    return quad if len(quad) == 4 else (*quad, None)


def of_rdflib(file: Path, base: str, formats: Tuple[Any, ...]) -> FrozenSet[Quad]:
    import rdflib

    rdflib.NORMALIZE_LITERALS = False

    def term(node: Any) -> Term:
        if isinstance(node, rdflib.Literal):
            return literal(str(node), node.language, None if node.datatype is None else str(node.datatype))
        if isinstance(node, rdflib.BNode):
            return "blank", str(node)
        if isinstance(node, rdflib.URIRef):
            return "iri", str(node)
        raise ValueError(f"no RDF: {type(node).__name__}")

    def name(graph: Any) -> Optional[Term]:
        return None if graph is None or str(graph) in ("urn:x-rdflib:default", base) else term(graph)

    if formats[1] in ("nquads", "trig", "json-ld", "trix"):
        dataset = rdflib.Dataset()
        dataset.parse(str(file), format=formats[1], publicID=base)
        return frozenset((term(s), term(p), term(o), name(g)) for s, p, o, g in dataset.quads())
    graph = rdflib.Graph()
    graph.parse(str(file), format=formats[1], publicID=base)
    return frozenset((term(s), term(p), term(o), None) for s, p, o in graph)


def of_oxigraph(file: Path, base: str, formats: Tuple[Any, ...]) -> FrozenSet[Quad]:
    import pyoxigraph

    def term(node: Any) -> Term:
        if isinstance(node, pyoxigraph.Literal):
            direction = getattr(node, "direction", None)
            return literal(node.value, node.language, node.datatype.value,
                           None if direction is None else str(direction).rpartition(".")[2].lower())
        if isinstance(node, pyoxigraph.BlankNode):
            return "blank", node.value
        if isinstance(node, pyoxigraph.NamedNode):
            return "iri", node.value
        return "triple", term(node.subject), term(node.predicate), term(node.object)

    def name(graph: Any) -> Optional[Term]:
        return None if isinstance(graph, pyoxigraph.DefaultGraph) else term(graph)

    quads = pyoxigraph.parse(path=str(file), format=getattr(pyoxigraph.RdfFormat, formats[2]), base_iri=base)
    return frozenset((term(q.subject), term(q.predicate), term(q.object), name(q.graph_name)) for q in quads)


PARSERS: Dict[str, Callable[[Path, str, Tuple[Any, ...]], FrozenSet[Quad]]] = {
    "jellybridge": ours, "rdflib": of_rdflib, "oxigraph": of_oxigraph,
}


# --- the comparison


def nameless(quads: Iterable[Quad]) -> Counter[Quad]:
    """Statements whose blank nodes have names that are made of what is said of them, so that labels do not count."""
    quads = list(quads)
    names: Dict[str, str] = collections.defaultdict(str)

    def renamed(term: Any, own: Optional[str]) -> Any:
        if not isinstance(term, tuple):
            return term
        if term[0] == "blank":
            return "blank", "itself" if term[1] == own else names[term[1]]
        return tuple(renamed(part, own) for part in term) if term[0] == "triple" else term

    def labels(term: Any) -> Iterator[str]:
        if isinstance(term, tuple) and term[0] == "blank":
            yield term[1]
        elif isinstance(term, tuple) and term[0] == "triple":
            for part in term:
                yield from labels(part)

    said: Dict[str, Set[Quad]] = collections.defaultdict(set)
    for quad in quads:
        for term in quad:
            for label in labels(term):
                said[label].add(quad)
    for _ in range(ROUNDS if said else 0):
        names = collections.defaultdict(str, {
            label: format(hash(frozenset(collections.Counter(
                tuple(renamed(term, label) for term in quad) for quad in about).items())), "x")
            for label, about in said.items()
        })
    return collections.Counter(tuple(renamed(term, None) for term in quad) for quad in quads)


class Difference(NamedTuple):
    """Two parsers that do not agree about a file."""

    file: str
    peer: str
    #: ``we refuse``, ``peer refuses`` or ``differ``.
    what: str
    #: What the other peer came to: one of these, ``same``, ``both refuse``, or ``none`` where it does not read the syntax.
    other: str
    reason: str


class Found(NamedTuple):
    """What comparing a file came to."""

    package: str
    #: How many peers found the same, or refused as we did.
    same: int
    both_refuse: int
    differences: List[Difference]


def outcome(parser: str, file: Path, base: str, formats: Tuple[Any, ...]) -> Outcome:
    def too_long(number: int, frame: Any) -> None:
        raise TimeoutError(f"more than {SECONDS} seconds")

    signal.signal(signal.SIGALRM, too_long)
    signal.alarm(SECONDS)
    try:
        return PARSERS[parser](file, base, formats)
    except Exception as e:
        return f"{type(e).__name__}: {' '.join(str(e).split())[:300]}"
    finally:
        signal.alarm(0)


def compare(job: Tuple[str, str]) -> Found:
    folder, name = job
    file = Path(folder) / name
    formats = FORMATS[file.suffix[1:]]
    base = BASE + file.name
    own = outcome("jellybridge", file, base, formats)
    found = {peer: against(own, outcome(peer, file, base, formats)) if peer == "rdflib" or formats[2] else ("none", "")
             for peer in ("rdflib", "oxigraph")}
    differences = [Difference(name, peer, what, found["oxigraph" if peer == "rdflib" else "rdflib"][0], reason)
                   for peer, (what, reason) in found.items() if what not in ("none", "same", "both refuse")]
    whats = [what for what, _ in found.values()]
    return Found(name.split("/")[0], whats.count("same"), whats.count("both refuse"), differences)


def against(own: Outcome, other: Outcome) -> Tuple[str, str]:
    """What two outcomes are to each other, and why."""
    if isinstance(own, str):
        return ("both refuse", "") if isinstance(other, str) else ("we refuse", own)
    if isinstance(other, str):
        return "peer refuses", other
    mine, theirs = nameless(own), nameless(other)
    excerpt = [f"{sign} {shown(quad)}" for sign, left in (("-", mine - theirs), ("+", theirs - mine))
               for quad in sorted(left, key=str)[:2]]
    return ("differ", f"{len(own)} and {len(other)}: " + " ".join(excerpt)) if excerpt else ("same", "")


def shown(quad: Quad) -> str:
    return repr(quad)[:300]


def start() -> None:
    logging.disable(logging.CRITICAL)
    sys.path.insert(0, str(PEERS / "site"))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # where libraries of Java say what they think of a file


def main(folders: List[str]) -> int:
    files = PEERS / "files"
    if not folders:
        unpack(PEERS / "packages", files)
        folders = [str(files)]
    jobs = [(folder, str(file.relative_to(folder))) for folder in folders for file in sorted(Path(folder).rglob("*"))
            if file.is_file() and file.suffix[1:] in FORMATS and file.stat().st_size <= MOST_BYTES]
    with open(EXPLANATIONS, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE))
    counts: Counter[str] = collections.Counter()
    explained: Counter[str] = collections.Counter()
    unexplained: List[Difference] = []
    per_package: Dict[str, Counter[str]] = collections.defaultdict(collections.Counter)
    # Of one seed of hashes, and each process with a JVM of its own.
    with multiprocessing.get_context("spawn").Pool(2, start) as pool:
        for found in pool.imap_unordered(compare, jobs, chunksize=20):
            counted = per_package[found.package]
            counted["files"] += 1
            counted["same"] += found.same
            counted["both refuse"] += found.both_refuse
            for difference in found.differences:
                why = explanation(difference, rows)
                counted["explained" if why else "unexplained"] += 1
                if why is None:
                    unexplained.append(difference)
                else:
                    explained[why] += 1
    columns = ("files", "same", "both refuse", "explained", "unexplained")
    print("| package | " + " | ".join(columns) + " |\n|---|" + "---:|" * len(columns))
    for package, counted in sorted(per_package.items()):
        counts.update(counted)
        print(f"| {package} | " + " | ".join(f"{counted[column]:,}" for column in columns) + " |")
    print("| all | " + " | ".join(f"{counts[column]:,}" for column in columns) + " |\n\n| differences | why |\n|---:|---|")
    for why, count in explained.most_common():
        print(f"| {count:,} | {why} |")
    for difference in sorted(unexplained):
        print("UNEXPLAINED\t" + "\t".join(difference))
    print(f"{counts['same'] + counts['both refuse'] + counts['explained']} passed, {len(unexplained)} failed")
    return 1 if unexplained or not jobs else 0


def explanation(difference: Difference, rows: List[Dict[str, str]]) -> Optional[str]:
    for row in rows:
        if row["what"] == difference.what and row["peer"] in ("any", difference.peer) \
                and row["other"] in ("any", difference.other) and re.search(row["file"], difference.file) \
                and re.search(row["reason"], difference.reason):
            return row["why"]
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

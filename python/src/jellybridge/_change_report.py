"""Reports on changes: a page of HTML that needs nothing else, or release notes in Markdown."""

from __future__ import annotations

import html
import json
import os
import re
from datetime import datetime
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple
from urllib.parse import urlsplit

from ._arguments import check
from ._convert import format_of
from ._difference import Difference, compare, terms
from ._doors import find_door
from ._errors import JellybridgeError
from ._locations import Writable, absolute, is_address, is_remote, is_served_log, target_file, write_text
from ._printed_reports import counted
from ._types import VersionOrTime

#: The formats of a report, by the suffixes of files.
FORMATS = {".html": "html", ".htm": "html", ".md": "markdown"}
#: The exception for a version whose state the log no longer has.
_NO_STATE = "java.lang.IllegalStateException"
_SHOWN = 15
_VERSIONS = 20
#: The largest number of columns in the timeline, and of lines of the difference in a page.
_COLUMNS, _LINES = 120, 20_000
_STYLE = """\
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --back: #fff; --soft: #f6f8fa;
  --added: #1a7f37; --deleted: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --line: #3d444d; --back: #0d1117; --soft: #151b23;
  --added: #3fb950; --deleted: #f85149; } }
body { margin: 0 auto; padding: 1rem; max-width: 62rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
h1, h2 { line-height: 1.2; overflow-wrap: anywhere; } h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.figures { display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; list-style: none; }
.figures li { flex: 1 1 7rem; padding: .6rem .8rem; background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; }
.figures b { display: block; font-size: 1.4rem; } .dim { color: var(--dim); }
.added { color: var(--added); fill: var(--added); } .deleted { color: var(--deleted); fill: var(--deleted); }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
td.name { overflow-wrap: anywhere; min-width: 9rem; width: 60%; }
svg { display: block; width: 100%; height: auto; } td.time, .ends { color: var(--dim); white-space: nowrap; }
.ends { display: flex; justify-content: space-between; font-size: .85rem; margin-bottom: 1rem; }
td svg { width: 10rem; height: .9rem; }
pre { overflow-x: auto; padding: .8rem; background: var(--soft); border: 1px solid var(--line); border-radius: .5rem;
  font: .8rem/1.45 ui-monospace, monospace; } @media (max-width: 40rem) { .bar { display: none; } }
"""


class _Version(NamedTuple):
    """A version of a log, or several that share a column of the timeline."""

    version: int
    time: Optional[datetime]
    added: int
    deleted: int
    said: str


def report(
    source: Any,
    new: Any = None,
    *,
    target: Writable,
    format: Optional[str] = None,
    title: Optional[str] = None,
    prefixes: Optional[Mapping[str, str]] = None,
    base: Optional[str] = None,
    first: Optional[VersionOrTime] = None,
    last: Optional[VersionOrTime] = None,
) -> Difference:
    """Writes a report on changes: figures, a timeline, counts by graph, class and predicate, the largest subjects, and the changes.

    >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    >>> report("one.jellyp", target="page.html").added
    1

    Args:
        source: a patch log that is not over gRPC, by its address or open; patches, as a file or as a result of
            :mod:`jellybridge.changes`; a :class:`Difference`; or the old one of two files or datasets.
        new: the new one of two, as :func:`diff` takes them.
        target: the file to write, or a file open for writing bytes.
        format: ``html`` or ``markdown``; ``None`` = by the suffix ``.html`` or ``.md``.
        title: the title; ``None`` = one that names what is compared.
        prefixes: namespaces by their prefixes, which come before those of the data.
        base: of two files, the base of their relative IRIs, as in :func:`diff`.
        first: of a log, the version to compare with, or a time for the last version then, as in :meth:`PatchLog.diff`; ``None`` =
            version 1, or 0 if there is no other; of a pruned log, the one before its first patch. 0 = before the first patch.
        last: of a log, the last version, likewise; ``None`` = the head.

    Returns:
        The difference that the report shows.

    Raises:
        ValueError: there is no such format, nothing to compare with, an option is of another kind of source, or ``first`` is not
            before ``last``.
        JellybridgeError: a file, a patch or a log can't be read.
    """
    check("text or None", format=format, title=title)
    name = os.fspath(target) if isinstance(target, (str, os.PathLike)) else str(getattr(target, "name", ""))
    known = format or FORMATS.get(os.path.splitext(name)[1].lower())
    if known not in FORMATS.values():
        raise ValueError(f"{format or name}: a report is html or markdown, in a file that ends in .html or .md")
    with target_file(target, known) as file:
        versions, difference = _read(source, new, prefixes, base, first, last)
        heading = title or f"Changes from {' to '.join(_short(difference))}"
        text = (_page if known == "html" else _notes)(heading, versions, difference, prefixes or {})
        write_text(file, text)
    return difference


def _read(
    source: Any, new: Any, prefixes: Optional[Mapping[str, str]], base: Optional[str], first: Optional[VersionOrTime],
    last: Optional[VersionOrTime],
) -> Tuple[Sequence[_Version], Difference]:
    from . import changes
    from ._log import PatchLog

    if new is not None:
        _refuse("a log", first=first, last=last)
        return (), compare(source, new, None, None, prefixes, base=base)
    _refuse("two files", base=base)
    if isinstance(source, PatchLog):
        return _read_log(source, prefixes, first, last)
    if isinstance(source, (str, os.PathLike)) and is_log(os.fspath(source)):
        with PatchLog.open(source) as log:
            return _read_log(log, prefixes, first, last)
    _refuse("a log", first=first, last=last)
    if isinstance(source, Difference):
        return (), source
    if isinstance(source, (str, os.PathLike)) and format_of(os.fspath(source)) not in ("jelly-patch", "rdf-patch", "thrift"):
        raise ValueError(f"{source}: is a file of statements; name the new one too, with which to compare it")
    return (), changes.show(source, prefixes=prefixes)


def _refuse(whose: str, **options: Any) -> None:
    for name, value in options.items():
        if value is not None:
            raise ValueError(f"{name}={value!r}: is of {whose}, which this source is not; leave it out")


def is_log(address: str) -> bool:
    """Returns whether the address is that of a patch log. A URL that ends in the suffix of a format is that of a file."""
    if is_address(address):
        return not is_remote(address) or is_served_log(address) or not _has_format(urlsplit(address).path)
    return os.path.isdir(absolute(address)) and bool(find_door().java_class("io.jellybridge.SyncBridge").isLog(absolute(address)))


def _has_format(name: str) -> bool:
    try:
        return bool(format_of(name))
    except JellybridgeError:
        return False


def _read_log(
    log: Any, prefixes: Optional[Mapping[str, str]], first: Optional[VersionOrTime], last: Optional[VersionOrTime]
) -> Tuple[Sequence[_Version], Difference]:
    end = None if last is None else log._version_at("last", last, 1)
    entries = [each for each in log.entries(None, end, details=True)]
    if not entries:
        raise ValueError(f"{log}: there is no patch{'' if end is None else f' up to version {end}'}, so there is nothing to report")
    versions = [_Version(each.version, each.time, each.added or 0, each.deleted or 0,
                         " – ".join(filter(None, (each.author, each.fault or each.message)))) for each in entries]
    newest = versions[-1].version
    begin = max(min(1, newest - 1), versions[0].version - 1) if first is None else \
        log._version_at("first", first, 0, or_before_first=True)
    if last is not None and (begin > newest or first == last):
        raise ValueError(f"first={first}: must be before the last version, which is {newest}, since the report compares the two")
    try:
        difference = log.diff(begin, newest, prefixes=prefixes)
    except JellybridgeError as e:
        if first is not None or versions[0].version == 1 or e.java != _NO_STATE:
            raise
        error = JellybridgeError(f"{e}; give a later version to compare with: --first N, in Python first=N")
        error.java = e.java
        raise error from None
    return [each for each in versions if each.version > begin], difference


# --- HTML


def _page(title: str, versions: Sequence[_Version], difference: Difference, prefixes: Mapping[str, str]) -> str:
    found = json.loads(difference.to_text("json"))
    names = terms({**found["prefixes"], **prefixes})
    kinds = [each["change"] for each in found["subjects"]]
    figures = [("added", "added", difference.added), ("deleted", "deleted", difference.deleted),
               *(("", f"{kind} subjects", kinds.count(kind)) for kind in ("new", "changed", "deleted"))]
    parts = [f"<h1>{html.escape(title)}</h1>", '<ul class="figures">']
    parts += [f'<li><b class="{color}">{count:,}</b>{name}</li>' for color, name, count in figures] + ["</ul>"]
    if versions:
        parts += ["<h2>Timeline</h2>", _timeline(versions), versions_table(versions[-_VERSIONS:])]
        if len(versions) > _VERSIONS:
            parts.append(f'<p class="dim">The last {_VERSIONS} of {len(versions):,} versions.</p>')
    for kind, rows in found["statistics"].items():
        if rows and (kind != "graph" or any(row["term"] for row in rows)):
            empty = "no class" if kind == "class" else "default graph"
            counts = [(_name(names, row["term"], kind, empty), row["added"], row["deleted"]) for row in rows]
            parts += [f"<h2>By {kind}</h2>", _bars(kind, counts)]
    subjects = sorted(found["subjects"], key=lambda each: -len(each["changes"]))[:_SHOWN]
    if subjects:
        largest = [(" ".join(filter(None, (each["name"], each["label"]))), *_signs(each["changes"])) for each in subjects]
        parts += ["<h2>Largest subjects</h2>", _bars("subject", largest)]
    lines = str(difference).splitlines()
    parts += [f"<h2>What changed from {html.escape(' to '.join(_short(difference)))}</h2>", colored(lines[:_LINES])]
    if len(lines) > _LINES:
        parts.append(f'<p class="dim">{len(lines) - _LINES:,} more lines; <code>jellybridge diff</code> writes them all.</p>')
    return (f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(title)}</title><style>\n{_STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n")


def _short(difference: Difference) -> Tuple[str, str]:
    """Returns the names of the two sides without their folders, unless that makes them equal."""
    old, new = os.path.basename(difference.old), os.path.basename(difference.new)
    return (old, new) if old and new and old != new else (difference.old, difference.new)


def _name(names: Any, term: Optional[str], kind: str, empty: str) -> str:
    if term is None:
        return f"({empty})"
    return str(names.toPredicate(term) if kind == "predicate" else names.show(term))


def _signs(changes: Iterable[Mapping[str, Any]]) -> Tuple[int, int]:
    listed = list(changes)
    return sum("added" in each for each in listed), sum("deleted" in each for each in listed)


def _timeline(versions: Sequence[_Version]) -> str:
    """Returns a chart with a column for each version: additions above the line, deletions below."""
    size = -(-len(versions) // _COLUMNS)
    columns = [versions[at:at + size] for at in range(0, len(versions), size)]
    counts = [(sum(each.added for each in column), sum(each.deleted for each in column)) for column in columns]
    # A state that a log begins with would make all other columns flat.
    ordered = sorted(max(pair) for pair in counts)
    top = max(1, ordered[-1] if len(ordered) < 4 or ordered[-1] < 8 * ordered[-2] else ordered[-2])
    width, middle = 720 / len(columns), 80
    bars = []
    for at, (column, (added, deleted)) in enumerate(zip(columns, counts)):
        up, down = (min(70.0, 70 * count / top) for count in (added, deleted))
        span = f"version {column[0].version}" + (f" to {column[-1].version}" if len(column) > 1 else "")
        time = "" if column[-1].time is None else f", {column[-1].time:%Y-%m-%d}"
        said = f": {column[0].said}" if len(column) == 1 and column[0].said else ""
        x, wide = at * width, max(1.0, min(width - 1, 40.0))
        bars.append(f'<g><title>{html.escape(f"{span}{time}: +{added:,} -{deleted:,}{said}")}</title>'
                    f'<rect class="added" x="{x:.1f}" y="{middle - up:.1f}" width="{wide:.1f}" height="{up:.1f}"/>'
                    f'<rect class="deleted" x="{x:.1f}" y="{middle + 1}" width="{wide:.1f}" height="{down:.1f}"/></g>')
    ends = [f"version {each.version}" + ("" if each.time is None else f", {each.time:%Y-%m-%d}") for each in (versions[0], versions[-1])]
    height = middle + 6 + max(min(70.0, 70 * deleted / top) for _, deleted in counts)
    return (f'<svg viewBox="0 0 720 {height:.0f}" role="img" aria-label="Added and deleted statements of each version">{"".join(bars)}'
            f'<line x1="0" x2="720" y1="{middle + .5}" y2="{middle + .5}" stroke="var(--line)"/></svg>'
            f'<div class="ends"><span>{ends[0]}</span><span>{ends[1]}</span></div>')


def versions_table(versions: Sequence[_Version]) -> str:
    """Returns a table of versions, newest first."""
    rows = "".join(
        f'<tr><td class="number">{each.version}</td><td class="time">{"" if each.time is None else f"{each.time:%Y-%m-%d}"}</td>'
        f'{_numbers(each.added, each.deleted)}<td class="name">{html.escape(each.said)}</td></tr>' for each in reversed(versions))
    return (f'<div class="scroll"><table><tr><th class="number">version</th><th>time</th><th class="number">added</th>'
            f'<th class="number">deleted</th><th>what</th></tr>{rows}</table></div>')


def _numbers(added: int, deleted: int) -> str:
    """Returns two cells; a zero has neither a sign nor a color."""
    return "".join(f'<td class="number {name if count else "dim"}">{sign if count else ""}{count:,}</td>'
                   for name, sign, count in (("added", "+", added), ("deleted", "-", deleted)))


def _bars(kind: str, counts: Sequence[Tuple[str, int, int]]) -> str:
    """Returns a table with a bar for each row, of the rows that have most changes."""
    top = max(added + deleted for _, added, deleted in counts) or 1
    rows = "".join(
        f'<tr><td class="name">{html.escape(name)}</td>{_numbers(added, deleted)}<td class="bar">'
        f'<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="added" width="{100 * added / top:.2f}" height="8"/>'
        f'<rect class="deleted" x="{100 * added / top:.2f}" width="{100 * deleted / top:.2f}" height="8"/></svg></td></tr>'
        for name, added, deleted in counts[:_SHOWN])
    more = f'<p class="dim">and {len(counts) - _SHOWN:,} more</p>' if len(counts) > _SHOWN else ""
    return (f'<div class="scroll"><table><tr><th>{kind}</th><th class="number">added</th><th class="number">deleted</th>'
            f'<th class="bar"></th></tr>{rows}</table></div>{more}')


def colored(lines: Iterable[str]) -> str:
    """Returns the text of a difference as HTML."""
    classes = {"+": "added", "-": "deleted"}
    shown = (f'<span class="{classes[line[0]]}">{html.escape(line)}</span>' if line[:1] in classes else html.escape(line) for line in lines)
    return "<pre>" + "\n".join(shown) + "</pre>"


# --- Markdown


def _notes(title: str, versions: Sequence[_Version], difference: Difference, prefixes: Mapping[str, str]) -> str:
    """Returns release notes: the counts, then each subject."""
    head, body = _sections(difference.to_text("markdown"))
    counts = _sections(difference.to_text("markdown", stat=True))[1]
    parts = [f"# {title}", head]
    if versions:
        rows = [f"| {each.version} | {'' if each.time is None else f'{each.time:%Y-%m-%d}'} | {each.added:,} | {each.deleted:,} | "
                f"{_cell(each.said)} |" for each in reversed(versions[-_VERSIONS:])]
        parts += ["## Versions", "\n".join(["| version | time | + | - | what |", "|---:|---|---:|---:|---|", *rows])]
        if len(versions) > _VERSIONS:
            parts.append(f"The last {_VERSIONS} of {counted(len(versions), 'version')}.")
    parts += ["## Counts", counts] if counts else []
    return "\n\n".join(filter(None, [*parts, body])) + "\n"


def _sections(text: str) -> Tuple[str, str]:
    """Returns the summary and the prefixes of a difference in Markdown, and what follows them."""
    _, _, rest = text.strip().partition("\n\n")
    blocks: List[str] = rest.split("\n\n")
    heads = next((at for at, block in enumerate(blocks) if block.startswith(("#", "|"))), len(blocks))
    return "\n\n".join(blocks[:heads]), "\n\n".join(blocks[heads:])


def _cell(text: str) -> str:
    return re.sub(r"([\\`*_<>\[\]#|&])", r"\\\1", " ".join(text.split()))

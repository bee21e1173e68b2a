"""The command ``log`` and its subcommands."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import os
import shutil
import sys
import tempfile
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Callable, Dict, Iterable, Iterator, Optional, Sequence

from . import _command_options, _difference, _store_commands
from ._capture import MAX_BYTES
from ._color import is_terminal, painted
from ._command_line import (
    BAD_DATA, FINE, PATCHES, STATEMENTS, WRITTEN_DOCUMENTS, Parser, UsageError, add_command, add_difference_text, add_headers, add_json,
    add_key, add_running, add_server_options, as_age, as_time, as_version, as_version_or_time, as_whole_number, fail, format_of_name,
    headers_of_options, inputs_of, output_of, report_in_json, show_difference, show_help_without_command, show_report, show_sync,
)
from ._convert import STANDARD, suffix_of
from ._dataset import Dataset
from ._errors import JellybridgeError, PatchFormatError
from ._log import LogEntry, PatchLog, headers_of
from ._log_rows import HistoryRow
from ._printed_reports import counted
from ._progress import timed
from ._redaction import hidden, printable


def add(verbs: Any) -> None:
    """Adds the command ``log`` and its subcommands."""
    about = "Make, read, compare, append to, revert, compact, check, repair, verify, adopt, checkpoint and prune patch logs."
    log = verbs.add_parser(
        "log", help=about, description=about,
        epilog="LOG is a folder, http://host:3030/$/patch-logs/NAME, or grpc://host:7878/NAME of jellybridge serve.",
    )
    commands = log.add_subparsers(metavar="COMMAND")
    show_help_without_command(log)

    common = Parser(add_help=False)
    common.add_argument("log", metavar="LOG")
    add_server_options(common, "LOG")
    add_json(common)
    add_running(common)

    versions = Parser(add_help=False)
    versions.add_argument("--first", type=as_version, metavar="N", help="the first version (default: the oldest)")
    versions.add_argument("--last", type=as_version, metavar="N", help="the last version (default: the head)")

    verb = partial(add_command, commands, inputs=[])

    made = verb("create", _create, "Make a new log.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--state", metavar="FILE",
                      help="begin with the statements of this file, as version 1; the suffix says the format")
    made.add_argument("--base", metavar="IRI", help="the base of relative IRIs of that file (default: none may be relative)")
    made.add_argument("--if-missing", action="store_true", help="leave a log that is there as it is, with status 0")
    made = verb("list", _list, "List the patches: version, id, prev, time, counts, author, message.", common, versions)
    made.add_argument("-n", "--newest", type=as_whole_number, metavar="N", help="only the newest N of them")
    made.add_argument("--since", type=as_time, metavar="TIME", help="patches from then on: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("--grep", metavar="REGEX", help="only patches with an author, a message or another header, as NAME=VALUE, that it matches")
    showing = Parser(add_help=False)
    showing.add_argument("--format", choices=tuple(_difference.TEXTS), default="text", metavar="FORMAT",
                         help="text, markdown or json (default: text)")
    add_difference_text(showing)
    made = verb("show", _show, "Show what a version changed, by subject.", common, showing)
    made.add_argument("version", type=as_version_or_time, nargs="?", metavar="VERSION",
                      help="which version, or a time, as of log diff (default: the head)")
    made = verb("diff", _diff, "Show what changed between two versions, by subject.", common, showing)
    made.add_argument("old", type=as_version_or_time, metavar="OLD",
                      help="a version, 0 = before the first patch; or a time: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("new", type=as_version_or_time, nargs="?", metavar="NEW", help="likewise (default: the head)")
    made = verb("history", _history, "List the changes of a subject or a predicate: version, time, operation, quad.", common)
    made.add_argument("--subject", metavar="IRI", help="changes of this subject, an IRI or a name such as skos:Concept")
    made.add_argument("--predicate", metavar="IRI", help="changes of this predicate")
    made.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI",
                      help="a prefix beside those of the log and well-known ones; may be said more than once")
    made.add_argument("--since", type=as_time, metavar="TIME", help="patches from then on: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made = verb("revert", _revert, "Append a patch that undoes a version.", common)
    made.add_argument("version", type=as_version, metavar="VERSION")
    add_headers(made, "the patch")
    made = verb("restore", _restore, "Append a patch that makes the head equal to a version.", common)
    made.add_argument("version", type=as_version_or_time, metavar="VERSION",
                      help="the version, 0 = before the first patch; or a time: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("--to", dest="target", metavar="DATASET", help="a dataset that follows the log, and is synced then")
    add_server_options(made, "DATASET", "dataset-")
    add_key(made)
    add_headers(made, "the patch")
    made = verb("append", _append, "Append the patches of files, each by itself.", common)
    made.add_argument("inputs", nargs="+", metavar="PATCH")
    made.add_argument("--prev", metavar="ID",
                      help="the patch that the first one follows, '' for none "
                           "(default: the one that its header prev names, else the head)")
    made.add_argument("--from-format", metavar="FORMAT", choices=PATCHES,
                      help="the files' format (default: by their suffixes): " + ", ".join(PATCHES))
    made.add_argument("--strict", action="store_true", help="refuse every broken MUST of Jelly-Patch")
    add_headers(made, "each patch", timed=True)
    made = verb("fetch", _fetch, "Write patches to one file, or to standard output.", common, versions)
    _add_output(made, PATCHES, "rdf-patch")
    made.add_argument("--beyond", metavar="OTHER", help="only what this copy of the log lacks, which began with the same patches")
    add_server_options(made, "OTHER", "beyond-")
    made.add_argument("--on-error", choices=("stop", "quarantine"), default="stop",
                      help="what to do at a patch that can't be read; quarantine = leave it out and name it; exit status 1 then")
    made = verb("compact", _compact, "Join the files of a log in a folder; what it says stays the same.", common)
    made.add_argument("--max-bytes", type=as_whole_number, default=MAX_BYTES, metavar="N",
                      help="join files until they have so many bytes (default: 67108864)")
    verb("objects", _objects, "Write objects.json, the list of the files of a log, for a plain web server.", common)
    made = verb("checkpoint", _checkpoint, "Keep the state at a version in the folder of a log.", common)
    made.set_defaults(inputs=[STANDARD])  # work of any length
    made.add_argument("--version", type=as_version_or_time, metavar="N", help="which version, or a time (default: the head)")
    made = verb("state", _state, "Write the state at a version to one file, or to standard output.", common)
    made.set_defaults(inputs=[STANDARD])
    _add_output(made, (*STATEMENTS, *WRITTEN_DOCUMENTS), "nquads")
    which = made.add_mutually_exclusive_group()
    which.add_argument("--version", type=as_version, metavar="N", help="which version (default: the head)")
    which.add_argument("--id", metavar="ID", help="that of the patch with this id")
    which.add_argument("--time", type=as_time, metavar="TIME",
                       help="the last one that was there by then: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made = verb("prune", _prune, "Delete old patches that a checkpoint stands for.", common)
    how = made.add_mutually_exclusive_group(required=True)
    how.add_argument("--before", type=as_version, metavar="VERSION", help="delete patches of lower versions than this")
    how.add_argument("--keep", type=as_age, metavar="AGE", help="keep the patches of this last time, and delete older ones: 30d, 12h, 90m, 45s, 8w")
    made = verb("verify", _verify, "Verify a log and its checkpoints, or a dataset by a log.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--dataset", metavar="DATASET",
                      help="compare this one with the log instead: tdb2:DIR or http://host:3030/NAME")
    add_server_options(made, "DATASET", "dataset-")
    add_key(made)
    made = verb("adopt", _adopt, "Put a dataset that has data at a version of a log that says the same.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--dataset", required=True, metavar="DATASET",
                      help="which dataset: tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY")
    made.add_argument("--version", type=as_version, metavar="N", help="which version (default: the head)")
    add_server_options(made, "DATASET", "dataset-")
    add_key(made)
    verb("check", _check, "Name each fault of a log in a folder.", common)
    verb("repair", _check, "Mend a log in a folder, without losing a patch that can be read.", common).set_defaults(
        repair=True
    )


def _add_output(parser: argparse.ArgumentParser, formats: Sequence[str], usual: str) -> None:
    parser.set_defaults(formats=formats, usual_format=usual)
    parser.add_argument("-o", "--output", default=STANDARD, help="the file, whose suffix says the format (default: standard output)")
    parser.add_argument("--to-format", metavar="FORMAT", choices=formats,
                        help=f"the format of standard output (default: {usual}): " + ", ".join(formats))


@contextlib.contextmanager
def _output(options: argparse.Namespace) -> Iterator[str]:
    """Provides the file of ``-o``. For standard output it is a temporary one, which is copied at the end."""
    if options.output != STANDARD:
        if options.to_format is not None:
            raise UsageError("--to-format is of standard output; the suffix of a file says its format")
        if format_of_name(options.output) not in options.formats:
            raise UsageError(f"{options.output}: the output is a file in {', '.join(options.formats)}")
        yield options.output
        return
    format = options.to_format or options.usual_format
    output_of(STANDARD, format)
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        file = os.path.join(folder, f"output{suffix_of(format)}")
        yield file
        if os.path.exists(file):
            sys.stdout.flush()
            with open(file, "rb") as made:
                shutil.copyfileobj(made, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def _opened(options: argparse.Namespace) -> PatchLog:
    return PatchLog.open(options.log, options=_command_options.of_server(options))


def _there(options: argparse.Namespace) -> Optional[str]:
    """Returns the id of the log if it exists already. If it is to begin with a state, it also has versions then."""
    with contextlib.suppress(JellybridgeError), _opened(options) as log:
        if options.state is None or log.head.version > 0:
            return log.id
    return None


def _create(options: argparse.Namespace) -> int:
    try:
        log = PatchLog.create(options.log, options=_command_options.of_server(options), state=options.state,
                              base=options.base, progress=not options.quiet)
    except JellybridgeError as e:
        there = _there(options)
        if there is None:
            raise
        if not options.if_missing:
            text = str(e).replace("; open it", "")
            raise JellybridgeError(f"{text}; use it as it is, or go on with it by --if-missing") from None
        show_report(options, {"log": hidden(options.log), "id": there}, f"{hidden(options.log)}: is there")
        return FINE
    with log:
        began = None if options.state is None else log.checkpoint(1, progress=False)
        made = {"log": hidden(options.log), "id": log.id}
        state = {} if began is None else {"version": began.version, "quads": began.quads, "hash": began.hash}
        show_report(options, {**made, **state},
                    f"{hidden(options.log)}: made" + ("" if began is None else f", with {began.quads:,} quads as version 1"))
    return FINE


def _list(options: argparse.Namespace) -> int:
    with _opened(options) as log:
        if options.newest is None:
            _warn_of_checkpoint(log, options.first or 1, options.since)
        for entry in log.entries(options.first, options.last, since=options.since, newest=options.newest, details=True, grep=options.grep):
            if is_terminal(sys.stdout) and not options.json:
                print(_listed(entry))
                continue
            counts = [] if entry.added is None or entry.deleted is None else [f"+{entry.added}", f"-{entry.deleted}"]
            said = [" ".join(text.split()) for text in (entry.author or "", entry.message or "")] if counts else [entry.fault or ""]
            fields = [str(entry.version), entry.id or "-", entry.prev or "-", _utc(entry.time) or "-", *counts, *said]
            show_report(options,
                        {"version": entry.version, "id": entry.id, "prev": entry.prev, "time": _utc(entry.time), "fault": entry.fault,
                         "author": entry.author, "message": entry.message, "headers": dict(entry.headers), "added": entry.added,
                         "deleted": entry.deleted},
                        "\t".join(fields).rstrip("\t"))
    return FINE


def _warn_of_checkpoint(log: PatchLog, first: int, since: Optional[datetime] = None) -> None:
    """Says which versions have no patch, unless all of them are before a version or a time."""
    oldest = next(log.entries(), None)
    before = log.head.version if oldest is None else oldest.version - 1
    is_before = since is not None and oldest is not None and oldest.time is not None and oldest.time < since
    if before >= first and not is_before:
        print(f"jellybridge: {'version 1 has' if before == 1 else f'versions 1 to {before} have'} no patch, but a checkpoint; "
              "`jellybridge log state` writes it", file=sys.stderr)


def _utc(time: Optional[datetime]) -> Optional[str]:
    return None if time is None else time.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _listed(entry: LogEntry) -> str:
    """Returns a patch of a log for people, in one line."""
    if entry.fault is not None:
        return f"{entry.version:>6}  {painted(printable(entry.fault), 'red', sys.stdout)}"
    time = " " * 16 if entry.time is None else entry.time.strftime("%Y-%m-%d %H:%M")
    counts = [painted(f"{sign}{count or 0:,}".rjust(8), color, sys.stdout)
              for sign, count, color in (("+", entry.added, "green"), ("-", entry.deleted, "red"))]
    said = "  ".join(" ".join(text.split()) for text in (entry.author, entry.message) if text)
    return f"{entry.version:>6}  {painted(time, 'dim', sys.stdout)} {''.join(counts)}  {printable(said)}".rstrip()


def _show(options: argparse.Namespace) -> int:
    prefixes = _difference.prefixes_of(options.prefix)
    with _opened(options) as log:
        version = (log.head.version or 1) if options.version is None else log._version_at("version", options.version, 1)
        entry = next((each for each in log.entries(version, version, details=True) if each.version == version), None)
        made = log.show(version, prefixes=prefixes, progress=not options.quiet)
    if options.format == "text" and not options.json and entry is not None:
        facts = {"version": str(entry.version), "id": entry.id, "time": _utc(entry.time), "author": entry.author,
                 "message": entry.message, **entry.headers}
        for name, value in facts.items():
            if value:
                text = f"{printable(name):<8} " + "\n         ".join(map(printable, value.splitlines()))
                print(painted(text, "yellow" if name == "version" else "dim", sys.stdout))
        print()
    return _show_versions(options, made)


def _diff(options: argparse.Namespace) -> int:
    with _opened(options) as log:
        made = log.diff(options.old, options.new, prefixes=_difference.prefixes_of(options.prefix), progress=not options.quiet)
    return _show_versions(options, made)


def _show_versions(options: argparse.Namespace, made: _difference.Difference) -> int:
    show_difference(options, made._java, made.old, made.new, "json" if options.json else options.format)
    return FINE


def _history(options: argparse.Namespace) -> int:
    if options.subject is None and options.predicate is None:
        raise UsageError("say what: a subject by --subject, a predicate by --predicate, or both")
    on_terminal = is_terminal(sys.stdout) and not options.json
    with _opened(options) as log:
        given = [options.subject, options.predicate]
        # An IRI with "//" needs no prefix, and the log is not read for any.
        names = log._terms(_difference.prefixes_of(options.prefix)) if on_terminal or any(each and "://" not in each for each in given) else None
        subject, predicate = (each if each is None or names is None else _difference.expanded(names, each) for each in given)
        rows: Iterator[HistoryRow] = log.history(subject=subject, predicate=predicate, since=options.since)
        _warn_of_checkpoint(log, 2, options.since)  # a history has the statements of a checkpoint of version 1
        first = next(rows, None)
        if first is None:
            said = " and ".join(filter(None, (subject, predicate)))
            since = "" if options.since is None else f" since {_utc(options.since)}; leave --since out for earlier ones"
            print(printable(f"jellybridge: {hidden(options.log)}: no operation with {said}{since}; an IRI must be complete, or begin "
                            "with a prefix of the log or --prefix"), file=sys.stderr)
            return FINE
        rows = chain([first], rows)
        if on_terminal:
            _tell(rows, names, options.subject is None)
            return FINE
        for row in rows:
            time = _utc(row.time)
            line = "\t".join([str(row.version), time or "-", row.op, row.subject, row.predicate, row.object, row.graph or ""])
            print(json.dumps({**row._asdict(), "time": time}, ensure_ascii=False) if options.json else printable(line.rstrip("\t")))
    return FINE


def _tell(rows: Iterable[HistoryRow], terms: Any, with_subject: bool) -> None:
    """Shows a history to people: the changes of each version, with prefixed names."""
    version = None
    for row in rows:
        if row.version != version:
            version = row.version
            print(painted(f"version {version}" + ("" if row.time is None else f"  {row.time:%Y-%m-%d %H:%M}"), "yellow", sys.stdout))
        subject = f"{terms.show(row.subject)}  " if with_subject else ""
        graph = "" if row.graph is None else f"  in {terms.show(row.graph)}"
        sign, color = ("+", "green") if row.op == "A" else ("-", "red")
        print(painted(f"{sign} {subject}{terms.toPredicate(row.predicate)}  {terms.show(row.object)}{graph}", color, sys.stdout))


def _reporting(work: Callable[[argparse.Namespace, PatchLog], Any]) -> Callable[[argparse.Namespace], int]:
    """Returns a command that does some work with its log, and shows the report."""
    def run(options: argparse.Namespace) -> int:
        with _opened(options) as log:
            done = work(options, log)
        show_report(options, dataclasses.asdict(done), f"{hidden(options.log)}: {done}")
        return FINE

    return run


_revert = _reporting(lambda options, log: log.revert(
    options.version, author=options.author, message=options.message, headers=headers_of_options(options), progress=not options.quiet))
_compact = _reporting(lambda options, log: timed("compact", not options.quiet, lambda: log.compact(options.max_bytes)))
_checkpoint = _reporting(lambda options, log: log.checkpoint(options.version, progress=not options.quiet))
_prune = _reporting(lambda options, log: timed("prune", not options.quiet, lambda: log.prune(before=options.before, keep=options.keep)))


def _restore(options: argparse.Namespace) -> int:
    if options.target is not None:
        _store_commands.require(options.target)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(_opened(options))
        dataset = options.target and stack.enter_context(Dataset.open(options.target, options=_command_options.of_server(options, "dataset_")))
        if dataset is not None:
            _check_holds(options, dataset)
        done = log.restore(options.version, author=options.author, message=options.message, headers=headers_of_options(options),
                           progress=not options.quiet)
        show_report(options, dataclasses.asdict(done), f"{hidden(options.log)}: {done}")
        if dataset is None:
            return FINE
        options.source = options.log
        return show_sync(options, dataset.sync(
            options.log, key=options.key, source_options=_command_options.of_server(options), progress=not options.quiet))


def _check_holds(options: argparse.Namespace, dataset: Dataset) -> None:
    """Rejects a dataset that lacks something of the version of the log that it is at, which a sync would not notice."""
    target, log = hidden(options.target), hidden(options.log)
    if dataset.position(options.key) is None:
        if len(dataset):
            raise JellybridgeError(f"{target} has quads, and by the key {options.key} it is at no version of {log}; nothing was appended. "
                                   "If it follows the log by another key, name that by --key")
        return
    found = dataset.verify(options.log, key=options.key, log_options=_command_options.of_server(options), progress=not options.quiet)
    version = f"version {found.version:,} of {log}"
    if found.missing:
        raise JellybridgeError(
            f"{target} is at {version}, but lacks {counted(found.missing, 'quad')} of it and has {found.surplus:,} others; nothing was "
            f"appended. Bring it to that version first: jellybridge log state {log} --version {found.version} -o state.nq; "
            f"jellybridge publish state.nq --to {target} --blank-nodes label")
    if found.surplus:
        print(f"jellybridge: {target} has {counted(found.surplus, 'quad')} beside those of {version}, which stay", file=sys.stderr)


def _append(options: argparse.Namespace) -> int:
    if STANDARD in options.inputs:
        raise UsageError("a log takes no standard input: name a file")
    inputs = inputs_of(options, options.inputs)
    paths = [each.path for each in inputs]
    with _opened(options) as log:
        appended = log._append_each(paths, options.prev, options.from_format, options.strict,
                                    headers_of(options.author, options.message, options.time, headers_of_options(options)), not options.quiet)
        for each, patches in zip(inputs, appended):
            for made in patches:
                show_report(options, {"file": each.name, "version": made.version, "id": made.id},
                            f"{each.name}: version {made.version}, id {made.id}")
    return FINE


def _fetch(options: argparse.Namespace) -> int:
    if options.beyond is not None and options.first is not None:
        raise UsageError("--beyond finds the first version; leave out --first")
    with _output(options) as file, _opened(options) as log:
        first = options.first if options.beyond is None else _first_beyond(options, log)
        if options.beyond is not None and first > log.head.version:
            with contextlib.redirect_stdout(sys.stderr if options.output == STANDARD else sys.stdout):
                show_report(options, {"output": None, "patches": 0}, f"{hidden(options.beyond)} has every patch of {hidden(options.log)}")
            return FINE
        report = timed("fetch", not options.quiet, lambda: log.fetch(file, first, options.last, on_error=options.on_error))
    for entry in report.quarantined:
        fail(f"version {entry.version} was left out: {entry.fault}", BAD_DATA)
    _report_output(options, {"output": options.output, "patches": report.patches, "rows": report.rows,
                             "quarantined": [{"version": entry.version, "reason": entry.fault} for entry in report.quarantined]}, report)
    return BAD_DATA if report.quarantined else FINE


def _report_output(options: argparse.Namespace, values: Dict[str, Any], text: object) -> None:
    report_in_json(options, options.output, values)
    if not options.json and options.output != STANDARD:
        print(printable(f"{options.output}: {text}"), flush=True)


def _first_beyond(options: argparse.Namespace, log: PatchLog) -> int:
    """Returns the version after the last patch that the log of ``--beyond`` has, too."""
    with PatchLog.open(options.beyond, options=_command_options.of_server(options, "beyond_")) as other:
        def is_common(version: int) -> bool:
            try:
                mine, others = (one._hash_at(version) for one in (log, other))
            except PatchFormatError as e:
                raise UsageError(f"{e}. Repair that log first, or name the first version by --first") from None
            return mine == others and mine is not None

        logs = f"{hidden(options.log)} and {hidden(options.beyond)}"
        if log.id != other.id:
            raise UsageError(f"{logs} are not copies of one log")
        low, high = max(log._first, other._first) - 1, min(log.head.version, other.head.version)
        if low > high or low > 0 and not is_common(low):
            raise UsageError(f"the last patch that {logs} have in common is not in both any more; name the first version by --first")
        while low < high:  # the last version that both have
            middle = (low + high + 1) // 2
            low, high = (middle, high) if is_common(middle) else (low, middle - 1)
        return low + 1


def _objects(options: argparse.Namespace) -> int:
    with _opened(options) as log:
        objects = log.list_objects()
    show_report(options, {"objects": objects}, f"{hidden(options.log)}: {objects:,} files in objects.json")
    return FINE


def _state(options: argparse.Namespace) -> int:
    with _output(options) as file, _opened(options) as log:
        made = log.state(file, version=options.version, id=options.id, time=options.time, progress=not options.quiet)
    _report_output(options, {"output": options.output, **dataclasses.asdict(made)}, made)
    return FINE


def _verify(options: argparse.Namespace) -> int:
    """Verifies a log, or a dataset against a log. The exit status says whether there are faults."""
    if options.dataset is not None:
        return _verify_dataset(options)
    with _opened(options) as log:
        found = log.verify(progress=not options.quiet)
    for fault in () if options.json else found.faults:
        print(printable(str(fault)))
    show_report(options, {**dataclasses.asdict(found), "ok": found.ok}, f"{hidden(options.log)}: {found}")
    return FINE if found.ok else BAD_DATA


def _verify_dataset(options: argparse.Namespace) -> int:
    _store_commands.require(options.dataset)
    with Dataset.open(options.dataset, options=_command_options.of_server(options, "dataset_")) as dataset:
        found = dataset.verify(options.log, key=options.key, log_options=_command_options.of_server(options), progress=not options.quiet)
    target = hidden(options.dataset)
    for what, quads in () if options.json else (("missing", found.missing_quads), ("surplus", found.surplus_quads)):
        for quad in quads:
            print(printable(f"{what}: {quad}"))
    show_report(options, {"dataset": target, **dataclasses.asdict(found), "ok": found.ok}, f"{target}: {found}")
    return FINE if found.ok else BAD_DATA


def _adopt(options: argparse.Namespace) -> int:
    _store_commands.require(options.dataset)
    with Dataset.open(options.dataset, options=_command_options.of_server(options, "dataset_")) as dataset:
        found = dataset.adopt(options.log, version=options.version, key=options.key, log_options=_command_options.of_server(options), progress=not options.quiet)
    target = hidden(options.dataset)
    show_report(options, {"dataset": target, "log": hidden(options.log), "version": found.version, "position": found.position,
                          "quads": found.quads}, f"{target}: put at version {found.version:,} of {hidden(options.log)}, its data stay")
    return FINE


def _check(options: argparse.Namespace) -> int:
    """Implements ``check`` and ``repair``. The exit status says whether faults remain."""
    repair = getattr(options, "repair", False)
    with _opened(options) as log:
        faults = timed("repair" if repair else "check", not options.quiet, log.repair if repair else log.check)
    for fault in faults:
        show_report(options,
                    {"kind": fault.kind, "version": fault.version, "file": fault.file, "found": fault.found,
                     "repaired": fault.repaired},
                    str(fault))
    left = [fault for fault in faults if fault.repaired is None]
    if not options.json:
        print(f"{hidden(options.log)}: " + (f"{len(faults)} faults, {len(left)} left" if faults else "no fault"))
    return BAD_DATA if left else FINE

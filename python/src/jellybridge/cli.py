"""The command line, ``jellybridge COMMAND``. Needs no Spark.

Exit status: 0 = success, 1 = bad data, 2 = wrong usage (also a missing file), 3 = a server that can't be reached. An error is
one line on standard error. A failed command leaves no partial output. ``argparse`` reads the arguments, since the package needs
JPype and nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import glob
import json
import logging
import os
import re
import signal
import sys
import tempfile
import warnings
from functools import lru_cache, partial
from typing import Any, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, TextIO, Tuple

from . import (
    _change_report, _class_archive, _color, _command_help, _command_options, _difference, _doors, _log_commands, _patch_commands,
    _store_commands,
)
from ._color import is_terminal, painted
from ._command_line import (
    BAD_DATA, DOCUMENTS, FINE, PATCHES, SHORT, STATEMENTS, UNREACHABLE, USAGE, WRITTEN_DOCUMENTS, Parser, UsageError, add_bad_statements,
    add_blank_nodes, add_command, add_difference_text, add_headers, add_json, add_key, add_running, add_server_options, add_verbose,
    as_version_or_time, as_whole_number, bad_statements, check_read_once, fail, format_of_name, headers_of_options, input_of, inputs_of,
    output_of, progress_bar, report_in_json, show_difference, show_help_without_command, show_report, show_sync, size_of, stop_on_signals,
    warn_of_bad, warn_of_log, warn_of_positions,
)
from ._convert import STANDARD, BadStatements, Job, input_path, is_usage_error, of_place, suffix_of
from ._dataset import Dataset
from ._errors import JellybridgeError, UnreachableError
from ._jars import built_from
from ._locations import LOG_ADDRESS, LOG_SERVERS, FileLocation, absolute, is_address, is_remote, tdb2_folder, unpacked_name
from ._log import PatchLog
from ._progress import readable
from ._redaction import hidden, printable
from ._sync import BATCH_ROWS, existing

_LOG = logging.getLogger("jellybridge.cli")

_INTERRUPTED = 130
_TERMINATED = 143

#: Options that raise the limits of inputs.
_LIMITS = ("max_frame_bytes", "max_table_size", "max_term_bytes", "max_table_bytes")


_MAX_FAULTS = 100


class _Terminated(BaseException):
    """Raised when the process gets a request to terminate."""


def run() -> NoReturn:
    """Runs the command in this process's arguments, and ends the process. This is the entry point."""
    _doors.uses_numpy = False
    if sys.stderr is None:  # the process was started with it closed
        sys.stderr = open(os.devnull, "w")
    status = main(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.flush()
    if status == FINE:
        _class_archive.make_in_background()
    # Not sys.exit: an orderly shutdown of the JVM takes longer than many commands, and may wait for a blocked read.
    os._exit(status)


def main(arguments: Sequence[str]) -> int:
    """Runs a command.

    Returns:
        The exit status.
    """
    try:
        options = _parser().parse_args(arguments)
    except UsageError as e:
        message = str(e)
        for argument in arguments:  # the message may repeat it, or the part after =
            for said in filter(None, (argument, argument.partition("=")[2])):
                message = message.replace(said, hidden(said))
        return fail(message, USAGE)
    except SystemExit as e:  # after --help and --version
        return int(e.code or 0)
    try:
        _prepare_jvm(options)
        _log_as_asked(options)
        _check_one_role_each(options)
        _check_needs(options)
        with _signals(), _warnings(), _temporary_files(), contextlib.ExitStack() as options.stack:
            status = int(options.run(options))
            if sys.stdout is not None:
                sys.stdout.flush()
            return status
    except UsageError as e:
        return fail(str(e), USAGE)
    except UnicodeEncodeError as e:  # for example a file name that the system's encoding lacks
        return fail(f"{e.object!a} can't be written in {e.encoding}: {e.reason}", USAGE)
    except BrokenPipeError:
        return _die_of_pipe()
    except KeyboardInterrupt:
        return _end("interrupted", _INTERRUPTED)
    except _Terminated:
        return _end("terminated", _TERMINATED)
    except JellybridgeError as e:
        if e.java is not None and e.java.endswith(".BrokenPipeException"):
            return _die_of_pipe()
        return fail(_command_options.in_message(_message(e), options), _status_of(e, options))
    except ValueError as e:  # Python rejected an argument
        return fail(_command_options.in_message(str(e), options), USAGE)
    except OSError as e:
        message = f"{e.filename}: {e.strerror}" if e.filename else str(e)
        return fail(message, _status_of(e, options))


def _status_of(error: Exception, options: argparse.Namespace) -> int:
    """Returns the exit status for an error. That for bad data is another one where 1 means that there is a difference."""
    if isinstance(error, UnreachableError):
        return UNREACHABLE
    is_wrong_use = isinstance(error, (UsageError, FileNotFoundError)) or is_usage_error(error)
    return USAGE if is_wrong_use or getattr(options, "exit_code", False) else BAD_DATA


def _message(error: BaseException) -> str:
    _LOG.debug("%s", type(error).__name__, exc_info=error)
    text = " ".join(str(error).split())
    if isinstance(error, JellybridgeError) and error.java is not None:
        name = error.java.rpartition(".")[2]
        if name == "OutOfMemoryError":
            return f"{text}; give the JVM more memory by --heap"
    return text


def _end(message: str, status: int) -> int:
    with contextlib.suppress(Exception):
        Job().abandon()
    return fail(message, status)


def _die_of_pipe() -> int:
    """Ends the process silently by SIGPIPE, as programs do when nobody reads their output."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    return BAD_DATA


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Turns SIGINT and SIGTERM into exceptions in this thread."""
    def terminate(number: int, frame: Any) -> None:
        raise _Terminated

    try:
        before = [(number, signal.signal(number, handler)) for number, handler in
                  ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, terminate))]
    except ValueError:  # not the main thread, whose owner handles signals
        before = []
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)


@contextlib.contextmanager
def _warnings() -> Iterator[None]:
    """Shows warnings as lines, like errors."""
    def show(message: Any, *_: Any, **__: Any) -> None:
        fail(str(message), FINE)

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = show
        yield


@contextlib.contextmanager
def _temporary_files() -> Iterator[None]:
    """Makes temporary files in a folder that is deleted at the end, also after an interrupt or if nobody reads the output."""
    try:
        folder = tempfile.TemporaryDirectory(prefix="jellybridge-", ignore_cleanup_errors=True)
    except OSError:  # most commands need none
        yield
        return
    before = tempfile.tempdir
    with folder:
        tempfile.tempdir = folder.name
        try:
            yield
        finally:
            tempfile.tempdir = before


#: What a file may be for a command apart from its input, by the names of the options.
_SIDE_OUTPUTS = ("bad_statements", "shapes_report", "patch", "conflicts")


def _check_one_role_each(options: argparse.Namespace) -> None:
    """Refuses a file that is a side output and anything else. Only the main output may replace an input."""
    def named(*names: str) -> List[Tuple[str, str]]:
        return [(f"--{name.replace('_', '-')}", value) for name in names if isinstance(value := getattr(options, name, None), str)]

    def found(roles: Iterable[Tuple[str, str]]) -> List[Tuple[str, str]]:
        return [(role, os.path.realpath(absolute(name))) for role, name in roles if name != STANDARD and not is_address(name)]

    inputs = [*(getattr(options, "inputs", None) or ()), *(file for _, file in getattr(options, "graph_file", ()))]
    for role, name in named(*_SIDE_OUTPUTS):
        if name == STANDARD and role != "--patch":
            raise UsageError(f"{role} {STANDARD}: name a file, since standard output is for the result")
    asides = found(named(*_SIDE_OUTPUTS))
    others = found([*(("an input", name) for name in inputs), *named("output", "base", "shapes")])
    for role, file in asides:
        for other, same in [*others, *asides]:
            if file == same and role != other and (os.path.isfile(file) or not os.path.exists(file)):
                raise UsageError(f"{file} is {other} and {role}: give them files of their own")


#: Options that mean nothing without another option or argument, by that one. A name with ``_`` at its end begins their names.
_NEEDED = {
    "bad_statements": ("max_bad",), "shapes": ("shapes_report",), "log": ("author", "message", "time", "header", "log_"),
    "state": ("base",), "beyond": ("beyond_",), "dataset": ("dataset_",), "target": ("dataset_",),
}


def _check_needs(options: argparse.Namespace) -> None:
    """Refuses an option without the one that it goes with."""
    actions = {action.dest: action for action in options.parser._actions}
    for needed, names in _NEEDED.items():
        for name, action in actions.items():
            is_lone = needed in actions and getattr(options, needed) is None and getattr(options, name, None)
            if is_lone and any(name.startswith(each) if each.endswith("_") else name == each for each in names):
                raise UsageError(f"{_command_options.name_of(action)} needs {_command_help.named(actions[needed])}")


def _prepare_jvm(options: argparse.Namespace) -> None:
    if options.heap:
        if not re.fullmatch(r"[1-9][0-9]*[kKmMgGtT]?", options.heap):
            raise UsageError(f"--heap {options.heap}: must be a size, such as 512m")
        unit = options.heap[-1].lower()
        if int(options.heap.rstrip("kKmMgGtT")) << {"k": 10, "m": 20, "g": 30, "t": 40}.get(unit, 0) < _LEAST_HEAP:
            raise UsageError(f"--heap {options.heap}: is too little; give at least 16m")
        os.environ["JELLYBRIDGE_HEAP"] = options.heap
    _doors.jvm_arguments[:] = [
        # Only one thread works. For short work, the simplest garbage collector starts fastest and needs the least memory.
        "-XX:+UseSerialGC",
        *(["-XX:TieredStopAtLevel=1"] if _is_short(options) else _LATE_OPTIMIZATION),
        f"-Djava.io.tmpdir={tempfile.gettempdir()}",
    ]


#: The second compiler waits thirty times as long as usual, since most of what it would optimize is soon done.
_LATE_OPTIMIZATION = ["-XX:Tier4InvocationThreshold=150000", "-XX:Tier4MinInvocationThreshold=18000",
                      "-XX:Tier4CompileThreshold=450000", "-XX:Tier4BackEdgeThreshold=1200000"]
_SHORT_FOR_A_STORE = 4 << 20
_SHORT_FOR_A_PUBLICATION = 256 << 20
#: Less memory than a JVM starts with.
_LEAST_HEAP = 16 << 20


def _is_short(options: argparse.Namespace) -> bool:
    """Returns whether there is little to read. An input of unknown size counts as large, and so does one that is followed."""
    if getattr(options, "follow", False):
        return False
    names = [*options.inputs, *(name for _, name in getattr(options, "graph_file", ()))]
    if options.run is _sync:
        names.append(options.source)
    sizes = [size_of(name) for name in names]
    total = sum(size or 0 for size in sizes)
    most = _SHORT_FOR_A_STORE if hasattr(options, "target") else SHORT
    if options.run is _publish and total < 10 * _size_of_terms(options.target):
        most = _SHORT_FOR_A_PUBLICATION
    return None not in sizes and total < most


def _size_of_terms(target: str) -> int:
    """Returns the number of bytes of the terms that a TDB2 folder holds, which is 0 for another target."""
    folder = tdb2_folder(target)
    if folder is None:
        return 0
    generations = os.path.join(glob.escape(folder), "Data-*")
    return sum(size_of(file) or 0 for file in glob.glob(os.path.join(generations, "nodes-data.obj")))


# --- arguments


class _ShowVersion(argparse.Action):
    """Shows the version in one line, which argparse's own action would wrap."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(built_from())
        parser.exit()


def _log_as_asked(options: argparse.Namespace) -> None:
    """Shows our log records if -v was given."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(getattr(options, "verbose", 0), 2)]
    if level < logging.WARNING:
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
        logging.getLogger("jellybridge").setLevel(level)


@lru_cache(maxsize=None)
def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="jellybridge",
        description="Converts, compares, stores and publishes RDF data, and the patches that change it.",
        epilog="Formats go by the suffix, with .gz or .zst after it or not: .jellyp jelly-patch, .rdfp .rdp rdf-patch, "
               ".trp thrift; .jelly jelly, .nq nquads, .nt ntriples; .ttl turtle, .trig trig, .rdf .owl .xml rdfxml, "
               ".jsonld jsonld, .rj rdfjson, .trix trix; to read only, .n3 n3; to write only, .events "
               "events. '-' is standard input or output. Exit status: 0 fine, 1 bad data, 2 wrong use, 3 a server that can't "
               "be reached.",
    )
    parser.add_argument("-V", "--version", action=_ShowVersion, nargs=0,
                        help="show the version and exit")
    add_verbose(parser)
    verbs = parser.add_subparsers(metavar="COMMAND")
    show_help_without_command(parser)

    common = Parser(add_help=False)
    add_json(common)
    readable = (*PATCHES, *STATEMENTS, *DOCUMENTS)
    common.add_argument("--from-format", metavar="FORMAT", choices=readable,
                        help="the inputs' format: " + ", ".join(readable))
    _command_options.add(common, _command_options.READING)
    add_running(common)

    writing = Parser(add_help=False)
    formats = (*PATCHES, *STATEMENTS, *WRITTEN_DOCUMENTS, "events")
    writing.add_argument("--to-format", metavar="FORMAT", choices=formats,
                         help="the output's format: " + ", ".join(formats))
    _command_options.add(writing, _command_options.WRITING)

    verb = partial(add_command, verbs)

    made = verb("convert", _convert, "Convert a file into another format.", common, writing)
    made.add_argument("inputs", nargs="+", metavar="INPUT",
                      help="what to convert; of two names without -o and --out-dir, the second is the output")
    where = made.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", help="the output; several inputs become one")
    where.add_argument("--out-dir", metavar="DIR", help="one output for each input, NAME and the suffix of --to-format")
    _command_options.add(made, _command_options.MENDING)
    add_bad_statements(made)

    made = verb("cat", _cat, "Show files as text, or join them.", common, writing)
    made.add_argument("inputs", nargs="+", metavar="INPUT")
    made.add_argument("-o", "--output", default=STANDARD)

    made = verb("inspect", _inspect, "Show what is in a file.", common)
    made.add_argument("inputs", nargs="+", metavar="INPUT")

    made = verb("validate", _validate, "Name each broken rule, with its place.", common)
    made.add_argument("inputs", nargs="+", metavar="INPUT")
    made.add_argument("--max-faults", type=as_whole_number, default=_MAX_FAULTS, metavar="N",
                      help=f"how many faults of a file to show (default: {_MAX_FAULTS})")

    made = verb("apply", _apply, "Apply patches to a dataset.", common)
    made.add_argument("inputs", nargs="+", metavar="PATCH")
    made.add_argument("--to", dest="target", metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME, sparql:UPDATE?query=QUERY, or mem: to try it")
    made.add_argument("--on", metavar="FILE", help="apply the patches to the statements of this file instead of a dataset; -o names the result")
    made.add_argument("-o", "--output", help="the file for what becomes of --on; the suffix says the format")
    fits = made.add_mutually_exclusive_group()
    fits.add_argument("--check", action="store_true",
                      help="refuse a file, before it is applied, if a row deletes a missing statement or adds one that is there "
                           "(default: look only at deletions with blank nodes)")
    fits.add_argument("--no-check", action="store_true", help="apply it whatever the dataset holds")
    add_server_options(made, "DATASET")

    made = verb("sync", _sync, "Follow a log: apply what is new in it, in order, each patch exactly once.")
    made.set_defaults(inputs=[])
    made.add_argument("source", metavar="SOURCE", help="a folder of patches, one file, http://… or grpc://… of a log")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY")
    add_server_options(made, "DATASET")
    add_server_options(made, "SOURCE", "source-", "log-")
    made.add_argument("--lease-wait", type=float, metavar="SECONDS",
                      help="at a Fuseki without our module, how long to wait for another sync (default: 45)")
    made.add_argument("--break-lease", action="store_true", default=None,
                      help="there, take the lease of another sync, which then writes nothing")
    made.add_argument("--follow", action="store_true", help="go on until Ctrl-C or SIGTERM, and report each time that something is new")
    made.add_argument("--poll", dest="poll_seconds", type=float, default=1.0, metavar="SECONDS",
                      help="with --follow, the longest pause between two looks at SOURCE, if it can't wait for a new version (default: 1)")
    made.add_argument("--metrics", metavar="[HOST:]PORT",
                      help="with --follow, serve /metrics for Prometheus and /health there, on loopback if no HOST is given")
    made.add_argument("--until", metavar="ID", help="the last patch to apply: its id, its version in a log, or FILE#NUMBER")
    made.add_argument("--dry-run", action="store_true", help="say what would be applied, and apply nothing")
    made.add_argument("--quarantine", metavar="DIR", help="set patches aside there that can't be applied, and go on; exit status 1 if there are any")
    made.add_argument("--allow-empty", action="store_true", help="let SOURCE be a folder in which nothing is a patch")
    made.add_argument("--net-effect", action="store_true", help="apply only the last operation on a quad of a transaction")
    made.add_argument("--batch-rows", type=as_whole_number, default=BATCH_ROWS, metavar="N",
                      help=f"rows of a transaction (default: {BATCH_ROWS})")
    add_key(made)
    add_json(made)
    add_running(made)

    made = verb("publish", _publish, "Make a dataset equal to a snapshot, by the smallest change.", common)
    made.add_argument("inputs", nargs="*", metavar="FILE", help="the snapshot; several files are one together")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME, or mem: to try it")
    made.add_argument("--graph", metavar="IRI", help="the files are the content of this graph, and the others stay; default = the "
                      "default graph, which is what files of triples are without")
    made.add_argument("--graph-file", action="append", nargs=2, default=[], metavar=("IRI", "FILE"),
                      help="a file that is the content of a graph; may be said more than once, and the other graphs stay")
    made.add_argument("--log", metavar="LOG", help="a patch log that the dataset follows, to which the difference goes first")
    add_blank_nodes(made, "structure")
    made.add_argument("--max-delete", metavar="N|P%", help="refuse to delete more quads, or a larger share of them "
                      "(of one file, a limit of all also allows that it is empty)")
    made.add_argument("--guard", action="append", default=[], metavar="GUARD",
                      help="refuse to lose or to gain more of a kind: 'rdf:type skos:Concept -1%%', 'skos:prefLabel -10' or "
                           "'graph <urn:g> +50%%'; may be said more than once")
    made.add_argument("--shapes", metavar="FILE", help="SHACL shapes: refuse a change of a subject that violates one then")
    made.add_argument("--shapes-report", metavar="FILE", help="keep SHACL's report of the changed subjects, in Turtle")
    add_headers(made, "the difference in LOG", timed=True)
    made.add_argument("--allow-empty", action="append", default=[], metavar="FILE|IRI",
                      help="a file, or a graph, that may have no statement; without, one is refused where quads would be deleted")
    made.add_argument("--dry-run", action="store_true", help="find the difference, and change nothing")
    made.add_argument("--patch", metavar="FILE", help="keep the difference, as a file of patches; - shows it as text")
    add_bad_statements(made)
    made.add_argument("--no-verify", action="store_true",
                      help="of a server: compare only the numbers of quads afterwards, and not what they are")
    add_server_options(made, "DATASET")
    add_server_options(made, "LOG", "log-")

    made = verb("diff", _diff, "Write the patch that makes NEW of OLD.", common, writing)
    # Not one argument with nargs=2, since argparse could not say which one is missing.
    made.add_argument("inputs", action="append", metavar="OLD")
    made.add_argument("inputs", action="append", metavar="NEW")
    made.add_argument("-o", "--output", default=STANDARD)
    made.add_argument("--format", choices=("patch", *_difference.TEXTS), metavar="FORMAT",
                      help="text, markdown or json, for people; patch, for programs (default: by the suffix of -o, else text on a terminal, else patch)")
    add_difference_text(made)
    made.add_argument("--label", action="append", default=[], metavar="NAME",
                      help="what the text calls OLD; said twice, also NEW (default: their names)")
    made.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a difference; an error is 2, or 3 where a server can't be reached")
    add_blank_nodes(made, None, "label; structure where one is a document, such as turtle")
    made.add_argument("--allow-empty", action="store_true", help="let NEW have no statement where OLD has some")
    add_bad_statements(made)

    made = verb("report", _report_on, "Write a page about changes, or release notes.")
    made.add_argument("inputs", nargs="+", metavar="LOG|PATCH|OLD NEW", help="a patch log, a file of patches, or two files of statements")
    made.add_argument("-o", "--output", required=True, help="the file: .html for a page, .md for release notes")
    made.add_argument("--format", choices=("html", "markdown"), help="what to write (default: by the suffix)")
    made.add_argument("--title", metavar="TEXT", help="the title (default: one that names what is compared)")
    made.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI", help="a prefix; may be said more than once")
    made.add_argument("--base", metavar="IRI", help="of two files, the base of their relative IRIs (default: none may be relative)")
    made.add_argument("--first", type=as_version_or_time, metavar="N",
                      help="of a log, the version before the changes, or a time (default: 1; 0 = before it)")
    made.add_argument("--last", type=as_version_or_time, metavar="N", help="of a log, the last version, or a time (default: the head)")
    add_server_options(made, "LOG")
    add_running(made)
    add_json(made)

    _store_commands.add(verb)

    made = verb("serve", _serve, "Serve datasets and patch logs by Jelly's gRPC protocol.")
    made.set_defaults(inputs=[STANDARD])  # work of any length
    made.add_argument("config", metavar="CONFIG", help="the configuration file: [server] and [topic NAME]")
    add_running(made)

    made = verb("completion", _completion, "Print a script that completes commands and options in a shell.")
    made.set_defaults(inputs=[], heap=None)
    made.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")

    _patch_commands.add(verbs)
    _log_commands.add(verbs)
    return parser


# --- commands


def _convert(options: argparse.Namespace) -> int:
    inputs, output = list(options.inputs), options.output
    if options.out_dir is not None:
        return _convert_each(options)
    if output is None and len(inputs) > 2:
        raise UsageError("several inputs: name one output by -o, or a folder for theirs by --out-dir")
    if output is None:
        output = inputs.pop() if len(inputs) == 2 else STANDARD
    places, target = inputs_of(options, inputs), output_of(output, options.to_format)
    with bad_statements(options) as bad:
        _convert_one(options, places, target, bad)
    return FINE


def _convert_one(options: argparse.Namespace, inputs: List[FileLocation], output: str, bad: BadStatements) -> None:
    job = Job(**_command_options.of_files(options))
    with progress_bar(options, "convert", inputs) as bar:
        report = job.convert(inputs, options.from_format, output, options.to_format, bar.update, bad)
    if job.of_place:
        print(f"jellybridge: {of_place(job.of_place)}", file=sys.stderr)
    report_in_json(options, output, {"inputs": [each.name for each in inputs], "output": output,
                                     "patches": report.patches, "rows": report.rows, **_bad(options, report.bad)})


def _bad(options: argparse.Namespace, count: int) -> Dict[str, int]:
    return {} if getattr(options, "bad_statements", None) is None else {"bad": count}


def _convert_each(options: argparse.Namespace) -> int:
    if options.to_format is None:
        raise UsageError("--out-dir needs --to-format: what the outputs are to be")
    suffix = suffix_of(options.to_format)
    outputs: Dict[str, str] = {}
    for name in options.inputs:
        output = os.path.join(options.out_dir, _stem(name) + suffix)
        if output in outputs.values():
            raise UsageError(f"{output} would be the output of two inputs: convert them into different folders")
        outputs[name] = output
    os.makedirs(options.out_dir, exist_ok=True)
    with bad_statements(options) as bad:
        return _convert_to(options, outputs, bad)


def _convert_to(options: argparse.Namespace, outputs: Dict[str, str], bad: BadStatements) -> int:
    statuses = []
    for name, output in outputs.items():
        try:
            _convert_one(options, [input_of(options, name)], output, bad)
        except (JellybridgeError, UsageError) as e:
            message = _message(e)
            told = _command_options.in_message(message if name in message else f"{name}: {message}", options)
            statuses.append(fail(told, _status_of(e, options)))
            if options.json:
                print(json.dumps({"inputs": [name], "output": None, "error": message}))
    return min(statuses, default=FINE)


def _stem(name: str) -> str:
    """Returns the input's name without folder and suffixes: ``x.jellyp.gz`` becomes ``x``."""
    base = "stdin" if name == STANDARD else os.path.basename(os.path.normpath(name))
    return os.path.splitext(unpacked_name(base))[0]


def _cat(options: argparse.Namespace) -> int:
    inputs = inputs_of(options, options.inputs)
    if options.to_format is None and options.output == STANDARD:
        first = options.from_format or format_of_name(inputs[0].name)
        options.to_format = "rdf-patch" if first in PATCHES else "nquads"
    output = output_of(options.output, options.to_format)
    _convert_one(options, inputs, output, BadStatements(None, None))
    return FINE


def _examined(options: argparse.Namespace, max_faults: int) -> Iterator[Dict[str, Any]]:
    for place in inputs_of(options, options.inputs):
        with progress_bar(options, os.path.basename(place.name), [place]) as bar:
            job = Job(**{**_command_options.of_files(options), "strict": False})
            found = job.examine(place, options.from_format, options.strict, max_faults, bar.update)
        yield found


def _inspect(options: argparse.Namespace) -> int:
    status = FINE
    for found in _examined(options, 1):
        if options.json:
            print(json.dumps(found, ensure_ascii=False))
        else:
            print("\n".join(_described(found)))
        errors = [fault for fault in found["faults"] if fault["severity"] == "error"]
        if not found["valid"]:
            message = errors[0]["message"] if errors else f"{found['file']}: it is not valid; see validate"
            status = fail(message, BAD_DATA)
    return status


def _described(found: Dict[str, Any]) -> Iterator[str]:
    size = readable(found["bytes"])
    inflated = found["contentBytes"]
    yield f"{found['file']}: {found['format']}, {size}" + (
        f" ({readable(inflated)} uncompressed)" if inflated != found["bytes"] else "")
    if found.get("options"):
        given = (f"{name} {_plain(value)}" for name, value in found["options"].items() if value != "")
        yield "options       " + ", ".join(given)
    if "frames" in found:
        yield f"frames        {found['frames']:,}"
    for name, table in found.get("tables", {}).items():
        yield (f"{name:<13} {table['used']:,} of {table['size']:,} used, {table['written']:,} written, "
               f"{table['evictions']:,} evictions")
    if "rows" in found:
        rows = found["rows"]
        yield f"rows          {rows['total']:,}: " + _counts({k: v for k, v in rows.items() if k != "total"})
        patches = found["patches"]
        yield f"patches       {patches['total']:,}"
        for number, each in enumerate(patches["each"][:_SHOWN]):
            yield f"  {number:<11} {_counts(each)}"
        yield from _rest(patches["total"] - min(len(patches["each"]), _SHOWN), "patches")
        done = found["transactions"]
        yield (f"transactions  {done['begun']:,} begun, {done['committed']:,} committed, {done['aborted']:,} aborted; "
               f"the largest has {done['largest']:,} rows, {done['rowsOutside']:,} rows are outside of any")
    else:
        yield f"statements    {found['statements']:,}"
        yield f"namespaces    {found['namespaces']:,}"
        if found["graphStarts"]:
            yield f"graph starts  {found['graphStarts']:,}"
        if found["metadataEntries"]:
            yield f"metadata      {found['metadataEntries']:,} entries"
    graphs = found["graphs"]
    yield f"graphs        {len(graphs):,}"
    for graph in graphs[:_SHOWN]:
        counts = {name: count for name, count in graph.items() if name != "graph"}
        yield f"  {graph['graph'] or '(default)'}  {_counts(counts)}"
    yield from _rest(len(graphs) - _SHOWN, "graphs")
    if any(found["otherGraphs"].values()):
        yield f"  rows of graphs that are not listed: {_counts(found['otherGraphs'])}"


_SHOWN = 20


def _rest(count: int, what: str) -> Iterator[str]:
    if count > 0:
        yield f"  … and {count:,} {what} more; --json lists up to 1,000"


def _counts(counts: Dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items() if count) or "empty"


def _plain(value: Any) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _validate(options: argparse.Namespace) -> int:
    status = FINE
    for found in _examined(options, options.max_faults):
        if not found["valid"]:
            status = BAD_DATA
        if options.json:
            print(json.dumps(found, ensure_ascii=False))
            continue
        for fault in found["faults"]:
            severity = painted(f"{fault['severity']}:", "red" if fault["severity"] == "error" else "yellow", sys.stdout)
            print(f"{severity} {printable(_command_options.in_message(fault['message']))}")
        hidden = found["errors"] + found["warnings"] - len(found["faults"])
        if hidden > 0:
            print(f"{found['file']}: {hidden:,} faults more; --max-faults shows more of them")
        count = f"{found['rows']['total']:,} rows" if "rows" in found else f"{found['statements']:,} statements"
        verdict = "valid" if found["valid"] else f"{found['errors']:,} errors"
        warnings = f", {found['warnings']:,} warnings" if found["warnings"] else ""
        print(f"{found['file']}: {painted(verdict, 'green' if found['valid'] else 'red', sys.stdout)}{warnings}; {count}")
    return status


def _apply(options: argparse.Namespace) -> int:
    if (options.target is None) == (options.on is None) or (options.on is None) != (options.output is None):
        raise UsageError("name a dataset by --to, or a file by --on with an output by -o")
    inputs = inputs_of(options, options.inputs)
    if options.on is not None:
        if options.output == STANDARD or format_of_name(options.output) not in (*STATEMENTS, *WRITTEN_DOCUMENTS):
            raise UsageError(f"{options.output}: -o names a file of statements, such as new.ttl")
        output_of(options.output, None)
    patches = [(each.name, _as_jelly_patch(options, each)) for each in inputs]
    with Dataset.open(options.target or "mem:", options=_command_options.of_server(options)) as dataset:
        if options.on is not None:
            dataset.load(_as_jelly(options, options.on))
        for name, file in patches:
            report = dataset.apply(file, strict=options.strict, check_effective=True if options.check else False if options.no_check else None, progress=not options.quiet)
            counts = {"patches": report.patches, "transactions": report.transactions, "added": report.added,
                      "deleted": report.deleted, "aborted": report.aborted, "changed": report.changed}
            show_report(options, {"file": name, "target": hidden(options.target or options.output), **counts}, f"{name}: {report}")
            rows = report.added + report.deleted
            if report.changed is not None and report.changed < rows:
                print(f"jellybridge: {rows - report.changed:,} of {rows:,} rows changed nothing: {name} deletes what was not there, "
                      "or adds what was; --check refuses that", file=sys.stderr)
        if options.on is None:
            warn_of_log(options, dataset, options.target)
        else:
            dataset.dump(options.output)
    return FINE


def _as_jelly(options: argparse.Namespace, name: str) -> str:
    """Returns a temporary copy of a file of statements as Jelly, whose blank nodes have the labels that ``diff`` gives them."""
    place = input_of(options, name)
    copy = os.path.join(options.stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-")), "on.jelly")
    with progress_bar(options, f"read {os.path.basename(name)}", [place]) as bar:
        Job(**_command_options.of_files(options)).convert([place], None, copy, "jelly", bar.update, BadStatements(None, None))
    return copy


def _looked_at(target: str) -> str:
    """Returns the dataset for a dry run. For a missing TDB2 folder, which opening would create, it is an empty one in memory.
    """
    folder = tdb2_folder(target)
    is_file = folder is not None and os.path.isfile(folder)  # which is no database, and opening says so
    return "mem:" if _store_commands.is_new(target) and not is_file else target


def _sync(options: argparse.Namespace) -> int:
    if options.follow and (options.until is not None or options.dry_run):
        raise UsageError("--follow goes on without an end; leave out --until and --dry-run")
    if _command_options.of_server(options, "source_") and not options.source.startswith(LOG_SERVERS):
        raise UsageError("--source-user and its like are of a log on a server, and SOURCE is here: leave them out")
    if options.metrics is not None and not options.follow:
        raise UsageError("--metrics goes with --follow; for one moment, run jellybridge status --metrics")
    if not LOG_ADDRESS.match(options.source):
        _check_folder(options)
    elif not options.follow and _store_commands.is_new(options.target):
        PatchLog.open(options.source, options=_command_options.of_server(options, "source_")).close()  # a wrong one leaves no database
    target = _looked_at(options.target) if options.dry_run else options.target
    same: Dict[str, Any] = {
        "key": options.key, "on_error": "quarantine" if options.quarantine else "stop", "quarantine": options.quarantine,
        "batch_rows": options.batch_rows, "net_effect": options.net_effect, "progress": not options.quiet,
        "source_options": _command_options.of_server(options, "source_"), "allow_empty": options.allow_empty,
    }
    with Dataset.open(target, options=_command_options.of_server(options)) as dataset:
        if not options.follow:
            return show_sync(options, dataset.sync(options.source, until=options.until, dry_run=options.dry_run, **same))
        reports = dataset.follow(options.source, poll_seconds=options.poll_seconds, stop=stop_on_signals(), metrics=options.metrics, **same)
        return max((show_sync(options, report) for report in reports), default=FINE)


def _check_folder(options: argparse.Namespace) -> None:
    """Rejects a missing source, and an empty folder that is to go into a new TDB2 folder. Opening would create the latter."""
    path = existing(options.source)
    if os.path.isdir(path) and not os.listdir(path) and not options.allow_empty and _store_commands.is_new(options.target):
        with Dataset.open("mem:") as dataset:
            dataset.sync(path, dry_run=True, progress=False)


def _publish(options: argparse.Namespace) -> int:
    from ._publish import Snapshot

    by_graph = {graph: input_path(name) for graph, name in options.graph_file}
    if len(by_graph) < len(options.graph_file):
        raise UsageError("--graph-file names a graph twice; its content is one file")
    if bool(options.inputs) == bool(by_graph):
        raise UsageError("name the files of the snapshot, or by --graph-file one for each graph")
    inputs = list(map(input_path, options.inputs))
    source: Snapshot = by_graph or inputs
    names = [*inputs, *by_graph.values()]
    check_read_once([*options.inputs, *(name for _, name in options.graph_file)])
    for name in names:
        if not is_remote(name):
            input_of(options, name)  # reports a missing file before a database is created
    if options.log is not None:
        PatchLog.open(options.log, options=_command_options.of_server(options, "log_")).close()  # a wrong one leaves no database
    target = _looked_at(options.target) if options.dry_run else options.target
    with Dataset.open(target, options=_command_options.of_server(options)) as dataset, contextlib.ExitStack() as stack:
        patch = options.patch
        if patch == STANDARD:
            output_of(STANDARD, "rdf-patch")
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
            patch = os.path.join(folder, "difference.rdfp")
        reading = _command_options.of_files(options)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", UserWarning)  # printed below instead
        report = dataset.publish(
            source, graph=options.graph, log=options.log, log_options=_command_options.of_server(options, "log_") or None,
            blank_nodes=options.blank_nodes, max_delete=options.max_delete, guards=options.guard, author=options.author,
            message=options.message, time=options.time, headers=headers_of_options(options), shapes=options.shapes,
            shapes_report=options.shapes_report,
            allow_empty=list(map(input_path, options.allow_empty)), dry_run=options.dry_run,
            patch=patch, verify=not options.no_verify,
            format=options.from_format, strict=reading.pop("strict", False), progress=not options.quiet, bad_statements=options.bad_statements,
            max_bad=options.max_bad, **reading,
        )
        if options.log is None and report.changed and not options.dry_run:
            warn_of_log(options, dataset, options.target)
        warn_of_bad(report.bad, options.bad_statements)
        _warn_of_unsettled(report.unsettled)
        warn_of_positions(report.positions)
        for warning in report.warnings:
            print(printable(f"jellybridge: {options.shapes}: {warning}"), file=sys.stderr)
        if options.patch == STANDARD:
            with open(patch, encoding="utf-8") as text:
                _show_difference(text, f"{hidden(options.target)} was changed" if report.changed and not options.dry_run
                                 else "nothing was changed")
    show_report(options, {"target": hidden(options.target), **dataclasses.asdict(report)}, f"{hidden(options.target)}: {report}",
                sys.stderr if options.patch == STANDARD else None)
    return FINE


def _show_difference(text: TextIO, done: str) -> None:
    try:
        sys.stdout.writelines(_color.change(line, sys.stdout) for line in text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as e:
        raise JellybridgeError(f"the difference can't be written to standard output: {e.strerror}; {done}") from None


def _as_jelly_patch(options: argparse.Namespace, place: FileLocation) -> str:
    """Returns the file itself if its name says Jelly-Patch and the usual limits apply. Otherwise converts it to a temporary
    copy, which is deleted when the command ends.
    """
    path, name = place.path, place.name
    kind = options.from_format or format_of_name(path)
    if kind not in PATCHES:
        raise UsageError(f"{name} is {kind}: apply takes patches, in {', '.join(PATCHES)}")
    has_limits = any(getattr(options, name) is not None for name in _LIMITS)
    if kind == "jelly-patch" and path != STANDARD and options.from_format is None and not has_limits:
        return path
    folder = options.stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
    # Errors name the copy, so its name contains that of the original.
    copy = os.path.join(folder, f"{'stdin' if path == STANDARD else os.path.basename(name)}.jellyp")
    # The copy uses the usual table sizes, whatever those of the input are.
    job = Job(**_command_options.of_files(options), stream_type="PUNCTUATED", name_table_size=4000, prefix_table_size=150,
              datatype_table_size=32)
    with progress_bar(options, f"read {os.path.basename(name)}", [place]) as bar:
        job.convert([place], kind, copy, "jelly-patch", bar.update, BadStatements(None, None))
    return copy


def _diff(options: argparse.Namespace) -> int:
    names = list(options.inputs)
    for index, name in enumerate(names):
        if name == os.devnull:  # git's name for a file that is not there
            folder = options.stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
            options.inputs[index] = os.path.join(folder, f"nothing{suffix_of(options.from_format or 'nquads')}")
            open(options.inputs[index], "wb").close()
            options.allow_empty = True
            options.label = options.label or [os.devnull if each == name else each for each in names]
    for name in options.inputs:
        if os.path.isdir(name):
            raise UsageError(f"{name} is a folder: diff compares two files of statements, and `jellybridge log diff` versions of a log")
    old, new = inputs_of(options, options.inputs)
    if len(options.label) > 2:
        raise UsageError("--label names OLD and NEW, and is said three times")
    shown = _format_of_difference(options)
    if shown is None and options.to_format is None and options.output == STANDARD:
        options.to_format = "rdf-patch"
    output = STANDARD if shown and options.output == STANDARD else output_of(options.output, options.to_format)
    # Blank node labels of a document are local to it, so they never equal those of another file.
    documents = [each.name for each in (old, new) if (options.from_format or format_of_name(each.name)) in DOCUMENTS]
    how = options.blank_nodes or ("structure" if documents else "label")
    job = Job(**_command_options.of_files(options))
    with bad_statements(options) as bad, progress_bar(options, "diff", [old, new]) as bar:
        if shown is None:
            deleted, added, unsettled, positions, by_structure = job.diff(
                old, new, options.from_format, output, options.to_format, how, options.allow_empty, bar.update, bad
            )
        else:
            one, other = (job.snapshot(each, options.from_format, bad) for each in (old, new))
            made = job.compare(one, other, how, options.allow_empty, _difference.prefixes_of(options.prefix), None, bar.update)
            deleted, added, unsettled, positions = map(int, (made.deleted(), made.added(), made.unsettled(), made.positions()))
            by_structure = False  # who reads it sees no labels
    if shown is not None:
        labels: List[str] = options.label
        first, second = labels + [each.name for each in (old, new)[len(labels):]]
        show_difference(options, made, first, second, shown)
    if by_structure and options.blank_nodes is None:
        print(f"jellybridge: blank nodes were compared by structure, since the labels in {documents[-1]} are its own; "
              "--blank-nodes label compares labels", file=sys.stderr)
    _warn_of_unsettled(unsettled)
    warn_of_positions(positions)
    report_in_json(options, output, {"old": old.name, "new": new.name, "output": output, "deleted": deleted, "added": added,
                                     **_bad(options, bad.count)})
    return BAD_DATA if options.exit_code and deleted + added else FINE


def _format_of_difference(options: argparse.Namespace) -> Optional[str]:
    """Returns the format for people in which a difference is shown; ``None`` for a patch."""
    if options.format is not None and options.format != "patch":
        if options.to_format is not None:
            raise UsageError(f"--format {options.format} is no patch, and --to-format is of patches: leave one of them out")
        return str(options.format)
    if options.stat and (options.format or options.to_format):
        raise UsageError("--stat counts for people: leave the format of a patch out, or say --format markdown or json")
    if options.format is None and options.to_format is None:
        if options.output != STANDARD:
            return _difference.text_format_of(options.output, or_any=options.stat) or ("text" if options.stat else None)
        if options.stat or is_terminal(sys.stdout):
            return "text"
    return None


def _warn_of_unsettled(nodes: int) -> None:
    if nodes:
        print(f"jellybridge: {nodes} blank nodes are too symmetric to tell in time whether they changed: the patch is "
              "right, but may be larger than it has to be", file=sys.stderr)


def _report_on(options: argparse.Namespace) -> int:
    first, *rest = options.inputs
    if len(rest) > 1:
        raise UsageError("name a patch log, a file of patches, or two files of statements")
    if options.output == STANDARD:
        raise UsageError("a report goes to a file: name one by -o")
    source: Any = first
    if not rest and _change_report.is_log(first):
        source = options.stack.enter_context(PatchLog.open(first, options=_command_options.of_server(options)))
    made = _change_report.report(source, *rest, target=options.output, format=options.format, title=options.title,
                                 prefixes=_difference.prefixes_of(options.prefix), base=options.base, first=options.first, last=options.last)
    show_report(options, {"output": options.output, "added": made.added, "deleted": made.deleted},
                f"{options.output}: {made.added:,} added, {made.deleted:,} deleted")
    return FINE


def _serve(options: argparse.Namespace) -> int:
    """Serves until the process gets a request to terminate."""
    import asyncio
    import logging

    from . import grpc  # noqa: F401, says what is missing
    from .grpc._config import read_config
    from .grpc._server import run

    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.INFO)
    config = read_config(options.config)
    host = config.listen.rpartition(":")[0]
    asyncio.run(run(config, lambda port: logging.getLogger("jellybridge.serve").info("listening on %s:%d", host, port)))
    return FINE


def _completion(options: argparse.Namespace) -> int:
    from . import _completion

    print(_completion.script(_parser(), options.shell), end="")
    return FINE



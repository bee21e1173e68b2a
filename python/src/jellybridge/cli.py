"""The command line, ``jellybridge COMMAND``. Needs no Spark.

Exit status: 0 = success, 1 = bad data, 2 = wrong usage (also a missing file), 3 = a server that can't be reached. An error is
one line on standard error. A failed command leaves no partial output. ``argparse`` reads the arguments, since the package needs
JPype and nothing else.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import difflib
import glob
import json
import logging
import os
import re
import signal
import stat
import sys
import tempfile
import threading
import warnings
from datetime import datetime, timedelta, timezone
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, TextIO, Tuple, Union

from . import _class_archive, _color, _command_help, _command_options, _difference, _doors, _patch_commands
from ._capture import MAX_BYTES
from ._color import is_terminal, painted
from ._convert import STANDARD, BadStatements, Job, format_of, input_path, is_usage_error, of_place, of_positions, suffix_of
from ._errors import JellybridgeError, UnreachableError
from ._jars import built_from
from ._locations import LOG_SERVERS, TDB2, FileLocation, Source, absolute, existing_file, is_remote, patch_file, read_once
from ._log import LogEntry, PatchLog, headers_of
from ._log_rows import HistoryRow
from ._printed_reports import counted
from ._progress import ProgressBar, readable, timed
from ._redaction import hidden, hidden_in, printable
from ._sync import BATCH_ROWS, LOG_KEY, SyncReport, some
from ._times import moment

_LOG = logging.getLogger("jellybridge.cli")
FINE, BAD_DATA, USAGE, UNREACHABLE = 0, 1, 2, 3
_INTERRUPTED = 130
_TERMINATED = 143
_PATCHES = ("jelly-patch", "rdf-patch", "thrift")
#: Options that raise the limits of inputs.
_LIMITS = ("max_frame_bytes", "max_table_size", "max_term_bytes", "max_table_bytes")
_STATEMENTS = ("jelly", "nquads", "ntriples")
#: Formats of documents, whose blank node labels are local to them.
_DOCUMENTS = _difference.DOCUMENTS
#: Documents that can be written too.
_WRITTEN_DOCUMENTS = tuple(format for format in _DOCUMENTS if format != "n3")
#: The output formats of ``query``, see ``_sparql_results``.
_RESULTS = ("table", "tsv", "csv", "json", "ntriples", "nquads", *_WRITTEN_DOCUMENTS)
_TEXT = {"jelly-patch": False, "rdf-patch": True, "thrift": False, "jelly": False, "nquads": True, "ntriples": True,
         "events": True, **dict.fromkeys(_DOCUMENTS, True)}
_MAX_FAULTS = 100


class UsageError(Exception):
    """Raised for wrong usage of the command line."""


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
        return _fail(message, USAGE)
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
        return _fail(str(e), USAGE)
    except UnicodeEncodeError as e:  # for example a file name that the system's encoding lacks
        return _fail(f"{e.object!a} can't be written in {e.encoding}: {e.reason}", USAGE)
    except BrokenPipeError:
        return _die_of_pipe()
    except KeyboardInterrupt:
        return _end("interrupted", _INTERRUPTED)
    except _Terminated:
        return _end("terminated", _TERMINATED)
    except JellybridgeError as e:
        if e.java is not None and e.java.endswith(".BrokenPipeException"):
            return _die_of_pipe()
        return _fail(_command_options.in_message(_message(e), options), _status_of(e, options))
    except ValueError as e:  # Python rejected an argument
        return _fail(_command_options.in_message(str(e), options), USAGE)
    except OSError as e:
        message = f"{e.filename}: {e.strerror}" if e.filename else str(e)
        return _fail(message, _status_of(e, options))


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


def _fail(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        sign = painted("jellybridge:", "red" if status else "yellow", sys.stderr)
        print(f"{sign} {printable(hidden_in(_command_options.in_message(message)))}", file=sys.stderr)
    return status


def _end(message: str, status: int) -> int:
    with contextlib.suppress(Exception):
        Job().abandon()
    return _fail(message, status)


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
        _fail(str(message), FINE)

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
        return [(role, os.path.realpath(absolute(name))) for role, name in roles if name != STANDARD and not is_remote(name)]

    inputs = [*(getattr(options, "inputs", None) or ()), *(file for _, file in getattr(options, "graph_file", ()))]
    asides = found(named(*_SIDE_OUTPUTS))
    others = found([*(("an input", name) for name in inputs), *named("output", "base", "shapes")])
    for role, file in asides:
        for other, same in [*others, *asides]:
            if file == same and role != other and (os.path.isfile(file) or not os.path.exists(file)):
                raise UsageError(f"{file} is {other} and {role}: give them files of their own")


#: Options that mean nothing without another option or argument, by that one. A name with ``_`` at its end begins their names.
_NEEDED = {
    "bad_statements": ("max_bad",), "shapes": ("shapes_report",), "log": ("author", "message", "time", "header", "log_"),
    "beyond": ("beyond_",), "dataset": ("dataset_",), "target": ("dataset_",),
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
        "-XX:TieredStopAtLevel=1" if _is_short(options) else "-XX:+TieredCompilation",
        f"-Djava.io.tmpdir={tempfile.gettempdir()}",
    ]


# Up to this many bytes of input, a command is as fast with the first compiler alone, and needs half of the CPU time. Our own
# loops over a file gain little from the second compiler, but the many layers of a store gain much. A publication into a store of
# about that size reads both by our own loops, and mostly changes little.
_SHORT = 32 << 20
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
    sizes = [_size(name) for name in names]
    total = sum(size or 0 for size in sizes)
    most = _SHORT_FOR_A_STORE if hasattr(options, "target") else _SHORT
    if options.run is _publish and total < 10 * _size_of_terms(options.target):
        most = _SHORT_FOR_A_PUBLICATION
    return None not in sizes and total < most


def _size_of_terms(target: str) -> int:
    """Returns the number of bytes of the terms that a TDB2 folder holds, which is 0 for another target."""
    if not target.startswith(TDB2):
        return 0
    generations = os.path.join(glob.escape(target[len(TDB2):]), "Data-*")
    return sum(_size(file) or 0 for file in glob.glob(os.path.join(generations, "nodes-data.obj")))


def _size(name: str) -> Optional[int]:
    """Returns the size of a file, or of the files in a folder, as far as that is more than a short command reads. ``None`` if it is
    unknown, as for standard input, pipes and downloads.
    """
    try:
        status = os.stat(name)
    except OSError:
        return None
    if not stat.S_ISDIR(status.st_mode):
        return None if stat.S_ISFIFO(status.st_mode) else status.st_size
    total = 0
    for folder, _, files in os.walk(name):
        for file in files:
            total += _size(os.path.join(folder, file)) or 0
            if total >= _SHORT:
                return total
    return total


# --- arguments


def _whole_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text} is no whole number of at most 18 digits")
    return int(text)


_AGES = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _age(text: str) -> timedelta:
    match = re.fullmatch("([0-9]{1,6})([smhdw])", text)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text} is no age such as 30d, 12h, 90m, 45s or 8w")
    return timedelta(**{_AGES[match[2]]: int(match[1])})


def _moment(text: str) -> datetime:
    now = datetime.now(timezone.utc)
    try:
        if text == "yesterday":
            return now - timedelta(days=1)
        if re.fullmatch("[0-9]{1,6}[smhdw]", text):
            return now - _age(text)
        return moment(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text} is no time such as 2024-05-01T12:00:00Z, yesterday, 12h or 30d") from None


def _version(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text} is no version")
    return int(text)


def _version_or_time(text: str) -> Union[int, datetime]:
    return _version(text) if re.fullmatch("-?[0-9]{1,18}", text) else _moment(text)


class _Parser(argparse.ArgumentParser):
    """An argument parser that reports an error in one line, with a suggestion if there is one."""

    def __init__(self, **how: Any) -> None:
        # No abbreviated options: they could become ambiguous in a later version.
        super().__init__(allow_abbrev=False, **how)

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}{' See' if message.endswith('?') else '; see'} {self.prog} --help")

    def format_help(self) -> str:
        return _color.help_page(_command_help.text(self), sys.stdout)

    def format_usage(self) -> str:
        return f"usage: {_command_help.usage(self)}\n"

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        given = list(sys.argv[1:] if args is None else args)
        found, unknown = super().parse_known_args(self._options_first(given), namespace)
        found.parser = getattr(found, "parser", self)
        if unknown:
            options = [word.partition("=")[0] for word in unknown if word.startswith("-")]
            if options:
                self.error(f"there is no option {options[0]}{_meant(options[0], self._option_string_actions)}")
            self.error(f"{unknown[0]} is one argument too many")
        return found, unknown

    def _options_first(self, given: List[str]) -> List[str]:
        """Moves the positional arguments after the options. Otherwise argparse takes the first group of them for all."""
        if _command_help.subcommands(self) is not None:
            return given
        options: List[str] = []
        others: List[str] = []
        at = 0
        while at < len(given):
            word = given[at]
            at += 1
            if word == "--":
                return [*options, word, *others, *given[at:]]
            if word == STANDARD or not word.startswith("-") or re.fullmatch("-[0-9]+", word):
                others.append(word)
                continue
            values = self._values_after(word)
            if at + values > len(given):
                return given  # argparse reports the missing value
            options += [word, *given[at:at + values]]
            at += values
        return [*options, *others]

    def _values_after(self, word: str) -> int:
        """Returns how many of the next words are values of an option, or of the last letter of several, such as ``-vo``."""
        names = [word] if word in self._option_string_actions else [f"-{letter}" for letter in word[1:]]
        for number, name in enumerate(names, 1):
            action = self._option_string_actions.get(name)
            values = 0 if action is None else 1 if action.nargs is None else action.nargs
            assert isinstance(values, int), f"{name} takes no certain number of values"
            if action is None or values:
                return values if number == len(names) else 0
        return 0

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        what = f"value of {'/'.join(action.option_strings)}" if action.option_strings else "command"
        choices = [str(choice) for choice in action.choices]
        raise argparse.ArgumentError(None, f"{value} is no {what}: {', '.join(choices)}{_meant(str(value), choices)}")


def _meant(word: str, names: Iterable[str]) -> str:
    known = list(names)
    # An option that was cut short, such as --to-f, is nearer than one that is spelled alike.
    found = [name for name in known if len(word) > 2 and name.startswith(word)] or difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {found[0]}?" if found else ""


class _ShowVersion(argparse.Action):
    """Shows the version in one line, which argparse's own action would wrap."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        print(built_from())
        parser.exit()


def _show_help_without_command(parser: argparse.ArgumentParser) -> None:
    def show(options: argparse.Namespace) -> int:
        print(parser.format_help(), end="")
        return FINE

    parser.set_defaults(run=show, inputs=[], heap=None)


def _add_verbose(parser: argparse.ArgumentParser) -> None:
    # Without a default, so that a command does not overrule what stands before it.
    parser.add_argument("-v", "--verbose", action="count", default=argparse.SUPPRESS,
                        help="log on standard error what is done; -vv also with the stack trace of an error")


def _add_command(
    commands: Any, name: str, does: Callable[[argparse.Namespace], int], about: str, *parents: argparse.ArgumentParser, **defaults: Any
) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about, parents=list(parents))
    made.set_defaults(run=does, **defaults)
    _add_verbose(made)
    return made


def _log_as_asked(options: argparse.Namespace) -> None:
    """Shows our log records if -v was given."""
    level = (logging.WARNING, logging.INFO, logging.DEBUG)[min(getattr(options, "verbose", 0), 2)]
    if level < logging.WARNING:
        logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s")
        logging.getLogger("jellybridge").setLevel(level)


def _add_credentials(parser: argparse.ArgumentParser, server: str, prefix: str = "") -> None:
    """Adds options for credentials. Secrets come from files, since everybody can see the arguments of a process."""
    parser.add_argument(f"--{prefix}user", metavar="NAME", help=f"the user's name for {server}, where it is on a server")
    parser.add_argument(f"--{prefix}password-file", metavar="FILE", help="a file that holds that user's password alone")
    parser.add_argument(f"--{prefix}token-file", metavar="FILE", help=f"a file that holds a token for {server} alone")
    parser.add_argument(f"--{prefix}authority", metavar="FILE",
                        help=f"PEM certificates of who vouches for {server}; without, those that Java trusts")
    parser.add_argument(f"--{prefix}certificate", metavar="FILE", help=f"the PEM certificate that {server} asks for")
    parser.add_argument(f"--{prefix}certificate-key", metavar="FILE", help="its key, in PKCS #8")
    parser.add_argument(f"--{prefix}insecure", action="store_true", default=None,
                        help="send a password or a token to another machine also without TLS")


def _add_blank_nodes(parser: argparse.ArgumentParser, default: Optional[str], where: str = "") -> None:
    parser.add_argument("--blank-nodes", choices=("label", "structure"), default=default,
                        help=f"when two are the same: by their label, or by what is said of them (default: {default or where})")


def _add_text(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a difference as people read it."""
    parser.add_argument("--stat", action="store_true", help="count by graph, class and predicate, and leave the statements out")
    parser.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI",
                        help="a prefix for the text; may be said more than once")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", metavar="WHEN",
                        help="auto, always or never color the text (default: auto, on a terminal)")


def _add_headers(parser: argparse.ArgumentParser, what: str, timed: bool = False) -> None:
    parser.add_argument("--author", metavar="NAME", help=f"who made {what}, as a header")
    parser.add_argument("--message", metavar="TEXT", help=f"why {what} was made, as a header")
    parser.add_argument("--header", action="append", default=[], metavar="NAME=VALUE",
                        help=f"another header of {what}, such as ticket=ABC-12; may be said more than once")
    if timed:
        parser.add_argument("--time", metavar="TIME", help=f"when {what} was made, such as 2024-05-01T12:00:00Z, as a header (default: now)")


def _add_bad_statements(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bad-statements", metavar="FILE",
                        help="set statements aside there that can't be read, each with its place and what is wrong, and go on")
    parser.add_argument("--max-bad", metavar="N|P%", help="refuse a file with more of them, or a larger share")


@lru_cache(maxsize=None)
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
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
    _add_verbose(parser)
    verbs = parser.add_subparsers(metavar="COMMAND")
    _show_help_without_command(parser)

    common = _Parser(add_help=False)
    common.add_argument("--json", action="store_true", help="report in JSON, one object a line")
    readable = (*_PATCHES, *_STATEMENTS, *_DOCUMENTS)
    common.add_argument("--from-format", metavar="FORMAT", choices=readable,
                        help="the inputs' format: " + ", ".join(readable))
    _command_options.add(common, _command_options.READING)
    common.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")
    common.add_argument("--quiet", action="store_true", help="no progress bar")

    writing = _Parser(add_help=False)
    formats = (*_PATCHES, *_STATEMENTS, *_WRITTEN_DOCUMENTS, "events")
    writing.add_argument("--to-format", metavar="FORMAT", choices=formats,
                         help="the output's format: " + ", ".join(formats))
    _command_options.add(writing, _command_options.WRITING)

    verb = partial(_add_command, verbs)

    made = verb("convert", _convert, "Convert a file into another format.", common, writing)
    made.add_argument("inputs", nargs="+", metavar="INPUT",
                      help="what to convert; of two names without -o and --out-dir, the second is the output")
    where = made.add_mutually_exclusive_group()
    where.add_argument("-o", "--output", help="the output; several inputs become one")
    where.add_argument("--out-dir", metavar="DIR", help="one output for each input, NAME and the suffix of --to-format")
    _command_options.add(made, _command_options.MENDING)
    _add_bad_statements(made)

    made = verb("cat", _cat, "Show files as text, or join them.", common, writing)
    made.add_argument("inputs", nargs="+", metavar="INPUT")
    made.add_argument("-o", "--output", default=STANDARD)

    made = verb("inspect", _inspect, "Show what is in a file.", common)
    made.add_argument("inputs", nargs="+", metavar="INPUT")

    made = verb("validate", _validate, "Name each broken rule, with its place.", common)
    made.add_argument("inputs", nargs="+", metavar="INPUT")
    made.add_argument("--max-faults", type=_whole_number, default=_MAX_FAULTS, metavar="N",
                      help=f"how many faults of a file to show (default: {_MAX_FAULTS})")

    made = verb("apply", _apply, "Apply patches to a dataset.", common)
    made.add_argument("inputs", nargs="+", metavar="PATCH")
    made.add_argument("--to", dest="target", metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME, sparql:UPDATE?query=QUERY, or mem: to try it")
    made.add_argument("--on", metavar="FILE", help="change the statements of this file, in memory, in place of a dataset")
    made.add_argument("-o", "--output", help="the file for what becomes of --on; the suffix says the format")
    fits = made.add_mutually_exclusive_group()
    fits.add_argument("--check", action="store_true",
                      help="refuse a file of which a row would delete what is not there, or add what is, before it is applied "
                           "(default: one that deletes statements with blank nodes that are not there)")
    fits.add_argument("--no-check", action="store_true", help="apply it whatever the dataset holds")
    _add_credentials(made, "DATASET")

    made = verb("sync", _sync, "Follow a log: apply what is new in it, in order, each patch exactly once.")
    made.set_defaults(inputs=[])
    made.add_argument("source", metavar="SOURCE", help="a folder of patches, one file, http://… or grpc://… of a log")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY")
    _add_credentials(made, "DATASET")
    _add_credentials(made, "SOURCE", "source-")
    made.add_argument("--lease-wait", type=float, metavar="SECONDS",
                      help="at a Fuseki without our module, how long to wait for another sync (default: 45)")
    made.add_argument("--break-lease", action="store_true", default=None,
                      help="there, take the lease of another sync, which then writes nothing")
    made.add_argument("--follow", action="store_true", help="go on until Ctrl-C or SIGTERM, and report each time that something is new")
    made.add_argument("--poll", dest="poll_seconds", type=float, default=1.0, metavar="SECONDS",
                      help="with --follow, the longest pause between two looks at SOURCE, if it can't wait for a new version (default: 1)")
    made.add_argument("--metrics", metavar="[HOST:]PORT",
                      help="with --follow, serve /metrics for Prometheus and /health there, on loopback if no HOST is given")
    made.add_argument("--until", metavar="ID", help="the last patch to apply: its id, or FILE#NUMBER")
    made.add_argument("--dry-run", action="store_true", help="say what would be applied, and apply nothing")
    made.add_argument("--quarantine", metavar="DIR", help="set patches aside there that can't be applied, and go on; exit status 1 if there are any")
    made.add_argument("--allow-empty", action="store_true", help="let SOURCE be a folder in which nothing is a patch")
    made.add_argument("--net-effect", action="store_true", help="apply only the last operation on a quad of a transaction")
    made.add_argument("--batch-rows", type=_whole_number, default=BATCH_ROWS, metavar="N",
                      help=f"rows of a transaction (default: {BATCH_ROWS})")
    made.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")
    made.add_argument("--json", action="store_true", help="report in JSON")
    made.add_argument("--quiet", action="store_true", help="draw no progress bar")
    made.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")

    made = verb("publish", _publish, "Make a dataset equal to a snapshot, by the smallest change.", common)
    made.add_argument("inputs", nargs="*", metavar="FILE", help="the snapshot; several files are one together")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET",
                      help="tdb2:DIR, http://host:3030/NAME, or mem: to try it")
    made.add_argument("--graph", metavar="IRI", help="the files are the content of this graph, and the others stay; default = the "
                      "default graph, which is what files of triples are without")
    made.add_argument("--graph-file", action="append", nargs=2, default=[], metavar=("IRI", "FILE"),
                      help="a file that is the content of a graph; may be said more than once, and the other graphs stay")
    made.add_argument("--log", metavar="LOG", help="a patch log that the dataset follows, to which the difference goes first")
    _add_blank_nodes(made, "structure")
    made.add_argument("--max-delete", metavar="N|P%", help="refuse to delete more quads, or a larger share of them "
                      "(of one file, a limit of all also allows that it is empty)")
    made.add_argument("--guard", action="append", default=[], metavar="GUARD",
                      help="refuse to lose or to gain more of a kind: 'rdf:type skos:Concept -1%%', 'skos:prefLabel -10' or "
                           "'graph <urn:g> +50%%'; may be said more than once")
    made.add_argument("--shapes", metavar="FILE", help="SHACL shapes: refuse a change of a subject that violates one then")
    made.add_argument("--shapes-report", metavar="FILE", help="keep SHACL's report of the changed subjects, in Turtle")
    _add_headers(made, "the difference in LOG", timed=True)
    made.add_argument("--allow-empty", action="append", default=[], metavar="FILE|IRI",
                      help="a file, or a graph, that may have no statement; without, one is refused where quads would be deleted")
    made.add_argument("--dry-run", action="store_true", help="find the difference, and change nothing")
    made.add_argument("--patch", metavar="FILE", help="keep the difference, as a file of patches; - shows it as text")
    _add_bad_statements(made)
    made.add_argument("--no-verify", action="store_true",
                      help="of a server: compare only the numbers of quads afterwards, and not what they are")
    _add_credentials(made, "DATASET")
    _add_credentials(made, "LOG", "log-")

    made = verb("diff", _diff, "Write the patch that makes NEW of OLD.", common, writing)
    # Not one argument with nargs=2, since argparse could not say which one is missing.
    made.add_argument("inputs", action="append", metavar="OLD")
    made.add_argument("inputs", action="append", metavar="NEW")
    made.add_argument("-o", "--output", default=STANDARD)
    made.add_argument("--format", choices=("patch", *_difference.TEXTS), metavar="FORMAT",
                      help="text, markdown or json, for people; patch, for programs (default: by the suffix of -o, else text on a terminal, else patch)")
    _add_text(made)
    made.add_argument("--label", action="append", default=[], metavar="NAME",
                      help="what the text calls OLD; said twice, also NEW (default: their names)")
    made.add_argument("--exit-code", action="store_true", help="exit with 1 if there is a difference; an error is 2, or 3 where a server can't be reached")
    _add_blank_nodes(made, None, "label; structure where one is a document, such as turtle")
    made.add_argument("--allow-empty", action="store_true", help="let NEW have no statement where OLD has some")
    _add_bad_statements(made)

    made = verb("report", _report_on, "Write a page about changes, or release notes.")
    made.add_argument("inputs", nargs="+", metavar="LOG|PATCH|OLD NEW", help="a patch log, a file of patches, or two files of statements")
    made.add_argument("-o", "--output", required=True, help="the file: .html for a page, .md for release notes")
    made.add_argument("--format", choices=("html", "markdown"), help="what to write (default: by the suffix)")
    made.add_argument("--title", metavar="TEXT", help="the title (default: one that names what is compared)")
    made.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI", help="a prefix; may be said more than once")
    made.add_argument("--first", type=_version, metavar="N", help="of a log, the version to compare with (default: 1; 0 = before it)")
    made.add_argument("--last", type=_version, metavar="N", help="of a log, the last version (default: the head)")
    _add_credentials(made, "LOG")
    made.add_argument("--quiet", action="store_true", help="no progress bar")
    made.add_argument("--json", action="store_true", help="report in JSON")
    made.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")

    _add_store_commands(verb)

    made = verb("serve", _serve, "Serve datasets and patch logs by Jelly's gRPC protocol.")
    made.set_defaults(inputs=[STANDARD])  # work of any length
    made.add_argument("config", metavar="CONFIG", help="the configuration file: [server] and [topic NAME]")
    made.add_argument("--quiet", action="store_true", help="no progress bar")
    made.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")

    made = verb("completion", _completion, "Print a script that completes commands and options in a shell.")
    made.set_defaults(inputs=[], heap=None)
    made.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")

    _patch_commands.add(verbs, _Parser, _add_verbose, _show_help_without_command)
    _add_log(verbs)
    return parser


def _add_store_commands(verb: Callable[..., argparse.ArgumentParser]) -> None:
    """Adds the commands for stores."""
    common = _Parser(add_help=False)
    _add_credentials(common, "DATASET")
    common.add_argument("--quiet", action="store_true", help="no progress bar")
    common.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")
    common.set_defaults(inputs=[STANDARD])  # work of any length
    where = "tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY"
    report = "report in JSON, one object a line"

    made = verb("load", _load, "Add the statements of files to a dataset.", common)
    made.add_argument("inputs", nargs="+", metavar="FILE", help="statements, by a path or a URL; each is one transaction")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET", help=f"{where}; mem: to try it")
    made.add_argument("--graph", metavar="IRI", help="the graph for the statements of files that name none")
    formats = (*_STATEMENTS, *_DOCUMENTS)
    made.add_argument("--from-format", metavar="FORMAT", choices=formats,
                      help="the files' format (default: by their suffixes): " + ", ".join(formats))
    _command_options.add(made, _command_options.LOADING)
    _add_bad_statements(made)
    made.add_argument("--json", action="store_true", help=report)

    made = verb("dump", _dump, "Write a whole dataset, or a graph of it, to a file.", common)
    made.add_argument("dataset", metavar="DATASET", help=where)
    made.add_argument("--graph", metavar="IRI", help="only this graph, as triples; default = the default graph")
    made.add_argument("-o", "--output", default=STANDARD, help="the file, whose suffix says the format (default: standard output)")
    written = (*_STATEMENTS, *_WRITTEN_DOCUMENTS)
    made.add_argument("--to-format", metavar="FORMAT", choices=written,
                      help="the output's format (default: by its suffix, nquads for standard output): " + ", ".join(written))
    made.add_argument("--json", action="store_true", help=report)

    asking = _Parser(add_help=False)
    asking.add_argument("dataset", metavar="DATASET", help=f"{where}; a query takes a file of statements, too; mem: to try it")
    asking.add_argument("sparql", nargs="?", metavar="SPARQL", help="what to run; - is standard input")
    asking.add_argument("--file", metavar="FILE", help="a file that holds the SPARQL")
    asking.add_argument("--timeout", type=float, metavar="SECONDS", help="how long it may take")
    asking.add_argument("--service", action="store_true",
                        help="allow SERVICE in a dataset of this machine; it asks other servers with the rights of this process")

    made = verb("query", _query, "Run a SPARQL query over a dataset, a file or a version of a log, and print its result.", common, asking)
    which = made.add_mutually_exclusive_group()
    which.add_argument("--version", type=_version, metavar="N", help="DATASET is a patch log, and this version of it is asked")
    which.add_argument("--time", type=_moment, metavar="TIME",
                       help="likewise the last version that was there by then: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("--from-format", metavar="FORMAT", choices=formats,
                      help="DATASET is a file, a pipe or standard input, in this format: " + ", ".join(formats))
    _command_options.add(made, _command_options.LOADING)
    made.add_argument("--to-format", metavar="FORMAT", choices=tuple(_RESULTS),
                      help="table, tsv, csv or json of SELECT and ASK (default: table on a terminal, else tsv); table or statements "
                           "of CONSTRUCT and DESCRIBE: ntriples (default), nquads, " + ", ".join(_WRITTEN_DOCUMENTS))

    made = verb("update", _update, "Run a SPARQL update, in one transaction.", common, asking)
    made.add_argument("--load", action="store_true", help="allow LOAD, which reads files and addresses of the network")
    made.add_argument("--json", action="store_true", help=report)

    made = verb("status", _status, "Show the size of a dataset, and its position in a log.", common)
    made.add_argument("dataset", metavar="DATASET", help=where)
    made.add_argument("log", nargs="?", metavar="LOG", help="a patch log that it follows: say how far it is behind")
    made.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")
    _add_credentials(made, "LOG", "log-")
    made.add_argument("--json", action="store_true", help=report)
    made.add_argument("--metrics", action="store_true", help="print the figures in the text format of Prometheus")


def _add_log(verbs: Any) -> None:
    """Adds the command ``log`` and its subcommands."""
    about = "Make, read, compare, append to, revert, compact, check, repair, verify, adopt, checkpoint and prune patch logs."
    log = verbs.add_parser(
        "log", help=about, description=about,
        epilog="LOG is a folder, http://host:3030/$/patch-logs/NAME, or grpc://host:7878/NAME of jellybridge serve.",
    )
    commands = log.add_subparsers(metavar="COMMAND")
    _show_help_without_command(log)

    common = _Parser(add_help=False)
    common.add_argument("log", metavar="LOG")
    _add_credentials(common, "LOG")
    common.add_argument("--json", action="store_true", help="report in JSON, one object a line")
    common.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")
    common.add_argument("--quiet", action="store_true", help="no progress bar")
    versions = _Parser(add_help=False)
    versions.add_argument("--first", type=_version, metavar="N", help="the first version (default: the oldest)")
    versions.add_argument("--last", type=_version, metavar="N", help="the last version (default: the head)")

    verb = partial(_add_command, commands, inputs=[])

    made = verb("create", _log_create, "Make a new log.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--state", metavar="FILE",
                      help="begin with the statements of this file, as version 1; the suffix says the format")
    made.add_argument("--if-missing", action="store_true", help="leave a log that is there as it is, with status 0")
    made = verb("list", _log_list, "List the patches: version, id, prev, time, counts, author, message.", common, versions)
    made.add_argument("--grep", metavar="REGEX", help="only patches with an author, a message or another header, as NAME=VALUE, that it matches")
    showing = _Parser(add_help=False)
    showing.add_argument("--format", choices=tuple(_difference.TEXTS), default="text", metavar="FORMAT",
                         help="text, markdown or json (default: text)")
    _add_text(showing)
    made = verb("show", _log_show, "Show what a version changed, by subject.", common, showing)
    made.add_argument("version", type=_version, nargs="?", metavar="VERSION", help="which version (default: the head)")
    made = verb("diff", _log_diff, "Show what changed between two versions, by subject.", common, showing)
    made.add_argument("old", type=_version_or_time, metavar="OLD",
                      help="a version, 0 = before the first patch; or a time: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("new", type=_version_or_time, nargs="?", metavar="NEW", help="likewise (default: the head)")
    made = verb("history", _log_history, "List the changes of a subject or a predicate: version, time, operation, quad.", common)
    made.add_argument("--subject", metavar="IRI", help="changes of this subject, an IRI or a name such as skos:Concept")
    made.add_argument("--predicate", metavar="IRI", help="changes of this predicate")
    made.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI",
                      help="a prefix beside those of the log and well-known ones; may be said more than once")
    made.add_argument("--since", type=_moment, metavar="TIME", help="patches from then on: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made = verb("revert", _log_revert, "Append a patch that undoes a version.", common)
    made.add_argument("version", type=_version, metavar="VERSION")
    _add_headers(made, "the patch")
    made = verb("restore", _log_restore, "Append a patch that makes the head equal to a version.", common)
    made.add_argument("version", type=_version, metavar="VERSION", help="the version; 0 = before the first patch")
    made.add_argument("--to", dest="target", metavar="DATASET", help="a dataset that follows the log, and is synced then")
    _add_credentials(made, "DATASET", "dataset-")
    made.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")
    _add_headers(made, "the patch")
    made = verb("append", _log_append, "Append the patches of files, each by itself.", common)
    made.add_argument("inputs", nargs="+", metavar="PATCH")
    made.add_argument("--prev", metavar="ID",
                      help="the patch that the first one follows, '' for none "
                           "(default: the one that its header prev names, else the head)")
    made.add_argument("--from-format", metavar="FORMAT", choices=_PATCHES,
                      help="the files' format (default: by their suffixes): " + ", ".join(_PATCHES))
    made.add_argument("--strict", action="store_true", help="refuse every broken MUST of Jelly-Patch")
    _add_headers(made, "each patch", timed=True)
    made = verb("fetch", _log_fetch, "Write patches to one file, whose suffix says the format.", common, versions)
    made.add_argument("-o", "--output", required=True)
    made.add_argument("--beyond", metavar="OTHER", help="only what this copy of the log lacks, which began with the same patches")
    _add_credentials(made, "OTHER", "beyond-")
    made.add_argument("--on-error", choices=("stop", "quarantine"), default="stop",
                      help="what to do at a patch that can't be read; quarantine = leave it out and name it; exit status 1 then")
    made = verb("compact", _log_compact, "Join the files of a log in a folder; what it says stays the same.", common)
    made.add_argument("--max-bytes", type=_whole_number, default=MAX_BYTES, metavar="N",
                      help="join files until they have so many bytes (default: 67108864)")
    verb("objects", _log_objects, "Write objects.json, the list of the files of a log, for a plain web server.", common)
    made = verb("checkpoint", _log_checkpoint, "Keep the state at a version in the folder of a log.", common)
    made.set_defaults(inputs=[STANDARD])  # work of any length
    made.add_argument("--version", type=_version, metavar="N", help="which version (default: the head)")
    made = verb("state", _log_state, "Write the state at a version to one file, whose suffix says the format.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("-o", "--output", required=True)
    which = made.add_mutually_exclusive_group()
    which.add_argument("--version", type=_version, metavar="N", help="which version (default: the head)")
    which.add_argument("--id", metavar="ID", help="that of the patch with this id")
    which.add_argument("--time", type=_moment, metavar="TIME",
                       help="the last one that was there by then: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made = verb("prune", _log_prune, "Take patches away that a checkpoint covers.", common)
    how = made.add_mutually_exclusive_group(required=True)
    how.add_argument("--before", type=_version, metavar="VERSION", help="patches of lower versions than this")
    how.add_argument("--keep", type=_age, metavar="AGE", help="patches that are older: 30d, 12h, 90m, 45s, 8w")
    made = verb("verify", _log_verify, "Verify a log and its checkpoints, or a dataset by a log.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--dataset", metavar="DATASET",
                      help="compare this one with the log instead: tdb2:DIR or http://host:3030/NAME")
    _add_credentials(made, "DATASET", "dataset-")
    made.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")
    made = verb("adopt", _log_adopt, "Put a dataset that has data at a version of a log that says the same.", common)
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("--dataset", required=True, metavar="DATASET",
                      help="which dataset: tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY")
    made.add_argument("--version", type=_version, metavar="N", help="which version (default: the head)")
    _add_credentials(made, "DATASET", "dataset-")
    made.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")
    verb("check", _log_check, "Name each fault of a log in a folder.", common)
    verb("repair", _log_check, "Mend a log in a folder, without losing a patch that can be read.", common).set_defaults(
        repair=True
    )


def _input(options: argparse.Namespace, name: str) -> FileLocation:
    """Returns the input as a file for the JVM. A download is deleted when the command ends."""
    if name == STANDARD:
        return FileLocation(name, name)
    if name.startswith((TDB2, *LOG_SERVERS)) and not is_remote(name) or "/$/patch-logs/" in name:
        raise UsageError(f"{hidden(name)} is no file: publish, apply and sync change a dataset; sync follows a log, and log fetch "
                         "writes its patches to one file")
    try:
        if is_remote(name):
            source = Source(name, format=getattr(options, "from_format", None))
            return options.stack.enter_context(source).place  # type: ignore[no-any-return]
        file = patch_file(name) if os.path.isdir(name) else existing_file(name)
    except ValueError as e:
        raise UsageError(str(e)) from None
    except FileNotFoundError:
        raise UsageError(f"{hidden(name)}: there is no such file") from None
    # Errors name the file as the user did.
    return FileLocation(file, file if os.path.isabs(name) or os.path.isdir(name) else name)


def _check_read_once(names: Sequence[str]) -> None:
    for name in read_once(names):
        raise UsageError(f"{'standard input' if name == STANDARD else name} can be read only once")


def _check_format_of_standard_input(names: Sequence[str], options: argparse.Namespace) -> None:
    if STANDARD in names and options.from_format is None:
        raise UsageError("standard input has no suffix: name the format by --from-format")


def _inputs(options: argparse.Namespace, names: Sequence[str]) -> List[FileLocation]:
    _check_read_once(names)
    return [_input(options, name) for name in names]


def _output(name: str, to_format: Optional[str]) -> str:
    if name == STANDARD:
        if to_format is None:
            raise UsageError("standard output has no suffix: name the format by --to-format")
        if sys.stdout is None:
            raise UsageError("standard output is closed: name a file by -o, or send the output somewhere")
        if not _TEXT[to_format] and is_terminal(sys.stdout):
            raise UsageError(f"{to_format} is not for a terminal: name a file by -o, or send the output elsewhere")
        return name
    try:
        file = absolute(name)
    except ValueError as e:
        raise UsageError(str(e)) from None
    folder = os.path.dirname(file)
    if not os.path.isdir(folder):
        raise UsageError(f"{hidden(folder)}: there is no such folder")
    # Errors name the file as the user did.
    return name if file == os.path.abspath(name) else file


@contextlib.contextmanager
def _bar(options: argparse.Namespace, label: str, inputs: Sequence[FileLocation]) -> Iterator[ProgressBar]:
    sizes = [_size(each.path) for each in inputs]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    bar = ProgressBar(sys.stderr, label, total, not options.quiet)
    try:
        yield bar
    finally:
        bar.clear()


def _report(options: argparse.Namespace, output: str, report: Dict[str, Any]) -> None:
    """Prints the report as JSON if --json was given. Uses standard error if the data go to standard output."""
    if options.json:
        print(json.dumps(report), file=sys.stderr if output == STANDARD else sys.stdout)


# --- commands


def _convert(options: argparse.Namespace) -> int:
    inputs, output = list(options.inputs), options.output
    if options.out_dir is not None:
        return _convert_each(options)
    if output is None and len(inputs) > 2:
        raise UsageError("several inputs: name one output by -o, or a folder for theirs by --out-dir")
    if output is None:
        output = inputs.pop() if len(inputs) == 2 else STANDARD
    places, target = _inputs(options, inputs), _output(output, options.to_format)
    with _bad_statements(options) as bad:
        _convert_one(options, places, target, bad)
    return FINE


@contextlib.contextmanager
def _bad_statements(options: argparse.Namespace) -> Iterator[BadStatements]:
    """Provides the file for bad statements, and reports their number at the end."""
    file: Optional[str] = getattr(options, "bad_statements", None)
    with BadStatements(file, getattr(options, "max_bad", None)) as bad:
        yield bad
    _warn_of_bad(bad.count, file)


def _warn_of_bad(count: int, file: Optional[str]) -> None:
    if count:
        print(f"jellybridge: {count:,} bad statements were set aside in {file}", file=sys.stderr)


def _convert_one(options: argparse.Namespace, inputs: List[FileLocation], output: str, bad: BadStatements) -> None:
    job = Job(**_command_options.of_files(options))
    with _bar(options, "convert", inputs) as bar:
        report = job.convert(inputs, options.from_format, output, options.to_format, bar.update, bad)
    if job.of_place:
        print(f"jellybridge: {of_place(job.of_place)}", file=sys.stderr)
    _report(options, output, {"inputs": [each.name for each in inputs], "output": output,
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
    with _bad_statements(options) as bad:
        return _convert_to(options, outputs, bad)


def _convert_to(options: argparse.Namespace, outputs: Dict[str, str], bad: BadStatements) -> int:
    statuses = []
    for name, output in outputs.items():
        try:
            _convert_one(options, [_input(options, name)], output, bad)
        except (JellybridgeError, UsageError) as e:
            message = _message(e)
            told = _command_options.in_message(message if name in message else f"{name}: {message}", options)
            statuses.append(_fail(told, _status_of(e, options)))
            if options.json:
                print(json.dumps({"inputs": [name], "output": None, "error": message}))
    return min(statuses, default=FINE)


def _stem(name: str) -> str:
    """Returns the input's name without folder and suffixes: ``x.jellyp.gz`` becomes ``x``."""
    base = "stdin" if name == STANDARD else os.path.basename(os.path.normpath(name))
    for compression in (".gz", ".zst", ".bz2"):
        if base.lower().endswith(compression):
            base = base[:-len(compression)]
    return os.path.splitext(base)[0]


def _cat(options: argparse.Namespace) -> int:
    inputs = _inputs(options, options.inputs)
    if options.to_format is None and options.output == STANDARD:
        first = options.from_format or _format_of(inputs[0].name)
        options.to_format = "rdf-patch" if first in _PATCHES else "nquads"
    output = _output(options.output, options.to_format)
    _convert_one(options, inputs, output, BadStatements(None, None))
    return FINE


def _format_of(name: str) -> str:
    if name == STANDARD:
        raise UsageError("standard input has no suffix: name the format by --from-format")
    try:
        return format_of(name)
    except JellybridgeError as e:
        raise UsageError(str(e).replace("names no format; name it, or", "names no format; name it by --from-format, or")) from None


def _examined(options: argparse.Namespace, max_faults: int) -> Iterator[Dict[str, Any]]:
    for place in _inputs(options, options.inputs):
        with _bar(options, os.path.basename(place.name), [place]) as bar:
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
            status = _fail(message, BAD_DATA)
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
    from ._dataset import Dataset

    if (options.target is None) == (options.on is None) or (options.on is None) != (options.output is None):
        raise UsageError("name a dataset by --to, or a file by --on with an output by -o")
    inputs = _inputs(options, options.inputs)
    if options.on is not None:
        if options.output == STANDARD or _format_of(options.output) not in (*_STATEMENTS, *_WRITTEN_DOCUMENTS):
            raise UsageError(f"{options.output}: -o names a file of statements, such as new.ttl")
        _output(options.output, None)
    patches = [(each.name, _as_jelly_patch(options, each)) for each in inputs]
    with Dataset.open(options.target or "mem:", options=_command_options.of_server(options)) as dataset:
        if options.on is not None:
            dataset.load(_as_jelly(options, options.on))
        for name, file in patches:
            report = dataset.apply(file, strict=options.strict, check_effective=True if options.check else False if options.no_check else None, progress=not options.quiet)
            counts = {"patches": report.patches, "transactions": report.transactions, "added": report.added,
                      "deleted": report.deleted, "aborted": report.aborted, "changed": report.changed}
            if options.json:
                print(json.dumps({"file": name, "target": hidden(options.target or options.output), **counts}), flush=True)
            else:
                print(f"{name}: {report}", flush=True)
            rows = report.added + report.deleted
            if report.changed is not None and report.changed < rows:
                print(f"jellybridge: {rows - report.changed:,} of {rows:,} rows changed nothing: {name} deletes what was not there, "
                      "or adds what was; --check refuses that", file=sys.stderr)
        if options.on is not None:
            dataset.dump(options.output)
    return FINE


def _as_jelly(options: argparse.Namespace, name: str) -> str:
    """Returns a temporary copy of a file of statements as Jelly, whose blank nodes have the labels that ``diff`` gives them."""
    place = _input(options, name)
    copy = os.path.join(options.stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-")), "on.jelly")
    with _bar(options, f"read {os.path.basename(name)}", [place]) as bar:
        Job(**_command_options.of_files(options)).convert([place], None, copy, "jelly", bar.update, BadStatements(None, None))
    return copy


def _looked_at(target: str) -> str:
    """Returns the dataset for a dry run. For a missing TDB2 folder, which opening would create, it is an empty one in memory.
    """
    if not target.startswith(TDB2) or target == TDB2:
        return target
    folder = absolute(target[len(TDB2):])
    is_there = os.path.exists(folder) and not (os.path.isdir(folder) and not os.listdir(folder))
    return target if is_there else "mem:"


def _sync(options: argparse.Namespace) -> int:
    from ._dataset import Dataset

    if options.follow and (options.until is not None or options.dry_run):
        raise UsageError("--follow goes on without an end; leave out --until and --dry-run")
    if _command_options.of_server(options, "source_") and not options.source.startswith(LOG_SERVERS):
        raise UsageError("--source-user and its like are of a log on a server, and SOURCE is here: leave them out")
    if options.metrics is not None and not options.follow:
        raise UsageError("--metrics goes with --follow; for one moment, run jellybridge status --metrics")
    target = _looked_at(options.target) if options.dry_run else options.target
    same: Dict[str, Any] = {
        "key": options.key, "on_error": "quarantine" if options.quarantine else "stop", "quarantine": options.quarantine,
        "batch_rows": options.batch_rows, "net_effect": options.net_effect, "progress": not options.quiet,
        "source_options": _command_options.of_server(options, "source_"), "allow_empty": options.allow_empty,
    }
    with Dataset.open(target, options=_command_options.of_server(options)) as dataset:
        if not options.follow:
            return _show_sync(options, dataset.sync(options.source, until=options.until, dry_run=options.dry_run, **same))
        reports = dataset.follow(options.source, poll_seconds=options.poll_seconds, stop=_stop_on_signals(), metrics=options.metrics, **same)
        return max((_show_sync(options, report) for report in reports), default=FINE)


def _stop_on_signals() -> threading.Event:
    """Returns an event that the first Ctrl-C or SIGTERM sets. The second one ends the process, as usual."""
    stop = threading.Event()

    def end(*_: object) -> None:
        stop.set()
        for number, handler in before.items():
            signal.signal(number, handler)

    before: Dict[int, Any] = {}
    with contextlib.suppress(ValueError):  # not the main thread, whose owner handles signals
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, end)
    return stop


def _show_sync(options: argparse.Namespace, report: SyncReport) -> int:
    source = hidden(options.source)
    if report.passed_over:
        print(f"jellybridge: {source}: passed over {some(report.passed_over)}: by their names, no patches", file=sys.stderr)
    if report.unfinished is not None:
        print(f"jellybridge: {source}: {report.unfinished}", file=sys.stderr)
    if options.json:
        print(json.dumps({"source": source, "target": hidden(options.target), **dataclasses.asdict(report)}), flush=True)
    else:
        print(f"{source}: {report}", flush=True)
    if report.quarantined:
        lacks = "would lack" if options.dry_run else "lacks"
        return _fail(f"{hidden(options.target)} {lacks} the changes of {some(report.quarantined)}, which were set aside", BAD_DATA)
    return FINE


def _publish(options: argparse.Namespace) -> int:
    from ._dataset import Dataset
    from ._publish import Snapshot

    by_graph = {graph: input_path(name) for graph, name in options.graph_file}
    if len(by_graph) < len(options.graph_file):
        raise UsageError("--graph-file names a graph twice; its content is one file")
    if bool(options.inputs) == bool(by_graph):
        raise UsageError("name the files of the snapshot, or by --graph-file one for each graph")
    inputs = list(map(input_path, options.inputs))
    source: Snapshot = by_graph or inputs
    names = [*inputs, *by_graph.values()]
    _check_read_once([*options.inputs, *(name for _, name in options.graph_file)])
    for name in names:
        if not is_remote(name):
            _input(options, name)  # reports a missing file before a database is created
    if options.log is not None:
        PatchLog.open(options.log, options=_command_options.of_server(options, "log_")).close()  # a wrong one leaves no database
    target = _looked_at(options.target) if options.dry_run else options.target
    with Dataset.open(target, options=_command_options.of_server(options)) as dataset, contextlib.ExitStack() as stack:
        patch = options.patch
        if patch == STANDARD:
            _output(STANDARD, "rdf-patch")
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
            patch = os.path.join(folder, "difference.rdfp")
        reading = _command_options.of_files(options)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", UserWarning)  # printed below instead
        report = dataset.publish(
            source, graph=options.graph, log=options.log, log_options=_command_options.of_server(options, "log_") or None,
            blank_nodes=options.blank_nodes, max_delete=options.max_delete, guards=options.guard, author=options.author,
            message=options.message, time=options.time, headers=_headers(options), shapes=options.shapes,
            shapes_report=options.shapes_report,
            allow_empty=list(map(input_path, options.allow_empty)), dry_run=options.dry_run,
            patch=patch, verify=not options.no_verify,
            format=options.from_format, strict=reading.pop("strict", False), progress=not options.quiet, bad_statements=options.bad_statements,
            max_bad=options.max_bad, **reading,
        )
        _warn_of_bad(report.bad, options.bad_statements)
        _warn_of_unsettled(report.unsettled)
        _warn_of_positions(report.positions)
        for warning in report.warnings:
            print(printable(f"jellybridge: {options.shapes}: {warning}"), file=sys.stderr)
        if options.patch == STANDARD:
            with open(patch, encoding="utf-8") as text:
                _show_difference(text, f"{hidden(options.target)} was changed" if report.changed and not options.dry_run
                                 else "nothing was changed")
    shown = sys.stderr if options.patch == STANDARD else sys.stdout
    if options.json:
        print(json.dumps({"target": hidden(options.target), **dataclasses.asdict(report)}),
              file=shown, flush=True)
    else:
        print(f"{hidden(options.target)}: {report}", file=shown, flush=True)
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
    kind = options.from_format or _format_of(path)
    if kind not in _PATCHES:
        raise UsageError(f"{name} is {kind}: apply takes patches, in {', '.join(_PATCHES)}")
    has_limits = any(getattr(options, name) is not None for name in _LIMITS)
    if kind == "jelly-patch" and path != STANDARD and options.from_format is None and not has_limits:
        return path
    folder = options.stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-"))
    # Errors name the copy, so its name contains that of the original.
    copy = os.path.join(folder, f"{'stdin' if path == STANDARD else os.path.basename(name)}.jellyp")
    # The copy uses the usual table sizes, whatever those of the input are.
    job = Job(**_command_options.of_files(options), stream_type="PUNCTUATED", name_table_size=4000, prefix_table_size=150,
              datatype_table_size=32)
    with _bar(options, f"read {os.path.basename(name)}", [place]) as bar:
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
            raise UsageError(f"{name} is a folder: diff compares two files of statements")
    old, new = _inputs(options, options.inputs)
    if len(options.label) > 2:
        raise UsageError("--label names OLD and NEW, and is said three times")
    shown = _format_of_difference(options)
    if shown is None and options.to_format is None and options.output == STANDARD:
        options.to_format = "rdf-patch"
    output = STANDARD if shown and options.output == STANDARD else _output(options.output, options.to_format)
    # Blank node labels of a document are local to it, so they never equal those of another file.
    documents = [each.name for each in (old, new) if (options.from_format or _format_of(each.name)) in _DOCUMENTS]
    how = options.blank_nodes or ("structure" if documents else "label")
    job = Job(**_command_options.of_files(options))
    with _bad_statements(options) as bad, _bar(options, "diff", [old, new]) as bar:
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
        _show_text(options, made, first, second, shown)
    if by_structure and options.blank_nodes is None:
        print(f"jellybridge: blank nodes were compared by structure, since the labels in {documents[-1]} are its own; "
              "--blank-nodes label compares labels", file=sys.stderr)
    _warn_of_unsettled(unsettled)
    _warn_of_positions(positions)
    _report(options, output, {"old": old.name, "new": new.name, "output": output, "deleted": deleted, "added": added,
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


def _show_text(options: argparse.Namespace, java: Any, old: str, new: str, format: str) -> None:
    """Shows a difference for people."""
    output = getattr(options, "output", STANDARD)
    wanted = output == STANDARD and _color.is_wanted_in_git(sys.stdout) if options.color == "auto" else options.color == "always"
    if sys.stdout is not None:
        sys.stdout.flush()
    _difference.Difference(_doors.find_door(), java, printable(old), printable(new), None)._write(
        output if output == STANDARD else absolute(_output(output, None)), format, options.stat, wanted
    )


def _warn_of_unsettled(nodes: int) -> None:
    if nodes:
        print(f"jellybridge: {nodes} blank nodes are too symmetric to tell in time whether they changed: the patch is "
              "right, but may be larger than it has to be", file=sys.stderr)


def _warn_of_positions(statements: int) -> None:
    if statements:
        print(f"jellybridge: {of_positions(statements)}", file=sys.stderr)


# --- stores


def _load(options: argparse.Namespace) -> int:
    from . import _store_commands

    _check_read_once(options.inputs)
    _check_format_of_standard_input(options.inputs, options)
    for name in options.inputs:
        if not is_remote(name) or "/$/patch-logs/" in name:
            _input(options, name)  # reports a missing file before a database is created
    found = _store_commands.load(options, options.inputs)
    _warn_of_bad(found["bad"], options.bad_statements)
    target = hidden(options.target)
    files = counted(found["files"], "file")
    _show(options, {"target": target, **found}, f"{target}: loaded {files}, {counted(found['statements'], 'statement')}")
    return FINE


def _dump(options: argparse.Namespace) -> int:
    from . import _store_commands

    if options.dataset == "mem:":
        raise UsageError("mem: is a new dataset in memory, and empty: name one that holds something")
    _output(options.output, options.to_format or ("nquads" if options.output == STANDARD else None))
    quads = _store_commands.dump(options, options.output)
    dataset = hidden(options.dataset)
    _report(options, options.output, {"dataset": dataset, "output": options.output, "quads": quads})
    if not options.json and options.output != STANDARD:
        print(f"{options.output}: wrote {counted(quads, 'quad')} of {dataset}")
    return FINE


def _query(options: argparse.Namespace) -> int:
    from . import _store_commands

    if sys.stdout is None:
        raise UsageError("standard output is closed: send the result somewhere")
    _check_format_of_standard_input([options.dataset], options)
    lines = _store_commands.query(options, _store_commands.sparql(options))
    # Always UTF-8, as the result formats require.
    sys.stdout.buffer.writelines(line.encode() for line in lines)
    sys.stdout.buffer.flush()
    return FINE


def _update(options: argparse.Namespace) -> int:
    from . import _store_commands

    _store_commands.update(options, _store_commands.sparql(options))
    _show(options, {"dataset": hidden(options.dataset)}, f"{hidden(options.dataset)}: updated")
    return FINE


def _status(options: argparse.Namespace) -> int:
    from . import _store_commands
    from ._follow import age_of_oldest

    found = _store_commands.status(options)
    if options.log is not None:
        found["log"] = hidden(options.log)
    lines = [hidden(options.dataset), f"quads     {found['quads']:,}", f"graphs    {found['graphs']:,} named",
             f"position  {found['position'] or 'none'}"]
    if options.log is not None:
        lines.append(f"log       {found['log']}")
        lines.append(f"version   {found['version']:,} of {found['head']:,}")
        lines.append(f"behind    {counted(found['behind'], 'patch', 'patches')}{age_of_oldest(found['seconds'])}")
        lines.append(f"error     {found['error'] or 'none'}")
    if options.metrics:
        print(_store_commands.metrics(hidden(options.dataset), found), end="")
        return FINE if found.get("error") is None else BAD_DATA
    _show(options, {"dataset": hidden(options.dataset), **found}, "\n".join(lines))
    return FINE if found.get("error") is None else BAD_DATA


def _report_on(options: argparse.Namespace) -> int:
    from . import _change_report

    first, *rest = options.inputs
    if len(rest) > 1:
        raise UsageError("name a patch log, a file of patches, or two files of statements")
    if options.output == STANDARD:
        raise UsageError("a report goes to a file: name one by -o")
    source: Any = first
    if not rest and _change_report.is_log(first):
        source = options.stack.enter_context(PatchLog.open(first, options=_command_options.of_server(options)))
    made = _change_report.report(source, *rest, target=options.output, format=options.format, title=options.title,
                          prefixes=_difference.prefixes_of(options.prefix), first=options.first, last=options.last)
    _show(options, {"output": options.output, "added": made.added, "deleted": made.deleted},
          f"{options.output}: {made.added:,} added, {made.deleted:,} deleted")
    return FINE


# --- logs


def _show(options: argparse.Namespace, values: Dict[str, Any], text: str) -> None:
    print(json.dumps(values) if options.json else printable(text), flush=True)


def _opened(options: argparse.Namespace) -> PatchLog:
    return PatchLog.open(options.log, options=_command_options.of_server(options))


def _there(options: argparse.Namespace) -> Optional[str]:
    """Returns the id of the log if it exists already. If it is to begin with a state, it also has versions then."""
    with contextlib.suppress(JellybridgeError), _opened(options) as log:
        if options.state is None or log.head.version > 0:
            return log.id
    return None


def _log_create(options: argparse.Namespace) -> int:
    try:
        log = PatchLog.create(options.log, options=_command_options.of_server(options), state=options.state, progress=not options.quiet)
    except JellybridgeError as e:
        there = _there(options)
        if there is None:
            raise
        if not options.if_missing:
            text = str(e).replace("; open it", "")
            raise JellybridgeError(f"{text}; use it as it is, or go on with it by --if-missing") from None
        _show(options, {"log": hidden(options.log), "id": there}, f"{hidden(options.log)}: is there")
        return FINE
    with log:
        began = None if options.state is None else log.checkpoint(1, progress=False)
        made = {"log": hidden(options.log), "id": log.id}
        state = {} if began is None else {"version": began.version, "quads": began.quads, "hash": began.hash}
        _show(options, {**made, **state},
              f"{hidden(options.log)}: made" + ("" if began is None else f", with {began.quads:,} quads as version 1"))
    return FINE


def _log_list(options: argparse.Namespace) -> int:
    with _opened(options) as log:
        oldest = next(log.entries(), None)
        before = log.head.version if oldest is None else oldest.version - 1
        if before >= (options.first or 1):
            print(f"jellybridge: {'version 1 has' if before == 1 else f'versions 1 to {before} have'} no patch, but a checkpoint; "
                  "`jellybridge log state` writes it", file=sys.stderr)
        for entry in log.entries(options.first, options.last, details=True, grep=options.grep):
            if is_terminal(sys.stdout) and not options.json:
                print(_listed(entry))
                continue
            counts = [] if entry.added is None or entry.deleted is None else [f"+{entry.added}", f"-{entry.deleted}"]
            said = [" ".join(text.split()) for text in (entry.author or "", entry.message or "")] if counts else [entry.fault or ""]
            fields = [str(entry.version), entry.id or "-", entry.prev or "-", _utc(entry.time) or "-", *counts, *said]
            _show(options,
                  {"version": entry.version, "id": entry.id, "prev": entry.prev, "time": _utc(entry.time), "fault": entry.fault,
                   "author": entry.author, "message": entry.message, "headers": dict(entry.headers), "added": entry.added,
                   "deleted": entry.deleted},
                  "\t".join(fields).rstrip("\t"))
    return FINE


def _headers(options: argparse.Namespace) -> Dict[str, str]:
    """Returns the headers that ``--header`` gives.

    Raises:
        UsageError: one has no name, or is given twice.
    """
    found: Dict[str, str] = {}
    for said in options.header:
        name, equals, text = said.partition("=")
        if not equals:
            raise UsageError(f"--header {said}: must be NAME=VALUE, such as ticket=ABC-12")
        if name in found:
            raise UsageError(f"--header {name} is given twice; a patch has one of a name")
        found[name] = text
    return found


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


def _log_show(options: argparse.Namespace) -> int:
    prefixes = _difference.prefixes_of(options.prefix)
    with _opened(options) as log:
        version = (log.head.version or 1) if options.version is None else options.version
        entry = next((each for each in log.entries(version, version, details=True) if each.version == version), None)
        made = log.show(version, prefixes=prefixes, progress=not options.quiet)
    if options.format == "text" and entry is not None:
        facts = {"version": str(entry.version), "id": entry.id, "time": _utc(entry.time), "author": entry.author,
                 "message": entry.message, **entry.headers}
        for name, value in facts.items():
            if value:
                text = f"{printable(name):<8} " + "\n         ".join(map(printable, value.splitlines()))
                print(painted(text, "yellow" if name == "version" else "dim", sys.stdout))
        print()
    return _show_versions(options, made)


def _log_diff(options: argparse.Namespace) -> int:
    with _opened(options) as log:
        made = log.diff(options.old, options.new, prefixes=_difference.prefixes_of(options.prefix), progress=not options.quiet)
    return _show_versions(options, made)


def _show_versions(options: argparse.Namespace, made: _difference.Difference) -> int:
    _show_text(options, made._java, made.old, made.new, "json" if options.json else options.format)
    return FINE


def _log_history(options: argparse.Namespace) -> int:
    if options.subject is None and options.predicate is None:
        raise UsageError("say what: a subject by --subject, a predicate by --predicate, or both")
    on_terminal = is_terminal(sys.stdout) and not options.json
    with _opened(options) as log:
        given = [options.subject, options.predicate]
        # An IRI with "//" needs no prefix, and the log is not read for any.
        names = log._terms(_difference.prefixes_of(options.prefix)) if on_terminal or any(each and "://" not in each for each in given) else None
        subject, predicate = (each if each is None or names is None else _difference.expanded(names, each) for each in given)
        rows: Iterator[HistoryRow] = log.history(subject=subject, predicate=predicate, since=options.since)
        first = next(rows, None)
        if first is None:
            said = " and ".join(filter(None, (subject, predicate)))
            print(printable(f"jellybridge: {hidden(options.log)}: no operation with {said}; an IRI must be complete, or begin with a "
                            "prefix of the log or --prefix"), file=sys.stderr)
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
        _show(options, dataclasses.asdict(done), f"{hidden(options.log)}: {done}")
        return FINE

    return run


_log_revert = _reporting(lambda options, log: log.revert(
    options.version, author=options.author, message=options.message, headers=_headers(options), progress=not options.quiet))
_log_compact = _reporting(lambda options, log: timed("compact", not options.quiet, lambda: log.compact(options.max_bytes)))
_log_checkpoint = _reporting(lambda options, log: log.checkpoint(options.version, progress=not options.quiet))
_log_prune = _reporting(lambda options, log: timed("prune", not options.quiet, lambda: log.prune(before=options.before, keep=options.keep)))


def _log_restore(options: argparse.Namespace) -> int:
    from ._dataset import Dataset

    with contextlib.ExitStack() as stack:
        log = stack.enter_context(_opened(options))
        dataset = options.target and stack.enter_context(Dataset.open(options.target, options=_command_options.of_server(options, "dataset_")))
        if dataset is not None and dataset.position(options.key) is None and len(dataset):
            raise JellybridgeError(f"{hidden(options.target)} has quads, and by the key {options.key} it is at no version of "
                                   f"{hidden(options.log)}; nothing was appended. If it follows the log by another key, name that by --key")
        done = log.restore(options.version, author=options.author, message=options.message, headers=_headers(options),
                           progress=not options.quiet)
        _show(options, dataclasses.asdict(done), f"{hidden(options.log)}: {done}")
        if dataset is None:
            return FINE
        options.source = options.log
        return _show_sync(options, dataset.sync(
            options.log, key=options.key, source_options=_command_options.of_server(options), progress=not options.quiet))


def _log_append(options: argparse.Namespace) -> int:
    if STANDARD in options.inputs:
        raise UsageError("a log takes no standard input: name a file")
    inputs = _inputs(options, options.inputs)
    paths = [each.path for each in inputs]
    with _opened(options) as log:
        appended = log._append_each(paths, options.prev, options.from_format, options.strict,
                                    headers_of(options.author, options.message, options.time, _headers(options)), not options.quiet)
        for each, patches in zip(inputs, appended):
            for made in patches:
                _show(options, {"file": each.name, "version": made.version, "id": made.id},
                      f"{each.name}: version {made.version}, id {made.id}")
    return FINE


def _log_fetch(options: argparse.Namespace) -> int:
    if options.output == STANDARD or _format_of(options.output) not in _PATCHES:
        raise UsageError(f"{options.output}: a log is fetched into a file of patches, in {', '.join(_PATCHES)}")
    if options.beyond is not None and options.first is not None:
        raise UsageError("--beyond finds the first version; leave out --first")
    with _opened(options) as log:
        first = options.first if options.beyond is None else _first_beyond(options, log)
        if options.beyond is not None and first > log.head.version:
            _show(options, {"output": None, "patches": 0}, f"{hidden(options.beyond)} has every patch of {hidden(options.log)}")
            return FINE
        report = timed("fetch", not options.quiet, lambda: log.fetch(
            options.output, first, options.last, on_error=options.on_error))
    for entry in report.quarantined:
        _fail(f"version {entry.version} was left out: {entry.fault}", BAD_DATA)
    _show(options,
          {"output": options.output, "patches": report.patches, "rows": report.rows,
           "quarantined": [{"version": entry.version, "reason": entry.fault} for entry in report.quarantined]},
          f"{options.output}: {report}")
    return BAD_DATA if report.quarantined else FINE


def _first_beyond(options: argparse.Namespace, log: PatchLog) -> int:
    """Returns the version after the last patch that the log of ``--beyond`` has, too."""
    with PatchLog.open(options.beyond, options=_command_options.of_server(options, "beyond_")) as other:
        def is_common(version: int) -> bool:
            mine, others = ([each.chain for each in one.entries(version, version)] for one in (log, other))
            return mine == others and None not in mine

        starts = [next((each.version for each in one.entries()), 1) for one in (log, other)]
        low, high = max(starts), min(log.head.version, other.head.version)
        if low > high or not is_common(low):
            raise UsageError(f"{hidden(options.log)} and {hidden(options.beyond)} are not copies of one log, or have no patch in common")
        while low < high:  # the last version that both have
            middle = (low + high + 1) // 2
            low, high = (middle, high) if is_common(middle) else (low, middle - 1)
        return low + 1


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


def _log_objects(options: argparse.Namespace) -> int:
    with PatchLog.open(options.log, options=_command_options.of_server(options)) as log:
        objects = log.list_objects()
    _show(options, {"objects": objects}, f"{hidden(options.log)}: {objects:,} files in objects.json")
    return FINE


def _log_state(options: argparse.Namespace) -> int:
    formats = (*_STATEMENTS, *_WRITTEN_DOCUMENTS)
    if options.output == STANDARD or _format_of(options.output) not in formats:
        raise UsageError(f"{options.output}: a state is written into a file of statements, in {', '.join(formats)}")
    with _opened(options) as log:
        made = log.state(options.output, version=options.version, id=options.id, time=options.time,
                         progress=not options.quiet)
    _show(options, {"output": options.output, **dataclasses.asdict(made)},
          f"{options.output}: {made}")
    return FINE


def _log_verify(options: argparse.Namespace) -> int:
    """Verifies a log, or a dataset against a log. The exit status says whether there are faults."""
    if options.dataset is not None:
        return _verify_dataset(options)
    with _opened(options) as log:
        found = log.verify(progress=not options.quiet)
    if options.json:
        print(json.dumps({**dataclasses.asdict(found), "ok": found.ok}), flush=True)
    else:
        for fault in found.faults:
            print(printable(str(fault)))
        print(f"{hidden(options.log)}: {found}", flush=True)
    return FINE if found.ok else BAD_DATA


def _verify_dataset(options: argparse.Namespace) -> int:
    from . import _store_commands
    from ._dataset import Dataset

    _store_commands.require(options.dataset)
    with Dataset.open(options.dataset, options=_command_options.of_server(options, "dataset_")) as dataset:
        found = dataset.verify(options.log, key=options.key, log_options=_command_options.of_server(options), progress=not options.quiet)
    target = hidden(options.dataset)
    if options.json:
        print(json.dumps({"dataset": target, **dataclasses.asdict(found), "ok": found.ok}), flush=True)
    else:
        for what, quads in (("missing", found.missing_quads), ("surplus", found.surplus_quads)):
            for quad in quads:
                print(f"{what}: {quad}")
        print(f"{target}: {found}", flush=True)
    return FINE if found.ok else BAD_DATA


def _log_adopt(options: argparse.Namespace) -> int:
    from . import _store_commands
    from ._dataset import Dataset

    _store_commands.require(options.dataset)
    with Dataset.open(options.dataset, options=_command_options.of_server(options, "dataset_")) as dataset:
        found = dataset.adopt(options.log, version=options.version, key=options.key, log_options=_command_options.of_server(options), progress=not options.quiet)
    target = hidden(options.dataset)
    _show(options, {"dataset": target, "log": hidden(options.log), "version": found.version, "position": found.position,
                    "quads": found.quads}, f"{target}: put at version {found.version:,} of {hidden(options.log)}, its data stay")
    return FINE


def _log_check(options: argparse.Namespace) -> int:
    """Implements ``check`` and ``repair``. The exit status says whether faults remain."""
    repair = getattr(options, "repair", False)
    with _opened(options) as log:
        faults = timed("repair" if repair else "check", not options.quiet, log.repair if repair else log.check)
    for fault in faults:
        _show(options,
              {"kind": fault.kind, "version": fault.version, "file": fault.file, "found": fault.found,
               "repaired": fault.repaired},
              str(fault))
    left = [fault for fault in faults if fault.repaired is None]
    if not options.json:
        print(f"{hidden(options.log)}: " + (f"{len(faults)} faults, {len(left)} left" if faults else "no fault"))
    return BAD_DATA if left else FINE

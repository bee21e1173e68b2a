"""What the commands of the command line share: the parser, the types of values, common options, inputs and outputs, and reports."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import difflib
import json
import os
import re
import signal
import stat
import sys
import threading
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, Iterable, Iterator, List, NoReturn, Optional, Sequence, TextIO, Union

from . import _color, _command_help, _command_options, _difference, _doors
from ._color import is_terminal, painted
from ._convert import STANDARD, BadStatements, format_of, of_positions
from ._dataset import Dataset
from ._errors import JellybridgeError
from ._locations import LOG_SERVERS, TDB2, FileLocation, Source, absolute, is_remote, is_served_log, patch_file, read_once
from ._progress import ProgressBar
from ._redaction import hidden, hidden_in, printable
from ._sync import LOG_KEY, SyncReport, some
from ._times import age, moment

FINE, BAD_DATA, USAGE, UNREACHABLE = 0, 1, 2, 3
PATCHES = ("jelly-patch", "rdf-patch", "thrift")
STATEMENTS = ("jelly", "nquads", "ntriples")
#: Formats of documents, whose blank node labels are local to them.
DOCUMENTS = _difference.DOCUMENTS
#: Documents that can be written too.
WRITTEN_DOCUMENTS = tuple(format for format in DOCUMENTS if format != "n3")
IS_TEXT = {"jelly-patch": False, "rdf-patch": True, "thrift": False, "jelly": False, "nquads": True, "ntriples": True,
         "events": True, **dict.fromkeys(DOCUMENTS, True)}
_CAPTURE = "capture is no command: Dataset.capture in Python records what a program changes, and a Fuseki with our module what its clients change"


class UsageError(Exception):
    """Raised for wrong usage of the command line."""


def fail(message: str, status: int) -> int:
    with contextlib.suppress(OSError):
        sign = painted("jellybridge:", "red" if status else "yellow", sys.stderr)
        print(f"{sign} {printable(hidden_in(_command_options.in_message(message)))}", file=sys.stderr)
    return status


# Up to this many bytes of input, a command is as fast with the first compiler alone, and needs half of the CPU time. Our own
# loops over a file gain little from the second compiler, but the many layers of a store gain much. A publication into a store of
# about that size reads both by our own loops, and mostly changes little.
SHORT = 32 << 20


def size_of(name: str) -> Optional[int]:
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
            total += size_of(os.path.join(folder, file)) or 0
            if total >= SHORT:
                return total
    return total


def as_whole_number(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text} is no whole number of at most 18 digits")
    return int(text)


def as_age(text: str) -> timedelta:
    try:
        return age(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from None


def as_time(text: str) -> datetime:
    now = datetime.now(timezone.utc)
    try:
        if text == "yesterday":
            return now - timedelta(days=1)
        with contextlib.suppress(ValueError):
            return now - age(text)
        return moment(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text} is no time such as 2024-05-01T12:00:00Z, yesterday, 12h or 30d") from None


def as_version(text: str) -> int:
    if not re.fullmatch("[0-9]{1,18}", text):
        raise argparse.ArgumentTypeError(f"{text} is no version")
    return int(text)


def as_version_or_time(text: str) -> Union[int, datetime]:
    return as_version(text) if re.fullmatch("-?[0-9]{1,18}", text) else as_time(text)


class Parser(argparse.ArgumentParser):
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
                self.error(f"there is no option {options[0]}{suggestion(options[0], self._option_string_actions)}")
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
        if isinstance(action, argparse._SubParsersAction):
            for name, parser in action.choices.items():
                own = _command_help.subcommands(parser)
                if own is not None and value in own.choices:
                    raise argparse.ArgumentError(None, f"{value} is a command of {name}: {self.prog} {name} {value}")
            if value == "capture":
                raise argparse.ArgumentError(None, _CAPTURE)
        what = f"value of {'/'.join(action.option_strings)}" if action.option_strings else "command"
        choices = [str(choice) for choice in action.choices]
        raise argparse.ArgumentError(None, f"{value} is no {what}: {', '.join(choices)}{suggestion(str(value), choices)}")


def suggestion(word: str, names: Iterable[str]) -> str:
    known = list(names)
    # An option that was cut short, such as --to-f, is nearer than one that is spelled alike.
    found = [name for name in known if len(word) > 2 and name.startswith(word)] or difflib.get_close_matches(word, known, n=1)
    return f"; did you mean {found[0]}?" if found else ""


def show_help_without_command(parser: argparse.ArgumentParser) -> None:
    def show(options: argparse.Namespace) -> int:
        print(parser.format_help(), end="")
        return FINE

    parser.set_defaults(run=show, inputs=[], heap=None)


def add_verbose(parser: argparse.ArgumentParser) -> None:
    # Without a default, so that a command does not overrule what stands before it.
    parser.add_argument("-v", "--verbose", action="count", default=argparse.SUPPRESS,
                        help="log on standard error what is done; -vv also with the stack trace of an error")


def add_command(
    commands: Any, name: str, does: Callable[[argparse.Namespace], int], about: str, *parents: argparse.ArgumentParser, **defaults: Any
) -> argparse.ArgumentParser:
    made: argparse.ArgumentParser = commands.add_parser(name, help=about, description=about, parents=list(parents))
    made.set_defaults(run=does, **defaults)
    add_verbose(made)
    return made


def add_running(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a command that may run long."""
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    parser.add_argument("--heap", metavar="SIZE", help="memory of the JVM, such as 512m; also JELLYBRIDGE_HEAP")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="report in JSON, one object a line")


def add_key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--key", default=LOG_KEY, metavar="IRI", help=f"where the dataset keeps its position ({LOG_KEY})")


def add_server_options(parser: argparse.ArgumentParser, server: str, *begins: str, timeout: bool = True) -> None:
    """Adds the options of a server. Secrets come from files, since everybody can see the arguments of a process.

    Args:
        parser: the parser of the command.
        server: what is on the server, as the usage line names it.
        begins: what the names of the options begin with, and what other names of them do.
        timeout: whether to add ``--timeout``, which a query has in a meaning of its own.
    """
    def add(name: str, **how: Any) -> None:
        parser.add_argument(*(f"--{each}{name}" for each in begins or [""]), **how)

    add("user", metavar="NAME", help=f"the user's name for {server}, where it is on a server")
    add("password-file", metavar="FILE", help="a file that holds that user's password alone")
    add("token-file", metavar="FILE", help=f"a file that holds a token for {server} alone")
    add("authority", metavar="FILE", help=f"PEM file of the authorities to trust for the server of {server}; without, those of Java")
    add("certificate", metavar="FILE", help=f"the PEM certificate that {server} asks for")
    add("certificate-key", metavar="FILE", help="its key, in PKCS #8")
    add("insecure", action="store_true", default=None, help="send a password or a token to another machine also without TLS")
    add("connect-timeout", type=float, metavar="SECONDS", help=f"how long to wait for a connection to the server of {server} (default: 10)")
    add("attempts", type=as_whole_number, metavar="N", help="how often a request is sent to it at most (default: 5)")
    if timeout:
        add_timeout(parser, server, *begins)


def add_timeout(parser: argparse.ArgumentParser, server: str, *begins: str) -> None:
    parser.add_argument(*(f"--{each}timeout" for each in begins or [""]), type=float, metavar="SECONDS",
                        help=f"how long to wait for a whole answer of the server of {server} (default: 600)")


def add_blank_nodes(parser: argparse.ArgumentParser, default: Optional[str], where: str = "") -> None:
    parser.add_argument("--blank-nodes", choices=("label", "structure"), default=default,
                        help=f"when two are the same: by their label, or by what is said of them (default: {default or where})")


def add_difference_text(parser: argparse.ArgumentParser) -> None:
    """Adds the options of a difference as people read it."""
    parser.add_argument("--stat", action="store_true", help="count by graph, class and predicate, and leave the statements out")
    parser.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI",
                        help="a prefix for the text; may be said more than once")
    parser.add_argument("--color", choices=("auto", "always", "never"), default="auto", metavar="WHEN",
                        help="auto, always or never color the text (default: auto, on a terminal)")


def add_headers(parser: argparse.ArgumentParser, what: str, timed: bool = False) -> None:
    parser.add_argument("--author", metavar="NAME", help=f"who made {what}, as a header")
    parser.add_argument("--message", metavar="TEXT", help=f"why {what} was made, as a header")
    parser.add_argument("--header", action="append", default=[], metavar="NAME=VALUE",
                        help=f"another header of {what}, such as ticket=ABC-12; may be said more than once")
    if timed:
        parser.add_argument("--time", type=as_time, metavar="TIME",
                            help=f"when {what} was made, as a header: 2024-05-01T12:00:00Z, yesterday, 12h, 30d (default: now)")


def add_bad_statements(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bad-statements", metavar="FILE",
                        help="set statements aside there that can't be read, each with its place and what is wrong, and go on")
    parser.add_argument("--max-bad", metavar="N|P%", help="refuse a file with more of them, or a larger share")


def input_of(options: argparse.Namespace, name: str) -> FileLocation:
    """Returns the input as a file for the JVM. A download is deleted when the command ends."""
    if name == STANDARD:
        return FileLocation(name, name)
    if name.startswith((TDB2, *LOG_SERVERS)) and not is_remote(name) or is_served_log(name):
        raise UsageError(f"{hidden(name)} is no file: dump writes a dataset to one, `publish --dry-run --patch -` compares it with one, "
                         "and publish, apply and sync change it; sync follows a log, and log fetch writes its patches to one file")
    try:
        if is_remote(name):
            source = Source(name, format=getattr(options, "from_format", None))
            return options.stack.enter_context(source).place  # type: ignore[no-any-return]
        file = patch_file(name)
    except ValueError as e:
        raise UsageError(str(e)) from None
    except FileNotFoundError:
        raise UsageError(f"{hidden(name)}: there is no such file") from None
    # Errors name the file as the user did.
    return FileLocation(file, file if os.path.isabs(name) or os.path.isdir(name) else name)


def check_read_once(names: Sequence[str]) -> None:
    for name in read_once(names):
        raise UsageError(f"{'standard input' if name == STANDARD else name} can be read only once")


def check_format_of_standard_input(names: Sequence[str], options: argparse.Namespace) -> None:
    if STANDARD in names and options.from_format is None:
        raise UsageError("standard input has no suffix: name the format by --from-format")


def inputs_of(options: argparse.Namespace, names: Sequence[str]) -> List[FileLocation]:
    check_read_once(names)
    return [input_of(options, name) for name in names]


def output_of(name: str, to_format: Optional[str]) -> str:
    if name == STANDARD:
        if to_format is None:
            raise UsageError("standard output has no suffix: name the format by --to-format")
        if sys.stdout is None:
            raise UsageError("standard output is closed: name a file by -o, or send the output somewhere")
        if not IS_TEXT[to_format] and is_terminal(sys.stdout):
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
def progress_bar(options: argparse.Namespace, label: str, inputs: Sequence[FileLocation]) -> Iterator[ProgressBar]:
    sizes = [size_of(each.path) for each in inputs]
    total = None if None in sizes else sum(size or 0 for size in sizes)
    bar = ProgressBar(sys.stderr, label, total, not options.quiet)
    try:
        yield bar
    finally:
        bar.clear()


def report_in_json(options: argparse.Namespace, output: str, report: Dict[str, Any]) -> None:
    """Prints the report as JSON if --json was given. Uses standard error if the data go to standard output."""
    if options.json:
        print(json.dumps(report), file=sys.stderr if output == STANDARD else sys.stdout)


@contextlib.contextmanager
def bad_statements(options: argparse.Namespace) -> Iterator[BadStatements]:
    """Provides the file for bad statements, and reports their number at the end."""
    file: Optional[str] = getattr(options, "bad_statements", None)
    with BadStatements(file, getattr(options, "max_bad", None)) as bad:
        yield bad
    warn_of_bad(bad.count, file)


def warn_of_bad(count: int, file: Optional[str]) -> None:
    if count:
        print(f"jellybridge: {count:,} bad statements were set aside in {file}", file=sys.stderr)


def format_of_name(name: str) -> str:
    if name == STANDARD:
        raise UsageError("standard input has no suffix: name the format by --from-format")
    try:
        return format_of(name)
    except JellybridgeError as e:
        raise UsageError(str(e).replace("names no format; name it, or", "names no format; name it by --from-format, or")) from None


def stop_on_signals() -> threading.Event:
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


def show_sync(options: argparse.Namespace, report: SyncReport) -> int:
    source = hidden(options.source)
    if report.passed_over:
        print(f"jellybridge: {source}: passed over {some(report.passed_over)}: by their names, no patches", file=sys.stderr)
    if report.unfinished is not None:
        print(f"jellybridge: {source}: {report.unfinished}", file=sys.stderr)
    show_report(options, {"source": source, "target": hidden(options.target), **dataclasses.asdict(report)}, f"{source}: {report}")
    if report.quarantined:
        lacks = "would lack" if options.dry_run else "lacks"
        return fail(f"{hidden(options.target)} {lacks} the changes of {some(report.quarantined)}, which were set aside", BAD_DATA)
    return FINE


def show_difference(options: argparse.Namespace, java: Any, old: str, new: str, format: str) -> None:
    """Shows a difference for people."""
    output = getattr(options, "output", STANDARD)
    wanted = output == STANDARD and _color.is_wanted_in_git(sys.stdout) if options.color == "auto" else options.color == "always"
    if sys.stdout is not None:
        sys.stdout.flush()
    _difference.Difference(_doors.find_door(), java, printable(old), printable(new), None)._write(
        output if output == STANDARD else absolute(output_of(output, None)), format, options.stat, wanted
    )


def warn_of_positions(statements: int) -> None:
    if statements:
        print(f"jellybridge: {of_positions(statements)}", file=sys.stderr)


def warn_of_log(options: argparse.Namespace, dataset: Dataset, target: str) -> None:
    """Says that a dataset follows something that does not have the change that was made."""
    with contextlib.suppress(JellybridgeError):  # the change was made
        if not options.quiet and dataset.position() is not None:
            name = hidden(target)
            print(f"jellybridge: {name} follows a log or a folder of patches, which does not have this change; "
                  f"`jellybridge log verify LOG --dataset {name}` compares the two", file=sys.stderr)


def show_report(options: argparse.Namespace, values: Dict[str, Any], text: str, file: Optional[TextIO] = None) -> None:
    """Prints a report, as JSON if --json was given: to standard output, or to another file."""
    print(json.dumps(values) if options.json else printable(text), file=file, flush=True)


def headers_of_options(options: argparse.Namespace) -> Dict[str, str]:
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

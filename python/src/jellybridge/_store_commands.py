"""The commands for stores: load, dump, query, update, status. A thin layer over :class:`Dataset`."""

from __future__ import annotations

import argparse
import contextlib
import json
import logging
import os
import shutil
import sys
import tempfile
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, TypeVar

from . import _command_options, _metrics, _sparql_results
from ._change_report import is_log
from ._color import is_terminal
from ._command_line import (
    BAD_DATA, DOCUMENTS, FINE, STATEMENTS, WRITTEN_DOCUMENTS, Parser, UsageError, add_bad_statements, add_json, add_key, add_running,
    add_server_options, add_timeout, as_time, as_version, check_format_of_standard_input, check_read_once, input_of, output_of,
    report_in_json, show_report, warn_of_bad, warn_of_log,
)
from ._convert import STANDARD, BadStatements, in_thread, input_path
from ._dataset import Dataset
from ._doors import find_door
from ._follow import Lag, age_of_oldest
from ._locations import TDB2, absolute, is_address, is_remote, is_served_log, target_file, tdb2_folder
from ._log import PatchLog
from ._printed_reports import counted
from ._progress import ProgressBar, readable
from ._redaction import hidden

T = TypeVar("T")
_LOG = logging.getLogger(__name__)

#: The output formats of ``query``, see ``_sparql_results``.
_RESULTS = ("table", "tsv", "csv", "json", "ntriples", "nquads", *WRITTEN_DOCUMENTS)
#: Counts the named graphs. Leaves out the graph of positions, which queries on a server see.
_GRAPHS = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER (?g != <urn:jellybridge:sync>) }"


def add(verb: Callable[..., argparse.ArgumentParser]) -> None:
    """Adds the commands."""
    common = Parser(add_help=False)
    add_server_options(common, "DATASET", timeout=False)
    add_running(common)
    common.set_defaults(inputs=[STANDARD])  # work of any length
    where = "tdb2:DIR, http://host:3030/NAME or sparql:UPDATE?query=QUERY"

    made = verb("load", _load, "Add the statements of files to a dataset.", common)
    made.add_argument("inputs", nargs="+", metavar="FILE", help="statements, by a path or a URL; each is one transaction")
    made.add_argument("--to", dest="target", required=True, metavar="DATASET", help=f"{where}; mem: to try it")
    made.add_argument("--graph", metavar="IRI", help="the graph for the statements of files that name none")
    formats = (*STATEMENTS, *DOCUMENTS)
    made.add_argument("--from-format", metavar="FORMAT", choices=formats,
                      help="the files' format (default: by their suffixes): " + ", ".join(formats))
    _command_options.add(made, _command_options.LOADING)
    add_bad_statements(made)
    add_timeout(made, "DATASET")
    add_json(made)

    made = verb("dump", _dump, "Write a whole dataset, or a graph of it, to a file.", common)
    made.add_argument("dataset", metavar="DATASET", help=where)
    made.add_argument("--graph", metavar="IRI", help="only this graph, as triples; default = the default graph")
    made.add_argument("-o", "--output", default=STANDARD, help="the file, whose suffix says the format (default: standard output)")
    written = (*STATEMENTS, *WRITTEN_DOCUMENTS)
    made.add_argument("--to-format", metavar="FORMAT", choices=written,
                      help="the output's format (default: by its suffix, nquads for standard output): " + ", ".join(written))
    add_timeout(made, "DATASET")
    add_json(made)

    asking = Parser(add_help=False)
    asking.add_argument("dataset", metavar="DATASET", help=f"{where}; a query takes a file or a patch log, too; mem: to try it")
    asking.add_argument("sparql", nargs="?", metavar="SPARQL", help="what to run; - is standard input")
    asking.add_argument("--file", metavar="FILE", help="a file that holds the SPARQL")
    asking.add_argument("--timeout", type=float, metavar="SECONDS",
                        help="how long it may take (default: no limit here, 600 on a server)")
    asking.add_argument("--service", action="store_true",
                        help="allow SERVICE in a dataset of this machine; it asks other servers with the rights of this process")

    made = verb("query", _query, "Run a SPARQL query over a dataset, a file or a patch log, and print its result.", common, asking)
    which = made.add_mutually_exclusive_group()
    which.add_argument("--version", type=as_version, metavar="N",
                       help="DATASET is a patch log, and this version of it is asked (default: the head)")
    which.add_argument("--time", type=as_time, metavar="TIME",
                       help="likewise the last version that was there by then: 2024-05-01T12:00:00Z, yesterday, 12h, 30d")
    made.add_argument("--from-format", metavar="FORMAT", choices=formats,
                      help="DATASET is a file, a pipe or standard input, in this format: " + ", ".join(formats))
    _command_options.add(made, _command_options.LOADING)
    made.add_argument("--to-format", metavar="FORMAT", choices=tuple(_RESULTS),
                      help="table, tsv, csv or json of SELECT and ASK (default: table on a terminal, else tsv); table or statements "
                           "of CONSTRUCT and DESCRIBE: ntriples (default), nquads, " + ", ".join(WRITTEN_DOCUMENTS))

    made = verb("update", _update, "Run a SPARQL update, in one transaction.", common, asking)
    made.add_argument("--load", action="store_true", help="allow LOAD, which reads files and addresses of the network")
    add_json(made)

    made = verb("compact", _compact, "Rewrite a TDB2 folder, which updates make larger; its data and positions stay.")
    made.set_defaults(inputs=[STANDARD])
    made.add_argument("dataset", metavar="DATASET", help="tdb2:DIR, which no other process has open")
    add_json(made)
    add_running(made)

    made = verb("status", _status, "Show the size of a dataset, and its position in a log.", common)
    made.add_argument("dataset", metavar="DATASET", help=where)
    made.add_argument("log", nargs="?", metavar="LOG", help="a patch log that it follows: say how far it is behind")
    add_key(made)
    add_timeout(made, "DATASET")
    add_server_options(made, "LOG", "log-")
    add_json(made)
    made.add_argument("--metrics", action="store_true", help="print the figures in the text format of Prometheus")


def _load(options: argparse.Namespace) -> int:
    check_read_once(options.inputs)
    check_format_of_standard_input(options.inputs, options)
    for name in options.inputs:
        if not is_remote(name) or is_served_log(name):
            input_of(options, name)  # reports a missing file before a database is created
    with _opened(options, options.target) as dataset, BadStatements(options.bad_statements, options.max_bad) as bad:
        statements = sum(_watched(options, f"load {os.path.basename(name)}", lambda: dataset._load(
            input_path(name), bad, options.from_format, options.graph, **_command_options.of_files(options))).statements
            for name in options.inputs)
        warn_of_log(options, dataset, options.target)
    warn_of_bad(bad.count, options.bad_statements)
    target = hidden(options.target)
    show_report(options, {"target": target, "files": len(options.inputs), "statements": statements, "bad": bad.count},
                f"{target}: loaded {counted(len(options.inputs), 'file')}, {counted(statements, 'statement')}")
    return FINE


def _dump(options: argparse.Namespace) -> int:
    if options.dataset == "mem:":
        raise UsageError("mem: is a new dataset in memory, and empty: name one that holds something")
    format = options.to_format or ("nquads" if options.output == STANDARD else None)
    output_of(options.output, format)
    require(options.dataset)
    with _opened(options, options.dataset) as opened:
        with contextlib.nullcontext(STANDARD) if options.output == STANDARD else target_file(options.output, format) as file:
            quads = _watched(options, "dump", lambda: opened._dump(file, format, options.graph))
    dataset = hidden(options.dataset)
    report_in_json(options, options.output, {"dataset": dataset, "output": options.output, "quads": quads})
    if not options.json and options.output != STANDARD:
        print(f"{options.output}: wrote {counted(quads, 'quad')} of {dataset}")
    return FINE


def _query(options: argparse.Namespace) -> int:
    if sys.stdout is None:
        raise UsageError("standard output is closed: send the result somewhere")
    check_format_of_standard_input([options.dataset], options)
    # Always UTF-8, as the result formats require.
    sys.stdout.buffer.writelines(line.encode() for line in _result(options, _sparql(options)))
    sys.stdout.buffer.flush()
    return FINE


def _result(options: argparse.Namespace, sparql: str) -> Iterator[str]:
    """Runs a query. The statements of a file, or those of a log at a version, are loaded into memory first.

    Returns:
        The lines of the result, with their line ends. There are none if Java has written a document to standard output.
    """
    require(options.dataset)
    on_terminal = is_terminal(sys.stdout)
    name = options.dataset if is_address(options.dataset) else absolute(input_path(options.dataset))
    file = name if os.path.exists(name) and not os.path.isdir(name) else None
    of_log = options.version is not None or options.time is not None or _is_log(options.dataset)
    if file is None and (options.from_format is not None or any(_command_options.of_files(options).values())):
        raise ValueError("--from-format, --base, --remote-contexts and the limits of inputs are for a file, and DATASET is none")
    with contextlib.ExitStack() as stack:
        if of_log:
            file = os.path.join(stack.enter_context(tempfile.TemporaryDirectory(prefix="jellybridge-")), "state.jelly")
            with PatchLog.open(options.dataset, options=_command_options.of_server(options)) as log:
                log.state(file, version=options.version, time=options.time, progress=not options.quiet)
        dataset = stack.enter_context(_opened(options, options.dataset if file is None else "mem:", is_server=not of_log))
        if file is not None:
            _watched(options, f"load {os.path.basename(file)}", lambda: dataset.load(
                file, format=None if of_log else options.from_format, **_command_options.of_files(options)))
        answer = _watched(
            options, "query", lambda: dataset._answer(sparql, service=options.service, timeout=options.timeout)
        )
    width = shutil.get_terminal_size().columns if on_terminal else None
    format = options.to_format or _sparql_results.usual(answer, on_terminal)
    if format in _sparql_results.FORMATS or "vars" in answer or "boolean" in answer:
        return _sparql_results.lines(answer, format, width)
    door = find_door()
    sys.stdout.flush()
    with door.errors():
        door.bridge.writeStatements(json.dumps(answer), sparql, format, STANDARD)
    return iter(())


def _is_log(address: str) -> bool:
    """Returns whether the address is surely that of a patch log. One on another web server looks like a dataset."""
    return is_served_log(address) or not is_remote(address) and is_log(address)


def _update(options: argparse.Namespace) -> int:
    sparql = _sparql(options)
    if is_new(options.dataset):
        door = find_door()
        with door.errors():  # a wrong update leaves no database
            door.java_class("io.jellybridge.jena.data.SparqlLimits").of(options.load, options.service, 0.0).update(sparql)
    with _opened(options, options.dataset) as dataset:
        _watched(options, "update", lambda: dataset.update(
            sparql, load=options.load, service=options.service, timeout=options.timeout
        ))
        warn_of_log(options, dataset, options.dataset)
    show_report(options, {"dataset": hidden(options.dataset)}, f"{hidden(options.dataset)}: updated")
    return FINE


def _compact(options: argparse.Namespace) -> int:
    if not options.dataset.startswith(TDB2):
        raise UsageError(f"{hidden(options.dataset)} is no TDB2 folder: name one by tdb2:DIR; a Fuseki compacts its own by POST to /$/compact/NAME")
    require(options.dataset)
    with _opened(options, options.dataset) as dataset:
        before, after = _watched(options, "compact", dataset.compact)
    show_report(options, {"dataset": hidden(options.dataset), "before": before, "after": after},
                f"{hidden(options.dataset)}: {readable(before)}, now {readable(after)}")
    return FINE


def _status(options: argparse.Namespace) -> int:
    found = _figures(options)
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
        print(_metrics_of(hidden(options.dataset), found), end="")
        return FINE if found.get("error") is None else BAD_DATA
    show_report(options, {"dataset": hidden(options.dataset), **found}, "\n".join(lines))
    return FINE if found.get("error") is None else BAD_DATA


def _figures(options: argparse.Namespace) -> Dict[str, Any]:
    """Returns the number of quads and graphs and the position of a dataset. With a log, also how far it is behind."""
    require(options.dataset)
    lag: Optional[Lag] = None
    with _opened(options, options.dataset) as dataset:
        def look() -> List[Any]:
            graphs: Any = dataset.query(_GRAPHS)
            return [len(dataset), int(graphs[0]["n"].split('"')[1]), dataset.position(options.key)]

        quads, graphs, position = _watched(options, "count", look)
        if options.log is not None:
            lag = _watched(options, "compare", lambda: dataset.lag(
                options.log, key=options.key, log_options=_command_options.of_server(options, "log_") or None
            ))
    found = {"quads": quads, "graphs": graphs, "position": position}
    if lag is None:
        return found
    return {**found, "version": lag.version, "head": lag.head, "behind": lag.patches, "seconds": lag.seconds, "error": lag.error}


def _metrics_of(dataset: str, found: Dict[str, Any]) -> str:
    """Returns what :func:`_figures` found in the text format of Prometheus."""
    figures: Dict[str, float] = {"dataset_quads": found["quads"], "dataset_graphs": found["graphs"]}
    if "version" in found:
        lag = Lag(found["version"], found["head"], found["seconds"], None)
        figures.update({**lag.figures(), "follower_healthy": int(found["error"] is None)})
    return _metrics.text(dataset, figures)


@contextlib.contextmanager
def _opened(options: argparse.Namespace, uri: str, is_server: bool = True) -> Iterator[Dataset]:
    """Opens a dataset. An interrupt does not close it, since closing would wait for the interrupted work before the process
    ends.
    """
    dataset = Dataset.open(uri, options=_command_options.of_server(options) if is_server else {})
    try:
        yield dataset
    except Exception:
        dataset.close()
        raise
    dataset.close()


def _watched(options: argparse.Namespace, label: str, call: Callable[[], T]) -> T:
    """Runs work in another thread, so that an interrupt ends the command at once, and shows the elapsed time."""
    bar = ProgressBar(sys.stderr, label, None, not options.quiet)
    begun = time.monotonic()
    try:
        return in_thread(call, lambda: bar.update(0, 0), lambda: None, 0)
    finally:
        bar.clear()
        _LOG.info("%s: %.2f s", label, time.monotonic() - begun)


def require(uri: str) -> None:
    """Rejects a missing TDB2 folder, since opening would create it.

    Raises:
        FileNotFoundError: the folder is missing or empty.
    """
    if is_new(uri):
        raise FileNotFoundError(f"{uri}: there is no TDB2 database; load, update, apply, publish and sync make one; check the folder's name")


def is_new(uri: str) -> bool:
    """Returns whether a TDB2 folder is missing or empty."""
    folder = tdb2_folder(uri)
    return folder is not None and (not os.path.isdir(folder) or not os.listdir(folder))


def _sparql(options: argparse.Namespace) -> str:
    """Returns the query or update of a command, from its argument, a file, or standard input.

    Raises:
        ValueError: there is none, or there are two.
    """
    if (options.sparql is None) == (options.file is None):
        raise ValueError("give the SPARQL as an argument, or a file that holds it by --file; - is standard input")
    if options.file is None and options.sparql != STANDARD:
        return str(options.sparql)
    name = options.file or STANDARD
    if name == STANDARD == options.dataset:
        raise ValueError("standard input can be read only once")
    if is_remote(name):
        raise ValueError("--file takes a file that is here, and no URL")
    try:
        with open(0 if name == STANDARD else absolute(name), encoding="utf-8", closefd=name != STANDARD) as text:
            return text.read()
    except UnicodeDecodeError as e:
        raise ValueError(f"{name}: SPARQL is UTF-8, and byte {e.start} is not") from None

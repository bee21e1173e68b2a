"""The commands for stores: load, dump, query, update, status. A thin layer over :class:`Dataset`."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import shutil
import sys
import tempfile
import time
from argparse import Namespace
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TypeVar

from . import _command_options, _metrics, _sparql_results
from ._color import is_terminal
from ._convert import STANDARD, BadStatements, in_thread, input_path
from ._dataset import Dataset
from ._doors import find_door
from ._follow import Lag
from ._locations import TDB2, absolute, is_remote, target_file
from ._log import PatchLog
from ._progress import ProgressBar

T = TypeVar("T")
_LOG = logging.getLogger(__name__)

#: Counts the named graphs. Leaves out the graph of positions, which queries on a server see.
_GRAPHS = "SELECT (COUNT(DISTINCT ?g) AS ?n) { GRAPH ?g { ?s ?p ?o } FILTER (?g != <urn:jellybridge:sync>) }"


def load(options: Namespace, inputs: Sequence[str]) -> Dict[str, Any]:
    """Loads files, each in one transaction.

    Args:
        options: the command's options.
        inputs: paths, URLs, or ``-``.

    Returns:
        The number of files, of their statements, and of bad statements.
    """
    with _opened(options, options.target) as dataset, BadStatements(options.bad_statements, options.max_bad) as bad:
        statements = sum(_watched(options, f"load {os.path.basename(name)}", lambda: dataset._load(
            input_path(name), bad, options.from_format, options.graph, **_command_options.of_files(options))).statements for name in inputs)
    return {"files": len(inputs), "statements": statements, "bad": bad.count}


def dump(options: Namespace, output: str) -> int:
    """Writes the dataset, or a graph of it, to a file or to standard output.

    Args:
        options: the command's options.
        output: a path, or ``-``.

    Returns:
        The number of statements.
    """
    require(options.dataset)
    format = options.to_format or ("nquads" if output == STANDARD else None)
    with _opened(options, options.dataset) as dataset:
        with contextlib.nullcontext(STANDARD) if output == STANDARD else target_file(output, format) as file:
            return _watched(options, "dump", lambda: dataset._dump(file, format, options.graph))


def query(options: Namespace, sparql: str) -> Iterator[str]:
    """Runs a query. The statements of a file, or those of a log at a version, are loaded into memory first.

    Args:
        options: the command's options, whose dataset may be a file of statements, or a log if there is a version.
        sparql: the query.

    Returns:
        The lines of the result, with their line ends. There are none if Java has written a document to standard output.
    """
    require(options.dataset)
    on_terminal = is_terminal(sys.stdout)
    name = options.dataset if is_remote(options.dataset) else absolute(input_path(options.dataset))
    file = name if os.path.exists(name) and not os.path.isdir(name) else None
    of_log = options.version is not None or options.time is not None
    if file is None and any(_command_options.of_files(options).values()):
        raise ValueError("--base, --remote-contexts and the limits of inputs are for a file, and DATASET is none")
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


def update(options: Namespace, sparql: str) -> None:
    """Runs an update in one transaction."""
    with _opened(options, options.dataset) as dataset:
        _watched(options, "update", lambda: dataset.update(
            sparql, load=options.load, service=options.service, timeout=options.timeout
        ))


def status(options: Namespace) -> Dict[str, Any]:
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
                options.log, key=options.key, source_options=_command_options.of_server(options, "log_") or None
            ))
    found = {"quads": quads, "graphs": graphs, "position": position}
    if lag is None:
        return found
    return {**found, "version": lag.version, "head": lag.head, "behind": lag.patches, "seconds": lag.seconds, "error": lag.error}


def metrics(dataset: str, found: Dict[str, Any]) -> str:
    """Returns what :func:`status` found in the text format of Prometheus."""
    figures: Dict[str, float] = {"dataset_quads": found["quads"], "dataset_graphs": found["graphs"]}
    if "version" in found:
        lag = Lag(found["version"], found["head"], found["seconds"], None)
        figures.update({**lag.figures(), "follower_healthy": int(found["error"] is None)})
    return _metrics.text(dataset, figures)


@contextlib.contextmanager
def _opened(options: Namespace, uri: str, is_server: bool = True) -> Iterator[Dataset]:
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


def _watched(options: Namespace, label: str, call: Callable[[], T]) -> T:
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
    if not uri.startswith(TDB2) or uri == TDB2:
        return
    folder = absolute(uri[len(TDB2):])
    if not os.path.isdir(folder) or not os.listdir(folder):
        raise FileNotFoundError(f"{uri}: there is no TDB2 database; load, update, apply, publish and sync make one; check the folder's name")


def sparql(options: Namespace) -> str:
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

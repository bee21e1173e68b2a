"""A Fuseki server in a process of its own, for tests: as it comes, or with our slim jar beside it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import List, Optional, Sequence

import pytest
from jvm_environment import short_jvm

from jellybridge import __version__

PROJECT = Path(__file__).resolve().parent.parent
_SECONDS_TO_START = 60
# The commands that load modules: Jena 6's FusekiMainCmd does not.
_COMMANDS = {5: "FusekiMainCmd", 6: "FusekiServerPlainCmd"}
# The Jena of the servers that name none: make test JENA=6 runs the tests against another.
JENA = int(os.environ.get("JENA") or 5)


def java(jena: int) -> str:
    """The ``java`` that this Jena's server runs on. Jena 6 needs 21 or newer; a test is skipped where that is not there."""
    if jena == 5:
        home = os.environ.get("JAVA_HOME")
    else:
        found = subprocess.run([PROJECT / "scripts" / "java-home", "21"], capture_output=True, text=True, check=False)
        if found.returncode != 0:
            pytest.skip(found.stderr.strip())
        home = found.stdout.strip()
    return str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"


def class_path(module: bool, jena: int) -> str:
    """Fuseki's class path as the build wrote it, and our jar without Jena where it is to have our module."""
    listed = PROJECT / "build" / "classpaths" / f"fuseki-{jena}.txt"
    if not listed.is_file():
        raise FileNotFoundError(f"{listed} is not there: make build writes it")
    if not module:
        return listed.read_text()
    jar = PROJECT / "build" / "libs" / f"jellybridge-{__version__}.jar"
    return os.pathsep.join([listed.read_text(), str(jar)])


class FusekiServer:
    """Runs until it is stopped or killed; :meth:`start` runs it again, at the same port. A context manager.

    Args:
        module: whether it has our module.
        database: a folder for a TDB2 database; ``None``: the dataset is in memory.
        config: Fuseki's own configuration of all datasets, one of them ``ds``; it goes without ``database``.
        log: the file that gets what the server says.
        logs: a folder whose patch logs everybody may read and append to; ``None``: none are served.
        jena: the first number of its version.
        options: more options of its JVM.
        short: whether it runs for the length of a test; a server that is measured has the JVM's own options and 3 GB.
    """

    def __init__(
        self, *, module: bool, log: Path, database: Optional[Path] = None, logs: Optional[Path] = None, jena: int = JENA,
        options: Sequence[str] = (), short: bool = True, config: Optional[Path] = None,
    ) -> None:
        self.module = module
        self._config = config
        self._logs = logs
        self._jena = jena
        self._options = ["-Xmx512m" if short else "-Xmx3g", *(short_jvm("fuseki") if short and jena == 5 else []), *options]
        self._log = log
        self._database = database
        self._process: Optional[subprocess.Popen[bytes]] = None
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}/ds"

    def start(self, *more: str) -> None:
        """Starts it, with more options of its JVM."""
        dataset: List[str] = ["--mem", "/ds"]
        if self._config is not None:
            dataset = [f"--config={self._config}"]
        if self._database is not None:
            self._database.mkdir(parents=True, exist_ok=True)
            dataset = ["--tdb2", "--update", f"--loc={self._database}", "/ds"]
        logs = [] if self._logs is None else [
            f"-Djellybridge.patch-logs={self._logs}", *(f"-Djellybridge.patch-logs.{right}=_" for right in ("readers", "writers"))
        ]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [java(self._jena), *self._options, *more, *logs, "-cp", class_path(self.module, self._jena),
                 f"org.apache.jena.fuseki.main.cmds.{_COMMANDS[self._jena]}", "--localhost", f"--port={self.port}", *dataset],
                stdout=log, stderr=subprocess.STDOUT,
            )
        self._wait()

    def start_after_kill(self) -> None:
        """Starts the server again, as ``docs/fuseki.md`` says: Jena alone can't open a database with a torn entry in its journal."""
        try:
            self.start()
        except RuntimeError as e:
            if self._database is None or "read the journal" not in self._log.read_text():
                raise
            print(f"{self._database}: a torn entry of the journal is removed: {e}", flush=True)
            mend = f"import jellybridge; jellybridge.Dataset.open({f'tdb2:{self._database}'!r}).close()"
            subprocess.run([sys.executable, "-c", mend], check=True)
            self.start()

    def _wait(self) -> None:
        until = time.monotonic() + _SECONDS_TO_START
        while time.monotonic() < until:
            if self._process is None or self._process.poll() is not None:
                break
            try:
                with urllib.request.urlopen(f"{self.url}/query?query=ASK%7B%7D", timeout=5):
                    return
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                time.sleep(0.1)
        self.kill()
        raise RuntimeError(f"Fuseki did not start: {self._log.read_text()[-2000:]}")

    def stop(self) -> None:
        """Asks the process to end, and waits."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def kill(self) -> None:
        """Ends the process at once, as ``kill -9`` does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> FusekiServer:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

"""The two doors to the JVM side: py4j where a Spark driver runs, JPype where there is no Spark. One API behind both."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Protocol

from . import _class_archive
from ._errors import JellybridgeError, python_error
from ._jars import class_path, jar_path, jvm_library
from ._spark import active_context, require_jar, show_own_errors, spark_jars_line
from ._version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOG = logging.getLogger(__name__)
_BRIDGE = "io.jellybridge.Bridge"
_CAUSES = "io.jellybridge.codec.Causes"


class Door(Protocol):
    """A way into the JVM side."""

    @property
    def bridge(self) -> Any:
        """The Java class ``Bridge``."""

    @property
    def in_spark(self) -> bool:
        """Whether this is the JVM of a Spark driver."""

    def java_class(self, name: str) -> Any:
        """A Java class by its full name."""

    def bytes_of(self, buffer: Any) -> bytes:
        """A copy of what is in a ``java.nio.ByteBuffer`` of ours."""

    def fill(self, buffer: Any, content: bytes) -> None:
        """Sets what is in such a buffer, which has the size of the content."""

    def errors(self) -> Any:
        """A context in which a Java exception becomes a Python one, without its stack trace."""


def find_door(spark: Optional[SparkSession] = None) -> Door:
    """The door to the driver's JVM where a classic Spark session runs in this process, else the door to our own.

    Args:
        spark: the session to use; ``None`` = the active one, where there is one.

    Raises:
        JellybridgeError: the JVM can't be had, or it has no jellybridge, or another version of it; or ``spark`` is a
            Spark Connect session, which has no JVM on this side.
    """
    if spark is not None and not hasattr(spark, "_jsparkSession"):
        raise JellybridgeError(CONNECT)
    context = active_context()
    return _Py4jDoor(context) if context is not None else _JPypeDoor.get()


CONNECT = (
    "under Spark Connect the driver's JVM is out of reach, so a Dataset can't be opened there: "
    "open it in the server's process, or in a Python process without Spark; "
    "diff(), in_order(), net_effect(), number_patches() and the formats jelly-patch and nquads work under Spark Connect"
)


def only_connect() -> bool:
    """Whether the only active Spark session of this process is a Spark Connect one."""
    if active_context() is not None or "pyspark.sql.connect.session" not in sys.modules:
        return False
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    return ConnectSession.getActiveSession() is not None


def _check_version(bridge: Any, remedy: str) -> None:
    """Refuses a jar of another version than this package: the calls between them may not fit."""
    version = str(bridge.version())
    if version != __version__:
        raise JellybridgeError(f"the JVM has jellybridge {version}, this package is {__version__}: {remedy}")


class _Py4jDoor:
    in_spark = True

    def __init__(self, context: Any) -> None:
        self._jvm = context._jvm
        show_own_errors()
        with self.errors():
            require_jar(context)
            self.bridge = self.java_class(_BRIDGE)
            _check_version(self.bridge, f"start the Spark session with {spark_jars_line()}")

    def java_class(self, name: str) -> Any:
        found = self._jvm
        for part in name.split("."):
            found = getattr(found, part)
        return found

    def bytes_of(self, buffer: Any) -> bytes:
        return bytes(self.bridge.bytes(buffer))

    def fill(self, buffer: Any, content: bytes) -> None:
        self.bridge.fill(buffer, content)

    @contextmanager
    def errors(self) -> Iterator[None]:
        from py4j.protocol import Py4JJavaError
        from pyspark.errors.exceptions.captured import CapturedException

        try:
            yield
        except Py4JJavaError as e:
            raise python_error(e.java_exception, self.java_class(_CAUSES).text) from None
        except CapturedException as e:
            if e._origin is None:
                raise
            raise python_error(e._origin, self.java_class(_CAUSES).text) from None


#: More arguments for the JVM of this process; the command line sets them before anything starts it.
jvm_arguments: List[str] = []

# What asks a process to end is Python's: the JVM would end by itself, and leave a program that runs on without it.
_SIGNALS_ARE_PYTHONS = "-Xrs"

# JPype is native; from Java 24 on the JVM complains on standard error unless it is told. Java before 17 does not know it.
_NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED"


def _jvm_arguments() -> List[str]:
    heap = os.environ.get("JELLYBRIDGE_HEAP")
    return [*jvm_arguments, *([f"-Xmx{heap}"] if heap else [])]


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Keeps signals back until the end: a handler that raises within JPype's native code ends the process."""
    kept: List[int] = []
    handlers: Dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handler = signal.getsignal(number)
            if callable(handler):
                handlers[number] = handler
                signal.signal(number, lambda number, frame: kept.append(number))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for late in kept:
            signal.raise_signal(late)


class _JPypeDoor:
    """The JVM inside this process. A process can start one, once; so there is one such door."""

    in_spark = False
    _lock = threading.Lock()
    _door: Optional[_JPypeDoor] = None
    #: Whether this process is a copy of one in which the JVM runs: of the JVM's threads it has none, so that a call hangs.
    _forked = False

    @classmethod
    def get(cls) -> _JPypeDoor:
        cls._refuse_fork()
        with cls._lock:
            if cls._door is None:
                cls._door = cls()
            return cls._door

    def __init__(self) -> None:
        try:
            import jpype
        except ImportError:
            raise JellybridgeError(
                'without a Spark session jellybridge needs JPype: pip install jpype1, or start a Spark session first'
            ) from None
        self._jpype = jpype
        foreign = jpype.isJVMStarted()
        if not foreign:
            self._start()
        try:
            self.bridge = self.java_class(_BRIDGE)
        except TypeError:
            raise JellybridgeError(
                "the JVM that runs in this process has no jellybridge: "
                + "; ".join(f'call jpype.addClassPath("{jar}")' for jar in class_path())
                + "; before anything of jellybridge is used"
            ) from None
        with self.errors():
            _check_version(self.bridge, f"put {jar_path()} on the class path in place of the other jar")

    def _start(self) -> None:
        jpype = self._jpype
        jars = class_path()
        library = jvm_library()
        begun = time.monotonic()
        try:
            # The JVM takes the interrupt for itself; afterwards it is Python's again, and a KeyboardInterrupt.
            with interrupts_later():
                jpype.startJVM(library, _SIGNALS_ARE_PYTHONS, _NATIVE_ACCESS, *_class_archive.arguments(), *_jvm_arguments(), classpath=jars,
                               convertStrings=False, ignoreUnrecognized=True)
        except RuntimeError:
            raise JellybridgeError(
                f"Java could not be started with {' '.join(_jvm_arguments()) or 'no arguments'}: give the JVM a size of "
                f"memory that it can have, such as 512m, by JELLYBRIDGE_HEAP or --heap"
            ) from None
        release = str(jpype.JClass("java.lang.System").getProperty("java.specification.version"))
        _LOG.info("Java %s from %s started in %.2f s", release, library, time.monotonic() - begun)
        if float(release) < 17:
            raise JellybridgeError(f"this is Java {release}, jellybridge needs 17 or newer: set JAVA_HOME to such a one")

    @classmethod
    def _in_child(cls) -> None:
        """Called in a process that was just forked."""
        cls._lock = threading.Lock()  # a thread that the child has not may hold the parent's
        jpype = sys.modules.get("jpype")
        if jpype is not None and jpype.isJVMStarted():
            cls._forked = True
            # Without the JVM's own threads each call into it may wait for ever, and JPype calls it for each object that
            # goes, in garbage collections and at the end; of a JVM that it let go it knows that there is none to call.
            sys.modules["_jpype"].shutdown(False, True)

    @classmethod
    def _refuse_fork(cls) -> None:
        if cls._forked:
            raise JellybridgeError(
                "this process was forked from one in which the JVM of jellybridge runs, and a JVM does not survive that: "
                'use processes that start anew, such as multiprocessing.get_context("spawn"), or fork before the first '
                "use of jellybridge"
            )

    def _check(self) -> None:
        self._refuse_fork()
        if not self._jpype.isJVMStarted():
            raise JellybridgeError("the JVM of this process was shut down, and a process has one: go on in a new process")

    def java_class(self, name: str) -> Any:
        self._check()
        return self._jpype.JClass(name)

    def bytes_of(self, buffer: Any) -> bytes:
        return bytes(memoryview(buffer))

    def fill(self, buffer: Any, content: bytes) -> None:
        memoryview(buffer).cast("B")[:] = content

    @contextmanager
    def errors(self) -> Iterator[None]:
        self._check()
        try:
            yield
        except self._jpype.JVMNotRunning:
            self._check()
            raise
        except self._jpype.JException as e:
            raise python_error(e, self.java_class(_CAUSES).text) from None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_JPypeDoor._in_child)

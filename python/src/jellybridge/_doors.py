"""The two ways into the JVM, behind one interface: py4j if a Spark driver runs, JPype if there is no Spark."""

from __future__ import annotations

import locale
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
from ._jars import GET_JAVA, class_path, jar_path, jvm_library, start_jar
from ._spark import active_context, require_jar, show_own_errors, spark_jars_line
from ._version import __version__

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOG = logging.getLogger(__name__)
_BRIDGE = "io.jellybridge.Bridge"
_EXCEPTION_MESSAGES = "io.jellybridge.codec.ExceptionMessages"


class Door(Protocol):
    """A way into the JVM."""

    @property
    def bridge(self) -> Any:
        """Returns the Java class ``Bridge``."""

    @property
    def in_spark(self) -> bool:
        """Returns whether the JVM is that of a Spark driver."""

    def java_class(self, name: str) -> Any:
        """Returns a Java class by its full name."""

    def bytes_of(self, buffer: Any) -> bytes:
        """Copies the content of one of our ``java.nio.ByteBuffer`` objects."""

    def fill(self, buffer: Any, content: bytes) -> None:
        """Sets the content of such a buffer, whose size is that of the content."""

    def errors(self) -> Any:
        """Returns a context manager that turns a Java exception into a Python one, without its stack trace."""


def find_door(spark: Optional[SparkSession] = None) -> Door:
    """Finds the JVM: that of the driver if a classic Spark session runs in this process, otherwise our own.

    Args:
        spark: the session to use; ``None`` = the active one, if any.

    Raises:
        JellybridgeError: there is no JVM, or it has no jellybridge or another version of it; or ``spark`` is a Spark Connect
            session, which has no JVM in this process.
    """
    if spark is not None and not hasattr(spark, "_jsparkSession"):
        raise JellybridgeError(CONNECT)
    context = active_context()
    return _Py4jDoor(context) if context is not None else _JPypeDoor.get()


def opened(door: object, owner: object) -> Door:
    """Returns the way into the JVM of something that only ``open`` makes; refuses what a user gives to its class instead.

    Raises:
        TypeError: the class was called, as in ``Dataset("tdb2:store")``.
    """
    if not isinstance(door, (_Py4jDoor, _JPypeDoor)):
        name = type(owner).__name__
        raise TypeError(f"{name}() opens nothing: call {name}.open()")
    return door


CONNECT = (
    "under Spark Connect the driver's JVM is out of reach, so a Dataset can't be opened there: "
    "open it in the server's process, or in a Python process without Spark; "
    "diff(), in_order(), net_effect(), number_patches() and the formats jelly-patch and nquads work under Spark Connect"
)


def require_spark(door: Door) -> None:
    """Checks that a dataset lives in the JVM of Spark, so that it can take a DataFrame.

    Raises:
        JellybridgeError: it was opened in another one.
    """
    if not door.in_spark:
        raise JellybridgeError(
            "this dataset was opened before Spark was started, and lives in another JVM than the DataFrame: "
            "open the dataset after the Spark session was made"
        )


def only_connect() -> bool:
    """Returns whether the only active Spark session of this process is a Spark Connect session."""
    if active_context() is not None or "pyspark.sql.connect.session" not in sys.modules:
        return False
    from pyspark.sql.connect.session import SparkSession as ConnectSession

    return ConnectSession.getActiveSession() is not None


def _check_version(bridge: Any, remedy: str) -> None:
    """Rejects a jar of another version than this package, since their calls may not match."""
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
        from py4j.java_gateway import JavaClass

        # By attributes, py4j asks whether "io" is a class, then "io.jellybridge": each time, Java looks into all of Spark's jars.
        return JavaClass(name, self._jvm._gateway_client)

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
            raise python_error(e.java_exception, self.java_class(_EXCEPTION_MESSAGES).toText) from None
        except CapturedException as e:
            if e._origin is None:
                raise
            raise python_error(e._origin, self.java_class(_EXCEPTION_MESSAGES).toText) from None


#: Whether JPype imports numpy, if it is installed, to convert its arrays. No command needs that, and it takes as long as all else
#: that a command imports.
uses_numpy = True
#: More arguments for the JVM of this process. The command line sets them before the JVM starts.
jvm_arguments: List[str] = []

# Python handles termination signals. Otherwise the JVM would exit by itself, and leave Python running without it.
_SIGNALS_ARE_PYTHONS = "-Xrs"

# JPype uses native code. Java 24 and newer warn about that on standard error without this flag; Java before 17 lacks the flag.
_NATIVE_ACCESS = "--enable-native-access=ALL-UNNAMED"


def _jvm_arguments() -> List[str]:
    heap = os.environ.get("JELLYBRIDGE_HEAP")
    return [*jvm_arguments, *([f"-Xmx{heap}"] if heap else [])]


@contextmanager
def _locale_kept() -> Iterator[None]:
    """Keeps the locale of the process. A JVM that starts sets the one of the environment, and then errors of the system, which Java
    and we tell apart by their English words, and decimal points are in that language.

    In its UTF-8 mode, Python takes names of files as UTF-8 although the environment has another encoding, and so will the JVM.
    """
    before, of_environment = locale.setlocale(locale.LC_ALL), os.environ.get("LC_ALL")
    if sys.flags.utf8_mode:
        os.environ["LC_ALL"] = "C.UTF-8"
    try:
        yield
    finally:
        locale.setlocale(locale.LC_ALL, before)
        if sys.flags.utf8_mode:
            del os.environ["LC_ALL"]
            if of_environment is not None:
                os.environ["LC_ALL"] = of_environment


@contextmanager
def interrupts_later() -> Iterator[None]:
    """Defers signals until the end of the block, since a handler that raises inside JPype's native code kills the process."""
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


def _import_jpype() -> Any:
    hides = not uses_numpy and "numpy" not in sys.modules
    if hides:
        sys.modules["numpy"] = None  # type: ignore[assignment]
    try:
        import jpype
    finally:
        if hides:
            del sys.modules["numpy"]
    return jpype


class _JPypeDoor:
    """The JVM inside this process. A process can start only one JVM, so there is one such object."""

    in_spark = False
    _lock = threading.Lock()
    _door: Optional[_JPypeDoor] = None
    #: True if this process was forked from one with a running JVM. The child has none of the JVM's threads, so a call would
    #: hang.
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
            jpype = _import_jpype()
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
        jar = start_jar()
        library = jvm_library()
        begun = time.monotonic()
        try:
            # The JVM takes over SIGINT during its start. Afterwards Python has it again, and raises KeyboardInterrupt.
            with interrupts_later(), _locale_kept():
                jpype.startJVM(library, _SIGNALS_ARE_PYTHONS, _NATIVE_ACCESS, *_class_archive.arguments(), *_jvm_arguments(), classpath=[jar],
                               convertStrings=False, ignoreUnrecognized=True)
        except RuntimeError:
            raise JellybridgeError(
                f"Java could not be started with {' '.join(_jvm_arguments()) or 'no arguments'}: give the JVM a size of "
                f"memory that it can have, such as 512m, by JELLYBRIDGE_HEAP or --heap"
            ) from None
        release = str(jpype.JClass("java.lang.System").getProperty("java.specification.version"))
        _LOG.info("Java %s from %s started in %.2f s", release, library, time.monotonic() - begun)
        if float(release) < 17:
            raise JellybridgeError(f"this is Java {release}, jellybridge needs 17 or newer: {GET_JAVA}")

    @classmethod
    def _in_child(cls) -> None:
        """Runs in a process that was just forked."""
        cls._lock = threading.Lock()  # the old lock may be held by a thread of the parent
        jpype = sys.modules.get("jpype")
        if jpype is not None and jpype.isJVMStarted():
            cls._forked = True
            # Without the JVM's own threads, any call into it may hang. JPype calls it for every object that is freed, in
            # garbage collections and at exit. After this shutdown, JPype knows that there is no JVM to call.
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
            raise python_error(e, self.java_class(_EXCEPTION_MESSAGES).toText) from None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_JPypeDoor._in_child)

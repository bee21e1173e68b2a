"""Sets up Spark sessions: their jar, and the display of our errors in Python."""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence, Tuple

from ._errors import JellybridgeError, own_error, own_error_of
from ._jars import jar_path

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_FORMATS = ("jelly-patch", "rdf-patch", "jelly", "nquads", "rdf", "rdf-patch-log", "rdf-dataset", "jena")

# Hadoop's shaded Woodstox registers itself as the StAX parser. Jena then logs three errors at its start.
_STAX_PROPERTY = "-Djavax.xml.stream.XMLInputFactory="
_STAX_OPTION = _STAX_PROPERTY + "com.sun.xml.internal.stream.XMLInputFactoryImpl"
# The variable that spark-submit sets for its program.
_UNDER_SUBMIT = "PYSPARK_GATEWAY_PORT"
_DESCRIPTION = "spark.job.description"


def configure_spark(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Adds jellybridge to a Spark session that is not created yet.

    Adds the bundled jar to ``spark.jars``. Adds a Java option that keeps Jena's start quiet to
    ``spark.driver.extraJavaOptions`` and ``spark.executor.extraJavaOptions``. Existing values from the builder, or from the
    ``spark-submit`` that runs this program, are kept. A second call adds nothing. Settings in a ``spark-defaults.conf`` are not
    visible before the driver's JVM runs, so repeat them on the builder.

    If a Spark session runs in this process already, or ran before, it must have been started with the jar. Otherwise this call
    raises an error, since the JVM of a session accepts no jar, and stays when the session is stopped. Restart the process then.

    Afterwards Spark's own calls, such as ``collect()``, raise our errors too: :class:`jellybridge.PatchFormatError` for a
    broken file, :class:`jellybridge.JellybridgeError` for a batch that a dataset rejects, and
    :class:`jellybridge.UnreachableError` for a server that can't be reached.

    Example::

        from pyspark.sql import SparkSession
        spark = jellybridge.configure_spark(SparkSession.builder.master("local[2]")).getOrCreate()
        changes = spark.read.format("jelly-patch").load("changes.jellyp")

    Under Spark Connect the server needs the jar: start the server with ``--jars``, or call
    ``spark.addArtifacts(jellybridge.jar_path())``. The builder is returned unchanged. Our errors are raised there too.

    Args:
        builder: ``SparkSession.builder`` with any settings.

    Returns:
        The same builder.

    Raises:
        JellybridgeError: the package was installed without its jar, or the JVM of this process was started without it. The
            message says how to start it.
        TypeError: ``builder`` is a session, for example, and no builder.
    """
    if not hasattr(builder, "_options"):
        raise TypeError(f"configure_spark takes SparkSession.builder, before getOrCreate(), and got {type(builder).__name__}")
    options = builder._options
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ:
        show_own_errors_of_connect()
        return builder
    if active_context() is None and _UNDER_SUBMIT in os.environ:
        _require_jar_of_submit()
    else:
        _require_jar_of_jvm()
    jars = [jar for jar in _setting(options, "spark.jars").split(",") if jar]
    bundle = _jar_to_add()
    if bundle is not None and PurePosixPath(bundle).name not in (PurePosixPath(jar).name for jar in jars):
        jars.append(bundle)
    builder.config("spark.jars", ",".join(jars))
    for key in ("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions"):
        java_options = _setting(options, key)
        if _STAX_PROPERTY not in java_options:
            builder.config(key, f"{java_options} {_STAX_OPTION}".lstrip())
    show_own_errors()
    return builder


def _setting(options: Any, key: str) -> str:
    """Returns a setting of the builder, else of the ``spark-submit`` that started this program, else an empty text."""
    value = options.get(key)
    if value is None:
        value = _submitted(key)
    return "" if value is None else str(value)


def _submitted(key: str) -> Optional[str]:
    """Returns a setting of the ``spark-submit`` that started this program. Only then does a JVM run already."""
    if _UNDER_SUBMIT not in os.environ:
        return None
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    return SparkConf().get(key)


def active_context() -> Any:
    """Returns the Spark context of this process. Does not import pyspark."""
    pyspark = sys.modules.get("pyspark")
    # A context and not a session, since it exists as long as the driver's JVM serves this process.
    return getattr(getattr(pyspark, "SparkContext", None), "_active_spark_context", None)


@contextlib.contextmanager
def described(session: Any, does: str) -> Iterator[None]:
    """Describes the jobs that Spark runs meanwhile, in its UI. Under Spark Connect the jobs are the server's, and stay as they are."""
    context = getattr(session, "_sc", None)
    if context is None:
        yield
        return
    before = context.getLocalProperty(_DESCRIPTION)
    context.setLocalProperty(_DESCRIPTION, f"jellybridge: {does}")
    try:
        yield
    finally:
        context.setLocalProperty(_DESCRIPTION, before)


def frame_of(session: Any, rows: Sequence[Mapping[str, Any]], schema: str) -> DataFrame:
    """Returns a DataFrame of a few rows, as a literal of the plan.

    ``createDataFrame`` of a list starts a process of Python for each query.
    """
    from pyspark.sql import functions as F

    found = F.from_json(F.lit(json.dumps(rows)), f"ARRAY<STRUCT<{schema}>>")
    return session.range(0, 1, 1, 1).select(F.inline(found))  # type: ignore[no-any-return]


def require_jar(context: Any) -> None:
    """Rejects a session that was started without our jar.

    Raises:
        JellybridgeError: the jar is missing; the message says how to start a session with it.
    """
    if not _has_jar(context._jvm):
        raise _without_jar()


def _require_jar_of_jvm() -> None:
    """Rejects a JVM that Spark has started for this process without our jar, whether a session runs in it or not."""
    jvm = _started_jvm()
    if jvm is not None and not _has_jar(jvm):
        raise _without_jar()


def _started_jvm() -> Any:
    """Returns the JVM that Spark has started for this process, whether a session runs in it or not."""
    return getattr(getattr(sys.modules.get("pyspark"), "SparkContext", None), "_jvm", None)


def _jar_to_add() -> Optional[str]:
    """Returns the jar of this package. ``None`` if the package has none, as in a zip of ``--py-files``, and the JVM got one otherwise."""
    try:
        return jar_path()
    except JellybridgeError:
        if _started_jvm() is None:
            raise
        return None


def _require_jar_of_submit() -> None:
    """Rejects a ``spark-submit`` that was started without our jar, since its running driver accepts no jar."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    if not _has_jar(SparkContext._jvm):
        raise JellybridgeError(
            f"the driver of this spark-submit has no jellybridge jar, and takes none any more: start the program by "
            f'spark-submit --jars {jar_path()} {sys.argv[0] if sys.argv[0] else "PROGRAM"}'
        )


def _has_jar(jvm: Any) -> bool:
    # For an unknown class, py4j returns a JavaPackage, which fails only when it is called.
    return type(jvm.io.jellybridge.Bridge).__name__ == "JavaClass"


def _without_jar() -> JellybridgeError:
    return JellybridgeError(
        f"the JVM of this process was started without the jellybridge jar, and takes none any more, even if you stop its session: "
        f"restart the process (in a notebook, the kernel), and start the session with jellybridge.configure_spark(builder), with "
        f"{spark_jars_line()}, or with spark-submit --jars {jar_path()}; "
        f"on a managed cluster, install this jar as a library of the cluster"
    )


def _without_artifact() -> JellybridgeError:
    return JellybridgeError(
        "this Spark Connect session has no jellybridge jar: call spark.addArtifacts(jellybridge.jar_path()), or start the "
        "server with it, by --jars"
    )


def spark_jars_line() -> str:
    """Returns the line that adds the jar to a session that is not created yet."""
    return f'.config("spark.jars", "{jar_path()}")'


def show_own_errors() -> None:
    """Makes pyspark raise our Python error for a Java exception that one of our errors caused. Idempotent.

    It wraps the function with which pyspark creates its exceptions from Java's. Its callers raise the result ``from None``, so
    that no Java stack trace precedes the message.
    """
    from pyspark.errors.exceptions import captured

    def own(java: Any) -> Optional[Exception]:
        return own_error(java) or (_without_jar() if _lacks_format(str(java.getMessage())) else None)

    _convert_first(captured, own, lambda error, *_: error)


def show_own_errors_of_connect() -> None:
    """Does the same as :func:`show_own_errors` for Spark Connect, where the client gets classes and messages of exceptions."""
    try:
        from pyspark.sql.connect.client import core
    except ImportError:  # pyspark lacks the packages for Connect, and reports that itself
        return

    def own(info: Any, message: str, details: Any, *_: Any) -> Optional[Exception]:
        return own_error_of(_causes(info, message, details)) or (_without_artifact() if _lacks_format(message) else None)

    def refine(error: Any, info: Any, message: str, details: Any, *_: Any) -> Any:
        if _is_refusal_of_ours(details):
            # The message is complete. Otherwise pyspark would add the server's stack trace.
            error._display_stacktrace = False
        return error

    _convert_first(core, own, refine)


def _causes(info: Any, message: str, details: Any) -> Iterator[Tuple[str, str]]:
    """Yields the classes and messages of a failure on a Connect server and of its causes. Without details, only the outermost
    one.
    """
    if details is None or not details.HasField("root_error_idx"):
        classes = json.loads(info.metadata.get("classes") or "[]")
        yield classes[0] if classes else "", message
        return
    error = details.errors[details.root_error_idx]
    # Each cause occurs once in the server's answer, so this ends after the last.
    for _ in details.errors:
        yield error.error_type_hierarchy[0] if error.error_type_hierarchy else "", error.message
        if not error.HasField("cause_idx"):
            return
        error = details.errors[error.cause_idx]


def _lacks_format(message: str) -> bool:
    """Returns whether an error of Spark says that one of our formats is unknown."""
    unknown = re.match(r"\[DATA_SOURCE_NOT_FOUND\] Failed to find the data source: ([\w-]+)\.", message)
    return unknown is not None and unknown[1] in _FORMATS


def _is_refusal_of_ours(details: Any) -> bool:
    """Returns whether our code raised the error itself, for example for an unknown option."""
    if details is None or not details.HasField("root_error_idx"):
        return False
    trace = details.errors[details.root_error_idx].stack_trace
    return len(trace) > 0 and str(trace[0].declaring_class).startswith("io.jellybridge.")


def _convert_first(
    module: Any,
    own: Callable[..., Optional[Exception]],
    refine: Callable[..., Any],
) -> None:
    """Wraps the function ``convert_exception`` of a module, so that it looks for our errors first.

    Args:
        module: the module.
        own: returns our error, if it is one. It gets the arguments of that function.
        refine: changes the result of that function. It gets the result, then the arguments.
    """
    convert = module.convert_exception
    if getattr(convert, "_jellybridge", False):
        return

    def convert_exception(*failure: Any, **more: Any) -> Any:
        error = own(*failure)
        return refine(convert(*failure, **more), *failure) if error is None else error

    convert_exception._jellybridge = True  # type: ignore[attr-defined]
    module.convert_exception = convert_exception

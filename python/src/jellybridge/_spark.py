"""What jellybridge tells a Spark session: where its jar is, and how its errors look in Python."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Callable, Iterator, Optional, Tuple

from ._errors import JellybridgeError, own_error, own_error_of
from ._jars import jar_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FORMATS = ("jelly-patch", "rdf-patch", "jelly", "nquads", "rdf-patch-log", "rdf-dataset", "jena")

# Hadoop's shaded Woodstox registers itself as the StAX parser, and Jena then logs three errors at its start.
_STAX_PROPERTY = "-Djavax.xml.stream.XMLInputFactory="
_STAX_OPTION = _STAX_PROPERTY + "com.sun.xml.internal.stream.XMLInputFactoryImpl"
# What spark-submit tells the program that it runs.
_UNDER_SUBMIT = "PYSPARK_GATEWAY_PORT"


def configure_spark(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Puts jellybridge into a Spark session that is still to be made.

    Adds the bundled jar to ``spark.jars``, and a Java option that keeps Jena's start quiet to
    ``spark.driver.extraJavaOptions`` and ``spark.executor.extraJavaOptions``. What the builder, or the ``spark-submit``
    that runs this program, has in these settings stays; calling twice adds nothing. Settings of a
    ``spark-defaults.conf`` can't be seen before the driver's JVM runs: repeat them on the builder.

    In a process where a Spark session runs already, that one must have been started with the jar; this says so where it was
    not, as no jar can be added to it any more.

    A broken file then fails with :class:`jellybridge.PatchFormatError` from Spark's own calls too, as ``collect()``; a
    batch that a dataset does not take, with :class:`jellybridge.JellybridgeError`; a server that can't be reached, with
    :class:`jellybridge.UnreachableError`.

    Example::

        from pyspark.sql import SparkSession
        spark = jellybridge.configure_spark(SparkSession.builder.master("local[2]")).getOrCreate()
        changes = spark.read.format("jelly-patch").load("changes.jellyp")

    Under Spark Connect the jar belongs to the server: start that with ``--jars``, or call
    ``spark.addArtifacts(jellybridge.jar_path())``. The builder comes back as it was; errors of ours are shown as such there
    too.

    Args:
        builder: ``SparkSession.builder`` with whatever was set on it.

    Returns:
        The same builder.

    Raises:
        JellybridgeError: the package was installed without its jar, or the session or the ``spark-submit`` that runs was
            started without it; says how to start it.
    """
    options = builder._options
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ:
        show_own_errors_of_connect()
        return builder
    context = active_context()
    if context is not None:
        require_jar(context)
    elif _UNDER_SUBMIT in os.environ:
        _require_jar_of_submit()
    jars = [jar for jar in _setting(options, "spark.jars").split(",") if jar]
    bundle = jar_path()
    if PurePosixPath(bundle).name not in (PurePosixPath(jar).name for jar in jars):
        jars.append(bundle)
    builder.config("spark.jars", ",".join(jars))
    for key in ("spark.driver.extraJavaOptions", "spark.executor.extraJavaOptions"):
        java_options = _setting(options, key)
        if _STAX_PROPERTY not in java_options:
            builder.config(key, f"{java_options} {_STAX_OPTION}".lstrip())
    show_own_errors()
    return builder


def _setting(options: Any, key: str) -> str:
    """What the builder says, else what a ``spark-submit`` above us said, else nothing."""
    value = options.get(key)
    if value is None:
        value = _submitted(key)
    return "" if value is None else str(value)


def _submitted(key: str) -> Optional[str]:
    """A setting of the ``spark-submit`` that started this program: then, and only then, a JVM runs already."""
    if _UNDER_SUBMIT not in os.environ:
        return None
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    return SparkConf().get(key)


def active_context() -> Any:
    """The Spark context that runs in this process; does not import pyspark where nobody did."""
    pyspark = sys.modules.get("pyspark")
    # A context, not a session: it's there as long as the driver's JVM serves this process.
    return getattr(getattr(pyspark, "SparkContext", None), "_active_spark_context", None)


def require_jar(context: Any) -> None:
    """Refuses a session that was started without our jar.

    Raises:
        JellybridgeError: it was; says how to start one.
    """
    if not _has_jar(context._jvm):
        raise _without_jar()


def _require_jar_of_submit() -> None:
    """Refuses a ``spark-submit`` that was started without our jar: its driver runs, and takes no jar any more."""
    from pyspark import SparkContext

    SparkContext._ensure_initialized()
    if not _has_jar(SparkContext._jvm):
        raise JellybridgeError(
            f"the driver of this spark-submit has no jellybridge jar, and takes none any more: start the program by "
            f'spark-submit --jars {jar_path()} {sys.argv[0] if sys.argv[0] else "PROGRAM"}'
        )


def _has_jar(jvm: Any) -> bool:
    # py4j answers a class it does not find with a JavaPackage, which fails only when it is called.
    return type(jvm.io.jellybridge.Bridge).__name__ == "JavaClass"


def _without_jar() -> JellybridgeError:
    return JellybridgeError(
        f"this Spark session has no jellybridge jar, and one can't be added while it runs: start it with "
        f"{spark_jars_line()}, with jellybridge.configure_spark(builder), or with spark-submit --jars {jar_path()}; "
        f"stop the session that runs before"
    )


def _without_artifact() -> JellybridgeError:
    return JellybridgeError(
        "this Spark Connect session has no jellybridge jar: call spark.addArtifacts(jellybridge.jar_path()), or start the "
        "server with it, by --jars"
    )


def spark_jars_line() -> str:
    """What brings the jar into a session that is still to be made."""
    return f'.config("spark.jars", "{jar_path()}")'


def show_own_errors() -> None:
    """Makes pyspark turn a Java exception that an error of ours caused into our error in Python. Idempotent.

    Hooks into the one function by which pyspark makes its own exceptions of Java's. Where it is called, pyspark raises
    what it returns ``from None``, so that no stack trace of Java's stands before the message.
    """
    from pyspark.errors.exceptions import captured

    def own(java: Any) -> Optional[Exception]:
        return own_error(java) or (_without_jar() if _lacks_format(str(java.getMessage())) else None)

    _convert_first(captured, own, lambda error, *_: error)


def show_own_errors_of_connect() -> None:
    """As :func:`show_own_errors`, for Spark Connect, whose client is told the classes and messages of what failed."""
    try:
        from pyspark.sql.connect.client import core
    except ImportError:  # pyspark was installed without what Connect needs, and says so itself when it is used
        return

    def own(info: Any, message: str, details: Any, *_: Any) -> Optional[Exception]:
        return own_error_of(_causes(info, message, details)) or (_without_artifact() if _lacks_format(message) else None)

    def refine(error: Any, info: Any, message: str, details: Any, *_: Any) -> Any:
        if _is_refusal_of_ours(details):
            # The message says all; pyspark would have the stack trace of the server follow it.
            error._display_stacktrace = False
        return error

    _convert_first(core, own, refine)


def _causes(info: Any, message: str, details: Any) -> Iterator[Tuple[str, str]]:
    """The classes and messages of what a Connect server answers about a failure; without details, of the outermost one."""
    if details is None or not details.HasField("root_error_idx"):
        classes = json.loads(info.metadata.get("classes") or "[]")
        yield classes[0] if classes else "", message
        return
    error = details.errors[details.root_error_idx]
    # No cause comes twice in what the server sends, so this ends after the last.
    for _ in details.errors:
        yield error.error_type_hierarchy[0] if error.error_type_hierarchy else "", error.message
        if not error.HasField("cause_idx"):
            return
        error = details.errors[error.cause_idx]


def _lacks_format(message: str) -> bool:
    """Whether an error of Spark says that it does not know a format of ours."""
    unknown = re.match(r"\[DATA_SOURCE_NOT_FOUND\] Failed to find the data source: ([\w-]+)\.", message)
    return unknown is not None and unknown[1] in _FORMATS


def _is_refusal_of_ours(details: Any) -> bool:
    """Whether our code raised the error itself, such as that of an option that there is not."""
    if details is None or not details.HasField("root_error_idx"):
        return False
    trace = details.errors[details.root_error_idx].stack_trace
    return len(trace) > 0 and str(trace[0].declaring_class).startswith("io.jellybridge.")


def _convert_first(
    module: Any,
    own: Callable[..., Optional[Exception]],
    refine: Callable[..., Any],
) -> None:
    """Has the function ``convert_exception``, as the module has it, look for an error of ours first.

    Args:
        own: gets what that function gets.
        refine: likewise, after what that function made of it.
    """
    convert = module.convert_exception
    if getattr(convert, "_jellybridge", False):
        return

    def convert_exception(*failure: Any, **more: Any) -> Any:
        error = own(*failure)
        return refine(convert(*failure, **more), *failure) if error is None else error

    convert_exception._jellybridge = True  # type: ignore[attr-defined]
    module.convert_exception = convert_exception

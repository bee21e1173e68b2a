"""What jellybridge tells a Spark session: where its jar is, and how its errors look in Python."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Optional

from ._errors import own_error
from ._jars import jar_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Hadoop's shaded Woodstox registers itself as the StAX parser, and Jena then logs three errors at its start.
_STAX_PROPERTY = "-Djavax.xml.stream.XMLInputFactory="
_STAX_OPTION = _STAX_PROPERTY + "com.sun.xml.internal.stream.XMLInputFactoryImpl"


def configure_spark(builder: SparkSession.Builder) -> SparkSession.Builder:
    """Puts jellybridge into a Spark session that is still to be made.

    Adds the bundled jar to ``spark.jars``, and a Java option that keeps Jena's start quiet to
    ``spark.driver.extraJavaOptions`` and ``spark.executor.extraJavaOptions``. What the builder, or the ``spark-submit``
    that runs this program, has in these settings stays; calling twice adds nothing. Settings of a
    ``spark-defaults.conf`` can't be seen before the driver's JVM runs: repeat them on the builder.

    A broken file then fails with :class:`jellybridge.PatchFormatError` from Spark's own calls too, as ``collect()``; a
    batch that a dataset does not take, with :class:`jellybridge.JellybridgeError`.

    Example::

        from pyspark.sql import SparkSession
        spark = jellybridge.configure_spark(SparkSession.builder.master("local[2]")).getOrCreate()
        changes = spark.read.format("jelly-patch").load("changes.jellyp")

    Under Spark Connect the jar belongs to the server: start that with ``--jars``, or call
    ``spark.addArtifacts(jellybridge.jar_path())``. The builder comes back as it was.

    Args:
        builder: ``SparkSession.builder`` with whatever was set on it.

    Returns:
        The same builder.

    Raises:
        JellybridgeError: the package was installed without its jar.
    """
    options = builder._options
    if "spark.remote" in options or "SPARK_REMOTE" in os.environ:
        return builder
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
    if "PYSPARK_GATEWAY_PORT" not in os.environ:
        return None
    from pyspark import SparkConf, SparkContext

    SparkContext._ensure_initialized()
    return SparkConf().get(key)


def show_own_errors() -> None:
    """Makes pyspark turn a Java exception that an error of ours caused into our error in Python. Idempotent.

    Hooks into the one function by which pyspark makes its own exceptions of Java's. Where it is called, pyspark raises
    what it returns ``from None``, so that no stack trace of Java's stands before the message.
    """
    from pyspark.errors.exceptions import captured

    convert = captured.convert_exception
    if getattr(convert, "_jellybridge", False):
        return

    def convert_exception(e: Any) -> Any:
        error = own_error(e)
        return convert(e) if error is None else error

    convert_exception._jellybridge = True  # type: ignore[attr-defined]
    captured.convert_exception = convert_exception

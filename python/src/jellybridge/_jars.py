"""Finds the jars that the package carries."""

from __future__ import annotations

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

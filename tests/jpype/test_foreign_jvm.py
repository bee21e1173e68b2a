"""A JVM that somebody else started in this process, without jellybridge on its class path."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import jpype
from jellybridge import Dataset, JellybridgeError, jar_path
from jellybridge._jars import class_path

jpype.startJVM(convertStrings=True)
try:
    Dataset.open("mem:")
    raise SystemExit("it was opened")
except JellybridgeError as error:
    assert "has no jellybridge" in str(error) and f'jpype.addClassPath("{jar_path()}")' in str(error), error
for jar in class_path():
    jpype.addClassPath(jar)
with Dataset.open("mem:") as dataset:
    dataset.update('INSERT DATA { <urn:s> <urn:p> "o" }')
    assert dataset.query("SELECT ?o { ?s ?p ?o }") == [{"o": '"o"'}]
"""


def test_it_is_used_once_it_has_the_jars_and_refused_before() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr

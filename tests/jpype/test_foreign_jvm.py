"""A JVM that somebody else started in this process, without jellybridge on its class path."""

from __future__ import annotations

import jpype
import pytest

from jellybridge import Dataset, JellybridgeError, jar_path
from jellybridge._jars import class_path


def test_it_is_used_once_it_has_the_jars_and_refused_before() -> None:
    jpype.startJVM(convertStrings=True)
    with pytest.raises(JellybridgeError, match="has no jellybridge") as raised:
        Dataset.open("mem:")
    assert f'jpype.addClassPath("{jar_path()}")' in str(raised.value)
    for jar in class_path():
        jpype.addClassPath(jar)
    with Dataset.open("mem:") as dataset:
        dataset.update('INSERT DATA { <urn:s> <urn:p> "o" }')
        assert dataset.query("SELECT ?o { ?s ?p ?o }") == [{"o": '"o"'}]

"""The examples in docstrings that need a Spark session run."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import jellybridge

MODULES = ["jellybridge"] + [
    f"jellybridge.{module.name}" for module in pkgutil.iter_modules(jellybridge.__path__) if not module.ispkg
]
#: What opens and closes things, or says what they are, needs no example.
PLAIN = {"open", "position", "closed", "close", "id", "head", "create", "repair"}


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(spark: SparkSession, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    module = importlib.import_module(name)
    names = {public: getattr(jellybridge, public) for public in jellybridge.__all__}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder().find(module, extraglobs={**names, "jellybridge": jellybridge, "spark": spark}):
        if any("spark" in example.source for example in test.examples):
            runner.run(test)
    assert runner.failures == 0


def test_what_people_come_for_has_an_example() -> None:
    calls = {name: call for name, call in vars(jellybridge).items() if name in jellybridge.__all__ and inspect.isfunction(call)}
    for kind in (jellybridge.Dataset, jellybridge.PatchLog):
        calls.update({f"{kind.__name__}.{name}": call for name, call in inspect.getmembers(kind, inspect.isfunction)
                      if not name.startswith("_") and name not in PLAIN})
    assert [name for name, call in calls.items() if ">>>" not in (call.__doc__ or "")] == ["configure_spark"]

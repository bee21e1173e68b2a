"""The examples in the docstrings run; those with a Spark session do in test_spark_doctests.py."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import jellybridge

MODULES = ["jellybridge"] + [
    f"jellybridge.{module.name}" for module in pkgutil.iter_modules(jellybridge.__path__) if not module.ispkg
] + [f"jelly_conformance.{name}" for name in ("comparison", "_options", "_subject")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = {public: getattr(jellybridge, public) for public in jellybridge.__all__}
    runner = doctest.DocTestRunner()
    for test in doctest.DocTestFinder().find(importlib.import_module(name), extraglobs=names):
        if not any("spark" in example.source for example in test.examples):
            runner.run(test)
    assert runner.failures == 0

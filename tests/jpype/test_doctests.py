"""The examples in the docstrings run."""

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
    done = doctest.testmod(importlib.import_module(name), extraglobs=names)
    assert done.failed == 0

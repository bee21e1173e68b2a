"""The code keeps to its size: ``budgets.toml`` limits the files and the lines of code of each module."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

import pytest

PROJECT = Path(__file__).resolve().parent.parent
BUDGETS: Dict[str, Dict[str, int]] = tomllib.loads((PROJECT / "tests" / "budgets.toml").read_text(encoding="utf-8"))["code"]
#: A module may pass its budget by so much before it fails.
TOLERANCE = 1.05


class Size(NamedTuple):
    files: int
    lines: int


def sources(module: str) -> List[Path]:
    folder = PROJECT / ("python/src" if module == "python" else f"jvm/{module}/src/main")
    return [path for path in folder.rglob("*.*") if path.suffix in (".java", ".py") and "proto" not in path.parts]


def code_lines(text: str, suffix: str) -> Iterator[str]:
    """Yields the lines that are neither empty nor a comment. Docstrings count as comments."""
    pattern = r'"""[\s\S]*?"""|^\s*#.*$' if suffix == ".py" else r"/\*[\s\S]*?\*/|^\s*//.*$"
    return (line for line in re.sub(pattern, "", text, flags=re.MULTILINE).splitlines() if line.strip())


def size(module: str) -> Size:
    files = sources(module)
    return Size(len(files), sum(1 for file in files for _ in code_lines(file.read_text(encoding="utf-8"), file.suffix)))


def modules() -> List[str]:
    return ["python", *sorted(folder.parents[1].name for folder in PROJECT.glob("jvm/*/src/main"))]


def test_each_module_has_a_budget() -> None:
    assert sorted(BUDGETS) == sorted(modules())


@pytest.mark.parametrize("module", modules())
def test_a_module_keeps_to_its_budget(module: str) -> None:
    measured, budget = size(module), Size(**BUDGETS[module])
    for what, is_, may in zip(Size._fields, measured, budget):
        assert is_ <= may * TOLERANCE, f"{module} has {is_} {what}, of {may}: make it smaller, or raise tests/budgets.toml with a reason"
        assert is_ >= may / TOLERANCE, f"{module} has only {is_} {what}, of {may}: lower tests/budgets.toml, so that it stays so"


def test_comments_and_docstrings_are_no_code() -> None:
    java = "/** A class. */\nclass A { // one\n    // two\n\n    int a; /* three\n    */\n}\n"
    assert len(list(code_lines(java, ".java"))) == 3
    python = '"""A module."""\n\ndef a() -> None:\n    """Does\n    nothing."""\n    # no\n    return\n'
    assert len(list(code_lines(python, ".py"))) == 2

"""The Python package as it is built for others."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from jellybridge._jars import class_path, start_jar

PACKAGE = Path(__file__).resolve().parent.parent / "python"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    ignored = shutil.ignore_patterns("*.egg-info", "__pycache__", "dist")
    return Path(shutil.copytree(PACKAGE, tmp_path / "python", ignore=ignored))


def build(folder: Path, target: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", target], cwd=folder, capture_output=True,
                          text=True, timeout=120)


def test_a_wheel_has_its_jars(copy: Path) -> None:
    assert build(copy, "wheel").returncode == 0
    wheel, = (copy / "dist").glob("*.whl")
    names = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".jar")]
    assert any(name.startswith("jellybridge/jars/jellybridge-bundle-") for name in names)
    assert any(name.startswith("jellybridge/jars/slf4j/slf4j-api-") for name in names)
    assert "jellybridge/jars/jellybridge-start.jar" in names
    assert "jellybridge/jars/build.json" in zipfile.ZipFile(wheel).namelist()


def test_the_jar_that_starts_a_jvm_names_the_class_path_and_holds_no_class() -> None:
    with zipfile.ZipFile(start_jar()) as jar:
        manifest = jar.read("META-INF/MANIFEST.MF").decode().replace("\r\n ", "")
        assert not [name for name in jar.namelist() if not name.startswith("META-INF/")]
    named = manifest.partition("Class-Path: ")[2].splitlines()[0].split()
    assert [str(Path(start_jar()).parent / name) for name in named] == class_path()


@pytest.mark.parametrize("target", ["wheel", "sdist"])
@pytest.mark.parametrize("missing", ["jars", "jars/slf4j"])
def test_a_package_without_its_jars_is_not_built(copy: Path, target: str, missing: str) -> None:
    shutil.rmtree(copy / "src" / "jellybridge" / missing)
    done = build(copy, target)
    assert done.returncode != 0
    assert "is missing: run `make build`" in done.stderr.splitlines()[-1]
    assert not list(copy.glob("dist/*"))

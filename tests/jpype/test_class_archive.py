"""The archive of classes that makes the JVM's start shorter."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Dict

import pytest

import jellybridge

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no archive")
ROW = {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": "<urn:o>"}
PRINTED = "A <urn:s> <urn:p> <urn:o> .\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    jellybridge.write_patch(tmp_path / "log.jellyp", [ROW])
    return tmp_path / "log.jellyp"


def start(log: Path, cache: str, **more: str) -> "subprocess.Popen[str]":
    environment: Dict[str, str] = {**os.environ, "JELLYBRIDGE_CACHE": cache, **more}
    return subprocess.Popen([sys.executable, "-m", "jellybridge", "cat", str(log)], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def cat(log: Path, cache: Path, **more: str) -> None:
    with start(log, str(cache), **more) as process:
        assert process.communicate() == (PRINTED, "")
        assert process.returncode == 0


def made(cache: Path, of: int = 1) -> Path:
    """The newest archive, once it is made and whoever made it has cleaned up; there are so many then."""
    until = time.monotonic() + 120
    while time.monotonic() < until:
        archives = list(cache.glob("*.jsa"))
        if len(archives) == of == len(os.listdir(cache)):
            return max(archives, key=lambda archive: archive.stat().st_mtime)
        time.sleep(0.2)
    raise AssertionError(f"no archive was made: {os.listdir(cache)}")


def test_the_first_command_makes_it_and_the_next_start_takes_it(log: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    starts = [start(log, str(cache)) for _ in range(3)]
    assert [process.communicate() for process in starts] == [(PRINTED, "")] * 3
    archive = made(cache)
    loaded = tmp_path / "loaded.txt"
    code = (
        "import jellybridge, jellybridge._doors as doors\n"
        f"doors.jvm_arguments[:] = ['-Xlog:class+load:file={loaded}']\n"
        f"print(len(list(jellybridge.read_patch({str(log)!r}))))\n"
        f"with jellybridge.PatchLog.create({str(tmp_path / 'changes')!r}) as changes:\n"
        f"    changes.append({str(log)!r})\n"
        "    str(changes.show(1)), list(changes.history(subject='urn:s')), list(changes.entries(details=True))\n"
        f"with jellybridge.Dataset.open({'tdb2:' + str(tmp_path / 'store')!r}) as store:\n"
        f"    store.sync({str(log)!r}, key='urn:other'), store.sync({str(tmp_path / 'changes')!r}, progress=False)"
    )
    environment = {**os.environ, "JELLYBRIDGE_CACHE": str(cache)}
    assert subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout == "1\n"
    ours = [line for line in loaded.read_text().splitlines() if " io.jellybridge." in line]
    assert ours
    assert sum("shared objects file" in line for line in ours) > len(ours) * 0.97, ours
    made_at = archive.stat().st_mtime_ns
    cat(log, cache)
    assert made(cache).stat().st_mtime_ns == made_at


@pytest.mark.full("long")
def test_one_that_is_damaged_is_done_without(log: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cat(log, cache)
    archive = made(cache)
    content = archive.read_bytes()
    for damage in (b"", content[: len(content) // 2], bytes(len(content)), b"no archive".ljust(len(content))):
        archive.unlink()
        archive.write_bytes(damage)
        cat(log, cache)


@pytest.mark.full("long")
def test_a_cache_keeps_the_newest_few(log: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    for age in range(1, 7):
        other = cache / f"classes-of-another-{age}-0.jsa"
        other.touch()
        os.utime(other, (time.time() - age, time.time() - age))
    cat(log, cache)
    made(cache, of=4)
    assert [(cache / f"classes-of-another-{age}-0.jsa").exists() for age in range(1, 7)] == [True] * 3 + [False] * 3


@pytest.mark.full("long")
def test_nothing_but_a_mark_is_left_where_it_can_not_be_made(tmp_path: Path) -> None:
    wanted = tmp_path / "classes-0"
    (tmp_path / "classes-0.12345").touch()
    (tmp_path / "classes-0.making").touch()
    code = (
        "import pathlib, sys, jellybridge, jellybridge._class_archive as archive\n"
        "archive._use = lambda folder: (jellybridge.Dataset.open('mem:').close(), 1 / 0)\n"
        "archive._make(pathlib.Path(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(wanted)], stderr=subprocess.PIPE, text=True)
    assert done.returncode != 0 and "ZeroDivisionError" in done.stderr
    assert os.listdir(tmp_path) == ["classes-0.making"]


@pytest.mark.full("long")
def test_it_is_made_where_another_process_has_made_it_meanwhile(tmp_path: Path) -> None:
    code = "import jellybridge._class_archive as archive\narchive._make(archive._wanted())"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "JELLYBRIDGE_CACHE": str(tmp_path)}, check=True)
        made(tmp_path)


def test_none_is_made_where_none_is_wanted_or_can_be(log: Path, tmp_path: Path) -> None:
    with start(log, "off", XDG_CACHE_HOME=str(tmp_path / "cache")) as process:
        assert process.communicate() == (PRINTED, "")
    assert not (tmp_path / "cache").exists()
    cat(log, log / "below a file")


def test_a_command_without_java_makes_none(tmp_path: Path) -> None:
    environment = {**os.environ, "JELLYBRIDGE_CACHE": str(tmp_path / "cache")}
    subprocess.run([sys.executable, "-m", "jellybridge", "--version"], env=environment, check=True)
    assert not (tmp_path / "cache").exists()


@pytest.mark.full("long")
def test_one_whose_maker_was_killed_is_made_later(log: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cat(log, cache)
    archive = made(cache)
    archive.unlink()
    mark = archive.with_name(archive.name.rpartition("-")[0] + ".making")
    mark.touch()
    cat(log, cache)
    assert os.listdir(cache) == [mark.name]
    os.utime(mark, (0, 0))
    cat(log, cache)
    # Its size, which its name ends with, is not always the same.
    assert made(cache).name.rpartition("-")[0] == archive.name.rpartition("-")[0]


def test_a_command_does_not_import_numpy(log: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "jellybridge", "cat", str(log)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == PRINTED
    imported = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "jpype" in imported
    # An import that is refused is in the list, too, but has no modules below it.
    assert not [name for name in imported if name.startswith(("numpy.", "pandas", "pyarrow"))]

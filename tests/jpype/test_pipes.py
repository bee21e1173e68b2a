"""Inputs that can be read only once: what comes out of a pipe is what comes out of a file, in every command and format."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Iterator

import pytest

from jellybridge import _publish
from jellybridge import ChangeRow, Dataset, PatchLog, convert, read_patch, write_patch
from jellybridge.cli import main

PATCHES = {"jelly-patch": "jellyp", "rdf-patch": "rdfp", "thrift": "trp"}
STATEMENTS = {"jelly": "jelly", "nquads": "nq", "ntriples": "nt"}
COUNT = 3_000
ROWS = [
    ChangeRow(0, 0, 0, "TX"),
    *(ChangeRow(0, 0, n, "A", f"<urn:s{n}>", "<urn:p>", f'"{n}"') for n in range(1, COUNT)),
    ChangeRow(0, 0, COUNT, "TC"),
]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same patch, and the same statements, in a file of each format; all but one larger than a pipe takes at once."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "in.nt").write_text("".join(f'{row.subject} {row.predicate} {row.object} .\n' for row in ROWS[1:-1]))
    for suffix in ("nq", "jelly"):
        convert(folder / "in.nt", folder / f"in.{suffix}")
    for suffix in PATCHES.values():
        write_patch(folder / f"in.{suffix}", ROWS)
    return folder


@contextlib.contextmanager
def pipe(file: Path, kind: str, folder: Path) -> Iterator[str]:
    """The name of a pipe out of which the file comes: one that the shell makes by ``<(…)``, or one in a folder."""
    if kind == "fifo":
        name = str(folder / f"fifo{file.suffix}")
        os.mkfifo(name)
        thread = threading.Thread(target=lambda: Path(name).write_bytes(file.read_bytes()), daemon=True)
        thread.start()
        yield name
        thread.join(10)
        os.unlink(name)
        return
    end, other = os.pipe()

    def write() -> None:
        with contextlib.suppress(BrokenPipeError), open(other, "wb") as out:
            out.write(file.read_bytes())

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    yield f"/dev/fd/{end}"
    os.close(end)
    thread.join(10)


KINDS = pytest.mark.parametrize("kind", ["dev", "fifo"])
EACH = pytest.mark.parametrize("name", [*PATCHES, *STATEMENTS])


def suffix(name: str) -> str:
    return {**PATCHES, **STATEMENTS}[name]


@KINDS
@EACH
@pytest.mark.parametrize("to", [*PATCHES, *STATEMENTS])
def test_every_conversion_of_a_pipe_is_that_of_the_file(files: Path, tmp_path: Path, kind: str, name: str, to: str) -> None:
    if (name in PATCHES) != (to in PATCHES):
        pytest.skip("patches and statements do not mix")
    out = tmp_path / f"out.{suffix(to)}"
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["convert", "--from-format", name, "-o", str(out), source]) == 0
    plain = tmp_path / f"plain.{'rdfp' if to in PATCHES else 'nq'}"
    convert(out, plain)
    expected = tmp_path / f"expected{plain.suffix}"
    convert(files / f"in.{suffix(name)}", expected)
    assert plain.read_bytes() == expected.read_bytes() and plain.stat().st_size > 10_000


@KINDS
@EACH
def test_a_pipe_is_validated_and_inspected_whole(
    files: Path, tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["validate", "--json", "--from-format", name, source]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["valid"] and (found["rows"]["total"] if name in PATCHES else found["statements"] + 2) == COUNT + 1
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["inspect", "--json", "--from-format", name, source]) == 0
    assert {**json.loads(capsys.readouterr().out), "file": None} == {**found, "file": None}


@KINDS
@EACH
def test_a_pipe_is_shown_whole(
    files: Path, tmp_path: Path, kind: str, name: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["cat", "--from-format", name, source]) == 0
    assert sum(b"<urn:p>" in line for line in capfdbinary.readouterr().out.splitlines()) == COUNT - 1


@KINDS
@pytest.mark.parametrize("name", STATEMENTS)
def test_a_pipe_is_published_whole(
    files: Path, tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["publish", "--json", "--from-format", name, "--to", f"tdb2:{tmp_path / 'db'}", source]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == COUNT - 1


@KINDS
def test_a_pipe_is_published_although_the_publication_has_to_compare_again(
    files: Path, tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if another publication had moved the dataset during the comparison."""
    position, calls = _publish._position, itertools.count()
    monkeypatch.setattr(_publish, "_position", lambda job: "<urn:other>" if next(calls) == 2 else position(job))
    PatchLog.create(tmp_path / "log").close()
    with Dataset.open("mem:") as dataset, pipe(files / "in.nt", kind, tmp_path) as source:
        dataset.publish(source, format="ntriples", log=tmp_path / "log")
        assert len(dataset) == COUNT - 1


@KINDS
@pytest.mark.parametrize("name", PATCHES)
def test_a_pipe_of_patches_is_applied_whole(
    files: Path, tmp_path: Path, kind: str, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["apply", "--json", "--from-format", name, "--to", "mem:", source]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == COUNT - 1


def test_a_pipe_that_goes_by_its_suffix_is_applied_whole(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pipe(files / "in.jellyp", "fifo", tmp_path) as source:
        assert main(["apply", "--json", "--to", "mem:", source]) == 0
    assert json.loads(capsys.readouterr().out)["added"] == COUNT - 1


@KINDS
@pytest.mark.parametrize("name", STATEMENTS)
def test_pipes_are_compared_whole(files: Path, tmp_path: Path, kind: str, name: str) -> None:
    (tmp_path / "old.nt").write_text('<urn:s1> <urn:p> "1" .\n<urn:s> <urn:p> "old" .\n')
    old = tmp_path / f"old.{suffix(name)}"
    if name != "ntriples":
        convert(tmp_path / "old.nt", old)
    out = tmp_path / "out.jellyp"
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["diff", "--from-format", name, str(old), source, "-o", str(out)]) == 0
    assert [row.op for row in read_patch(out)] == ["TX", "D", *["A"] * (COUNT - 2), "TC"]


@KINDS
@pytest.mark.parametrize("name", PATCHES)
def test_patches_of_a_pipe_are_appended_to_a_log(files: Path, tmp_path: Path, kind: str, name: str) -> None:
    PatchLog.create(tmp_path / "log").close()
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
        assert main(["log", "append", str(tmp_path / "log"), "--from-format", name, source]) == 0
    with PatchLog.open(tmp_path / "log") as log:
        assert log.fetch(tmp_path / "back.rdfp").rows == COUNT + 4


def test_a_pipe_can_not_be_followed_and_is_left_alone(
    files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fifo = str(tmp_path / "fifo.jellyp")
    os.mkfifo(fifo)
    assert main(["sync", fifo, "--to", f"tdb2:{tmp_path / 'db'}"]) == 2
    assert "is a pipe or a device, and what is read more than once must be a file" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["convert", "validate"])
def test_a_pipe_that_is_named_twice_is_refused(
    files: Path, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fifo = str(tmp_path / "fifo.nq")
    os.mkfifo(fifo)
    os.symlink(fifo, tmp_path / "link.nq")
    more = ["-o", str(tmp_path / "out.nq")] if command == "convert" else []
    assert main([command, fifo, str(tmp_path / "link.nq"), *more]) == 2
    assert "link.nq can be read only once" in capsys.readouterr().err
    assert main([command, "--from-format", "nquads", "-", "-", *more]) == 2
    assert "standard input can be read only once" in capsys.readouterr().err


def test_two_pipes_become_one_file(files: Path, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    for name in STATEMENTS:
        file = files / f"in.{suffix(name)}"
        with pipe(file, "dev", tmp_path / "a") as one, pipe(file, "dev", tmp_path / "b") as two:
            assert main(["convert", "--from-format", name, one, two, "-o", str(tmp_path / "out.jelly")]) == 0
        convert(tmp_path / "out.jelly", tmp_path / "out.nq")
        assert len((tmp_path / "out.nq").read_text().splitlines()) == 2 * (COUNT - 1)


@KINDS
@pytest.mark.parametrize("name", PATCHES)
def test_python_reads_and_applies_a_pipe(files: Path, tmp_path: Path, kind: str, name: str) -> None:
    with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source, read_patch(source, format=name) as rows:
        assert list(rows) == ROWS
    with Dataset.open("mem:") as dataset:
        with pipe(files / f"in.{suffix(name)}", kind, tmp_path) as source:
            assert dataset.apply(source, format=name).added == COUNT - 1
        assert len(dataset) == COUNT - 1


@KINDS
@pytest.mark.parametrize("name", STATEMENTS.values())
def test_python_loads_a_pipe(files: Path, tmp_path: Path, kind: str, name: str) -> None:
    with Dataset.open("mem:") as dataset, pipe(files / f"in.{name}", kind, tmp_path) as source:
        dataset.load(source, format=name)
        assert len(dataset) == COUNT - 1


def test_a_pipe_is_read_while_it_is_written(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo.rdfp"
    os.mkfifo(fifo)
    written = threading.Event()

    def write() -> None:
        with open(fifo, "w") as out:
            for n in range(20_000):
                out.write(f'A <urn:s{n}> <urn:p> "{n}" .\n')
            out.flush()
            written.wait(60)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    with read_patch(fifo) as rows:
        assert next(rows).subject == "<urn:s0>", "before the writer has ended"
        written.set()
        assert sum(1 for _ in rows) == 19_999
    thread.join(10)


@pytest.mark.parametrize("script", [
    "{command} convert --from-format nquads --to-format nquads -o {out} <(cat {file})",
    "cat {file} | {command} convert --from-format nquads --to-format nquads -o {out} /dev/stdin",
    "{command} convert --from-format nquads --to-format nquads -o {out} /dev/stdin < {file}",
    "{command} query <(cat {file}) --from-format nquads 'CONSTRUCT WHERE {{ ?s ?p ?o }}' --to-format nquads | sort -V > {out}",
    "cat {file} | {command} query - --from-format nquads 'CONSTRUCT WHERE {{ ?s ?p ?o }}' --to-format nquads | sort -V > {out}",
])
def test_what_the_shell_names_is_read(files: Path, tmp_path: Path, script: str) -> None:
    out = tmp_path / "out.nq"
    line = script.format(command=f"{sys.executable} -m jellybridge", out=out, file=files / "in.nq")
    subprocess.run(["bash", "-c", line], check=True, timeout=120)
    assert out.read_bytes() == (files / "in.nq").read_bytes()

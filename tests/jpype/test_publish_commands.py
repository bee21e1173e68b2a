"""The command that publishes, and the difference to nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, List

import pytest

JELLYBRIDGE = [sys.executable, "-m", "jellybridge"]
OLD = b'<urn:a> <urn:p> "1" .\n<urn:a> <urn:p> "x" <urn:g> .\n'
NEW = b'<urn:a> <urn:p> "2" .\n<urn:a> <urn:p> "x" <urn:g> .\n'


def test_the_command_line_publishes(tmp_path: Path, command: Any) -> None:
    old, new, store = tmp_path / "old.nq", tmp_path / "new.nq", f"tdb2:{tmp_path / 'store'}"
    old.write_bytes(OLD)
    new.write_bytes(NEW)
    looked = command("publish", str(new), "--to", store, "--dry-run")
    assert looked.stdout == f"{store}: would change (+2 -0 of 0), 2 quads\n"
    assert not (tmp_path / "store").exists()
    made = command("publish", str(old), "--to", store, "--json")
    assert json.loads(made.stdout) == {"target": store, "dry_run": False, "before": 0, "deleted": 0, "added": 2, "quads": 2,
                                       "version": None, "unsettled": 0, "bad": 0, "positions": 0, "prefixes": 0, "followed": 0,
                                       "warnings": []}
    shown = command("publish", str(new), "--to", store, "--dry-run", "--patch", "-")
    assert shown.stdout.splitlines() == ["TX .", 'D <urn:a> <urn:p> "1" .', 'A <urn:a> <urn:p> "2" .', "TC ."]
    assert "would change (+1 -1 of 2), 2 quads" in shown.stderr
    by_pipe = subprocess.run([*JELLYBRIDGE, "publish", "-", "--from-format", "nquads", "--to", store], input=NEW, capture_output=True)
    assert (by_pipe.returncode, by_pipe.stdout.decode()) == (0, f"{store}: changed (+1 -1 of 2), 2 quads\n")
    assert command("publish", str(new), "--to", store).stdout == f"{store}: is the same (+0 -0 of 2), 2 quads\n"
    command("publish", "--graph-file", "urn:g", str(new), "--to", store)


def test_the_command_line_refuses_an_empty_file_of_several_unless_it_is_named(tmp_path: Path, command: Any) -> None:
    one, empty, store = tmp_path / "one.nt", tmp_path / "empty.nt", f"tdb2:{tmp_path / 'store'}"
    one.write_text("<urn:a> <urn:p> <urn:o> .\n")
    empty.write_text("")
    command("publish", "--graph-file", "urn:a", str(one), "--graph-file", "urn:b", str(one), "--to", store)
    parts = ["publish", "--graph-file", "urn:a", str(one), "--graph-file", "urn:b", str(empty), "--to", store]
    refused = command(*parts, check=False)
    assert refused.returncode == 1 and "empty.nt has no statement, and 1 quads of the graph <urn:b> would" in refused.stderr
    assert command(*parts, "--allow-empty", "urn:c", check=False).returncode == 2
    assert command(*parts, "--allow-empty", "urn:b", check=False).stdout == f"{store}: changed (+0 -1 of 2), 1 quad\n"


def test_a_difference_to_nothing_is_refused_unless_it_is_allowed(tmp_path: Path, command: Any) -> None:
    one, empty, patch = tmp_path / "one.nt", tmp_path / "empty.ttl", tmp_path / "d.rdfp"
    one.write_text("<urn:a> <urn:p> <urn:o> .\n")
    empty.write_text("@prefix e: <urn:e:> . # nothing\n")
    refused = command("diff", str(one), str(empty), "-o", str(patch), check=False)
    assert refused.returncode == 1 and not patch.exists()
    assert "empty.ttl has no statement, and all 1 of " in refused.stderr and "--allow-empty" in refused.stderr
    command("diff", str(one), str(empty), "--allow-empty", "-o", str(patch))
    assert "D <urn:a> <urn:p> <urn:o> ." in patch.read_text()
    for before in (empty, one):
        command("diff", str(before), str(one), "-o", str(patch))
    command("diff", str(empty), str(empty), "-o", str(patch))


def test_a_dataset_that_follows_its_log_by_another_key_is_not_published_by_it(tmp_path: Path, command: Any) -> None:
    new, log, store = tmp_path / "new.nq", str(tmp_path / "log"), f"tdb2:{tmp_path / 'store'}"
    new.write_bytes(NEW)
    command("log", "create", log, "--state", new)
    command("sync", log, "--to", store, "--key", "urn:k")
    refused = command("publish", str(new), "--to", store, "--log", log, check=False)
    assert refused.returncode == 1 and "by another key (`sync --key`), a publication can't use that" in refused.stderr


def test_no_database_is_made_for_a_snapshot_that_is_not_there(tmp_path: Path, command: Any) -> None:
    for files in (["none.nq"], ["--graph-file", "urn:g", "none.nq"]):
        done = command("publish", *files, "--to", f"tdb2:{tmp_path / 'store'}", check=False)
        assert done.returncode == 2 and "none.nq: there is no such file" in done.stderr
        assert not (tmp_path / "store").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_difference_that_can_not_be_shown_says_what_was_done(tmp_path: Path) -> None:
    store = f"tdb2:{tmp_path / 'store'}"
    for flags, said in ((["--dry-run"], "nothing was changed"), ([], f"{store} was changed"), ([], "nothing was changed")):
        line = [*JELLYBRIDGE, "publish", "-", "--from-format", "nquads", "--to", store, "--patch", "-", *flags]
        with open("/dev/full", "wb") as full:
            done = subprocess.run(line, input=NEW, stdout=full, stderr=subprocess.PIPE)
        assert done.returncode == 1
        assert f"can't be written to standard output: No space left on device; {said}\n" in done.stderr.decode()


@pytest.mark.parametrize("arguments, status", [
    (["--to", "mem:"], 2), (["none.nq", "--to", "mem:"], 2), (["-", "--to", "mem:"], 2),
    (["-", "--graph", "urn:g", "--graph-file", "urn:g", "-", "--from-format", "nquads", "--to", "mem:"], 2),
    (["-", "-", "--from-format", "nquads", "--to", "mem:"], 2), (["-", "--from-format", "nquads", "--to", "mem:", "--max-delete", "x"], 2),
    (["-", "--from-format", "nquads", "--to", "mem:", "--graph", "not one"], 2),
])
def test_a_command_that_makes_no_sense_is_wrong_use(arguments: List[str], status: int, command: Any) -> None:
    done = command("publish", *arguments, check=False)
    assert done.returncode == status and done.stderr.startswith("jellybridge: ") and done.stderr.count("\n") == 1, done


def test_standard_input_is_the_content_of_a_graph(tmp_path: Path) -> None:
    store = f"tdb2:{tmp_path / 'db'}"
    for content, added in (("<urn:s> <urn:p> 1 .", "+1"), ("<urn:s> <urn:p> 1, 2 .", "+1")):
        done = subprocess.run([sys.executable, "-m", "jellybridge", "publish", "--graph-file", "urn:g", "-", "--from-format", "turtle", "--to", store],
                              input=content, capture_output=True, text=True, check=True)
        assert added in done.stdout, done


def test_standard_input_is_named_as_the_user_does(command: Any) -> None:
    done = command("publish", "-", "-", "--from-format", "nquads", "--to", "mem:", check=False)
    assert done.stderr == "jellybridge: standard input can be read only once\n"

"""Measures small jobs of the command line, each a process of its own; what it prints is an object of figures in JSON.

    python benchmarks/jobs_bench.py FOLDER TURNS

A patch of ten rows goes into a TDB2 database of 100,000 quads, which is a fresh copy each time. Beside it ``tdb2.tdbupdate`` of
Jena makes the same change by SPARQL Update. A small file of Turtle is converted, where the other way is ``riot`` of Jena, and
the database is written as N-Quads, where it is ``tdb2.tdbdump``. Jena's commands run as its scripts run them, without flags of the
JVM. The figures are medians of seconds, and of seconds of processor time of the process and its children.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from jellybridge import ChangeRow, Dataset, PatchLog, write_patch

sys.path.insert(0, str(Path(__file__).resolve().parent))
from publish_bench import catalogue, unchanged  # noqa: E402

_QUADS = 100_000
_COMMAND = str(Path(sys.executable).with_name("jellybridge"))
_JAVA = str(Path(os.environ["JAVA_HOME"], "bin", "java")) if "JAVA_HOME" in os.environ else "java"
_JENA = Path(__file__).resolve().parent.parent / "build" / "bench" / "jena-commands.txt"
# As users have it: Python keeps what it compiled.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
#: What a job is: its command, and what is made ready before each turn.
Job = Tuple[Sequence[str], Optional[Callable[[], object]]]


def jena(name: str, *arguments: object) -> List[str]:
    """Returns the command line of a command of Jena."""
    return [_JAVA, "-cp", _JENA.read_text(), name, *map(str, arguments)]


def statements(rows: Iterable[Sequence[str]]) -> str:
    return " . ".join(" ".join(row) for row in rows)


def cost(command: Sequence[str]) -> Tuple[float, float]:
    """Runs a command. Returns the seconds it took, and those of the processors."""
    begun = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_ENVIRONMENT) as process:
        assert process.stderr is not None
        said = process.stderr.read()
        _, status, used = os.wait4(process.pid, 0)
        took = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise AssertionError(f"{command}: {said.decode()}")
    return took, used.ru_utime + used.ru_stime


def in_turns(jobs: Dict[str, Job], turns: int) -> Dict[str, float]:
    """Returns the medians. Two turns before them are not counted; after the first, the archive of classes is made."""
    all_of: Dict[str, List[Tuple[float, float]]] = {name: [] for name in jobs}
    for turn in range(-2, turns):
        for name, (command, ready) in jobs.items():
            if ready is not None:
                ready()
            took = cost(command)
            if turn >= 0:
                all_of[name].append(took)
        if turn == -2:
            wait_for_archive()
    medians = {}
    for name, costs in all_of.items():
        medians[f"jobs: {name}"], medians[f"jobs: {name}, processor"] = map(median, zip(*costs))
    return medians


def wait_for_archive() -> None:
    """Waits until the background process of the first command has made the archive of classes."""
    from jellybridge import _class_archive

    for _ in range(1200):
        if _class_archive.arguments():
            return
        time.sleep(0.5)
    raise AssertionError("no archive of classes was made")


def measure(folder: Path, turns: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    whole, patches, log, text = folder / "all.nt", folder / "patches", folder / "log", folder / "small.ttl"
    catalogue(whole, _QUADS, unchanged, "a")
    # Made by Jena, so that nothing of ours is in it.
    subprocess.run(jena("tdb2.tdbloader", "--loc", folder / "original", whole), check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    lines = random.Random(2).sample([line for line in whole.read_text().splitlines() if "_:" not in line], 5)
    added = [(f"<http://catalogue.example/new/{i}>", "<http://catalogue.example/vocabulary#title>", f'"New {i}"') for i in range(5)]
    deleted = [(*line[:-2].split(" ", 2),) for line in lines]
    patches.mkdir()
    write_patch(patches / "1.jellyp", [
        ChangeRow(op="H", name="id", value="<urn:uuid:00000000-0000-4000-8000-000000000001>"), ChangeRow(op="TX"),
        *(ChangeRow(op="D", subject=s, predicate=p, object=o) for s, p, o in deleted),
        *(ChangeRow(op="A", subject=s, predicate=p, object=o) for s, p, o in added),
        ChangeRow(op="TC")])
    request = folder / "change.ru"
    request.write_text(f"DELETE DATA {{ {statements(deleted)} }} ;\nINSERT DATA {{ {statements(added)} }}\n")
    with PatchLog.create(log) as opened:
        opened.append(patches / "1.jellyp")
    old = whole.read_text().splitlines(keepends=True)[:400]
    text.write_text("".join(old))
    (folder / "old.nt").write_text("".join(old))
    (folder / "new.nt").write_text("".join(old[5:]) + "".join(f"{s} {p} {o} .\n" for s, p, o in added))

    def fresh(name: str) -> Callable[[], object]:
        def ready() -> None:
            shutil.rmtree(folder / name, ignore_errors=True)
            subprocess.run(["cp", "-r", "--sparse=always", str(folder / "original"), str(folder / name)], check=True)
        return ready

    figures = in_turns({
        "sync of a patch into TDB2": ([_COMMAND, "sync", str(patches), "--to", f"tdb2:{folder / 'ours'}", "--quiet"], fresh("ours")),
        "sync of a patch into TDB2, the other way": (jena("tdb2.tdbupdate", "--loc", folder / "theirs", "--update", request), fresh("theirs")),
        "sync of a log into TDB2": ([_COMMAND, "sync", str(log), "--to", f"tdb2:{folder / 'logged'}", "--quiet"], fresh("logged")),
        "convert": ([_COMMAND, "convert", str(text), "-o", str(folder / "small.nq")], None),
        "convert, the other way": (jena("riotcmd.riot", "--output=nquads", text), None),
        "diff": ([_COMMAND, "diff", str(folder / "old.nt"), str(folder / "new.nt"), "-o", str(folder / "diff.rdfp")], None),
        "dump": ([_COMMAND, "dump", f"tdb2:{folder / 'original'}", "-o", str(folder / "dump.nq"), "--quiet"], None),
        "dump, the other way": (jena("tdb2.tdbdump", "--loc", folder / "original"), None),
        "log list": ([_COMMAND, "log", "list", str(log)], None),
    }, turns)
    with Dataset.open(f"tdb2:{folder / 'ours'}") as ours, Dataset.open(f"tdb2:{folder / 'theirs'}") as theirs:
        assert all(dataset.ask(f"ASK {{ {statements(added)} }}") for dataset in (ours, theirs))
        assert len(ours) == len(theirs) == _QUADS, (len(ours), len(theirs))
    shutil.rmtree(folder)
    return figures


if __name__ == "__main__":
    print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))

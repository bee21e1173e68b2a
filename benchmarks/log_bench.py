"""Measures a patch log in a folder; what it prints is an object of figures in JSON, in seconds.

    python benchmarks/log_bench.py FOLDER PATCHES

Beside what a log does stands what the disk alone takes for it: small files that are forced to it and linked, files that are
read one behind the other into one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Callable, Dict, Iterator, List

from stopwatch import seconds

from jellybridge import ChangeRow, Dataset, LogConflictError, PatchLog, write_patch

WRITERS = 4
ROWS = 20
# Of the patches of a long log, which are as small as an editor's.
FEW_ROWS = 5


def rows(writer: int, patches: int, count: int = ROWS) -> Iterator[ChangeRow]:
    for patch in range(patches):
        name = f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{writer}/{patch}')}>"
        yield ChangeRow(patch=patch, op="H", name="id", value=name)
        yield ChangeRow(patch=patch, op="TX")
        for row in range(count):
            subject = f"<http://example.org/{writer}/item/{patch}-{row}>"
            yield ChangeRow(patch=patch, op="A", subject=subject, predicate="<http://example.org/p>", object=f'"value {row}"')
        yield ChangeRow(patch=patch, op="TC")


def append(folder: Path, patches: Path) -> None:
    """Appends until all is in, beside others."""
    with PatchLog.open(folder) as log:
        while True:
            try:
                log.append(patches)
                return
            except LogConflictError:
                continue  # another one was faster


def forced_files(folder: Path, count: int, content: bytes) -> None:
    """What the disk takes for so many appends: each a file that is forced, gets a name, and so does the folder."""
    folder.mkdir()
    names = os.open(folder, os.O_RDONLY)
    for number in range(count):
        made = folder / ".made"
        with made.open("wb") as file:
            file.write(content)
            os.fsync(file.fileno())
        os.link(made, folder / f"{number:020}")
        made.unlink()
        os.fsync(names)
    os.close(names)


def joined(files: List[Path], target: Path) -> None:
    """What ``cat`` does, forced to the disk as a compaction does it."""
    with target.open("wb") as out:
        for file in files:
            with file.open("rb") as part:
                shutil.copyfileobj(part, out)
        out.flush()
        os.fsync(out.fileno())


def measure(folder: Path, patches: int) -> Dict[str, float]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    sources = [folder / f"{writer}.jellyp" for writer in range(WRITERS + 1)]
    for writer, source in enumerate(sources):
        write_patch(source, rows(writer, patches if writer == 0 else patches // WRITERS))
    alone, together = folder / "alone", folder / "together"
    PatchLog.create(alone).close()
    PatchLog.create(together).close()
    write_patch(folder / "warm.jellyp", rows(-1, 1))
    for log in (alone, together):
        append(log, folder / "warm.jellyp")

    figures: Dict[str, float] = {"log: append, one writer": seconds(lambda: append(alone, sources[0])) / patches}
    writers = [[sys.executable, __file__, "append", str(together), str(source)] for source in sources[1:]]
    processes = [subprocess.Popen(writer, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for writer in writers]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()  # its JVM is there
    figures["log: append, four writers"] = seconds(lambda: [process.communicate(b"\n") for process in processes]) / patches
    if any(process.returncode for process in processes):
        raise SystemExit("a writer failed")
    one = (alone / f"{2:020}.jellyp").read_bytes()
    figures["log: append, the disk alone"] = seconds(lambda: forced_files(folder / "floor", patches, one)) / patches

    with Dataset.open("mem:") as dataset:
        figures["log: sync of all, a patch"] = seconds(lambda: dataset.sync(alone)) / (patches + 1)
        figures["log: sync at the head"] = min(seconds(lambda: dataset.sync(alone)) for _ in range(5))
    with PatchLog.open(alone) as log:
        figures["log: state in the middle"] = seconds(lambda: log.state(folder / "state.nq", version=patches // 2))
        files = sorted(alone.glob("*.jellyp"))
        megabytes = sum(file.stat().st_size for file in files) / 1e6
        figures["log: cat, a MB"] = seconds(lambda: joined(files, folder / "cat")) / megabytes
        figures["log: compaction, a MB"] = seconds(log.compact) / megabytes
        figures["log: state in the middle, compacted"] = seconds(lambda: log.state(folder / "state.nq", version=patches // 2))
    figures.update(of_many(folder, patches, 50_000 if patches > 1_000 else 5_000))
    shutil.rmtree(folder)
    return figures


def of_many(folder: Path, patches: int, many: int) -> Dict[str, float]:
    """Measures one call with many patches, calls with one patch each, and a long log with its caches and without."""
    source, count = folder / "thousand.jellyp", min(patches, 1_000)
    write_patch(source, rows(-2, count))
    figures: Dict[str, float] = {}
    with PatchLog.create(folder / "at once") as log:
        figures["log: append of many in one call, a patch"] = seconds(lambda: log.append(source)) / count
    with PatchLog.create(folder / "one by one") as log:
        ones = [folder / f"one-{number}.jellyp" for number in range(count)]
        for number, one in enumerate(ones):
            write_patch(one, rows(number + 10, 1))
        figures["log: append of one in a call"] = seconds(lambda: [log.append(one) for one in ones]) / count
        figures["log size: a patch"] = size(folder / "one by one") / count
        log.compact()
        figures["log size: a patch, compacted"] = size(folder / "one by one") / count

    write_patch(source, rows(-3, many, FEW_ROWS))
    long = folder / "long"
    with PatchLog.create(long) as log, Dataset.open("mem:") as dataset:
        log.append(source)
        dataset.sync(long, progress=False)
        calls: Dict[str, Callable[[], object]] = {
            "head": lambda: PatchLog.open(long).head, "sync at the head": lambda: dataset.sync(long, progress=False),
            "state": lambda: PatchLog.open(long).state(folder / "state.nq", progress=False),
        }
        for after in ("many patches", "many patches, compacted"):
            if after.endswith("compacted"):
                log.compact()
            figures[f"log size: {after}"] = size(long) / many
            for name, call in calls.items():
                for cache in long.glob(".*"):
                    cache.unlink()
                figures[f"log: {name}, {after}, no caches"] = seconds(call)
            for name, call in calls.items():
                figures[f"log: {name}, {after}"] = seconds(call)
    return figures


def size(log: Path) -> int:
    return sum(file.stat().st_size for file in log.glob("*.jellyp"))


if __name__ == "__main__":
    if sys.argv[1] == "append":
        with PatchLog.open(sys.argv[2]):
            print("ready", flush=True)
        sys.stdin.readline()
        append(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        print(json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]))))

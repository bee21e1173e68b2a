"""Profiles the codec benchmarks whose targets are missed, and writes PROFILE.md: where the time goes, and what was tried.

    python benchmarks/profile_codec.py                all of them, about five minutes
    python benchmarks/profile_codec.py read.utf8 ...  these benchmarks; prints only

Samples of the JDK's Flight Recorder, 100 a second, with the frames of inlined methods. ``make profile`` builds what this
needs first.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Dict, Iterator, List, Sequence

from run import BUILD, HERE, JAVA, RELEASES, machine, make_files, run_jmh, table

#: Generated ones, and those between real releases where these are.
CHANGES = {"changes-1m": "generated changes", "releases": "real releases"}
PROFILED = ("read.utf8", "read.rdfChanges", "write.utf8", "write.nodes")
SHOWN = 25
SECONDS = 20
OURS = "io.jellybridge."
BENCHMARK = "io.jellybridge.bench."


def main(benchmarks: Sequence[str]) -> None:
    data = RELEASES if RELEASES.is_dir() else None
    make_files(["read", "write"], data)
    parts = []
    for benchmark in benchmarks or PROFILED:
        for changes, name in CHANGES.items():
            if changes != "releases" or data:
                print(f"Profiling {benchmark}, {name} ...", flush=True)
                parts += [f"## {benchmark}, {name}\n", *tables(list(samples(record(benchmark, changes))))]
    report = "\n".join(parts)
    print(report)
    if not benchmarks:
        head = ["# Profiles\n", "Written by `make profile`.\n", machine(), (HERE / "tried.md").read_text()]
        (HERE / "PROFILE.md").write_text("\n".join([*head, report]))


def record(benchmark: str, changes: str) -> Path:
    """Runs one benchmark in a JVM of its own that records itself once it is warm."""
    kind, method = benchmark.split(".")
    recording = BUILD / "profile.jfr"
    recording.unlink(missing_ok=True)
    settings = BUILD / "profile.jfc"
    settings.write_text(SETTINGS)
    run_jmh(f"{kind.capitalize()}Benchmark.{method}$", [changes], "-wi", "3", "-w", "3", "-i", "1", "-r", str(SECONDS),
            jvm=f"-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -XX:StartFlightRecording:delay=10s,"
                f"settings={settings},filename={recording}")
    return recording


SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0">
  <event name="jdk.ExecutionSample"><setting name="enabled">true</setting><setting name="period">10 ms</setting></event>
</configuration>
"""


def samples(recording: Path) -> Iterator[List[str]]:
    """Of each sample, the methods from the innermost one out, in short; only of threads that run the benchmark."""
    jfr = Path(JAVA).with_name("jfr")
    printed = subprocess.run([str(jfr), "print", "--json", "--events", "jdk.ExecutionSample", "--stack-depth", "64",
                              str(recording)], capture_output=True, check=True)
    for event in json.loads(printed.stdout)["recording"]["events"]:
        stack = event["values"]["stackTrace"]
        methods = [method(frame) for frame in stack["frames"]] if stack else []
        if any(name.startswith(BENCHMARK) for name in methods):
            yield methods


def method(frame: Dict[str, Any]) -> str:
    return f"{frame['method']['type']['name'].replace('/', '.')}.{frame['method']['name']}"


def tables(stacks: Sequence[List[str]]) -> List[str]:
    """Two tables: by the method that ran, and by methods of ours with all that they call."""
    ran = Counter(stack[0] for stack in stacks)
    within = Counter(name for stack in stacks for name in set(stack) if name.startswith(OURS))
    return [by("method that ran", ran, len(stacks)), by("method of jellybridge, with all that it calls", within, len(stacks))]


def by(title: str, counts: Counter[str], total: int) -> str:
    rows = [[short(name), f"{100 * count / total:.1f} %"] for name, count in counts.most_common(SHOWN)]
    return table([[title, f"of {total:,} samples"], *rows])


def short(name: str) -> str:
    return ".".join(name.split(".")[-2:])


if __name__ == "__main__":
    main(sys.argv[1:])

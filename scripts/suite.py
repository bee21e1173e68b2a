"""Runs the test suite part by part and prints a table: cases, minutes, CPU minutes of the machine, and how many
JVMs, Sparks and servers were started.

``suite.py push`` is ``make test``: all that a change may break. ``suite.py all`` is ``make test-all``: every part, or those that are
named. A part that fails does not stop the next one; the exit status then is 1. ``tests/budgets.toml`` limits the push suite.

Needs nothing but Python 3.11, since it runs before the environment is made.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import threading
import time
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Optional

PROJECT = Path(__file__).resolve().parent.parent
REPORTS = PROJECT / "build" / "reports" / "suite"
SLOWEST = 10


class Part(NamedTuple):
    """A part of the suite that can be run alone."""

    name: str
    command: List[str]
    meaning: str


def make(target: str, *settings: str) -> List[str]:
    return ["make", "--no-print-directory", target, *settings]


PUSH = [
    Part("build", make("build"), "the tools, the Python environment and the jars"),
    Part("junit", make("test-jvm"), "the JUnit tests"),
    Part("python", make("test-python"), "the Python tests"),
]
FULL = [
    *PUSH,
    Part("java", make("test-jvm", "FULL=1"), "the JUnit tests that kill, wait, or need a server of another project"),
    *(Part(name, make("test-python", f"PART={name}"), meaning) for name, meaning in {
        "doors": "every contract through JPype too, on every store",
        "documents": "each section of a document, and each example, in a process of its own",
        "files": "of damaged and of foreign files, every case through Python too",
        "connect": "Spark Connect",
        "cluster": "executors in processes of their own",
        "kafka": "a Kafka broker, and queries that are killed",
        "hdfs": "an HDFS",
        "s3": "logs in a bucket, on a server of S3 that loses answers",
        "stores": "SPARQL stores that are none of Jena's, leases between processes",
        "release": "wheel, sdist and Maven artifacts, taken as users take them",
        "long": "large inputs, small heaps, kills",
    }.items()),
    Part("settings", make("test-settings"), "the tests of Spark under each profile of settings"),
    Part("jena6", make("test-jena6"), "the tests of Jena on Jena 6"),
]


class Starts:
    """Counts the JVMs that the processes of this suite start, by looking at ``/proc`` ten times a second."""

    MARK = "JELLYBRIDGE_SUITE"

    def __init__(self) -> None:
        self._ended = threading.Event()
        self._kinds: Dict[str, str] = {}
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Starts:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    @property
    def counts(self) -> "Counter[str]":
        return Counter(self._kinds.values())

    def _watch(self) -> None:
        known: set[str] = set()
        mark = f"{self.MARK}={os.getpid()}".encode()
        while not self._ended.wait(0.1):
            now = {name for name in os.listdir("/proc") if name.isdigit()} if os.path.isdir("/proc") else set()
            known &= now
            for pid in now - known:
                kind = self._kind(pid, mark)
                if kind is not None:
                    known.add(pid)
                    if kind:
                        self._kinds[f"{pid} {self._start(pid)}"] = kind

    @staticmethod
    def _stat(pid: str) -> List[str]:
        """What ``/proc`` says of a process, from its state on: its parent is at 1, its start at 19."""
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()

    @staticmethod
    def _start(pid: str) -> str:
        try:
            return Starts._stat(pid)[19]
        except OSError:
            return ""

    @staticmethod
    def _kind(pid: str, mark: bytes) -> Optional[str]:
        """The kind of JVM that a process is; empty: none and never one; ``None``: it may become one."""
        try:
            if mark not in Path(f"/proc/{pid}/environ").read_bytes():
                return ""
            words = Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
            if Path(words[0]).name == "java":
                line = " ".join(words)
                parent = Starts._stat(pid)[1]
                if Path(f"/proc/{parent}/cmdline").read_bytes() == Path(f"/proc/{pid}/cmdline").read_bytes():
                    return None  # a JVM that is about to run another program
                if "deploy.SparkSubmit" in line and "launcher.Main" not in line:  # Spark's scripts run this first
                    return "Spark"
                return "server" if "fuseki.main" in line or "kafka.Kafka" in line else "build" if "gradle" in line else "JVM"
            if Path(words[0]).name.startswith("python"):
                return "JVM" if "libjvm.so" in Path(f"/proc/{pid}/maps").read_text(errors="replace") else None
            return None
        except (OSError, IndexError):
            return None


class Result(NamedTuple):
    part: Part
    status: int
    minutes: float
    cpu: float
    starts: "Counter[str]"
    cases: "Counter[str]"
    slowest: List[tuple[float, str]]
    #: Each failed test with the first line of what it says.
    failures: List[str]
    #: What tests measured, by the names of budgets.
    figures: Dict[str, float]


def run(part: Part) -> Result:
    reports = REPORTS / part.name
    shutil.rmtree(reports, ignore_errors=True)
    reports.mkdir(parents=True)
    environment = {**os.environ, Starts.MARK: str(os.getpid()), "JELLYBRIDGE_REPORTS": str(reports)}
    print(f"== {part.name}: {part.meaning}", flush=True)
    began, before = time.monotonic(), cpu_seconds()
    with Starts() as starts:
        status = subprocess.run(part.command, cwd=PROJECT, env=environment, check=False).returncode
    minutes, cpu = (time.monotonic() - began) / 60, (cpu_seconds() - before) / 60
    return Result(part, status, minutes, cpu, starts.counts, *outcomes(reports))


def cpu_seconds() -> float:
    """Returns the processor time of the whole machine so far, since Spark's drivers outlive the processes that started them."""
    if Path("/proc/stat").exists():
        user, nice, system = map(int, Path("/proc/stat").read_text().split()[1:4])
        return (user + nice + system) / os.sysconf("SC_CLK_TCK")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(case: ElementTree.Element) -> float:
    """Returns how long a case took. From a thousand seconds on, JUnit writes a comma."""
    return float((case.get("time") or "0").replace(",", ""))


def outcomes(reports: Path) -> tuple["Counter[str]", List[tuple[float, str]], List[str], Dict[str, float]]:
    """Reads the reports of a part.

    Returns:
        The number of cases that passed, failed and were skipped; the slowest; the failed ones; what tests measured.
    """
    cases: "Counter[str]" = Counter()
    times: List[tuple[float, str]] = []
    failures: List[str] = []
    figures: Dict[str, float] = {}
    for report in reports.rglob("*.xml"):
        for case in ElementTree.parse(report).iter("testcase"):
            name = f"{(case.get('classname') or '').rpartition('.')[2]}.{case.get('name')}"
            faults = [*case.findall("failure"), *case.findall("error")]
            cases["failed" if faults else "skipped" if case.find("skipped") is not None else "passed"] += 1
            times.append((seconds_of(case), name))
            failures += [f"{name}: {(fault.get('message') or fault.get('type') or '').partition(chr(10))[0]}" for fault in faults]
            figures.update({name.removeprefix("budget:"): float(prop.get("value") or 0) for prop in case.iter("property")
                            if (name := prop.get("name") or "").startswith("budget:")})
    return cases, sorted(times, reverse=True)[:SLOWEST], failures, figures


def table(results: List[Result]) -> Iterator[str]:
    yield f"{'part':<10} {'passed':>7} {'failed':>7} {'skipped':>7} {'minutes':>8} {'CPU min':>8} {'JVMs':>5} {'Sparks':>6} {'servers':>7}"
    rows = [(r.part.name + ("" if r.status == 0 else " !"), r) for r in results]
    for name, r in rows:
        yield (f"{name:<10} {r.cases['passed']:>7} {r.cases['failed']:>7} {r.cases['skipped']:>7} {r.minutes:>8.1f} {r.cpu:>8.1f} "
               f"{jvms(r.starts):>5} {r.starts['Spark']:>6} {r.starts['server']:>7}")
    if len(results) > 1:
        total = sum((r.cases for r in results), Counter())
        starts = sum((r.starts for r in results), Counter())
        yield (f"{'all':<10} {total['passed']:>7} {total['failed']:>7} {total['skipped']:>7} {sum(r.minutes for r in results):>8.1f} "
               f"{sum(r.cpu for r in results):>8.1f} {jvms(starts):>5} {starts['Spark']:>6} {starts['server']:>7}")


def jvms(starts: "Counter[str]") -> int:
    return starts["JVM"] + starts["Spark"] + starts["server"]


def over_budget(results: List[Result]) -> Iterator[str]:
    """Says what the push suite takes beyond its budgets; a line that begins with ``hard`` fails it."""
    budgets = tomllib.loads((PROJECT / "tests" / "budgets.toml").read_text())["push"]
    starts = sum((r.starts for r in results), Counter())
    taken = {name: value for r in results for name, value in r.figures.items()}
    taken |= {"minutes": sum(r.minutes for r in results), "sparks": starts["Spark"], "jvms": jvms(starts)}
    for name, value in taken.items():
        budget = budgets[name]
        if "hard" in budget and value > budget["hard"]:
            yield f"hard budget: {name} {value:.1f}, of {budget['hard']} (tests/budgets.toml)"
        elif value > budget["soft"]:
            yield f"soft budget: {name} {value:.1f}, of {budget['soft']} (tests/budgets.toml)"


def main(arguments: List[str]) -> int:
    layer, *names = arguments or [""]
    if layer not in ("push", "all"):
        print((__doc__ or "").strip(), file=sys.stderr)
        return 2
    parts = PUSH if layer == "push" else FULL
    unknown = set(names) - {part.name for part in parts}
    if unknown:
        print(f"no part {', '.join(sorted(unknown))}; there are {', '.join(part.name for part in parts)}", file=sys.stderr)
        return 2
    results: List[Result] = []
    for part in parts:
        if not names or part.name in names:
            results.append(run(part))
            if part.name == "build" and results[-1].status:
                break
    print()
    slowest = sorted((each for r in results for each in r.slowest), reverse=True)[:SLOWEST]
    print("slowest tests:", *(f"{seconds:6.1f} s  {name}" for seconds, name in slowest), sep="\n  ")
    print(*table(results), sep="\n")
    failed = [r.part.name for r in results if r.status]
    warnings = list(over_budget(results)) if layer == "push" and not names else []
    print(*warnings, sep="\n")
    if failed:
        print(f"failed: {', '.join(failed)}", *(each for r in results for each in r.failures), sep="\n  ")
    return 1 if failed or any(line.startswith("hard") for line in warnings) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Kills syncs, publications, writers of logs and servers at random moments, and checks that nothing is lost or applied twice.

    python tests/chaos.py --kills 50

Seven groups, each with so many kills (SIGKILL): the process that appends to a log, captures into it, compacts it, makes
checkpoints and prunes it; the process that syncs into a TDB2 folder, by transactions and by the bulk
loader; the one that publishes into a TDB2 folder, and the one that does by a log; the process that syncs into a Fuseki; the
Fuseki, which has jellybridge beside it. After each kill the next run
checks the whole dataset against its position before it goes on, and after the last a run goes to the end. The last line is
``N kills, M lost``.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import List

import chaos_victim
import jellybridge
from fuseki_server import FusekiServer

PATCHES = 200
ROWS = 40
ROWS_TO_LOAD = 400  # enough of them for the bulk loader
_FAILURES = 3


class Group:
    """One kind of victim."""

    does = "sync"
    rows = ROWS
    patches = PATCHES

    def __init__(self, name: str, kills: int, folder: Path, dice: random.Random) -> None:
        self.name = name
        self.kills = kills
        self.folder = folder
        self.dice = dice
        self.killed = 0
        self.lost = 0
        self.failed = 0  # syncs that failed, one after the other
        self.seconds = 4.0  # how long a whole run takes, as far as is known

    def syncing(self, location: str, log: Path) -> subprocess.Popen[bytes]:
        """Starts a victim; returns when it has checked the dataset, or has ended."""
        victim = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("chaos_victim.py")), self.does, location, str(log), str(self.rows),
             str(self.patches)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        assert victim.stdout is not None
        victim.stdout.readline()
        return victim

    def ended(self, victim: subprocess.Popen[bytes]) -> int:
        out, err = victim.communicate()
        if victim.returncode == chaos_victim.WRONG:
            self.lost += 1
            print(f"{self.name}: LOST: {err.decode().strip()}", flush=True)
        elif victim.returncode == 1:
            # As it may when the server was down for too long; but not again and again.
            self.failed += 1
            print(f"{self.name}: the sync failed: {err.decode().strip()[-300:]}", flush=True)
            if self.failed > _FAILURES:
                self.lost += 1
        else:
            self.failed = 0
        return int(victim.returncode)

    def moment(self) -> float:
        return self.dice.uniform(0, self.seconds)

    def run(self, log: Path) -> None:
        number = 0
        while self.killed < self.kills and not self.lost:
            self.one_dataset(log, self.folder / f"{self.name}-{number}")
            number += 1
            print(f"{self.name}: {self.killed} kills, {self.lost} lost", flush=True)

    def one_dataset(self, log: Path, place: Path) -> None:
        raise NotImplementedError


class KilledSync(Group):
    """Kills the process that syncs."""

    def until_done(self, location: str, log: Path) -> None:
        code = None
        while code != 0 and not self.lost:
            victim = self.syncing(location, log)
            start = time.monotonic()
            if self.killed < self.kills:
                try:
                    victim.wait(self.moment())
                except subprocess.TimeoutExpired:
                    victim.send_signal(signal.SIGKILL)
                    self.killed += 1
            code = self.ended(victim)
            if code == 0:
                self.seconds = max(0.2, time.monotonic() - start)


class TdbSync(KilledSync):
    """Kills the process that syncs into a TDB2 folder."""

    def one_dataset(self, log: Path, place: Path) -> None:
        self.until_done(f"tdb2:{place}", log)
        shutil.rmtree(place, ignore_errors=True)


class TdbLoad(TdbSync):
    """Kills the process that fills an empty TDB2 folder in one go: what it leaves is empty, or complete."""

    rows = ROWS_TO_LOAD

    def moment(self) -> float:
        # Each run begins anew, so some must have the time to go to the end.
        return super().moment() * 2

    def until_done(self, location: str, log: Path) -> None:
        super().until_done(location, log)
        if not self.lost and not Path(location.removeprefix("tdb2:"), "Data-0002").is_dir():
            raise AssertionError("the bulk loader was not used")


class KeepLog(KilledSync):
    """Kills the process that appends to a log, captures into it, compacts it, makes checkpoints and prunes it."""

    does = "keep"
    patches = 60

    def one_dataset(self, log: Path, place: Path) -> None:
        jellybridge.PatchLog.create(place).close()
        self.until_done(str(place), Path("-"))
        for left in place.parent.glob(f"{place.name}*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()


class Publish(TdbSync):
    """Kills the process that publishes one snapshot after the other: what it leaves is one of them."""

    does = "publish"
    patches = 30

    def until_done(self, location: str, log: Path) -> None:
        super().until_done(location, Path("-"))


class PublishByLog(Publish):
    """Likewise, each a version of a log."""

    def until_done(self, location: str, log: Path) -> None:
        versions = Path(f"{location.removeprefix('tdb2:')}-log")
        jellybridge.PatchLog.create(versions).close()
        KilledSync.until_done(self, location, versions)
        shutil.rmtree(versions)


class FusekiSync(KilledSync):
    """Kills the process that syncs into a Fuseki."""

    def one_dataset(self, log: Path, place: Path) -> None:
        server = FusekiServer(module=True, log=self.folder / "fuseki.log", database=place)
        server.start()
        try:
            self.until_done(server.url, log)
        finally:
            server.kill()
            shutil.rmtree(place, ignore_errors=True)


class KilledFuseki(Group):
    """Kills the Fuseki that a process syncs into, and starts it again while that process tries on."""

    def one_dataset(self, log: Path, place: Path) -> None:
        server = FusekiServer(module=True, log=self.folder / "fuseki.log", database=place)
        server.start()
        try:
            while True:
                victim = self.syncing(server.url, log)
                start = time.monotonic()
                undisturbed = True
                while self.killed < self.kills:
                    try:
                        victim.wait(self.moment())
                        break
                    except subprocess.TimeoutExpired:
                        server.kill()
                        self.killed += 1
                        undisturbed = False
                        server.start_after_kill()
                code = self.ended(victim)
                if code == 0 and undisturbed:
                    self.seconds = max(0.2, time.monotonic() - start)
                if code == 0 or self.lost:
                    return
        finally:
            server.kill()
            shutil.rmtree(place, ignore_errors=True)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--kills", type=int, default=50, help="of each group (default 50)")
    arguments.add_argument("--only", default=None, help="a group")
    arguments.add_argument("--seed", type=int, default=None, help="of the moments; by default another one each time")
    given = arguments.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}, {PATCHES} patches of {3 + ROWS + ROWS // 2} operations, {3 + ROWS_TO_LOAD * 3 // 2} for the "
          "bulk loader", flush=True)
    with tempfile.TemporaryDirectory(prefix="jellybridge-chaos-") as folder:
        logs = {rows: Path(folder) / f"patches-{rows}" for rows in (ROWS, ROWS_TO_LOAD)}
        for rows, log in logs.items():
            chaos_victim.write_log(log, PATCHES, rows)
        groups: List[Group] = [
            kind(name, given.kills, Path(folder), random.Random(f"{seed} {name}"))
            for kind, name in (
                (KeepLog, "log"), (TdbSync, "tdb2-sync"), (TdbLoad, "tdb2-load"), (Publish, "publish"),
                (PublishByLog, "publish-log"), (FusekiSync, "fuseki-sync"), (KilledFuseki, "fuseki-server"),
            )
        ]
        groups = [group for group in groups if given.only in (None, group.name)]
        for group in groups:
            group.run(logs[group.rows])
    lost = sum(group.lost for group in groups)
    print(f"{min(group.killed for group in groups)} kills, {lost} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())

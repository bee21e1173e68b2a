"""``jellybridge serve`` for tests."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path


class Served:
    """A server in a process of its own."""

    def __init__(self, folder: Path, config: str) -> None:
        self.folder = folder
        self.log = folder / "server.log"
        self.file = folder / "server.ini"
        self.file.write_text(config)
        self.start()

    def start(self) -> None:
        with self.log.open("wb") as out:
            self.process = subprocess.Popen([sys.executable, "-m", "jellybridge", "serve", str(self.file)], stderr=out)
        end = time.monotonic() + 60
        while not (lines := [line for line in self.log.read_text().splitlines() if "listening on" in line]):
            assert time.monotonic() < end and self.process.poll() is None, self.log.read_text()
            time.sleep(0.05)
        self.port = int(lines[0].rpartition(":")[2])
        self.target = f"127.0.0.1:{self.port}"
        self.url = f"grpc://{self.target}"

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *why: object) -> None:
        self.kill()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(30)

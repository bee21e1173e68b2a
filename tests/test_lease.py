"""The lease at a Fuseki without our module, of processes: one that is killed, one that is slow."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Iterator, List

import pytest
from fuseki_server import FusekiServer

from jellybridge import ChangeRow, write_patch

pytestmark = pytest.mark.full("stores")

LEASE = 4
HOLDER = """
import sys, jellybridge
with jellybridge.Dataset.open(sys.argv[1], options={"lease": float(sys.argv[3]), "attempts": 1}) as dataset:
    dataset.sync(sys.argv[2], progress=False)
"""


class HoldingProxy:
    """Passes requests on, but for patches: these it never answers. A context manager."""

    def __init__(self, server: FusekiServer) -> None:
        self.holds = threading.Event()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def forward(self) -> None:
                if self.path.startswith("/ds/patch") and self.command == "POST":
                    proxy.holds.set()
                    threading.Event().wait()
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                headers = {name: self.headers[name] for name in ("Content-Type", "Accept") if name in self.headers}
                request = urllib.request.Request(
                    f"http://localhost:{server.port}{self.path}", body or None, headers, method=self.command)
                try:
                    with urllib.request.urlopen(request, timeout=60) as answer:
                        self.answer(answer.status, answer.headers.get("Content-Type"), answer.read())
                except urllib.error.HTTPError as e:
                    self.answer(e.code, e.headers.get("Content-Type"), e.read())

            def answer(self, status: int, content_type: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", content_type or "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_OPTIONS = forward

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("localhost", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://localhost:{self._server.server_address[1]}/ds"

    def __enter__(self) -> HoldingProxy:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[FusekiServer]:
    with FusekiServer(module=False, log=tmp_path / "fuseki.log") as made:
        yield made


@pytest.fixture
def log(tmp_path: Path) -> Path:
    folder = tmp_path / "log"
    folder.mkdir()
    write_patch(folder / "1.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    return folder


def sync(log: Path, url: str, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-m", "jellybridge", "sync", str(log), "--to", url, "--quiet", *options],
                          capture_output=True, text=True, timeout=120, check=False)


def test_the_next_sync_gets_in_soon_after_the_holder_was_killed(server: FusekiServer, log: Path) -> None:
    with HoldingProxy(server) as proxy:
        holder = subprocess.Popen([sys.executable, "-c", HOLDER, proxy.url, str(log), str(LEASE)])
        try:
            assert proxy.holds.wait(60)
            refusals: List[str] = []
            since = time.monotonic()
            while time.monotonic() - since < 2 * LEASE:  # it lives, and so does its lease
                done = sync(log, server.url, "--lease-wait", "0")
                assert done.returncode == 1, done
                refusals.append(done.stderr)
            assert all("another sync is writing, and its lease ends at" in said for said in refusals), refusals
        finally:
            holder.kill()
            holder.wait()
        killed = time.monotonic()
        done = sync(log, server.url)
        assert done.returncode == 0 and "1 patch applied" in done.stdout, done
        assert time.monotonic() - killed < LEASE + 20  # a JVM is started meanwhile
        assert "0 patches applied" in sync(log, server.url, "--lease-wait", "0").stdout


def test_a_lease_is_broken_where_that_is_asked_for(server: FusekiServer, log: Path) -> None:
    with HoldingProxy(server) as proxy:
        holder = subprocess.Popen([sys.executable, "-c", HOLDER, proxy.url, str(log), "600"])
        try:
            assert proxy.holds.wait(60)
            assert sync(log, server.url, "--lease-wait", "0").returncode == 1
            done = sync(log, server.url, "--lease-wait", "0", "--break-lease")
            assert done.returncode == 0 and "1 patch applied" in done.stdout, done
        finally:
            holder.kill()
            holder.wait()

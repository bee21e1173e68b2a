"""Metrics for Prometheus: their text, and a small server for those of a follower."""

from __future__ import annotations

import json
import logging
import re
import socket
import threading
import urllib.parse
from contextlib import contextmanager
from typing import Dict, Iterator, Mapping, Tuple, Union

from ._errors import JellybridgeError
from ._follow import FollowerState
from ._sync import SyncReport

_LOG = logging.getLogger("jellybridge.follow")
_LOOPBACK = "127.0.0.1"
_ADDRESS = re.compile(r"(?:(?P<host>[^:\[\]]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>[0-9]{1,5})")
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


def text(dataset: str, figures: Mapping[str, float]) -> str:
    """Returns figures in the text format of Prometheus. Those of a follower have the names that a Fuseki gives them.

    >>> print(text("tdb2:store", {"follower_version": 3}), end="")
    # TYPE jellybridge_follower_version gauge
    jellybridge_follower_version{dataset="tdb2:store"} 3

    Args:
        dataset: the name of the dataset.
        figures: values by the names of their metrics. A name that ends with ``_total`` is that of a counter.
    """
    label = dataset.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return "".join(
        f'# TYPE jellybridge_{name} {"counter" if name.endswith("_total") else "gauge"}\njellybridge_{name}{{dataset="{label}"}} {value}\n'
        for name, value in figures.items()
    )


def parse_address(address: Union[int, str]) -> Tuple[str, int]:
    """Returns the host and the port of an address. A port alone is one of the loopback interface.

    Raises:
        ValueError: it is no address.
    """
    found = _ADDRESS.fullmatch(str(address))
    if found is None or int(found["port"]) > 65535:
        raise ValueError(f"metrics={address!r}: must be a port, or a host and a port, such as 9101 or 0.0.0.0:9101")
    return (found["host"] or _LOOPBACK).strip("[]"), int(found["port"])


@contextmanager
def served(address: Union[int, str], dataset: str, state: FollowerState) -> Iterator[None]:
    """Serves the state of a follower until the end of the block: ``/metrics``, and ``/health`` as a Fuseki has it.

    Raises:
        JellybridgeError: the address can't be used.
        ValueError: it is no address.
    """
    from http.server import BaseHTTPRequestHandler  # which takes as long as all else that a command imports
    from socketserver import ThreadingTCPServer

    host, port = parse_address(address)

    class Handler(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            if path == "/metrics":
                self._answer(200, _TEXT, text(dataset, state.figures()))
            elif path == "/health":
                self._answer(*_health(query, state))
            else:
                self._answer(404, "text/plain", "there are /metrics and /health\n")

        def _answer(self, status: int, kind: str, content: str) -> None:
            body = content.encode()
            self.send_response(status)
            for name, value in (("Content-Type", kind), ("Content-Length", str(len(body))), ("Cache-Control", "no-store")):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            _LOG.debug(format, *args)

    class Server(ThreadingTCPServer):
        address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        allow_reuse_address = True
        daemon_threads = True

        def handle_error(self, request: object, client_address: object) -> None:
            _LOG.debug("a request for metrics failed", exc_info=True)

    try:
        server = Server((host, port), Handler)
    except OSError as e:
        raise JellybridgeError(f"the metrics can't be served at {host}:{port}: {e.strerror or e}; give another port") from None
    with server:
        thread = threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True)
        thread.start()
        shown = f"[{host}]" if ":" in host else host
        _LOG.info("metrics at http://%s:%d/metrics", shown, server.server_address[1])
        try:
            yield
        finally:
            server.shutdown()


def with_metrics(
    reports: Iterator[SyncReport], address: Union[int, str], dataset: str, state: FollowerState
) -> Iterator[SyncReport]:
    """Yields the reports of a follower, and serves its state meanwhile, see :func:`served`."""
    with served(address, dataset, state):
        yield from reports


def _health(query: str, state: FollowerState) -> Tuple[int, str, str]:
    """Returns the status, the type and the body of an answer about health. The parameter ``lag`` is the longest lag in seconds."""
    try:
        given: Dict[str, str] = dict(urllib.parse.parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query)))
        longest = float(given.pop("lag", "inf"))
        if given:
            raise ValueError
    except ValueError:
        return 400, "text/plain", "the only parameter is lag, a number of seconds\n"
    is_healthy = state.seconds <= longest
    return 200 if is_healthy else 503, "application/json", json.dumps({"healthy": is_healthy}) + "\n"

"""A server that answers every request in one way, and addresses of it with a secret in them."""

from __future__ import annotations

import base64
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import List, Optional
from urllib.parse import quote

#: Of a password: a slash and an @ have to be encoded in a URL.
SECRET = "hid/den@1"
ENCODED = "hid%2Fden%401"
TOKEN = "hid-den-token"
#: No text may have any of these, in any case.
FORMS = ("hid/", "hid%2f", "hid-", "den@", "den%40", "den-token", base64.b64encode(f"me:{SECRET}".encode()).decode().lower())


def said_of(authorization: Optional[str]) -> str:
    """What a server may repeat of that header: as it came, and what it means, as it is and encoded."""
    if authorization is None or not authorization.startswith("Basic "):
        return str(authorization)
    _, _, password = base64.b64decode(authorization[6:]).decode().partition(":")
    return f"{authorization} {password} {quote(password, safe='')}"


class SecretiveServer:
    """Answers with a status; the body repeats what was sent, credentials and all. A context manager."""

    def __init__(self, status: int) -> None:
        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                said = f"no: {said_of(self.headers.get('Authorization'))}, http://me:{ENCODED}@host{self.path}"
                body = said.encode()
                self.send_response(status)
                self.send_header("Location", f"http://me:{ENCODED}@elsewhere/ds")
                self.send_header("Content-Type", "text/plain")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_OPTIONS = answer

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("localhost", 0), Handler)
        self.port = self._server.server_address[1]

    def __enter__(self) -> SecretiveServer:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        return int(free.getsockname()[1])


def addresses(port: int) -> List[str]:
    """What a user may write, right and wrong."""
    host = f"localhost:{port}/ds"
    return [
        f"http://me:{ENCODED}@{host}", f"http://me:{SECRET}@{host}",
        f"ftp://me:{ENCODED}@{host}", f"ftp://me:{SECRET}@{host}",
        f"http://me:{ENCODED}%zz@{host}", f"http://me:{SECRET} x@{host}", f"http:/me:{SECRET}@{host}",
        f"http:me:{SECRET}@{host}", f"http://me:{ENCODED}%40{host}", f"http://me:{SECRET}\n@{host}", f"http://me:hid-den/ds",
        f"sparql:http://me:{ENCODED}@{host}", f"sparql:http://me:{SECRET}@{host}", f"sparql:ftp://me:{ENCODED}@{host}",
        f"file://me:{ENCODED}@{host}", f"http://me:{ENCODED}@{host}?x=y", f"http://me:{ENCODED}@/ds",
    ]


def leaks(text: str) -> List[str]:
    """The forms of a secret that a text has."""
    return [form for form in FORMS if form in text.lower()]

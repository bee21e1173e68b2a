"""An S3 server for tests: moto's, behind a WSGI layer that loses answers, checks keys and may forget conditions.

``python s3_server.py PORT`` runs it, with moto on ``PYTHONPATH``; ``S3Server`` starts that in a process of its own. ``make build/s3/.ready``
fetches moto, which stays apart from the development environment.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any, Dict, Iterable, Optional

PROJECT = Path(__file__).resolve().parent.parent
SITE = PROJECT / "build" / "s3" / "site"
#: The key that the server takes; any other is answered with 403.
KEY = "tester"
DENIED = (
    b'<?xml version="1.0"?><Error><Code>InvalidAccessKeyId</Code><Message>The AWS Access Key Id you provided does not exist in our '
    b"records.</Message></Error>"
)


class S3Server:
    """moto's server in a process. It knows one key, and forgets its buckets when it is closed."""

    def __init__(self, log: Path) -> None:
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        with log.open("wb") as said:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(self.port)], stdout=said, stderr=said, env={**os.environ, "PYTHONPATH": str(SITE)}
            )
        end = time.monotonic() + 60
        while True:
            try:
                self.call("GET", "/faults")
                return
            except OSError:
                assert self._process.poll() is None and time.monotonic() < end, log.read_text()[-3000:]
                time.sleep(0.05)

    def call(self, method: str, path: str) -> bytes:
        """Sends a request with the key of the tests."""
        header = {"Authorization": f"AWS4-HMAC-SHA256 Credential={KEY}/20260101/us-east-1/s3/aws4_request"}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, method=method, headers=header), timeout=30) as answer:
            body: bytes = answer.read()
            return body

    def fault(self, name: str, number: int = 1) -> None:
        """Sets a fault: ``lose`` and ``cut`` count the PUTs that it meets, ``forget`` lasts while it is not 0."""
        self.call("GET", f"/faults?{name}={number}")

    def hadoop(self, key: str = KEY) -> Dict[str, str]:
        """Hadoop's settings for this server, each as Spark takes it."""
        settings = {
            "endpoint": self.url, "endpoint.region": "us-east-1", "path.style.access": "true", "access.key": key, "secret.key": "secret",
            "connection.ssl.enabled": "false", "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
        }
        return {f"spark.hadoop.fs.s3a.{name}": value for name, value in settings.items()}

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


class Faults:
    """The WSGI layer over moto. One request writes at a time, since moto looks for a name and then takes it."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self._writes = threading.Lock()
        self._left = {"lose": 0, "cut": 0, "forget": 0}

    def __call__(self, environ: Dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ["PATH_INFO"] == "/faults":
            name, _, number = environ["QUERY_STRING"].partition("=")
            if name:
                self._left[name] = int(number)
            start_response("200 OK", [])
            return [repr(self._left).encode()]
        if f"Credential={KEY}/" not in environ.get("HTTP_AUTHORIZATION", ""):
            start_response("403 Forbidden", [("Content-Type", "application/xml"), ("Content-Length", str(len(DENIED)))])
            return [DENIED]
        if environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            return self._answer(environ, start_response)
        with self._writes:
            lost = environ["REQUEST_METHOD"] == "PUT" and self._takes("lose")
            if environ["REQUEST_METHOD"] == "PUT" and self._takes("cut"):
                return self._hang_up(environ)
            if self._left["forget"]:
                environ.pop("HTTP_IF_NONE_MATCH", None)
            answer = self._answer(environ, start_response)
            return self._hang_up(environ) if lost else answer

    def _takes(self, fault: str) -> bool:
        if self._left[fault] == 0:
            return False
        self._left[fault] -= 1
        return True

    def _answer(self, environ: Dict[str, Any], start_response: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self._inner(environ, start_response)
        return answer

    @staticmethod
    def _hang_up(environ: Dict[str, Any]) -> Iterable[bytes]:
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError("as the tests ask for")


def main(port: int) -> None:
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
    from werkzeug.serving import run_simple

    moto: Optional[Any] = DomainDispatcherApplication(create_backend_app)
    run_simple("127.0.0.1", port, Faults(moto), threaded=True, request_handler=MotoRequestHandler)


if __name__ == "__main__":
    main(int(sys.argv[1]))

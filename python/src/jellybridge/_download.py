"""Downloads files by HTTP. A download is complete, or fails."""

from __future__ import annotations

import base64
import http.client
import re
import tempfile
import urllib.error
import urllib.request
from typing import IO, Any, BinaryIO, Dict, Optional
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from ._errors import JellybridgeError, UnreachableError
from ._redaction import printable
from ._version import __version__

_SECONDS_OF_SILENCE = 60.0
_CHUNK = 1 << 20
# Statuses of a server that is temporarily unable to answer.
_BUSY = (408, 429, 502, 503, 504)
_THIS_MACHINE = re.compile(r"localhost|127(\.[0-9]+){3}|::1")
#: What a URL may contain beside letters and digits (RFC 3986). Everything else is percent-encoded, as browsers do.
_OF_URLS = "%:/?#[]@!$&'()*+,;=~"
_UTF8 = (None, "utf-8", "utf8", "us-ascii", "ascii")
#: The Accept headers, by format.
_MEDIA_TYPES: Dict[Optional[str], str] = {
    "jelly-patch": "application/x-jelly-rdf-patch", "rdf-patch": "application/rdf-patch",
    "thrift": "application/rdf-patch+thrift", "jelly": "application/x-jelly-rdf", "nquads": "application/n-quads",
    "ntriples": "application/n-triples", "turtle": "text/turtle", "trig": "application/trig",
    "rdfxml": "application/rdf+xml", "jsonld": "application/ld+json", "n3": "text/n3", "rdfjson": "application/rdf+json",
    "trix": "application/trix+xml",
}


#: What is wrong with a name that can't be split, in errors.
NO_URL = ": it is no URL, or leads to none: the host or the port is wrong"


class _KeptAlive(http.client.HTTPConnection):
    """A connection that never asks the server to close it. A streaming server might otherwise end its answer by closing the
    connection, which looks like a broken download.
    """

    def request(self, method: str, url: str, body: Any = None, headers: Any = {}, **more: Any) -> None:
        super().request(method, url, body, {**headers, "Connection": "keep-alive"}, **more)


class _SecureKeptAlive(_KeptAlive, http.client.HTTPSConnection):
    """The same over TLS."""


class _Http(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_KeptAlive, req)


class _Https(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_SecureKeptAlive, req)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """A redirect handler that rejects redirects from https to http."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Optional[urllib.request.Request]:
        if req.full_url.lower().startswith("https:") and not newurl.lower().startswith("https:"):
            raise urllib.error.URLError("it redirects to an address without encryption")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(url: str, name: str, target: BinaryIO, format: Optional[str] = None) -> None:
    """Downloads a URL to an open file.

    User and password in the URL are sent to that server only. The download fails if the server is silent for a minute.

    Args:
        url: an ``http:`` or ``https:`` URL.
        name: the name in error messages.
        target: the file, open for writing bytes.
        format: the format to request, for servers that offer several.

    Raises:
        UnreachableError: the server can't be reached or is too busy, or the download is incomplete.
        JellybridgeError: the server does not answer with the file, the file can't be written, or ``url`` is no URL.
    """
    try:
        with _open(url, name, format) as answer:
            length = answer.headers.get("Content-Length")
            # Chunked answers have their own end, which http.client checks.
            if length is None and not answer.chunked:
                raise JellybridgeError(
                    f"{name}: the server does not say how long the file is, so a cut could not be seen; download it by "
                    f"other means, and read it from the disk"
                )
            charset = None if "xml" in answer.headers.get_content_type() else answer.headers.get_content_charset()
            count = 0
            while True:
                chunk = answer.read(_CHUNK)
                if not chunk:
                    break
                # XML declares its encoding itself. Everything else is read as UTF-8.
                if charset not in _UTF8 and not chunk.isascii():
                    raise JellybridgeError(
                        f"{name}: the server says that the file is in {printable(str(charset))}, and UTF-8 is due; have it say what it is, "
                        f"or download it by other means"
                    )
                try:
                    target.write(chunk)
                except OSError as e:
                    raise JellybridgeError(f"{name}: the download can't be stored in {tempfile.gettempdir()}: {e.strerror}") from None
                count += len(chunk)
    except urllib.error.HTTPError as e:
        kind = UnreachableError if e.code in _BUSY else JellybridgeError
        reason = http.client.responses.get(e.code, "")  # Python's own has the address of a redirect
        raise kind(f"{name}: the server answers {e.code} {reason}; see that the URL is right") from None
    except urllib.error.URLError as e:
        raise UnreachableError(f"{name}: it can't be downloaded: {printable(str(e.reason))}") from None
    except http.client.InvalidURL:  # Python's text can have a part of a password
        raise JellybridgeError(f"{name}{NO_URL}") from None
    except (OSError, http.client.HTTPException, ValueError) as e:
        raise UnreachableError(f"{name}: the download broke off: {type(e).__name__}; try again") from None
    if length is not None and count != int(length):
        raise UnreachableError(f"{name}: {count} of {length} bytes came, then the download broke off; try again")


def _open(url: str, name: str, format: Optional[str]) -> Any:
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    request = urllib.request.Request(
        quote(urlunsplit(parts._replace(netloc=host, fragment="")), safe=_OF_URLS),
        headers={"User-Agent": f"jellybridge/{__version__}", "Accept-Encoding": "identity"},
    )
    if format in _MEDIA_TYPES:
        request.add_header("Accept", f"{_MEDIA_TYPES[format]}, */*;q=0.1")
    if at:
        if parts.scheme.lower() == "http" and not _THIS_MACHINE.fullmatch(parts.hostname or ""):
            raise JellybridgeError(f"{name}: user and password would go over the network for everybody to read; write https:, or "
                                   "download the file by other means")
        secret = base64.b64encode(unquote(user).encode()).decode("ascii")
        # Not sent after a redirect, which may lead to another server.
        request.add_unredirected_header("Authorization", f"Basic {secret}")
    opener = urllib.request.OpenerDirector()
    for handler in (urllib.request.ProxyHandler, _Http, _Https,
                    urllib.request.HTTPDefaultErrorHandler, urllib.request.HTTPErrorProcessor, _Redirects,
                    urllib.request.UnknownHandler):
        opener.add_handler(handler())
    return opener.open(request, timeout=_SECONDS_OF_SILENCE)

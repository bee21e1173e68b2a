"""What is read and written is named by a path, a URL, an open file or bytes, behind either door."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import io
import os
import ssl
import threading
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest
from certificates import make_certificates

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchFormatError, PatchLog, convert, diff, read_patch, write_patch

ROWS = [
    ChangeRow(0, 0, 0, "TX"),
    ChangeRow(0, 0, 1, "A", "<urn:s>", "<urn:p>", '"é"'),
    ChangeRow(0, 0, 2, "TC"),
]
TURTLE = b"<urn:s> <urn:p> <#here> ."


class _Site(http.server.BaseHTTPRequestHandler):
    """Serves what the test put there; the name of a path says what is wrong with the answer."""

    files: Dict[str, bytes] = {}
    seen: Dict[str, Optional[str]] = {}
    accepted: List[str] = []

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.close_connection = True
        path = self.path.partition("?")[0]
        self.seen[path] = self.headers.get("Authorization")
        self.accepted[:] = self.headers.get_all("Accept") or []
        if path == "/moved/a.jellyp":
            self.send_response(302)
            self.send_header("Location", f"http://localhost:{self.server.server_address[1]}/a.jellyp")
            self.end_headers()
            return
        if path.startswith("/elsewhere/"):
            self.send_response(302)
            self.send_header("Location", self.path.partition("?")[2])
            self.end_headers()
            return
        content = self.files.get(os.path.basename(path))
        if content is None:
            self.send_error(404)
            return
        self.send_response(200)
        if path.startswith("/latin-1"):
            self.send_header("Content-Type", "text/turtle; charset=ISO-8859-1")
        # As Jetty: where the client asks that the connection be closed, that is the end of the answer.
        if path.startswith("/chunked") or path.startswith("/streamed") and self.headers["Connection"] != "close":
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for byte in content:
                self.wfile.write(b"1\r\n" + bytes([byte]) + b"\r\n")
            self.wfile.write(b"" if path.startswith("/chunked-cut") else b"0\r\n\r\n")
            return
        if not path.startswith(("/no-length", "/streamed")):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[:-3] if path.startswith("/cut") else content)

    def log_message(self, *arguments: Any) -> None:
        pass


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with _serving("http") as url:
        yield url


@contextlib.contextmanager
def _serving(scheme: str, certificates: Optional[Path] = None) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    server.daemon_threads = True
    if certificates is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificates / "server.pem", certificates / "server.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"{scheme}://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


class PlacesContract:
    @pytest.fixture(autouse=True)
    def _files(self, tmp_path: Path) -> None:
        write_patch(tmp_path / "a.jellyp", ROWS)
        write_patch(tmp_path / "a.rdfp.gz", ROWS)
        _Site.files = {name: (tmp_path / name).read_bytes() for name in ("a.jellyp", "a.rdfp.gz")}
        _Site.files["a.ttl"] = TURTLE
        _Site.seen.clear()

    # --- reading

    def test_a_file_url_is_a_path(self, tmp_path: Path) -> None:
        odd = tmp_path / "é a%20b#c?.jellyp"
        odd.write_bytes((tmp_path / "a.jellyp").read_bytes())
        for url in (odd.as_uri(), odd.as_uri().replace("file:///", "file:/"), odd.as_uri().replace("///", "//localhost/"),
                    odd.as_uri().replace("file:", "FILE:")):
            assert list(read_patch(url)) == ROWS
        with pytest.raises(ValueError, match="on another computer"):
            read_patch("file://elsewhere/a.jellyp")
        with pytest.raises(FileNotFoundError, match="/nowhere.jellyp: there is no such file"):
            read_patch("file:///nowhere.jellyp")

    def test_what_is_read_may_be_open_or_bytes(self, tmp_path: Path) -> None:
        content = (tmp_path / "a.jellyp").read_bytes()
        for source in (content, bytearray(content), memoryview(content), io.BytesIO(content)):
            assert list(read_patch(source, format="jelly-patch")) == ROWS
        with open(tmp_path / "a.jellyp", "rb") as opened:
            assert list(read_patch(opened)) == ROWS
        with open(tmp_path / "a.rdfp.gz", "rb") as packed:
            assert [row.op for row in read_patch(packed)] == ["TX", "A", "TC"]
        for format in ("rdf-patch", None):
            with gzip.open(tmp_path / "a.rdfp.gz") as unpacked:
                assert [row.op for row in read_patch(unpacked, format=format)] == ["TX", "A", "TC"]

    def test_what_is_open_is_read_from_where_it_is(self, tmp_path: Path) -> None:
        opened = io.BytesIO(b"before" + (tmp_path / "a.jellyp").read_bytes())
        opened.seek(6)
        assert list(read_patch(opened, format="jelly-patch")) == ROWS
        assert not opened.closed

    def test_a_format_that_no_name_says_must_be_told(self, tmp_path: Path) -> None:
        content = (tmp_path / "a.jellyp").read_bytes()
        for source in (content, io.BytesIO(content)):
            with pytest.raises(ValueError, match="name the format by format="):
                read_patch(source)
        with pytest.raises(JellybridgeError, match="'jellypatch' is no format"):
            read_patch(content, format="jellypatch")
        with pytest.raises(ValueError, match="format=5: must be text or None"):
            read_patch(content, format=5)

    def test_a_format_that_is_told_goes_before_the_suffix(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_bytes(gzip.decompress((tmp_path / "a.rdfp.gz").read_bytes()))
        assert len(list(read_patch(tmp_path / "a.txt", format="rdf-patch"))) == 3

    @pytest.mark.parametrize("source", [io.StringIO("TX ."), 5, None, ["a.jellyp"]])
    def test_what_can_not_be_read_as_bytes_is_refused(self, source: Any) -> None:
        with pytest.raises(TypeError, match="can't be read|mode 'rb'"):
            read_patch(source, format="rdf-patch")

    def test_an_error_calls_a_copy_what_it_is_a_copy_of(self, tmp_path: Path, site: str) -> None:
        cut = (tmp_path / "a.jellyp").read_bytes()[:-3]
        (tmp_path / "short.jellyp").write_bytes(cut)
        _Site.files["short.jellyp"] = cut
        with open(tmp_path / "short.jellyp", "rb") as opened:
            for source, name in ((cut, "bytes"), (opened, str(tmp_path / "short.jellyp")),
                                 (f"{site}/short.jellyp?token=secret", f"{site}/short.jellyp")):
                with pytest.raises(PatchFormatError, match="the stream ends") as raised:
                    list(read_patch(source, format="jelly-patch"))
                assert raised.value.file == name

    def test_every_reader_takes_every_place(self, tmp_path: Path, site: str) -> None:
        content = (tmp_path / "a.jellyp").read_bytes()
        sources = [tmp_path / "a.jellyp", (tmp_path / "a.jellyp").as_uri(), content, io.BytesIO(content), f"{site}/a.jellyp"]
        for number, source in enumerate(sources):
            with Dataset.open("mem:") as dataset:
                assert dataset.apply(source, format="jelly-patch").added == 1
            if isinstance(source, io.BytesIO):
                source.seek(0)
            with PatchLog.create(tmp_path / f"log{number}") as log:
                assert len(log.append(source, format="jelly-patch")) == 1
            if isinstance(source, io.BytesIO):
                source.seek(0)
            assert convert(source, tmp_path / "out.rdfp", from_format="jelly-patch").rows == 3
        assert convert([content, content], tmp_path / "two.rdfp", from_format="jelly-patch").patches == 2

    def test_a_dataset_loads_every_place(self, tmp_path: Path, site: str) -> None:
        (tmp_path / "a.ttl").write_bytes(TURTLE)
        (tmp_path / "other").write_bytes(TURTLE)
        here = (tmp_path / "a.ttl").as_uri()
        with open(tmp_path / "a.ttl", "rb") as opened:
            for source, base in ((tmp_path / "a.ttl", here), (here, here), (opened, here), (f"{site}/a.ttl", f"{site}/a.ttl"),
                                 (f"{site}/at@1.0/a.ttl?x=y#z".replace("//", "//me:secret@", 1), f"{site}/at@1.0/a.ttl?x=y")):
                with Dataset.open("mem:") as dataset:
                    dataset.load(source)
                    (row,) = dataset.query("SELECT ?o { ?s ?p ?o }")  # type: ignore[union-attr]
                    assert row["o"].replace("file:///", "file:/") == f"<{base}#here>".replace("file:///", "file:/")
        with Dataset.open("mem:") as dataset:
            dataset.load(b"<urn:s> <urn:p> <urn:o> <urn:g> .", format="nq")
            dataset.load(tmp_path / "other", format="turtle")
            assert len(dataset) == 2
            with pytest.raises(JellybridgeError, match="bytes: 'text' is of no RDF syntax"):
                dataset.load(b"", format="text")
            with pytest.raises(ValueError, match="name the format by format="):
                dataset.load(b"")

    def test_addresses_with_other_queries_are_other_documents(self, tmp_path: Path, site: str) -> None:
        _Site.files["b.ttl"] = b"<urn:s> <urn:p> <#here> ; <urn:q> [] ."
        _Site.files["bad.rdf"] = (b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:e='http://e/'>"
                                  b"<e:C rdf:about='urn:s'><e:p rdf:resource='#%zz'/></e:C></rdf:RDF>")
        pages = [f"{site}/b.ttl?page={number}" for number in (1, 2)]
        convert([f"{site.replace('//', '//me:secret@')}/b.ttl?page=1", pages[1]], tmp_path / "all.nq")
        terms = [line.split()[2] for line in (tmp_path / "all.nq").read_text().splitlines()]
        assert terms[::2] == [f"<{page}#here>" for page in pages]
        assert len(set(terms[1::2])) == 2 and "secret" not in (tmp_path / "all.nq").read_text()
        found = diff(*pages)
        assert (found.added, found.deleted) == (1, 1)
        with Dataset.open("mem:") as dataset:
            dataset.publish(pages[0])
            assert len(dataset.query(f"SELECT ?s {{ ?s ?p <{pages[0]}#here> }}")) == 1  # type: ignore[arg-type]
        with pytest.raises(JellybridgeError, match="/bad.rdf#%zz") as raised:
            convert(f"{site}/bad.rdf?token=secret", tmp_path / "bad.nq")
        assert "secret" not in str(raised.value)

    # --- writing

    def test_what_is_written_may_be_open_or_a_url(self, tmp_path: Path) -> None:
        out = io.BytesIO()
        write_patch(out, ROWS, format="jelly-patch")
        assert list(read_patch(out.getvalue(), format="jelly-patch")) == ROWS
        with open(tmp_path / "b.rdfp.gz", "wb", buffering=0) as opened:
            write_patch(opened, ROWS)
        assert len(list(read_patch(tmp_path / "b.rdfp.gz"))) == 3
        write_patch((tmp_path / "c d.jellyp").as_uri(), ROWS)
        assert list(read_patch(tmp_path / "c d.jellyp")) == ROWS
        out = io.BytesIO()
        convert(tmp_path / "a.jellyp", out, to_format="events")
        assert out.getvalue().startswith(b"TX")
        with Dataset.open("mem:") as dataset:
            dataset.update("INSERT DATA { <urn:s> <urn:p> <urn:o> }")
            out = io.BytesIO()
            dataset.dump(out, format="nt")
            assert out.getvalue() == b"<urn:s> <urn:p> <urn:o> .\n"
            dataset.dump(tmp_path / "dumped", format="nq")
            assert (tmp_path / "dumped").read_bytes() == out.getvalue()

    def test_what_a_log_writes_may_be_open_or_a_url(self, tmp_path: Path) -> None:
        with PatchLog.create(tmp_path / "log") as log:
            log.append(tmp_path / "a.jellyp")
            for suffix, write in ((".rdfp", log.fetch), (".nq.gz", log.state)):
                with open(tmp_path / f"opened{suffix}", "wb") as opened:
                    write(opened)
                write((tmp_path / f"as a url{suffix}").as_uri())
                assert (tmp_path / f"opened{suffix}").read_bytes() == (tmp_path / f"as a url{suffix}").read_bytes() != b""
                with pytest.raises(ValueError, match="there is no name that ends in a format's suffix"):
                    write(io.BytesIO())

    def test_an_open_file_gets_nothing_of_what_failed(self) -> None:
        out = io.BytesIO()
        with pytest.raises(PatchFormatError):
            write_patch(out, [ROWS[0]], format="jelly-patch")
        assert out.getvalue() == b""

    @pytest.mark.parametrize("name, says", [
        ("w.txt", "w.txt: the suffix names no format"), ("w", "w: the suffix names no format"),
        ("w.nq", "w.nq is to be nquads, and these are patches"), ("w.events", "is to be events"),
    ])
    def test_an_unknown_suffix_is_refused_as_on_the_command_line(self, tmp_path: Path, name: str, says: str) -> None:
        with pytest.raises(JellybridgeError, match=says):
            write_patch(tmp_path / name, ROWS)
        assert not (tmp_path / name).exists()
        write_patch(tmp_path / name, ROWS, format="jelly-patch")
        assert list(read_patch(tmp_path / name, format="jelly-patch")) == ROWS

    def test_where_nothing_can_be_written_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="http://h/a.jellyp is a URL, and a file is to be there"):
            write_patch("http://user:secret@h/a.jellyp?token=x", ROWS)
        with pytest.raises(TypeError):
            write_patch(io.StringIO(), ROWS, format="rdf-patch")
        with pytest.raises(TypeError, match="builtins.int can't be written"):
            write_patch(5, ROWS)  # type: ignore[arg-type]
        with pytest.raises(FileNotFoundError, match="there is no such folder"):
            convert(tmp_path / "a.jellyp", tmp_path / "no" / "a.rdfp")

    # --- downloads

    @pytest.mark.parametrize("path", ["/a.jellyp", "/chunked/a.jellyp", "/streamed/a.jellyp", "/a.rdfp.gz", "/moved/a.jellyp", "/a.jellyp?x=y#z", "/Köln/a file/../a.jellyp"])
    def test_a_file_is_downloaded(self, site: str, path: str) -> None:
        assert len(list(read_patch(site + path))) == 3

    @pytest.mark.parametrize("path, says", [
        ("/cut/a.jellyp", "bytes came, then the download broke off"),
        ("/chunked-cut/a.jellyp", "the download broke off"),
        ("/no-length/a.jellyp", "does not say how long the file is"),
        ("/none.jellyp", "the server answers 404 Not Found"),
    ])
    def test_a_download_that_is_not_whole_is_an_error(self, site: str, path: str, says: str) -> None:
        with pytest.raises(JellybridgeError, match=says) as raised:
            read_patch(site.replace("//", "//user:secret@") + path + "?token=secret")
        assert f"{site}{path}" in str(raised.value) and "secret" not in str(raised.value)

    def test_a_text_that_its_server_says_is_in_another_charset_is_refused(self, site: str, tmp_path: Path) -> None:
        convert(f"{site}/latin-1/a.ttl", tmp_path / "a.nq")
        _Site.files["u.ttl"] = '<urn:s> <urn:p> "é" .'.encode()
        convert(f"{site}/u.ttl", tmp_path / "a.nq")
        with pytest.raises(JellybridgeError, match="says that the file is in iso-8859-1, and UTF-8 is due"):
            convert(f"{site}/latin-1/u.ttl", tmp_path / "a.nq")

    def test_a_server_is_asked_for_the_format_that_is_told(self, site: str, tmp_path: Path) -> None:
        convert(f"{site}/a.ttl", tmp_path / "a.nq", from_format="turtle")
        assert _Site.accepted == ["text/turtle, */*;q=0.1"]

    def test_a_password_goes_to_its_server_alone(self, site: str) -> None:
        url = site.replace("//", "//user:p%40ss@")
        assert list(read_patch(f"{url}/moved/a.jellyp")) == ROWS
        assert _Site.seen == {"/moved/a.jellyp": "Basic dXNlcjpwQHNz", "/a.jellyp": None}
        assert "ss@" not in repr(read_patch(f"{url}/a.jellyp"))

    def test_a_password_does_not_go_to_another_machine_without_tls(self) -> None:
        for host in ("example.org", "127.example.org", "10.0.0.1:80", "[::2]"):
            with pytest.raises(JellybridgeError, match="user and password would go over the network for everybody") as raised:
                read_patch(f"http://user:secret@{host}/a.jellyp")
            assert "secret" not in str(raised.value)

    def test_a_file_is_downloaded_by_tls_from_who_is_trusted_and_never_goes_on_without(
        self, site: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_certificates(tmp_path)
        with _serving("https", tmp_path) as url:
            with pytest.raises(JellybridgeError, match="it can't be downloaded: .*CERTIFICATE_VERIFY_FAILED"):
                read_patch(f"{url}/a.jellyp")
            monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
            assert list(read_patch(f"{url}/a.jellyp")) == ROWS
            assert list(read_patch(f"{url}/elsewhere/a.jellyp?{url}/a.jellyp")) == ROWS
            _Site.seen.clear()
            with pytest.raises(JellybridgeError, match="it redirects to an address without encryption"):
                read_patch(f"{url}/elsewhere/a.jellyp?{site}/a.jellyp")
            assert list(_Site.seen) == ["/elsewhere/a.jellyp"]
            assert list(read_patch(f"{site}/elsewhere/a.jellyp?{url}/a.jellyp")) == ROWS

    def test_a_server_that_is_not_there_is_an_error(self) -> None:
        with pytest.raises(JellybridgeError, match="http://127.0.0.1:1/a.jellyp: it can't be downloaded"):
            read_patch("http://user:secret@127.0.0.1:1/a.jellyp")
        with pytest.raises(JellybridgeError, match="https://:1/a.jellyp|it can't be downloaded|broke off"):
            read_patch("https://:1/a.jellyp")
        for url in ("http://host:abc/a.jellyp", "http://a b/a.jellyp", "http://u:sec[ret@host/a.jellyp", "http://u:secret@h℀st/a.jellyp"):
            with pytest.raises(JellybridgeError, match="it is no URL, or leads to none") as raised:
                read_patch(url)
            assert type(raised.value) is JellybridgeError and "sec" not in str(raised.value)

    def test_a_redirect_shows_no_secret(self, site: str) -> None:
        for url in ("gopher://u:secret@h/x", "http://u:secret@h:x/x", "http://u:sec[ret@h/x"):
            with pytest.raises(JellybridgeError) as raised:
                read_patch(f"{site}/elsewhere/a.jellyp?{url}")
            assert "sec" not in str(raised.value)

    def test_no_copy_is_left(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, site: str) -> None:
        folder = tmp_path / "temporary"
        folder.mkdir()
        monkeypatch.setattr("tempfile.tempdir", str(folder))
        content = (tmp_path / "a.jellyp").read_bytes()
        rows = read_patch(content, format="jelly-patch")
        list(rows)
        rows.close()
        with read_patch(f"{site}/a.jellyp"):
            assert list(folder.iterdir())
        with pytest.raises(PatchFormatError):
            list(read_patch(content[:-3], format="jelly-patch"))
        with pytest.raises(JellybridgeError):
            read_patch(f"{site}/cut/a.jellyp")
        write_patch(io.BytesIO(), ROWS, format="jelly-patch")
        with Dataset.open("mem:") as dataset:
            dataset.apply(content, format="jelly-patch")
        assert list(folder.iterdir()) == []

    def test_a_repr_says_what_a_thing_is(self, tmp_path: Path) -> None:
        with read_patch(tmp_path / "a.jellyp") as rows:
            assert repr(rows) == f"PatchRows({str(tmp_path / 'a.jellyp')!r})"
        assert repr(rows) == f"PatchRows({str(tmp_path / 'a.jellyp')!r}, closed)"
        with PatchLog.create(tmp_path / "log") as log:
            assert repr(log) == f"PatchLog({str(tmp_path / 'log')!r})"
        assert repr(log) == f"PatchLog({str(tmp_path / 'log')!r}, closed)"
        with Dataset.open("mem:") as dataset:
            assert repr(dataset) == "Dataset('mem:')"

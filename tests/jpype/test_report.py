"""Reports on changes: pages that need nothing else, and release notes."""

from __future__ import annotations

import io
import os
import re
import threading
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import List

import pytest

import jellybridge
from jellybridge import ChangeRow, JellybridgeError, PatchLog, changes, write_patch
from jellybridge.cli import main

OLD = "PREFIX ex: <urn:ex:> ex:tea a ex:Drink ; ex:color 'green' . ex:milk a ex:Drink ."
NEW = "PREFIX ex: <urn:ex:> ex:tea a ex:Drink ; ex:color '<b>black</b> & hot' . ex:mate a ex:Drink ."


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.ttl").write_text(OLD)
    Path("new.ttl").write_text(NEW)


class _Files(SimpleHTTPRequestHandler):
    """Serves the current folder silently."""

    def log_message(self, *_: object) -> None:
        pass


class _Checked(HTMLParser):
    """Fails for an element that is not closed, and for an address."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[str] = []
        self.seen: List[str] = []

    def handle_starttag(self, tag: str, attrs: list) -> None:
        self.seen.append(tag)
        assert not {"src", "href", "onload", "onclick"} & {name for name, _ in attrs}
        if tag not in ("meta", "rect", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("meta", "rect", "line"):
            assert self.open.pop() == tag


def checked(name: str) -> str:
    text = Path(name).read_text(encoding="utf-8")
    parser = _Checked()
    parser.feed(text)
    assert parser.open == []
    assert "script" not in parser.seen and "link" not in parser.seen
    assert not re.search(r"url\(|@import|https?://", text)
    return text


def test_a_page_about_two_files_has_counts_and_the_difference() -> None:
    found = jellybridge.report("old.ttl", "new.ttl", target="page.html")
    assert (found.added, found.deleted) == (2, 2)
    page = checked("page.html")
    for text in ("By class", "By predicate", "Largest subjects", "ex:Drink", "&lt;b&gt;black&lt;/b&gt; &amp; hot",
                 "prefers-color-scheme: dark", 'name="viewport"', '<span class="added">+ ex:mate</span>'):
        assert text in page
    assert "Timeline" not in page and "<b>black" not in page and "By graph" not in page


def test_a_page_about_a_log_has_a_timeline() -> None:
    with PatchLog.create("log") as log:
        with pytest.raises(ValueError, match="nothing to report"):
            jellybridge.report(log, target="page.html")
        for number in range(1, 31):
            write_patch("p.jellyp", [ChangeRow(op="A", subject=f"<urn:{number}>", predicate="<urn:p>", object='"1"', graph="<urn:g>")])
            log.append("p.jellyp", author="ada", message=f"Number <{number}>")
        jellybridge.report(log, target="page.html", title="Our <log>")
    page = checked("page.html")
    assert page.count("<rect") >= 60
    for text in ("Timeline", "By graph", "Our &lt;log&gt;", "ada – Number &lt;30&gt;", "The last 20 of 29 versions", "version 1 to version 30"):
        assert text in page, text
    assert main(["report", "log", "-o", "notes.md", "--first", "28", "--json"]) == 0
    notes = Path("notes.md").read_text()
    assert "# Changes from version 28 to version 30" in notes and "| 30 |" in notes and "## Versions" in notes
    assert [f"| {number} |" in notes for number in (27, 28, 29)] == [False, False, True]
    assert "ada – Number \\<30\\>" in notes and "| `<urn:p>` | 2 | 0 |" in notes and "\n### New" in notes


def test_a_report_on_a_pruned_log_begins_where_the_log_does(capsys: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create("log") as log:
        for versions in ([1], [2, 3], [4]):
            write_patch("p.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{version}"', patch=version)
                                     for version in versions])
            log.append("p.jellyp")
        log.checkpoint(2, progress=None)
        log.prune(before=3)  # version 3 is in one file with version 2
        assert main(["report", "log", "-o", "notes.md"]) == 1
        assert "; give a later version to compare with: --first N" in capsys.readouterr().err
        assert jellybridge.report(log, target="notes.md", first=2).added == 2
        log.checkpoint(3, progress=None)
        log.prune(before=4)
        assert jellybridge.report(log, target="notes.md").added == 1
        with pytest.raises(ValueError, match="no patch up to version 3, so there is nothing to report"):
            jellybridge.report(log, target="none.md", last=3)
        part = Path("log", "checkpoints", f"{3:020}", "part-00000.jelly")
        part.write_bytes(part.read_bytes()[:-1])
        with pytest.raises(JellybridgeError, match=r"part-00000.jelly has \d+ bytes, and had") as raised:
            jellybridge.report(log, target="none.md")
        assert raised.value.java is not None and "--first" not in str(raised.value)
    notes = Path("notes.md").read_text()
    assert notes.startswith("# Changes from version 3 to version 4") and "| 4 |" in notes


def test_the_versions_of_a_report_are_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    with PatchLog.create("log") as log:
        for number in range(3):
            write_patch("p.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{number}"')])
            log.append("p.jellyp")
    for first in ("2", "3"):
        assert main(["report", "log", "-o", "page.html", "--first", first, "--last", "2"]) == 2
        assert capsys.readouterr().err.startswith(f"jellybridge: --first {first}: must be before the last version, which is 2, ")
    assert not Path("page.html").exists()
    assert jellybridge.report("log", target="page.html", first=1, last=2).added == 1
    assert jellybridge.report("log", target="page.html", first=3).added == 0


def test_a_log_and_patches_on_a_web_server_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    write_patch("p.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    with PatchLog.create("log") as log:
        log.append("p.jellyp")
        log.list_objects()
    with ThreadingHTTPServer(("localhost", 0), _Files) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in ("log", "p.jellyp"):
            assert jellybridge.report(f"http://localhost:{server.server_port}/{name}", target=f"{name}.html").added == 1
        server.shutdown()
    assert ["Timeline" in checked(f"{name}.html") for name in ("log", "p.jellyp")] == [True, False]
    for address, said in (("s3a://bucket/log", "no command reads it"), ("grpc://localhost:1/log", "grpc://localhost:1/log")):
        assert main(["report", address, "-o", "none.html"]) != 0
        assert said in capsys.readouterr().err


def test_patches_and_differences_are_reported_too() -> None:
    difference = jellybridge.diff("old.ttl", "new.ttl")
    difference.write("d.jellyp")
    assert jellybridge.report("d.jellyp", target="d.html").added == 2
    assert jellybridge.report(changes.invert(difference), target="i.md", title="Back").deleted == 2
    out = io.BytesIO()
    jellybridge.report(difference, target=out, format="html")
    assert b"ex:mate" in out.getvalue()
    checked("d.html")
    assert Path("i.md").read_text().startswith("# Back\n\n2 statements added, 2 deleted.")
    assert "color:#1a7f37" in changes.squash("d.jellyp")._repr_html_()
    assert '+ ex:mate' in str(changes.show("d.jellyp", prefixes={"ex": "urn:ex:"}))


def test_an_option_that_a_source_has_no_use_for_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    write_patch("p.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    with PatchLog.create("log") as log:
        log.append("p.jellyp")
    for given in (["log", "--base", "urn:b"], ["p.jellyp", "--base", "urn:b"], ["p.jellyp", "--first", "0"], ["old.ttl", "new.ttl", "--last", "1"]):
        assert main(["report", *given, "-o", "page.html"]) == 2
        assert f"jellybridge: {given[-2]} {given[-1]}: is of " in capsys.readouterr().err
    with pytest.raises(ValueError, match="base='urn:b': is of two files"):
        jellybridge.report(jellybridge.diff("old.ttl", "new.ttl"), target="page.html", base="urn:b")
    assert not Path("page.html").exists()


def test_wrong_use_is_refused_and_nothing_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "old.ttl", "new.ttl", "-o", "page.pdf"]) == 2
    assert "html or markdown" in capsys.readouterr().err
    assert main(["report", "old.ttl", "new.ttl", "old.ttl", "-o", "page.html"]) == 2
    assert main(["report", "missing.ttl", "new.ttl", "-o", "page.html"]) == 2
    assert main(["report", "old.ttl", "-o", "page.html"]) in (1, 2)
    assert "new one" in capsys.readouterr().err
    Path("cut.jellyp").write_bytes(b"\x05\x0a")
    with pytest.raises(JellybridgeError):
        jellybridge.report("cut.jellyp", target="page.html")
    assert main(["report", "old.ttl", "new.ttl", "-o", "-", "--format", "html"]) == 2
    os.mkfifo("pipe")
    assert main(["report", "old.ttl", "new.ttl", "-o", "pipe", "--format", "html"]) == 2
    assert "is a device or a pipe" in capsys.readouterr().err and not Path("-").exists()
    assert not list(Path().glob("page*"))


def test_a_report_is_written_where_a_link_says() -> None:
    Path("site").mkdir()
    Path("site/index.html").touch()
    Path("page.html").symlink_to("site/index.html")
    assert main(["report", "old.ttl", "new.ttl", "-o", "page.html"]) == 0
    assert Path("page.html").is_symlink() and Path("site/index.html").stat().st_size > 0


def test_a_log_shows_its_last_versions_in_a_notebook() -> None:
    with PatchLog.create("log") as log:
        assert "head" in log._repr_html_()
        write_patch("p.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"1"')])
        log.append("p.jellyp", author="ada", message="A <first>")
        assert "A &lt;first&gt;" in log._repr_html_() and "+1" in log._repr_html_()

"""The documentation site builds without a warning, and no link in it leads nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.parse
from html.parser import HTMLParser
from pathlib import Path
from typing import Dict, Iterator, List, Optional, Set, Tuple

import pytest

PROJECT = Path(__file__).resolve().parent.parent
SETTINGS = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
#: What a browser loads by itself when it shows a page.
LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src")}


def test_a_page_is_in_the_navigation_once() -> None:
    listed = re.findall(r"^ +- [^:]+: (\S+\.md)$", SETTINGS.partition("\nnav:\n")[2], re.MULTILINE)
    hidden = set(re.findall(r"^  (\S+\.md)$", SETTINGS.partition("\nnot_in_nav: |\n")[2].partition("\nnav:")[0], re.MULTILINE))
    pages = {page.relative_to(PROJECT / "docs").as_posix() for page in (PROJECT / "docs").rglob("*.md")}
    assert sorted(listed) == sorted({"index.md", *pages} - hidden), "mkdocs.yml names the pages, below nav"


class Page(HTMLParser):
    """The anchors of a page, and what it links to and loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: Set[str] = set()
        self.links: List[str] = []
        self.loaded: List[str] = []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: List[Tuple[str, Optional[str]]]) -> None:
        for name, value in attributes:
            if value and name in ("id", "name"):
                self.anchors.add(value)
            elif value and (tag, name) in LOADED and dict(attributes).get("rel") != "canonical":
                self.loaded.append(value)
            elif value and (tag, name) == ("a", "href"):
                self.links.append(value)


@pytest.fixture(scope="module")
def pages() -> Dict[Path, Page]:
    done = subprocess.run(["make", "--no-print-directory", "docs"], cwd=PROJECT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return {file: Page(file) for file in (PROJECT / "build" / "docs").rglob("*.html")}


def missing(pages: Dict[Path, Page]) -> Iterator[str]:
    for file, page in pages.items():
        for link in [*page.links, *page.loaded]:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            # The page of what is not found has links from the root of the site.
            base = PROJECT / "build" / "docs" if parts.path.startswith("/") else file.parent
            target = (base / urllib.parse.unquote(parts.path).lstrip("/")).resolve() if parts.path else file
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file():
                yield f"{file.name}: {link} is not there"
            elif parts.fragment and not parts.fragment.startswith("__") and target in pages \
                    and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{file.name}: {link} has no such heading"


@pytest.mark.full("documents")
class TestSite:
    def test_every_link_leads_somewhere(self, pages: Dict[Path, Page]) -> None:
        assert len(pages) > 20
        assert list(missing(pages)) == []

    def test_a_page_loads_nothing_from_another_site(self, pages: Dict[Path, Page]) -> None:
        assert [f"{file.name}: {address}" for file, page in pages.items() for address in page.loaded
                if urllib.parse.urlsplit(address).netloc] == []

    def test_the_search_finds_words_of_the_tutorials(self, pages: Dict[Path, Page]) -> None:
        index = (PROJECT / "build" / "docs" / "search" / "search_index.json").read_text(encoding="utf-8")
        assert "tutorials/spark.html" in index and "tutorials/fuseki.html" in index


def test_documents_docstrings_and_comments_are_spelled_right() -> None:
    texts = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "docs", "benchmarks/RESULTS.md", "python/src/jellybridge", "jvm"]
    command = ["codespell_lib", "--skip", "*.pyc,*_pb2*,*.jar,images,test,build", "--ignore-words-list", "positionof,atleast,thirdparty"]
    checked = subprocess.run([sys.executable, "-m", *command, *texts], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert checked.stdout == "" and checked.returncode == 0, checked.stdout + checked.stderr


def test_the_classes_and_methods_that_answer_questions_are_there() -> None:
    page = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
    [table] = re.findall(r"## Where it is decided\n(.*?)\n## ", page, re.DOTALL)
    named = re.findall(r"`([A-Z]\w+)(?:\.(\w+))?`", "".join(line.split("|")[2] for line in table.splitlines() if "`" in line))
    assert len(named) > 15
    sources = [file.read_text(encoding="utf-8") for file in (PROJECT / "jvm").glob("*/src/main/java/**/*.java")]
    for name, method in named:
        declare = [source for source in sources if re.search(rf"\b(?:class|record|interface|enum) {name}\b", source)]
        assert declare, name
        assert not method or any(re.search(rf"\b{method}\(", source) for source in declare), f"{name}.{method}"

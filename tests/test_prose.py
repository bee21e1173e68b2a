"""Guides and comments are easy to read: each page and each module is within the bounds of ``scripts/prose.py``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import List

import pytest

PROJECT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "scripts"))

import prose  # noqa: E402

#: Pages that have to be rewritten. No page is added here; one that is within the bounds is taken off.
NOT_YET = {
    "docs/command-line.md",
}
PAGES = [page.relative_to(PROJECT).as_posix() for page in prose.guides()]


def out_of_bounds(page: str) -> List[str]:
    return prose.out_of_bounds((PROJECT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", [page for page in PAGES if page not in NOT_YET])
def test_a_page_is_easy_to_read(page: str) -> None:
    assert out_of_bounds(page) == []


def test_the_list_of_pages_that_are_not_easy_yet_shrinks() -> None:
    assert NOT_YET <= set(PAGES), "a page is gone: take it off the list"
    assert [page for page in sorted(NOT_YET) if not out_of_bounds(page)] == [], "these are within the bounds: take them off the list"


LONG = "This sentence goes on and on " * 6 + "."
TEXT = "You see this. " * 40


@pytest.mark.parametrize(("text", "figure"), [
    (TEXT + "\n\n" + "\n\n".join([LONG] * 4), "long"),
    (TEXT + "What it is, it says. " * 2, "openers"),
    ("It is said here. " * 40, "you"),
    ("\n\n".join([TEXT] * 3), "paragraph"),
    ("You see this.\n\n" * 600, "words"),
])
def test_a_page_that_is_hard_to_read_is_noticed(text: str, figure: str) -> None:
    assert prose.BOUNDS[figure].meaning in "".join(prose.out_of_bounds(text))


@pytest.mark.parametrize("text", [
    "```\n" + LONG + "\n```",
    "    $ " + LONG,
    "| " + LONG + " |",
    "# " + LONG,
    "See [it](what-where-of.md#" + "a-long-anchor" * 9 + ").",
])
def test_code_tables_headings_and_targets_of_links_are_no_prose(text: str) -> None:
    short = "You see this.\n\n" * 40
    assert prose.measure(short + text)["long"] == prose.measure(short)["long"] == 0


def test_an_item_of_a_list_is_a_paragraph() -> None:
    assert list(prose.paragraphs("You can:\n\n- read\n  it\n- write it\n\n1. Then\n2. end\n")) == \
        ["You can:", "read it", "write it", "Then", "end"]


def test_a_page_of_few_sentences_is_not_measured() -> None:
    assert prose.out_of_bounds("What this is, is said. " * 8) == []


MODULES = prose.modules()


@pytest.mark.parametrize("module", MODULES)
def test_the_comments_of_a_module_begin_with_what_it_is_or_does(module: str) -> None:
    assert prose.openings_out_of_bounds(prose.openings(MODULES[module])) == []


def test_each_module_has_comments() -> None:
    assert {"jvm/core", "jvm/spark", "python"} <= set(MODULES)
    for module, files in MODULES.items():
        assert any(found for file in files for found in prose.comments(file.name, file.read_text(encoding="utf-8"))), module


JAVA = """
/** What is read. */
class Source {
    /**
     * Returns the next
     * row.
     *
     * @return null at the end
     */
    Row next();

    /** @param name what errors call it */
    Source(String name);

    /** {@inheritDoc} */
    void close();

    /* no Javadoc */
    // How it is done.
}
"""
PYTHON = """
'''Reads things.'''

# What follows is a function.
def read() -> None:
    '''Where it is.

    Returns:
        nothing
    '''
    text = "no docstring"
"""


def test_comments_of_java_are_javadoc_that_says_more_than_its_tags() -> None:
    assert [found.split("@")[0].split() for found in prose.comments("Source.java", JAVA)] == \
        [["What", "is", "read."], ["Returns", "the", "next", "row."]]


def test_comments_of_python_are_docstrings() -> None:
    assert [found.splitlines()[0] for found in prose.comments("read.py", PYTHON)] == ["Reads things.", "Where it is."]


def test_comments_are_measured_by_their_first_words(tmp_path: Path) -> None:
    for name, text in (("Source.java", JAVA), ("read.py", PYTHON)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = prose.openings(sorted(tmp_path.iterdir()))
    assert found == prose.Openings(clauses=50, verbs=50)
    assert len(prose.openings_out_of_bounds(found)) == 1
    assert len(prose.openings_out_of_bounds(prose.Openings(clauses=2, verbs=39))) == 2
    assert prose.openings_out_of_bounds(prose.Openings(clauses=1, verbs=40)) == []


def test_methods_say_what_they_do_with_what() -> None:
    assert prose.one_word_names(prose.java_texts()) <= prose.ONE_WORD_NAMES


def test_names_are_those_of_methods_with_a_body() -> None:
    java = """
class Log {
    /** void comment() { */
    private static <T> List<T> read(String file,
            int count) throws IOException {
        if (isOpen()) {
            call(file);
        }
    }

    @Override
    public long headVersion() {
        return of(1);
    }

    abstract int size();

    Log(int size) {
    }
}
"""
    assert prose.METHOD.findall(java.replace("/** void comment() { */", "")) == ["read", "headVersion"]
    assert prose.one_word_names([java]) == 50

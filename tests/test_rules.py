"""The page of rules says what the code has: every rule, and every word that stands for one."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs" / "rules.md"
JAVA = PROJECT / "jvm"


def test_the_page_is_what_make_rules_writes() -> None:
    made = subprocess.run(
        [sys.executable, str(PROJECT / "scripts" / "rules_page.py")], stdout=subprocess.PIPE, check=True, encoding="utf-8"
    )
    assert made.stdout == PAGE.read_text(encoding="utf-8")


def test_numbers_in_names_and_messages_have_the_digits_of_no_locale() -> None:
    """Java writes ``%d`` in the digits of the locale, and a file ``Data-٠٠٠٢`` is not found again."""
    template = re.compile(r'(?:String\.format\(|^\s*|[( +])"[^"\n]*%[0-9$,]*d[^"\n]*"(?:\.formatted|,)')
    found = [f"{file.name}: {line.strip()}" for file in JAVA.glob("*/src/main/java/**/*.java")
             for line in file.read_text(encoding="utf-8").split("\n") if template.search(line) and "Locale.ROOT" not in line]
    assert found == []


def test_the_page_has_every_rule_that_an_error_can_name() -> None:
    code = "".join(file.read_text(encoding="utf-8") for file in JAVA.glob("*/src/main/java/**/*.java"))
    ids = set(re.findall(r'"([PR]-\d+)"', code))
    words = set(re.findall(r'(?:rror|efuse)\(\s*"([a-z][a-z-]*)"', code)) | {"restart", "checksum"}
    formats = set(re.findall(r'String FORMAT = "([^"]+)"', code)) - {"RDF Thrift"}
    assert len(ids) > 60 and {"term", "patch-log"} <= words and "N-Quads" in formats
    page = PAGE.read_text(encoding="utf-8")
    missing = {id for id in ids if f"</a>{id} | " not in page}
    missing |= {word for word in words if f"| `{word}` | " not in page}
    missing |= {name for name in formats if f"`[{name}]`" not in page}
    assert missing == set()


def test_each_rule_says_what_it_means_and_where_the_specification_has_it() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").split("\n") if re.match(r"\|.*[PR]-\d+ \|", line)]
    assert len(rows) > 60
    cells = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows]
    assert [row for row in cells if len(row) != 4 or not all(row)] == []
    assert {reading for _, _, reading, _ in cells} == {"refused", "strict", "not checked"}

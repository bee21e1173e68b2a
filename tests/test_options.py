"""Python's keywords are the options of Spark, in Python's spelling, with the same defaults.

JUnit holds the tables in the documents to the code; this holds Python to the documents.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any, Dict

import jellybridge

README = Path(__file__).resolve().parent.parent / "README.md"


def written(format: str) -> Dict[str, str]:
    """The defaults of the options that count where a format is written, by their names in Python."""
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \| [^|]* \| ([^|]*) \|", README.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): default.strip(" `")
        for name, where, default in rows
        if any("writing" in part and f"`{format}`" in part for part in where.split(";"))
    }


def spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def test_write_patch_has_the_options_of_jelly_patch_and_their_defaults() -> None:
    parameters = inspect.signature(jellybridge.write_patch).parameters.values()
    keywords = {each.name: spelled(each.default) for each in parameters if each.kind is each.KEYWORD_ONLY}
    del keywords["format"]
    options = written("jelly-patch")
    del options["compression"]  # the suffix says it
    assert keywords == options

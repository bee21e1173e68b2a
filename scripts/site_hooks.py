"""Makes README.md the first page of the documentation site, and brings the project's files that pages link to.

mkdocs knows the folder ``docs`` alone. A file elsewhere that a page links to, such as an example, gets a place below ``project``: a
text with the suffix ``.md`` as a page, whose links are followed too, and any other file as it is. A link to a folder becomes plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Dict, Iterator, List, Match, Optional

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

PROJECT = Path(__file__).resolve().parent.parent
#: A link or a picture: its text, its target and the target's anchor.
LINK = re.compile(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^\s()#:]+)((?:#[^\s()]*)?)\)")
#: Code, in which nothing is a link.
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def place(source: str) -> str:
    """Returns where a file of the project is in the site, by its path from the project's folder."""
    return "index.md" if source == "README.md" else source[len("docs/"):] if source.startswith("docs/") else f"project/{source}"


def source_of(site_path: str) -> str:
    """Returns which file of the project has that place in the site."""
    return "README.md" if site_path == "index.md" else site_path[len("project/"):] if site_path.startswith("project/") \
        else f"docs/{site_path}"


def target_of(source: str, link: str) -> Optional[str]:
    """Returns the path from the project's folder of what a file links to, or None if it is not in the project."""
    target = os.path.normpath(os.path.join(os.path.dirname(source), link))
    return None if target.startswith("..") or not (PROJECT / target).exists() else target


def linked(source: str) -> Iterator[str]:
    text = CODE.sub("", (PROJECT / source).read_text(encoding="utf-8"))
    for match in LINK.finditer(text):
        target = target_of(source, match[2])
        if target is not None and (PROJECT / target).is_file():
            yield target


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    sources: Dict[str, None] = {"README.md": None, **{source_of(file.src_uri): None for file in files.documentation_pages()}}
    waiting: List[str] = list(sources)
    while waiting:
        source = waiting.pop()
        if source.endswith(".md"):
            new = [target for target in linked(source) if target not in sources and not target.startswith("docs/")]
            sources.update(dict.fromkeys(new))
            waiting += new
    for source in sources:
        if not source.startswith("docs/"):
            level = InclusionLevel.INCLUDED if source == "README.md" else InclusionLevel.NOT_IN_NAV
            files.append(File.generated(config, place(source), abs_src_path=str(PROJECT / source), inclusion=level))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    source = source_of(page.file.src_uri)

    def mend(match: Match[str]) -> str:
        target = target_of(source, match[2])
        if target is None:
            return match[0]
        if (PROJECT / target).is_dir():
            return match[1]
        return f"[{match[1]}]({os.path.relpath(place(target), os.path.dirname(page.file.src_uri) or '.')}{match[3]})"

    pieces, at = [], 0
    for code in CODE.finditer(markdown):
        # A link may have code as its text, so code within a line is left to the pattern of links.
        if code[0].startswith("```"):
            pieces += [LINK.sub(mend, markdown[at : code.start()]), code[0]]
            at = code.end()
    return "".join([*pieces, LINK.sub(mend, markdown[at:])])

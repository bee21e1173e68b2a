"""The help of the command line: what its pages show, and that their examples run."""

from __future__ import annotations

import contextlib
import io
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterator, List, Tuple

import pytest
from fuseki_server import FusekiServer
from test_docs import Block, Job, clear, files, server  # noqa: F401
from test_options import commands

import jellybridge
from jellybridge import _command_help, _jars, cli

#: The overview, and the pages of groups of commands.
OVERVIEWS = ("", "log")
PAGES = [*OVERVIEWS, *commands()]


def shown(*arguments: str) -> str:
    """What a call prints that ends well."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert cli.main(arguments) == 0
    return text.getvalue()


def headings(page: str) -> List[str]:
    return re.findall(r"(?m)^([a-z ]+):$", page)


def test_a_bare_call_shows_the_overview() -> None:
    assert shown() == shown("--help")
    assert shown("log") == shown("log", "--help")


def test_the_version_is_shown() -> None:
    said = shown("--version")
    assert shown("-V") == said and re.fullmatch(
        rf"jellybridge {re.escape(jellybridge.__version__)} \(commit [0-9a-f]{{10}}, built with Spark 4\.0\.\d+, Jena 5\.\d+\.\d+ and "
        r"Java 17\.[\d.]+\)\n", said)


def test_the_version_is_shown_without_a_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(_jars, "_JARS", tmp_path)
    (tmp_path / "build.json").write_text('{"version": "1", "commit": "", "spark": "4", "jena": "5", "java": "17"}')
    assert _jars.built_from() == f"jellybridge {jellybridge.__version__} (built with Spark 4, Jena 5 and Java 17)"
    for broken in ("", "{"):
        (tmp_path / "build.json").write_text(broken)
        assert _jars.built_from() == f"jellybridge {jellybridge.__version__} (without its jar)"


def test_the_overview_has_every_command_in_its_group() -> None:
    page = shown()
    assert headings(page) == [*_command_help.COMMANDS, "options", "examples"]
    parser = _command_help.subcommands(cli._parser())
    assert parser is not None
    assert sorted(name for names in _command_help.COMMANDS.values() for name in names) == sorted(parser.choices)
    for names in _command_help.COMMANDS.values():
        assert re.search(r"\n  ".join(rf"{name} .*(?:\n {{10,}}.*)*" for name in names), page)


@pytest.mark.parametrize("command", commands())
def test_options_are_in_groups_of_which_none_is_long(command: str) -> None:
    page = shown(*command.split(), "--help")
    titles = headings(page)
    assert titles == [title for title in [*_command_help._GROUPS, "examples"] if title in titles] and "options" in titles
    parser = commands()[command]
    groups: Dict[str, List[str]] = {}
    for action in parser._actions:
        groups.setdefault(_command_help.group_of(command, action.dest), []).append(action.dest)
    assert len(groups["options"]) <= 7, "give an option of its own a group in _command_help"
    usage = page.partition("\n\n")[0]
    assert usage.count("\n") < 2 and "[options]" in usage


@pytest.mark.parametrize("command", PAGES)
def test_a_page_has_two_or_three_examples_of_its_command(command: str) -> None:
    examples = _command_help.EXAMPLES[command]
    assert 2 <= len(examples) <= 3
    page = shown(*command.split(), "--help")
    for example in examples:
        assert f"  # {example.does}\n  {example.line}\n" in page
        assert f"jellybridge {command}".strip() in example.line


def test_help_is_there_at_once() -> None:
    """At most 0.4 s of a processor, on a machine that does nothing else."""
    best = 9.0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "jellybridge", "--help"], stdout=subprocess.DEVNULL, check=True, timeout=60)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert best < 0.6


# --- examples

#: What has been done before the examples of a command.
BEFORE: Dict[str, Tuple[str, ...]] = {
    "dump": ("load monday.nt --to tdb2:store", "load monday.nt --to http://localhost:3030/ds"),
    "query": ("load monday.nt --to tdb2:store",),
    "update": ("load monday.nt --to tdb2:store",),
    "publish": ("publish monday.nt --to http://localhost:3030/ds",),
    "status": ("load monday.nt --to tdb2:store", "sync /data/log --to http://localhost:3030/ds"),
    "compact": ("load monday.nt --to tdb2:served",),
    "log prune": ("log checkpoint /data/log",),
    "log adopt": ("log state /data/log -o state.nq", "load state.nq --to tdb2:restored"),
    "log verify": ("sync /data/log --to http://localhost:3030/ds",),
}


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Job]:
    """A process whose Java has the folder of the examples for its own."""
    with contextlib.closing(Job(tmp_path_factory.mktemp("examples") / "folder", modes=["in-process"])) as job:
        yield job


@pytest.mark.parametrize("command", [page for page in PAGES if page != "serve"])  # which does not end
def test_the_examples_of_a_page_run(command: str, job: Job, files: Path, server: FusekiServer) -> None:  # noqa: F811
    job.put(files)
    (job.folder / "query.rq").write_text("CONSTRUCT WHERE { ?s ?p ?o }")
    clear(server)
    lines = [*(f"jellybridge {line}" for line in BEFORE.get(command, ())),
             *(example.line for example in _command_help.EXAMPLES[command])]
    job.run_steps((Block(f"help of {command}", "console", line) for line in lines),
                  {"http://localhost:3030/": server.url[:-len("ds")], "/data/log": f"{job.folder}/data/log"})

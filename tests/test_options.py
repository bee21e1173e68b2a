"""An option is one thing, which Spark spells streamType, Python stream_type and the command line --stream-type.

JUnit holds the tables in the documents to the code; this holds Python and its command line to the documents.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import os
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import jellybridge
import pytest
from jellybridge import _arguments, _command_options, changes, cli, functions

PROJECT = Path(__file__).resolve().parent.parent
#: The flags of commands that hand their values to a call of Python, by the command; and which of the keywords they are,
#: where they have another name.
CALLS: Dict[str, Tuple[Callable[..., Any], Dict[str, str]]] = {
    "sync": (jellybridge.Dataset.sync, {}),
    "log create": (jellybridge.PatchLog.create, {}),
    "log list": (jellybridge.PatchLog.entries, {}),
    "log append": (jellybridge.PatchLog.append, {"from-format": "format", "header": "headers"}),
    "log fetch": (jellybridge.PatchLog.fetch, {}),
    "log state": (jellybridge.PatchLog.state, {}),
}
#: What flags say beside that: how the command is run, and who asks which server.
# follow is a call of its own.
BESIDE = {"help", "json", "quiet", "heap", "to", "verbose", "if-missing", "follow", "poll", "beyond", "metrics", "output", "to-format"}


def table(document: str, name: str, columns: int) -> List[List[str]]:
    """The rows of a document's tables of so many columns, where the first looks like that; without the signs of code."""
    lines = (PROJECT / document).read_text(encoding="utf-8").replace("| |", "|  |").splitlines()
    rows = [[cell.replace("`", "").strip() for cell in line[2:-2].split(" | ")] for line in lines if line.startswith("| `")]
    return [row for row in rows if len(row) == columns and re.fullmatch(name, row[0])]


def snake(name: str) -> str:
    return re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def commands() -> Dict[str, argparse.ArgumentParser]:
    """The commands with flags, ``log list`` and its like among them."""
    def below(parser: argparse.ArgumentParser, name: str) -> Iterator[Tuple[str, argparse.ArgumentParser]]:
        groups = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
        for verb, each in ((verb, each) for group in groups for verb, each in group.items()):
            yield from below(each, f"{name} {verb}".strip())
        if not groups:
            yield name, parser

    return dict(below(cli._parser(), ""))


def flags(command: str) -> Dict[str, argparse.Action]:
    """A command's actions by the last name of each, without its hyphens."""
    actions = commands()[command]._actions
    return {next(name for name in action.option_strings if name.startswith("--"))[2:]: action
            for action in actions if action.option_strings}


def keywords(call: Callable[..., Any]) -> Dict[str, Any]:
    return {each.name: each.default for each in inspect.signature(call).parameters.values() if each.name != "self"}


def test_write_patch_has_the_options_of_jelly_patch_and_their_defaults() -> None:
    options = {snake(name): default for name, where, _, default, _ in table("docs/spark-options.md", r"\w+", 5)
               if any("writing" in part and "jelly-patch" in re.split("[ ,]+", part) for part in where.split(";"))}
    del options["compression"]  # the suffix says it
    given = {name: spelled(default) for name, default in keywords(jellybridge.write_patch).items()}
    assert {name: given[name] for name in given if name not in ("target", "rows", "format")} == options


def test_the_flags_of_files_are_the_options_of_the_document() -> None:
    rows = table("docs/command-line.md", "--[a-z-]+", 5)
    shown = []
    for name, _, _, _, _ in rows:
        action = flags("convert")[name[2:]]
        [option] = [each for each in (*_command_options.READING, *_command_options.MENDING, *_command_options.WRITING)
                    if each.name == action.dest]
        default = "" if option.default is None else spelled(option.default)
        takes = "true or false" if action.nargs == 0 else "a whole number" if action.type is int else \
            "an absolute IRI" if action.metavar == "IRI" else f"one of {', '.join(action.choices or ())}"
        assert action.help is not None and action.help.startswith(option.meaning)
        counts = "reading" if name[2:] in flags("inspect") or option in _command_options.MENDING else "writing"
        shown.append((name, counts, takes, default, option.meaning))
    assert shown == [(name, where.split(" ")[0], takes.split(" of at least")[0], default, meaning)
                     for name, where, takes, default, meaning in rows]
    assert {name[2:] for name, *_ in rows} == set(flags("convert")) - BESIDE - {"from-format", "out-dir", "bad-statements", "max-bad"}


def test_the_document_of_the_command_line_names_every_flag_and_no_other() -> None:
    text = (PROJECT / "docs" / "command-line.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text))
    there = {name for command in commands() for name in flags(command)}
    assert named - {"no-marks", "help"} == there - {"help", "output"}  # -o


def test_the_calls_have_the_options_of_files_that_the_document_says() -> None:
    text = (PROJECT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert "but `--from-format`, `apply --strict` and `diff --base`" in text.replace("\n", " ")
    options = {option.name for option in (*_command_options.READING, *_command_options.WRITING)}
    assert options & set(keywords(jellybridge.Dataset.apply)) == {"strict"}
    assert options & set(keywords(jellybridge.diff)) == {"base"}


@pytest.mark.parametrize("of", [jellybridge.Dataset, jellybridge.PatchLog, changes], ids=lambda of: str(of.__name__))
def test_a_document_names_each_method(of: Any) -> None:
    text = "".join(file.read_text(encoding="utf-8") for file in (PROJECT / "docs").rglob("*.md"))
    names = getattr(of, "__all__", None) or [name for name in vars(of) if not name.startswith("_") and callable(getattr(of, name))]
    variable = {jellybridge.Dataset: r"|\bdataset", jellybridge.PatchLog: r"|\blog"}.get(of, "")
    called = rf"(?:{of.__name__.rpartition('.')[2]}{variable})\.(\w+)"
    assert set(names) - set(re.findall(called, text)) <= {"Patch", "Merge", "close"}


def test_the_document_of_captures_has_the_keywords() -> None:
    rows = {name: ast.literal_eval(default) for name, default, _ in table("docs/capture.md", "[a-z_]+", 3)}
    assert {"log": inspect.Parameter.empty, **rows} == keywords(jellybridge.Dataset.capture)


def test_the_page_of_the_options_in_spark_lists_the_names_that_differ() -> None:
    page, known = "docs/spark-options.md", {*_command_options._OF_FILES, *keywords(jellybridge.convert)}
    differing = table(page, r"\w+( when (reading|writing))?", 3)
    for _, keyword, flag in differing:
        assert keyword in known and flag == f"--{keyword.replace('_', '-')}" and flag[2:] in flags("convert")
    lone = {"mode", "maxNesting", "compression", "logicalType", "streamName"}
    assert {name for name, *_ in table(page, r"\w+", 5) if snake(name) not in known} == {row[0].split(" ")[0] for row in differing} | lone


def test_the_options_of_a_log_have_one_name() -> None:
    for name, call in inspect.getmembers(jellybridge.Dataset, inspect.isfunction):
        if "log" in keywords(call) and not name.startswith("_") and name != "capture":  # which is into a folder
            assert "log_options" in keywords(call) and "source_options" not in keywords(call), name


def test_convert_names_its_keywords() -> None:
    text = inspect.getdoc(jellybridge.convert) or ""
    for name in _command_options._OF_FILES:
        assert f"``{name}``" in text or name in keywords(jellybridge.convert)


def test_the_flags_of_servers_are_options_of_the_document() -> None:
    options = {snake(name): default for name, _, default, _ in table("docs/fuseki.md", r"\w+", 4)}
    assert set(_command_options._OF_SERVERS) <= set(options)
    for command in commands():
        for name, action in flags(command).items():
            option = re.sub("^(source|beyond|dataset|log)_", "", action.dest)
            if option in _command_options._OF_SERVERS and not (option == "timeout" and "file" in flags(command)):  # which is of a query
                said = re.search(r"\(default: (.*)\)", action.help or "")
                assert said is None or said[1] == options[option], name


@pytest.mark.parametrize("command", CALLS)
def test_a_flag_is_a_keyword_of_the_call_with_its_default(command: str) -> None:
    call, others = CALLS[command]
    known = keywords(call)
    for name, action in flags(command).items():
        if name in BESIDE or re.sub("^(source|beyond)_", "", action.dest) in _command_options._OF_SERVERS:
            continue
        keyword = others.get(name, name.replace("-", "_"))
        assert keyword in known, name
        default = None if action.default == [] else action.default  # of a flag that may be said more than once
        assert action.required or default == known[keyword], name


@pytest.mark.parametrize("command", commands())
def test_a_flag_means_one_thing(command: str) -> None:
    named = flags(command)
    assert "to" not in named or (named["to"].metavar, named["to"].dest) == ("DATASET", "target")
    formats = {name for name, action in named.items() if action.metavar == "FORMAT"}
    # Commands that show a difference, and a report on one, have --format, as it is no format of a file.
    shows = "stat" in named or command == "report"
    assert formats <= {"from-format", "to-format", *(["format"] if shows else [])}
    assert all(named[name].metavar == "N" for name in ("first", "last", "version") if name in named)
    assert not {"from", "prefixes", "names", "datatypes", *([] if shows else ["format"])} & set(named)


@pytest.mark.parametrize("command", commands())
def test_flags_are_spelled_in_one_way(command: str) -> None:
    for name, action in flags(command).items():
        assert re.fullmatch("[a-z]+(-[a-z]+)*", name)
        assert action.dest.split("_")[0] == name.split("-")[0] or (name, action.dest) in (
            ("to", "target"), ("class", "rdf_class"))  # a word that Python keeps for itself


@pytest.mark.parametrize("command", commands())
def test_every_command_may_be_quiet_and_have_a_heap(command: str) -> None:
    assert command == "completion" or {"quiet", "heap"} <= set(flags(command))


def test_what_python_names_java_knows_by_its_own_spelling() -> None:
    documents = ("docs/spark-options.md", "docs/fuseki.md", "docs/log-in-spark.md", "docs/spark-jena.md", "docs/time-travel.md")
    names = [row[0] for document in documents
             for columns in (4, 5) for row in table(document, "[a-z]+([A-Z][a-z]+)+", columns)]
    assert len(names) > 30
    for name in names:
        assert list(_arguments.texts({snake(name): "x"})) == list(_arguments.texts({name: "x"})) == [name]


PUBLIC = [getattr(module, name) for module in (jellybridge, functions) for name in module.__all__]
CALLABLES = [call for call in PUBLIC if inspect.isfunction(call)] + [
    member for each in PUBLIC if inspect.isclass(each) for name, member in inspect.getmembers(each, inspect.isfunction)
    if not name.startswith("_") and member.__module__.startswith("jellybridge")
]


@pytest.mark.parametrize("call", CALLABLES, ids=lambda call: str(call.__qualname__))
def test_what_a_text_says_of_keywords_is_what_there_is(call: Callable[..., Any]) -> None:
    parameters = keywords(call)
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*_?", name) for name in parameters)
    listed = re.search(r"(?ms)^Args:\n(.*?)(?:\n\n\S|\Z)", inspect.getdoc(call) or "")
    if listed is not None:
        assert sorted(re.findall(r"(?m)^    (\w+):", listed[1])) == sorted(parameters)


def test_a_publication_into_a_store_of_its_size_takes_the_first_compiler_alone(tmp_path: Path) -> None:
    snapshot, served = tmp_path / "snapshot.nt", tmp_path / "ser[v]ed"
    snapshot.touch()
    os.truncate(snapshot, 100 << 20)
    (served / "Data-0002").mkdir(parents=True)
    terms = served / "Data-0002" / "nodes-data.obj"

    def is_short(verb: str, target: str) -> bool:
        return cli._is_short(cli._parser().parse_args([verb, str(snapshot), "--to", target]))

    assert not is_short("publish", f"tdb2:{served}"), "all of it is loaded"
    terms.touch()
    os.truncate(terms, 20 << 20)
    assert is_short("publish", f"tdb2:{served}")
    assert not is_short("load", f"tdb2:{served}")
    assert not is_short("publish", "http://localhost:3030/served")
    os.truncate(snapshot, 300 << 20)
    os.truncate(terms, 300 << 20)
    assert not is_short("publish", f"tdb2:{served}")


def test_a_sync_of_a_large_folder_and_a_follower_have_both_compilers(tmp_path: Path) -> None:
    log = tmp_path / "log"
    (log / "objects").mkdir(parents=True)

    def is_short(*more: str) -> bool:
        return cli._is_short(cli._parser().parse_args(["sync", str(log), "--to", "mem:", *more]))

    (log / "objects" / "1.jellyp").touch()
    assert is_short() and not is_short("--follow")
    os.truncate(log / "objects" / "1.jellyp", 5 << 20)
    assert not is_short(), "the files in a folder count, and not the folder's own size"

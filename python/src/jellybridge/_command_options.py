"""Options of the command line for reading and writing files and for servers.

Java has the table of these options, with their meaning. This copy shows the flags without starting Java. Tests compare the
flags with the table in docs/command-line.md, and that table with Java's.
"""

from __future__ import annotations

import re
from argparse import Action, ArgumentParser, BooleanOptionalAction, Namespace
from typing import Any, Dict, Iterable, NamedTuple, Optional, Tuple, Type, Union, cast

from ._arguments import camel
from ._types import ServerOptions


class Option(NamedTuple):
    """An option of :func:`jellybridge.convert` and of similar commands."""

    name: str
    #: ``bool``, ``int``, ``str`` for an IRI, or a tuple of the allowed words.
    takes: Union[Type[bool], Type[int], Type[str], Tuple[str, ...]]
    #: The default. ``None`` means that of the input, or as described in the meaning.
    default: Union[bool, int, str, None]
    meaning: str


#: Reading options. Some also apply to writing.
READING = (
    Option("strict", bool, False,
           "refuse every broken MUST of a Jelly format, also those that other writers are known to break"),
    Option("dialect", ("JENA", "RDF_DELTA", "SPECIFICATION", "AUTO"), "AUTO", "how RDF Patch text is written"),
    Option("generalized_statements", bool, False, "let statements with literals as subjects, and the like, in and out"),
    Option("relative_iris", bool, False, "let relative IRIs in and out"),
    Option("rdf_star", bool, False, "let triple terms be subjects in N-Quads and N-Triples, and read << s p o >> as one"),
    Option("base", str, None,
           "from where relative IRIs of Turtle, TriG, RDF/XML, JSON-LD, N3 and TriX go; without, from the file itself"),
    Option("remote_contexts", bool, False,
           "let JSON-LD load the contexts that it names, from the network and from files"),
    Option("max_frame_bytes", int, 16777216,
           "largest frame of an input; of RDF Patch text, largest token, such as a literal, also of an output"),
    Option("max_table_size", int, None,
           "largest lookup table that an input may ask for, in entries; without, a limit for each, as in Spark"),
    Option("max_term_bytes", int, None,
           "longest term of a Jelly format or RDF Thrift, and of RDF Patch text without a largest frame, in bytes; without, 16 MiB, or "
           "less in a heap below 1 GiB"),
    Option("max_table_bytes", int, None,
           "what the entries of a lookup table may take, in bytes; without, likewise"),
)
#: Reading options of ``convert`` only.
MENDING = (
    Option("mend_tags", bool, False,
           "read _ in language tags of N-Quads, N-Triples and Jelly as -, such as en_US as en-US"),
)
#: Writing options.
WRITING = (
    Option("stream_type", ("FRAME", "FLAT", "PUNCTUATED"), None,
           "how frames and patches relate in jelly-patch; FLAT is refused for more than one patch"),
    Option("statement_type", ("TRIPLES", "QUADS", "GRAPHS"), None,
           "what statements are in a Jelly format; TRIPLES is refused where there is a named graph, GRAPHS is for jelly "
           "alone"),
    Option("name_table_size", int, None, "entries of the name table"),
    Option("prefix_table_size", int, None, "entries of the prefix table"),
    Option("datatype_table_size", int, None, "entries of the datatype table"),
    Option("frame_rows", int, 1024,
           "a frame ends when it has this many rows; without, the frames of a jelly input stay"),
    Option("restart_bytes", int, 4194304,
           "bytes between restart points of a Jelly format, from which Spark reads a file in parallel; 0 = none"),
    Option("delimited", bool, True, "each frame has its length before it; without, there is one bare frame"),
    Option("marks", bool, True, "Z . between the patches of RDF Patch text; without, it holds one patch"),
)
#: Flags by the option names in Java's messages, which are those of Spark. Names that are also plain words are left out.
_IN_MESSAGES = {
    "maxBad": "--max-bad", "maxTokenBytes": "--max-frame-bytes", "maxNameTableSize": "--name-table-size",
    "maxPrefixTableSize": "--prefix-table-size", "maxDatatypeTableSize": "--datatype-table-size",
    **{camel(option.name): "--" + option.name.replace("_", "-") for option in (*READING, *MENDING, *WRITING)
       if "_" in option.name},
}
_NAMED = re.compile(rf"(?<![\w/#<.:-])({'|'.join(_IN_MESSAGES)})(=true)?(?![\w/#>:=-])")
_KEYWORD = re.compile(r"""(?:^|(?<= is after ))([a-zA-Z_]+)=(?!\w+ \(--)(?:'([^']*)'|"([^"]*)"|(-?[0-9]+)\.0\b)?""")
_LIMIT_OF_TABLE = re.compile("(if you trust the file, raise )max(?:Name|Prefix|Datatype)TableSize")
_LIMIT_OF_NESTING = re.compile("(, or|if you trust the file,) raise maxNesting")
_LIMIT = re.compile("(?:if you trust the file, )?raise (--max-[a-z-]+)(, here and for the readers)?")
_OF_TEXT = re.compile("a (line|token) of ")
_PERMISSION = re.compile(r"(?:query|update)\(\.\.\., (load|service)=True\)")
#: Advice for Python, and that for the command line.
_ADVICE = {
    "load a file by Dataset.load": "load a file by `jellybridge load`",
    'by jellybridge.convert(FILE, "x.nq", base=IRI)': "by `jellybridge convert FILE x.nq --base IRI`",
    "start a Spark session first": "no command reads it: use Python, and start a Spark session first",
}
#: Servers beside that of ``--user``, by what their options begin with.
_SERVERS = {"dataset_": "the dataset", "source_": "the log", "log_": "the log", "beyond_": "OTHER"}
_USER = "leave out user (--user)"
_RDF_STAR = "set the option --rdf-star to read RDF-star"


def in_message(text: str, given: Optional[Namespace] = None) -> str:
    """Replaces option names in a Java message by the flags of the command line.

    >>> in_message("a frame of 20 bytes; if you trust the file, raise maxFrameBytes")
    'a frame of 20 bytes; if you trust the file, raise --max-frame-bytes'

    Args:
        text: the message.
        given: the arguments of the command. Keywords of Python and Java become what was typed, such as ``first=3``. The advice is
            another one for a command without limits.
    """
    text = _LIMIT_OF_TABLE.sub(r"\1--max-table-size", text)
    text = _LIMIT_OF_NESTING.sub(lambda found: "" if found[1] == ", or" else "nest them less deep where it is written", text)
    text = _NAMED.sub(lambda found: _IN_MESSAGES[found[1]], text)
    text = _PERMISSION.sub(r"--\1", text)
    for said, meant in _ADVICE.items():
        text = text.replace(said, meant)
    if given is None:
        return text
    if not hasattr(given, "rdf_star"):
        text = text.replace(_RDF_STAR, "make Jelly of it first, by `jellybridge convert --rdf-star`")
    typed = {action.dest: name_of(action) for action in given.parser._actions}

    def as_typed(found: re.Match[str]) -> str:
        name = typed.get(re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), found[1]))
        return found[0] if name is None else f"{name} {found[2] or found[3] or found[4] or ''}"

    text = _KEYWORD.sub(as_typed, text)
    for prefix, server in _SERVERS.items():
        if _USER in text and hasattr(given, f"{prefix}user"):
            flag = f"--{prefix[:-1]}-user"
            is_meant = of_server(given, prefix) and not of_server(given)
            text = text.replace(_USER, f"leave out {flag}") if is_meant else f"{text}; {flag} is for {server}"
    if not hasattr(given, "max_frame_bytes"):
        is_text = _OF_TEXT.search(text)
        text = _LIMIT.sub(lambda found: "make it shorter" if is_text or found[2] else (
            f"if you trust the file, make text of it first: `jellybridge convert FILE x.rdfp {found[1]} N`, or x.nq of statements"), text)
    return text


def name_of(action: Action) -> str:
    """Returns the name of an argument or of an option as users write it."""
    return action.option_strings[-1] if action.option_strings else str(action.metavar or action.dest)


#: The options of commands that load files into a dataset.
LOADING = tuple(option for option in READING if option.name in ("base", "remote_contexts") or option.name.startswith("max_"))
_OF_FILES = tuple(option.name for option in (*READING, *MENDING, *WRITING))
_OF_SERVERS = ("user", "password_file", "token_file", "authority", "certificate", "certificate_key", "insecure",
               "connect_timeout", "timeout", "attempts", "lease_wait", "break_lease")


def add(parser: ArgumentParser, options: Iterable[Option]) -> None:
    """Adds the flags of options. An option that is on by default gets a flag that switches it off."""
    for name, takes, default, meaning in options:
        how: Dict[str, Any]
        if takes is bool:
            how = {"action": BooleanOptionalAction if default else "store_true"}
        elif takes is int:
            how = {"type": int, "metavar": "N"}
        elif takes is str:
            how = {"metavar": "IRI"}
        else:
            how = {"type": lambda text: text.upper().replace("-", "_"), "choices": takes}
        shown = "" if default is None or takes is bool else f" (default: {default})"
        parser.add_argument("--" + name.replace("_", "-"), help=meaning + shown, **how)


def of_files(given: Namespace) -> Dict[str, Any]:
    """Returns the given options for reading and writing files."""
    return _given(given, _OF_FILES)


def of_server(given: Namespace, prefix: str = "") -> ServerOptions:
    """Returns the given connection options of a server, whose flags have the prefix. A query has a ``--timeout`` of its own."""
    names = [name for name in _OF_SERVERS if prefix or name != "timeout" or not hasattr(given, "sparql")]
    return cast(ServerOptions, _given(given, names, prefix))


def _given(given: Namespace, names: Iterable[str], prefix: str = "") -> Dict[str, Any]:
    values = {name: getattr(given, prefix + name, None) for name in names}
    return {name: value for name, value in values.items() if value is not None}

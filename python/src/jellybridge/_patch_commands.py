"""The command ``patch``: the algebra of :mod:`jellybridge.changes` on the command line."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
import tempfile
from typing import Any, Callable, List, Optional, Sequence

from . import changes
from ._command_line import Parser, add_command, add_json, add_running, report_in_json, show_help_without_command
from ._convert import STANDARD, BadStatements, Job, format_of
from ._difference import expanded, prefixes_of, terms, text_format_of
from ._errors import JellybridgeError
from ._files import Patch, write_patch
from ._locations import FileLocation, absolute, target_file, write_text

#: The formats of patches, and their suffixes.
_FORMATS = dict(zip(changes.PATCH_FORMATS, (".jellyp", ".rdfp", ".trp")))


def add(verbs: Any) -> None:
    """Adds the command and its subcommands."""
    about = "Undo, join, select, split, merge and rebase patches, or make them of other change formats."
    patch = verbs.add_parser("patch", help=about, description=about, epilog="A patch is a file of patches, in any format of them; "
                             "'-' is standard input.")
    commands = patch.add_subparsers(metavar="COMMAND")
    show_help_without_command(patch)
    common = Parser(add_help=False)
    common.add_argument("-o", "--output", default=STANDARD, help="the file for the result (default: standard output, as RDF Patch text)")
    add_json(common)
    add_running(common)

    def verb(name: str, does: Callable[[argparse.Namespace], Any], about: str, suffix: Optional[str] = None) -> Any:
        made = add_command(commands, name, lambda options: _run(options, does), about, common, suffix=suffix)
        if suffix is None:
            made.add_argument("--from-format", default="rdf-patch", metavar="FORMAT", choices=tuple(_FORMATS),
                              help="the format of standard input: " + ", ".join(_FORMATS) + " (default: rdf-patch)")
        return made

    def prefix(made: Any) -> None:
        made.add_argument("--prefix", action="append", default=[], metavar="NAME=IRI",
                          help="a prefix of such IRIs, beside well-known ones; may be said more than once")

    def base(made: Any, required: bool, about: str) -> None:
        made.add_argument("--base", required=required, metavar="FILE", help=f"the state before PATCH, as statements{about}")

    made = verb("squash", lambda options: changes.squash(*options.inputs), "Join patches to one that does the same.")
    made.add_argument("inputs", nargs="+", metavar="PATCH")
    made = verb("invert", lambda options: changes.invert(_one(options), options.base), "Make the patch that undoes a patch.")
    made.add_argument("inputs", nargs=1, metavar="PATCH")
    base(made, False, " (default: all of PATCH has an effect, and each statement is in it once)")
    made = verb("effective", lambda options: changes.effective(_one(options), options.base), "Keep what of a patch changes a state.")
    made.add_argument("inputs", nargs=1, metavar="PATCH")
    base(made, True, "")
    made = verb("filter", _filter, "Keep the statements of a graph, a subject, a predicate or a class.")
    made.add_argument("inputs", nargs=1, metavar="PATCH")
    for name, about in (("graph", "default = the default graph"), ("subject", ""), ("predicate", ""), ("class", "subjects of this class")):
        made.add_argument(f"--{name}", action="append", dest="rdf_class" if name == "class" else name, metavar="IRI",
                          help=f"{about + '; ' if about else ''}may be said more than once")
    prefix(made)
    base(made, False, ", which says classes too")
    made = verb("split", lambda options: changes.split(_one(options), rows=options.rows), "Split a patch: one for each graph, or by rows.")
    made.add_argument("inputs", nargs=1, metavar="PATCH")
    made.add_argument("--rows", type=int, metavar="N", help="patches of about so many rows, with a subject's rows together")
    for name, does, about, sides in (
        ("merge", _merge, "Merge two patches of one state, or two edited copies of it. Exit status 1 if there are conflicts, unless --prefer settles them.", ("OURS", "THEIRS")),
        ("rebase", _rebase, "Move a patch behind another one of the same state. Exit status 1 if there are conflicts.", ("ONTO", "PATCH")),
    ):
        made = verb(name, does, about)
        made.add_argument("inputs", action="append", metavar="BASE", help="the state before both, as statements")
        for side in sides:
            made.add_argument("inputs", action="append", metavar=side, help="a patch, or an edited copy of BASE")
        made.add_argument("--conflicts", metavar="FILE", help="a file for the changes in conflict: two patches; of .txt or .md, text for people")
        made.add_argument("--single", action="append", default=[], metavar="IRI",
                          help="a predicate with a single value: two different additions are in conflict")
        prefix(made)
        made.set_defaults(has_base=True)
        if name == "merge":
            made.add_argument("--prefer", choices=("ours", "theirs"), help="whose changes count in a conflict (default: nobody's)")
    iri = "the base of relative IRIs"
    made = verb("from-cim", lambda options: changes.from_cim(_one(options), base=options.base, base_iri=options.base_iri),
                "Read CIM difference models: a patch for each.", ".rdf")
    made.add_argument("inputs", nargs=1, metavar="MODEL", help="a file in RDF/XML with dm:DifferenceModel")
    made.add_argument("--base", metavar="FILE",
                      help="the state before MODEL, as statements, in which its preconditions must hold (default: they are not checked)")
    made.add_argument("--base-iri", metavar="IRI", help=iri)
    made = verb("from-ldes", lambda options: changes.from_ldes(*options.inputs, base=options.base, base_iri=options.base_iri,
                                                               max_pages=options.max_pages),
                "Read members of Linked Data Event Streams: a patch for each.", ".trig")
    made.add_argument("inputs", nargs="+", metavar="PAGE",
                      help="a file or a URL with members, tree:member; standard input is in TriG or Turtle")
    made.add_argument("--max-pages", type=int, metavar="N",
                      help="follow links to other pages, up to so many pages in all (default: links are not followed)")
    made.add_argument("--base", metavar="FILE", help="the state before the pages, as statements (default: nothing)")
    made.add_argument("--base-iri", metavar="IRI", help=iri)


def _one(options: argparse.Namespace) -> str:
    return str(options.inputs[0])


def _expanded(options: argparse.Namespace, names: Optional[Sequence[str]]) -> Optional[List[str]]:
    """Returns IRIs, with the prefixes of ``--prefix`` and well-known ones expanded."""
    known = terms(prefixes_of(options.prefix)) if names else None
    return None if names is None else [expanded(known, each) for each in names]


def _filter(options: argparse.Namespace) -> Any:
    wanted = {name: _expanded(options, getattr(options, name)) for name in ("graph", "subject", "predicate", "rdf_class")}
    return changes.filter(_one(options), **wanted, base=options.base)


def _merge(options: argparse.Namespace) -> Any:
    return changes.merge(*options.inputs, prefer=options.prefer, single=_expanded(options, options.single) or ())


def _rebase(options: argparse.Namespace) -> Any:
    return changes.rebase(*options.inputs, single=_expanded(options, options.single) or ())


def _keep_standard_input(options: argparse.Namespace, folder: str) -> None:
    """Puts a file with all of standard input into its places among the inputs, since they are read more than once."""
    names = [*options.inputs, *filter(None, (getattr(options, "base", None),))]
    if names.count(STANDARD) > 1:
        raise ValueError("standard input can be read only once")
    if STANDARD not in names:
        return
    is_state = STANDARD not in options.inputs or getattr(options, "has_base", False) and options.inputs[0] == STANDARD
    file = os.path.join(folder, "stdin" + (".nq" if is_state else options.suffix or _FORMATS[options.from_format]))
    with open(0, "rb", closefd=False) as standard, open(file, "wb") as copy:
        shutil.copyfileobj(standard, copy)
    options.inputs = [file if name == STANDARD else name for name in options.inputs]
    if getattr(options, "base", None) == STANDARD:
        options.base = file


def _run(options: argparse.Namespace, does: Callable[[argparse.Namespace], Any]) -> int:
    to_format = "rdf-patch" if options.output == STANDARD else format_of(options.output)
    if to_format not in _FORMATS:
        raise ValueError(f"{options.output}: the result is a patch, in {', '.join(_FORMATS)}; jellybridge apply --on applies it to a file")
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        _keep_standard_input(options, folder)
        made = does(options)
    patch = made if isinstance(made, Patch) else made.patch
    with contextlib.nullcontext(STANDARD) if options.output == STANDARD else target_file(options.output) as file:
        found = Job().convert([FileLocation(patch._patch(), "the result")], None, file, to_format, None, BadStatements(None, None))
    conflicts = 0 if patch is made else sum(row.op not in ("TX", "TC") for row in made.conflicts)
    keep = getattr(options, "conflicts", None)
    if conflicts and keep:
        _write_conflicts(options, made.conflicts)
    elif keep and os.path.isfile(absolute(keep)):
        os.remove(absolute(keep))  # of an earlier merge
    report_in_json(options, options.output,
                   {"output": options.output, "patches": found.patches, "rows": found.rows, "conflicts": conflicts})
    if conflicts:
        where = f"; {options.conflicts} has them" if options.conflicts else "; --conflicts FILE keeps them"
        prefer = getattr(options, "prefer", None)
        if prefer is None:
            raise JellybridgeError(f"{conflicts:,} changes are in conflict, and left out{where}")
        print(f"jellybridge: {conflicts:,} changes were in conflict, and {prefer} count{where}", file=sys.stderr)
    return 0


def _write_conflicts(options: argparse.Namespace, conflicts: Patch) -> None:
    """Writes the changes in conflict as two patches, or for people: those of one side, and then those of the other."""
    format = text_format_of(options.conflicts, or_any=True)
    if format not in ("text", "markdown"):
        conflicts.write(options.conflicts)
        return
    rows, texts = list(conflicts), []
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder:
        for number in (0, 1):
            write_patch(side := os.path.join(folder, "side.jellyp"), [row._replace(patch=0) for row in rows if row.patch == number])
            shown = changes.show(side, prefixes=prefixes_of(options.prefix))
            shown.old, shown.new = options.inputs[0], options.inputs[1 + number]
            texts.append(shown.to_text(format))
    with target_file(options.conflicts) as file:
        write_text(file, "\n".join(texts))

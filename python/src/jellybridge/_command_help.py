"""Help pages of the command line, with grouped commands and options, and with examples. Tests run the examples."""

from __future__ import annotations

import argparse
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _command_options

#: The groups of commands in the overview.
COMMANDS = {
    "files": ("convert", "cat", "inspect", "validate", "diff", "patch", "report"),
    "stores": ("load", "dump", "query", "update", "publish", "apply", "sync", "status", "compact"),
    "logs and servers": ("log", "serve"),
    "this program": ("completion",),
}

_OPTIONS = "options"
#: The groups of options in the order of a help page, with their destinations. Options of servers are not listed here.
_GROUPS: Dict[str, Tuple[str, ...]] = {
    "input": (
        "inputs", "source", "dataset", "log", "config", "sparql", "shell", "version", "from_format", "file", "base", "base_iri",
        "remote_contexts", "prefix", "graph", "graph_file", "blank_nodes", "first", "last", "old", "new", "subject", "predicate", "since",
        "newest", "grep", "id", "time", "until", "state", "bad_statements", "rdf_class", "single",
    ),
    "output": (
        "target", "output", "out_dir", "format", "title", "stat", "color", "label", "exit_code", "to_format", "patch", "quarantine", "conflicts", "json",
        "author", "message", "header", "shapes_report",
    ),
    _OPTIONS: (),
    "limits": (
        "max_frame_bytes", "max_table_size", "max_term_bytes", "max_table_bytes", "max_bad", "max_delete", "guard", "shapes", "allow_empty",
        "max_faults", "max_bytes", "batch_rows", "poll_seconds", "heap",
    ),
    "connection": (),
    "advanced": (
        "strict", "dialect", "generalized_statements", "relative_iris", "rdf_star", "mend_tags", "key", "net_effect", "no_verify",
        *(option.name for option in _command_options.WRITING),
    ),
}
#: Destinations that belong to another group in one command.
_OF_COMMAND = {("publish", "log"): "output", ("", "version"): _OPTIONS, ("query", "timeout"): "limits", ("update", "timeout"): "limits"}


class Example(NamedTuple):
    """An example call in a help page."""

    does: str
    line: str


EXAMPLES: Dict[str, Tuple[Example, ...]] = {
    "": (
        Example("Make a store equal to a Turtle file", "jellybridge publish monday.ttl.gz --to tdb2:served"),
        Example("Compare two dumps", "jellybridge diff monday.nt.gz tuesday.nt.gz"),
        Example("Show the options and examples of a command", "jellybridge diff --help"),
    ),
    "convert": (
        Example("Compress a dump as Jelly", "jellybridge convert monday.nq.zst monday.jelly"),
        Example("Join patches as text", "jellybridge convert a.jellyp b.rdfp -o both.rdfp"),
        Example("Convert what a pipe brings", "cat log.rdfp | jellybridge convert - - --from-format rdf-patch --to-format thrift > log.trp"),
    ),
    "cat": (
        Example("Show a patch as text", "jellybridge cat log.jellyp"),
        Example("Show Turtle as N-Quads", "jellybridge cat monday.ttl.gz"),
        Example("Join two files", "jellybridge cat monday.nt.gz tuesday.nt.gz -o both.nt.gz"),
    ),
    "inspect": (
        Example("Count the rows and graphs of a file", "jellybridge inspect log.jellyp"),
        Example("The same, for a program", "jellybridge inspect log.jellyp --json"),
    ),
    "validate": (
        Example("Check a file by the rules", "jellybridge validate log.jellyp"),
        Example("Refuse also what readers get over", "jellybridge validate log.jellyp --strict"),
    ),
    "diff": (
        Example("Write the patch from one dump to the next", "jellybridge diff monday.nt.gz tuesday.nt.gz -o log.jellyp"),
        Example("Show what changed, by subject", "jellybridge diff monday.nt.gz tuesday.nt.gz --format text"),
        Example("Count what changed, by class and predicate", "jellybridge diff monday.nt.gz tuesday.nt.gz --stat"),
    ),
    "report": (
        Example("Write a page about a log", "jellybridge report /data/log -o page.html"),
        Example("Write one about two dumps", "jellybridge report monday.nt.gz tuesday.nt.gz -o page.html"),
        Example("Write release notes", "jellybridge report monday.nt.gz tuesday.nt.gz -o notes.md --title 'Release 1.1'"),
    ),
    "load": (
        Example("Load Turtle into a TDB2 folder", "jellybridge load monday.ttl.gz --to tdb2:store"),
        Example("Load two files into a Fuseki", "jellybridge load monday.nq.zst tuesday.nt.gz --to http://localhost:3030/ds"),
        Example("Load, and set wrong statements aside",
                "jellybridge load monday.nt.gz --to tdb2:store --bad-statements bad.txt --max-bad 0.1%"),
    ),
    "dump": (
        Example("Write a dataset to a file", "jellybridge dump tdb2:store -o all.nq.gz"),
        Example("Show it as TriG", "jellybridge dump http://localhost:3030/ds --to-format trig"),
    ),
    "query": (
        Example("Ask a file", "jellybridge query monday.ttl.gz 'SELECT ?s { ?s ?p ?o } LIMIT 3'"),
        Example("Count the quads of each graph, as CSV",
                "jellybridge query http://localhost:3030/ds --to-format csv "
                "'SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g'"),
        Example("Keep what a query constructs", "jellybridge query tdb2:store --file query.rq > part.nt"),
    ),
    "update": (
        Example("Insert a triple", "jellybridge update tdb2:store 'INSERT DATA { <urn:s> <urn:p> 1 }'"),
        Example("Empty a graph of a Fuseki", "jellybridge update http://localhost:3030/ds 'CLEAR SILENT GRAPH <urn:g>'"),
    ),
    "publish": (
        Example("Make a TDB2 folder equal to a dump", "jellybridge publish monday.nt.gz --to tdb2:served"),
        Example("Likewise a Fuseki, and refuse to delete much or to lose labels",
                "jellybridge publish tuesday.nt.gz --to http://localhost:3030/ds --max-delete 20% --guard 'rdfs:label -1%'"),
        Example("See the difference, and change nothing",
                "jellybridge publish tuesday.nt.gz --to tdb2:served --dry-run --patch -"),
    ),
    "apply": (
        Example("Apply patches to a TDB2 folder", "jellybridge apply log.jellyp --to tdb2:store"),
        Example("Try them on an empty dataset", "jellybridge apply log.jellyp log.rdfp --to mem:"),
    ),
    "sync": (
        Example("Make a Fuseki follow a log", "jellybridge sync /data/log --to http://localhost:3030/ds"),
        Example("See what is new", "jellybridge sync /data/log --to http://localhost:3030/ds --dry-run"),
        Example("Go on past patches that can't be applied",
                "jellybridge sync /data/log --to http://localhost:3030/ds --quarantine set-aside"),
    ),
    "status": (
        Example("Count quads and graphs", "jellybridge status tdb2:store"),
        Example("See how far a Fuseki is behind its log", "jellybridge status http://localhost:3030/ds /data/log"),
    ),
    "log": (
        Example("Make a log", "jellybridge log create changes"),
        Example("Append patches", "jellybridge log append changes log.jellyp"),
        Example("List them", "jellybridge log list changes"),
    ),
    "compact": (
        Example("Make a TDB2 folder smaller", "jellybridge compact tdb2:served"),
        Example("Report its sizes in JSON", "jellybridge compact tdb2:served --json"),
    ),
    "serve": (
        Example("Serve what a file names", "jellybridge serve serve.ini"),
        Example("Likewise in 2 GB of memory", "jellybridge serve serve.ini --heap 2g"),
    ),
    "completion": (
        Example("Complete in this bash", 'eval "$(jellybridge completion bash)"'),
        Example("Complete in each fish", "jellybridge completion fish > jellybridge.fish"),
    ),
    "patch": (
        Example("Undo a patch", "jellybridge patch invert log.jellyp -o back.jellyp"),
        Example("Join two", "jellybridge patch squash a.jellyp b.rdfp -o both.jellyp"),
    ),
    "patch squash": (
        Example("Join two patches to one", "jellybridge patch squash a.jellyp b.rdfp -o both.jellyp"),
        Example("Show what a file of patches does in the end", "jellybridge patch squash log.jellyp"),
    ),
    "patch invert": (
        Example("Undo a difference", "jellybridge patch invert log.jellyp -o back.jellyp"),
        Example("Undo any patch", "jellybridge patch invert log.rdfp --base monday.nt.gz"),
    ),
    "patch effective": (
        Example("See what of a patch would change a file", "jellybridge patch effective log.jellyp --base monday.nt.gz"),
        Example("Keep it", "jellybridge patch effective log.jellyp --base monday.nt.gz -o smaller.jellyp"),
    ),
    "patch filter": (
        Example("Keep the changes of a predicate", "jellybridge patch filter log.jellyp --predicate https://schema.org/isPartOf"),
        Example("Keep those of the default graph", "jellybridge patch filter log.jellyp --graph default -o part.jellyp"),
    ),
    "patch split": (
        Example("Make a patch for each graph", "jellybridge patch split log.jellyp -o graphs.jellyp"),
        Example("Make patches of about 20 rows", "jellybridge patch split log.jellyp --rows 20 -o parts.jellyp"),
    ),
    "patch merge": (
        Example("Merge two patches of one state", "jellybridge patch merge monday.nt.gz a.jellyp b.rdfp -o merged.jellyp"),
        Example("Let the first side win", "jellybridge patch merge monday.nt.gz a.jellyp b.rdfp --prefer ours"),
    ),
    "patch rebase": (
        Example("Move b behind a", "jellybridge patch rebase monday.nt.gz a.jellyp b.rdfp -o b-behind-a.jellyp"),
        Example("Report it in JSON", "jellybridge patch rebase monday.nt.gz a.jellyp b.rdfp -o moved.jellyp --json"),
    ),
    "patch from-cim": (
        Example("Read a difference model", "jellybridge patch from-cim difference.xml --base-iri https://grid.example/model -o difference.jellyp"),
        Example("Show it as text", "jellybridge patch from-cim difference.xml --base-iri https://grid.example/model"),
    ),
    "patch from-ldes": (
        Example("Read the members of a page", "jellybridge patch from-ldes page.trig -o members.jellyp"),
        Example("Say what there was before", "jellybridge patch from-ldes page.trig --base monday.nt.gz -o members.jellyp"),
    ),
    "log create": (
        Example("Make a log in a folder", "jellybridge log create changes"),
        Example("Begin with a dump as version 1", "jellybridge log create begun --state monday.nq.zst"),
    ),
    "log list": (
        Example("List all patches", "jellybridge log list /data/log"),
        Example("List those from version 2 on", "jellybridge log list /data/log --first 2"),
        Example("List those of an author, or about labels", "jellybridge log list /data/log --grep 'ada|label'"),
    ),
    "log show": (
        Example("Show what version 2 changed", "jellybridge log show /data/log 2"),
        Example("Count it by class and predicate", "jellybridge log show /data/log 2 --stat"),
    ),
    "log diff": (
        Example("Show what changed from version 1 to version 2", "jellybridge log diff /data/log 1 2"),
        Example("The same as Markdown", "jellybridge log diff /data/log 1 2 --format markdown"),
        Example("Show what changed since yesterday", "jellybridge log diff /data/log yesterday"),
    ),
    "log history": (
        Example("List the changes of a subject", "jellybridge log history /data/log --subject urn:s"),
        Example("List those of a predicate since yesterday", "jellybridge log history /data/log --predicate urn:p --since yesterday"),
    ),
    "log revert": (
        Example("Undo version 2 by one version more", "jellybridge log revert /data/log 2 --author me --message 'It was too early'"),
        Example("The same, for a program", "jellybridge log revert /data/log 2 --json"),
    ),
    "log restore": (
        Example("Go back to version 1 by one version more", "jellybridge log restore /data/log 1"),
        Example("The same, and bring a store there", "jellybridge log restore /data/log 1 --to http://localhost:3030/ds"),
    ),
    "log append": (
        Example("Append the patches of a file", "jellybridge log append /data/log changes.jellyp"),
        Example("Say their format", "jellybridge log append /data/log log.rdfp --from-format rdf-patch"),
        Example("Say who made it, and a header of your own", "jellybridge log append /data/log log.rdfp --author ada --header ticket=ABC-12"),
    ),
    "log fetch": (
        Example("Write all patches to one file", "jellybridge log fetch /data/log -o all.jellyp"),
        Example("Write those from version 2 on as text", "jellybridge log fetch /data/log --first 2 -o later.rdfp"),
    ),
    "log compact": (
        Example("Join the files of a log", "jellybridge log compact /data/log"),
        Example("Join them up to 1 GB", "jellybridge log compact /data/log --max-bytes 1000000000"),
    ),
    "log objects": (
        Example("List the files of a log, for a plain web server", "jellybridge log objects /data/log"),
        Example("Report their number in JSON", "jellybridge log objects /data/log --json"),
    ),
    "log checkpoint": (
        Example("Keep the state at the head", "jellybridge log checkpoint /data/log"),
        Example("Keep the state at version 1", "jellybridge log checkpoint /data/log --version 1"),
    ),
    "log state": (
        Example("Write the state at the head", "jellybridge log state /data/log -o now.nq"),
        Example("Write the state at version 1", "jellybridge log state /data/log --version 1 -o then.nq"),
    ),
    "log prune": (
        Example("Delete patches that are older than 30 days, if a checkpoint covers them", "jellybridge log prune /data/log --keep 30d"),
        Example("Delete patches before version 2", "jellybridge log prune /data/log --before 2"),
    ),
    "log verify": (
        Example("Verify a log and its checkpoints", "jellybridge log verify /data/log"),
        Example("Compare a dataset with its log", "jellybridge log verify /data/log --dataset http://localhost:3030/ds"),
    ),
    "log adopt": (
        Example("Put a dataset at the head of a log that was made of its dump",
                "jellybridge log adopt /data/log --dataset tdb2:restored"),
        Example("Report what was done in JSON", "jellybridge log adopt /data/log --dataset tdb2:restored --json"),
    ),
    "log check": (
        Example("Name each fault of a log", "jellybridge log check /data/log"),
        Example("The same, for a program", "jellybridge log check /data/log --json"),
    ),
    "log repair": (
        Example("Repair a log", "jellybridge log repair /data/log"),
        Example("Report what was done in JSON", "jellybridge log repair /data/log --json"),
    ),
}


def name_of(parser: argparse.ArgumentParser) -> str:
    """Returns the command of a parser, such as ``log list``. Empty for the top-level parser."""
    return parser.prog.partition(" ")[2]


def group_of(command: str, destination: str) -> str:
    """Returns the group of an option or argument in a command's help page."""
    special = _OF_COMMAND.get((command, destination))
    if special is not None:
        return special
    if _is_of_server(destination):
        return "connection"
    return next((title for title, names in _GROUPS.items() if destination in names), _OPTIONS)


def _is_of_server(destination: str) -> bool:
    prefixes = ("", "source_", "log_", "dataset_", "beyond_")
    return any(destination == prefix + name for prefix in prefixes for name in _command_options._OF_SERVERS)


def subcommands(parser: argparse.ArgumentParser) -> Optional["argparse._SubParsersAction[argparse.ArgumentParser]"]:
    """Returns the subcommands of a parser; ``None`` if it has none."""
    return next((action for action in parser._actions if isinstance(action, argparse._SubParsersAction)), None)


def usage(parser: argparse.ArgumentParser) -> str:
    """Returns the usage line of a command. It lists required options only."""
    if subcommands(parser) is not None:
        return f"{parser.prog} COMMAND ..."
    needed = [f"({' | '.join(map(named, group._group_actions))})" for group in parser._mutually_exclusive_groups if group.required]
    needed += [named(action) for action in parser._actions if action.option_strings and action.required]
    positionals = [_repeated(action) for action in parser._actions if not action.option_strings]
    return " ".join([parser.prog, *positionals, *needed, "[options]"])


def named(action: argparse.Action) -> str:
    """Returns an option with its value, or an argument, as a usage line has it."""
    if not action.option_strings:
        return _command_options.name_of(action)
    return f"{action.option_strings[-1] if action.dest != 'output' else '-o'} {action.metavar or action.dest.upper()}"


def _repeated(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest.upper())
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} [{name} ...]"}.get(str(action.nargs), name)


def text(parser: argparse.ArgumentParser) -> str:
    """Returns a help page."""
    formatter = parser._get_formatter()
    formatter.add_usage(usage(parser), [], [])
    formatter.add_text(parser.description)
    command = name_of(parser)
    below = subcommands(parser)
    if below is not None:
        listed = {action.dest: action for action in below._choices_actions}
        groups = COMMANDS if command == "" else {"commands": tuple(listed)}
        for title, names in groups.items():
            _add_section(formatter, title, [listed[name] for name in names])
    actions = [action for action in parser._actions if action is not below]
    for title in _GROUPS:
        chosen = [action for action in actions if group_of(command, action.dest) == title]
        _add_section(formatter, title, sorted(chosen, key=_rank))
    formatter.add_text(parser.epilog)
    return formatter.format_help().rstrip("\n") + "\n" + _examples(EXAMPLES.get(command, ()))


def _rank(action: argparse.Action) -> int:
    """Returns a sort key: arguments first, then required options, then the others."""
    return 0 if not action.option_strings else 1 if action.required else 2


def _add_section(formatter: argparse.HelpFormatter, title: str, actions: Sequence[argparse.Action]) -> None:
    if actions:
        formatter.start_section(title)
        formatter.add_arguments(actions)
        formatter.end_section()


def _examples(examples: Sequence[Example]) -> str:
    lines: List[str] = []
    for example in examples:
        lines += [f"  # {example.does}", f"  {example.line}"]
    return "\nexamples:\n" + "\n".join(lines) + "\n" if lines else ""

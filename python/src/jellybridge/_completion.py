"""Generates scripts for bash, zsh and fish that complete commands, options and values. The parsers are the source."""

from __future__ import annotations

import argparse
import shlex
from typing import Callable, Dict, List

from ._command_help import subcommands

Parsers = Dict[str, argparse.ArgumentParser]


def script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Returns the script of a shell: ``bash``, ``zsh`` or ``fish``."""
    return SHELLS[shell](_parsers(parser, ""))


def _parsers(parser: argparse.ArgumentParser, name: str) -> Parsers:
    """Returns the parser and the parsers of its commands, by the words that call them."""
    found = {name: parser}
    below = subcommands(parser)
    for word, each in below.choices.items() if below is not None else ():
        found.update(_parsers(each, f"{name} {word}".strip()))
    return found


def _words(parser: argparse.ArgumentParser) -> List[str]:
    below = subcommands(parser)
    return [*(below.choices if below is not None else ()), *(word for action in parser._actions for word in action.option_strings)]


def _bash(parsers: Parsers) -> str:
    groups = "|".join(name for name, parser in parsers.items() if name and subcommands(parser) is not None)
    lines = [
        "_jellybridge() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" called=""',
        '    [ "$COMP_CWORD" -gt 1 ] && called="${COMP_WORDS[1]}"',
        f'    case "$called" in {groups}) [ "$COMP_CWORD" -gt 2 ] && called="$called ${{COMP_WORDS[2]}}" ;; esac',
        "    COMPREPLY=()",
        '    case "$called $before" in',
    ]
    for name, parser in parsers.items():
        for action in parser._actions:
            if action.option_strings and action.nargs is None:
                labels = "|".join(shlex.quote(f"{name} {option}") for option in action.option_strings)
                # If there are no words, the shell completes files.
                words = " ".join(map(str, action.choices or ()))
                lines.append(f"    {labels}) COMPREPLY=($(compgen -W {shlex.quote(words)} -- \"$word\")); return ;;")
    lines += ["    esac", '    case "$called" in']
    for name, parser in parsers.items():
        words = " ".join(_words(parser))
        if subcommands(parser) is None:  # completes files
            lines.append(f"    {shlex.quote(name)}) case \"$word\" in -*) "
                         f"COMPREPLY=($(compgen -W {shlex.quote(words)} -- \"$word\")) ;; esac ;;")
        else:
            lines.append(f"    {shlex.quote(name)}) COMPREPLY=($(compgen -W {shlex.quote(words)} -- \"$word\")) ;;")
    return "\n".join([*lines, "    esac", "}", "complete -o default -F _jellybridge jellybridge", ""])


def _zsh(parsers: Parsers) -> str:
    return "autoload -Uz compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n" + _bash(parsers)


def _fish(parsers: Parsers) -> str:
    lines = []
    for name, parser in parsers.items():
        condition = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in name.split()) or "__fish_use_subcommand"
        below = subcommands(parser)
        if below is not None:
            inner = condition if not name else f"{condition}; and not __fish_seen_subcommand_from {' '.join(below.choices)}"
            for action in below._choices_actions:
                lines.append(f"complete -c jellybridge -n {_quoted(inner)} -f -a {action.dest} -d {_quoted(action.help or '')}")
        for action in parser._actions:
            if not action.option_strings:
                continue
            names = " ".join(f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}" for option in action.option_strings)
            value = "" if action.nargs is not None else " -r"
            if value and action.choices:
                value = f" -x -a {_quoted(' '.join(map(str, action.choices)))}"
            help = " ".join((action.help or "").split()).replace("%%", "%")
            lines.append(f"complete -c jellybridge -n {_quoted(condition)} {names}{value} -d {_quoted(help)}")
    return "\n".join([*lines, ""])


def _quoted(text: str) -> str:
    """Quotes a text for fish, where single quotes know two escapes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


#: The shells and the functions that make their scripts.
SHELLS: Dict[str, Callable[[Parsers], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}

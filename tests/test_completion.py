"""What the shells complete by the scripts of ``jellybridge completion``."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import List

import pytest

from jellybridge import _completion, cli

#: A line as it is typed, and what may come in place of its last word.
LINES = [
    (["jellybridge", "pub"], ["publish"]),
    (["jellybridge", "log", "ch"], ["check", "checkpoint"]),
    (["jellybridge", "convert", "--frame"], ["--frame-rows"]),
    (["jellybridge", "log", "list", "--fi"], ["--first"]),
    (["jellybridge", "patch", "squash", "--o"], ["--output"]),
    (["jellybridge", "query", "mem:", "--to-format", "t"], ["table", "trig", "trix", "tsv", "turtle"]),
    (["jellybridge", "completion", "--h"], ["--help"]),
]
BASH = """
eval "$SCRIPT"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_jellybridge
printf '%s\\n' "${COMPREPLY[@]}"
"""


def script(shell: str) -> str:
    return _completion.script(cli._parser(), shell)


def completed(command: List[str], script: str) -> List[str]:
    done = subprocess.run(command, env={**os.environ, "SCRIPT": script}, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return sorted(line.partition("\t")[0] for line in done.stdout.splitlines() if line)


@pytest.mark.parametrize("line, words", LINES, ids=" ".join)
def test_bash_completes(line: List[str], words: List[str]) -> None:
    assert completed(["bash", "--norc", "-c", BASH, "bash", *line], script("bash")) == words


def test_bash_completes_files_where_no_word_is_known(tmp_path: Path) -> None:
    for line in (["jellybridge", "convert", "a"], ["jellybridge", "publish", "--patch", "x"]):
        assert completed(["bash", "--norc", "-c", BASH, "bash", *line], script("bash")) == []
    assert "complete -o default -F" in script("bash")


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")
@pytest.mark.parametrize("line, words", LINES, ids=" ".join)
def test_fish_completes(line: List[str], words: List[str]) -> None:
    found = completed(["fish", "--no-config", "-c", 'echo "$SCRIPT" | source; complete -C "$argv"', " ".join(line)], script("fish"))
    assert found == words


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
@pytest.mark.parametrize("line, words", LINES, ids=" ".join)
def test_zsh_completes(line: List[str], words: List[str]) -> None:
    call = BASH.replace("COMP_WORDS=", "setopt ksharrays; COMP_WORDS=")
    # It is zsh itself that leaves out what does not begin as the word does.
    assert set(words) <= set(completed(["zsh", "-f", "-c", call, "zsh", *line], script("zsh")))

"""No text of ours shows a secret: every door, failing in every way. And where credentials come from."""

from __future__ import annotations

import os
import subprocess
import sys
import traceback
from pathlib import Path
from typing import Any, Callable, Dict, List

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from secretive_server import ENCODED, SECRET, TOKEN, SecretiveServer, addresses, free_port, leaks  # noqa: E402

import jellybridge  # noqa: E402
from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchLog, UnreachableError, write_patch  # noqa: E402
from jellybridge._arguments import camel, texts  # noqa: E402
from jellybridge.cli import main  # noqa: E402

ONCE: Dict[str, Any] = {"attempts": 1, "timeout": 20}
STATUSES = [0, 302, 400, 401, 403, 404, 405, 500, 503]
WAYS: List[Dict[str, Any]] = [{"user": "me", "password": SECRET}, {"token": TOKEN}]


@pytest.fixture
def patch(tmp_path: Path) -> Path:
    file = tmp_path / "one.jellyp"
    write_patch(file, [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object="<urn:o>")])
    return file


def texts_of(call: Callable[[], Any]) -> str:
    """All that a user sees of a call, and of the error that it ends with."""
    try:
        return repr(call())
    except Exception as e:
        return "\n".join([str(e), repr(e), repr(vars(e)), traceback.format_exc()])


def use_log(address: str, options: Dict[str, Any], patch: Path) -> str:
    """A log that opens is used, and says who it is, open and closed."""
    texts: List[str] = []

    def opened() -> str:
        log = PatchLog.open(address, options=options)
        for use in (lambda: log.head, lambda: log.id, lambda: list(log.entries()), lambda: log.append(patch),
                    lambda: log.fetch(patch.with_name("out.jellyp")), log.check, log.repair):
            texts.append(texts_of(use))
        said = repr(log)
        log.close()
        texts.extend([repr(log), texts_of(lambda: log.head)])
        return said

    texts.append(texts_of(opened))
    return "\n".join(texts)


def all_texts(address: str, options: Dict[str, Any], patch: Path) -> Dict[str, str]:
    with Dataset.open("mem:") as dataset:
        return {
            "Dataset.open": texts_of(lambda: Dataset.open(address, options=options)),
            "Dataset.open, an option that is none": texts_of(lambda: Dataset.open(address, options={**options, "x": "y"})),
            "sync": texts_of(lambda: dataset.sync(address, source_options=options, progress=False)),
            "sync, dry": texts_of(lambda: dataset.sync(address, source_options=options, progress=False, dry_run=True)),
            "apply": texts_of(lambda: dataset.apply(address)),
            "load": texts_of(lambda: dataset.load(address)),
            "PatchLog": use_log(address, options, patch),
            "PatchLog.create": texts_of(lambda: PatchLog.create(address, options=options)),
            "read_patch": texts_of(lambda: list(jellybridge.read_patch(address))),
            "write_patch": texts_of(lambda: jellybridge.write_patch(address + ".jellyp", [])),
            "convert": texts_of(lambda: jellybridge.convert(address + ".jellyp", patch.with_name("out.rdfp"))),
        }


def assert_silent(texts: Dict[str, str]) -> None:
    assert {door: (leaks(text), text) for door, text in texts.items() if leaks(text)} == {}


@pytest.mark.parametrize("status", STATUSES)
def test_no_text_shows_a_secret_of_the_options(status: int, patch: Path) -> None:
    with SecretiveServer(status or 200) as server:
        port = server.port if status else free_port()
        for address in (f"http://localhost:{port}/ds", f"sparql:http://localhost:{port}/ds"):
            for way in WAYS:
                assert_silent(all_texts(address, {**ONCE, **way}, patch))


@pytest.mark.parametrize("status", STATUSES)
def test_no_text_shows_a_secret_of_the_address(status: int, patch: Path) -> None:
    with SecretiveServer(status or 200) as server:
        for address in addresses(server.port if status else free_port()):
            assert_silent(all_texts(address, ONCE if address.startswith(("http", "sparql")) else {}, patch))


def test_an_answer_that_is_none_of_ours_shows_no_secret(patch: Path) -> None:
    with SecretiveServer(200) as server:
        for address in addresses(server.port):
            assert_silent(all_texts(address, ONCE if address.startswith(("http", "sparql")) else {}, patch))


@pytest.mark.parametrize("status", [pytest.param(200, marks=pytest.mark.full("long")), 401, 404])
def test_the_command_line_shows_no_secret(status: int, patch: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = str(patch)
    with SecretiveServer(status) as server:
        for address in addresses(server.port):
            for command in (
                ["sync", address, "--to", "mem:"], ["sync", str(patch.parent), "--to", address],
                ["apply", file, "--to", address],
                ["apply", address, "--to", "mem:"], ["log", "create", address], ["log", "list", address],
                ["log", "append", address, file], ["log", "fetch", address, "-o", str(patch.with_name("out.jellyp"))],
                ["log", "check", address], ["log", "repair", address], ["convert", address, file],
                ["convert", file, address],
                ["cat", address], ["inspect", address], ["validate", address], ["diff", address, address], ["sync", address],
                ["nothing", address], ["log", address], ["sync", "--key", address, "--too", address],
            ):
                main([*command, "--json"])
                main(command)
        said = capfd.readouterr()
        assert leaks(said.out) == [] and leaks(said.err) == [], said


def test_an_unreachable_server_is_an_error_of_its_own(patch: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://me:{ENCODED}@localhost:{free_port()}/ds"
    with pytest.raises(UnreachableError, match="no connection; is the server running"):
        Dataset.open(url, options=ONCE)
    with pytest.raises(UnreachableError, match="no connection"):
        PatchLog.open(url, options=ONCE).head
    with SecretiveServer(503) as server, pytest.raises(UnreachableError, match="answered 503"):
        PatchLog.open(f"http://localhost:{server.port}/log", options=ONCE).head
    with SecretiveServer(500) as server, pytest.raises(JellybridgeError, match="answered 500") as refused:
        PatchLog.open(f"http://localhost:{server.port}/log", options=ONCE).head
    assert type(refused.value) is JellybridgeError
    for line, prefix in (
        (["sync", url, "--to", "mem:"], "source-"), (["sync", str(patch.parent), "--to", url], ""), (["log", "list", url], ""),
        (["log", "verify", str(patch.parent), "--dataset", url], "dataset-"), (["query", url, "ASK {}"], ""), (["dump", url], ""),
    ):
        assert main([*line, f"--{prefix}attempts", "1", f"--{prefix}connect-timeout", "2.5"]) == 3
        said = capsys.readouterr().err
        assert "no connection" in said and "tried" not in said
    for line, prefix in ((["publish", str(patch), "--to", url], ""), (["sync", url, "--to", "mem:"], "source-"), (["status", url], "")):
        assert main([*line, f"--{prefix}timeout", "0"]) == 2
        assert "timeout 0: must be more than 0 seconds" in capsys.readouterr().err
    assert main(["publish", str(patch), "--to", "mem:", "--log-timeout", "5"]) == 2
    assert "--log-timeout needs --log LOG" in capsys.readouterr().err
    with SecretiveServer(401) as server:
        assert main(["log", "list", f"http://localhost:{server.port}/log"]) == 1


def test_the_command_line_takes_credentials_from_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    token = tmp_path / "token"
    token.write_text(TOKEN + "\n")
    with SecretiveServer(401) as server:
        url = f"http://localhost:{server.port}/log"
        made = str(tmp_path / "log")
        PatchLog.create(made).close()
        for arguments in (["log", "list", url, "--token-file"], ["log", "adopt", url, "--dataset", "mem:", "--token-file"],
                          ["log", "verify", url, "--dataset", "mem:", "--token-file"],
                          ["log", "fetch", made, "-o", str(tmp_path / "b.rdfp"), "--beyond", url, "--beyond-token-file"], ["sync", url, "--to", "mem:", "--source-token-file"],
                          ["sync", str(tmp_path), "--to", url, "--token-file"]):
            assert main([*arguments, str(token)]) == 1
            assert "no: Bearer ***" in capsys.readouterr().err
        assert main(["log", "list", url, "--user", "me", "--password-file", str(token)]) == 1
        assert "no: Basic ***" in capsys.readouterr().err
        assert main(["log", "list", url, "--user", "me", "--token-file", str(token)]) == 2
        assert main(["log", "list", url, "--token-file", str(tmp_path / "none")]) == 2
        assert main(["log", "list", url, "--password-file", str(token)]) == 2
        assert "goes with the option 'user'" in capsys.readouterr().err
        other = f"http://0.0.0.0:{server.port}/log"  # which is this machine, and does not look like it
        for before, flag in (["log", "list", other], "--"), (["sync", other, "--to", "mem:"], "--source-"):
            assert main([*before, f"{flag}token-file", str(token)]) == 2
            assert "has no TLS: who asks would go over the network" in capsys.readouterr().err
            assert main([*before, f"{flag}token-file", str(token), f"{flag}insecure"]) == 1
            assert "no: Bearer ***" in capsys.readouterr().err


def test_the_environments_credentials_go_to_the_hosts_that_it_names(tmp_path: Path) -> None:
    with SecretiveServer(401) as server:
        url = f"http://localhost:{server.port}/log"

        def run(**environment: str) -> str:
            done = subprocess.run([sys.executable, "-m", "jellybridge", "log", "list", url], capture_output=True, text=True,
                                  env={**os.environ, "JELLYBRIDGE_TOKEN": TOKEN, **environment}, check=False)
            assert leaks(done.stdout + done.stderr) == []
            return done.stderr

        assert "no: Bearer ***" in run(JELLYBRIDGE_HOSTS=f"localhost:{server.port}")
        other = run(JELLYBRIDGE_HOSTS="example.org")
        assert "no: None" in other and "JELLYBRIDGE_HOSTS, where localhost is not" in other
        assert "no: None" in run()


@pytest.mark.parametrize("name", ["password_file", "token_file", "authority", "certificate", "certificate_key"])
def test_a_path_among_the_options_is_of_the_folder_of_now_and_not_of_the_jvm(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert list(texts({name: "some.pem", "user": "me"}).values()) == [str(tmp_path / "some.pem"), "me"]
    assert texts({name: "~/some.pem"}) == texts({name: (tmp_path / "home" / "some.pem").as_uri()}) == {camel(name): str(tmp_path / "home" / "some.pem")}


def test_options_of_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(JellybridgeError, match="has no options"):
        PatchLog.open(tmp_path, options={"user": "me"})
    with Dataset.open("mem:") as dataset, pytest.raises(ValueError, match="source_options"):
        dataset.sync(tmp_path, source_options={"user": "me"})

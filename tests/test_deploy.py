"""What ``deploy`` has: each property and metric in it is there, and the processes that it describes do what its page says."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from contextlib import ExitStack
from pathlib import Path
from typing import Dict, List, Set

import pytest
from fuseki_server import FusekiServer

from jellybridge import _follow

PROJECT = Path(__file__).resolve().parent.parent
DEPLOY = PROJECT / "deploy"
FILES = sorted(file for file in DEPLOY.rglob("*") if file.is_file())


def test_each_property_and_metric_is_in_the_documents() -> None:
    documents = "".join(page.read_text(encoding="utf-8") for page in (PROJECT / "docs").glob("*.md"))
    for file in FILES:
        for name in re.findall(r"-D(jellybridge[a-z.-]+)|(jellybridge_[a-z_]+)", file.read_text(encoding="utf-8")):
            assert "".join(name) in documents, f"{file}: {name}"


def served_metrics() -> Set[str]:
    """The names of the metrics that a Fuseki has, from its source."""
    source = (PROJECT / "jvm/fuseki/src/main/java/io/jellybridge/fuseki/DatasetMetrics.java").read_text(encoding="utf-8")
    found = re.findall(r'add(Gauge|Counter)\(registry, dataset, (\w+) \+ "([a-z.]+)"', source)
    return {f"jellybridge_{group.lower()}_{name.replace('.', '_')}{'_total' if kind == 'Counter' else ''}" for kind, group, name in found}


def test_the_table_and_the_dashboard_have_the_metrics_that_are_served() -> None:
    served = served_metrics()
    assert len(served) == 11
    replicas = (PROJECT / "docs" / "fuseki-replicas.md").read_text(encoding="utf-8")
    assert set(re.findall(r"`(jellybridge_[a-z_]+[a-z])`", replicas)) == served
    assert set(re.findall(r"jellybridge_\w+", (DEPLOY / "grafana" / "dashboard.json").read_text(encoding="utf-8"))) <= served
    assert {f"jellybridge_{name}" for name in _follow.FollowerState().figures()} <= served
    assert {f"jellybridge_{name}" for name in _follow.Lag(1, 2, 3.0, None).figures()} <= served


def test_the_dashboard_is_json_with_a_query_in_each_panel() -> None:
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text(encoding="utf-8"))
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(dashboard["panels"])
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"], panel["gridPos"]["w"]) for panel in dashboard["panels"]]
    assert len(set(places)) == len(places) and all(x + width <= 24 for x, _, width in places)
    assert [panel["title"] for panel in dashboard["panels"] if "jellybridge_" not in panel["targets"][0]["expr"]] == []


def test_the_folder_of_a_database_is_made_by_the_file_that_names_it() -> None:
    for file in FILES:
        text = file.read_text(encoding="utf-8")
        made = set(re.findall(r"mkdir -p (/\S+)", text))
        for folders in re.findall(r"^StateDirectory=(.+)$", text, re.MULTILINE):
            made |= {f"/var/lib/{folder}" for folder in folders.split()}
        assert set(re.findall(r'--loc=([^\s",]+)', text)) <= made, file


def test_the_image_has_the_user_that_the_cluster_runs_it_as() -> None:
    used = {user for file in FILES for user in re.findall(r"(?:--uid |runAsUser: |fsGroup: )(\d+)", file.read_text(encoding="utf-8"))}
    assert len(used) == 1
    # Ubuntu, below the image, has a user 1000.
    assert int(used.pop()) > 1000


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_takes_the_units() -> None:
    units = sorted((DEPLOY / "systemd").glob("*.service"))
    done = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def services() -> Dict[str, List[str]]:
    """The properties of each service that has some, as the text of the file has them."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    blocks = re.split(r"^  (\w+):$", text.partition("\nservices:")[2].partition("\nvolumes:")[0], flags=re.MULTILINE)[1:]
    found = {name: re.findall(r"-Djellybridge\S+", block.replace("$$", "$")) for name, block in zip(blocks[::2], blocks[1::2])}
    found["replica2"] = found["replica1"]
    return {name: properties for name, properties in found.items() if properties}


def test_the_processes_of_the_composition_keep_two_replicas_up_to_date(tmp_path: Path) -> None:
    described = services()
    assert sorted(described) == ["logs", "primary", "replica1", "replica2"]
    servers: Dict[str, FusekiServer] = {}
    with ExitStack() as stack:
        for name, properties in described.items():
            local = [each.replace("/data/", f"{tmp_path}/").replace("http://logs:3030", f"http://localhost:{servers['logs'].port}")
                     if name != "logs" else each.replace("/data/", f"{tmp_path}/") for each in properties]
            server = FusekiServer(
                module=True, log=tmp_path / f"{name}.log", options=local, database=None if name == "logs" else tmp_path / name,
            )
            servers[name] = stack.enter_context(server)
        body = urllib.parse.urlencode({"update": "INSERT DATA { <urn:s> <urn:p> 1 }"}).encode()
        with urllib.request.urlopen(f"{servers['primary'].url}/update", body, timeout=30) as answer:
            assert answer.status < 300
        for name in ("replica1", "replica2"):
            until = time.monotonic() + 30
            while b"true" not in urllib.request.urlopen(f"{servers[name].url}/query?query=ASK%7B?s%20?p%201%7D", timeout=30).read():
                assert time.monotonic() < until, f"{name} does not follow"
                time.sleep(0.1)
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"{servers[name].url}/update", body, timeout=30)

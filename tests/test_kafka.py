"""A broker of Kafka in a process of its own, Structured Streaming, and a dataset that gets each message exactly once."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Dict, Iterator, List

import pytest

import kafka_job
from fuseki_server import FusekiServer
from jvm_environment import SHORT, spark_environment
from jellybridge import Dataset

pytestmark = pytest.mark.full("kafka")

ROOT = Path(__file__).resolve().parent.parent
JOB = Path(kafka_job.__file__)
KILLS = 2
MESSAGES = 12
SECONDS = 120


def class_path(name: str) -> str:
    file = ROOT / "build" / "classpaths" / f"{name}.txt"
    assert file.is_file(), f"{file} is not there; make build makes it"
    return file.read_text().strip()


def free_port() -> int:
    with socket.socket() as any_port:
        any_port.bind(("127.0.0.1", 0))
        return int(any_port.getsockname()[1])


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[str]:
    """The address of a broker, which is its own controller."""
    folder = tmp_path / "kafka"
    folder.mkdir()
    address, controller = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    settings = folder / "server.properties"
    settings.write_text(
        f"""process.roles=broker,controller
node.id=1
controller.quorum.voters=1@{controller}
listeners=PLAINTEXT://{address},CONTROLLER://{controller}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={folder / 'data'}
num.partitions=1
offsets.topic.replication.factor=1
"""
    )
    java = [str(Path(os.environ["JAVA_HOME"]) / "bin" / "java") if "JAVA_HOME" in os.environ else "java"]
    java += ["-Xmx512m", *SHORT, "-cp", class_path("kafka")]
    format_storage = ["kafka.tools.StorageTool", "format", "-t", "jellybridge-kafka-test0", "-c", str(settings)]
    with open(folder / "log", "wb") as log:
        subprocess.run([*java, *format_storage], check=True, stdout=log, stderr=log, timeout=SECONDS)
        server = subprocess.Popen([*java, "kafka.Kafka", str(settings)], stdout=log, stderr=log)
    try:
        wait_for(address, server, folder / "log")
        yield address
    finally:
        server.kill()
        server.wait()


def wait_for(address: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    host, port = address.split(":")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end and server.poll() is None:
        try:
            socket.create_connection((host, int(port)), 1).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"the broker did not start: {log.read_text()[-4000:]}")


def start(*arguments: Any) -> "subprocess.Popen[str]":
    environment = spark_environment(KAFKA_JARS=class_path("spark-kafka").replace(os.pathsep, ","))
    command = [sys.executable, str(JOB), *map(str, arguments)]
    # A session of its own, so that the JVM can be killed with its Python.
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    )


def run(*arguments: Any) -> None:
    job = start(*arguments)
    output, _ = job.communicate(timeout=SECONDS)
    assert job.returncode == 0 and "kafka job done" in output, output[-8000:]


def query(target: str, sparql: str) -> List[Dict[str, Any]]:
    with Dataset.open(target) as dataset:
        return dataset.query(sparql)


def numbers(target: str, subject: str) -> List[int]:
    return sorted(int(row["n"].strip('"')) for row in query(target, f"SELECT ?n {{ {subject} <urn:number> ?n }}"))


def epochs(state: Path, folder: str) -> List[int]:
    return sorted(int(file.name) for file in (state / folder).glob("[0-9]*")) if (state / folder).is_dir() else []


@pytest.fixture(params=["tdb2", "fuseki", "fuseki with module"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "tdb2":
        yield f"tdb2:{tmp_path / 'tdb2'}"
        return
    with FusekiServer(module="module" in request.param, log=tmp_path / "fuseki.log") as server:
        yield server.url


def test_each_message_arrives_once_whenever_the_query_is_killed(broker: str, target: str, tmp_path: Path) -> None:
    state = tmp_path / "state"
    rng = random.Random(6)
    sent = 0
    for _ in range(KILLS):
        job = start(broker, "changes", target, state, sent, sent + MESSAGES)
        kill_within_a_batch(job, state, rng)
        wait_for_the_lease(target)
        sent += MESSAGES
    run(broker, "changes", target, state, sent, sent)
    assert numbers(target, "<urn:mark>") == [sent - 1]
    assert numbers(target, "<urn:event>") == list(range(sent))

    # As if killed between the dataset's commit and Spark's own note of it: applied twice, the last event would be back.
    last = epochs(state, "commits")[-1]
    for name in (str(last), f".{last}.crc"):
        (state / "commits" / name).unlink(missing_ok=True)
    with Dataset.open(target) as dataset:
        dataset.update(f"DELETE DATA {{ <urn:event> <urn:number> '{sent - 1}' }}")
    run(broker, "changes", target, state, sent, sent + 1)
    assert numbers(target, "<urn:mark>") == [sent]
    assert numbers(target, "<urn:event>") == [*range(sent - 1), sent]
    assert list((state / "jellybridge-staging").rglob("*.jellyp")) == []


def wait_for_the_lease(target: str) -> None:
    """Waits until the lease of a job that was killed has ended; a Fuseki without the module has one."""
    alive = """SELECT ?end { GRAPH <urn:jellybridge:sync> { <urn:jellybridge:lease> <urn:jellybridge:expires> ?end }
               FILTER (?end >= now()) }"""
    end = time.monotonic() + SECONDS
    while target.startswith("http") and query(target, alive):
        assert time.monotonic() < end
        time.sleep(0.5)


def kill_within_a_batch(job: "subprocess.Popen[str]", state: Path, rng: random.Random) -> None:
    """Kills the job, Python and JVM, at some moment after it began a batch of its own."""
    begun = len(epochs(state, "offsets"))
    end = time.monotonic() + SECONDS
    while len(epochs(state, "offsets")) <= begun:
        assert job.poll() is None and time.monotonic() < end, job.communicate()[0][-8000:]
        time.sleep(0.01)
    time.sleep(rng.uniform(0, 0.5))
    assert job.poll() is None, "the job was over before it could be killed"
    os.killpg(job.pid, signal.SIGKILL)
    job.communicate()

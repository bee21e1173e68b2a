"""The code in README.md and docs runs as it is printed: each section in a folder of its own, and in ``make test-all`` in a
process of its own too. A tutorial is one section, since its steps build on each other.

What is fenced as ``python``, ``console`` or ``sql`` is code, and so is an indented block with lines that begin with ``$``. Of
these, the lines after ``$`` run; the others are what they print. All that is found runs, but for what :data:`NOT_RUN` names. A
block without a language is text: a file's layout, or what a program prints.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Dict, Iterable, Iterator, List, NamedTuple, Sequence

import pytest
from fuseki_server import FusekiServer
from grpc_server import Served
from jvm_environment import spark_environment
from s3_server import S3Server
from test_kafka import broker, class_path  # noqa: F401

PROJECT = Path(__file__).resolve().parent.parent
SNAPSHOTS = PROJECT / "examples" / "snapshots"
SECONDS = 600

# What is not run, by how it begins, and why.
NOT_RUN = {
    "python3 -m venv": "is for pip install; test_release.py makes one",
    "pip install": "takes it from an index; test_release.py installs what would be uploaded",
    "spark-submit --": "takes the jar from an index, or ends the driver's settings; test_release.py and test_processes.py start some",
    "make release": "builds the packages; test_release.py does it",
    "make demo": "builds the project; test_demo.py runs what it starts",
    "make test": "runs these tests",
    "java -cp fuseki-server.jar": "a server, which does not end; fuseki_server.py starts one like this",
    "java -Djellybridge.patch-logs=": "likewise",
    "java -Djellybridge.capture=": "likewise; test_fuseki_capture.py starts some",
    "java '-Djellybridge.": "likewise; FollowingDatasetTest starts some",
    "jellybridge sync --follow": "goes on; test_fuseki_capture.py ends one",
    "jellybridge log fetch /var/lib/logs/ds --beyond": "two servers that took over; jpype/test_store_commands.py has their logs",
    "jellybridge serve": "a server, which does not end; jpype/test_grpc.py starts some",
    "jellybridge log list https://host": "a server that asks for a password; test_credentials.py has one",
}


class Block(NamedTuple):
    """A piece of code in a document."""

    #: The file and the line of its first line.
    where: str
    language: str
    text: str


class Section(NamedTuple):
    """What a document says under a heading."""

    document: Path
    heading: str
    blocks: List[Block]

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.blocks)


def documents() -> List[Path]:
    return [PROJECT / "README.md", PROJECT / "python" / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]


def sections(document: Path) -> Iterator[Section]:
    section = Section(document, "", [])
    lines = document.read_text(encoding="utf-8").splitlines()
    at = 0
    while at < len(lines):
        start = at
        fence = re.fullmatch(r"( *)```(\w*)", lines[at])
        if lines[at].startswith("## ") and document.parent.name != "tutorials":
            yield section
            section = Section(document, lines[at][3:], [])
        elif fence:
            at = next(i for i in range(at + 1, len(lines)) if lines[i].strip() == "```")
            body = [line[len(fence[1]):] for line in lines[start + 1 : at]]
            section.blocks.extend(blocks(document, start + 2, fence[2], body))
        elif lines[at].startswith("    ") and not lines[at - 1].strip():
            while at + 1 < len(lines) and lines[at + 1].startswith("    "):
                at += 1
            body = [line[4:] for line in lines[start : at + 1]]
            console = any(line.startswith("$ ") for line in body)
            section.blocks.extend(blocks(document, start + 1, "console" if console else "", body))
        at += 1
    yield section


def blocks(document: Path, line: int, language: str, body: List[str]) -> Iterator[Block]:
    where = f"{document.name}:{line}"
    if language != "console":
        yield Block(where, language, "\n".join(body) + "\n")
        return
    at = 0
    while at < len(body):
        command = [body[at]]
        while command[-1].endswith("\\"):
            at += 1
            command.append(body[at])
        if command[0].startswith("$ "):
            yield Block(where, language, "\n".join(command)[2:])
        at += 1


ALL = [section for document in documents() for section in sections(document)]
CODE = {"python", "console", "sql"}
# test_release.py builds a Maven project of these.
BUILT = {"java", "xml"}


def runs(block: Block) -> bool:
    return block.language in CODE and not block.text.startswith(tuple(NOT_RUN))


def test_a_block_is_code_that_runs_or_text() -> None:
    for section in ALL:
        for block in section.blocks:
            assert block.language in CODE | BUILT | {"", "mermaid"}, f"{block.where}: nothing here runs {block.language}"
            is_code = re.search(r"^(\$ |import |from |with |spark\.|jellybridge\.\w+\()", block.text, re.MULTILINE)
            assert block.language or not is_code, f"{block.where}: give this block its language"


def test_a_section_makes_the_folders_of_the_databases_that_it_starts() -> None:
    for section in ALL:
        for block in section.blocks:
            for folder in re.findall(r"--loc=(\S+)", block.text):
                assert f"mkdir -p {folder}" in section.text, block.where


def test_what_is_not_run_is_in_the_documents() -> None:
    texts = [block.text for section in ALL for block in section.blocks]
    assert [start for start in NOT_RUN if not any(text.startswith(start) for text in texts)] == []


# --- what the documents take to be there

SESSION = """
from pyspark.sql import SparkSession, functions as F
spark = jellybridge.configure_spark(SparkSession.builder).getOrCreate()
old, new = (spark.read.format("nquads").load(f"examples/snapshots/{n}.nq") for n in ("1.0", "1.1"))
changes = (
    spark.readStream.format("jelly-patch").schema(jellybridge.CHANGES_SCHEMA).option("maxFilesPerTrigger", 1).load("patches")
)
with open("log.jellyp", "rb") as file:
    spark.createDataFrame([(file.read(),)], "value BINARY").createOrReplaceTempView("messages")
"""

# Each value takes the place of the one before it. The last message is of two patches, and all are read in one batch.
MESSAGES = """
from jellybridge import configure_spark, write_patch
from pyspark.sql import SparkSession
spark = configure_spark(SparkSession.builder).getOrCreate()
def message(name, *steps):
    rows = []
    for n in steps:
        rows += [{"patch": n, "op": "TX"}]
        rows += [{"patch": n, "op": op, "subject": "<urn:s>", "predicate": "<urn:value>", "object": f'"{value}"'}
                 for op, value in (("D", n - 1), ("A", n))]
        rows += [{"patch": n, "op": "TC"}]
    write_patch(name, rows)
    with open(name, "rb") as file:
        return (file.read(),)
sent = spark.createDataFrame([message("0.jellyp", 0), message("1.jellyp", 1), message("2.jellyp", 2, 3)], "value BINARY")
sent.coalesce(1).write.format("kafka").options(**{"kafka.bootstrap.servers": "broker:9092", "topic": "changes"}).save()
"""
ARRIVED = """
with jellybridge.Dataset.open("http://localhost:3030/ds") as dataset:
    assert dataset.query("SELECT ?o { <urn:s> <urn:value> ?o }") == [{"o": '"3"'}]
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FusekiServer]:
    folder = tmp_path_factory.mktemp("fuseki")
    with FusekiServer(module=True, log=folder / "log") as server:
        yield server


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[FusekiServer]:
    """A server that records its dataset, as the documents start it."""
    options = [f"-Djellybridge.capture=/ds={tmp_path / 'history'}", "-Djellybridge.capture.fsync=false",
               "-Djellybridge.patch-logs.readers=_"]
    with FusekiServer(module=True, log=tmp_path / "log", options=options) as server:
        yield server


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[FusekiServer]:
    """A server with a database, which a tutorial starts again so that it records."""
    with FusekiServer(module=True, log=tmp_path / "log", database=tmp_path / "DB") as server:
        yield server


def server_of(section: Section, request: pytest.FixtureRequest) -> FusekiServer:
    name = "server" if "/$/patch-logs/ds" not in section.text else "stored" if section.document.parent.name == "tutorials" else "recording"
    found: FusekiServer = request.getfixturevalue(name)
    return found


# The files that the documents name.
FILES = """
import shutil, jellybridge
from pathlib import Path
days = {"monday": "1.0", "tuesday": "1.1"}
for day, release in days.items():
    lines = Path(f"examples/snapshots/{release}.nq").read_text().splitlines(keepends=True)
    Path(f"{day}.nt").write_text("".join(line for line in lines if "<https://library.example/graph" not in line))
    jellybridge.convert(f"{day}.nt", f"{day}.nt.gz")
    shutil.copy(f"{day}.nt.gz", f"{day}.ttl.gz")  # of which N-Triples are a part
    jellybridge.convert(f"examples/snapshots/{release}.nq", f"{day}.nq.zst")
added = {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>"}
def patch(name, value):
    jellybridge.write_patch(name, [{"op": "TX"}, {**added, "object": f'"{value}"'}, {"op": "TC"}])
Path("other.nt").write_text(Path("monday.nt").read_text() + '<urn:s> <urn:p> "mine" .\\n')
for name in ("log.jellyp", "a.jellyp", "changes.jellyp", "monday.jellyp", "patches/1.jellyp", "log.rdfp"):
    patch(name, 1)
for name in ("tuesday.jellyp", "b.rdfp"):
    patch(name, 2)
Path("dump.nt").write_text('<urn:s> <urn:p> "a"@zh-classical .\\n'
                           '<urn:s> <urn:p> "b"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .\\n<urn:s> <urn:p> "c" .\\n')
one, two = "<uuid:6f1c4a30-0000-4000-8000-000000000001>", "<uuid:6f1c4a30-0000-4000-8000-000000000002>"
Path("patch-0001").write_text(f"H id {one} .\\nTX .\\nA <urn:s> <urn:p> << <urn:a> <urn:b> 1 >> .\\nTC .\\n")
Path("patch-0002").write_text(f"H id {two} .\\nH prev {one} .\\nTX .\\nA <urn:s> <urn:p> true .\\nTC .\\n")
rdf, cim = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://iec.ch/TC57/61970-552/DifferenceModel/1#"
Path("difference.xml").write_text(f'<r:RDF xmlns:r="{rdf}" xmlns:dm="{cim}"><dm:DifferenceModel><dm:forwardDifferences r:parseType="Statements">'
                                  '<r:Description r:about="#_line-1"><p xmlns="urn:">1</p></r:Description>'
                                  '</dm:forwardDifferences></dm:DifferenceModel></r:RDF>')
Path("page.trig").write_text("<urn:stream> <https://w3id.org/tree#member> <urn:v1> . "
                             "<urn:v1> <http://purl.org/dc/terms/isVersionOf> <urn:s> ; <urn:p> 1 .")
Path("shapes.ttl").write_text("PREFIX sh: <http://www.w3.org/ns/shacl#> <urn:shape> sh:targetSubjectsOf <urn:p> ; sh:nodeKind sh:IRI .")
Path("cut.jellyp").write_bytes(Path("log.jellyp").read_bytes()[:-3])
for folder in ("data/log", "mnt/shared/changes"):
    with jellybridge.PatchLog.create(folder) as log:
        log.append("a.jellyp")
        log.append("tuesday.jellyp", prev=log.head.id)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the documents name."""
    folder = tmp_path_factory.mktemp("files")
    shutil.copytree(PROJECT / "examples", folder / "examples")
    shutil.copy(PROJECT / "tests" / "conformance" / "patch" / "P-24d.jellyp", folder)
    shutil.copytree(PROJECT / "tests" / "conformance", folder / "tests" / "conformance")
    for name in ("data", "mnt/shared", "patches", "checkpoints", "var/lib"):
        (folder / name).mkdir(parents=True)
    subprocess.run([sys.executable, "-c", FILES], cwd=folder, env=environment(folder), check=True, timeout=SECONDS)
    return folder


def environment(settings: Path) -> Dict[str, str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    runner = str(PROJECT / "conformance" / "src")
    return spark_environment(PATH=path, PYTHONPATH=runner, SPARK_CONF_DIR=str(settings))


def settings(folder: Path, more: List[str]) -> Path:
    """What a site has in its spark-defaults.conf: a small session, and more lines."""
    lines = ["spark.master local[2]", "spark.ui.enabled false", "spark.ui.showConsoleProgress false",
             "spark.sql.shuffle.partitions 2", "spark.log.level ERROR"]
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text("\n".join(lines + more))
    return folder


def steps(section: Section) -> Iterator[Block]:
    yield Block("before the section", "python", "import jellybridge\n")
    if re.search(r"\b(spark|changes|old|new|messages)\b", section.text) and "SparkSession" not in section.text:
        if any(block.language in ("python", "sql") for block in section.blocks):
            yield Block("before the section", "python", SESSION)
    if "broker:9092" in section.text:
        # In a process of its own, so that the session is the one that the section makes.
        yield Block("before the section", "console", f"python - <<'END'\n{MESSAGES}\nEND")
    for block in filter(runs, section.blocks):
        yield block
        if "broker:9092" in block.text:
            yield Block(f"after {block.where}", "python", ARRIVED)


def restart_of(section: Section) -> int:
    """Returns the number of blocks before that by which a tutorial starts its server again."""
    starts = [at for at, block in enumerate(section.blocks) if block.text.startswith("java -Djellybridge.capture=")]
    return starts[0] if starts and section.document.parent.name == "tutorials" else len(section.blocks)


def runnable(section: Section) -> bool:
    return any(map(runs, section.blocks))


def by_name(section: Section) -> str:
    return f"{section.document.name}-{section.heading or 'start'}".replace(" ", "_")


NEEDS_KAFKA = "broker:9092"
NEEDS_S3 = "s3a://bucket"


def without_servers(section: Section) -> Section:
    """Leaves out what needs a broker or a bucket: its Spark has more jars."""
    return section._replace(blocks=[block for block in section.blocks if NEEDS_KAFKA not in block.text and NEEDS_S3 not in block.text])


class Job:
    """A process that runs sections, one after the other, in a folder that is made anew for each: its Spark stays in one place."""

    def __init__(self, folder: Path, *more: str, modes: Sequence[str] = ()) -> None:
        self.folder = folder
        folder.mkdir()
        self._said = folder.with_name(f"{folder.name}.said")
        with self._said.open("w") as said:
            self._process = subprocess.Popen(
                [sys.executable, str(PROJECT / "tests" / "docs_job.py"), *modes], cwd=folder, text=True, stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=said, env=environment(settings(folder.with_name(f"{folder.name}.conf"), list(more))),
            )

    def put(self, files: Path) -> None:
        """Makes the folder anew with these files."""
        for old in self.folder.iterdir():
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        shutil.copytree(files, self.folder, dirs_exist_ok=True)

    def run(self, section: Section, files: Path, places: Dict[str, str], server: FusekiServer) -> None:
        self.put(files)
        for name in re.findall(r'\.load\("([\w-]+)"\)', section.text):
            # A log that the section reads, but does not make.
            if f'save("{name}")' not in section.text and not (self.folder / name).exists():
                shutil.copytree(self.folder / "patches", self.folder / name)
        at = restart_of(section)
        self.run_steps(steps(section._replace(blocks=section.blocks[:at])), places)
        for start in section.blocks[at : at + 1]:
            server.stop()
            server.start(*re.findall(r"-D\S+", start.text.replace("=history", f"={self.folder}/history")))
            self.run_steps(filter(runs, section.blocks[at:]), places)

    def run_steps(self, blocks: Iterable[Block], places: Dict[str, str]) -> None:
        spoken = self._said.stat().st_size
        assert self._process.stdin is not None and self._process.stdout is not None
        job = [{**block._asdict(), "text": replaced(block.text, places)} for block in blocks]
        watch = threading.Timer(SECONDS, self._process.kill)
        watch.start()
        try:
            self._process.stdin.write(json.dumps(job) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        finally:
            watch.cancel()
        assert answer == "null\n", self._said.read_text()[spoken:][-8000:] + (json.loads(answer) if answer else "the process ended")

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Job]:
    with contextlib.closing(Job(tmp_path_factory.mktemp("docs") / "folder", modes=["in-process", "session"])) as job:
        yield job


@pytest.mark.parametrize("section", filter(runnable, map(without_servers, ALL)), ids=by_name)
def test_the_code_of_a_section_runs(section: Section, job: Job, files: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    server = server_of(section, request)
    with prepared(section, job.folder, server, files, tmp_path) as places:
        job.run(section, files, places, server)


@pytest.mark.full("documents")
@pytest.mark.parametrize("section", filter(runnable, ALL), ids=by_name)
def test_the_code_of_a_section_runs_alone(
    section: Section, files: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    kafka = NEEDS_KAFKA in section.text
    more = [f"spark.driver.extraClassPath {class_path('spark-kafka')}"] if kafka else []
    if NEEDS_S3 in section.text:
        of_server = request.getfixturevalue("bucket").hadoop()
        more += [f"spark.driver.extraClassPath {class_path('s3')}", *(f"{name} {value}" for name, value in of_server.items())]
    with contextlib.closing(Job(tmp_path / "folder", *more)) as job:
        server = server_of(section, request)
        with prepared(section, job.folder, server, files, tmp_path) as places:
            if kafka:
                places[NEEDS_KAFKA] = request.getfixturevalue("broker")
            job.run(section, files, places, server)


@pytest.fixture
def bucket(tmp_path: Path) -> Iterator[S3Server]:
    """A server of S3 with the bucket that documents name."""
    with contextlib.closing(S3Server(tmp_path / "s3.said")) as server:
        server.call("PUT", "/bucket")
        yield server


@contextlib.contextmanager
def prepared(section: Section, folder: Path, server: FusekiServer, files: Path, tmp_path: Path) -> Iterator[Dict[str, str]]:
    """The servers of a section; gives what stands there in place of the document's addresses."""
    clear(server)
    places = {
        "http://localhost:3030/": server.url[: -len("ds")],
        "http://fuseki:3030/": server.url[: -len("ds")],
        "hdfs:///checkpoints/": f"{folder}/checkpoints/",
        "/data/log": f"{folder}/data/log",
        "/mnt/shared/": f"{folder}/mnt/shared/",
        "/var/lib/": f"{folder}/var/lib/",
        "https://example.org/log.rdfp": f"file://{folder}/log.rdfp",
    }
    with contextlib.ExitStack() as servers:
        if "grpc://localhost:7878" in section.text:
            topic = tmp_path / "topic"
            shutil.copytree(files / "data" / "log", topic)
            config = f"[server]\nlisten = 127.0.0.1:0\n[topic changes]\nlog = {topic}\n"
            places["grpc://localhost:7878"] = servers.enter_context(Served(tmp_path, config)).url
        yield places


def replaced(text: str, places: Dict[str, str]) -> str:
    return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)


def clear(server: FusekiServer) -> None:
    body = urllib.parse.urlencode({"update": "DROP ALL"}).encode()
    urllib.request.urlopen(f"{server.url}/update", body, timeout=SECONDS).close()

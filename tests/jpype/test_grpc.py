"""The server and the client of gRPC. The peers are a client and a server that plain grpcio-tools make of the official schema,
and pyjelly."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import time
from concurrent import futures
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterable, Iterator, List, Tuple

import grpc
import pytest
from certificates import make_certificates
from grpc_server import Served

import jellybridge
from jellybridge.grpc import AsyncClient, Client, Credentials, _config, _server, _topics, read_frames, write_frames
from jellybridge.proto import grpc_pb2, grpc_pb2_grpc, jellybridge_pb2, patch_pb2, rdf_pb2

TOKEN = "a-token-that-is-long"


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012}"


def make_patch(file: Path, number: int, size: int = 1) -> List[bytes]:
    jellybridge.write_patch(file, [
        {"op": "H", "name": "id", "value": f"<urn:uuid:{uuid(number)}>"}, {"op": "TX"},
        *({"op": "A", "subject": f"<urn:s{number}>", "predicate": "<urn:p>", "object": f'"{row}"'} for row in range(size)),
        {"op": "TC"},
    ])
    return list(read_frames(file))


def make_log(folder: Path, *numbers: int) -> None:
    with jellybridge.PatchLog.create(folder) as log:
        for number in numbers:
            make_patch(folder.parent / "patch.jellyp", number)
            log.append(folder.parent / "patch.jellyp")


async def delivered(topic: Any, *versions: int) -> List[str]:
    """Returns the ids of a topic's patches."""
    frames = [jellybridge_pb2.RdfPatchDelivery.FromString(message)
              for version in versions or range(1, topic.head.version + 1) async for message in topic.patch(version, None)]
    return [frame.id for frame in frames if frame.last]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    for name in ("changes", "other", "releases"):
        jellybridge.PatchLog.create(folder / name).close()
    server = Served(folder, """
        [server]
        listen = 127.0.0.1:0
        max_stream_bytes = 9000000
        poll_seconds = 0.05
        idle_seconds = 1
        [topic store]
        dataset = mem:
        [topic second]
        dataset = mem:
        [topic changes]
        log = changes
        [topic other]
        log = other
        [topic releases]
        log = releases
        """.replace("        ", ""))
    yield server
    assert server.stop() == 0, server.log.read_text()
    assert "Traceback" not in server.log.read_text()


@pytest.fixture
def client(served: Served) -> Iterator[Client]:
    with Client(served.url, timeout=30) as made:
        yield made


def status(call: Any) -> Any:
    with pytest.raises(grpc.RpcError) as raised:
        call()
    return raised.value.code()


def statements(frames: List[bytes], folder: Path) -> List[str]:
    write_frames(folder / "got.jelly", frames)
    jellybridge.convert(folder / "got.jelly", folder / "got.nq")
    return sorted((folder / "got.nq").read_text().splitlines())


PYJELLY = """
import sys
from pyjelly.integrations.generic.generic_sink import *
from pyjelly.integrations.generic.parse import parse_jelly_flat
if sys.argv[1] == "write":
    sink = GenericStatementSink()
    for number in range(600):
        sink.add(Quad(IRI("urn:s"), IRI(f"urn:p/{number}"), Literal("o"), IRI("urn:g")))
    with open(sys.argv[2], "wb") as file:
        sink.serialize(file)
else:
    with open(sys.argv[2], "rb") as file:
        print(sum(type(one).__name__ == "Quad" for one in parse_jelly_flat(file)))
"""


def pyjelly(what: str, file: Path) -> str:
    """In a process of its own, as a peer is."""
    return subprocess.run([sys.executable, "-c", PYJELLY, what, str(file)], check=True, capture_output=True, text=True).stdout


def test_a_plain_client_of_the_official_schema_publishes_pyjellys_frames_and_gets_them_back(
    served: Served, tmp_path: Path
) -> None:
    pyjelly("write", tmp_path / "theirs.jelly")
    frames = [rdf_pb2.RdfStreamFrame.FromString(frame) for frame in read_frames(tmp_path / "theirs.jelly")]
    assert len(frames) > 1
    with grpc.insecure_channel(served.target) as channel:
        plain = grpc_pb2_grpc.RdfStreamServiceStub(channel)
        plain.PublishRdf(iter(frames), metadata=[("topic", "second")])
        got = [frame.SerializeToString() for frame in plain.SubscribeRdf(grpc_pb2.RdfStreamSubscribe(topic="second"))]
    assert len(statements(got, tmp_path)) == 600
    assert pyjelly("read", tmp_path / "got.jelly") == "600\n"


class PlainServer(grpc_pb2_grpc.RdfStreamServiceServicer):
    """As somebody else would write one: it keeps what is published."""

    def __init__(self) -> None:
        self.frames: List[Any] = []

    def SubscribeRdf(self, request: Any, context: Any) -> Iterator[Any]:
        yield from self.frames

    def PublishRdf(self, requests: Any, context: Any) -> Any:
        self.frames = list(requests)
        return grpc_pb2.RdfStreamReceived()


def test_our_client_talks_to_a_plain_server_of_the_official_schema(tmp_path: Path) -> None:
    server = grpc.server(futures.ThreadPoolExecutor(2))
    grpc_pb2_grpc.add_RdfStreamServiceServicer_to_server(PlainServer(), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    (tmp_path / "one.nq").write_text('<urn:s> <urn:p> "o" <urn:g> .\n')
    jellybridge.convert(tmp_path / "one.nq", tmp_path / "one.jelly", restart_bytes=0)
    with Client(f"grpc://127.0.0.1:{port}", timeout=30) as client:
        client.publish_rdf("any", read_frames(tmp_path / "one.jelly"))
        assert statements(list(client.subscribe_rdf("any")), tmp_path) == ['<urn:s> <urn:p> "o" <urn:g> .']
    server.stop(None)


def test_a_stream_of_rdf_that_is_broken_at_its_end_is_not_in_the_dataset(client: Client, tmp_path: Path) -> None:
    pyjelly("write", tmp_path / "whole.jelly")
    frames = list(read_frames(tmp_path / "whole.jelly"))
    before = statements(list(client.subscribe_rdf("store")), tmp_path)
    with pytest.raises(jellybridge.JellybridgeError, match="INVALID_ARGUMENT"):
        client.publish_rdf("store", [*frames, b"\x0a\x02\x12\x7f"])
    assert statements(list(client.subscribe_rdf("store")), tmp_path) == before


def test_requested_options_are_kept_to_or_refused_with_a_sentence(client: Client) -> None:
    frames = list(client.subscribe_rdf("store", rdf_pb2.RdfStreamOptions(
        max_name_table_size=16, max_prefix_table_size=0, max_datatype_table_size=8, version=2, rdf_star=True,
        physical_type=rdf_pb2.PHYSICAL_STREAM_TYPE_QUADS)))
    made = rdf_pb2.RdfStreamFrame.FromString(frames[0]).rows[0].options
    assert (made.max_name_table_size, made.max_prefix_table_size, made.max_datatype_table_size) == (16, 0, 8)
    for wish, sentence in (
        (rdf_pb2.RdfStreamOptions(version=77), "version 77"),
        (rdf_pb2.RdfStreamOptions(version=2), "rdf_star=true; request it"),
        (rdf_pb2.RdfStreamOptions(max_name_table_size=3), "at least 8"),
        (rdf_pb2.RdfStreamOptions(logical_type=rdf_pb2.LOGICAL_STREAM_TYPE_DATASETS), "flat stream"),
    ):
        with pytest.raises(jellybridge.JellybridgeError, match=f"INVALID_ARGUMENT.*{sentence}"):
            list(client.subscribe_rdf("store", wish))


def test_a_subscriber_of_a_log_gets_what_is_there_and_what_comes(served: Served, tmp_path: Path) -> None:
    with Client(served.url) as client:
        one = client.publish("changes", make_patch(tmp_path / "1.jellyp", 1))
        assert (one.version, one.id) == (1, uuid(1))
        got: List[Any] = []
        seen = threading.Semaphore(0)

        def listen() -> None:
            for delivery in client.subscribe("changes"):
                got.append(delivery)
                seen.release()
                if delivery.version == 3 and delivery.last:
                    return

        listener = threading.Thread(target=listen)
        listener.start()
        assert seen.acquire(timeout=20)
        assert client.publish("changes", make_patch(tmp_path / "2.jellyp", 2), prev=uuid(1)).version == 2
        with jellybridge.PatchLog.open(served.folder / "changes") as log:  # as another process does
            make_patch(tmp_path / "3.jellyp", 3)
            log.append(tmp_path / "3.jellyp")
        listener.join(20)
        assert [(one.version, one.id) for one in got if one.last] == [(number, uuid(number)) for number in (1, 2, 3)]
        stored = b"".join(path.read_bytes() for path in sorted((served.folder / "changes").glob("0*.jellyp")))
        write_frames(tmp_path / "got.jellyp", [one.frame for one in got])
        assert (tmp_path / "got.jellyp").read_bytes() == stored

        # again, and after another patch than the head
        assert client.publish("changes", make_patch(tmp_path / "2.jellyp", 2)).version == 2
        with pytest.raises(jellybridge.LogConflictError, match=uuid(3)):
            client.publish("changes", make_patch(tmp_path / "4.jellyp", 4), prev=uuid(1))
        assert client.head("changes").version == 3
        versions = [[one.version for one in client.subscribe("changes", until_head=True, **position) if one.last]
                    for position in ({"after_version": 1}, {"after_id": uuid(2)}, {"from_id": uuid(2)}, {"after_version": 3})]
        assert versions == [[2, 3], [3], [2, 3], []]
        for position, code in (({"after_version": 9}, "OUT_OF_RANGE"), ({"after_id": uuid(99)}, "NOT_FOUND")):
            with pytest.raises(jellybridge.JellybridgeError, match=code):
                list(client.subscribe("changes", until_head=True, **position))
        with pytest.raises(jellybridge.JellybridgeError, match="INVALID_ARGUMENT.*max_name_table_size 16 is requested"):
            list(client.subscribe("changes", options=patch_pb2.RdfPatchOptions(max_name_table_size=16, rdf_star=True)))


def test_a_dataset_that_is_captured_published_served_and_followed_has_an_equal_twin(served: Served, tmp_path: Path) -> None:
    with jellybridge.Dataset.open("mem:") as source, jellybridge.Dataset.open("mem:") as twin, Client(served.url) as client:
        for turn in range(3):
            with source.capture(tmp_path / f"{turn}.jellyp", position=None):
                source.update(f'INSERT DATA {{ <urn:s{turn}> <urn:p> {turn}, "x"@en }}; DELETE DATA {{ <urn:s0> <urn:p> 1 }}')
                source.update(f"DELETE DATA {{ <urn:s{turn - 1}> <urn:p> {turn - 1} }}")
            made = client.publish("other", rewritten(tmp_path / f"{turn}.jellyp", client.head("other").id, tmp_path))
            assert made.version == (turn + 1) * 2
            assert twin.sync(f"{served.url}/other").patches == 2
            assert twin.sync(f"{served.url}/other").patches == 0
        source.dump(tmp_path / "source.nq")
        twin.dump(tmp_path / "twin.nq")
    assert sorted((tmp_path / "source.nq").read_text().splitlines()) == sorted((tmp_path / "twin.nq").read_text().splitlines())


def test_a_dataset_that_was_published_without_its_log_is_refused(served: Served) -> None:
    address, folder = f"{served.url}/releases", served.folder / "releases"

    def publish(dataset: jellybridge.Dataset, value: int, **log: Any) -> Any:
        return dataset.publish(b"<urn:s> <urn:p> %d ." % value, format="turtle", **log).version

    with jellybridge.Dataset.open("mem:") as dataset, jellybridge.Dataset.open("mem:") as other:
        assert publish(dataset, 1, log=address) == 1
        other.sync(address)
        assert publish(other, 2, log=address) == 2
        assert publish(dataset, 3, log=address) == 3
        publish(dataset, 4)
        for dry_run in (True, False):
            with pytest.raises(jellybridge.JellybridgeError, match="last publication was without the log, .* log adopt LOG"):
                publish(dataset, 5, log=address, dry_run=dry_run)
        with pytest.raises(jellybridge.JellybridgeError, match="does not hold what version 3"):
            dataset.adopt(folder)
        publish(dataset, 3)
        dataset.adopt(folder)
        dataset.adopt(folder)
        other.sync(address)
        assert publish(other, 6, log=address) == 4
        assert publish(dataset, 5, log=address) == 5
        dataset.update("INSERT DATA { <urn:more> <urn:p> 5 }")
        with pytest.raises(jellybridge.JellybridgeError, match="log's folder is: .* log state .* without --log; then .* log adopt"):
            publish(dataset, 6, log=address)


def rewritten(file: Path, prev: Any, folder: Path) -> List[bytes]:
    """A capture of its own as the next patches of a log."""
    rows = [row for row in jellybridge.read_patch(file)]
    if prev is not None:
        rows[1:1] = [jellybridge.ChangeRow(op="H", name="prev", value=f"<urn:uuid:{prev}>", patch=rows[0].patch)]
    jellybridge.write_patch(folder / "next.jellyp", rows)
    return list(read_frames(folder / "next.jellyp"))


def test_a_follower_begins_with_the_checkpoint_of_a_log_that_was_pruned(tmp_path: Path) -> None:
    with jellybridge.PatchLog.create(tmp_path / "long") as log:
        for number in range(1, 5):
            make_patch(tmp_path / f"{number}.jellyp", number)
            log.append(tmp_path / f"{number}.jellyp")
        log.checkpoint(3, progress=None)
        log.prune(before=4)
    server = Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\n[topic long]\nlog = long\n")
    try:
        with Client(server.url) as client:
            first = next(client.subscribe("long"))
            assert first.is_state and first.version == 3 and first.checkpoint is not None
            with pytest.raises(jellybridge.JellybridgeError, match="OUT_OF_RANGE.*begin with its checkpoint"):
                next(client.subscribe("long", after_version=1))
        with jellybridge.PatchLog.open(f"{server.url}/long") as log:
            with pytest.raises(jellybridge.JellybridgeError, match="has no patch of the versions 1 to 3 any more: .* version 4"):
                log.fetch(tmp_path / "fetched.jellyp", 1, 3)
            assert log.fetch(tmp_path / "fetched.jellyp").patches == 1
        with jellybridge.Dataset.open("mem:") as dataset:
            report = dataset.sync(f"{server.url}/long")
            assert (report.checkpoint, report.patches, len(dataset)) == (3, 1, 4)
        part = tmp_path / "long" / "checkpoints" / f"{3:020}" / "part-00000.jelly"
        part.write_bytes(part.read_bytes()[:-1])
        with jellybridge.Dataset.open("mem:") as dataset:
            with pytest.raises(jellybridge.JellybridgeError, match="DATA_LOSS.*part-00000.jelly has .* bytes, and had"):
                dataset.sync(f"{server.url}/long")
            assert len(dataset) == 0
        server.stop()
        with pytest.raises(jellybridge.UnreachableError), jellybridge.Dataset.open("mem:") as dataset:
            dataset.sync(f"{server.url}/long", source_options={"timeout": 5})
    finally:
        server.kill()


def test_of_a_stream_that_its_client_breaks_off_nothing_is_stored_however_much_has_come(
    client: Client, tmp_path: Path
) -> None:
    patch = make_patch(tmp_path / "one.jellyp", 990)
    (tmp_path / "cut.nt").write_text("<urn:cut> <urn:p> <urn:o> .\n")
    jellybridge.convert(tmp_path / "cut.nt", tmp_path / "cut.jelly")
    head, held = client.head("other"), list(client.subscribe_rdf("second"))

    def cut(frames: Iterable[bytes]) -> Iterator[bytes]:
        yield from frames
        raise OSError("the file went away")

    for _ in range(50):
        with pytest.raises(OSError, match="the file went away"):
            client.publish("other", cut(patch))
        with pytest.raises(OSError, match="the file went away"):
            client.publish_rdf("second", cut(read_frames(tmp_path / "cut.jelly")))
    assert client.head("other") == head
    assert list(client.subscribe_rdf("second")) == held


def test_patches_that_leave_the_cache_before_they_are_in_it_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jellybridge.PatchLog.create(tmp_path / "log").close()
    with jellybridge.PatchLog.open(tmp_path / "log") as log:
        for number in range(1, 6):
            make_patch(tmp_path / "one.jellyp", number)
            log.append(tmp_path / "one.jellyp")
    monkeypatch.setattr(_topics, "_CACHE", 1)

    async def look() -> None:
        topic = _topics.LogTopic("log", str(tmp_path / "log"))

        async def frames(version: int) -> int:
            return len([one async for one in topic.patch(version, None)])

        assert await asyncio.gather(*(frames(version) for version in (1, 2, 3, 4, 5, 1, 2))) == [1] * 7
        assert (len(topic._cached), topic._cached_bytes) == (0, 0)
        await topic.close()

    asyncio.run(look())


def test_a_patch_that_was_pruned_meanwhile_is_out_of_range(tmp_path: Path) -> None:
    with jellybridge.PatchLog.create(tmp_path / "log") as log:
        for number in range(1, 9):
            row = jellybridge.ChangeRow(op="A", subject=f"<urn:s{number}>", predicate="<urn:p>", object='"1"')
            jellybridge.write_patch(tmp_path / "p.jellyp", [row])
            log.append(tmp_path / "p.jellyp")
        log.checkpoint(5)
        log.prune(before=6)

    async def look() -> None:
        topic = _topics.LogTopic("log", str(tmp_path / "log"))
        with pytest.raises(_topics.OutOfRange, match="version 3 of the log log is not there any more; subscribe without a pos"):
            async for _ in topic.patch(3, None):
                pass
        assert [await frames_with(topic, 7, f"urn:s{number}") for number in (6, 7, 8)] == [False, True, False]
        await topic.close()

    async def frames_with(topic: _topics.LogTopic, version: int, text: str) -> bool:
        return any([text.removeprefix("urn:").encode() in one async for one in topic.patch(version, None)])

    asyncio.run(look())


def expanding(length: int, copies: int) -> List[bytes]:
    """Frames of Jelly-Patch that make very much of little: a prefix of that length in as many IRIs."""
    row, entry = patch_pb2.RdfPatchRow, rdf_pb2.RdfNameEntry
    first = [
        row(options=patch_pb2.RdfPatchOptions(statement_type=patch_pb2.PATCH_STATEMENT_TYPE_TRIPLES, stream_type=patch_pb2.PATCH_STREAM_TYPE_FLAT,
                                              max_name_table_size=4000, max_prefix_table_size=8, max_datatype_table_size=8, version=1)),
        row(transaction_start=patch_pb2.RdfPatchTransactionStart()),
        row(prefix=rdf_pb2.RdfPrefixEntry(id=1, value="urn:" + "p" * length)), row(name=entry(id=4000, value="p")),
    ]
    rows = [first]
    for number in range(1, copies):
        iri = rdf_pb2.RdfIri(prefix_id=1, name_id=number)
        quad = rdf_pb2.RdfQuad(s_iri=iri, p_iri=rdf_pb2.RdfIri(prefix_id=1, name_id=4000), o_iri=iri)
        rows.append([row(name=entry(id=number, value=f"{number:x}")), row(statement_add=quad)])
    rows.append([row(transaction_commit=patch_pb2.RdfPatchTransactionCommit())])
    return [patch_pb2.RdfPatchFrame(rows=each).SerializeToString() for each in rows]


@pytest.mark.full("long")
def test_a_server_with_little_memory_lives_after_frames_that_make_much_of_little(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JELLYBRIDGE_HEAP", "256m")
    jellybridge.PatchLog.create(tmp_path / "log").close()
    with Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\n[topic changes]\nlog = log\n") as server, \
            Client(server.url, timeout=120) as client:
        for number, (length, copies) in enumerate(((1 << 20, 2_000), (3 << 20, 50), (1 << 16, 3_999), (1 << 10, 3_999)), 1):
            with contextlib.suppress(jellybridge.JellybridgeError):
                client.publish("changes", expanding(length, copies))
            client.publish("changes", make_patch(tmp_path / "small.jellyp", number))
        assert server.process.poll() is None and "OutOfMemory" not in server.log.read_text()


def test_what_is_wrong_has_its_status_and_the_server_lives_on(served: Served, tmp_path: Path) -> None:
    patch = make_patch(tmp_path / "9.jellyp", 9)
    with grpc.insecure_channel(served.target) as channel:
        publish = channel.stream_unary("/eu.ostrzyciel.jelly.core.proto.v1.RdfStreamService/PublishRdf")
        to = {"metadata": [("topic", "store")], "timeout": 20}
        assert status(lambda: publish(iter([b"\xff\xff"]), **to)) == grpc.StatusCode.INVALID_ARGUMENT
        no_options = rdf_pb2.RdfStreamFrame(rows=[rdf_pb2.RdfStreamRow(name=rdf_pb2.RdfNameEntry(value="x"))])
        assert status(lambda: publish(iter([no_options.SerializeToString()]), **to)) == grpc.StatusCode.INVALID_ARGUMENT
        assert status(lambda: publish(iter([]), **to)) == grpc.StatusCode.INVALID_ARGUMENT
        assert status(lambda: publish(iter([bytes(5 << 20)]), **to)) == grpc.StatusCode.RESOURCE_EXHAUSTED
        options = rdf_pb2.RdfStreamFrame(rows=[rdf_pb2.RdfStreamRow(options=rdf_pb2.RdfStreamOptions(
            physical_type=2, max_name_table_size=8, version=1))]).SerializeToString()
        assert status(lambda: publish(iter([options, *[bytes(3 << 20)] * 4]), **to)) == grpc.StatusCode.RESOURCE_EXHAUSTED
        assert status(lambda: publish(iter([options]), metadata=[("topic", "none")])) == grpc.StatusCode.NOT_FOUND
        assert status(lambda: publish(iter([options]), metadata=[("topic", "changes")])) == grpc.StatusCode.FAILED_PRECONDITION

        def slowly() -> Iterator[bytes]:
            yield options
            time.sleep(2)

        assert status(lambda: publish(slowly(), **to)) == grpc.StatusCode.DEADLINE_EXCEEDED
        call = publish.future(slowly(), **to)  # a client that vanishes
        time.sleep(0.3)
        call.cancel()
    with socket.create_connection(("127.0.0.1", served.port)) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\n\r\n" + bytes(1000))
    with Client(served.url, timeout=20) as client:
        with pytest.raises(jellybridge.JellybridgeError, match="FAILED_PRECONDITION"):
            client.publish("store", patch)
        client.publish_rdf("store", [options])
    assert "CANCELLED" in served.log.read_text()


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def test_snapshots_of_the_same_are_one_hold_up_nothing_else_and_go_with_their_last_reader(
    temporary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: List[int] = []
    go_on = threading.Event()

    class SlowTopic(_topics.DatasetTopic):
        def _write(self, file: str, version: Any) -> None:
            written.append(version)
            go_on.wait(30)
            super()._write(file, version)

    def add(number: int) -> str:
        file = tmp_path / f"{number}.nt"
        file.write_text(f"<urn:s> <urn:p> {number} .\n".replace(f" {number} ", f' "{number}" '))
        return str(file)

    async def read(topic: _topics.Topic, requested: Any = None) -> int:
        async with topic.snapshot(requested) as file:
            await asyncio.sleep(0)
            return len(statements(list(read_frames(file)), tmp_path))

    async def until(condition: Any) -> None:
        for _ in range(600):
            if condition():
                return
            await asyncio.sleep(0.05)
        raise AssertionError

    async def look() -> None:
        topic = SlowTopic("slow", "mem:")
        await topic.load(add(1))
        readers = [asyncio.create_task(read(topic)) for _ in range(5)]
        other = asyncio.create_task(read(topic, rdf_pb2.RdfStreamOptions(max_name_table_size=16, rdf_star=True, version=2)))
        quitters = [asyncio.create_task(read(topic)) for _ in range(2)]
        await until(lambda: written == [1])
        assert await asyncio.wait_for(topic.call(lambda: 5), 10) == 5  # while a snapshot is made
        await asyncio.wait_for(topic.load(add(2)), 10)
        later = asyncio.create_task(read(topic))
        await asyncio.sleep(0)
        for quitter in quitters:
            quitter.cancel()
        go_on.set()
        # What was begun before a change has at least what was there, and who asks after the change gets that too.
        assert {await reader for reader in readers} <= {1, 2} and await other >= 1 and await later == 2
        assert written == [1, 1, 2]
        await until(lambda: not list(temporary.iterdir()))

    asyncio.run(look())


def test_of_snapshots_that_everybody_gave_up_nothing_is_left(temporary: Path, tmp_path: Path) -> None:
    jellybridge.PatchLog.create(tmp_path / "log").close()
    with jellybridge.PatchLog.open(tmp_path / "log") as log:
        make_patch(tmp_path / "one.jellyp", 1)
        log.append(tmp_path / "one.jellyp")
    begun, go_on = threading.Event(), threading.Event()

    class SlowTopic(_topics.LogTopic):
        def _write(self, file: str, version: Any) -> None:
            begun.set()
            go_on.wait(30)
            super()._write(file, version)

    async def give_up(topic: _topics.Topic, requested: Any = None) -> None:
        async with topic.snapshot(requested):
            await asyncio.sleep(60)

    async def look() -> None:
        topic = SlowTopic("slow", str(tmp_path / "log"))
        wide = rdf_pb2.RdfStreamOptions(max_name_table_size=16, rdf_star=True, version=2)
        tasks = [asyncio.create_task(give_up(topic, requested)) for requested in (None, None, wide)]
        await asyncio.to_thread(begun.wait, 30)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        go_on.set()
        late = asyncio.create_task(give_up(topic))  # and one that has its file when the server ends
        while not [file for file in temporary.rglob("snapshot.jelly")]:
            await asyncio.sleep(0.05)
        await topic.close()
        late.cancel()
        await asyncio.gather(late, return_exceptions=True)
        await asyncio.sleep(0)
        assert list(temporary.iterdir()) == []

    asyncio.run(look())


def test_what_is_published_is_deleted_where_the_log_cannot_be_asked(temporary: Path, tmp_path: Path) -> None:
    jellybridge.PatchLog.create(tmp_path / "log").close()

    async def look() -> None:
        topic = _topics.LogTopic("log", str(tmp_path / "log"))
        shutil.rmtree(tmp_path / "log")
        make_patch(tmp_path / "one.jellyp", 1)
        with pytest.raises(Exception):
            await topic.append(str(tmp_path / "one.jellyp"), None)
        assert not (tmp_path / "one.jellyp").exists()
        await topic.close()

    asyncio.run(look())


def test_a_newest_patch_that_cannot_be_read_is_damage_and_no_fault_of_the_publisher(tmp_path: Path) -> None:
    make_log(tmp_path / "log", 1)
    (tmp_path / "log" / f"{1:020}.jellyp").write_bytes(b"no patch at all")
    (tmp_path / "log" / ".index").unlink()

    async def look() -> None:
        topic = _topics.LogTopic("log", str(tmp_path / "log"))
        make_patch(tmp_path / "one.jellyp", 2)
        with pytest.raises(_topics.Damaged, match="P-125"):
            await topic.append(str(tmp_path / "one.jellyp"), None)
        await topic.close()

    asyncio.run(look())


def test_a_slow_reader_is_let_go_and_does_not_hold_up_others(served: Served, tmp_path: Path) -> None:
    with Client(served.url, timeout=30) as slow, Client(served.url, timeout=30) as quick:
        head = quick.head("changes").version
        for number in range(2):
            quick.publish("changes", make_patch(tmp_path / "large.jellyp", 1000 + number, 200_000))
        deliveries = slow.subscribe("changes", after_version=head)
        next(deliveries)
        frames = [one for one in quick.subscribe("changes", after_version=head, until_head=True)]
        assert len([one for one in frames if one.last]) == 2
        time.sleep(2)
        with pytest.raises(jellybridge.UnreachableError, match="DEADLINE_EXCEEDED.*taken nothing"):
            for _ in deliveries:
                pass


def test_the_client_for_asyncio_does_the_same(served: Served, tmp_path: Path) -> None:
    async def work() -> List[int]:
        async with AsyncClient(served.url, timeout=30) as client:
            head = await client.publish("changes", make_patch(tmp_path / "a.jellyp", 5000))
            assert (await client.head("changes")) == head
            await client.publish_rdf("second", [frame async for frame in client.subscribe_rdf("second")])
            return [one.version - head.version async for one in client.subscribe(
                "changes", after_version=head.version - 1, until_head=True)]

    assert asyncio.run(work()) == [0]


def test_a_client_for_asyncio_that_sends_on_learns_why_the_server_ended_the_call(served: Served) -> None:
    async def work() -> None:
        async with AsyncClient(served.url, timeout=30) as client:
            for call in (client.publish, client.publish_rdf):
                with pytest.raises(jellybridge.JellybridgeError, match="NOT_FOUND|INVALID_ARGUMENT"):
                    await call("none", [bytes(1000)] * 20_000)

    asyncio.run(work())


def test_frames_go_through_a_pipe(tmp_path: Path) -> None:
    pipe, frames = tmp_path / "pipe", [b"", b"one", bytes(100_000)]
    os.mkfifo(pipe)
    with futures.ThreadPoolExecutor(1) as pool:
        written = pool.submit(write_frames, pipe, frames)
        assert list(read_frames(pipe)) == frames
        assert written.result() == 3 and pipe.is_fifo()
        for length in (b"\x05", b"\x80" * 6 + b"\x02", b"\xff" * 9 + b"\x01"):
            pool.submit(pipe.write_bytes, length + b"four")
            with pytest.raises(jellybridge.PatchFormatError, match="the stream ends before the end of a frame"):
                list(read_frames(pipe))


def test_a_file_of_frames_is_complete_or_that_of_before(tmp_path: Path) -> None:
    file, link = tmp_path / "one.jellyp", tmp_path / "link.jellyp"
    link.symlink_to(file)
    assert write_frames(link, [b"one"]) == 1

    def cut() -> Iterator[bytes]:
        yield b"two"
        raise OSError("the server went away")

    with pytest.raises(OSError, match="the server went away"):
        write_frames(link, cut())
    assert sorted(tmp_path.iterdir()) == [link, file] and link.is_symlink()
    assert list(read_frames(file)) == [b"one"]
    assert write_frames(file, [*read_frames(file), b"two"]) == 2


def test_tls_a_client_certificate_and_a_token_are_asked_for(tmp_path: Path) -> None:
    make_certificates(tmp_path)
    (tmp_path / "token").write_text(TOKEN + "\n")
    jellybridge.PatchLog.create(tmp_path / "changes").close()
    metrics = free_port()
    server = Served(tmp_path, f"""[server]
listen = 127.0.0.1:0
tls_certificate = server.pem
tls_key = server.key
tls_client_authority = ca.pem
token_file = token
metrics = 127.0.0.1:{metrics}
[topic changes]
log = changes
""")
    try:
        own = {"authority": tmp_path / "ca.pem", "certificate": tmp_path / "client.pem", "certificate_key": tmp_path / "client.key"}
        target = f"grpcs://{server.target}"
        with Client(target, credentials=Credentials(TOKEN, **own), timeout=10) as client:
            assert client.head("changes").version == 0
        for credentials in (Credentials("wrong", **own), Credentials(None, **own)):
            with Client(target, credentials=credentials, timeout=10) as client:
                for call in (lambda: client.head("changes"), lambda: client.publish("changes", [b"x"]),
                             lambda: list(client.subscribe("changes"))):
                    with pytest.raises(jellybridge.JellybridgeError, match="UNAUTHENTICATED"):
                        call()
        for target, credentials in ((target, Credentials(TOKEN, authority=own["authority"])), (server.url, Credentials(TOKEN))):
            with Client(target, credentials=credentials, timeout=10) as client, pytest.raises(jellybridge.UnreachableError):
                client.head("changes")
        with jellybridge.Dataset.open("mem:") as dataset:
            options = {"token_file": tmp_path / "token", **own}
            assert dataset.sync(f"grpcs://{server.target}/changes", source_options=options).patches == 0
        import urllib.request

        with urllib.request.urlopen(f"http://127.0.0.1:{metrics}/metrics", timeout=10) as answer:
            assert b'jellybridge_calls_total{code="OK",method="GetHead",topic="changes"}' in answer.read()
        assert TOKEN not in server.log.read_text() and TOKEN not in repr(Credentials(TOKEN))
    finally:
        server.kill()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def test_health_and_reflection_answer(served: Served) -> None:
    from grpc_health.v1 import health_pb2, health_pb2_grpc
    from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

    with grpc.insecure_channel(served.target) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=10)
        assert answer.status == health_pb2.HealthCheckResponse.SERVING
        assert "io.jellybridge.proto.RdfPatchStreamService" in ProtoReflectionDescriptorDatabase(channel).get_services()


def test_a_server_without_a_package_that_it_needs_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "grpc_health.v1", None)
    (tmp_path / "server.ini").write_text("[server]\nlisten = 127.0.0.1:0\n[topic store]\ndataset = mem:\n")

    async def work() -> None:
        server = _server.Server(_config.read_config(str(tmp_path / "server.ini")))
        with pytest.raises(jellybridge.JellybridgeError, match="is missing: pip install"):
            await server.start()
        await server.stop()

    asyncio.run(work())


@pytest.mark.parametrize("text, said", [
    ("[P-125] /srv/my data/cur/0001.jellyp, frame 0: it ends", "[P-125] 0001.jellyp, frame 0: it ends"),
    ("/srv/my data/cur is no patch log", "cur is no patch log"),
    ("can't write /srv/my data/cur/state/x.nq: full", "can't write state/x.nq: full"),
    ("/tmp/jellybridge-ak7.jellyp is no RDF; end its name in .jelly", "jellybridge-ak7.jellyp is no RDF; end its name in .jelly"),
    ("NoSuchFileException: /var/lib/a.dat", "NoSuchFileException: a.dat"), ("file '/etc/x/y.pem'", "file 'y.pem'"),
    ("the graph <http://e.org/a/b> of grpc://h:1/log/x and text/html", "the graph <http://e.org/a/b> of grpc://h:1/log/x and text/html"),
    ("the topic a/b is a dataset", "the topic a/b is a dataset"),
])
def test_a_client_reads_the_names_of_files_and_not_where_they_are(text: str, said: str) -> None:
    assert _server._without_folders(text, ["/srv/my data/cur", "/tmp"]) == said


@pytest.mark.parametrize("config, said", [
    ("[server]\n", "there is no topic"),
    ("[server]\nlisten = 0.0.0.0:1\n[topic a]\nlog = x\n", "there is no TLS"),
    ("[server]\nlisten = x\n[topic a]\nlog = x\n", "listen = x: the port is missing"),
    ("[server]\nlisten = 127.0.0.1:\n[topic a]\nlog = x\n", "listen = 127.0.0.1:: the port is missing"),
    ("[server]\nport = 1\n[topic a]\nlog = x\n", "what it may have is listen"),
    ("[server]\nmax_calls = many\n[topic a]\nlog = x\n", "must be a number above 0"),
    ("[topic a]\nlog = x\ndataset = mem:\n", "one line"),
    ("[topic a]\nlog = not-there\n", "not-there"),
])
def test_a_configuration_that_cannot_be_is_refused(config: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "server.ini").write_text(config)
    done = subprocess.run([sys.executable, "-m", "jellybridge", "serve", str(tmp_path / "server.ini")], text=True,
                          capture_output=True, timeout=60)
    assert done.returncode in (1, 2) and said in done.stderr and "Traceback" not in done.stderr


def test_metrics_are_for_this_machine_unless_it_is_told(tmp_path: Path) -> None:
    file = tmp_path / "server.ini"

    def config(lines: str) -> Any:
        file.write_text(f"[server]\n{lines}\n[topic a]\ndataset = mem:\n")
        return _config.read_config(str(file))

    for address in ("0.0.0.0:9100", "10.0.0.1:9100", ":9100", "[::]:9100", "example.org:9100"):
        with pytest.raises(ValueError, match=re.escape(f"metrics = {address} is open to other machines")):
            config(f"metrics = {address}\ntls_certificate = c\ntls_key = k")
        assert config(f"metrics = {address}\ninsecure = true").metrics == address
    for address in ("127.0.0.1:9100", "localhost:9100", "[::1]:9100"):
        assert config(f"metrics = {address}").metrics == address
    with pytest.raises(ValueError, match="metrics = 9100: the port is missing"):
        config("metrics = 9100")


def test_a_server_that_is_asked_to_end_lets_subscribers_know(tmp_path: Path) -> None:
    jellybridge.PatchLog.create(tmp_path / "changes").close()
    server = Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\n[topic changes]\nlog = changes\n")
    with Client(server.url) as client:
        client.publish("changes", make_patch(tmp_path / "1.jellyp", 1))
        deliveries = client.subscribe("changes")
        assert next(deliveries).version == 1
        started = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - started < 10
        with pytest.raises(jellybridge.UnreachableError, match="subscribe again after version 1"):
            next(deliveries)


def test_a_log_that_cannot_be_read_does_not_keep_the_others_from_being_served(tmp_path: Path) -> None:
    for name in ("good", "bad"):
        with jellybridge.PatchLog.create(tmp_path / name) as log:
            for number in range(3):
                make_patch(tmp_path / "patch.jellyp", number)
                log.append(tmp_path / "patch.jellyp")
    missing, kept = tmp_path / "bad" / f"{2:020}.jellyp", tmp_path / "kept"
    missing.rename(kept)
    with Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\n[topic bad]\nlog = bad\n[topic good]\nlog = good\n") as server:
        for said in ("the log bad can't be read", "version 2 is missing"):
            assert said in server.log.read_text()
        with jellybridge.PatchLog.open(f"{server.url}/good") as log:
            assert log.head.version == 3
        with pytest.raises(jellybridge.JellybridgeError, match="version 2 is missing"), \
                jellybridge.PatchLog.open(f"{server.url}/bad") as log:
            log.head
        kept.rename(missing)
        with jellybridge.PatchLog.open(f"{server.url}/bad") as log:
            assert log.head.version == 3


def test_a_log_that_takes_the_place_of_another_is_served_instead_and_its_followers_are_told(tmp_path: Path) -> None:
    def make(number: int) -> str:
        with jellybridge.PatchLog.create(tmp_path / "log") as log:
            for patch in (number, number + 1):
                make_patch(tmp_path / "patch.jellyp", patch)
                log.append(tmp_path / "patch.jellyp")
            return log.id

    first = make(10)
    with Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\npoll_seconds = 0.05\n[topic log]\nlog = log\n") as server:
        with Client(server.url, timeout=20) as client, jellybridge.Dataset.open("mem:") as follower:
            assert follower.sync(f"{server.url}/log").patches == 2
            following = client.subscribe("log", after_version=0)
            assert [next(following).id for _ in range(2)] == [uuid(10), uuid(11)]
            shutil.rmtree(tmp_path / "log")
            second = make(20)
            with pytest.raises(jellybridge.JellybridgeError, match="another log took the place of log; subscribe anew"):
                next(following)
            assert [one.id for one in client.subscribe("log", after_version=0, until_head=True)] == [uuid(20), uuid(21)]
            with jellybridge.PatchLog.open(f"{server.url}/log") as log:
                assert log.id == second != first
                assert log.append(tmp_path / "patch.jellyp") == [jellybridge.LogHead(2, uuid(21))]
            with pytest.raises(jellybridge.JellybridgeError):
                follower.sync(f"{server.url}/log")
            assert len(follower) == 2


def test_a_log_that_takes_the_place_of_another_is_noticed_however_the_first_look_ends(tmp_path: Path) -> None:
    log, name = tmp_path / "log", f"{2:020}.jellyp"
    make_log(log, 1, 2, 3)

    async def look() -> None:
        topic = _topics.LogTopic("log", str(log))
        assert await delivered(topic) == [uuid(1), uuid(2), uuid(3)]
        shutil.rmtree(log)
        make_log(log, 11, 12, 13, 14)
        (log / name).rename(tmp_path / name)
        with pytest.raises(jellybridge.JellybridgeError, match="version 2 is missing"):
            await topic.look()
        (tmp_path / name).rename(log / name)
        await topic.look()
        assert (topic.generation, await delivered(topic)) == (1, [uuid(11), uuid(12), uuid(13), uuid(14)])
        waiting = asyncio.ensure_future(topic.wait(4, 1, asyncio.Event()))
        shutil.rmtree(log)
        make_log(log, 21, 22, 23, 24)
        looking = asyncio.ensure_future(topic.look())
        await asyncio.sleep(0)
        looking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await looking
        await topic.look()
        await asyncio.wait_for(waiting, 10)
        assert (topic.generation, await delivered(topic)) == (2, [uuid(21), uuid(22), uuid(23), uuid(24)])
        with pytest.raises(jellybridge.JellybridgeError, match="another log took the place of log; subscribe anew"):
            topic.require(1)
        await topic.close()

    asyncio.run(look())


def test_an_older_copy_that_takes_the_place_of_a_log_is_served_instead(tmp_path: Path) -> None:
    log = tmp_path / "log"
    make_log(log, 1, 2, 3)

    async def look() -> None:
        topic = _topics.LogTopic("log", str(log))
        (log / f"{3:020}.jellyp").unlink()
        assert (await topic.look()).version == 2
        assert (topic.generation, await delivered(topic)) == (1, [uuid(1), uuid(2)])
        await topic.look()
        assert topic.generation == 1
        await topic.close()

    asyncio.run(look())


def test_what_is_wrong_with_a_log_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    faults = iter([ValueError("one"), ValueError("one"), ValueError("two"), None, ValueError("two"), asyncio.CancelledError()])

    async def look() -> None:
        if (fault := next(faults)) is not None:
            raise fault

    watch: Any = _server.Server._watch
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watch(SimpleNamespace(_config=SimpleNamespace(poll_seconds=0)), SimpleNamespace(name="log", look=look)))
    assert [message.rpartition(": ")[2] for message in caplog.messages] == ["one", "two", "two"]


def test_a_patch_that_was_mended_is_read_anew(tmp_path: Path) -> None:
    log = tmp_path / "log"
    make_log(log, 1)
    with jellybridge.PatchLog.open(log) as opened:
        for number in (2, 3):
            make_patch(tmp_path / "patch.jellyp", number, 10_000)
            opened.append(tmp_path / "patch.jellyp")

    async def look() -> None:
        topic = _topics.LogTopic("log", str(log))
        file = log / f"{2:020}.jellyp"
        sound, damaged = file.read_bytes(), bytearray(file.read_bytes())
        damaged[-10] ^= 1
        for content in (damaged, sound):
            (tmp_path / "copy").write_bytes(content)
            (tmp_path / "copy").replace(file)
            read = b"".join([message async for message in topic.patch(2, None)])
            assert (content[-20:] in read, topic._cached_bytes) == (True, len(read))
        topic._forget()
        file.write_bytes(sound[:-10])
        with contextlib.suppress(jellybridge.JellybridgeError):
            await delivered(topic, 2)
        file.write_bytes(sound)
        assert sound[-20:] in b"".join([message async for message in topic.patch(2, None)])
        with jellybridge.PatchLog.open(log) as opened:
            opened.compact()
            assert await delivered(topic, 1) == [uuid(1)]
            joined, place = log / f"{1:020}-{3:020}.jellyp", topic._places[2]
            content = bytearray(joined.read_bytes())
            content[place["offset"] + place["length"] // 2] ^= 0xFF
            joined.write_bytes(content)
            assert opened.repair()
        assert await delivered(topic, 3) == [uuid(3)]
        await topic.close()

    asyncio.run(look())


@pytest.mark.parametrize("other", [(77, 3), (77, 3, 4), (3,), (2, 3, 4)])
def test_a_follower_does_not_go_on_over_another_history(other: Tuple[int, ...], tmp_path: Path) -> None:
    """Two copies of a log of one patch went on by themselves. Version 3 has the same id in both."""
    def append(log: str, *numbers: int) -> None:
        with jellybridge.PatchLog.open(tmp_path / log) as opened:
            for number in numbers:
                file = tmp_path / f"{number}.rdfp"
                file.write_text(f"H id <urn:uuid:{uuid(number)}> .\nTX .\nA <urn:s> <urn:p> \"{number}\" .\nTC .\n")
                opened.append(file)

    jellybridge.PatchLog.create(tmp_path / "one").close()
    append("one", 1)
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    append("one", 2, 3)
    append("other", *other)
    config = "[server]\nlisten = 127.0.0.1:0\n" + "".join(f"[topic {name}]\nlog = {name}\n" for name in ("one", "other"))
    with Served(tmp_path, config) as server, jellybridge.Dataset.open("mem:") as dataset:
        assert dataset.sync(f"{server.url}/one").patches == 3
        with pytest.raises(jellybridge.JellybridgeError, match="is no patch of the log"):
            dataset.sync(f"{server.url}/other")
        assert len(dataset) == 3
        append("one", 4)
        assert dataset.sync(f"{server.url}/one").patches == 1


def test_a_patch_that_cannot_be_read_does_not_hold_up_those_before_it(tmp_path: Path) -> None:
    log = tmp_path / "changes"
    with jellybridge.PatchLog.create(log) as made:
        for number in (1, 2, 3):
            make_patch(tmp_path / "patch.jellyp", number)
            made.append(tmp_path / "patch.jellyp")
    (log / f"{2:020}.jellyp").write_bytes(b"no patch at all")
    (log / ".index").unlink()
    server = Served(tmp_path, "[server]\nlisten = 127.0.0.1:0\n[topic changes]\nlog = changes\n")
    try:
        with Client(server.url, timeout=20) as client:
            deliveries = client.subscribe("changes", after_version=0, until_head=True)
            assert next(deliveries).version == 1
            with pytest.raises(jellybridge.JellybridgeError, match="DATA_LOSS: .*00002.jellyp") as raised:
                while next(deliveries).version == 1:
                    pass
            assert str(tmp_path) not in str(raised.value)
            with pytest.raises(jellybridge.JellybridgeError, match="DATA_LOSS: .*00002.jellyp"):
                next(client.subscribe_rdf("changes"))
            assert {delivery.version for delivery in client.subscribe("changes", after_version=2, until_head=True)} == {3}
    finally:
        assert server.stop() == 0


def test_what_a_server_refuses_to_a_sync_is_said_with_its_address_and_status(served: Served) -> None:
    for topic, said in (
        ("store", "FAILED_PRECONDITION: the topic store is a dataset; patches are of a log"),
        ("none", "NOT_FOUND: there is no topic 'none' here"),
    ):
        with jellybridge.Dataset.open("mem:") as dataset, pytest.raises(jellybridge.JellybridgeError) as raised:
            dataset.sync(f"{served.url}/{topic}")
        assert str(raised.value) == f"{served.url}/{topic}: answered {said}"

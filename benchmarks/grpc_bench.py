"""Measures frames through ``jellybridge serve``, and through a bare server of gRPC that sends the same bytes; what it
prints is an object of figures in JSON, in seconds for all frames.

    python benchmarks/grpc_bench.py FOLDER PATCHES
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any, Dict, Iterator, List

import grpc
import grpc.aio
from stopwatch import seconds

from jellybridge import ChangeRow, PatchLog, write_patch
from jellybridge.proto import jellybridge_pb2

ROWS = 1000
TURNS = 5


def rows(patches: int) -> Iterator[ChangeRow]:
    for patch in range(patches):
        yield ChangeRow(patch=patch, op="TX")
        for row in range(ROWS):
            subject = f"<http://example.org/item/{patch}-{row}>"
            yield ChangeRow(patch=patch, op="A", subject=subject, predicate="<http://example.org/p>", object=f'"value {row}"')
        yield ChangeRow(patch=patch, op="TC")


def bare(messages: List[bytes], told: Connection) -> None:
    """A server that does nothing but send these messages."""
    async def send(request: bytes, context: Any) -> None:
        for message in messages:
            await context.write(message)

    async def serve() -> None:
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bare", {
            "Send": grpc.unary_stream_rpc_method_handler(send)}),))
        told.send(server.add_insecure_port("127.0.0.1:0"))
        await server.start()
        await server.wait_for_termination()

    asyncio.run(serve())


def port_of(server: "subprocess.Popen[str]") -> int:
    assert server.stderr is not None
    for line in server.stderr:
        if "listening on" in line:
            return int(line.rpartition(":")[2])
    raise RuntimeError("the server ended")


def main(folder: Path, patches: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write_patch(folder / "changes.jellyp", rows(patches))
    with PatchLog.create(folder / "changes") as log:
        log.append(folder / "changes.jellyp")
    config = folder / "server.ini"
    config.write_text("[server]\nlisten = 127.0.0.1:0\n[topic changes]\nlog = changes\n")
    ours = subprocess.Popen([sys.executable, "-m", "jellybridge", "serve", str(config)], stderr=subprocess.PIPE, text=True)
    try:
        port = port_of(ours)
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            subscribe = channel.unary_stream("/io.jellybridge.proto.RdfPatchStreamService/SubscribePatch")
            asked = jellybridge_pb2.RdfPatchSubscribe(topic="changes", after_version=0, until_head=True).SerializeToString()
            messages = list(subscribe(asked))
            here, there = multiprocessing.get_context("spawn").Pipe()
            peer = multiprocessing.get_context("spawn").Process(target=bare, args=(messages, there), daemon=True)
            peer.start()
            with grpc.insecure_channel(f"127.0.0.1:{here.recv()}") as raw:
                send = raw.unary_stream("/bare/Send")
                measured: Dict[str, List[float]] = {}
                for _ in range(TURNS):
                    for name, work in (
                        ("grpc: subscribe", lambda: sum(1 for _ in subscribe(asked))),
                        ("grpc: subscribe, bare", lambda: sum(1 for _ in send(b""))),
                    ):
                        measured.setdefault(name, []).append(seconds(work))
            peer.terminate()
        figures = {name: median(times) for name, times in measured.items()}
        megabytes = sum(map(len, messages)) / 1e6
        for name in list(figures):
            figures[f"{name}, frames a second"] = len(messages) / figures[name]
            figures[f"{name}, MB a second"] = megabytes / figures[name]
        print(json.dumps(figures))
    finally:
        ours.terminate()
        ours.wait(30)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

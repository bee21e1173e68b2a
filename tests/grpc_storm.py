"""A storm on ``jellybridge serve``, on loopback: many subscribers and publishers at once, then kills in mid-publish.

Usage: grpc_storm.py [--subscribers 1000] [--publishers 100] [--patches 2] [--kills 20]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Dict, List

sys.path.insert(0, str(Path(__file__).resolve().parent / "jpype"))
from test_grpc import Served, make_patch, uuid  # noqa: E402

import jellybridge  # noqa: E402
from jellybridge.grpc import AsyncClient, Client, read_frames  # noqa: E402

CONNECTIONS = 50
CONFIG = """[server]
listen = 127.0.0.1:0
[topic changes]
log = changes
"""
QUADS = 20_000


def peak_memory(server: Served) -> int:
    """The most memory that a server has had, in MiB."""
    return int(re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())[1]) >> 10  # type: ignore


async def subscribe(client: AsyncClient, last: int, got: List[int]) -> None:
    async for one in client.subscribe("changes", after_version=0):
        if one.last:
            got.append(one.version)
            if one.version == last:
                return


async def at_once(server: Served, folder: Path, subscribers: int, publishers: int, patches: int) -> None:
    total = publishers * patches
    frames = [make_patch(folder / "one.jellyp", number + 1, 20) for number in range(total)]
    clients = [AsyncClient(server.url, timeout=180) for _ in range(CONNECTIONS)]
    got: List[List[int]] = [[] for _ in range(subscribers)]
    heard = [asyncio.create_task(subscribe(clients[number % CONNECTIONS], total, got[number]))
             for number in range(subscribers)]
    idle, started = peak_memory(server), time.monotonic()

    async def publish(number: int) -> None:
        for patch in range(patches):
            await clients[number % CONNECTIONS].publish("changes", frames[number * patches + patch])

    await asyncio.gather(*(publish(number) for number in range(publishers)))
    published = time.monotonic() - started
    await asyncio.gather(*heard)
    seconds = time.monotonic() - started
    assert all(versions == list(range(1, total + 1)) for versions in got), "a patch was lost, or came in another order"
    for client in clients:
        await client.close()
    size = sum(map(len, frames[0]))
    print(f"{subscribers} subscribers, {publishers} publishers, {total} patches of {size} bytes: published in {published:.1f} s, "
          f"{subscribers * total} deliveries in {seconds:.1f} s = {subscribers * total / seconds:,.0f}/s, none lost; "
          f"memory at most {idle} MiB before, {peak_memory(server)} MiB after")


def publish_until_killed(server: Served, folder: Path, acknowledged: Dict[str, int], turn: int) -> None:
    """Publishes patches and graphs, and notes those that were acknowledged, until the server is gone."""
    def run(work: str) -> None:
        with Client(server.url, timeout=30) as client:
            number = turn * 10_000
            while True:
                number += 1
                try:
                    if work == "patch":
                        acknowledged[uuid(number)] = client.publish(
                            "changes", make_patch(folder / "next.jellyp", number, 2000)).version
                    else:
                        graph = f"urn:g{number}"
                        (folder / "graph.nq").write_text("".join(f"<urn:s{row}> <urn:p> <urn:o> <{graph}> .\n" for row in range(QUADS)))
                        jellybridge.convert(folder / "graph.nq", folder / "graph.jelly")
                        client.publish_rdf("store", read_frames(folder / "graph.jelly"))
                        acknowledged[graph] = QUADS
                except jellybridge.UnreachableError:
                    return

    threads = [threading.Thread(target=run, args=(work,)) for work in ("patch", "graph")]
    for thread in threads:
        thread.start()
    time.sleep(random.uniform(0.3, 2.5))
    server.kill()
    for thread in threads:
        thread.join()


def kills(folder: Path, turns: int) -> None:
    jellybridge.PatchLog.create(folder / "changes").close()
    acknowledged: Dict[str, int] = {}
    unacknowledged = 0
    for turn in range(turns):
        publish_until_killed(Served(folder, CONFIG + "[topic store]\ndataset = tdb2:store\n"), folder, acknowledged, turn)
        with jellybridge.PatchLog.open(folder / "changes") as log:
            assert not [fault for fault in log.check() if fault.kind != "UNFINISHED"], log.check()
            stored: Dict[str, int] = {str(entry.id): entry.version for entry in log.entries()}
        with jellybridge.Dataset.open(f"tdb2:{folder / 'store'}") as dataset:
            rows = dataset.query("SELECT ?g (count(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g")
            for row in rows:  # type: ignore[union-attr]
                found = int(str(row["n"]).split('"')[1])  # type: ignore[call-overload,index]
                assert found == QUADS, f"{row} is half a graph"
                stored[str(row["g"])[1:-1]] = found  # type: ignore[call-overload,index]
        lost = {name: what for name, what in acknowledged.items() if stored.get(name) != what}
        assert not lost, f"acknowledged and not stored: {lost}"
        unacknowledged = len(stored.keys() - acknowledged.keys())
    print(f"{turns} kills in mid-publish: {len(acknowledged)} acknowledged, all stored; {unacknowledged} stored whole without an "
          "answer; none by half")


def main() -> None:
    parser = argparse.ArgumentParser()
    for name, default in (("subscribers", 1000), ("publishers", 100), ("patches", 2), ("kills", 20)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        jellybridge.PatchLog.create(Path(folder) / "changes").close()
        server = Served(Path(folder), CONFIG)
        try:
            asyncio.run(at_once(server, Path(folder), given.subscribers, given.publishers, given.patches))
        finally:
            server.kill()
    with tempfile.TemporaryDirectory() as folder:
        kills(Path(folder), given.kills)


if __name__ == "__main__":
    main()

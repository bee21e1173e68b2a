"""The topics of a server. Each has one thread for all its work in the JVM, and one thread that makes snapshots."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import shutil
import tempfile
from collections import OrderedDict
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, AsyncIterator, Callable, Dict, Hashable, Iterator, List, NamedTuple, Optional, Tuple, TypeVar

from .._convert import convert
from .._dataset import Dataset
from .._errors import JellybridgeError, PatchFormatError
from .._locations import TDB2, absolute
from .._log import LogHead, PatchLog
from ..proto import jellybridge_pb2 as messages
from ._frames import frames_of, read_frames
from ._options import keep, patch_options, rdf_options, writing

T = TypeVar("T")
_LOG = logging.getLogger("jellybridge.serve")
_CACHED_PATCH = 1 << 20
_CACHE = 64 << 20
_LOCATED = 256
_CACHED_PLACES = 10_000
_ANY_VERSION = 2**63 - 1


class OutOfRange(ValueError):
    """Raised if a position is before the first or after the last patch of a log."""


class NotFound(ValueError):
    """Raised if a log has no such patch."""


class Damaged(ValueError):
    """Raised if a checkpoint has changed since it was created, or the newest patch can't be read."""


class _Snapshot:
    """A file with all quads, in its own folder. The last reader deletes it.

    Args:
        made: completes when the file is ready.
        folder: the folder.
    """

    def __init__(self, made: "Future[str]", folder: str) -> None:
        self.made = made
        self.folder = folder
        self.readers = 0


class _File(NamedTuple):
    """A file as it was at a moment, to see whether it has changed."""

    path: str
    device: int
    inode: int
    size: int
    changed: int

    @classmethod
    def of(cls, path: str, found: os.stat_result) -> _File:
        return cls(path, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)

    @classmethod
    def find(cls, path: str) -> Optional[_File]:
        """Returns ``None`` if there is no such file."""
        try:
            return cls.of(path, os.stat(path))
        except OSError:
            return None


class Topic:
    """A topic. Its calls run one at a time. Its snapshots are made one at a time, in parallel to the calls."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"topic {name}")
        self._maker = ThreadPoolExecutor(1, thread_name_prefix=f"snapshots of {name}")
        self._snapshots: Dict[Hashable, _Snapshot] = {}

    async def call(self, work: Callable[[], T], file: Optional[str] = None) -> T:
        """Runs work in the topic's thread. The work continues if the caller is cancelled. Deletes the file afterwards."""
        done = asyncio.get_running_loop().run_in_executor(self._thread, work)
        if file is not None:
            done.add_done_callback(lambda _: _remove(file))
        return await asyncio.shield(done)

    async def close(self) -> None:
        """Waits for running work, and closes the topic."""
        await asyncio.to_thread(self._maker.shutdown, cancel_futures=True)
        for snapshot in self._snapshots.values():
            shutil.rmtree(snapshot.folder, ignore_errors=True)
        await self.call(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        raise NotImplementedError

    @asynccontextmanager
    async def snapshot(self, requested: Optional[Any]) -> AsyncIterator[str]:
        """Provides a temporary file with all quads, as requested. Equal requests for the same version share the file.

        Raises:
            ValueError: the request is not possible; the message says why.
        """
        options = writing(requested)
        version = await self._version()
        key = version, None if requested is None else requested.SerializeToString(deterministic=True)
        snapshot = self._snapshots.get(key)
        if snapshot is None:
            snapshot = self._make(key, version, requested, options)
        snapshot.readers += 1
        try:
            yield await asyncio.shield(asyncio.wrap_future(snapshot.made))
        finally:
            snapshot.readers -= 1
            if not snapshot.readers:
                snapshot.made.cancel()  # works only if it has not started; otherwise it is deleted when it is done
                self._settle(key, snapshot)

    def _make(self, key: Hashable, version: Hashable, requested: Optional[Any], options: Dict[str, Any]) -> _Snapshot:
        folder = tempfile.mkdtemp(prefix="jellybridge-")
        whole, made = os.path.join(folder, "whole.jelly"), os.path.join(folder, "snapshot.jelly")

        def work() -> str:
            self._write(whole, version)
            convert(whole, made, restart_bytes=0, **options)
            _remove(whole)
            keep(rdf_options(next(read_frames(made))), requested)
            return made

        snapshot = self._snapshots[key] = _Snapshot(self._maker.submit(work), folder)
        loop = asyncio.get_running_loop()

        def settle(_: "Future[str]") -> None:
            with suppress(RuntimeError):  # the loop has ended, and close() deletes it
                loop.call_soon_threadsafe(self._settle, key, snapshot)

        snapshot.made.add_done_callback(settle)
        return snapshot

    def _settle(self, key: Hashable, snapshot: _Snapshot) -> None:
        """Deletes a snapshot without readers, unless it is still being made."""
        if not snapshot.readers and snapshot.made.done() and self._snapshots.get(key) is snapshot:
            del self._snapshots[key]
            shutil.rmtree(snapshot.folder, ignore_errors=True)

    async def _version(self) -> Hashable:
        """Returns a version that changes whenever a new snapshot would contain newer data."""
        raise NotImplementedError

    def _write(self, file: str, version: Any) -> None:
        """Writes all quads of that version, or of a later one. Called in the thread that makes snapshots."""
        raise NotImplementedError


def _remove(file: str) -> None:
    with suppress(OSError):
        os.remove(file)


class DatasetTopic(Topic):
    """A topic for a dataset."""

    def __init__(self, name: str, address: str) -> None:
        super().__init__(name)
        self._address = address
        self._dataset = Dataset.open(address)
        #: True if only this process changes the dataset.
        self._is_ours = address == "mem:" or address.startswith(TDB2)
        self._changes = 0

    async def load(self, file: str) -> None:
        """Adds a file of statements in one transaction, and deletes the file."""
        def work() -> None:
            self._dataset.load(file)
            self._changes += 1

        await self.call(work, file)

    async def _version(self) -> Hashable:
        return self._changes

    def _write(self, file: str, version: Any) -> None:
        if self._is_ours:
            self._dataset.dump(file)
            return
        self._changes += 1  # later requests must see the changes of other clients
        with Dataset.open(self._address) as dataset:  # a second one, since a dataset is for one thread
            dataset.dump(file)

    def _close(self) -> None:
        self._dataset.close()


class LogTopic(Topic):
    """A topic for a patch log in a folder. Patches are sent as they are stored."""

    def __init__(self, name: str, address: str) -> None:
        super().__init__(name)
        self._address = absolute(address)
        self._seen, self._log = self._identity(), PatchLog.open(self._address)
        self._ask("folder")  # rejects a log that is not in a folder
        self.head = LogHead(0, None)
        try:
            self.head = self._log.head
        except JellybridgeError as e:
            # The others are served. Each call of this one reads the log anew.
            _LOG.warning("the log %s can't be read, and its calls fail until it is mended: %s", name, e)
        #: A counter that increases if the folder gets another log, or another history of the same. Set by the topic's thread.
        self.generation = 0
        #: The generation whose subscribers were woken.
        self._told = 0
        self._grown = asyncio.Condition()
        #: The messages of small patches, with the file that they were read from.
        self._cached: "OrderedDict[int, asyncio.Future[tuple[_File, List[bytes]]]]" = OrderedDict()
        self._cached_bytes = 0
        #: The places of patches that were located so far.
        self._places: Dict[int, Dict[str, Any]] = {}
        self._warm_up()

    def _identity(self) -> "Optional[_File]":
        """Returns the file that describes the log, which is another one if the folder gets another log."""
        return _File.find(os.path.join(self._address, "patch-log.properties"))

    def _ask(self, what: str, *arguments: Any) -> Any:
        """Calls the Java bridge, and converts exceptions."""
        with self._log._call() as java:
            return getattr(self._log._bridge, what)(java, *arguments)

    def _warm_up(self) -> None:
        """Locates some patches at the start, since the first such call in a JVM is slow and no subscriber should wait for it.
        """
        with suppress(Exception):  # a subscriber that requests a damaged patch gets the error
            with self._log._call() as java:
                first = int(java.first())
            if self.head.version >= first:
                self._stored(max(first, self.head.version - _LOCATED + 1))

    # --- the head

    async def look(self) -> messages.RdfPatchHead:
        """Reads the head of the log, and wakes waiting subscribers if it changed.

        Raises:
            Damaged: the newest patch can't be read.
        """
        return (await self._look())[1]

    async def _look(self) -> "tuple[int, messages.RdfPatchHead]":
        """Returns also the generation."""
        try:
            generation, head = await self.call(self._find_head)
        except PatchFormatError as e:
            raise Damaged(str(e)) from None
        finally:
            if self._told != self.generation:  # also if an earlier look found another log, and its caller was cancelled
                self._told = self.generation
                self._forget()
                await self.wake()
        seen = LogHead(head.version, head.id or None)
        if seen != self.head:
            async with self._grown:
                self.head = seen
                self._grown.notify_all()
        return generation, head

    def _find_head(self) -> "tuple[int, messages.RdfPatchHead]":
        """Begins a generation if the folder has another log, or another history, and that can be read."""
        if self._identity() == self._seen:
            try:
                return self._read_head(self._log)
            except JellybridgeError:
                pass  # an older copy may have taken its place
        seen, log = self._identity(), PatchLog.open(self._address)
        try:
            found = self._read_head(log)
        except BaseException:
            log.close()
            raise
        before, self._log, self._seen = self._log, log, seen
        self.generation += 1
        before.close()
        return self.generation, found[1]

    def _read_head(self, log: PatchLog) -> "tuple[int, messages.RdfPatchHead]":
        with log._call() as java:
            first = int(java.first())
        head = log.head
        return self.generation, messages.RdfPatchHead(log=log.id, first=first, version=head.version, id=head.id or "",
                                                      chain=head.chain or "")

    def _forget(self) -> None:
        """Empties the caches."""
        self._cached.clear()
        self._cached_bytes = 0
        self._places.clear()

    def require(self, generation: int) -> None:
        """Checks that the folder still has the log of a generation."""
        if generation != self.generation:
            raise JellybridgeError(f"another log took the place of {self.name}; subscribe anew")

    async def wait(self, version: int, generation: int, closing: asyncio.Event) -> None:
        """Waits until there is a version after the given one, the folder has another log, or the server stops."""
        async with self._grown:
            await self._grown.wait_for(
                lambda: self.head.version > version or self.generation != generation or closing.is_set())

    async def wake(self) -> None:
        """Wakes the waiting subscribers."""
        async with self._grown:
            self._grown.notify_all()

    # --- patches

    async def append(self, file: str, prev: Optional[str]) -> LogHead:
        """Appends the patches of a file, and deletes the file."""
        try:
            await self.look()
        except BaseException:
            _remove(file)
            raise
        made = await self.call(lambda: self._log.append(file, prev=prev), file)
        await self.look()
        if not made:
            raise ValueError("the stream has no patch")
        return made[-1]

    async def behind(self, request: messages.RdfPatchSubscribe) -> "tuple[int, Optional[int]]":
        """Returns the generation that a subscriber gets, and the version after which it starts. ``None`` to start with a
        checkpoint, if there is one.

        Raises:
            OutOfRange: the log does not have the next version.
            NotFound: the log has no such patch.
        """
        generation, head = await self._look()
        which = request.WhichOneof("position")
        if which is None:
            return generation, None
        version = request.after_version
        if which != "after_version":
            id = getattr(request, which)
            version = await self.call(lambda: int(self._ask("versionWith", id)))
            if version == 0 and not (head.version > 0 and id.strip("<>").removeprefix("urn:uuid:") == head.id):
                raise NotFound(f"the log {self.name} has no patch with the id {id}")
            version = (version or head.version) - (which == "from_id")
        if version + 1 < head.first or version > head.version:
            raise OutOfRange(f"version {version + 1} is asked for, and the log {self.name} has {head.first} to {head.version}"
                             + ("; subscribe without a position to begin with its checkpoint"
                                if version < head.version else ""))
        return generation, version

    async def _of_checkpoint(self, what: str, *arguments: int) -> Any:
        try:
            return await self.call(lambda: self._ask(what, *arguments))
        except JellybridgeError as e:
            raise Damaged(str(e)) from None

    async def checkpoint(self, up_to: int) -> AsyncIterator[bytes]:
        """Yields the newest checkpoint up to a version as messages; 0 = the newest of all."""
        found = await self._of_checkpoint("newestCheckpoint", up_to or _ANY_VERSION)
        if found is None:
            return
        said = json.loads(str(found))
        text: Optional[str] = str(found)

        def delivery(frame: bytes, part: int) -> Any:
            return messages.RdfPatchDelivery(version=said["version"], id=said["id"], state=frame, part=part, checkpoint=text)

        held: Any = None
        for part in range(len(said["parts"])):
            path = str(await self._of_checkpoint("partOfCheckpoint", said["version"], part))
            with open(path, "rb") as file:
                frames = frames_of(file, os.fstat(file.fileno()).st_size, path)
                frame: Optional[bytes]
                while (frame := await asyncio.to_thread(_next, frames)) is not None:
                    if held is not None:
                        yield held.SerializeToString()
                    held = delivery(frame, part)
                    text = None
        held = held or delivery(b"", 0)
        held.last = True
        yield held.SerializeToString()

    async def patch(self, version: int, requested: Optional[Any]) -> AsyncIterator[bytes]:
        """Yields the frames of a version's patch as messages.

        Raises:
            ValueError: the patch does not meet the request.
        """
        cached = self._cached.get(version)
        if cached is not None and cached.done() and (read := cached.result()[0]) != _File.find(read.path):
            self._forget()
            cached = None
        if cached is None:
            cached = asyncio.ensure_future(self._load(version))
            self._cached[version] = cached
            cached.add_done_callback(lambda done: self._loaded(version, done))
        _, made = await asyncio.shield(cached)
        if made:
            if requested is not None:
                keep(patch_options(messages.RdfPatchDelivery.FromString(made[0]).patch), requested)
            for one in made:
                yield one
            return
        _, messages_of = await self._open(version)
        first = True
        message: Optional[bytes]
        while (message := await asyncio.to_thread(_next, messages_of)) is not None:
            if first and requested is not None:
                keep(patch_options(messages.RdfPatchDelivery.FromString(message).patch), requested)
            first = False
            yield message

    async def _open(self, version: int) -> "tuple[_File, Iterator[bytes]]":
        for tries in range(10):
            place = self._places.get(version) or await self._locate(version)
            with suppress(FileNotFoundError):
                file = open(place["file"], "rb")
                found = _File.of(file.name, os.fstat(file.fileno()))
                if place["found"] == found:
                    file.seek(place["offset"])
                    return found, _messages(file, place["length"], version, place["id"])
                file.close()
            self._forget()  # a compaction has joined the files, or one was mended
        raise FileNotFoundError(f"version {version} of the log {self.name} is moved again and again")

    async def _locate(self, version: int) -> Dict[str, Any]:
        """Returns the place of a patch. Also locates the patches after it, which are probably needed next."""
        found = await self.call(lambda: self._stored(version))
        if not found:
            raise OutOfRange(f"version {version} of the log {self.name} is not there any more; subscribe without a position to "
                             "begin with its checkpoint")
        if len(self._places) > _CACHED_PLACES:
            self._places.clear()
        self._places.update((version + number, place) for number, place in enumerate(found))
        return found[0]

    def _stored(self, version: int) -> List[Dict[str, Any]]:
        places = json.loads(str(self._ask("stored", version, version + _LOCATED - 1)))
        return [{**place, "found": _File.find(place["file"])} for place in places]

    async def _load(self, version: int) -> "tuple[_File, List[bytes]]":
        """Returns the messages of a small patch; none for a large one."""
        found: List[bytes] = []
        size = 0
        file, messages_of = await self._open(version)
        for message in messages_of:
            size += len(message)
            if size > _CACHED_PATCH:
                return file, []
            found.append(message)
        return file, found

    def _loaded(self, version: int, done: "asyncio.Future[tuple[_File, List[bytes]]]") -> None:
        if self._cached.get(version) is not done:
            return  # it was evicted before it was loaded
        if done.cancelled() or done.exception() is not None or not done.result()[1]:
            del self._cached[version]
            return
        self._cached_bytes += sum(map(len, done.result()[1]))
        while self._cached_bytes > _CACHE:
            _, oldest = self._cached.popitem(last=False)
            if oldest.done():
                self._cached_bytes -= sum(map(len, oldest.result()[1]))

    async def _version(self) -> Hashable:
        generation, head = await self._look()
        return head.log, head.version, generation

    def _write(self, file: str, version: Tuple[str, int, int]) -> None:
        with PatchLog.open(self._address) as log:
            if log.id != version[0]:
                raise ValueError(f"another log took the place of {self.name}; ask again")
            log.state(file, version=version[1] or None, progress=None)

    def _close(self) -> None:
        self._log.close()


def _next(frames: Iterator[bytes]) -> Optional[bytes]:
    return next(frames, None)


def _messages(file: Any, length: int, version: int, id: str) -> Iterator[bytes]:
    """Yields the messages of a stored patch, and closes its file."""
    with file:
        held: Optional[bytes] = None
        source = io.BytesIO(file.read(length)) if length <= _CACHED_PATCH else file
        for frame in frames_of(source, length, file.name):
            if held is not None:
                yield _message(version, id, held, False)
            held = frame
        yield _message(version, id, held or b"", True)


def _message(version: int, id: str, frame: bytes, last: bool) -> bytes:
    return bytes(messages.RdfPatchDelivery(version=version, id=id, patch=frame, last=last).SerializeToString())

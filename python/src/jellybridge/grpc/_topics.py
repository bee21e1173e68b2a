"""What is behind a topic. Each has a thread of its own, in which all that the JVM does for it takes place."""

from __future__ import annotations

import asyncio
import io
import json
import os
import tempfile
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, AsyncIterator, Callable, Dict, Iterator, List, Optional, TypeVar

from .._convert import convert
from .._dataset import Dataset
from .._log import LogHead, PatchLog
from .._places import absolute
from ..proto import jellybridge_pb2 as messages
from ._frames import frames_of, read_frames
from ._options import keep, patch_options, rdf_options, writing

T = TypeVar("T")
_CACHED_PATCH = 1 << 20
_CACHE = 64 << 20
_LOCATED = 256
_CACHED_PLACES = 10_000
_ANY_VERSION = 2**63 - 1


class OutOfRange(ValueError):
    """A position is before what a log has, or behind it."""


class NotFound(ValueError):
    """A log has no such patch."""


class Topic:
    """A topic. Calls of it take place one after the other."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"topic {name}")

    async def call(self, work: Callable[[], T], file: Optional[str] = None) -> T:
        """Does something in the topic's thread. It goes on when the caller is cancelled; the file is deleted afterwards."""
        done = asyncio.get_running_loop().run_in_executor(self._thread, work)
        if file is not None:
            done.add_done_callback(lambda _: _remove(file))
        return await asyncio.shield(done)

    async def close(self) -> None:
        """Waits for what is under way, and closes."""
        await self.call(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        raise NotImplementedError

    async def snapshot(self, requested: Optional[Any]) -> str:
        """A temporary file with all quads, as it was requested; the caller deletes it.

        Raises:
            ValueError: it can't be had so, and why.
        """
        options = writing(requested)
        folder = tempfile.mkdtemp(prefix="jellybridge-")
        whole, made = os.path.join(folder, "whole.jelly"), os.path.join(folder, "snapshot.jelly")

        def work() -> None:
            try:
                self._write(whole)
                convert(whole, made, restart_bytes=0, **options)
                keep(rdf_options(next(read_frames(made))), requested)
            except BaseException:
                _remove(made)
                raise
            finally:
                _remove(whole)

        try:
            await self.call(work)
        except BaseException:
            _remove(folder)
            raise
        return made

    def _write(self, file: str) -> None:
        raise NotImplementedError


def discard(snapshot: str) -> None:
    """Deletes what :meth:`Topic.snapshot` made."""
    _remove(snapshot)
    _remove(os.path.dirname(snapshot))


def _remove(path: str) -> None:
    try:
        os.rmdir(path) if os.path.isdir(path) else os.remove(path)
    except OSError:
        pass  # not there, or not empty: what is under way in the topic's thread removes what it has


class DatasetTopic(Topic):
    """A dataset."""

    def __init__(self, name: str, address: str) -> None:
        super().__init__(name)
        self._dataset = Dataset.open(address)

    async def load(self, file: str) -> None:
        """Adds a file of statements in one transaction, and deletes it."""
        await self.call(lambda: self._dataset.load(file), file)

    def _write(self, file: str) -> None:
        self._dataset.dump(file)

    def _close(self) -> None:
        self._dataset.close()


class LogTopic(Topic):
    """A patch log in a folder, whose patches are passed on as they are stored."""

    def __init__(self, name: str, address: str) -> None:
        super().__init__(name)
        self._address = absolute(address)
        self._open_log()
        self._ask("folder")  # refuses what is no folder
        self._first = 1
        self.head = self._log.head
        #: Another number when there is another log in the folder.
        self.generation = 0
        self._grown = asyncio.Condition()
        self._cached: "OrderedDict[int, asyncio.Future[List[bytes]]]" = OrderedDict()
        self._cached_bytes = 0
        #: Where patches are, as far as it was asked for.
        self._places: Dict[int, Dict[str, Any]] = {}
        self._warm_up()

    def _open_log(self) -> None:
        seen, log = self._identity(), PatchLog.open(self._address)
        self._id, self._log, self._seen = log.id, log, seen

    def _identity(self) -> Any:
        """Of which log the folder is, as far as the file that says so can tell; ``None``: of none."""
        try:
            found = os.stat(os.path.join(self._address, "patch-log.properties"))
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_mtime_ns

    def _ask(self, what: str, *arguments: Any) -> Any:
        """Calls the JVM, in whose place errors of Python come."""
        with self._log._call() as java:
            return getattr(self._log._bridge, what)(java, *arguments)

    def _warm_up(self) -> None:
        """Looks once where patches are: the JVM's first time takes long, which no subscriber is to wait for."""
        with suppress(Exception):  # what is wrong with a patch is said to who asks for it
            with self._log._call() as java:
                self._first = int(java.first())
            if self.head.version >= self._first:
                self._stored(max(self._first, self.head.version - _LOCATED + 1))

    # --- the head

    async def look(self) -> messages.RdfPatchHead:
        """Looks where the log is, and tells those who wait."""
        def work() -> "tuple[bool, LogHead]":
            is_other = self._identity() != self._seen
            if is_other:
                before = self._log
                self._open_log()
                before.close()
            with self._log._call() as java:
                self._first = int(java.first())
            return is_other, self._log.head

        is_other, head = await self.call(work)
        if is_other:
            self.generation += 1
            self._cached.clear()
            self._cached_bytes = 0
            self._places.clear()
        if head != self.head or is_other:
            async with self._grown:
                self.head = head
                self._grown.notify_all()
        return messages.RdfPatchHead(log=self._id, first=self._first, version=head.version, id=head.id or "")

    async def wait(self, version: int, closing: asyncio.Event) -> None:
        """Waits until there is a later version than this, or another log, or the server is to end."""
        generation = self.generation
        async with self._grown:
            await self._grown.wait_for(
                lambda: self.head.version > version or self.generation != generation or closing.is_set())

    async def wake(self) -> None:
        """Wakes those who wait."""
        async with self._grown:
            self._grown.notify_all()

    # --- patches

    async def append(self, file: str, prev: Optional[str]) -> LogHead:
        """Appends the patches of a file, and deletes it."""
        await self.look()
        made = await self.call(lambda: self._log.append(file, prev=prev), file)
        await self.look()
        if not made:
            raise ValueError("the stream has no patch")
        return made[-1]

    async def behind(self, request: messages.RdfPatchSubscribe) -> Optional[int]:
        """The version behind which a subscriber begins; ``None``: with a checkpoint, if there is one.

        Raises:
            OutOfRange: the log does not have what comes behind it.
            NotFound: it has no such patch.
        """
        head = await self.look()
        which = request.WhichOneof("position")
        if which is None:
            return None
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
        return version

    async def checkpoint(self, up_to: int) -> AsyncIterator[bytes]:
        """The newest checkpoint up to a version as messages; 0: whichever that is."""
        found = await self.call(lambda: [str(one) for one in self._ask("newestCheckpoint", up_to or _ANY_VERSION)])
        if not found:
            return
        said = json.loads(found[0])
        text: Optional[str] = found[0]

        def delivery(frame: bytes, part: int) -> Any:
            return messages.RdfPatchDelivery(version=said["version"], id=said["id"], state=frame, part=part, checkpoint=text)

        held: Any = None
        for part, path in enumerate(found[1:]):
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
        """The frames of a version's patch as messages.

        Raises:
            ValueError: the patch does not keep to what was requested.
        """
        cached = self._cached.get(version)
        if cached is None:
            cached = asyncio.ensure_future(self._load(version))
            self._cached[version] = cached
            cached.add_done_callback(lambda done: self._loaded(version, done))
        made = await asyncio.shield(cached)
        if made:
            if requested is not None:
                keep(patch_options(messages.RdfPatchDelivery.FromString(made[0]).patch), requested)
            for one in made:
                yield one
            return
        messages_of = await self._open(version)
        first = True
        message: Optional[bytes]
        while (message := await asyncio.to_thread(_next, messages_of)) is not None:
            if first and requested is not None:
                keep(patch_options(messages.RdfPatchDelivery.FromString(message).patch), requested)
            first = False
            yield message

    async def _open(self, version: int) -> Iterator[bytes]:
        for tries in range(10):
            place = self._places.get(version) or await self._locate(version)
            try:
                file = open(place["file"], "rb")
            except FileNotFoundError:
                self._places.clear()  # a compaction has joined files meanwhile
                continue
            file.seek(place["offset"])
            return _messages(file, place["length"], version, place["id"])
        raise FileNotFoundError(f"version {version} of the log {self.name} is moved again and again")

    async def _locate(self, version: int) -> Dict[str, Any]:
        """Where a patch is, and those behind it, which will be wanted next."""
        try:
            found = await self.call(lambda: self._stored(version))
        except FileNotFoundError:
            found = []
        if not found:
            raise OutOfRange(f"version {version} of the log {self.name} is not there any more; subscribe without a position to "
                             "begin with its checkpoint")
        if len(self._places) > _CACHED_PLACES:
            self._places.clear()
        self._places.update((version + number, place) for number, place in enumerate(found))
        return found[0]

    def _stored(self, version: int) -> List[Dict[str, Any]]:
        return list(json.loads(str(self._ask("stored", version, version + _LOCATED - 1))))

    async def _load(self, version: int) -> List[bytes]:
        """A small patch; of a large one nothing."""
        found: List[bytes] = []
        size = 0
        for message in await self._open(version):
            size += len(message)
            if size > _CACHED_PATCH:
                return []
            found.append(message)
        return found

    def _loaded(self, version: int, done: "asyncio.Future[List[bytes]]") -> None:
        if self._cached.get(version) is not done:
            return  # it was the oldest before it was there
        if done.cancelled() or done.exception() is not None or not done.result():
            del self._cached[version]
            return
        self._cached_bytes += sum(map(len, done.result()))
        while self._cached_bytes > _CACHE:
            _, oldest = self._cached.popitem(last=False)
            if oldest.done():
                self._cached_bytes -= sum(map(len, oldest.result()))

    def _write(self, file: str) -> None:
        self._log.state(file, progress=None)

    def _close(self) -> None:
        self._log.close()


def _next(frames: Iterator[bytes]) -> Optional[bytes]:
    return next(frames, None)


def _messages(file: Any, length: int, version: int, id: str) -> Iterator[bytes]:
    """A stored patch as messages, which close its file."""
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

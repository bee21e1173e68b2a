"""The gRPC server behind ``jellybridge serve``. It passes frames as bytes."""

from __future__ import annotations

import asyncio
import hmac
import logging
import os
import re
import signal
import tempfile
import time
from contextlib import asynccontextmanager, suppress
from typing import Any, AsyncIterator, Awaitable, Callable, Dict, List, Optional, Sequence, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from .._errors import JellybridgeError, PatchFormatError, TextFormatError, UnreachableError
from .._locations import TDB2, absolute
from .._log import LogConflictError
from ..proto import grpc_pb2, jellybridge_pb2 as messages
from ._config import Config
from ._frames import delimited, read_frames
from ._options import patch_options, rdf_options
from ._topics import Damaged, DatasetTopic, LogTopic, NotFound, OutOfRange, Topic

RDF_SERVICE = "eu.ostrzyciel.jelly.core.proto.v1.RdfStreamService"
PATCH_SERVICE = "io.jellybridge.proto.RdfPatchStreamService"
_LOG = logging.getLogger("jellybridge.serve")
_SLACK = 1 << 10
T = TypeVar("T")
Code = grpc.StatusCode


class _Refusal(Exception):
    def __init__(self, code: Any, message: str) -> None:
        super().__init__(message)
        self.code = code


#: The status for each class of error. The first match counts.
_CODES = (
    (LogConflictError, Code.ABORTED),
    (PatchFormatError, Code.INVALID_ARGUMENT),
    (TextFormatError, Code.INVALID_ARGUMENT),
    (UnreachableError, Code.UNAVAILABLE),
    (JellybridgeError, Code.FAILED_PRECONDITION),
    (OutOfRange, Code.OUT_OF_RANGE),
    (NotFound, Code.NOT_FOUND),
    (Damaged, Code.DATA_LOSS),
    (ValueError, Code.INVALID_ARGUMENT),
    (DecodeError, Code.INVALID_ARGUMENT),
)


def _refusal(error: BaseException) -> _Refusal:
    if isinstance(error, _Refusal):
        return error
    for kind, code in _CODES:
        if isinstance(error, kind):
            return _Refusal(code, str(error))
    _LOG.error("a call failed", exc_info=error)
    return _Refusal(Code.INTERNAL, f"{type(error).__name__}: see the server's log")


# A path of this machine without its last name. A path inside an IRI or URL does not match, since it follows no space or quote.
_FOLDERS = re.compile(r"(?<![^\s'\"(\[=])/(?:[^\s/:;,'\"<>]+/)+(?=[^\s/])")


def _without_folders(text: str, folders: Sequence[str]) -> str:
    """Removes folders from a message for a client. The names of files remain.

    Args:
        text: the message.
        folders: the served folders, whose names may contain spaces.
    """
    for folder in sorted(folders, key=len, reverse=True):
        text = text.replace(folder + os.sep, "").replace(folder, os.path.basename(folder))
    return _FOLDERS.sub("", text)


def _served_folders(config: Config) -> List[str]:
    """Returns the temporary folder and the local folders of logs and databases, under each name that Java may use for them."""
    addresses = [topic.log or (topic.dataset or "").removeprefix(TDB2) for topic in config.topics.values()
                 if topic.log is not None or (topic.dataset or "").startswith(TDB2)]
    folders = [absolute(address) for address in addresses if "://" not in address]
    return [name for folder in [*folders, tempfile.gettempdir()] for name in {folder, os.path.realpath(folder)}]


@asynccontextmanager
async def _stored() -> AsyncIterator[None]:
    """Reports format errors as damage of the stored data, since the client sent none."""
    try:
        yield
    except PatchFormatError as e:
        raise _Refusal(Code.DATA_LOSS, str(e)) from None


class _Call:
    """The counters of a running call."""

    def __init__(self) -> None:
        self.topic = "-"
        self.frames = 0
        self.bytes = 0

    def moved(self, message: bytes) -> None:
        self.frames += 1
        self.bytes += len(message)


class _Token(grpc.aio.ServerInterceptor):  # type: ignore[misc]
    """Requires a token in all calls except health checks."""

    def __init__(self, token: str) -> None:
        self._token = f"Bearer {token}".encode()

    async def intercept_service(self, continuation: Any, details: Any) -> Any:
        given = dict(details.invocation_metadata or ()).get("authorization", "")
        given = given if isinstance(given, bytes) else given.encode()
        if details.method.startswith("/grpc.health.") or hmac.compare_digest(given, self._token):
            return await continuation(details)

        async def refuse(requests: Any, context: Any) -> None:
            _LOG.info("%s %s peer=%s UNAUTHENTICATED", details.method.rpartition("/")[2], "-", context.peer())
            await context.abort(Code.UNAUTHENTICATED, "send the server's token as metadata: authorization: Bearer TOKEN")

        return grpc.stream_stream_rpc_method_handler(refuse)


class _Metrics:
    """The metrics for Prometheus."""

    def __init__(self, address: str) -> None:
        try:
            from prometheus_client import CollectorRegistry, Counter, Gauge, start_http_server
        except ImportError:
            raise JellybridgeError('prometheus_client is missing: pip install "jellybridge[grpc]"') from None
        registry = CollectorRegistry()
        labels = ("method", "topic")
        self.calls = Counter("jellybridge_calls", "Calls that ended", (*labels, "code"), registry=registry)
        self.frames = Counter("jellybridge_frames", "Frames in and out", labels, registry=registry)
        self.bytes = Counter("jellybridge_bytes", "Bytes of frames in and out", labels, registry=registry)
        self.open = Gauge("jellybridge_open_calls", "Calls under way", registry=registry)
        host, _, port = address.rpartition(":")
        self.server, _ = start_http_server(int(port), host.strip("[]"), registry)

    def ended(self, method: str, call: _Call, code: Any) -> None:
        self.calls.labels(method, call.topic, code.name).inc()
        self.frames.labels(method, call.topic).inc(call.frames)
        self.bytes.labels(method, call.topic).inc(call.bytes)


class Server:
    """A server in the current event loop.

    Args:
        config: its configuration.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._folders = _served_folders(config)
        self._closing = asyncio.Event()
        self._topics: Dict[str, Topic] = {}
        self._watchers: "list[asyncio.Task[None]]" = []
        self._metrics = _Metrics(config.metrics) if config.metrics else None
        self._server: Any = None
        self._health: Any = None

    async def start(self) -> int:
        """Opens the topics and listens.

        Returns:
            The port.

        Raises:
            JellybridgeError: a topic can't be opened, or the address can't be used.
        """
        config = self._config
        for name, topic in config.topics.items():
            self._topics[name] = (LogTopic(name, topic.log) if topic.log is not None
                                  else DatasetTopic(name, str(topic.dataset)))
        milliseconds = int(config.keepalive_seconds * 1000)
        self._server = grpc.aio.server(
            interceptors=[_Token(_secret(config.token_file))] if config.token_file else [],
            maximum_concurrent_rpcs=config.max_calls,
            options=[
                ("grpc.max_receive_message_length", config.max_frame_bytes + _SLACK),
                ("grpc.max_send_message_length", config.max_frame_bytes + _SLACK),
                ("grpc.keepalive_time_ms", milliseconds),
                ("grpc.keepalive_timeout_ms", milliseconds),
                ("grpc.http2.min_ping_interval_without_data_ms", 5000),
                ("grpc.so_reuseport", 0),
                # Without this, gRPC randomly rejects some of a thousand simultaneous calls.
                ("grpc.server.max_pending_requests", config.max_calls),
                ("grpc.server.max_pending_requests_hard_limit", config.max_calls),
            ],
        )
        self._server.add_generic_rpc_handlers((
            grpc.method_handlers_generic_handler(RDF_SERVICE, {
                "SubscribeRdf": grpc.unary_stream_rpc_method_handler(self._subscribe_rdf),
                "PublishRdf": grpc.stream_unary_rpc_method_handler(self._publish_rdf),
            }),
            grpc.method_handlers_generic_handler(PATCH_SERVICE, {
                "GetHead": grpc.unary_unary_rpc_method_handler(self._head),
                "SubscribePatch": grpc.unary_stream_rpc_method_handler(self._subscribe_patch),
                "PublishPatch": grpc.stream_unary_rpc_method_handler(self._publish_patch),
            }),
        ))
        self._health = await _add_health_and_reflection(self._server)
        try:
            port = (self._server.add_secure_port(config.listen, _tls(config)) if config.tls_certificate
                    else self._server.add_insecure_port(config.listen))
        except RuntimeError:
            port = 0
        if not port:
            raise JellybridgeError(f"{config.listen}: can't be listened at; the address is taken, or is none of this machine")
        await self._server.start()
        self._watchers = [asyncio.create_task(self._watch(topic)) for topic in self._topics.values()
                          if isinstance(topic, LogTopic)]
        return int(port)

    async def stop(self) -> None:
        """Stops the server: rejects new calls, tells subscribers to come again, and lets running uploads complete."""
        self._closing.set()
        if self._health is not None:
            await self._health.enter_graceful_shutdown()
        for topic in self._topics.values():
            if isinstance(topic, LogTopic):
                await topic.wake()
        if self._server is not None:
            await self._server.stop(self._config.grace_seconds)
        for watcher in self._watchers:
            watcher.cancel()
        for topic in self._topics.values():
            await topic.close()
        if self._metrics is not None:
            self._metrics.server.shutdown()

    async def _watch(self, topic: LogTopic) -> None:
        said = ""
        while True:
            await asyncio.sleep(self._config.poll_seconds)
            try:
                await topic.look()
                said = ""
            except Exception as e:
                if str(e) != said:
                    said = str(e)
                    _LOG.warning("the log %s can't be looked at: %s", topic.name, e)

    # --- calls

    @asynccontextmanager
    async def _call(self, method: str, context: Any) -> AsyncIterator[_Call]:
        """Turns errors into statuses, and logs one line for each call."""
        call, code, started, why = _Call(), Code.OK, time.monotonic(), ""
        if self._metrics is not None:
            self._metrics.open.inc()
        try:
            yield call
        except asyncio.CancelledError:
            code = Code.CANCELLED
            raise
        except Exception as e:
            refusal = _refusal(e)
            code, why = refusal.code, f" {refusal}"
            await context.abort(code, _without_folders(str(refusal), self._folders))
        finally:
            if self._metrics is not None:
                self._metrics.open.dec()
                self._metrics.ended(method, call, code)
            _LOG.info("%s %s peer=%s %s frames=%d bytes=%d seconds=%.3f%s", method, call.topic, context.peer(), code.name,
                      call.frames, call.bytes, time.monotonic() - started, why)

    def _topic(self, call: _Call, name: str) -> Topic:
        if name not in self._topics:
            raise _Refusal(Code.NOT_FOUND, f"there is no topic {name!r} here")
        call.topic = name
        return self._topics[name]

    def _log(self, call: _Call, name: str) -> LogTopic:
        topic = self._topic(call, name)
        if not isinstance(topic, LogTopic):
            raise _Refusal(Code.FAILED_PRECONDITION, f"the topic {name} is a dataset; patches are of a log")
        return topic

    async def _in_time(self, work: Awaitable[T], what: str) -> T:
        """Waits with a time limit, like ``asyncio.wait_for`` but without a task per frame, which would take longer than the
        frame.
        """
        task, expired = asyncio.current_task(), False

        def expire() -> None:
            nonlocal expired
            expired = True
            if task is not None:
                task.cancel()

        timer = asyncio.get_running_loop().call_later(self._config.idle_seconds, expire)
        try:
            return await work
        except asyncio.CancelledError:
            if not expired:
                raise
            raise _Refusal(Code.DEADLINE_EXCEEDED,
                           f"the client has {what} nothing for {self._config.idle_seconds:g} seconds") from None
        finally:
            timer.cancel()

    async def _send(self, context: Any, call: _Call, message: bytes) -> None:
        if len(message) > self._config.max_frame_bytes + _SLACK:
            raise _Refusal(Code.RESOURCE_EXHAUSTED, f"a frame has {len(message)} bytes, and the server sends at most "
                           f"{self._config.max_frame_bytes}; raise its max_frame_bytes")
        await self._in_time(context.write(message), "taken")
        call.moved(message)

    async def _head(self, request: bytes, context: Any) -> Optional[bytes]:
        async with self._call("GetHead", context) as call:
            head = await self._log(call, messages.RdfPatchTopic.FromString(request).topic).look()
            return bytes(head.SerializeToString())
        return None

    async def _subscribe_rdf(self, request: bytes, context: Any) -> None:
        async with self._call("SubscribeRdf", context) as call, _stored():
            asked = grpc_pb2.RdfStreamSubscribe.FromString(request)
            topic = self._topic(call, asked.topic)
            requested = asked.requested_options if asked.HasField("requested_options") else None
            async with topic.snapshot(requested) as snapshot:
                frames = read_frames(snapshot)
                while (frame := await asyncio.to_thread(next, frames, None)) is not None:
                    await self._send(context, call, frame)

    async def _subscribe_patch(self, request: bytes, context: Any) -> None:
        async with self._call("SubscribePatch", context) as call, _stored():
            asked = messages.RdfPatchSubscribe.FromString(request)
            requested = asked.requested_options if asked.HasField("requested_options") else None
            topic = self._log(call, asked.topic)
            generation, behind = await topic.behind(asked)
            end = asked.to_version or None
            if asked.until_head:
                end = min(end or topic.head.version, topic.head.version)
            if behind is None:
                behind = 0
                async for message in topic.checkpoint(asked.to_version):
                    await self._send(context, call, message)
                    behind = messages.RdfPatchDelivery.FromString(message).version
            while True:
                topic.require(generation)
                while behind < min(topic.head.version, topic.head.version if end is None else end):
                    async for message in topic.patch(behind + 1, requested):
                        topic.require(generation)
                        await self._send(context, call, message)
                    behind += 1
                    topic.require(generation)
                if end is not None and behind >= end:
                    return
                await topic.wait(behind, generation, self._closing)
                if self._closing.is_set():
                    raise _Refusal(Code.UNAVAILABLE, f"the server ends; subscribe again after version {behind}")

    async def _publish_rdf(self, requests: Any, context: Any) -> Optional[bytes]:
        async with self._call("PublishRdf", context) as call:
            named = dict(context.invocation_metadata() or ()).get("topic")
            topic: Optional[Topic] = None

            def frame_of(message: bytes, first: bool) -> bytes:
                nonlocal topic
                if first:
                    options = rdf_options(message)
                    topic = self._topic(call, str(named or options.stream_name))
                return message

            file = await self._receive(context, call, frame_of, ".jelly")
            if not isinstance(topic, DatasetTopic):
                os.remove(file)
                raise _Refusal(Code.FAILED_PRECONDITION, f"the topic {call.topic} is a log, which takes patches")
            await topic.load(file)
            return bytes(grpc_pb2.RdfStreamReceived().SerializeToString())
        return None

    async def _publish_patch(self, requests: Any, context: Any) -> Optional[bytes]:
        async with self._call("PublishPatch", context) as call:
            begun: Any = None

            def frame_of(message: bytes, first: bool) -> bytes:
                nonlocal begun
                sent = messages.RdfPatchPublish.FromString(message)
                if first:
                    begun = sent
                    self._log(call, sent.topic)
                    patch_options(sent.frame)
                return bytes(sent.frame)

            file = await self._receive(context, call, frame_of, ".jellyp")
            prev = begun.prev if begun.HasField("prev") else None
            made = await self._log(call, begun.topic).append(file, prev)
            return bytes(messages.RdfPatchReceived(version=made.version, id=made.id or "").SerializeToString())
        return None

    async def _receive(
        self, context: Any, call: _Call, frame_of: Callable[[bytes, bool], bytes], suffix: str
    ) -> str:
        """Writes the frames from a client to a temporary file. Deletes the file if the stream does not complete."""
        handle, file = tempfile.mkstemp(prefix="jellybridge-", suffix=suffix)
        try:
            with os.fdopen(handle, "wb") as out:
                while (message := await self._in_time(context.read(), "sent")) is not grpc.aio.EOF:
                    out.write(delimited(frame_of(message, call.frames == 0)))
                    call.moved(message)
                    if call.bytes > self._config.max_stream_bytes:
                        raise _Refusal(Code.RESOURCE_EXHAUSTED, "the stream has more than the "
                                       f"{self._config.max_stream_bytes} bytes that the server takes; send several")
            # A vanished client looks like one that has sent everything. But sending to it fails.
            await context.send_initial_metadata(())
            if call.frames == 0:
                raise ValueError("the stream is empty; its first row must be options")
            return file
        except BaseException:
            os.remove(file)
            raise


async def _add_health_and_reflection(server: Any) -> Any:
    try:
        from grpc_health.v1 import health, health_pb2, health_pb2_grpc
        from grpc_reflection.v1alpha import reflection
    except ImportError as e:
        raise JellybridgeError(f'{e.name} is missing: pip install "jellybridge[grpc]"') from None
    servicer = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    for service in (RDF_SERVICE, PATCH_SERVICE, ""):
        await servicer.set(service, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection((RDF_SERVICE, PATCH_SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    return servicer


def _secret(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        token = file.read().strip()
    if not token:
        raise ValueError(f"{path} holds no token")
    return token


def _tls(config: Config) -> Any:
    def content(path: Optional[str]) -> Optional[bytes]:
        if path is None:
            return None
        with open(path, "rb") as file:
            return file.read()

    authority = content(config.tls_client_authority)
    return grpc.ssl_server_credentials([(content(config.tls_key), content(config.tls_certificate))], authority,
                                       authority is not None)


async def run(config: Config, ready: Callable[[int], None]) -> None:
    """Serves until the process gets a request to terminate.

    Args:
        config: the configuration.
        ready: called with the port once the server listens.
    """
    server, ended = Server(config), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError, ValueError):  # not on Windows, and in the main thread only
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    try:
        ready(await server.start())
        await ended.wait()
    finally:
        await server.stop()

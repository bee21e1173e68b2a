"""The gRPC client. It passes frames as bytes, without decoding them."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, AsyncIterator, Iterable, Iterator, List, Optional, Type

import grpc
import grpc.aio

from .._errors import JellybridgeError, UnreachableError
from .._locations import Closing
from .._log import LogConflictError, LogHead
from .._redaction import printable
from .._terms import as_id, as_place
from ..proto import grpc_pb2, jellybridge_pb2 as messages
from ._frames import PathLike

_RDF = "/eu.ostrzyciel.jelly.core.proto.v1.RdfStreamService/"
_PATCH = "/io.jellybridge.proto.RdfPatchStreamService/"
_SLACK = 1 << 10
_SCHEMES = {"grpc://": False, "grpcs://": True}


@dataclass(frozen=True)
class Credentials:
    """The credentials of a client, and the certificates that it trusts."""

    #: A bearer token, sent as metadata; ``None`` = none.
    token: Optional[str] = None
    #: A PEM file of the certificates that vouch for the server; ``None`` = those of the system.
    authority: Optional[PathLike] = None
    #: PEM files with the client's certificate and its key, if the server requires one.
    certificate: Optional[PathLike] = None
    certificate_key: Optional[PathLike] = None

    def __repr__(self) -> str:
        return "Credentials(…)"


@dataclass(frozen=True)
class Delivery:
    """A frame of a patch or of a checkpoint."""

    version: int
    #: The id of the patch.
    id: str
    #: The bytes of an ``RdfPatchFrame``; if ``is_state``, of an ``RdfStreamFrame``.
    frame: bytes
    #: True for the last frame of the patch or the checkpoint.
    last: bool
    #: True for a frame of a checkpoint, which is the state after all patches up to the version.
    is_state: bool = False
    #: For a checkpoint, the number of the stream, from 0.
    part: int = 0
    #: For the first frame of a checkpoint, its ``checkpoint.json``.
    checkpoint: Optional[str] = None


class _Calls:
    """The methods of a channel, with their common arguments."""

    def __init__(self, channel: Any, credentials: Credentials, timeout: Optional[float]) -> None:
        self.channel = channel
        self.how = {"timeout": timeout, "metadata": (("authorization", f"Bearer {credentials.token}"),)
                    if credentials.token else ()}
        self.subscribe_rdf = channel.unary_stream(_RDF + "SubscribeRdf")
        self.publish_rdf = channel.stream_unary(_RDF + "PublishRdf")
        self.head = channel.unary_unary(_PATCH + "GetHead")
        self.subscribe = channel.unary_stream(_PATCH + "SubscribePatch")
        self.publish = channel.stream_unary(_PATCH + "PublishPatch")

    def to_topic(self, topic: str) -> Any:
        return {**self.how, "metadata": (*self.how["metadata"], ("topic", topic))}  # type: ignore[misc]


def _channel(kind: Any, target: str, credentials: Credentials, max_frame_bytes: int) -> Any:
    scheme = next((one for one in _SCHEMES if target.startswith(one)), None)
    if scheme is None or "/" in target[len(scheme):].rstrip("/"):
        raise ValueError(f"{target} is no server; write grpc://host:port, or grpcs://host:port for one with TLS")
    address = target[len(scheme):].rstrip("/")
    options = [("grpc.max_receive_message_length", max_frame_bytes + _SLACK),
               ("grpc.max_send_message_length", max_frame_bytes + _SLACK),
               ("grpc.keepalive_time_ms", 30_000)]
    if _SCHEMES[scheme]:
        return kind.secure_channel(address, grpc.ssl_channel_credentials(
            *(_content(path) for path in (credentials.authority, credentials.certificate_key, credentials.certificate))), options)
    if credentials.token and not address.startswith(("127.0.0.1:", "localhost:", "[::1]:")):
        raise ValueError(f"{target} has no TLS: the token would go over the network for everybody to read; write grpcs://")
    return kind.insecure_channel(address, options)


def _content(path: Optional[PathLike]) -> Optional[bytes]:
    if path is None:
        return None
    with open(path, "rb") as file:
        return file.read()


@contextmanager
def _errors() -> Iterator[None]:
    try:
        yield
    except grpc.RpcError as e:
        code, text = e.code(), printable(e.details() or "")
        if code == grpc.StatusCode.ABORTED:
            raise LogConflictError(text) from None
        kind = (UnreachableError if code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
                else JellybridgeError)
        raise kind(f"{code.name}: {text}") from None


@contextmanager
def _sending(messages: Iterable[bytes]) -> Iterator[Iterator[bytes]]:
    """Converts errors of a call that sends messages. An error of the messages themselves ends the call, and is raised
    unchanged.
    """
    failed: List[BaseException] = []

    def sent() -> Iterator[bytes]:
        try:
            yield from messages
        except BaseException as e:
            failed.append(e)
            raise

    try:
        with _errors():
            yield sent()
    except JellybridgeError:
        if failed:
            raise failed[0] from None
        raise


def _delivery(message: bytes) -> Delivery:
    got = messages.RdfPatchDelivery.FromString(message)
    is_state = got.WhichOneof("frame") == "state"
    return Delivery(got.version, got.id, got.state if is_state else got.patch, got.last, is_state, got.part,
                    got.checkpoint or None)


def _subscription(
    topic: str, after_version: Optional[int], after_id: Optional[str], from_id: Optional[str], until_head: bool, options: Any
) -> bytes:
    ids = {name: as_id(name, value) for name, value in (("after_id", after_id), ("from_id", from_id)) if value is not None}
    given: Any = ids if after_version is None else {"after_version": after_version, **ids}
    if len(given) > 1:
        raise ValueError(f"give only one of {', '.join(given)}")
    return bytes(messages.RdfPatchSubscribe(topic=topic, until_head=until_head, requested_options=options, **given)
                 .SerializeToString())


def _sent(topic: str, prev: Optional[str], number: int, frame: bytes) -> bytes:
    first = {"topic": topic, "prev": prev} if number == 0 else {}
    return bytes(messages.RdfPatchPublish(frame=frame, **first).SerializeToString())


def _head(message: bytes) -> LogHead:
    got = messages.RdfPatchHead.FromString(message)
    return LogHead(got.version, got.id or None, got.chain or None)


def _received(message: bytes) -> LogHead:
    got = messages.RdfPatchReceived.FromString(message)
    return LogHead(got.version, got.id or None)


class Client(Closing):
    """A client for Jelly's streaming protocol. Patches need a jellybridge server. A context manager; any number of threads may
    use it.

    Args:
        target: ``grpc://host:port``, or ``grpcs://host:port`` with TLS.
        credentials: the credentials.
        timeout: the time limit of a whole call in seconds; ``None`` = no limit, for subscriptions that follow a log.
        max_frame_bytes: the largest frame to receive and send.

    All calls raise:
        UnreachableError: the server can't be reached, stops, or does not answer in time.
        LogConflictError: a patch was to follow a patch that is not the head of the log.
        JellybridgeError: the server rejects the call. The message begins with the status.
    """

    def __init__(
        self, target: str, *, credentials: Credentials = Credentials(), timeout: Optional[float] = None,
        max_frame_bytes: int = 4 << 20,
    ) -> None:
        self._calls = _Calls(_channel(grpc, target, credentials, max_frame_bytes), credentials, timeout)

    def subscribe_rdf(self, topic: str, options: Any = None) -> Iterator[bytes]:
        """Yields the frames of a topic of RDF.

        Args:
            topic: the name of the topic.
            options: the requested stream options, ``jellybridge.proto.rdf_pb2.RdfStreamOptions``.
        """
        request = grpc_pb2.RdfStreamSubscribe(topic=topic, requested_options=options).SerializeToString()
        with _errors():
            yield from self._calls.subscribe_rdf(request, **self._calls.how)

    def publish_rdf(self, topic: str, frames: Iterable[bytes]) -> None:
        """Adds a stream of RDF to a dataset in one transaction, which is committed when the call returns."""
        with _sending(frames) as sent:
            self._calls.publish_rdf(sent, **self._calls.to_topic(topic))

    def head(self, topic: str) -> LogHead:
        """Returns the newest patch of a log."""
        request = messages.RdfPatchTopic(topic=topic).SerializeToString()
        with _errors():
            return _head(self._calls.head(request, **self._calls.how))

    def subscribe(
        self, topic: str, *, after_version: Optional[int] = None, after_id: Optional[str] = None,
        from_id: Optional[str] = None, until_head: bool = False, options: Any = None,
    ) -> Iterator[Delivery]:
        """Yields the patches of a log, and then new ones as they are appended.

        Args:
            topic: the name of the topic.
            after_version: start after this version. Without any start position, start with the newest checkpoint if there is
                one, else with the first patch.
            after_id: start after the patch with this id.
            from_id: start with the patch with this id.
            until_head: stop at the patch that is the head now.
            options: the requested stream options, ``jellybridge.proto.patch_pb2.RdfPatchOptions``.
        """
        request = _subscription(topic, after_version, after_id, from_id, until_head, options)
        call = self._calls.subscribe(request, **self._calls.how)
        try:
            with _errors():
                for message in call:
                    yield _delivery(message)
        finally:
            call.cancel()

    def publish(self, topic: str, frames: Iterable[bytes], *, prev: Optional[str] = None) -> LogHead:
        """Appends patches to a log like :meth:`PatchLog.append`. They are on the server's disk when the call returns.

        Args:
            topic: the name of the log.
            frames: the frames of a stream of patches.
            prev: the id or the ``chain`` of the patch that the first one follows; ``""`` = the first one is the first of the log;
                ``None`` = the id in its header ``prev``, else the head.

        Returns:
            The last patch.
        """
        prev = as_place(prev)
        with _sending(_sent(topic, prev, number, frame) for number, frame in enumerate(frames)) as sent:
            return _received(self._calls.publish(sent, **self._calls.how))

    def close(self) -> None:
        """Ends all calls."""
        self._calls.channel.close()


async def _upload(call: Any, sent: Iterable[bytes]) -> bytes:
    """Sends the messages of a call, and returns its answer. An error of the messages ends the call, and is raised unchanged."""
    ended: List[grpc.aio.AioRpcError] = []
    call.add_done_callback(lambda done: ended.append(_status(done)))
    try:
        for message in sent:
            try:
                await call.write(message)
            except (asyncio.InvalidStateError, grpc.RpcError):
                break  # the server has ended the call, and its answer says why
        else:
            await call.done_writing()
    except BaseException:
        call.cancel()
        raise
    try:
        return bytes(await call)
    except grpc.RpcError as e:
        # A write that fails as the status arrives replaces it by INTERNAL.
        raise ended[0] if ended and e.code() == grpc.StatusCode.INTERNAL else e


def _status(call: Any) -> grpc.aio.AioRpcError:
    """Returns the status of a call that has just ended, without waiting."""
    found = []
    for value in (call.code(), call.details()):
        try:
            value.send(None)
        except StopIteration as e:
            found.append(e.value)
    code, details = found
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), details)


class AsyncClient:
    """The same client as :class:`Client`, for asyncio."""

    def __init__(
        self, target: str, *, credentials: Credentials = Credentials(), timeout: Optional[float] = None,
        max_frame_bytes: int = 4 << 20,
    ) -> None:
        self._calls = _Calls(_channel(grpc.aio, target, credentials, max_frame_bytes), credentials, timeout)

    async def subscribe_rdf(self, topic: str, options: Any = None) -> AsyncIterator[bytes]:
        """See :meth:`Client.subscribe_rdf`."""
        request = grpc_pb2.RdfStreamSubscribe(topic=topic, requested_options=options).SerializeToString()
        with _errors():
            async for frame in self._calls.subscribe_rdf(request, **self._calls.how):
                yield frame

    async def publish_rdf(self, topic: str, frames: Iterable[bytes]) -> None:
        """See :meth:`Client.publish_rdf`."""
        with _errors():
            await _upload(self._calls.publish_rdf(**self._calls.to_topic(topic)), frames)

    async def head(self, topic: str) -> LogHead:
        """See :meth:`Client.head`."""
        request = messages.RdfPatchTopic(topic=topic).SerializeToString()
        with _errors():
            return _head(await self._calls.head(request, **self._calls.how))

    async def subscribe(
        self, topic: str, *, after_version: Optional[int] = None, after_id: Optional[str] = None,
        from_id: Optional[str] = None, until_head: bool = False, options: Any = None,
    ) -> AsyncIterator[Delivery]:
        """See :meth:`Client.subscribe`."""
        request = _subscription(topic, after_version, after_id, from_id, until_head, options)
        call = self._calls.subscribe(request, **self._calls.how)
        try:
            with _errors():
                async for message in call:
                    yield _delivery(message)
        finally:
            call.cancel()

    async def publish(self, topic: str, frames: Iterable[bytes], *, prev: Optional[str] = None) -> LogHead:
        """See :meth:`Client.publish`."""
        prev = as_place(prev)
        sent = (_sent(topic, prev, number, frame) for number, frame in enumerate(frames))
        with _errors():
            return _received(await _upload(self._calls.publish(**self._calls.how), sent))

    async def close(self) -> None:
        """Ends all calls."""
        await self._calls.channel.close()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

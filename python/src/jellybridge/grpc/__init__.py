"""Jelly's streaming protocol over gRPC, for RDF streams and patch logs. This package has the client, ``jellybridge serve`` is
the server.

Needs ``pip install "jellybridge[grpc]"``. See ``docs/grpc.md``.
"""

from .._errors import JellybridgeError

try:
    import google.protobuf  # noqa: F401
    import grpc as _grpc  # noqa: F401
except ImportError:
    raise JellybridgeError(
        'gRPC needs the packages grpcio and protobuf, of which one is missing: pip install "jellybridge[grpc]"'
    ) from None

from ._client import AsyncClient, Client, Credentials, Delivery
from ._frames import read_frames, write_frames

__all__ = ["AsyncClient", "Client", "Credentials", "Delivery", "read_frames", "write_frames"]

"""A log behind gRPC as a source of patches."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Mapping, Optional

from ._client import Client, Credentials

_OPTIONS = ("token", "token_file", "authority", "certificate", "key", "timeout")


@contextmanager
def fetched(address: str, position: Optional[str], options: Optional[Mapping[str, Any]]) -> Iterator[str]:
    """A temporary folder with a log, from the patch on that a dataset is at.

    Args:
        address: ``grpc://host:port/TOPIC``.
        position: where the dataset is; ``None`` = nowhere.
        options: ``token`` or ``token_file``; ``authority``, ``certificate`` and ``key``, which are files; ``timeout``.
    """
    server, _, topic = address.rpartition("/")
    if not topic or server.endswith("/"):
        raise ValueError(f"{address} is no address of a log; write grpc://host:port/TOPIC")
    given: Dict[str, Any] = dict(options or {})
    for name in given:
        if name not in _OPTIONS:
            raise ValueError(f"{name} is no option of a log behind gRPC: {', '.join(_OPTIONS)}")
    timeout = given.pop("timeout", 600)
    if "token_file" in given:
        with open(given.pop("token_file"), encoding="utf-8") as file:
            given["token"] = file.read().strip()
    credentials = Credentials(**given)
    with tempfile.TemporaryDirectory(prefix="jellybridge-") as folder, Client(
        server, credentials=credentials, timeout=float(timeout)
    ) as client:
        log = os.path.join(folder, topic)
        client.mirror(topic, log, position)
        yield log

"""The configuration file of a server: its topics, addresses and limits."""

from __future__ import annotations

import configparser
import ipaddress
import os
import re
from dataclasses import dataclass, field, fields
from typing import Any, Dict, Mapping, Optional

from .._locations import TDB2

_SERVER = "server"
_TOPIC = "topic "


@dataclass(frozen=True)
class Topic:
    """A topic, which is either a dataset or a log."""

    dataset: Optional[str] = None
    log: Optional[str] = None


@dataclass(frozen=True)
class Config:
    """The configuration of a server. Relative paths start at the folder of the configuration file."""

    topics: Mapping[str, Topic] = field(default_factory=dict)
    #: The address to listen on; port 0 = any free port.
    listen: str = "127.0.0.1:7878"
    #: PEM files of the certificate and its key. Without them there is no TLS, and the server listens on loopback only.
    tls_certificate: Optional[str] = None
    tls_key: Optional[str] = None
    #: A PEM file of an authority. Clients then need a certificate from it.
    tls_client_authority: Optional[str] = None
    #: A file with the token that clients must send.
    token_file: Optional[str] = None
    #: Allow to listen without TLS on addresses other than loopback.
    insecure: bool = False
    max_frame_bytes: int = 4 << 20
    #: The largest size of a published stream.
    max_stream_bytes: int = 1 << 30
    #: The largest number of concurrent calls.
    max_calls: int = 4000
    #: The longest time in which a subscriber reads nothing or a publisher sends nothing.
    idle_seconds: float = 60.0
    #: The interval in which a log is checked for new patches of other writers.
    poll_seconds: float = 0.25
    keepalive_seconds: float = 30.0
    #: The time that running calls get when the server stops.
    grace_seconds: float = 10.0
    #: The address for Prometheus metrics, such as ``127.0.0.1:9100``.
    metrics: Optional[str] = None


def read_config(path: str) -> Config:
    """Reads a configuration file.

    Raises:
        ValueError: the file is not valid; the message says where and why.
        FileNotFoundError: there is no such file.
    """
    parser = configparser.ConfigParser(interpolation=None, default_section="")
    with open(path, encoding="utf-8") as file:
        try:
            parser.read_file(file)
        except configparser.Error as e:
            raise ValueError(" ".join(str(e).split())) from None
    folder = os.path.dirname(os.path.abspath(path))
    values: Dict[str, Any] = {}
    topics: Dict[str, Topic] = {}
    for section in parser.sections():
        given = dict(parser[section])
        if section == _SERVER:
            values = {name: _value(path, name, text, folder) for name, text in given.items()}
        elif section.startswith(_TOPIC) and section[len(_TOPIC):].strip():
            topics[section[len(_TOPIC):].strip()] = _topic(path, section, given, folder)
        else:
            raise ValueError(f"{path}: there is no section [{section}]; write [server] and [topic NAME]")
    config = Config(topics=topics, **values)
    _check(path, config)
    return config


def _topic(path: str, section: str, given: Dict[str, str], folder: str) -> Topic:
    if len(given) != 1 or not given.keys() <= {"dataset", "log"}:
        raise ValueError(f"{path}: [{section}] has {', '.join(given) or 'nothing'}; give it one line, dataset = … or log = …")
    kind, = given
    address = given[kind]
    if kind == "log":
        return Topic(log=os.path.join(folder, address))
    if address.startswith(TDB2):
        address = TDB2 + os.path.join(folder, address[len(TDB2):])
    return Topic(dataset=address)


def _value(path: str, name: str, text: str, folder: str) -> Any:
    kinds: Dict[str, Any] = {one.name: type(one.default) for one in fields(Config) if one.name != "topics"}
    if name not in kinds:
        raise ValueError(f"{path}: [server] has {name}; what it may have is {', '.join(kinds)}")
    if kinds[name] is bool:
        if text not in ("true", "false"):
            raise ValueError(f"{path}: {name} = {text}: must be true or false")
        return text == "true"
    if kinds[name] in (int, float):
        try:
            number = kinds[name](text)
        except ValueError:
            number = 0
        if not 0 < number < 1 << 31:
            raise ValueError(f"{path}: {name} = {text}: must be a number above 0")
        return number
    return os.path.join(folder, text) if name.startswith("tls_") or name == "token_file" else text


def _check(path: str, config: Config) -> None:
    if not config.topics:
        raise ValueError(f"{path}: there is no topic; write a section [topic NAME] with dataset = … or log = …")
    if (config.tls_certificate is None) != (config.tls_key is None):
        raise ValueError(f"{path}: tls_certificate and tls_key go together")
    if config.tls_client_authority and not config.tls_certificate:
        raise ValueError(f"{path}: tls_client_authority goes with tls_certificate and tls_key")
    for name, address in (("listen", config.listen), ("metrics", config.metrics)):
        if address is not None and not re.fullmatch(r".*:[0-9]{1,5}", address):
            raise ValueError(f"{path}: {name} = {address}: the port is missing; write it as 127.0.0.1:7878")
    if not config.tls_certificate and not config.insecure and not is_loopback(config.listen):
        raise ValueError(f"{path}: listen = {config.listen} is open to other machines, and there is no TLS; give "
                         "tls_certificate and tls_key, or insecure = true")
    if config.metrics is not None and not config.insecure and not is_loopback(config.metrics):
        raise ValueError(f"{path}: metrics = {config.metrics} is open to other machines, and without TLS or a token in any case; "
                         "give an address of this one, as 127.0.0.1:9100, or insecure = true")


def is_loopback(address: str) -> bool:
    """Returns whether an address with a port belongs to the loopback interface."""
    host = address.rpartition(":")[0].strip("[]")
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

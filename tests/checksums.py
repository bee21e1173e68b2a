"""The checksums of frames (docs/checksums.md), for tests that change a file on purpose."""

from __future__ import annotations

#: The key of the field, and what the field takes.
KEY = b"\xcd\x3e"
FIELD_BYTES = 6


def crc32c(data: bytes) -> int:
    """The checksum of RFC 3720, bit by bit."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


def checksum(content: bytes) -> bytes:
    """The field that ends a frame of these bytes."""
    return KEY + crc32c(content).to_bytes(4, "little")


def renewed(file: bytes) -> bytes:
    """A delimited file whose frames have the checksums of what they hold now."""
    made = b""
    while len(made) < len(file):
        at, length, shift = len(made), 0, 0
        while True:
            byte = file[at]
            at, length, shift = at + 1, length | (byte & 0x7F) << shift, shift + 7
            if byte < 0x80:
                break
        content = file[at : at + length - FIELD_BYTES]
        made += file[len(made) : at] + content + checksum(content)
    return made

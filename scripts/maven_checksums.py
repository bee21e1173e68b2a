"""Turns a folder that Gradle published to as a local repository into a remote one: files of checksums, and names of indexes."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

_LOCAL = "maven-metadata-local.xml"


def main(repository: Path) -> None:
    for index in repository.rglob(_LOCAL):
        index.rename(index.with_name("maven-metadata.xml"))
    for file in [path for path in repository.rglob("*") if path.suffix in (".jar", ".pom", ".xml")]:
        for name in ("sha1", "md5"):
            file.with_name(f"{file.name}.{name}").write_text(hashlib.new(name, file.read_bytes()).hexdigest())


if __name__ == "__main__":
    main(Path(sys.argv[1]))

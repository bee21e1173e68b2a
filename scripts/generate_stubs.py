"""Makes Python stubs and a descriptor set of the schemas in a folder.

Usage: generate_stubs.py PROTO_DIR PACKAGE_DIR DESCRIPTOR_FILE

The stubs become one Python package: protoc imports them from the top level, so those imports are made relative.
"""

from __future__ import annotations

import re
import shutil
import sys
from importlib.resources import files
from pathlib import Path

from grpc_tools import protoc

_TOP_LEVEL_IMPORT = re.compile(r"^import (\w+_pb2)( as \w+)?$", re.MULTILINE)


def generate(protos: Path, package: Path, descriptors: Path) -> None:
    """Fills ``package`` anew and writes ``descriptors``; raises SystemExit with protoc's status when protoc fails."""
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    descriptors.parent.mkdir(parents=True, exist_ok=True)
    status = protoc.main(
        [
            "protoc",
            f"--proto_path={protos}",
            f"--proto_path={files('grpc_tools') / '_proto'}",
            f"--python_out={package}",
            f"--pyi_out={package}",
            f"--grpc_python_out={package}",
            f"--descriptor_set_out={descriptors}",
            "--include_imports",
            *sorted(path.name for path in protos.glob("*.proto")),
        ]
    )
    if status != 0:
        raise SystemExit(status)
    _drop_empty_services(package)
    for stub in [*package.glob("*.py"), *package.glob("*.pyi")]:
        text = stub.read_text(encoding="utf-8")
        stub.write_text(_TOP_LEVEL_IMPORT.sub(r"from . import \1\2", text), encoding="utf-8")
    (package / "__init__.py").write_text('"""Stubs of Jelly\'s schemas, generated from proto/."""\n', encoding="utf-8")


def _drop_empty_services(package: Path) -> None:
    """protoc writes a service module for every schema; keep those with a service, since each needs grpcio."""
    for module in package.glob("*_pb2_grpc.py"):
        if "class " not in module.read_text(encoding="utf-8"):
            module.unlink()


if __name__ == "__main__":
    generate(*map(Path, sys.argv[1:]))

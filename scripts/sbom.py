"""Writes what the bundle holds as a bill of materials, in CycloneDX 1.6: ``sbom.py OUTPUT``.

It is made of ``jvm/bundler/artifacts.txt``, which the build compares with what the dependencies resolve to.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Dict, Iterator

PROJECT = Path(__file__).resolve().parent.parent


def components() -> Iterator[Dict[str, object]]:
    for line in (PROJECT / "jvm" / "bundler" / "artifacts.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            coordinates, licence = line.split()[:2]
            group, name, version = coordinates.split(":")
            yield {
                "type": "library", "group": group, "name": name, "version": version,
                "purl": f"pkg:maven/{group}/{name}@{version}", "bom-ref": f"pkg:maven/{group}/{name}@{version}",
                "licenses": [{"license": {"id": licence}}] if re.fullmatch(r"[\w.-]+", licence) else [{"expression": licence}],
            }


def main(output: str) -> None:
    found = re.search(r'__version__ = "([^"]+)"', (PROJECT / "python/src/jellybridge/_version.py").read_text("utf-8"))
    assert found is not None
    Path(output).write_text(json.dumps({
        "bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
        "metadata": {"component": {"type": "library", "group": "io.jellybridge", "name": "jellybridge-bundle", "version": found[1],
                                   "purl": f"pkg:maven/io.jellybridge/jellybridge-bundle@{found[1]}",
                                   "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": list(components()),
    }, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Spark says what a file looks like that is not what its name or format says."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import jellybridge
from jellybridge import ChangeRow

QUADS = b'<urn:s> <urn:p> "1" .\n'
PATCH = b'A <urn:s> <urn:p> "1" .\n'


def jelly_patch(folder: Path) -> bytes:
    jellybridge.write_patch(folder / "a.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"1"')])
    return (folder / "a.jellyp").read_bytes()


def jelly(folder: Path) -> bytes:
    jellybridge.convert(QUADS, folder / "a.jelly", from_format="nquads")
    return (folder / "a.jelly").read_bytes()


@pytest.mark.parametrize("name", ["jelly-patch", "rdf-patch", "jelly", "nquads"])
@pytest.mark.parametrize("look", ["Jelly-Patch", "Jelly-RDF", "RDF Patch text", "N-Quads or N-Triples", "gzip data", "HTML"])
def test_what_a_file_looks_like_is_in_the_error(spark: SparkSession, tmp_path: Path, name: str, look: str) -> None:
    content = {
        "Jelly-Patch": jelly_patch(tmp_path), "Jelly-RDF": jelly(tmp_path), "RDF Patch text": PATCH,
        "N-Quads or N-Triples": QUADS, "gzip data": gzip.compress(QUADS), "HTML": b"<html><body>404</body></html>\n",
    }[look]
    (tmp_path / "in.bin").write_bytes(content)
    read = spark.read.format(name).load(str(tmp_path / "in.bin"))
    own = {"jelly-patch": "Jelly-Patch", "rdf-patch": "RDF Patch text", "jelly": "Jelly-RDF", "nquads": "N-Quads or N-Triples"}
    if own[name] == look:
        assert read.count() == 1
    else:
        with pytest.raises(Exception, match=f"what looks like {look}, not "):
            read.collect()

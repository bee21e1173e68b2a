"""A file that is not what its name says: the error says what it looks like, whoever reads it."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import zipfile
from pathlib import Path
from typing import Dict

import pyarrow as pa
import pyarrow.parquet
import pytest

from jellybridge import ChangeRow, Dataset, JellybridgeError, convert, read_patch, write_patch
from jellybridge.cli import main

QUADS = b'<urn:s> <urn:p> "1" .\n' * 3
PATCH = b'TX .\nA <urn:s> <urn:p> "1" .\nTC .\nZ .\n'
ROWS = [ChangeRow(0, 0, 0, "TX"), ChangeRow(0, 0, 1, "A", "<urn:s>", "<urn:p>", '"1"'), ChangeRow(0, 0, 2, "TC")]
#: What a look is called, where a file in this format has no look of its own.
OWN = {"jellyp": "Jelly-Patch", "jelly": "Jelly-RDF", "rdfp": "RDF Patch text", "nq": "N-Quads or N-Triples",
       "nt": "N-Quads or N-Triples", "trp": ""}
LOOKS = ["Jelly-Patch", "Jelly-Patch in one frame", "Jelly-RDF", "Jelly-RDF of triples", "Jelly-RDF in one frame",
         "RDF Patch text", "RDF Patch text without TX", "N-Quads or N-Triples", "N-Quads or N-Triples with a comment",
         "gzip data", "Zstandard data", "bzip2 data", "xz data", "a zip archive", "Parquet", "text in UTF-16", "HTML", "XML",
         "JSON", "Turtle or TriG"]


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> Dict[str, bytes]:
    folder = tmp_path_factory.mktemp("looks")
    archive, parquet = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.nq", QUADS)
    pa.parquet.write_table(pa.table({"a": [1]}), parquet)
    convert(QUADS, folder / "a.jelly", from_format="nquads")
    convert(QUADS, folder / "t.jelly", from_format="ntriples", statement_type="TRIPLES")
    convert(QUADS, folder / "b.jelly", from_format="nquads", delimited=False, restart_bytes=0)
    write_patch(folder / "a.jellyp", ROWS)
    write_patch(folder / "b.jellyp", ROWS, delimited=False, restart_bytes=0)
    return {
        "Jelly-Patch": (folder / "a.jellyp").read_bytes(),
        "Jelly-Patch in one frame": (folder / "b.jellyp").read_bytes(),
        "Jelly-RDF": (folder / "a.jelly").read_bytes(),
        "Jelly-RDF of triples": (folder / "t.jelly").read_bytes(),
        "Jelly-RDF in one frame": (folder / "b.jelly").read_bytes(),
        "RDF Patch text": PATCH,
        "RDF Patch text without TX": PATCH.splitlines(keepends=True)[1],
        "N-Quads or N-Triples": QUADS,
        "N-Quads or N-Triples with a comment": b"\xef\xbb\xbf# a comment\n\n" + QUADS,
        "gzip data": gzip.compress(QUADS),
        "Zstandard data": bytes(pa.compress(QUADS, "zstd", asbytes=True)),
        "bzip2 data": bz2.compress(QUADS),
        "xz data": lzma.compress(QUADS),
        "a zip archive": archive.getvalue(),
        "Parquet": parquet.getvalue(),
        "text in UTF-16": QUADS.decode().encode("utf-16"),
        "HTML": b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
        "XML": b'<?xml version="1.0"?>\n<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>\n',
        "JSON": b'{"@id": "urn:s"}\n',
        "Turtle or TriG": b"@prefix ex: <http://example.org/> .\nex:s ex:p ex:o .\n",
    }


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("suffix", OWN)
def test_what_a_file_looks_like_is_in_the_error(
    contents: Dict[str, bytes], tmp_path: Path, suffix: str, look: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / f"in.{suffix}"
    file.write_bytes(contents[look])
    status = main(["validate", "--json", str(file)])
    found = json.loads(capsys.readouterr().out)
    named = look.partition(" in one")[0].partition(" of triples")[0].partition(" without TX")[0].partition(" with a c")[0]
    if OWN[suffix] == named:
        assert status == 0 and found["valid"]
        return
    assert status == 1 and found["errors"] == 1
    (fault,) = found["faults"]
    assert f"what looks like {named}, not " in fault["message"], fault["message"]
    assert "damaged" not in fault["message"]


@pytest.mark.parametrize("look", LOOKS)
def test_read_patch_says_so_too(contents: Dict[str, bytes], look: str) -> None:
    if look.startswith("Jelly-Patch"):
        assert list(read_patch(contents[look], format="jelly-patch")) == ROWS
        return
    with pytest.raises(ValueError, match="what looks like .*, not Jelly-Patch") as raised:
        list(read_patch(contents[look], format="jelly-patch"))
    assert raised.value.found.startswith("what looks like") and raised.value.advice  # type: ignore[attr-defined]


@pytest.mark.parametrize("suffix", ["nq", "ttl", "rdf", "jsonld", "jelly"])
@pytest.mark.parametrize("look", [*LOOKS[5:7], *LOOKS[9:15], "HTML", "Jelly-Patch"])
def test_load_says_so_too(contents: Dict[str, bytes], suffix: str, look: str) -> None:
    with Dataset.open("mem:") as dataset:
        with pytest.raises((JellybridgeError, ValueError), match="what looks like .*, not "):
            dataset.load(contents[look], format=suffix)
        assert len(dataset) == 0


@pytest.mark.parametrize("look, suffix", [("Jelly-Patch", "jellyp.gz"), ("RDF Patch text", "rdfp.zst"),
                                          ("N-Quads or N-Triples", "nq.gz"), ("Zstandard data", "nq.gz")])
def test_what_is_not_compressed_is_said_too(
    contents: Dict[str, bytes], tmp_path: Path, look: str, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / f"in.{suffix}").write_bytes(contents[look])
    assert main(["validate", str(tmp_path / f"in.{suffix}")]) == 1
    assert f"it looks like {look}; take .{suffix.rpartition('.')[2]} off its name" in capsys.readouterr().out


@pytest.mark.parametrize("cut", range(1, 60))
def test_a_damaged_file_that_looks_like_itself_keeps_its_own_error(contents: Dict[str, bytes], cut: int) -> None:
    whole = contents["Jelly-Patch"]
    with pytest.raises(ValueError) as raised:
        list(read_patch(whole[:-cut], format="jelly-patch"))
    assert "what looks like" not in str(raised.value)


def test_a_wrong_row_of_text_that_looks_like_itself_keeps_its_own_error() -> None:
    for text, says in ((b"A <urn:s> <urn:p> .\n", "where"), (b"TX\n", "where the row should end"), (b"X .\n", "should start")):
        with pytest.raises(ValueError, match=says):
            list(read_patch(text, format="rdf-patch"))

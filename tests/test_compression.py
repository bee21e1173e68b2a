"""Compressed files in Spark: every format, written by option and read by suffix, and what is cut off is an error."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from conftest import spark_settings
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import jellybridge
from jellybridge import ChangeRow

SUFFIXES = {"none": "", "gzip": ".gz", "zstd": ".zst"}
FORMATS = {"jelly-patch": ".jellyp", "rdf-patch": ".rdfp", "jelly": ".jelly", "nquads": ".nq"}
COMPRESSED = [(name, compression) for name in FORMATS for compression in ("gzip", "zstd")]


def frame(spark: SparkSession, name: str, transactions: int = 500) -> DataFrame:
    """Rows for a format, in one partition and in their order: transactions of 20 additions each."""
    number = F.col("id")
    op = F.when(number % 22 == 0, "TX").when(number % 22 == 21, "TC").otherwise("A")
    terms = {
        "subject": F.concat(F.lit("<urn:s"), number * 7919 % 999_983, F.lit(">")),
        "predicate": F.lit("<urn:p>"),
        "object": F.concat(F.lit('"é'), number % 22, F.lit('"@en')),
        "graph": F.lit("<urn:g>"),
        "name": F.lit(None).cast("string"),
        "value": F.lit(None).cast("string"),
    }
    rows = spark.range(0, transactions * 22, 1, 1).select(
        F.lit(0).cast("bigint").alias("patch"), F.floor(number / 22).alias("tx"), number.alias("row"), op.alias("op"),
        *(F.when(op == "A", term).alias(column) for column, term in terms.items()),
    )
    return rows if name.endswith("patch") else rows.where("op = 'A'").select("subject", "predicate", "object", "graph")


def write(df: DataFrame, name: str, folder: Path, **options: Any) -> Path:
    """Writes one file, and says which it is."""
    df.write.format(name).options(**options).save(str(folder))
    (file,) = folder.glob("part-*")
    return file


def read(spark: SparkSession, name: str, file: Path, **options: Any) -> DataFrame:
    df = spark.read.format(name).options(**options).load(str(file))
    return df.drop("frame")


def inflate(file: Path) -> bytes:
    """The content of a file, by libraries that are not those of Spark."""
    if file.suffix == ".zst":
        return pa.CompressedInputStream(pa.OSFile(str(file)), "zstd").read()
    return gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()


@pytest.mark.parametrize("compression", SUFFIXES)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_written_compressed_is_read_back(
    spark: SparkSession, tmp_path: Path, name: str, compression: str
) -> None:
    df = frame(spark, name)
    options = {} if name in ("rdf-patch", "nquads") else {"restartBytes": 0}
    file = write(df, name, tmp_path / "out", compression=compression, **options)
    assert file.name.endswith(FORMATS[name] + SUFFIXES[compression])
    assert read(spark, name, file).collect() == df.collect()
    # Without restart points two files of the same rows are the same bytes.
    assert inflate(file) == write(df, name, tmp_path / "plain", **options).read_bytes()


@pytest.mark.parametrize("name, compression", COMPRESSED)
def test_a_compressed_file_that_is_cut_or_damaged_is_an_error(
    spark: SparkSession, tmp_path: Path, name: str, compression: str
) -> None:
    whole = write(frame(spark, name), name, tmp_path / "out", compression=compression)
    content = whole.read_bytes()
    flipped = bytearray(content)
    flipped[len(content) // 2] ^= 0x55
    damage = {"cut1": content[:-1], "cut9": content[:-9], "half": content[:len(content) // 2], "flipped": bytes(flipped)}
    for what, bytes_ in damage.items():
        file = tmp_path / f"{what}{FORMATS[name]}{SUFFIXES[compression]}"
        file.write_bytes(bytes_)
        with pytest.raises(Exception, match=file.name):
            read(spark, name, file).collect()


@pytest.mark.parametrize("name, compression", COMPRESSED)
def test_under_ignore_corrupt_files_the_rows_before_the_cut_are_kept(
    spark: SparkSession, tmp_path: Path, name: str, compression: str
) -> None:
    df = frame(spark, name, 2_000)
    whole = write(df, name, tmp_path / "out", compression=compression)
    cut = tmp_path / f"cut{FORMATS[name]}{SUFFIXES[compression]}"
    cut.write_bytes(whole.read_bytes()[:whole.stat().st_size * 3 // 4])
    found = read(spark, name, cut, ignoreCorruptFiles=True).collect()
    expected = df.collect()
    assert 0 < len(found) < len(expected)
    assert found == expected[:len(found)]
    if name.endswith("patch"):
        assert found[-1].op == "TC", "never half a transaction"


@pytest.mark.parametrize("name, compression", COMPRESSED)
def test_files_that_were_joined_after_compression_are_read_to_their_end(
    spark: SparkSession, tmp_path: Path, name: str, compression: str
) -> None:
    content = inflate(write(frame(spark, name), name, tmp_path / "out"))
    compress = gzip.compress if compression == "gzip" else lambda part: bytes(pa.compress(part, "zstd", asbytes=True))
    file = tmp_path / f"joined{FORMATS[name]}{SUFFIXES[compression]}"
    file.write_bytes(compress(content[:5_000]) + compress(content[5_000:]))
    assert read(spark, name, file).collect() == frame(spark, name).collect()


@pytest.mark.parametrize("name", FORMATS)
def test_a_compressed_file_is_never_split(spark: SparkSession, tmp_path: Path, name: str) -> None:
    df = frame(spark, name)
    options = {} if name in ("rdf-patch", "nquads") else {"restartBytes": 1_000}
    file = write(df, name, tmp_path / "out", compression="zstd", **options)
    with spark_settings(spark, {"spark.sql.files.maxPartitionBytes": "1000"}):
        found = read(spark, name, file)
        assert found.rdd.getNumPartitions() == 1
        assert found.collect() == df.collect()


@pytest.mark.parametrize("compression", SUFFIXES)
def test_spark_and_plain_python_read_each_other_s_files(spark: SparkSession, tmp_path: Path, compression: str) -> None:
    df = frame(spark, "jelly-patch", 50)
    rows = [ChangeRow(*row) for row in df.collect()]
    write(df, "jelly-patch", tmp_path / "out", compression=compression)
    assert list(jellybridge.read_patch(tmp_path / "out")) == rows
    file = tmp_path / f"python.jellyp{SUFFIXES[compression]}"
    jellybridge.write_patch(file, rows)
    assert [ChangeRow(*row) for row in read(spark, "jelly-patch", file).orderBy("row").collect()] == rows


@pytest.mark.parametrize("name", FORMATS)
def test_an_unknown_compression_is_refused_by_name(spark: SparkSession, tmp_path: Path, name: str) -> None:
    with pytest.raises(Exception, match=f"option 'compression' of {name} is 'zip'; it takes one of .none, gzip, zstd"):
        write(frame(spark, name, 1), name, tmp_path / "out", compression="zip")


@pytest.mark.parametrize("name", ["jelly-patch", "jelly"])
def test_restart_points_are_an_option(spark: SparkSession, tmp_path: Path, name: str) -> None:
    df = frame(spark, name)
    sizes = [write(df, name, tmp_path / str(number), restartBytes=number).stat().st_size for number in (0, 1_000)]
    sizes.append(write(df, name, tmp_path / "default").stat().st_size)
    assert sizes[0] < sizes[2] < sizes[1], "each restart point takes bytes"
    with pytest.raises(Exception, match="option 'restartBytes' .* is '-1'; it takes a whole number of at least 0"):
        write(df, name, tmp_path / "negative", restartBytes=-1)
    with pytest.raises(Exception, match="restartBytes does not go with delimited=false"):
        write(df, name, tmp_path / "bare", restartBytes=1_000, delimited="false")

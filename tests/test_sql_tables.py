"""Tables of SQL: each provider, and each thing that is done with a table, does what it says or is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, Iterator, List

import pytest
from pyspark.sql import SparkSession

from jellybridge import CHANGES_SCHEMA, QUADS_SCHEMA, Dataset, PatchLog, diff

pytestmark = pytest.mark.usefixtures("generated_code")

ROW = "SELECT 0L AS row, 'A' AS op, '<urn:{}>' AS subject, '<urn:p>' AS predicate, '\"o\"' AS object"


@pytest.fixture
def store(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    """A log and a database of one quad."""
    one = spark.createDataFrame([("<urn:a>", "<urn:p>", '"o"', None)], QUADS_SCHEMA)
    PatchLog.create(tmp_path / "log").close()
    changes = diff(one.limit(0), one)
    changes.write.format("rdf-patch-log").mode("append").save(str(tmp_path / "log"))
    changes.write.format("jena").mode("append").option("target", f"tdb2:{tmp_path / 'tdb2'}").save()
    yield tmp_path
    for row in spark.sql("SHOW TABLES").collect():
        spark.sql(f"DROP TABLE IF EXISTS {row.tableName}")


def sql(spark: SparkSession, text: str) -> List[Any]:
    return [tuple(row) for row in spark.sql(text).collect()]


PROVIDERS = {
    "jena": "OPTIONS (target 'tdb2:{}/tdb2', checkChain false)",
    "`rdf-patch-log`": "OPTIONS (path '{}/log', committedOnly true)",
    "`rdf-dataset`": "LOCATION '{}/log'",
}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_table_of_a_store_is_read_altered_and_dropped(spark: SparkSession, store: Path, provider: str) -> None:
    create = f"CREATE TABLE t USING {provider} {PROVIDERS[provider].format(store)} TBLPROPERTIES ('team' = 'data')"
    spark.sql(create)
    columns = CHANGES_SCHEMA if "patch-log" in provider else QUADS_SCHEMA
    assert spark.table("t").columns == [column.split()[0] for column in columns.split(", ")]
    assert [row[0] for row in sql(spark, "DESCRIBE TABLE t")] == spark.table("t").columns
    assert sql(spark, "SELECT subject FROM t WHERE subject IS NOT NULL") == [("<urn:a>",)]
    if provider == "`rdf-dataset`":
        with pytest.raises(Exception, match="does not support append|TOO_MANY_DATA_COLUMNS"):
            spark.sql(f"INSERT INTO t {ROW.format('b')}")
    else:
        spark.sql(f"INSERT INTO t {ROW.format('b')}")
        assert sql(spark, "SELECT subject FROM t WHERE subject IS NOT NULL ORDER BY 1") == [("<urn:a>",), ("<urn:b>",)]
        with pytest.raises(Exception, match="no column 'op'|does not have|has columns"):
            spark.sql("INSERT INTO t SELECT '<urn:c>' AS subject, '<urn:p>' AS predicate, '\"o\"' AS object")
    for refused in ("INSERT OVERWRITE t SELECT * FROM t", "TRUNCATE TABLE t", "DELETE FROM t"):
        with pytest.raises(Exception, match="not support"):
            spark.sql(refused)
    spark.sql("ALTER TABLE t SET TBLPROPERTIES ('team' = 'graph')")
    spark.sql("ALTER TABLE t RENAME TO u")
    assert spark.table("u").where("subject = '<urn:a>'").count() == 1
    spark.sql("ALTER TABLE u ADD COLUMN x INT")
    with pytest.raises(Exception, match="in the catalog, and .*; drop it, which leaves the store as it is"):
        spark.table("u").collect()
    spark.sql("DROP TABLE u")
    spark.sql(create)
    assert spark.table("t").where("subject = '<urn:a>'").count() == 1
    shutil.rmtree(store / "log")
    shutil.rmtree(store / "tdb2")
    with pytest.raises(Exception, match="there is no TDB2 database|no patch log"):
        spark.table("t").collect()
    assert [row[0] for row in sql(spark, "DESCRIBE TABLE t")][:1] and not sql(spark, "DROP TABLE t")
    assert not sql(spark, "SHOW TABLES LIKE 't'")


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_table_that_could_not_be_read_is_not_created(spark: SparkSession, store: Path, provider: str) -> None:
    options = PROVIDERS[provider].format(store)
    for statement, says in (
        (f"USING {provider}", "the option 'target' is missing|needs the log's address: .* LOCATION"),
        (f"USING {provider} OPTIONS (colour 'red')", "unknown option 'colour'"),
        (f"(subject STRING) USING {provider} {options}", "create it without columns and without AS SELECT"),
        (f"USING {provider} {options} AS {ROW.format('b')}", "create it without columns and without AS SELECT"),
        ("USING `rdf-dataset` LOCATION '/none'", "/none is no patch log"),
    ):
        with pytest.raises(Exception, match=says):
            spark.sql(f"CREATE TABLE t {statement}")
        assert not sql(spark, "SHOW TABLES LIKE 't'")


def test_a_view_of_a_store_is_read(spark: SparkSession, store: Path) -> None:
    for provider, options in PROVIDERS.items():
        spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW v USING {provider} {options.format(store).replace('LOCATION', 'OPTIONS (path')}"
                  f"{')' if 'LOCATION' in options else ''}")
        assert sql(spark, "SELECT subject FROM v WHERE subject IS NOT NULL") == [("<urn:a>",)]
        spark.sql("DROP VIEW v")


def test_a_stream_goes_from_table_to_table(spark: SparkSession, store: Path) -> None:
    spark.sql(f"CREATE TABLE log USING `rdf-patch-log` LOCATION '{store}/log'")
    spark.sql(f"CREATE TABLE replica USING jena OPTIONS (target 'tdb2:{store}/replica')")
    stream = spark.readStream.table("log").writeStream.option("checkpointLocation", str(store / "ck"))
    stream.trigger(availableNow=True).toTable("replica").awaitTermination(120)
    with Dataset.open(f"tdb2:{store / 'replica'}") as dataset:
        assert len(dataset) == 1


@pytest.mark.parametrize("provider", ["`jelly-patch`", "`rdf-patch`", "jelly", "nquads"])
def test_a_table_of_files_is_written_and_read(spark: SparkSession, store: Path, provider: str) -> None:
    changes = "patch" in provider
    quad = "'<urn:{}>' AS subject, '<urn:p>' AS predicate, '\"o\"' AS object, NULL AS graph"
    rows = "0L AS patch, NULL AS tx, {}L AS row, 'A' AS op, " + quad + ", NULL AS name, NULL AS value"
    insert = f"SELECT {rows if changes else '{0}' + quad}".replace("{0}", "") + (", 0L AS frame" if provider == "jelly" else "")
    columns = CHANGES_SCHEMA if changes else QUADS_SCHEMA + (", frame BIGINT" if provider == "jelly" else "")
    for where in ("", f"LOCATION '{store / 'files'}'"):
        with pytest.raises(Exception, match="no file to read as .*CREATE TABLE t"):
            spark.sql(f"CREATE TABLE t USING {provider} {where}")
        spark.sql(f"CREATE TABLE t ({columns}) USING {provider} {where}")
        assert sql(spark, "SELECT * FROM t") == []
        spark.sql("INSERT INTO t " + (insert.format(0, "a") if changes else insert.format("a")))
        assert sql(spark, "SELECT subject FROM t") == [("<urn:a>",)]
        with pytest.raises(Exception, match="ADD COLUMNS does not support"):
            spark.sql("ALTER TABLE t ADD COLUMN x INT")
        spark.sql("TRUNCATE TABLE t") if not where else None
        spark.sql("DROP TABLE t")
    assert list((store / "files").iterdir())
    spark.sql(f"CREATE TABLE t USING {provider} LOCATION '{store / 'files'}'")
    assert sql(spark, "SELECT subject FROM t") == [("<urn:a>",)]
    spark.sql("DROP TABLE t")
    with pytest.raises(Exception, match="unknown option 'colour'"):
        spark.sql(f"CREATE TABLE t USING {provider} LOCATION '{store / 'files'}' OPTIONS (colour 'red')")


def test_a_table_of_a_format_that_is_read_alone_needs_files(spark: SparkSession, store: Path) -> None:
    with pytest.raises(Exception, match="no file to read as rdf"):
        spark.sql("CREATE TABLE t USING rdf")
    (store / "one.ttl").write_text("<urn:a> <urn:p> 'o' .\n")
    spark.sql(f"CREATE TABLE t USING rdf LOCATION '{store / 'one.ttl'}'")
    assert sql(spark, "SELECT subject FROM t") == [("<urn:a>",)]
    spark.sql("DROP TABLE t")
    assert (store / "one.ttl").exists()

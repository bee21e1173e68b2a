"""Spark shows no secret of ours: not in plans, nor in its UI, nor in errors, nor in a checkpoint."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any, Callable, Dict

import pytest
from pyspark.sql import DataFrame, SparkSession
from secretive_server import SECRET, TOKEN, SecretiveServer, addresses, free_port, leaks

import jellybridge
from jellybridge import CHANGES_SCHEMA, ChangeRow, JellybridgeError, UnreachableError

WAYS = [{"user": "me", "password": SECRET}, {"token": TOKEN}]
ONCE: Dict[str, Any] = {"attempts": 1, "timeout": 20}


@pytest.fixture
def changes(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame([ChangeRow(0, 0, 0, "A", "<urn:s>", "<urn:p>", '"o"')], CHANGES_SCHEMA)


def failure(call: Callable[[], Any]) -> str:
    with pytest.raises(Exception) as raised:
        call()
    error = raised.value
    return "\n".join([str(error), repr(error), "".join(traceback.format_exception(error))])


def plans_of(frame: DataFrame) -> str:
    execution = frame._jdf.queryExecution()
    return str(execution.logical().toString() + execution.analyzed().toString())


def ui(spark: SparkSession) -> str:
    """What the SQL tab of Spark's UI shows of all executions."""
    found = spark._jsparkSession.sharedState().statusStore().executionsList()
    return "\n".join(found.apply(i).physicalPlanDescription() + found.apply(i).description() + str(found.apply(i).details())
                     for i in range(found.size()))


def write(changes: DataFrame, target: str, **options: Any) -> None:
    changes.write.format("jena").mode("append").options(target=target, **options).save()


def test_a_secret_of_an_option_is_not_shown(spark: SparkSession, changes: DataFrame, tmp_path: Path) -> None:
    shown = []
    with SecretiveServer(401) as server:
        url = f"http://localhost:{server.port}/ds"
        for way in WAYS:
            options = {**ONCE, **way}
            log = spark.read.format("rdf-patch-log").options(**options).load(url)
            shown += [plans_of(log), failure(log.collect), failure(lambda: write(changes, url, **options))]
            stream = spark.readStream.format("rdf-patch-log").options(**options).load(url)
            query = stream.writeStream.format("jena").option("target", url).options(**options).option(
                "checkpointLocation", str(tmp_path / f"checkpoint-{len(shown)}")).start()
            shown += [plans_of(stream), failure(query.awaitTermination), str(query.lastProgress), str(query.status),
                      str(query.exception()), query._jsq.explainInternal(True)]
            rates = spark.readStream.format("rate").option("rowsPerSecond", 10).load()
            some = rates.selectExpr("'A' AS op", "'<urn:s>' AS subject", "'<urn:p>' AS predicate", "'<urn:o>' AS object",
                                    "0L AS patch", "value AS row")
            query = some.writeStream.format("jena").option("target", url).options(**options).option(
                "checkpointLocation", str(tmp_path / f"rate-{len(shown)}")).trigger(processingTime="0 seconds").start()
            shown += [failure(query.awaitTermination), query._jsq.explainInternal(True), str(query.recentProgress)]
    shown += [ui(spark), *(file.read_text(errors="replace") for file in tmp_path.rglob("*") if file.is_file())]
    assert "answered 401: no: B" in shown[1] and "answered 401: no: B" in shown[2]
    assert [(leaks(text), text) for text in shown if leaks(text)] == []


def test_an_address_with_a_secret_is_refused_before_spark_shows_it(spark: SparkSession, changes: DataFrame) -> None:
    before = ui(spark)
    for address in addresses(free_port()):
        texts = [
            failure(lambda: spark.read.format("rdf-patch-log").options(**ONCE).load(address)),
            failure(lambda: spark.readStream.format("rdf-patch-log").options(**ONCE).load(address)),
            failure(lambda: write(changes, address, **ONCE)),
        ]
        assert [(leaks(text), text) for text in texts if leaks(text)] == []
    assert leaks(ui(spark)[len(before):]) == []


def test_an_unreachable_server_is_an_error_of_its_own(spark: SparkSession, changes: DataFrame) -> None:
    url = f"http://localhost:{free_port()}/ds"
    with pytest.raises(UnreachableError, match="no connection"):
        spark.read.format("rdf-patch-log").options(**ONCE).load(url).collect()
    with pytest.raises(UnreachableError, match="the batch was not applied: .*no connection"):
        write(changes, url, **ONCE)
    with SecretiveServer(400) as server, pytest.raises(JellybridgeError, match="answered 400") as refused:
        write(changes, f"http://localhost:{server.port}/ds", **ONCE)
    assert not isinstance(refused.value, UnreachableError)


def test_a_batch_takes_credentials_from_a_file(changes: DataFrame, tmp_path: Path) -> None:
    (tmp_path / "token").write_text(TOKEN)
    with SecretiveServer(401) as server:
        apply = jellybridge.apply_batch(f"http://localhost:{server.port}/ds", app_id="app",
                                        options={**ONCE, "tokenFile": tmp_path / "token"})
        with pytest.raises(JellybridgeError, match=r"no: Bearer \*\*\*"):
            apply(changes, 1)

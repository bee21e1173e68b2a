"""What holds in a Spark driver only: DataFrames in and out of a Dataset, the session's settings, Spark's errors."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Dict, List

import pytest
from jvm_environment import spark_environment
from pyspark.sql import SparkSession

import jellybridge
from jellybridge import _spark
from jellybridge import (
    CHANGES_SCHEMA, QUADS_SCHEMA, ApplyReport, ChangeRow, Dataset, JellybridgeError, PatchFormatError, TextFormatError,
    configure_spark, jar_path, write_patch,
)


def change(patch: int, row: int, op: str, name: str = "", graph: Any = None) -> ChangeRow:
    if op not in ("A", "D"):
        return ChangeRow(patch, row=row, op=op)
    return ChangeRow(patch, row=row, op=op, subject=f"<urn:{name}>", predicate="<urn:p>", object='"o"', graph=graph)


# --- rows of a DataFrame, applied


def test_rows_are_applied_in_their_order_whatever_sparks(spark: SparkSession) -> None:
    rows = [change(0, 0, "TX"), *(change(0, n + 1, "AD"[n % 2], "same") for n in range(199)), change(0, 200, "TC")]
    rows += [change(1, 0, "TX"), change(1, 1, "A", "b", "<urn:g>"), change(1, 2, "TC")]
    shuffled = spark.createDataFrame(rows, CHANGES_SCHEMA).repartition(9, "row").sortWithinPartitions("op")
    with Dataset.open("mem:") as dataset:
        assert dataset.apply(shuffled) == ApplyReport(patches=2, transactions=2, added=101, deleted=99, aborted=0, changed=200)
        assert dataset.query("SELECT ?s { ?s ?p ?o }") == [{"s": "<urn:same>"}]
        assert len(dataset) == 2


def test_only_the_columns_that_the_ops_need_are_needed(spark: SparkSession) -> None:
    row = ("A", "<urn:s>", "<urn:p>", "<<( <urn:a> <urn:b> <urn:c> )>>")
    rows = spark.createDataFrame([row], ["op", "subject", "predicate", "object"])
    with Dataset.open("mem:") as dataset:
        assert dataset.apply(rows).added == 1


def test_the_columns_are_found_in_any_case(spark: SparkSession) -> None:
    rows = spark.createDataFrame([change(0, 1, "D", "a"), change(0, 0, "A", "a")], CHANGES_SCHEMA).coalesce(1)
    with Dataset.open("mem:") as dataset:
        assert dataset.apply(rows.toDF(*(name.upper() for name in rows.columns))).deleted == 1
        assert len(dataset) == 0


@pytest.mark.parametrize(
    "rows, says",
    [
        ([change(0, 3, "TX"), change(0, 3, "TC")], "two rows have patch 0, row 3"),
        ([change(0, 0, "X")], '"X"'),
    ],
)
def test_rows_without_an_order_or_an_op_are_refused(spark: SparkSession, rows: List[ChangeRow], says: str) -> None:
    with Dataset.open("mem:") as dataset:
        with pytest.raises(JellybridgeError, match=says):
            dataset.apply(spark.createDataFrame(rows, CHANGES_SCHEMA))
        with pytest.raises(JellybridgeError, match="null in row"):
            dataset.apply(spark.sql("SELECT 'TX' AS op, CAST(NULL AS BIGINT) AS row"))
        with pytest.raises(JellybridgeError, match="no column op"):
            dataset.apply(spark.range(1))
        assert len(dataset) == 0


def test_a_refused_row_is_named_by_its_place_in_the_dataframe(spark: SparkSession) -> None:
    rows = [change(0, 0, "TX"), change(0, 1, "A", "a"), change(0, 2, "TC"), change(1, 5, "TC")]
    with Dataset.open("mem:") as dataset:
        with pytest.raises(PatchFormatError, match="transaction") as raised:
            dataset.apply(spark.createDataFrame(rows, CHANGES_SCHEMA))
        assert raised.value.file == "DataFrame, patch 1, row 5"
        assert len(dataset) == 0


def test_an_open_transaction_of_a_dataframe_is_refused(spark: SparkSession) -> None:
    with Dataset.open("mem:") as dataset:
        with pytest.raises(PatchFormatError, match="P-105"):
            dataset.apply(spark.createDataFrame([change(0, 0, "TX"), change(0, 1, "A", "a")], CHANGES_SCHEMA))
        assert len(dataset) == 0


def test_all_quads_come_as_a_dataframe(spark: SparkSession) -> None:
    with Dataset.open("mem:") as dataset:
        assert dataset.to_dataframe(spark).collect() == []
        dataset.update('INSERT DATA { <urn:s> <urn:p> "é"@en-GB . GRAPH <urn:g> { <urn:t> <urn:q> 1 } }')
        quads = dataset.to_dataframe(spark)
        assert quads.schema == spark.createDataFrame([], QUADS_SCHEMA).schema
        assert sorted(tuple(row) for row in quads.collect()) == [
            ("<urn:s>", "<urn:p>", '"é"@en-gb', None),
            ("<urn:t>", "<urn:q>", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', "<urn:g>"),
        ]


# --- errors of Spark's own calls


@pytest.fixture
def cut_file(tmp_path: Path) -> Path:
    file = tmp_path / "cut.jellyp"
    write_patch(file, [change(0, 0, "TX"), change(0, 1, "A", "a"), change(0, 2, "TC")])
    file.write_bytes(file.read_bytes()[:-2])
    return file


def test_a_read_of_a_broken_file_fails_with_its_place_and_no_stack_trace(spark: SparkSession, cut_file: Path) -> None:
    changes = spark.read.format("jelly-patch").load(str(cut_file))
    for action in (changes.collect, changes.toPandas, changes.count, lambda: list(changes.toLocalIterator())):
        with pytest.raises(PatchFormatError) as raised:
            action()
        error = raised.value
        assert error.rule.startswith("P-") and "cut.jellyp" in (error.file or "") and error.offset > 0
        assert "\n" not in str(error) and error.__suppress_context__


def test_a_write_that_breaks_the_format_fails_with_the_rule(spark: SparkSession, tmp_path: Path) -> None:
    rows = spark.createDataFrame([change(0, 0, "TX")], CHANGES_SCHEMA).coalesce(1)
    with pytest.raises(PatchFormatError, match="P-105"):
        rows.write.format("jelly-patch").save(str(tmp_path / "log"))


def test_a_streaming_query_fails_with_the_rule(spark: SparkSession, cut_file: Path) -> None:
    stream = spark.readStream.format("jelly-patch").schema(CHANGES_SCHEMA).load(str(cut_file.parent))
    query = stream.writeStream.format("memory").queryName("broken").trigger(availableNow=True).start()
    with pytest.raises(PatchFormatError, match="cut.jellyp"):
        query.awaitTermination()


def test_broken_text_fails_with_its_line(spark: SparkSession, tmp_path: Path) -> None:
    file = tmp_path / "broken.nq"
    file.write_text("<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> .\n")
    with pytest.raises(TextFormatError) as raised:
        spark.read.format("nquads").load(str(file)).collect()
    assert raised.value.line == 2 and "broken.nq" in (raised.value.file or "") and "\n" not in str(raised.value)


def test_other_errors_of_spark_stay_what_they_were(spark: SparkSession) -> None:
    from pyspark.errors import AnalysisException

    with pytest.raises(AnalysisException):
        spark.sql("SELECT nothing FROM nowhere")


# --- the session's settings


class Builder:
    """As much of SparkSession.builder as configure_spark uses."""

    def __init__(self, **options: str) -> None:
        self._options: Dict[str, str] = {key.replace("_", "."): value for key, value in options.items()}

    def config(self, key: str, value: str) -> Builder:
        self._options[key] = value
        return self


def test_the_jar_is_added_to_those_that_are_there_and_once_only() -> None:
    builder = Builder(spark_jars="a.jar,b.jar")
    configure_spark(configure_spark(builder))
    assert builder._options["spark.jars"] == f"a.jar,b.jar,{jar_path()}"


def test_a_bundle_of_the_same_name_elsewhere_is_taken_for_ours() -> None:
    builder = configure_spark(Builder(spark_jars="hdfs:/libs/" + Path(jar_path()).name))
    assert builder._options["spark.jars"] == "hdfs:/libs/" + Path(jar_path()).name


def test_java_options_are_added_to_those_that_are_there_and_once_only() -> None:
    key = "spark.driver.extraJavaOptions"
    builder = Builder()
    builder.config(key, "-Da=b")
    configure_spark(configure_spark(builder))
    assert builder._options[key].startswith("-Da=b -Djavax.xml.stream.XMLInputFactory=")
    assert builder._options[key].count("XMLInputFactory=") == 1
    assert builder._options["spark.executor.extraJavaOptions"].startswith("-Djavax")


def test_a_stax_parser_that_the_user_chose_stays() -> None:
    builder = Builder()
    builder.config("spark.driver.extraJavaOptions", "-Djavax.xml.stream.XMLInputFactory=my.Factory")
    configure_spark(builder)
    assert builder._options["spark.driver.extraJavaOptions"] == "-Djavax.xml.stream.XMLInputFactory=my.Factory"


def test_a_connect_builder_comes_back_as_it_was() -> None:
    builder = configure_spark(Builder(spark_remote="sc://host"))
    assert builder._options == {"spark.remote": "sc://host"}


def test_the_java_option_reaches_the_driver(spark: SparkSession) -> None:
    found = spark._jvm.java.lang.System.getProperty("javax.xml.stream.XMLInputFactory")
    assert found == "com.sun.xml.internal.stream.XMLInputFactoryImpl"


def test_a_connect_session_is_refused_with_what_to_do() -> None:
    with pytest.raises(JellybridgeError, match="Spark Connect"):
        Dataset.open("mem:", spark=SimpleNamespace())


# --- a process of its own


def run(tmp_path: Path, text: str) -> str:
    script = tmp_path / "script.py"
    script.write_text(text)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_session_without_the_jar_says_which_setting_brings_it(tmp_path: Path) -> None:
    out = run(tmp_path, """
from pyspark.sql import SparkSession
import jellybridge
jellybridge.configure_spark(SparkSession.builder)  # of a session that nobody makes
spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
for name, call in {
    "open": lambda: jellybridge.Dataset.open("mem:"),
    "configure": lambda: jellybridge.configure_spark(SparkSession.builder).getOrCreate(),
    "format": lambda: SparkSession.builder.getOrCreate().read.format("nquads").load("."),
}.items():
    try:
        call()
    except jellybridge.JellybridgeError as e:
        print(name, "refused:", e)
spark.stop()
try:
    jellybridge.configure_spark(SparkSession.builder)
except jellybridge.JellybridgeError as e:
    print("stopped refused:", e)
""")
    assert out.count("install this jar as a library of the cluster") == 4
    for call in ("open", "configure", "format", "stopped"):
        assert f"{call} refused: the JVM of this process was started without the jellybridge jar" in out
    assert out.count(f'.config("spark.jars", "{jar_path()}")') == 4


def test_each_of_our_formats_is_known_where_the_jar_is_missing() -> None:
    source = Path(__file__).resolve().parent.parent / "jvm" / "spark" / "src" / "main" / "java"
    names = {name for file in source.rglob("*.java") for name in re.findall(r' SHORT_NAME = "(.*)";', file.read_text())}
    assert len(names) == 8
    assert {name for name in names if _spark._lacks_format(
        f"[DATA_SOURCE_NOT_FOUND] Failed to find the data source: {name}. Make sure the provider name is correct")} == names


def test_a_spark_submit_without_the_jar_says_how_to_start_it(tmp_path: Path) -> None:
    program = tmp_path / "nightly.py"
    program.write_text("""
import jellybridge
from pyspark.sql import SparkSession
jellybridge.configure_spark(SparkSession.builder)
print("configured", jellybridge.__file__)
""")
    submit = [str(Path(sys.executable).with_name("spark-submit")), "--master", "local[1]"]
    environment = spark_environment()

    def submitted(*options: str) -> str:
        done = subprocess.run([*submit, *options, str(program)], env=environment, capture_output=True, text=True, timeout=300)
        return done.stdout + done.stderr

    said = submitted()
    assert f"start the program by spark-submit --jars {jar_path()} {program}" in said and "configured" not in said
    # A package in a zip has no jar to give, and needs none there.
    package = tmp_path / "package.zip"
    with zipfile.ZipFile(package, "w") as archive:
        for source in Path(jellybridge.__file__).parent.rglob("*.py"):
            archive.write(source, str(Path("jellybridge", source.relative_to(Path(jellybridge.__file__).parent))))
    said = submitted("--jars", jar_path(), "--py-files", str(package))
    assert f"configured {package}" in said, said


def test_a_session_is_no_builder(spark: SparkSession) -> None:
    with pytest.raises(TypeError, match="takes SparkSession.builder, before getOrCreate.., and got SparkSession"):
        configure_spark(spark)  # type: ignore[arg-type]


def test_a_session_that_runs_with_the_jar_may_be_configured_again(spark: SparkSession) -> None:
    assert configure_spark(SparkSession.builder).getOrCreate().sparkContext is spark.sparkContext


def test_the_functions_are_there_without_an_import_of_their_own_and_without_pyspark(tmp_path: Path) -> None:
    out = run(tmp_path, "import sys, jellybridge\nprint(jellybridge.functions.rdf_iri.__name__, 'pyspark' in sys.modules)")
    assert out == "rdf_iri False\n"


def test_a_dataset_from_before_the_session_gives_its_quads_and_refuses_dataframes(tmp_path: Path) -> None:
    out = run(tmp_path, f"import os\nos.chdir({str(tmp_path)!r})" + """
from pyspark.sql import SparkSession
import jellybridge
dataset = jellybridge.Dataset.open("mem:")
dataset.update('INSERT DATA { <urn:s> <urn:p> "x"@en-GB . GRAPH <urn:g> { _:b <urn:q> 1 } }')
dataset.dump("state.nq")
builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
spark = jellybridge.configure_spark(builder).getOrCreate()
quads = dataset.to_dataframe(spark)
print("quads:", quads.count(), quads.where("graph IS NULL").collect())
try:
    dataset.apply(spark.createDataFrame([("TX",)], ["op"]))
except jellybridge.JellybridgeError as e:
    print("refused:", e)
open("bad.nt", "w").write("no statement\\n")
dataset.load("bad.nt", bad_statements="bad.txt")
jellybridge.PatchLog.create("log", state="state.nq", progress=False).close()
print("adopted:", dataset.adopt("log", progress=False).ok, dataset.verify("log", progress=False).ok)
print("published:", dataset.publish("state.nq", log="log", progress=False).changed)
print("difference:", jellybridge.diff(dataset, "state.nq").added)
dataset.close()
""")
    assert "quads: 2 [Row(subject='<urn:s>', predicate='<urn:p>', object='\"x\"@en-gb', graph=None)]" in out
    assert "refused: this dataset was opened before Spark was started" in out
    assert "adopted: True True\npublished: False\ndifference: 0\n" in out

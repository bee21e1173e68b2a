"""What the Python tests share: one Spark session, and where the data is that is not part of the project."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List, Mapping, Optional

import pytest
from pyspark.sql import SparkSession

import jellybridge

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuseki_server import FusekiServer  # noqa: E402
from jvm_environment import COMPILED, short_driver  # noqa: E402
from profiles import PROFILES, SESSION, USUAL  # noqa: E402

HERE = Path(__file__).resolve().parent
# Tests of the door that needs no Spark. A running Spark session would take them through the other door, so they run only where
# they are asked for, by a call of pytest of their own.
WITHOUT_SPARK = HERE / "jpype"
os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join(short_driver()))
# What the JVM's starts share stays in the project.
os.environ.setdefault("JELLYBRIDGE_CACHE", str(HERE.parent / "build" / "cache"))


#: The parts of ``make test-all`` that a test may be of: its mark is ``full("kafka")``.
PARTS = ["doors", "documents", "files", "connect", "cluster", "kafka", "hdfs", "s3", "stores", "jena6", "release", "long"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=PARTS, help="run the tests of this part of make test-all, and no others")
    parser.addoption("--profile", choices=PROFILES, default=USUAL, help="the settings of the Spark session")


def pytest_configure(config: pytest.Config) -> None:
    # A shell starts what runs in its background deaf to interrupts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.addinivalue_line("markers", "full(part): of this part of make test-all, and not of make test")
    config.addinivalue_line("markers", "settings: runs under each profile of settings of Spark in make test-all")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> Optional[bool]:
    asked_for = (Path(argument.split("::")[0]).resolve() for argument in config.args)
    if collection_path == WITHOUT_SPARK and not any(path.is_relative_to(WITHOUT_SPARK) for path in asked_for):
        return True
    return None


def part_of(item: pytest.Item) -> Optional[str]:
    mark = item.get_closest_marker("full")
    if mark is None:
        return None
    assert mark.args and mark.args[0] in PARTS, f"{item.nodeid}: full() names one of {', '.join(PARTS)}"
    return str(mark.args[0])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: List[pytest.Item]) -> None:
    """Leaves the tests of one layer, unless tests are named, and puts the files that take long first."""
    named = config.invocation_params.args and any("::" in arg or arg.endswith(".py") for arg in config.args)
    wanted = config.getoption("--part")
    if wanted or not named:
        others = [item for item in items if part_of(item) != wanted]
        items[:] = [item for item in items if part_of(item) == wanted]
        config.hook.pytest_deselected(items=others)
    sizes = Counter(item.path for item in items)
    places = {path: place for place, path in enumerate(sizes)}
    items.sort(key=lambda item: (item.path.name not in LONG, -sizes[item.path], places[item.path]))


# Files whose tests take long, so that none of them is begun last.
LONG = ["test_sink.py", "test_docs.py", "test_log_sink.py", "test_cli.py"]


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[SparkSession]:
    builder = SparkSession.builder.appName("jellybridge tests")
    warehouse = str(tmp_path_factory.mktemp("warehouse"))
    for name, value in {**SESSION, "spark.sql.warehouse.dir": warehouse, **PROFILES[pytestconfig.getoption("--profile")]}.items():
        builder = builder.config(name, value)
    session = jellybridge.configure_spark(builder).getOrCreate()
    yield session
    session.stop()


@contextmanager
def spark_settings(spark: SparkSession, settings: Mapping[str, str]) -> Iterator[None]:
    """Changes settings of the session meanwhile. Afterwards they are what the profile says."""
    before = {name: spark.conf.get(name, None) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, kept in before.items():
            if kept is None:
                spark.conf.unset(name)
            else:
                spark.conf.set(name, kept)


@pytest.fixture(scope="module")
def generated_code(spark: SparkSession) -> Iterator[None]:
    """For modules whose queries meet every column of a format."""
    with spark_settings(spark, COMPILED):
        yield


@pytest.fixture
def stops_at_damage(spark: SparkSession) -> Iterator[None]:
    """For tests of what fails and of what is split: a profile may set that Spark skips what is damaged, and then no file is split."""
    with spark_settings(spark, {"spark.sql.files.ignoreCorruptFiles": "false"}):
        yield


@contextmanager
def jvm_warnings(spark: SparkSession) -> Iterator[Callable[[], str]]:
    """What the JVM of a session logs meanwhile, as warnings or worse."""
    log4j = spark._jvm.org.apache.logging.log4j  # type: ignore[union-attr]
    text = spark._jvm.java.io.StringWriter()  # type: ignore[union-attr]
    appender = log4j.core.appender.WriterAppender.createAppender(None, None, text, "test", False, True)
    appender.start()
    logger = log4j.LogManager.getRootLogger()
    before = logger.getLevel()
    spark.sparkContext.setLogLevel("WARN")
    logger.addAppender(appender)
    try:
        yield lambda: str(text)
    finally:
        logger.removeAppender(appender)
        spark.sparkContext.setLogLevel(str(before))


@pytest.fixture(scope="session", params=["mem:", "tdb2:", "fuseki", "fuseki with module"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the datasets of a contract are: ``mem:``, ``tdb2:`` (without a folder), or the URL of a server's."""
    if not request.param.startswith("fuseki"):
        yield request.param
        return
    log = tmp_path_factory.mktemp("fuseki") / "fuseki.log"
    with FusekiServer(module="module" in request.param, log=log) as server:
        yield server.url


@pytest.fixture(scope="session")
def shared_dir() -> Path:
    """The folder of conformance vectors and real data, beside the project; tests that need it are skipped without."""
    folder = Path(os.environ.get("JELLYBRIDGE_SHARED", HERE.parent.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"{folder} is not there; JELLYBRIDGE_SHARED names another place")
    return folder

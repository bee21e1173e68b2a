"""What the Python tests share: one Spark session, and where the data is that is not part of the project."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, List, Optional, Tuple

import pytest
from pyspark.sql import SparkSession

import jellybridge

sys.path.insert(0, str(Path(__file__).resolve().parent))
from fuseki_server import FusekiServer  # noqa: E402
from jvm_environment import short_jvm  # noqa: E402

HERE = Path(__file__).resolve().parent
# Tests of the door that needs no Spark. A running Spark session would take them through the other door, so they have a
# process of their own: test_jpype.py starts it.
WITHOUT_SPARK = HERE / "jpype"
os.environ.setdefault("SPARK_SUBMIT_OPTS", " ".join(short_jvm("spark")))
# What the JVM's starts share stays in the project.
os.environ.setdefault("JELLYBRIDGE_CACHE", str(HERE.parent / "build" / "cache"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> Optional[bool]:
    asked_for = (Path(argument.split("::")[0]).resolve() for argument in config.args)
    if collection_path == WITHOUT_SPARK and not any(path.is_relative_to(WITHOUT_SPARK) for path in asked_for):
        return True
    return None


# Files whose tests share nothing: each test starts processes of its own. Files in which one takes longest come first.
APART = ["test_jpype.py", "test_demo.py", "test_kafka.py", "test_cluster.py", "test_examples.py", "test_docs.py"]


def turn(item: pytest.Item) -> int:
    return APART.index(item.path.name) + 1 if item.path.name in APART else 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: List[pytest.Item]) -> None:
    sizes = Counter(item.path for item in items)
    places = {path: place for place, path in enumerate(sizes)}

    def place(item: pytest.Item) -> Tuple[int, int, int]:
        return turn(item), -sizes[item.path] if turn(item) == 0 else 0, places[item.path]

    items.sort(key=place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Where tests run in several processes: those of a file in one, but for those that are apart, which fill up the end."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::", 1)[0]
            return nodeid if Path(file).name in APART else file

    config.option.loadscopereorder = False  # they are in order
    return ByFile(config, log)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    builder = (
        SparkSession.builder.master("local[2]")
        .appName("jellybridge tests")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.log.level", "ERROR")
        .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
    )
    session = jellybridge.configure_spark(builder).getOrCreate()
    yield session
    session.stop()


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

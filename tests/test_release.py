"""What ``make release`` makes, taken as a user takes it: without this checkout, and for Python without an installed Java."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Dict, Iterator, List, Tuple
from xml.etree import ElementTree

import pytest

PROJECT = Path(__file__).resolve().parent.parent
pytestmark = pytest.mark.full("release")
#: As a user's shell is: without what tests or developers set.
CLEAN = {name: value for name, value in os.environ.items()
         if not name.startswith(("JELLYBRIDGE_", "PYSPARK_", "SPARK_", "JAVA_HOME", "PYTHON", "VIRTUAL_ENV"))}


def run(command: List[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=folder, env={**CLEAN, **environment}, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def release() -> Path:
    run(["make", "--no-print-directory", "release"], PROJECT)
    return PROJECT / "build" / "release"


@pytest.fixture(scope="module")
def wheel(release: Path) -> Path:
    [file] = (release / "python").glob("*.whl")
    return file


def test_one_jar_for_fuseki_is_in_the_release(release: Path) -> None:
    [jar] = (release / "fuseki").iterdir()
    with zipfile.ZipFile(jar) as opened:
        names = opened.namelist()
    assert re.fullmatch(r"jellybridge-[0-9.]+\.jar", jar.name)
    assert "META-INF/services/org.apache.jena.fuseki.main.sys.FusekiAutoModule" in names
    assert not [name for name in names if name.startswith("org/apache/jena/")]


def fenced(document: Path, language: str) -> Iterator[str]:
    return (match[1] for match in re.finditer(rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.M | re.S))


def programs_of_java() -> Iterator[Tuple[str, str]]:
    """The programs of docs/java.md, by the names of their classes."""
    for program in fenced(PROJECT / "docs" / "java.md", "java"):
        name = re.search(r"public class (\w+)", program)
        assert name is not None
        yield name[1], program


@pytest.fixture(scope="module")
def programs(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands of an environment that has the wheel and the extra ``java``."""
    folder = tmp_path_factory.mktemp("python") / "venv"
    run([sys.executable, "-m", "venv", str(folder)], folder.parent)
    run([str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", f"{wheel}[java]"], folder.parent)
    return folder / "bin"


class TestPython:
    def test_the_readme_of_the_package_works_where_no_java_is_installed(self, programs: Path, tmp_path: Path) -> None:
        if os.geteuid() != 0 or not Path("/usr/lib/jvm").is_dir() or not shutil.which("unshare"):
            pytest.skip("only root can hide the Java that is installed from a process")
        lines = [line[2:] for block in fenced(PROJECT / "python" / "README.md", "console") for line in block.splitlines()
                 if line.startswith("$ jellybridge") or line.startswith("$ echo")]
        python = next(fenced(PROJECT / "python" / "README.md", "python"))
        (tmp_path / "program.py").write_text(python)
        script = ["set -eu", "mount -t tmpfs none /usr/lib/jvm", "! java -version 2>&1", *lines, "python program.py"]
        said = run(["unshare", "--mount", "bash", "-c", "\n".join(script)], tmp_path, PATH=f"{programs}:/usr/bin:/bin",
                   HOME=str(tmp_path))
        assert "version 2" in said and 'D <http://example.org/tea> <http://example.org/price> "3" .' in said
        assert said.splitlines()[-1] == '<http://example.org/tea> "4"'

    def test_the_wheel_says_what_it_is(self, wheel: Path, programs: Path, tmp_path: Path) -> None:
        with zipfile.ZipFile(wheel) as archive:
            [name] = (name for name in archive.namelist() if name.endswith("METADATA"))
            said = archive.read(name).decode()
        assert "License-Expression: Apache-2.0" in said and "Python :: 3.11" in said and "## Install" in said
        assert "built with Spark" in run([str(programs / "jellybridge"), "--version"], tmp_path)

    def test_an_sdist_makes_the_same_wheel(self, release: Path, wheel: Path, tmp_path: Path) -> None:
        [sdist] = (release / "python").glob("*.tar.gz")
        run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(sdist)], tmp_path)
        [made] = tmp_path.glob("*.whl")
        with zipfile.ZipFile(made) as one, zipfile.ZipFile(wheel) as other:
            assert sorted(one.namelist()) == sorted(other.namelist())

    def test_a_clone_without_jars_says_in_one_line_what_to_do(self, tmp_path: Path) -> None:
        shutil.copytree(PROJECT / "python", tmp_path / "python", ignore=shutil.ignore_patterns("jars", "dist"))
        done = subprocess.run([sys.executable, "-m", "pip", "wheel", "--no-deps", str(tmp_path / "python")], cwd=tmp_path, env=CLEAN,
                              capture_output=True, text=True)
        assert done.returncode != 0
        assert "is missing: run `make build` first" in done.stdout + done.stderr


def without_ours(folder: Path) -> Path:
    """Makes a local repository of Maven with all that the machine has stored but our own jars, which may be older ones."""
    stored = Path.home() / ".m2" / "repository"
    (folder / "io").mkdir(parents=True)
    for below in ("", "io"):
        for found in (stored / below).glob("*"):
            if found != stored / "io" and found.name != "jellybridge":
                (folder / below / found.name).symlink_to(found)
    return folder


@pytest.fixture(scope="module")
def maven_project(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Maven project with the programs of docs/java.md, compiled."""
    folder = tmp_path_factory.mktemp("maven")
    repositories, *dependencies = fenced(PROJECT / "docs" / "java.md", "xml")
    here = repositories.replace("file:///path/to/jellybridge/build/release/maven", (release / "maven").as_uri())
    (folder / "pom.xml").write_text(f"""<project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>user</artifactId><version>1</version>
        <properties><maven.compiler.release>17</maven.compiler.release>
            <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
        {here}
        <build><plugins><plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin></plugins></build>
        <dependencies>{''.join(dependencies)}</dependencies></project>""")
    sources = folder / "src" / "main" / "java"
    sources.mkdir(parents=True)
    for name, program in programs_of_java():
        (sources / f"{name}.java").write_text(program)
    run(["mvn", "--batch-mode", "--quiet", "--strict-checksums", f"-Dmaven.repo.local={without_ours(folder / 'repository')}", "compile",
         "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath", "-Dmdep.outputFile=classpath.txt"], folder)
    return folder


class TestJava:
    def test_the_programs_of_the_guide_run_one_after_the_other(self, maven_project: Path, tmp_path: Path) -> None:
        jars = (maven_project / "classpath.txt").read_text().strip()
        said: Dict[str, str] = {}
        for name, _ in programs_of_java():
            said[name] = run(["java", "-cp", f"{maven_project / 'target' / 'classes'}{os.pathsep}{jars}", name], tmp_path)
        assert "A <urn:tea> <urn:price> 3 ." in said["PrintChanges"]
        assert said["ApplyChanges"].strip().endswith("1 statements changed")
        assert said["Follow"].strip().endswith("1 patches applied, 1 statements")
        assert said["Riot"].strip().endswith("1 statements")
        assert list((tmp_path / "log").glob("*.jellyp"))

    def test_each_artifact_has_sources_javadoc_a_licence_and_a_name_as_a_module(self, release: Path) -> None:
        for module in ("core", "log", "jena", "sync", "fuseki"):
            [folder] = (release / "maven" / "io" / "jellybridge" / f"jellybridge-{module}").glob("[0-9]*")
            assert {file.suffix for file in folder.iterdir()} == {".jar", ".pom", ".sha1", ".md5"}
            [main] = (file for file in folder.glob("*.jar") if not re.search("(sources|javadoc).jar$", file.name))
            assert len(list(folder.glob("*.jar"))) == 3
            with zipfile.ZipFile(main) as jar:
                assert f"Automatic-Module-Name: io.jellybridge.{module}" in jar.read("META-INF/MANIFEST.MF").decode()
            with zipfile.ZipFile(next(folder.glob("*-javadoc.jar"))) as javadoc:
                assert "Where to start" in javadoc.read("index.html").decode()
            pom = ElementTree.parse(next(folder.glob("*.pom")))
            assert "Apache-2.0" in [name.text for name in pom.iter("{http://maven.apache.org/POM/4.0.0}name")]

    def test_each_file_of_the_repository_has_its_checksums_and_each_pom_a_developer(self, release: Path) -> None:
        files = [file for file in (release / "maven").rglob("*") if file.suffix in (".jar", ".pom", ".xml")]
        assert {file.name for file in files if file.suffix == ".xml"} == {"maven-metadata.xml"}
        for file in files:
            for name in ("sha1", "md5"):
                checksum = file.with_name(f"{file.name}.{name}").read_text()
                assert checksum == hashlib.new(name, file.read_bytes()).hexdigest()
            assert file.suffix != ".pom" or "<developer>" in file.read_text("utf-8")

    def test_the_bill_of_materials_names_what_the_bundle_holds(self, release: Path) -> None:
        bill = json.loads((release / "jellybridge-bundle.cdx.json").read_text())
        names = {f"{part['group']}:{part['name']}": part["licenses"] for part in bill["components"]}
        assert names["org.apache.jena:jena-arq"] == [{"license": {"id": "Apache-2.0"}}] and len(names) > 30
        [bundle] = (release / "maven" / "io" / "jellybridge" / "jellybridge-bundle").glob("[0-9]*/*.jar")
        with zipfile.ZipFile(bundle) as jar:
            assert {"META-INF/LICENSE", "META-INF/NOTICE"} <= set(jar.namelist())

    def test_spark_submit_takes_the_bundle_as_a_package(self, release: Path, tmp_path: Path) -> None:
        [version] = (path.name for path in (release / "maven" / "io" / "jellybridge" / "jellybridge-bundle").glob("[0-9]*"))
        (tmp_path / "job.py").write_text("""
from pyspark.sql import SparkSession
import jellybridge
spark = jellybridge.configure_spark(SparkSession.builder.master("local[1]")).getOrCreate()
spark.range(1).selectExpr("'A' op", "'<urn:s>' subject", "'<urn:p>' predicate", "'<urn:o>' object", "CAST(NULL AS STRING) graph") \\
    .write.format("jelly-patch").save("out")
print("rows", spark.read.format("jelly-patch").load("out").count())
""")
        submit = Path(sys.executable).parent / "spark-submit"
        said = run([str(submit), "--packages", f"io.jellybridge:jellybridge-bundle:{version}",
                    "--repositories", (release / "maven").as_uri(), "--conf", f"spark.jars.ivy={tmp_path / 'ivy'}", "job.py"], tmp_path,
                   PYSPARK_PYTHON=sys.executable, PATH=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        assert "rows 1" in said

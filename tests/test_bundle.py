"""The bundle: what it may hold, what it must not, and that it works with nothing beside it but slf4j."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Iterator, List, NamedTuple

import pytest

import jellybridge
from jellybridge import jar_path

ROOT = Path(__file__).resolve().parent.parent
BUNDLER = ROOT / "jvm" / "bundler"
SHADED = "io.jellybridge.shaded."


class Artifact(NamedTuple):
    name: str
    license: str


@pytest.fixture(scope="module")
def bundle() -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(jar_path()) as jar:
        yield jar


@pytest.fixture(scope="module")
def classes(bundle: zipfile.ZipFile) -> List[str]:
    found = [name for name in bundle.namelist() if name.endswith(".class")]
    assert len(found) > 5000
    return found


def lines(name: str) -> List[str]:
    text = (BUNDLER / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def artifacts() -> List[Artifact]:
    columns = [line.split() for line in lines("artifacts.txt")]
    return [Artifact("-".join(column[0].split(":")[1:]), column[1]) for column in columns]


def relocated_packages() -> List[str]:
    return [line.split()[1][: -len(".**")] for line in lines("relocations.txt")]


def test_every_class_is_in_an_allowed_package(classes: List[str]) -> None:
    allowed = tuple(package.replace(".", "/") + "/" for package in lines("allowed-packages.txt"))
    assert [name for name in classes if not name.startswith(allowed)] == []


def test_ours_and_jena_keep_their_names(classes: List[str]) -> None:
    for name in (
        "io/jellybridge/codec/PatchReader.class",
        "org/apache/jena/rdfpatch/RDFChanges.class",
        "org/apache/jena/tdb2/TDB2.class",
    ):
        assert name in classes


def test_every_relocation_rule_moves_something(classes: List[str]) -> None:
    for package in relocated_packages():
        assert any(name.startswith((SHADED + package).replace(".", "/")) for name in classes), package


def test_no_class_refers_to_a_relocated_class_by_its_old_name(bundle: zipfile.ZipFile, classes: List[str]) -> None:
    packages = "|".join(package.replace(".", "/") for package in relocated_packages())
    reference = re.compile(rf"(?<!{SHADED.replace('.', '/')})(?:{packages})/[\w/$]*[A-Z]\w*[;(]?".encode())
    # Not a class: part of a web address in an error message.
    addresses = {b"com/google/gson/blob/main/Troubleshooting"}
    # Kotlin's compiler notes names in an annotation that nothing but its reflection reads.
    in_kotlin = re.compile(rf"{SHADED.replace('.', '/')}(?:kotlin|okio)/")
    stale = {(name, found) for name in classes for found in reference.findall(bundle.read(name))
             if not (in_kotlin.match(name) and found.startswith((b"kotlin/", b"okio/")))}
    assert {(name, found) for name, found in stale if found not in addresses} == set()


def test_slf4j_and_commons_logging_stay_out(bundle: zipfile.ZipFile) -> None:
    assert [name for name in bundle.namelist() if "slf4j" in name or "commons/logging" in name] == []


def test_nothing_is_there_twice(bundle: zipfile.ZipFile) -> None:
    names = bundle.namelist()
    assert len(names) == len(set(names))


def test_modules_signatures_and_releases_of_classes_stay_out(bundle: zipfile.ZipFile) -> None:
    unwanted = re.compile(r"module-info\.class|META-INF/(versions|maven)/|META-INF/[^/]+\.(SF|RSA|DSA|EC)$")
    assert [name for name in bundle.namelist() if unwanted.search(name)] == []


def test_service_files_name_classes_of_the_bundle(bundle: zipfile.ZipFile) -> None:
    names = set(bundle.namelist())
    providers = [
        (service, line)
        for service in names
        if service.startswith("META-INF/services/")
        for line in bundle.read(service).decode("utf-8").splitlines()
    ]
    assert [(s, p) for s, p in providers if p.replace(".", "/") + ".class" not in names] == []
    assert len(providers) == len(set(providers))


def test_the_slim_jar_has_each_service_file_once() -> None:
    with zipfile.ZipFile(ROOT / "build" / "libs" / f"jellybridge-{jellybridge.__version__}.jar") as slim:
        services = [name for name in slim.namelist() if name.startswith("META-INF/services/") and not name.endswith("/")]
        subsystems = slim.read("META-INF/services/org.apache.jena.sys.JenaSubsystemLifecycle").decode("utf-8").split()
    assert len(services) == len(set(services)) > 3
    assert len(subsystems) == 2


def test_every_subsystem_of_jena_is_registered(bundle: zipfile.ZipFile) -> None:
    # Jena starts with the subsystems that it finds, so a lost line would be a silent loss.
    subsystems = bundle.read("META-INF/services/org.apache.jena.sys.JenaSubsystemLifecycle").decode("utf-8").split()
    packages = ("io.jellybridge.jena", "io.jellybridge.fuseki") + tuple(
        f"org.apache.jena.{name}" for name in ("rdfpatch", "riot", "sparql", "tdb2")
    )
    for package in packages:
        assert any(name.startswith(package) for name in subsystems), (package, subsystems)


@pytest.mark.parametrize("artifact", artifacts(), ids=lambda artifact: artifact.name)
def test_licence_of_every_bundled_artifact_is_there(bundle: zipfile.ZipFile, artifact: Artifact) -> None:
    folder = f"META-INF/licenses/{artifact.name}/"
    texts = {
        name[len(folder) :]: bundle.read(name).decode("utf-8") for name in bundle.namelist() if name.startswith(folder)
    }
    words = {
        "Apache-2.0": "Apache License",
        "BSD-3-Clause": "Redistribution and use in source and binary forms",
        "EPL-2.0": "Eclipse Public License",
        "MIT": "Permission is hereby granted, free of charge",
    }
    assert any(name.startswith("LICENSE") and words[artifact.license] in text for name, text in texts.items())


def test_notices_of_what_brings_none_in_its_jar_are_there(bundle: zipfile.ZipFile) -> None:
    names = bundle.namelist()
    for artifact in artifacts():
        if artifact.name.startswith(("grpc-", "perfmark-")):
            notice = bundle.read(f"META-INF/licenses/{artifact.name}/NOTICE").decode("utf-8")
            assert ("The gRPC Authors" if artifact.name.startswith("grpc-") else "Google LLC") in notice
    assert len([name for name in names if name.startswith("META-INF/licenses/grpc-") and name.endswith("/NOTICE")]) == 6


def test_our_own_licence_and_notice_are_there(bundle: zipfile.ZipFile) -> None:
    for name in ("LICENSE", "NOTICE"):
        assert bundle.read(f"META-INF/{name}") == (ROOT / name).read_bytes()


def test_bundle_works_with_nothing_beside_it_but_slf4j(tmp_path: Path) -> None:
    # A process of its own: a JVM can't be started twice in one, and this one has to be clean.
    script = Path(__file__).with_name("bundle_smoke.py")
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == "bundle works"
    assert "ERROR" not in run.stderr and "WARN" not in run.stderr, run.stderr


def test_the_codec_works_by_itself(tmp_path: Path) -> None:
    rows = [{"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": '"é"@en', "graph": "<urn:g>"},
            {"op": "D", "subject": "_:b", "predicate": "<urn:p>", "object": "<urn:o>"}]
    jellybridge.write_patch(tmp_path / "log.jellyp", rows)
    core = ROOT / "build" / "libs" / f"jellybridge-core-{jellybridge.__version__}.jar"
    java = Path(os.environ["JAVA_HOME"]) / "bin" / "java"
    done = subprocess.run([str(java), "-Dfile.encoding=UTF-8", "-Dstdout.encoding=UTF-8", "-cp", str(core),
                           str(ROOT / "examples" / "PatchRows.java"), str(tmp_path / "log.jellyp")],
                          capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ('A <urn:s> <urn:p> "é"@en <urn:g>\nD _:b <urn:p> <urn:o>\n', "")

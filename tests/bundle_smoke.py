"""Starts a JVM with the bundle and slf4j alone, and uses what depends on relocated libraries. Run by test_bundle.py.

Usage: bundle_smoke.py EMPTY_FOLDER
"""

from __future__ import annotations

import bz2
import sys
from pathlib import Path
from typing import Any

import jpype

from jellybridge._jars import class_path
from jellybridge._version import __version__

DATA = """
PREFIX : <http://example.org/>
INSERT DATA {
  :s :p "chat"@fr, "042"^^<http://www.w3.org/2001/XMLSchema#integer>, "é"
  GRAPH :g { :s :p _:b . _:b :p <<( :a :b :c )>> }
}
"""
QUADS = 5


def main(folder: Path) -> None:
    jpype.startJVM(classpath=class_path(), convertStrings=False)
    check_versions()
    dataset = jpype.JClass("org.apache.jena.query.DatasetFactory").createTxnMem()
    update(dataset, DATA)
    assert count(dataset) == QUADS
    for lang in ("RDFTHRIFT", "RDFPROTO", "NQUADS", "TRIG"):
        check_rdf_round_trip(dataset, lang)
    check_json_ld(dataset)
    check_results(dataset)
    check_patch_round_trip(dataset)
    check_tdb2(folder / "tdb2")
    check_compressed_file(folder / "data.nt.bz2")
    check_reasoner()
    print("bundle works")


def check_versions() -> None:
    """Ours in the resource and the manifest; Jena's is still Jena's."""
    system = jpype.JClass("java.lang.ClassLoader").getSystemClassLoader()
    properties = jpype.JClass("java.util.Properties")()
    with system.getResourceAsStream("jellybridge-version.properties") as stream:
        properties.load(stream)
    assert str(properties.getProperty("version")) == __version__
    package = system.loadClass("io.jellybridge.codec.Op").getPackage()
    assert str(package.getImplementationVersion()) == __version__
    assert str(jpype.JClass("org.apache.jena.query.ARQ").VERSION) != __version__


def update(dataset: Any, text: str) -> None:
    dataset.begin(jpype.JClass("org.apache.jena.query.ReadWrite").WRITE)
    jpype.JClass("org.apache.jena.update.UpdateExecution").dataset(dataset).update(text).execute()
    dataset.commit()
    dataset.end()


def count(dataset: Any) -> int:
    query = "SELECT (COUNT(*) AS ?n) { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
    dataset.begin(jpype.JClass("org.apache.jena.query.ReadWrite").READ)
    try:
        with jpype.JClass("org.apache.jena.query.QueryExecution").dataset(dataset).query(query).build() as execution:
            return int(execution.execSelect().next().getLiteral("n").getInt())
    finally:
        dataset.end()


def read(data: Any, lang: Any) -> Any:
    graphs = jpype.JClass("org.apache.jena.query.DatasetFactory").createTxnMem()
    stream = jpype.JClass("java.io.ByteArrayInputStream")(data)
    jpype.JClass("org.apache.jena.riot.RDFDataMgr").read(graphs, stream, lang)
    return graphs


def write(dataset: Any, lang: Any) -> Any:
    out = jpype.JClass("java.io.ByteArrayOutputStream")()
    jpype.JClass("org.apache.jena.riot.RDFDataMgr").write(out, dataset, lang)
    return out.toByteArray()


def isomorphic(one: Any, other: Any) -> bool:
    util = jpype.JClass("org.apache.jena.sparql.util.IsoMatcher")
    return bool(util.isomorphic(one.asDatasetGraph(), other.asDatasetGraph()))


def check_rdf_round_trip(dataset: Any, name: str) -> None:
    lang = getattr(jpype.JClass("org.apache.jena.riot.Lang"), name)
    assert isomorphic(read(write(dataset, lang), lang), dataset), name


def check_json_ld(dataset: Any) -> None:
    """Titanium, and Jakarta JSON, which looks for its implementation by name."""
    lang = jpype.JClass("org.apache.jena.riot.Lang").JSONLD
    plain = jpype.JClass("org.apache.jena.query.DatasetFactory").createTxnMem()
    update(plain, 'PREFIX : <http://example.org/> INSERT DATA { GRAPH :g { :s :p "x"@en } }')
    assert isomorphic(read(write(plain, lang), lang), plain)


def check_results(dataset: Any) -> None:
    """JSON (Gson is for Jena's own), CSV (commons-csv), and the two binary forms of a result."""
    formats = jpype.JClass("org.apache.jena.riot.resultset.ResultSetLang")
    manager = jpype.JClass("org.apache.jena.riot.ResultSetMgr")
    for name in ("RS_JSON", "RS_XML", "RS_CSV", "RS_TSV", "RS_Thrift", "RS_Protobuf"):
        out = jpype.JClass("java.io.ByteArrayOutputStream")()
        query = "SELECT ?o { ?s ?p ?o }"
        with jpype.JClass("org.apache.jena.query.QueryExecution").dataset(dataset).query(query).build() as execution:
            manager.write(out, execution.execSelect(), getattr(formats, name))
        rows = manager.read(jpype.JClass("java.io.ByteArrayInputStream")(out.toByteArray()), getattr(formats, name))
        assert sum(1 for _ in rows) == 3, name


def check_patch_round_trip(dataset: Any) -> None:
    """A patch in Jena's binary form is Thrift."""
    ops = jpype.JClass("org.apache.jena.rdfpatch.RDFPatchOps")
    collector = jpype.JClass("org.apache.jena.rdfpatch.changes.RDFChangesCollector")()
    copy = jpype.JClass("org.apache.jena.sparql.core.DatasetGraphFactory").createTxnMem()
    recorded = ops.changes(copy, collector)
    jpype.JClass("org.apache.jena.system.Txn").executeWrite(
        recorded, jpype.JProxy("java.lang.Runnable", {"run": lambda: recorded.addAll(dataset.asDatasetGraph())})
    )
    out = jpype.JClass("java.io.ByteArrayOutputStream")()
    ops.writeBinary(out, collector.getRDFPatch())
    patch = ops.readBinary(jpype.JClass("java.io.ByteArrayInputStream")(out.toByteArray()))
    replica = jpype.JClass("org.apache.jena.query.DatasetFactory").createTxnMem()
    ops.applyChange(replica.asDatasetGraph(), patch)
    assert isomorphic(replica, dataset)


def check_tdb2(folder: Path) -> None:
    """TDB2 caches with Caffeine, which finds its classes by name."""
    folder.mkdir()
    factory = jpype.JClass("org.apache.jena.tdb2.TDB2Factory")
    update(factory.connectDataset(str(folder)), DATA)
    internal = jpype.JClass("org.apache.jena.tdb2.sys.TDBInternal")
    internal.expel(factory.connectDataset(str(folder)).asDatasetGraph())
    assert count(factory.connectDataset(str(folder))) == QUADS


def check_compressed_file(path: Path) -> None:
    """bzip2 is read by commons-compress."""
    path.write_bytes(bz2.compress(b"<http://example.org/s> <http://example.org/p> <http://example.org/o> .\n"))
    assert count(jpype.JClass("org.apache.jena.riot.RDFDataMgr").loadDataset(str(path))) == 1


def check_reasoner() -> None:
    """The rules of a reasoner are a resource."""
    models = jpype.JClass("org.apache.jena.rdf.model.ModelFactory")
    rdfs = jpype.JClass("org.apache.jena.vocabulary.RDFS")
    base = models.createDefaultModel()
    a, b, c = (base.createResource(f"http://example.org/{name}") for name in "abc")
    base.add(a, rdfs.subClassOf, b)
    base.add(b, rdfs.subClassOf, c)
    assert bool(models.createRDFSModel(base).contains(a, rdfs.subClassOf, c))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""What a Dataset does, behind either door and on either store."""

from __future__ import annotations

import gc
import re
import signal
from pathlib import Path
from typing import Any, Callable, List, Tuple, Type

import pytest

from jellybridge import (
    ApplyReport, ChangeRow, Dataset, JellybridgeError, PatchFormatError, __version__, convert, read_patch, write_patch,
)


def quad(op: str, name: str, graph: object = None, patch: int = 0) -> ChangeRow:
    return ChangeRow(patch, op=op, subject=f"<urn:{name}>", predicate="<urn:p>", object='"o"', graph=graph)


def subjects(dataset: Dataset) -> List[str]:
    rows = dataset.query("SELECT ?s { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } ORDER BY ?s")
    return [row["s"] for row in rows]


class DatasetContract:
    """Subclasses say behind which door it is."""

    @pytest.fixture
    def dataset(self, store: str, tmp_path: Path):
        uri = f"tdb2:{tmp_path / 'store'}" if store == "tdb2:" else store
        with Dataset.open(uri) as dataset:
            if store.startswith("http"):
                dataset.update("CLEAR ALL")
            yield dataset

    @pytest.fixture
    def local(self, store: str, dataset: Dataset) -> Dataset:
        """The dataset, where it is in this process."""
        if store.startswith("http"):
            pytest.skip("changes are captured where the dataset is opened")
        return dataset

    @pytest.fixture
    def log(self, tmp_path: Path) -> Path:
        return tmp_path / "log.jellyp"

    def test_a_patch_is_applied_but_for_its_aborted_transaction(self, dataset: Dataset, store: str, log: Path) -> None:
        write_patch(log, [
            ChangeRow(op="TX"), quad("A", "a"), quad("A", "b", "<urn:g>"), quad("D", "none"), ChangeRow(op="TC"),
            ChangeRow(op="TX"), quad("A", "aborted"), quad("D", "a"), ChangeRow(op="TA"),
            quad("A", "c", "_:g", patch=1),
        ])
        changed = None if store.startswith("http") else 3
        assert dataset.apply(log) == ApplyReport(2, transactions=1, added=3, deleted=1, aborted=1, changed=changed)
        assert dataset.apply(log).changed in (0, None)
        assert subjects(dataset) == ["<urn:a>", "<urn:b>", "<urn:c>"]
        assert len(dataset) == 3

    @pytest.mark.parametrize("suffix", [".jellyp.gz", ".jellyp.zst", ".rdfp", ".rdfp.gz", ".trp"])
    def test_a_file_of_another_format_or_compressed_is_applied_as_well(
        self, dataset: Dataset, store: str, tmp_path: Path, log: Path, suffix: str
    ) -> None:
        write_patch(log, [
            ChangeRow(op="TX"), quad("A", "a", "<urn:g>"), ChangeRow(op="TC"), quad("D", "a", "<urn:g>", patch=1),
            quad("A", "b", patch=1),
        ])
        other = tmp_path / f"other{suffix}"
        convert(str(log), str(other))
        changed = None if store.startswith("http") else 3
        assert dataset.apply(other) == ApplyReport(2, transactions=1, added=2, deleted=1, aborted=0, changed=changed)
        assert subjects(dataset) == ["<urn:b>"]

    @pytest.mark.parametrize("suffix", [".gz", ".zst"])
    def test_a_compressed_file_that_is_cut_off_changes_nothing(
        self, dataset: Dataset, tmp_path: Path, suffix: str
    ) -> None:
        file = tmp_path / f"log.jellyp{suffix}"
        write_patch(file, [quad("A", "a"), quad("A", "b", patch=1)])
        file.write_bytes(file.read_bytes()[:-5])
        with pytest.raises(JellybridgeError, match=f"{file.name}: the compressed data ends too early"):
            dataset.apply(file)
        assert len(dataset) == 0

    def test_a_folder_that_spark_wrote_is_taken_for_the_one_file_in_it(self, dataset: Dataset, tmp_path: Path) -> None:
        folder = tmp_path / "log"
        folder.mkdir()
        (folder / "_SUCCESS").touch()
        with pytest.raises(ValueError, match="0 files"):
            dataset.apply(folder)
        write_patch(folder / "part-0.jellyp", [quad("A", "a")])
        assert dataset.apply(folder).added == 1
        write_patch(folder / "part-1.jellyp", [quad("A", "b")])
        with pytest.raises(ValueError, match="2 files"):
            dataset.apply(folder)

    def test_a_broken_file_changes_nothing(self, dataset: Dataset, log: Path) -> None:
        write_patch(log, [quad("A", "a"), quad("A", "b", patch=1)])
        log.write_bytes(log.read_bytes()[:-1])
        with pytest.raises(PatchFormatError, match="P-125") as raised:
            dataset.apply(log)
        assert raised.value.file == str(log)
        assert len(dataset) == 0
        dataset.update("INSERT DATA { <urn:later> <urn:p> <urn:o> }")
        assert len(dataset) == 1

    def test_apply_tells_how_far_it_is(self, dataset: Dataset, log: Path) -> None:
        write_patch(log, (quad("A", str(number)) for number in range(25_000)))
        heard: List[int] = []
        dataset.apply(log, progress=heard.append)
        assert heard == sorted(heard) and heard[-1] == 25_000

    @pytest.mark.parametrize("stop, error", [
        (lambda rows: signal.raise_signal(signal.SIGINT), KeyboardInterrupt),
        (lambda rows: 1 // 0, ZeroDivisionError),
    ])
    def test_an_interrupt_and_an_error_of_progress_roll_the_patch_back(
        self, local: Dataset, tmp_path: Path, stop: Callable[[int], None], error: Type[BaseException]
    ) -> None:
        large = tmp_path / "large.rdfp"
        large.write_text("".join(f"A <urn:{row}> <urn:p> <urn:o> .\n" for row in range(250_000)))
        with pytest.raises(error):
            local.apply(large, progress=stop)
        assert len(local) == 0
        small = tmp_path / "small.rdfp"
        small.write_text("A <urn:s> <urn:p> <urn:o> .\n")
        assert local.apply(small).added == 1

    def test_a_missing_file_is_pythons_own_error(self, dataset: Dataset, tmp_path: Path) -> None:
        for call in (dataset.apply, dataset.load):
            with pytest.raises(FileNotFoundError):
                call(tmp_path / "nowhere.nq")

    def test_queries_answer_in_plain_python(self, dataset: Dataset) -> None:
        dataset.update('INSERT DATA { <urn:s> <urn:p> "é\\n"@en-GB, 1 . GRAPH <urn:g> { <urn:t> <urn:q> _:b } }')
        assert dataset.query("SELECT ?o ?none { <urn:s> ?p ?o OPTIONAL { ?o <urn:x> ?none } } ORDER BY str(?o)") == [
            {"o": '"1"^^<http://www.w3.org/2001/XMLSchema#integer>', "none": None},
            {"o": '"é\\n"@en-gb', "none": None},
        ]
        assert dataset.query("ASK { GRAPH ?g { ?s <urn:q> ?o } }") is True
        assert dataset.query("ASK { <urn:nothing> ?p ?o }") is False
        assert dataset.query("CONSTRUCT { ?s <urn:r> <urn:o> } WHERE { GRAPH ?g { ?s ?p ?o } }") == [
            ("<urn:t>", "<urn:r>", "<urn:o>")
        ]

    def test_a_query_that_is_none_is_an_error_of_one_line(self, dataset: Dataset) -> None:
        for call in (dataset.query, dataset.update):
            with pytest.raises(JellybridgeError) as raised:
                call("SELEKT *")
            assert "\n" not in str(raised.value)
            assert raised.value.__suppress_context__

    def test_a_failed_update_leaves_nothing(self, dataset: Dataset) -> None:
        with pytest.raises(JellybridgeError):
            dataset.update("INSERT DATA { <urn:s> <urn:p> 1 } ; LOAD <file:///nowhere.nq>", load=True)
        assert len(dataset) == 0

    def test_an_update_loads_only_when_it_is_asked_to(self, dataset: Dataset, tmp_path: Path) -> None:
        file = tmp_path / "secret.nt"
        file.write_text("<urn:s> <urn:p> <urn:o> .\n")
        update = f"INSERT DATA {{ <urn:t> <urn:p> 1 }} ; LOAD <{file.as_uri()}>"
        with pytest.raises(JellybridgeError, match=re.escape(f"LOAD <{file.as_uri()}>, which reads files")):
            dataset.update(update)
        assert len(dataset) == 0
        with pytest.raises(ValueError, match="load='yes': must be True or False"):
            dataset.update(update, load="yes")
        dataset.update(update, load=True)
        assert subjects(dataset) == ["<urn:s>", "<urn:t>"]

    def test_sparql_asks_servers_only_when_it_is_asked_to_and_ends_at_its_timeout(self, local: Dataset) -> None:
        service = "{ SERVICE SILENT <http://localhost:1/> { ?s ?p ?o } }"
        runs: List[Tuple[Callable[..., Any], str]] = [
            (local.query, f"ASK {service}"), (local.update, f"DELETE {{ ?s ?p ?o }} WHERE {service}"),
        ]
        for run, sparql in runs:
            with pytest.raises(JellybridgeError, match="SERVICE <http://localhost:1/>, which asks other servers"):
                run(sparql)
            run(sparql, service=True, timeout=60)
            for wrong in (0, -1, float("nan"), "5", 1e300):
                with pytest.raises(ValueError, match="timeout="):
                    run(sparql, timeout=wrong)
        local.update("INSERT DATA { " + " . ".join(f"<urn:s> <urn:p> {i}" for i in range(200)) + " }")
        endless = "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER (?c + ?f + ?i + ?l < 0) }"
        with pytest.raises(JellybridgeError, match="not done within 0.1 s"):
            local.query(f"ASK {endless}", timeout=0.1)
        with pytest.raises(JellybridgeError, match="not done within 0.1 s"):
            local.update(f"INSERT {{ ?a <urn:q> ?b }} WHERE {endless}", timeout=0.1)
        assert len(local) == 200

    def test_the_graph_of_positions_is_no_data(self, dataset: Dataset, store: str, tmp_path: Path) -> None:
        log = tmp_path / "log"
        log.mkdir()
        write_patch(log / "1.jellyp", [ChangeRow(op="H", name="id", value="<urn:id:1>"), quad("A", "a", "<urn:g>")])
        dataset.sync(log)
        assert len(dataset) == 1
        dataset.dump(tmp_path / "all.nq")
        assert (tmp_path / "all.nq").read_text() == '<urn:a> <urn:p> "o" <urn:g> .\n'
        if not store.startswith("http"):  # a server's queries are its own
            assert dataset.query("SELECT ?g { GRAPH ?g { ?s ?p ?o } }") == [{"g": "<urn:g>"}]
            dataset.update("DROP ALL")
            assert dataset.position() == "<urn:id:1>"
        with pytest.raises(ValueError, match="positions=1: must be True or False"):
            Dataset.open("mem:", positions=1)

    def test_who_asks_for_positions_sees_them(self, dataset: Dataset, store: str, tmp_path: Path) -> None:
        position = "GRAPH <urn:jellybridge:sync> { <urn:jellybridge:log> <urn:jellybridge:position> <urn:id:9> }"
        uri = f"tdb2:{tmp_path / 'store'}" if store == "tdb2:" else store
        dataset.close()
        with Dataset.open(uri, positions=True) as whole:
            whole.update(f"INSERT DATA {{ {position} }}")
            assert (len(whole), whole.position(), whole.query(f"ASK {{ {position} }}")) == (1, "<urn:id:9>", True)
        if store != "mem:":
            with Dataset.open(uri) as dataset:
                assert (len(dataset), dataset.position()) == (0, "<urn:id:9>")

    def test_a_patch_that_touches_positions_is_refused_and_nothing_of_it_is_done(self, dataset: Dataset, log: Path) -> None:
        write_patch(log, [quad("A", "a"), quad("A", "b", "<urn:jellybridge:sync>", patch=1)])
        with pytest.raises(PatchFormatError, match="in which each dataset keeps its own positions"):
            dataset.apply(log)
        assert len(dataset) == 0

    def test_what_tdb2_shows_can_be_deleted(self, dataset: Dataset, store: str, log: Path) -> None:
        decimal = '"1.50"^^<http://www.w3.org/2001/XMLSchema#decimal>'
        write_patch(log, [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=decimal)])
        dataset.apply(log)
        assert dataset.query("SELECT ?o { ?s ?p ?o }") == [{"o": decimal.replace("1.50", "1.5") if store == "tdb2:" else decimal}]
        dataset.update("DELETE WHERE { ?s ?p ?o }")
        assert len(dataset) == 0

    def test_what_is_dumped_loads_again(self, dataset: Dataset, tmp_path: Path) -> None:
        dataset.update('INSERT DATA { <urn:s> <urn:p> "é"@fr . GRAPH <urn:g> { <urn:t> <urn:q> 1 } }')
        file = tmp_path / "all.nq"
        dataset.dump(file)
        with Dataset.open("mem:") as other:
            other.load(file)
            assert len(other) == 2
            assert subjects(other) == subjects(dataset)

    def test_a_graph_is_loaded_and_dumped_as_triples(self, dataset: Dataset, tmp_path: Path) -> None:
        for line, format in ((b"<urn:s> <urn:p> <urn:o> .", "nt"), (b"<urn:s> <urn:p> _:b .", "ttl"), (b"{ <urn:s> <urn:p> 1 }", "trig")):
            assert dataset.load(line, format=format, graph="urn:g").statements == 1
        dataset.load(b"<urn:t> <urn:p> <urn:o> .", format="ttl", graph="default")
        for graph, count in (("<urn:g>", 3), ("default", 1), ("urn:h", 0)):
            dataset.dump(tmp_path / "graph.nt", graph=graph)
            assert len((tmp_path / "graph.nt").read_text().splitlines()) == count
        for wrong, said in (("urn:g", "in the graph urn:h, and is to be loaded into the graph urn:g"), ("urn:jellybridge:sync", "no data"),
                            ("urn:x-arq:UnionGraph", "which Jena keeps for itself")):
            with pytest.raises(JellybridgeError, match=said):
                dataset.load(b"<urn:s> <urn:p> <urn:o> <urn:h> .", format="nq", graph=wrong)
        assert len(dataset) == 4

    def test_a_capture_replays_into_an_equal_dataset(self, local: Dataset, log: Path) -> None:
        dataset = local
        dataset.update("INSERT DATA { <urn:before> <urn:p> 1 }")
        with dataset.capture(log):
            dataset.update("INSERT DATA { <urn:a> <urn:p> 1, 2 . GRAPH <urn:g> { <urn:b> <urn:p> _:x } }")
            dataset.update("DELETE DATA { <urn:a> <urn:p> 1 }")
        dataset.update("INSERT DATA { <urn:after> <urn:p> 1 }")
        with Dataset.open("mem:") as replica:
            replica.apply(log)
            assert subjects(replica) == ["<urn:a>", "<urn:b>"]
        assert {row.op for row in read_patch(log)} == {"H", "TX", "A", "D", "TC"}

    def test_a_capture_that_ends_by_an_error_holds_what_was_committed(self, local: Dataset, log: Path) -> None:
        dataset = local
        with pytest.raises(KeyError, match="mine"):
            with dataset.capture(log):
                dataset.update("INSERT DATA { <urn:a> <urn:p> 1 }")
                raise KeyError("mine")
        assert [row.name or row.op for row in read_patch(log)] == ["id", "time", "TX", "A", "TC"]

    def test_a_capture_begins_when_it_is_called(self, local: Dataset, log: Path) -> None:
        capture = local.capture(log)
        local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
        with pytest.raises(JellybridgeError, match="captured already"):
            local.capture(log.with_name("other.jellyp"))
        assert (capture.patches, capture.closed, log.exists()) == (1, False, False)
        with capture as entered:
            assert entered is capture
            local.update("INSERT DATA { <urn:b> <urn:p> 1 }")
        capture.close()
        local.update("INSERT DATA { <urn:c> <urn:p> 1 }")
        assert [row.subject for row in read_patch(log) if row.op == "A"] == ["<urn:a>", "<urn:b>"]
        assert (capture.closed, capture.patches, repr(capture)) == (True, 2, f"Capture({str(log)!r}, closed)")
        with pytest.raises(JellybridgeError, match="has ended: begin another"):
            with capture:
                pass

    def test_a_capture_that_nobody_keeps_ends_with_the_dataset(self, local: Dataset, tmp_path: Path) -> None:
        local.capture(tmp_path / "log")
        gc.collect()
        local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
        local.close()
        (file,) = (tmp_path / "log").glob("*.jellyp")
        assert [row.subject for row in read_patch(file) if row.op == "A"] == ["<urn:a>"]

    def test_a_captured_folder_is_one_chain_that_a_replica_follows(self, local: Dataset, tmp_path: Path) -> None:
        folder = tmp_path / "log"
        with local.capture(folder, max_patches=1, fsync=False) as capture:
            assert capture.head is None
            local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
            local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
            assert capture.patches == 2
        with local.capture(folder, effective_only=True) as capture:
            local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
            local.update("DELETE DATA { <urn:a> <urn:p> 1 } ; INSERT DATA { <urn:b> <urn:p> 1 }")
            capture.rotate()
            local.update("INSERT DATA { <urn:c> <urn:p> 1 }")
            head = capture.head
        files = sorted(folder.glob("*.jellyp"))
        assert [file.name for file in files] == [f"{number:020}.jellyp" for number in (1, 2, 3, 4)]
        headers = [row for file in files for row in read_patch(file) if row.op == "H"]
        ids = [row.value for row in headers if row.name == "id"]
        assert [row.value for row in headers if row.name == "prev"] == ids[:-1]
        assert ids[-1] == head and len(ids) == 4
        with Dataset.open("mem:") as replica:
            report = replica.sync(folder)
            assert (report.patches, report.position) == (4, head)
            assert {row["s"] for row in replica.query("SELECT ?s { ?s ?p ?o }")} == {"<urn:b>", "<urn:c>"}

    def test_aborted_transactions_are_captured_when_asked_for(self, local: Dataset, log: Path) -> None:
        with local.capture(log, aborted="record"):
            with pytest.raises(JellybridgeError):
                local.update("INSERT DATA { <urn:a> <urn:p> 1 } ; LOAD <file:///nowhere.nq>", load=True)
        assert [row.op for row in read_patch(log)] == ["H", "H", "TX", "A", "TA"]
        with pytest.raises(ValueError, match="aborted"):
            local.capture(log, aborted="perhaps")

    @pytest.mark.parametrize("option, value", [
        ("max_bytes", 1e9), ("max_bytes", None), ("max_patches", "1"), ("max_patches", 2**31), ("fsync", None),
        ("effective_only", "no"), ("position", 5),
    ])
    def test_capture_options_of_the_wrong_kind_are_refused_by_name(
        self, local: Dataset, tmp_path: Path, option: str, value: Any
    ) -> None:
        with pytest.raises(ValueError, match=re.escape(f"{option}={value!r}: must be ")):
            local.capture(tmp_path / "log", **{option: value})
        assert not (tmp_path / "log").exists()

    def test_what_is_no_text_is_refused_by_name(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="uri=PosixPath.*: must be text"):
            Dataset.open(tmp_path)
        with Dataset.open("mem:") as dataset:
            for call in (dataset.query, dataset.update):
                with pytest.raises(ValueError, match="sparql=None: must be text"):
                    call(None)
            with pytest.raises(ValueError, match="key=None: must be an IRI"):
                dataset.position(None)
            with pytest.raises(ValueError, match="strict='yes': must be True or False"):
                dataset.apply(tmp_path / "log.jellyp", strict="yes")

    def test_a_folder_of_another_dataset_is_refused(self, local: Dataset, tmp_path: Path) -> None:
        with local.capture(tmp_path / "log"):
            local.update("INSERT DATA { <urn:a> <urn:p> 1 }")
        with Dataset.open("mem:") as other:
            with pytest.raises(JellybridgeError, match="never captured into it"):
                other.capture(tmp_path / "log")

    def test_changes_of_a_server_are_not_captured(self, store: str, dataset: Dataset, log: Path) -> None:
        if not store.startswith("http"):
            pytest.skip("this dataset is in this process")
        with pytest.raises(JellybridgeError, match="can't be captured"):
            dataset.capture(log)
        assert not log.exists()

    def test_labels_of_blank_nodes_are_kept_both_ways(self, dataset: Dataset, tmp_path: Path) -> None:
        file = tmp_path / "labels.nq"
        file.write_text("_:abc <urn:p> _:x1 .\n<urn:s> <urn:p> \"x\"@en-gb _:g .\n")
        dataset.load(file)
        assert dataset.query("SELECT ?s ?o { ?s ?p ?o }") == [{"s": "_:abc", "o": "_:x1"}]
        assert dataset.query("CONSTRUCT WHERE { ?s ?p ?o }") == [("_:abc", "<urn:p>", "_:x1")]
        dataset.dump(tmp_path / "again.nq")
        assert sorted((tmp_path / "again.nq").read_text().splitlines()) == sorted(file.read_text().splitlines())

    def test_a_file_that_is_wrong_loads_nothing(self, dataset: Dataset, tmp_path: Path) -> None:
        file = tmp_path / "wrong.nq"
        file.write_text("<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> .\n")
        with pytest.raises(JellybridgeError, match="line 2"):
            dataset.load(file)
        assert len(dataset) == 0

    def test_a_closed_dataset_says_so(self, dataset: Dataset, log: Path) -> None:
        assert not dataset.closed
        dataset.close()
        dataset.close()
        assert dataset.closed and "closed" in repr(dataset)
        with pytest.raises(JellybridgeError, match="closed"):
            len(dataset)
        with pytest.raises(JellybridgeError, match="closed"):
            dataset.query("ASK {}")

    def test_an_empty_dataset_is_true_all_the_same(self, dataset: Dataset) -> None:
        assert dataset and len(dataset) == 0

    def test_tdb2_keeps_its_quads(self, tmp_path: Path) -> None:
        uri = f"tdb2:{tmp_path / 'kept'}"
        with Dataset.open(uri) as dataset:
            dataset.update("INSERT DATA { <urn:s> <urn:p> 1 }")
        with Dataset.open(uri) as dataset:
            assert subjects(dataset) == ["<urn:s>"]

    def test_an_unknown_uri_is_refused_by_what_is_known(self) -> None:
        with pytest.raises(JellybridgeError, match="tdb2:"):
            Dataset.open("postgres:here")

    def test_a_server_that_is_not_there_is_a_clear_error(self) -> None:
        with pytest.raises(JellybridgeError, match="http://localhost:1/ds/query: no connection") as raised:
            Dataset.open("http://me:secret@localhost:1/ds", options={"attempts": 1})
        assert "secret" not in str(raised.value)

    def test_options_that_are_none_are_refused(self) -> None:
        with pytest.raises(JellybridgeError, match="attempts, authority, breakLease, certificate, certificateKey"):
            Dataset.open("http://localhost:1/ds", options={"retries": 1})
        with pytest.raises(JellybridgeError, match="option 'timeout' of a Fuseki dataset is 'soon'"):
            Dataset.open("http://localhost:1/ds", options={"timeout": "soon"})
        with pytest.raises(JellybridgeError, match="no options"):
            Dataset.open("mem:", options={"timeout": 1})

    def test_apply_refuses_what_is_neither_path_nor_dataframe(self, dataset: Dataset) -> None:
        with pytest.raises(TypeError, match="list"):
            dataset.apply([])

    def test_a_jar_of_another_version_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from jellybridge import _doors

        monkeypatch.setattr(_doors, "__version__", "9.9.9")
        monkeypatch.setattr(_doors._JPypeDoor, "_door", None)
        with pytest.raises(JellybridgeError, match=f"jellybridge {__version__}, this package is 9.9.9"):
            Dataset.open("mem:")

"""What Dataset.sync does, behind either door and on either store."""

from __future__ import annotations

import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any, List, Optional

import pytest

from jellybridge import ChangeRow, Dataset, JellybridgeError, PatchFormatError, PatchLog, write_patch


def patch(number: int, prev: Optional[int] = None, *, chained: bool = True) -> List[ChangeRow]:
    """A patch that takes back what the one before added."""
    headers = []
    if chained:
        headers.append(ChangeRow(op="H", name="id", value=f"<urn:id:{number}>"))
        if number > 1:
            headers.append(ChangeRow(op="H", name="prev", value=f"<urn:id:{number - 1 if prev is None else prev}>"))
    statement = {"subject": "<urn:counter>", "predicate": "<urn:p>"}
    return headers + [
        ChangeRow(op="TX"),
        ChangeRow(op="D", object=f'"{number - 1}"', **statement),
        ChangeRow(op="A", object=f'"{number}"', **statement),
        ChangeRow(op="TC"),
    ]


def counter(dataset: Dataset) -> List[str]:
    return sorted(row["o"] for row in dataset.query("SELECT ?o { <urn:counter> ?p ?o }"))


class SyncContract:
    """Subclasses say behind which door it is."""

    @pytest.fixture(params=["mem:", "tdb2:"])
    def dataset(self, request, tmp_path: Path):
        with Dataset.open(f"tdb2:{tmp_path / 'store'}" if request.param == "tdb2:" else request.param) as dataset:
            yield dataset

    @pytest.fixture
    def log(self, tmp_path: Path) -> Path:
        folder = tmp_path / "log"
        folder.mkdir()
        for number in range(1, 13):
            write_patch(folder / f"{number}.jellyp", patch(number))
        return folder

    def test_a_literal_that_the_store_would_confuse_is_set_aside(self, dataset: Dataset, tmp_path: Path) -> None:
        """TDB2 does not tell literals apart that differ only in base direction."""
        folder = tmp_path / "directions"
        folder.mkdir()
        for number, text in enumerate(['"o"@ar--ltr', '"x"', '"o"@ar--rtl'], 1):
            write_patch(folder / f"{number}.jellyp", [
                ChangeRow(op="H", name="id", value=f"<urn:id:{number}>"),
                ChangeRow(op="TX"), ChangeRow(op="A", subject="<urn:counter>", predicate="<urn:p>", object=text), ChangeRow(op="TC"),
            ])
        report = dataset.sync(folder, on_error="quarantine", quarantine=tmp_path / "bad")
        if "mem:" in repr(dataset):
            assert (report.patches, report.quarantined) == (3, ())
        else:
            assert (report.patches, report.quarantined) == (2, ("3.jellyp#0",))
            assert counter(dataset) == ['"o"@ar--ltr', '"x"']

    def test_each_patch_is_applied_once(self, dataset: Dataset, log: Path) -> None:
        assert dataset.position() is None
        report = dataset.sync(log, batch_rows=10)
        # The first of twelve deletions finds nothing.
        assert (report.patches, report.skipped, report.added, report.deleted, report.changed) == (12, 0, 12, 12, 23)
        assert 1 < report.transactions < 12
        assert (report.position_before, report.position) == (None, "<urn:id:12>")
        assert counter(dataset) == ['"12"']
        again = dataset.sync(log)
        assert (again.patches, again.skipped, again.changed, again.position) == (0, 12, 0, "<urn:id:12>")
        write_patch(log / "13.rdfp.gz", patch(13))
        assert dataset.sync(log).patches == 1
        assert dataset.position() == "<urn:id:13>"
        assert counter(dataset) == ['"13"']

    def test_the_position_stays_where_it_is(self, dataset: Dataset, log: Path, tmp_path: Path) -> None:
        dataset.sync(log)
        everything = "SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }"
        assert len(dataset) == 1 == len(dataset.query(everything))
        dataset.dump(tmp_path / "all.nq")
        assert (tmp_path / "all.nq").read_text() == '<urn:counter> <urn:p> "12" .\n'
        dataset.update("DROP ALL ; DELETE WHERE { GRAPH ?g { ?s ?p ?o } }")
        assert (len(dataset), dataset.position()) == (0, "<urn:id:12>")
        assert dataset.sync(log).patches == 0

    def test_a_patch_that_touches_positions_is_refused(self, dataset: Dataset, log: Path) -> None:
        dataset.sync(log, until="<urn:id:5>")
        rows = patch(6)
        rows[3] = rows[3]._replace(graph="<urn:jellybridge:sync>")
        write_patch(log / "6.jellyp", rows)
        for call in (dataset.sync, dataset.apply):
            with pytest.raises(PatchFormatError, match="in which each dataset keeps its own positions"):
                call(log / "6.jellyp" if call == dataset.apply else log)
        assert (dataset.position(), counter(dataset)) == ("<urn:id:5>", ['"5"'])

    def test_without_ids_the_names_count(self, dataset: Dataset, tmp_path: Path) -> None:
        for number in range(1, 12):
            write_patch(tmp_path / f"log{number}.jellyp", patch(number, chained=False))
        assert dataset.sync(tmp_path).position == '"log11.jellyp#0"'
        assert counter(dataset) == ['"11"']

    def test_until_and_dry_run(self, dataset: Dataset, log: Path) -> None:
        dry = dataset.sync(log, until="<urn:id:5>", dry_run=True)
        assert (dry.patches, dry.position, counter(dataset)) == (5, "<urn:id:5>", [])
        assert dry.changed is None
        assert dataset.sync(log, until="<urn:id:5>") == replace(dry, changed=9)
        assert counter(dataset) == ['"5"']
        with pytest.raises(JellybridgeError, match="until=<urn:id:99>"):
            dataset.sync(log, until="<urn:id:99>")

    def test_a_gap_and_a_fork_are_named(self, dataset: Dataset, log: Path) -> None:
        (log / "7.jellyp").rename(log.parent / "7.jellyp")
        with pytest.raises(JellybridgeError, match="<urn:id:8> .* follows <urn:id:7>"):
            dataset.sync(log)
        write_patch(log / "7.jellyp", patch(7))
        write_patch(log / "7b.jellyp", patch(70, prev=6))
        with pytest.raises(JellybridgeError, match="forks after <urn:id:6>"):
            dataset.sync(log)
        assert counter(dataset) == []

    @pytest.mark.parametrize("option, value", [
        ("batch_rows", 1e6), ("batch_rows", 2**63), ("batch_bytes", "64m"), ("batch_seconds", None), ("key", None),
        ("until", True), ("dry_run", None), ("net_effect", "yes"),
    ])
    def test_options_of_the_wrong_kind_are_refused_by_name(
        self, dataset: Dataset, log: Path, option: str, value: Any
    ) -> None:
        with pytest.raises(ValueError, match=re.escape(f"{option}={value!r}: must be ")):
            dataset.sync(log, **{option: value})
        assert counter(dataset) == []

    def test_a_bad_patch_stops_or_goes_aside(self, dataset: Dataset, log: Path, tmp_path: Path) -> None:
        whole = (log / "4.jellyp").read_bytes()
        (log / "4.jellyp").write_bytes(whole[:-4])
        with pytest.raises(PatchFormatError):
            dataset.sync(log)
        assert dataset.position() == "<urn:id:3>"
        with pytest.raises(ValueError, match="quarantine=FOLDER"):
            dataset.sync(log, on_error="quarantine")
        report = dataset.sync(log, on_error="quarantine", quarantine=tmp_path / "bad")
        assert report.quarantined == ("4.jellyp#0",)
        assert report.position == "<urn:id:12>"
        assert (tmp_path / "bad" / "4.jellyp").read_bytes() == whole[:-4]
        assert "P-125" in (tmp_path / "bad" / "4.jellyp#0.reason.txt").read_text()

    def test_a_first_patch_that_cant_be_read_is_no_gap(self, dataset: Dataset, log: Path, tmp_path: Path) -> None:
        (log / "1.jellyp").write_bytes((log / "1.jellyp").read_bytes()[:-4])
        with pytest.raises(PatchFormatError, match="1.jellyp"):
            dataset.sync(log)
        assert len(dataset) == 0
        report = dataset.sync(log, on_error="quarantine", quarantine=tmp_path / "bad")
        assert (report.quarantined, report.position) == (("1.jellyp#0",), "<urn:id:12>")

    def test_a_placeholder_and_what_no_dataset_may_hold_go_aside(self, dataset: Dataset, log: Path, tmp_path: Path) -> None:
        rows = patch(2)
        write_patch(log / "2.jellyp", [*rows[:2], ChangeRow(op="H", name="lost", value='"cut off"'), *rows[2:]])
        rows = patch(4)
        rows[4] = rows[4]._replace(subject="<relative>")
        write_patch(log / "4.jellyp", rows, relative_iris=True)
        bad = tmp_path / "bad"
        with pytest.raises(PatchFormatError, match="2.jellyp.*cut off"):
            dataset.sync(log)
        assert dataset.position() == "<urn:id:1>"
        report = dataset.sync(log, on_error="quarantine", quarantine=bad, dry_run=True, until="<urn:id:10>")
        assert (report.patches, report.quarantined, report.position) == (7, ("2.jellyp#0", "4.jellyp#0"), "<urn:id:10>")
        assert not bad.exists() and dataset.position() == "<urn:id:1>"
        done = dataset.sync(log, on_error="quarantine", quarantine=bad, until="<urn:id:10>")
        assert replace(done, changed=None, transactions=0) == replace(report, changed=None, transactions=0)
        assert sorted(file.name for file in bad.iterdir()) == [
            "2.jellyp", "2.jellyp#0.reason.txt", "4.jellyp", "4.jellyp#0.reason.txt"]
        reason = (bad / "4.jellyp#0.reason.txt").read_text()
        assert reason.startswith("patch: 4.jellyp#0\nid: <urn:id:4>\nprev: <urn:id:3>\ntime: 2") and "relative" in reason
        again = dataset.sync(log, on_error="quarantine", quarantine=bad)
        assert (again.patches, again.quarantined, again.position) == (2, (), "<urn:id:12>")

    @pytest.mark.parametrize("id", [
        "_:b0", "<relative>", '"007"^^<http://www.w3.org/2001/XMLSchema#integer>',
        '"99999999999999999999"^^<http://www.w3.org/2001/XMLSchema#integer>',
    ])
    def test_an_id_that_no_dataset_keeps_as_it_is_is_named_before_anything_is_applied(
        self, dataset: Dataset, log: Path, id: str
    ) -> None:
        rows = [ChangeRow(op="H", name="id", value=id), ChangeRow(op="H", name="prev", value="<urn:id:12>")]
        write_patch(log / "13.jellyp", rows, relative_iris=True)
        with pytest.raises(JellybridgeError, match=f"id of 13.jellyp#0 can't be .*{re.escape(id)}"):
            dataset.sync(log, batch_rows=1)
        assert counter(dataset) == []

    def test_the_files_of_a_folder_are_those_of_patches_that_are_not_hidden(self, dataset: Dataset, log: Path) -> None:
        for hidden in (".hidden.jellyp", "_temporary.jellyp", "notes.txt"):
            write_patch(log / "13.jellyp", patch(13))
            (log / "13.jellyp").rename(log / hidden)
        (log / "folder.jellyp").mkdir()
        write_patch(log / "13.rdfp", patch(13))
        (log / "missing.jellyp").symlink_to(log / "none")
        report = dataset.sync(log)
        assert (report.patches, report.position) == (13, "<urn:id:13>")
        assert report.passed_over == ("folder.jellyp/", "missing.jellyp", "notes.txt")

    def test_a_folder_in_which_nothing_is_a_patch_is_refused(self, dataset: Dataset, log: Path, tmp_path: Path) -> None:
        folder = tmp_path / "other"
        folder.mkdir()
        (folder / "_SUCCESS").touch()
        for dry_run in (True, False):
            with pytest.raises(JellybridgeError, match="other: nothing in this folder is a patch; it is empty; .*--allow-empty"):
                dataset.sync(folder, dry_run=dry_run)
        assert dataset.sync(folder, allow_empty=True).patches == 0
        dataset.sync(log)
        assert dataset.sync(folder).patches == 0, "what was applied may be taken away"
        for number in range(7):
            (folder / f"{number}.nq").touch()
        with pytest.raises(JellybridgeError, match="other: .*these are none: 0.nq, 1.nq, 2.nq, 3.nq, 4.nq and 2 more; name"):
            dataset.sync(folder)
        report = dataset.sync(folder, allow_empty=True)
        assert (report.patches, report.skipped, len(report.passed_over)) == (0, 0, 7)
        with pytest.raises(ValueError, match="allow_empty='yes': must be True or False"):
            dataset.sync(folder, allow_empty="yes")  # type: ignore[arg-type]

    def test_a_patch_log_is_followed_from_where_the_dataset_is(
        self, dataset: Dataset, log: Path, tmp_path: Path
    ) -> None:
        with PatchLog.create(tmp_path / "changes") as changes:
            def append(number: int) -> None:
                write_patch(tmp_path / "one.jellyp", patch(number, chained=False))
                changes.append(tmp_path / "one.jellyp")

            for number in range(1, 6):
                append(number)
            first = dataset.sync(tmp_path / "changes", batch_rows=7)
            assert (first.patches, first.skipped, first.position) == (5, 0, f"<urn:uuid:{changes.head.id}>")
            # What was applied is not looked at again.
            (tmp_path / "changes" / f"{2:020}.jellyp").write_bytes(b"damaged")
            append(6)
            more = dataset.sync(tmp_path / "changes")
            assert (more.patches, more.skipped, counter(dataset)) == (1, 5, ['"6"'])
            append(7)
            append(8)
            (tmp_path / "changes" / f"{8:020}.jellyp").write_bytes(b"damaged")
            with pytest.raises(PatchFormatError, match="0008.jellyp"):
                dataset.sync(tmp_path / "changes")
            assert counter(dataset) == ['"7"'], "the patches before it are applied"
            aside = dataset.sync(tmp_path / "changes", on_error="quarantine", quarantine=tmp_path / "bad")
            assert aside.quarantined == ("changes#8",)
        dataset.sync(log, key="urn:other")
        with pytest.raises(JellybridgeError, match="the dataset is at <urn:id:12>, which is no patch of the log"):
            dataset.sync(tmp_path / "changes", key="urn:other")

    def test_names_say_nothing_where_there_is_a_chain(self, dataset: Dataset, log: Path) -> None:
        for number in range(1, 13):
            (log / f"{number}.jellyp").rename(log / f"f{number * 7 % 13}.jellyp")
        assert (dataset.sync(log, batch_rows=1).position, counter(dataset)) == ("<urn:id:12>", ['"12"'])

    def test_the_net_effect(self, dataset: Dataset, log: Path) -> None:
        report = dataset.sync(log, net_effect=True)
        # of twelve patches on one counter: the deletion of 0 to 11 and the addition of 12
        assert (report.patches, report.added, report.deleted, report.transactions) == (12, 1, 12, 1)
        assert counter(dataset) == ['"12"']

    def test_positions_of_two_sources_do_not_meet(self, dataset: Dataset, log: Path) -> None:
        dataset.sync(log, key="urn:example:one")
        assert dataset.position() is None
        assert dataset.position("urn:example:one") == "<urn:id:12>"

    def test_progress_is_told(self, dataset: Dataset, log: Path) -> None:
        told: List[int] = []
        dataset.sync(log, batch_rows=5, progress=told.append)
        assert told == sorted(told)
        assert told[-1] == 12 * 6 - 1

    def test_an_interrupted_sync_stops_and_goes_on_later(self, dataset: Dataset, tmp_path: Path) -> None:
        # In memory these are transactions, in TDB2 one load.
        folder = tmp_path / "large"
        folder.mkdir()
        rows = 120_000
        for number in range(2):
            (folder / f"{number}.rdfp").write_text("".join(
                f"A <urn:{number * rows + row}> <urn:p> <urn:o> .\n" for row in range(rows)))
        with pytest.raises(KeyboardInterrupt):
            dataset.sync(folder, batch_rows=1, progress=lambda done: signal.raise_signal(signal.SIGINT))
        assert len(dataset) == (0 if dataset.position() is None else rows)
        report = dataset.sync(folder, progress=False)
        assert report.patches > 0
        assert len(dataset) == 2 * rows

    def test_what_is_no_source_is_refused(self, dataset: Dataset, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError):
            dataset.sync(tmp_path / "none")
        with pytest.raises(TypeError, match="a folder, a log or a DataFrame"):
            dataset.sync(3)  # type: ignore[arg-type]

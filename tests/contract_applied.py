"""What a sync says of a source in which something changed of what the dataset has applied, on every store."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List

import pytest

from contract_sync import counter, patch
from jellybridge import (
    ChangeRow, Dataset, JellybridgeError, PatchFormatError, PatchLog, TextFormatError, read_patch, write_patch,
)

KEY = "urn:jellybridge:log"


def text(number: int, *headers: str) -> str:
    """A transaction that takes back what the one before added, as Jena writes it: without Z."""
    rows = ["TX .", f'D <urn:counter> <urn:p> "{number - 1}" .', f'A <urn:counter> <urn:p> "{number}" .', "TC ."]
    return "".join(f"{row}\n" for row in [*(f"H {header} ." for header in headers), *rows])


def kept(dataset: Dataset) -> Dict[str, List[str]]:
    """What the dataset has beside its data, by the predicate."""
    found: Dict[str, List[str]] = {}
    for row in dataset.query(f"SELECT ?p ?o {{ GRAPH <urn:jellybridge:sync> {{ <{KEY}> ?p ?o }} }} ORDER BY ?o"):
        found.setdefault(row["p"].strip("<>").rpartition(":")[2], []).append(row["o"])
    return found


class AppliedContract:
    """Subclasses say behind which door it is."""

    @pytest.fixture
    def opened(self, store: str, tmp_path: Path):
        datasets: List[Dataset] = []

        def open(**options: Any) -> Dataset:
            uri = f"tdb2:{tmp_path / 'store'}" if store == "tdb2:" else store
            datasets.append(Dataset.open(uri, **options))
            if store.startswith("http"):
                datasets[-1].update("CLEAR ALL")
            return datasets[-1]

        yield open
        for dataset in datasets:
            dataset.close()

    @pytest.fixture
    def dataset(self, opened: Callable[..., Dataset]) -> Dataset:
        return opened()

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        (tmp_path / "log").mkdir()
        return tmp_path / "log"

    @pytest.fixture
    def chain(self, folder: Path) -> Path:
        for number in range(1, 6):
            write_patch(folder / f"{number}.jellyp", patch(number))
        return folder

    @pytest.fixture
    def names(self, folder: Path) -> Path:
        for number in range(1, 6):
            write_patch(folder / f"{number}.jellyp", patch(number, chained=False))
        return folder

    def refused(self, dataset: Dataset, source: Path, says: str, **options: Any) -> None:
        """A sync is refused with that, whether it looks only or not, and changes nothing."""
        before = dataset.position(), counter(dataset)
        for dry_run in (True, False):
            with pytest.raises(JellybridgeError, match=says):
                dataset.sync(source, dry_run=dry_run, **options)
        assert (dataset.position(), counter(dataset)) == before

    # --- a patch that got longer

    @pytest.mark.parametrize("headers", [[], ["id <urn:id:1>"], ["id <urn:id:1>", "prev <urn:id:0>"]])
    def test_what_a_text_log_got_after_its_last_tc_is_applied(
        self, dataset: Dataset, folder: Path, headers: List[str]
    ) -> None:
        log = folder / "log.rdfp"
        log.write_text(text(1, *headers))
        if len(headers) == 2:
            write_patch(folder / "zero.jellyp", patch(0))
        first = dataset.sync(folder)
        for number in range(2, 5):
            with log.open("a") as file:
                file.write(text(number))
            dry = dataset.sync(folder, dry_run=True)
            assert (dry.patches, dry.added, dry.deleted) == (1, 1, 1)
            assert counter(dataset) == [f'"{number - 1}"']
            more = dataset.sync(folder)
            assert (more.patches, more.added, more.deleted, more.skipped) == (1, 1, 1, len(headers) // 2)
            assert (more.position, counter(dataset)) == (first.position, [f'"{number}"'])
            assert dataset.sync(folder).patches == 0

    def test_a_text_log_whose_later_transactions_have_headers_goes_on(self, dataset: Dataset, folder: Path) -> None:
        log = folder / "log.rdfp"
        log.write_text(text(1, "id <urn:id:1>"))
        dataset.sync(folder)
        with log.open("a") as file:
            file.write(text(2, "id <urn:id:2>", "prev <urn:id:1>"))
        report = dataset.sync(folder)
        assert (report.added, report.position, counter(dataset)) == (1, "<urn:id:2>", ['"2"'])
        assert dataset.sync(folder).patches == 0

    def test_rows_that_came_and_the_patches_behind_them_are_applied_in_order(self, dataset: Dataset, folder: Path) -> None:
        log = folder / "log1.rdfp"
        log.write_text(text(1))
        dataset.sync(folder)
        with log.open("a") as file:
            file.write(text(2) + "Z .\n" + text(3) + "Z .\n")
        write_patch(folder / "log2.jellyp", patch(4, chained=False))
        report = dataset.sync(folder, batch_rows=1)
        assert (report.patches, report.added, report.transactions, counter(dataset)) == (3, 3, 3, ['"4"'])
        assert dataset.sync(folder).patches == 0

    def test_a_file_that_was_half_copied_goes_on(self, dataset: Dataset, folder: Path) -> None:
        whole = "".join(text(number) + "Z .\n" for number in range(1, 9))
        lines = whole.splitlines(keepends=True)
        for end, line in enumerate(lines, 1):
            if line in ("TC .\n", "Z .\n"):
                (folder / "log.rdfp").write_text("".join(lines[:end]))
                assert dataset.sync(folder).patches == (line == "TC .\n")
        assert (counter(dataset), dataset.position()) == (['"8"'], '"log.rdfp#7"')

    def test_text_that_is_being_written_is_applied_up_to_its_last_whole_transaction(
        self, dataset: Dataset, folder: Path
    ) -> None:
        log = folder / "log.rdfp"
        first, second = text(1, "id <urn:é:1>").encode(), text(2, "id <urn:é:2>", "prev <urn:é:1>").encode()
        for end in (*range(1, len(second) - 1, 11), second.index("é".encode()) + 1, len(second) - 2):
            log.write_bytes(first + second[:end])
            report = dataset.sync(folder)
            assert (report.skipped + report.patches, dataset.position()) == (1, "<urn:é:1>"), second[:end]
            assert report.unfinished == (
                f"log.rdfp ends within a transaction (byte {len(first) - 1} on), which waits for its end"), second[:end]
        log.write_bytes(first + second[:-1])
        report = dataset.sync(folder)
        assert (report.patches, report.unfinished, counter(dataset)) == (1, None, ['"2"'])

    def test_text_without_headers_that_is_being_written_is_applied_up_to_its_last_whole_transaction(
        self, dataset: Dataset, folder: Path
    ) -> None:
        log = folder / "log.rdfp"
        whole = "".join(text(number) for number in range(1, 5))
        log.write_text(whole[:10])
        assert (dataset.sync(folder).patches, dataset.position()) == (0, None)
        done = 0
        for end in range(20, len(whole), 30):
            log.write_text(whole[:end])
            dataset.sync(folder)
            done = whole[:end].count("TC .")
            assert counter(dataset) == [f'"{done}"'] * (done > 0)
        log.write_text(whole)
        assert dataset.sync(folder).unfinished is None
        assert (counter(dataset), dataset.position()) == (['"4"'], '"log.rdfp#0"')

    @pytest.mark.parametrize("end", [
        "A <urn:s> <urn:p> ", "rubbish", "TX .\nrubbish", "TX .\nTX .", "TX .\nA <urn:s> nothing\n",
        "A <urn:s> <urn:p> <urn:o> .\nTX .\nA <urn:s>",
    ])
    def test_text_with_another_end_is_refused(self, dataset: Dataset, folder: Path, end: str) -> None:
        (folder / "log.rdfp").write_text(text(1) + end)
        with pytest.raises(TextFormatError, match="log.rdfp, line"):
            dataset.sync(folder)

    def test_text_that_is_cut_is_refused_where_another_file_follows_or_it_is_compressed(
        self, dataset: Dataset, folder: Path
    ) -> None:
        cut = text(1) + text(2)[:-7]
        (folder / "1.rdfp").write_text(cut)
        (folder / "2.rdfp").write_text(text(3))
        with pytest.raises(TextFormatError, match="1.rdfp, line 7, .*the end of the text"):
            dataset.sync(folder)
        (folder / "1.rdfp").unlink()
        (folder / "2.rdfp").unlink()
        (folder / "3.rdfp.gz").write_bytes(gzip.compress(cut.encode()))
        with pytest.raises(TextFormatError, match="3.rdfp.gz, line 7, .*the end of the text"):
            dataset.sync(folder)

    # --- a patch that is another

    def test_another_file_of_the_same_name_is_refused(self, dataset: Dataset, names: Path) -> None:
        dataset.sync(names)
        was = (names / "5.jellyp").read_bytes()
        write_patch(names / "5.jellyp", patch(7, chained=False))
        write_patch(names / "6.jellyp", patch(6, chained=False))
        self.refused(dataset, names, "5.jellyp#0, the last patch .* its 4 rows did then: it was replaced .* put back what was")
        (names / "5.jellyp").write_bytes(was)
        assert dataset.sync(names).patches == 1
        assert counter(dataset) == ['"6"']

    @pytest.mark.parametrize("behind", [False, True])
    def test_another_patch_of_the_same_id_is_refused(self, dataset: Dataset, chain: Path, behind: bool) -> None:
        dataset.sync(chain)
        rows = patch(5)
        rows[4] = rows[4]._replace(object='"other"')
        write_patch(chain / "5.jellyp", rows)
        if behind:
            write_patch(chain / "6.jellyp", patch(6))
        self.refused(dataset, chain, "5.jellyp#0, the last patch that the dataset has applied, says something else now")

    def test_another_patch_in_the_place_of_the_last_one_is_refused_and_one_that_follows_it_is_applied(
        self, dataset: Dataset, chain: Path
    ) -> None:
        dataset.sync(chain)
        # Of the past by its chain, and never applied.
        write_patch(chain / "5.jellyp", patch(50, prev=4))
        write_patch(chain / "6.jellyp", patch(6))
        self.refused(dataset, chain, "5.jellyp#0, the last patch .* something else")
        write_patch(chain / "5.jellyp", patch(6))
        (chain / "6.jellyp").unlink()
        assert dataset.sync(chain).position == "<urn:id:6>"

    @pytest.mark.parametrize("order", [[1, 77, 2, 3, 4], [1, 77, 3, 4], [1, 3, 4], [2, 1, 3], [77, 1, 2, 3], [1, 2, 77, 3]])
    def test_another_history_of_the_last_patch_is_refused(
        self, dataset: Dataset, chain: Path, tmp_path: Path, order: List[int]
    ) -> None:
        fork = _chain(tmp_path / "fork", order)
        dataset.sync(chain, until="<urn:id:3>")
        says = "3> .*, which the dataset has applied, follows other patches now than then: .* put back what was applied, or"
        self.refused(dataset, fork, says)
        for gone in (1, 2, 3, 5):
            (chain / f"{gone}.jellyp").unlink()
        assert (dataset.sync(chain).patches, counter(dataset)) == (1, ['"4"'])
        # What is known of the patches before goes on from there.
        if order[-1] == 4:
            self.refused(dataset, fork, says.replace("3", "4", 1))
        assert dataset.sync(_chain(tmp_path / "whole", range(1, 6))).patches == 1
        assert dataset.sync(_chain(tmp_path / "part", range(3, 7), 2)).patches == 1
        assert counter(dataset) == ['"6"']

    def test_another_history_of_a_patch_that_grew_is_refused(self, dataset: Dataset, folder: Path) -> None:
        def put(number: int, before: int, more: str = "") -> None:
            headers = [f"{name} <urn:id:{value}>" for name, value in (("id", number), ("prev", before)) if value]
            (folder / f"{number}.rdfp").write_text(text(number, *headers) + more)

        for number in (1, 2, 3):
            put(number, number - 1)
        dataset.sync(folder)
        put(3, 2, text(4))
        assert (dataset.sync(folder).patches, counter(dataset)) == (1, ['"4"'])
        put(77, 1)
        put(2, 77)
        self.refused(dataset, folder, "3> .*, which the dataset has applied, follows other patches now")

    def test_another_history_is_refused_in_a_log_that_is_made_of_the_files(self, dataset: Dataset, tmp_path: Path) -> None:
        dataset.sync(_chain(tmp_path / "files", [1, 2, 3], uuids=True))
        for order in ([1, 77, 2, 3, 4], [1, 2, 3, 4]):
            name = f"log{len(order)}"
            with PatchLog.create(tmp_path / name) as log:
                for file in sorted(_chain(tmp_path / f"{name}-files", order, uuids=True).iterdir()):
                    log.append(file)
            if 77 in order:
                self.refused(dataset, tmp_path / name, "log5, version 4, which the dataset has applied, follows other patches now")
            else:
                assert (dataset.sync(tmp_path / name).patches, counter(dataset)) == (1, ['"4"'])

    def test_the_last_patch_that_cant_be_read_any_more_is_named(self, dataset: Dataset, names: Path, tmp_path: Path) -> None:
        dataset.sync(names)
        whole = (names / "5.jellyp").read_bytes()
        (names / "5.jellyp").write_bytes(whole[:-4])
        for options in ({}, {"on_error": "quarantine", "quarantine": tmp_path / "bad"}):
            self.refused(dataset, names, "5.jellyp#0, the last patch that .* can't be read any more: ", **options)
        (names / "5.jellyp").write_bytes(whole)
        assert dataset.sync(names).patches == 0

    # --- files before the position

    def test_a_file_that_sorts_before_the_position_and_was_never_applied_is_refused(
        self, dataset: Dataset, names: Path
    ) -> None:
        dataset.sync(names, until="3.jellyp#0")
        dataset.sync(names)
        write_patch(names / "3b.jellyp", patch(9, chained=False))
        self.refused(dataset, names, "3b.jellyp sorts before 5.jellyp#0, where the dataset is, and was never applied; give it")
        (names / "3b.jellyp").rename(names / "6.jellyp")
        assert dataset.sync(names).patches == 1

    def test_a_file_that_was_half_copied_when_the_sync_went_on_behind_it_is_refused(
        self, dataset: Dataset, names: Path, tmp_path: Path
    ) -> None:
        half, more, longer = text(3) + "Z .\n", text(3) + "Z .\n" + text(4) + "Z .\n", text(3) + text(4) + "Z .\n"
        (names / "3.jellyp").unlink()
        (names / "3.rdfp").write_text(half)
        dataset.sync(names)
        (names / "3.rdfp").write_text(more)
        self.refused(dataset, names, "3.rdfp has 2 patches of 8 rows, and had 1 of 4 when the dataset went on behind it, to 5")
        (names / "3.rdfp").write_text(longer)
        self.refused(dataset, names, "3.rdfp has 1 patches of 8 rows, and had 1 of 4 when")
        (names / "3.rdfp").write_text(half)
        assert dataset.sync(names).patches == 0

    def test_a_file_that_was_the_last_and_half_copied_is_noted_as_it_is_when_the_sync_goes_on(
        self, dataset: Dataset, folder: Path
    ) -> None:
        (folder / "1.rdfp").write_text(text(1) + "Z .\n")
        dataset.sync(folder)
        (folder / "1.rdfp").write_text(text(1) + "Z .\n" + text(2) + "Z .\n")
        write_patch(folder / "2.jellyp", patch(3, chained=False))
        assert dataset.sync(folder, batch_rows=1).patches == 2
        write_patch(folder / "3.jellyp", patch(4, chained=False))
        assert dataset.sync(folder).patches == 1
        assert dataset.sync(folder).patches == 0

    def test_files_that_were_applied_may_be_taken_away(self, dataset: Dataset, names: Path) -> None:
        dataset.sync(names)
        for number in (2, 1, 4, 3):
            (names / f"{number}.jellyp").unlink()
            assert dataset.sync(names).patches == 0
        write_patch(names / "6.jellyp", patch(6, chained=False))
        assert dataset.sync(names).patches == 1
        for file in names.iterdir():
            file.unlink()
        assert dataset.sync(names).patches == 0

    def test_files_that_were_applied_may_all_be_taken_away_and_the_next_ones_added(self, dataset: Dataset, names: Path) -> None:
        dataset.sync(names)
        (names / "5.jellyp").unlink()
        assert dataset.sync(names).patches == 0
        write_patch(names / "6.jellyp", patch(6, chained=False))
        assert (dataset.sync(names).patches, dataset.position()) == (1, '"6.jellyp#0"')
        for file in names.iterdir():
            file.unlink()
        write_patch(names / "8.jellyp", patch(8, chained=False))
        write_patch(names / "07.rdfp", patch(7, chained=False))
        assert (dataset.sync(names).patches, counter(dataset)) == (2, ['"8"'])
        for file in names.iterdir():
            file.unlink()
        write_patch(names / "7b.jellyp", patch(9, chained=False))
        self.refused(dataset, names, "7b.jellyp sorts before 8.jellyp#0, where the dataset is, and was never applied")
        (names / "7b.jellyp").rename(names / "next.jellyp")
        self.refused(dataset, names, "it is not known whether 8.jellyp or next.jellyp comes first|is no patch of the source")

    def test_a_log_of_jenas_goes_on_where_its_files_were_taken_away_and_jena_started_again(
        self, dataset: Dataset, folder: Path
    ) -> None:
        def write(number: int, *headers: str) -> None:
            (folder / f"log.rdfp.{number:04}").write_text(text(number, f"id <urn:id:{number}>", *headers))

        write(1)
        write(2, "prev <urn:id:1>")
        assert dataset.sync(folder).patches == 2
        for file in folder.iterdir():
            file.unlink()
        write(3)
        write(4, "prev <urn:id:3>")
        assert (dataset.sync(folder).patches, counter(dataset)) == (2, ['"4"'])

    def test_a_file_that_was_replaced_by_one_with_as_many_rows_is_refused(self, dataset: Dataset, names: Path) -> None:
        dataset.sync(names)
        was = (names / "3.jellyp").read_bytes()
        write_patch(names / "3.jellyp", patch(9, chained=False))
        self.refused(dataset, names, "3.jellyp has as many rows, but is not the same file as when the dataset went on behind it")
        (names / "3.jellyp").write_bytes(was)
        assert dataset.sync(names).patches == 0

    def test_patches_of_a_chain_that_were_applied_may_be_taken_away(self, dataset: Dataset, chain: Path) -> None:
        dataset.sync(chain)
        for number in range(1, 6):
            (chain / f"{number}.jellyp").unlink()
            assert dataset.sync(chain).patches == 0
        write_patch(chain / "6.jellyp", patch(6))
        assert dataset.sync(chain).position == "<urn:id:6>"

    def test_a_patch_without_an_id_in_a_folder_of_a_chain_is_refused(self, dataset: Dataset, chain: Path) -> None:
        dataset.sync(chain)
        write_patch(chain / "0.jellyp", patch(9, chained=False))
        self.refused(dataset, chain, "0.jellyp#0 has no id, and the dataset came to <urn:id:5> by a chain of ids")

    # --- patches that were set aside

    @pytest.mark.parametrize("name", ["3.jellyp", "mended.jellyp"])
    def test_a_patch_that_was_set_aside_and_mended_is_named(
        self, dataset: Dataset, chain: Path, tmp_path: Path, name: str
    ) -> None:
        whole = (chain / "3.jellyp").read_bytes()
        (chain / "3.jellyp").write_bytes(whole[:-4])
        aside = {"on_error": "quarantine", "quarantine": tmp_path / "bad"}
        assert dataset.sync(chain, **aside).quarantined == ("3.jellyp#0",)
        assert dataset.sync(chain, **aside).patches == 0
        (chain / "3.jellyp").unlink()
        assert dataset.sync(chain).patches == 0
        (chain / name).write_bytes(whole)
        self.refused(dataset, chain, f"{name}#0 was set aside, the dataset went on behind it, and now it can be read: its "
                     "changes are not in the dataset; apply it by itself")
        dataset.apply(chain / name)
        (chain / name).unlink()
        assert dataset.sync(chain).patches == 0

    @pytest.mark.parametrize("chained", [False, True])
    def test_a_patch_that_no_dataset_may_hold_is_named_once_it_is_mended(
        self, dataset: Dataset, folder: Path, tmp_path: Path, chained: bool
    ) -> None:
        for number in range(1, 4):
            rows = patch(number, chained=chained)
            if number == 2:
                rows[-2] = rows[-2]._replace(subject="<relative>")
            write_patch(folder / f"{number}.jellyp", rows, relative_iris=True)
        aside = {"on_error": "quarantine", "quarantine": tmp_path / "bad"}
        assert dataset.sync(folder, **aside).quarantined == ("2.jellyp#0",)
        for options in ({}, aside):
            assert dataset.sync(folder, **options).patches == 0
        write_patch(folder / "2.jellyp", patch(2, chained=chained))
        self.refused(dataset, folder, "2.jellyp#0 was set aside, the dataset went on behind it")

    def test_a_patch_that_was_set_aside_last_is_applied_when_it_is_mended(
        self, dataset: Dataset, chain: Path, tmp_path: Path
    ) -> None:
        whole = (chain / "5.jellyp").read_bytes()
        (chain / "5.jellyp").write_bytes(whole[:-4])
        assert dataset.sync(chain, on_error="quarantine", quarantine=tmp_path / "bad").position == "<urn:id:4>"
        (chain / "5.jellyp").write_bytes(whole)
        assert dataset.sync(chain).position == "<urn:id:5>"

    # --- logs

    @pytest.fixture
    def log(self, tmp_path: Path):
        with PatchLog.create(tmp_path / "changes") as log:
            for number in range(1, 5):
                write_patch(tmp_path / "one.jellyp", patch(number, chained=False))
                log.append(tmp_path / "one.jellyp")
            yield log

    def test_a_log_whose_patch_was_rewritten_is_refused(self, dataset: Dataset, log: PatchLog, tmp_path: Path) -> None:
        changes = tmp_path / "changes"
        dataset.sync(changes)
        last = changes / f"{4:020}.jellyp"
        rows = patch(9, chained=False)
        headers = [row for row in _headers(last) if row.name in ("id", "prev")]
        write_patch(last, [*headers, *rows])
        self.refused(dataset, changes, "0004.jellyp, the last patch that the dataset has applied, says something else now")

    def test_a_dataset_that_is_at_no_version_of_a_log_says_where_it_was(
        self, dataset: Dataset, log: PatchLog, tmp_path: Path
    ) -> None:
        changes = tmp_path / "changes"
        dataset.sync(changes)
        for number in (3, 4):
            (changes / f"{number:020}.jellyp").unlink()
        (changes / ".index").unlink()
        self.refused(dataset, changes, "the dataset is at <urn:uuid:.*>, which is no patch of the log .*: it was version 4, and "
                     "the log ends with version 2; check that this is the log .* have an empty dataset follow it")
        write_patch(tmp_path / "one.jellyp", patch(7, chained=False))
        with PatchLog.open(changes) as again:
            for number in (7, 8):
                write_patch(tmp_path / "one.jellyp", patch(number, chained=False))
                again.append(tmp_path / "one.jellyp")
            self.refused(dataset, changes, f"it was version 4, which is <urn:uuid:{again.head.id}> now")

    def test_a_patch_of_a_log_that_was_set_aside_and_mended_is_named(
        self, dataset: Dataset, log: PatchLog, tmp_path: Path
    ) -> None:
        changes = tmp_path / "changes"
        second = changes / f"{2:020}.jellyp"
        whole = second.read_bytes()
        second.write_bytes(b"damaged")
        aside = {"on_error": "quarantine", "quarantine": tmp_path / "bad"}
        assert dataset.sync(changes, **aside).quarantined == ("changes#2",)
        assert dataset.sync(changes).patches == 0
        second.write_bytes(whole)
        self.refused(dataset, changes, "0002.jellyp was set aside, the dataset went on behind it, and now it can be read")

    def test_a_patch_that_was_set_aside_is_forgotten_with_its_note(
        self, opened: Callable[..., Dataset], log: PatchLog, tmp_path: Path
    ) -> None:
        dataset = opened(positions=True)
        changes = tmp_path / "changes"
        second = changes / f"{2:020}.jellyp"
        whole = second.read_bytes()
        second.write_bytes(b"damaged")
        dataset.sync(changes, on_error="quarantine", quarantine=tmp_path / "bad")
        second.write_bytes(whole)
        self.refused(dataset, changes, "delete the note of it")
        dataset.update("""
            DELETE { GRAPH ?graph { ?key <urn:jellybridge:note> ?text } }
            WHERE { GRAPH ?graph { ?key <urn:jellybridge:note> ?text } FILTER contains(?text, '"aside":"changes#2"') }""")
        assert dataset.sync(changes).patches == 0

    def test_a_log_is_the_same_once_its_files_were_joined(self, dataset: Dataset, log: PatchLog, tmp_path: Path) -> None:
        changes = tmp_path / "changes"
        dataset.sync(changes)
        assert log.compact().after == 1
        assert dataset.sync(changes).patches == 0
        (changes / ".index").unlink()
        assert dataset.sync(changes).patches == 0
        write_patch(tmp_path / "one.jellyp", patch(5, chained=False))
        log.append(tmp_path / "one.jellyp")
        assert (dataset.sync(changes).patches, counter(dataset)) == (1, ['"5"'])

    def test_a_placeholder_of_a_log_stops_the_sync_also_where_the_index_knows_it(
        self, dataset: Dataset, log: PatchLog, tmp_path: Path
    ) -> None:
        changes = tmp_path / "changes"
        (changes / f"{2:020}.jellyp").write_bytes(b"damaged")
        log.repair()
        for _ in range(2):
            with pytest.raises(PatchFormatError, match="the patch was lost, and this stands in its place"):
                dataset.sync(changes)
        assert counter(dataset) == ['"1"']
        aside = dataset.sync(changes, on_error="quarantine", quarantine=tmp_path / "bad")
        assert (aside.quarantined, aside.patches, counter(dataset)) == (("changes#2",), 2, ['"1"', '"4"'])
        assert dataset.sync(changes).patches == 0

    # --- anything

    @pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.full("doors")) for seed in range(2, 6))])
    def test_whatever_happens_to_a_folder_a_sync_that_is_not_refused_has_all_that_is_in_it(
        self, dataset: Dataset, folder: Path, seed: int
    ) -> None:
        chance = random.Random(seed)
        refusals = 0
        for step in range(40):
            before = {file: file.read_text() for file in folder.iterdir()}
            change = chance.choice([_new_file, _new_file, _late_file, _more_rows, _more_rows, _cut, _remove, _replace])
            change(folder, chance, step)
            try:
                dataset.sync(folder, batch_rows=chance.choice([1, 7, 1000]), allow_empty=True)
            except JellybridgeError as e:
                refusals += 1
                assert re.search("something else now|never applied|when the dataset went on|which is no patch", str(e)), e
                for file in folder.iterdir():
                    file.unlink()
                for file, content in before.items():
                    file.write_text(content)
                dataset.sync(folder, allow_empty=True)
            there = {row["s"] for row in dataset.query("SELECT ?s { ?s ?p ?o }")}
            rows = {line.split()[1] for file in folder.iterdir() for line in file.read_text().splitlines() if line[0] == "A"}
            assert rows <= there, f"step {step}, {change.__name__}"
        assert refusals > 3

    # --- what is kept

    def test_a_position_alone_is_taken_as_it_is(self, opened: Callable[..., Dataset], chain: Path) -> None:
        dataset = opened(positions=True)
        dataset.update(f"INSERT DATA {{ GRAPH <urn:jellybridge:sync> {{ <{KEY}> <urn:jellybridge:position> <urn:id:3> }} }}")
        assert dataset.sync(chain).patches == 2
        # One that knows of no such thing went on.
        dataset.update(f"""
            DELETE {{ GRAPH ?g {{ ?s ?p ?o }} }} INSERT {{ GRAPH ?g {{ ?s ?p <urn:id:4> }} }}
            WHERE {{ GRAPH ?g {{ ?s ?p ?o }} FILTER (?p = <urn:jellybridge:position>) }}""")
        write_patch(chain / "4.jellyp", [*patch(4), *patch(8, chained=False)])
        assert dataset.sync(chain).patches == 1
        assert [len(kept(dataset)[name]) for name in ("position", "applied")] == [1, 1]

    def test_what_is_kept_stands_beside_the_position(self, opened: Callable[..., Dataset], names: Path, tmp_path: Path) -> None:
        dataset = opened(positions=True)
        (names / "2.jellyp").write_bytes((names / "2.jellyp").read_bytes()[:-4])
        dataset.sync(names, on_error="quarantine", quarantine=tmp_path / "bad", batch_rows=5)
        found = kept(dataset)
        assert found["position"] == ['"5.jellyp#0"']
        (applied,), notes = [[json.loads(json.loads(text)) for text in found[name]] for name in ("applied", "note")]
        assert len(applied.pop("hash")) == 64
        assert applied == {"patch": '"5.jellyp#0"', "name": "5.jellyp#0", "rows": 4, "order": "names"}
        assert [note.get("file", note.get("aside")) for note in notes] == ["2.jellyp#0", *(f"{n}.jellyp" for n in range(1, 5))]

    def test_nothing_is_kept_of_a_dry_run(self, opened: Callable[..., Dataset], names: Path) -> None:
        dataset = opened(positions=True)
        dataset.sync(names, dry_run=True)
        assert kept(dataset) == {}

    def test_a_text_that_is_not_a_syncs_is_as_none(self, opened: Callable[..., Dataset], names: Path) -> None:
        dataset = opened(positions=True)
        dataset.sync(names)
        for text in ("no JSON", "[]", "{}"):
            dataset.update(f"""DELETE WHERE {{ GRAPH ?g {{ ?s <urn:jellybridge:applied> ?o }} }} ;
                INSERT DATA {{ GRAPH <urn:jellybridge:sync> {{ <{KEY}> <urn:jellybridge:applied> "{text}" }} }}""")
            assert dataset.sync(names).patches == 0


def _chain(folder: Path, numbers: Iterable[int], before: int = 0, *, uuids: bool = False) -> Path:
    """A folder of patches with these numbers, each after the one before it."""
    form = "urn:uuid:00000000-0000-4000-8000-{:012}" if uuids else "urn:id:{}"
    folder.mkdir()
    for place, number in enumerate(numbers):
        ids = [("id", number), *([("prev", before)] if before else [])]
        headers = [ChangeRow(op="H", name=name, value=f"<{form.format(value)}>") for name, value in ids]
        write_patch(folder / f"{place}.jellyp", [*headers, *patch(number, chained=False)])
        before = number
    return folder


def _additions(step: int, chance: random.Random) -> str:
    """Transactions that add what nothing else does, with Z behind some."""
    return "".join(
        f"TX .\nA <urn:{step}:{number}> <urn:p> <urn:o> .\nTC .\n" + chance.choice(["", "Z .\n"])
        for number in range(chance.randint(1, 3)))


def _new_file(folder: Path, chance: random.Random, step: int) -> None:
    (folder / f"{1000 + step}.rdfp").write_text(_additions(step, chance))


def _late_file(folder: Path, chance: random.Random, step: int) -> None:
    (folder / f"{chance.randint(990, 1000 + step)}b.rdfp").write_text(_additions(step, chance))


def _any(folder: Path, chance: random.Random) -> Path:
    files = sorted(folder.iterdir())
    return chance.choice([*files, files[-1], files[-1]]) if files else folder / "1000.rdfp"


def _more_rows(folder: Path, chance: random.Random, step: int) -> None:
    with _any(folder, chance).open("a") as file:
        file.write(_additions(step, chance))


def _cut(folder: Path, chance: random.Random, step: int) -> None:
    """As a file is that is copied by half: up to the end of a transaction or a patch; other steps may add to it."""
    file = folder / f"{1000 + step}.rdfp"
    whole = "".join(_additions(1000 * step + number, chance) for number in range(3)).splitlines(keepends=True)
    end = chance.choice([number for number, line in enumerate(whole, 1) if line[0] in "TZ" and line != "TX .\n"])
    file.write_text("".join(whole[:end]))


def _remove(folder: Path, chance: random.Random, step: int) -> None:
    _any(folder, chance).unlink(missing_ok=True)


def _replace(folder: Path, chance: random.Random, step: int) -> None:
    """Another file in the place of one; not of as many rows, which is seen of the last patch alone."""
    file = _any(folder, chance)
    rows = len(file.read_text().replace("Z .\n", "").splitlines()) if file.exists() else 0
    more = "".join(f"A <urn:{step}:{number}> <urn:q> <urn:o> .\n" for number in range(rows + 1))
    file.write_text(more)


def _headers(file: Path) -> List[ChangeRow]:
    return [row for row in read_patch(file) if row.op == "H"]

"""What read_patch and write_patch do, behind either door."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Iterator

import pytest

from jellybridge import ChangeRow, JellybridgeError, PatchFormatError, WriteReport, read_patch, write_patch

ROWS = [
    ChangeRow(0, None, 0, "H", name="id", value="<urn:uuid:1>"),
    ChangeRow(0, 0, 1, "TX"),
    ChangeRow(0, 0, 2, "PA", name="ex", value="<http://example.org/>"),
    ChangeRow(0, 0, 3, "A", "<http://example.org/s>", "<http://example.org/p>", '"é\\n😀\\u0000"@en-gb', "_:g"),
    ChangeRow(0, 0, 4, "D", "_:b", "<http://example.org/p>", '""'),
    ChangeRow(0, 0, 5, "PD", graph="<http://example.org/g>", name=""),
    ChangeRow(0, 0, 6, "TC"),
    ChangeRow(1, None, 7, "A", "<urn:s>", "<urn:p>", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'),
]


class PatchFileContract:
    def test_rows_come_back_as_they_were_written(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        assert write_patch(file, ROWS) == WriteReport(patches=2, rows=8)
        assert list(read_patch(file)) == ROWS

    def test_rows_may_be_mappings_of_what_their_op_needs(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, [{"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": '"x"@EN'}])
        (row,) = read_patch(file)
        assert row == ChangeRow(0, None, 0, "A", "<urn:s>", "<urn:p>", '"x"@en')

    def test_rows_may_be_plain_tuples(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, (tuple(row) for row in ROWS))
        assert list(read_patch(file)) == ROWS

    def test_a_file_of_many_batches_comes_back_whole(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        rows = [ChangeRow(n // 7000, None, n, "A", f"<urn:s{n}>", "<urn:p>", '"o"') for n in range(20_000)]
        assert write_patch(file, rows) == WriteReport(patches=3, rows=20_000)
        assert list(read_patch(file)) == rows

    def test_every_stream_type_and_statement_type_comes_back(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        row = ChangeRow(0, None, 0, "A", "<urn:s>", "<urn:p>", "<urn:o>")
        for stream_type in ("FRAME", "FLAT", "PUNCTUATED"):
            for statement_type in ("TRIPLES", "QUADS"):
                for delimited in (True, False):
                    options = {"stream_type": stream_type, "statement_type": statement_type, "delimited": delimited}
                    write_patch(file, [row], **options)
                    assert list(read_patch(file, strict=True)) == [row]

    def test_a_cut_file_gives_the_rows_before_the_cut_and_then_the_error(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        file.write_bytes(file.read_bytes()[:-3])
        rows = read_patch(file)
        before = []
        with pytest.raises(PatchFormatError) as raised:
            for row in rows:
                before.append(row)
        assert before == ROWS[:len(before)] and before
        error = raised.value
        assert error.rule.startswith("P-") and error.file == str(file)
        assert 0 < error.offset <= file.stat().st_size
        assert error.found in str(error) and error.advice in str(error)
        assert "\n" not in str(error)
        assert error.__suppress_context__
        assert next(rows, None) is None

    def test_the_error_survives_pickling(self, tmp_path: Path) -> None:
        error = PatchFormatError("P-105", None, 1, 2, 3, "found", "advice")
        copy = pickle.loads(pickle.dumps(error))
        assert (copy.rule, copy.file, copy.offset, str(copy)) == ("P-105", None, 3, str(error))

    def test_closing_early_ends_the_iteration(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        with read_patch(file) as rows:
            assert next(rows) == ROWS[0]
        assert list(rows) == []
        rows.close()

    def test_a_missing_file_is_pythons_own_error(self, tmp_path: Path) -> None:
        with pytest.raises(FileNotFoundError, match="nowhere"):
            read_patch(tmp_path / "nowhere.jellyp")
        with pytest.raises(FileNotFoundError, match="nowhere"):
            write_patch(tmp_path / "nowhere" / "log.jellyp", [])

    @pytest.mark.parametrize(
        "rows, error, says",
        [
            ([{"op": "X"}], JellybridgeError, '"X"'),
            ([{"op": "H", "value": '"v"'}], JellybridgeError, "key"),
            ([{"op": "TX", "row": 3}, {"op": "TC", "row": 3}], JellybridgeError, "row 3"),
            ([{"op": "TX", "patch": 1}, {"op": "TC", "patch": 0}], JellybridgeError, "patch 0 after patch 1"),
            ([{"op": "TX"}], PatchFormatError, "transaction"),
            ([{"op": "TC"}], PatchFormatError, "transaction"),
            ([{"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>"}], PatchFormatError, "no object"),
            ([{"op": "A", "subject": "s", "predicate": "<urn:p>", "object": '"o"'}], PatchFormatError, "subject"),
            ([{"op": "A", "subject": '"s"', "predicate": "<urn:p>", "object": '"o"'}], PatchFormatError, "P-44"),
            ([{"op": "A", "subject": 3}], ValueError, "subject=3"),
            ([{"op": "A", "patch": "0"}], ValueError, "patch='0'"),
            ([{"opp": "A"}], ValueError, "'opp' is no column"),
            ([("A",)], ValueError, "1 values"),
            ([{"op": "H", "name": "key", "value": '"\ud800"'}], ValueError, "surrogates"),
        ],
    )
    def test_a_refused_row_leaves_what_was_there(self, tmp_path: Path, rows: list, error: type, says: str) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        with pytest.raises(error, match=says):
            write_patch(file, rows)
        assert list(read_patch(file)) == ROWS
        assert [path.name for path in tmp_path.iterdir()] == ["log.jellyp"]

    def test_an_error_of_the_rows_leaves_no_file(self, tmp_path: Path) -> None:
        def rows() -> Iterator[ChangeRow]:
            yield ChangeRow(op="TX")
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            write_patch(tmp_path / "log.jellyp", rows())
        assert list(tmp_path.iterdir()) == []

    def test_options_out_of_their_range_are_refused_by_name(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        with pytest.raises(JellybridgeError, match="maxNameTableSize=2"):
            write_patch(file, ROWS, max_name_table_size=2)
        with pytest.raises(ValueError, match="stream_type='frames'"):
            write_patch(file, ROWS, stream_type="frames")
        with pytest.raises(ValueError, match="statement_type='quads'"):
            write_patch(file, ROWS, statement_type="quads")
        with pytest.raises(PatchFormatError, match="P-16"):
            write_patch(file, ROWS, stream_type="FLAT")
        assert list(tmp_path.iterdir()) == []

"""What read_patch and write_patch do, behind either door."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path
from typing import Any, Callable, Iterator, List

import pandas
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jellybridge import (
    CHANGES_SCHEMA, ChangeRow, JellybridgeError, PatchFormatError, TextFormatError, WriteReport, _arrow, convert, read_patch,
    write_patch,
)

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


def table(rows: List[ChangeRow]) -> pa.Table:
    """The rows as a table, by Arrow's own means."""
    types = {"BIGINT": pa.int64(), "STRING": pa.string()}
    fields = [pa.field(field.split()[0], types[field.split()[1]], "NOT NULL" not in field)
              for field in CHANGES_SCHEMA.split(", ")]
    return pa.table(list(map(list, zip(*rows))) if rows else [[]] * 10, schema=pa.schema(fields))


def rows_of(columns: pa.Table) -> List[ChangeRow]:
    return [ChangeRow(**row) for row in columns.to_pylist()]


def frame(rows: List[ChangeRow]) -> pandas.DataFrame:
    return pandas.DataFrame(rows, columns=list(ChangeRow._fields))


#: What write_patch takes for a table of rows.
COLUMNS: List[Callable[[List[ChangeRow]], Any]] = [
    table,
    lambda rows: table(rows).to_reader(max_chunksize=3),
    lambda rows: table(rows).combine_chunks().to_batches()[0],
    lambda rows: pa.concat_tables([table(rows[:3]), table(rows[3:])]),
    lambda rows: table(rows[:1] * 5 + rows).slice(5),
    frame,
    lambda rows: frame(rows).astype({"op": "category", "tx": "Int64"}),
    lambda rows: frame(rows[:1] * 3 + rows)[3:],
]


@st.composite
def any_rows(draw: st.DrawFn) -> List[ChangeRow]:
    """Rows of one patch, with texts of every kind, absent graphs, and runs that are longer than a byte of a bitmap."""
    text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters='"\\\n\r\t\b\f'), max_size=9).filter(
        lambda value: all(ord(c) > 31 and not 127 <= ord(c) < 160 for c in value))
    graph = st.one_of(st.none(), st.sampled_from(["<urn:g>", "_:g"]))
    row = st.one_of(
        st.builds(
            lambda o, g: ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object=f'"{o}"', graph=g), text, graph
        ),
        st.builds(lambda g: ChangeRow(op="PA", name="ex", value="<urn:n>", graph=g), graph),
        st.just(ChangeRow(op="H", name="id", value='"é"')),
        st.just(ChangeRow(op="PD", name="")),
    )
    return [row._replace(row=number) for number, row in enumerate(draw(st.lists(row, min_size=1, max_size=40)))]


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

    def test_text_that_would_not_be_read_back_is_not_written(self, tmp_path: Path) -> None:
        def rows(length: int) -> list:
            return [{"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": f'"{"x" * (length - 2)}"'}]

        limit = 16 << 20
        says = f"a token of {limit + 1} bytes, where maxTokenBytes is {limit}.*; raise maxTokenBytes"
        with pytest.raises(TextFormatError, match=says):
            write_patch(tmp_path / "large.rdfp", rows(limit + 1))
        assert list(tmp_path.iterdir()) == []
        write_patch(tmp_path / "large.rdfp", rows(limit))
        assert [len(row.object or "") for row in read_patch(tmp_path / "large.rdfp")] == [limit]

    def test_an_error_of_the_rows_leaves_no_file(self, tmp_path: Path) -> None:
        def rows() -> Iterator[ChangeRow]:
            yield ChangeRow(op="TX")
            raise KeyError("mine")

        with pytest.raises(KeyError, match="mine"):
            write_patch(tmp_path / "log.jellyp", rows())
        assert list(tmp_path.iterdir()) == []

    def test_a_table_may_be_as_large_as_can_be_said(self, tmp_path: Path) -> None:
        largest = 2**31 - 1
        write_patch(tmp_path / "log.jellyp", ROWS, max_name_table_size=largest, max_prefix_table_size=largest,
                    max_datatype_table_size=largest)
        convert(tmp_path / "log.jellyp", tmp_path / "small.jellyp", max_table_size=largest, name_table_size=8,
                prefix_table_size=8, datatype_table_size=8)
        assert list(read_patch(tmp_path / "small.jellyp")) == ROWS

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

    @pytest.mark.parametrize("option, value", [
        ("frame_rows", 1e3), ("frame_rows", "1000"), ("restart_bytes", 2**31), ("max_name_table_size", None),
        ("max_prefix_table_size", 2**70), ("rdf_star", "yes"), ("delimited", None),
    ])
    def test_options_of_the_wrong_kind_are_refused_by_name(self, option: str, value: Any, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=re.escape(f"{option}={value!r}: must be ")):
            write_patch(tmp_path / "log.jellyp", ROWS, **{option: value})
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("row", [None, 5])
    def test_what_is_no_row_is_refused_by_number(self, row: Any, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=f"row 1: {row} is no row"):
            write_patch(tmp_path / "log.jellyp", [ROWS[0], row])

    def test_a_number_beyond_64_bits_is_refused_with_its_row(self, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match="row 0: patch=9223372036854775808: must be a whole number of 64 bits"):
            write_patch(tmp_path / "log.jellyp", [ROWS[0]._replace(patch=2**63)])

    def test_strict_is_a_bool(self, tmp_path: Path) -> None:
        write_patch(tmp_path / "log.jellyp", ROWS)
        with pytest.raises(ValueError, match="strict='yes': must be True or False"):
            read_patch(tmp_path / "log.jellyp", strict="yes")
        with pytest.raises(ValueError, match="to_format=5: must be text or None"):
            convert(tmp_path / "log.jellyp", tmp_path / "log.rdfp", to_format=5)

    def test_restart_points_are_an_option(self, tmp_path: Path) -> None:
        rows = [ChangeRow(0, None, n, "A", f"<urn:s{n}>", "<urn:p>", '"o"') for n in range(5_000)]
        sizes = []
        for restart_bytes in (0, 4_000, 4 << 20):
            write_patch(tmp_path / "log.jellyp", rows, restart_bytes=restart_bytes)
            assert list(read_patch(tmp_path / "log.jellyp")) == rows
            sizes.append((tmp_path / "log.jellyp").stat().st_size)
        none, often, by_default = sizes
        assert none < by_default < often, "each restart point takes bytes"
        with pytest.raises(JellybridgeError, match="restartBytes=-1"):
            write_patch(tmp_path / "log.jellyp", rows, restart_bytes=-1)

    # --- columns

    def test_rows_come_back_as_columns(self, tmp_path: Path) -> None:
        write_patch(tmp_path / "log.jellyp", ROWS)
        found = read_patch(tmp_path / "log.jellyp").to_arrow().read_all()
        found.validate(full=True)
        assert found.equals(table(ROWS))
        assert found.schema.equals(table(ROWS).schema)

    def test_a_frame_has_whole_numbers_and_none_for_null(self, tmp_path: Path) -> None:
        write_patch(tmp_path / "log.jellyp", ROWS)
        found = read_patch(tmp_path / "log.jellyp").to_pandas()
        assert [str(found[name].dtype) for name in ("patch", "tx", "row")] == ["int64", "Int64", "int64"]
        assert found["tx"].isna().tolist() == [row.tx is None for row in ROWS]
        found["tx"] = found["tx"].astype(object).where(found["tx"].notna(), None)
        assert [ChangeRow(*row) for row in found.itertuples(index=False)] == ROWS

    @pytest.mark.parametrize("columns", COLUMNS)
    def test_columns_are_written_as_rows_are(self, tmp_path: Path, columns: Callable[[List[ChangeRow]], Any]) -> None:
        # Two files of the same rows differ by the mark of their restart points alone.
        assert write_patch(tmp_path / "columns.jellyp", columns(ROWS), restart_bytes=0) == WriteReport(patches=2, rows=8)
        write_patch(tmp_path / "rows.jellyp", ROWS, restart_bytes=0)
        assert (tmp_path / "columns.jellyp").read_bytes() == (tmp_path / "rows.jellyp").read_bytes()

    @settings(
        max_examples=50, deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    @given(any_rows(), st.integers(1, 50))
    def test_any_rows_come_back_through_columns(self, tmp_path: Path, rows: List[ChangeRow], chunk: int) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, rows)
        found = read_patch(file).to_arrow().read_all()
        found.validate(full=True)
        assert rows_of(found) == list(read_patch(file)) == rows
        write_patch(file, found.to_reader(max_chunksize=chunk))
        assert list(read_patch(file)) == rows

    @pytest.mark.parametrize("suffix", [".rdfp", ".trp", ".jellyp.gz", ".rdfp.zst"])
    def test_every_format_becomes_columns_and_is_made_of_them(self, tmp_path: Path, suffix: str) -> None:
        rows = [row for row in ROWS if row.op != "H" and not (row.value or row.object or "").endswith("@en-gb")]
        write_patch(tmp_path / ("log" + suffix), table(rows))
        found = rows_of(read_patch(tmp_path / ("log" + suffix)).to_arrow().read_all())
        assert [row[3:] for row in found] == [row[3:] for row in rows]

    def test_columns_of_other_types_of_text_and_number_are_taken(self, tmp_path: Path) -> None:
        rows = [ChangeRow(n // 3, None, n, "A", f"<urn:s{n}>", "<urn:p>", '"é"') for n in range(9)]
        other = table(rows).select(["patch", "row", "op", "subject", "predicate", "object", "graph"])
        for name, arrow_type in [("patch", pa.int16()), ("row", pa.uint64()), ("op", pa.dictionary(pa.int8(), pa.string())),
                                 ("subject", pa.large_string()), ("object", pa.string_view())]:
            index = other.schema.get_field_index(name)
            other = other.set_column(index, name, other[name].cast(arrow_type))
        other = other.drop(["graph"]).append_column("graph", pa.nulls(9))
        write_patch(tmp_path / "log.jellyp", other)
        assert list(read_patch(tmp_path / "log.jellyp")) == rows

    def test_batches_go_by_the_texts_of_their_rows(self) -> None:
        five_mib = pa.array([f"<urn:{n:080}>" for n in range(60_000)])
        subjects = pa.DictionaryArray.from_arrays(pa.array([0, 59_999] * 500), five_mib)
        assert len(list(_arrow.pack(pa.table({"op": ["A"] * 1_000, "subject": subjects})))) == 1

    def test_only_op_and_the_columns_it_needs_are_required(self, tmp_path: Path) -> None:
        write_patch(tmp_path / "log.jellyp", pa.table({"op": ["TX", "TC"]}))
        assert [row.op for row in read_patch(tmp_path / "log.jellyp")] == ["TX", "TC"]
        assert write_patch(tmp_path / "log.jellyp", pa.table({"op": pa.array([], pa.string())})).rows == 0

    def test_many_rows_and_long_texts_go_in_several_batches(self, tmp_path: Path) -> None:
        rows = [ChangeRow(0, None, n, "A", f"<urn:s{n}>", "<urn:p>", f'"{"x" * (3_000_000 if n % 10_000 == 9 else 1)}"')
                for n in range(40_000)]
        assert write_patch(tmp_path / "log.jellyp", table(rows)) == WriteReport(patches=1, rows=40_000)
        batches = list(read_patch(tmp_path / "log.jellyp").to_arrow())
        assert len(batches) > 2 and max(batch.nbytes for batch in batches) < 12 << 20
        assert rows_of(pa.Table.from_batches(batches)) == rows

    @pytest.mark.parametrize(
        "columns, error, says",
        [
            (pa.table({"op": ["TX", "X"]}), JellybridgeError, 'row 1: a row has op "X"'),
            (pa.table({"op": ["TX", None]}), JellybridgeError, "row 1: a row has op null"),
            (pa.table({"op": ["TX", "TC", "TC"]}), PatchFormatError, "at row 2 of those given"),
            (pa.table({"subject": ["<urn:s>"]}), JellybridgeError, "row 0: a row has op null"),
            (pa.table({"op": ["TX"], "opp": ["A"]}), ValueError, "'opp' is no column"),
            (pa.table({"op": ["TX", "TC"], "patch": [0, None]}), ValueError, "row 1: patch=None"),
            (pa.table({"op": ["TX", "TC"], "row": [1, 0]}), JellybridgeError, "row 1: rows are out of order"),
            (
                pa.table({"op": ["A"], "subject": [3]}), ValueError,
                "rows 0 to 0: column 'subject' is of type int64: must be text",
            ),
            (pa.table({"op": ["A"], "row": ["first"]}), ValueError, "column 'row' is of type string: must be whole numbers"),
            (pa.table({"op": ["A"], "row": [0.5]}), ValueError, "column 'row' is of type double: must be whole numbers"),
            (pandas.DataFrame({"op": ["A", "D"], "subject": ["<urn:s>", 3]}), ValueError, "rows 0 to 1: .*subject"),
            (pandas.DataFrame({"op": ["TX"], 3: ["x"]}), ValueError, "'3' is no column"),
        ],
    )
    def test_refused_columns_leave_what_was_there(self, tmp_path: Path, columns: Any, error: type, says: str) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        with pytest.raises(error, match=says):
            write_patch(file, columns)
        assert list(read_patch(file)) == ROWS
        assert [path.name for path in tmp_path.iterdir()] == ["log.jellyp"]

    def test_the_row_of_an_error_counts_all_batches(self, tmp_path: Path) -> None:
        rows = [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"o"')] * 40_000
        rows[33_333] = rows[0]._replace(subject='"s"')
        for given in (rows, table([row._replace(row=n) for n, row in enumerate(rows)])):
            with pytest.raises(PatchFormatError, match="at row 33333 of those given"):
                write_patch(tmp_path / "log.jellyp", given)

    def test_a_cut_file_gives_the_batches_before_the_cut_and_then_the_error(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        file.write_bytes(file.read_bytes()[:-3])
        stream = read_patch(file).to_arrow()
        before = rows_of(pa.Table.from_batches([stream.read_next_batch()]))
        assert before == ROWS[:len(before)]
        with pytest.raises(PatchFormatError, match=r"\[P-"):
            stream.read_next_batch()
        with pytest.raises(PatchFormatError):
            read_patch(file).to_pandas()

    def test_rows_are_taken_in_one_way_only(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        rows = read_patch(file)
        next(rows)
        with pytest.raises(ValueError, match="taken already"):
            rows.to_arrow()
        rows = read_patch(file)
        stream = rows.to_arrow()
        with pytest.raises(ValueError, match="taken already"):
            rows.to_pandas()
        assert next(rows, None) is None
        assert stream.read_all().num_rows == len(ROWS)

    def test_closing_ends_the_stream(self, tmp_path: Path) -> None:
        file = tmp_path / "log.jellyp"
        write_patch(file, ROWS)
        with read_patch(file) as rows:
            stream = rows.to_arrow()
        assert stream.read_all().num_rows == 0

    @pytest.mark.parametrize("module, method", [("pyarrow", "to_arrow"), ("pyarrow", "to_pandas"), ("pandas", "to_pandas")])
    def test_a_missing_package_is_named(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, method: str
    ) -> None:
        write_patch(tmp_path / "log.jellyp", ROWS)
        monkeypatch.setitem(sys.modules, module, None)
        monkeypatch.delitem(sys.modules, "jellybridge._arrow", raising=False)
        monkeypatch.delattr("jellybridge._arrow", raising=False)
        with pytest.raises(ImportError, match=rf'pip install "jellybridge\[{"arrow" if module == "pyarrow" else module}\]"'):
            getattr(read_patch(tmp_path / "log.jellyp"), method)()

"""The algebra of patches keeps its laws, without Spark and on the command line."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, List, Tuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from patch_model import State, apply, conflicts, effect, patches, quad, states  # noqa: E402

from jellybridge import ChangeRow, Dataset, JellybridgeError, TextFormatError, changes, convert, diff, read_patch, write_patch  # noqa: E402
from jellybridge.cli import main  # noqa: E402

laws = settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def as_file(rows: List[ChangeRow]) -> io.BytesIO:
    file = io.BytesIO()
    file.name = "p.jellyp"  # type: ignore[attr-defined]
    write_patch(file, rows)
    file.seek(0)
    return file


def base_file(state: State) -> io.BytesIO:
    lines = (" ".join(filter(None, each)) + " .\n" for each in state.quads)
    file = io.BytesIO("".join(lines).encode())
    file.name = "base.nq"  # type: ignore[attr-defined]
    return file


@laws
@given(states, patches)
def test_what_is_effective_does_the_same_and_its_inverse_undoes_it(base: State, rows: List[ChangeRow]) -> None:
    with Dataset.open("mem:") as told:  # also its prefixes
        told.apply(as_file([row("A", *quad[:3], graph=quad[3]) for quad in base.quads]))
        kept = list(changes.effective(as_file(rows), told))
        undone = list(changes.invert(as_file(rows), told))
    assert {quad(row): row.op for row in kept if row.op in ("A", "D")} == effect(rows, base)
    after = apply(rows, base)
    assert apply(kept, base) == after
    assert apply(changes.invert(as_file(kept)), after) == base
    assert apply(undone, after) == base


@laws
@given(states, patches, patches, patches)
def test_squashing_is_associative_and_equal_to_a_replay(base: State, one: Any, two: Any, three: Any) -> None:
    whole = list(changes.squash(*map(as_file, (one, two, three))))
    left = list(changes.squash(changes.squash(as_file(one), as_file(two)), as_file(three)))
    right = list(changes.squash(as_file(one), changes.squash(as_file(two), as_file(three))))
    assert whole == left == right
    assert apply(whole, base) == apply(three, apply(two, apply(one, base)))


@laws
@given(states, patches, patches, st.booleans())
def test_a_merge_is_symmetric_and_a_rebase_leads_to_it(base: State, one: Any, two: Any, single: bool) -> None:
    predicates = ["<urn:q>"] if single else []
    merged, clash = changes.merge(base_file(base), as_file(one), as_file(two), single=predicates)
    other, other_clash = changes.merge(base_file(base), as_file(two), as_file(one), single=predicates)
    assert list(merged) == list(other)
    sides = [[row[3:] for row in clash if row.patch == side] for side in (0, 1)]
    assert [[row[3:] for row in other_clash if row.patch == side] for side in (1, 0)] == sides
    ours, theirs = effect(one, base), effect(two, base)
    known = conflicts(base, ours, theirs, predicates)
    assert {quad(row) for row in clash if row.op in ("A", "D")} == known
    expected = {each: op for each, op in {**ours, **theirs}.items() if each not in known}
    assert {quad(row): row.op for row in merged if row.op in ("A", "D")} == expected
    preferred, _ = changes.merge(base_file(base), as_file(one), as_file(two), prefer="ours", single=predicates)
    moved, left_out = changes.rebase(base_file(base), as_file(one), as_file(two), single=predicates)
    assert apply(moved, apply(one, base)) == apply(preferred, base)
    assert list(left_out) == list(clash)


def test_a_predicate_with_a_single_value_may_be_written_with_escapes() -> None:
    rows = [[ChangeRow(op="A", subject="<urn:s>", predicate="<urn:café>", object=value)] for value in ('"1"', '"2"')]
    for predicate in ("<urn:café>", r"<urn:caf\u00e9>"):
        merged, clash = changes.merge(base_file(State(set())), *map(as_file, rows), single=[predicate])
        assert len([row for row in clash if row.op == "A"]) == 2 and not [row for row in merged if row.op == "A"]


@laws
@given(states, patches, st.integers(1, 5))
def test_the_parts_of_a_patch_do_the_same(base: State, rows: List[ChangeRow], size: int) -> None:
    for parts in (changes.split(as_file(rows)), changes.split(as_file(rows), rows=size)):
        assert apply(parts, base) == apply(rows, base)
    graphs = [{row.graph for row in changes.split(as_file(rows)) if row.patch == patch and row.subject} for patch in range(2)]
    assert all(len(each) <= 1 for each in graphs)


@laws
@given(patches)
def test_a_filtered_patch_has_what_was_asked_for_and_its_transactions(rows: List[ChangeRow]) -> None:
    found = list(changes.filter(as_file(rows), graph=["default"], subject=["urn:a", "_:b"], predicate="urn:p"))
    assert [(row.op, *quad(row), row.name) for row in found] == [
        (row.op, *quad(row), row.name) for row in rows
        if not row.subject or row.graph is None and row.subject in ("<urn:a>", "_:b") and row.predicate == "<urn:p>"]


class Files:
    """States and patches in files, with which the command line computes."""

    def __init__(self, command: Any, folder: Path) -> None:
        self.command = command
        self._folder = folder
        self.empty = self._file(".trig")
        self.empty.write_text("PREFIX z: <urn:z>")  # a state with a prefix tells its prefixes

    def _file(self, suffix: str) -> Path:
        return self._folder / f"{len(list(self._folder.iterdir()))}{suffix}"

    def patch(self, rows: List[ChangeRow]) -> Path:
        write_patch(made := self._file(".jellyp"), rows)
        return made

    def computed(self, *line: object) -> Path:
        self.command("patch", *line, "-o", made := self._file(".jellyp"))
        return made

    def merged(self, *line: object) -> Tuple[Path, List[Any]]:
        """Returns what a merge or a rebase makes, and its conflicts."""
        made, clash = self._file(".jellyp"), self._file(".conflicts.jellyp")
        done = self.command("patch", *line, "-o", made, "--conflicts", clash, check=False)
        assert done.returncode == (1 if clash.exists() and "--prefer" not in line else 0), done.stderr
        return made, changed(clash) if clash.exists() else []

    def apply(self, patch: Path, state: Path, suffix: str = ".jelly") -> Path:
        self.command("apply", patch, "--on", state, "-o", made := self._file(suffix), "--no-check", "--quiet")
        return made

    def state(self, rows: List[ChangeRow]) -> Path:
        return self.apply(self.patch(rows), self.empty)

    def read(self, state: Path) -> State:
        for name in (quads := self._file(".nq"), prefixes := self._file(".trig")):
            convert(state, name)
        found = re.findall(r"^(\S+) (\S+) (\S+)(?: (<\S+>))? \.$", quads.read_text(), re.MULTILINE)
        names = re.findall(r"^(?:@prefix|PREFIX) (\w+): +(<\S+>)", prefixes.read_text(), re.MULTILINE)
        return State(frozenset((*each[:3], each[3] or None) for each in found), frozenset(names))


def changed(patch: Path) -> List[Any]:
    """Returns the changes of a file of patches."""
    with read_patch(patch) as rows:
        return [row for row in rows if row.op in ("A", "D", "PA", "PD")]


#: How many examples a long run tries; ``LAW_EXAMPLES=2000 make test-python ARGS=tests/jpype/test_changes.py`` tries more.
EXAMPLES = int(os.environ.get("LAW_EXAMPLES", 250))


@pytest.fixture(params=[5, pytest.param(EXAMPLES, id="long", marks=pytest.mark.full("long"))])
def on_the_command_line(command: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """Tries a law with random patches: a function of :class:`Files` and of so many patches."""
    def tried(law: Callable[..., None], count: int) -> None:
        @settings(laws, max_examples=request.param, phases=[Phase.generate])
        @given(st.tuples(*[patches] * count))
        def example(rows: Any) -> None:
            with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
                law(Files(command, Path(folder)), *rows)

        example()

    return tried


EMPTY = State(frozenset(), frozenset([("z", "<urn:z>")]))


def test_the_inverse_of_a_command_undoes_a_patch(on_the_command_line: Any) -> None:
    def law(files: Files, before: Any, rows: Any) -> None:
        base, patch = files.state(before), files.patch(rows)
        after = files.apply(patch, base)
        assert files.read(base) == apply(before, EMPTY) and files.read(after) == apply(rows, apply(before, EMPTY))
        kept = files.computed("effective", patch, "--base", base)
        for back in (files.computed("invert", patch, "--base", base), files.computed("invert", kept)):
            assert files.read(files.apply(back, after)) == files.read(base)

    on_the_command_line(law, 2)


def test_commands_squash_in_any_order_to_what_a_replay_does(on_the_command_line: Any) -> None:
    def law(files: Files, before: Any, *rows: Any) -> None:
        one, two, three = map(files.patch, rows)
        left = files.computed("squash", files.computed("squash", one, two), three)
        right = files.computed("squash", one, files.computed("squash", two, three))
        whole = files.computed("squash", one, two, three)
        assert list(read_patch(left)) == list(read_patch(right)) == list(read_patch(whole))
        base = files.state(before)
        replayed = files.apply(three, files.apply(two, files.apply(one, base)))
        assert files.read(files.apply(whole, base)) == files.read(replayed)

    on_the_command_line(law, 4)


def test_a_command_merges_two_sides_in_either_order(on_the_command_line: Any) -> None:
    def law(files: Files, before: Any, one: Any, two: Any) -> None:
        base, ours, theirs = files.state(before), files.patch(one), files.patch(two)
        merged, clash = files.merged("merge", base, ours, theirs, "--single", "urn:q")
        other, other_clash = files.merged("merge", base, theirs, ours, "--single", "urn:q")
        assert changed(merged) == changed(other)
        assert sorted(str(row[3:]) for row in clash) == sorted(str(row[3:]) for row in other_clash)
        state = apply(before, EMPTY)
        known = conflicts(state, effect(one, state), effect(two, state), ["<urn:q>"])
        assert {quad(row) for row in clash if row.op in ("A", "D")} == known
        preferred, _ = files.merged("merge", base, ours, theirs, "--single", "urn:q", "--prefer", "ours")
        moved, _ = files.merged("rebase", base, ours, theirs, "--single", "urn:q")
        assert files.read(files.apply(moved, files.apply(ours, base))) == files.read(files.apply(preferred, base))

    on_the_command_line(law, 3)


def test_a_log_that_a_command_restores_has_no_difference(on_the_command_line: Any) -> None:
    def law(files: Files, *rows: Any) -> None:
        log = files.empty.parent / "log"
        files.command("log", "create", log)
        # A patch without an id gets one by what it says, and is appended once.
        named = [[row._replace(patch=0) for row in (ChangeRow(op="H", name="message", value=f'"{at}"'), *each)]
                 for at, each in enumerate(rows)]
        files.command("log", "append", log, *map(files.patch, named), "--quiet")
        states = [State(frozenset())]
        for each in rows:
            states.append(apply(each, states[-1]))
        for version in (1, 2, 0):
            files.command("log", "restore", log, version, "--quiet")
            head = json.loads(files.command("log", "list", log, "--json").stdout.splitlines()[-1])["version"]
            assert "No difference." in files.command("log", "diff", log, version, head, "--format", "text").stdout
            files.command("log", "state", log, "-o", state := files.empty.parent / f"{version}.jelly", "--quiet")
            assert files.read(state) == states[version]

    on_the_command_line(law, 3)


TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def row(op: Any, subject: str, predicate: str, value: str, **more: Any) -> ChangeRow:
    return ChangeRow(op=op, subject=subject, predicate=predicate, object=value, **more)


def test_a_class_is_said_by_the_patch_or_by_the_state() -> None:
    rows = [row("A", "<urn:a>", TYPE, "<urn:C>"), row("A", "<urn:a>", "<urn:p>", '"1"'), row("D", "<urn:b>", "<urn:p>", '"1"')]
    base = State(frozenset([("<urn:b>", TYPE, "<urn:C>", None)]))
    assert [each.subject for each in changes.filter(as_file(rows), rdf_class="urn:C")] == ["<urn:a>", "<urn:a>"]
    assert len(list(changes.filter(as_file(rows), rdf_class="urn:C", base=base_file(base)))) == 3


def test_a_state_may_be_an_open_dataset() -> None:
    with Dataset.open("mem:") as dataset:
        dataset.update('INSERT DATA { <urn:a> <urn:p> "1" }')
        rows = [row("A", "<urn:a>", "<urn:p>", '"1"'), row("A", "<urn:a>", "<urn:p>", '"2"')]
        assert [each.object for each in changes.effective(as_file(rows), dataset) if each.object] == ['"2"']
        assert [each.op for each in changes.invert(as_file(rows), dataset)] == ["TX", "D", "TC"]


def test_a_state_in_tdb2_has_the_terms_that_tdb2_changes(tmp_path: Path) -> None:
    def price(op: str, value: str) -> ChangeRow:
        return row(op, "<urn:tea>", "<urn:price>", f'"{value}"^^<http://www.w3.org/2001/XMLSchema#decimal>')

    raised, cheap = [price("D", "1.50"), price("A", "1.75")], [price("D", "1.50"), price("A", "1.80")]
    with Dataset.open(f"tdb2:{tmp_path}") as dataset:
        dataset.apply(as_file([price("A", "1.50")]))
        back = changes.invert(as_file(raised), dataset)
        assert [each.op for each in changes.effective(as_file(raised), dataset)] == ["TX", "D", "A", "TC"]
        assert [each.op for each in changes.effective(as_file([price("A", "1.500")]), dataset)] == ["TX", "TC"]
        assert list(changes.merge(dataset, as_file(raised), as_file(cheap)).conflicts)
        dataset.apply(as_file(raised))
        assert dataset.apply(back).changed == 2
        assert [each["o"] for each in dataset.select("SELECT ?o { ?s ?p ?o }")] == [price("A", "1.5").object]


@pytest.mark.parametrize(("name", "tells"), [("", True), ("base.trig", True), ("base.nq", False), ("base.jelly", False)])
def test_a_state_that_does_not_tell_its_prefixes_is_not_taken_for_one_without(tmp_path: Path, name: str, tells: bool) -> None:
    (tmp_path / "base.trig").write_text("PREFIX ex: <urn:1> PREFIX same: <urn:s> <urn:a> <urn:p> <urn:o> .")
    convert(tmp_path / "base.trig", tmp_path / "base.nq")
    convert(tmp_path / "base.nq", tmp_path / "base.jelly")
    one, two = ("ex", "<urn:1>"), ("ex", "<urn:2>")
    same = [("PA", "same", "<urn:s>")] * (not tells)

    def patch(*rows: Tuple[Any, str, str]) -> io.BytesIO:
        return as_file([ChangeRow(op=op, name=name, value=value) for op, name, value in rows])

    def prefixes(found: Any) -> List[Tuple[str, str, str]]:
        return [(each.op, each.name, each.value) for each in found if each.name]

    with Dataset.open("mem:") as dataset:
        dataset.apply(patch(("PA", *one), ("PA", "same", "<urn:s>")))
        base: Any = tmp_path / name if name else dataset
        rows = [("PD", *one), ("PA", *two), ("PA", "same", "<urn:s>")]
        assert prefixes(changes.effective(patch(*rows), base)) == [("PD", *one), ("PA", *two), *same]
        assert prefixes(changes.invert(patch(*rows), base)) == [("PD", *two), ("PA", *one), *[("PD", *each[1:]) for each in same]]
        assert prefixes(changes.merge(base, patch(rows[0]), patch(("PA", "more", "<urn:m>"))).patch) == [rows[0], ("PA", "more", "<urn:m>")]
        assert prefixes(changes.rebase(base, patch(("PA", "more", "<urn:m>")), patch(rows[0])).patch) == [rows[0]]
        for sides in ((rows[:2], rows[1:2]), (rows[1:2], rows[:2])):
            assert prefixes(changes.merge(base, *(patch(*side) for side in sides)).patch) == rows[:2]
        if not tells:
            with pytest.raises(JellybridgeError, match="prefix ex without its namespace, and the state before it does not tell"):
                changes.invert(as_file([ChangeRow(op="PD", name="ex")]), base)


def test_a_closed_dataset_is_no_state() -> None:
    with Dataset.open("mem:") as dataset:
        pass
    patch = as_file([row("A", "<urn:a>", "<urn:p>", '"1"')])
    for computed in (lambda: changes.effective(patch, dataset), lambda: diff(dataset, base_file(State(frozenset())))):
        with pytest.raises(JellybridgeError, match="dataset mem: is closed"):
            computed()


def test_a_state_is_read_in_the_jvm_in_which_it_was_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    with Dataset.open("mem:") as dataset:
        def of_another() -> None:
            raise AssertionError("another JVM was asked for")

        monkeypatch.setattr(changes, "find_door", of_another)
        monkeypatch.setattr("jellybridge._convert.find_door", of_another)
        patch = as_file([row("A", "<urn:a>", "<urn:p>", '"1"')])
        assert [each.object for each in changes.effective(patch, dataset) if each.object] == ['"1"']


def test_a_base_that_can_be_read_once_is_compared_with_both_copies(tmp_path: Path) -> None:
    for name, value in (("base", 1), ("ours", 2), ("theirs", 3)):
        (tmp_path / f"{name}.nt").write_text(f'<urn:a> <urn:p> "{value}" .\n')
    for join in (changes.merge, changes.rebase):
        with open(tmp_path / "base.nt", "rb") as base:
            found = join(base, tmp_path / "ours.nt", tmp_path / "theirs.nt").conflicts
        assert [each.object for each in found if each.object] == ['"1"', '"2"', '"1"', '"3"']


def test_a_state_without_a_base_iri_is_to_be_converted_since_a_base_is_a_state_here(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text("<a> <urn:p> 1 .")
    patch = as_file([row("A", "<urn:a>", "<urn:p>", '"1"')])
    page = io.BytesIO(b"<a> <urn:p> 1 .")
    page.name = "page.ttl"  # type: ignore[attr-defined]
    with pytest.raises(TextFormatError, match=r"name a base by base_iri \(--base-iri\) or in the document"):
        changes.from_ldes(page)
    for call in (lambda: changes.effective(patch, tmp_path / "a.ttl"),
                 lambda: changes.merge(base_file(State(frozenset())), tmp_path / "a.ttl", patch)):
        patch.seek(0)
        with pytest.raises(TextFormatError, match=r'or make N-Quads of it first by jellybridge.convert\(FILE, "x.nq", base=IRI\)') as error:
            call()
        assert "(--base)" not in error.value.advice


def test_headers_go_with_the_chain() -> None:
    ids = [f"<urn:uuid:0000000{number}-0000-4000-8000-000000000000>" for number in range(3)]
    files = [as_file([ChangeRow(op="H", name="id", value=ids[number]), ChangeRow(op="H", name="prev", value=ids[number - 1]),
                      ChangeRow(op="H", name="author", value='"ada"'), row("A", "<urn:a>", "<urn:p>", f'"{number}"')]) for number in (1, 2)]
    assert [(each.name, each.value) for each in changes.squash(*files) if each.op == "H"] == [("id", ids[2]), ("prev", ids[0])]
    files[0].seek(0)
    assert [each.name for each in changes.filter(files[0], subject="urn:a") if each.op == "H"] == ["author"]
    files[0].seek(0)
    assert not [each for each in changes.invert(files[0]) if each.op == "H"]


def test_patches_that_are_not_a_chain_are_not_squashed_and_can_be_shown() -> None:
    def chained(*numbers: int) -> io.BytesIO:
        return as_file([each._replace(patch=at) for at, number in enumerate(numbers) for each in (
            ChangeRow(op="H", name="id", value=f"<urn:{number}>"), *([ChangeRow(op="H", name="prev", value=f"<urn:{number - 1}>")] * (number > 1)),
            row("A", "<urn:a>", "<urn:p>", f'"{number}"'))])

    gap = "<urn:{}> follows <urn:{}>, and the patch before it is <urn:{}>; give".format
    for files, says in (((1, 3), gap(3, 2, 1)), ((1, 10, 2), gap(10, 9, 1)), ((2, 1), "<urn:1>, which the first patch follows, is behind <urn:2>")):
        for given in ([chained(number) for number in files], [chained(*files)]):
            with pytest.raises(JellybridgeError, match=says):
                changes.squash(*given)
    assert [each.op for each in changes.squash()] == ["TX", "TC"]
    assert "2 statements added" in str(changes.show(chained(1, 3)))
    assert str(changes.show(as_file([ChangeRow(op="PD", name="x")]))).endswith("\nNo statement differs, but 1 prefix does.")
    assert [each.object for each in changes.split(chained(1, 3)) if each.object] == ['"1"', '"3"']
    nameless = as_file([row("A", "<urn:a>", "<urn:p>", '"2"')])
    assert [each.value for each in changes.squash(chained(1), nameless, chained(3)) if each.op == "H"] == ["<urn:3>"]


def test_a_patch_that_was_lost_is_not_passed_over() -> None:
    def lost() -> io.BytesIO:
        return as_file([ChangeRow(op="H", name=name, value=value) for name, value in (
            ("id", "<urn:2>"), ("prev", "<urn:1>"), ("lost", '"cut off"'))])

    with Dataset.open("mem:") as dataset:
        for computed in (changes.squash, changes.invert, changes.split, changes.show, dataset.apply):
            with pytest.raises(JellybridgeError, match="patch was lost.*cut off"):
                computed(lost())


def test_what_is_not_known_to_be_effective_has_no_inverse() -> None:
    twice = [row("A", "<urn:a>", "<urn:p>", '"1"'), row("D", "<urn:a>", "<urn:p>", '"1"')]
    with pytest.raises(JellybridgeError, match="more than once.*state before it"):
        changes.invert(as_file(twice))
    with pytest.raises(JellybridgeError, match="prefix x without its namespace"):
        changes.invert(as_file([ChangeRow(op="PD", name="x")]))
    with pytest.raises(ValueError, match="rows=0"):
        changes.split(as_file(twice), rows=0)
    with pytest.raises(ValueError, match="prefer='mine'"):
        changes.merge(base_file(State(frozenset())), as_file(twice), as_file(twice), prefer="mine")


def test_the_inverse_of_joined_patches_knows_the_namespace_before_the_first() -> None:
    def patch(*rows: Tuple[Any, int]) -> io.BytesIO:
        return as_file([ChangeRow(op=op, name="x", value=f"<urn:{number}>") for op, number in rows])

    undone = changes.invert(changes.squash(patch(("PD", 1), ("PA", 2)), patch(("PD", 2), ("PA", 3))))
    assert [(each.op, each.value) for each in undone if each.name] == [("PD", "<urn:3>"), ("PA", "<urn:1>")]
    with pytest.raises(JellybridgeError, match="prefix x without its namespace"):
        changes.invert(changes.squash(patch(("PA", 1)), patch(("PD", 1), ("PA", 2))))


def test_the_command_line_does_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.ttl").write_text("PREFIX ex: <urn:ex:> ex:tea ex:color 'green' ; ex:kind ex:Drink .")
    Path("a.rdfp").write_text('TX .\nD <urn:ex:tea> <urn:ex:color> "green" .\nA <urn:ex:tea> <urn:ex:color> "black" .\nTC .\n')
    Path("b.rdfp").write_text('TX .\nD <urn:ex:tea> <urn:ex:color> "green" .\nA <urn:ex:tea> <urn:ex:color> "red" .\n'
                              'A <urn:ex:tea> <urn:ex:cup> "1" .\nTC .\n')
    assert main(["patch", "invert", "a.rdfp"]) == 0
    assert capfd.readouterr().out == 'TX .\nD <urn:ex:tea> <urn:ex:color> "black" .\nA <urn:ex:tea> <urn:ex:color> "green" .\nTC .\n'
    assert main(["patch", "squash", "a.rdfp", "b.rdfp", "-o", "ab.jellyp", "--json"]) == 0
    assert [each.object for each in read_patch("ab.jellyp") if each.object] == ['"green"', '"black"', '"red"', '"1"']
    assert main(["patch", "effective", "ab.jellyp", "--base", "base.ttl", "-o", "e.jellyp"]) == 0
    assert main(["patch", "filter", "ab.jellyp", "--predicate", "urn:ex:cup", "--graph", "default"]) == 0
    assert main(["patch", "split", "ab.jellyp", "--rows", "1", "-o", "parts.rdfp"]) == 0
    capfd.readouterr()
    assert main(["patch", "merge", "base.ttl", "a.rdfp", "b.rdfp", "-o", "m.jellyp", "--conflicts", "c.rdfp"]) == 1
    assert "4 changes are in conflict, and left out; c.rdfp has them" in capfd.readouterr().err
    assert [each.object for each in read_patch("m.jellyp") if each.object] == ['"1"']
    assert main(["patch", "merge", "base.ttl", "a.rdfp", "a.rdfp", "-o", "m.jellyp", "--conflicts", "c.rdfp"]) == 0
    assert not Path("c.rdfp").exists()
    assert main(["patch", "merge", "base.ttl", "a.rdfp", "b.rdfp", "-o", "m.jellyp", "--prefer", "theirs"]) == 0
    assert "4 changes were in conflict, and theirs count; --conflicts FILE keeps them" in capfd.readouterr().err
    assert {each.object for each in read_patch("m.jellyp") if each.op == "A"} == {'"1"', '"red"'}
    assert main(["patch", "rebase", "base.ttl", "a.rdfp", "b.rdfp"]) == 1
    assert capfd.readouterr().out == 'TX .\nA <urn:ex:tea> <urn:ex:cup> "1" .\nTC .\n'
    assert main(["patch", "squash", "a.rdfp", "-o", "x.nq"]) == 2
    assert main(["patch", "invert", "missing.rdfp"]) == 2
    assert main(["apply", "ab.jellyp", "--on", "base.ttl", "-o", "new.ttl", "--quiet"]) == 0


def test_a_command_merges_edited_files_and_shows_conflicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any) -> None:
    monkeypatch.chdir(tmp_path)
    zoo = "PREFIX ex: <urn:ex:> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>\nex:lion a ex:Kind ; rdfs:label 'lion' ; ex:legs 4 ; ex:eats [ ex:of 'meat' ] ."
    for name, old, new in (("base", "", ""), ("ann", "'lion'", "'big lion'"), ("ben", "'meat'", "'gazelle'"), ("cy", "'lion'", "'cat'")):
        Path(f"{name}.ttl").write_text(zoo.replace(old, new) if old else zoo)
    command("patch", "merge", "base.ttl", "ann.ttl", "ben.ttl", "-o", "m.jellyp")
    command("apply", "m.jellyp", "--on", "base.ttl", "-o", "m.ttl", "--quiet")
    Path("both.ttl").write_text(zoo.replace("'lion'", "'big lion'").replace("'meat'", "'gazelle'"))
    assert command("diff", "m.ttl", "both.ttl", "--exit-code", "--format", "text").stdout.endswith("No difference.\n")
    both = ["patch", "merge", "base.ttl", "ann.ttl", "cy.ttl", "-o", "m.rdfp", "--prefix", "ex=urn:ex:"]
    assert command(*both, "--conflicts", "c.txt", check=False).returncode == 1
    assert Path("c.txt").read_text() == """\
--- base.ttl
+++ ann.ttl
    prefix ex: <urn:ex:>

  ex:lion  "big lion"
-     rdfs:label  "lion"
+     rdfs:label  "big lion"

1 statement added, 1 deleted. Subjects: 0 new, 0 deleted, 1 changed.

--- base.ttl
+++ cy.ttl
    prefix ex: <urn:ex:>

  ex:lion  "cat"
-     rdfs:label  "lion"
+     rdfs:label  "cat"

1 statement added, 1 deleted. Subjects: 0 new, 0 deleted, 1 changed.
"""
    command(*both, "--conflicts", "c.md", check=False)
    assert Path("c.md").read_text().count("## Changed") == 2
    Path("two.ttl").write_text(zoo.replace("legs 4", "legs 4, 5"))
    Path("three.ttl").write_text(zoo.replace("legs 4", "legs 4, 6"))
    command("patch", "rebase", "base.ttl", "two.ttl", "three.ttl", "-o", "r.jellyp")
    assert command("patch", "merge", "base.ttl", "two.ttl", "three.ttl", "--single", "ex:legs", "--prefix", "ex=urn:ex:", check=False).returncode == 1
    found = command("patch", "filter", "r.jellyp", "--predicate", "ex:legs", "--graph", "default", "--prefix", "ex=urn:ex:").stdout
    assert '"6"' in found and '"6"' not in command("patch", "filter", "r.jellyp", "--predicate", "rdfs:label").stdout
    assert "apply --on" in command("patch", "merge", "base.ttl", "two.ttl", "ann.ttl", "-o", "m.ttl", check=False).stderr


@pytest.mark.parametrize("side", [1, 2])
def test_an_empty_copy_is_refused_and_a_patch_may_delete_all(side: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.nt").write_text('<urn:s> <urn:p> "1" .\n')
    Path("failed.nt").touch()
    sides = ["base.nt"] * 3
    sides[side] = "failed.nt"
    for call in (changes.merge, changes.rebase):
        with pytest.raises(JellybridgeError, match="failed.nt has no statement, and all 1 of .*base.nt .*; .* give a patch that deletes them"):
            call(*sides)
    diff("base.nt", "failed.nt").write("none.jellyp")
    sides[side] = "none.jellyp"
    assert [each.op for each in changes.merge(*sides).patch] == ["TX", "D", "TC"]
    Path("base.nt").write_text("")
    changes.merge("base.nt", "failed.nt", "failed.nt")


def test_new_blank_nodes_of_two_edited_copies_stay_apart(tmp_path: Path) -> None:
    (tmp_path / "base.ttl").write_text("<urn:x> <urn:p> 1 .\n")
    base = '<urn:x> <urn:p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
    for name, predicate, street in (("ours", "addr", "A"), ("theirs", "home", "B"), ("third", "work", "C")):
        (tmp_path / f"{name}.nt").write_text(f'{base}<urn:x> <urn:{predicate}> _:b0 .\n_:b0 <urn:street> "{street}" .\n')

    def places(patch: Any) -> List[Tuple[str, str]]:
        rows = [each for each in patch if each.op == "A"]
        return sorted((each.predicate, other.object) for each in rows for other in rows if each.object == other.subject)

    two, three = [("<urn:addr>", '"A"'), ("<urn:home>", '"B"')], ("<urn:work>", '"C"')
    merged = changes.merge(tmp_path / "base.ttl", tmp_path / "ours.nt", tmp_path / "theirs.nt").patch
    merged.write(tmp_path / "m.jellyp")
    assert places(read_patch(tmp_path / "m.jellyp")) == two
    assert places(changes.merge(tmp_path / "base.ttl", tmp_path / "m.jellyp", tmp_path / "third.nt").patch) == [*two, three]
    assert places(changes.rebase(tmp_path / "base.ttl", tmp_path / "ours.nt", tmp_path / "third.nt").patch) == [three]
    assert places(changes.merge(tmp_path / "base.ttl", tmp_path / "ours.nt", tmp_path / "ours.nt").patch) == two[:1]


def test_a_command_takes_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("base.nq").write_text('<urn:s> <urn:p> "1" .\n')
    write_patch("p.jellyp", [ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object='"1"'),
                             ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"2"')])
    command = [sys.executable, "-m", "jellybridge", "patch"]
    text = subprocess.run([*command, "squash", "p.jellyp"], capture_output=True, check=True).stdout

    def piped(given: bytes, *line: str) -> bytes:
        return subprocess.run([*command, *line], input=given, capture_output=True, check=True).stdout

    undone = piped(text, "invert", "-")
    assert [row.op for row in read_patch(undone, format="rdf-patch")] == ["TX", "D", "A", "TC"] and b'D <urn:s> <urn:p> "2"' in undone
    assert piped(Path("p.jellyp").read_bytes(), "squash", "-", "--from-format", "jelly-patch") == text
    assert piped(Path("base.nq").read_bytes(), "effective", "p.jellyp", "--base", "-") == text
    assert piped(Path("base.nq").read_bytes(), "merge", "-", "p.jellyp", "p.jellyp") == text
    for line in (["squash", "-", "-"], ["invert", "-", "--base", "-"]):
        assert subprocess.run([*command, *line], input=text, capture_output=True).returncode == 2

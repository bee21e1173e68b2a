"""The order of patches that follow each other: plain data, so no JVM is needed."""

from __future__ import annotations

import random
from typing import Dict, List, Optional, Tuple, Union

import pytest

from jellybridge import JellybridgeError
from jellybridge._order import Listed, Trust, behind, by_name, in_order, natural, pending, trusted

Number = Union[int, str]


def patch(id: Optional[Number], prev: Optional[Number] = None, *, name: str = "", fault: Optional[str] = None) -> Listed:
    called = name or f"{id}.jellyp#0"
    return Listed(
        called, f'"{called}"' if id is None else f"<{id}>", None if id is None or fault else f"<{id}>",
        None if prev is None or fault else f"<{prev}>", None, fault,
    )


def chain(first: int, last: int) -> List[Listed]:
    return [patch(number, None if number == 1 else number - 1) for number in range(first, last + 1)]


def names(listed: List[Listed], position: Optional[Number] = None, *, skips: bool = False) -> List[str]:
    at = None if position is None else position if isinstance(position, str) else f"<{position}>"
    return [listed[index].name.split(".")[0] for index in pending(listed, at, skips_faults=skips)]


def test_numbers_in_names_count_as_numbers() -> None:
    ordered = ["010a", "10a", "a", "a/1", "a0", "a00", "a1", "a1a9", "a1a10", "a1b", "a02", "a2", "a10", "a:1", "b"]
    assert sorted(random.Random(1).sample(ordered, len(ordered)), key=natural) == ordered


def in_files(*files: str) -> List[Listed]:
    return [patch(None, name=f"{file}#0")._replace(file=file) for file in by_name(files)]


JOBS = [f"{digit * 8}-{digit * 4}-{digit * 4}-{digit * 4}-{digit * 12}" for digit in "3f"]


@pytest.mark.parametrize("files", [
    ("1.jellyp", "2.jellyp", "010.jellyp"), ("3.jellyp", "3b.jellyp", "5.jellyp"), ("a.jellyp", "b.jellyp"),
    ("log2.rdfp.gz", "log10.rdfp.gz"), ("2026-01-31/x.jellyp", "2026-02-01/a.jellyp"),
    ("20251231T2359Z.jellyp", "20260101T0000Z.jellyp"), (f"1-{JOBS[1]}.jellyp", f"2-{JOBS[0]}.jellyp"),
    tuple(f"part-0000{number}-{JOBS[0]}-c000.jellyp" for number in range(3)),
    tuple(f"day={number}/part-00000-{job}-c000.jellyp" for number, job in enumerate(JOBS)),
])
def test_names_with_numbers_or_times_are_an_order(files: Tuple[str, ...]) -> None:
    assert by_name(reversed(files)) == list(files)
    assert trusted(in_files(*files)) is Trust.NAMES


@pytest.mark.parametrize("files", [
    ("monday.jellyp", "tuesday.jellyp"), ("changes.jellyp", "changes-2.jellyp"), ("1.jellyp", "1.rdfp"), ("1.jellyp", "01.jellyp"),
    tuple(f"{job}.jellyp" for job in JOBS), ("tmp4f8k2q.jellyp", "tmp9x1c.jellyp"), ("3f2a9c.jellyp", "41b07e.jellyp"),
    tuple(f"part-00000-{job}-c000.jellyp" for job in JOBS), tuple(f"kind={kind}/1.jellyp" for kind in ("red", "blue")),
    tuple(f"part-0000{number}-{job}-c000.jellyp" for number, job in enumerate(JOBS)),
    ("1.jellyp", "2.jellyp", "next.jellyp"),
])
def test_other_names_are_none(files: Tuple[str, ...]) -> None:
    for position in (None, f'"{files[0]}#0"'):
        with pytest.raises(JellybridgeError, match="it is not known whether .* comes first: .*rdf-patch-log"):
            pending(in_files(*files), position, skips_faults=False)
    with pytest.raises(JellybridgeError, match="it is not known whether .* comes first"):
        in_order(in_files(*files))


def test_a_log_that_is_rotated_is_ordered_from_its_oldest_file_to_the_one_without_a_number() -> None:
    files = ["log.rdfp.010", "log.rdfp.009", *(f"log.rdfp.{number:03}" for number in range(8, 0, -1)), "log.rdfp"]
    assert by_name(reversed(files)) == files
    runs = [patch(number, name=f"{file}#0")._replace(file=file) for number, file in enumerate(files)]
    assert trusted(runs) is Trust.ROTATED and in_order(runs) == list(range(len(files)))
    assert pending(runs, "<9>", skips_faults=False) == [10]
    for says, listed in {
        "a gap: no file of the log log.rdfp is between log.rdfp.010 and log.rdfp.008": [runs[0], *runs[2:]],
        "log.rdfp#0 has no id, and the files of the log log.rdfp are renamed": [
            *runs[:-1], patch(None, name="log.rdfp#0")._replace(file="log.rdfp")],
    }.items():
        with pytest.raises(JellybridgeError, match=says):
            pending(listed, None, skips_faults=False)
    # Those of Jena's policy "index" begin with the first.
    index = ["log.rdfp.0001", "log.rdfp.0002", "log.rdfp.0010"]
    assert by_name(reversed(index)) == index
    with pytest.raises(JellybridgeError, match="not known whether log.rdfp or log.rdfp.0001 comes first"):
        pending(in_files("log.rdfp", *index), None, skips_faults=False)


@pytest.mark.parametrize("files", [
    ["log.rdfp"] * 5, [f"log.rdfp.{number:04}" for number in range(8, 13)], [f"log.rdfp-2026-11-{day}" for day in range(25, 30)],
    ["log.rdfp-2026-11-25", "log.rdfp-2026-11-25", "log.rdfp-2026-11-26", "log.rdfp-2026-11-26", "log.rdfp-2026-11-27"],
    [f"log.rdfp-2026-11-25_10-{minute}-01" for minute in range(10, 15)], ["log.rdfp.gz"] * 5,
])
def test_a_jena_that_was_started_again_begins_a_chain_of_its_own_where_its_log_goes_on(files: List[str]) -> None:
    log = [patch(number, {2: 1, 5: 4}.get(number), name=f"{file}#{number}")._replace(file=file)
           for number, file in enumerate(files, 1)]
    assert pending(log, None, skips_faults=False) == [0, 1, 2, 3, 4] == in_order(log)
    assert pending(log, "<3>", skips_faults=False) == [3, 4]
    # Other names, and other predecessors, say that these are several logs.
    for other in (log[4]._replace(file="more.rdfp"), log[4]._replace(prev="<3>")):
        with pytest.raises(JellybridgeError, match="two patches are the first of their chain|not known whether"):
            pending([*log[:4], other], None, skips_faults=False)


def test_names_do_not_matter_where_there_is_a_chain_or_one_file() -> None:
    files = [f"part-00000-{job}-c000.jellyp" for job in JOBS]
    chained = [patch(1, name="x")._replace(file=files[1]), patch(2, 1, name="y")._replace(file=files[0])]
    assert trusted(chained) is Trust.CHAIN and in_order(chained) == [0, 1]
    assert trusted(in_files(files[0], files[0])) is Trust.ONE_FILE is trusted([])


@pytest.mark.parametrize("seed", range(20))
def test_a_chain_is_the_order_whatever_the_names_are(seed: int) -> None:
    listed = chain(1, 12)
    random.Random(seed).shuffle(listed)
    for position in (None, *range(1, 13)):
        assert names(listed, position) == [str(number) for number in range((position or 0) + 1, 13)]
    assert [listed[index].id for index in in_order(listed)] == [f"<{number}>" for number in range(1, 13)]


def test_without_ids_the_order_is_that_of_the_list() -> None:
    listed = [patch(None, name=f"{number}.jellyp#0") for number in range(1, 4)]
    assert names(listed) == ["1", "2", "3"]
    assert names(listed, '"2.jellyp#0"') == ["3"]
    assert in_order(listed) == [0, 1, 2]
    with pytest.raises(JellybridgeError, match="the dataset is at \"9.jellyp#0\", which is no patch of the source"):
        names(listed, '"9.jellyp#0"')
    assert names([], '"9.jellyp#0"') == []


def test_one_patch_without_an_id_makes_the_list_the_order() -> None:
    listed = [patch(2, 1), patch(None, name="0.jellyp#0"), patch(1)]
    assert names(listed) == ["2", "0", "1"]


def test_the_beginning_of_a_log_may_be_gone_once_it_was_applied() -> None:
    assert names([], 3) == []
    assert names(chain(4, 5), 3) == ["4", "5"]
    assert names(chain(2, 5), 3) == ["4", "5"]
    with pytest.raises(JellybridgeError, match="the dataset is at <3>, which is no patch of the source"):
        names(chain(7, 8), 3)


@pytest.mark.parametrize("links, position, says", [
    ({1: None, 3: 2}, None, "a gap: <3> .3.jellyp#0. follows <2>, which is neither in the source nor where the dataset is"),
    ({2: 1, 3: 2}, None, "a gap: <2> .2.jellyp#0. follows <1>"),
    ({1: None, 2: 1, 4: 3}, 1, "a gap: <4> .4.jellyp#0. follows <3>"),
    ({1: None, 2: 1, 3: 1}, None, "the chain forks after <1>: <2> .2.jellyp#0. and <3> .3.jellyp#0. both follow it"),
    ({1: None, 2: 1, 3: 1}, 2, "the chain forks after <1>"),
    ({1: None, 2: 1, 3: None}, None, "two patches are the first of their chain: <1> .1.jellyp#0. and <3> "),
    ({1: 1}, 1, "in a circle; <1> "),
    ({1: None, 2: 3, 3: 2}, None, "in a circle; <2> "),
])
def test_what_is_no_one_chain_is_refused(links: Dict[int, Optional[int]], position: Optional[int], says: str) -> None:
    with pytest.raises(JellybridgeError, match=says):
        names([patch(number, prev) for number, prev in links.items()], position)


def test_what_was_applied_is_no_gap_wherever_its_name_stands() -> None:
    listed = [patch(6, 5), patch(5, 4), patch(4, 3), patch(3, 2)]
    assert names(listed[1:], 5) == []
    assert names(listed, 5) == ["6"]


def test_a_part_from_the_first_patch_on_is_of_the_past() -> None:
    # 4 was applied, and the patches between have been taken away
    assert names([patch(1), patch(2, 1), patch(5, 4)], 4) == ["5"]


@pytest.mark.parametrize("listed", [[patch(1), patch(1)], [patch(1), patch(2, 1), patch(1, 2)]])
def test_one_id_stands_for_one_patch(listed: List[Listed]) -> None:
    with pytest.raises(JellybridgeError, match="two patches have the id <1>: 1.jellyp#0 and 1.jellyp#0; take one"):
        names(listed)


def test_a_position_that_no_dataset_keeps_is_refused_by_name() -> None:
    with pytest.raises(JellybridgeError, match="the id of 1.jellyp#0 can't be a dataset's position: no way"):
        names([patch(1)._replace(refusal="no way")])


def test_what_cant_be_read_stands_where_its_name_is() -> None:
    broken = patch(2, name="2.jellyp#0", fault="cut off")
    listed = [patch(1), broken, patch(3, 2), patch(4, 3)]
    # Who stops there never comes to what follows it.
    assert names(listed) == ["1", "2"]
    assert names(listed, skips=True) == ["1", "2", "3", "4"]
    assert names(listed, 1, skips=True) == ["2", "3", "4"]
    assert names(listed, 3, skips=True) == ["4"]
    assert names([broken, patch(3, 2)], skips=True) == ["2", "3"]
    assert names([broken], 7) == ["2"]


def test_what_follows_a_gap_comes_in_the_order_of_the_chain() -> None:
    listed = [patch(1), patch(2, name="2.jellyp#0", fault="cut off"), patch(4, 3), patch(3, 2)]
    assert names(listed, skips=True) == ["1", "2", "3", "4"]
    with pytest.raises(JellybridgeError, match="a gap: <3> .3.jellyp#0. follows <2>"):
        names([listed[0], *listed[2:]], skips=True)


def test_patches_in_order_may_begin_anywhere_but_only_once() -> None:
    assert in_order(chain(5, 7)) == [0, 1, 2]
    with pytest.raises(JellybridgeError, match="a gap: <5> .* follows <4>, and the chain begins with <1> .*, which follows "):
        in_order([*chain(1, 2), patch(5, 4)])


def test_patches_of_a_log_are_behind_each_other() -> None:
    assert behind(chain(4, 6), "<3>") == [0, 1, 2]
    assert behind(chain(1, 3), None) == [0, 1, 2]
    assert behind([], "<3>") == []
    broken = patch(4, 3, fault="cut off")
    assert behind([broken, patch(5, 4), patch(6, 5)], "<3>") == [0, 1, 2]
    for listed in ([patch(5, 4)], [patch(4, 3), patch(6, 5)], [broken, patch(5, 4), patch(7, 6)], [patch(4)]):
        with pytest.raises(JellybridgeError, match="a gap: .* follows .*, and the patch before it is .*; check the log"):
            behind(listed, "<3>")

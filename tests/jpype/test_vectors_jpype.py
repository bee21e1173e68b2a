"""The vectors of Jelly-Patch through ``read_patch``, without Spark."""

from __future__ import annotations

from typing import List, Optional

import pytest
from vectors_support import OWN_VECTORS, Vector, actual_rows, difference, load, refusal

import jellybridge


@pytest.fixture(scope="module", params=["own", "conformance"])
def vectors(request: pytest.FixtureRequest) -> List[Vector]:
    return load(OWN_VECTORS if request.param == "own" else request.getfixturevalue("shared_dir") / "conformance")


def problem(vector: Vector, strict: bool) -> Optional[str]:
    """What is wrong with how a file is read; ``None`` where nothing is."""

    def read() -> List[jellybridge.ChangeRow]:
        return list(jellybridge.read_patch(vector.path, strict=strict))

    if vector.kind == "reject" or strict and vector.breaks_a_must:
        # A strict reader may find an earlier fault in a file that no reader takes.
        by_rule = vector.kind == "either" or not strict
        return refusal(vector, read, jellybridge.PatchFormatError, by_rule)
    try:
        return difference(vector.rows, actual_rows(read()))
    except jellybridge.PatchFormatError as e:
        return None if vector.kind == "either" and not vector.id.startswith("own/") else str(e)


@pytest.mark.parametrize("strict", [False, True])
def test_every_file_is_read_or_refused_as_its_rule_says(vectors: List[Vector], strict: bool) -> None:
    assert vectors
    problems = {vector.id: problem(vector, strict) for vector in vectors}
    assert {id: found for id, found in problems.items() if found} == {}

"""What takes the time of the benches that are written in Python."""

from __future__ import annotations

import time
from typing import Callable, Dict


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def in_turns(ways: Dict[str, Callable[[], object]], times: int = 5) -> Dict[str, float]:
    """The least seconds of each; the first turn is not counted, in which whoever comes first warms what all use."""
    turns = [{name: seconds(work) for name, work in ways.items()} for _ in range(times + 1)]
    return {name: min(turn[name] for turn in turns[1:]) for name in ways}

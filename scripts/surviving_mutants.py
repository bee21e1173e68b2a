"""Says how many mutants the tests noticed, room by room, and lists those that they did not: python surviving_mutants.py FOLDER [ROOM]"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

NOTICED = ("KILLED", "TIMED_OUT", "MEMORY_ERROR", "NON_VIABLE", "RUN_ERROR")


def main(folder: Path, room: str = "*") -> None:
    for report in sorted(folder.glob(f"{room}/mutations.xml")):
        mutants = ElementTree.parse(report).getroot().findall("mutation")
        states = Counter(mutant.get("status", "") for mutant in mutants)
        noticed = sum(states[state] for state in NOTICED)
        print(f"{report.parent.name}: {noticed:,} of {len(mutants):,} mutants noticed ({noticed / max(len(mutants), 1):.0%}); "
              + ", ".join(f"{state} {count:,}" for state, count in sorted(states.items())))
        for mutant in mutants:
            if mutant.get("status") not in NOTICED:
                text = {child.tag: child.text or "" for child in mutant}
                print(f"  {text['mutatedClass'].rpartition('.')[2]}.{text['mutatedMethod']}, line {text['lineNumber']}: "
                      f"{text['description']} ({mutant.get('status', '').lower().replace('_', ' ')})")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])

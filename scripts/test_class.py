"""Prints the full names of classes of JUnit tests, given these or their last parts: python test_class.py NAME ..."""

import difflib
import sys
from pathlib import Path
from typing import List

TESTS = Path(__file__).resolve().parent.parent / "jvm" / "src" / "test" / "java"


def main(names: List[str]) -> int:
    classes = {file.stem: ".".join(file.relative_to(TESTS).with_suffix("").parts) for file in TESTS.rglob("*.java")}
    found = []
    for name in names:
        full = classes.get(name, name)
        if full not in classes.values():
            near = difflib.get_close_matches(name.rpartition(".")[2], classes, 3, 0.5)
            print(f"there is no test class {name}" + (f"; is it {' or '.join(near)}?" if near else f" below {TESTS}"), file=sys.stderr)
            return 1
        found.append(full)
    print(",".join(found))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

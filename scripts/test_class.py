"""Prints the full name of a class of JUnit tests, given that or its last part: python test_class.py NAME"""

import difflib
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "jvm" / "src" / "test" / "java"


def main(name: str) -> int:
    classes = {file.stem: ".".join(file.relative_to(TESTS).with_suffix("").parts) for file in TESTS.rglob("*.java")}
    found = [full for short, full in classes.items() if name in (short, full)]
    if found:
        print(found[0])
        return 0
    near = difflib.get_close_matches(name.rpartition(".")[2], classes, 3, 0.5)
    print(f"there is no test class {name}" + (f"; is it {' or '.join(near)}?" if near else f" below {TESTS}"), file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

"""Sums up JUnit's reports in a folder: names the tests that failed, and the classes that took longest."""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

SLOWEST = 10


def main(folder: str) -> None:
    seconds: "Counter[str]" = Counter()
    for report in sorted(Path(folder).glob("TEST-*.xml")):
        for test in ElementTree.parse(report).iter("testcase"):
            name = test.get("classname") or ""
            seconds[name] += float((test.get("time") or "0").replace(",", ""))  # from a thousand seconds on, JUnit writes a comma
            for fault in (*test.findall("failure"), *test.findall("error")):
                message = (fault.get("message") or fault.get("type") or "").split("\n")[0]
                print(f"failed: {name}.{test.get('name')}: {message}", file=sys.stderr)
    print("slowest classes: " + ", ".join(f"{name.rpartition('.')[2]} {took:.0f} s" for name, took in seconds.most_common(SLOWEST)))


if __name__ == "__main__":
    main(sys.argv[1])

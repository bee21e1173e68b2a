"""Names the tests that failed, from JUnit's reports in a folder: so that the end of a long output says them."""

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path


def main(folder: str) -> None:
    for report in sorted(Path(folder).glob("TEST-*.xml")):
        for test in ElementTree.parse(report).iter("testcase"):
            for fault in (*test.findall("failure"), *test.findall("error")):
                message = (fault.get("message") or fault.get("type") or "").split("\n")[0]
                print(f"failed: {test.get('classname')}.{test.get('name')}: {message}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])

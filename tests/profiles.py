"""Settings that users run Spark with. Answers are the same under each.

``make test`` runs under the profile :data:`USUAL`; ``python tests/profiles.py`` runs the tests that are marked ``settings`` under each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List

from jvm_environment import COMPILED

#: What the session of the tests has under every profile that says no other.
SESSION: Dict[str, str] = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.log.level": "ERROR",
}

PROFILES: Dict[str, Dict[str, str]] = {
    # The others interpret queries, but where a test asks for compiled ones.
    "plain": COMPILED,
    # Found the most: it can't write the classes that only Java's own serialization knows.
    "kryo": {"spark.serializer": "org.apache.spark.serializer.KryoSerializer", "spark.sql.session.timeZone": "America/St_Johns"},
    # Settings that have nothing to do with each other share a profile.
    "lenient": {"spark.sql.files.ignoreCorruptFiles": "true", "spark.sql.files.ignoreMissingFiles": "true",
                "spark.sql.ansi.enabled": "false", "spark.sql.caseSensitive": "true",
                "spark.sql.shuffle.partitions": "1", "spark.sql.adaptive.enabled": "false"},
    "many-partitions": {"spark.sql.shuffle.partitions": "2000", "spark.speculation": "true", "spark.speculation.interval": "10ms",
                        "spark.speculation.multiplier": "1"},
    "tiny-splits": {"spark.sql.files.maxPartitionBytes": "512b", "spark.sql.files.openCostInBytes": "1b"},
    "executors": {"spark.master": "local-cluster[2,1,1024]", "spark.jellybridge.stagingDir": Path(tempfile.gettempdir()).as_uri()},
}
USUAL = "kryo"
SPREAD = ["--numprocesses", "2", "--dist", "loadfile"]


def main(names: List[str]) -> int:
    """Runs the marked tests under each profile but the usual one, which ``make test`` has run; or under those that are named."""
    failed = []
    reports = os.environ.get("JELLYBRIDGE_REPORTS")
    for name in names or [name for name in PROFILES if name != USUAL]:
        print(f"== settings: {name}", flush=True)
        report = [f"--junitxml={reports}/{name}.xml"] if reports else []
        command = [sys.executable, "-m", "pytest", "-m", "settings", "--profile", name, *SPREAD, *report]
        if subprocess.run(command, cwd=Path(__file__).resolve().parent.parent, check=False).returncode:
            failed.append(name)
    print(f"settings: failed under {', '.join(failed)}" if failed else "settings: all passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

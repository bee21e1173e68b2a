"""An archive of the classes that the JVM loads at its start: with it, Java starts in less time (class data sharing, JEP 350).

The command line has one made in the background once it is done with a command; every later start of the JVM in a process
without Spark takes it. It lies in the user's cache, for one combination of Java, JPype and jars: another makes its own. A JVM
that can't take an archive starts without.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import List, Optional

from ._errors import JellybridgeError
from ._jars import class_path, jvm_library

_VARIABLE = "JELLYBRIDGE_CACHE"
_STALE = 600  # seconds after which whoever began an archive has given up
_KEPT = 4  # archives in a cache: each version of a jar has one of its own


#: What the archive is called that the JVM of this process was started without, though one is wanted.
_missing: Optional[Path] = None


def arguments() -> List[str]:
    """The JVM's arguments by which it takes the archive; none where there is none."""
    global _missing
    wanted = _wanted()
    archive = None if wanted is None else _made(wanted)
    if archive is None:
        _missing = wanted
        return []
    # What the JVM says of an archive that it can't take helps nobody: all goes on without.
    return [f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]


def make_in_background() -> None:
    """Starts a process that makes the archive, where the JVM was started without: one such process at a time."""
    if _missing is None or _made(_missing) is not None or not _is_mine_to_make(_missing):
        return
    with contextlib.suppress(OSError):
        subprocess.Popen([sys.executable, "-m", __name__, str(_missing)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, cwd=_missing.parent, start_new_session=True)


def _made(wanted: Path) -> Optional[Path]:
    """The archive, if there is a whole one: its name says its size, for a JVM ends on one that was cut off."""
    with contextlib.suppress(OSError):
        for archive in wanted.parent.glob(f"{wanted.name}-*.jsa"):
            if archive.stem == f"{wanted.name}-{archive.stat().st_size}":
                return archive
    return None


def _wanted() -> Optional[Path]:
    """What the archive of this Java, JPype and these jars is called, before its size; ``None`` where none is wanted."""
    folder = os.environ.get(_VARIABLE)
    if folder == "off" or sys.platform == "win32":
        return None
    try:
        import jpype

        support = Path(jpype.__file__).parent.parent / "org.jpype.jar"
        key = hashlib.sha256()
        for file in (jvm_library(), *class_path(), str(support)):
            status = os.stat(file)
            key.update(f"{os.path.realpath(file)} {status.st_size} {status.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        cache = Path(folder) if folder else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jellybridge"
        return cache.absolute() / f"classes-{key.hexdigest()[:20]}"
    except (ImportError, OSError, RuntimeError, ValueError, JellybridgeError):  # no Java, no jar, no home
        return None


def _is_mine_to_make(wanted: Path) -> bool:
    """Whether this process is the one that begins; of several at once one is."""
    mark = _mark(wanted)
    try:
        wanted.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if mark.exists() and time.time() - mark.stat().st_mtime > _STALE:
            mark.unlink()
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        return True
    except OSError:
        return False


def _mark(wanted: Path) -> Path:
    """The file that is there while the archive is in the making."""
    return wanted.with_suffix(".making")


def _make(wanted: Path) -> None:
    """Runs what most starts have in common in a JVM that writes down its classes when it ends."""
    from . import _doors

    os.nice(10)
    unfinished = wanted.with_suffix(f".{os.getpid()}")
    _doors.jvm_arguments[:] = [f"-XX:ArchiveClassesAtExit={unfinished}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    try:
        with tempfile.TemporaryDirectory() as folder:
            _use(Path(folder))
        import jpype

        jpype.shutdownJVM()
        with open(unfinished, "rb") as written:
            os.fsync(written.fileno())
            size = os.fstat(written.fileno()).st_size
        os.replace(unfinished, f"{wanted}-{size}.jsa")
        by_age = sorted(wanted.parent.glob("classes-*.jsa"), key=lambda archive: archive.stat().st_mtime)
        for old in by_age[:-_KEPT]:
            old.unlink(missing_ok=True)
    finally:
        unfinished.unlink(missing_ok=True)
        _mark(wanted).unlink(missing_ok=True)


def _use(folder: Path) -> None:
    import jellybridge

    row = {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": '"o"@en'}
    for name in ("log.jellyp", "log.rdfp"):
        jellybridge.write_patch(folder / name, [row])
        list(jellybridge.read_patch(folder / name))
        with jellybridge.Dataset.open("mem:") as dataset:
            dataset.apply(folder / name)
    jellybridge.convert(folder / "log.jellyp", folder / "text.rdfp")
    with jellybridge.Dataset.open(f"tdb2:{folder / 'store'}") as dataset:
        dataset.apply(folder / "log.jellyp")
        dataset.dump(folder / "store.nq")


if __name__ == "__main__":
    _make(Path(sys.argv[1]))

"""Makes and uses an archive of the JVM's startup classes, so that Java starts faster (class data sharing, JEP 350).

After a command, the command line starts a background process that makes the archive. Every later JVM uses it, if its process
has no Spark. The archive is in the user's cache. It fits one combination of Java, JPype and jars; another combination makes its
own. A JVM that can't use an archive starts without it.

The JVM can make such archives itself (``-XX:+AutoCreateSharedArchive``), but from Java 19 on, and we support 17.
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
from ._jars import class_path, jvm_library, start_jar

_VARIABLE = "JELLYBRIDGE_CACHE"
_STALE = 600  # seconds after which an unfinished archive counts as abandoned
_KEPT = 4  # archives to keep in a cache; each version of a jar has its own


#: The path of the archive that this process's JVM should have used but that was not there.
_missing: Optional[Path] = None


def arguments() -> List[str]:
    """Returns the JVM arguments that select the archive. Empty if there is no archive."""
    global _missing
    wanted = _wanted()
    archive = None if wanted is None else _made(wanted)
    if archive is None:
        _missing = wanted
        return []
    # JVM warnings about an unusable archive are switched off, since the JVM works without it.
    return [f"-XX:SharedArchiveFile={archive}", "-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"]


def make_in_background() -> None:
    """Starts a process that makes the archive, if this process's JVM started without one. Only one such process runs at a time.
    """
    if _missing is None or _made(_missing) is not None or not _is_mine_to_make(_missing):
        return
    with contextlib.suppress(OSError):
        subprocess.Popen([sys.executable, "-m", __name__, str(_missing)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, cwd=_missing.parent, start_new_session=True)


def _made(wanted: Path) -> Optional[Path]:
    """Returns the archive if it is complete. Its name contains its size, since the JVM crashes on a truncated archive."""
    with contextlib.suppress(OSError):
        for archive in wanted.parent.glob(f"{wanted.name}-*.jsa"):
            if archive.stem == f"{wanted.name}-{archive.stat().st_size}":
                return archive
    return None


def _wanted() -> Optional[Path]:
    """Returns the archive's path without the size, for this Java, JPype and jars. ``None`` if no archive is wanted."""
    folder = os.environ.get(_VARIABLE)
    if folder == "off" or sys.platform == "win32":
        return None
    try:
        import jpype

        support = Path(jpype.__file__).parent.parent / "org.jpype.jar"
        key = hashlib.sha256()
        for file in (jvm_library(), start_jar(), *class_path(), str(support)):
            status = os.stat(file)
            key.update(f"{os.path.realpath(file)} {status.st_size} {status.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
        cache = Path(folder) if folder else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "jellybridge"
        return cache.absolute() / f"classes-{key.hexdigest()[:20]}"
    except (ImportError, OSError, RuntimeError, ValueError, JellybridgeError):  # no Java, no jar, no home
        return None


def _is_mine_to_make(wanted: Path) -> bool:
    """Returns whether this process shall make the archive. Of several processes at once, one gets True."""
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
    """Returns the marker file that exists while a process makes the archive."""
    return wanted.with_suffix(".making")


def _make(wanted: Path) -> None:
    """Makes the archive. Runs typical commands in a JVM that archives its loaded classes when it ends.

    If that fails, the marker stays, so that the next attempt comes later.
    """
    import jpype

    from . import _doors

    os.nice(10)
    for abandoned in wanted.parent.glob(f"{wanted.name}.[0-9]*"):
        abandoned.unlink()
    unfinished = wanted.with_suffix(f".{os.getpid()}")
    os.environ[_VARIABLE] = "off"  # a JVM that uses an archive, which another process may have made meanwhile, makes none
    _doors.jvm_arguments[:] = [f"-XX:ArchiveClassesAtExit={unfinished}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    try:
        try:
            with tempfile.TemporaryDirectory() as folder:
                _use(Path(folder))
        finally:
            if jpype.isJVMStarted():
                jpype.shutdownJVM()  # it writes now, also what is not wanted any more
        with open(unfinished, "rb") as written:
            os.fsync(written.fileno())
            size = os.fstat(written.fileno()).st_size
        os.replace(unfinished, f"{wanted}-{size}.jsa")
        by_age = sorted(wanted.parent.glob("classes-*.jsa"), key=lambda archive: archive.stat().st_mtime)
        for old in by_age[:-_KEPT]:
            old.unlink(missing_ok=True)
        _mark(wanted).unlink(missing_ok=True)
    finally:
        unfinished.unlink(missing_ok=True)


def _use(folder: Path) -> None:
    import jellybridge

    row = {"op": "A", "subject": "<urn:s>", "predicate": "<urn:p>", "object": '"o"@en'}
    for name in ("log.jellyp", "log.rdfp"):
        jellybridge.write_patch(folder / name, [row])
        list(jellybridge.read_patch(folder / name))
        with jellybridge.Dataset.open("mem:") as dataset:
            dataset.apply(folder / name)
    jellybridge.convert(folder / "log.jellyp", folder / "text.rdfp")
    (folder / "text.ttl").write_text('@prefix e: <urn:> . e:s e:p "o" , [ e:p ( 1 ) ] .')
    with jellybridge.Dataset.open(f"tdb2:{folder / 'store'}") as dataset:
        dataset.apply(folder / "log.jellyp")
        dataset.dump(folder / "store.nq")
        with jellybridge.PatchLog.create(folder / "log", state=folder / "store.nq") as log:
            log.append(folder / "log.rdfp", message="m")
            for difference in (log.show(2), jellybridge.diff(folder / "store.nq", folder / "text.ttl")):
                difference.to_text(color=True)
                difference.write(folder / "difference.rdfp")
            list(log.entries(details=True))
            list(log.history(subject="urn:s"))
            log.state(folder / "state.ttl")
        for place, source in (("behind", "log"), ("copy", "text.rdfp")):
            with jellybridge.Dataset.open(f"tdb2:{folder / place}") as follower:
                follower.sync(folder / source, progress=False)
                follower.publish(folder / "text.ttl", progress=False)
                follower.select("SELECT * { ?s ?p ?o }")
        jellybridge.changes.squash(folder / "log.rdfp", folder / "log.jellyp")


if __name__ == "__main__":
    _make(Path(sys.argv[1]))

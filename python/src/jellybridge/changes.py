"""Algebra of patches: what undoes them, joins them, takes them apart, and merges two of them.

Each function takes files of patches, and works without Spark. It gives a :class:`Patch`, or a :class:`Merge` of two. A patch is
here what it does: the last operation on each quad and each prefix. Operations of aborted transactions do not count. Blank
nodes are the same if their labels are. On Spark, :func:`jellybridge.net_effect` joins patches.

>>> from jellybridge import changes
>>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"1"')])
>>> _ = write_patch("two.jellyp", [ChangeRow(op="D", subject="<urn:s>", predicate="<urn:p>", object='"1"'),
...                                ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"2"')])
>>> [(row.op, row.object) for row in changes.squash("one.jellyp", "two.jellyp") if row.object]
[('D', '"1"'), ('A', '"2"')]
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from itertools import chain
from typing import TYPE_CHECKING, Any, Mapping, NamedTuple, Optional, Sequence

from ._arguments import check, java_list
from ._doors import find_door
from ._files import PATCH, Patch
from ._places import Source
from ._terms import as_term

if TYPE_CHECKING:
    from ._difference import Difference

__all__ = ["Merge", "Patch", "effective", "filter", "invert", "merge", "rebase", "show", "split", "squash"]

_BRIDGE = "io.jellybridge.CheckpointBridge"
_CONFLICTS = "conflicts.jellyp"
_SIDES = ("ours", "theirs")


class Merge(NamedTuple):
    """The result of :func:`merge` and :func:`rebase`."""

    #: The merged patch.
    patch: Patch
    #: The changes in conflict: those of the first side as patch 0, those of the second as patch 1.
    conflicts: Patch


def squash(*patches: Any) -> Patch:
    """Joins patches to one that does the same.

    It has the header ``id`` of the last patch and ``prev`` of the first, so it can stand for all of them in a chain. It has one
    transaction.

    Args:
        patches: files of patches as :func:`jellybridge.read_patch` takes them, results of this module, or
            differences.
    """
    return _computed("squash", patches)


def effective(patch: Any, base: Any) -> Patch:
    """Returns what of a patch changes a state: additions of what is not there, and deletions of what is.

    Args:
        patch: patches as :func:`squash` takes them.
        base: the state before the patch: a file of statements, or a :class:`jellybridge.Dataset`.
    """
    return _computed("effective", [patch], base=base)


def invert(patch: Any, base: Any = None) -> Patch:
    """Returns the patch that undoes a patch: it deletes what was added, and adds what was deleted.

    Args:
        patch: patches as :func:`squash` takes them.
        base: the state before the patch, as for :func:`effective`. ``None`` if all of the patch has an effect and it changes
            each statement and each prefix once, as a difference does.

    Raises:
        JellybridgeError: there is no ``base``, and the patch changes something more than once.
    """
    return _computed("invert", [patch], base=base)


def filter(
    patch: Any,
    *,
    graph: Optional[Sequence[Optional[str]]] = None,
    subject: Optional[Sequence[str]] = None,
    predicate: Optional[Sequence[str]] = None,
    rdf_class: Optional[Sequence[str]] = None,
    base: Any = None,
) -> Patch:
    """Selects statements of patches. The result has the same transactions and prefixes, and no ids, since it does other things.

    Args:
        patch: patches as :func:`squash` takes them.
        graph: graphs; ``None`` among them is the default graph.
        subject: subjects.
        predicate: predicates.
        rdf_class: classes of the subjects, by statements of the patches and of ``base``.
        base: a state that says classes too, as for :func:`effective`.
    """
    wanted = {"graph": graph, "subject": subject, "predicate": predicate, "rdf_class": rdf_class}
    terms = {name: ["" if term is None and name == "graph" else as_term(name, term) for term in _listed(values)]
             for name, values in wanted.items()}
    return _filtered(patch, terms, base)


def split(patch: Any, *, rows: Optional[int] = None) -> Patch:
    """Splits a patch into several, which do the same one after the other.

    Args:
        patch: patches as :func:`squash` takes them.
        rows: the number of rows of a patch, about: changes of a subject stay together. ``None`` = a patch for each graph.

    Returns:
        A :class:`Patch` of several patches.
    """
    check("a whole number of 64 bits", rows=1 if rows is None else rows)
    if rows is not None and rows < 1:
        raise ValueError(f"rows={rows}: must be at least 1")
    made = _Computation()
    with made.door.errors():
        made.bridge.split(made.files([patch]), rows or 0, made.file(PATCH))
    return made.patch()


def merge(base: Any, ours: Any, theirs: Any, *, prefer: Optional[str] = None, single: Sequence[str] = ()) -> Merge:
    """Merges two patches that begin with the same state.

    The two are in conflict about the values of a predicate of a subject in a graph if both delete the same value, and do not add
    the same ones in its place. They are in conflict about a subject in a graph if one deletes all that was said of it, and the
    other adds something. Of a conflict nothing is in the merged patch, unless you prefer a side.

    Args:
        base: the state before both patches, as for :func:`effective`.
        ours: patches as :func:`squash` takes them.
        theirs: likewise.
        prefer: the side whose changes count in a conflict: ``ours`` or ``theirs``.
        single: predicates that have a single value: two different additions are in conflict.
    """
    if prefer not in (None, *_SIDES):
        raise ValueError(f"prefer={prefer!r}: must be ours or theirs")
    return _merged("merge", base, ours, theirs, prefer, single)


def rebase(base: Any, onto: Any, patch: Any, *, single: Sequence[str] = ()) -> Merge:
    """Returns a patch as it applies behind another one that begins with the same state.

    It leaves out what the other one does already, and what is in conflict with it, see :func:`merge`.

    Args:
        base: the state before both patches, as for :func:`effective`.
        onto: patches that were applied.
        patch: the patches to move behind them.
        single: as for :func:`merge`.
    """
    return _merged("rebase", base, onto, patch, None, single)


def show(patch: Any, *, prefixes: Optional[Mapping[str, str]] = None) -> Difference:
    """Groups what patches do by subject, for people. ``print`` shows it, and a notebook in colors.

    >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"1"')])
    >>> print(changes.show("one.jellyp"))
    --- before
    +++ after one.jellyp
    <BLANKLINE>
    + <urn:s>
    +     <urn:p>  "1"
    <BLANKLINE>
    1 statement added, 0 deleted. Subjects: 1 new, 0 deleted, 0 changed.

    Args:
        patch: files of patches, or results of this module.
        prefixes: namespaces by their prefixes, which come before those of the patches.
    """
    from ._difference import Difference

    made = _computed("squash", [patch])
    with find_door().errors():
        door = find_door()
        given = java_list(door, chain.from_iterable((prefixes or {}).items()))
        java = door.java_class(_BRIDGE).show(java_list(door, [made._patch(), made._patch()]), given)
    name = os.path.basename(patch) if isinstance(patch, (str, os.PathLike)) else "the patch"
    return Difference(find_door(), java, "before", f"after {name}", made._folder)


class _Computation:
    """A call of Java that makes files of patches in a temporary folder."""

    def __init__(self) -> None:
        self.door = find_door()
        self.bridge = self.door.java_class(_BRIDGE)
        self._folder = tempfile.TemporaryDirectory(prefix="jellybridge-")
        self._stack = contextlib.ExitStack()

    def file(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def files(self, patches: Sequence[Any]) -> Any:
        """Returns the paths and names of patches for Java."""
        places = [Source(each._patch() if isinstance(each, Patch) else each, patches=True, again=True) for each in patches]
        return java_list(self.door, chain.from_iterable(self._stack.enter_context(each).place for each in places))

    def snapshot(self, base: Any) -> Any:
        from ._convert import Job
        from ._difference import snapshot

        return None if base is None else snapshot(self._stack, Job(), base, None).java

    def patch(self, name: str = PATCH) -> Patch:
        self._stack.close()
        return Patch(self._folder, name)


def _computed(how: str, patches: Sequence[Any], *, base: Any = None) -> Patch:
    made = _Computation()
    with made.door.errors():
        none = made.files([])
        made.bridge.compute(how, made.files(patches), none, made.snapshot(base), None, none, made.file(PATCH), None)
    return made.patch()


def _filtered(patch: Any, terms: Mapping[str, Sequence[str]], base: Any) -> Patch:
    made = _Computation()
    with made.door.errors():
        lists = [java_list(made.door, terms[name]) for name in ("graph", "subject", "predicate", "rdf_class")]
        made.bridge.filter(made.files([patch]), *lists, made.snapshot(base), made.file(PATCH))
    return made.patch()


def _merged(how: str, base: Any, ours: Any, theirs: Any, prefer: Optional[str], single: Sequence[str]) -> Merge:
    made = _Computation()
    with made.door.errors():
        predicates = java_list(made.door, [as_term("single", each) for each in _listed(single)])
        made.bridge.compute(how, made.files([ours]), made.files([theirs]), made.snapshot(base), prefer, predicates, made.file(PATCH),
                            made.file(_CONFLICTS))
    return Merge(made.patch(), made.patch(_CONFLICTS))


def _listed(values: Any) -> Sequence[Any]:
    """Returns the values; one text is one value."""
    return () if values is None else [values] if isinstance(values, str) else list(values)

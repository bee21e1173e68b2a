"""Algebra of patches: what undoes them, joins them, takes them apart, and merges two of them.

Each function takes files of patches, and works without Spark. It gives a :class:`Patch`, or a :class:`Merge` of two. Each also
takes DataFrames of change rows, and then gives such DataFrames. A patch is here what it does: the last operation on each quad
and each prefix. Operations of aborted transactions do not count. Blank nodes are the same if their labels are.

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
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence

from ._arguments import check, java_list, java_pairs
from ._changes import (
    _IS_DATA, _QUAD, _TRIPLE, _committed, _faults, _is_frame, _numbered, _quads, _rows, columns_of, net_effect, net_operations,
)
from ._convert import convert, format_of, in_thread
from ._doors import Door, find_door
from ._errors import JellybridgeError, TextFormatError
from ._files import PATCH, Patch
from ._locations import FileLocation, Readable, Source, is_graph
from ._publish import DEFAULT_GRAPH
from ._spark import frame_of
from ._terms import as_term
from .functions import rdf_canonical

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ._difference import Difference

__all__ = ["Merge", "Patch", "effective", "filter", "from_cim", "from_ldes", "invert", "merge", "rebase", "show", "split", "squash"]

_BRIDGE = "io.jellybridge.CheckpointBridge"
# What Java advises to do about a relative IRI, and what to do here, where a base is a state.
_NAME_A_BASE = "name a base, by base (--base) or in the document"
_WRITE_A_BASE = 'name a base in the document, or make N-Quads of it first by jellybridge.convert(FILE, "x.nq", base=IRI)'
# What Java advises to do about an empty file, and what to do here.
_ALLOW_IT = "allow it by --allow-empty"
_GIVE_A_PATCH = "give a patch that deletes them"
_CONFLICTS = "conflicts.jellyp"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_SIDES = ("ours", "theirs")
# The bits of a patch's number in squashed DataFrames. The bits above have the number of the DataFrame, and are positive.
_PATCH_BITS = 56
_MOST_FRAMES = 1 << 63 - _PATCH_BITS
#: The formats of patches.
PATCH_FORMATS = ("jelly-patch", "rdf-patch", "thrift")


class Merge(NamedTuple):
    """The result of :func:`merge` and :func:`rebase`."""

    #: The merged patch, or a DataFrame of its change rows.
    patch: Any
    #: The changes in conflict, likewise: those of the first side as patch 0, those of the second as patch 1.
    conflicts: Any


def squash(*patches: Any) -> Any:
    """Joins patches to one that does the same.

    It has the header ``id`` of the last patch and ``prev`` of the first, so it can stand for all of them in a chain. It has one
    transaction. For DataFrames it is :func:`jellybridge.net_effect`, with the rows of each DataFrame behind those before it.

    Args:
        patches: files of patches as :func:`jellybridge.read_patch` takes them, results of this module, differences, or
            DataFrames of change rows.

    Returns:
        A :class:`Patch`, or a DataFrame of change rows if a DataFrame is given.

    Raises:
        ValueError: there are more than 128 DataFrames.
        JellybridgeError: the header ``prev`` of a patch is not the ``id`` of the one before it, in files.
        SparkRuntimeException: when the query runs, the number of a patch in a DataFrame is not from 0 to 2^56 - 1, or the headers of the
            patches are no chain.
    """
    if not _are_frames("squash", *patches):
        return _computed("squash", patches)
    from pyspark.sql import functions as F

    if len(patches) > _MOST_FRAMES:
        raise ValueError(f"squash takes up to {_MOST_FRAMES} DataFrames, and not {len(patches)}: squash some of them first")
    most, patch = (1 << _PATCH_BITS) - 1, F.col("patch")
    refused = F.raise_error(F.format_string(f"patch %s is out of range: squash takes the numbers from 0 to {most}", patch)).cast("bigint")
    # Patches count from 0 in each DataFrame.
    moved = [_rows(each, "the net effect").withColumn("patch", F.when(~patch.between(0, most), refused).otherwise(patch + F.lit(first)))
             for first, each in zip(range(0, 1 << 63, 1 << _PATCH_BITS), patches)]
    return net_effect(_union(*moved))


def effective(patch: Any, base: Any, *, prefixes: Optional[Mapping[str, str]] = None) -> Any:
    """Returns what of a patch changes a state: additions of what is not there, and deletions of what is.

    Args:
        patch: patches as :func:`squash` takes them.
        base: the state before the patch: a file of statements, a :class:`jellybridge.Dataset`, or a DataFrame of quads.
        prefixes: the prefixes of a DataFrame of quads, with their namespaces. Files and datasets have their own. If they are not
            known, as in N-Quads and on a server, all changes of prefixes have an effect.

    Returns:
        A patch as that of :func:`squash`.
    """
    if not _are_frames("effective", patch, base):
        return _computed("effective", [patch], base=base)
    return _one_patch(_compared(base, patch).where("ours is not null").selectExpr("ours AS op", *_QUAD),
                      _prefix_rows(_changed_prefixes(patch, prefixes)))


def invert(patch: Any, base: Any = None, *, prefixes: Optional[Mapping[str, str]] = None) -> Any:
    """Returns the patch that undoes a patch: it deletes what was added, and adds what was deleted.

    Args:
        patch: patches as :func:`squash` takes them.
        base: the state before the patch, as for :func:`effective`. ``None`` if all of the patch has an effect and it changes
            each statement and each prefix once, as a difference does.
        prefixes: as for :func:`effective`.

    Returns:
        A patch as that of :func:`squash`.

    Raises:
        ValueError: there is no ``base``, and the patch changes something more than once. On Spark the query raises it.
    """
    if not _are_frames("invert", patch, base):
        return _computed("invert", [patch], base=base)
    from pyspark.sql import functions as F

    if base is not None:
        statements = _compared(base, patch).where("ours is not null").selectExpr("ours AS op", *_QUAD)
        names = _changed_prefixes(patch, prefixes)
    else:
        twice = F.raise_error(F.lit("the patch changes a statement or a prefix more than once: give the state before it by base"))
        given = _rows(patch, "an inverse")
        rows = _committed(given)
        statements = rows.where("op in ('A', 'D')").groupBy(*_QUAD).agg(
            F.when(F.count(F.lit(1)) > 1, twice).otherwise(F.max("op")).alias("op")).unionByName(_faults(given).select("op", *_QUAD))
        namespaces = [F.max(F.when(F.col("op") == op, F.col("value"))) for op in ("PD", "PA")]
        deleted, added = (F.when(F.col("op") == op, F.struct("patch", "row")) for op in ("PD", "PA"))
        again = (F.count(deleted) > 1) | (F.count(added) > 1) | (F.min(added) < F.min(deleted))
        names = rows.where("op in ('PA', 'PD')").groupBy("name").agg(
            F.when(again, twice).alias("fault"), (F.count(deleted) > 0).alias("deletes"),
            namespaces[0].alias("before"), namespaces[1].alias("after"),
        ).where("fault is null").drop("fault")
    flipped = statements.withColumn("op", F.when(F.col("op") == "A", "D").otherwise("A"))
    unknown = F.raise_error(F.lit("the patch deletes a prefix without its namespace: give the state before it by base, and its prefixes"))
    before = F.when(F.col("deletes"), F.coalesce("before", unknown))
    return _one_patch(flipped, _prefix_rows(names.select("name", F.expr("after IS NOT NULL AS deletes"), F.col("after").alias("before"),
                                                         before.alias("after"))))


def filter(
    patch: Any,
    *,
    graph: Optional[Sequence[Optional[str]]] = None,
    subject: Optional[Sequence[str]] = None,
    predicate: Optional[Sequence[str]] = None,
    rdf_class: Optional[Sequence[str]] = None,
    base: Any = None,
) -> Any:
    """Selects statements of patches. The result has the same transactions and prefixes, and no ids, since it does other things.

    Args:
        patch: patches as :func:`squash` takes them.
        graph: graphs; ``"default"`` or ``None`` among them is the default graph.
        subject: subjects.
        predicate: predicates.
        rdf_class: classes of the subjects, by statements of the patches and of ``base``.
        base: a state that says classes too, as for :func:`effective`.

    Returns:
        A :class:`Patch`, or a DataFrame like ``patch``.
    """
    wanted = {"graph": graph, "subject": subject, "predicate": predicate, "rdf_class": rdf_class}
    terms = {name: ["" if name == "graph" and term in (None, DEFAULT_GRAPH) else as_term(name, term) for term in _listed(values)]
             for name, values in wanted.items()}
    if not _are_frames("filter", patch, base):
        return _filtered(patch, terms, base)
    from pyspark.sql import functions as F

    there = columns_of(patch)
    rows = patch.where("op <> 'H' OR name NOT IN ('id', 'prev')") if "name" in there else patch
    condition = ~F.col("op").isin("A", "D")
    selected = F.lit(True)
    for column in ("graph", "subject", "predicate"):
        if terms[column]:
            value = F.lit("") if column == "graph" and column not in there else F.coalesce(column, F.lit(""))
            selected = selected & value.isin(_canonical(terms[column]))
    if terms["rdf_class"]:
        said = patch.where("op in ('A', 'D')").select(*_TRIPLE)
        said = said if base is None else said.unionByName(_quads(base, "base", "filter").select(*_TRIPLE))
        members = said.where((F.col("predicate") == _TYPE) & F.col("object").isin(_canonical(terms["rdf_class"]))).select("subject").distinct()
        rows = rows.join(members.withColumn("is_member", F.lit(True)), "subject", "left")
        selected = selected & F.coalesce("is_member", F.lit(False))
    return rows.where(condition | selected).select(*patch.columns)


def split(patch: Any, *, rows: Optional[int] = None) -> Any:
    """Splits a patch into several, which do the same one after the other.

    Args:
        patch: patches as :func:`squash` takes them.
        rows: the number of rows of a patch, about: changes of a subject stay together. ``None`` = a patch for each graph.

    Returns:
        A :class:`Patch` of several patches, or a DataFrame with their numbers in ``patch``.
    """
    check("a whole number of 64 bits", rows=1 if rows is None else rows)
    check("at least 1", rows=1 if rows is None else rows)
    if not _is_frame(patch):
        made = _Computation()
        files = made.files([patch])
        made.run(lambda: made.bridge.split(files, rows or 0, made.file(PATCH)))
        return made.patch()
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    net = net_operations(patch)
    changes = net.where("op in ('A', 'D')").select("op", *_QUAD)
    order = ("subject", "predicate", "object", "graph")
    if rows is None:
        part = F.dense_rank().over(Window.orderBy("graph")) - 1
    else:
        numbered = changes.withColumn("at", F.row_number().over(Window.orderBy(*order)) - 1)
        changes = numbered.withColumn("at", F.floor(F.min("at").over(Window.partitionBy("subject")) / rows))
        part = F.dense_rank().over(Window.orderBy("at")) - 1
    changes = changes.withColumn("part", part)
    names = net.where("op in ('PA', 'PD')").select("op", "name", "value")
    return _patches(changes.select("part", "op", *_QUAD), names)


def merge(
    base: Any, ours: Any, theirs: Any, *, prefer: Optional[str] = None, single: Sequence[str] = (),
    prefixes: Optional[Mapping[str, str]] = None,
) -> Merge:
    """Merges two patches that begin with the same state.

    The two are in conflict about the values of a predicate of a subject in a graph if both delete the same value, and do not add
    the same ones in its place. They are in conflict about a subject in a graph if one deletes all that was said of it, and the
    other adds something. Of a conflict nothing is in the merged patch, unless you prefer a side.

    Args:
        base: the state before both patches, as for :func:`effective`.
        ours: patches as :func:`squash` takes them, or an edited copy of the base: a file of statements, or a graph of RDFLib.
        theirs: likewise.
        prefer: the side whose changes count in a conflict: ``ours`` or ``theirs``.
        single: predicates that have a single value: two different additions are in conflict.
        prefixes: as for :func:`effective`.

    Returns:
        A :class:`Merge`: the merged patch, and the changes in conflict.

    Raises:
        JellybridgeError: an edited copy has no statement, and the base has some. A patch may delete them.
    """
    if prefer not in (None, *_SIDES):
        raise ValueError(f"prefer={prefer!r}: must be ours or theirs")
    return _merged("merge", base, ours, theirs, prefer, single, prefixes)


def rebase(
    base: Any, onto: Any, patch: Any, *, single: Sequence[str] = (), prefixes: Optional[Mapping[str, str]] = None
) -> Merge:
    """Returns a patch as it applies behind another one that begins with the same state.

    It leaves out what the other one does already, and what is in conflict with it, see :func:`merge`.

    Args:
        base: the state before both patches, as for :func:`effective`.
        onto: patches that were applied, or an edited copy, as for :func:`merge`.
        patch: the patches to move behind them, or an edited copy.
        single: as for :func:`merge`.
        prefixes: as for :func:`effective`.

    Returns:
        A :class:`Merge`: the moved patch, and the changes in conflict.

    Raises:
        JellybridgeError: as for :func:`merge`.
    """
    return _merged("rebase", base, onto, patch, None, single, prefixes)


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

    made = _computed("effective", [patch])
    door = find_door()
    with door.errors():
        given = java_pairs(door, prefixes)
        java = door.java_class(_BRIDGE).show(java_list(door, FileLocation(made._patch(), made._patch())), given)
    name = os.path.basename(patch) if isinstance(patch, (str, os.PathLike)) else "the patch"
    return Difference(door, java, "before", f"after {name}", made._folder)


def from_cim(source: Readable, *, base: Any = None, base_iri: Optional[str] = None) -> Patch:
    """Reads CIM difference models (IEC 61970-552), such as those of CGMES: a patch for each model.

    The reverse differences are deleted and the forward differences added. The model's id, its time and its description become
    the headers ``id``, ``time`` and ``message``. Preconditions are checked if you give the state before the models.

    Args:
        source: a file in RDF/XML with ``dm:DifferenceModel``, also compressed by gzip.
        base: the state before the models: a file of statements or an open dataset. ``None`` = preconditions are not checked.
        base_iri: the base of relative IRIs such as ``#_1``, if the file has no ``xml:base``: the base of your full model.

    Raises:
        JellybridgeError: the file has no difference model, a relative IRI without a base, or preconditions that don't hold.
    """
    from ._foreign_changes import of_cim

    def missing(lines: List[str]) -> Iterator[str]:
        if lines:
            rows = effective(_written(["TX .", *(f"A {line}" for line in lines), "TC ."]), state)
            yield from (f"{row.subject} {row.predicate} {row.object} ." for row in rows if row.op == "A")

    with contextlib.ExitStack() as stack:
        state = _opened(stack, base)
        return _written(of_cim(source, base_iri, None if base is None else missing))


def from_ldes(
    *sources: Readable, base: Optional[Readable] = None, base_iri: Optional[str] = None, max_pages: Optional[int] = None
) -> Patch:
    """Reads members of Linked Data Event Streams: a patch for each member, in the order of their times.

    A member is a version of a thing, by ``ldes:versionOfPath`` or ``dct:isVersionOf``, or an activity of ActivityStreams with the
    version as its ``as:object``. Its statements are those in the graph of its name if there is one, else those about it. In the
    patch they are about the thing. The statements of the version before are deleted, and so is a thing whose member has the
    type ``as:Delete`` or the stream's ``ldes:versionDeleteObject``. The path of the version and that of its time stay out. If no
    member has a time, the order is that of the pages.

    Args:
        sources: pages of the stream, as files of statements or URLs.
        base: the state before the pages, as a file of statements. Without it, a thing's first version only adds.
        base_iri: the base of relative IRIs of these pages. Others have their own.
        max_pages: follow ``tree:relation`` to other pages, each once, up to so many pages in all. A file leads to files in its
            folder and to URLs, a URL to URLs. ``None`` = links are not followed.

    Raises:
        JellybridgeError: no page has a member, no page describes one of them, some have a time and others none, there are more
            pages, or a link leads elsewhere.
        ValueError: ``max_pages`` is not a whole number of at least 1.
    """
    from ._foreign_changes import of_ldes

    if max_pages is not None:
        check("a whole number of 64 bits", max_pages=max_pages)
        check("at least 1", max_pages=max_pages)
    return _written(of_ldes(sources, base, base_iri, max_pages))


def _written(lines: Iterable[str]) -> Patch:
    """Returns the patches of lines of RDF Patch."""
    folder = tempfile.TemporaryDirectory(prefix="jellybridge-")
    text = os.path.join(folder.name, "patch.rdfp")
    with open(text, "w", encoding="utf-8", newline="\n") as file:
        with _advising("name a base by base_iri (--base-iri) or in the document"):
            file.writelines(f"{line}\n" for line in lines)
    convert(text, os.path.join(folder.name, PATCH))
    return Patch(folder)


class _Computation:
    """A call of Java that makes files of patches in a temporary folder."""

    def __init__(self, base: Any = None) -> None:
        # An open dataset lives in the JVM in which it was opened.
        self.door: Door = getattr(base, "_door", None) or find_door()
        self.bridge = self.door.java_class(_BRIDGE)
        self._folder = tempfile.TemporaryDirectory(prefix="jellybridge-")
        self._stack = contextlib.ExitStack()

    def file(self, name: str) -> str:
        return os.path.join(self._folder.name, name)

    def files(self, patches: Sequence[Any]) -> Any:
        """Returns the paths and names of patches for Java."""
        places = [Source(each, patches=True, again=True) for each in patches]
        return java_list(self.door, chain.from_iterable(self._stack.enter_context(each).place for each in places))

    def snapshot(self, base: Any) -> Any:
        from ._convert import Job
        from ._difference import snapshot

        return None if base is None else snapshot(self._stack, Job(self.door), base, None).java

    def run(self, call: Callable[[], Any]) -> None:
        """Calls Java in another thread, so that an interrupt does not wait for its end."""
        with _advising(_WRITE_A_BASE), self.door.errors():
            in_thread(call, lambda: None, lambda: None, 0)

    def patch(self, name: str = PATCH) -> Patch:
        self._stack.close()
        return Patch(self._folder, name)


def _computed(how: str, patches: Sequence[Any], *, base: Any = None) -> Patch:
    made = _Computation(base)
    files, snapshot = made.files(patches), made.snapshot(base)
    made.run(lambda: made.bridge.compute(how, files, snapshot, made.file(PATCH)))
    return made.patch()


def _filtered(patch: Any, terms: Mapping[str, Sequence[str]], base: Any) -> Patch:
    made = _Computation(base)
    lists = [java_list(made.door, terms[name]) for name in ("graph", "subject", "predicate", "rdf_class")]
    files, snapshot = made.files([patch]), made.snapshot(base)
    made.run(lambda: made.bridge.filter(files, *lists, snapshot, made.file(PATCH)))
    return made.patch()


def _merged(
    how: str, base: Any, ours: Any, theirs: Any, prefer: Optional[str], single: Sequence[str], prefixes: Optional[Mapping[str, str]]
) -> Merge:
    predicates = [as_term("single", each) for each in _listed(single)]
    if not _are_frames(how, base, ours, theirs):
        made = _Computation(base)
        base = _opened(made._stack, base)
        ours, theirs = (_side(base, each) for each in (ours, theirs))
        sides, snapshot, singles = [made.files([ours]), made.files([theirs])], made.snapshot(base), java_list(made.door, predicates)
        made.run(lambda: made.bridge.merge(
            *sides, snapshot, prefer, singles, how == "rebase", made.file(PATCH), made.file(_CONFLICTS)))
        return Merge(made.patch(), made.patch(_CONFLICTS))
    return _merged_rows(how == "rebase", base, ours, theirs, prefer, predicates, prefixes)


def _opened(stack: contextlib.ExitStack, base: Any) -> Any:
    """Returns a state that can be read several times: a file, if it is no dataset and no graph. The stack closes what it needs."""
    is_open = base is None or hasattr(base, "_store") or is_graph(base)
    return base if is_open else stack.enter_context(Source(base, again=True)).place


def _side(base: Any, side: Any) -> Any:
    """Returns a side of a merge as a patch. An edited copy of the base is compared with it."""
    from ._difference import compare

    is_edited = is_graph(side)
    if isinstance(side, (str, os.PathLike)):
        with contextlib.suppress(JellybridgeError):
            is_edited = format_of(os.fspath(side)) not in PATCH_FORMATS
    with _advising(_WRITE_A_BASE):
        return compare(base, side, None, None, None, "copy", allow_empty=False) if is_edited else side


@contextlib.contextmanager
def _advising(name_a_base: str) -> Iterator[None]:
    """Exchanges the advice of errors to name a base IRI by ``base``, which is a state here, and to allow an empty side."""
    def exchanged(text: str) -> str:
        return text.replace(_NAME_A_BASE, name_a_base).replace(_ALLOW_IT, _GIVE_A_PATCH)

    try:
        yield
    except JellybridgeError as e:
        e.args = (exchanged(str(e)),)
        if isinstance(e, TextFormatError):
            e.advice = exchanged(e.advice)
        raise


def _are_frames(call: str, *given: Any) -> bool:
    """Returns whether a call is given DataFrames.

    Raises:
        TypeError: one of them is a DataFrame, and another is not.
    """
    frames = [_is_frame(each) for each in given if each is not None]
    if any(frames) and not all(frames):
        raise TypeError(f"{call} takes DataFrames, or files and datasets, and not one with another")
    return any(frames)


def _listed(values: Any) -> Sequence[Any]:
    """Returns the values; one text is one value."""
    return () if values is None else [values] if isinstance(values, str) else list(values)


# --- on Spark


def _canonical(terms: Sequence[str]) -> List[Column]:
    from pyspark.sql import functions as F

    return [rdf_canonical(F.lit(term)) if term else F.lit(term) for term in terms]


def _merged_rows(
    behind: bool, base: DataFrame, ours: DataFrame, theirs: DataFrame, prefer: Optional[str], single: Sequence[str],
    prefixes: Optional[Mapping[str, str]],
) -> Merge:
    from pyspark.sql import Window
    from pyspark.sql import functions as F

    here, values = Window.partitionBy("subject", "graph"), Window.partitionBy("subject", "graph", "predicate")
    rows = _compared(base, ours, theirs)
    adds = {side: F.coalesce(F.max(F.col(side) == "A").over(here), F.lit(False)) for side in _SIDES}
    emptied = {side: (F.sum("in_base").over(here) > 0) & ~adds[side] & (F.count(side).over(here) == F.sum("in_base").over(here))
               for side in _SIDES}
    both = (F.count("ours").over(values) > 0) & (F.count("theirs").over(values) > 0)
    shared = F.col("ours").isNotNull() & F.col("theirs").isNotNull()
    added = F.coalesce("ours", "theirs") == "A"
    differ = F.coalesce(F.max(added & ~shared).over(values), F.lit(False))
    replaced = F.coalesce(F.max(~added & shared).over(values), F.lit(False))
    disagree = both & differ & (F.col("predicate").isin(_canonical(single)) | replaced)
    found = rows.withColumn(
        "conflict", emptied["ours"] & adds["theirs"] | emptied["theirs"] & adds["ours"] | disagree
    ).where("ours is not null or theirs is not null")
    names = _changed_prefixes(ours, prefixes).selectExpr("name", "struct(deletes, before, after) AS ours").join(
        _changed_prefixes(theirs, prefixes).selectExpr("name", "struct(deletes, before, after) AS theirs"), "name", "full")
    names = names.withColumn("conflict", F.expr("coalesce(NOT (ours.after <=> theirs.after), false) AND ours IS NOT NULL AND theirs IS NOT NULL"))
    # Of two that do the same to a prefix, the one that tells more of the namespace before.
    chosen = F.when(F.col("conflict"), F.col(prefer) if prefer else F.lit(None)).otherwise(F.greatest("ours", "theirs"))
    if behind:
        chosen = F.when(F.col("ours").isNull(), chosen)
    statements = found.withColumn("op", chosen).where("op is not null").select("op", *_QUAD)
    merged = names.withColumn("chosen", chosen).where("chosen is not null").selectExpr("name", "chosen.*")
    parts = [(found.where(f"conflict AND {side} is not null").selectExpr(f"{number} AS part", f"{side} AS op", *_QUAD),
              _prefix_rows(names.where(f"conflict AND {side} is not null").selectExpr("name", f"{side}.*"))
              .selectExpr(f"{number} AS part", "*")) for number, side in enumerate(_SIDES)]
    ends = frame_of(base.sparkSession, [{"part": 0}, {"part": 1}], "part INT")
    conflicts = _patches(_union(*(each[0] for each in parts)), _union(*(each[1] for each in parts)), ends)
    return Merge(_one_patch(statements, _prefix_rows(merged)), conflicts)


def _compared(base: DataFrame, *patches: DataFrame) -> DataFrame:
    """Returns each quad of a state and of patches: ``in_base`` (1 or 0), and the effective operations ``ours`` and ``theirs``."""
    from pyspark.sql import functions as F

    none = F.lit(None).cast("string")
    sides = [_quads(base, "base", "this").select(*_QUAD, F.lit(1).alias("in_base"), none.alias("ours"), none.alias("theirs"))]
    for side, patch in zip(_SIDES, patches):
        said = net_operations(patch).where("op in ('A', 'D')")
        sides.append(said.select(*_QUAD, F.lit(0).alias("in_base"), *((F.col("op") if each == side else none).alias(each) for each in _SIDES)))
    grouped = _union(*sides).where(_IS_DATA).groupBy(*_QUAD).agg(
        F.max("in_base").alias("in_base"), *(F.max(side).alias(side) for side in _SIDES))
    # An operation that changes nothing is none.
    idle = F.when(F.col("in_base") == 1, "A").otherwise("D")
    return grouped.select(*_QUAD, "in_base", *(F.when(F.col(side) != idle, F.col(side)).alias(side) for side in _SIDES))


def _changed_prefixes(patch: DataFrame, prefixes: Optional[Mapping[str, str]]) -> DataFrame:
    """Returns the prefixes that a patch changes: ``name``, ``deletes`` (whether it was there), and the namespaces ``before`` and
    ``after``, null for none. If the prefixes before are ``None``, these are what the patch says.
    """
    from pyspark.sql import functions as F

    said = net_operations(patch).where("op in ('PA', 'PD')").groupBy("name").agg(
        F.max(F.col("op") == "PD").alias("deletes"), *(F.max(F.when(F.col("op") == op, F.col("value"))).alias(side)
                                                       for op, side in (("PD", "before"), ("PA", "after"))))
    if prefixes is None:
        return said
    known = frame_of(
        patch.sparkSession, [{"name": name, "before": as_term("prefixes", iri)} for name, iri in prefixes.items()],
        "name STRING, before STRING")
    known = known.withColumn("before", rdf_canonical("before"))
    return said.select("name", "after").join(known, "name", "left").where("NOT (before <=> after)").selectExpr(
        "name", "before IS NOT NULL AS deletes", "before", "after")


def _prefix_rows(names: DataFrame) -> DataFrame:
    """Returns the rows ``PD`` and ``PA`` for changes of prefixes."""
    return names.selectExpr(
        "name", "explode(array(if(deletes, struct('PD' AS op, before AS value), null),"
                " if(after IS NOT NULL, struct('PA' AS op, after AS value), null))) AS row"
    ).where("row is not null").selectExpr("row.op", "name", "row.value")


def _union(*frames: DataFrame) -> DataFrame:
    first, *rest = frames
    for each in rest:
        first = first.unionByName(each)
    return first


def _one_patch(statements: DataFrame, names: DataFrame) -> DataFrame:
    ends = frame_of(statements.sparkSession, [{"part": 0}], "part INT")
    return _patches(statements.selectExpr("0 AS part", "*"), names, ends)


def _patches(statements: DataFrame, names: DataFrame, parts: Optional[DataFrame] = None) -> DataFrame:
    """Returns patches of one transaction each. ``part`` is their number, 0 for prefixes without one."""
    from pyspark.sql import functions as F

    ranks: Dict[str, int] = {op: rank for rank, op in enumerate(("TX", "PD", "PA", "D", "A", "TC"))}
    if "part" not in names.columns:
        names = names.selectExpr("0 AS part", "*")
    if parts is None:
        first = frame_of(names.sparkSession, [{"part": 0}], "part INT")
        parts = statements.select("part").unionByName(first).distinct()
    ends = parts.selectExpr("part", "explode(array('TX', 'TC')) AS op")
    rows = statements.unionByName(names, allowMissingColumns=True).unionByName(ends, allowMissingColumns=True)
    rank: Column = F.element_at(F.create_map(*chain.from_iterable((F.lit(op), F.lit(at)) for op, at in ranks.items())), F.col("op"))
    number = F.col("part").cast("bigint")
    return _numbered(rows.withColumn("rank", rank), ("part", "rank", "name", "graph", *_TRIPLE), 1,
                     number.alias("patch"), number.alias("tx"), F.col("op"))

"""The SQL functions of jellybridge for DataFrame columns, like those in ``pyspark.sql.functions``.

In SQL they have the same names: ``SELECT inline(from_jelly_patch(value)) FROM messages``. The functions ``try_…`` return null
instead of an error, such as ``try_from_jelly_patch``. Null input gives null.

The functions run in the JVM, and need the jar. In a classic session, :func:`jellybridge.configure_spark` adds it. Under Spark
Connect, add it to the server by ``--jars`` or ``spark.addArtifacts(jellybridge.jar_path())``. There the functions are in a
catalog, as ``jellybridge.from_jelly_patch``. The first call in this module sets the catalog up for the session.

Example::

    from pyspark.sql import functions as F
    from jellybridge.functions import from_jelly_patch, rdf_value

    messages = spark.readStream.format("kafka").options(**kafka).load()
    changes = messages.select("offset", F.inline(from_jelly_patch("value")))
    names = changes.where("predicate = '<http://xmlns.com/foaf/0.1/name>'").select(rdf_value("object"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ._arguments import texts
from ._spark import show_own_errors_of_connect

if TYPE_CHECKING:
    from pyspark.sql import Column

    ColumnOrName = Union[Column, str]

_CATALOG = "jellybridge"
_CATALOG_CLASS = "io.jellybridge.spark.catalog.JellyCatalog"

__all__ = [
    "from_jelly_patch",
    "patch_order",
    "rdf_blank",
    "rdf_blank_nodes",
    "rdf_canonical",
    "rdf_datatype",
    "rdf_direction",
    "rdf_iri",
    "rdf_kind",
    "rdf_lang",
    "rdf_lang_literal",
    "rdf_literal",
    "rdf_local_name",
    "rdf_mend_tags",
    "rdf_namespace",
    "rdf_object",
    "rdf_predicate",
    "rdf_rename_as_before",
    "rdf_structure",
    "rdf_subject",
    "rdf_typed_literal",
    "rdf_value",
    "to_jelly_patch",
    "try_from_jelly_patch",
    "try_rdf_canonical",
    "try_rdf_kind",
    "try_to_jelly_patch",
]


def _call(name: str, *columns: ColumnOrName) -> Column:
    from pyspark.sql import functions as F
    from pyspark.sql.utils import is_remote

    if is_remote():
        from pyspark.sql import SparkSession

        show_own_errors_of_connect()
        session = SparkSession.active()
        session.conf.set(f"spark.sql.catalog.{_CATALOG}", _CATALOG_CLASS)
        called = F.call_function(f"{_CATALOG}.{name}", *columns)
    else:
        called = F.call_function(name, *columns)
    # Without an alias, the column would get the class name of the expression.
    return called.alias(name)


def _call_with_options(name: str, column: ColumnOrName, options: Any) -> Column:
    from pyspark.sql import functions as F

    if not options:
        return _call(name, column)
    pairs = (F.lit(text) for pair in texts(options).items() for text in pair)
    return _call(name, column, F.create_map(*pairs))


def from_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """Decodes a Jelly-Patch stream to change rows: ``array<struct<…>>`` with the columns of :data:`jellybridge.CHANGES_SCHEMA`.

    >>> from pyspark.sql import functions as F
    >>> _ = write_patch("one.jellyp", [ChangeRow(op="A", subject="<urn:s>", predicate="<urn:p>", object='"1"')])
    >>> messages = spark.createDataFrame([(open("one.jellyp", "rb").read(),)], "value BINARY")
    >>> messages.select(F.inline(from_jelly_patch("value"))).select("op", "object").show()
    +---+------+
    | op|object|
    +---+------+
    |  A|   "1"|
    +---+------+

    ``F.inline(from_jelly_patch("value"))`` returns a row for each change. The numbers in ``patch``, ``tx`` and ``row`` start
    from 0 in each value.

    Args:
        column: binary, one complete stream per value, such as a Kafka message.
        options: reading options of the format ``jelly-patch``: ``strict``, ``max_frame_bytes``, ``max_nesting``, ….

    Raises:
        PatchFormatError: when the query runs, a value breaks the format.
    """
    return _call_with_options("from_jelly_patch", column, options)


def try_from_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """Decodes like :func:`from_jelly_patch`, but returns null if a value breaks the format."""
    return _call_with_options("try_from_jelly_patch", column, options)


def to_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """Encodes an array of change rows as a Jelly-Patch stream, binary. The stream has no restart points.

    To make one patch from the rows of a group, sort them by number::

        rows = F.struct("row", "op", "subject", "predicate", "object", "graph")
        df.groupBy("patch").agg(to_jelly_patch(F.array_sort(F.collect_list(rows))))

    Args:
        column: an array of structs with the columns that their ops need.
        options: writing options of the format ``jelly-patch``: ``stream_type``, ``rdf_star``, ``delimited``, ….

    Raises:
        PatchFormatError: when the query runs, the format does not allow a row at its place.
        TextFormatError: when the query runs, a row is invalid or out of order.
    """
    return _call_with_options("to_jelly_patch", column, options)


def try_to_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """Encodes like :func:`to_jelly_patch`, but returns null if the rows are not a valid stream."""
    return _call_with_options("try_to_jelly_patch", column, options)


def rdf_kind(term: ColumnOrName) -> Column:
    """Returns the kind of a term: ``iri``, ``blank``, ``literal`` or ``triple``.

    Raises:
        TextFormatError: when the query runs, a text is not a term. This applies to all functions of terms.
    """
    return _call("rdf_kind", term)


def try_rdf_kind(term: ColumnOrName) -> Column:
    """Returns the kind like :func:`rdf_kind`, but null if the text is not a term."""
    return _call("try_rdf_kind", term)


def rdf_value(term: ColumnOrName) -> Column:
    """Returns the IRI without ``<>``, the label without ``_:``, or the text of a literal, unescaped. Null for a triple term.

    >>> terms = spark.createDataFrame([("<urn:s>",), ('"chat"@fr',)], "term STRING")
    >>> [row[0] for row in terms.select(rdf_value("term")).collect()]
    ['urn:s', 'chat']
    """
    return _call("rdf_value", term)


def rdf_lang(term: ColumnOrName) -> Column:
    """Returns the language tag of a literal, in lower case and without the base direction. Null if it has none."""
    return _call("rdf_lang", term)


def rdf_direction(term: ColumnOrName) -> Column:
    """Returns the base direction of a literal, ``ltr`` or ``rtl``. Null if it has none."""
    return _call("rdf_direction", term)


def rdf_datatype(term: ColumnOrName) -> Column:
    """Returns the datatype IRI of a literal, without ``<>``. It is ``xsd:string`` for plain text. Null for other terms."""
    return _call("rdf_datatype", term)


def rdf_namespace(term: ColumnOrName) -> Column:
    """Returns the IRI up to and including its last ``#`` or ``/``. Null for other terms."""
    return _call("rdf_namespace", term)


def rdf_local_name(term: ColumnOrName) -> Column:
    """Returns the part of an IRI after its last ``#`` or ``/``, or the whole IRI if it has neither. Null for other terms."""
    return _call("rdf_local_name", term)


def rdf_subject(term: ColumnOrName) -> Column:
    """Returns the subject of a triple term, as a term. Null for other terms."""
    return _call("rdf_subject", term)


def rdf_predicate(term: ColumnOrName) -> Column:
    """Returns the predicate of a triple term, as a term. Null for other terms."""
    return _call("rdf_predicate", term)


def rdf_object(term: ColumnOrName) -> Column:
    """Returns the object of a triple term, as a term. Null for other terms."""
    return _call("rdf_object", term)


def rdf_canonical(term: ColumnOrName) -> Column:
    """Returns the term in canonical N-Triples, the form in change rows. Equal terms have equal canonical forms.

    Raises:
        TextFormatError: when the query runs, a text is not a term of RDF 1.2 that writers accept.
    """
    return _call("rdf_canonical", term)


def try_rdf_canonical(term: ColumnOrName) -> Column:
    """Returns the canonical term like :func:`rdf_canonical`, but null if the text is not a term of RDF 1.2.

    Use it to find the terms that writers reject.
    """
    return _call("try_rdf_canonical", term)


def rdf_mend_tags(term: ColumnOrName) -> Column:
    """Returns the canonical term, with ``_`` in language tags replaced by ``-``: ``"a"@en_US`` becomes ``"a"@en-us``."""
    return _call("rdf_mend_tags", term)


def rdf_iri(text: ColumnOrName) -> Column:
    """Creates the term for an IRI, with or without ``<>``.

    >>> spark.createDataFrame([("urn:s",)], "iri STRING").select(rdf_iri("iri")).first()[0]
    '<urn:s>'

    Raises:
        TextFormatError: when the query runs, the IRI is relative, or has a character that is not allowed in IRIs, such as a
            space.
    """
    return _call("rdf_iri", text)


def rdf_blank(label: ColumnOrName) -> Column:
    """Creates the blank node for a label without ``_:``.

    Raises:
        TextFormatError: when the query runs, the label is not valid in N-Triples. Labels can't be escaped.
    """
    return _call("rdf_blank", label)


def rdf_literal(text: ColumnOrName) -> Column:
    """Creates a literal with that text, escaped as needed, without language and datatype."""
    return _call("rdf_literal", text)


def rdf_lang_literal(text: ColumnOrName, tag: ColumnOrName) -> Column:
    """Creates a literal with a language tag, such as ``en-GB``, which becomes lower case."""
    return _call("rdf_lang_literal", text, tag)


def rdf_typed_literal(text: ColumnOrName, datatype: ColumnOrName) -> Column:
    """Creates a literal with a datatype, whose IRI is given with or without ``<>``."""
    return _call("rdf_typed_literal", text, datatype)


def rdf_blank_nodes(term: ColumnOrName) -> Column:
    """Returns the blank nodes of a term, ``array<string>``: a blank node itself, or those in a triple term. Empty for other
    terms.
    """
    return _call("rdf_blank_nodes", term)


def rdf_structure(quads: ColumnOrName) -> Column:
    """Returns a hash of quads with blank nodes. Quads that differ only in blank node labels have the same hash.

    Other quads may have the same hash too: by chance, or if they differ only inside a symmetry that graph colouring can't
    resolve.

    Args:
        quads: an array of structs of ``subject``, ``predicate``, ``object``, ``graph``, without duplicates. Each quad has a
            blank node.
    """
    return _call("rdf_structure", quads)


def rdf_rename_as_before(old: ColumnOrName, new: ColumnOrName, suffix: ColumnOrName) -> Column:
    """Returns the new quads, with blank nodes renamed to their equals in the old quads. Equal nodes have the same statements.

    Args:
        old: quads, as for :func:`rdf_structure`.
        new: quads, likewise.
        suffix: appended to the labels of blank nodes that have no equal in the old quads.
    """
    return _call("rdf_rename_as_before", old, new, suffix)


def patch_order(patches: ColumnOrName) -> Column:
    """Returns the indexes of patches of several files in their order, as an array. See :func:`jellybridge.number_patches`.

    Args:
        patches: an array of structs with ``file``, ``patch``, ``id`` and ``prev``: the file of each patch, its number there, and
            its headers.
    """
    return _call("patch_order", patches)

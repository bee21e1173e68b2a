"""The functions of jellybridge in Spark SQL, for columns, as ``pyspark.sql.functions`` has Spark's own.

In SQL they have the same names: ``SELECT inline(from_jelly_patch(value)) FROM messages``. Each is there as ``try_…`` too
(``try_from_jelly_patch``), which gives null where the function fails; null gives null. They run in the JVM, and need
its jar: :func:`jellybridge.configure_spark` brings it into a classic session. Under Spark Connect it belongs to the server,
by ``--jars`` or by ``spark.addArtifacts(jellybridge.jar_path())``; there the functions of SQL are those of a catalog,
``jellybridge.from_jelly_patch``, which the first call of this module sets up for the session.

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
    # Else the column would be called after the class of the expression.
    return called.alias(name)


def _call_with_options(name: str, column: ColumnOrName, options: Any) -> Column:
    from pyspark.sql import functions as F

    if not options:
        return _call(name, column)
    pairs = (F.lit(text) for pair in texts(options).items() for text in pair)
    return _call(name, column, F.create_map(*pairs))


def from_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """The change rows of a Jelly-Patch stream: ``array<struct<…>>``, the columns of :data:`jellybridge.CHANGES_SCHEMA`.

    ``F.inline(from_jelly_patch("value"))`` makes a row of each change. The numbers in ``patch``, ``tx`` and ``row`` are
    those of the stream, so each value starts from 0.

    Args:
        column: binary, one whole stream a value, as a message of Kafka.
        options: those of reading files of the format ``jelly-patch``: ``strict``, ``max_frame_bytes``,
            ``max_nesting``, ….

    Raises:
        PatchFormatError: when the query runs, a value breaks the format.
    """
    return _call_with_options("from_jelly_patch", column, options)


def try_from_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """As :func:`from_jelly_patch`, but null where a value breaks the format."""
    return _call_with_options("try_from_jelly_patch", column, options)


def to_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """The Jelly-Patch stream of an array of change rows, as binary. Such a stream has no restart points.

    To make one patch of the rows of a group, sort them by their number::

        rows = F.struct("row", "op", "subject", "predicate", "object", "graph")
        df.groupBy("patch").agg(to_jelly_patch(F.array_sort(F.collect_list(rows))))

    Args:
        column: an array of structs, which need only the columns that their ops need.
        options: those of writing files of the format ``jelly-patch``: ``stream_type``, ``rdf_star``,
            ``delimited``, ….

    Raises:
        PatchFormatError: when the query runs, a row is one that the format does not allow there.
        TextFormatError: likewise, a row is none or they are not in order.
    """
    return _call_with_options("to_jelly_patch", column, options)


def try_to_jelly_patch(column: ColumnOrName, **options: Any) -> Column:
    """As :func:`to_jelly_patch`, but null where the rows make no stream."""
    return _call_with_options("try_to_jelly_patch", column, options)


def rdf_kind(term: ColumnOrName) -> Column:
    """What the term is: ``iri``, ``blank``, ``literal`` or ``triple``.

    Raises:
        TextFormatError: when the query runs, a text is no term; so in all functions that take a term.
    """
    return _call("rdf_kind", term)


def try_rdf_kind(term: ColumnOrName) -> Column:
    """As :func:`rdf_kind`, but null where the text is no term."""
    return _call("try_rdf_kind", term)


def rdf_value(term: ColumnOrName) -> Column:
    """The IRI without ``<>``, the label without ``_:``, the literal's text; without escapes. Null for a triple term."""
    return _call("rdf_value", term)


def rdf_lang(term: ColumnOrName) -> Column:
    """The literal's language tag, in lower case and without its base direction; null where there is none."""
    return _call("rdf_lang", term)


def rdf_direction(term: ColumnOrName) -> Column:
    """The base direction of the literal's text, ``ltr`` or ``rtl``; null where there is none."""
    return _call("rdf_direction", term)


def rdf_datatype(term: ColumnOrName) -> Column:
    """The IRI of the literal's datatype, without ``<>``; plain text has ``xsd:string``. Null for what is no literal."""
    return _call("rdf_datatype", term)


def rdf_namespace(term: ColumnOrName) -> Column:
    """The IRI up to its last ``#`` or ``/``, that character included; null for what is no IRI."""
    return _call("rdf_namespace", term)


def rdf_local_name(term: ColumnOrName) -> Column:
    """The IRI after its last ``#`` or ``/``, all of it where it has neither; null for what is no IRI."""
    return _call("rdf_local_name", term)


def rdf_subject(term: ColumnOrName) -> Column:
    """The subject of a triple term, a term; null for other terms."""
    return _call("rdf_subject", term)


def rdf_predicate(term: ColumnOrName) -> Column:
    """The predicate of a triple term, a term; null for other terms."""
    return _call("rdf_predicate", term)


def rdf_object(term: ColumnOrName) -> Column:
    """The object of a triple term, a term; null for other terms."""
    return _call("rdf_object", term)


def rdf_canonical(term: ColumnOrName) -> Column:
    """The same term in canonical N-Triples: the form of the columns of change rows, in which equal terms are equal.

    Raises:
        TextFormatError: when the query runs, a text is no term of RDF 1.2, as the writers take them.
    """
    return _call("rdf_canonical", term)


def try_rdf_canonical(term: ColumnOrName) -> Column:
    """As :func:`rdf_canonical`, but null where the text is no term of RDF 1.2: it finds what no writer takes."""
    return _call("try_rdf_canonical", term)


def rdf_mend_tags(term: ColumnOrName) -> Column:
    """As :func:`rdf_canonical`, with ``-`` for ``_`` in language tags: ``"a"@en_US`` becomes ``"a"@en-us``."""
    return _call("rdf_mend_tags", term)


def rdf_iri(text: ColumnOrName) -> Column:
    """The term of an IRI that is given without ``<>``.

    Raises:
        TextFormatError: when the query runs, the IRI is relative, or has a character that no IRI has, such as a space.
    """
    return _call("rdf_iri", text)


def rdf_blank(label: ColumnOrName) -> Column:
    """The blank node with that label, which is given without ``_:``.

    Raises:
        TextFormatError: when the query runs, N-Triples has no such label; it could not be escaped.
    """
    return _call("rdf_blank", label)


def rdf_literal(text: ColumnOrName) -> Column:
    """The literal with that text, escaped as need be, without language and datatype."""
    return _call("rdf_literal", text)


def rdf_lang_literal(text: ColumnOrName, tag: ColumnOrName) -> Column:
    """The literal with that text in a language, such as ``en-GB``, which becomes lower case."""
    return _call("rdf_lang_literal", text, tag)


def rdf_typed_literal(text: ColumnOrName, datatype: ColumnOrName) -> Column:
    """The literal with that text and datatype, an IRI that is given without ``<>``."""
    return _call("rdf_typed_literal", text, datatype)


def rdf_blank_nodes(term: ColumnOrName) -> Column:
    """The blank nodes of a term, ``array<string>``: itself, or those in a triple term; of another term none."""
    return _call("rdf_blank_nodes", term)


def rdf_structure(quads: ColumnOrName) -> Column:
    """A hash of quads that all have blank nodes: the same for quads that differ in the labels of these only.

    Others have the same hash by chance, or where what differs lies in a symmetry that colours can't tell apart.

    Args:
        quads: an array of structs of ``subject``, ``predicate``, ``object``, ``graph``, each once.
    """
    return _call("rdf_structure", quads)


def rdf_rename_as_before(old: ColumnOrName, new: ColumnOrName, suffix: ColumnOrName) -> Column:
    """The new quads, with their blank nodes called as those of the old quads that they are by what is said of them.

    Args:
        old: as for :func:`rdf_structure`.
        new: likewise.
        suffix: what the labels of blank nodes get that the old quads do not have.
    """
    return _call("rdf_rename_as_before", old, new, suffix)

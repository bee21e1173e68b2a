"""Results of SPARQL queries: lists that a notebook shows as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._printed_reports import table
from ._sparql_results import value

if TYPE_CHECKING:
    import pandas

#: Three terms.
Triple = Tuple[str, str, str]
#: Three terms, and a graph; ``None`` = the default graph.
Quad = Tuple[str, str, str, Optional[str]]


class Bindings(List[Dict[str, Optional[str]]]):
    """The rows of a SELECT: a list of dicts, by the names of the variables; ``None`` where one is not bound.

    Attributes:
        variables: the names of the variables, also where there is no row.
    """

    def __init__(self, variables: Sequence[str] = (), rows: Iterable[Sequence[Optional[str]]] = ()) -> None:
        super().__init__(dict(zip(variables, row)) for row in rows)
        self.variables = tuple(variables)

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rows as a pandas DataFrame, with numbers, booleans and texts in place of literals.

        IRIs and blank nodes are written as in change rows, so you can join the frames. Decimal numbers become floats. Datatypes
        and language tags are left out. ``pandas.DataFrame(rows)`` has the terms instead.

        >>> from jellybridge import Dataset
        >>> with Dataset.open("mem:") as dataset:
        ...     dataset.update("INSERT DATA { <urn:tea> <urn:price> 3 . <urn:jam> <urn:price> 5 }")
        ...     frame = dataset.select("SELECT ?price { ?thing <urn:price> ?price }").to_pandas()
        >>> int(frame.price.sum())
        8

        Raises:
            ImportError: pandas is not installed.
        """
        columns = {name: _column([value(row.get(name)) for row in self]) for name in self.variables}
        return imported_pandas().DataFrame(columns, index=range(len(self)))

    def _repr_html_(self) -> str:
        return table(self.variables, ([row.get(name) for name in self.variables] for row in self), len(self))


class Triples(List[Triple]):
    """The triples of a CONSTRUCT or DESCRIBE: a list of tuples of three terms."""

    def _repr_html_(self) -> str:
        return table(("subject", "predicate", "object"), self, len(self))


class Quads(List[Quad]):
    """The quads of Jena's CONSTRUCT with GRAPH: a list of tuples of four terms, where ``None`` is the default graph."""

    def _repr_html_(self) -> str:
        return table(("subject", "predicate", "object", "graph"), self, len(self))


def imported_pandas() -> Any:
    """Returns the module, or says how to install it."""
    try:
        import pandas
    except ImportError:
        raise ImportError('to_pandas() needs pandas: pip install "jellybridge[pandas]"', name="pandas") from None
    return pandas


def _column(values: List[Any]) -> Any:
    """Returns a column. Numbers and booleans with gaps need a type of pandas, or they would become floats and objects."""
    kinds = {type(each) for each in values}
    dtype = {int: "Int64", bool: "boolean"}.get(next(iter(kinds - {type(None)}), str)) if len(kinds) == 2 and type(None) in kinds else None
    if dtype == "Int64" and any(each is not None and not -(1 << 63) <= each < 1 << 63 for each in values):
        dtype = "object"
    return imported_pandas().Series(values, dtype=dtype)


#: What a query gives: rows of a SELECT, the answer of an ASK, the triples (or quads) of a CONSTRUCT or DESCRIBE.
QueryResult = Union[Bindings, bool, Triples, Quads]


def result_of(answer: Mapping[str, Any]) -> QueryResult:
    """Returns the result that the Java side answers, see ``_sparql_results``."""
    if "boolean" in answer:
        return bool(answer["boolean"])
    if "triples" in answer:
        return Triples((subject, predicate, object) for subject, predicate, object in answer["triples"])
    if "quads" in answer:
        return Quads((subject, predicate, object, graph) for subject, predicate, object, graph in answer["quads"])
    return Bindings(answer["vars"], answer["rows"])

"""Results of SPARQL queries: lists that a notebook shows as tables."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from ._reports import table

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

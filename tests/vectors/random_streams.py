"""Random valid streams with their events, by a naive encoder over protobuf. Independent of the codec and of its tricks.

The encoder evicts at random, splits IRIs at random, and takes at random between an implicit id and an explicit one, a
repeated term and a full one, wherever the format lets a writer choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from os.path import commonprefix
from random import Random
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from vector_rows import FLAT, FRAME, PUNCTUATED, QUADS, TRIPLES, delimited_bytes, escape, patch, rdf

# ("iri", text) ("bnode", label) ("literal", text, language, datatype) ("triple", s, p, o) ("default",)
Model = Tuple[Any, ...]

DEFAULT_GRAPH: Model = ("default",)


@dataclass(frozen=True)
class Settings:
    name: str
    stream: int
    statement: int
    names: int
    prefixes: int
    datatypes: int
    star: bool = False
    generalized: bool = False
    rows: int = 150

    @property
    def nodes(self) -> str:
        return "QUADS" if self.statement == QUADS else "TRIPLES"


#: Every stream type with every statement type, over lookups that are small enough to overflow.
RANDOM_STREAMS: Sequence[Settings] = (
    Settings("frame-triples", FRAME, TRIPLES, 8, 0, 0),
    Settings("frame-quads", FRAME, QUADS, 8, 1, 1, star=True, generalized=True),
    Settings("flat-triples", FLAT, TRIPLES, 8, 1, 1, star=True),
    Settings("flat-quads", FLAT, QUADS, 16, 3, 2),
    Settings("punctuated-triples", PUNCTUATED, TRIPLES, 8, 0, 1, generalized=True),
    Settings("punctuated-quads", PUNCTUATED, QUADS, 12, 2, 3, star=True, generalized=True, rows=250),
)

_IRIS = (
    "urn:tea:leaf", "urn:tea:leaf:green", "urn:tea:", "urn:pot", "urn:", "", "x", "#", "http://e.example/a",
    "http://e.example/a#b", "http://e.example/a/b/c", "http://e.example/ü/茶?q=%7E", "http://e.example/🍵",
    "https://e.example/a", "mailto:a@e.example", 'urn:odd <>"{}|^`\\', "urn:nul\x00", "http://e.example/a/b/d",
    "http://e.example/n/1", "http://e.example/n/2", "http://e.example/n/3",
)
_LABELS = ("b0", "b1", "0", "a.b", "ünï", "B0", "b-1")
_TEXTS = (
    "", " ", "tea", "Tea", "чай", "茶", "🍵", "é", "e\u0301", "a\nb\r\nc\td", '"quoted" \\ back', "nul \x00",
    "\x7f\x1f\x01", "1", "01", "\u2028", "long " * 30,
)
_LANGUAGES = ("en", "en-gb", "de", "zh-Hant", "he--rtl")
_DATATYPES = (
    "http://www.w3.org/2001/XMLSchema#integer", "http://www.w3.org/2001/XMLSchema#string", "urn:grams", "urn:tea:",
    "http://e.example/a#b",
)
_NAMES = ("", "tea", "ex", "чай", "a.b")


class RandomStream:
    """A stream: ``data``, and the ``events`` in it."""

    def __init__(self, settings: Settings) -> None:
        self.id = f"random-{settings.name}"
        tables = f"names={settings.names};prefixes={settings.prefixes};datatypes={settings.datatypes}"
        self.settings = (
            f"stream={settings.name.split('-')[0].upper()};statement={settings.nodes};{tables};"
            f"star={int(settings.star)};generalized={int(settings.generalized)}"
        )
        writer = _Writer(settings, Random(f"jellybridge {settings.name}"))
        writer.write()
        self.events = writer.events
        self.frames = len(writer.encoder.frames)
        self.statements = sum(event.startswith(("A ", "D ")) for event in writer.events)
        self.data = delimited_bytes([frame.SerializeToString() for frame in writer.encoder.frames])


class _Writer:
    """Decides what happens, and keeps the events."""

    def __init__(self, settings: Settings, random: Random) -> None:
        self.settings = settings
        self.random = random
        self.encoder = _Encoder(settings, random)
        self.events: List[str] = []
        self.open = False

    def write(self) -> None:
        for _ in range(self.settings.rows):
            self._row()
            if self.random.random() < 0.06 and not self.open:
                self._end_patch()
            elif self.random.random() < 0.06 and self.settings.stream != FRAME:
                self.encoder.end_frame()
        if self.open:
            self._transaction("TC")
        self._end_patch()
        if self.settings.stream == FLAT:
            self.events.append("---")
        self.encoder.drop_last_frame_if_empty()

    def _end_patch(self) -> None:
        if self.settings.stream == FLAT:
            return
        if self.settings.stream == PUNCTUATED:
            self.encoder.row().punctuation.SetInParent()
        self.encoder.end_frame()
        self.events.append("---")

    def _row(self) -> None:
        kind = self.random.random()
        if kind < 0.1:
            self._transaction(self.random.choice(("TC", "TA")) if self.open else "TX")
        elif kind < 0.18:
            self._header()
        elif kind < 0.28:
            self._prefix()
        else:
            self._statement()

    def _transaction(self, op: str) -> None:
        row = self.encoder.row()
        {"TX": row.transaction_start, "TC": row.transaction_commit, "TA": row.transaction_abort}[op].SetInParent()
        self.open = op == "TX"
        self.events.append(op)

    def _header(self) -> None:
        key = self.random.choice(_NAMES)
        value = self._fitting(lambda: [self._term("o", 2)])[0]
        self.encoder.header(key, value)
        self.events.append(f'H "{escape(key)}" {text(value)}')

    def _prefix(self) -> None:
        added = self.random.random() < 0.6
        with_value = added or self.random.random() < 0.5
        name = self.random.choice(_NAMES)
        terms = self._fitting(lambda: ([self._iri()] if with_value else []) + self._graphs())
        value = terms[0] if with_value else None
        graph = terms[-1] if self.settings.statement == QUADS else None
        self.encoder.prefix(added, name, value, graph)
        shown = [f'"{escape(name)}"', text(value) if value else "-"] + ([text(graph)] if graph else [])
        self.events.append(f"{'PA' if added else 'PD'} {' '.join(shown)}")

    def _statement(self) -> None:
        added = self.random.random() < 0.6
        terms = self._fitting(lambda: [self._term(position, 1) for position in "spo"] + self._graphs())
        self.encoder.statement(added, terms)
        self.events.append(f"{'A' if added else 'D'} {' '.join(map(text, terms))}")

    def _fitting(self, make: Callable[[], List[Model]]) -> List[Model]:
        """Terms of one row that the lookups can hold at the same time."""
        while True:
            terms = make()
            if self.encoder.can_hold(terms):
                return terms

    def _graphs(self) -> List[Model]:
        if self.settings.statement == TRIPLES:
            return []
        kind = self.random.random()
        if kind < 0.4:
            return [DEFAULT_GRAPH]
        if kind < 0.5 and self.settings.generalized:
            return [self._literal()]
        return [self._iri() if kind < 0.8 else self._bnode()]

    def _term(self, position: str, depth: int) -> Model:
        """A term for a position; few enough of them that they repeat."""
        anything = position == "o" or self.settings.generalized
        kind = self.random.random()
        if position == "p" and (not anything or kind < 0.8):
            return self._iri()
        if kind < 0.12 and self.settings.star and depth <= 2:
            return ("triple", *(self._term(inner, depth + 1) for inner in "spo"))
        if kind < 0.5 and anything:
            return self._literal()
        return self._iri() if kind < 0.8 else self._bnode()

    def _iri(self) -> Model:
        return ("iri", self.random.choice(_IRIS))

    def _bnode(self) -> Model:
        return ("bnode", self.random.choice(_LABELS))

    def _literal(self) -> Model:
        lex = self.random.choice(_TEXTS)
        kind = self.random.random()
        if kind < 0.4:
            return ("literal", lex, None, None)
        if kind < 0.7 or not self.settings.datatypes:
            return ("literal", lex, self.random.choice(_LANGUAGES), None)
        return ("literal", lex, None, self.random.choice(_DATATYPES))


class _Table:
    """A lookup of the encoder: sends an entry before its use, in a slot that this row does not need."""

    def __init__(self, size: int, random: Random) -> None:
        self.size = size
        self.random = random
        self.slots: Dict[int, str] = {}
        self.pinned: Set[int] = set()
        self.last_sent = 0

    def id_of(self, value: str, entries: Callable[[], Any]) -> int:
        """The id of a value; ``entries`` makes the message for it where it has to be sent."""
        for id, held in self.slots.items():
            # Now and then a value is sent again though it is there.
            if held == value and (id in self.pinned or self.random.random() < 0.9):
                self.pinned.add(id)
                return id
        id = self.random.choice([id for id in range(1, self.size + 1) if id not in self.pinned])
        self.slots[id] = value
        entry = entries()
        entry.value = value
        if id != self.last_sent + 1 or self.random.random() < 0.3:
            entry.id = id
        entry.SetInParent()
        self.last_sent = id
        self.pinned.add(id)
        return id


class _Encoder:
    """Turns terms into messages."""

    def __init__(self, settings: Settings, random: Random) -> None:
        self.random = random
        self.settings = settings
        self.names = _Table(settings.names, random)
        self.prefixes = _Table(settings.prefixes, random)
        self.datatypes = _Table(settings.datatypes, random)
        self.splits: Dict[str, Tuple[str, str]] = {}
        self.last_prefix = 0
        self.last_name = 0
        self.last_terms: Dict[str, Model] = {}
        self.frames = [patch.RdfPatchFrame()]
        self._options()

    def _options(self) -> None:
        options = self.row().options
        options.stream_type = self.settings.stream
        options.statement_type = self.settings.statement
        options.max_name_table_size = self.settings.names
        options.max_prefix_table_size = self.settings.prefixes
        options.max_datatype_table_size = self.settings.datatypes
        options.rdf_star = self.settings.star
        options.generalized_statements = self.settings.generalized
        options.version = 1

    def end_frame(self) -> None:
        if self.frames[-1].rows or self.settings.stream == FRAME:
            self.frames.append(patch.RdfPatchFrame())

    def drop_last_frame_if_empty(self) -> None:
        if not self.frames[-1].rows:
            self.frames.pop()

    def row(self) -> patch.RdfPatchRow:
        return self.frames[-1].rows.add()

    def can_hold(self, terms: Sequence[Model]) -> bool:
        iris, datatypes = _needs(terms)
        return len(iris) <= self.settings.names and len(datatypes) <= self.settings.datatypes

    def header(self, key: str, value: Model) -> None:
        message = patch.RdfPatchHeader(key=key)
        self._begin_row([value])
        self._set(message, "h", value)
        self.row().header.CopyFrom(message)

    def prefix(self, added: bool, name: str, value: Optional[Model], graph: Optional[Model]) -> None:
        message = patch.RdfPatchNamespace(name=name)
        self._begin_row([term for term in (value, graph) if term])
        if value:
            self._set_iri(message.value, str(value[1]))
        if graph:
            self._set_unless_repeated(message, "g", graph)
        row = self.row()
        (row.namespace_add if added else row.namespace_delete).CopyFrom(message)

    def statement(self, added: bool, terms: Sequence[Model]) -> None:
        message = rdf.RdfQuad()
        self._begin_row(terms)
        for position, term in zip("spog", terms):
            self._set_unless_repeated(message, position, term)
        row = self.row()
        (row.statement_add if added else row.statement_delete).CopyFrom(message)

    def _begin_row(self, terms: Sequence[Model]) -> None:
        for table in (self.names, self.prefixes, self.datatypes):
            table.pinned = set()
        iris = sorted(_needs(terms)[0])
        # A prefix that all IRIs of the row share is always at hand, so that the table can't run out.
        self.splits = {iri: self._split(iri, commonprefix(iris), len(iris)) for iri in iris}

    def _split(self, iri: str, shared: str, count: int) -> Tuple[str, str]:
        if not self.settings.prefixes:
            return "", iri
        at = self.random.randrange(len(iri) + 1) if count < self.settings.prefixes else len(shared)
        return iri[:at], iri[at:]

    def _set_unless_repeated(self, message: Any, position: str, term: Model) -> None:
        if self.last_terms.get(position) != term or self.random.random() < 0.2:
            self._set(message, position, term)
        self.last_terms[position] = term

    def _set(self, message: Any, position: str, term: Model) -> None:
        kind = term[0]
        if kind == "iri":
            self._set_iri(getattr(message, f"{position}_iri"), str(term[1]))
        elif kind == "bnode":
            setattr(message, f"{position}_bnode", term[1])
        elif kind == "literal":
            self._set_literal(getattr(message, f"{position}_literal"), term)
        elif kind == "triple":
            triple = getattr(message, f"{position}_triple_term")
            for inner, inner_term in zip("spo", term[1:]):
                self._set(triple, inner, inner_term)
        else:
            getattr(message, f"{position}_default_graph").SetInParent()

    def _set_iri(self, message: rdf.RdfIri, iri: str) -> None:
        message.SetInParent()
        prefix, name = self.splits[iri]
        if prefix or self.last_prefix:
            prefix_id = self.prefixes.id_of(prefix, lambda: self.row().prefix)
            if prefix_id != self.last_prefix or self.random.random() < 0.3:
                message.prefix_id = prefix_id
            self.last_prefix = prefix_id
        name_id = self.names.id_of(name, lambda: self.row().name)
        if name_id != self.last_name + 1 or self.random.random() < 0.3:
            message.name_id = name_id
        self.last_name = name_id

    def _set_literal(self, message: rdf.RdfLiteral, term: Model) -> None:
        message.SetInParent()
        _, lex, language, datatype = term
        message.lex = str(lex)
        if language is not None:
            message.langtag = str(language)
        if datatype is not None:
            message.datatype = self.datatypes.id_of(str(datatype), lambda: self.row().datatype)


def _needs(terms: Sequence[Model]) -> Tuple[Set[str], Set[str]]:
    """The IRIs and the datatypes in terms."""
    iris: Set[str] = set()
    datatypes: Set[str] = set()
    for term in terms:
        if term[0] == "iri":
            iris.add(term[1])
        elif term[0] == "literal" and term[3] is not None:
            datatypes.add(term[3])
        elif term[0] == "triple":
            inner_iris, inner_datatypes = _needs(term[1:])
            iris |= inner_iris
            datatypes |= inner_datatypes
    return iris, datatypes


_IRI_ESCAPES = {c: f"\\u{ord(c):04X}" for c in [*map(chr, range(0x21)), *'<>"{}|^`\\']}


def text(term: Model) -> str:
    """A term in a line of events."""
    kind, *parts = term
    if kind == "iri":
        return "<" + "".join(_IRI_ESCAPES.get(c, c) for c in parts[0]) + ">"
    if kind == "bnode":
        return f"_:{parts[0]}"
    if kind == "literal":
        lex, language, datatype = parts
        suffix = f"@{language}" if language else f"^^{text(('iri', datatype))}" if datatype else ""
        return f'"{escape(lex)}"{suffix}'
    if kind == "triple":
        return f"<< {' '.join(map(text, parts))} >>"
    return "DEFAULT"

"""Cases of Jelly-RDF, R-01 to R-93."""

from __future__ import annotations

from typing import List

from rdf_rows import (
    DATASET_STREAM, DT, FLAT_QUADS, FLAT_TRIPLES, GE, GRAPH_STREAM, GRAPHS, GS, META, NAMED_GRAPHS, NS, OPT, PX, QD,
    QUADS, SUBJECT_GRAPHS, T, TIMESTAMPED_NAMED_GRAPHS, TRIPLES, N, RdfRow,
)
from vector_case import LEAF_TERMS, accept, either, reject
from vector_rows import (
    DG, UNKNOWN, B, I, L, Part, Position, Q, Raw, Term,
    blob_field, delimited, field_number, frame, loaded, notation, number_field, put, raw_row, rdf, varint,
)

# A position that stays unset.
_: Position = None
TWO_31 = 1 << 31

# What most streams begin with: three names and a triple of them. The next implicit name is the fourth.
NAMES = [N("urn:leaf"), N("urn:brews"), N("urn:cup")]
LEAF = T(I(), I(), I())
SEED: List[Part] = [*NAMES, LEAF]
SEED_QUAD: List[Part] = [*NAMES, N("urn:shelf"), QD(I(), I(), I(), I())]
AGAIN = T(_, _, _)
AGAIN_QUAD = QD(_, _, _)
T_LEAF = f"T {LEAF_TERMS}"
Q_LEAF = f"Q {LEAF_TERMS} DEFAULT"
Q_SHELF = f"Q {LEAF_TERMS} <urn:shelf>"


def t_leaf(*objects: str) -> List[str]:
    """The events of triples of the leaf with other objects."""
    return [f"T <urn:leaf> <urn:brews> {term}" for term in objects]


# --- container, frames, rows

accept("R-01a", "Fields that no schema has, of every wire type, stand between the rows of a frame.",
       [[UNKNOWN, OPT(), UNKNOWN, *SEED, UNKNOWN], [UNKNOWN], [UNKNOWN, AGAIN]], [T_LEAF, T_LEAF])
accept("R-01b", "Fields that no schema has stand inside every kind of row and of term of a QUADS stream.",
       [[loaded(OPT(QUADS, prefixes=1, datatypes=1, star=1, version=2)), *map(loaded, NAMES), loaded(PX("urn:")),
         loaded(DT("urn:grams")), loaded(NS("t", loaded(I()))),
         loaded(QD(loaded(I()), loaded(I()), loaded(L("3", datatype=1)), loaded(DG))),
         loaded(QD(loaded(Q(loaded(I(0, 1)), loaded(I()), B("b"))), _, _))]],
       ['NS "t" <urn:leaf>', 'Q <urn:brews> <urn:cup> "3"^^<urn:grams> DEFAULT',
        'Q << <urn:leaf> <urn:brews> _:b >> <urn:cup> "3"^^<urn:grams> DEFAULT'])
accept("R-01c", "Fields that no schema has stand inside the rows of a GRAPHS stream.",
       [[loaded(OPT(GRAPHS)), *NAMES, loaded(GS(loaded(DG))), loaded(LEAF), loaded(GE)]], [Q_LEAF])
accept("R-01d", "A number or string that comes twice in a message counts as it came last.",
       [[OPT(), RdfRow('N[5, then 1]="x, then urn:leaf"', "name", N("x", 5).body + N("urn:leaf", 1).body), *NAMES[1:],
         LEAF]],
       [T_LEAF])
_no_subject = number_field(field_number(rdf.RdfTriple, "s_iri"), 3) + T(_, _, L("x")).body
accept("R-01e", "A field of a known number but another wire type is an unknown field: the subject repeats.",
       [[OPT(), *SEED, RdfRow('T(· · "x") and s_iri as a number', "triple", _no_subject)]], [T_LEAF, *t_leaf('"x"')])
accept("R-01f", "A kind of row that comes twice in a row is one message, with the fields of both.",
       [[OPT(), *NAMES,
         raw_row('ROW{T(I(0,1) · ·), then T(· I(0,2) I(0,3))}', T(I(0, 1), _, _).arm + T(_, I(0, 2), I(0, 3)).arm),
         raw_row('ROW{T(_:b · "x"), then T(· · "y")}', T(B("b"), _, L("x")).arm + T(_, _, L("y")).arm)]],
       [T_LEAF, 'T _:b <urn:brews> "y"'])
accept("R-01g", "IRIs, literals, quoted triples and graphs that come in pieces are put together.",
       [[OPT(QUADS, prefixes=1, star=1), PX("urn:"), N("leaf"), N("brews"), N("cup"), N("shelf"),
         RdfRow("QD(I(1,·) then I(·,1), I(1,2), I(1,·) then I(·,3), I(1,·) then I(·,4))", "quad",
                QD(I(1), _, I(1), I(1)).body + QD(I(0, 1), I(1, 2), I(0, 3), I(0, 4)).body),
         RdfRow('QD(· · "3" then @en)', "quad",
                QD(_, _, L("3")).body + QD(_, _, Term("@en", "literal", put(rdf.RdfLiteral, "langtag", "en"))).body),
         RdfRow("QD(· · <<I(0,1) · ·>> then <<· I(0,2) I(0,3)>>, DG then DG)", "quad",
                QD(_, _, Q(I(0, 1), _, _), DG).body + QD(_, _, Q(_, I(0, 2), I(0, 3)), DG).body)]],
       [Q_SHELF, 'Q <urn:leaf> <urn:brews> "3"@en <urn:shelf>', f"Q <urn:leaf> <urn:brews> << {LEAF_TERMS} >> DEFAULT"])
accept("R-01h", "The start of a graph and a namespace that come in pieces are put together.",
       [[OPT(GRAPHS, prefixes=1, version=2), PX("urn:"), N("leaf"), N("brews"), N("cup"), N("shelf"),
         RdfRow('NS("t" I(1,·) then I(·,4))', "namespace", NS("u", I(1)).body + NS("t", I(0, 4)).body),
         RdfRow("GS(_:b then I(1,·) then I(·,4))", "graph_start", GS(B("b")).body + GS(I(1)).body + GS(I(0, 4)).body),
         T(I(0, 1), I(), I()), GE]],
       ['NS "t" <urn:shelf>', Q_SHELF])
accept("R-01i", "Options and lookup entries that come in pieces are one row each.",
       [[raw_row("ROW{OPT(names=7), then OPT(names=8)}",
                 OPT(names=7).arm + put(rdf.RdfStreamRow, "options",
                                        number_field(field_number(rdf.RdfStreamOptions, "max_name_table_size"), 8))),
         raw_row('ROW{N[1]="x", then N="urn:leaf"}', N("x", 1).arm + N("urn:leaf").arm), *NAMES[1:], LEAF]],
       [T_LEAF])
accept("R-01j", "A flag of the options is set by every number but zero, also by one whose lower 32 bits are zero.",
       [[OPT(star=1 << 32, generalized=1 << 63), *NAMES, T(I(), B("p"), I()), T(_, _, Q(I(0, 1), I(), I()))]],
       ["T <urn:leaf> _:p <urn:brews>", f"T <urn:leaf> _:p << {LEAF_TERMS} >>"])
accept("R-04a", "A name is overwritten between two uses.",
       [[OPT(), *SEED, N("urn:pot", 3), T(_, _, I(0, 3))]], [T_LEAF, *t_leaf("<urn:pot>")])
reject("R-05a", "A row holds nothing.", [[OPT(), raw_row("ROW{}", b""), *SEED]])
reject("R-05b", "A row holds only a field that no schema has.", [[OPT(), raw_row("ROW{UNKNOWN}", UNKNOWN.data)]])
reject("R-05c", "A row holds a known field, but with another wire type.",
       [[OPT(), raw_row("ROW{triple as a number}", number_field(field_number(rdf.RdfStreamRow, "triple"), 1))]])
reject("R-05d", "The first row holds nothing, and the options follow.", [[raw_row("ROW{}", b""), OPT()]])
for _letter, _field in ("e", 7), ("f", 8):
    reject(f"R-05{_letter}", f"A row holds only field {_field}, which is no kind of row.",
           [[OPT(), raw_row(f"ROW{{field {_field}}}", blob_field(_field, LEAF.body))]])
accept("R-06a", "Empty frames stand before the options, between frames and at the end.",
       [[], [], [OPT(), *SEED], [], [], [AGAIN], []], [T_LEAF, T_LEAF])
accept("R-06b", "Every row has a frame of its own.", [[part] for part in [OPT(), *SEED, AGAIN]], [T_LEAF, T_LEAF])
accept("R-07a", "The metadata of a frame are bytes, not text, and change nothing.",
       [[META("c", b"\xff\x00"), OPT(), *SEED, META("", b"")], [META("c", b"\x01"), AGAIN]], [T_LEAF, T_LEAF])
accept("R-07b", "An entry of the metadata has no key or no value, and a key comes twice.",
       [[OPT(), META(None, b"1"), META("k", None), *SEED, META("k", b"2"), META(None, None)]], [T_LEAF])
accept("R-07c", "A frame has metadata and no rows, before the options.", [[META("c", b"1")], [OPT(), *SEED]], [T_LEAF])


def bare(*parts: Part) -> Raw:
    return Raw(f"{notation([parts])} [non-delimited]", frame(parts))


accept("R-09a", "A single frame comes without a length before it.", bare(OPT(), *SEED), [T_LEAF])
accept("R-09b", "A frame without a length begins with options of another size.", bare(OPT(names=200), *SEED), [T_LEAF])
accept("R-09c", "A frame without a length holds the options alone.", bare(OPT(name="teas of the world")), [])
accept("R-09d", "A delimited frame holds the options alone.", [[OPT(QUADS)]], [])


# --- stream types

reject("R-10a", "The physical type is left unspecified.", [[OPT(physical=0), *SEED]])
reject("R-10b", "The physical type is a number that the protocol does not have.", [[OPT(physical=9), *SEED]])
reject("R-10c", "The physical type is a negative number.", [[OPT(physical=-1), *SEED]])
reject("R-11a", "A quad stands in a TRIPLES stream.", [[OPT(), *NAMES, QD(I(), I(), I(), DG)]])
reject("R-11b", "A graph starts in a TRIPLES stream.", [[OPT(), GS(DG)]])
reject("R-11c", "A graph ends in a TRIPLES stream.", [[OPT(), GE]])
reject("R-12a", "A triple stands in a QUADS stream.", [[OPT(QUADS), *SEED]])
reject("R-12b", "A graph starts in a QUADS stream.", [[OPT(QUADS), GS(DG)]])
reject("R-12c", "A graph ends in a QUADS stream.", [[OPT(QUADS), GE]])
reject("R-13a", "A quad stands in a graph of a GRAPHS stream.", [[OPT(GRAPHS), *NAMES, GS(DG), QD(I(), I(), I(), DG)]])
reject("R-13b", "A quad stands outside of a graph of a GRAPHS stream.", [[OPT(GRAPHS), *NAMES, QD(I(), I(), I(), DG)]])
for _letter, _logical in zip("abcd", (0, FLAT_TRIPLES, GRAPH_STREAM, SUBJECT_GRAPHS)):
    accept(f"R-14{_letter}", f"A TRIPLES stream has the logical type {_logical}.",
           [[OPT(logical=_logical), *SEED], [AGAIN]], [T_LEAF, T_LEAF])
for _letter, _logical in zip("efghi", (0, FLAT_QUADS, DATASET_STREAM, NAMED_GRAPHS, TIMESTAMPED_NAMED_GRAPHS)):
    accept(f"R-14{_letter}", f"A QUADS stream has the logical type {_logical}.",
           [[OPT(QUADS, logical=_logical), *SEED_QUAD], [AGAIN_QUAD]], [Q_SHELF, Q_SHELF])
accept("R-14j", "A GRAPHS stream has a logical type of datasets.",
       [[OPT(GRAPHS, logical=NAMED_GRAPHS), *NAMES, GS(DG), LEAF, GE]], [Q_LEAF])
accept("R-14k", "The logical type is one that the protocol does not have yet, of a base type that it has.",
       [[OPT(logical=23), *SEED]], [T_LEAF])
either("R-15a", "A TRIPLES stream is said to be one of datasets.", [[OPT(logical=DATASET_STREAM), *SEED]], [T_LEAF])
either("R-15b", "A QUADS stream is said to be one of triples.", [[OPT(QUADS, logical=FLAT_TRIPLES), *SEED_QUAD]],
       [Q_SHELF])
either("R-15c", "A GRAPHS stream is said to be one of graphs.",
       [[OPT(GRAPHS, logical=GRAPH_STREAM), *NAMES, GS(DG), LEAF, GE]], [Q_LEAF])


# --- options

reject("R-20a", "The first row is a lookup entry, and there are no options.", [SEED])
reject("R-20b", "The options come after a lookup entry.", [[N("urn:leaf"), OPT(), *NAMES[1:], LEAF]])
reject("R-20c", "There is one empty frame, so no options.", [[]])
reject("R-20d", "There are three empty frames, so no options.", [[], [], []])
reject("R-20e", "There is one frame, with metadata alone.", [[META("c", b"1")]])
accept("R-21a", "The options come again in the middle of a frame and at the start of others, and nothing is reset.",
       [[OPT(), *SEED, OPT(), AGAIN], [OPT(), T(_, _, I(0, 1))]], [T_LEAF, T_LEAF, *t_leaf("<urn:leaf>")])
for _letter, _what, _first, _second in (
    ("a", "physical type", OPT(), OPT(QUADS)),
    ("b", "logical type", OPT(), OPT(logical=FLAT_TRIPLES)),
    ("c", "size of the name lookup", OPT(), OPT(names=9)),
    ("d", "size of the prefix lookup", OPT(prefixes=1), OPT()),
    ("e", "size of the datatype lookup", OPT(), OPT(datatypes=1)),
    ("f", "flag for generalized statements", OPT(), OPT(generalized=1)),
    ("g", "flag for quoted triples", OPT(star=1), OPT()),
    ("h", "version", OPT(), OPT(version=2)),
    ("i", "name", OPT(), OPT(name="tea")),
):
    reject(f"R-22{_letter}", f"The options come again with another {_what}.", [[_first], [_second]])
accept("R-23a", "A stream has a name, which may be any text.", [[OPT(name="teas, чай\n🍵"), *SEED]], [T_LEAF])
either("R-24a", "A subject is a literal, and the options do not say so.", [[OPT(), *NAMES, T(L("x"), I(), I())]],
       ['T "x" <urn:leaf> <urn:brews>'])
either("R-24b", "A predicate is a blank node, and the options do not say so.", [[OPT(), *NAMES, T(I(), B("p"), I())]],
       ["T <urn:leaf> _:p <urn:brews>"])
either("R-24c", "An object is a quoted triple, and the options do not say so.",
       [[OPT(), *SEED, T(_, _, Q(B("a"), I(0, 2), B("c")))]], [T_LEAF, *t_leaf("<< _:a <urn:brews> _:c >>")])
either("R-24d", "A quoted triple has a literal as subject, and the options do not say so.",
       [[OPT(star=1), *NAMES, T(I(), I(), Q(L("x"), I(), B("o")))]], t_leaf('<< "x" <urn:cup> _:o >>'))
accept("R-24e", "Where the options say so, every term may stand in every position.",
       [[OPT(QUADS, star=1, generalized=1, datatypes=1), *NAMES, DT("urn:grams"),
         QD(L("s"), L("p", "en"), L("o"), L("g", datatype=1)), QD(B("s"), B("p"), B("o"), B("g")),
         QD(Q(I(), I(), I()), Q(L("a"), B("b"), L("c")), _, DG)]],
       ['Q "s" "p"@en "o" "g"^^<urn:grams>', "Q _:s _:p _:o _:g",
        f'Q << {LEAF_TERMS} >> << "a" _:b "c" >> _:o DEFAULT'])
reject("R-25a", "The options declare no name lookup.", [[OPT(names=0)]])
reject("R-25b", "The options declare a name lookup of 7 entries.", [[OPT(names=7), *SEED]])
accept("R-25c", "The options declare a name lookup of 8 entries, the smallest there is.", [[OPT(names=8), *SEED]],
       [T_LEAF])
_nine = [N(f"urn:{n}") for n in range(1, 10)]
reject("R-26a", "Nine entries come without ids for a name lookup of 8.", [[OPT(), *_nine]])
reject("R-26b", "An entry of the name lookup has the id after the last.", [[OPT(), N("x", 9)]])
reject("R-26c", "An entry of the prefix lookup has the id after the last.", [[OPT(prefixes=2), PX("x", 3)]])
reject("R-26d", "Two entries come without ids for a datatype lookup of 1.", [[OPT(datatypes=1), DT("a"), DT("b")]])
reject("R-26e", "A name of id 2^32-1 is referred to.", [[OPT(), *SEED, T(_, _, I(0, 2 * TWO_31 - 1))]])
reject("R-26f", "The name after the last of the lookup is asked for by an implicit id.",
       [[OPT(), *_nine[:8], T(I(0, 7), I(), I())]])
accept("R-26g", "The last entry of each lookup is set and used.",
       [[OPT(prefixes=2, datatypes=1), *NAMES, PX("urn:", 2), N("pot", 8), DT("urn:grams"), T(I(), I(), I(2, 8)),
         T(_, _, L("3", datatype=1))]],
       t_leaf("<urn:pot>", '"3"^^<urn:grams>'))
reject("R-27a", "A prefix is sent where the options declare no prefix lookup.", [[OPT(), PX("urn:")]])
reject("R-27b", "A prefix is referred to where the options declare no prefix lookup.",
       [[OPT(), *NAMES, T(I(1), I(), I())]])
reject("R-27c", "A datatype is sent where the options declare no datatype lookup.", [[OPT(), DT("urn:grams")]])
reject("R-27d", "A datatype is referred to where the options declare no datatype lookup.",
       [[OPT(), *SEED, T(_, _, L("3", datatype=1))]])
reject("R-28a", "The options have no version.", [[OPT(version=0), *SEED]])
reject("R-28b", "The version is one above the newest there is.", [[OPT(version=3), *SEED]])
reject("R-28c", "The version is one of those for private extensions.", [[OPT(version=10001), *SEED]])
accept("R-28d", "The version is 1.", [[OPT(version=1), *SEED]], [T_LEAF])
accept("R-28e", "The version is 2.", [[OPT(version=2), *SEED]], [T_LEAF])
for _letter, _what, _options in (
    ("a", "a name lookup of ten million entries", OPT(names=10_000_000)),
    ("b", "one entry more than the name lookup may have", OPT(names=4097)),
    ("c", "one entry more than the prefix lookup may have", OPT(prefixes=1025)),
    ("d", "one entry more than the datatype lookup may have", OPT(datatypes=257)),
    ("e", "a name lookup of 2^32-1 entries", OPT(names=2 * TWO_31 - 1)),
):
    reject(f"R-30{_letter}", f"The options ask for {_what}.", [[_options, *SEED]])
accept("R-30f", "The options ask for the largest lookups that are read without being told so.",
       [[OPT(names=4096, prefixes=1024, datatypes=256), N("urn:leaf", 4096), PX("urn:", 1024), DT("urn:grams", 256),
         T(I(0, 4096), I(0, 4096), L("3", datatype=256))]], ['T <urn:leaf> <urn:leaf> "3"^^<urn:grams>'])


# --- lookups, IRIs, literals

accept("R-40a", "An entry without an id comes after the one before, also after one with an id.",
       [[OPT(), N("urn:cup", 3), N("urn:pot"), N("urn:leaf", 1), N("urn:brews"), LEAF, T(_, _, I(0, 4))]],
       [T_LEAF, *t_leaf("<urn:pot>")])
reject("R-41a", "A name is referred to that was not sent.", [[OPT(), *NAMES, T(I(), I(), I(0, 5))]])
reject("R-41b", "A prefix is referred to that was not sent.", [[OPT(prefixes=2), *NAMES, T(I(1), I(), I())]])
reject("R-41c", "A datatype is referred to that was not sent.",
       [[OPT(datatypes=2), *SEED, T(_, _, L("3", datatype=1))]])
accept("R-42a", "A prefix is overwritten, and the names that went with it are joined anew.",
       [[OPT(prefixes=1), PX("urn:"), N("leaf"), N("brews"), N("cup"), T(I(1), I(), I()), PX("tea:", 1),
         T(I(0, 1), I(), I())]],
       [T_LEAF, "T <tea:leaf> <tea:brews> <tea:cup>"])
accept("R-42b", "A name is overwritten, and the prefix that went with it stays.",
       [[OPT(prefixes=1), PX("urn:"), N("leaf"), N("brews"), N("cup"), T(I(1), I(), I()), N("pot", 3),
         T(_, _, I(0, 3))]],
       [T_LEAF, *t_leaf("<urn:pot>")])
accept("R-42c", "A datatype is overwritten; the literals before keep theirs.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), T(_, _, L("3", datatype=1)), DT("urn:litres", 1), AGAIN,
         T(_, _, L("3", datatype=1))]],
       [T_LEAF, *t_leaf('"3"^^<urn:grams>', '"3"^^<urn:grams>', '"3"^^<urn:litres>')])
accept("R-43a", "A prefix id of 0 is the prefix before; before the first, it is no prefix.",
       [[OPT(prefixes=2), PX("urn:"), PX("tea:"), N("urn:leaf"), N("brews"), N("cup"), T(I(), I(1), I()),
         T(_, _, I(2, 3)), T(_, _, I(0, 3))]],
       [T_LEAF, *t_leaf("<tea:cup>", "<tea:cup>")])
accept("R-44a", "A name id of 0 is the name after the one before; at first it is the first.",
       [[OPT(), *NAMES, N("urn:pot"), LEAF, T(I(0, 2), I(), I())]], [T_LEAF, "T <urn:brews> <urn:cup> <urn:pot>"])
accept("R-46a", "An IRI without prefix after one with a prefix uses an entry for the empty prefix.",
       [[OPT(prefixes=2), PX("urn:"), PX(""), N("leaf"), N("brews"), N("whole"), T(I(1), I(), I(2)),
         T(_, _, I(1, 1))]],
       ["T <urn:leaf> <urn:brews> <whole>", *t_leaf("<urn:leaf>")])
_labels = ("b0", "0", "a.b", "·", "ünï", "a-b_c:d")
accept("R-48a", "The label of a blank node is any text, and is the same node in every frame.",
       [[OPT(), *SEED, *(T(_, _, B(label)) for label in _labels)], [T(_, _, B(_labels[0]))]],
       [T_LEAF, *t_leaf(*(f"_:{label}" for label in _labels), f"_:{_labels[0]}")])
reject("R-49a", "A literal has the datatype 0.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), T(_, _, L("3", datatype=0))]])
accept("R-49b", "A literal is a plain string, has a language, or has a datatype; its text may be empty.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), T(_, _, L("x")), T(_, _, L("x", "en")), T(_, _, L("x", datatype=1)),
         T(_, _, L("")), T(_, _, L("", "en")), T(_, _, Term("LITERAL{}", "literal", b""))]],
       [T_LEAF, *t_leaf('"x"', '"x"@en', '"x"^^<urn:grams>', '""', '""@en', '""')])
accept("R-49c", "A datatype of xsd:string makes the same literal as none.",
       [[OPT(datatypes=1), *SEED, DT("http://www.w3.org/2001/XMLSchema#string"), T(_, _, L("x", datatype=1))]],
       [T_LEAF, *t_leaf('"x"')])
accept("R-50a", "Ids count through quoted triples depth first, then on to the graph.",
       [[OPT(QUADS, names=16, star=1), *_nine,
         QD(Q(I(), I(), I()), I(), Q(I(), I(), Q(I(), I(), B("b"))), I())]],
       ["Q << <urn:1> <urn:2> <urn:3> >> <urn:4> << <urn:5> <urn:6> << <urn:7> <urn:8> _:b >> >> <urn:9>"])
accept("R-50b", "Ids count as subject, predicate, object, graph, in whatever order these are on the wire.",
       [[OPT(QUADS), *NAMES, N("urn:shelf"), QD(I(), I(), I(), I(), order="gops"),
         QD(I(0, 1), I(), I(), I(), order="pgso")]],
       [Q_SHELF, Q_SHELF])
accept("R-50c", "The graph that starts and the namespace that is declared count like any IRI.",
       [[OPT(GRAPHS, version=2), N("urn:"), N("urn:shelf"), *NAMES, NS("t", I()), GS(I()), LEAF, GE]],
       ['NS "t" <urn:>', Q_SHELF])
reject("R-51a", "A language tag is empty.", [[OPT(), *SEED, T(_, _, L("x", ""))]])
accept("R-51b", "Language tags have regions, scripts, any case, and a base direction.",
       [[OPT(), *SEED, *(T(_, _, L("x", tag)) for tag in ("en-gb", "DE", "zh-Hant-TW", "he--rtl"))]],
       [T_LEAF, *t_leaf(*(f'"x"@{tag}' for tag in ("en-GB", "de", "zh-hant-tw", "he--rtl")))])
accept("R-52a", "Of two kinds in one row the last on the wire counts, and the ids of the other do not.",
       [[OPT(), *NAMES, raw_row('ROW{QD(I(0,0) I(0,0) "x" DG), then T(I(0,0) I(0,0) I(0,0))}',
                                QD(I(), I(), L("x"), DG).arm + LEAF.arm)]],
       [T_LEAF])
accept("R-52b", "Of two subjects in one statement the last on the wire counts.",
       [[OPT(), *NAMES,
         RdfRow("T(_:b, then I(0,0), I(0,0) I(0,0))", "triple", T(B("b"), I(), I()).body + T(I(), _, _).body)]],
       [T_LEAF])
_language_last = L("3", datatype=1).body + put(rdf.RdfLiteral, "langtag", "en")
accept("R-52c", "Of a language tag and a datatype in one literal the last on the wire counts.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), T(_, _, Term('"3"@en, then ^^#1', "literal", L("3", "en", 1).body)),
         T(_, _, Term('"3"^^#1, then @en', "literal", _language_last))]],
       [T_LEAF, *t_leaf('"3"^^<urn:grams>', '"3"@en')])


# --- statements, repeated terms, graphs

for _letter, _position, _row in (
    ("a", "subject", T(_, I(), I())), ("b", "predicate", T(I(), _, I())), ("c", "object", T(I(), I(), _)),
    ("d", "term at all", T(_, _, _)),
):
    reject(f"R-60{_letter}", f"The first triple has no {_position}.", [[OPT(), *NAMES, _row]])
reject("R-60e", "The first quad has no graph.", [[OPT(QUADS), *NAMES, QD(I(), I(), I())]])
reject("R-60f", "The first triple has no subject, though a namespace and a graph came before it.",
       [[OPT(GRAPHS, version=2), *NAMES, NS("t", I()), GS(I()), T(_, I(), L("x")), GE]])
accept("R-61a", "A repeat of a repeat is the same term, over the ends of frames too; each position repeats by itself.",
       [[OPT(QUADS), *SEED_QUAD, AGAIN_QUAD], [QD(B("s"), _, _)],
        [QD(_, I(0, 1), _), QD(_, _, L("o"), DG), AGAIN_QUAD]],
       [Q_SHELF, Q_SHELF, "Q _:s <urn:brews> <urn:cup> <urn:shelf>", "Q _:s <urn:leaf> <urn:cup> <urn:shelf>",
        'Q _:s <urn:leaf> "o" DEFAULT', 'Q _:s <urn:leaf> "o" DEFAULT'])
for _letter, _where, _row in (
    ("a", "subject of a quoted subject", T(Q(_, I(0, 2), I(0, 3)), _, _)),
    ("b", "predicate of a quoted object", T(_, _, Q(I(0, 1), _, I(0, 3)))),
    ("c", "object of a quoted object", T(_, _, Q(I(0, 1), I(0, 2), _))),
    ("d", "object of a triple that a quoted triple quotes", T(_, _, Q(I(0, 1), I(0, 2), Q(I(0, 1), I(0, 2), _)))),
    ("e", "whole of a quoted object", T(_, _, Q(_, _, _))),
):
    reject(f"R-62{_letter}", f"The {_where} is not set.", [[OPT(star=1), *SEED, _row]])
accept("R-63a", "What repeats is a quoted triple as a whole, never a term inside it.",
       [[OPT(star=1), *NAMES, T(Q(I(), I(), I()), I(0, 2), Q(B("a"), I(0, 2), B("c"))), AGAIN, T(B("b"), _, _)]],
       [f"T << {LEAF_TERMS} >> <urn:brews> << _:a <urn:brews> _:c >>"] * 2
       + ["T _:b <urn:brews> << _:a <urn:brews> _:c >>"])


def nested(levels: int) -> Term:
    """A quoted triple that holds the next as its object, so many deep."""
    return Q(B("a"), I(0, 2), nested(levels - 1) if levels > 1 else B("b"))


def nested_event(levels: int) -> str:
    return "<< _:a <urn:brews> " * levels + "_:b" + " >>" * levels


accept("R-64a", "A quoted triple is 64 levels deep.", [[OPT(star=1), *SEED, T(_, _, nested(64))]],
       [T_LEAF, *t_leaf(nested_event(64))])
reject("R-64b", "A quoted object is 65 levels deep.", [[OPT(star=1), *SEED, T(_, _, nested(65))]])
reject("R-64c", "A quoted subject is 65 levels deep.", [[OPT(star=1), *SEED, T(nested(65), _, _)]])
reject("R-65a", "A triple comes before any graph started.", [[OPT(GRAPHS), *SEED]])
reject("R-65b", "A triple comes after its graph ended.", [[OPT(GRAPHS), *NAMES, GS(DG), LEAF, GE, AGAIN]])
either("R-66a", "A graph starts within another one, which it ends.",
       [[OPT(GRAPHS), *NAMES, N("urn:shelf"), GS(DG), LEAF, GS(I()), AGAIN, GE]], [Q_LEAF, Q_SHELF])
either("R-67a", "A graph ends that did not start.", [[OPT(GRAPHS), GE]], [])
either("R-67b", "A graph ends twice.", [[OPT(GRAPHS), *NAMES, GS(DG), LEAF, GE, GE]], [Q_LEAF])
accept("R-68a", "A graph has no triples.", [[OPT(GRAPHS), *NAMES, GS(I(0, 1)), GE, GS(DG), GE]], [])
accept("R-69a", "A graph spans frames.", [[OPT(GRAPHS), *NAMES, GS(DG)], [LEAF], [AGAIN, GE]], [Q_LEAF, Q_LEAF])
accept("R-69b", "A graph comes several times.",
       [[OPT(GRAPHS), *NAMES, N("urn:shelf"), GS(DG), LEAF, GE, GS(I()), AGAIN, GE], [GS(DG), AGAIN, GE]],
       [Q_LEAF, Q_SHELF, Q_LEAF])
reject("R-70a", "A graph starts without a name.", [[OPT(GRAPHS), *NAMES, GS(_), LEAF, GE]])
reject("R-70b", "A graph starts without a name, after one that had a name: names of graphs do not repeat there.",
       [[OPT(GRAPHS), *NAMES, GS(DG), LEAF, GE, GS(_), AGAIN, GE]])
accept("R-71a", "The graph of a quad is an IRI, a blank node, or the default graph.",
       [[OPT(QUADS), *SEED_QUAD, QD(_, _, _, B("g")), QD(_, _, _, DG)]],
       [Q_SHELF, f"Q {LEAF_TERMS} _:g", Q_LEAF])
accept("R-71b", "The graph that starts is an IRI, a blank node, a literal, or the default graph.",
       [[OPT(GRAPHS, generalized=1), *NAMES, N("urn:shelf"), GS(DG), LEAF, GE, GS(I(0, 4)), AGAIN, GE, GS(B("g")),
         AGAIN, GE, GS(L("g")), AGAIN, GE]],
       [Q_LEAF, Q_SHELF, f"Q {LEAF_TERMS} _:g", f'Q {LEAF_TERMS} "g"'])
either("R-71c", "The graph of a quad is a literal, and the options do not say so.",
       [[OPT(QUADS), *NAMES, QD(I(), I(), I(), L("g"))]], [f'Q {LEAF_TERMS} "g"'], "R-24")
either("R-71d", "The graph that starts is a literal, and the options do not say so.",
       [[OPT(GRAPHS), *NAMES, GS(L("g")), LEAF, GE]], [f'Q {LEAF_TERMS} "g"'], "R-24")
accept("R-72a", "Terms repeat over the ends of graphs.",
       [[OPT(GRAPHS), *NAMES, GS(DG), LEAF, GE, GS(B("g")), T(_, _, L("x")), GE], [GS(DG), AGAIN, GE]],
       [Q_LEAF, 'Q <urn:leaf> <urn:brews> "x" _:g', 'Q <urn:leaf> <urn:brews> "x" DEFAULT'])


# --- namespace declarations

accept("R-80a", "Namespaces are declared in a TRIPLES stream; a name may be empty and come again.",
       [[OPT(version=2), *NAMES, NS("", I()), NS("tea", I()), NS("tea", I()), T(I(0, 1), I(), I())]],
       ['NS "" <urn:leaf>', 'NS "tea" <urn:brews>', 'NS "tea" <urn:cup>', T_LEAF])
accept("R-80b", "Namespaces are declared in a QUADS stream.",
       [[OPT(QUADS, version=2), *SEED_QUAD, NS("t", I(0, 1)), AGAIN_QUAD]],
       [Q_SHELF, 'NS "t" <urn:leaf>', Q_SHELF])
accept("R-80c", "Namespaces are declared in a GRAPHS stream, inside and outside of graphs.",
       [[OPT(GRAPHS, version=2), *NAMES, NS("a", I()), GS(DG), NS("b", I()), T(I(0, 1), I(), I()), GE]],
       ['NS "a" <urn:leaf>', 'NS "b" <urn:brews>', Q_LEAF])
reject("R-80d", "A namespace is declared without its IRI.", [[OPT(version=2), *NAMES, NS("t", _)]])
reject("R-80e", "A namespace is declared without its IRI, after one that had one.",
       [[OPT(version=2), *NAMES, NS("t", I()), NS("u", _)]])
accept("R-81a", "A declaration expands no IRI.",
       [[OPT(version=2), N("http://e.example/"), NS("urn", I()), *NAMES, T(I(), I(), I())]],
       ['NS "urn" <http://e.example/>', T_LEAF])
accept("R-83a", "A namespace is declared in a stream of version 1.",
       [[OPT(), *NAMES, NS("t", I()), T(I(0, 1), I(), I())]],
       ['NS "t" <urn:leaf>', T_LEAF])


# --- damage

_whole = delimited([[OPT(), *SEED], [AGAIN]])


def damaged(what: str, data: bytes) -> Raw:
    return Raw(f"[{what}]", data)


reject("R-92a", "The last byte is missing.", damaged("two frames, cut by a byte", _whole[:-1]))
reject("R-92b", "The stream ends within the length of a frame.", damaged("two frames and 80", _whole + b"\x80"))
reject("R-92c", "The stream ends after the length of a frame.", damaged("two frames and 05", _whole + b"\x05"))
reject("R-92d", "The length of a frame takes more than ten bytes.",
       damaged("two frames and 80 ten times", _whole + b"\x80" * 10 + b"\x01"))
reject("R-92e", "The stream is text.", damaged("N-Triples text", b'<urn:leaf> <urn:brews> "x" .\n'))


def broken(id: str, sentence: str, what: str, data: bytes) -> None:
    """A frame with these bytes after its rows."""
    reject(id, sentence, [[OPT(), *SEED, Raw(f"[{what}]", data)]])


broken("R-92f", "A row is longer than what is left of its frame.", "row of 9 bytes, cut", b"\x0a\x09\x12")
broken("R-92g", "A frame ends within a field's key.", "80", b"\x80")
broken("R-92h", "A term is longer than its statement.", "term of 9 bytes in a statement of 2",
       b"\x0a\x04\x12\x02\x0a\x09")
reject("R-92i", "The text of a literal is not UTF-8.",
       [[OPT(), *SEED, T(_, _, Term('"[ff]"', "literal", put(rdf.RdfLiteral, "lex", b"\xff")))]])
reject("R-92j", "The name of a namespace is not UTF-8.",
       [[OPT(version=2), *NAMES, RdfRow("NS([ff] I(0,0))", "namespace",
                                        NS("", I()).body + put(rdf.RdfNamespaceDeclaration, "name", b"\xff"))]])
reject("R-92k", "The stream ends within a graph.", [[OPT(GRAPHS), *NAMES, GS(DG), LEAF]])
reject("R-92l", "The stream ends within a graph that has no triple.", [[OPT(GRAPHS), GS(DG)], []])
reject("R-92m", "The metadata of a frame are longer than the frame.", [[OPT(), Raw("[7a 09 0a]", b"\x7a\x09\x0a")]])
reject("R-92n", "The key of an entry of the metadata is not UTF-8.",
       [[OPT(), Raw("[7a 03 0a 01 ff]", b"\x7a\x03\x0a\x01\xff")]])
reject("R-92o", "The name of the stream is not UTF-8.",
       [[RdfRow("OPT(name=[ff])", "options", OPT().body + put(rdf.RdfStreamOptions, "stream_name", b"\xff"))]])
reject("R-92p", "A frame claims to be one byte larger than is read without being told so.",
       damaged("two frames and a length of 16 MiB + 1", _whole + varint((16 << 20) + 1)), "R-30")
reject("R-93a", "There are no bytes at all.", Raw("(no bytes)", b""), "R-20")

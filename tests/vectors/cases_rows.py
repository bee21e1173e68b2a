"""Cases about the rows of a patch: lookups, statements, prefixes, transactions, headers, terms. P-60 to P-121."""

from __future__ import annotations

from vector_case import (
    A_LEAF, A_SHELF, AGAIN, D_LEAF, END, LEAF, LEAF_TERMS, NAMES, SEED, SEED_QUAD, a_leaf, accept, either, reject,
)
from vector_rows import (
    DG, DT, FRAME, MARK, PA, PD, PUNCTUATED, PX, QUADS, TA, TC, TX, A, B, D, H, I, L, N, OPT, Position, Q, Row, Term,
    escape, patch, put,
)

# A position that stays unset.
_: Position = None


# --- lookups

accept("P-60a", "An entry without id follows the one before it in its own lookup.",
       [[OPT(names=16, prefixes=4, datatypes=4), N("leaf", 5), PX("x:", 2), DT("urn:grams", 3), N("brews"), PX("urn:"),
         DT("urn:litres"), N("cup"), A(I(3, 5), I(3, 6), I(3, 7)), D(_, _, L("1", datatype=4))]],
       [A_LEAF, 'D <urn:leaf> <urn:brews> "1"^^<urn:litres>', END])
accept("P-60b", "The first entry of a lookup without id is the first of the lookup.",
       [[OPT(prefixes=1, datatypes=1), PX("urn:"), DT("urn:grams"), N("leaf"), N("brews"),
         A(I(1, 1), I(1, 2), L("1", datatype=1))]],
       ['A <urn:leaf> <urn:brews> "1"^^<urn:grams>', END])
accept("P-60c", "An entry without id follows the one before it, also where that went back.",
       [[OPT(), N("x"), N("y"), N("z"), N("urn:leaf", 1), N("urn:brews"), N("urn:cup"), A(I(0, 1), I(0, 2), I(0, 3))]],
       [A_LEAF, END])
reject("P-60d", "An entry without id follows the last of the lookup.", [[OPT(), N("x", 8), N("y")]], "P-49")

accept("P-61a", "A name is overwritten between two uses.",
       [[OPT(), *SEED, N("urn:root", 1), A(I(0, 1), I(), I())]], [A_LEAF, "A <urn:root> <urn:brews> <urn:cup>", END])
accept("P-61b", "A prefix is overwritten between two uses, the second of them by prefix id 0.",
       [[OPT(prefixes=2), PX("urn:"), N("leaf"), N("brews"), N("cup"), A(I(1), I(), I()), PX("tag:", 1),
         A(I(0, 1), I(), I())]],
       [A_LEAF, "A <tag:leaf> <tag:brews> <tag:cup>", END])
accept("P-61c", "A name is used under one prefix, another, and the first again.",
       [[OPT(prefixes=2), PX("urn:"), PX("tag:"), N("leaf"), N("brews"), A(I(1, 1), I(1, 2), I(2, 1)),
         A(I(1, 1), I(2, 2), I(1, 2))]],
       ["A <urn:leaf> <urn:brews> <tag:leaf>", "A <urn:leaf> <tag:brews> <urn:brews>", END])
accept("P-61d", "A repeated term stays what it was when its name, prefix and datatype are overwritten.",
       [[OPT(prefixes=1, datatypes=1), PX("urn:"), N("leaf"), N("brews"), DT("urn:grams"),
         A(I(1), I(), L("1", datatype=1)),
         N("x", 1), PX("y:", 1), DT("z:", 1), AGAIN]],
       ['A <urn:leaf> <urn:brews> "1"^^<urn:grams>', 'D <urn:leaf> <urn:brews> "1"^^<urn:grams>', END])
accept("P-61e", "An entry is overwritten twice before it is used.",
       [[OPT(), N("x", 1), N("y", 1), N("urn:leaf", 1), *NAMES[1:], LEAF]], [A_LEAF, END])

reject("P-62a", "A name that was never sent is referred to.", [[OPT(), *SEED, A(I(0, 5), _, _)]])
reject("P-62b", "A prefix that was never sent is referred to.", [[OPT(prefixes=4), *SEED, A(I(2, 1), _, _)]])
reject("P-62c", "A datatype that was never sent is referred to.",
       [[OPT(datatypes=4), *SEED, DT("urn:grams"), A(_, _, L("3", datatype=2))]])
reject("P-62d", "A name that was never sent is referred to by an implicit id.", [[OPT(), *SEED, A(I(), _, _)]])
reject("P-62e", "A name that was never sent is referred to inside a quoted triple.",
       [[OPT(star=1), *SEED, A(_, _, Q(I(0, 1), I(), I(0, 4)))]])
reject("P-62f", "A name that was never sent is referred to by a header.", [[OPT(), H("k", I())]])
reject("P-62g", "A name that was never sent is referred to by a prefix.", [[OPT(), PD("t", I())]])
reject("P-62h", "A name that was never sent is referred to by a graph.",
       [[OPT(statement=QUADS), *NAMES, A(I(), I(), I(), I())]])
reject("P-63a", "A datatype is referred to by 0, which is no id.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), A(_, _, L("3", datatype=0))]])
accept("P-65a", "Names, prefixes and datatypes may be the empty string.",
       [[OPT(prefixes=2, datatypes=1), PX("urn:pot"), PX(""), N(""), N("urn:brews"), DT(""),
         A(I(1, 1), I(2, 2), L("x", datatype=1)),
         D(I(2, 1), _, _)]],
       ['A <urn:pot> <urn:brews> "x"^^<>', 'D <> <urn:brews> "x"^^<>', END])
accept("P-66a", "Prefix 0 is the empty prefix at first, and the last one that was named later.",
       [[OPT(prefixes=2), PX("urn:"), PX("tag:"), N("urn:leaf"), N("brews"), N("cup"), N("pot"), A(I(), I(1), I()),
         A(I(2, 4), I(0, 2), I(1, 3))]],
       [A_LEAF, "A <tag:pot> <tag:brews> <urn:cup>", END])
accept("P-66b", "Prefix 0 is the last one that was named, over the ends of frames and patches.",
       [[OPT(FRAME, prefixes=2), PX("urn:"), PX("tag:"), N("leaf"), N("brews"), N("cup"), A(I(1), I(), I())], [],
        [D(I(0, 1), I(), I(2))], [A(_, _, I(0, 1))]],
       [A_LEAF, END, END, "D <urn:leaf> <urn:brews> <tag:cup>", END, "A <urn:leaf> <urn:brews> <tag:leaf>", END])
accept("P-67a", "Name 0 is the one after that of the IRI before, from 1 on.",
       [[OPT(names=9), *[N(f"urn:{n}") for n in range(1, 10)], A(I(), I(), I()), A(I(0, 7), I(), I()),
         A(I(0, 2), I(0, 2), I())]],
       ["A <urn:1> <urn:2> <urn:3>", "A <urn:7> <urn:8> <urn:9>", "A <urn:2> <urn:2> <urn:3>", END])
accept("P-67b", "A repeated term and a literal's datatype do not move the count of names.",
       [[OPT(datatypes=1), *SEED, N("urn:pot"), DT("urn:grams"), A(_, _, L("3", datatype=1)), D(_, _, B("b")),
         A(_, _, I())]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "3"^^<urn:grams>', "D <urn:leaf> <urn:brews> _:b",
        "A <urn:leaf> <urn:brews> <urn:pot>", END])
accept("P-68a", "After a prefix, an IRI without one names the empty prefix.",
       [[OPT(prefixes=2), PX("urn:"), PX(""), N("leaf"), N("brews"), N("whole"), A(I(1), I(), I(2)), A(_, _, I(1, 1))]],
       ["A <urn:leaf> <urn:brews> <whole>", "A <urn:leaf> <urn:brews> <urn:leaf>", END])


# --- statements and repeated terms

for _letter, _position, _row in (
    ("a", "subject", A(_, I(), I())), ("b", "predicate", A(I(), _, I())), ("c", "object", D(I(), I(), _)),
    ("d", "term at all", A(_, _, _)),
):
    reject(f"P-71{_letter}", f"The first statement has no {_position}.", [[OPT(), *NAMES, _row]])
reject("P-71e", "The first statement has no object, though a prefix and a transaction came before it.",
       [[OPT(), *NAMES, PA("t", I()), TX, A(I(), I(), _)]])
reject("P-72a", "The first quad has no graph.", [[OPT(statement=QUADS), *NAMES, LEAF]])
reject("P-72b", "The first quad has no graph, though a header came before it.",
       [[OPT(statement=QUADS), N("urn:id"), *NAMES, H("id", I()), LEAF]])
accept("P-73a", "Additions and deletions share the repeated terms.",
       [[OPT(), *SEED, AGAIN, A(_, _, L("x")), AGAIN]],
       [A_LEAF, D_LEAF, 'A <urn:leaf> <urn:brews> "x"', 'D <urn:leaf> <urn:brews> "x"', END])
accept("P-74a", "Terms repeat over the ends of frames, transactions and patches.",
       [[OPT(PUNCTUATED), TX, *SEED], [TC, MARK], [TX, AGAIN, TA, A(_, _, _), MARK]],
       ["TX", A_LEAF, "TC", END, "TX", D_LEAF, "TA", A_LEAF, END])
accept("P-75a", "A repeat of a repeat is the same term, and each position repeats by itself.",
       [[OPT(), *SEED, AGAIN, A(B("s"), _, _), A(_, I(0, 1), _), A(_, _, L("o")), AGAIN, D(_, I(0, 2), _)]],
       [A_LEAF, D_LEAF, "A _:s <urn:brews> <urn:cup>", "A _:s <urn:leaf> <urn:cup>", 'A _:s <urn:leaf> "o"',
        'D _:s <urn:leaf> "o"',
        'D _:s <urn:brews> "o"', END])
accept("P-76a", "A prefix without graph is in that of the statement before it.",
       [[OPT(statement=QUADS), *SEED_QUAD, PA("t", I(0, 1)), PD("t")]],
       [A_SHELF, 'PA "t" <urn:leaf> <urn:shelf>', 'PD "t" - <urn:shelf>', END])
accept("P-76b", "A statement without graph is in that of the prefix before it.",
       [[OPT(statement=QUADS), *NAMES, N("urn:shelf"), PA("t", I(), DG), A(I(0, 1), I(), I()), PD("t", _, I()), AGAIN]],
       ['PA "t" <urn:leaf> DEFAULT', f"A {LEAF_TERMS} DEFAULT", 'PD "t" - <urn:shelf>', f"D {LEAF_TERMS} <urn:shelf>",
        END])

for _letter, _where, _row in (
    ("a", "subject of a quoted subject", A(Q(_, I(0, 2), I(0, 3)), _, _)),
    ("b", "predicate of a quoted object", A(_, _, Q(I(0, 1), _, I(0, 3)))),
    ("c", "object of a quoted object", D(_, _, Q(I(0, 1), I(0, 2), _))),
    ("d", "object of a triple that a quoted triple quotes", A(_, _, Q(I(0, 1), I(0, 2), Q(I(0, 1), I(0, 2), _)))),
    ("e", "predicate of a triple that a header quotes", H("k", Q(I(0, 1), _, I(0, 3)))),
    ("f", "whole of a quoted object", A(_, _, Q(_, _, _))),
):
    reject(f"P-77{_letter}", f"The {_where} is not set.", [[OPT(star=1), *SEED, _row]])
accept("P-78a", "What repeats is a quoted triple as a whole, never a term inside it.",
       [[OPT(star=1), *NAMES, N("urn:says"), A(Q(I(), I(), I()), I(), Q(B("a"), I(0, 2), B("c"))), AGAIN,
         A(B("b"), _, _), AGAIN]],
       [f"A << {LEAF_TERMS} >> <urn:says> << _:a <urn:brews> _:c >>",
        f"D << {LEAF_TERMS} >> <urn:says> << _:a <urn:brews> _:c >>",
        "A _:b <urn:says> << _:a <urn:brews> _:c >>", "D _:b <urn:says> << _:a <urn:brews> _:c >>", END])
_eleven = [N(f"urn:{n}") for n in range(1, 12)]
accept("P-79a", "Ids count through quoted triples depth first, then on to the graph.",
       [[OPT(statement=QUADS, names=16, star=1), *_eleven,
         A(Q(Q(I(), I(), I()), I(), I()), I(), Q(I(), I(), Q(I(), I(), B("b"))), I())]],
       ["A << << <urn:1> <urn:2> <urn:3> >> <urn:4> <urn:5> >> <urn:6> "
        "<< <urn:7> <urn:8> << <urn:9> <urn:10> _:b >> >> <urn:11>", END])
accept("P-79b", "Ids count as subject, predicate, object, graph, in whatever order these are on the wire.",
       [[OPT(statement=QUADS), *NAMES, N("urn:shelf"), A(I(), I(), I(), I(), order="gops"),
         A(I(0, 1), I(), I(), I(), order="pgso")]],
       [A_SHELF, A_SHELF, END])
accept("P-79c", "The same holds inside a quoted triple.",
       [[OPT(star=1), *_eleven[:5], A(I(), I(), Q(I(), I(), I(), order="ops"), order="ops")]],
       ["A <urn:1> <urn:2> << <urn:3> <urn:4> <urn:5> >>", END])
accept("P-80a", "Terms that only look alike are different terms.",
       [[OPT(datatypes=2), N("urn:leaf"), N("urn:brews"), N("b"), DT("urn:grams"),
         DT("http://www.w3.org/2001/XMLSchema#integer"), A(I(), I(), L("1")),
         A(_, _, L("1", datatype=1)), A(_, _, L("1", datatype=2)), A(_, _, L("01", datatype=2)), A(_, _, L("1", "en")),
         A(_, _, B("b")), A(_, _, I()),
         A(_, _, L("b"))]],
       [f"A <urn:leaf> <urn:brews> {o}" for o in (
           '"1"', '"1"^^<urn:grams>', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
           '"01"^^<http://www.w3.org/2001/XMLSchema#integer>',
           '"1"@en', "_:b", "<b>", '"b"')] + [END])


# --- prefixes

accept("P-85a", "A prefix may have any name, also the empty one.",
       [[OPT(), *NAMES, PA("", I()), PA("tea", I()), PA("чай", I()), PD("")]],
       ['PA "" <urn:leaf>', 'PA "tea" <urn:brews>', 'PA "чай" <urn:cup>', 'PD "" -', END])
reject("P-87a", "A prefix is bound without a namespace.", [[OPT(), PA("t", _)]])
reject("P-87b", "A prefix is bound without a namespace, after one that had one.",
       [[OPT(), *NAMES, PA("t", I()), PA("u", _)]])
accept("P-88a", "A prefix is unbound with and without its namespace.",
       [[OPT(), *NAMES, PD("t"), PD("t", I())]], ['PD "t" -', 'PD "t" <urn:leaf>', END])
accept("P-89a", "The namespace of a PD row counts as an IRI.",
       [[OPT(), N("urn:"), *NAMES, PD("t", I()), LEAF]], ['PD "t" <urn:>', A_LEAF, END])
accept("P-89b", "A PD row without a namespace moves no count.", [[OPT(), *NAMES, PD("t"), LEAF]],
       ['PD "t" -', A_LEAF, END])
either("P-90a", "The first row of a QUADS stream binds a prefix and has no graph, as captures by Jelly-JVM do.",
       [[OPT(statement=QUADS), *NAMES, PA("t", I())]], ['PA "t" <urn:leaf>', END])
either("P-90b", "The first row of a QUADS stream unbinds a prefix and has no graph.",
       [[OPT(statement=QUADS), PD("t")]], ['PD "t" -', END])
either("P-90c", "Prefixes have no graph before the first graph of a QUADS stream, and repeat it after that.",
       [[OPT(statement=QUADS), *NAMES, PA("t", I()), PD("t"), N("urn:shelf"), A(I(0, 1), I(), I(), I()), PA("t", I(0, 1))]],
       ['PA "t" <urn:leaf>', 'PD "t" -', A_SHELF, 'PA "t" <urn:leaf> <urn:shelf>', END])
reject("P-90d", "A prefix without a graph is none for the first quad of the stream to repeat.",
       [[OPT(statement=QUADS), *NAMES, PA("t", I()), A(I(0, 1), I(), I())]], "P-72")
accept("P-91a", "The namespace counts before the graph, in whatever order these are on the wire.",
       [[OPT(statement=QUADS), *NAMES, PA("t", I(), I()),
         Row('PA("u" I(0,1) I(0,0)) [on the wire: graph, namespace, name]', "namespace_add",
             PA("", _, I()).body[2:] + PA("", I(0, 1)).body[2:] + put(patch.RdfPatchNamespace, "name", "u"))]],
       ['PA "t" <urn:leaf> <urn:brews>', 'PA "u" <urn:leaf> <urn:brews>', END])
accept("P-92a", "The graph of a prefix is an IRI, a blank node, or the default graph.",
       [[OPT(statement=QUADS), *NAMES, PA("a", I(), I()), PA("b", I(0, 1), B("g")), PD("c", I(0, 1), DG)]],
       ['PA "a" <urn:leaf> <urn:brews>', 'PA "b" <urn:leaf> _:g', 'PD "c" <urn:leaf> DEFAULT', END])
accept("P-93a", "A namespace is no subject, predicate or object to repeat.",
       [[OPT(), *SEED, PA("t", I(0, 1)), AGAIN, PD("t", I(0, 3)), A(_, _, _)]],
       [A_LEAF, 'PA "t" <urn:leaf>', D_LEAF, 'PD "t" <urn:cup>', A_LEAF, END])


# --- transactions

accept("P-100a", "Rows of every kind stand inside and outside of transactions.",
       [[OPT(), *NAMES, LEAF, H("k", L("v")), PA("t", I(0, 1)), TX, H("k", L("w")), PD("t"), AGAIN, TC, A(_, _, _),
         PA("t", I(0, 1)), TX, TA, AGAIN]],
       [A_LEAF, 'H "k" "v"', 'PA "t" <urn:leaf>', "TX", 'H "k" "w"', 'PD "t" -', D_LEAF, "TC", A_LEAF,
        'PA "t" <urn:leaf>', "TX", "TA", D_LEAF, END])
accept("P-100b", "A stream has no transactions.", [[OPT(), *SEED, AGAIN]], [A_LEAF, D_LEAF, END])
for _letter, _sentence, _rows in (
    ("a", "A commit comes before any transaction began.", [TC]),
    ("b", "An abort comes before any transaction began.", [TA]),
    ("c", "A transaction is committed twice.", [TX, TC, TC]),
    ("d", "A transaction is aborted, then committed.", [TX, TA, TC]),
):
    either(f"P-101{_letter}", _sentence, [[OPT(), *_rows]], [*(row.notation for row in _rows), END])
either("P-102a", "A transaction begins within another.", [[OPT(), TX, *SEED, TX, TC]], ["TX", A_LEAF, "TX", "TC", END])
_six = [TX, TC, TX, TA, TX, TC]
for _letter, _stream, _rows in ("a", OPT(), _six), ("b", OPT(FRAME), _six), ("c", OPT(PUNCTUATED), [*_six, MARK]):
    accept(f"P-103{_letter}", "One frame holds several transactions.", [[_stream, *_rows]],
           ["TX", "TC", "TX", "TA", "TX", "TC", END])
either("P-104a", "A transaction of a PUNCTUATED stream spans two patches.",
       [[OPT(PUNCTUATED), TX, *SEED, MARK], [AGAIN, TC, MARK]], ["TX", A_LEAF, END, D_LEAF, "TC", END])
reject("P-105a", "A FLAT stream ends within a transaction.", [[OPT(), TX, *SEED, TC, TX], [AGAIN]])
reject("P-105b", "A FRAME stream ends within a transaction.", [[OPT(FRAME), *SEED], [TX, AGAIN]])
reject("P-105c", "A PUNCTUATED stream ends within a transaction, after a mark.", [[OPT(PUNCTUATED), TX, *SEED, MARK]])
reject("P-105d", "A PUNCTUATED stream ends within a transaction, without a mark.",
       [[OPT(PUNCTUATED), *SEED, MARK, TX, AGAIN]])


# --- headers

accept("P-110a", "The key of a header is any text, also none, and keys may come again.",
       [[OPT(), H("", L("1")), H("ключ", L("2")), H('a "b"\n', L("3")), H("k", L("4")), H("k", L("4"))]],
       ['H "" "1"', 'H "ключ" "2"', 'H "a \\"b\\"\\n" "3"', 'H "k" "4"', 'H "k" "4"', END])
reject("P-111a", "A header has no value.", [[OPT(), H("k", _)]])
reject("P-111b", "A header has no value, after one that had one: header values do not repeat.",
       [[OPT(), H("k", L("v")), H("k", _)]])
accept("P-112a", "The value of a header is an IRI, a blank node, a literal or a quoted triple.",
       [[OPT(star=1, datatypes=1), *NAMES, DT("urn:grams"), H("a", I()), H("b", B("b")), H("c", L("3", datatype=1)),
         H("d", L("x", "pl")), H("e", L("x")),
         H("f", Q(I(0, 1), I(), I()))]],
       ['H "a" <urn:leaf>', 'H "b" _:b', 'H "c" "3"^^<urn:grams>', 'H "d" "x"@pl', 'H "e" "x"',
        f'H "f" << {LEAF_TERMS} >>', END])
accept("P-113a", "The value of a header counts as an IRI.", [[OPT(), N("urn:id"), *NAMES, H("id", I()), LEAF]],
       ['H "id" <urn:id>', A_LEAF, END])
accept("P-114a", "The value of a header is no subject, predicate or object to repeat.",
       [[OPT(), *SEED, H("k", L("v")), AGAIN, H("k", I(0, 1)), A(_, _, _)]],
       [A_LEAF, 'H "k" "v"', D_LEAF, 'H "k" <urn:leaf>', A_LEAF, END])
reject("P-114b", "The first statement has no object, though a header came before it.",
       [[OPT(), *NAMES, H("k", L("v")), A(I(), I(), _)]], "P-71")
accept("P-115a", "Headers stand in the middle and at the end of a patch.",
       [[OPT(FRAME), *SEED, H("k", L("1")), AGAIN], [TX, H("k", L("2")), TC, H("k", L("3"))]],
       [A_LEAF, 'H "k" "1"', D_LEAF, END, "TX", 'H "k" "2"', "TC", 'H "k" "3"', END])


# --- terms

XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"
accept("P-120a", "A literal is a plain string, has a language, or has a datatype.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), A(_, _, L("x")), A(_, _, L("x", "en")),
         A(_, _, L("x", datatype=1))]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "x"', 'A <urn:leaf> <urn:brews> "x"@en',
        'A <urn:leaf> <urn:brews> "x"^^<urn:grams>', END])
accept("P-120b", "The text of a literal may be empty, with a language and a datatype too.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), A(_, _, L("")), A(_, _, L("", "en")), A(_, _, L("", datatype=1)),
         A(_, _, Term("LITERAL{}", "literal", b""))]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> ""', 'A <urn:leaf> <urn:brews> ""@en',
        'A <urn:leaf> <urn:brews> ""^^<urn:grams>',
        'A <urn:leaf> <urn:brews> ""', END])
_odd = "\x00\x01\b\t\n\x0b\f\r\x1f \"'\\\x7f\x85\u00e9\u2028\ufeff\ufffd\ufffe\uffff\U0001f375\U0010ffff"
accept("P-120c", "The text of a literal is any text: controls, quotes, and characters of every length.",
       [[OPT(), *SEED, A(_, _, L(_odd)), A(_, _, L(_odd, "en"))]],
       [A_LEAF, f'A <urn:leaf> <urn:brews> "{escape(_odd)}"', f'A <urn:leaf> <urn:brews> "{escape(_odd)}"@en', END])
accept("P-120d", "A datatype of xsd:string makes the same literal as none.",
       [[OPT(datatypes=1), *SEED, DT(XSD_STRING), A(_, _, L("x", datatype=1)), D(_, _, L("x"))]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "x"', 'D <urn:leaf> <urn:brews> "x"', END])
accept("P-120e", "Language tags have regions, scripts and any case.",
       [[OPT(), *SEED, *(A(_, _, L("x", tag)) for tag in ("en-gb", "DE", "zh-Hant-TW", "x-tea"))]],
       [A_LEAF, *(f'A <urn:leaf> <urn:brews> "x"@{tag}' for tag in ("en-GB", "de", "zh-hant-tw", "x-tea")), END])
accept("P-120f", "A language tag ends in a base direction.",
       [[OPT(), *SEED, A(_, _, L("שלום", "he--rtl")), A(_, _, L("x", "en--ltr"))]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "שלום"@he--rtl', 'A <urn:leaf> <urn:brews> "x"@en--ltr', END])
reject("P-120g", "A language tag is empty.", [[OPT(), *SEED, A(_, _, L("x", ""))]])
reject("P-120h", "A language tag has a space in it.", [[OPT(), *SEED, A(_, _, L("x", "en gb"))]])
reject("P-120i", "A language tag would end the literal in text.", [[OPT(), *SEED, A(_, _, L("x", "en> ."))]])
_labels = ("b0", "0", "a.b", "·", "ünï", "a-b_c:d")
accept("P-120j", "The label of a blank node is any text.",
       [[OPT(), *SEED, *(A(_, _, B(label)) for label in _labels)]],
       [A_LEAF, *a_leaf([f"_:{label}" for label in _labels]), END])
_iris = ("http://e.example/ü/茶?q=%7E#x", "http://e.example/a/../b", "cup", "#")
accept("P-120k", "IRIs come as they are: with other letters, with percent signs, with dots, and relative ones.",
       [[OPT(), *SEED, *(part for iri in _iris for part in (N(iri, 4), A(_, _, I(0, 4))))]],
       [A_LEAF, *a_leaf([f"<{iri}>" for iri in _iris]), END])
accept("P-120l", "A character that text would escape is kept in an IRI.",
       [[OPT(), *SEED, N('urn:a b<c>"d'), A(_, _, I())]],
       [A_LEAF, "A <urn:leaf> <urn:brews> <urn:a\\u0020b\\u003Cc\\u003E\\u0022d>", END])

accept("P-121a", "A stream in which everything counts on something else decodes as the rules say.",
       [[OPT(PUNCTUATED, QUADS, prefixes=8), PX("https://tea.example/"), N("patch/7"), H("id", I(1)), N(""), N("shelf"),
         PA("tea", I(), I()), TX, N("cup"), A(B("b1"), I(), B("b2"))],
        [N("brews"), N("leaf", 1), D(I(0, 1), I(0, 5), _), TC, MARK]],
       ['H "id" <https://tea.example/patch/7>', 'PA "tea" <https://tea.example/> <https://tea.example/shelf>', "TX",
        "A _:b1 <https://tea.example/cup> _:b2 <https://tea.example/shelf>",
        "D <https://tea.example/leaf> <https://tea.example/brews> _:b2 <https://tea.example/shelf>", "TC", END])

"""Cases about the stream as a whole: frames, patches, options, sizes, damage. P-01 to P-58, P-124 to P-126."""

from __future__ import annotations

from vector_case import (
    A_LEAF, A_SHELF, AGAIN, D_LEAF, END, LEAF, LEAF_TERMS, NAMES, SEED, SEED_QUAD, a_leaf, accept, either,
    reject,
)
from vector_rows import (
    DG, DT, FRAME, MARK, PA, PD, PUNCTUATED, PX, QUADS, TA, TC, TX, UNKNOWN,
    A, B, D, H, I, L, N, OPT, Part, Position, Q, Raw, Row, Term,
    blob_field, delimited, field_number, frame, loaded, notation, number_field, patch, put, raw_row, rdf, varint,
)

# A position that stays unset.
_: Position = None
TWO_31 = 1 << 31
BEYOND = {"just beyond the table": 0, "2^31-1": TWO_31 - 1, "2^31": TWO_31, "2^32-1": 2 * TWO_31 - 1}


# --- container, frames, rows

accept("P-01a", "Fields that no schema has, of every wire type, stand between the rows of a frame.",
       [[UNKNOWN, OPT(), UNKNOWN, *SEED, UNKNOWN], [UNKNOWN], [UNKNOWN, AGAIN]], [A_LEAF, D_LEAF, END])
accept("P-01b", "Fields that no schema has stand inside every kind of row and of term.",
       [[loaded(OPT(PUNCTUATED, QUADS, prefixes=1, datatypes=1, star=1)), *map(loaded, NAMES), loaded(PX("urn:")),
         loaded(DT("urn:grams")), loaded(H("k", loaded(L("v")))), loaded(TX),
         loaded(A(loaded(I()), loaded(I()), loaded(L("3", datatype=1)), loaded(DG))),
         loaded(D(loaded(Q(loaded(I(0, 1)), loaded(I()), B("b"))), _, _)),
         loaded(PA("t", loaded(I()), DG)), loaded(PD("t")), loaded(TC), loaded(TX), loaded(TA), loaded(MARK)]],
       ['H "k" "v"', "TX", 'A <urn:leaf> <urn:brews> "3"^^<urn:grams> DEFAULT',
        'D << <urn:leaf> <urn:brews> _:b >> <urn:brews> "3"^^<urn:grams> DEFAULT', 'PA "t" <urn:cup> DEFAULT',
        'PD "t" - DEFAULT', "TC", "TX", "TA", END])
accept("P-01c", "Of two kinds in one row the last on the wire counts, and the ids of the other do not.",
       [[OPT(), *NAMES,
         raw_row('ROW{D(I(0,0) I(0,0) "x"), then A(I(0,0) I(0,0) I(0,0))}', D(I(), I(), L("x")).arm + LEAF.arm)]],
       [A_LEAF, END])
accept("P-01d", "Of two subjects in one statement the last on the wire counts.",
       [[OPT(), *NAMES,
         Row("A(_:b, then I(0,0), I(0,0) I(0,0))", "statement_add", A(B("b"), I(), I()).body + A(I(), _, _).body)]],
       [A_LEAF, END])
_language_last = L("3", datatype=1).body + put(rdf.RdfLiteral, "langtag", "en")
accept("P-01e", "Of a language tag and a datatype in one literal the last on the wire counts.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"),
         A(_, _, Term('"3"@en, then ^^#1', "literal", L("3", "en", 1).body)),
         A(_, _, Term('"3"^^#1, then @en', "literal", _language_last))]],
       [A_LEAF, *a_leaf(['"3"^^<urn:grams>', '"3"@en']), END])
accept("P-01f", "A number or string that comes twice in a message counts as it came last.",
       [[OPT(), Row('N[5, then 1]="x, then urn:leaf"', "name", N("x", 5).body + N("urn:leaf", 1).body), *NAMES[1:],
         LEAF]],
       [A_LEAF, END])
_no_subject = number_field(field_number(rdf.RdfQuad, "s_iri"), 3) + A(_, _, L("x")).body
accept("P-01g", "A field of a known number but another wire type is an unknown field: the subject repeats.",
       [[OPT(), *SEED, Row('A(· · "x") and s_iri as a number', "statement_add", _no_subject)]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "x"', END])
_type_as_bytes = blob_field(field_number(patch.RdfPatchOptions, "statement_type"), b"\xff\x00")
accept("P-01q", "The options hold a known field of another wire type, with bytes that are no string.",
       [[raw_row("ROW{OPT(…) and statement_type as bytes}",
                 put(patch.RdfPatchRow, "options", OPT().body + _type_as_bytes)), *SEED]], [A_LEAF, END])
accept("P-01h", "An id wider than 32 bits counts with its lower 32 bits, as protobuf has it.",
       [[OPT(), *NAMES, A(I(0, (1 << 32) + 1), I(), I())]], [A_LEAF, END])

accept("P-01i", "A kind of row that comes twice in a row is one message, with the fields of both.",
       [[OPT(), *NAMES,
         raw_row('ROW{A(I(0,1) · ·), then A(· I(0,2) I(0,3))}', A(I(0, 1), _, _).arm + A(_, I(0, 2), I(0, 3)).arm),
         raw_row('ROW{A(_:b · "x"), then A(· · "y")}', A(B("b"), _, L("x")).arm + A(_, _, L("y")).arm)]],
       [A_LEAF, 'A _:b <urn:brews> "y"', END])
_leaf_in_pieces = A(I(1), _, I(1)).body + A(I(0, 1), I(1, 2), _).body + A(_, _, I(0, 3)).body
accept("P-01j", "An IRI that comes twice in a position is one message: its ids are put together.",
       [[OPT(prefixes=2), PX("urn:"), N("leaf"), N("brews"), N("cup"),
         Row("A(I(1,·) then I(·,1), I(1,2), I(1,·) then I(·,3))", "statement_add", _leaf_in_pieces)]], [A_LEAF, END])
_datatype_only = put(rdf.RdfLiteral, "datatype", 1)
_language_only = put(rdf.RdfLiteral, "langtag", "en")
accept("P-01k", "A literal that comes twice in a position is one message.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"),
         Row('A(· · "3" then ^^#1)', "statement_add",
             A(_, _, L("3")).body + A(_, _, Term("^^#1", "literal", _datatype_only)).body),
         Row('A(· · ^^#1 then "3"@en then nothing)', "statement_add",
             A(_, _, Term("^^#1", "literal", _datatype_only)).body + A(_, _, L("3", "en")).body
             + A(_, _, Term("nothing", "literal", b"")).body),
         Row('A(· · @en then "4")', "statement_add",
             A(_, _, Term("@en", "literal", _language_only)).body + A(_, _, L("4")).body)]],
       [A_LEAF, *a_leaf(['"3"^^<urn:grams>', '"3"@en', '"4"@en']), END])
_inner = Term("<<I(0,1) · ·>> then <<· I(0,2) I(0,3)>>", "triple_term",
              Q(I(0, 1), _, _).body + Q(_, I(0, 2), I(0, 3)).body)
_outer = A(_, _, Q(_inner, _, B("x"))).body + A(_, _, Q(_, I(0, 1), B("y"))).body
accept("P-01l", "A quoted triple that comes in pieces is one, also within another that does.",
       [[OPT(star=1), *SEED, N("urn:pot"), Row("A(· · <<in pieces>>)", "statement_add", _outer), A(_, _, Q(I(), I(), I()))]],
       [A_LEAF, *a_leaf([f"<< << {LEAF_TERMS} >> <urn:leaf> _:y >>", "<< <urn:brews> <urn:cup> <urn:pot> >>"]), END])
accept("P-01m", "The value of a header, a namespace and its graph are put together of pieces as well.",
       [[OPT(statement=QUADS, prefixes=1), PX("urn:"), N("leaf"), N("brews"), N("cup"),
         Row('H("k" I(1,·) then I(·,1))', "header", H("k", I(1)).body + H("k", I(0, 1)).body),
         Row('PA("t" I(1,·) then I(·,2), I(1,·) then I(·,3))', "namespace_add",
             PA("u", I(1), I(1)).body + PA("t", I(0, 2), I(0, 3)).body),
         Row('PD("t" DG then DG)', "namespace_delete", PD("t", _, DG).body + PD("t", _, DG).body)]],
       ['H "k" <urn:leaf>', 'PA "t" <urn:brews> <urn:cup>', 'PD "t" - DEFAULT', END])
accept("P-01n", "Another member of the oneof ends what was there of the first: pieces before it do not count.",
       [[OPT(), *NAMES,
         Row("A(I(0,3) then _:b then I(0,·), I(0,0) I(0,0))", "statement_add",
             A(I(0, 3), _, _).body + A(B("b"), _, _).body + A(I(), I(), I()).body),
         raw_row('ROW{A(_:b · ·), then D(· · "x"), then A(· · "y")}',
                 A(B("b"), _, _).arm + D(_, _, L("x")).arm + A(_, _, L("y")).arm)]],
       [A_LEAF, *a_leaf(['"y"']), END])
_second_options = number_field(field_number(patch.RdfPatchOptions, "max_name_table_size"), 8)
accept("P-01o", "Options and lookup entries that come in pieces are one row each.",
       [[raw_row("ROW{OPT(names=7), then OPT(names=8)}",
                 OPT(names=7).arm + put(patch.RdfPatchRow, "options", _second_options)),
         raw_row('ROW{N[1]="x", then N="urn:leaf"}', N("x", 1).arm + N("urn:leaf").arm), *NAMES[1:], LEAF]],
       [A_LEAF, END])
accept("P-01p", "A flag of the options is set by every number but zero, also by one whose lower 32 bits are zero.",
       [[OPT(star=1 << 32, generalized=1 << 63), *NAMES, A(I(), B("p"), I()), A(_, _, Q(I(0, 1), I(), I()))]],
       ["A <urn:leaf> _:p <urn:brews>", f"A <urn:leaf> _:p << {LEAF_TERMS} >>", END])

accept("P-03a", "Empty frames stand between and after the frames of a delimited stream.",
       [[OPT(), *SEED], [], [], [AGAIN], []], [A_LEAF, D_LEAF, END])
accept("P-03b", "A frame is so long that its length takes two bytes.",
       [[OPT(), *SEED, A(_, _, L("tea " * 60))], [AGAIN]],
       [A_LEAF, f'A <urn:leaf> <urn:brews> "{"tea " * 60}"', f'D <urn:leaf> <urn:brews> "{"tea " * 60}"', END])
_padded = frame([OPT(), *SEED])
accept("P-03c", "The length of a frame takes more bytes than it needs.",
       Raw(f"{notation([[OPT(), *SEED]])} [length with a zero byte too many]",
           varint(len(_padded) | 1 << 14)[:2] + b"\x00" + _padded), [A_LEAF, END])
accept("P-03d", "Every row has a frame of its own.", [[part] for part in [OPT(), *SEED, AGAIN]], [A_LEAF, D_LEAF, END])
accept("P-03e", "The length of a frame takes ten bytes, as many as a number may.",
       Raw(f"{notation([[OPT(), *SEED]])} [length with eight zero bytes too many]",
           bytes([len(_padded) & 0x7F | 0x80]) + b"\x80" * 8 + b"\x00" + _padded), [A_LEAF, END])

accept("P-05a", "A name of the first frame is used in the second, then overwritten and used again.",
       [[OPT(), *NAMES], [LEAF, N("urn:pot", 3), A(_, _, I(0, 3))]],
       [A_LEAF, "A <urn:leaf> <urn:brews> <urn:pot>", END])

reject("P-07a", "A row holds nothing.", [[OPT(), raw_row("ROW{}", b""), *SEED]])
reject("P-07b", "A row holds only a field that no schema has.", [[OPT(), raw_row("ROW{UNKNOWN}", UNKNOWN.data)]])
_row_number = number_field(field_number(patch.RdfPatchRow, "statement_add"), 1)
reject("P-07c", "A row holds a known field, but with another wire type.",
       [[OPT(), raw_row("ROW{statement_add as a number}", _row_number)]])
reject("P-07d", "The first row holds nothing, and the options follow.", [[raw_row("ROW{}", b""), OPT()]])

accept("P-08a", "A row of each kind is its event, in the order of the stream.",
       [[OPT(), *NAMES, H("k", L("v")), TX, LEAF, AGAIN, PA("t", I(0, 1)), PD("t"), TC, TX, TA]],
       ['H "k" "v"', "TX", A_LEAF, D_LEAF, 'PA "t" <urn:leaf>', 'PD "t" -', "TC", "TX", "TA", END])

for _letter, _field in ("a", 9), ("b", 10):
    reject(f"P-09{_letter}", f"A row holds only the reserved field {_field}, which is no kind of row.",
           [[OPT(), raw_row(f"ROW{{field {_field}}}", blob_field(_field, LEAF.body))]], "P-07")

accept("P-10a", "Lookup entries and options make no events: a FLAT stream of them is one empty patch.",
       [[OPT(prefixes=2, datatypes=2), N("x"), PX("y"), DT("z")]], [END])
accept("P-10b", "Lookup entries and options make no events: a FRAME stream of them is an empty patch a frame.",
       [[OPT(FRAME), N("x")], [N("y")]], [END, END])
accept("P-10c", "Lookup entries and options make no events: a PUNCTUATED stream of them holds no patch.",
       [[OPT(PUNCTUATED), N("x")], [N("y")]], [])


# --- patch stream type

reject("P-11a", "The stream type is left unspecified.", [[OPT(stream=0), *SEED]])
reject("P-12a", "The stream type is a number that the protocol does not have.", [[OPT(stream=7), *SEED]])
reject("P-12b", "The stream type is a negative number.", [[OPT(stream=-1), *SEED]])

accept("P-13a", "Every frame of a FRAME stream is a patch, also one without rows.",
       [[OPT(FRAME), *SEED], [], [AGAIN]], [A_LEAF, END, END, D_LEAF, END])
accept("P-13b", "Empty frames at the start of a FRAME stream are empty patches.",
       [[], [], [OPT(FRAME), *SEED]], [END, END, A_LEAF, END])
accept("P-13c", "Empty frames at the end of a FRAME stream are empty patches.",
       [[OPT(FRAME), *SEED], [], []], [A_LEAF, END, END, END])
accept("P-13d", "A frame with nothing but the options is an empty patch.", [[OPT(FRAME)], SEED], [END, A_LEAF, END])

reject("P-14a", "A punctuation mark stands in a FRAME stream.", [[OPT(FRAME), *SEED, MARK]])
reject("P-18a", "A punctuation mark stands in a FLAT stream.", [[OPT(), *SEED, MARK]])

either("P-15a", "A transaction of a FRAME stream spans two frames.",
       [[OPT(FRAME), TX, *SEED], [AGAIN, TC]], ["TX", A_LEAF, END, D_LEAF, "TC", END])

accept("P-16a", "A FLAT stream is one patch, however many frames it has.",
       [[], [OPT(), *SEED], [AGAIN], [], [A(_, _, L("x"))]], [A_LEAF, D_LEAF, 'A <urn:leaf> <urn:brews> "x"', END])
accept("P-17a", "A transaction of a FLAT stream spans frames.", [[OPT(), TX], SEED, [TC]], ["TX", A_LEAF, "TC", END])

accept("P-19a", "A mark ends each patch of a PUNCTUATED stream.",
       [[OPT(PUNCTUATED), *SEED, MARK], [AGAIN, MARK]], [A_LEAF, END, D_LEAF, END])
accept("P-19b", "After the last mark there are lookup entries and an empty frame, but no row of a patch.",
       [[OPT(PUNCTUATED), *SEED, MARK, N("x")], [], [N("y")]], [A_LEAF, END])
accept("P-20a", "A mark stands in the middle of a frame.", [[OPT(PUNCTUATED), *SEED, MARK, AGAIN, MARK]],
       [A_LEAF, END, D_LEAF, END])
accept("P-20b", "A mark stands at the start of a frame.", [[OPT(PUNCTUATED), *SEED], [MARK, AGAIN, MARK]],
       [A_LEAF, END, D_LEAF, END])
accept("P-20c", "A mark has a frame of its own.", [[OPT(PUNCTUATED), *SEED], [MARK], [AGAIN], [MARK]],
       [A_LEAF, END, D_LEAF, END])
accept("P-22a", "A mark at the very start ends an empty patch, and so does one after another.",
       [[OPT(PUNCTUATED), MARK, MARK, *SEED, MARK, MARK]], [END, END, A_LEAF, END, END])
accept("P-23a", "A patch and its transaction span frames.", [[OPT(PUNCTUATED), TX], SEED, [TC, MARK]],
       ["TX", A_LEAF, "TC", END])

reject("P-24a", "After the last mark a statement follows.", [[OPT(PUNCTUATED), *SEED, MARK, AGAIN]])
reject("P-24b", "A PUNCTUATED stream has no mark, and ends outside of a transaction.",
       [[OPT(PUNCTUATED), TX, *SEED, TC, AGAIN]])
either("P-24c", "A PUNCTUATED stream has no mark, and ends with a commit, as captures by Jelly-JVM do.",
       [[OPT(PUNCTUATED), TX, *SEED, TC], [TX, AGAIN, TC]], ["TX", A_LEAF, "TC", "TX", D_LEAF, "TC", END])
either("P-24d", "After the last mark there is an aborted transaction.",
       [[OPT(PUNCTUATED), *SEED, MARK, TX, TA]], [A_LEAF, END, "TX", "TA", END])

accept("P-25a", "Lookups, counters and repeated terms outlive the patches of a FRAME stream.",
       [[OPT(FRAME), *SEED], [N("urn:pot"), D(_, _, I())], [A(I(0, 1), _, _)]],
       [A_LEAF, END, "D <urn:leaf> <urn:brews> <urn:pot>", END, "A <urn:leaf> <urn:brews> <urn:pot>", END])
accept("P-25b", "Lookups, counters and repeated terms outlive the patches of a PUNCTUATED stream.",
       [[OPT(PUNCTUATED), *SEED, MARK, N("urn:pot"), D(_, _, I()), MARK], [A(I(0, 1), _, _), MARK]],
       [A_LEAF, END, "D <urn:leaf> <urn:brews> <urn:pot>", END, "A <urn:leaf> <urn:brews> <urn:pot>", END])


# --- statement type

reject("P-30a", "The statement type is left unspecified.", [[OPT(statement=0), *SEED]])
reject("P-31a", "The statement type is a number that the protocol does not have.", [[OPT(statement=9), *SEED]])
reject("P-31b", "The statement type is a negative number.", [[OPT(statement=-2), *SEED]])
accept("P-32a", "A statement of a TRIPLES stream has no graph, not even the default graph.", [[OPT(), *SEED]],
       [A_LEAF, END])
either("P-34a", "A statement of a TRIPLES stream names a graph, which is ignored.",
       [[OPT(), *NAMES, A(I(), I(), I(), DG), AGAIN]], [A_LEAF, D_LEAF, END], "P-33")
either("P-34b", "The ids of a graph that is ignored count like those of any term.",
       [[OPT(), *NAMES, N("urn:shelf"), N("urn:pot"), A(I(), I(), I(), I()), D(_, _, I())]],
       [A_LEAF, "D <urn:leaf> <urn:brews> <urn:pot>", END], "P-33")
either("P-35a", "A prefix of a TRIPLES stream names a graph, which is ignored.",
       [[OPT(), *NAMES, PA("t", I(), I()), PD("t", _, DG)]], ['PA "t" <urn:leaf>', 'PD "t" -', END], "P-33")
accept("P-36a", "The graph of a quad is an IRI, a blank node, or the default graph.",
       [[OPT(statement=QUADS), *SEED_QUAD, D(_, _, _, B("g")), A(_, _, _, DG)]],
       [A_SHELF, f"D {LEAF_TERMS} _:g", f"A {LEAF_TERMS} DEFAULT", END])
accept("P-37a", "A quad without a graph is in that of the quad before, over the ends of patches too.",
       [[OPT(FRAME, QUADS), *SEED_QUAD, A(_, _, L("x"))], [AGAIN]],
       [A_SHELF, 'A <urn:leaf> <urn:brews> "x" <urn:shelf>', END, 'D <urn:leaf> <urn:brews> "x" <urn:shelf>', END])
accept("P-37b", "The default graph repeats like any other.",
       [[OPT(statement=QUADS), *NAMES, A(I(), I(), I(), DG), AGAIN]],
       [f"A {LEAF_TERMS} DEFAULT", f"D {LEAF_TERMS} DEFAULT", END])


# --- options

reject("P-40a", "The first row is a lookup entry, and there are no options.", [SEED])
reject("P-40b", "The options come after a lookup entry.", [[N("urn:leaf"), OPT(), *NAMES[1:], LEAF]])
reject("P-40c", "The first row is a mark, and the options follow.", [[MARK, OPT(PUNCTUATED)]])
reject("P-40d", "There are no bytes at all.", Raw("(no bytes)", b""))
reject("P-40e", "There is one empty frame, so no options.", [[]])
reject("P-40f", "There are two empty frames, so no options.", [[], []])
reject("P-40g", "There are three empty frames, so no options.", [[], [], []])
reject("P-40h", "There is one frame, with an unknown field alone.", [[UNKNOWN]])
accept("P-41a", "Empty frames stand before the options of a FLAT stream.", [[], [], [OPT(), *SEED]], [A_LEAF, END])
accept("P-41b", "Empty frames stand before the options of a PUNCTUATED stream.", [[], [OPT(PUNCTUATED), *SEED, MARK]],
       [A_LEAF, END])
accept("P-42a", "The options come again in the middle of a frame, and nothing is reset.",
       [[OPT(), *SEED, OPT(), AGAIN, A(_, _, I(0, 1))]], [A_LEAF, D_LEAF, "A <urn:leaf> <urn:brews> <urn:leaf>", END])
accept("P-42b", "The options come again at the start of every frame, and nothing is reset.",
       [[OPT(PUNCTUATED), *SEED, MARK], [OPT(PUNCTUATED), N("urn:pot"), D(_, _, I()), MARK],
        [OPT(PUNCTUATED), A(_, _, I(0, 1)), MARK]],
       [A_LEAF, END, "D <urn:leaf> <urn:brews> <urn:pot>", END, "A <urn:leaf> <urn:brews> <urn:leaf>", END])
for _letter, _what, _first, _second in (
    ("a", "stream type", OPT(), OPT(FRAME)),
    ("b", "statement type", OPT(), OPT(statement=QUADS)),
    ("c", "size of the name lookup", OPT(), OPT(names=9)),
    ("d", "size of the prefix lookup", OPT(prefixes=1), OPT()),
    ("e", "size of the datatype lookup", OPT(datatypes=1), OPT(datatypes=2)),
    ("f", "flag for quoted triples", OPT(), OPT(star=1)),
    ("g", "flag for generalized statements", OPT(generalized=1), OPT()),
):
    reject(f"P-43{_letter}", f"The options come again with another {_what}.", [[_first, *SEED], [_second, AGAIN]])

either("P-44a", "A subject is a literal, and the options do not say so.", [[OPT(), *NAMES, A(L("x"), I(), I())]],
       ['A "x" <urn:leaf> <urn:brews>', END])
either("P-44b", "A predicate is a blank node, and the options do not say so.", [[OPT(), *NAMES, A(I(), B("p"), I())]],
       ["A <urn:leaf> _:p <urn:brews>", END])
either("P-44c", "A predicate is a literal, and the options do not say so.",
       [[OPT(), *NAMES, A(I(), L("p", "en"), I())]],
       ['A <urn:leaf> "p"@en <urn:brews>', END])
either("P-44d", "A graph is a literal, and the options do not say so.",
       [[OPT(statement=QUADS), *NAMES, A(I(), I(), I(), L("g"))]], [f'A {LEAF_TERMS} "g"', END])
either("P-44e", "A quoted triple has a literal as subject, and the options do not say so.",
       [[OPT(star=1), *NAMES, A(I(), I(), Q(L("x"), I(), B("o")))]],
       ['A <urn:leaf> <urn:brews> << "x" <urn:cup> _:o >>', END])
either("P-44f", "The graph of a prefix is a literal, and the options do not say so.",
       [[OPT(statement=QUADS), *NAMES, PA("t", I(), L("g"))]], ['PA "t" <urn:leaf> "g"', END])
accept("P-44g", "Where the options say so, every term may stand in every position.",
       [[OPT(statement=QUADS, star=1, generalized=1, datatypes=1), *NAMES, DT("urn:grams"),
         A(L("s"), L("p", "en"), L("o"), L("g", datatype=1)), D(B("s"), B("p"), B("o"), B("g")),
         A(Q(I(), I(), I()), Q(L("a"), B("b"), L("c")), _, DG), PA("t", I(0, 1), L("g"))]],
       ['A "s" "p"@en "o" "g"^^<urn:grams>', "D _:s _:p _:o _:g",
        f'A << {LEAF_TERMS} >> << "a" _:b "c" >> _:o DEFAULT', 'PA "t" <urn:leaf> "g"', END])
either("P-46a", "An object is a quoted triple, and the options do not say so.",
       [[OPT(), *SEED, A(_, _, Q(B("a"), I(0, 2), B("c")))]],
       [A_LEAF, "A <urn:leaf> <urn:brews> << _:a <urn:brews> _:c >>", END])
either("P-46b", "The value of a header is a quoted triple, and the options do not say so.",
       [[OPT(), *NAMES, H("k", Q(I(), I(), I()))]], [f'H "k" << {LEAF_TERMS} >>', END])

reject("P-48a", "The options declare no name lookup.", [[OPT(names=0)]])
reject("P-48b", "The options declare a name lookup of 7 entries.", [[OPT(names=7), *SEED]])
accept("P-48c", "The options declare a name lookup of 8 entries, the smallest there is.", [[OPT(names=8), *SEED]],
       [A_LEAF, END])

_nine = [N(f"urn:{n}") for n in range(1, 10)]
accept("P-49a", "The last entry of the name lookup is set and used.",
       [[OPT(), *SEED, N("urn:pot", 8), A(_, _, I(0, 8))]],
       [A_LEAF, "A <urn:leaf> <urn:brews> <urn:pot>", END])
reject("P-49b", "Nine entries come without ids for a name lookup of 8.", [[OPT(), *_nine]])
reject("P-49c", "The name after the last of the lookup is asked for by an implicit id.",
       [[OPT(), *_nine[:8], A(I(0, 7), I(), I())]])
reject("P-50a", "A prefix is sent where the options declare no prefix lookup.", [[OPT(), PX("urn:")]])
reject("P-50b", "A prefix is referred to where the options declare no prefix lookup.",
       [[OPT(), *NAMES, A(I(1), I(), I())]])
reject("P-50c", "A prefix of id 2^32-1 is referred to where the options declare no prefix lookup.",
       [[OPT(), *NAMES, A(I((1 << 32) - 1), I(), I())]])
accept("P-51a", "The last entry of the prefix lookup is set and used.",
       [[OPT(prefixes=2), PX("urn:", 2), N("leaf"), N("brews"), N("cup"), A(I(2), I(), I())]], [A_LEAF, END])
reject("P-51b", "Three entries come without ids for a prefix lookup of 2.",
       [[OPT(prefixes=2), PX("a"), PX("b"), PX("c")]])
reject("P-53a", "A datatype is sent where the options declare no datatype lookup.", [[OPT(), DT("urn:grams")]])
reject("P-53b", "A datatype is referred to where the options declare no datatype lookup.",
       [[OPT(), *SEED, A(_, _, L("3", datatype=1))]])
accept("P-54a", "The only entry of a datatype lookup of 1 is set, used, overwritten and used again.",
       [[OPT(datatypes=1), *SEED, DT("urn:grams"), A(_, _, L("3", datatype=1)), DT("urn:litres", 1),
         A(_, _, L("3", datatype=1))]],
       [A_LEAF, 'A <urn:leaf> <urn:brews> "3"^^<urn:grams>', 'A <urn:leaf> <urn:brews> "3"^^<urn:litres>', END])
reject("P-54b", "Two entries come without ids for a datatype lookup of 1.",
       [[OPT(datatypes=1), DT("urn:grams"), DT("urn:litres")]])

for _rule, _table, _size, _entry, _use in (
    ("P-49", "name", 8, N, lambda id: A(I(0, id), _, _)),
    ("P-51", "prefix", 2, PX, lambda id: A(I(id, 1), _, _)),
    ("P-54", "datatype", 2, DT, lambda id: A(_, _, L("3", datatype=id))),
):
    _letters = iter("klmnopqr")
    for _name, _id in BEYOND.items():
        _id = _id or _size + 1
        reject(f"{_rule}{next(_letters)}", f"An entry of the {_table} lookup is sent with id {_name}.",
               [[OPT(prefixes=2, datatypes=2), *SEED, _entry("x", _id)]])
        reject(f"{_rule}{next(_letters)}", f"An entry of the {_table} lookup is referred to with id {_name}.",
               [[OPT(prefixes=2, datatypes=2), *SEED, _use(_id)]])

reject("P-55a", "The options have no version.", [[OPT(version=0), *SEED]])
reject("P-58a", "The version is one above the only one there is.", [[OPT(version=2), *SEED]])
reject("P-58b", "The version is one of those for private extensions.", [[OPT(version=10001), *SEED]])
reject("P-58c", "The version is 2^32-1.", [[OPT(version=(1 << 32) - 1), *SEED]])


# --- one frame without a length


def bare(*parts: Part) -> Raw:
    return Raw(f"{notation([parts])} [non-delimited]", frame(parts))


accept("P-124a", "A single frame comes without a length before it.", bare(OPT(), *SEED), [A_LEAF, END])
accept("P-124b", "A frame without a length begins with three bytes of 10.", bare(OPT()), [END])
accept("P-124c", "A frame without a length begins with options of another size.", bare(OPT(names=200), *SEED),
       [A_LEAF, END])
accept("P-124d", "A frame without a length holds two patches.",
       bare(OPT(PUNCTUATED), *SEED, MARK, AGAIN, MARK), [A_LEAF, END, D_LEAF, END])
accept("P-124e", "A frame without a length is one patch of a FRAME stream.", bare(OPT(FRAME), *SEED), [A_LEAF, END])
accept("P-124f", "A delimited frame holds the options alone.", [[OPT()]], [END])
reject("P-124g", "A delimited frame of 10 bytes begins as a frame without a length might; its options have no version.",
       [[OPT(version=0)]], "P-55")


# --- damage

_whole = delimited([[OPT(), *SEED], [AGAIN]])


def damaged(what: str, data: bytes) -> Raw:
    return Raw(f"[{what}]", data)


reject("P-125a", "The last byte is missing.", damaged("two frames, cut by a byte", _whole[:-1]))
reject("P-125b", "The stream ends within the length of a frame.", damaged("two frames and 80", _whole + b"\x80"))
reject("P-125c", "The stream ends after the length of a frame.", damaged("two frames and 05", _whole + b"\x05"))
reject("P-125d", "The length of a frame takes more than ten bytes.",
       damaged("two frames and 80 ten times", _whole + b"\x80" * 10 + b"\x01"))
reject("P-125e", "The stream is text.", damaged("RDF Patch text", b'TX .\nA <urn:leaf> <urn:brews> "x" .\nTC .\n'))


def broken(id: str, sentence: str, what: str, data: bytes) -> None:
    """A frame with these bytes after its rows."""
    reject(id, sentence, [[OPT(prefixes=1, datatypes=1), *SEED, Raw(f"[{what}]", data)]])


broken("P-125f", "A row is longer than what is left of its frame.", "row of 9 bytes, cut", b"\x0a\x09\x12")
broken("P-125g", "A term is longer than its statement.", "term of 9 bytes in a statement of 2",
       b"\x0a\x04\x12\x02\x0a\x09")
broken("P-125h", "A number runs over the end of its term, into the next.", "open number in a term of 2 bytes",
       put(patch.RdfPatchFrame, "rows", put(patch.RdfPatchRow, "statement_add", b"\x0a\x02\x10\x80" + b"\x2a\x00")))
broken("P-125i", "A frame ends within a field's key.", "80", b"\x80")
broken("P-125j", "A number takes more than ten bytes.", "field 20 of 11 bytes", b"\xa0\x01" + b"\xff" * 10 + b"\x01")
broken("P-125k", "A field has the number 0.", "00 00", b"\x00\x00")
broken("P-125l", "A field has a wire type that protobuf does not have.", "wire type 6", b"\xa6\x01\x00")
broken("P-125m", "A group does not end.", "a group's start", b"\xa3\x01")
broken("P-125n", "A group ends that did not begin.", "a group's end", b"\xa4\x01")
broken("P-125o", "A group ends as another.", "groups 20 and 21", b"\xa3\x01\xac\x01")
broken("P-125p", "A number of eight bytes is cut off.", "five of eight bytes", b"\xa1\x01" + b"12345")

_NOT_UTF8 = {
    "a byte that no character has": b"\xff",
    "a character in more bytes than it needs": b"\xc0\x80",
    "half a surrogate pair": b"\xed\xa0\x80",
    "a character that is cut off": b"a\xe2\x82",
    "a character beyond the last of Unicode": b"\xf4\x90\x80\x80",
}
for _letter, (_what, _bytes) in zip("qrstu", _NOT_UTF8.items()):
    reject(f"P-125{_letter}", f"The text of a literal is not UTF-8: {_what}.",
           [[OPT(), *SEED, A(_, _, Term(f'"[{_bytes.hex(" ")}]"', "literal", put(rdf.RdfLiteral, "lex", _bytes)))]])
for _letter, _what, _kind, _message, _name in (
    ("v", "name", "name", rdf.RdfNameEntry, "value"),
    ("w", "prefix of the lookup", "prefix", rdf.RdfPrefixEntry, "value"),
    ("x", "datatype", "datatype", rdf.RdfDatatypeEntry, "value"),
    ("y", "key of a header", "header", patch.RdfPatchHeader, "key"),
):
    _more = H("", L("v")).body if _kind == "header" else b""
    reject(f"P-125{_letter}", f"A {_what} is not UTF-8.",
           [[OPT(prefixes=1, datatypes=1), Row(f"{_kind} [ff]", _kind, _more + put(_message, _name, b"\xff"))]])
reject("P-125z", "The label of a blank node is not UTF-8.", [[OPT(), *SEED, A(_, _, Term("_:[ff]", "bnode", b"\xff"))]])
_bad_name = PA("", I()).body + put(patch.RdfPatchNamespace, "name", b"\xff")
reject("P-125za", "The name of a prefix is not UTF-8.",
       [[OPT(), *NAMES, Row("PA([ff] I(0,0))", "namespace_add", _bad_name)]])


# --- limits


def nested(levels: int) -> Term:
    """A quoted triple that holds the next as its object, so many deep."""
    return Q(B("a"), I(0, 2), nested(levels - 1) if levels > 1 else B("b"))


def nested_event(levels: int) -> str:
    return "<< _:a <urn:brews> " * levels + "_:b" + " >>" * levels


for _letter, _what, _options in (
    ("a", "a name lookup of ten million entries", OPT(names=10_000_000)),
    ("b", "one entry more than the name lookup may have", OPT(names=4097)),
    ("c", "one entry more than the prefix lookup may have", OPT(prefixes=1025)),
    ("d", "one entry more than the datatype lookup may have", OPT(datatypes=257)),
    ("e", "a name lookup of 2^32-1 entries", OPT(names=2 * TWO_31 - 1)),
    ("f", "a prefix lookup of 2^31 entries", OPT(prefixes=TWO_31)),
):
    reject(f"P-126{_letter}", f"The options ask for {_what}.", [[_options, *SEED]])
accept("P-126g", "The options ask for the largest lookups that are read without being told so.",
       [[OPT(names=4096, prefixes=1024, datatypes=256), N("urn:leaf", 4096), PX("urn:", 1024), DT("urn:grams", 256),
         A(I(0, 4096), I(0, 4096), L("3", datatype=256))]], ['A <urn:leaf> <urn:leaf> "3"^^<urn:grams>', END])
accept("P-126h", "A quoted triple is 64 levels deep.", [[OPT(star=1), *SEED, A(_, _, nested(64))]],
       [A_LEAF, *a_leaf([nested_event(64)]), END])
reject("P-126i", "A quoted object is 65 levels deep.", [[OPT(star=1), *SEED, A(_, _, nested(65))]])
reject("P-126j", "A quoted subject is 65 levels deep.", [[OPT(star=1), *SEED, A(nested(65), _, _)]])
reject("P-126k", "The value of a header is a quoted triple 65 levels deep.", [[OPT(star=1), *SEED, H("k", nested(65))]])
reject("P-126l", "A frame claims to be one byte larger than is read without being told so.",
       damaged("two frames and a length of 16 MiB + 1", _whole + varint((16 << 20) + 1)))
reject("P-126m", "A frame claims to be of 2^31-1 bytes.",
       damaged("two frames and a length of 2^31-1", _whole + varint(TWO_31 - 1)))

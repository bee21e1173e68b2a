"""Change formats of other fields become patches: CIM difference models, and members of Linked Data Event Streams."""

from __future__ import annotations

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Dict, List, Optional

import pytest

import jellybridge
from jellybridge import JellybridgeError, PatchLog, changes
from jellybridge.cli import main

CIM = """\
<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cim="http://iec.ch/TC57/CIM100#"
    xmlns:md="http://iec.ch/TC57/61970-552/ModelDescription/1#" xmlns:dm="http://iec.ch/TC57/61970-552/DifferenceModel/1#">
  <dm:DifferenceModel rdf:about="urn:uuid:5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11">
    <md:Model.created>2024-03-01T08:15:00Z</md:Model.created>
    <md:Model.description>New rating of the line Nord 1</md:Model.description>
    <md:Model.Supersedes rdf:resource="urn:uuid:0c8d2f5e-8a55-4c63-9a3e-8a0d8d0c1b02"/>
    <dm:preconditions rdf:parseType="Statements"/>
    <dm:forwardDifferences rdf:parseType="Statements">
      <rdf:Description rdf:about="#_line-1">
        <cim:ACLineSegment.r>2.75</cim:ACLineSegment.r>
        <cim:Equipment.EquipmentContainer rdf:resource="#_bay-2"/>
      </rdf:Description>
      <cim:Terminal rdf:ID="_terminal-9"><cim:IdentifiedObject.name>Klemme "9" &amp; Co</cim:IdentifiedObject.name></cim:Terminal>
    </dm:forwardDifferences>
    <dm:reverseDifferences rdf:parseType="Statements">
      <rdf:Description rdf:about="#_line-1"><cim:ACLineSegment.r>1.5</cim:ACLineSegment.r></rdf:Description>
    </dm:reverseDifferences>
  </dm:DifferenceModel>
</rdf:RDF>
"""
LINE = "<https://grid.example/model#_line-1>"
CIM_ROWS = [
    f'D {LINE} <http://iec.ch/TC57/CIM100#ACLineSegment.r> "1.5"',
    f'A {LINE} <http://iec.ch/TC57/CIM100#ACLineSegment.r> "2.75"',
    f"A {LINE} <http://iec.ch/TC57/CIM100#Equipment.EquipmentContainer> <https://grid.example/model#_bay-2>",
    "A <https://grid.example/model#_terminal-9> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://iec.ch/TC57/CIM100#Terminal>",
    'A <https://grid.example/model#_terminal-9> <http://iec.ch/TC57/CIM100#IdentifiedObject.name> "Klemme \\"9\\" & Co"',
]

PREFIXES = """\
PREFIX ldes: <https://w3id.org/ldes#> PREFIX tree: <https://w3id.org/tree#> PREFIX dct: <http://purl.org/dc/terms/>
PREFIX as: <https://www.w3.org/ns/activitystreams#> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX ex: <https://example.org/>
"""
VERSIONS = PREFIXES + """\
ex:stream a ldes:EventStream ; ldes:versionOfPath dct:isVersionOf ; ldes:timestampPath dct:created ;
  tree:member ex:bridge-v2 , ex:bridge-v1 , ex:bridge-v3 ; tree:view <https://example.org/page> .
ex:bridge-v1 dct:isVersionOf ex:bridge ; dct:created "2024-01-01T00:00:00Z"^^xsd:dateTime ; a ex:Bridge ; ex:name "Old <b> ." ; ex:at [ ex:lat 50 ] .
ex:bridge-v2 dct:isVersionOf ex:bridge ; dct:created "2024-02-01T00:00:00Z"^^xsd:dateTime ; a ex:Bridge ; ex:name "New" .
ex:bridge-v3 dct:isVersionOf ex:bridge ; dct:created "2024-03-01T00:00:00Z"^^xsd:dateTime ; a as:Delete .
"""
ACTIVITIES = PREFIXES + """\
ex:feed a ldes:EventStream ; ldes:versionOfPath as:object ; ldes:timestampPath as:published ; tree:member ex:e1 , ex:e2 , ex:e3 .
ex:e1 a as:Create ; as:object ex:tea ; as:published "2024-01-01T00:00:00Z"^^xsd:dateTime .
ex:e1 { ex:tea a ex:Product ; ex:price 3 . }
ex:e2 a as:Update ; as:object ex:tea ; as:published "2024-01-02T00:00:00Z"^^xsd:dateTime .
ex:e2 { ex:tea a ex:Product ; ex:price 4 . }
ex:e3 a as:Delete ; as:object ex:tea ; as:published "2024-01-03T00:00:00Z"^^xsd:dateTime .
"""


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("diff.xml").write_text(CIM, encoding="utf-8")
    Path("versions.ttl").write_text(VERSIONS)
    Path("activities.trig").write_text(ACTIVITIES)


def rows(patch: changes.Patch, number: int = 0) -> List[str]:
    return [f"{row.op} {row.subject} {row.predicate} {row.object}" for row in patch if row.patch == number and row.subject]


def headers(patch: changes.Patch, number: int = 0) -> List[str]:
    return [f"{row.name} {row.value}" for row in patch if row.patch == number and row.op == "H"]


def test_a_difference_model_is_a_patch() -> None:
    patch = changes.from_cim("diff.xml", base_iri="https://grid.example/model")
    assert sorted(rows(patch)) == sorted(CIM_ROWS)
    assert rows(patch)[0].startswith("D ")
    assert headers(patch) == ["id <urn:uuid:5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11>",
                              'time "2024-03-01T08:15:00+00:00"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
                              'message "New rating of the line Nord 1"']
    with PatchLog.create("log") as log:
        patch.write("one.jellyp")
        assert log.append("one.jellyp") == log.append("one.jellyp")


@pytest.mark.parametrize("about", [' rdf:about="urn:uuid:5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11"', ""])
def test_blank_nodes_of_a_model_are_the_same_each_time(about: str) -> None:
    def model(x: int) -> List[str]:
        text = CIM.replace(' rdf:about="urn:uuid:5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11"', about)
        text = text.replace("</cim:ACLineSegment.r>", f'</cim:ACLineSegment.r><cim:at rdf:parseType="Resource"><cim:x>{x}</cim:x></cim:at>', 1)
        return rows(changes.from_cim(text.encode(), base_iri="https://grid.example/model"))

    one, two = ([row.split()[1] for row in model(x) if row.startswith("A _:")] for x in (1, 2))
    assert model(1) == model(1) and len(one) == 1
    assert (one == two) == bool(about)  # those of a model without a name are by what it says


def test_a_difference_model_says_its_base_and_may_be_compressed() -> None:
    based = CIM.replace('<dm:forwardDifferences rdf:parseType="Statements">',
                        '<dm:forwardDifferences rdf:parseType="Statements" xml:base="https://forward.example/">')
    based = based.replace("<rdf:RDF ", '<rdf:RDF xml:base="https://root.example/" ')
    Path("based.xml.gz").write_bytes(gzip.compress(based.encode()))
    found = rows(changes.from_cim("based.xml.gz"))
    assert found[0].startswith("D <https://root.example/#_line-1>") and found[1].startswith("A <https://forward.example/#_")
    assert len(rows(changes.from_cim((CIM.replace("</rdf:RDF>", "") + CIM[CIM.index("  <dm:Diff"):]).encode(),
                                     base_iri="https://grid.example/model"), 1)) == len(CIM_ROWS)


@pytest.mark.parametrize("content, said", [
    (b"", "no XML"), (CIM.encode()[:900], "no XML"), (b"<a/>", "no dm:DifferenceModel"), (b"\x1f\x8bno", "no XML"), (CIM.encode(), "base"),
    (CIM.replace('<rdf:Description rdf:about="#_line-1"><cim', "<rdf:Description><cim").encode(), "blank node|base"),
])
def test_what_is_no_difference_model_is_refused(content: bytes, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("bad.xml").write_bytes(content)
    with pytest.raises(JellybridgeError, match=said):
        changes.from_cim(content)
    if said != "base":  # a file has a place, which relative IRIs would be of
        assert main(["patch", "from-cim", "bad.xml", "--base-iri", "https://grid.example/model"]) == 1


STATE = f'{LINE} <http://iec.ch/TC57/CIM100#ACLineSegment.r> "1.5" .\n'


def with_preconditions(*values: str) -> bytes:
    """Returns two models: one with these preconditions, and one that needs what the first adds and lacks what it deletes."""
    def model(number: int, *lines: str) -> str:
        said = "".join(f'<rdf:Description rdf:about="#_line-1"><cim:ACLineSegment.r>{each}</cim:ACLineSegment.r></rdf:Description>'
                       for each in lines)
        start, end = '<dm:preconditions rdf:parseType="Statements"', "</dm:preconditions>"
        made = CIM[CIM.index("  <dm:Diff"):CIM.index("</rdf:RDF>")].replace(f"{start}/>", f"{start}>{said}{end}")
        return made.replace("0f6c6d2a11", f"0f6c6d2a{number}")

    return (CIM[:CIM.index("  <dm:Diff")] + model(11, *values) + model(12, "2.75") + "</rdf:RDF>").encode()


def test_preconditions_of_a_difference_model_are_checked_against_the_state_before(capfd: pytest.CaptureFixture[str]) -> None:
    iri = "https://grid.example/model"
    Path("state.nq").write_text(STATE)
    both = changes.from_cim(with_preconditions("1.5"), base="state.nq", base_iri=iri)
    assert len(rows(both, 1)) == len(CIM_ROWS)
    with jellybridge.Dataset.open("mem:") as dataset:
        dataset.load("state.nq")
        changes.from_cim(with_preconditions("1.5"), base=dataset, base_iri=iri)
        said = '5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11 has preconditions .* 2 of 3 are missing there: .*_line-1.* "(7|8)"'
        with pytest.raises(JellybridgeError, match=said):
            changes.from_cim(with_preconditions("1.5", "7", "8"), base=dataset, base_iri=iri)
    changes.from_cim(with_preconditions("7"), base_iri=iri)
    Path("models.xml").write_bytes(with_preconditions("7"))
    assert main(["patch", "from-cim", "models.xml", "--base-iri", iri, "--base", "state.nq", "-o", "no.jellyp"]) == 1
    assert "1 of 1" in capfd.readouterr().err and not Path("no.jellyp").exists()
    # What the model before deletes is missing, though the state has it.
    with pytest.raises(JellybridgeError, match="6d2a12 has preconditions"):
        end = b"</cim:ACLineSegment.r></rdf:Description></dm:preconditions>"
        changes.from_cim(with_preconditions().replace(b">2.75" + end, b">1.5" + end), base="state.nq", base_iri=iri)


def test_a_state_that_can_be_read_once_is_compared_with_each_model() -> None:
    Path("state.nq").write_text(STATE + STATE.replace("1.5", "8"))
    with open("state.nq", "rb") as state:
        both = with_preconditions("8").replace(b">2.75</cim:ACLineSegment.r></rdf:Description></dm:pre",
                                               b">8</cim:ACLineSegment.r></rdf:Description></dm:pre")
        changes.from_cim(both, base=state, base_iri="https://grid.example/model")


def test_a_blank_node_is_no_precondition() -> None:
    model = CIM.replace('<dm:preconditions rdf:parseType="Statements"/>', '<dm:preconditions rdf:parseType="Statements">'
                        "<cim:Line><cim:a>1</cim:a></cim:Line></dm:preconditions>")
    Path("empty.nq").touch()
    with pytest.raises(JellybridgeError, match="preconditions has a blank node"):
        changes.from_cim(model.encode(), base="empty.nq", base_iri="https://grid.example/")


def page(number: int, *links: str) -> str:
    """Returns a page whose member is older than that of the page before."""
    related = "".join(f"<> tree:relation [ a tree:LessThanRelation ; tree:node <{link}> ] . " for link in links)
    return PREFIXES + related + f"""ex:stream a ldes:EventStream ; ldes:timestampPath ex:at ; tree:member ex:v{number} .
ex:v{number} dct:isVersionOf ex:thing ; ex:at "2024-01-{20 - number:02}T00:00:00Z"^^xsd:dateTime ;
  ex:n {number} ; ex:part [ ex:x {number} ] ."""


def names(patch: changes.Patch) -> List[str]:
    return [str(row.value) for row in patch if row.name == "member"]


def test_links_lead_to_each_page_of_a_folder_once() -> None:
    Path("pages").mkdir()
    links = {1: ["2.ttl", "3.ttl#here"], 2: ["3.ttl", "1.ttl"], 3: ["sub/4.ttl", "3.ttl"], 4: ["../1.ttl"]}
    for number, each in links.items():
        file = Path("pages/sub/4.ttl" if number == 4 else f"pages/{number}.ttl")
        file.parent.mkdir(exist_ok=True)
        file.write_text(page(number, *each))
    known = [f'"https://example.org/v{number}"' for number in (4, 3, 2, 1)]
    assert names(changes.from_ldes("pages/1.ttl")) == known[3:]
    assert names(changes.from_ldes("pages/1.ttl", max_pages=4)) == known
    assert names(changes.from_ldes("pages/1.ttl", "pages/2.ttl", max_pages=9)) == known
    for most in (1, 3):
        with pytest.raises(JellybridgeError, match=f"more than {most} pages"):
            changes.from_ldes("pages/1.ttl", max_pages=most)
    with pytest.raises(ValueError, match="max_pages=0"):
        changes.from_ldes("pages/1.ttl", max_pages=0)
    Path("pages/view.ttl").write_text(PREFIXES + "ex:stream tree:view <1.ttl> .")
    assert names(changes.from_ldes("pages/view.ttl", max_pages=5)) == known
    for bad, said in (("../diff.xml", "not in the folder"), ("urn:a", "no page"), ("gone.ttl", "no such file")):
        Path("pages/bad.ttl").write_text(page(9, bad))
        with pytest.raises((JellybridgeError, FileNotFoundError), match=said):
            changes.from_ldes("pages/bad.ttl", max_pages=9)


def test_links_lead_to_each_page_of_a_server_once(capfd: pytest.CaptureFixture[str]) -> None:
    asked: List[str] = []
    bodies = {"/feed": page(1, "feed?page=2", "/three.ttl"), "/feed?page=2": page(2, "/feed", "three.ttl"),
              "/three.ttl": page(3, "feed#top"), "/bad": page(4, "file:///etc/hosts")}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(f"{self.path} {self.headers.get('Authorization', '')[:5]}".strip())
            body = bodies[self.path].encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"127.0.0.1:{server.server_port}"
        assert len(names(changes.from_ldes(f"http://{address}/feed"))) == 1
        asked.clear()
        assert main(["patch", "from-ldes", f"http://me:secret@{address}/feed", "--max-pages", "3"]) == 0
        assert asked == ["/feed Basic", "/feed?page=2 Basic", "/three.ttl Basic"]
        assert capfd.readouterr().out.count("H member") == 3
        with pytest.raises(JellybridgeError, match="not in the folder"):
            changes.from_ldes(f"http://{address}/bad", max_pages=3)
        Path("local.ttl").write_text(page(5, f"http://{address}/three.ttl"))
        assert len(names(changes.from_ldes("local.ttl", max_pages=9))) == 4
        server.shutdown()


def test_blank_nodes_of_two_pages_are_two() -> None:
    tree, thing = "<https://w3id.org/tree#member>", "<http://purl.org/dc/terms/isVersionOf>"
    for number in (1, 2):
        Path(f"{number}.nq").write_text(f"<urn:s> {tree} <urn:v{number}> .\n<urn:v{number}> {thing} <urn:t{number}> .\n"
                                        f'<urn:v{number}> <urn:part> _:b .\n_:b <urn:x> "{number}" .\n')
    patch = changes.from_ldes("1.nq", "2.nq")
    assert [len(rows(patch, number)) for number in (0, 1)] == [2, 2]
    assert len({row.subject for row in patch if row.predicate == "<urn:x>"}) == 2


def test_statements_of_a_page_are_read_exactly() -> None:
    stream = "<urn:s> <https://w3id.org/tree#member> <urn:v> .\n"
    value = '"see _:b1 <urn:g> . \\\\"@en--ltr'
    Path("page.nq").write_text(f"{stream}<urn:v> <urn:p> {value} .\n")
    assert [row.object for row in changes.from_ldes("page.nq") if row.object] == [value]
    Path("page.nq").write_text(f'{stream}<urn:v> <urn:p> <<( _:b <urn:x> "1" )>> .\n')
    with pytest.raises(JellybridgeError, match="a statement about a statement"):
        changes.from_ldes("page.nq")


@pytest.mark.parametrize("name", ["ex:v", "_:v"])
def test_blank_nodes_of_a_member_are_its_own_and_the_same_on_each_page(name: str) -> None:
    def member(number: int, *values: int) -> str:
        parts = " , ".join(f"[ ex:x {value} ]" for value in values)
        return f"ex:s tree:member {name}{number} . {name}{number} dct:isVersionOf ex:t{number} ; ex:part {parts} .\n"

    def parts(*members: str) -> Dict[Optional[str], Optional[str]]:
        Path("page.ttl").write_text(PREFIXES + "".join(members))
        return {row.object: row.subject for row in changes.from_ldes("page.ttl") if row.predicate == "<https://example.org/x>"}

    one, two = parts(member(1, 3, 4)), parts(member(2, 5, 6))
    assert len({*one.values(), *two.values()}) == 4
    assert parts(member(2, 5, 6), member(1, 4, 3)) == {**one, **two}


def test_members_and_models_without_iris_are_patches_of_their_own() -> None:
    two = (CIM.replace("</rdf:RDF>", "") + CIM[CIM.index("  <dm:Diff"):]).replace(' rdf:about="urn:uuid:5f0d3c56-5d0a-4c7e-9b39-2f0f6c6d2a11"', "")
    models = changes.from_cim(two.encode(), base_iri="https://grid.example/model")
    assert [len(rows(models, number)) for number in (0, 1)] == [len(CIM_ROWS)] * 2
    Path("feed.ttl").write_text(PREFIXES + "ex:feed tree:member [ a as:Create ; as:object ex:tea ] , [ a as:Create ; as:object ex:cup ] . "
                                           "ex:tea ex:price 3 . ex:cup ex:price 4 .")
    members = changes.from_ldes("feed.ttl")
    assert [len(rows(members, number)) for number in (0, 1)] == [1, 1]


def test_versions_of_a_thing_replace_each_other() -> None:
    patch = changes.from_ldes("versions.ttl")
    bridge, at = "<https://example.org/bridge>", "<https://example.org/at>"
    first = rows(patch)
    assert [row for row in first if " _:" not in row] == [
        f"A {bridge} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <https://example.org/Bridge>",
        f'A {bridge} <https://example.org/name> "Old <b> ."',
    ]
    assert len([row for row in first if " _:" in row]) == 2 and any(at in row for row in first)
    assert [row for row in rows(patch, 1) if " _:" not in row] == [
        f'D {bridge} <https://example.org/name> "Old <b> ."', f'A {bridge} <https://example.org/name> "New"']
    assert {row[0] for row in rows(patch, 2)} == {"D"}
    assert headers(patch, 1)[1:] == ['time "2024-02-01T00:00:00+00:00"^^<http://www.w3.org/2001/XMLSchema#dateTime>',
                                     'member "https://example.org/bridge-v2"']
    with jellybridge.Dataset.open("mem:") as dataset:
        patch.write("all.jellyp")
        dataset.apply("all.jellyp", check_effective=True)
        assert len(dataset) == 0
    with PatchLog.create("log") as log:
        assert [head.version for head in log.append("all.jellyp")] == [head.version for head in log.append("all.jellyp")] == [1, 2, 3]


def test_activities_have_the_statements_of_their_graphs() -> None:
    patch = changes.from_ldes("activities.trig")
    price = "<https://example.org/tea> <https://example.org/price>"
    integer = "^^<http://www.w3.org/2001/XMLSchema#integer>"
    assert len(rows(patch)) == 2
    assert rows(patch, 1) == [f'D {price} "3"{integer}', f'A {price} "4"{integer}']
    assert len(rows(patch, 2)) == 2 and {row[0] for row in rows(patch, 2)} == {"D"}


def test_the_first_version_replaces_what_a_state_says() -> None:
    Path("state.ttl").write_text(PREFIXES + "ex:tea ex:price 1 ; ex:part [ ex:x 1 ] . ex:coffee ex:price 9 .")
    patch = changes.from_ldes("activities.trig", base="state.ttl")
    assert sorted(row[0] for row in rows(patch)) == ["A", "A", "D", "D", "D"]
    assert not [row for row in rows(patch) if "coffee" in row]


def test_members_without_a_time_are_in_the_order_of_the_pages_or_refused() -> None:
    one, other = page(1), page(2)
    Path("none.ttl").write_text((one + other).replace('; ex:at "', '; ex:on "'))
    assert names(changes.from_ldes("none.ttl")) == ['"https://example.org/v1"', '"https://example.org/v2"']
    Path("some.ttl").write_text(one + other.replace('; ex:at "', '; ex:on "'))
    with pytest.raises(JellybridgeError, match="/v2> has no time, and others have one"):
        changes.from_ldes("some.ttl")
    Path("gone.ttl").write_text(one + "ex:stream tree:member ex:v3 .")
    with pytest.raises(JellybridgeError, match="no page describes the member <https://example.org/v3>"):
        changes.from_ldes("gone.ttl")


def test_a_time_of_a_member_may_be_a_date_with_a_zone_and_must_be_one() -> None:
    one, other = page(1), page(2)
    day, year = '"2024-01-30Z"^^xsd:date', '"2019"^^xsd:gYear'
    moved = other.replace('"2024-01-18T00:00:00Z"^^xsd:dateTime', day)
    Path("day.ttl").write_text(one + moved)
    assert names(changes.from_ldes("day.ttl")) == ['"https://example.org/v1"', '"https://example.org/v2"']
    Path("year.ttl").write_text(one + moved.replace(day, year))
    with pytest.raises(JellybridgeError, match="member <https://example.org/v2> has the time \"2019\".*, which is none"):
        changes.from_ldes("year.ttl")
    # Of the stream's other statements, those count that are times.
    Path("issued.ttl").write_text((one + moved).replace("; ex:at ", f"; dct:issued {year} ; dct:modified "))
    assert names(changes.from_ldes("issued.ttl")) == ['"https://example.org/v1"', '"https://example.org/v2"']


def test_what_is_no_stream_is_refused() -> None:
    Path("none.ttl").write_text(PREFIXES + "ex:a ex:b ex:c .")
    with pytest.raises(JellybridgeError, match="tree:member"):
        changes.from_ldes("none.ttl")
    Path("path.ttl").write_text(PREFIXES + "ex:s tree:member ex:m ; ldes:versionOfPath ( ex:a ex:b ) . ex:m ex:a ex:b .")
    with pytest.raises(JellybridgeError, match="several steps"):
        changes.from_ldes("path.ttl")


def test_the_command_line_reads_both(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["patch", "from-cim", "diff.xml", "--base-iri", "https://grid.example/model", "-o", "cim.rdfp"]) == 0
    assert Path("cim.rdfp").read_text(encoding="utf-8").count("\nA ") == 4
    capfd.readouterr()
    assert main(["patch", "from-ldes", "versions.ttl"]) == 0
    assert capfd.readouterr().out.count("TX .") == 3

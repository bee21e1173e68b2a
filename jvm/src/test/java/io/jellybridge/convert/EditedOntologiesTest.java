package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import io.jellybridge.convert.Snapshots.Changes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import java.util.Set;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFDataMgr;
import org.apache.jena.riot.RDFParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files as people write them, each with an edit; docs/blank-nodes.md has them as a table. */
class EditedOntologiesTest {
    private static final String PREFIXES = """
            PREFIX : <urn:example:>
            PREFIX owl: <http://www.w3.org/2002/07/owl#>
            PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
            PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
            PREFIX sh: <http://www.w3.org/ns/shacl#>
            """;
    private static final String RESTRICTIONS = """
            :Pizza a owl:Class ; rdfs:subClassOf
              [ a owl:Restriction ; owl:onProperty :hasBase ; owl:someValuesFrom :Base ],
              [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:someValuesFrom :Topping ],
              [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:maxCardinality 9 ] .
            :Calzone rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :hasBase ; owl:someValuesFrom :Base ] .
            """;
    private static final String LISTS = """
            :Topping owl:unionOf ( :Cheese :Ham :Olive :Onion :Pepper ) .
            :Base owl:unionOf ( :Thin :Thick ) .
            """;
    private static final String INTERSECTION = """
            :CheesyPizza owl:equivalentClass [ a owl:Class ; owl:intersectionOf (
              :Pizza
              [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:someValuesFrom :Cheese ]
              [ a owl:Class ; owl:complementOf [ a owl:Restriction ; owl:onProperty :hasTopping ; owl:hasValue :Ham ] ]
            ) ] .
            """;
    private static final String SHAPES = """
            :PizzaShape a sh:NodeShape ; sh:targetClass :Pizza ;
              sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message "one name" ] ;
              sh:property [ sh:path :price ; sh:minInclusive 1 ; sh:message "a price" ] ;
              sh:property [ sh:path ( :hasTopping :name ) ; sh:in ( "Cheese" "Ham" "Olive" ) ] .
            :DrinkShape a sh:NodeShape ; sh:targetClass :Drink ;
              sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message "one name" ] .
            """;
    private static final String ANNOTATIONS = """
            [] a owl:Axiom ; owl:annotatedSource :Pizza ; owl:annotatedProperty rdfs:label ; owl:annotatedTarget "Pizza" ;
              rdfs:comment "from the menu" .
            [] a owl:Axiom ; owl:annotatedSource :Base ; owl:annotatedProperty rdfs:label ; owl:annotatedTarget "Base" ;
              rdfs:comment "from the menu" .
            [] a owl:AllDisjointClasses ; owl:members ( :Pizza :Base :Topping ) .
            """;

    /** A file, an edit of its text, and the rows that a person would write for it. */
    private enum Edit {
        VALUE("OWL restrictions", "another class in a restriction", RESTRICTIONS,
                ":hasTopping ; owl:someValuesFrom :Topping", ":hasTopping ; owl:someValuesFrom :Garnish", 1, 1),
        RESTRICTION_GONE("OWL restrictions", "a named class in the place of a restriction", RESTRICTIONS,
                "[ a owl:Restriction ; owl:onProperty :hasTopping ; owl:maxCardinality 9 ]", ":Food", 4, 1),
        RESTRICTION_ADDED("OWL restrictions", "a class gets a restriction more, of four statements", RESTRICTIONS,
                ":Calzone rdfs:subClassOf", ":Calzone rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :shape ; "
                + "owl:hasValue :Half ],", 0, 4),
        ITEM_CHANGED("lists", "an item replaced", LISTS, ":Olive", ":Caper", 1, 1),
        ITEM_ADDED("lists", "an item put in between", LISTS, ":Ham :Olive", ":Ham :Caper :Olive", 1, 3),
        ITEM_GONE("lists", "an item taken out of the middle", LISTS, ":Ham :Olive", ":Ham", 3, 1),
        NESTED("an intersection with nested classes", "a value four nodes deep", INTERSECTION,
                "owl:hasValue :Ham", "owl:hasValue :Meat", 1, 1),
        MESSAGE("SHACL shapes", "a message in one of two shapes alike", SHAPES,
                ":Drink ;\n  sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message \"one name\"",
                ":Drink ;\n  sh:property [ sh:path :name ; sh:minCount 1 ; sh:maxCount 1 ; sh:message \"a name\"", 1, 1),
        SHAPE_LIST("SHACL shapes", "a value appended to `sh:in`", SHAPES,
                "\"Olive\" )", "\"Olive\" \"Caper\" )", 1, 3),
        ANNOTATION("annotated axioms", "the comment of one of two", ANNOTATIONS,
                "\"Base\" ;\n  rdfs:comment \"from the menu\"", "\"Base\" ;\n  rdfs:comment \"from the cook\"", 1, 1);

        private final String file;
        private final String what;
        private final String before;
        private final String after;
        private final int deleted;
        private final int added;

        Edit(String file, String what, String text, String from, String to, int deleted, int added) {
            assertTrue(text.contains(from), from);
            this.file = file;
            this.what = what;
            this.before = text;
            this.after = text.replace(from, to);
            this.deleted = deleted;
            this.added = added;
        }

        /** The edit's line of the table. */
        private String row() {
            return "| " + file + " | " + what + " | " + deleted + " | " + added + " |";
        }
    }

    private static Set<String> lines(String turtle) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        RDFDataMgr.write(out, RDFParser.fromString(PREFIXES + turtle, Lang.TURTLE).toGraph(), Lang.NTRIPLES);
        return Snapshots.of(out.toString(UTF_8).lines().toList());
    }

    @ParameterizedTest
    @EnumSource
    void anEditIsTheRowsThatAPersonWouldWrite(Edit edit) throws IOException {
        Set<String> old = lines(edit.before);
        Set<String> next = Snapshots.relabelled(lines(edit.after), new Random(4));
        Changes changes = Snapshots.difference(old, next);
        assertEquals(edit.deleted + " and " + edit.added, changes.deleted().size() + " and " + changes.added().size(),
                () -> "deleted " + changes.deleted() + "\nadded " + changes.added());
        assertTrue(Snapshots.areIsomorphic(next, changes.applied(old)));
        // And back.
        Changes back = Snapshots.difference(next, old);
        assertEquals(edit.added + " and " + edit.deleted, back.deleted().size() + " and " + back.added().size());
    }

    @ParameterizedTest
    @EnumSource
    void theTableOfTheDocumentHasTheEdit(Edit edit) throws IOException {
        String document = Files.readString(ProjectFiles.folder("docs/blank-nodes.md"));
        assertTrue(document.contains(edit.row()), edit::row);
    }
}

package io.jellybridge.jena.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.query.TxnType;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoredPositionTest {
    private final StoredPosition position = new StoredPosition("urn:key");
    private final DatasetGraph dataset = DatasetGraphFactory.createTxnMem();

    @Test
    void aKeyHasThePositionThatWasSetLast() {
        dataset.begin(TxnType.WRITE);
        StoredPosition other = new StoredPosition("urn:other");
        other.set(dataset, "\"theirs\"");
        assertNull(position.get(dataset));
        for (String term : new String[] {"<urn:1>", "\"a \\\"b\\\"\"", "\"12\"^^<http://www.w3.org/2001/XMLSchema#long>"}) {
            position.set(UserDataView.of(dataset), term);
            assertEquals(term, position.get(UserDataView.of(dataset)));
            assertEquals(term, position.get(dataset));
        }
        assertEquals("\"theirs\"", other.get(dataset));
        dataset.commit();
        dataset.end();
    }

    @Test
    void aPositionTakesThePlaceOfAllOfTheOneBefore() {
        dataset.begin(TxnType.WRITE);
        Position known = new Position("<urn:1>", "a \"b\"");
        position.set(UserDataView.of(dataset), known, List.of("n", "m"));
        assertEquals(known, position.find(dataset));
        position.set(dataset, "<urn:2>");
        assertEquals(Position.of("<urn:2>"), position.find(dataset));
        position.set(dataset, known, List.of("n"));
        assertEquals(Set.of("n", "m"), Set.copyOf(position.readNotes(dataset)));
        dataset.commit();
        dataset.end();
    }

    @Test
    void aPositionIsWhereItsIdIsAndItsTextWhereItHasOne() {
        Position known = new Position("<urn:1>", "text");
        assertTrue(Position.of("<urn:1>").isAt(known) && known.isAt(known));
        assertFalse(known.isAt(Position.of("<urn:1>")) || known.isAt(new Position("<urn:1>", "other"))
                || known.isAt(new Position("<urn:2>", "text")) || known.isAt(null));
        assertNull(Position.of(null));
    }

    @Test
    void severalPositionsOfAKeyAreAnErrorThatSaysWhatToDo() {
        dataset.begin(TxnType.WRITE);
        Node key = NodeFactory.createURI("urn:key");
        for (int i = 0; i < 2; i++) {
            dataset.add(StoredPosition.GRAPH_NODE, key, NodeFactory.createURI(StoredPosition.PREDICATE),
                    NodeFactory.createURI("urn:" + i));
        }
        String message = assertThrows(StoredPosition.SeveralException.class, () -> position.get(dataset)).getMessage();
        assertTrue(message.startsWith("<urn:key> has several positions in the graph <urn:jellybridge:sync>: "), message);
        position.set(dataset, "<urn:2>");
        assertEquals("<urn:2>", position.get(dataset));
        dataset.commit();
        dataset.end();
    }

    @ParameterizedTest
    @ValueSource(strings = {"_:b", "urn:uuid:1", "<relative>", "<urn:a> <urn:b>", "", "?x", "\"x\"^^<relative>",
        "<< <urn:s> <urn:p> <urn:o> >>"})
    void whatIsNeitherAnIriNorALiteralIsNoPosition(String word) {
        String message = assertThrows(IllegalArgumentException.class, () -> StoredPosition.parse(word)).getMessage();
        assertTrue(message.startsWith(word + " as a position, which is neither an absolute IRI nor a literal"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"007\"^^<http://www.w3.org/2001/XMLSchema#integer>",
        "\"99999999999999999999\"^^<http://www.w3.org/2001/XMLSchema#integer>"})
    void aNumberThatTdb2WouldAlterIsNoPosition(String number) {
        String message = assertThrows(IllegalArgumentException.class, () -> StoredPosition.parse(number)).getMessage();
        assertTrue(message.startsWith(number + " as a position, which TDB2 gives back in another form"), message);
    }

    @Test
    void aKeyIsAnAbsoluteIriAndStaysAsItIs() {
        assertEquals("urn:k\u00e9y", new StoredPosition("urn:k\u00e9y").key());
        for (String wrong : new String[] {"relative", "", "urn:a b", "urn:a>"}) {
            String message = assertThrows(IllegalArgumentException.class, () -> new StoredPosition(wrong)).getMessage();
            assertTrue(message.endsWith("name the key of a position by an absolute IRI"), message);
        }
    }
}

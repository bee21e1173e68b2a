package io.jellybridge.jena.data;

import static io.jellybridge.jena.TestPatches.O;
import static io.jellybridge.jena.TestPatches.P;
import static io.jellybridge.jena.TestPatches.S;
import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SortedSet;
import org.apache.jena.query.TxnType;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.DatasetGraphWrapper;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteTransactionTest {
    private static final SortedSet<String> BEFORE = set("@kept: http://kept/", "@old: http://old/");
    private final DatasetGraph dataset = DatasetGraphFactory.createTxnMem();

    @BeforeEach
    void fill() {
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            dataset.prefixes().add("kept", "http://kept/");
            dataset.prefixes().add("old", "http://old/");
            transaction.commit();
        }
        assertFalse(dataset.isInTransaction());
        assertEquals(BEFORE, content(dataset));
    }

    private static void change(DatasetGraph dataset) {
        dataset.add(Quad.defaultGraphIRI, S, P, O);
        dataset.prefixes().add("new", "http://new/");
        dataset.prefixes().add("kept", "http://changed/");
        dataset.prefixes().delete("old");
    }

    @Test
    void whatIsNotCommittedLeavesNoTraceOfPrefixesEither() {
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            change(dataset);
            transaction.close();
            assertFalse(dataset.isInTransaction());
        }
        assertEquals(BEFORE, content(dataset));
    }

    @Test
    void aCommitThatFailsIsUndone() {
        DatasetGraph failing = new DatasetGraphWrapper(dataset) {
            @Override
            public void commit() {
                throw new IllegalStateException("the disk is full");
            }
        };
        assertThrows(IllegalStateException.class, () -> {
            try (WriteTransaction transaction = WriteTransaction.begin(failing)) {
                change(failing);
                transaction.commit();
            }
        });
        assertFalse(dataset.isInTransaction());
        assertEquals(BEFORE, content(dataset));
    }

    @Test
    void aDatasetThatEndedTheTransactionItselfIsLeftAlone() {
        try (WriteTransaction transaction = WriteTransaction.begin(dataset)) {
            change(dataset);
            dataset.commit();
            dataset.end();
        }
        assertEquals(set("<http://e/s> <http://e/p> <http://e/o>", "@kept: http://changed/", "@new: http://new/"),
                content(dataset));
    }

    @Test
    void aTransactionWithinOneIsRefused() {
        dataset.begin(TxnType.READ);
        String message = assertThrows(IllegalStateException.class, () -> WriteTransaction.begin(dataset)).getMessage();
        assertTrue(message.contains("transactions do not nest"), message);
        assertTrue(dataset.isInTransaction());
        dataset.end();
    }

    /** What it fails on is asked for when the transaction has begun. */
    @Test
    void aDatasetWhosePrefixesCannotBeReadIsLeftWithoutATransaction() {
        DatasetGraph failing = new DatasetGraphWrapper(dataset) {
            @Override
            public PrefixMap prefixes() {
                throw new IllegalStateException("no prefixes");
            }
        };
        assertThrows(IllegalStateException.class, () -> WriteTransaction.begin(failing));
        assertFalse(dataset.isInTransaction());
        assertEquals(BEFORE, content(dataset));
    }
}

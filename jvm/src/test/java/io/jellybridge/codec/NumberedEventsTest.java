package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The numbers of events, and which may follow which. */
class NumberedEventsTest {
    private final Recorder recorder = new Recorder();
    private final List<String> faults = new ArrayList<>();

    private NumberedEvents<byte[]> events(boolean strict) {
        return new NumberedEvents<byte[]>("text", (rule, found, advice) -> {
            faults.add(rule + " " + found + "; " + advice);
            return strict ? new IllegalStateException(rule) : null;
        }).setTarget(recorder);
    }

    private static String numbers(NumberedEvents<?> events) {
        ChangeCounter numbers = events.numbers();
        return numbers.patch() + " " + numbers.tx() + " " + numbers.row() + " " + numbers.patches();
    }

    @Test
    void eachEventHasTheNumbersOfItsPatchItsTransactionAndItsRow() {
        NumberedEvents<byte[]> events = events(true);
        List<String> found = new ArrayList<>();
        List<Runnable> calls = List.of(() -> events.header(utf8("k"), utf8("<urn:v>")), () -> events.transaction(Op.TX),
                () -> Streams.add(events, "<urn:s>", "<urn:p>", "<urn:o>", null), () -> events.transaction(Op.TC),
                () -> Streams.bind(events, "ex", "<urn:ns>", null), events::endPatch, events::endPatch,
                () -> events.transaction(Op.TX), () -> events.transaction(Op.TA));
        for (Runnable call : calls) {
            call.run();
            found.add(numbers(events));
        }
        assertEquals(List.of("0 -1 0 0", "0 0 1 0", "0 0 2 0", "0 0 3 0", "0 -1 4 0", "0 -1 4 1", "1 -1 4 2", "2 1 5 2", "2 1 6 2"),
                found);
        assertTrue(events.endStream());
        assertEquals("2 -1 6 3", numbers(events));
        assertFalse(events.endStream(), "nothing came since");
        assertEquals(List.of("H k <urn:v>", "TX", "A <urn:s> <urn:p> <urn:o> null", "TC", "PA ex <urn:ns> null", "---", "---",
                "TX", "TA", "---"), recorder.lines);
        assertEquals(List.of(), faults);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTransactionThatDoesNotFitIsSaidWithItsNumberAndRefusedWhereTheReaderRefuses(boolean strict) {
        NumberedEvents<byte[]> events = events(strict);
        events.transaction(Op.TX);
        events.transaction(Op.TC);
        List<Runnable> calls = List.of(() -> events.transaction(Op.TC), () -> events.transaction(Op.TX),
                () -> events.transaction(Op.TX), events::endPatch, events::endStream);
        for (int i = 0; i < calls.size(); i++) {
            if (strict && i != 1) {
                assertThrows(IllegalStateException.class, calls.get(i)::run);
            } else {
                calls.get(i).run();
            }
        }
        int tx = strict ? 1 : 2;
        assertEquals("P-101 TC outside of a transaction; begin one with TX", faults.get(0));
        assertEquals("P-102 TX within transaction 1; end it with TC or TA first; transactions do not nest", faults.get(1));
        assertEquals("P-104 the end of patch 0 within transaction " + tx + "; end the transaction with TC or TA first",
                faults.get(2));
        assertEquals("P-105 the end of the text within transaction " + tx + "; " + Advice.DAMAGED, faults.get(3));
        assertEquals(strict ? "0 1 2 0" : "0 2 4 1", numbers(events));
    }

    @Test
    void whoWritesIsNotToldNumbers() {
        ChangeCounter numbers = new ChangeCounter();
        TransactionGrammar grammar = TransactionGrammar.ofWriter(numbers, "stream", (rule, found, advice) -> {
            faults.add(found + "; " + advice);
            return null;
        });
        numbers.count(Op.TX);
        grammar.check(Op.TX);
        grammar.checkPatchEnd();
        grammar.checkStreamEnd();
        assertEquals(List.of("TX within a transaction; end it with TC or TA first; transactions do not nest",
                "the end of a patch within a transaction; end the transaction with TC or TA first",
                "the end of the stream within a transaction; end the transaction with TC or TA first"), faults);
    }
}

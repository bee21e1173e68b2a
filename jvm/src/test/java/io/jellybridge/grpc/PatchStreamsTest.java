package io.jellybridge.grpc;

import static io.jellybridge.grpc.ScriptedServer.message;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.jellybridge.grpc.PatchStreams.Deliveries;
import io.jellybridge.grpc.PatchStreams.Delivery;
import io.jellybridge.grpc.PatchStreams.Head;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.UnreachableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent to a server of gRPC, and what is made of whatever it answers. */
class PatchStreamsTest {
    private static final int ATTEMPTS = 3;
    private static final byte[] HEAD = message(1, "log", 2, 3, 3, 500, 4, "id", 5, "hash");

    private final ScriptedServer server;
    private PatchStreams streams;

    PatchStreamsTest() throws IOException {
        server = new ScriptedServer();
        streams = open(Map.of());
    }

    private PatchStreams open(Map<String, String> more) throws IOException {
        Map<String, String> options = new HashMap<>(Map.of("attempts", "" + ATTEMPTS));
        options.putAll(more);
        PatchStreams opened = new PatchStreams(HttpOptions.ofGrpc(server.url("changes"), options, "address"));
        server.connect(opened::head);
        return opened;
    }

    @AfterEach
    void stop() {
        streams.close();
        server.close();
    }

    private byte[] asked(int call) {
        List<byte[]> messages = server.calls().get(call).messages();
        assertEquals(1, messages.size());
        return messages.get(0);
    }

    @Test
    void aHeadIsAskedForByTheTopic() throws IOException {
        server.answer(Status.OK, HEAD);
        assertEquals(new Head("log", 3, 500, "id", "hash"), streams.head());
        assertEquals("GetHead", server.calls().get(0).method());
        assertArrayEquals(message(1, "changes"), asked(0));
        server.answer(Status.OK, message());
        assertEquals(new Head("", 0, 0, "", ""), streams.head());
    }

    /** 1: a varint, then 8 bytes, a message and 4 bytes of fields of later versions, and the last of two counts. */
    @Test
    void fieldsThatAreNotKnownArePassedOver() throws IOException {
        server.answer(Status.OK, HexFormat.of().parseHex("2807" + "29" + "0102030405060708" + "320a" + "00112233445566778899"
                + "15" + "01020304" + "0a0161" + "1001" + "0a0162" + "1002" + "18ff7f"));
        assertEquals(new Head("b", 2, 16383, "", ""), streams.head());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ff", "0a05", "0a", "0aff", "08", "0a8080808080", "0b", "00"})
    void anAnswerThatIsNoMessageIsOneOfSomethingElse(String hex) {
        server.answer(Status.OK, HexFormat.of().parseHex(hex));
        assertSomethingElse(assertThrows(GrpcException.class, streams::head));
    }

    @Test
    void aFieldOfAnotherKindIsPassedOver() throws IOException {
        server.answer(Status.OK, message(1, 1_000_000, 2, "one", 3, "two", 4, 7));
        assertEquals(new Head("", 0, 0, "", ""), streams.head());
        server.answer(Status.OK, message(1, 4, 3, 1_000_000, 5, "last"));
        try (Deliveries deliveries = streams.subscribePatches(0, 1)) {
            Delivery frame = deliveries.next();
            assertEquals(List.of(4L, false), List.of(frame.version(), frame.isLast()));
            assertEquals(0, written(frame).length);
        }
    }

    @Test
    void aFrameThatIsNoMessageIsOneOfSomethingElse() throws IOException {
        server.answer(Status.OK, new byte[] {0x0A, 5});
        try (Deliveries deliveries = streams.subscribePatches(0, 1)) {
            assertSomethingElse(assertThrows(GrpcException.class, deliveries::next));
        }
    }

    @Test
    void noAnswerOrTwoOfThemAreThoseOfSomethingElse() throws IOException {
        server.answer(Status.OK);
        assertSomethingElse(assertThrows(GrpcException.class, streams::head));
        server.answer(Status.OK, HEAD, HEAD);
        assertSomethingElse(assertThrows(GrpcException.class, streams::head));
        server.answer(Status.OK);
        Path patch = Files.write(folder.resolve("patch"), new byte[] {1, 7});
        assertSomethingElse(assertThrows(GrpcException.class, () -> streams.publish(patch, null)));
        assertEquals(3, server.calls().size(), "each was asked once");
    }

    private void assertSomethingElse(GrpcException e) {
        assertEquals(server.url("changes") + ": answered something else: is it a server of patch logs?", e.getMessage());
    }

    // --- errors

    @ParameterizedTest
    @ValueSource(strings = {"UNAVAILABLE", "DEADLINE_EXCEEDED"})
    void aServerInTroubleIsAskedAgainSomeTimes(String code) throws IOException {
        Status trouble = Status.fromCode(Status.Code.valueOf(code)).withDescription("busy");
        server.answer(trouble);
        server.answer(trouble, HEAD);
        server.answer(Status.OK, HEAD);
        assertEquals(500, streams.head().version());
        for (int i = 0; i < ATTEMPTS; i++) {
            server.answer(trouble);
        }
        String message = assertThrows(UnreachableException.class, streams::head).getMessage();
        assertEquals(server.url("changes") + ": " + code + ": busy; is the server running?", message);
        assertEquals(2 * ATTEMPTS, server.calls().size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "NOT_FOUND           | no such | answered NOT_FOUND: no such",
        "ABORTED             |         | answered ABORTED",
        "UNAUTHENTICATED     | who?    | answered UNAUTHENTICATED: who?; name a token that may do this",
        "PERMISSION_DENIED   | no      | answered PERMISSION_DENIED: no; name a token that may do this",
        "INTERNAL            | oh      | answered INTERNAL: oh; is it jellybridge serve?",
        "UNIMPLEMENTED       | what?   | answered UNIMPLEMENTED: what?; is it jellybridge serve?",
        "UNKNOWN             |         | answered UNKNOWN: ; is it jellybridge serve?",
    })
    void whatAServerRefusesIsSaidWithItsStatusAndNotAskedAgain(String code, String description, String said) {
        server.answer(Status.fromCode(Status.Code.valueOf(code)).withDescription(description));
        GrpcException refused = assertThrows(GrpcException.class, streams::head);
        String message = refused.getMessage().substring(server.url("changes").length() + 2);
        assertTrue(message.startsWith(said), message);
        assertTrue(refused.is(code));
        assertFalse(refused.is("OK"));
        assertEquals(1, server.calls().size());
    }

    @Test
    void aServerThatIsSilentIsWaitedForAsLongAsIsSaid() throws IOException {
        streams = open(Map.of("timeout", "0.5", "attempts", "1"));
        server.answer(null);
        String message = assertTimeoutPreemptively(Duration.ofSeconds(30),
                () -> assertThrows(UnreachableException.class, streams::head).getMessage());
        assertEquals(server.url("changes") + ": no answer within 0.5 s; give it more time by the option timeout", message);
    }

    @Test
    void whoIsInterruptedWaitsNoLonger() {
        server.answer(null);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedIOException.class, streams::head);
        assertTrue(Thread.interrupted(), "it still is");
    }

    @Test
    void aTokenGoesAlongAndIsNotShown() throws IOException {
        server.answer(Status.OK, HEAD);
        streams.head();
        assertNull(server.calls().get(0).authorization());
        streams = open(Map.of("token", "secret"));
        server.answer(Status.PERMISSION_DENIED.withDescription("the token secret may not do this"));
        String message = assertThrows(GrpcException.class, streams::head).getMessage();
        assertEquals("Bearer secret", server.calls().get(0).authorization());
        assertFalse(message.contains("secret"), message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"grpc://example.org:1/a", "grpc://127.example.org:1/a", "grpc://localhost.example.org:1/a",
        "grpc://10.0.0.1:1/a", "grpc://[::2]:1/a"})
    void aTokenDoesNotGoToAnotherMachineWithoutTls(String address) {
        assertThrows(IllegalArgumentException.class, () -> openWithToken(address));
        openWithToken(address.replace("grpc:", "grpcs:")).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"grpc://localhost:1/a", "grpc://127.0.0.1:1/a", "grpc://127.1.2.3:1/a", "grpc://[::1]:1/a"})
    void aTokenGoesToThisMachineWithoutTls(String address) {
        openWithToken(address).close();
    }

    private static PatchStreams openWithToken(String address) {
        return new PatchStreams(HttpOptions.ofGrpc(address, Map.of("token", "secret"), "address"));
    }

    // --- subscriptions

    @Test
    void whatIsSubscribedToIsSaid() throws IOException {
        for (Supplier<Deliveries> one : List.<Supplier<Deliveries>>of(() -> streams.subscribePatches(5, 9),
                () -> streams.subscribePatches(0, Long.MAX_VALUE), () -> streams.subscribePatches("the id"), () -> streams.subscribeCheckpoint(7))) {
            server.answer(Status.OK);
            try (Deliveries deliveries = one.get()) {
                assertNull(deliveries.next());
            }
        }
        assertArrayEquals(message(1, "changes", 5, 1, 6, 9, 3, 5), asked(0));
        assertEquals(HexFormat.of().formatHex(message(1, "changes", 5, 1)) + "1800", HexFormat.of().formatHex(asked(1)));
        assertArrayEquals(message(1, "changes", 5, 1, 8, "the id"), asked(2));
        assertArrayEquals(message(1, "changes", 5, 1, 6, 7), asked(3));
        assertEquals("SubscribePatch", server.calls().get(3).method());
    }

    @Test
    void framesComeWithWhatTheyAreOf() throws IOException {
        byte[] frame = new byte[300];
        frame[299] = 7;
        server.answer(Status.OK, message(1, 4, 3, frame), message(1, 4, 5, 1), message(1, 4, 3, new byte[] {1}, 5, 1),
                message(1, 6, 4, new byte[] {2, 3}, 6, 2, 7, "{}"), message(1, 6, 4, new byte[0]));
        try (Deliveries deliveries = streams.subscribePatches(3, 4)) {
            Delivery first = deliveries.next();
            assertEquals(List.of(4L, false, false), List.of(first.version(), first.isState(), first.isLast()));
            byte[] written = written(first);
            assertEquals(302, written.length);
            assertEquals(List.of((byte) 0xAC, (byte) 2, (byte) 7), List.of(written[0], written[1], written[301]));
            Delivery empty = deliveries.next();
            assertTrue(empty.isLast());
            assertEquals(0, written(empty).length);
            assertArrayEquals(new byte[] {1, 1}, written(deliveries.next()));
            Delivery state = deliveries.next();
            assertTrue(state.isState());
            assertEquals(List.of(6L, false, 2, "{}"),
                    List.of(state.version(), state.isLast(), state.part(), state.checkpoint()));
            assertArrayEquals(new byte[] {2, 2, 3}, written(state));
            Delivery emptyState = deliveries.next();
            assertTrue(emptyState.isState());
            assertEquals("", emptyState.checkpoint());
            assertNull(deliveries.next());
        }
    }

    private static byte[] written(Delivery frame) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame.writeTo(out);
        return out.toByteArray();
    }

    @Test
    void whatIsNotAskedForAnyMoreIsGivenUp() throws IOException {
        server.answer(null, message(1, 1, 3, new byte[] {1}));
        try (Deliveries deliveries = streams.subscribePatches(0, 9)) {
            assertEquals(1, deliveries.next().version());
        }
        assertTimeoutPreemptively(Duration.ofSeconds(30), server::awaitCancelled);
    }

    // --- publishing

    @TempDir
    Path folder;

    @Test
    void thePatchIsSentFrameByFrameAfterTheTopicAndWhatItFollows() throws IOException {
        Path patch = Files.write(folder.resolve("patch"), new byte[] {2, 8, 9, 0, 1, 7});
        for (String prev : new String[] {null, "", "before"}) {
            server.answer(Status.OK, message(1, 12, 2, "id"));
            assertEquals(12, streams.publish(patch, prev));
            List<byte[]> sent = server.calls().get(server.calls().size() - 1).messages();
            assertArrayEquals(prev == null ? message(1, "changes", 3, new byte[] {8, 9})
                    : message(1, "changes", 2, prev, 3, new byte[] {8, 9}), sent.get(0));
            assertArrayEquals(message(3, new byte[0]), sent.get(1));
            assertArrayEquals(message(3, new byte[] {7}), sent.get(2));
            assertEquals(3, sent.size());
        }
        assertEquals("PublishPatch", server.calls().get(0).method());
    }

    @Test
    void whatATroubledServerDidNotTakeIsSentAgainFromItsBeginning() throws IOException {
        Path patch = Files.write(folder.resolve("patch"), new byte[] {2, 8, 9, 1, 7});
        server.answer(Status.UNAVAILABLE);
        server.answer(Status.OK, message(1, 12));
        assertEquals(12, streams.publish(patch, "before"));
        for (int i = 0; i < 2; i++) {
            assertEquals(2, server.calls().get(i).messages().size());
            assertArrayEquals(message(1, "changes", 2, "before", 3, new byte[] {8, 9}), server.calls().get(i).messages().get(0));
        }
        server.answer(Status.ABORTED);
        assertTrue(assertThrows(GrpcException.class, () -> streams.publish(patch, "before")).is("ABORTED"));
    }

    @Test
    void aPatchThatCanNotBeReadIsNotTaken() throws IOException {
        Path patch = Files.write(folder.resolve("patch"), new byte[] {2, 8, 9, 5, 7});
        assertThrows(Exception.class, () -> streams.publish(patch, null));
        assertEquals(0, server.calls().size(), "the call was given up");
    }
}

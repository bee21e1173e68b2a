package io.jellybridge.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.wire.FrameReader;
import io.jellybridge.wire.WireException;
import io.jellybridge.wire.WireReader;
import io.jellybridge.wire.WireWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A client of the {@code RdfPatchStreamService} in {@code proto/jellybridge.proto}, for one of its topics. It passes frames as
 * bytes. Its errors are {@link io.jellybridge.http.UnreachableException} for a server in trouble, and {@link GrpcException}
 * otherwise.
 */
public final class PatchStreams implements Closeable {
    private static final int MAX_FRAME = 1 << 30;

    private final String topic;
    private final GrpcCalls calls;

    /**
     * Creates a client.
     *
     * @param options the options of {@link HttpOptions#ofGrpc}; the path is the topic
     */
    public PatchStreams(HttpOptions options) {
        this.topic = options.base().getPath().substring(1);
        this.calls = new GrpcCalls(options, "io.jellybridge.proto.RdfPatchStreamService");
    }

    /**
     * The head of a log: {@code RdfPatchHead}.
     *
     * @param log     the id of the log itself
     * @param first   the oldest version in the log
     * @param version the newest version; 0 if there is none
     * @param id      the id of its patch
     * @param chain   the hash of its patch; empty if there is none
     */
    public record Head(String log, long first, long version, String id, String chain) {
    }

    public Head head() throws IOException {
        Message request = new Message();
        request.writeText(1, topic);
        Fields head = parseFields(calls.ask("GetHead", request.bytes()), "bnnbb");
        return new Head(head.getText(1), head.getNumber(2), head.getNumber(3), head.getText(4), head.getText(5));
    }

    /** A frame of a patch or of a checkpoint: {@code RdfPatchDelivery}. */
    public static final class Delivery {
        private final Fields fields;

        private Delivery(Fields fields) {
            this.fields = fields;
        }

        public long version() {
            return fields.getNumber(1);
        }

        /** Returns true if it belongs to a checkpoint. */
        public boolean isState() {
            return fields.has(4);
        }

        /** Returns true if it is the last frame of its patch or of the checkpoint. */
        public boolean isLast() {
            return fields.getNumber(5) != 0;
        }

        /** Returns the number of the checkpoint's file that it belongs to. */
        public int part() {
            return (int) fields.getNumber(6);
        }

        /** Returns the description of a checkpoint. Only its first frame has it; it is empty in the others. */
        public String checkpoint() {
            return fields.getText(7);
        }

        /** Writes the frame with its length before it. Writes nothing for an empty frame. */
        public void writeTo(OutputStream out) throws IOException {
            fields.writeDelimited(isState() ? 4 : 3, out);
        }
    }

    /** The frames of a subscription. */
    public final class Deliveries implements Closeable {
        private final GrpcCalls.Answers answers;

        private Deliveries(GrpcCalls.Answers answers) {
            this.answers = answers;
        }

        /** Waits for the next frame; null after the last. */
        public Delivery next() throws IOException {
            byte[] message = answers.next();
            return message == null ? null : new Delivery(parseFields(message, "nbbbnnb"));
        }

        @Override
        public void close() {
            answers.close();
        }
    }

    /** Subscribes to the patches after a version, up to another version or the head. */
    public Deliveries subscribePatches(long after, long to) {
        Message request = newSubscription(to);
        request.writeNumber(3, after);
        return openSubscription(request);
    }

    /** Subscribes to the patch with an id and the patches after it. */
    public Deliveries subscribePatches(String id) {
        Message request = newSubscription(Long.MAX_VALUE);
        request.writeText(8, id);
        return openSubscription(request);
    }

    /** Subscribes to the newest checkpoint up to a version, if there is one, and the patches after it. */
    public Deliveries subscribeCheckpoint(long upTo) {
        return openSubscription(newSubscription(upTo));
    }

    private Message newSubscription(long to) {
        Message request = new Message();
        request.writeText(1, topic);
        request.writeNumber(5, 1);
        if (to < Long.MAX_VALUE) {
            request.writeNumber(6, to);
        }
        return request;
    }

    private Deliveries openSubscription(Message request) {
        return new Deliveries(calls.open("SubscribePatch", request.bytes()));
    }

    /** Runs some work on a subscription, and retries it if the server was in trouble. */
    public <T> T runWithRetries(Attempt<T> attempt) throws IOException {
        return calls.runWithRetries(attempt);
    }

    /** Work that can be restarted from its beginning. */
    public interface Attempt<T> {
        T make() throws IOException;
    }

    /**
     * Appends a patch. The patch has an id, so a retry after a lost response does not append it twice.
     *
     * @param patch a file of delimited frames
     * @param prev  the id or the hash of the patch that it follows; empty for none; null to use the patch's own header, or else the head
     * @return its version
     */
    public long publish(Path patch, String prev) throws IOException {
        return calls.runWithRetries(() -> {
            try (FrameReader frames = new FrameReader(Files.newInputStream(patch), MAX_FRAME)) {
                boolean[] isBegun = {false};
                return parseFields(calls.send("PublishPatch", () -> {
                    if (!frames.next()) {
                        return null;
                    }
                    Message message = new Message();
                    if (!isBegun[0]) {
                        message.writeText(1, topic);
                        if (prev != null) {
                            message.writeText(2, prev);
                        }
                        isBegun[0] = true;
                    }
                    message.writeBytes(3, frames.bytes(), frames.start(), frames.end());
                    return message.bytes();
                }), "nb").getNumber(1);
            }
        });
    }

    @Override
    public void close() {
        calls.close();
    }

    /** A writer for a protobuf message. */
    private static final class Message {
        private final WireWriter out = new WireWriter(256);

        void writeNumber(int field, long value) {
            out.writeVarint((long) field << 3 | WireReader.VARINT);
            out.writeVarint(value);
        }

        void writeText(int field, String text) {
            byte[] bytes = text.getBytes(UTF_8);
            writeBytes(field, bytes, 0, bytes.length);
        }

        void writeBytes(int field, byte[] source, int start, int end) {
            out.bytesField(field, source, start, end - start);
        }

        byte[] bytes() {
            byte[] made = new byte[out.size()];
            out.copyTo(made, 0, made.length);
            return made;
        }
    }

    /**
     * Parses a message.
     *
     * @param kinds the kinds of the fields, see {@link Fields}
     */
    private Fields parseFields(byte[] message, String kinds) throws IOException {
        try {
            return new Fields(message, kinds);
        } catch (WireException e) {
            throw (IOException) calls.unexpectedError().initCause(e);
        }
    }

    /**
     * The fields of a message by their numbers; the last field of a number counts. Each known field has a kind, from number 1:
     * {@code n} for a number, {@code b} for bytes. A field of another kind is skipped, like an unknown field.
     */
    private static final class Fields {
        private final byte[] message;
        private final long[] numbers;
        private final int[] starts;

        Fields(byte[] message, String kinds) {
            this.message = message;
            this.numbers = new long[kinds.length() + 1];
            this.starts = new int[kinds.length() + 1];
            WireReader in = new WireReader();
            in.reset(message, 0, message.length);
            while (!in.atEnd()) {
                int tag = in.tag();
                int field = tag >>> 3;
                boolean isBytes = field <= kinds.length() && kinds.charAt(field - 1) == 'b';
                if (field > kinds.length() || (tag & 7) != (isBytes ? WireReader.LENGTH_DELIMITED : WireReader.VARINT)) {
                    in.skip(tag);
                } else {
                    numbers[field] = isBytes ? in.length() : in.varint();
                    starts[field] = in.position();
                    in.skipBytes(isBytes ? (int) numbers[field] : 0);
                }
            }
        }

        boolean has(int field) {
            return starts[field] > 0;
        }

        long getNumber(int field) {
            return numbers[field];
        }

        String getText(int field) {
            return new String(message, starts[field], (int) numbers[field], UTF_8);
        }

        void writeDelimited(int field, OutputStream out) throws IOException {
            int length = (int) numbers[field];
            if (length > 0) {
                WireWriter size = new WireWriter(8);
                size.writeVarint(length);
                size.writeTo(out);
                out.write(message, starts[field], length);
            }
        }
    }
}

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
 * A client of the {@code RdfPatchStreamService} of {@code proto/jellybridge.proto}, for one of its topics. Frames go through as
 * bytes. Errors are {@link io.jellybridge.http.UnreachableException} of a server in trouble, and else {@link GrpcException}.
 */
public final class PatchStreams implements Closeable {
    private static final int MAX_FRAME = 1 << 30;

    private final String topic;
    private final GrpcCalls calls;

    /** @param options of {@link HttpOptions#ofGrpc}; the path is the topic */
    public PatchStreams(HttpOptions options) {
        this.topic = options.base().getPath().substring(1);
        this.calls = new GrpcCalls(options, "io.jellybridge.proto.RdfPatchStreamService");
    }

    /**
     * Where a log is: {@code RdfPatchHead}.
     *
     * @param log     the id of the log itself
     * @param first   the oldest version that is there
     * @param version the newest; 0: there is none
     * @param id      its patch's
     */
    public record Head(String log, long first, long version, String id) {
    }

    public Head head() throws IOException {
        Message request = new Message();
        request.text(1, topic);
        Fields head = fields(calls.ask("GetHead", request.bytes()), "bnnb");
        return new Head(head.text(1), head.number(2), head.number(3), head.text(4));
    }

    /** A frame of a patch or of a checkpoint: {@code RdfPatchDelivery}. */
    public static final class Delivery {
        private final Fields fields;

        private Delivery(Fields fields) {
            this.fields = fields;
        }

        public long version() {
            return fields.number(1);
        }

        /** Whether it is of a checkpoint. */
        public boolean isState() {
            return fields.has(4);
        }

        /** Whether it is the last frame of its patch, or of the checkpoint. */
        public boolean isLast() {
            return fields.number(5) != 0;
        }

        /** Of a checkpoint: which of its files it belongs to. */
        public int part() {
            return (int) fields.number(6);
        }

        /** Of a checkpoint, with its first frame: what it says of itself; empty with the others. */
        public String checkpoint() {
            return fields.text(7);
        }

        /** Writes the frame with its length before it; of an empty one nothing. */
        public void writeTo(OutputStream out) throws IOException {
            fields.writeDelimited(isState() ? 4 : 3, out);
        }
    }

    /** What is subscribed to. */
    public final class Deliveries implements Closeable {
        private final GrpcCalls.Answers answers;

        private Deliveries(GrpcCalls.Answers answers) {
            this.answers = answers;
        }

        /** Waits for the next frame; null after the last. */
        public Delivery next() throws IOException {
            byte[] message = answers.next();
            return message == null ? null : new Delivery(fields(message, "nbbbnnb"));
        }

        @Override
        public void close() {
            answers.close();
        }
    }

    /** The patches behind a version, up to another one or to the head. */
    public Deliveries patches(long after, long to) {
        Message request = subscription(to);
        request.number(3, after);
        return open(request);
    }

    /** The patch of an id, and those behind it. */
    public Deliveries patches(String id) {
        Message request = subscription(Long.MAX_VALUE);
        request.text(8, id);
        return open(request);
    }

    /** The newest checkpoint up to a version, where there is one, and the patches behind it. */
    public Deliveries checkpoint(long upTo) {
        return open(subscription(upTo));
    }

    private Message subscription(long to) {
        Message request = new Message();
        request.text(1, topic);
        request.number(5, 1);
        if (to < Long.MAX_VALUE) {
            request.number(6, to);
        }
        return request;
    }

    private Deliveries open(Message request) {
        return new Deliveries(calls.open("SubscribePatch", request.bytes()));
    }

    /** Does something with what is asked for, again where the server was in trouble. */
    public <T> T attempted(Attempt<T> attempt) throws IOException {
        return calls.attempted(attempt::make);
    }

    /** Something that can be done again from its beginning. */
    public interface Attempt<T> {
        T make() throws IOException;
    }

    /**
     * Appends a patch, which has an id, so that what a lost answer was of is not appended twice.
     *
     * @param patch a file of delimited frames
     * @param prev  the id of the patch that it follows; empty: none; null: what it says itself, else the head
     * @return its version
     */
    public long publish(Path patch, String prev) throws IOException {
        return calls.attempted(() -> {
            try (FrameReader frames = new FrameReader(Files.newInputStream(patch), MAX_FRAME)) {
                boolean[] isBegun = {false};
                return fields(calls.send("PublishPatch", () -> {
                    if (!frames.next()) {
                        return null;
                    }
                    Message message = new Message();
                    if (!isBegun[0]) {
                        message.text(1, topic);
                        if (prev != null) {
                            message.text(2, prev);
                        }
                        isBegun[0] = true;
                    }
                    message.bytes(3, frames.bytes(), frames.start(), frames.end());
                    return message.bytes();
                }), "nb").number(1);
            }
        });
    }

    @Override
    public void close() {
        calls.close();
    }

    /** A message that is made. */
    private static final class Message {
        private final WireWriter out = new WireWriter(256);

        void number(int field, long value) {
            out.varint((long) field << 3 | WireReader.VARINT);
            out.varint(value);
        }

        void text(int field, String text) {
            byte[] bytes = text.getBytes(UTF_8);
            bytes(field, bytes, 0, bytes.length);
        }

        void bytes(int field, byte[] source, int start, int end) {
            out.bytesField(field, source, start, end - start);
        }

        byte[] bytes() {
            byte[] made = new byte[out.size()];
            out.copyTo(made, 0, made.length);
            return made;
        }
    }

    /** @param kinds as {@link Fields} has them */
    private Fields fields(byte[] message, String kinds) throws IOException {
        try {
            return new Fields(message, kinds);
        } catch (WireException e) {
            throw (IOException) calls.unexpected().initCause(e);
        }
    }

    /**
     * The fields of a message, by their numbers, of which the last of each counts. What is known of them is the kind of each,
     * from 1: {@code n}, a number, or {@code b}, bytes. One of another kind is passed over, as one that is not known.
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

        long number(int field) {
            return numbers[field];
        }

        String text(int field) {
            return new String(message, starts[field], (int) numbers[field], UTF_8);
        }

        void writeDelimited(int field, OutputStream out) throws IOException {
            int length = (int) numbers[field];
            if (length > 0) {
                WireWriter size = new WireWriter(8);
                size.varint(length);
                size.writeTo(out);
                out.write(message, starts[field], length);
            }
        }
    }
}

package io.jellybridge.grpc;

import io.grpc.HandlerRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.jellybridge.http.UnreachableException;
import io.jellybridge.wire.WireWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server of gRPC that answers each call, whatever it is, as the test says. */
public final class ScriptedServer implements AutoCloseable {

    /**
     * What becomes of a call.
     *
     * @param status null: it is left open
     */
    public record Answer(Status status, List<byte[]> messages) {
    }

    /**
     * A call that came, with all messages that were sent before it was answered.
     *
     * @param method the last part of its name
     */
    public record Call(String method, String authorization, List<byte[]> messages) {
    }

    private final Server server;
    private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch cancelled = new CountDownLatch(1);

    public ScriptedServer() throws IOException {
        server = OkHttpServerBuilder.forPort(0, InsecureServerCredentials.create())
                .fallbackHandlerRegistry(new HandlerRegistry() {
                    @Override
                    public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
                        return ServerMethodDefinition.create(MethodDescriptor.<byte[], byte[]>newBuilder()
                                .setType(MethodType.BIDI_STREAMING).setFullMethodName(name).setRequestMarshaller(GrpcCalls.BYTES)
                                .setResponseMarshaller(GrpcCalls.BYTES).build(), handler(name.replaceFirst(".*/", "")));
                    }
                }).build().start();
    }

    public String url(String topic) {
        return "grpc://localhost:" + server.getPort() + "/" + topic;
    }

    /** The next call gets these messages, and then a status. */
    public void answer(Status status, byte[]... messages) {
        answers.add(new Answer(status, List.of(messages)));
    }

    /** Something that is asked. */
    public interface Question {
        Object ask() throws IOException;
    }

    /** Has a client connect by a question, which it may have to ask several times on a slow machine; nothing is left of it. */
    public void connect(Question question) throws IOException {
        for (int left = 20; left >= 0; left = answered(question, left) ? -1 : left - 1) {
            answers.clear();
            answer(Status.OK, message());
        }
        answers.clear();
        calls.clear();
    }

    private static boolean answered(Question question, int left) throws IOException {
        try {
            question.ask();
            return true;
        } catch (UnreachableException e) {
            if (left == 0) {
                throw e;
            }
            return false;
        }
    }

    /** What it was asked, in this order. */
    public List<Call> calls() {
        return calls;
    }

    /** Waits until a client gives a call up. */
    public void awaitCancelled() throws InterruptedException {
        cancelled.await();
    }

    private ServerCallHandler<byte[], byte[]> handler(String method) {
        return (call, headers) -> {
            List<byte[]> messages = new ArrayList<>();
            String authorization = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
            call.request(Integer.MAX_VALUE);
            return new ServerCall.Listener<>() {
                @Override
                public void onMessage(byte[] message) {
                    messages.add(message);
                }

                @Override
                public void onHalfClose() {
                    calls.add(new Call(method, authorization, messages));
                    Answer answer = answers.remove();
                    if (!answer.messages().isEmpty()) {
                        call.sendHeaders(new Metadata());
                        answer.messages().forEach(call::sendMessage);
                    }
                    if (answer.status() != null) {
                        call.close(answer.status(), new Metadata());
                    }
                }

                @Override
                public void onCancel() {
                    cancelled.countDown();
                }
            };
        };
    }

    /** A message of fields: number and value by turns, of which a text is its bytes and a number a varint. */
    public static byte[] message(Object... fields) {
        WireWriter out = new WireWriter(64);
        for (int i = 0; i < fields.length; i += 2) {
            int field = (Integer) fields[i];
            if (fields[i + 1] instanceof Number number) {
                out.varintField(field, number.longValue());
            } else {
                byte[] bytes = fields[i + 1] instanceof byte[] given ? given
                        : fields[i + 1].toString().getBytes(StandardCharsets.UTF_8);
                out.bytesField(field, bytes, 0, bytes.length);
            }
        }
        byte[] made = new byte[out.size()];
        out.copyTo(made, 0, made.length);
        return made;
    }

    @Override
    public void close() {
        server.shutdownNow();
    }
}

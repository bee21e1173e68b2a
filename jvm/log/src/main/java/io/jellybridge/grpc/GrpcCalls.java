package io.jellybridge.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptors;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.okhttp.OkHttpChannelBuilder;
import io.grpc.okhttp.SslSocketFactoryChannelCredentials;
import io.grpc.stub.BlockingClientCall;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.jellybridge.grpc.PatchStreams.Attempt;
import io.jellybridge.http.HttpCalls;
import io.jellybridge.http.HttpOptions;
import io.jellybridge.http.Redaction;
import io.jellybridge.http.UnreachableException;
import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Calls of a gRPC service whose messages are bytes. Waits for one message up to {@link HttpOptions#timeout()}. If a server is
 * in trouble (UNAVAILABLE, DEADLINE_EXCEEDED), it retries after growing pauses.
 */
final class GrpcCalls implements Closeable {
    /** The largest accepted message. The server limits its own messages. */
    private static final int MAX_MESSAGE = 1 << 30;
    private static final int KEEP_ALIVE_SECONDS = 30;
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /**
     * The logger of gRPC, which is off, since each call throws its error. The field keeps the logger, whose level would be
     * lost otherwise.
     */
    private static final Logger LOGGER = Logger.getLogger(ManagedChannel.class.getPackageName());

    static {
        LOGGER.setLevel(Level.OFF);
    }

    /** The marshaller. Other classes encode and decode the messages. */
    static final MethodDescriptor.Marshaller<byte[]> BYTES = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream in) {
            try {
                return in.readAllBytes();
            } catch (IOException e) {
                throw Status.INTERNAL.withDescription("a message can't be read").withCause(e).asRuntimeException();
            }
        }
    };

    private final HttpOptions options;
    private final String service;
    private final ManagedChannel connection;
    private final Channel channel;

    /**
     * Creates a client.
     *
     * @param options the options of {@link HttpOptions#ofGrpc}
     */
    GrpcCalls(HttpOptions options, String service) {
        this.options = options;
        this.service = service;
        URI base = options.base();
        String authorization = options.credentials().authorization();
        boolean isSecure = base.getScheme().equalsIgnoreCase("grpcs");
        ChannelCredentials credentials = isSecure
                ? SslSocketFactoryChannelCredentials.create(options.tls().context().getSocketFactory())
                : InsecureChannelCredentials.create();
        this.connection = OkHttpChannelBuilder.forAddress(base.getHost(), base.getPort(), credentials)
                .socketFactory(new TimedSockets(options.connectTimeout()))
                .maxInboundMessageSize(MAX_MESSAGE)
                .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                .build();
        Metadata who = new Metadata();
        if (authorization != null) {
            who.put(AUTHORIZATION, authorization);
        }
        this.channel = ClientInterceptors.intercept(connection, MetadataUtils.newAttachHeadersInterceptor(who));
    }

    private MethodDescriptor<byte[], byte[]> methodDescriptor(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder().setType(type).setRequestMarshaller(BYTES)
                .setResponseMarshaller(BYTES).setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .build();
    }

    /** Runs some work, and retries it if the server was in trouble. */
    <T> T runWithRetries(Attempt<T> work) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.make();
            } catch (UnreachableException e) {
                if (attempt >= options.attempts()) {
                    throw e;
                }
            }
            HttpCalls.pause(options, attempt);
        }
    }

    /** Sends a request and waits for the response. */
    byte[] ask(String method, byte[] request) throws IOException {
        return runWithRetries(() -> {
            try (Answers answers = open(method, request)) {
                byte[] answer = answers.next();
                if (answer == null || answers.next() != null) {
                    throw unexpectedError();
                }
                return answer;
            }
        });
    }

    /** Sends a request with several responses. */
    Answers open(String method, byte[] request) {
        return new Answers(ClientCalls.blockingV2ServerStreamingCall(
                channel, methodDescriptor(method, MethodType.SERVER_STREAMING), CallOptions.DEFAULT, request));
    }

    /** The messages to send. */
    interface Messages {
        /** Returns the next message; null after the last. */
        byte[] next() throws IOException;
    }

    /**
     * Sends messages and waits for the response. An error of their source cancels the call, and the server then stores
     * nothing.
     */
    byte[] send(String method, Messages messages) throws IOException {
        BlockingClientCall<byte[], byte[]> call = ClientCalls.blockingClientStreamingCall(
                channel, methodDescriptor(method, MethodType.CLIENT_STREAMING), CallOptions.DEFAULT);
        try (Answers answers = new Answers(call)) {
            boolean taken = true;
            for (byte[] one = messages.next(); one != null && taken; one = messages.next()) {
                taken = answers.write(one);
            }
            call.halfClose();
            byte[] answer = answers.next();
            if (answer == null) {
                throw unexpectedError();
            }
            return answer;
        }
    }

    /** Returns the error that the response does not belong to such a service. */
    IOException unexpectedError() {
        return new GrpcException(options.base(), "something else", "is it a server of patch logs?");
    }

    /** Cancels all calls. */
    @Override
    public void close() {
        connection.shutdownNow();
    }

    /** The responses of a call, one after the other. Closing it cancels the remaining ones. */
    final class Answers implements Closeable {
        private final BlockingClientCall<byte[], byte[]> call;

        private Answers(BlockingClientCall<byte[], byte[]> call) {
            this.call = call;
        }

        /**
         * Waits for the next response; null after the last.
         *
         * @throws UnreachableException no response came in time, or the server is in trouble
         * @throws GrpcException        the server rejects the call
         */
        byte[] next() throws IOException {
            return waitFor(() -> call.read(options.timeout().toMillis(), TimeUnit.MILLISECONDS));
        }

        /** Sends a message. Returns false if the server has ended the call. */
        private boolean write(byte[] message) throws IOException {
            return waitFor(() -> call.write(message, options.timeout().toMillis(), TimeUnit.MILLISECONDS));
        }

        @Override
        public void close() {
            call.cancel("no more is needed", null);
        }
    }

    /** A blocking step of a call. */
    private interface Wait<T> {
        T over() throws StatusException, TimeoutException, InterruptedException;
    }

    private <T> T waitFor(Wait<T> wait) throws IOException {
        try {
            return wait.over();
        } catch (StatusException e) {
            throw toFailure(e.getStatus());
        } catch (TimeoutException e) {
            throw new UnreachableException(
                    options.base(), 0, "no answer within " + options.timeout().toMillis() / 1000.0
                    + " s; give it more time by the option timeout", null);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for a server");
        }
    }

    private IOException toFailure(Status status) {
        String described = status.getDescription() == null ? "" : status.getDescription();
        String said = Redaction.redactText(options.credentials().hide(described));
        return switch (status.getCode()) {
            case UNAVAILABLE, DEADLINE_EXCEEDED -> new UnreachableException(options.base(), 0, status.getCode() + ": "
                    + (status.getCause() == null ? said : said + " (" + status.getCause().getMessage() + ")")
                    + "; is the server running?", status.getCause());
            case UNAUTHENTICATED, PERMISSION_DENIED -> new GrpcException(options.base(), status.getCode().name(),
                    said + "; name a token that may do this" + options.credentials().hint());
            case INTERNAL, UNIMPLEMENTED, UNKNOWN -> new GrpcException(options.base(), status.getCode().name(),
                    said + "; is it jellybridge serve?");
            default -> new GrpcException(options.base(), status.getCode().name(), said);
        };
    }
}

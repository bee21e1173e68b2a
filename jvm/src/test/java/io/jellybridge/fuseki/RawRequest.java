package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonObject;

/** A request on a connection of its own, with the bytes that a test says, also such as no HTTP client would send. */
final class RawRequest {
    private static final int PATIENCE_MILLIS = 60_000;

    private RawRequest() {
    }

    /** An answer as it came. */
    record Answer(String text) {

        int status() {
            return Integer.parseInt(text.split(" ", 3)[1]);
        }

        String head() {
            return text.split("\r\n\r\n", 2)[0];
        }

        String body() {
            return text.split("\r\n\r\n", 2)[1];
        }

        /** The body, which must be declared as JSON and be it. */
        JsonObject json() {
            if (!head().contains("\r\nContent-Type: application/json")) {
                throw new AssertionError("no JSON: " + text);
            }
            return JSON.parse(body());
        }
    }

    /** Opens a connection and sends the head of a request; the answer to it closes it. */
    static Socket begin(int port, String line, String... headers) throws IOException {
        return begin(port, new byte[0], line, headers);
    }

    private static Socket begin(int port, byte[] body, String line, String... headers) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes((line + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n").getBytes(UTF_8));
        for (String header : headers) {
            request.writeBytes((header + "\r\n").getBytes(UTF_8));
        }
        request.writeBytes("\r\n".getBytes(UTF_8));
        request.writeBytes(body);
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        send(socket, request.toByteArray());
        return socket;
    }

    static void send(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** Reads the answer to its end. */
    static Answer answer(Socket socket) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        socket.getInputStream().transferTo(bytes);
        return new Answer(bytes.toString(UTF_8));
    }

    /** Sends a whole request. */
    static Answer send(int port, String line, byte[] body, String... headers) throws IOException {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Content-Length: " + body.length;
        try (Socket socket = begin(port, body, line, all)) {
            return answer(socket);
        }
    }
}

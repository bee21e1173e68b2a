package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A client on one connection whose large body comes a while after the head of its request, and a second request behind. */
public final class LateBody {
    private static final int BODY_BYTES = 16 << 20;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final long LATE_MILLIS = 100;

    private LateBody() {
    }

    /**
     * The status lines of both answers.
     *
     * @param head   the request line and the headers of the first request, without a length
     * @param second a path that is asked for by GET behind it
     * @throws IOException the server closed the connection before
     */
    public static List<String> statuses(int port, String second, String... head) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            send(out, String.join("\r\n", head) + "\r\nHost: localhost\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n");
            Thread.sleep(LATE_MILLIS);
            byte[] piece = new byte[1 << 16];
            for (int sent = 0; sent < BODY_BYTES; sent += piece.length) {
                out.write(piece);
            }
            send(out, "GET " + second + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
            return statuses(new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)));
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void send(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(ISO_8859_1));
        out.flush();
    }

    private static List<String> statuses(BufferedReader answers) throws IOException {
        List<String> statuses = new ArrayList<>();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            int at = line.indexOf("HTTP/1.1 "); // a body needs no line end of its own
            if (at >= 0) {
                statuses.add(line.substring(at + 9, at + 12));
            }
        }
        return statuses;
    }
}

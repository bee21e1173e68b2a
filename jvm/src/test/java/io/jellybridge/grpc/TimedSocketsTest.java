package io.jellybridge.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

class TimedSocketsTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @Test
    void everyWayToMakeASocketConnectsIt() throws IOException {
        SocketFactory sockets = new TimedSockets(Duration.ofDays(10_000)); // more milliseconds than an int has
        try (ServerSocket server = new ServerSocket(0, 10, HERE)) {
            int port = server.getLocalPort();
            for (Socket socket : List.of(sockets.createSocket(HERE.getHostAddress(), port), sockets.createSocket(HERE, port),
                    sockets.createSocket(HERE.getHostAddress(), port, HERE, 0), sockets.createSocket(HERE, port, HERE, 0))) {
                assertEquals(port, socket.getPort());
                assertTrue(socket.isConnected());
                socket.close();
            }
        }
    }

    @Test
    void aSocketComesFromWhereItIsToldTo() throws IOException {
        SocketFactory sockets = new TimedSockets(Duration.ofSeconds(10));
        try (ServerSocket server = new ServerSocket(0, 10, HERE)) {
            for (boolean byName : new boolean[] {true, false}) {
                int free;
                try (ServerSocket found = new ServerSocket(0, 1, HERE)) {
                    free = found.getLocalPort();
                }
                try (Socket socket = byName ? sockets.createSocket(HERE.getHostAddress(), server.getLocalPort(), HERE, free)
                        : sockets.createSocket(HERE, server.getLocalPort(), HERE, free)) {
                    assertEquals(free, socket.getLocalPort());
                }
            }
        }
    }

    /** A server that takes nobody: when so many wait as it lets wait, no other gets a connection. */
    @Test
    void whereThereIsNoConnectionWithinTheTimeNoneIsWaitedFor() throws IOException {
        SocketFactory sockets = new TimedSockets(Duration.ofMillis(300));
        List<Socket> waiting = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, HERE)) {
            assertThrows(SocketTimeoutException.class, () -> {
                while (waiting.size() < 200) {
                    waiting.add(sockets.createSocket(HERE, full.getLocalPort()));
                }
            });
        } finally {
            for (Socket socket : waiting) {
                socket.close();
            }
        }
    }
}

package io.jellybridge.grpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.SocketFactory;

/** Creates sockets with a timeout for connecting. */
final class TimedSockets extends SocketFactory {
    private final int millis;

    TimedSockets(Duration connectTimeout) {
        this.millis = (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis());
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return connectSocket(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        return connectSocket(new InetSocketAddress(host, port), null);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) throws IOException {
        return connectSocket(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) throws IOException {
        return connectSocket(new InetSocketAddress(host, port), new InetSocketAddress(local, localPort));
    }

    private Socket connectSocket(InetSocketAddress to, InetSocketAddress from) throws IOException {
        Socket socket = new Socket();
        try {
            socket.bind(from);
            socket.connect(to, millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }
}

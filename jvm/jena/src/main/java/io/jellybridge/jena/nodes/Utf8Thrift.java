package io.jellybridge.jena.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.Utf8;
import java.nio.ByteBuffer;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TTransport;

/**
 * Jena's Thrift protocol with a check that strings are UTF-8. Thrift's own reader replaces invalid bytes by U+FFFD and goes on.
 */
public final class Utf8Thrift extends TCompactProtocol {

    public Utf8Thrift(TTransport transport) {
        super(transport);
    }

    @Override
    public String readString() throws TException {
        ByteBuffer string = readBinary();
        int start = string.arrayOffset() + string.position();
        if (Utf8.firstInvalid(string.array(), start, string.remaining()) >= 0) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "a string that is not UTF-8");
        }
        return new String(string.array(), start, string.remaining(), UTF_8);
    }
}

package io.jellybridge.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Selection;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.log.LogEntry;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The headers of a patch as terms, and the numbers of its rows. Blocks that end with {@code TA} do not count. */
public final class PatchDetails extends PatchAdapter<byte[]> {
    private final Map<String, String> headers = new HashMap<>();
    private long added;
    private long deleted;
    private long addedBefore;
    private long deletedBefore;

    /** Reads a patch without its terms. */
    public static PatchDetails of(LogEntry entry) throws IOException {
        PatchDetails details = new PatchDetails();
        try (PatchSource<byte[]> patch = entry.open(new Utf8Terms())) {
            patch.select(new Selection<>(false, false, false, false, null));
            patch.readAll(details);
        }
        return details;
    }

    /** Returns the value of a header; null if the patch has none. */
    public String header(String key) {
        return headers.get(key);
    }

    public long added() {
        return added;
    }

    public long deleted() {
        return deleted;
    }

    @Override
    public void header(byte[] key, byte[] value) {
        headers.putIfAbsent(new String(key, UTF_8), new String(value, UTF_8));
    }

    @Override
    public void transaction(Op op) {
        if (op == Op.TX) {
            addedBefore = added;
            deletedBefore = deleted;
        } else if (op == Op.TA) {
            added = addedBefore;
            deleted = deletedBefore;
        }
    }

    @Override
    public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        added += op == Op.A ? 1 : 0;
        deleted += op == Op.D ? 1 : 0;
    }
}

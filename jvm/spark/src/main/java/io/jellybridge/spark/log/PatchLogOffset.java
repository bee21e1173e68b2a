package io.jellybridge.spark.log;

import com.google.gson.JsonObject;
import io.jellybridge.log.JsonText;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import org.apache.spark.sql.connector.read.streaming.Offset;

/** How far a log was read. In a checkpoint: {@code {"format":1,"log":UUID,"version":17,"id":UUID}}. */
final class PatchLogOffset extends Offset {
    private static final Long FORMAT = 1L;

    private final String log;
    private final long version;
    private final String id;

    /**
     * @param log     the id of the log
     * @param version the last version that was read; 0: none
     * @param id      that patch's id; null: not known, or none
     */
    private PatchLogOffset(String log, long version, String id) {
        this.log = log;
        this.version = version;
        this.id = id;
    }

    /** The place behind a version, which the log need not have yet. */
    static PatchLogOffset at(PatchLog log, long version) throws IOException {
        LogHead head = log.head();
        if (version == head.version()) {
            return new PatchLogOffset(log.id(), head.version(), head.id());
        }
        return new PatchLogOffset(log.id(), version, version < 1 ? null : LogVersions.idOf(log, version));
    }

    /** @throws IllegalArgumentException the text is no offset of this version of jellybridge */
    static PatchLogOffset of(String json) {
        try {
            JsonObject members = JsonText.object(json);
            String log = JsonText.string(members, "log");
            Long version = JsonText.whole(members, "version");
            if (FORMAT.equals(JsonText.whole(members, "format")) && log != null && version != null) {
                return new PatchLogOffset(log, version, JsonText.string(members, "id"));
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the checkpoint's offset is " + json + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the checkpoint's offset is " + json
                + ", none that this version of jellybridge wrote; use the version that did, or a new checkpoint");
    }

    String log() {
        return log;
    }

    long version() {
        return version;
    }

    /** The last patch that was read; null: not known, or none. */
    String id() {
        return id;
    }

    @Override
    public String json() {
        JsonObject members = new JsonObject();
        members.addProperty("format", FORMAT);
        members.addProperty("log", log);
        members.addProperty("version", version);
        members.addProperty("id", id);
        return members.toString();
    }
}

package io.jellybridge.spark.log;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.JsonText;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import org.apache.spark.sql.connector.read.streaming.Offset;

/**
 * How far a log was read. In a checkpoint of Spark's: {@code {"format":1,"log":UUID,"version":17,"id":UUID}}, and {@code
 * "state":true} where the next version is to be read as the state that a checkpoint of the log has.
 */
final class PatchLogOffset extends Offset {
    private static final Long FORMAT = 1L;

    private final String log;
    private final long version;
    private final String id;
    private final boolean isState;

    /**
     * @param log     the id of the log
     * @param version the last version that was read; 0: none
     * @param id      that patch's id; null: not known, or none
     * @param isState whether the next version is read as a state
     */
    private PatchLogOffset(String log, long version, String id, boolean isState) {
        this.log = log;
        this.version = version;
        this.id = id;
        this.isState = isState;
    }

    /** The place behind a version, which the log need not have yet. */
    static PatchLogOffset at(PatchLog log, long version) throws IOException {
        LogHead head = log.head();
        if (version == head.version()) {
            return new PatchLogOffset(log.id(), head.version(), head.id(), false);
        }
        return new PatchLogOffset(log.id(), version, version < 1 ? null : idOf(log, version), false);
    }

    /** The id of a version that may be a checkpoint and no patch. */
    private static String idOf(PatchLog log, long version) throws IOException {
        if (version >= log.first()) {
            return LogVersions.idOf(log, version);
        }
        Checkpoint state = log.checkpoint(version);
        return state == null || state.version() != version ? null : state.id();
    }

    /** Returns the place before a checkpoint, which comes as the patch of its version. */
    static PatchLogOffset before(Checkpoint state) {
        return new PatchLogOffset(state.log(), state.version() - 1, null, true);
    }

    /** @throws IllegalArgumentException the text is no offset of this version of jellybridge */
    static PatchLogOffset of(String json) {
        try {
            JsonObject members = JsonText.object(json);
            String log = JsonText.string(members, "log");
            Long version = JsonText.whole(members, "version");
            if (FORMAT.equals(JsonText.whole(members, "format")) && log != null && version != null) {
                return new PatchLogOffset(log, version, JsonText.string(members, "id"),
                        members.get("state") instanceof JsonPrimitive state && state.getAsBoolean());
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the checkpoint's offset is " + json + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the checkpoint's offset is " + json
                + ", none that this version of jellybridge wrote; use the version that did, or a new checkpoint");
    }

    /** @throws IllegalStateException a log is another than the one of this */
    void checkLog(PatchLog found) throws IOException {
        if (!log.equals(found.id())) {
            throw new IllegalStateException("the checkpoint is of the patch log " + log + ", and " + found.name()
                    + " is the patch log " + found.id() + "; use a new checkpoint, or the log that it is of");
        }
    }

    /**
     * Checks that the log of this has the patch still that was read last, as far as it can be told: one that was pruned has it
     * not, nor one whose patch can't be read, and who starts beyond the head knows none. May ask for that patch.
     *
     * @throws IllegalStateException its history was rewritten, as where an older copy took its place
     */
    void checkHistory(PatchLog found) throws IOException {
        if (id == null) {
            return;
        }
        LogHead head = found.head();
        if (head.version() < version) {
            throw rewritten(found, "ends at version " + head.version());
        }
        String is = head.version() == version ? head.id() : version < found.first() ? null : LogVersions.idOf(found, version);
        if (is != null && !is.equals(id)) {
            throw rewritten(found, "has " + is + " as that version");
        }
    }

    private IllegalStateException rewritten(PatchLog found, String has) {
        return new IllegalStateException("the checkpoint is at version " + version + " of the patch log " + found.name()
                + ", the patch " + id + ", and the log " + has + ": its history was rewritten, or an older copy took its place; "
                + "bring the log back that has that patch, or use a new checkpoint, and an empty target");
    }

    long version() {
        return version;
    }

    /** Whether the next version is read as the state that a checkpoint has. */
    boolean isState() {
        return isState;
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
        if (isState) {
            members.addProperty("state", true);
        }
        return members.toString();
    }
}

package io.jellybridge.spark.log;

import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.JsonText;
import io.jellybridge.log.LogHead;
import io.jellybridge.log.LogVersions;
import io.jellybridge.log.PatchHeader;
import io.jellybridge.log.PatchLog;
import java.io.IOException;
import org.apache.spark.sql.connector.read.streaming.Offset;

/**
 * The offset of a read in a log. Its JSON is {@code {"format":1,"log":UUID,"version":17,"id":UUID,"chain":HASH}}. With {@code
 * "state":true}, the next version is read from a checkpoint of the log. The end of a batch has the offset where the batch began
 * as {@code "begin"}.
 */
final class PatchLogOffset extends Offset {
    private static final Long FORMAT = 1L;

    private final String log;
    private final long version;
    private final String id;
    private final String hash;
    private final boolean isState;
    private final PatchLogOffset begin;

    /**
     * @param log     the id of the log
     * @param version the last version that was read; 0 = none
     * @param id      the id of that patch; null if unknown, or if there is none
     * @param hash    the hash of that patch in the chain, see {@link io.jellybridge.log.Chain#own}; null if unknown
     * @param isState true to read the next version from a checkpoint
     * @param begin   the offset where the batch that ends here began; null if unknown, or if no batch ends here
     */
    private PatchLogOffset(String log, long version, String id, String hash, boolean isState, PatchLogOffset begin) {
        this.log = log;
        this.version = version;
        this.id = id;
        this.hash = hash;
        this.isState = isState;
        this.begin = begin;
    }

    /** Returns the offset after a version, which need not be in the log yet. */
    static PatchLogOffset at(PatchLog log, long version) throws IOException {
        if (version > 0 && version == log.headVersion()) {
            LogHead head = log.head(); // a server says what it is, so that no patch is downloaded
            if (head.version() == version) {
                return new PatchLogOffset(log.id(), version, head.id(), hashOfHead(log), false, null);
            }
        }
        PatchHeader header = version < 1 ? null : headerOf(log, version);
        return new PatchLogOffset(log.id(), version, header == null ? null : header.id(), header == null ? null : header.hash(), false,
                null);
    }

    /** Returns the hash of the head that was asked for last; null if a server does not say it. */
    private static String hashOfHead(PatchLog log) {
        return log.headHash().isEmpty() ? null : log.headHash();
    }

    /** Returns the header of a version, which may be a checkpoint without a patch; null if it is unknown. */
    private static PatchHeader headerOf(PatchLog log, long version) throws IOException {
        if (version >= log.first()) {
            return LogVersions.headerOf(log, version);
        }
        Checkpoint state = log.findCheckpoint(version);
        return state == null || state.version() != version ? null : state.header();
    }

    /** Returns the offset before a checkpoint, which is read as the patch of its version. */
    static PatchLogOffset before(Checkpoint state) {
        return new PatchLogOffset(state.log(), state.version() - 1, null, null, true, null);
    }

    /** Returns this offset as the end of a batch that begins at the given one; null = unknown. */
    PatchLogOffset since(PatchLogOffset start) {
        return new PatchLogOffset(log, version, id, hash, isState, start == null ? null : start.since(null));
    }

    /**
     * Parses an offset.
     *
     * @throws IllegalArgumentException the text is not an offset of this version of jellybridge
     */
    static PatchLogOffset of(String json) {
        try {
            JsonObject members = JsonText.parseObject(json);
            String log = JsonText.getString(members, "log");
            Long version = JsonText.getWhole(members, "version");
            if (FORMAT.equals(JsonText.getWhole(members, "format")) && log != null && version != null) {
                return new PatchLogOffset(log, version, JsonText.getString(members, "id"), JsonText.getString(members, "chain"),
                        members.get("state") instanceof JsonPrimitive state && state.getAsBoolean(),
                        members.get("begin") instanceof JsonObject begin ? of(begin.toString()) : null);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("the checkpoint's offset is " + json + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException("the checkpoint's offset is " + json
                + ", none that this version of jellybridge wrote; use the version that did, or a new checkpoint");
    }

    /**
     * Checks that a log is the one of this offset.
     *
     * @throws IllegalStateException it is another log
     */
    void checkLog(PatchLog found) throws IOException {
        if (!log.equals(found.id())) {
            throw new IllegalStateException("the checkpoint is of the patch log " + log + ", and " + found.name()
                    + " is the patch log " + found.id() + "; use a new checkpoint, or the log that it is of");
        }
    }

    /**
     * Checks that the log still has the patch that was read last. Fetches that patch if it is not the head. The check passes if this can't be
     * known: the patch was pruned, it can't be read, or the read started after the head.
     *
     * @throws IllegalStateException the log's history was rewritten, for example by restoring an older copy
     */
    void checkHistory(PatchLog found) throws IOException {
        if (id == null) {
            return;
        }
        LogHead head = found.head();
        if (head.version() < version) {
            throw rewrittenError(found, "ends at version " + head.version());
        }
        if (head.version() == version) {
            requireSame(found, head.id(), hashOfHead(found));
            return;
        }
        PatchHeader is = version < found.first() ? null : LogVersions.headerOf(found, version);
        if (is != null) {
            requireSame(found, is.id(), is.hash());
        }
    }

    private void requireSame(PatchLog found, String foundId, String foundHash) {
        if (foundId != null && !foundId.equals(id)) {
            throw rewrittenError(found, "has " + foundId + " as that version");
        }
        if (hash != null && foundHash != null && !foundHash.equals(hash)) {
            throw rewrittenError(found, "has other patches before that one");
        }
    }

    private IllegalStateException rewrittenError(PatchLog found, String has) {
        return new IllegalStateException("the checkpoint is at version " + version + " of the patch log " + found.name()
                + ", the patch " + id + ", and the log " + has + ": its history was rewritten, or an older copy took its place; "
                + "bring the log back that has that patch, or use a new checkpoint, and an empty target");
    }

    long version() {
        return version;
    }

    /** Returns whether the next version is read from a checkpoint. */
    boolean isState() {
        return isState;
    }

    /** Returns the id of the last patch that was read; null if unknown, or if there is none. */
    String id() {
        return id;
    }

    /** The hash of that patch; null: not known, or none. */
    String hash() {
        return hash;
    }

    /** Returns the offset where the batch that ends here began; null if unknown, or if no batch ends here. */
    PatchLogOffset begin() {
        return begin;
    }

    @Override
    public String json() {
        return members().toString();
    }

    private JsonObject members() {
        JsonObject members = new JsonObject();
        members.addProperty("format", FORMAT);
        members.addProperty("log", log);
        members.addProperty("version", version);
        members.addProperty("id", id);
        if (hash != null) {
            members.addProperty("chain", hash);
        }
        if (isState) {
            members.addProperty("state", true);
        }
        if (begin != null) {
            members.add("begin", begin.members());
        }
        return members;
    }
}

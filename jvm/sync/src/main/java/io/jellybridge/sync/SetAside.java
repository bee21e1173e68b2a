package io.jellybridge.sync;

import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.log.JsonText;
import java.io.IOException;

/**
 * A note about a patch that was set aside while the dataset went on. It lets a later sync see that the patch was repaired. The
 * text of a note is JSON.
 *
 * @param aside   the name of the patch in messages
 * @param id      the id of the patch, from itself or from the patch after it; null if not known
 * @param version the version of a patch of a log; null for others
 * @param rows    the number of rows; null if the patch can't be read
 * @param hash    the hash of the rows; null if the patch can't be read
 */
record SetAside(String aside, String id, Long version, Long rows, String hash) {

    /** Reads a patch and creates its note. */
    static SetAside of(SyncPatch patch, String id, FilePatches.Cursor cursor) throws IOException {
        String known = patch.id() == null ? id : patch.id();
        if (patch.fault() == null) {
            try {
                SyncPatch.Content content = cursor.content(patch);
                return new SetAside(patch.name(), known, patch.version(), content.rows(), content.hash());
            } catch (FormatException e) {
                // like a patch whose fault was known before
            }
        }
        return new SetAside(patch.name(), known, patch.version(), null, null);
    }

    /** Parses a note; null if it is a note of another kind. */
    static SetAside parse(String note) {
        try {
            JsonObject json = JsonText.object(note);
            String aside = JsonText.string(json, "aside");
            return aside == null ? null : new SetAside(aside, JsonText.string(json, "id"), JsonText.whole(json, "version"),
                    JsonText.whole(json, "rows"), JsonText.string(json, "hash"));
        } catch (IOException e) {
            return null;
        }
    }

    /** Returns the note as text. */
    String note() {
        return Applied.JSON.toJson(this);
    }
}

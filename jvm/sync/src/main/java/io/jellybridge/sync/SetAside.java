package io.jellybridge.sync;

import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.log.JsonText;
import java.io.IOException;

/**
 * The note of a patch that was set aside, while the dataset went on behind it: by it a later sync sees that it was mended.
 * As a text it is JSON.
 *
 * @param aside   what messages call the patch
 * @param id      its id, of its own or as the patch behind it says; null: not known
 * @param version of a patch of a log; null of others
 * @param rows    how many rows it has; null where it can't be read
 * @param hash    what they say; null where it can't be read
 */
record SetAside(String aside, String id, Long version, Long rows, String hash) {

    /** A patch as it is, which is read for it. */
    static SetAside of(SyncPatch patch, String id) throws IOException {
        String known = patch.id() == null ? id : patch.id();
        if (patch.fault() == null) {
            try {
                SyncPatch.Content content = patch.content();
                return new SetAside(patch.name(), known, patch.version(), content.rows(), content.hash());
            } catch (FormatException e) {
                // As one whose fault was seen before.
            }
        }
        return new SetAside(patch.name(), known, patch.version(), null, null);
    }

    /** What a note says; null: it is another's. */
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

    /** As a text. */
    String note() {
        return Applied.JSON.toJson(this);
    }
}

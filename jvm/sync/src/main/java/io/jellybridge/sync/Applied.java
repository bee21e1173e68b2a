package io.jellybridge.sync;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import io.jellybridge.jena.data.Position;
import io.jellybridge.log.ContentHash;
import io.jellybridge.log.JsonText;
import java.io.IOException;
import java.util.Objects;

/**
 * The content of the patch at a dataset's position when it was applied. It lets the next sync detect if the patch has changed.
 * It is stored as JSON text beside the position.
 *
 * @param patch   the position that this belongs to. If it is not the stored position, a program that writes no such text has
 *                moved the dataset, and this does not count
 * @param name    the name of the patch in messages
 * @param version the version of a patch of a log; null for others
 * @param rows    the number of its rows, including headers
 * @param hash    the hash of the rows, see {@link ContentHash}
 * @param order   {@link #NAMES} if the names of files are the order and each file before has a note; otherwise null
 * @param chain   the hash of a patch of a log, {@link io.jellybridge.log.Chain#own}; null for others
 */
record Applied(String patch, String name, Long version, long rows, String hash, String order, String chain) {
    /** The order of files by their names. */
    static final String NAMES = "names";
    /** Writes texts for datasets, without members that are null. */
    static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();

    /** Returns the note of a patch with this content. */
    static Applied of(SyncPatch patch, SyncPatch.Content content, boolean byNames) {
        return new Applied(patch.position(), patch.name(), patch.version(), content.rows(), content.hash(),
                byNames ? NAMES : null, patch.chain() == null ? null : patch.chain().own());
    }

    /** Returns the stored content of the patch at a position; null if there is none. */
    static Applied at(Position position) {
        if (position == null || position.applied() == null) {
            return null;
        }
        try {
            JsonObject json = JsonText.object(position.applied());
            Long rows = JsonText.whole(json, "rows");
            Applied applied = new Applied(JsonText.string(json, "patch"), JsonText.string(json, "name"),
                    JsonText.whole(json, "version"), rows == null ? 0 : rows, JsonText.string(json, "hash"),
                    JsonText.string(json, "order"), JsonText.string(json, "chain"));
            return Objects.equals(applied.patch, position.id()) && applied.hash != null ? applied : null;
        } catch (IOException e) {
            return null; // a text of another program
        }
    }

    /** Returns the position with this text beside it. */
    Position position() {
        return new Position(patch, JSON.toJson(this));
    }
}

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
 * What the patch at a dataset's position was when it was applied: by it the next sync sees whether it is still that. As a
 * text, beside the position, it is JSON.
 *
 * @param patch   the position: of a text that is beside another one, by who writes none, nothing holds
 * @param name    what messages call the patch
 * @param version of a patch of a log; null of others
 * @param rows    how many rows it had, headers too
 * @param hash    what they said, see {@link ContentHash}
 * @param order   {@link #NAMES} where the names of files are the order, and each file before has a note; else null
 * @param chain   of a patch of a log its hash there, {@link io.jellybridge.log.Chain#own}; else null
 */
record Applied(String patch, String name, Long version, long rows, String hash, String order, String chain) {
    /** The order of files by their names. */
    static final String NAMES = "names";
    /** Writes texts of datasets, without what is null. */
    static final Gson JSON = new GsonBuilder().disableHtmlEscaping().create();

    /** A patch as it is, which is read for it. */
    static Applied of(SyncPatch patch, boolean byNames) throws IOException {
        SyncPatch.Content content = patch.content();
        return new Applied(patch.position(), patch.name(), patch.version(), content.rows(), content.hash(),
                byNames ? NAMES : null, patch.chain() == null ? null : patch.chain().own());
    }

    /** What is known of the patch at a position; null: nothing. */
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
            return null; // of something else
        }
    }

    /** The position with this beside it. */
    Position position() {
        return new Position(patch, JSON.toJson(this));
    }
}

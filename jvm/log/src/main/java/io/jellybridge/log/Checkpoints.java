package io.jellybridge.log;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Finds the checkpoints of a log that is a folder: {@code checkpoints/VERSION/checkpoint.json}, the version in 20 digits. */
public final class Checkpoints {
    private static final String FOLDER = "checkpoints";
    private static final String DESCRIPTION = "checkpoint.json";
    private static final Long FORMAT = 1L;

    private Checkpoints() {
    }

    /**
     * The last checkpoint of a log that is not after a version; null: there is none.
     *
     * @throws IOException it is damaged, or of another log
     */
    public static Checkpoint nearest(PatchLog log, long version) throws IOException {
        if (!(log instanceof FolderLog folder)) {
            return null; // what is on a server has none that could be read from here
        }
        Path found = null;
        long nearest = -1;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder.folder().resolve(FOLDER), "[0-9]*")) {
            for (Path each : folders) {
                long of = version(each);
                if (of > nearest && of <= version) {
                    nearest = of;
                    found = each;
                }
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            return null;
        }
        return found == null ? null : read(found, nearest, log);
    }

    /** The version that a folder's name says; -1: it is none of ours. */
    private static long version(Path folder) {
        try {
            return Long.parseLong(folder.getFileName().toString());
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private static Checkpoint read(Path folder, long version, PatchLog log) throws IOException {
        Path file = folder.resolve(DESCRIPTION);
        JsonObject members;
        try {
            members = JsonText.object(Files.readString(file));
        } catch (IOException e) {
            throw new IOException(file + " can't be read: " + e.getMessage()
                    + "; remove this checkpoint, others or the patches have the same", e);
        }
        Long quads = JsonText.whole(members, "quads");
        Long said = JsonText.whole(members, "version");
        if (!FORMAT.equals(JsonText.whole(members, "format")) || quads == null || said == null || said != version) {
            throw new IOException(file + " is no description of version " + version
                    + " that this version of jellybridge knows; use the one that wrote it, or remove this checkpoint");
        }
        if (!log.id().equals(JsonText.string(members, "log"))) {
            throw new IOException(folder + " is a checkpoint of the patch log " + JsonText.string(members, "log") + ", and "
                    + log.name() + " is the patch log " + log.id() + "; remove this checkpoint");
        }
        String time = JsonText.string(members, "time");
        return new Checkpoint(
                folder, version, JsonText.string(members, "id"), time == null ? null : PatchTimes.parse(time), quads);
    }
}

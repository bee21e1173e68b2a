package io.jellybridge.log;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that appends to the log in a folder until it has made so many patches, and says each: version and id. When it
 * has seen the head it says {@code ready}, and waits until its input ends.
 */
final class FolderAppender {

    private FolderAppender() {
    }

    public static void main(String[] arguments) throws IOException {
        PatchLog log = StoreLog.open(Path.of(arguments[0]));
        int rows = Integer.parseInt(arguments[2]);
        String prev = log.head().id();
        System.out.println("ready");
        System.in.read();
        for (int left = Integer.parseInt(arguments[1]); left > 0; prev = log.head().id()) {
            try {
                LogHead made = LogPatches.append(log, LogPatches.patch(null, prev, rows(rows)), prev);
                System.out.println(made.version() + " " + made.id());
                left--;
            } catch (LogConflictException e) {
                System.out.println("conflict");
            }
        }
    }

    private static String[] rows(int count) {
        String[] rows = new String[count];
        for (int row = 0; row < count; row++) {
            rows[row] = LogPatches.add(row);
        }
        return rows;
    }
}

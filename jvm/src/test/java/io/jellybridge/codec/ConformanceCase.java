package io.jellybridge.codec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * A line of a {@code cases.tsv}. Its columns: case_id, kind, category, input, options, expected, frames, statements,
 * features, upstream, note.
 *
 * @param inputs   the files of the input
 * @param expected as it stands; see {@link #expectedFiles}
 */
record ConformanceCase(Path folder, String id, String kind, List<Path> inputs, String options, String expected,
        String features) {

    static List<ConformanceCase> of(Path folder) throws IOException {
        return Arrays.stream(Files.readString(folder.resolve("cases.tsv")).split("\n")).skip(1)
                .map(line -> of(folder, line.split("\t", -1))).toList();
    }

    private static ConformanceCase of(Path folder, String[] cells) {
        return new ConformanceCase(folder, cells[0], cells[1], files(folder, cells[3]), cells[4], cells[5], cells[8]);
    }

    /** The files that {@link #expected} lists. */
    List<Path> expectedFiles() {
        return files(folder, expected);
    }

    private static List<Path> files(Path folder, String list) {
        return Arrays.stream(list.split(",")).map(folder::resolve).toList();
    }
}

package io.jellybridge.spark.log;

import io.jellybridge.log.Checkpoint;
import io.jellybridge.log.PatchLogs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.read.Statistics;

/**
 * The estimated size of a scan, by which Spark decides whether a join broadcasts it.
 *
 * @param sizeInBytes the size of the rows in memory; empty if it is not known
 * @param numRows     the number of rows; empty if it is not known
 */
public record ScanSize(OptionalLong sizeInBytes, OptionalLong numRows) implements Statistics {
    /** No size is known, so nothing is broadcast. */
    public static final ScanSize UNKNOWN = new ScanSize(OptionalLong.empty(), OptionalLong.empty());

    /** The rows in memory take about so many times the bytes of Jelly. */
    private static final long EXPANSION = 8;
    private static final Pattern PATCHES = Pattern.compile("[0-9]{20}\\.jellyp");

    /** Returns the size of the quads of a checkpoint. */
    public static ScanSize of(Checkpoint checkpoint) {
        long bytes = checkpoint.parts().stream().mapToLong(Checkpoint.Part::bytes).sum();
        return new ScanSize(OptionalLong.of(bytes * EXPANSION), OptionalLong.of(checkpoint.quads()));
    }

    /**
     * Returns the size of a range of versions, by the files of a log in a folder of this machine. Of other logs it is not known.
     */
    public static ScanSize of(String address, long from, long to) {
        try (Stream<Path> entries = Files.list(PatchLogs.folder(address))) {
            List<Path> files = entries.filter(file -> PATCHES.matcher(file.getFileName().toString()).matches()).sorted().toList();
            long bytes = 0;
            for (int i = 0; i < files.size(); i++) {
                long next = i + 1 < files.size() ? first(files.get(i + 1)) : Long.MAX_VALUE;
                if (next > from && first(files.get(i)) <= to) {
                    bytes += Files.size(files.get(i));
                }
            }
            return new ScanSize(OptionalLong.of(bytes * EXPANSION), OptionalLong.empty());
        } catch (IOException | IllegalArgumentException e) {
            return UNKNOWN; // the scan itself says what is wrong
        }
    }

    private static long first(Path file) {
        return Long.parseLong(file.getFileName().toString().substring(0, 20));
    }

    /** Returns the size of both; the number of rows is that of neither. */
    public ScanSize and(ScanSize other) {
        return sizeInBytes.isEmpty() || other.sizeInBytes.isEmpty() ? UNKNOWN
                : new ScanSize(OptionalLong.of(sizeInBytes.getAsLong() + other.sizeInBytes.getAsLong()), OptionalLong.empty());
    }
}

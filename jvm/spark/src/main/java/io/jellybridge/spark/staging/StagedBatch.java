package io.jellybridge.spark.staging;

import io.jellybridge.codec.JoinedPatches;
import io.jellybridge.codec.JoinedPatches.Piece;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The patches that the tasks of a batch staged.
 *
 * @param patches the patches of all tasks, in the order of their rows
 * @param count   the number of patches
 * @param rows    the number of their rows
 */
public record StagedBatch(JoinedPatches patches, long count, long rows) implements Patches {

    /**
     * Creates the batch from the files of its tasks.
     *
     * @param staged in the order of the partitions
     * @throws IllegalStateException the rows of a partition do not follow those of the partition before
     */
    static StagedBatch of(List<StagedPatch> staged, Configuration hadoop) {
        List<Piece> pieces = new ArrayList<>();
        ReadOptions reading = staged.size() > 1 ? ReadOptions.DEFAULT.ofPiece() : ReadOptions.DEFAULT;
        for (int i = 0; i < staged.size(); i++) {
            StagedPatch piece = staged.get(i);
            StagedPatch next = i + 1 < staged.size() ? staged.get(i + 1) : null;
            if (next != null && piece.last().compareTo(next.first()) >= 0) {
                throw new IllegalStateException("the rows of the partitions are not in order: " + next.first()
                        + " comes in one after that of " + piece.last() + "; leave the option '"
                        + StagingOptions.IN_ORDER.name() + "' out, or order the rows by patch and row before");
            }
            boolean goesOn = next != null && piece.last().patch() == next.first().patch();
            pieces.add(new Piece(openFile(piece, reading, hadoop), goesOn ? piece.patches() - 1 : piece.patches()));
        }
        return new StagedBatch(JoinedPatches.ofPieces(pieces), pieces.stream().mapToLong(Piece::ends).sum(),
                staged.stream().mapToLong(StagedPatch::rows).sum());
    }

    private static Patches openFile(StagedPatch staged, ReadOptions reading, Configuration hadoop) {
        Path path = new Path(staged.file());
        return new Patches() {
            @Override
            public <T> PatchSource<T> open(TermFactory<T> terms) throws IOException {
                return new PatchReader<>(path.getFileSystem(hadoop).open(path), "the batch", terms, reading);
            }
        };
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) {
        return patches.open(terms);
    }

    /** The place of a change row in the order of all rows, by its columns. */
    record RowPlace(long patch, long row) implements Serializable, Comparable<RowPlace> {
        private static final Comparator<RowPlace> ORDER = Comparator.comparingLong(RowPlace::patch).thenComparingLong(RowPlace::row);

        @Override
        public int compareTo(RowPlace other) {
            return ORDER.compare(this, other);
        }

        /** Returns the place for messages. */
        @Override
        public String toString() {
            return "patch " + patch + ", row " + row;
        }
    }

    /**
     * A task's report to the driver about its staged file.
     *
     * @param file    the complete file with the task's rows
     * @param rows    the number of rows
     * @param patches the number of patches; the first and the last of them may continue in other tasks' files
     * @param first   the place of the first row; null without rows
     * @param last    the place of the last row; null without rows
     */
    record StagedPatch(String file, long rows, long patches, RowPlace first, RowPlace last) implements Serializable {
    }
}

package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.files.BadStatements;
import java.io.IOException;

/** A snapshot in a file of statements. */
public final class SnapshotFile implements Snapshot {
    private final Input input;

    /** Creates a snapshot in which an unreadable statement is an error. */
    public SnapshotFile(FileLocation place, Format from, ConvertOptions options, ProgressMeter meter) {
        this(place, from, options, meter, null);
    }

    /**
     * Creates a snapshot.
     *
     * @param bad  receives unreadable statements; null if the first is an error
     * @param from the format; null to use the suffix
     * @throws IllegalArgumentException the format is unknown, or holds patches
     */
    public SnapshotFile(FileLocation place, Format from, ConvertOptions options, ProgressMeter meter, BadStatements bad) {
        this.input = new Input(place, from, options, meter, bad).ofSnapshot();
        if (input.format().holdsPatches()) {
            throw new IllegalArgumentException(input.name() + " is " + input.format()
                    + ": a snapshot is in a format of statements: " + Format.namesOfStatements());
        }
    }

    @Override
    public String name() {
        return input.name();
    }

    @Override
    public boolean isOfOneGraph() {
        return input.format().holdsOneGraph();
    }

    @Override
    public boolean tellsPrefixes() throws IOException {
        return input.tellsPrefixes();
    }

    @Override
    public void read(RdfHandler<byte[]> handler) throws IOException {
        try (StatementSource<byte[]> source = input.openStatements(false)) {
            boolean more = true;
            while (more) {
                try {
                    more = source.next(handler);
                } catch (IllegalArgumentException e) {
                    throw source.newError("term", e.getMessage(), "correct the term");
                }
            }
        }
    }
}

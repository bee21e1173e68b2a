package io.jellybridge.convert;

import io.jellybridge.files.BadStatements;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;

/** A file of {@link BadStatements}, which is empty where there are none. It takes its place in {@link #commit()}, or never. */
public final class BadStatementFile implements Closeable {
    private final OutputFile file;
    private final BadStatements statements;

    /**
     * @param limit how many of a file's statements may be bad: a number, or a share such as {@code 0.1%}; null: all
     * @throws IllegalArgumentException the limit is neither
     */
    public BadStatementFile(Place place, String limit) throws IOException {
        ShareLimit share = limit == null ? ShareLimit.NONE : ShareLimit.parse(limit);
        if (share == null) {
            throw new IllegalArgumentException(
                    "max_bad is " + limit + "; it must be a number of statements, or a share of them from 0% to 100%");
        }
        file = place.create();
        statements = new BadStatements(place.name(), share, file::out);
    }

    /** Where statements go that can't be read. */
    public BadStatements statements() {
        return statements;
    }

    /** Ends the file and puts it in its place, over one that is there. */
    public void commit() throws IOException {
        file.out().close();
        file.commit();
    }

    /** Gives up what was not committed. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}

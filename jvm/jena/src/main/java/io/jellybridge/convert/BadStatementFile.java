package io.jellybridge.convert;

import io.jellybridge.files.BadStatements;
import io.jellybridge.options.ShareLimit;
import java.io.Closeable;
import java.io.IOException;

/** A file of {@link BadStatements}, which is empty if there are none. It appears at {@link #commit()}, or never. */
public final class BadStatementFile implements Closeable {
    private final OutputFile file;
    private final BadStatements statements;

    /**
     * Creates the file.
     *
     * @param limit the number of bad statements that a file may have: a number, or a percentage such as {@code 0.1%}; null for
     *              no limit
     * @throws IllegalArgumentException the limit is neither
     */
    public BadStatementFile(FileLocation place, String limit) throws IOException {
        ShareLimit share = limit == null ? ShareLimit.NONE : ShareLimit.parse(limit);
        if (share == null) {
            throw new IllegalArgumentException(
                    "max_bad is " + limit + "; it must be a number of statements, or a share of them from 0% to 100%");
        }
        file = place.create();
        statements = new BadStatements(place.name(), share, file::out);
    }

    /** Returns the object that receives the bad statements. */
    public BadStatements statements() {
        return statements;
    }

    /** Closes the file and gives it its name, replacing an existing file. */
    public void commit() throws IOException {
        file.out().close();
        file.commit();
    }

    /** Removes a file that was not committed. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}

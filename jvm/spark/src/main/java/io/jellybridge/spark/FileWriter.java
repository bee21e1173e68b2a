package io.jellybridge.spark;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.files.Compression;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.OutputWriter;
import org.apache.spark.sql.execution.datasources.OutputWriterFactory;
import org.apache.spark.sql.types.StructType;

/** A Spark output writer for one file, on an executor. Works for every format. */
final class FileWriter extends OutputWriter {
    private final String path;
    private final OutputStream out;
    private final RowWriter rows;
    private boolean failed;

    private FileWriter(String path, FileOutput output, Configuration hadoop) {
        this.path = path;
        try {
            out = HadoopFiles.createFile(new Path(path), hadoop, output.compression());
        } catch (IOException e) {
            throw toFailure("create", e);
        }
        rows = output.opener().open(out, path, OutputFolder.of(path, hadoop));
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void write(InternalRow row) {
        boolean written = false;
        try {
            rows.write(row);
            written = true;
        } catch (IOException e) {
            throw toFailure("write", e);
        } finally {
            failed |= !written;
        }
    }

    /** Ends the file. Spark also closes it after a rejected row; nothing more is written then. */
    @Override
    public void close() {
        try {
            if (failed) {
                out.close();
            } else {
                rows.end();
            }
        } catch (IOException e) {
            throw toFailure("write", e);
        }
    }

    private UncheckedIOException toFailure(String what, IOException e) {
        return new UncheckedIOException("can't " + what + " " + path + ": " + e.getMessage(), e);
    }

    /** A factory that creates the writer of each file of a job. */
    static final class Factory extends OutputWriterFactory {
        private static final long serialVersionUID = 1L;

        private final FileOutput output;

        Factory(FileOutput output) {
            this.output = output;
        }

        @Override
        public String getFileExtension(TaskAttemptContext context) {
            return output.suffix() + output.compression().suffix();
        }

        @Override
        public OutputWriter newInstance(String path, StructType schema, TaskAttemptContext context) {
            return new FileWriter(path, output, context.getConfiguration());
        }
    }

    /** Writes the rows of one file, in the order of the calls. */
    interface RowWriter {

        /**
         * Writes a row.
         *
         * @throws FormatException the row is invalid, out of order, or not allowed at its place by the format; its {@code file}
         *     names the folder and the row
         */
        void write(InternalRow row) throws IOException;

        /** Ends and closes the file. Throws the errors of {@link #write}. Not called after a rejected row. */
        void end() throws IOException;
    }

    /**
     * The output of one format.
     *
     * @param suffix the suffix of file names with the dot, before that of the compression
     * @param order  the columns that sort the rows; rows with the same value in the first one belong to one file; empty if rows are
     *     independent
     * @param opener starts a file, on an executor
     */
    record FileOutput(String suffix, Compression compression, List<String> order, Opener opener) implements Serializable {

        /** A function that starts a file. */
        @FunctionalInterface
        interface Opener extends Serializable {

            /**
             * Starts a file that was just created.
             *
             * @param out    the file, which the writer closes at its end
             * @param path   the file's name in errors
             * @param folder the file's final folder, for the places of rows
             */
            RowWriter open(OutputStream out, String path, OutputFolder folder);
        }
    }

    /**
     * The final folder of a file, for messages. A task writes the file to another folder, and Spark moves it after success. After a
     * failure, nothing is left there.
     *
     * @param name       the folder
     * @param partitions the columns of {@code partitionBy}; empty if there are none
     */
    record OutputFolder(String name, List<String> partitions) {
        private static final int TERMS_OF_A_STATEMENT = 4;
        private static final char VALUE = '=';
        /** With {@code partitionOverwriteMode=dynamic}, Spark writes to such a folder inside the user's folder. */
        private static final String STAGING = ".spark-staging-";

        /**
         * Returns the final folder of a file.
         *
         * @param file the path that a task writes to, with a job's configuration
         */
        static OutputFolder of(String file, Configuration hadoop) {
            Deque<String> folders = new ArrayDeque<>();
            Path folder = new Path(file).getParent();
            while (folder != null && folder.getName().indexOf(VALUE) > 0) {
                folders.addFirst(folder.getName());
                folder = folder.getParent();
            }
            String written = hadoop.get(FileOutputFormat.OUTDIR);
            Path output = written == null ? folder : new Path(written);
            if (output.getName().startsWith(STAGING)) {
                output = output.getParent();
            }
            for (String name : folders) {
                output = new Path(output, name);
            }
            return new OutputFolder(output.toString(),
                    folders.stream().map(name -> name.substring(0, name.indexOf(VALUE))).toList());
        }

        /**
         * Returns the place of a statement for messages. Statements have no number, so it is their terms.
         *
         * @param positions the positions of subject, predicate, object and graph in the row; -1 if missing
         */
        String placeOf(InternalRow row, int[] positions) {
            String terms = Arrays.stream(positions).limit(TERMS_OF_A_STATEMENT).filter(position -> position >= 0)
                    .mapToObj(position -> row.isNullAt(position) ? "null" : row.getUTF8String(position).toString())
                    .collect(Collectors.joining(" ")).replaceAll("\\s", " ");
            return name + ", row " + ExceptionMessages.excerpt(terms);
        }
    }
}

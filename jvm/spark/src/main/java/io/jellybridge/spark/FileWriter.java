package io.jellybridge.spark;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
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
            out = HadoopFiles.create(new Path(path), hadoop, output.compression());
        } catch (IOException e) {
            throw failed("create", e);
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
            throw failed("write", e);
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
            throw failed("write", e);
        }
    }

    private UncheckedIOException failed(String what, IOException e) {
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
}

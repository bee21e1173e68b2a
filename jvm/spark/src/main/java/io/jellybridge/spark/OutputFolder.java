package io.jellybridge.spark;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The final folder of a file, for messages. A task writes the file to another folder, and Spark moves it after success. After a
 * failure, nothing is left there.
 *
 * @param name       the folder
 * @param partitions the columns of {@code partitionBy}; empty if there are none
 */
record OutputFolder(String name, List<String> partitions) {
    private static final int TERMS_OF_A_STATEMENT = 4;
    private static final int SHOWN_CHARACTERS = 200;
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
        boolean isLong = terms.length() > SHOWN_CHARACTERS;
        return name + ", row " + (isLong ? terms.substring(0, SHOWN_CHARACTERS) + "…" : terms);
    }
}

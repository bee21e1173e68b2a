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
 * The folder that a file will be in, for messages. Spark has a task write the file elsewhere, and moves it when all is well;
 * after a failure nothing is there any more.
 *
 * @param name       the folder
 * @param partitions the columns of {@code partitionBy}, which folders stand for; empty without
 */
record OutputFolder(String name, List<String> partitions) {
    private static final int TERMS_OF_A_STATEMENT = 4;
    private static final int SHOWN_CHARACTERS = 200;
    private static final char VALUE = '=';
    /** Under {@code partitionOverwriteMode=dynamic} Spark writes to such a folder in the one that the user named. */
    private static final String STAGING = ".spark-staging-";

    /** @param file where a task writes, under a job's configuration */
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
     * The place of a statement, which has no number: the terms say which it is.
     *
     * @param positions where subject, predicate, object and graph stand in the row; -1 = not there
     */
    String placeOf(InternalRow row, int[] positions) {
        String terms = Arrays.stream(positions).limit(TERMS_OF_A_STATEMENT).filter(position -> position >= 0)
                .mapToObj(position -> row.isNullAt(position) ? "null" : row.getUTF8String(position).toString())
                .collect(Collectors.joining(" ")).replaceAll("\\s", " ");
        boolean isLong = terms.length() > SHOWN_CHARACTERS;
        return name + ", row " + (isLong ? terms.substring(0, SHOWN_CHARACTERS) + "…" : terms);
    }
}

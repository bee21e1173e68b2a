package io.jellybridge.convert;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import java.io.Closeable;
import java.io.IOException;

/** A handler that writes a file of patches. The file appears at {@link #commit()}, or never. Not thread-safe. */
public final class PatchSink extends ForwardingHandler<byte[]> implements Closeable {
    private final Output<PatchHandler<byte[]>> out;
    private final ChangeCounter numbers = new ChangeCounter();
    /** True if the file always holds one patch, even an empty one. */
    private final boolean onePatch;

    /**
     * Creates the file.
     *
     * @param told    the format; null to use the suffix
     * @param options the options of a Jelly-Patch stream
     * @param cut     the sizes of its frames
     * @throws IllegalArgumentException the suffix is unknown, or its format does not hold patches
     */
    public PatchSink(FileLocation file, Format told, PatchOptions options, WriteOptions cut) throws IOException {
        Format format = file.outputFormat(told, "format");
        if (!format.holdsPatches()) {
            throw new IllegalArgumentException(file.name() + " is to be " + format
                    + ", and these are patches; write jelly-patch, rdf-patch or thrift");
        }
        boolean quads = options.statementType() == StatementType.QUADS;
        out = Output.ofPatches(file, format, options, cut, true, quads);
        setTarget(out.handler());
        onePatch = format == Format.JELLY_PATCH && options.streamType() == StreamType.FLAT;
    }

    /** Writes a whole file, in the format of its suffix. If that fails, there is no file. Returns the result of the writing. */
    public static <R> R writeFile(FileLocation file, Io.Function<PatchSink, R> content) throws IOException {
        try (PatchSink sink = new PatchSink(file, null, PatchOptions.DEFAULT.withRdfStar(true), WriteOptions.DEFAULT)) {
            R result = content.apply(sink);
            sink.commit();
            return result;
        }
    }

    /** Returns the number of patches in the file. */
    public long patches() {
        return Math.max(numbers.patches() + (numbers.patchHasRows() ? 1 : 0), onePatch ? 1 : 0);
    }

    /** Returns the number of rows in the file. */
    public long rows() {
        return numbers.row() + 1;
    }

    @Override
    protected void afterRow(Op op) {
        numbers.count(op);
    }

    @Override
    public void endPatch() {
        super.endPatch();
        numbers.countPatchEnd();
    }

    /**
     * Ends the last patch and gives the file its name, replacing an existing file.
     *
     * @throws RuntimeException a transaction is open (the error of the format); an existing file stays unchanged
     */
    public void commit() throws IOException {
        out.commit();
    }

    /** Removes a file that was not committed. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}

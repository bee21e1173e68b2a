package io.jellybridge.convert;

import io.jellybridge.codec.ChangeCounter;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.WriteOptions;
import java.io.Closeable;
import java.io.IOException;

/**
 * Takes the rows of a file of patches. The file takes its place in {@link #commit()}, or
 * never. For one thread.
 */
public final class PatchSink extends ForwardingHandler<byte[]> implements Closeable {
    private final OutputFile target;
    private final Output<PatchHandler<byte[]>> out;
    private final ChangeCounter numbers = new ChangeCounter();
    /** Whether there is one patch, be it empty. */
    private final boolean onePatch;

    /**
     * @param told    the format; null: that of the suffix
     * @param options the options of a Jelly-Patch stream
     * @param cut     how that is cut into frames
     * @throws IllegalArgumentException the suffix names no format, or one that holds no patches
     */
    public PatchSink(Place file, Format told, PatchOptions options, WriteOptions cut) throws IOException {
        Format format = file.outputFormat(told, "format");
        if (!format.holdsPatches()) {
            throw new IllegalArgumentException(file.name() + " is to be " + format
                    + ", and these are patches; write jelly-patch, rdf-patch or thrift");
        }
        boolean quads = options.statementType() == StatementType.QUADS;
        target = file.create();
        try {
            out = Output.ofPatches(target.out(), file.name(), format, options, cut, true, quads);
        } catch (RuntimeException e) {
            target.close();
            throw e;
        }
        to(out.handler());
        onePatch = format == Format.JELLY_PATCH && options.streamType() == StreamType.FLAT;
    }

    /** How many patches there are in the file. */
    public long patches() {
        return Math.max(numbers.patches() + (numbers.patchHasRows() ? 1 : 0), onePatch ? 1 : 0);
    }

    /** How many rows there are in the file. */
    public long rows() {
        return numbers.row() + 1;
    }

    @Override
    protected void handed(Op op) {
        numbers.count(op);
    }

    @Override
    public void endPatch() {
        super.endPatch();
        numbers.countPatchEnd();
    }

    /**
     * Ends the last patch and puts the file in its place, over one that is there.
     *
     * @throws RuntimeException a transaction is open: the error of the format; what was there stays as it was
     */
    public void commit() throws IOException {
        out.close();
        target.commit();
    }

    /** Gives up what was not committed. */
    @Override
    public void close() throws IOException {
        target.close();
    }
}

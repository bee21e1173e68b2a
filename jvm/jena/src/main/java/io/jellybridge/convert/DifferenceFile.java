package io.jellybridge.convert;

import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** The output of a difference as a patch: a file that appears whole or not at all, or standard output. */
public final class DifferenceFile {
    private final FileLocation place;
    private final Format format;
    private final ConvertOptions options;

    /**
     * Creates an output.
     *
     * @param to the format; null to use the suffix
     * @throws IllegalArgumentException the format is unknown, or does not hold patches
     */
    public DifferenceFile(FileLocation place, Format to, ConvertOptions options) {
        this.place = place;
        this.format = place.outputFormat(to, "--to-format");
        this.options = options;
        if (!format.holdsPatches() && format != Format.EVENTS) {
            throw new IllegalArgumentException(place.name() + " is " + format
                    + ": a difference is a patch, in jelly-patch, rdf-patch or thrift");
        }
    }

    public void write(Difference difference) throws IOException {
        write(difference, UnaryOperator.identity());
    }

    /**
     * Writes a difference whose rows pass through a check.
     *
     * @param check returns a handler that passes its events on to the given one; if it throws, no file appears
     */
    public void write(Difference difference, UnaryOperator<PatchHandler<byte[]>> check) throws IOException {
        PatchOptions stream = options.patchOptions(PatchOptions.DEFAULT.withRdfStar(difference.holdsTripleTerms()));
        try (Output<PatchHandler<byte[]>> out = Output.ofPatches(place, format, stream, options.cut(), options.marks(), true)) {
            difference.read(check.apply(out.handler()));
            out.commit();
        }
    }
}

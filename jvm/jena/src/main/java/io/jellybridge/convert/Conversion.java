package io.jellybridge.convert;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.riot.DocumentWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts one or more inputs to one output, event by event, with memory that does not depend on their size, except for
 * documents such as Turtle ({@link DocumentWriter}). Patches and statements can't be mixed.
 *
 * <p>The case of language tags and the labels of blank nodes are kept, except through Jena's Thrift format. Patches end where
 * they ended in the input. A Jelly output has the options of Jelly inputs, and options of the user override them.
 * <p>The output file appears whole or not at all. Standard output is written as data arrives.
 */
public final class Conversion {
    private final List<Input> inputs = new ArrayList<>();
    private final FileLocation output;
    private final Format format;
    private final ConvertOptions options;
    private final ProgressMeter meter;
    private long patches;
    private long rows;

    /**
     * Creates a conversion.
     *
     * @param places the inputs
     * @param from   the format of all inputs; null to use their suffixes
     * @param output the output
     * @param to     the format of the output; null to use its suffix
     * @param bad    receives unreadable statements; null if the first is an error
     * @throws IllegalArgumentException a format is unknown, or can't be converted to the other
     */
    public Conversion(List<FileLocation> places, Format from, FileLocation output, Format to, ConvertOptions options, ProgressMeter meter,
            BadStatements bad) {
        this.output = output;
        this.format = output.outputFormat(to, "--to-format");
        this.options = options;
        this.meter = meter;
        if (!format.isWritable()) {
            throw new IllegalArgumentException(output.name() + " is to be " + format
                    + ", which is read only; write turtle, trig, nquads or jelly");
        }
        for (FileLocation place : places) {
            Input input = new Input(place, from, options, meter, bad);
            boolean mixed = !inputs.isEmpty() && inputs.get(0).format().holdsPatches() != input.format().holdsPatches();
            if (mixed || !input.format().convertsTo(format)) {
                throw new IllegalArgumentException(input.name() + " (" + input.format() + ") can't become "
                        + (mixed ? "one with " + inputs.get(0).name() : format)
                        + ": patches and statements do not mix");
            }
            if (bad != null && input.format().holdsPatches()) {
                throw new IllegalArgumentException(input.name() + " (" + input.format()
                        + ") holds patches, and only bad statements of snapshots are set aside");
            }
            inputs.add(input);
        }
        if (inputs.isEmpty()) {
            throw new IllegalArgumentException("there is no input");
        }
    }

    /** Returns the number of patches that were converted; 0 for statements. */
    public long patches() {
        return patches;
    }

    /** Returns the number of change rows, or statements, that were converted. */
    public long rows() {
        return rows;
    }

    /**
     * Runs the conversion.
     *
     * @throws FormatException an input breaks its format, or the output would
     * @throws java.io.InterruptedIOException it was cancelled
     * @throws IOException an input can't be read, or the output can't be written
     */
    public void run() throws IOException {
        try {
            if (inputs.get(0).format().holdsPatches()) {
                convertPatches();
            } else {
                convertStatements();
            }
        } catch (UncheckedIOException e) {
            throw ExceptionMessages.unwrapCause(e);
        } finally {
            for (Input input : inputs) {
                input.close();
            }
        }
    }

    // --- patches

    private void convertPatches() throws IOException {
        PatchOptions stream = options.patchOptions(commonPatchOptions());
        boolean quads = options.writesQuads(inputs.get(0).quads());
        try (Output<PatchHandler<byte[]>> out =
                Output.ofPatches(output, format, stream, options.cut(), options.marks(), quads)) {
            for (Input input : inputs) {
                try (PatchSource<byte[]> source = input.openPatches()) {
                    copyAll(() -> source.next(out.handler()), source::newError);
                    rows += source.numbers().row() + 1;
                    patches += source.numbers().patches();
                }
            }
            out.commit();
        }
    }

    /** Creates the error for the last event of a source. */
    private interface Errors {
        FormatException newError(String rule, String found, String advice);
    }

    private void copyAll(Io.Supplier<Boolean> source, Errors errors) throws IOException {
        boolean more = true;
        while (more) {
            try {
                more = source.get();
            } catch (IllegalArgumentException e) {
                throw errors.newError("term", e.getMessage(), "correct the term, or write a format that has it");
            }
            meter.addRow();
        }
    }

    /** Returns options that fit all inputs. */
    private PatchOptions commonPatchOptions() throws IOException {
        PatchOptions common = inputs.get(0).patchOptions();
        for (Input input : inputs.subList(1, inputs.size())) {
            common = Input.commonPatchOptions(common, input.patchOptions());
        }
        return common;
    }

    // --- statements

    private void convertStatements() throws IOException {
        RdfOptions stream = options.rdfOptions(commonRdfOptions());
        boolean quads = options.writesQuads(inputs.get(0).quads());
        try (Output<RdfHandler<byte[]>> out = Output.ofStatements(output, format, options, stream, quads)) {
            Counted counted = new Counted(out.handler());
            for (Input input : inputs) {
                try (StatementSource<byte[]> source = input.statements()) {
                    copyAll(() -> source.next(counted), source::newError);
                }
            }
            rows = counted.statements;
            out.commit();
        }
    }

    private RdfOptions commonRdfOptions() throws IOException {
        RdfOptions common = inputs.get(0).rdfOptions();
        for (Input input : inputs.subList(1, inputs.size())) {
            common = Input.commonRdfOptions(common, input.rdfOptions());
        }
        return common;
    }

    /** Counts the statements. */
    private static final class Counted extends ForwardingRdfHandler<byte[]> {
        private long statements;

        Counted(RdfHandler<byte[]> target) {
            super(target);
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            super.statement(subject, predicate, object, graph);
            statements++;
        }
    }
}

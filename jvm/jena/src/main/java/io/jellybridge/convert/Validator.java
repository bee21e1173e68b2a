package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.codec.ChangeRows;
import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingHandler;
import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.StreamReader;
import io.jellybridge.codec.TableUse;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.StatementFiles.StatementCheck;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.riot.RiotStatements;
import io.jellybridge.text.RdfPatchReader;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Validates one input and describes its content and faults as JSON text. It reads on after some faults: a tolerated broken
 * MUST, an invalid line of N-Quads or N-Triples, and a term that no writer and no dataset accepts. Any other fault ends the
 * reading.
 *
 * <p>Other commands with the same options accept every input that is valid here, since each row is also passed to a writer
 * whose bytes are discarded.
 */
public final class Validator {
    private static final String[] TABLES = {"names", "prefixes", "datatypes"};

    private final Input input;
    private final ConvertOptions options;
    private final ProgressMeter meter;
    private final boolean strict;
    private final FaultList faults;
    private final StringWriter text = new StringWriter();
    private final JsonWriter json = new JsonWriter(text);

    /** The reader of a Jelly stream; null for other formats. */
    private StreamReader<?, ?> stream;
    private PatchOptions patchOptions;
    private RdfOptions rdfOptions;

    /**
     * Creates a validator.
     *
     * @param place     the input
     * @param format    the format; null to use the suffix
     * @param strict    true if a tolerated broken MUST is an error; otherwise it is a warning
     * @param maxFaults the number of faults to describe; the others are only counted
     */
    public Validator(FileLocation place, Format format, ConvertOptions options, boolean strict, long maxFaults, ProgressMeter meter) {
        this.input = new Input(place, format, options, meter);
        this.options = options;
        this.meter = meter;
        this.strict = strict;
        this.faults = new FaultList(maxFaults);
    }

    /**
     * Reads the input.
     *
     * @return a JSON object with {@code file}, {@code format}, {@code valid}, {@code errors}, {@code warnings}, {@code faults},
     *         {@code bytes} (of the file) and {@code contentBytes} (uncompressed), counts of rows or statements, patches,
     *         transactions and graphs, and for Jelly also {@code options}, {@code frames} and {@code tables}
     * @throws InterruptedIOException it was cancelled
     */
    public String run() throws IOException {
        StreamStatistics statistics = examine();
        json.beginObject().name("file").value(input.name()).name("format").value(input.format().toString())
                .name("valid").value(faults.errors() == 0);
        faults.writeJson(json);
        json.name("bytes").value(meter.bytes()).name("contentBytes").value(meter.content());
        if (stream != null) {
            writeOptions();
            json.name("frames").value(stream.frames());
            writeTables(stream.tables());
        }
        statistics.writeJson(json);
        json.endObject();
        return text.toString();
    }

    private StreamStatistics examine() throws InterruptedIOException {
        try {
            return input.format().holdsPatches() ? examinePatches() : examineStatements();
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            faults.addFault(e, false);
            return new StreamStatistics(false);
        }
    }

    private StreamStatistics examinePatches() throws IOException {
        try (PatchSource<byte[]> source = input.openPatches()) {
            StreamStatistics statistics = new StreamStatistics(true);
            source.requireBalance();
            TakenRows rows = new TakenRows(source, statistics);
            if (source instanceof PatchReader<byte[]> reader) {
                stream = reader;
                reader.onWarning(tolerated());
            } else if (source instanceof RdfPatchReader<byte[]> text) {
                text.onWarning(tolerated());
            }
            readAll(() -> source.next(rows));
            if (source instanceof PatchReader<byte[]> reader) {
                patchOptions = reader.options();
            }
            return statistics;
        }
    }

    private StreamStatistics examineStatements() throws IOException {
        try (StatementSource<byte[]> source = input.statements()) {
            StreamStatistics statistics = new StreamStatistics(false);
            TakenStatements statements = new TakenStatements(source, statistics);
            if (source instanceof RdfReader<byte[]> reader) {
                stream = reader;
                reader.onWarning(tolerated());
            } else if (source instanceof NQuadsSource lines) {
                lines.onFault(fault -> faults.addFault(fault, false));
            } else if (source instanceof RiotStatements document) {
                document.onWarning(warning -> faults.addFault(warning, true));
            }
            readAll(() -> source.next(statements));
            if (source instanceof RdfReader<byte[]> reader) {
                rdfOptions = reader.options();
            }
            return statistics;
        }
    }

    /** Counts the rows of patches, and reports those that neither a writer nor a dataset accepts. */
    private final class TakenRows extends ForwardingHandler<byte[]> {
        private final PatchSource<byte[]> source;
        private final DatasetTerms terms = new DatasetTerms();
        /** The writer, which is created at the first row of each stream, when the options are known. */
        private PatchWriter<byte[]> writer;
        private PatchOptions written;

        TakenRows(PatchSource<byte[]> source, StreamStatistics statistics) {
            this.source = source;
            setTarget(new ChangeRows<>(source, statistics));
        }

        private PatchWriter<byte[]> writer() {
            PatchOptions announced = source instanceof PatchReader<byte[]> reader ? reader.options() : null;
            if (writer == null || announced != written) {
                written = announced;
                boolean rdfStar = announced == null || announced.rdfStar();
                writer = new PatchWriter<>(OutputStream.nullOutputStream(), null, new Utf8Terms(),
                        options.patchOptions(PatchOptions.DEFAULT.withRdfStar(rdfStar)), options.cut());
            }
            return writer;
        }

        @Override
        public void header(byte[] key, byte[] value) {
            super.header(key, value);
            take(() -> writer().header(key, value));
        }

        @Override
        public void prefix(Op op, byte[] name, byte[] namespace, byte[] graph) {
            super.prefix(op, name, namespace, graph);
            take(() -> writer().prefix(op, name, namespace, graph));
            add("term", terms.prefixProblem(new String(name, UTF_8), null), "correct it where the patch is written");
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            super.statement(op, subject, predicate, object, graph);
            take(() -> writer().statement(op, subject, predicate, object, graph));
            add("term", terms.graphProblem(graph), "give the graph another name");
        }

        private void take(Runnable write) {
            try {
                write.run();
            } catch (FormatException e) {
                add(e.rule(), e.found(), e.advice());
            } catch (IllegalArgumentException e) {
                add("term", e.getMessage(), "correct the term");
            }
        }

        private void add(String rule, String found, String advice) {
            if (found != null) {
                faults.addFault(source.newError(rule, found, advice), false);
            }
        }
    }

    /** Counts statements, and reports those that neither a writer nor a dataset accepts. */
    private final class TakenStatements extends ForwardingRdfHandler<byte[]> {
        private final StatementCheck check;

        TakenStatements(StatementSource<byte[]> source, StreamStatistics statistics) {
            super(statistics);
            this.check = new StatementCheck(source, options);
        }

        @Override
        public void namespace(byte[] name, byte[] namespace) {
            super.namespace(name, namespace);
            addBad(check.namespaceFault(name, namespace));
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            super.statement(subject, predicate, object, graph);
            addBad(check.findFault(subject, predicate, object, graph));
        }

        private void addBad(FormatException fault) {
            if (fault != null) {
                faults.addFault(fault, false);
            }
        }
    }

    private Consumer<FormatException> tolerated() {
        return fault -> faults.addFault(fault, !strict);
    }

    /** Reads to the end, or to the point at which the input is damaged. */
    private void readAll(Io.Supplier<Boolean> step) throws InterruptedIOException {
        try {
            while (step.get()) {
                meter.addRow();
            }
        } catch (InterruptedIOException e) {
            throw e;
        } catch (FormatException | IOException e) {
            faults.addFault(e, false);
        }
    }

    private void writeOptions() throws IOException {
        json.name("options");
        if (patchOptions != null) {
            json.beginObject()
                    .name("streamType").value(patchOptions.streamType().name())
                    .name("statementType").value(patchOptions.statementType().name())
                    .name("generalizedStatements").value(patchOptions.generalizedStatements())
                    .name("rdfStar").value(patchOptions.rdfStar())
                    .name("version").value(PatchOptions.VERSION).endObject();
        } else if (rdfOptions != null) {
            json.beginObject()
                    .name("streamName").value(rdfOptions.streamName())
                    .name("physicalType").value(rdfOptions.physicalType().name())
                    .name("logicalType").value(rdfOptions.logicalType())
                    .name("generalizedStatements").value(rdfOptions.generalizedStatements())
                    .name("rdfStar").value(rdfOptions.rdfStar())
                    .name("version").value(rdfOptions.version()).endObject();
        } else {
            json.nullValue();
        }
    }

    private void writeTables(List<TableUse> tables) throws IOException {
        json.name("tables").beginObject();
        for (int i = 0; i < tables.size(); i++) {
            TableUse use = tables.get(i);
            json.name(TABLES[i]).beginObject().name("size").value(use.size()).name("used").value(use.used())
                    .name("written").value(use.written()).name("evictions").value(use.evictions()).endObject();
        }
        json.endObject();
    }

    /** A list of the faults of a file: the first ones in full, the number of the others. */
    private static final class FaultList {
        private final long kept;
        private final List<Exception> faults = new ArrayList<>();
        private final List<Boolean> tolerated = new ArrayList<>();
        private long errors;
        private long warnings;
        /** The last fault, if it is a warning; otherwise null. */
        private FormatException warning;

        /**
         * Creates an empty list.
         *
         * @param kept the number of faults to keep
         */
        FaultList(long kept) {
            this.kept = kept;
        }

        /**
         * Adds a fault. An error replaces the warning before it if both have the same rule and position.
         *
         * @param fault     a {@link FormatException}, or the reason why the input can't be read any further
         * @param mayBeRead true for a warning, which this and all other commands tolerate
         */
        void addFault(Exception fault, boolean mayBeRead) {
            boolean replaces = !mayBeRead && warning != null && fault instanceof FormatException error
                    && error.rule().equals(warning.rule()) && error.offset() == warning.offset() && error.row() == warning.row();
            if (replaces) {
                warnings--;
                if (!faults.isEmpty() && faults.get(faults.size() - 1) == warning) {
                    faults.remove(faults.size() - 1);
                    tolerated.remove(tolerated.size() - 1);
                }
            }
            if (mayBeRead) {
                warnings++;
            } else {
                errors++;
            }
            warning = mayBeRead && fault instanceof FormatException tolerable ? tolerable : null;
            if (faults.size() < kept) {
                faults.add(fault);
                tolerated.add(mayBeRead);
            }
        }

        long errors() {
            return errors;
        }

        /** Writes the members {@code errors}, {@code warnings} and {@code faults} of a JSON object. */
        void writeJson(JsonWriter json) throws IOException {
            json.name("errors").value(errors).name("warnings").value(warnings).name("faults").beginArray();
            for (int i = 0; i < faults.size(); i++) {
                json.beginObject().name("severity").value(tolerated.get(i) ? "warning" : "error");
                if (faults.get(i) instanceof FormatException fault) {
                    boolean inStream = fault.frame() >= 0;
                    json.name("rule").value(fault.rule())
                            .name(inStream ? "frame" : "line").value(inStream ? fault.frame() : fault.line())
                            .name(inStream ? "row" : "column").value(inStream ? fault.row() : fault.column())
                            .name("offset").value(fault.offset())
                            .name("found").value(fault.found()).name("advice").value(fault.advice());
                }
                json.name("message").value(faults.get(i).getMessage()).endObject();
            }
            json.endArray();
        }
    }
}

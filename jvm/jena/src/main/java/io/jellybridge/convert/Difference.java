package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.ExternalSorter;
import io.jellybridge.files.ExternalSorter.Items;
import io.jellybridge.files.ExternalSorter.Run;
import io.jellybridge.jena.data.StoredPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * The changes that make one snapshot of another: one patch of one transaction, deletions before additions, each kind
 * ordered by graph, subject, predicate and object. Snapshots are sets; terms are the same when their canonical text is,
 * so blank nodes when their labels are.
 *
 * <p>Both are sorted, in temporary files where they do not fit into a part of the heap, so that their size is bounded
 * by the disk alone.
 */
public final class Difference {
    /** Of the heap, for each of the two snapshots. */
    private static final int HEAP_SHARE = 6;
    private static final byte[] POSITIONS = ("<" + StoredPosition.GRAPH + ">").getBytes(UTF_8);

    private final Input oldInput;
    private final Input newInput;
    private final Place output;
    private final Format format;
    private final ConvertOptions options;
    private final Meter meter;
    private boolean tripleTerms;
    private long deleted;
    private long added;

    /**
     * @param from   the format of both snapshots; null: by their suffixes
     * @param output where the patch goes
     * @param to     its format; null: by its suffix
     * @throws IllegalArgumentException a format is not known, or of the wrong kind
     */
    public Difference(Place oldPlace, Place newPlace, Format from, Place output, Format to, ConvertOptions options,
            Meter meter) {
        this.oldInput = new Input(oldPlace, from, options, meter);
        this.newInput = new Input(newPlace, from, options, meter);
        this.output = output;
        this.format = output.format(to, "--to");
        this.options = options;
        this.meter = meter;
        for (Input input : new Input[] {oldInput, newInput}) {
            if (input.format().holdsPatches()) {
                throw new IllegalArgumentException(input.name() + " is " + input.format()
                        + ": a difference is made of two snapshots, in jelly, nquads or ntriples");
            }
        }
        if (!format.holdsPatches() && format != Format.EVENTS) {
            throw new IllegalArgumentException(output.name() + " is " + format
                    + ": a difference is a patch, in jelly-patch, rdf-patch or thrift");
        }
    }

    public long deleted() {
        return deleted;
    }

    public long added() {
        return added;
    }

    /**
     * Reads both snapshots and writes the patch.
     *
     * @throws RuntimeException a snapshot breaks its format: the error of that format
     * @throws IOException      something can't be read or written, or the work was cancelled
     */
    public void run() throws IOException {
        long memory = Runtime.getRuntime().maxMemory() / HEAP_SHARE;
        try (ExternalSorter<CanonicalQuad> before = sorter(memory); ExternalSorter<CanonicalQuad> after = sorter(memory)) {
            read(oldInput, before);
            read(newInput, after);
            write(before.sorted(), after.sorted());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static ExternalSorter<CanonicalQuad> sorter(long memory) {
        return new ExternalSorter<>(CanonicalQuad.FORM, CanonicalQuad.BY_GRAPH, memory);
    }

    private void read(Input input, ExternalSorter<CanonicalQuad> sorter) throws IOException {
        try (StatementSource<byte[]> source = input.statements(new Utf8Terms(), false)) {
            Collector collector = new Collector(sorter);
            boolean more = true;
            while (more) {
                try {
                    more = source.next(collector);
                } catch (IllegalArgumentException e) {
                    throw source.error("term", e.getMessage(), "correct the term");
                }
                meter.addRow();
            }
        }
    }

    private void write(Items<CanonicalQuad> before, Items<CanonicalQuad> after) throws IOException {
        PatchOptions stream = options.patch(PatchOptions.DEFAULT.withRdfStar(tripleTerms));
        try (OutputFile target = output.create(); Run<CanonicalQuad> additions = new Run<>(CanonicalQuad.FORM)) {
            try (Output<PatchHandler<byte[]>> out = Output.ofPatches(
                    target.out(), output.name(), format, stream, options.cut(), options.marks(), true)) {
                PatchHandler<byte[]> patch = out.handler();
                patch.transaction(Op.TX);
                compare(before, after, patch, additions);
                Items<CanonicalQuad> left = additions.read();
                for (CanonicalQuad quad = left.next(); quad != null; quad = left.next()) {
                    hand(Op.A, quad, patch);
                }
                patch.transaction(Op.TC);
                patch.endPatch();
            }
            target.commit();
        }
    }

    /** Goes through both in their common order: what is deleted goes out, what is added is kept for later. */
    private void compare(Items<CanonicalQuad> before, Items<CanonicalQuad> after, PatchHandler<byte[]> patch,
            Run<CanonicalQuad> additions) throws IOException {
        CanonicalQuad is = after.next();
        CanonicalQuad was = before.next();
        while (was != null || is != null) {
            meter.addRow();
            int order = was == null ? 1 : is == null ? -1 : CanonicalQuad.BY_GRAPH.compare(was, is);
            if (order < 0) {
                hand(Op.D, was, patch);
                deleted++;
            } else if (order > 0) {
                additions.write(is);
                added++;
            }
            was = order <= 0 ? before.next() : was;
            is = order >= 0 ? after.next() : is;
        }
    }

    private static void hand(Op op, CanonicalQuad quad, PatchHandler<byte[]> patch) {
        patch.statement(op, quad.subject(), quad.predicate(), quad.object(), quad.graph());
    }

    /** Puts the statements of a snapshot into its sorter. */
    private final class Collector implements RdfHandler<byte[]> {
        private final ExternalSorter<CanonicalQuad> sorter;

        Collector(ExternalSorter<CanonicalQuad> sorter) {
            this.sorter = sorter;
        }

        @Override
        public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            if (Arrays.equals(graph, POSITIONS)) {
                return; // is of the dataset that it comes from, and no patch may touch it
            }
            tripleTerms |= isTripleTerm(object) || isTripleTerm(subject);
            try {
                sorter.add(new CanonicalQuad(subject, predicate, object, graph));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private boolean isTripleTerm(byte[] term) {
            return term.length > 1 && term[0] == '<' && term[1] == '<';
        }
    }
}

package io.jellybridge.convert;

import io.jellybridge.codec.ForwardingSource;
import io.jellybridge.codec.Io;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.StatementType;
import io.jellybridge.codec.StreamFrames;
import io.jellybridge.codec.StreamReader;
import io.jellybridge.codec.StreamType;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.convert.StatementFiles.TolerantSource;
import io.jellybridge.files.BadStatements;
import io.jellybridge.files.CloseShieldInputStream;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.patch.ThriftPatchReader;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.jena.riot.RiotStatements;
import io.jellybridge.text.NQuadsParser;
import io.jellybridge.text.RdfPatchReader;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import org.apache.jena.graph.Node;

/**
 * An input of a conversion: its location, its format and its options. It is read once. Facts that are needed before are found
 * by a look ahead, after which the whole input can still be read.
 */
final class Input implements Closeable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final FileLocation place;
    private final Format format;
    private final ConvertOptions options;
    private final ProgressMeter meter;
    /** Receives unreadable statements; null if the first is an error. */
    private final BadStatements bad;
    /** True if the location of the input may be the base of relative IRIs. */
    private boolean allowsOwnBase = true;
    /** The buffered content after a look ahead, if the input can't be opened again, such as a pipe; otherwise null. */
    private BufferedInputStream looked;
    private boolean isRead;
    /** The options that were found; null before. */
    private PatchOptions patchOptions;
    private RdfOptions rdfOptions;

    /** Creates an input in which an unreadable statement is an error. */
    Input(FileLocation place, Format format, ConvertOptions options, ProgressMeter meter) {
        this(place, format, options, meter, null);
    }

    /**
     * Creates an input.
     *
     * @param format the format; null to use the suffix
     * @param bad    receives unreadable statements; null if the first is an error
     * @throws IllegalArgumentException the format is unknown, or can't be read
     */
    Input(FileLocation place, Format format, ConvertOptions options, ProgressMeter meter, BadStatements bad) {
        this.bad = bad;
        this.place = place;
        this.format = place.inputFormat(format);
        this.options = options;
        this.meter = meter;
        if (this.format == Format.EVENTS) {
            throw new IllegalArgumentException("event lines are for comparing; they can be written, not read");
        }
    }

    /** Makes relative IRIs without a base an error. If a snapshot moved to another folder, all of them would change. */
    Input ofSnapshot() {
        allowsOwnBase = false;
        return this;
    }

    String name() {
        return place.inputName();
    }

    Format format() {
        return format;
    }

    // --- sources

    /** Opens the patches of the input. The case of language tags is kept. */
    PatchSource<byte[]> openPatches() throws IOException {
        return openPatches(Utf8Terms.keepingTags(options.mendTags()));
    }

    <T> PatchSource<T> openPatches(TermFactory<T> terms) throws IOException {
        InputStream in = open();
        return switch (format) {
            case JELLY_PATCH -> new PatchReader<>(in, name(), terms, options.read());
            case RDF_PATCH -> new RdfPatchReader<>(in, name(), terms, options.text());
            case THRIFT -> new NodePatches<>(new ThriftPatchReader(in, name(), options.read()),
                    new TermBuilder<>(new NodeTerms(), terms));
            default -> throw new IllegalArgumentException(name() + ": " + format + " holds statements, not patches");
        };
    }

    /** Opens the statements of the input. The case of language tags is kept. */
    StatementSource<byte[]> statements() throws IOException {
        return openStatements(true);
    }

    /**
     * Opens the statements of the input.
     *
     * @param keepsTags true to keep the case of language tags, which canonical terms don't
     */
    StatementSource<byte[]> openStatements(boolean keepsTags) throws IOException {
        Utf8Terms terms = keepsTags ? Utf8Terms.keepingTags(options.mendTags())
                : options.mendTags() ? Utf8Terms.mendingTags() : new Utf8Terms();
        BadStatements aside = bad == null ? null : isRead ? bad.ofFileReadBefore() : bad.ofFile();
        InputStream in = open();
        StatementSource<byte[]> source = switch (format) {
            case JELLY -> new RdfReader<>(in, name(), terms, options.read());
            case NQUADS, NTRIPLES -> new NQuadsSource(in, name(),
                    new NQuadsParser(options.rdfStar(), keepsTags, options.mendTags()), format,
                    options.read().maxFrameBytes());
            case TURTLE, TRIG, RDFXML, JSONLD, N3, RDFJSON, TRIX ->
                new RiotStatements(in, openDocument(aside), place.labelPlace(), terms);
            default -> throw new IllegalArgumentException(name() + ": " + format + " holds patches, not statements");
        };
        return aside == null ? source : new TolerantSource(source, name(), options, aside);
    }

    private RdfFile openDocument(BadStatements aside) {
        String known = allowsOwnBase ? place.baseIri() : place.baseIriElsewhere();
        return options.file(place.path(), name(), known, format.toString(), aside, allowsOwnBase ? meter::addRelative : null);
    }

    private InputStream open() throws IOException {
        if (isRead && !place.isRegularFile()) {
            throw new IOException(name() + " can be read only once, and is needed again; write it into a file first");
        }
        InputStream in = looked != null ? looked : place.open(meter);
        looked = null;
        isRead = true;
        return in;
    }

    /** Closes an input that was looked into and not read. */
    @Override
    public void close() throws IOException {
        if (looked != null) {
            looked.close();
        }
    }

    // --- what is known beforehand

    /** Returns options that fit the patches. Unknown features are assumed to occur. */
    PatchOptions patchOptions() throws IOException {
        patchOptions = patchOptions == null ? findPatchOptions() : patchOptions;
        return patchOptions;
    }

    private PatchOptions findPatchOptions() throws IOException {
        if (format == Format.JELLY_PATCH) {
            boolean isJoined = holdsJoinedStreams();
            PatchOptions announced = lookAhead(in -> {
                PatchReader<byte[]> reader = new PatchReader<>(in, name(), Utf8Terms.keepingTags(false), options.read());
                return announcedOptions(reader, new PatchAdapter<>(), reader::options, Input::commonPatchOptions, isJoined);
            });
            return announced == null ? PatchOptions.DEFAULT : announced;
        }
        return PatchOptions.DEFAULT.withRdfStar(mayHoldTripleTerms());
    }

    /** Returns options that fit the statements. Unknown features are assumed to occur. */
    RdfOptions rdfOptions() throws IOException {
        rdfOptions = rdfOptions == null ? findRdfOptions() : rdfOptions;
        return rdfOptions;
    }

    private RdfOptions findRdfOptions() throws IOException {
        if (format == Format.JELLY) {
            boolean isJoined = holdsJoinedStreams();
            RdfOptions announced = lookAhead(in -> {
                RdfReader<byte[]> reader = new RdfReader<>(in, name(), Utf8Terms.keepingTags(false), options.read());
                RdfHandler<byte[]> ignored = (subject, predicate, object, graph) -> { };
                return announcedOptions(reader, ignored, reader::options, Input::commonRdfOptions, isJoined);
            });
            return announced == null ? RdfOptions.DEFAULT : announced;
        }
        RdfOptions options = switch (format) {
            case NTRIPLES, TURTLE, RDFXML, N3, RDFJSON -> RdfOptions.DEFAULT.withTypes(PhysicalType.TRIPLES, 1);
            default -> RdfOptions.DEFAULT;
        };
        return options.withNamespaceDeclarations(format.isRiot()).withRdfStar(mayHoldTripleTerms());
    }

    /** Returns true if the input has all prefixes of its statements. A Jelly stream says whether it declares them. */
    boolean tellsPrefixes() throws IOException {
        return format == Format.JELLY ? rdfOptions().namespaceDeclarations() : format.holdsPrefixes();
    }

    /** Returns true if rows without a graph belong to the default graph. Otherwise they have no graph. */
    boolean quads() throws IOException {
        return switch (format) {
            case JELLY_PATCH -> patchOptions().statementType() == StatementType.QUADS;
            case JELLY -> rdfOptions().physicalType() != PhysicalType.TRIPLES;
            case NQUADS, TRIG, JSONLD, TRIX -> true;
            default -> false;
        };
    }

    /**
     * Checks whether streams are joined in the file, each of which may have options of its own. A pipe can't be searched for them.
     */
    private boolean holdsJoinedStreams() {
        try {
            return place.isRegularFile() && lookAhead(StreamFrames::countBeginnings) > 1;
        } catch (IOException e) {
            return false; // the reader will report it
        }
    }

    /**
     * Returns options that fit the first stream, or all joined ones; null if there are none.
     *
     * @param announced returns the options of the reader's stream; null until they were read
     */
    private static <H, O> O announcedOptions(StreamReader<?, H> reader, H ignored, Supplier<O> announced, BinaryOperator<O> join,
            boolean isJoined) throws IOException {
        O common = null;
        O last = null;
        boolean more = true;
        while (more && (isJoined || common == null)) { // empty frames may come before the options
            more = readEvent(reader, ignored);
            O found = announced.get();
            if (found != null && found != last) {
                common = common == null ? found : join.apply(common, found);
                last = found;
            }
        }
        return common;
    }

    private static <H> boolean readEvent(StreamReader<?, H> reader, H handler) throws IOException {
        try {
            return reader.next(handler);
        } catch (RuntimeException e) {
            return false; // the reader will report it
        }
    }

    /** Returns options that fit two streams, of which one follows the other. */
    static PatchOptions commonPatchOptions(PatchOptions first, PatchOptions second) {
        PatchOptions common = first
                .withStatementType(second.statementType() == StatementType.QUADS ? StatementType.QUADS : first.statementType())
                .withGeneralizedStatements(first.generalizedStatements() || second.generalizedStatements())
                .withRdfStar(first.rdfStar() || second.rdfStar())
                .withTableSizes(Math.max(first.maxNameTableSize(), second.maxNameTableSize()),
                        Math.max(first.maxPrefixTableSize(), second.maxPrefixTableSize()),
                        Math.max(first.maxDatatypeTableSize(), second.maxDatatypeTableSize()));
        return common.streamType() == StreamType.FLAT ? common.withStreamType(StreamType.PUNCTUATED) : common;
    }

    /** Returns options that fit two streams. */
    static RdfOptions commonRdfOptions(RdfOptions first, RdfOptions second) {
        boolean becomesQuads = first.physicalType() == PhysicalType.TRIPLES && second.physicalType() != PhysicalType.TRIPLES;
        return (becomesQuads ? first.withTypes(PhysicalType.QUADS, first.grouped() ? 4 : 2) : first)
                .withGeneralizedStatements(first.generalizedStatements() || second.generalizedStatements())
                .withRdfStar(first.rdfStar() || second.rdfStar())
                .withTableSizes(Math.max(first.maxNameTableSize(), second.maxNameTableSize()),
                        Math.max(first.maxPrefixTableSize(), second.maxPrefixTableSize()),
                        Math.max(first.maxDatatypeTableSize(), second.maxDatatypeTableSize()))
                .withNamespaceDeclarations(first.namespaceDeclarations() || second.namespaceDeclarations());
    }

    /**
     * Checks whether triple terms may occur, since options are written before the first statement. Text files are searched for
     * them. Other files can't be searched, or have several forms for them.
     */
    private boolean mayHoldTripleTerms() throws IOException {
        return !place.isRegularFile() || format == Format.THRIFT || format.isRiot() || lookAhead(Input::holdsDoubleAngle);
    }

    private static boolean holdsDoubleAngle(InputStream in) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        boolean angle = false;
        for (int count = in.read(buffer, 0, buffer.length); count >= 0; count = in.read(buffer, 0, buffer.length)) {
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '<' && angle) {
                    return true;
                }
                angle = buffer[i] == '<';
            }
        }
        return false;
    }

    private <R> R lookAhead(Io.Function<InputStream, R> looking) throws IOException {
        if (looked == null && place.isRegularFile()) {
            // Opened separately, since there may be more files than a process may open at once.
            try (InputStream in = place.open(new ProgressMeter())) {
                return looking.apply(in);
            }
        }
        if (looked == null) {
            looked = new BufferedInputStream(place.open(meter), BUFFER_BYTES);
        }
        // The options are in the first frame that is not empty. The limit of a frame bounds how far the reader looks.
        looked.mark(Integer.MAX_VALUE);
        R found = looking.apply(new CloseShieldInputStream(looked)); // it is read again
        looked.reset();
        looked.mark(0); // so that later bytes are not buffered
        return found;
    }

    /** A source of patches that converts Jena's terms to terms of another type. */
    private record NodePatches<T>(PatchSource<Node> source, TermBuilder<Node, T> terms) implements ForwardingSource<Node, T> {

        @Override
        public boolean next(PatchHandler<T> handler) throws IOException {
            return source.next(new PatchTranslator<>(terms, handler));
        }
    }
}

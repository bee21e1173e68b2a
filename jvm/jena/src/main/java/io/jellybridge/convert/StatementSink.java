package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.jena.riot.RdfFile;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFWriterRegistry;

/**
 * A handler that writes a file of statements in canonical terms, with namespaces if the format has them. The file appears at
 * {@link #commit()}, or never. Not thread-safe.
 */
public final class StatementSink implements RdfHandler<byte[]>, Closeable {
    private static final ConvertOptions OPTIONS = ConvertOptions.of(Map.of("rdfStar", "true"));

    private final Output<RdfHandler<byte[]>> out;
    private long statements;

    /**
     * Creates the file.
     *
     * @param file    the file, in the format of its suffix
     * @param options the options of a Jelly-RDF stream
     * @throws IllegalArgumentException the suffix is unknown, or its format does not hold statements
     */
    public StatementSink(FileLocation file, RdfOptions options) throws IOException {
        this(file, null, options);
    }

    /** Creates the file in a format; null for that of the suffix. */
    public StatementSink(FileLocation file, Format told, RdfOptions options) throws IOException {
        Format format = file.outputFormat(told, "format");
        if (format.holdsPatches() || !format.isWritable()) {
            throw new IllegalArgumentException(file.name() + " is to be " + format
                    + ", and these are statements; write turtle, trig, nquads or jelly");
        }
        out = Output.ofStatements(file, format, OPTIONS, OPTIONS.rdfOptions(options), true);
    }

    /**
     * Creates a file in any RDF syntax that Jena writes.
     *
     * @param file    the file, with its syntax; of the path {@code -}, standard output
     * @param options the options of a Jelly-RDF stream
     * @throws IllegalArgumentException its syntax is unknown, or not written
     */
    public StatementSink(RdfFile file, RdfOptions options) throws IOException {
        Lang lang = file.lang();
        if (lang == null || !RDFWriterRegistry.contains(lang)) {
            throw file.unknownSyntaxError();
        }
        boolean isStandard = file.path().equals(FileLocation.STANDARD);
        FileLocation place = new FileLocation(isStandard ? file.path() : file.file().toAbsolutePath().toString(), file.name());
        if (file.isJelly() || file.isNQuads()) {
            Format format = file.isJelly() ? Format.JELLY : Lang.NQUADS.equals(lang) ? Format.NQUADS : Format.NTRIPLES;
            out = Output.ofStatements(place, format, OPTIONS, OPTIONS.rdfOptions(options), true);
        } else {
            out = Output.ofDocument(place, lang);
        }
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        out.handler().namespace(name, namespace);
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        out.handler().statement(subject, predicate, object, graph);
        statements++;
    }

    /** Returns the number of statements so far. */
    public long statements() {
        return statements;
    }

    /** Ends the file and gives it its name, replacing an existing file. */
    public void commit() throws IOException {
        out.commit();
    }

    /** Removes a file that was not committed. */
    @Override
    public void close() throws IOException {
        out.close();
    }
}

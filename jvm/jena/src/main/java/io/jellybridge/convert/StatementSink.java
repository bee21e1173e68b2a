package io.jellybridge.convert;

import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;

/**
 * Takes the statements of a file, in canonical terms, and namespaces where its format has such. The file takes its place in
 * {@link #commit()}, or never. For one thread.
 */
public final class StatementSink implements RdfHandler<byte[]>, Closeable {
    private static final ConvertOptions OPTIONS = ConvertOptions.of(Map.of("rdfStar", "true"));

    private final OutputFile target;
    private final Output<RdfHandler<byte[]>> out;

    /**
     * @param file    in the format of its suffix
     * @param options the options of a Jelly-RDF stream
     * @throws IllegalArgumentException the suffix names no format, or one that holds no statements
     */
    public StatementSink(Place file, RdfOptions options) throws IOException {
        Format format = file.outputFormat(null, "format");
        if (format.holdsPatches() || format.isRiot()) {
            throw new IllegalArgumentException(file.name() + " is to be " + format
                    + ", and these are statements; write nquads or jelly");
        }
        target = file.create();
        try {
            out = Output.ofStatements(target.out(), file.name(), format, OPTIONS, OPTIONS.rdf(options), true);
        } catch (RuntimeException e) {
            target.close();
            throw e;
        }
    }

    @Override
    public void namespace(byte[] name, byte[] namespace) {
        out.handler().namespace(name, namespace);
    }

    @Override
    public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        out.handler().statement(subject, predicate, object, graph);
    }

    /** Ends the file and puts it in its place, over one that is there. */
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

package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.jena.nodes.DatasetTerms;
import java.io.OutputStream;

/**
 * Finds statements that no writer and no dataset accepts. It passes each to a writer whose bytes are discarded. It serves one
 * source.
 */
final class StatementCheck {
    private final StatementSource<byte[]> source;
    private final ConvertOptions options;
    private final DatasetTerms terms = new DatasetTerms();
    /** The writer, which is created at the first statement, when the options of the stream are known. */
    private RdfWriter<byte[]> writer;

    /**
     * Creates a check.
     *
     * @param options the options for writing
     */
    StatementCheck(StatementSource<byte[]> source, ConvertOptions options) {
        this.source = source;
        this.options = options;
    }

    /** Returns the fault of the last statement, or null if it is valid. */
    FormatException fault(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        String problem = terms.graphProblem(graph);
        return problem != null ? source.error("term", problem, "give the graph another name")
                : fault(() -> writer().statement(subject, predicate, object, graph));
    }

    /** Returns the fault of a namespace, or null if it is valid. */
    FormatException namespaceFault(byte[] name, byte[] namespace) {
        return fault(() -> writer().namespace(name, namespace));
    }

    private FormatException fault(Runnable write) {
        try {
            write.run();
            return null;
        } catch (FormatException e) {
            return source.error(e.rule(), e.found(), e.advice());
        } catch (IllegalArgumentException e) {
            return source.error("term", e.getMessage(), "correct the term");
        }
    }

    private RdfWriter<byte[]> writer() {
        if (writer == null) {
            boolean rdfStar = !(source instanceof JellySource<byte[]> jelly) || jelly.reader().options().rdfStar();
            writer = new RdfWriter<>(OutputStream.nullOutputStream(), null, new Utf8Terms(),
                    options.rdf(RdfOptions.DEFAULT.withRdfStar(rdfStar).withNamespaceDeclarations(true)), options.cut());
        }
        return writer;
    }
}

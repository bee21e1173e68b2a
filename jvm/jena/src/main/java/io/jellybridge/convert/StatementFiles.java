package io.jellybridge.convert;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.ForwardingRdfHandler;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.files.BadStatements;
import io.jellybridge.jena.nodes.DatasetTerms;
import io.jellybridge.jena.riot.RdfFile;
import io.jellybridge.text.NQuadsParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.jena.riot.Lang;

/** Opens files of statements. */
public final class StatementFiles {

    private StatementFiles() {
    }

    /**
     * Opens N-Quads, N-Triples or Jelly. The case of language tags is kept. Triple terms may be subjects, as in datasets.
     *
     * @param content the bytes; closed by the source
     */
    public static StatementSource<byte[]> read(InputStream content, RdfFile file) {
        StatementSource<byte[]> source = file.isJelly()
                ? new RdfReader<>(content, file.name(), Utf8Terms.keepingTags(false), file.limits())
                : new NQuadsSource(content, file.name(), new NQuadsParser(true, true, false),
                        Lang.NQUADS.equals(file.lang()) ? Format.NQUADS : Format.NTRIPLES, file.limits().maxFrameBytes());
        return file.bad() == null ? source : new TolerantSource(source, file.name(), ConvertOptions.strict(false), file.bad());
    }

    /**
     * Opens N-Quads 1.2, of which N-Triples are a part, as canonical terms.
     *
     * @param content the bytes; closed by the source
     * @param name    the name in errors
     */
    public static StatementSource<byte[]> readNQuads(InputStream content, String name) {
        return new NQuadsSource(content, name, new NQuadsParser(false), Format.NQUADS, ReadOptions.DEFAULT.maxFrameBytes());
    }

    /** A source of the readable statements of a file, which writes the unreadable ones to {@link BadStatements}. */
    static final class TolerantSource implements StatementSource<byte[]> {
        private final StatementSource<byte[]> source;
        private final String file;
        private final BadStatements bad;
        /** Null if the source itself writes its bad statements there. */
        private final StatementCheck check;
        private long good;

        /**
         * Creates a source.
         *
         * @param source N-Quads, Jelly, or RIOT with the same {@code bad}
         * @param file   the name of the file in errors
         */
        TolerantSource(StatementSource<byte[]> source, String file, ConvertOptions options, BadStatements bad) {
            this.source = source;
            this.file = file;
            this.bad = bad;
            this.check = source instanceof RdfReader ? new StatementCheck(source, options) : null;
            if (source instanceof NQuadsSource lines) {
                lines.onFault(fault -> bad.add(fault, lines.line()));
            }
        }

        @Override
        public boolean next(RdfHandler<byte[]> handler) throws IOException {
            boolean more = source.next(new Kept(handler));
            if (!more) {
                bad.endFile(file, good);
            }
            return more;
        }

        private final class Kept extends ForwardingRdfHandler<byte[]> {

            Kept(RdfHandler<byte[]> target) {
                super(target);
            }

            @Override
            public void statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                FormatException fault = check == null ? null : check.findFault(subject, predicate, object, graph);
                if (fault != null) {
                    bad.add(fault, new CanonicalQuad(subject, predicate, object, graph).text());
                    return;
                }
                good++;
                super.statement(subject, predicate, object, graph);
            }
        }

        @Override
        public FormatException newError(String rule, String found, String advice) {
            return source.newError(rule, found, advice);
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    /**
     * Finds statements that no writer and no dataset accepts. It passes each to a writer whose bytes are discarded. It
     * serves one source.
     */
    static final class StatementCheck {
        private final StatementSource<byte[]> source;
        private final ConvertOptions options;
        private final DatasetTerms terms = new DatasetTerms();
        /** The writer, which is created at the first statement of each stream, when the options are known. */
        private RdfWriter<byte[]> writer;
        private RdfOptions written;

        /**
         * Creates a check.
         *
         * @param options the options that say which terms are valid
         */
        StatementCheck(StatementSource<byte[]> source, ConvertOptions options) {
            this.source = source;
            this.options = options;
        }

        /** Returns the fault of the last statement, or null if it is valid. */
        FormatException findFault(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            String problem = terms.graphProblem(graph);
            return problem != null ? source.newError("term", problem, "give the graph another name")
                    : findFault(() -> writer().statement(subject, predicate, object, graph));
        }

        /** Returns the fault of a namespace, or null if it is valid. */
        FormatException namespaceFault(byte[] name, byte[] namespace) {
            return findFault(() -> writer().namespace(name, namespace));
        }

        private FormatException findFault(Runnable write) {
            try {
                write.run();
                return null;
            } catch (FormatException e) {
                return source.newError(e.rule(), e.found(), e.advice());
            } catch (IllegalArgumentException e) {
                return source.newError("term", e.getMessage(), "correct the term");
            }
        }

        private RdfWriter<byte[]> writer() {
            RdfOptions announced = source instanceof RdfReader<byte[]> reader ? reader.options() : null;
            if (writer == null || announced != written) {
                written = announced;
                RdfOptions allowed = RdfOptions.DEFAULT.withRdfStar(announced == null || announced.rdfStar());
                writer = new RdfWriter<>(OutputStream.nullOutputStream(), null, new Utf8Terms(),
                        options.termOptions(allowed).withNamespaceDeclarations(true), options.termLimits());
            }
            return writer;
        }
    }
}

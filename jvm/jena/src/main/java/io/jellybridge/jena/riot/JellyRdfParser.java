package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.jena.nodes.IllegalTermException;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.jena.nodes.NodeTerms.LanguageTag;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.util.IllegalFormatException;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.atlas.web.ContentType;
import org.apache.jena.datatypes.RDFDatatype;
import org.apache.jena.datatypes.TypeMapper;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.ReaderRIOT;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.FactoryRDF;
import org.apache.jena.riot.system.ParserProfile;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.shared.JenaException;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.Context;

/**
 * RIOT's reader of Jelly-RDF. The parser's profile creates nodes and statements, see {@link ProfileTerms}, so labels are local
 * to their document and RIOT's checks apply. Features that the stream's options announce are not checked: generalized
 * statements, and triple terms as subjects.
 *
 * <p>If a stream breaks the format, the error handler receives a fatal error. The reading ends with a {@link RiotException}
 * whose cause is the {@link FormatException} with rule and position.
 */
final class JellyRdfParser implements ReaderRIOT {
    private static final int NOWHERE = -1;

    private final ParserProfile profile;

    /** Creates a reader, as a {@link org.apache.jena.riot.ReaderRIOTFactory}. */
    JellyRdfParser(Lang lang, ParserProfile profile) {
        this.profile = profile;
    }

    @Override
    public void read(InputStream in, String baseUri, ContentType contentType, StreamRDF sink, Context context) {
        sink.start();
        try (RdfReader<Node> reader = new RdfReader<>(in, baseUri, new ProfileTerms(profile), ReadOptions.DEFAULT)) {
            readAll(reader, new Player(sink, profile, reader));
        } catch (FormatException e) {
            throw toRiotException(e);
        } catch (IOException e) {
            IO.exception(e);
        } finally {
            sink.finish();
        }
    }

    private static void readAll(RdfReader<Node> reader, Player player) throws IOException {
        try {
            reader.readAll(player);
        } catch (IllegalTermException e) {
            throw reader.newError("term", e.getMessage(), "correct the term where the stream is written");
        }
    }

    private RiotException toRiotException(FormatException broken) {
        RiotException error = new RiotException(broken.getMessage(), broken);
        try {
            profile.getErrorHandler().fatal(broken.getMessage(), NOWHERE, NOWHERE);
        } catch (RiotException e) {
            // The usual handlers log and throw, and their exception does not have the cause.
            error.addSuppressed(e);
        }
        return error;
    }

    /**
     * {@inheritDoc}
     *
     * @throws RiotException always, since the format is binary
     */
    @Override
    public void read(Reader reader, String baseUri, ContentType contentType, StreamRDF sink, Context context) {
        throw new RiotException("Jelly is a binary format: read it from an InputStream, not from a java.io.Reader");
    }

    /** Sends statements to RIOT: those of a TRIPLES stream as triples, others as quads, including those of the default graph. */
    private static final class Player implements RdfHandler<Node> {
        private final StreamRDF sink;
        private final ParserProfile profile;
        private final RdfReader<Node> reader;

        Player(StreamRDF sink, ParserProfile profile, RdfReader<Node> reader) {
            this.sink = sink;
            this.profile = profile;
            this.reader = reader;
        }

        @Override
        public void namespace(byte[] name, Node namespace) {
            sink.prefix(new String(name, UTF_8), namespace.getURI());
        }

        @Override
        public void statement(Node subject, Node predicate, Node object, Node graph) {
            RdfOptions options = reader.options();
            boolean isAnnounced = options.generalizedStatements() || options.rdfStar() && subject.isTripleTerm();
            FactoryRDF unchecked = profile.getFactorRDF();
            if (graph == null) {
                sink.triple(isAnnounced ? unchecked.createTriple(subject, predicate, object)
                        : profile.createTriple(subject, predicate, object, NOWHERE, NOWHERE));
            } else {
                sink.quad(isAnnounced ? unchecked.createQuad(graph, subject, predicate, object)
                        : profile.createQuad(graph, subject, predicate, object, NOWHERE, NOWHERE));
            }
        }
    }

    /**
     * Creates the nodes of a RIOT parser by its profile. The profile's policy converts labels of blank nodes, and its checks of
     * literals apply. IRIs are unchanged, since a Jelly stream has no base.
     *
     * <p>One thread may use it at a time.
     */
    private static final class ProfileTerms implements TermFactory<Node> {
        /** RIOT's value for an unknown line or column. */
        private static final int NOWHERE = -1;

        private final ParserProfile profile;
        private Node lastDatatypeName;
        private RDFDatatype lastDatatype;

        ProfileTerms(ParserProfile profile) {
            this.profile = profile;
        }

        @Override
        public Node iri(byte[] prefix, byte[] name) {
            byte[] joined = new byte[prefix.length + name.length];
            System.arraycopy(prefix, 0, joined, 0, prefix.length);
            System.arraycopy(name, 0, joined, prefix.length, name.length);
            return profile.getFactorRDF().createURI(new String(joined, UTF_8));
        }

        @Override
        public Node iri(Node prefix, byte[] name, int offset, int length) {
            return profile.getFactorRDF().createURI(prefix.getURI().concat(new String(name, offset, length, UTF_8)));
        }

        @Override
        public Node blankNode(byte[] bytes, int offset, int length) {
            return profile.createBlankNode(null, new String(bytes, offset, length, UTF_8), NOWHERE, NOWHERE);
        }

        @Override
        public Node literal(byte[] bytes, int offset, int length) {
            return profile.createStringLiteral(new String(bytes, offset, length, UTF_8), NOWHERE, NOWHERE);
        }

        /**
         * {@inheritDoc}
         *
         * @throws IllegalArgumentException Jena rejects the language tag or base direction; the message names it
         */
        @Override
        public Node langLiteral(byte[] bytes, int offset, int length, int langOffset, int langLength) {
            String lexical = new String(bytes, offset, length, UTF_8);
            String tag = new String(bytes, langOffset, langLength, UTF_8);
            LanguageTag parts = LanguageTag.of(tag);
            try {
                return parts.direction() == null
                        ? profile.createLangLiteral(lexical, parts.language(), NOWHERE, NOWHERE)
                        : profile.createLangDirLiteral(lexical, parts.language(), parts.direction().direction(), NOWHERE,
                                NOWHERE);
            } catch (RiotException e) {
                // The exception of the profile's error handler.
                throw e;
            } catch (JenaException | IllegalFormatException e) {
                // Jena's own message for a bad character in a tag fails with an IllegalFormatException.
                throw new IllegalTermException("the language tag '" + tag + "', which Jena does not take", e);
            }
        }

        /**
         * {@inheritDoc}
         *
         * @throws IllegalArgumentException Jena fails on the literal; the message names it
         */
        @Override
        public Node typedLiteral(byte[] bytes, int offset, int length, Node datatype) {
            if (datatype != lastDatatypeName) {
                lastDatatype = TypeMapper.getInstance().getSafeTypeByName(datatype.getURI());
                lastDatatypeName = datatype;
            }
            String lexical = new String(bytes, offset, length, UTF_8);
            try {
                return profile.createTypedLiteral(lexical, lastDatatype, NOWHERE, NOWHERE);
            } catch (NumberFormatException e) {
                throw NodeTerms.unheldError(lexical, lastDatatype, e);
            }
        }

        @Override
        public Node tripleTerm(Node subject, Node predicate, Node object) {
            return NodeFactory.createTripleTerm(subject, predicate, object);
        }

        /** Returns the node that RIOT's own readers use. */
        @Override
        public Node defaultGraph() {
            return Quad.defaultGraphNodeGenerated;
        }
    }
}

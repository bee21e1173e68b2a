package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.atlas.web.ContentType;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.ReaderRIOT;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.system.ParserProfile;
import org.apache.jena.riot.system.StreamRDF;
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
        try {
            new Player(sink, profile).play(in, baseUri, new ProfileTerms(profile));
        } catch (FormatException e) {
            throw told(e);
        } catch (IOException e) {
            IO.exception(e);
        }
    }

    private RiotException told(FormatException broken) {
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

    private static final class Player extends JellyRdfPlayer {
        private final ParserProfile profile;

        Player(StreamRDF sink, ParserProfile profile) {
            super(sink);
            this.profile = profile;
        }

        @Override
        Triple triple(Node subject, Node predicate, Node object) {
            return isAnnounced(subject)
                    ? profile.getFactorRDF().createTriple(subject, predicate, object)
                    : profile.createTriple(subject, predicate, object, NOWHERE, NOWHERE);
        }

        @Override
        Quad quad(Node graph, Node subject, Node predicate, Node object) {
            return isAnnounced(subject)
                    ? profile.getFactorRDF().createQuad(graph, subject, predicate, object)
                    : profile.createQuad(graph, subject, predicate, object, NOWHERE, NOWHERE);
        }

        private boolean isAnnounced(Node subject) {
            return options().generalizedStatements() || options().rdfStar() && subject.isTripleTerm();
        }
    }
}

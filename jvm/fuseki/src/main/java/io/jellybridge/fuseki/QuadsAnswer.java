package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.http.QuadsProtocol;
import io.jellybridge.jena.data.QuadRows;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.jena.atlas.RuntimeIOException;
import org.apache.jena.atlas.web.AcceptList;
import org.apache.jena.atlas.web.MediaRange;
import org.apache.jena.atlas.web.MediaType;
import org.apache.jena.fuseki.DEF;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.fuseki.servlets.ActionLib;
import org.apache.jena.fuseki.servlets.GSP_R;
import org.apache.jena.fuseki.servlets.GSP_RW;
import org.apache.jena.fuseki.servlets.HttpAction;
import org.apache.jena.fuseki.servlets.ServletOps;
import org.apache.jena.fuseki.system.ConNeg;
import org.apache.jena.rdfpatch.system.DatasetGraphChanges;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.mem.DatasetGraphInMemory;
import org.apache.jena.tdb2.sys.TDBInternal;

/**
 * All quads of a dataset as Jelly-RDF, with the labels of blank nodes that it has, where it is read ({@code GET} of the
 * dataset, without a graph) by who prefers {@value QuadsProtocol#JELLY}. They are those of one moment. Any other answer stays
 * Fuseki's own, and so does who may read: these operations stand where its own stood.
 *
 * <p>The stream goes into a temporary file first: so an answer is whole, of a length that is said, or an error; and whoever
 * reads it slowly keeps no transaction open.
 *
 * <p>Only of datasets that are known to show all that is in them to everyone: TDB2, a transactional one in memory, and these
 * with Jena's log of changes around them. Others, as one with rights for graphs, or one with inference, answer as ever.
 */
final class QuadsAnswer {
    private static final MediaType JELLY = MediaType.create(QuadsProtocol.JELLY);
    private static final RdfOptions STREAM = RdfOptions.DEFAULT.withTypes(PhysicalType.QUADS, 2)
            .withGeneralizedStatements(true).withRdfStar(true);
    private static final WriteOptions CUT = new WriteOptions(1024, true, QuadsProtocol.MAX_FRAME_BYTES, 0, TermRules.ANY);

    private QuadsAnswer() {
    }

    /** Fuseki's operation that reads, and beside what it answers this. */
    static final class Read extends GSP_R {

        @Override
        protected void execGetQuads(HttpAction action) {
            if (!get(action)) {
                super.execGetQuads(action);
            }
        }

        @Override
        protected void execHeadQuads(HttpAction action) {
            if (!head(action)) {
                super.execHeadQuads(action);
            }
        }
    }

    /** The one that reads and writes, likewise. */
    static final class ReadWrite extends GSP_RW {

        @Override
        protected void execGetQuads(HttpAction action) {
            if (!get(action)) {
                super.execGetQuads(action);
            }
        }

        @Override
        protected void execHeadQuads(HttpAction action) {
            if (!head(action)) {
                super.execHeadQuads(action);
            }
        }
    }

    /** What may be answered with; null where that is Fuseki's own affair. */
    private static DatasetGraph data(HttpAction action) {
        DatasetGraph dataset = action.getDataset();
        DatasetGraph data = dataset instanceof DatasetGraphChanges logged ? logged.getWrapped() : dataset;
        return TDBInternal.getDatasetGraphTDB(data) != null || data instanceof DatasetGraphInMemory ? data : null;
    }

    private static boolean prefersJelly(String accept) {
        if (accept == null) {
            return false;
        }
        AcceptList offer = new AcceptList(Stream.concat(DEF.quadsOffer.entries().stream(), Stream.of(new MediaRange(JELLY)))
                .toList());
        MediaType chosen = ConNeg.match(accept.toLowerCase(Locale.ROOT), offer);
        return chosen != null && chosen.getContentTypeStr().equals(QuadsProtocol.JELLY);
    }

    private static boolean isWanted(HttpAction action) {
        return data(action) != null && prefersJelly(action.getRequestHeader("Accept"));
    }

    private static void setHeaders(HttpAction action) {
        ActionLib.setCommonHeaders(action);
        action.setResponseContentType(QuadsProtocol.JELLY);
        action.setResponseHeader(QuadsProtocol.QUADS, QuadsProtocol.VERSION);
    }

    /** Whether this was answered. */
    private static boolean head(HttpAction action) {
        if (!isWanted(action)) {
            return false;
        }
        setHeaders(action);
        return true;
    }

    private static boolean get(HttpAction action) {
        if (!isWanted(action)) {
            return false;
        }
        Path file = null;
        Answer failure = null;
        try {
            file = Files.createTempFile("jellybridge-", ".jelly");
            write(action, file);
        } catch (IOException | RuntimeException e) {
            failure = Answer.incident("dataset", "the quads of the dataset " + action.getDatasetName()
                    + " can't be written as Jelly-RDF; a query gives them", e);
        }
        try {
            if (failure != null) {
                failure.send(action.getResponse());
            } else {
                send(action, file);
            }
        } catch (IOException e) {
            throw new RuntimeIOException(e); // who asked is gone, as Fuseki has it too
        } finally {
            delete(file);
        }
        return true;
    }

    private static void write(HttpAction action, Path file) throws IOException {
        action.beginRead();
        try (RdfWriter<byte[]> writer = new RdfWriter<>(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16), null,
                new Utf8Terms(), STREAM, CUT)) {
            Iterator<byte[][]> quads = QuadRows.within(data(action));
            while (quads.hasNext()) {
                byte[][] quad = quads.next();
                writer.statement(quad[0], quad[1], quad[2], quad[3]);
            }
            writer.endFrame(Map.of(QuadsProtocol.QUADS, Long.toString(writer.statements()).getBytes(US_ASCII)));
        } finally {
            action.endRead();
        }
    }

    private static void send(HttpAction action, Path file) throws IOException {
        setHeaders(action);
        action.getResponse().setContentLengthLong(Files.size(file));
        Files.copy(file, action.getResponseOutputStream());
        ServletOps.success(action);
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            Fuseki.serverLog.warn("jellybridge: the temporary file {} is left: {}", file, e.getMessage());
        }
    }
}

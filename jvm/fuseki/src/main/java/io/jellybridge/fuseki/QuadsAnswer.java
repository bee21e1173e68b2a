package io.jellybridge.fuseki;

import io.jellybridge.http.PatchProtocol.QuadsProtocol;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
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
 * Sends all quads of a dataset as Jelly-RDF, with its blank node labels. It answers a {@code GET} of the dataset without a
 * graph, if the client prefers {@value QuadsProtocol#JELLY}. The quads are a snapshot. Fuseki answers all other requests, and
 * its access control still applies, since these operations replace its own.
 *
 * <p>The stream is first written to a temporary file, see {@link QuadsSnapshots}. So a response is complete and has a length,
 * or is an error. A slow client blocks no transaction and no thread.
 *
 * <p>This applies only to datasets that show all their data to every user: TDB2, transactional in-memory datasets, and both
 * inside a {@link LoggedDataset}, a {@link FollowingDataset} or Jena's change log wrapper. Other datasets, such as those with access rights per graph or
 * with inference, keep Fuseki's
 * response.
 */
final class QuadsAnswer {
    private static final MediaType JELLY = MediaType.create(QuadsProtocol.JELLY);
    private QuadsAnswer() {
    }

    /** Fuseki's read operation with this addition. */
    static final class Read extends GSP_R {
        private final QuadsSnapshots snapshots;

        Read(QuadsSnapshots snapshots) {
            this.snapshots = snapshots;
        }

        @Override
        protected void execGetQuads(HttpAction action) {
            if (!answerGet(action, snapshots)) {
                super.execGetQuads(action);
            }
        }

        @Override
        protected void execHeadQuads(HttpAction action) {
            if (!answerHead(action)) {
                super.execHeadQuads(action);
            }
        }
    }

    /** Fuseki's read and write operation with this addition. */
    static final class ReadWrite extends GSP_RW {
        private final QuadsSnapshots snapshots;

        ReadWrite(QuadsSnapshots snapshots) {
            this.snapshots = snapshots;
        }

        @Override
        protected void execGetQuads(HttpAction action) {
            if (!answerGet(action, snapshots)) {
                super.execGetQuads(action);
            }
        }

        @Override
        protected void execHeadQuads(HttpAction action) {
            if (!answerHead(action)) {
                super.execHeadQuads(action);
            }
        }
    }

    /** Returns the dataset beneath wrappers that show all its data; null if there are others, or it is of another kind. */
    static DatasetGraph dataOf(HttpAction action) {
        DatasetGraph dataset = action.getDataset();
        DatasetGraph data = dataset instanceof FollowingDataset following ? following.getWrapped() : dataset;
        data = data instanceof LoggedDataset logged ? logged.getWrapped() : data;
        data = data instanceof DatasetGraphChanges logged ? logged.getWrapped() : data;
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
        return dataOf(action) != null && prefersJelly(action.getRequestHeader("Accept"));
    }

    private static void setHeaders(HttpServletResponse response) {
        response.setContentType(QuadsProtocol.JELLY);
        response.setHeader(QuadsProtocol.QUADS, QuadsProtocol.VERSION);
    }

    /** Answers a HEAD request. Returns whether it did. */
    private static boolean answerHead(HttpAction action) {
        if (!isWanted(action)) {
            return false;
        }
        ActionLib.setCommonHeaders(action);
        setHeaders(action.getResponse());
        return true;
    }

    private static boolean answerGet(HttpAction action, QuadsSnapshots snapshots) {
        if (!isWanted(action)) {
            return false;
        }
        // Fuseki releases the action before the response is sent.
        String name = action.getDatasetName();
        HttpServletRequest request = action.getRequest();
        HttpServletResponse response = action.getResponse();
        ActionLib.setCommonHeaders(action);
        AsyncContext async = request.isAsyncSupported() ? FileSender.startResponse(request) : null;
        CompletableFuture<Void> sent = snapshots.of(dataOf(action))
                .handle((quads, failure) -> sendContent(quads, failure, name, response, async));
        ServletOps.success(action);
        if (async == null) {
            sent.join();
        }
        return true;
    }

    private static Void sendContent(QuadsSnapshots.Content quads, Throwable failure, String name, HttpServletResponse response,
            AsyncContext async) {
        try {
            if (failure != null) {
                Answer.serverFailure("dataset", "the quads of the dataset " + name
                        + " can't be written as Jelly-RDF; a query gives them", failure).sendTo(response);
                if (async != null) {
                    async.complete();
                }
                return null;
            }
            setHeaders(response);
            if (quads.version() != null) {
                response.setHeader(QuadsProtocol.DATASET_VERSION, quads.version());
            }
            response.setContentLengthLong(quads.size());
            FileSender.sendFile(quads, response, async);
        } catch (IOException | RuntimeException | Error e) {
            Fuseki.serverLog.debug("jellybridge: nobody is there for the quads of {}", name, e);
            closeContent(quads);
            if (async != null) {
                async.complete();
            }
        }
        return null;
    }

    private static void closeContent(QuadsSnapshots.Content quads) {
        try {
            if (quads != null) {
                quads.close();
            }
        } catch (IOException e) {
            Fuseki.serverLog.warn("jellybridge: a snapshot can't be closed", e);
        }
    }
}

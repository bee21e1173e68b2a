package io.jellybridge.jena.riot;

import com.google.gson.stream.MalformedJsonException;
import io.jellybridge.files.CheckedUtf8InputStream;
import io.jellybridge.jena.nodes.Utf8Thrift;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.jena.query.ARQ;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.RiotException;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.resultset.ResultSetLang;
import org.apache.jena.riot.rowset.RowSetReader;
import org.apache.jena.riot.rowset.RowSetReaderRegistry;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.thrift.ThriftRDF;
import org.apache.jena.sparql.engine.binding.Binding;
import org.apache.jena.sparql.exec.QueryExecResult;
import org.apache.jena.sparql.exec.RowSet;
import org.apache.jena.sparql.exec.RowSetStream;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;
import org.apache.thrift.transport.TIOStreamTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Reads the response of a server to a query: rows, a boolean or statements. Labels of blank nodes are kept. Text that is not
 * UTF-8 is an error, and only the response is read, no other resource. Each error is a {@link RiotException}, also for rows
 * that are read later.
 *
 * @param lang      the language of the response
 * @param namesUtf8 true if the server declares UTF-8, which overrides the declaration of an XML document
 * @param base      the base of relative IRIs
 */
public record QueryResponse(Lang lang, boolean namesUtf8, String base) {
    static {
        JenaSystem.init(); // otherwise there are no readers of results and no languages for them
    }

    private static final Set<Lang> BINARY = Set.of(ResultSetLang.RS_Thrift, ResultSetLang.RS_Protobuf, Lang.RDFTHRIFT,
            Lang.RDFPROTO, JellyRdfLang.JELLY);
    private static final Set<Lang> XML = Set.of(ResultSetLang.RS_XML, Lang.RDFXML, Lang.TRIX);
    private static final Pattern XML_ENCODING = Pattern.compile("<\\?xml[^>]*\\bencoding\\s*=\\s*[\"']([^\"']*)");
    private static final int XML_HEAD = 256;

    /** Returns the language of a media type; null if it has none. */
    public static Lang languageOf(String mediaType) {
        return RDFLanguages.contentTypeToLang(mediaType);
    }

    /** Returns true if a charset has no meaning for the language. */
    public static boolean isBinary(Lang lang) {
        return BINARY.contains(lang);
    }

    /** Reads the result of a SELECT or an ASK. Rows are read on demand. */
    public QueryExecResult readResult(InputStream body) {
        // CSV does not mark which of its values are IRIs.
        if (!RowSetReaderRegistry.isRegistered(lang) || lang.equals(ResultSetLang.RS_CSV)) {
            throw unreadableError("it is in " + lang.getName());
        }
        return withErrors(() -> {
            if (lang.equals(ResultSetLang.RS_Thrift)) {
                return new QueryExecResult(new Rows(ThriftRDF.readRowSet(readThrift(body))).set());
            }
            QueryExecResult found = RowSetReader.createReader(lang)
                    .readAny(checkText(body), new Context().set(ARQ.inputGraphBNodeLabels, true));
            return found.isRowSet() ? new QueryExecResult(new Rows(found.rowSet()).set()) : found;
        });
    }

    /** Reads the statements of a CONSTRUCT or a DESCRIBE. */
    public void readStatements(InputStream body, StreamRDF sink) {
        if (!RDFLanguages.hasRegisteredParser(lang)) {
            throw unreadableError("it is in " + lang.getName());
        }
        LabelToNode labels = LabelToNode.createUseLabelAsGiven();
        withErrors(() -> {
            if (lang.equals(Lang.RDFTHRIFT)) {
                ThriftRDF.protocolToStream(readThrift(body), sink);
            } else if (isBinary(lang)) {
                RDFParser.source(body).lang(lang).labelToNode(labels).parse(sink);
            } else {
                RdfFile document = new RdfFile(base, "the answer", base, lang.getHeaderString(), false);
                try {
                    new RiotReader(document, (graph, subject, predicate, object) -> null).read(checkText(body), labels, sink);
                } catch (IOException e) {
                    throw unreadableError(e);
                }
            }
            return null;
        });
    }

    private static Utf8Thrift readThrift(InputStream body) {
        try {
            return new Utf8Thrift(new TIOStreamTransport(new BufferedInputStream(body, 1 << 16)));
        } catch (TTransportException e) {
            throw unreadableError(e);
        }
    }

    /**
     * Checks text for UTF-8. A binary language is not checked, nor an XML document that declares its own encoding, unless the
     * server declares UTF-8.
     */
    private InputStream checkText(InputStream body) {
        if (isBinary(lang) || XML.contains(lang) && !namesUtf8) {
            return body;
        }
        BufferedInputStream text = new BufferedInputStream(body, 1 << 16);
        if (XML.contains(lang)) {
            checkEncoding(text);
        }
        return new CheckedUtf8InputStream(text, "have the server answer in UTF-8");
    }

    private static void checkEncoding(BufferedInputStream document) {
        try {
            document.mark(XML_HEAD);
            Matcher encoding = XML_ENCODING.matcher(
                    new String(document.readNBytes(XML_HEAD), StandardCharsets.ISO_8859_1));
            document.reset();
            if (encoding.find() && !encoding.group(1).equalsIgnoreCase("UTF-8")) {
                throw unreadableError("its server says that it is in UTF-8, and it says " + encoding.group(1));
            }
        } catch (IOException e) {
            throw unreadableError(e);
        }
    }

    // --- errors

    private static <R> R withErrors(Supplier<R> reading) {
        try {
            return reading.get();
        } catch (UnreadableException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            throw unreadableError(e);
        }
    }

    /** Thrown for a response that can't be read, with a complete message. */
    private static final class UnreadableException extends RiotException {
        private static final long serialVersionUID = 1L;

        UnreadableException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    private static UnreadableException unreadableError(String why) {
        return new UnreadableException("the answer is no result of a query: " + why, null);
    }

    /**
     * Creates the error for a response that can't be read. The messages of the JSON and Thrift libraries do not help the user.
     */
    private static UnreadableException unreadableError(Throwable e) {
        Throwable root = e;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        if (root instanceof EOFException
                || root instanceof TTransportException end && end.getType() == TTransportException.END_OF_FILE) {
            return new UnreadableException("the answer ends in the middle", e);
        }
        String why = root instanceof MalformedJsonException ? "it is not well-formed"
                : root instanceof StackOverflowError ? "it is nested too deep" : root.getMessage();
        return new UnreadableException("the answer is no result of a query: " + why, e);
    }

    /** A cursor over rows whose errors are ours. */
    private record Rows(RowSet rows) implements Iterator<Binding> {

        RowSet set() {
            return RowSetStream.create(rows.getResultVars(), this);
        }

        @Override
        public boolean hasNext() {
            return withErrors(rows::hasNext);
        }

        @Override
        public Binding next() {
            return withErrors(rows::next);
        }
    }
}

package io.jellybridge.http;

/**
 * The words in which our Fuseki module gives all quads of a dataset, and its client asks for them. The stream says at its end
 * how many there were: a server that fails in the middle may end its answer as if it were whole.
 */
public final class QuadsProtocol {

    /** The content type: Jelly-RDF, a delimited stream of quads. */
    public static final String JELLY = "application/x-jelly-rdf";

    /** The header of an answer that keeps to this, with {@link #VERSION}; in the last frame's metadata, the number of quads. */
    public static final String QUADS = "jellybridge-quads";

    public static final String VERSION = "1";

    private QuadsProtocol() {
    }
}

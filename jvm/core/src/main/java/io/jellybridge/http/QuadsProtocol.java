package io.jellybridge.http;

/** The words in which our Fuseki module gives all quads of a dataset, and its client asks for them. */
public final class QuadsProtocol {

    /** The content type: Jelly-RDF, a delimited stream of quads. */
    public static final String JELLY = "application/x-jelly-rdf";

    /**
     * The header of an answer that keeps to this, with {@link #VERSION}; and in the last frame's metadata the number of quads,
     * for who gets them by something that may cut the answer off unseen.
     */
    public static final String QUADS = "jellybridge-quads";

    public static final String VERSION = "1";

    /** A frame has about a megabyte, or one row that is larger. */
    public static final int MAX_FRAME_BYTES = 1 << 30;

    private QuadsProtocol() {
    }
}

package io.jellybridge.http;

/** The names in the protocol by which our Fuseki module returns all quads of a dataset. */
public final class QuadsProtocol {

    /** The content type: Jelly-RDF, a delimited stream of quads. */
    public static final String JELLY = "application/x-jelly-rdf";

    /**
     * The header of a response in this protocol, with the value {@link #VERSION}. The metadata of the last frame has the same
     * name and the number of quads, so that a client notices a truncated response.
     */
    public static final String QUADS = "jellybridge-quads";

    public static final String VERSION = "1";

    /** The size limit of a frame. A frame has about a megabyte, or one larger row. */
    public static final int MAX_FRAME_BYTES = 1 << 30;

    private QuadsProtocol() {
    }
}

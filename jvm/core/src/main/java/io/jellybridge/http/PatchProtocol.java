package io.jellybridge.http;

/**
 * The names in the protocol of our Fuseki module's patch endpoint. Its documentation explains them, and its clients use them.
 */
public final class PatchProtocol {

    /** The content type of Jelly-Patch. */
    public static final String JELLY = "application/x-jelly-rdf-patch";

    /** The content type of RDF Patch text. */
    public static final String TEXT = "application/rdf-patch";

    /** The parameter with the key of a step. */
    public static final String KEY = "key";

    /** The parameter with the position at which a step begins. */
    public static final String EXPECTED = "expected";

    /** The parameter with the text that is stored with that position. */
    public static final String EXPECTED_APPLIED = "expected-applied";

    /** The parameter with the version of the dataset from which a step begins, as {@link QuadsProtocol#DATASET_VERSION} gave it. */
    public static final String EXPECTED_VERSION = "expected-version";

    /** The parameter with the position to which a step leads. */
    public static final String NEXT = "next";

    /** The parameter with the text that is stored with that position. */
    public static final String NEXT_APPLIED = "next-applied";

    /** The patch header, in the body of a request with a key, for the notes that the step stores. Each note is a literal. */
    public static final String NOTE = "jellybridge-note";

    /** The key of steps that are given by the headers of patches. */
    public static final String LOG_KEY = "urn:jellybridge:log";

    private PatchProtocol() {
    }

    /** The names in the protocol by which our Fuseki module returns all quads of a dataset. */
    public static final class QuadsProtocol {

        /** The content type: Jelly-RDF, a delimited stream of quads. */
        public static final String JELLY = "application/x-jelly-rdf";

        /**
         * The header of a response in this protocol, with the value {@link #VERSION}. The metadata of the last frame has the same
         * name and the number of quads, so that a client notices a truncated response.
         */
        public static final String QUADS = "jellybridge-quads";

        public static final String VERSION = "1";

        /**
         * The header of a response with the version of the dataset that it contains. Each commit gives another one, and so does a
         * start of the server. Only a dataset in TDB2 tells one.
         */
        public static final String DATASET_VERSION = "jellybridge-dataset-version";

        /** The size limit of a frame. A frame has about a megabyte, or one larger row. */
        public static final int MAX_FRAME_BYTES = 1 << 30;

        private QuadsProtocol() {
        }
    }
}

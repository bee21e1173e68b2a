package io.jellybridge.http;

/** The words of the patch endpoint of our Fuseki module, which the endpoint documents, and its clients use. */
public final class PatchProtocol {

    /** The content type of Jelly-Patch. */
    public static final String JELLY = "application/x-jelly-rdf-patch";

    /** The content type of RDF Patch text. */
    public static final String TEXT = "application/rdf-patch";

    /** The parameter with the key of a step. */
    public static final String KEY = "key";

    /** The parameter with the position that a step begins at. */
    public static final String EXPECTED = "expected";

    /** The parameter with the text beside that position. */
    public static final String EXPECTED_APPLIED = "expected-applied";

    /** The parameter with the position that a step leads to. */
    public static final String NEXT = "next";

    /** The parameter with the text beside that position. */
    public static final String NEXT_APPLIED = "next-applied";

    /** The header of a patch in the body of a request with a key: what is noted with its step, a literal each. */
    public static final String NOTE = "jellybridge-note";

    /** The key of steps that the headers of patches say. */
    public static final String LOG_KEY = "urn:jellybridge:log";

    private PatchProtocol() {
    }
}

package io.jellybridge.text;

/**
 * The dialects of RDF Patch text. All of them read the canonical form of {@link RdfPatchWriter}: {@code PA "p" <iri> .}, {@code
 * <_:label>}, {@code TX .}, {@code <<( s p o )>>}, {@code Z .} between patches.
 *
 * <p>All of them also read {@code _:label} for {@code <_:label>}, and numbers and booleans as in Turtle. A namespace may be an
 * IRI or a string, and a header's key a word or a string.
 * <p>The second item of a {@code PD} row depends on the form of the prefix, so that no text has two meanings. After a quoted
 * prefix it is the graph, as in Jena ({@code PD "p" <graph> .}). After a bare prefix it is the namespace, as in RDFLib ({@code
 * PD p <namespace> .}), and a graph may follow.
 */
public enum RdfPatchDialect {
    /**
     * The dialect of Jena 5. Prefixes are in quotes. It reads {@code TB} for {@code TX}, and the forms of Turtle: {@code
     * 'text'}, text in three quotes over several lines, two escapes of surrogates for one character, and prefixed names. Jena
     * reads only the prefix of such a name. Here a name stands for the IRI that earlier {@code PA} rows define, and is an error
     * without one.
     */
    JENA(false, true, false, true),
    /** The dialect of RDF Delta, including old files: Jena's, with triple terms as {@code << s p o >>}. */
    RDF_DELTA(false, true, true, true),
    /**
     * The dialect of the published specification and of RDFLib: bare prefixes ({@code PA p <iri>}, {@code PA p: <iri>}) and
     * {@code << s p o >>}. RDFLib's header rows have no dot and end with their line. Strict reading rejects that.
     */
    SPECIFICATION(true, false, true, false),
    /** All dialects above, row by row. */
    AUTO(true, true, true, true);

    private final boolean barePrefixes;
    private final boolean tb;
    private final boolean rdfStar;
    private final boolean turtleForms;

    RdfPatchDialect(boolean barePrefixes, boolean tb, boolean rdfStar, boolean turtleForms) {
        this.barePrefixes = barePrefixes;
        this.tb = tb;
        this.rdfStar = rdfStar;
        this.turtleForms = turtleForms;
    }

    /** Returns true if {@code PA p <iri>} is read. */
    boolean barePrefixes() {
        return barePrefixes;
    }

    /** Returns true if the end of a line ends a header row, as in RDFLib's files. Strict reading rejects such a row. */
    boolean bareHeaders() {
        return barePrefixes;
    }

    /** Returns true if strings, escapes and names have Turtle's forms. */
    boolean turtleForms() {
        return turtleForms;
    }

    /** Returns true if {@code TB} is read as {@code TX}. */
    boolean tb() {
        return tb;
    }

    /** Returns true if {@code << s p o >>} is read as a triple term. */
    boolean rdfStar() {
        return rdfStar;
    }
}

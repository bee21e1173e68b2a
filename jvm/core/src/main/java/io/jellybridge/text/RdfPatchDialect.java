package io.jellybridge.text;

/**
 * The ways in which RDF Patch text is written. All of them read the canonical form, which {@link RdfPatchWriter}
 * writes: {@code PA "p" <iri> .}, {@code <_:label>}, {@code TX .}, {@code <<( s p o )>>}, {@code Z .} between
 * patches.
 *
 * <p>What they share beyond it: {@code _:label} beside {@code <_:label>}, a namespace as IRI or as string, numbers
 * and booleans as in Turtle, a header's key as word or as string.
 *
 * <p>The second item of a {@code PD} row goes by how the prefix is written, so that no text has two meanings: after
 * a quoted prefix it is the graph, as Jena has it ({@code PD "p" <graph> .}); after a bare one it is the namespace,
 * as RDFLib has it ({@code PD p <namespace> .}), and a graph may follow.
 */
public enum RdfPatchDialect {
    /**
     * What Jena 5 reads and writes: prefixes in quotes only; {@code TB} for {@code TX} is read, and so are the forms of
     * Turtle: {@code 'text'}, text in three quotes over several lines, two escapes of surrogates for one character, and prefixed
     * names. Of those Jena reads the prefix alone; here they are the IRIs that the {@code PA} rows before say, and an error
     * without one.
     */
    JENA(false, true, false, true),
    /**
     * Files of RDF Delta, also old ones: as Jena's, and triple terms as {@code << s p o >>}.
     */
    RDF_DELTA(false, true, true, true),
    /**
     * The published specification, and RDFLib: bare prefixes ({@code PA p <iri>}, {@code PA p: <iri>}), {@code << s
     * p o >>}. RDFLib's header rows end with their line, where they have no dot; that is an error where reading is strict.
     */
    SPECIFICATION(true, false, true, false),
    /** All of the above, row by row. */
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

    /** Whether {@code PA p <iri>} is read. */
    boolean barePrefixes() {
        return barePrefixes;
    }

    /** Whether the end of a line ends a header row, as in RDFLib's files; who reads strictly refuses it. */
    boolean bareHeaders() {
        return barePrefixes;
    }

    /** Whether strings, escapes and names are read as Turtle has them. */
    boolean turtleForms() {
        return turtleForms;
    }

    /** Whether {@code TB} is read as {@code TX}. */
    boolean tb() {
        return tb;
    }

    /** Whether {@code << s p o >>} is read as a triple term. */
    boolean rdfStar() {
        return rdfStar;
    }
}

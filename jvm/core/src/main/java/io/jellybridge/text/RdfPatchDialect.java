package io.jellybridge.text;

/**
 * The ways in which RDF Patch text is written. All of them read the canonical form, which {@link RdfPatchWriter}
 * writes: {@code PA "p" <iri> .}, {@code <_:label>}, {@code TX .}, {@code <<( s p o )>>}, {@code Z .} at the end of
 * a patch.
 *
 * <p>What they share beyond it: {@code _:label} beside {@code <_:label>}, a namespace as IRI or as string, numbers
 * and booleans as in Turtle, a header's key as word or as string.
 *
 * <p>The second item of a {@code PD} row goes by how the prefix is written, so that no text has two meanings: after
 * a quoted prefix it is the graph, as Jena has it ({@code PD "p" <graph> .}); after a bare one it is the namespace,
 * as RDFLib has it ({@code PD p <namespace> .}), and a graph may follow.
 */
public enum RdfPatchDialect {
    /** What Jena 5 reads and writes: prefixes in quotes only; {@code TB} for {@code TX} is read. */
    JENA(false, true, false),
    /**
     * Files of RDF Delta, also old ones: prefixes in quotes only, {@code TB}, and triple terms as {@code << s p o
     * >>}.
     */
    RDF_DELTA(false, true, true),
    /**
     * The published specification, and RDFLib: bare prefixes ({@code PA p <iri>}, {@code PA p: <iri>}), {@code << s
     * p o >>}.
     */
    SPECIFICATION(true, false, true),
    /** All of the above, row by row. */
    AUTO(true, true, true);

    private final boolean barePrefixes;
    private final boolean tb;
    private final boolean rdfStar;

    RdfPatchDialect(boolean barePrefixes, boolean tb, boolean rdfStar) {
        this.barePrefixes = barePrefixes;
        this.tb = tb;
        this.rdfStar = rdfStar;
    }

    /** Whether {@code PA p <iri>} is read. */
    boolean barePrefixes() {
        return barePrefixes;
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

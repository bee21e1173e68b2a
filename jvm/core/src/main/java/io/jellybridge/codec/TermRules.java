package io.jellybridge.codec;

/** The rules for IRIs, language tags and datatypes that a writer of a Jelly stream accepts. */
public enum TermRules {
    /** The rules of RDF 1.2, see {@link RdfTerms}. */
    RDF,
    /** The rules of RDF 1.2, with relative IRIs allowed. */
    RELATIVE_IRIS,
    /** Everything that readers accept, for data that only passes through and is checked at its target. */
    ANY;

    /** Finds the fault of an IRI. Returns null if it is valid. */
    public RdfTerms.Fault iriFault(byte[] iri, int offset, int length) {
        RdfTerms.Fault fault = iriStartFault(iri, offset, length);
        return fault != null || this == ANY ? fault : RdfTerms.characterFault(iri, offset, length);
    }

    /** Finds a fault at the start of an IRI whose characters are valid. Returns null if there is none. */
    public RdfTerms.Fault iriStartFault(byte[] iri, int offset, int length) {
        return this == ANY ? null : RdfTerms.iriStartFault(iri, offset, length, this == RELATIVE_IRIS);
    }

    /** Finds the fault of the datatype of a literal without a language tag. Returns null if it is valid. */
    public RdfTerms.Fault datatypeFault(byte[] iri, int offset, int length) {
        RdfTerms.Fault fault = iriFault(iri, offset, length);
        return fault != null || this == ANY ? fault : RdfTerms.datatypeFault(iri, offset, length);
    }

    /** Finds the fault of a language tag. Returns null if it is valid. */
    public RdfTerms.Fault languageTagFault(byte[] tag, int offset, int length) {
        return this == ANY ? null : RdfTerms.languageTagFault(tag, offset, length);
    }
}

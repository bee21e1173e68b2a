package io.jellybridge.codec;

/** Which IRIs, language tags and datatypes a writer of a Jelly stream takes. */
public enum TermRules {
    /** Those of RDF 1.2, see {@link RdfTerms}. */
    RDF,
    /** Relative IRIs too. */
    RELATIVE_IRIS,
    /** Any that readers take: for what only passes through, and is checked where it arrives. */
    ANY;

    /** What is wrong with an IRI; null when nothing is. */
    RdfTerms.Fault iriFault(byte[] iri, int offset, int length) {
        RdfTerms.Fault fault = startFault(iri, offset, length);
        return fault != null || this == ANY ? fault : RdfTerms.characterFault(iri, offset, length);
    }

    /** What is wrong with the start of an IRI, whose characters are right; null when nothing is. */
    public RdfTerms.Fault startFault(byte[] iri, int offset, int length) {
        return this == ANY ? null : RdfTerms.startFault(iri, offset, length, this == RELATIVE_IRIS);
    }

    /** What is wrong with the datatype of a literal without a language tag; null when nothing is. */
    RdfTerms.Fault datatypeFault(byte[] iri, int offset, int length) {
        RdfTerms.Fault fault = iriFault(iri, offset, length);
        return fault != null || this == ANY ? fault : RdfTerms.datatypeFault(iri, offset, length);
    }

    /** What is wrong with a language tag; null when nothing is. */
    RdfTerms.Fault languageTagFault(byte[] tag, int offset, int length) {
        return this == ANY ? null : RdfTerms.languageTagFault(tag, offset, length);
    }
}

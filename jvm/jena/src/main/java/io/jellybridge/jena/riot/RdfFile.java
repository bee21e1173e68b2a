package io.jellybridge.jena.riot;

import io.jellybridge.codec.Look;
import io.jellybridge.codec.RdfTerms;
import io.jellybridge.files.BadStatements;
import io.jellybridge.files.Compression;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.LongConsumer;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;
import org.apache.jena.sys.JenaSystem;

/**
 * An RDF file: where it is, and how it is read.
 *
 * @param path           a path or a URI
 * @param name           what errors call it: of a temporary copy, what it is a copy of
 * @param base           from where relative IRIs go; null: from the file itself, unless that is a copy, or {@code ofPlace} is null
 * @param syntax         a suffix, a name or a media type of an RDF syntax; null: that of the path's suffix
 * @param remoteContexts whether JSON-LD may load the contexts that it names, from the network and from files
 * @param bad            where statements go that can't be read; null: the first is an error
 * @param ofPlace        hears how many statements may have IRIs that came from the place of the file itself; null: no
 *                       relative IRI goes from there
 */
public record RdfFile(
        String path, String name, String base, String syntax, boolean remoteContexts, BadStatements bad,
        LongConsumer ofPlace) {

    /** A file whose relative IRIs may go from its own place. */
    public RdfFile(
            String path, String name, String base, String syntax, boolean remoteContexts, BadStatements bad) {
        this(path, name, base, syntax, remoteContexts, bad, count -> { });
    }

    static {
        JenaSystem.init(); // else languages that modules bring are not known yet
    }

    /** A file whose statements must all be readable. */
    public RdfFile(String path, String name, String base, String syntax, boolean remoteContexts) {
        this(path, name, base, syntax, remoteContexts, null);
    }

    /** A file that goes by its own name. */
    public static RdfFile of(String path) {
        return new RdfFile(path, path, null, null, false);
    }

    /** How it is compressed, by its suffix. */
    public Compression compression() {
        return Compression.ofFile(path);
    }

    public boolean isRemote() {
        String lower = path.toLowerCase(Locale.ROOT);
        return lower.startsWith("http:") || lower.startsWith("https:");
    }

    public Path file() {
        return path.startsWith("file:") ? Path.of(URI.create(path)) : Path.of(path);
    }

    /** Null where nothing says it. */
    public String baseIri() {
        return base == null && ofPlace != null && path.equals(name) ? uri() : base;
    }

    /** Whether relative IRIs go from where the file is on this machine, and so are others elsewhere. */
    boolean goesFromItsPlace() {
        String from = baseIri();
        boolean isHere = from != null && ofPlace != null && from.startsWith("file:");
        return isHere && (base == null || base.equals(name) || base.equals(Path.of(name).toUri().toString()));
    }

    /** Also of a file that is on no disk here. */
    private String uri() {
        return path.contains("://") && !path.startsWith("file:") ? path : file().toUri().toString();
    }

    /** Null where the syntax is unknown. */
    public Lang lang() {
        return syntax == null ? ofSuffix(path) : named(syntax);
    }

    /** The syntax of a file by its suffix, before that of its compression; null where it is of none. */
    public static Lang ofSuffix(String file) {
        String plain = Compression.ofFile(file).strip(file);
        // By the suffix alone: Jena takes a '#' in a name for the beginning of a fragment.
        int dot = plain.lastIndexOf('.');
        return dot <= plain.lastIndexOf('/') ? null : RDFLanguages.fileExtToLang(plain.substring(dot + 1));
    }

    /** The syntax of a suffix without its dot, a name or a media type; null where it is of none. */
    public static Lang named(String syntax) {
        Lang named = RDFLanguages.fileExtToLang(syntax);
        named = named != null ? named : RDFLanguages.nameToLang(syntax);
        return named != null ? named : RDFLanguages.contentTypeToLang(syntax.toLowerCase(Locale.ROOT));
    }

    /** Whether {@link #named} knows it. */
    public static boolean isSyntax(String syntax) {
        return named(syntax) != null;
    }

    /** Whether it is in a syntax that is read. */
    public boolean isReadable() {
        Lang lang = lang();
        return lang != null && RDFLanguages.hasRegisteredParser(lang);
    }

    /** Whether it is N-Quads, or N-Triples. */
    public boolean isNQuads() {
        Lang lang = lang();
        return Lang.NQUADS.equals(lang) || Lang.NTRIPLES.equals(lang);
    }

    /** Whether it is Jelly-RDF. */
    public boolean isJelly() {
        return JellyRdfLang.JELLY.equals(lang());
    }

    /** The text, where it is an absolute IRI, as a base has to be; else null. */
    public static String absoluteIri(String text) {
        byte[] iri = text.getBytes(StandardCharsets.UTF_8);
        return RdfTerms.iriFault(iri, 0, iri.length) == null ? text : null;
    }

    public IllegalArgumentException unknownSyntax() {
        Look look = Look.ofSuffix(name);
        if (look != null) {
            return new IllegalArgumentException(name + ": the suffix is of " + look + ", which is not read; " + look.advice());
        }
        String what = syntax == null ? "the suffix" : "'" + syntax + "'";
        return new IllegalArgumentException(name + ": " + what + " is of no RDF syntax; use .nq, .nt, .trig, .ttl, .rdf, "
                + ".jsonld, .jelly or another that Jena knows, with .gz, .zst or, to read, .bz2 after it or not");
    }
}

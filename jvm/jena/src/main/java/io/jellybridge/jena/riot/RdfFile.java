package io.jellybridge.jena.riot;

import io.jellybridge.codec.RdfTerms;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.SniffedFormat;
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
 * An RDF file with the options for reading it.
 *
 * @param path           a path or a URI
 * @param name           the name in errors; a temporary copy has the name of its original
 * @param base           the base of relative IRIs; null to use the file itself, unless it is a copy or {@code relative} is null
 * @param syntax         a suffix, a name or a media type of an RDF syntax; null to use the suffix of the path
 * @param remoteContexts true if JSON-LD may load the contexts that it names, from the network and from files
 * @param bad            receives unreadable statements; null if the first is an error
 * @param relative       receives the number of statements that may have IRIs relative to the file's location; null if the
 *                       location is not a base
 * @param limits         the limits of N-Quads, N-Triples and Jelly
 * @param graph          the IRI of the graph whose triples the file holds, or {@link #DEFAULT_GRAPH}; null for all graphs
 */
public record RdfFile(
        String path, String name, String base, String syntax, boolean remoteContexts, BadStatements bad,
        LongConsumer relative, ReadOptions limits, String graph) {
    /** The name of the default graph in place of an IRI. */
    public static final String DEFAULT_GRAPH = "default";

    /** Creates a file whose location may be the base of relative IRIs. */
    public RdfFile(
            String path, String name, String base, String syntax, boolean remoteContexts, BadStatements bad) {
        this(path, name, base, syntax, remoteContexts, bad, count -> { }, ReadOptions.DEFAULT, null);
    }

    static {
        JenaSystem.init(); // otherwise the languages of modules are unknown
    }

    /** Creates a file in which an unreadable statement is an error. */
    public RdfFile(String path, String name, String base, String syntax, boolean remoteContexts) {
        this(path, name, base, syntax, remoteContexts, null);
    }

    /** Creates a file under its own name. */
    public static RdfFile of(String path) {
        return new RdfFile(path, path, null, null, false);
    }

    /** Returns the same file with the triples of one graph. */
    public RdfFile ofGraph(String iri) {
        return new RdfFile(path, name, base, syntax, remoteContexts, bad, relative, limits, iri);
    }

    /** Returns the compression that the suffix tells. */
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

    /** Returns the base of relative IRIs, or null if there is none. */
    public String baseIri() {
        return base == null && relative != null && path.equals(name) ? uri() : base;
    }

    /**
     * Returns true if the base of relative IRIs is the file's location on this machine, so that they would differ elsewhere.
     */
    boolean hasLocalBase() {
        String from = baseIri();
        boolean isHere = from != null && relative != null && from.startsWith("file:");
        return isHere && (base == null || base.equals(name) || base.equals(Path.of(name).toUri().toString()));
    }

    /** Returns the URI of the file, which need not be on a local disk. */
    private String uri() {
        return path.contains("://") && !path.startsWith("file:") ? path : file().toUri().toString();
    }

    /** Returns the syntax, or null if it is unknown. */
    public Lang lang() {
        return syntax == null ? ofSuffix(path) : langNamed(syntax);
    }

    /** Returns the syntax of a file by its suffix, before that of its compression; null if it has none. */
    public static Lang ofSuffix(String file) {
        String plain = Compression.ofFile(file).strip(file);
        // By the suffix alone, since Jena takes a '#' in a name for the start of a fragment.
        int dot = plain.lastIndexOf('.');
        return dot <= plain.lastIndexOf('/') ? null : RDFLanguages.fileExtToLang(plain.substring(dot + 1));
    }

    /** Returns the syntax for a suffix without its dot, a name or a media type; null if there is none. */
    public static Lang langNamed(String syntax) {
        Lang named = RDFLanguages.fileExtToLang(syntax);
        named = named != null ? named : RDFLanguages.nameToLang(syntax);
        return named != null ? named : RDFLanguages.contentTypeToLang(syntax.toLowerCase(Locale.ROOT));
    }

    /** Checks whether {@link #langNamed} knows the syntax. */
    public static boolean isSyntax(String syntax) {
        return langNamed(syntax) != null;
    }

    /** Checks whether the file can be read. */
    public boolean isReadable() {
        Lang lang = lang();
        return lang != null && RDFLanguages.hasRegisteredParser(lang);
    }

    /** Checks whether the file is N-Quads or N-Triples. */
    public boolean isNQuads() {
        Lang lang = lang();
        return Lang.NQUADS.equals(lang) || Lang.NTRIPLES.equals(lang);
    }

    /** Checks whether the file is Jelly-RDF. */
    public boolean isJelly() {
        return JellyRdfLang.JELLY.equals(lang());
    }

    /** Returns the text if it is an absolute IRI, as a base must be; otherwise null. */
    public static String absoluteIri(String text) {
        byte[] iri = text.getBytes(StandardCharsets.UTF_8);
        return RdfTerms.iriFault(iri, 0, iri.length) == null ? text : null;
    }

    public IllegalArgumentException unknownSyntaxError() {
        SniffedFormat sniffed = SniffedFormat.ofSuffix(name);
        if (sniffed != null) {
            return new IllegalArgumentException(
                    name + ": the suffix is of " + sniffed + ", which is not read; " + sniffed.advice());
        }
        String what = syntax == null ? "the suffix" : "'" + syntax + "'";
        return new IllegalArgumentException(name + ": " + what + " is of no RDF syntax; use .nq, .nt, .trig, .ttl, .rdf, "
                + ".jsonld, .jelly or another that Jena knows, with .gz, .zst or, to read, .bz2 after it or not");
    }
}

package io.jellybridge.jena.riot;

import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFLanguages;

/**
 * An RDF file: where it is, and in which syntax.
 *
 * @param path   a path or a URI
 * @param name   what errors call it: of a temporary copy, what it is a copy of
 * @param base   from where relative IRIs go; null: from the file itself, but of a copy from nowhere that is known
 * @param syntax a suffix or a name of an RDF syntax; null: that of the path's suffix
 */
public record RdfFile(String path, String name, String base, String syntax) {
    private static final String GZIP = ".gz";

    /** A file that goes by its own name. */
    public static RdfFile of(String path) {
        return new RdfFile(path, path, null, null);
    }

    public boolean isGzip() {
        return path.endsWith(GZIP);
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
        return base == null && path.equals(name) ? file().toUri().toString() : base;
    }

    /** Null where the syntax is unknown. */
    public Lang lang() {
        if (syntax != null) {
            Lang named = RDFLanguages.fileExtToLang(syntax);
            return named != null ? named : RDFLanguages.nameToLang(syntax);
        }
        String plain = isGzip() ? path.substring(0, path.length() - GZIP.length()) : path;
        // By the suffix alone: Jena takes a '#' in a name for the beginning of a fragment.
        int dot = plain.lastIndexOf('.');
        return dot <= plain.lastIndexOf('/') ? null : RDFLanguages.fileExtToLang(plain.substring(dot + 1));
    }

    public IllegalArgumentException unknownSyntax() {
        String what = syntax == null ? "the suffix" : "'" + syntax + "'";
        return new IllegalArgumentException(name + ": " + what + " is of no RDF syntax; use .nq, .nt, .trig, .ttl, .rdf, "
                + ".jsonld, .jelly or another that Jena knows, with .gz after it or not");
    }
}

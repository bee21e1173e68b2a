package io.jellybridge.convert;

import io.jellybridge.jena.nodes.DatasetTerms;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes terms for people, in the syntax of Turtle with prefixed names. A prefix has one namespace and a namespace one prefix,
 * so a text means one term. Prefixes of the caller come first, then those of the files, then well-known ones. Not thread-safe.
 */
public final class PrefixedTerms {
    static final String RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    static final String RDFS = "http://www.w3.org/2000/01/rdf-schema#";
    static final String SKOS = "http://www.w3.org/2004/02/skos/core#";
    private static final String XSD = "http://www.w3.org/2001/XMLSchema#";

    /** Well-known namespaces and their prefixes. */
    private static final Map<String, String> KNOWN = new LinkedHashMap<>();

    static {
        String[] table = {
            "rdf", RDF, "rdfs", RDFS, "xsd", XSD, "owl", "http://www.w3.org/2002/07/owl#", "skos", SKOS,
            "skosxl", "http://www.w3.org/2008/05/skos-xl#", "sh", "http://www.w3.org/ns/shacl#",
            "dcterms", "http://purl.org/dc/terms/", "dc", "http://purl.org/dc/elements/1.1/",
            "dcat", "http://www.w3.org/ns/dcat#", "prov", "http://www.w3.org/ns/prov#", "foaf", "http://xmlns.com/foaf/0.1/",
            "vann", "http://purl.org/vocab/vann/", "vs", "http://www.w3.org/2003/06/sw-vocab-status/ns#",
            "void", "http://rdfs.org/ns/void#", "vcard", "http://www.w3.org/2006/vcard/ns#",
            "org", "http://www.w3.org/ns/org#", "time", "http://www.w3.org/2006/time#", "qb", "http://purl.org/linked-data/cube#",
            "geo", "http://www.opengis.net/ont/geosparql#", "wgs84", "http://www.w3.org/2003/01/geo/wgs84_pos#",
            "sosa", "http://www.w3.org/ns/sosa/", "ssn", "http://www.w3.org/ns/ssn/", "oa", "http://www.w3.org/ns/oa#",
            "odrl", "http://www.w3.org/ns/odrl/2/", "schema", "https://schema.org/", "schema", "http://schema.org/",
            "obo", "http://purl.obolibrary.org/obo/", "oboInOwl", "http://www.geneontology.org/formats/oboInOwl#",
            "cc", "http://creativecommons.org/ns#", "adms", "http://www.w3.org/ns/adms#", "bibo", "http://purl.org/ontology/bibo/",
            "doap", "http://usefulinc.com/ns/doap#", "qudt", "http://qudt.org/schema/qudt/",
            "wd", "http://www.wikidata.org/entity/", "wdt", "http://www.wikidata.org/prop/direct/",
        };
        for (int i = 0; i < table.length; i += 2) {
            KNOWN.put(table[i + 1], table[i]);
        }
    }

    private static final Pattern BARE = Pattern.compile("\"([+-]?[0-9]+)\"\\^\\^<" + Pattern.quote(XSD) + "integer>"
            + "|\"([+-]?[0-9]*\\.[0-9]+)\"\\^\\^<" + Pattern.quote(XSD) + "decimal>"
            + "|\"(true|false)\"\\^\\^<" + Pattern.quote(XSD) + "boolean>");

    /** The prefixes by their namespaces, the longest namespace first. */
    private final SortedMap<String, String> byNamespace = new TreeMap<>(
            Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder()));
    private final Set<String> taken = new TreeSet<>();
    /** All namespaces by their prefixes, also where one has several, as readers may write any of them. */
    private final Map<String, String> namespaces = new HashMap<>();
    private final SortedMap<String, String> used = new TreeMap<>();
    private final Map<String, String> shown = new HashMap<>();

    /**
     * Creates a writer of terms.
     *
     * @param given   namespaces of the caller, by their prefixes
     * @param ofFiles namespaces of the files, likewise
     */
    public PrefixedTerms(Map<String, String> given, Map<String, String> ofFiles) {
        given.forEach(this::addPrefix);
        ofFiles.forEach(this::addPrefix);
    }

    private void addPrefix(String prefix, String namespace) {
        namespaces.putIfAbsent(prefix, namespace);
        if (DatasetTerms.isTurtlePrefix(prefix) && !namespace.isEmpty() && !byNamespace.containsKey(namespace) && taken.add(prefix)) {
            byNamespace.put(namespace, prefix);
        }
    }

    /** Returns the IRI of a prefixed name or of an IRI with or without angle brackets; null if its prefix is unknown. */
    public String expandIri(String name) {
        if (name.startsWith("<") && name.endsWith(">")) {
            return name.substring(1, name.length() - 1);
        }
        int colon = name.indexOf(':');
        if (name.equals("a")) {
            return RDF + "type";
        }
        if (colon < 0) {
            return null;
        }
        String prefix = name.substring(0, colon);
        String local = name.substring(colon + 1);
        if (namespaces.containsKey(prefix)) {
            return namespaces.get(prefix) + local;
        }
        for (Map.Entry<String, String> each : KNOWN.entrySet()) {
            if (each.getValue().equals(prefix)) {
                return each.getKey() + local;
            }
        }
        return name.startsWith("//", colon + 1) || prefix.equals("urn") ? name : null;
    }

    /** Returns the namespaces of the prefixes that were written and are not well-known, by prefix. */
    SortedMap<String, String> legend() {
        SortedMap<String, String> legend = new TreeMap<>(used);
        legend.entrySet().removeIf(each ->
                each.getKey().equals(KNOWN.get(each.getValue())) && !each.getKey().equals("schema"));
        return legend;
    }

    /** Returns the namespaces of all prefixes that were written, by prefix. */
    SortedMap<String, String> used() {
        return used;
    }

    /** Returns true if the name of an IRI says what it is, as in a well-known vocabulary. */
    boolean isWellKnown(String iri) {
        return KNOWN.keySet().stream().anyMatch(namespace -> iri.startsWith(namespace, 1) && !namespace.endsWith("/obo/"));
    }

    /** Returns a term, given in canonical N-Triples, in Turtle. */
    public String show(String term) {
        char first = term.charAt(0);
        if (first == '"') {
            return toLiteral(term);
        }
        if (first == '_') {
            return toVisible(term);
        }
        return term.startsWith("<<(") ? toTriple(term) : shown.computeIfAbsent(term, this::toPrefixed);
    }

    /** Returns a predicate in Turtle. */
    public String toPredicate(String term) {
        return term.equals("<" + RDF + "type>") ? "a" : show(term);
    }

    private String toPrefixed(String term) {
        String iri = term.substring(1, term.length() - 1);
        for (Map.Entry<String, String> each : byNamespace.entrySet()) {
            if (iri.startsWith(each.getKey()) && isLocalName(iri, each.getKey().length())) {
                return nameOrIri(each.getValue(), each.getKey(), iri);
            }
        }
        for (int end = iri.length(); end > 0; end = Math.max(iri.lastIndexOf('#', end - 2), iri.lastIndexOf('/', end - 2)) + 1) {
            String namespace = iri.substring(0, end);
            String prefix = KNOWN.get(namespace);
            if (prefix != null && isLocalName(iri, end) && !taken.contains(prefix)) {
                addPrefix(prefix, namespace);
                return nameOrIri(prefix, namespace, iri);
            }
        }
        return toVisible(term);
    }

    private String nameOrIri(String prefix, String namespace, String iri) {
        used.put(prefix, namespace);
        return prefix + ":" + iri.substring(namespace.length());
    }

    private static boolean isLocalName(String iri, int start) {
        for (int i = start; i < iri.length(); i++) {
            char c = iri.charAt(i);
            boolean isWord = Character.isLetterOrDigit(c) || c == '_';
            boolean isInner = i > start && (c == '-' || c == '.' && i + 1 < iri.length());
            if (!isWord && !isInner) {
                return false;
            }
        }
        return true;
    }

    private String toLiteral(String term) {
        Matcher bare = BARE.matcher(term);
        if (bare.matches()) {
            return bare.group(1) != null ? bare.group(1) : bare.group(2) != null ? bare.group(2) : bare.group(3);
        }
        int end = endOfString(term, 0);
        String quoted = term.substring(0, end);
        if (quoted.contains("\\\"") && quoted.indexOf('\'') < 0) {
            quoted = "'" + quoted.substring(1, end - 1).replace("\\\"", "\"") + "'";
        }
        String suffix = term.substring(end);
        return toVisible(quoted) + (suffix.startsWith("^^") ? "^^" + show(suffix.substring(2)) : suffix);
    }

    private String toTriple(String term) {
        StringBuilder shown = new StringBuilder("<<(");
        int at = "<<( ".length();
        for (int position = 0; position < 3; position++) {
            int end = endOfTerm(term, at);
            String part = term.substring(at, end);
            shown.append(' ').append(position == 1 ? toPredicate(part) : show(part));
            at = end + 1;
        }
        return shown.append(" )>>").toString();
    }

    private static int endOfString(String term, int start) {
        int at = start + 1;
        while (term.charAt(at) != '"') {
            at += term.charAt(at) == '\\' ? 2 : 1;
        }
        return at + 1;
    }

    /** Returns the end of the term that starts at a place in a triple term. */
    private static int endOfTerm(String term, int start) {
        if (term.startsWith("<<(", start)) {
            int at = start + "<<( ".length();
            for (int position = 0; position < 3; position++) {
                at = endOfTerm(term, at) + 1;
            }
            return at + ")>>".length();
        }
        return term.indexOf(' ', term.charAt(start) == '"' ? endOfString(term, start) : start);
    }

    /** Escapes what a terminal would obey or not show: control characters, and those that change the direction of text. */
    static String toVisible(String text) {
        StringBuilder visible = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isHidden = Character.isISOControl(c) || Character.getType(c) == Character.FORMAT && c != '\u200d' && c != '\u200c';
            if (isHidden && visible == null) {
                visible = new StringBuilder(text.substring(0, i));
            }
            if (visible != null) {
                visible.append(isHidden ? String.format("\\u%04X", (int) c) : String.valueOf(c));
            }
        }
        return visible == null ? text : visible.toString();
    }
}

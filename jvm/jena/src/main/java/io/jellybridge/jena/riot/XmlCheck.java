package io.jellybridge.jena.riot;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Io;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import javax.xml.XMLConstants;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.jena.irix.IRIException;
import org.apache.jena.irix.IRIx;
import org.apache.jena.util.JenaXMLInput;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.DefaultHandler2;

/**
 * Rejects XML that is not well-formed, and constructs that Jena's parsers misread: the attributes of RDF/XML 1.2, from which
 * they create false statements or none, and entities whose text they do not have and leave out. It serves one document.
 */
final class XmlCheck extends DefaultHandler2 {
    private static final String RDF_SYNTAX = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    private static final String ITS = "http://www.w3.org/2005/11/its";
    private static final Set<String> RDF_1_2 = Set.of("annotation", "annotationNodeID", "version");
    private static final Set<String> ITS_1_2 = Set.of("dir", "version");
    private static final Set<String> OF_XML = Set.of("amp", "lt", "gt", "apos", "quot");
    private static final int MAX_NAME = 256;
    /**
     * The length limit of a base or of a namespace, in characters. Each IRI repeats it, so a small document could become very
     * large.
     */
    private static final int LONGEST_BASE = 1 << 15;
    private static final String CORRECT_IT = "correct it there, or get the file again";
    private static final String WRITE_IT_OUT = "write out what it stands for";

    private final RiotReader.ErrorMaker errors;
    private final Consumer<FormatException> warnings;
    private final Set<String> declared = new HashSet<>(OF_XML);
    private final Deque<String> bases = new ArrayDeque<>();
    private final Map<String, String> datatypes = new HashMap<>();
    private Locator locator;
    private boolean hasRoot;
    private String externalDtd;

    /**
     * Creates a check.
     *
     * @param base     the base of relative IRIs; null for none
     * @param errors   creates errors with a position
     * @param warnings receives faults that are no errors
     */
    XmlCheck(String base, RiotReader.ErrorMaker errors, Consumer<FormatException> warnings) {
        this.errors = errors;
        this.warnings = warnings;
        bases.push(base == null ? "" : base);
    }

    /** Returns the absolute IRI for each relative IRI of an {@code rdf:datatype}, which Jena's parser does not resolve. */
    Map<String, String> datatypes() {
        return datatypes;
    }

    /**
     * Reads the document to its end, once or, if it has an external DTD, twice.
     *
     * @throws FormatException it is not well-formed, or has a construct that Jena's parser would ignore
     */
    void run(Io.Supplier<InputStream> content) throws IOException {
        try {
            XMLReader reader = JenaXMLInput.createXMLReader();
            reader.setFeature("http://xml.org/sax/features/namespaces", true);
            reader.setContentHandler(this);
            reader.setErrorHandler(this);
            reader.setProperty("http://xml.org/sax/properties/lexical-handler", this);
            reader.setProperty("http://xml.org/sax/properties/declaration-handler", this);
            reader.parse(new InputSource(content.get()));
        } catch (SAXParseException e) {
            throw errors.newError(e.getMessage(), CORRECT_IT, e.getLineNumber(), e.getColumnNumber());
        } catch (SAXException | ParserConfigurationException e) {
            throw errors.newError(e.getMessage(), CORRECT_IT, 0, 0);
        }
        if (externalDtd != null) {
            checkNames(content.get());
        }
    }

    /**
     * Rejects an entity that only the external DTD may declare. The XML parser silently drops it in an attribute, so its name
     * is searched for in the text. All encodings of XML write it in ASCII, except for zero bytes.
     */
    private void checkNames(InputStream text) throws IOException {
        byte[] buffer = new byte[1 << 16];
        StringBuilder name = null;
        long line = 1;
        for (int count = text.read(buffer); count >= 0; count = text.read(buffer)) {
            for (int i = 0; i < count; i++) {
                char c = (char) (buffer[i] & 0xFF);
                line += c == '\n' ? 1 : 0;
                if (c == '&') {
                    name = new StringBuilder();
                } else if (name != null && c == ';') {
                    String found = name.toString();
                    if (!found.isEmpty() && found.charAt(0) != '#' && !declared.contains(found)) {
                        throw unreadError("the entity '" + found + "' of the external DTD " + externalDtd, line, 0);
                    }
                    name = null;
                } else if (name != null && c != 0) {
                    boolean isName = name.length() < MAX_NAME
                            && (c >= 0x80 || Character.isLetterOrDigit(c) || "#_:.-".indexOf(c) >= 0);
                    name = isName ? name.append(c) : null;
                }
            }
        }
    }

    private FormatException unreadError(String entity, long line, long column) {
        return errors.newError(entity + ", which is not read", WRITE_IT_OUT, line, column);
    }

    private FormatException errorHere(String found, String advice) {
        return errors.newError(found, advice, locator.getLineNumber(), locator.getColumnNumber());
    }

    @Override
    public void setDocumentLocator(Locator of) {
        locator = of;
    }

    @Override
    public void startDTD(String name, String publicId, String systemId) {
        externalDtd = systemId;
        if (systemId != null) {
            warnOfUnread("the external DTD " + systemId);
        }
    }

    @Override
    public void externalEntityDecl(String name, String publicId, String systemId) {
        if (name.startsWith("%")) {
            warnOfUnread("the external entity '" + name + "'");
        }
    }

    /** Warns about the other declarations of an external DTD, such as default attributes, which are not read. */
    private void warnOfUnread(String what) {
        warnings.accept(errorHere(what + ", which is not read", "take it out, if nothing of it is needed"));
    }

    @Override
    public void internalEntityDecl(String name, String value) {
        declared.add(name);
    }

    @Override
    public void skippedEntity(String name) {
        if (!name.equals("[dtd]")) {
            throw unreadError("the external entity '" + name + "'", locator.getLineNumber(), locator.getColumnNumber());
        }
    }

    @Override
    public void startElement(String namespace, String local, String qualified, Attributes attributes) {
        boolean isRoot = !hasRoot && namespace.equals(RDF_SYNTAX) && local.equals("RDF");
        hasRoot = true;
        String base = attributes.getValue(XMLConstants.XML_NS_URI, "base");
        if (base != null) {
            checkLength("an xml:base", base);
        }
        bases.push(base == null ? bases.peek() : resolve(base));
        for (int i = 0; i < attributes.getLength(); i++) {
            String name = attributes.getLocalName(i);
            boolean isNew = switch (attributes.getURI(i)) {
                case ITS -> ITS_1_2.contains(name);
                case RDF_SYNTAX -> RDF_1_2.contains(name) || name.equals("parseType") && attributes.getValue(i).equals("Triple");
                default -> false;
            };
            boolean isPassedOver = isRoot && name.equals("version"); // it has no meaning of its own
            if (isNew && !isPassedOver) {
                throw errorHere(attributes.getQName(i) + "=\"" + attributes.getValue(i)
                        + "\", which is of RDF/XML 1.2, and Jena reads RDF/XML 1.1", "write the document as Turtle or N-Quads");
            }
        }
        String datatype = attributes.getValue(RDF_SYNTAX, "datatype");
        if (datatype != null && RdfFile.absoluteIri(datatype) == null) {
            noteDatatype(datatype, resolve(datatype));
        }
    }

    @Override
    public void startPrefixMapping(String prefix, String namespace) {
        checkLength("a namespace", namespace);
    }

    private void checkLength(String what, String iri) {
        if (iri.length() > LONGEST_BASE) {
            throw errorHere(what + " of " + iri.length() + " characters, above the limit of " + LONGEST_BASE, "write a shorter one");
        }
    }

    @Override
    public void endElement(String namespace, String local, String qualified) {
        bases.pop();
    }

    private void noteDatatype(String relative, String absolute) {
        String other = datatypes.put(relative, absolute);
        if (other != null && !other.equals(absolute)) {
            throw errorHere("rdf:datatype=\"" + relative + "\", which is <" + absolute + "> here and <" + other + "> before",
                    "write the datatype as an absolute IRI");
        }
    }

    /** Resolves an IRI. An IRI that can't be resolved is unchanged, and rejected later. */
    private String resolve(String iri) {
        try {
            return bases.peek().isEmpty() ? iri : IRIx.create(bases.peek()).resolve(iri).str();
        } catch (IRIException e) {
            return iri;
        }
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
        throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
        throw e;
    }
}

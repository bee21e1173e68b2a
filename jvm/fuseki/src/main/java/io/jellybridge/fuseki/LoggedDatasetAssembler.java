package io.jellybridge.fuseki;

import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.jena.assembler.Assembler;
import org.apache.jena.assembler.exceptions.AssemblerException;
import org.apache.jena.rdf.model.Property;
import org.apache.jena.rdf.model.RDFNode;
import org.apache.jena.rdf.model.Resource;
import org.apache.jena.rdf.model.ResourceFactory;
import org.apache.jena.rdf.model.Statement;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.assembler.AssemblerUtils;
import org.apache.jena.sparql.core.assembler.DatasetAssembler;
import org.apache.jena.sparql.core.assembler.DatasetAssemblerVocab;
import org.apache.jena.sys.JenaSubsystemLifecycle;

/**
 * An assembler of a {@link LoggedDataset}, for configurations of Fuseki. Jena finds it as a service.
 *
 * <pre>
 * PREFIX jb: &lt;urn:jellybridge:&gt;
 * :logged a jb:LoggedDataset ; ja:dataset :database ; jb:log "/var/lib/logs/ds" ; jb:maxSeconds 1 .
 * </pre>
 */
public final class LoggedDatasetAssembler extends DatasetAssembler implements JenaSubsystemLifecycle {
    private static final String NAMESPACE = "urn:jellybridge:";
    private static final Resource TYPE = ResourceFactory.createResource(NAMESPACE + "LoggedDataset");
    private static final Property LOG = ResourceFactory.createProperty(NAMESPACE + "log");

    /** Called by Jena. */
    public LoggedDatasetAssembler() {
    }

    @Override
    public void start() {
        AssemblerUtils.registerDataset(TYPE, this);
    }

    @Override
    public void stop() {
        // an assembler has nothing open
    }

    /** Comes after Jena's own systems. */
    @Override
    public int level() {
        return 600;
    }

    @Override
    public DatasetGraph createDataset(Assembler assembler, Resource root) {
        DatasetGraph base = createBaseDataset(root, DatasetAssemblerVocab.pDataset);
        Map<String, String> options = new TreeMap<>();
        for (Statement said : root.listProperties().toList()) {
            String name = said.getPredicate().getURI();
            if (name.startsWith(NAMESPACE) && !said.getPredicate().equals(LOG)) {
                options.put(name.substring(NAMESPACE.length()), readText(said.getObject()));
            }
        }
        try {
            return LoggedDataset.open(base, readFolder(root), LoggedOptions.of(options));
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            throw refusalError(root, e.getMessage(), e);
        }
    }

    private static Path readFolder(Resource root) {
        List<Statement> logs = root.listProperties(LOG).toList();
        if (logs.size() != 1) {
            throw refusalError(root, "it needs one jb:log, the folder of its log", null);
        }
        String text = readText(logs.get(0).getObject());
        return text.startsWith("file:") ? Path.of(URI.create(text)) : Path.of(text);
    }

    private static String readText(RDFNode node) {
        return node.isLiteral() ? node.asLiteral().getLexicalForm() : node.toString();
    }

    private static AssemblerException refusalError(Resource root, String why, Throwable cause) {
        String message = "jellybridge: the jb:LoggedDataset " + root + " can't be recorded: " + why;
        return cause == null ? new AssemblerException(root, message) : new AssemblerException(root, message, cause);
    }
}

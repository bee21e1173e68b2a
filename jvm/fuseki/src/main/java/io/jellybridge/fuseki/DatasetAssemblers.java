package io.jellybridge.fuseki;

import io.jellybridge.codec.ExceptionMessages;
import io.jellybridge.fuseki.FollowingDatasets.FollowOptions;
import io.jellybridge.fuseki.LoggedDatasets.LoggedOptions;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.jena.assembler.Assembler;
import org.apache.jena.assembler.exceptions.AssemblerException;
import org.apache.jena.fuseki.server.FusekiVocab;
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
import org.apache.jena.vocabulary.RDF;

/**
 * Registers the assemblers of a {@link LoggedDataset} and a {@link FollowingDataset}, for configurations of Fuseki. Jena finds
 * it as a service.
 *
 * <pre>
 * PREFIX jb: &lt;urn:jellybridge:&gt;
 * :logged a jb:LoggedDataset ; ja:dataset :database ; jb:log "/var/lib/logs/ds" ; jb:maxSeconds 1 .
 * :replica a jb:FollowingDataset ; ja:dataset :database ; jb:log "http://primary:3030/$/patch-logs/ds" .
 * </pre>
 */
public final class DatasetAssemblers implements JenaSubsystemLifecycle {
    private static final String NAMESPACE = "urn:jellybridge:";
    private static final Property LOG = ResourceFactory.createProperty(NAMESPACE + "log");

    /** Called by Jena. */
    public DatasetAssemblers() {
    }

    @Override
    public void start() {
        register(LoggedDataset.class, (root, base, log, options) -> LoggedDataset.open(base, log, LoggedOptions.of(options),
                isFollowing(root, new HashSet<>())));
        register(FollowingDataset.class, (root, base, log, options) -> FollowingDataset.open(base, log, FollowOptions.of(options)));
    }

    private static void register(Class<? extends DatasetGraph> type, Opening opening) {
        AssemblerUtils.registerDataset(resourceOf(type), new OfLog(type.getSimpleName(), opening));
    }

    private static Resource resourceOf(Class<? extends DatasetGraph> type) {
        return ResourceFactory.createResource(NAMESPACE + type.getSimpleName());
    }

    /** Returns true if a dataset is described as one beneath a following dataset, or beneath a service that the property names. */
    private static boolean isFollowing(Resource root, Set<Resource> seen) {
        boolean isNamed = root.listProperties(FusekiVocab.pServiceName).toList().stream()
                .anyMatch(name -> FollowingDatasets.areNamed(OfLog.readText(name.getObject())));
        return isNamed || root.hasProperty(RDF.type, resourceOf(FollowingDataset.class))
                || seen.add(root) && root.getModel().listSubjectsWithProperty(null, root).toList().stream()
                        .anyMatch(above -> isFollowing(above, seen));
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

    /** Opens a dataset over another, with a log. */
    @FunctionalInterface
    private interface Opening {
        DatasetGraph open(Resource root, DatasetGraph base, String log, Map<String, String> options) throws IOException;
    }

    /** An assembler of a dataset with another beneath it and a log. All its other properties are options. */
    private static final class OfLog extends DatasetAssembler {
        private final String type;
        private final Opening opening;

        OfLog(String type, Opening opening) {
            this.type = type;
            this.opening = opening;
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
            List<Statement> logs = root.listProperties(LOG).toList();
            if (logs.size() != 1) {
                throw refusalError(root, "it needs one jb:log", null);
            }
            try {
                return opening.open(root, base, readText(logs.get(0).getObject()), options);
            } catch (IOException | IllegalArgumentException | IllegalStateException e) {
                throw refusalError(root, ExceptionMessages.toText(e), e);
            }
        }

        private static String readText(RDFNode node) {
            return node.isLiteral() ? node.asLiteral().getLexicalForm() : node.toString();
        }

        private AssemblerException refusalError(Resource root, String why, Throwable cause) {
            String message = "jellybridge: the jb:" + type + " " + root + " can't be opened: " + why;
            return cause == null ? new AssemblerException(root, message) : new AssemblerException(root, message, cause);
        }
    }
}

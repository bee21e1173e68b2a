package io.jellybridge.spark.functions;

import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog that holds our functions and nothing else, for sessions that were made before the jar came, as those of Spark
 * Connect: {@code SET spark.sql.catalog.jellybridge = io.jellybridge.spark.functions.JellyCatalog}, then
 * {@code SELECT jellybridge.from_jelly_patch(…)}.
 */
public final class JellyCatalog implements FunctionCatalog {
    private String name;

    @Override
    public void initialize(String catalogName, CaseInsensitiveStringMap options) {
        name = catalogName;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Identifier[] listFunctions(String[] namespace) {
        return namespace.length > 0 ? new Identifier[0] : JellyFunctions.all().stream()
                .map(function -> Identifier.of(namespace, function.name())).toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
        JellyFunction function = identifier.namespace().length > 0 ? null : JellyFunctions.named(identifier.name());
        if (function == null) {
            throw new NoSuchFunctionException(identifier);
        }
        return function;
    }
}

package io.jellybridge.spark.catalog;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.dataset.DatasetTable;
import io.jellybridge.spark.dataset.DatasetTable.AsOf;
import io.jellybridge.spark.dataset.LogChangelog;
import io.jellybridge.spark.functions.JellyFunctions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.analysis.NoSuchFunctionException;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.connector.catalog.Changelog;
import org.apache.spark.sql.connector.catalog.ChangelogContext;
import org.apache.spark.sql.connector.catalog.FunctionCatalog;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCatalog;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog of logs and of our functions. A session registers it under a name of its choice: {@code SET spark.sql.catalog.rdf =
 * io.jellybridge.spark.catalog.JellyCatalog}. A log's address in backquotes is then a table of quads, <code>rdf.`/data/log`
 * VERSION AS OF 17</code>. {@code rdf.from_jelly_patch(…)} is a function, even in a session that was created before the jar was
 * added, as with Spark Connect.
 *
 * <p>Settings below the catalog's name, such as {@code spark.sql.catalog.rdf.passwordFile}, are connection options of logs on
 * servers.
 */
public final class JellyCatalog implements TableCatalog, FunctionCatalog {
    private static final Set<String> OF_SERVERS = OptionTable.names(HttpOptions.OPTIONS);

    private String name;
    private final Map<String, String> server = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /**
     * @throws IllegalArgumentException an option is unknown
     */
    @Override
    public void initialize(String catalogName, CaseInsensitiveStringMap options) {
        name = catalogName;
        server.putAll(new OptionTable("the catalog " + catalogName, HttpOptions.OPTIONS, List.of()).values(options)
                .of(OF_SERVERS));
    }

    @Override
    public String name() {
        return name;
    }

    // --- logs

    /** Returns no tables, since logs are found by address. */
    @Override
    public Identifier[] listTables(String[] namespace) {
        return new Identifier[0];
    }

    @Override
    public Table loadTable(Identifier log) throws NoSuchTableException {
        return load(log, AsOf.head());
    }

    /**
     * @param version the number of a version, or the id of its patch
     */
    @Override
    public Table loadTable(Identifier log, String version) throws NoSuchTableException {
        return load(log, AsOf.version(version));
    }

    /** @param micros since 1970 */
    @Override
    public Table loadTable(Identifier log, long micros) throws NoSuchTableException {
        return load(log, AsOf.time(Instant.EPOCH.plus(micros, ChronoUnit.MICROS)));
    }

    private Table load(Identifier log, AsOf asOf) throws NoSuchTableException {
        if (log.namespace().length > 0) {
            throw new NoSuchTableException(log);
        }
        try {
            return DatasetTable.of(log.name(), serverOf(log), asOf);
        } catch (FileNotFoundException e) {
            throw new NoSuchTableException(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private Map<String, String> serverOf(Identifier log) {
        return PatchLogs.isRemote(log.name()) ? server : Map.of();
    }

    /**
     * Loads the changes between versions. Spark calls it from 4.2 on. Older versions lack the types, and never load this
     * method.
     */
    public Changelog loadChangelog(Identifier log, ChangelogContext context, CaseInsensitiveStringMap options)
            throws NoSuchTableException {
        if (log.namespace().length > 0) {
            throw new NoSuchTableException(log);
        }
        try {
            return LogChangelog.of(log.name(), serverOf(log), context);
        } catch (FileNotFoundException e) {
            throw new NoSuchTableException(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public Table alterTable(Identifier log, TableChange... changes) {
        throw new UnsupportedOperationException("a log is altered by appending to it: df.write.format(\"rdf-patch-log\")");
    }

    @Override
    public boolean dropTable(Identifier log) {
        throw new UnsupportedOperationException("a log is not dropped from here; remove " + log.name() + " where it is");
    }

    @Override
    public void renameTable(Identifier from, Identifier to) {
        throw new UnsupportedOperationException("a log is called by its address; move " + from.name() + " where it is");
    }

    // --- functions

    @Override
    public Identifier[] listFunctions(String[] namespace) {
        return namespace.length > 0 ? new Identifier[0] : JellyFunctions.names().stream()
                .map(function -> Identifier.of(namespace, function)).toArray(Identifier[]::new);
    }

    @Override
    public UnboundFunction loadFunction(Identifier identifier) throws NoSuchFunctionException {
        UnboundFunction function = identifier.namespace().length > 0 ? null : JellyFunctions.unbound(identifier.name());
        if (function == null) {
            throw new NoSuchFunctionException(identifier);
        }
        return function;
    }
}

package io.jellybridge.spark.catalog;

import io.jellybridge.http.HttpOptions;
import io.jellybridge.log.FolderStore;
import io.jellybridge.log.PatchLogs;
import io.jellybridge.log.StoreLog;
import io.jellybridge.options.OptionTable;
import io.jellybridge.spark.dataset.LogChangelog;
import io.jellybridge.spark.dataset.LogDataset;
import io.jellybridge.spark.dataset.LogDataset.AsOf;
import io.jellybridge.spark.dataset.LogDetail;
import io.jellybridge.spark.functions.JellyFunctions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
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
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A catalog of logs and of our functions. A session registers it under a name of its choice: {@code SET spark.sql.catalog.kg =
 * io.jellybridge.spark.catalog.JellyCatalog}. A log's address in backquotes is then a table of quads, <code>kg.`/data/log`
 * VERSION AS OF 17</code>. {@code kg.from_jelly_patch(…)} is a function, even in a session that was created before the jar was
 * added, as with Spark Connect.
 *
 * <p>Settings below the catalog's name, such as {@code spark.sql.catalog.kg.passwordFile}, are connection options of logs on
 * servers.
 */
public final class JellyCatalog implements TableCatalog, FunctionCatalog {
    private static final AsOf HEAD = AsOf.head();
    private static final Set<String> OF_SERVERS = OptionTable.names(HttpOptions.OPTIONS);

    private String name;
    private final Map<String, String> server = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /**
     * @throws IllegalArgumentException an option is unknown, or the name is that of a data source
     */
    @Override
    public void initialize(String catalogName, CaseInsensitiveStringMap options) {
        if (isDataSource(catalogName)) {
            throw new IllegalArgumentException("a catalog can't be called " + catalogName + ", as a data source is: Spark would read "
                    + "the files of a wrong path by that; register it under another name, such as spark.sql.catalog.kg");
        }
        name = catalogName;
        server.putAll(new OptionTable("the catalog " + catalogName, HttpOptions.OPTIONS, List.of()).parseValues(options)
                .of(OF_SERVERS));
    }

    private static boolean isDataSource(String name) {
        try {
            DataSource.lookupDataSource(name, SQLConf.get());
            return true;
        } catch (Exception e) { // Scala declares none: a ClassNotFoundException, or an AnalysisException for one that is not installed
            return false;
        }
    }

    @Override
    public String name() {
        return name;
    }

    // --- logs

    /**
     * Returns the logs in a folder, or the tables of a log: <code>SHOW TABLES IN kg.`/data`</code>. Without a folder there are none,
     * since logs are found by address.
     */
    @Override
    public Identifier[] listTables(String[] namespace) {
        if (namespace.length != 1) {
            return new Identifier[0];
        }
        if (isLog(namespace[0])) {
            return Arrays.stream(LogDetail.values()).map(detail -> Identifier.of(namespace, detail.tableName()))
                    .toArray(Identifier[]::new);
        }
        try (Stream<Path> entries = Files.list(PatchLogs.folderOf(namespace[0]))) {
            return entries.filter(entry -> isLog(entry.toString())).sorted()
                    .map(entry -> Identifier.of(namespace, entry.getFileName().toString())).toArray(Identifier[]::new);
        } catch (NotDirectoryException | NoSuchFileException | IllegalArgumentException e) {
            return new Identifier[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Returns whether an address is that of a log, and not of a folder with logs in it. Of other computers, every address is. */
    private static boolean isLog(String address) {
        try {
            return StoreLog.isLog(new FolderStore(PatchLogs.folderOf(address)));
        } catch (IllegalArgumentException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public Table loadTable(Identifier log) throws NoSuchTableException {
        return loadTable(log, HEAD);
    }

    /**
     * @param version the number of a version, or the id of its patch
     */
    @Override
    public Table loadTable(Identifier log, String version) throws NoSuchTableException {
        return loadTable(log, AsOf.versionOf(version));
    }

    /** @param micros since 1970 */
    @Override
    public Table loadTable(Identifier log, long micros) throws NoSuchTableException {
        return loadTable(log, AsOf.timeOf(Instant.EPOCH.plus(micros, ChronoUnit.MICROS)));
    }

    private Table loadTable(Identifier log, AsOf asOf) throws NoSuchTableException {
        String[] above = log.namespace();
        if (above.length > 1) {
            throw new NoSuchTableException(log);
        }
        try {
            if (above.length == 1 && isLog(above[0])) {
                LogDetail detail = LogDetail.byName(log.name());
                if (detail == null || asOf != HEAD) {
                    throw new NoSuchTableException(log);
                }
                return detail.tableOf(new LogDataset(above[0], serverOf(above[0])));
            }
            String address = addressOf(log);
            return new LogDataset(address, serverOf(address)).tableOf(asOf);
        } catch (FileNotFoundException e) {
            throw new NoSuchTableException(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    /** Returns the address of a log that is given by itself, or as a name in a folder. */
    private static String addressOf(Identifier log) {
        return log.namespace().length == 0 ? log.name() : log.namespace()[0] + "/" + log.name();
    }

    private Map<String, String> serverOf(String address) {
        return PatchLogs.isRemote(address) ? server : Map.of();
    }

    /**
     * Loads the changes between versions. Spark calls it from 4.2 on. Older versions lack the types, and never load this
     * method.
     */
    public Changelog loadChangelog(Identifier log, ChangelogContext context, CaseInsensitiveStringMap options)
            throws NoSuchTableException {
        if (log.namespace().length > 1 || log.namespace().length == 1 && isLog(log.namespace()[0])) {
            throw new NoSuchTableException(log);
        }
        try {
            return LogChangelog.of(addressOf(log), serverOf(addressOf(log)), context);
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
        UnboundFunction function = identifier.namespace().length > 0 ? null : JellyFunctions.unboundFunction(identifier.name());
        if (function == null) {
            throw new NoSuchFunctionException(identifier);
        }
        return function;
    }
}

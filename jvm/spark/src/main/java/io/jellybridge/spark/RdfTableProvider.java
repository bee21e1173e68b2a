package io.jellybridge.spark;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * A provider of tables for one kind of store with fixed columns. It serves reads and writes by format name, and {@code CREATE
 * TABLE … USING}. A table in a catalog can be described, altered and dropped even if its store is gone. The store is checked
 * only when the table is created, read or written.
 */
public abstract class RdfTableProvider implements TableProvider, DataSourceRegister {
    private static final String OPTION = "option.";
    private static final String LOCATION = "location";
    private static final String PATH = "path";

    private final String shortName;
    private final StructType columns;
    private final Set<TableCapability> capabilities;
    private boolean inferred;

    /**
     * @param shortName    the name of the format
     * @param columns      the columns of a table that is read
     * @param capabilities the capabilities of a table in a catalog
     */
    protected RdfTableProvider(String shortName, StructType columns, Set<TableCapability> capabilities) {
        this.shortName = shortName;
        this.columns = columns;
        this.capabilities = capabilities;
    }

    @Override
    public final String shortName() {
        return shortName;
    }

    /**
     * Creates a table. Options and columns are checked here, since {@code save()} and {@code start()} call it. A streaming
     * query reports later errors only to callers that wait for its end.
     *
     * @param schema the schema to write; the columns of the format for a read
     * @throws IllegalArgumentException an option or a column is missing, unknown or wrong
     */
    protected abstract Table tableOf(StructType schema, Map<String, String> options);

    /** Returns true, so that a write passes its own columns. */
    @Override
    public final boolean supportsExternalMetadata() {
        return true;
    }

    /**
     * @throws IllegalArgumentException a table in a catalog can't be read
     */
    @Override
    public final StructType inferSchema(CaseInsensitiveStringMap properties) {
        inferred = true;
        if (isOfCatalog(properties)) {
            tableOf(columns, readOptions(properties));
        }
        return columns;
    }

    /**
     * @throws IllegalArgumentException a table in a catalog is created with other columns
     */
    @Override
    public final Transform[] inferPartitioning(CaseInsensitiveStringMap properties) {
        if (isOfCatalog(properties) && !inferred) {
            throw new IllegalArgumentException("a table of " + shortName() + " has the columns "
                    + String.join(", ", columns.fieldNames()) + ", and the rows of its store: create it without columns and "
                    + "without AS SELECT, and write by INSERT or df.write.format(\"" + shortName() + "\")");
        }
        return new Transform[0];
    }

    @Override
    public final Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
        return isOfCatalog(properties) ? new OfCatalog(schema, readOptions(properties)) : tableOf(schema, properties);
    }

    /** Returns whether the properties are those of a table in a catalog, which also contain its definition. */
    private boolean isOfCatalog(Map<String, String> properties) {
        return properties.containsKey("provider") && properties.containsKey("owner");
    }

    /** Returns the options of a table in a catalog. A path that the user did not give is Spark's default folder for files. */
    private static Map<String, String> readOptions(Map<String, String> properties) {
        Map<String, String> options = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        properties.forEach((name, value) -> {
            if (name.startsWith(OPTION)) {
                options.put(name.substring(OPTION.length()), value);
            }
        });
        if (properties.containsKey(LOCATION)) {
            options.put(PATH, properties.get(LOCATION));
        }
        return options;
    }

    /** A table that can be read. */
    public abstract static class StoreTable implements SupportsRead {
        private final String name;
        private final StructType schema;
        private final Set<TableCapability> capabilities;

        /**
         * @param schema the columns to write, or those of the rows that are read
         */
        protected StoreTable(String name, StructType schema, Set<TableCapability> capabilities) {
            this.name = name;
            this.schema = schema;
            this.capabilities = capabilities;
        }

        @Override
        public final String name() {
            return name;
        }

        /** Returns the name in the progress of a streaming query. */
        @Override
        public final String toString() {
            return name;
        }

        /** Returns the columns. Deprecated in favour of {@code columns()}, but Spark 4.0 still calls it. */
        @Override
        @Deprecated
        public final StructType schema() {
            return schema;
        }

        @Override
        public final Set<TableCapability> capabilities() {
            return capabilities;
        }

        /** Returns a builder of a write. */
        protected static WriteBuilder builderOf(Supplier<Write> write) {
            return new WriteBuilder() {

                @Override
                public Write build() {
                    return write.get();
                }
            };
        }

        /** Returns the error for a read with a schema of its own. */
        protected final IllegalArgumentException ownColumnsError() {
            return new IllegalArgumentException(name + " has columns of its own; read it without a schema, and select");
        }
    }

    /** A table in a catalog, which opens its store for each read or write. */
    private final class OfCatalog extends StoreTable implements SupportsWrite {
        private final Map<String, String> options;
        private SupportsWrite written;
        private CaseInsensitiveStringMap given;

        OfCatalog(StructType schema, Map<String, String> options) {
            super(shortName, schema, RdfTableProvider.this.capabilities);
            this.options = options;
        }

        @Override
        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap more) {
            if (!Arrays.equals(schema().fieldNames(), columns.fieldNames())) {
                throw new IllegalArgumentException("the table has the columns " + String.join(", ", schema().fieldNames())
                        + " in the catalog, and " + shortName() + " has " + String.join(", ", columns.fieldNames())
                        + "; drop it, which leaves the store as it is, and create it without columns");
            }
            return ((SupportsRead) tableOf(columns, with(more))).newScanBuilder(more);
        }

        @Override
        public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
            CaseInsensitiveStringMap all = new CaseInsensitiveStringMap(with(info.options()));
            if (!all.equals(given)) { // the micro-batches of a query share a table
                written = (SupportsWrite) tableOf(info.schema(), all);
                given = all;
            }
            return written.newWriteBuilder(new LogicalWriteInfo() {

                @Override
                public CaseInsensitiveStringMap options() {
                    return all;
                }

                @Override
                public String queryId() {
                    return info.queryId();
                }

                @Override
                public StructType schema() {
                    return info.schema();
                }
            });
        }

        /** Returns the table's options, overridden by those of a read or a write. */
        private Map<String, String> with(CaseInsensitiveStringMap more) {
            Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            all.putAll(options);
            all.putAll(more.asCaseSensitiveMap());
            return all;
        }
    }
}

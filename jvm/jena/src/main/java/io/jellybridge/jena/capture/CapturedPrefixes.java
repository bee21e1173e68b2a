package io.jellybridge.jena.capture;

import java.util.Map;
import org.apache.jena.riot.system.PrefixMap;
import org.apache.jena.riot.system.PrefixMapWrapper;
import org.apache.jena.shared.PrefixMapping;

/** The prefixes of a {@link CapturingDatasetGraph}, which records every change. */
final class CapturedPrefixes extends PrefixMapWrapper {
    private final CapturingDatasetGraph dataset;

    CapturedPrefixes(CapturingDatasetGraph dataset, PrefixMap base) {
        super(base);
        this.dataset = dataset;
    }

    @Override
    public void add(String prefix, String namespace) {
        dataset.addPrefix(withoutColon(prefix), namespace);
    }

    @Override
    public void delete(String prefix) {
        dataset.deletePrefix(withoutColon(prefix));
    }

    @Override
    public void putAll(PrefixMap prefixes) {
        putAll(prefixes.getMapping());
    }

    @Override
    public void putAll(PrefixMapping prefixes) {
        putAll(prefixes.getNsPrefixMap());
    }

    @Override
    public void putAll(Map<String, String> prefixes) {
        prefixes.forEach(this::add);
    }

    @Override
    public void clear() {
        getMappingCopy().keySet().forEach(this::delete);
    }

    /** Removes the colon of a prefix, since Jena accepts prefixes with or without it. */
    private static String withoutColon(String prefix) {
        return prefix.endsWith(":") ? prefix.substring(0, prefix.length() - 1) : prefix;
    }
}

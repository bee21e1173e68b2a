package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.RdfHandler;
import io.jellybridge.codec.StatementSource;
import io.jellybridge.structure.BlankTerms;
import io.jellybridge.text.NQuadsParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.util.IsoMatcher;

/** Snapshots as sets of lines of N-Quads, and differences of such: a plain model. */
final class Snapshots {

    /** The lines that a difference deletes and adds. */
    record Changes(Set<String> deleted, Set<String> added, int unsettled) {

        int rows() {
            return deleted.size() + added.size();
        }

        /** What a snapshot becomes; deletes only what is there, and adds only what is not. */
        Set<String> applied(Set<String> old) {
            Set<String> result = new TreeSet<>(old);
            for (String line : deleted) {
                if (!result.remove(line)) {
                    throw new AssertionError("deletes what is not there: " + line);
                }
            }
            for (String line : added) {
                if (!result.add(line)) {
                    throw new AssertionError("adds what is there: " + line);
                }
            }
            return result;
        }
    }

    private Snapshots() {
    }

    /** The lines as they are written canonically. */
    static Set<String> of(Collection<String> lines) throws IOException {
        return renamed(lines, new BlankTerms(name -> name));
    }

    /** The same with other labels for the blank nodes. */
    static Set<String> relabelled(Collection<String> lines, Random random) throws IOException {
        Map<String, String> names = new HashMap<>();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 6 * lines.size(); i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        return renamed(lines, new BlankTerms(name -> names.computeIfAbsent(
                new String(name, UTF_8), old -> "_:b" + numbers.get(names.size())).getBytes(UTF_8)));
    }

    private static Set<String> renamed(Collection<String> lines, BlankTerms names) throws IOException {
        Set<String> renamed = new TreeSet<>();
        snapshot(lines).read((subject, predicate, object, graph) -> renamed.add(line(names.renameLabel(subject),
                names.renameLabel(predicate), names.renameLabel(object), names.renameLabel(graph))));
        return renamed;
    }

    private static String line(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        return new String(new CanonicalQuad(subject, predicate, object, graph).line(), UTF_8);
    }

    static Snapshot snapshot(Collection<String> lines) {
        return new Snapshot() {
            @Override
            public String name() {
                return "lines";
            }

            @Override
            public void read(RdfHandler<byte[]> handler) throws IOException {
                byte[] text = (String.join("\n", lines) + "\n").getBytes(UTF_8);
                try (StatementSource<byte[]> source = new NQuadsSource(new ByteArrayInputStream(text), name(),
                        new NQuadsParser(true, false, false), Format.NQUADS, text.length + 1)) {
                    while (source.next(handler)) {
                        // until all are read
                    }
                }
            }
        };
    }

    /** The difference by structure. */
    static Changes difference(Collection<String> old, Collection<String> next) throws IOException {
        Set<String> deleted = new TreeSet<>();
        Set<String> added = new TreeSet<>();
        try (Difference difference = Difference.of(snapshot(old), snapshot(next), BlankNodes.STRUCTURE, new ProgressMeter())) {
            difference.read(new PatchAdapter<>() {
                @Override
                public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    (op == Op.D ? deleted : added).add(line(subject, predicate, object, graph));
                }
            });
            return new Changes(deleted, added, difference.unsettled());
        }
    }

    static boolean areIsomorphic(Collection<String> one, Collection<String> other) {
        return IsoMatcher.isomorphic(dataset(one), dataset(other));
    }

    private static DatasetGraph dataset(Collection<String> lines) {
        return RDFParser.fromString(String.join("\n", lines), Lang.NQUADS).toDatasetGraph();
    }
}

package io.jellybridge.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.SharedFiles;
import io.jellybridge.convert.Snapshots.Changes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StructuralDifferenceTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    /** How long the processor has worked for this thread, which compares; what else the machine does is not in it. */
    private static Duration worked() {
        return Duration.ofNanos(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
    }

    // --- laws, of random datasets

    private static Set<String> random(Random random) {
        int nodes = 1 + random.nextInt(7);
        Set<String> lines = new TreeSet<>();
        for (int i = random.nextInt(14); i > 0; i--) {
            lines.add(randomLine(random, nodes));
        }
        return lines;
    }

    private static String randomLine(Random random, int nodes) {
        String subject = random.nextInt(5) == 0 ? "<urn:s" + random.nextInt(2) + ">" : "_:n" + random.nextInt(nodes);
        String object = switch (random.nextInt(6)) {
            case 0 -> "<urn:o>";
            case 1 -> "\"" + random.nextInt(3) + "\"";
            case 2 -> "<<( _:n" + random.nextInt(nodes) + " <urn:p> _:n" + random.nextInt(nodes) + " )>>";
            default -> "_:n" + random.nextInt(nodes);
        };
        String graph = switch (random.nextInt(6)) {
            case 0 -> " <urn:g>";
            case 1 -> " _:n" + random.nextInt(nodes);
            default -> "";
        };
        return subject + " <urn:p" + random.nextInt(2) + "> " + object + graph + " .";
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theDifferenceMakesOfTheOldWhatIsIsomorphicToTheNew(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 700; i++) {
            Set<String> old = Snapshots.of(random(random));
            Set<String> next = Snapshots.of(random(random));
            Set<String> made = Snapshots.difference(old, next).applied(old);
            assertTrue(Snapshots.areIsomorphic(next, made), () -> old + "\n→ " + next + "\nmade " + made);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void whatIsOnlyRelabelledHasNoDifference(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 1000; i++) {
            Set<String> old = Snapshots.of(random(random));
            assertSame(old, Snapshots.relabelled(old, random));
        }
    }

    /** Snapshots are sets: a line that comes again, next to the first one or later, changes nothing. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void whatComesAgainIsTheSame(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            Set<String> old = Snapshots.of(random(random));
            List<String> again = new ArrayList<>(Snapshots.relabelled(old, random));
            for (int more = random.nextInt(2 + again.size()); more > 0 && !again.isEmpty(); more--) {
                again.add(random.nextInt(1 + again.size()), again.get(random.nextInt(again.size())));
            }
            assertSame(old, again);
            assertSame(again, old);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void theOrderOfTheLinesHasNoEffect(long seed) throws IOException {
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            List<String> old = new ArrayList<>(random(random));
            List<String> next = new ArrayList<>(Snapshots.relabelled(new TreeSet<>(random.nextBoolean() ? old : random(random)), random));
            next.subList(0, random.nextInt(1 + next.size())).clear();
            Changes changes = Snapshots.difference(old, next);
            Collections.shuffle(old, random);
            Collections.shuffle(next, random);
            Changes shuffled = Snapshots.difference(old, next);
            assertEquals(changes.toString(), shuffled.toString());
        }
    }

    /** A greedy matching is not always the best; on the average it has to be near the edit. */
    @Test
    void anEditOfFewLinesOfARelabelledDatasetIsADifferenceOfAboutAsMany() throws IOException {
        Random random = new Random(7);
        long edited = 0;
        long rows = 0;
        for (int i = 0; i < 1000; i++) {
            Set<String> old = Snapshots.of(random(random));
            Set<String> next = new TreeSet<>(old);
            List<String> lines = new ArrayList<>(old);
            if (!lines.isEmpty()) {
                next.remove(lines.get(random.nextInt(lines.size())));
            }
            next.addAll(Snapshots.of(Set.of(randomLine(random, 7))));
            edited += Stream.concat(old.stream(), next.stream())
                    .filter(line -> old.contains(line) != next.contains(line)).count();
            Set<String> relabelled = Snapshots.relabelled(next, random);
            Changes changes = Snapshots.difference(old, relabelled);
            rows += changes.rows();
            assertTrue(Snapshots.areIsomorphic(next, changes.applied(old)));
        }
        assertTrue(rows <= edited * 1.05, rows + " rows for " + edited + " lines that were edited");
    }

    private static void assertSame(Collection<String> old, Collection<String> next) throws IOException {
        Changes changes = Snapshots.difference(old, next);
        assertEquals(0, changes.rows(), () -> "deleted " + changes.deleted() + "\nadded " + changes.added());
    }

    // --- W3C's cases

    @Test
    void eachCaseOfW3cIsTheSameAsItsRelabelledCopyAndAsNoOther() throws IOException {
        Map<String, Set<String>> cases = new TreeMap<>();
        try (Stream<Path> files = Files.list(SharedFiles.folder("conformance/w3c/rdfc10"))) {
            for (Path file : files.filter(path -> path.toString().endsWith("-in.nq")).toList()) {
                cases.put(file.getFileName().toString(), Snapshots.of(Files.readAllLines(file)));
            }
        }
        assertTrue(cases.size() > 40, () -> "only " + cases.keySet());
        for (Map.Entry<String, Set<String>> one : cases.entrySet()) {
            Duration start = worked();
            Changes itself = Snapshots.difference(one.getValue(), Snapshots.relabelled(one.getValue(), new Random(1)));
            assertEquals(0, itself.rows(), one.getKey());
            assertTrue(worked().minus(start).compareTo(SOON) < 0, one.getKey());
            // Its canonical form, as W3C has it, is the same again.
            Set<String> canonical = canonical(one.getKey());
            if (canonical != null) {
                assertEquals(0, Snapshots.difference(one.getValue(), canonical).rows(), one.getKey());
            }
            for (Map.Entry<String, Set<String>> other : cases.entrySet()) {
                Changes changes = Snapshots.difference(one.getValue(), other.getValue());
                boolean same = one.getValue().size() == other.getValue().size()
                        && Snapshots.areIsomorphic(one.getValue(), other.getValue());
                assertEquals(same, changes.rows() == 0, one.getKey() + " and " + other.getKey());
            }
        }
    }

    private static Set<String> canonical(String name) throws IOException {
        Path file = SharedFiles.folder("conformance/w3c/rdfc10").resolve(name.replace("-in.nq", "-rdfc10.nq"));
        return Files.exists(file) ? Snapshots.of(Files.readAllLines(file)) : null;
    }

    // --- edits of large datasets

    @Test
    void oneLiteralOfAThousandShapesIsTwoRowsAndLabelsStay() throws IOException {
        Set<String> lines = new TreeSet<>();
        for (int i = 0; i < 1000; i++) {
            lines.add("<urn:shape" + i / 10 + "> <http://www.w3.org/ns/shacl#property> _:p" + i + " .");
            lines.add("_:p" + i + " <http://www.w3.org/ns/shacl#path> <urn:path" + i % 10 + "> .");
            lines.add("_:p" + i + " <http://www.w3.org/ns/shacl#in> _:l" + i + "a0 .");
            lines.add("_:p" + i + " <http://www.w3.org/ns/shacl#message> \"message " + i + "\" .");
            lines.addAll(list("l" + i + "a", List.of("\"a\"", "\"b\"")));
        }
        Set<String> old = Snapshots.of(lines);
        for (String[] edit : new String[][] {
            {"_:p500 <http://www.w3.org/ns/shacl#message> \"message 500\" .",
                "_:p500 <http://www.w3.org/ns/shacl#message> \"another\" ."},
            {"_:l7a1 <urn:first> \"b\" .", "_:l7a1 <urn:first> \"c\" ."}}) {
            Set<String> next = new TreeSet<>(old);
            assertTrue(next.remove(edit[0]) && next.add(edit[1]));
            Changes changes = Snapshots.difference(old, Snapshots.relabelled(next, new Random(2)));
            assertEquals(Set.of(edit[0]), changes.deleted());
            assertEquals(Set.of(edit[1]), changes.added());
        }
    }

    /** All in one component, so that no part of it stays the same as a whole. */
    @Test
    void oneLiteralInOneLargeComponentIsTwoRowsAndLabelsStay() throws IOException {
        Set<String> lines = new TreeSet<>();
        for (int i = 0; i < 5000; i++) {
            lines.add("_:n" + i + " <urn:next> _:n" + (i + 1) + " .");
            lines.add("_:n" + i + " <urn:value> \"" + i * 7919 % 1000 + "\" .");
        }
        Set<String> old = Snapshots.of(lines);
        Set<String> next = new TreeSet<>(old);
        String before = "_:n2500 <urn:value> \"" + 2500 * 7919 % 1000 + "\" .";
        String after = "_:n2500 <urn:value> \"1\" .";
        assertTrue(next.remove(before) && next.add(after));
        Changes changes = Snapshots.difference(old, Snapshots.relabelled(next, new Random(2)));
        assertEquals(Set.of(before), changes.deleted());
        assertEquals(Set.of(after), changes.added());
    }

    @Test
    void whatIsNewGetsALabelThatTheOldDoesNotHave() throws IOException {
        Set<String> old = Snapshots.of(Set.of("_:a <urn:p> \"1\" .", "_:an1 <urn:p> \"2\" ."));
        Changes changes = Snapshots.difference(old, Set.of("_:x <urn:p> \"1\" .", "_:an1 <urn:p> \"2\" .",
                "_:a <urn:p> \"3\" .", "_:a <urn:q> \"3\" ."));
        assertEquals(Set.of(), changes.deleted());
        assertEquals(Set.of("_:an2 <urn:p> \"3\" .", "_:an2 <urn:q> \"3\" ."), changes.added());
    }

    // --- hard graphs

    /** Edges in both directions. */
    private static Set<String> edges(int[][] pairs) {
        Set<String> lines = new TreeSet<>();
        for (int[] pair : pairs) {
            lines.add("_:n" + pair[0] + " <urn:p> _:n" + pair[1] + " .");
            lines.add("_:n" + pair[1] + " <urn:p> _:n" + pair[0] + " .");
        }
        return lines;
    }

    private static Set<String> cycle(int from, int length) {
        Set<String> lines = new TreeSet<>();
        for (int i = 0; i < length; i++) {
            lines.add("_:n" + (from + i) + " <urn:next> _:n" + (from + (i + 1) % length) + " .");
        }
        return lines;
    }

    private static Set<String> clique(int size) {
        List<int[]> pairs = new ArrayList<>();
        for (int a = 0; a < size; a++) {
            for (int b = 0; b < a; b++) {
                pairs.add(new int[] {a, b});
            }
        }
        return edges(pairs.toArray(int[][]::new));
    }

    private static Set<String> torus(int side) {
        List<int[]> pairs = new ArrayList<>();
        for (int i = 0; i < side * side; i++) {
            pairs.add(new int[] {i, i / side * side + (i + 1) % side});
            pairs.add(new int[] {i, (i + side) % (side * side)});
        }
        return edges(pairs.toArray(int[][]::new));
    }

    /** The graph of the squares of a board of four, which a rook's move joins. */
    private static Set<String> rook() {
        List<int[]> pairs = new ArrayList<>();
        for (int a = 0; a < 16; a++) {
            for (int b = 0; b < a; b++) {
                if (a / 4 == b / 4 || a % 4 == b % 4) {
                    pairs.add(new int[] {a, b});
                }
            }
        }
        return edges(pairs.toArray(int[][]::new));
    }

    /** Shrikhande's, which has the same parameters as the rook's and is another graph. */
    private static Set<String> shrikhande() {
        List<int[]> pairs = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            for (int[] step : new int[][] {{0, 1}, {1, 0}, {1, 1}}) {
                pairs.add(new int[] {i, (i / 4 + step[0]) % 4 * 4 + (i % 4 + step[1]) % 4});
            }
        }
        return edges(pairs.toArray(int[][]::new));
    }

    private static Set<String> regular(int nodes, int degree, Random random) {
        List<int[]> pairs = new ArrayList<>();
        for (int d = 0; d < degree; d++) {
            List<Integer> order = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                order.add(i);
            }
            Collections.shuffle(order, random);
            for (int i = 0; i < nodes; i += 2) {
                pairs.add(new int[] {order.get(i), order.get(i + 1)});
            }
        }
        return edges(pairs.toArray(int[][]::new));
    }

    /**
     * The construction of Cai, Fürer and Immerman over a cycle with chords: for each node the even subsets of its edges, or
     * in a twisted one the odd ones of the first node. Colours can't tell the twisted one from the other.
     */
    private static Set<String> caiFuererImmerman(int nodes, boolean twisted) {
        List<int[]> base = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            base.add(new int[] {i, (i + 1) % nodes});
        }
        for (int i = 0; i < nodes / 2; i++) {
            base.add(new int[] {i, i + nodes / 2});
        }
        Set<String> lines = new TreeSet<>();
        for (int node = 0; node < nodes; node++) {
            List<Integer> around = new ArrayList<>();
            for (int e = 0; e < base.size(); e++) {
                if (base.get(e)[0] == node || base.get(e)[1] == node) {
                    around.add(e);
                }
            }
            int parity = twisted && node == 0 ? 1 : 0;
            for (int subset = 0; subset < 1 << around.size(); subset++) {
                if (Integer.bitCount(subset) % 2 == parity) {
                    for (int i = 0; i < around.size(); i++) {
                        lines.add("_:v" + node + "s" + subset + " <urn:in> _:e" + around.get(i) + "x" + (subset >> i & 1)
                                + "n" + node + " .");
                    }
                }
            }
        }
        for (int e = 0; e < base.size(); e++) {
            for (int bit = 0; bit < 2; bit++) {
                lines.add("_:e" + e + "x" + bit + "n" + base.get(e)[0] + " <urn:on> _:e" + e + "x" + bit + "n"
                        + base.get(e)[1] + " .");
                lines.add("_:e" + e + "x0n" + base.get(e)[bit] + " <urn:or> _:e" + e + "x1n" + base.get(e)[bit] + " .");
                lines.add("_:e" + e + "x1n" + base.get(e)[bit] + " <urn:or> _:e" + e + "x0n" + base.get(e)[bit] + " .");
            }
        }
        return lines;
    }

    private static Set<String> list(String head, List<String> items) {
        Set<String> lines = new TreeSet<>();
        for (int i = 0; i < items.size(); i++) {
            lines.add("_:" + head + i + " <urn:first> " + items.get(i) + " .");
            lines.add("_:" + head + i + " <urn:rest> "
                    + (i + 1 < items.size() ? "_:" + head + (i + 1) : "<urn:nil>") + " .");
        }
        return lines;
    }

    private static Set<String> nestedLists(String head, int depth) {
        Set<String> lines = new TreeSet<>();
        List<String> items = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            items.add(depth == 0 ? "\"item\"" : "_:" + head + "l" + i + "n0");
            if (depth > 0) {
                lines.addAll(nestedLists(head + "l" + i + "n", depth - 1));
            }
        }
        lines.addAll(list(head, items));
        return lines;
    }

    private static Set<String> joined(Collection<String> one, Collection<String> other) {
        Set<String> all = new TreeSet<>(one);
        all.addAll(other);
        return all;
    }

    private static Map<String, Set<String>> hardGraphs() {
        Map<String, Set<String>> graphs = new TreeMap<>();
        graphs.put("a cycle", cycle(0, 500));
        graphs.put("many cycles", joined(cycle(0, 6), joined(cycle(10, 3), joined(cycle(20, 3), cycle(30, 6)))));
        graphs.put("a clique", clique(40));
        graphs.put("a torus", torus(30));
        graphs.put("a rook's graph", rook());
        graphs.put("Shrikhande's graph", shrikhande());
        graphs.put("a large regular graph", regular(2000, 3, new Random(5)));
        graphs.put("a regular graph of degree 8", regular(400, 8, new Random(5)));
        graphs.put("a graph of Cai, Fürer and Immerman", caiFuererImmerman(10, false));
        graphs.put("the twisted one", caiFuererImmerman(10, true));
        graphs.put("a list of equal items", list("l", Collections.nCopies(3000, "\"same\"")));
        graphs.put("nested lists", nestedLists("l", 4));
        Set<String> star = new TreeSet<>();
        for (int i = 0; i < 20_000; i++) {
            star.add("_:hub <urn:has> _:leaf" + i + " .");
        }
        graphs.put("a star", star);
        return graphs;
    }

    @Test
    void hardGraphsAreTheSameAsTheirRelabelledCopiesWithinSeconds() throws IOException {
        for (Map.Entry<String, Set<String>> graph : hardGraphs().entrySet()) {
            Set<String> lines = Snapshots.of(graph.getValue());
            Set<String> relabelled = Snapshots.relabelled(lines, new Random(3));
            Duration start = worked();
            Changes changes = Snapshots.difference(lines, relabelled);
            Duration took = worked().minus(start);
            assertEquals(0, changes.unsettled(), graph.getKey());
            assertEquals(0, changes.rows(), graph.getKey());
            assertTrue(took.compareTo(SOON) < 0, graph.getKey() + " took " + took);
        }
    }

    @Test
    void componentsThatColoursCannotTellApartFindTheirEquals() throws IOException {
        Set<String> both = Snapshots.of(joined(rook(), shrikhande().stream().map(line -> line.replace("_:n", "_:m")).toList()));
        for (int seed = 0; seed < 4; seed++) {
            assertSame(both, Snapshots.relabelled(both, new Random(seed)));
        }
    }

    @Test
    void graphsThatColoursCannotTellApartDiffer() throws IOException {
        assertNotEquals(0, Snapshots.difference(Snapshots.of(rook()), Snapshots.of(shrikhande())).rows());
        assertNotEquals(0, Snapshots.difference(
                Snapshots.of(caiFuererImmerman(10, false)), Snapshots.of(caiFuererImmerman(10, true))).rows());
        assertNotEquals(0, Snapshots.difference(
                Snapshots.of(cycle(0, 6)), Snapshots.of(joined(cycle(0, 3), cycle(3, 3)))).rows());
    }
}

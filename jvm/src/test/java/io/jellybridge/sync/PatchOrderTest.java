package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.sync.PatchOrder.Patch;
import io.jellybridge.sync.PatchOrder.Trust;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatchOrderTest {
    private static final String JOB = "33333333-3333-3333-3333-333333333333";
    private static final String OTHER_JOB = "ffffffff-ffff-ffff-ffff-ffffffffffff";

    private static Patch patch(Integer id, Integer prev, String name, boolean readable) {
        String file = name.substring(0, name.indexOf('#'));
        return new Patch(name, id == null ? '"' + name + '"' : term(id), readable ? term(id) : null, readable ? term(prev) : null,
                file, readable);
    }

    private static String term(Integer number) {
        return number == null ? null : "<" + number + ">";
    }

    private static Patch patch(Integer id, Integer prev) {
        return patch(id, prev, id + ".jellyp#0", true);
    }

    private static Patch broken(int id) {
        return patch(id, null, id + ".jellyp#0", false);
    }

    private static List<Patch> chain(int first, int last) {
        return new ArrayList<>(IntStream.rangeClosed(first, last).mapToObj(n -> patch(n, n == 1 ? null : n - 1)).toList());
    }

    private static List<Patch> inFiles(String... files) {
        return FileNames.sortAll(List.of(files)).stream().map(file -> patch(null, null, file + "#0", true)).toList();
    }

    private static List<String> names(List<Patch> patches, String position, boolean skips) {
        return new PatchOrder(patches).findPending(position, skips).stream()
                .map(i -> patches.get(i).name().substring(0, patches.get(i).name().indexOf('.'))).toList();
    }

    private static List<String> names(List<Patch> patches, Integer position) {
        return names(patches, term(position), false);
    }

    private static List<String> numbers(int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(Integer::toString).toList();
    }

    private static void refused(List<Patch> patches, String position, boolean skips, String says) {
        String message = assertThrows(IllegalStateException.class, () -> names(patches, position, skips)).getMessage();
        assertTrue(message.contains(says), message);
    }

    // --- names

    @Test
    void numbersInNamesCountAsNumbers() {
        List<String> ordered = List.of("010a", "10a", "a", "a/1", "a0", "a00", "a1", "a1a9", "a1a10", "a1b", "a02", "a2", "a10", "a:1",
                "b");
        for (int seed = 0; seed < 20; seed++) {
            List<String> shuffled = new ArrayList<>(ordered);
            Collections.shuffle(shuffled, new Random(seed));
            assertEquals(ordered, shuffled.stream().sorted(FileNames::compare).toList());
        }
        assertEquals(List.of("log02", "log2", "log10"), FileNames.sortAll(List.of("log10", "log2", "log02")));
        assertEquals(List.of("9.jellyp", "10.jellyp", "log.rdfp.010", "log.rdfp.001", "log.rdfp"),
                FileNames.sortAll(List.of("log.rdfp", "log.rdfp.001", "log.rdfp.010", "10.jellyp", "9.jellyp")));
        assertEquals(List.of("9", "99999999999999999999", "100000000000000000000"),
                FileNames.sortAll(List.of("100000000000000000000", "9", "99999999999999999999")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.jellyp 2.jellyp 010.jellyp", "3.jellyp 3b.jellyp 5.jellyp", "a.jellyp b.jellyp",
        "log2.rdfp.gz log10.rdfp.gz", "2026-01-31/x.jellyp 2026-02-01/a.jellyp", "20251231T2359Z.jellyp 20260101T0000Z.jellyp",
        "1-" + OTHER_JOB + ".jellyp 2-" + JOB + ".jellyp",
        "part-00000-" + JOB + "-c000.jellyp part-00001-" + JOB + "-c000.jellyp part-00002-" + JOB + "-c000.jellyp",
        "day=0/part-00000-" + JOB + "-c000.jellyp day=1/part-00000-" + OTHER_JOB + "-c000.jellyp"})
    void namesWithNumbersOrTimesAreAnOrder(String files) {
        List<String> reversed = Arrays.asList(files.split(" "));
        Collections.reverse(reversed);
        assertEquals(List.of(files.split(" ")), FileNames.sortAll(reversed));
        assertEquals(Trust.NAMES, new PatchOrder(inFiles(files.split(" "))).trust());
    }

    @ParameterizedTest
    @ValueSource(strings = {"monday.jellyp tuesday.jellyp", "changes.jellyp changes-2.jellyp", "1.jellyp 1.rdfp",
        "1.jellyp 01.jellyp", JOB + ".jellyp " + OTHER_JOB + ".jellyp", "tmp4f8k2q.jellyp tmp9x1c.jellyp",
        "3f2a9c.jellyp 41b07e.jellyp", "part-00000-" + JOB + "-c000.jellyp part-00000-" + OTHER_JOB + "-c000.jellyp",
        "kind=red/1.jellyp kind=blue/1.jellyp", "part-00000-" + JOB + "-c000.jellyp part-00001-" + OTHER_JOB + "-c000.jellyp",
        "1.jellyp 2.jellyp next.jellyp"})
    void otherNamesAreNone(String files) {
        List<Patch> patches = inFiles(files.split(" "));
        refused(patches, null, false, "comes first: ");
        refused(patches, '"' + files.split(" ")[0] + "#0\"", false, "rdf-patch-log");
        assertThrows(IllegalStateException.class, () -> new PatchOrder(patches).all());
    }

    @Test
    void aRotatedLogIsOrderedFromItsOldestFileToTheOneWithoutANumber() {
        List<String> files = new ArrayList<>(List.of("log.rdfp.010", "log.rdfp.009"));
        IntStream.iterate(8, n -> n > 0, n -> n - 1).forEach(n -> files.add("log.rdfp.00" + n));
        files.add("log.rdfp");
        List<String> reversed = new ArrayList<>(files);
        Collections.reverse(reversed);
        assertEquals(files, FileNames.sortAll(reversed));
        List<Patch> runs = IntStream.range(0, files.size()).mapToObj(n -> patch(n, null, files.get(n) + "#0", true)).toList();
        assertEquals(Trust.ROTATED, new PatchOrder(runs).trust());
        assertEquals(11, new PatchOrder(runs).all().size());
        assertEquals(List.of(10), new PatchOrder(runs).findPending("<9>", false));
        List<Patch> gap = new ArrayList<>(runs);
        gap.remove(1);
        refused(gap, null, false, "a gap: no file of the log log.rdfp is between log.rdfp.010 and log.rdfp.008");
        List<Patch> nameless = new ArrayList<>(runs);
        nameless.set(10, patch(null, null, "log.rdfp#0", true));
        refused(nameless, null, false, "log.rdfp#0 has no id, and the files of the log log.rdfp are renamed");
        // Those of Jena's policy "index" begin with the first.
        assertEquals(List.of("log.rdfp.0001", "log.rdfp.0002", "log.rdfp.0010"),
                FileNames.sortAll(List.of("log.rdfp.0010", "log.rdfp.0002", "log.rdfp.0001")));
        refused(inFiles("log.rdfp", "log.rdfp.0001", "log.rdfp.0002"), null, false, "log.rdfp or log.rdfp.0001 comes first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"log.rdfp log.rdfp log.rdfp log.rdfp log.rdfp",
        "log.rdfp.0008 log.rdfp.0009 log.rdfp.0010 log.rdfp.0011 log.rdfp.0012",
        "log.rdfp-2026-11-25 log.rdfp-2026-11-25 log.rdfp-2026-11-26 log.rdfp-2026-11-26 log.rdfp-2026-11-27",
        "log.rdfp-2026-11-25_10-10-01 log.rdfp-2026-11-25_10-11-01 log.rdfp-2026-11-25_10-12-01 log.rdfp-2026-11-25_10-13-01 "
            + "log.rdfp-2026-11-25_10-14-01", "log.rdfp.gz log.rdfp.gz log.rdfp.gz log.rdfp.gz log.rdfp.gz"})
    void aRestartedJenaBeginsAChainOfItsOwnWhereItsLogGoesOn(String files) {
        List<Patch> log = new ArrayList<>();
        for (String file : files.split(" ")) {
            int number = log.size() + 1;
            log.add(patch(number, number == 2 || number == 5 ? number - 1 : null, file + "#" + number, true));
        }
        assertEquals(List.of(0, 1, 2, 3, 4), new PatchOrder(log).findPending(null, false));
        assertEquals(List.of(0, 1, 2, 3, 4), new PatchOrder(log).all());
        assertEquals(List.of(3, 4), new PatchOrder(log).findPending("<3>", false));
        // Other names, and other predecessors, say that these are several logs.
        String file = log.get(4).file();
        for (Patch other : List.of(patch(5, 4, "more.rdfp#5", true), patch(5, 3, file + "#5", true))) {
            log.set(4, other);
            assertThrows(IllegalStateException.class, () -> new PatchOrder(log).findPending(null, false));
        }
    }

    /** Applied files may be deleted, and the next run begins a chain of its own. */
    @Test
    void aRunThatFollowsDeletedFilesIsNotPassedOver() {
        List<Patch> log = List.of(patch(3, 2, "log.0003#0", true), patch(4, null, "log.0004#0", true), patch(5, 4, "log.0005#0", true));
        assertEquals(List.of(1, 2), new PatchOrder(log).findPending("<3>", false));
        assertEquals(List.of(0, 1, 2), new PatchOrder(log).findPending("<2>", false));
        assertEquals(List.of(1), new PatchOrder(log.subList(1, 3)).findPending("<4>", false));
        refused(log, null, false, "a gap: <3> (log.0003#0) follows <2>");
        for (String names : List.of("%d.jellyp#0", "log.jellyp#%d", "#%d")) {
            List<Patch> others = new ArrayList<>();
            others.add(patch(3, 2, names.formatted(3), true));
            others.add(patch(4, null, names.formatted(4), true));
            others.add(patch(5, 4, names.formatted(5), true));
            if (names.startsWith("log")) {
                assertEquals(List.of(1, 2), new PatchOrder(others).findPending("<3>", false));
            } else {
                refused(others, "<3>", false, "<4> (" + names.formatted(4) + ") begins another chain behind <3> (" + names.formatted(3));
            }
        }
        // Random names tell nothing: it may be older.
        assertEquals(List.of(), new PatchOrder(List.of(patch(3, 2, "crab.jellyp#0", true), patch(1, null, "dove.jellyp#0", true)))
                .findPending("<3>", false));
    }

    @Test
    void whatAPlaceInTheListDoesNotTellIsNotPassedOver() {
        refused(List.of(patch(null, null, "2.jellyp#0", true), patch(5, 0, "3.jellyp#0", true)), "<0>", false,
                "the dataset is at <0>, which is no patch of the source");
        List<Patch> damaged = List.of(patch(1, null, "log.0001#0", false), patch(3, 2, "log.0002#0", true), patch(4, null, "log.0003#0", true));
        assertEquals(List.of(0, 1, 2), new PatchOrder(damaged).findPending(null, true));
        assertEquals(List.of(0, 1, 2), new PatchOrder(damaged).findPending(null, false));
        List<Patch> chained = List.of(patch(1, null, "log.0001#0", false), patch(2, null, "log.0002#0", true), patch(3, 2, "log.0002#1", true));
        assertEquals(List.of(0, 1, 2), new PatchOrder(chained).findPending(null, false));
        List<Patch> left = List.of(patch(1, null, "log.0001#0", false), patch(6, 5, "log.0003#0", true), patch(7, null, "log.0004#0", true));
        assertEquals(List.of(1, 2), new PatchOrder(left).findPending("<5>", true));
        List<Patch> old = List.of(patch(1, null, "1.jellyp#0", true), patch(9, 8, "2.jellyp#0", true), patch(2, 1, "3.jellyp#0", true));
        assertEquals(List.of(), new PatchOrder(old).findPending("<9>", false));
    }

    @Test
    void theBeginningAndTheFileAtThePositionMayBeGone() {
        assertEquals(numbers(4, 4), names(List.of(patch(2, 1), patch(4, 3)), 3));
    }

    @Test
    void namesDoNotMatterWhereThereIsAChainOrOneFile() {
        List<Patch> chained = List.of(patch(1, null, "part-00000-" + OTHER_JOB + "-c000.jellyp#0", true),
                patch(2, 1, "part-00000-" + JOB + "-c000.jellyp#0", true));
        assertEquals(Trust.CHAIN, new PatchOrder(chained).trust());
        assertEquals(List.of(0, 1), new PatchOrder(chained).all());
        assertEquals(Trust.ONE_FILE, new PatchOrder(List.of(patch(null, null, "x#0", true), patch(null, null, "x#1", true))).trust());
        assertEquals(Trust.ONE_FILE, new PatchOrder(List.of()).trust());
    }

    // --- chains

    @Test
    void aChainIsTheOrderWhateverTheNamesAre() {
        for (int seed = 0; seed < 20; seed++) {
            List<Patch> patches = chain(1, 12);
            Collections.shuffle(patches, new Random(seed));
            for (int position = 0; position <= 12; position++) {
                assertEquals(numbers(position + 1, 12), names(patches, position == 0 ? null : position));
            }
            assertEquals(IntStream.rangeClosed(1, 12).mapToObj(PatchOrderTest::term).toList(),
                    new PatchOrder(patches).all().stream().map(i -> patches.get(i).id()).toList());
        }
    }

    @Test
    void withoutIdsTheOrderIsThatOfTheList() {
        List<Patch> patches = inFiles("1.jellyp", "2.jellyp", "3.jellyp");
        assertEquals(numbers(1, 3), names(patches, (Integer) null));
        assertEquals(numbers(3, 3), names(patches, "\"2.jellyp#0\"", false));
        assertEquals(List.of(0, 1, 2), new PatchOrder(patches).all());
        refused(patches, "\"9.jellyp#0\"", false, "the dataset is at \"9.jellyp#0\", which is no patch of the source");
        assertEquals(List.of(), names(List.of(), "\"9.jellyp#0\"", false));
        assertEquals(List.of("2", "0", "1"),
                names(List.of(patch(2, 1, "2.x#0", true), patch(null, null, "0.x#0", true), patch(1, null, "1.x#0", true)).stream()
                        .map(one -> new Patch(one.name(), one.position(), one.id(), one.prev(), "", true)).toList(), (Integer) null));
    }

    @Test
    void theBeginningOfALogMayBeGoneOnceItWasApplied() {
        assertEquals(List.of(), names(List.of(), 3));
        assertEquals(numbers(4, 5), names(chain(4, 5), 3));
        assertEquals(numbers(4, 5), names(chain(2, 5), 3));
        refused(chain(7, 8), "<3>", false, "the dataset is at <3>, which is no patch of the source");
        // 4 was applied, and the patches between have been taken away
        assertEquals(numbers(5, 5), names(List.of(patch(1, null), patch(2, 1), patch(5, 4)), 4));
        List<Patch> reversed = List.of(patch(6, 5), patch(5, 4), patch(4, 3), patch(3, 2));
        assertEquals(List.of(), names(reversed.subList(1, 4), 5));
        assertEquals(numbers(6, 6), names(reversed, 5));
    }

    @Test
    void whatIsNoOneChainIsRefused() {
        refused(List.of(patch(1, null), patch(3, 2)), null, false,
                "a gap: <3> (3.jellyp#0) follows <2>, which is neither in the source nor where the dataset is");
        refused(List.of(patch(2, 1), patch(3, 2)), null, false, "a gap: <2> (2.jellyp#0) follows <1>");
        refused(List.of(patch(1, null), patch(2, 1), patch(4, 3)), "<1>", false, "a gap: <4> (4.jellyp#0) follows <3>");
        List<Patch> fork = List.of(patch(1, null), patch(2, 1), patch(3, 1));
        refused(fork, null, false, "the chain forks after <1>: <2> (2.jellyp#0) and <3> (3.jellyp#0) both follow it");
        refused(fork, "<2>", false, "the chain forks after <1>");
        refused(List.of(patch(1, null), patch(2, 1), patch(3, null)), null, false,
                "two patches are the first of their chain: <1> (1.jellyp#0) and <3> ");
        refused(List.of(patch(1, 1)), "<1>", false, "in a circle; <1> ");
        refused(List.of(patch(1, null), patch(2, 3), patch(3, 2)), null, false, "in a circle; <2> ");
        for (List<Patch> twins : List.of(List.of(patch(1, null), patch(1, null)), List.of(patch(1, null), patch(2, 1), patch(1, 2)))) {
            refused(twins, null, false, "two patches have the id <1>: 1.jellyp#0 and 1.jellyp#0; take one");
            assertThrows(IllegalStateException.class, () -> new PatchOrder(twins).all());
        }
    }

    @Test
    void whatCantBeReadIsWhereItsNameIs() {
        List<Patch> patches = List.of(patch(1, null), broken(2), patch(3, 2), patch(4, 3));
        // A sync that stops there never comes to what follows it.
        assertEquals(numbers(1, 2), names(patches, (Integer) null));
        assertEquals(numbers(1, 4), names(patches, null, true));
        assertEquals(numbers(2, 4), names(patches, "<1>", true));
        assertEquals(numbers(4, 4), names(patches, "<3>", true));
        assertEquals(numbers(2, 3), names(patches.subList(1, 3), null, true));
        assertEquals(numbers(2, 2), names(patches.subList(1, 2), 7));
        List<Patch> reordered = List.of(patches.get(0), patches.get(1), patches.get(3), patches.get(2));
        assertEquals(numbers(1, 4), names(reordered, null, true));
        refused(List.of(patches.get(0), patches.get(3), patches.get(2)), null, true, "a gap: <3> (3.jellyp#0) follows <2>");
        assertFalse(new PatchOrder(patches).keepsNames());
    }

    @Test
    void patchesInOrderMayBeginAnywhereButOnlyOnce() {
        assertEquals(List.of(0, 1, 2), new PatchOrder(chain(5, 7)).all());
        List<Patch> parts = new ArrayList<>(chain(1, 2));
        parts.add(patch(5, 4));
        String message = assertThrows(IllegalStateException.class, () -> new PatchOrder(parts).all()).getMessage();
        assertTrue(message.startsWith("a gap: <5> (5.jellyp#0) follows <4>, and the chain begins with <1> (1.jellyp#0), which follows "),
                message);
    }

    @Test
    void thePatchesOfALogFollowEachOther() {
        new PatchOrder(chain(4, 6)).requireBehind("<3>");
        new PatchOrder(chain(1, 3)).requireBehind(null);
        new PatchOrder(List.of()).requireBehind("<3>");
        new PatchOrder(List.of(broken(4), patch(5, 4), patch(6, 5))).requireBehind("<3>");
        for (List<Patch> gap : List.of(List.of(patch(5, 4)), List.of(patch(4, 3), patch(6, 5)),
                List.of(broken(4), patch(5, 4), patch(7, 6)), List.of(patch(4, null)))) {
            String message = assertThrows(IllegalStateException.class, () -> new PatchOrder(gap).requireBehind("<3>")).getMessage();
            assertTrue(message.matches("a gap: .* follows .*, and the patch before it is .*; check the log"), message);
        }
    }
}

package io.jellybridge.codec;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Compares our readers with protobuf's own parser on streams that {@link RandomFrames} makes and {@link WildEncoder} writes,
 * and counts what comes out, by rule.
 *
 * <p>Each stream is read by the independent readers, and by ours strictly, tolerantly, and, where it is a patch stream, with
 * a selection of terms. Both have to find the same events, or a fault of the same rule. A rule that only ours knows, of those
 * in {@link #OURS_ALONE}, explains that the strict reader refuses what the independent one reads; the tolerant reader then
 * reads the same, unless no reader of ours may.
 */
final class GeneratedStreams {
    /** What the independent readers do not check: what the options announce, and whether transactions and marks balance. */
    private static final Set<String> OURS_ALONE = Set.of(
            "P-15", "P-24", "P-44", "P-46", "P-101", "P-102", "P-104", "P-105", "R-24");
    /** Of these, what is refused by the tolerant reader too. */
    private static final Set<String> NEVER_READ = Set.of("P-24", "P-105");

    /** What the tolerant reader gets over, by the first rule that the independent ones name. */
    private static final Set<String> TOLERATED = Set.of("P-33", "P-36", "R-66", "R-67");

    /** What a reader made of a stream: events; or the rules that it breaks, of which ours names one. */
    private record Outcome(List<?> events, String rules) {

        private boolean explains(Outcome ours) {
            return rules.isEmpty() ? ours.rules.isEmpty() && events.equals(ours.events)
                    : !ours.rules.isEmpty() && Arrays.asList(rules.split(", ")).contains(ours.rules);
        }

        /** For people: the rules, or the first event that the other does not have. */
        private String unlike(Outcome other) {
            int same = 0;
            while (same < Math.min(events.size(), other.events.size()) && events.get(same).equals(other.events.get(same))) {
                same++;
            }
            return !rules.isEmpty() ? rules : same == events.size() ? "the end" : events.get(same).toString();
        }
    }

    @FunctionalInterface
    private interface Reading {
        List<?> events() throws IOException;
    }

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();
    private int streams;

    /** Compares so many streams and prints the counts; exits with 1 where a difference is left. */
    public static void main(String[] arguments) throws IOException {
        GeneratedStreams compared = new GeneratedStreams();
        compared.compare(Integer.parseInt(arguments[0]));
        compared.counts.forEach((what, count) -> System.out.printf("%8d %s%n", count, what));
        compared.differences.forEach(System.out::println);
        System.out.printf("%8d streams, %d differences that no rule explains%n", compared.streams,
                compared.differences.size());
        AlteredRestarts restarts = new AlteredRestarts();
        restarts.compare(Integer.parseInt(arguments[0]));
        restarts.differences().forEach(System.out::println);
        System.out.printf("%8d streams with altered restart points, %d of them refused, %d differences%n",
                restarts.same() + restarts.refused() + restarts.differences().size(), restarts.refused(),
                restarts.differences().size());
        System.exit(compared.differences.isEmpty() && restarts.differences().isEmpty() ? 0 : 1);
    }

    /** Compares the streams of the seeds from 0 to {@code count - 1}; in turn Jelly-Patch and Jelly-RDF. */
    void compare(int count) throws IOException {
        for (int seed = 0; seed < count; seed++) {
            compareOne(seed);
        }
    }

    /** How many streams there were of each outcome. */
    Map<String, Integer> counts() {
        return counts;
    }

    /** What no rule explains, with the seed. */
    List<String> differences() {
        return differences;
    }

    private void compareOne(int seed) throws IOException {
        Random random = new Random(seed);
        boolean patch = seed % 2 == 0;
        List<DynamicMessage> frames = new RandomFrames(random, patch).frames();
        WildEncoder encoder = new WildEncoder(random);
        boolean delimited = frames.size() > 1 || random.nextBoolean();
        byte[] stream = encoder.stream(frames, delimited);
        while (isTakenForTheOther(stream, delimited)) {
            delimited = true;
            stream = encoder.stream(frames, true);
        }
        checkThatItMeansTheSame(frames, stream, delimited);
        compare(seed, patch, stream, delimited, random);
        streams++;
    }

    /** Whether the first bytes make readers take a delimited stream for a bare one, or the reverse (P-124, R-09). */
    private static boolean isTakenForTheOther(byte[] stream, boolean delimited) {
        boolean seemsBare = stream.length > 1 && stream[0] == 0x0A
                && (stream[1] != 0x0A || stream.length > 2 && stream[2] == 0x0A);
        return seemsBare == delimited;
    }

    /** Checks the encoder: but for unknown fields, protobuf's parser finds the messages again. */
    private static void checkThatItMeansTheSame(List<DynamicMessage> frames, byte[] stream, boolean delimited) {
        List<Message> found = IndependentStream.frames(frames.get(0).getDescriptorForType(), stream, delimited).stream()
                .map(GeneratedStreams::withoutUnknownFields).toList();
        if (!found.equals(frames)) {
            throw new AssertionError("the encoder wrote " + found + " instead of " + frames);
        }
    }

    private static Message withoutUnknownFields(Message message) {
        Message.Builder known = message.toBuilder().setUnknownFields(UnknownFieldSet.getDefaultInstance());
        message.getAllFields().forEach((field, value) -> {
            if (value instanceof Message part) {
                known.setField(field, withoutUnknownFields(part));
            } else if (field.isRepeated()) {
                known.setField(field,
                        ((List<?>) value).stream().map(part -> withoutUnknownFields((Message) part)).toList());
            }
        });
        return known.build();
    }

    private void compare(int seed, boolean patch, byte[] stream, boolean delimited, Random random) {
        Outcome expected = outcome(() -> patch ? IndependentReader.read(stream, delimited, false)
                : IndependentRdfReader.read(stream, delimited, false).frames());
        boolean allAtOnce = random.nextBoolean();
        Outcome strict = outcome(() -> events(patch, stream, ReadOptions.STRICT, random, allAtOnce));
        Outcome tolerant = outcome(() -> events(patch, stream, ReadOptions.DEFAULT, random, allAtOnce));
        String what = patch ? "Jelly-Patch: " : "Jelly-RDF: ";
        if (OURS_ALONE.contains(strict.rules)) {
            what += "refused by " + strict.rules + " where ours is strict, which the other does not check";
            if (!NEVER_READ.contains(tolerant.rules) && !isTolerated(expected)) {
                check(seed, expected, tolerant);
            }
        } else {
            what += expected.rules.isEmpty() ? "read by both, the same events" : "refused by both, by " + strict.rules;
            check(seed, expected, strict);
            if (!isTolerated(expected)) {
                check(seed, expected, tolerant);
            }
        }
        if (patch && tolerant.rules.isEmpty()) {
            compareSelection(seed, stream, random);
        }
        counts.merge(what, 1, Integer::sum);
    }

    private static boolean isTolerated(Outcome expected) {
        return isTolerated(expected.rules);
    }

    /** Whether the tolerant reader gets over what an independent one refuses by these rules. */
    static boolean isTolerated(String rules) {
        return TOLERATED.contains(String.valueOf(rules).split("[,:]")[0]);
    }

    private void check(int seed, Outcome expected, Outcome ours) {
        if (!expected.explains(ours)) {
            differences.add("seed " + seed + ": " + expected.unlike(ours) + " by protobuf's parser, "
                    + ours.unlike(expected) + " by ours");
        }
    }

    private void compareSelection(int seed, byte[] stream, Random random) {
        Selection<byte[]> selection = new Selection<>(random.nextBoolean(), random.nextBoolean(), random.nextBoolean(),
                random.nextBoolean(), random.nextBoolean() ? null
                        : new SelectionTest.HalfOf(random.nextBoolean(), random.nextBoolean(), random.nextBoolean()));
        Recorder expected = new Recorder();
        Streams.readInto(stream, ReadOptions.DEFAULT, new SelectionTest.Selecting(selection, expected));
        Outcome selected = outcome(() -> {
            Recorder recorder = new Recorder();
            try (PatchReader<byte[]> reader = new PatchReader<>(
                    inPieces(stream, random), "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
                reader.select(selection);
                reader.readAll(recorder);
            }
            return recorder.lines;
        });
        Outcome full = new Outcome(expected.lines, "");
        check(seed, full, selected);
    }

    private static List<?> events(boolean patch, byte[] stream, ReadOptions options, Random random, boolean allAtOnce)
            throws IOException {
        if (!patch) {
            return RdfEventRecorder.read(inPieces(stream, random), new Utf8Terms(), options, EventTerms::ofText).frames;
        }
        Recorder recorder = new Recorder();
        try (PatchReader<byte[]> reader =
                new PatchReader<>(inPieces(stream, random), "test", new Utf8Terms(), options)) {
            if (allAtOnce) {
                reader.readAll(recorder);
            }
            while (reader.next(recorder)) {
                // the recorder does the work
            }
        }
        return recorder.lines;
    }

    /** Brings a few bytes at a time, or all. */
    private static InputStream inPieces(byte[] stream, Random random) {
        int most = random.nextBoolean() ? stream.length + 1 : 1 + random.nextInt(20);
        return new ByteArrayInputStream(stream) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                return super.read(target, offset, Math.min(length, most));
            }
        };
    }

    private static Outcome outcome(Reading reading) {
        try {
            return new Outcome(List.copyOf(reading.events()), "");
        } catch (FormatException e) {
            return new Outcome(List.of(), e.rule());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (AssertionError e) {
            return new Outcome(List.of(), String.valueOf(e.getMessage()).split(":")[0]);
        }
    }
}

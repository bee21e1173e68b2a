package io.jellybridge.log;

import io.jellybridge.JavaProcess;
import io.jellybridge.checkpoint.CheckpointFiles;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.jena.apply.ProgressListener;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileSystem;

/**
 * Processes that append to one log, one that joins its files all the time, and one that follows it, while those that write
 * are killed at random moments and begin again where they know that they were. Every patch must be in the log once, those of
 * which a writer heard at the version that it heard, and the follower must never see the log move back.
 */
final class LogStorm {
    private static final String COMPACT = "compact";
    private static final String APPEND = "append";

    private final String log;
    private final Path words;
    private final int writers;
    private final int patches;
    private final Random random;
    private final Map<String, String> environment;
    private final List<Process> running = new ArrayList<>();
    private volatile boolean over;

    private LogStorm(String log, Path folder, int writers, int patches, long seed, Map<String, String> environment)
            throws IOException {
        this.environment = environment;
        this.log = log;
        this.words = Files.createDirectories(folder.resolve("words"));
        this.writers = writers;
        this.patches = patches;
        this.random = new Random(seed);
    }

    /**
     * Runs, and returns when all patches are in.
     *
     * @param log    the address of the log to create
     * @param folder keeps what the writers heard
     * @param environment of the processes
     * @return what was seen
     * @throws IllegalStateException a patch is lost or there twice, or the follower saw what can't be
     */
    static String run(String log, Path folder, int writers, int patches, int kills, long seed,
            Map<String, String> environment) throws Exception {
        LogStorm storm = new LogStorm(log, folder, writers, patches, seed, environment);
        PatchLogs.create(log).close();
        ExecutorService follower = Executors.newSingleThreadExecutor();
        try {
            Future<Long> seen = follower.submit((Callable<Long>) storm::follow);
            for (int writer = 0; writer < writers; writer++) {
                storm.running.add(storm.start(APPEND, writer));
            }
            storm.running.add(storm.start(COMPACT, 0));
            int killed = storm.kill(kills);
            storm.awaitWriters();
            storm.over = true;
            return writers * patches + " patches of " + writers + " writers, " + killed + " kills, " + seen.get()
                    + " patches followed; " + storm.check();
        } finally {
            storm.over = true;
            storm.running.forEach(Process::destroyForcibly);
            follower.shutdownNow();
        }
    }

    private Process start(String what, int writer) throws IOException {
        ProcessBuilder process = JavaProcess.of(LogStorm.class, what, log, words.resolve(Integer.toString(writer)), writer, patches);
        process.environment().putAll(environment);
        return process
                .redirectError(ProcessBuilder.Redirect.appendTo(new File(words.toFile(), "errors")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Kills processes, one after the other, and starts each again. Between two kills, writers have heard of a patch. */
    private int kill(int kills) throws Exception {
        int killed = 0;
        long heard = 0;
        while (killed < kills && running.subList(0, writers).stream().anyMatch(Process::isAlive)) {
            Thread.sleep(100 + random.nextInt(400));
            long now = 0;
            for (int writer = 0; writer < writers; writer++) {
                Path file = words.resolve(Integer.toString(writer));
                now += Files.exists(file) ? Files.size(file) : 0;
            }
            if (now == heard) {
                continue;
            }
            heard = now;
            int which = random.nextInt(3) == 0 ? writers : random.nextInt(writers);
            Process victim = running.get(which);
            if (victim.isAlive()) {
                victim.destroyForcibly().waitFor();
                killed++;
                running.set(which, start(which == writers ? COMPACT : APPEND, which));
            }
        }
        return killed;
    }

    private void awaitWriters() throws Exception {
        for (Process writer : running.subList(0, writers)) {
            if (writer.waitFor() != 0) {
                throw new IllegalStateException("a writer failed: " + Files.readString(words.resolve("errors")));
            }
        }
        running.get(writers).destroyForcibly().waitFor();
    }

    /** Reads what comes; how many patches that were. */
    private Long follow() throws Exception {
        long version = 0;
        String last = null;
        Set<String> ids = new HashSet<>();
        while (true) {
            boolean wasOver = over;
            try (PatchLog open = PatchLogs.open(log)) {
                if (open.head().version() < version) {
                    throw new IllegalStateException("the head moved back from " + version + " to " + open.head());
                }
                try (LogReader reader = new LogReader(open.fetch(version + 1, Long.MAX_VALUE), version, last, null, null)) {
                    for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                        version++;
                        last = entry.header().id();
                        if (entry.version() != version || !ids.add(last)) {
                            throw new IllegalStateException("version " + entry.version() + " is " + last);
                        }
                    }
                }
            }
            if (wasOver) {
                return version;
            }
            Thread.sleep(5);
        }
    }

    /** What is in the log against what the writers heard. */
    private String check() throws IOException {
        Map<String, Long> found = new HashMap<>();
        StoreLog open = PatchLogs.open(log).stored();
        try (LogReader reader = new LogReader(open.fetch(1, Long.MAX_VALUE), 0, null, null, null)) {
            for (LogEntry entry = reader.next(); entry != null; entry = reader.next()) {
                if (found.put(entry.header().id(), entry.version()) != null) {
                    throw new IllegalStateException(entry.header().id() + " is in the log twice");
                }
            }
        }
        for (int writer = 0; writer < writers; writer++) {
            List<String> heard = Files.readAllLines(words.resolve(Integer.toString(writer)));
            for (int number = 0; number < patches; number++) {
                Long version = found.get(id(writer, number));
                if (version == null || version != Long.parseLong(heard.get(number))) {
                    throw new IllegalStateException("patch " + number + " of writer " + writer + " is at " + version
                            + ", and the writer heard of " + heard.get(number));
                }
            }
        }
        if (found.size() != writers * patches) {
            throw new IllegalStateException(found.size() + " patches in the log");
        }
        return "0 lost, 0 twice, in " + open.store().list("").size() + " files";
    }

    private static String id(int writer, int number) {
        return UUID.nameUUIDFromBytes((writer + "/" + number).getBytes(StandardCharsets.US_ASCII)).toString();
    }

    // --- the processes

    /** {@code WRITERS PATCHES KILLS}, with {@code s3} at the end for a log in a bucket; or one of the processes. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals(APPEND)) {
            S3Server.useByEnvironment(arguments[1]);
            append(arguments[1], Path.of(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        } else if (arguments[0].equals(COMPACT)) {
            S3Server.useByEnvironment(arguments[1]);
            compact(arguments[1]);
        } else if (arguments.length > 3) {
            Path folder = Files.createTempDirectory("storm-");
            try (S3Server server = new S3Server(folder.resolve("said")); FileSystem bucket = server.openBucket("bucket", server.configuration())) {
                run(bucket.getUri() + "/log", folder, arguments, server.environment());
            }
        } else {
            Path folder = Files.createTempDirectory("storm-");
            run(folder.resolve("log").toString(), folder, arguments, Map.of());
        }
    }

    private static void run(String log, Path folder, String[] numbers, Map<String, String> environment) throws Exception {
        System.out.println("log: " + run(log, folder, Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]),
                Integer.parseInt(numbers[2]), System.nanoTime(), environment));
    }

    /** Appends patches, and writes each's version into a file, from the first on of which the file does not know. */
    private static void append(String log, Path words, int writer, int patches) throws IOException {
        String heard = Files.exists(words) ? Files.readString(words) : "";
        int number = (int) heard.chars().filter(character -> character == '\n').count();
        Files.writeString(words, heard.substring(0, heard.lastIndexOf('\n') + 1));
        PatchLog open = PatchLogs.open(log);
        while (number < patches) {
            String patch = LogPatches.patch(id(writer, number), null, LogPatches.add(writer), LogPatches.add(number));
            try (PatchSource<byte[]> source = LogPatches.source(patch)) {
                long version = open.append(source).version();
                Files.writeString(words, version + "\n", StandardOpenOption.APPEND);
                number++;
            } catch (LogConflictException e) {
                if (e.isTaken()) {
                    throw e;
                }
                // Another one was faster.
            }
        }
    }

    /** Joins objects and makes checkpoints. */
    private static void compact(String log) throws IOException {
        Random random = new Random();
        while (true) {
            StoreLog open = PatchLogs.open(log).stored();
            LogCompaction.run(open, 200L << random.nextInt(12));
            if (random.nextInt(4) == 0 && open.head().version() > 0) {
                CheckpointFiles.make(open, open.head().version(), ProgressListener.NONE);
            }
        }
    }
}

package io.jellybridge.fuseki;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.Full;
import io.jellybridge.JavaProcess;
import io.jellybridge.convert.Conversion;
import io.jellybridge.convert.ConvertOptions;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.convert.ProgressMeter;
import io.jellybridge.convert.Validator;
import io.jellybridge.sync.TestFuseki;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link MaliciousFiles} in a JVM of 256 MB: an error or a result of each, and a Fuseki that answers after each. */
class MaliciousFilesTest {
    @TempDir
    private Path folder;

    @Test
    @Full("reads a hundred files in a small heap")
    void eachFileIsAnErrorOrAResult() throws Exception {
        check(Reading.class);
    }

    @Test
    @Full("sends a server a hundred bodies")
    void aServerAnswersAfterEach() throws Exception {
        check(Serving.class);
    }

    private void check(Class<?> main) throws Exception {
        Path said = folder.resolve("said");
        ProcessBuilder process = JavaProcess.of(main, folder);
        process.command().replaceAll(argument -> argument.startsWith("-Xmx") ? "-Xmx256m" : argument);
        int status = process.redirectErrorStream(true).redirectOutput(said.toFile()).start().waitFor();
        List<String> lines = Files.readAllLines(said);
        List<String> outcomes = lines.stream().filter(line -> line.matches("\\d+: .*")).toList();
        assertEquals(0, status, () -> String.join("\n", lines));
        assertEquals(MaliciousFiles.COUNT, outcomes.size(), () -> String.join("\n", lines));
        assertTrue(outcomes.stream().noneMatch(line -> line.contains("OutOfMemory")), () -> String.join("\n", outcomes));
    }

    /** Reads each file twice: to examine it, and to write it as Jelly. */
    static final class Reading {

        private Reading() {
        }

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            for (int i = 0; i < MaliciousFiles.COUNT; i++) {
                Path file = MaliciousFiles.write(folder, i);
                boolean isPatch = file.toString().matches(".*\\.(jellyp|rdfp|trp)(\\.gz)?");
                List<String> outcomes = new ArrayList<>();
                outcomes.add(outcome(() -> new Validator(new FileLocation(file.toString()), null, ConvertOptions.of(Map.of()), false,
                        10, new ProgressMeter()).run()));
                Path out = folder.resolve("out." + (isPatch ? "jellyp" : "jelly"));
                outcomes.add(outcome(() -> {
                    new Conversion(List.of(new FileLocation(file.toString())), null, new FileLocation(out.toString()), null,
                            ConvertOptions.of(Map.of()), new ProgressMeter(), null).run();
                    return "converted";
                }));
                System.out.println(i + ": " + outcomes);
                Files.delete(file);
                Files.deleteIfExists(out);
            }
        }
    }

    /** Sends each file to a Fuseki, and asks that something. */
    static final class Serving {

        private Serving() {
        }

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            HttpClient http = HttpClient.newHttpClient();
            try (TestFuseki fuseki = TestFuseki.withModule()) {
                for (int i = 0; i < MaliciousFiles.COUNT; i++) {
                    Path file = MaliciousFiles.write(folder, i);
                    boolean isText = file.toString().contains("rdfp");
                    HttpRequest.Builder patch = HttpRequest.newBuilder(URI.create(fuseki.url() + "/patch"))
                            .header("Content-Type", isText ? "application/rdf-patch" : "application/x-jelly-rdf-patch")
                            .POST(BodyPublishers.ofFile(file));
                    if (file.toString().endsWith(".gz")) {
                        patch.header("Content-Encoding", "gzip");
                    }
                    String answer = outcome(() -> {
                        HttpResponse<String> response = http.send(patch.build(), BodyHandlers.ofString());
                        if (!response.body().startsWith("{")) {
                            throw new IllegalStateException("no JSON: " + response.body());
                        }
                        return response.statusCode() + " " + response.body().strip();
                    });
                    String alive = outcome(() -> "" + http.send(HttpRequest.newBuilder(
                            URI.create(fuseki.url() + "/query?query=ASK%7B%7D")).build(), BodyHandlers.ofString()).statusCode());
                    System.out.println(i + ": " + answer);
                    if (!alive.equals("200") || answer.startsWith("thrown")) {
                        throw new IllegalStateException(i + ": " + answer + "; then " + alive);
                    }
                    Files.delete(file);
                }
            }
            System.exit(0);
        }
    }

    @FunctionalInterface
    private interface Work {
        String run() throws Exception;
    }

    private static String outcome(Work work) {
        try {
            String outcome = work.run();
            return outcome.substring(0, Math.min(outcome.length(), 300));
        } catch (Exception e) {
            return "thrown " + String.valueOf(e.getMessage()).lines().findFirst().orElse("").replaceAll("(.{300}).*", "$1");
        } catch (Error e) {
            return "thrown " + e;
        }
    }
}

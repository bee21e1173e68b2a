package io.jellybridge.fuzz;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.jellybridge.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays what fuzzing has found worth keeping: each input that once was a fault, and those that reach the most code. */
class FuzzCorpusTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    static Stream<Arguments> targets() {
        return Stream.of(
                Arguments.of("jelly-patch", (Consumer<byte[]>) JellyPatchFuzz::fuzzerTestOneInput),
                Arguments.of("jelly-rdf", (Consumer<byte[]>) JellyRdfFuzz::fuzzerTestOneInput),
                Arguments.of("rdf-patch", (Consumer<byte[]>) RdfPatchFuzz::fuzzerTestOneInput));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("targets")
    void noInputOfTheCorpusIsMoreThanATypedError(String corpus, Consumer<byte[]> target) throws IOException {
        List<Path> inputs;
        try (Stream<Path> files = Files.list(ProjectFiles.folder("tests/fuzz/" + corpus))) {
            inputs = files.sorted().toList();
        }
        assertFalse(inputs.isEmpty(), "no inputs in the corpus");
        for (Path input : inputs) {
            byte[] data = Files.readAllBytes(input);
            assertTimeoutPreemptively(LIMIT, () -> target.accept(data), () -> "input " + input.getFileName());
        }
    }
}

package io.jellybridge.jena.riot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** In a JVM of its own each, since Jena knows fewer languages until something makes it begin. */
class FirstLanguageTest {

    @ParameterizedTest
    @CsvSource({"response, application/sparql-results+thrift, SPARQL-Results-Thrift", "file, a.jelly.gz, Jelly"})
    void aLanguageIsKnownToWhoAsksFirst(String asked, String name, String language) throws IOException {
        Process process = JavaProcess.of(FirstLanguageTest.class, asked, name).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(language, said.lines().reduce((before, last) -> last).orElse(null)); // behind what a logger says
    }

    public static void main(String[] arguments) {
        System.out.println((arguments[0].equals("file") ? RdfFile.ofSuffix(arguments[1]) : QueryResponse.languageOf(arguments[1])).getName());
    }
}

package io.jellybridge.jena.dataset;

import static io.jellybridge.jena.TestPatches.content;
import static io.jellybridge.jena.TestPatches.set;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.PhysicalType;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.StatementWriter;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.Backend;
import io.jellybridge.jena.nodes.NodeTerms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.NodeFactory;
import org.apache.jena.sparql.core.Quad;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jelly files in and out of a dataset. */
class DatasetStoreJellyTest {
    private static final Node S = NodeFactory.createURI("http://e/s");
    private static final Node LABELLED = NodeFactory.createBlankNode("any label. at all >");

    @TempDir
    Path folder;

    private static void fill(DatasetStore store) throws IOException {
        store.update("""
                INSERT DATA {
                  <http://e/s> <http://e/p> "x"@en, 1, <<( <http://e/a> <http://e/b> "t" )>> .
                  GRAPH <http://e/g> { <http://e/s> <http://e/p> <http://e/o> }
                }""");
        store.dataset().executeWrite(() -> {
            store.dataset().add(Quad.create(LABELLED, S, S, LABELLED));
            store.dataset().prefixes().add("e", "http://e/");
        });
    }

    private Path jelly(Node... objects) throws IOException {
        Path file = folder.resolve("made.jelly");
        RdfOptions options = RdfOptions.DEFAULT.withGeneralizedStatements(true);
        try (StatementWriter<Node> writer = new StatementWriter<>(
                Files.newOutputStream(file), null, new NodeTerms(), options, WriteOptions.DEFAULT)) {
            for (Node object : objects) {
                writer.statement(object.isLiteral() ? object : S, S, object, null);
            }
        }
        return file;
    }

    @ParameterizedTest
    @CsvSource({"MEMORY, all.jelly", "MEMORY, all.jelly.gz", "TDB2, all.jelly", "TDB2, all.jelly.gz"})
    void whatIsDumpedIsLoadedAgainWithLabelsAndPrefixes(Backend backend, String name) throws IOException {
        Path file = folder.resolve(name);
        try (DatasetStore store = backend.open(Files.createDirectory(folder.resolve("a")));
                DatasetStore copy = backend.open(Files.createDirectory(folder.resolve("b")))) {
            fill(store);
            store.dump(file.toString());
            copy.load(file.toString());
            assertEquals(content(store), content(copy));
            assertEquals(5, copy.size());
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aDumpIsAFlatStreamOfQuads(Backend backend) throws IOException {
        Path file = folder.resolve("all.jelly");
        try (DatasetStore store = backend.open(folder)) {
            store.dump(file.toString());
            assertEquals(RdfOptions.VERSION_1, options(file).version(), "no prefixes, so the older version");
            fill(store);
            store.dump(file.toString());
        }
        RdfOptions options = options(file);
        assertEquals(PhysicalType.QUADS, options.physicalType());
        assertEquals(2, options.logicalType());
        assertEquals(RdfOptions.VERSION_2, options.version());
        assertFalse(options.generalizedStatements());
    }

    private static RdfOptions options(Path file) throws IOException {
        try (RdfReader<Node> reader =
                new RdfReader<>(Files.newInputStream(file), null, new NodeTerms(), ReadOptions.STRICT)) {
            reader.readAll((subject, predicate, object, graph) -> { });
            return reader.options();
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void aBrokenFileLeavesTheDatasetAsItWas(Backend backend) throws IOException {
        Path whole = folder.resolve("all.jelly");
        Path cut = folder.resolve("cut.jelly");
        try (DatasetStore source = DatasetStore.open("mem:"); DatasetStore store = backend.open(folder)) {
            fill(source);
            source.dump(whole.toString());
            byte[] bytes = Files.readAllBytes(whole);
            Files.write(cut, Arrays.copyOf(bytes, bytes.length - 1));
            store.update("INSERT DATA { <http://e/before> <http://e/p> 1 }");
            FormatException error =
                    assertThrows(FormatException.class, () -> store.load(cut.toString()));
            assertEquals("R-92", error.rule());
            assertEquals(cut.toString(), error.file());
            assertEquals(set("<http://e/before> <http://e/p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer>"),
                    content(store));
        }
    }

    @ParameterizedTest
    @EnumSource(Backend.class)
    void whatNoDatasetMayHoldIsRefusedWithItsPlace(Backend backend) throws IOException {
        Path file = jelly(S, NodeFactory.createLiteralString("x"));
        try (DatasetStore store = backend.open(folder)) {
            String message = assertThrows(FormatException.class, () -> store.load(file.toString())).getMessage();
            assertTrue(message.contains("made.jelly, frame 0, row ") && message.contains("a statement has the literal \"x\" as subject"), message);
            assertEquals(set(), content(store));
        }
    }

    /** TDB2 stores a question mark in place of half a surrogate pair. */
    @ParameterizedTest
    @ValueSource(strings = {"all.jelly", "all.nq", "all.ttl"})
    void aDatasetThatNoFileCanHoldLeavesNone(String name) throws IOException {
        try (DatasetStore store = DatasetStore.open("mem:")) {
            store.dataset().executeWrite(() -> store.dataset().add(
                    Quad.create(Quad.defaultGraphIRI, S, S, NodeFactory.createLiteralString("\ud800"))));
            String message = assertThrows(IllegalArgumentException.class,
                    () -> store.dump(folder.resolve(name).toString())).getMessage();
            assertEquals(folder.resolve(name) + ": the dataset has half a surrogate pair (U+D800) at character 0 of a literal, which no "
                    + "file can hold; replace it by SPARQL Update", message);
            assertFalse(Files.exists(folder.resolve(name)));
        }
    }
}

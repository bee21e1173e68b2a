package io.jellybridge.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Patches;
import io.jellybridge.convert.PatchFiles;
import io.jellybridge.convert.FileLocation;
import io.jellybridge.http.AnsweringServer;
import io.jellybridge.jena.dataset.OpenDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EffectCheckTest {
    private static final String INTEGER = "^^<http://www.w3.org/2001/XMLSchema#integer>";
    @TempDir
    Path folder;

    private Patches patch(String rows) throws IOException {
        return PatchFiles.openPatches(new FileLocation(Files.writeString(folder.resolve("a.rdfp"), rows).toString()), null, false);
    }

    private void refuses(OpenDataset dataset, String rows, String says) throws IOException {
        Patches patches = patch(rows);
        String message = assertThrows(FormatException.class, () -> EffectCheck.check(dataset, patches, EffectCheck.Rows.ALL)).getMessage();
        assertTrue(message.contains(says), message);
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void eachRowHasToChangeTheDatasetAsItIsThen(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            dataset.update("INSERT DATA { <urn:a> <urn:p> 'there', 42 . GRAPH <urn:g> { <urn:a> <urn:p> 'g' } }");
            EffectCheck.check(dataset, patch("TX .\nD <urn:a> <urn:p> \"there\" .\nA <urn:a> <urn:p> \"there\" .\nTC .\n"), EffectCheck.Rows.ALL);
            EffectCheck.check(dataset, patch("TX .\nD <urn:a> <urn:p> \"g\" <urn:g> .\nD <urn:a> <urn:p> \"42\"" + INTEGER + " .\nTC .\n"), EffectCheck.Rows.ALL);
            EffectCheck.check(dataset, patch("TX .\nA <urn:a> <urn:p> \"there\" .\nTA .\nPA \"e\" <urn:e:> .\n"), EffectCheck.Rows.ALL);
            refuses(dataset, "D <urn:a> <urn:p> \"g\" .\n", "the deletion of what the dataset does not hold: <urn:a> <urn:p> \"g\" .");
            refuses(dataset, "A <urn:a> <urn:p> \"there\" .\n", "the addition of what the dataset holds already");
            refuses(dataset, "A <urn:a> <urn:p> \"g\" .\nA <urn:a> <urn:p> \"g\" .\n", "line 2");
            refuses(dataset, "D <urn:a> <urn:p> _:none .\n", "the deletion of what the dataset does not hold");
            assertEquals(3, dataset.size());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void byDefaultADeletionOfABlankNodeThatIsNotThereIsRefused(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            OpenDataset dataset = opened.dataset();
            String unfit = "TX .\nD _:other <urn:p> \"1\" .\nA _:other <urn:p> \"2\" .\nTC .\n";
            String message = assertThrows(FormatException.class,
                    () -> EffectCheck.check(dataset, patch(unfit), EffectCheck.Rows.BLANK)).getMessage();
            assertTrue(message.contains("line 2") && message.contains("the deletion of what the dataset does not hold: _:other")
                    && message.contains("blank nodes are found by their labels"), message);
            EffectCheck.check(dataset, patch(unfit), EffectCheck.Rows.byName("none"));
            String harmless = "D <urn:a> <urn:p> \"none\" .\nA _:new <urn:p> \"1\" .\nA _:new <urn:p> \"1\" .\n";
            EffectCheck.check(dataset, patch(harmless), EffectCheck.Rows.BLANK);
            EffectCheck.check(dataset, patch(harmless + "D _:new <urn:p> \"1\" .\n"), EffectCheck.Rows.BLANK);
            EffectCheck.check(dataset, patch("TX .\nD _:other <urn:p> \"1\" .\nTA .\n"), EffectCheck.Rows.BLANK);
        }
    }

    @Test
    void aStoreThatCantBeAskedForBlankNodesIsReadOnce() throws IOException {
        try (AnsweringServer server = new AnsweringServer(200, "application/sparql-results+json",
                        "{\"head\":{\"vars\":[]},\"results\":{\"bindings\":[]}}");
                OpenDataset store = SparqlOptions.of("sparql:" + server.url() + "update?query=" + server.url() + "query",
                        Map.of("defaultGraph", "exclusive")).dataset()) {
            String rows = "A _:a <urn:p> \"1\" .\nA _:b <urn:p> \"1\" .\nA <urn:a> <urn:p> \"1\" .\n";
            EffectCheck.check(store, patch(rows), EffectCheck.Rows.ALL);
            assertEquals(1, server.requests());
        }
    }

    @ParameterizedTest
    @EnumSource(TestDataset.class)
    void manyQuadsAreLookedForAtOnce(TestDataset kind) throws IOException {
        try (TestDataset.Opened opened = kind.open(folder)) {
            StringBuilder rows = new StringBuilder();
            for (int i = 0; i < 150; i++) {
                rows.append("A <urn:a> <urn:p> \"").append(i).append("\" .\n");
            }
            EffectCheck.check(opened.dataset(), patch(rows.toString()), EffectCheck.Rows.ALL);
            opened.dataset().update("INSERT DATA { <urn:a> <urn:p> '149' }");
            refuses(opened.dataset(), rows.toString(), "the addition of what the dataset holds already: <urn:a> <urn:p> \"149\" .");
        }
    }
}

package io.jellybridge.bundler;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class MergeJarsTest {

    private static final String MANIFEST = "Manifest-Version: 1.0\n";

    @TempDir
    Path folder;

    private final Map<String, Path> artifacts = new LinkedHashMap<>();
    private Path list;
    private Path own;

    @BeforeEach
    void makeOwnJar() throws IOException {
        list = folder.resolve("artifacts.txt");
        Files.writeString(list, "# nothing yet\n");
        own = jar("own", MANIFEST + "Implementation-Version: 9\n",
                "META-INF/LICENSE", "ours", "META-INF/services/a.Service", "own.Provider\n", "own/Provider.class", "");
    }

    @Test
    void serviceFilesAreJoinedWithoutCommentsAndRepetition() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "META-INF/services/a.Service", "one.A # why\none.B");
        artifact("g:two:1", MANIFEST, "META-INF/LICENSE", "L", "META-INF/services/a.Service", "one.B\n\n# x\ntwo.C\n");
        assertEquals("own.Provider\none.A\none.B\ntwo.C\n", merged().get("META-INF/services/a.Service"));
    }

    @Test
    void licencesAreKeptApartByArtifact() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "one's", "META-INF/NOTICE.txt", "one's notice");
        artifact("g:two:2", MANIFEST, "LICENSE.md", "two's");
        Map<String, String> merged = merged();
        assertEquals("ours", merged.get("META-INF/LICENSE"));
        assertEquals("one's", merged.get("META-INF/licenses/one-1/LICENSE"));
        assertEquals("one's notice", merged.get("META-INF/licenses/one-1/NOTICE.txt"));
        assertEquals("two's", merged.get("META-INF/licenses/two-2/LICENSE.md"));
    }

    @Test
    void anArtifactWithoutLicenceIsRefusedUnlessTheListNamesOne() throws IOException {
        artifact("g:one:1", MANIFEST, "one/A.class", "");
        assertMessage("g:one:1 has no licence file", this::merged);
        Files.writeString(list, "g:one:1 MIT licenses/one.txt\n");
        Files.createDirectories(folder.resolve("licenses"));
        Files.writeString(folder.resolve("licenses/one.txt"), "one's");
        assertEquals("one's", merged().get("META-INF/licenses/one-1/LICENSE"));
    }

    @Test
    void artifactsThatAreNotThoseOfTheListAreRefusedByName() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L");
        Files.writeString(list, "g:one:2 MIT\n");
        assertMessage("[g:one:1]", this::merged);
        assertMessage("[g:one:2]", this::merged);
    }

    @Test
    void ofAMultiReleaseJarTheClassesForOurReleaseStay() throws IOException {
        artifact("g:one:1", MANIFEST + "Multi-Release: true\n", "META-INF/LICENSE", "L", "one/A.class", "8",
                "META-INF/versions/11/one/A.class", "11", "META-INF/versions/9/one/A.class", "9",
                "META-INF/versions/21/one/A.class", "21", "META-INF/versions/9/module-info.class", "m");
        Map<String, String> merged = merged();
        assertEquals("11", merged.get("one/A.class"));
        assertTrue(merged.keySet().stream().noneMatch(name -> name.contains("versions") || name.contains("module")));
    }

    @Test
    void withoutTheManifestsWordVersionedClassesAreIgnored() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "one/A.class", "8",
                "META-INF/versions/11/one/A.class", "11");
        assertEquals("8", merged().get("one/A.class"));
    }

    @Test
    void differentBytesUnderOneNameAreRefused() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "x/A.class", "1");
        artifact("g:two:1", MANIFEST, "META-INF/LICENSE", "L", "x/A.class", "2");
        assertMessage("x/A.class is in one-1 and, different, in two-1", this::merged);
    }

    @Test
    void aFileOfMetaInfThatNoRuleKnowsIsRefused() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "META-INF/plugins.dat", "?");
        assertMessage("META-INF/plugins.dat", this::merged);
    }

    @Test
    void signaturesAndBuildRecordsAreLeftOut() throws IOException {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "META-INF/X.SF", "", "META-INF/X.RSA", "",
                "META-INF/maven/g/one/pom.xml", "", "module-info.class", "");
        assertEquals(List.of("META-INF/LICENSE", "META-INF/MANIFEST.MF", "META-INF/licenses/one-1/LICENSE",
                "META-INF/services/a.Service", "own/Provider.class"), List.copyOf(merged().keySet()));
    }

    @Test
    void jenasPackagesKeepTheirVersionAndTheJarHasOurs() throws IOException {
        artifact("g:jena:5", MANIFEST + "Implementation-Version: 5\n", "META-INF/LICENSE", "L",
                "org/apache/jena/query/ARQ.class", "");
        artifact("g:other:7", MANIFEST + "Implementation-Version: 7\n", "META-INF/LICENSE", "L", "x/A.class", "");
        merged();
        try (JarFile jar = new JarFile(folder.resolve("merged.jar").toFile())) {
            assertEquals("9", jar.getManifest().getMainAttributes().getValue("Implementation-Version"));
            assertEquals("5",
                    jar.getManifest().getAttributes("org/apache/jena/query/").getValue("Implementation-Version"));
            assertFalse(jar.getManifest().getEntries().containsKey("x/"));
        }
    }

    @Test
    void theSameContentMakesTheSameBytes() throws Exception {
        artifact("g:one:1", MANIFEST, "META-INF/LICENSE", "L", "one/A.class", "a");
        merged();
        byte[] first = Files.readAllBytes(folder.resolve("merged.jar"));
        Path second = folder.resolve("second.jar");
        ReproducibleJar.main(new String[] {folder.resolve("merged.jar").toString(), second.toString()});
        assertArrayEquals(first, Files.readAllBytes(second));
    }

    @Test
    void aLineOfAnotherFormIsRefusedInTheList() throws IOException {
        Files.writeString(list, "g:one MIT\n");
        assertMessage("\"g:one MIT\" is not", this::merged);
    }

    private static void assertMessage(String part, Executable call) {
        String message = assertThrows(IllegalArgumentException.class, call).getMessage();
        assertTrue(message.contains(part), message);
    }

    /** Makes an artifact of names and contents, and adds it to the list. */
    private void artifact(String coordinates, String manifest, String... namesAndContents) throws IOException {
        artifacts.put(coordinates, jar(coordinates.replace(':', '-'), manifest, namesAndContents));
        Files.writeString(list, Files.readString(list) + coordinates + " MIT\n");
    }

    private Path jar(String name, String manifest, String... namesAndContents) throws IOException {
        SortedMap<String, byte[]> content = new TreeMap<>();
        content.put(JarFile.MANIFEST_NAME, manifest.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < namesAndContents.length; i += 2) {
            content.put(namesAndContents[i], namesAndContents[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        Path jar = folder.resolve(name + ".jar");
        ReproducibleJar.write(jar, content);
        return jar;
    }

    private SortedMap<String, String> merged() throws IOException {
        Path out = folder.resolve("merged.jar");
        MergeJars.merge(out, own, new ArtifactList(list, folder), artifacts);
        SortedMap<String, String> content = new TreeMap<>();
        try (JarFile jar = new JarFile(out.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                try (var in = jar.getInputStream(entry)) {
                    content.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return content;
    }
}

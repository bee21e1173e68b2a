package io.jellybridge.bundler;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A build step that merges jars into one, before relocation.
 *
 * <p>Service files are joined. Licences and notices go to {@code META-INF/licenses/ARTIFACT-VERSION/}. A multi-release jar
 * keeps only the classes for {@value #JAVA_RELEASE}, in their ordinary place. Modules, signatures and build records are left
 * out. Different content under one name is an error, and so is a file of {@code META-INF} that no rule here covers.
 */
public final class MergeJars {

    private static final int JAVA_RELEASE = 17;
    private static final String SERVICES = "META-INF/services/";
    private static final String LICENSES = "META-INF/licenses/";
    /** Jena's packages keep their version in the manifest, since Jena is not relocated and reads it. */
    private static final String KEEPS_VERSION = "org/apache/jena/";

    private static final List<Attributes.Name> VERSION =
            List.of(Attributes.Name.IMPLEMENTATION_TITLE, Attributes.Name.IMPLEMENTATION_VERSION);

    private static final Pattern LEFT_OUT = Pattern.compile(
            "(.*/)?module-info\\.class"
                    + "|META-INF/[^/]+\\.(SF|RSA|DSA|EC)"
                    + "|META-INF/(MANIFEST\\.MF|INDEX\\.LIST)"
                    + "|META-INF/(maven|proguard)/.*"
                    + "|META-INF/[^/]+\\.kotlin_module"
                    + "|google/protobuf/[^/]+\\.proto");
    private static final Pattern LICENSE = Pattern.compile(
            "(META-INF/)?((LICENSE|NOTICE|COPYING|COPYRIGHT|DEPENDENCIES)[^/]*)", Pattern.CASE_INSENSITIVE);
    private static final Pattern VERSIONED = Pattern.compile("META-INF/versions/(\\d+)/(.+)");

    private final SortedMap<String, byte[]> content = new TreeMap<>();
    private final Map<String, String> originOf = new HashMap<>();
    private final Map<String, Set<String>> services = new TreeMap<>();
    private final Manifest manifest = new Manifest();

    private MergeJars() {
    }

    /**
     * Runs the merge.
     *
     * @param args the jar to write; our own jar, whose manifest and licence the bundle gets; the list of artifacts (see {@link
     *     ArtifactList}); the project's folder; then {@code group:artifact:version=JAR} for each artifact
     */
    public static void main(String[] args) throws IOException {
        Map<String, Path> jars = new LinkedHashMap<>();
        for (String arg : Arrays.asList(args).subList(4, args.length)) {
            int equals = arg.indexOf('=');
            jars.put(arg.substring(0, equals), Path.of(arg.substring(equals + 1)));
        }
        merge(Path.of(args[0]), Path.of(args[1]), new ArtifactList(Path.of(args[2]), Path.of(args[3])), jars);
    }

    /**
     * @throws IllegalArgumentException the jars are not those of the list, lack a licence, or conflict
     */
    static void merge(Path out, Path own, ArtifactList list, Map<String, Path> jars) throws IOException {
        list.check(jars.keySet());
        MergeJars merge = new MergeJars();
        merge.addOwn(own);
        for (Map.Entry<String, Path> jar : jars.entrySet()) {
            merge.addArtifact(list.get(jar.getKey()), jar.getValue());
        }
        merge.write(out);
    }

    private void addOwn(Path path) throws IOException {
        try (JarFile jar = new JarFile(path.toFile())) {
            manifest.getMainAttributes().putAll(jar.getManifest().getMainAttributes());
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (entry.isDirectory() || LEFT_OUT.matcher(entry.getName()).matches()) {
                    continue;
                }
                byte[] bytes = read(jar, entry);
                if (entry.getName().startsWith(SERVICES)) {
                    addService(entry.getName(), bytes);
                } else {
                    add("jellybridge", entry.getName(), bytes);
                }
            }
        }
    }

    private void addArtifact(ArtifactList.Artifact artifact, Path path) throws IOException {
        boolean licensed = false;
        SortedMap<Integer, Map<String, byte[]>> versions = new TreeMap<>();
        Map<String, byte[]> plain = new LinkedHashMap<>();
        try (JarFile jar = new JarFile(path.toFile())) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                String name = entry.getName();
                if (entry.isDirectory() || LEFT_OUT.matcher(name).matches()) {
                    continue;
                }
                Matcher license = LICENSE.matcher(name);
                Matcher versioned = VERSIONED.matcher(name);
                if (license.matches()) {
                    licensed |= license.group(3).equalsIgnoreCase("LICENSE");
                    add(artifact.name(), LICENSES + artifact.name() + "/" + license.group(2), read(jar, entry));
                } else if (name.startsWith(SERVICES)) {
                    addService(name, read(jar, entry));
                } else if (versioned.matches()) {
                    int version = Integer.parseInt(versioned.group(1));
                    boolean code = !versioned.group(2).startsWith("OSGI-INF/");
                    if (jar.isMultiRelease() && version <= JAVA_RELEASE && code) {
                        versions.computeIfAbsent(version, v -> new LinkedHashMap<>())
                                .put(versioned.group(2), read(jar, entry));
                    }
                } else if (name.startsWith("META-INF/")) {
                    throw new IllegalArgumentException(artifact.coordinates() + ": " + name
                            + ": say in MergeJars what is to become of this file");
                } else {
                    plain.put(name, read(jar, entry));
                }
            }
            versions.values().forEach(plain::putAll);
            plain.forEach((name, bytes) -> add(artifact.name(), name, bytes));
            addVersions(plain.keySet(), jar.getManifest());
        }
        if (artifact.licenseFile() != null) {
            add(artifact.name(), LICENSES + artifact.name() + "/LICENSE", Files.readAllBytes(artifact.licenseFile()));
        } else if (!licensed) {
            throw new IllegalArgumentException(artifact.coordinates()
                    + " has no licence file: name one in the third column of the list of artifacts");
        }
        if (artifact.noticeFile() != null) {
            add(artifact.name(), LICENSES + artifact.name() + "/NOTICE", Files.readAllBytes(artifact.noticeFile()));
        }
    }

    private void addVersions(Set<String> names, Manifest of) {
        for (String name : names) {
            if (name.startsWith(KEEPS_VERSION) && name.endsWith(".class")) {
                Attributes kept = manifest.getEntries()
                        .computeIfAbsent(name.substring(0, name.lastIndexOf('/') + 1), p -> new Attributes());
                for (Attributes.Name key : VERSION) {
                    if (of.getMainAttributes().containsKey(key)) {
                        kept.put(key, of.getMainAttributes().get(key));
                    }
                }
            }
        }
    }

    private void addService(String name, byte[] bytes) {
        Set<String> classes = services.computeIfAbsent(name, n -> new LinkedHashSet<>());
        new String(bytes, StandardCharsets.UTF_8).lines()
                .map(line -> line.replaceFirst("#.*", "").trim())
                .filter(line -> !line.isEmpty())
                .forEach(classes::add);
    }

    private void add(String origin, String name, byte[] bytes) {
        byte[] before = content.putIfAbsent(name, bytes);
        if (before != null && !Arrays.equals(before, bytes)) {
            throw new IllegalArgumentException(name + " is in " + originOf.get(name) + " and, different, in " + origin);
        }
        originOf.putIfAbsent(name, origin);
    }

    private void write(Path out) throws IOException {
        services.forEach((name, classes) ->
                add("services", name, (String.join("\n", classes) + "\n").getBytes(StandardCharsets.UTF_8)));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        content.put(JarFile.MANIFEST_NAME, bytes.toByteArray());
        ReproducibleJar.write(out, content);
    }

    private static byte[] read(JarFile jar, JarEntry entry) throws IOException {
        try (var in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }
}

package io.jellybridge.bundler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/** A build step that writes a jar whose bytes depend on its content only: sorted names, the manifest first, and one date. */
public final class ReproducibleJar {

    /** The first date that a zip entry can store without an extra field. */
    private static final LocalDateTime DATE = LocalDateTime.of(1980, 2, 1, 0, 0);

    private ReproducibleJar() {
    }

    /**
     * Copies a jar.
     *
     * @param args the jar, and the jar to write with the same content
     */
    public static void main(String[] args) throws IOException {
        SortedMap<String, byte[]> content = new TreeMap<>();
        try (JarFile jar = new JarFile(args[0])) {
            for (JarEntry entry : Collections.list(jar.entries())) {
                if (!entry.isDirectory()) {
                    try (var in = jar.getInputStream(entry)) {
                        content.put(entry.getName(), in.readAllBytes());
                    }
                }
            }
        }
        write(Path.of(args[1]), content);
    }

    /** Writes {@code content}, by name. A failed write leaves no jar behind. */
    static void write(Path out, SortedMap<String, byte[]> content) throws IOException {
        Path unfinished = out.resolveSibling(out.getFileName() + ".unfinished");
        Files.createDirectories(out.toAbsolutePath().getParent());
        try {
            try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(unfinished))) {
                // Readers of a stream (JarInputStream) look for the manifest in the first entry only.
                put(jar, JarFile.MANIFEST_NAME, content.get(JarFile.MANIFEST_NAME));
                for (var entry : content.entrySet()) {
                    if (!entry.getKey().equals(JarFile.MANIFEST_NAME)) {
                        put(jar, entry.getKey(), entry.getValue());
                    }
                }
            }
            Files.move(unfinished, out, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(unfinished);
        }
    }

    private static void put(JarOutputStream jar, String name, byte[] bytes) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(DATE);
        jar.putNextEntry(entry);
        jar.write(bytes);
        jar.closeEntry();
    }
}

package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.wire.WireWriter;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/** Files that are small and mean harm: of each kind several, of different sizes. */
final class MaliciousFiles {
    static final int COUNT = 100;

    private static final int KINDS = 20;
    private static final int NAMES = 4000;
    private static final int PATCH = 11;
    private static final int RDF = 9;

    private MaliciousFiles() {
    }

    /** Writes the file of a number, from 0, into the folder. */
    static Path write(Path folder, int number) throws IOException {
        int size = number / KINDS;
        int length = 1 << 17 + size;
        return switch (number % KINDS) {
            case 0 -> jelly(folder, number, PATCH, out -> names(out, PATCH, length, 2000));
            case 1 -> jelly(folder, number, RDF, out -> names(out, RDF, length, 2000));
            case 2 -> jelly(folder, number, PATCH, out -> entries(out, PATCH, length >> 3));
            case 3 -> jelly(folder, number, RDF, out -> entries(out, RDF, length >> 3));
            case 4 -> jelly(folder, number, PATCH, out -> datatypes(out, length));
            case 5 -> jelly(folder, number, PATCH, out -> literal(out, '\1', (3 + size) << 20, 1));
            case 6 -> jelly(folder, number, PATCH, out -> literal(out, 'x', length, 1000));
            case 7 -> jelly(folder, number, PATCH, out -> nested(out, length));
            case 8 -> jelly(folder, number, PATCH, out -> headers(out, length));
            case 9 -> text(folder, number, "nq.gz", "", size < 3 ? "x" : "<http://e/", length, 200);
            case 10 -> text(folder, number, "nq.gz", "", "<urn:s> <urn:p> \"\\u0001 .", 1 << 8, 1 << 16);
            case 11 -> text(folder, number, "rdfp.gz", "H id \"", "y", length, 100);
            case 12 -> names(folder, number, "rdfp", prefix("PA \"p\" <http://e/", length, "> .\n"), "A p:a%d p:b p:c%<d .\n", "");
            case 13 -> names(folder, number, "ttl", prefix("@prefix p: <http://e/", length, "> .\n"), "p:a%d p:b p:c%<d .\n", "");
            case 14 -> names(folder, number, "trig", prefix("@base <http://e/", length, "/> .\n"), "<a%d> <b> <c%<d> .\n", "");
            case 15 -> text(folder, number, "rdf", entities(), "", 1, 1);
            case 16 -> names(folder, number, "jsonld", prefix("{\"@context\":{\"@vocab\":\"http://e/", length, "\"},\"x\":1"),
                    ",\"a%d\":\"b\"", "}");
            case 17 -> bytes(folder, number, "trp", thrift(size));
            case 18 -> bytes(folder, number, "jellyp", new byte[] {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 0x0A, 0x7F});
            default -> names(folder, number, "rdf", prefix("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\""
                    + " xml:base=\"http://e/", length, "/\" xmlns:p=\"http://p/\">\n"),
                    "<rdf:Description rdf:about=\"a%d\"><p:q rdf:resource=\"b%<d\"/></rdf:Description>\n", "</rdf:RDF>");
        };
    }

    private static String prefix(String before, int length, String after) {
        return before + "p".repeat(length) + after;
    }

    /** Ten levels of entities, each ten of the one before. */
    private static String entities() {
        StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<!DOCTYPE r [<!ENTITY e0 \"" + "e".repeat(100) + "\">\n");
        for (int i = 1; i <= 10; i++) {
            text.append("<!ENTITY e").append(i).append(" \"").append(("&e" + (i - 1) + ";").repeat(10)).append("\">\n");
        }
        return text + "]>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:p=\"http://p/\">"
                + "<rdf:Description rdf:about=\"http://a/\"><p:q>&e10;</p:q></rdf:Description></rdf:RDF>";
    }

    /** A string that claims two GiB; or triple terms in triple terms. */
    private static byte[] thrift(int size) {
        byte[] bytes = new byte[1 << 18];
        Arrays.fill(bytes, size % 2 == 0 ? (byte) 0x1C : (byte) 0x2C);
        if (size > 2) {
            System.arraycopy(new byte[] {0x3C, 0x1C, 0x2C, 0x18, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07}, 0,
                    bytes, 0, 9);
        }
        return bytes;
    }

    private static Path bytes(Path folder, int number, String suffix, byte[] bytes) throws IOException {
        return Files.write(folder.resolve(number + "." + suffix), bytes);
    }

    private static Path text(Path folder, int number, String suffix, String before, String piece, int times, int more)
            throws IOException {
        Path file = folder.resolve(number + "." + suffix);
        byte[] content = piece.repeat(times).getBytes(UTF_8);
        try (OutputStream raw = new BufferedOutputStream(Files.newOutputStream(file));
                OutputStream out = suffix.endsWith(".gz") ? new GZIPOutputStream(raw) : raw) {
            out.write(before.getBytes(UTF_8));
            for (int i = 0; i < more; i++) {
                out.write(content);
            }
        }
        return file;
    }

    private static Path names(Path folder, int number, String suffix, String before, String row, String after)
            throws IOException {
        StringBuilder text = new StringBuilder(before);
        for (int i = 0; i < 2500; i++) {
            text.append(row.formatted(i));
        }
        return bytes(folder, number, suffix, text.append(after).toString().getBytes(UTF_8));
    }

    // --- the Jelly formats

    private static Path jelly(Path folder, int number, int firstEntry, Consumer<OutputStream> frames) throws IOException {
        Path file = folder.resolve(number + (firstEntry == PATCH ? ".jellyp.gz" : ".jelly.gz"));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            frame(out, rows -> row(rows, 1, options -> {
                options.varintField(1, firstEntry == PATCH ? 2 : 0);
                options.varintField(2, 2);
                options.varintField(4, 1);
                options.varintField(9, NAMES);
                options.varintField(10, 150);
                options.varintField(11, 32);
                options.varintField(15, 1);
            }));
            frames.accept(out);
        }
        return file;
    }

    private static void frame(OutputStream out, Consumer<WireWriter> rows) {
        WireWriter frame = new WireWriter(1 << 16);
        rows.accept(frame);
        WireWriter length = new WireWriter(Integer.BYTES);
        length.writeVarint(frame.size());
        try {
            for (WireWriter part : new WireWriter[] {length, frame}) {
                byte[] bytes = new byte[part.size()];
                part.copyTo(bytes, 0, bytes.length);
                out.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void row(WireWriter frame, int kind, Consumer<WireWriter> content) {
        int row = frame.beginMessage(1);
        int message = frame.beginMessage(kind);
        content.accept(frame);
        frame.endMessage(message);
        frame.endMessage(row);
    }

    private static void entry(WireWriter frame, int kind, int id, String value) {
        byte[] bytes = value.getBytes(UTF_8);
        row(frame, kind, entry -> {
            entry.varintField(1, id);
            entry.bytesField(2, bytes, 0, bytes.length);
        });
    }

    private static void iri(WireWriter message, int field, int prefix, int name) {
        int iri = message.beginMessage(field);
        message.varintField(1, prefix);
        message.varintField(2, name);
        message.endMessage(iri);
    }

    private static void literal(WireWriter message, int field, byte[] lexical, int datatype) {
        int literal = message.beginMessage(field);
        message.bytesField(1, lexical, 0, lexical.length);
        message.varintField(3, datatype);
        message.endMessage(literal);
    }

    /** One long prefix, and many names. */
    private static void names(OutputStream out, int first, int length, int count) {
        frame(out, rows -> entry(rows, first + 1, 1, "urn:" + "p".repeat(length)));
        for (int i = 1; i <= count; i++) {
            int name = i;
            frame(out, rows -> {
                entry(rows, first, name, "n" + name);
                row(rows, first == PATCH ? 2 : 3, quad -> {
                    iri(quad, 1, 1, name);
                    iri(quad, 5, 1, name);
                    literal(quad, 11, new byte[] {'o'}, 0);
                    quad.endMessage(quad.beginMessage(15));
                });
            });
        }
    }

    /** As many long names as a lookup has. */
    private static void entries(OutputStream out, int first, int length) {
        String name = "n".repeat(length);
        for (int i = 1; i <= NAMES; i++) {
            int id = i;
            frame(out, rows -> entry(rows, first, id, name));
        }
    }

    private static void datatypes(OutputStream out, int length) {
        frame(out, rows -> {
            entry(rows, PATCH, 1, "urn:n");
            entry(rows, PATCH + 2, 1, "urn:" + "d".repeat(length));
        });
        for (int i = 1; i <= 2000; i++) {
            byte[] lexical = Integer.toString(i).getBytes(UTF_8);
            frame(out, rows -> row(rows, 2, quad -> {
                iri(quad, 1, 0, 1);
                iri(quad, 5, 0, 1);
                literal(quad, 11, lexical, 1);
                quad.endMessage(quad.beginMessage(15));
            }));
        }
    }

    /** One long literal, which rows repeat. */
    private static void literal(OutputStream out, char character, int length, int rowCount) {
        byte[] lexical = String.valueOf(character).repeat(length).getBytes(UTF_8);
        frame(out, rows -> {
            entry(rows, PATCH, 1, "urn:n");
            row(rows, 2, quad -> {
                iri(quad, 1, 0, 1);
                iri(quad, 5, 0, 1);
                literal(quad, 11, lexical, 0);
                quad.endMessage(quad.beginMessage(15));
            });
        });
        for (int i = 2; i <= rowCount; i++) {
            int name = i;
            frame(out, rows -> {
                entry(rows, PATCH, name, "urn:n" + name);
                row(rows, 2, quad -> iri(quad, 1, 0, name));
            });
        }
    }

    /** Triple terms in triple terms, of one long IRI. */
    private static void nested(OutputStream out, int length) {
        frame(out, rows -> {
            entry(rows, PATCH, 1, "urn:" + "n".repeat(length));
            for (int i = 0; i < 100; i++) {
                row(rows, 14, header -> {
                    int[] marks = new int[60];
                    for (int depth = 0; depth < marks.length; depth++) {
                        marks[depth] = header.beginMessage(depth == 0 ? 5 : 12);
                        iri(header, 1, 0, 1);
                        iri(header, 5, 0, 1);
                    }
                    iri(header, 9, 0, 1);
                    for (int depth = marks.length - 1; depth >= 0; depth--) {
                        header.endMessage(marks[depth]);
                    }
                });
            }
        });
    }

    private static void headers(OutputStream out, int length) {
        byte[] key = "k".repeat(length).getBytes(UTF_8);
        for (int i = 0; i < 500; i++) {
            frame(out, rows -> row(rows, 14, header -> {
                header.bytesField(1, key, 0, key.length);
                literal(header, 4, key, 0);
            }));
        }
    }
}

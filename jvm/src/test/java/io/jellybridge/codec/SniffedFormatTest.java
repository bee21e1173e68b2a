package io.jellybridge.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read as something that it is not is recognized by how it begins. */
class SniffedFormatTest {

    /** What bytes look like in the midst of others. */
    private static SniffedFormat of(byte[] bytes) {
        byte[] around = new byte[bytes.length + 10];
        Arrays.fill(around, (byte) 0x1F);
        System.arraycopy(bytes, 0, around, 5, bytes.length);
        SniffedFormat sniffed = SniffedFormat.of(around, 5, 5 + bytes.length);
        assertEquals(sniffed, SniffedFormat.of(bytes, 0, bytes.length));
        return sniffed;
    }

    @ParameterizedTest
    @CsvSource({"1F8B, GZIP", "28B52FFD, ZSTD", "425A68, BZIP2", "FD377A585A, XZ", "504B0304, ZIP", "50415231, PARQUET",
        "FFFE, UTF16", "FEFF, UTF16"})
    void packedDataIsKnownByItsFirstBytesAndByNoFewer(String hex, SniffedFormat sniffed) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertEquals(sniffed, of(bytes));
        assertEquals(sniffed, of(Arrays.copyOf(bytes, 100)));
        for (int length = 0; length < bytes.length; length++) {
            assertNull(of(Arrays.copyOf(bytes, length)));
        }
        bytes[bytes.length - 1] ^= 1;
        assertNotEquals(sniffed, of(bytes));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"GZIP | a.jellyp.gz | decompress it", "GZIP | a.GZ | decompress it",
        "GZIP | a.jellyp | decompress it, or end its name in .gz", "GZIP | | decompress it, or end its name in .gz",
        "RDF_PATCH | a.rdfp | read it as rdf-patch", "XZ | a.xz | decompress it"})
    void aFileIsNotAdvisedToHaveTheNameThatItHas(SniffedFormat sniffed, String file, String advice) {
        assertEquals(advice, sniffed.adviceFor(file));
    }

    @ParameterizedTest
    @CsvSource({"a.zip, ZIP", "a.nt.xz, XZ", "a.PARQUET, PARQUET", "a.obo, OBO", "a.ofn, OWL_FUNCTIONAL", "a.gz,", "a.nt,", "a,"})
    void whatIsNotReadIsKnownByItsSuffix(String file, SniffedFormat sniffed) {
        assertEquals(sniffed, SniffedFormat.ofSuffix(file));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "<!DOCTYPE html> | HTML", "<HTML lang='en'> | HTML", "<?xml version='1.0'?> | XML", "<rdf:RDF> | XML",
        "{'a': 1} | JSON",
        "Prefix(:=<http://e/>) | OWL_FUNCTIONAL", "Ontology(<http://e/> | OWL_FUNCTIONAL", "Prefix: : <http://e/> | OWL_MANCHESTER",
        "format-version: 1.2 | OBO", "<?xml version=\"1.0\"?><Ontology xmlns=\"b\" ontologyIRI=\"a\"> | OWL_XML",
        "<?xml version=\"1.0\"?><rdf:RDF><owl:Ontology rdf:about=\"a\"/> | XML", "[1] | JSON", "@prefix a: <b> . | TURTLE", "@base <b> . | TURTLE", "PREFIX a: <b> | TURTLE",
        "base <b> | TURTLE", "TX . | RDF_PATCH", "H id <urn:uuid:1> . | RDF_PATCH", "A <s> <p> <o> . | RDF_PATCH",
        "<http://e/s> <http://e/p> <http://e/o> . | NQUADS", "_:b <p> 'o' . | NQUADS", "<<( <s> <p> <o> )>> <q> 1 . | NQUADS"})
    void textIsKnownByItsFirstRowThatIsNoComment(String row, SniffedFormat sniffed) {
        assertEquals(sniffed, of(Streams.utf8(row)));
        assertEquals(sniffed, of(Streams.utf8("\uFEFF# a comment\r\n\n \t\n  " + row + "\r\nmore")));
        assertNull(of(Streams.utf8(row + "\n\u0001")), "no text has such a character");
        assertNull(of(Streams.utf8("# only a comment\n")));
        assertNull(of(Streams.utf8("word " + row)));
    }

    @Test
    void bothFormatsOfOursAreKnownByTheirOptionsHoweverFramesBegin() throws IOException {
        for (boolean delimited : new boolean[] {true, false}) {
            WriteOptions cut = new WriteOptions(1024, delimited, 1 << 20);
            byte[] patch = Streams.write(Streams.QUADS, cut, to -> { });
            assertEquals(SniffedFormat.JELLY_PATCH, of(patch));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            new RdfWriter<>(out, "test", new Utf8Terms(), RdfOptions.DEFAULT, cut).close();
            assertEquals(SniffedFormat.JELLY, of(out.toByteArray()));
        }
    }

    /** Which options say which format: other writers leave out what is 0, and may begin with fields that we do not know. */
    @ParameterizedTest
    @CsvSource({"1 9 15, JELLY_PATCH", "15 1, JELLY_PATCH", "14 15, JELLY", "9 15, JELLY", "15 9, JELLY", "9 10, ", "20 15, JELLY",
        "20 1, JELLY_PATCH", "'', "})
    void theFormatsDifferInTheirOptions(String fields, SniffedFormat sniffed) {
        Consumer<Raw> options = raw -> {
            for (String field : fields.isEmpty() ? new String[0] : fields.split(" ")) {
                raw.add(Integer.parseInt(field), 1);
            }
        };
        check(sniffed, options);
        check(SniffedFormat.JELLY, raw -> options.accept(raw.add(1, "the stream's name")));
    }

    private static void check(SniffedFormat sniffed, Consumer<Raw> options) {
        byte[] frame = Raw.bytes(raw -> raw.add(1, row -> row.add(1, options)));
        byte[] withOther = Raw.bytes(raw -> raw.add(1000, "other").add(1, row -> row.add(1, options)));
        assertEquals(sniffed, of(delimited(frame)));
        assertEquals(sniffed, of(delimited(new byte[0], new byte[0], frame)), "behind empty frames");
        assertEquals(sniffed, of(delimited(withOther)), "behind a field that is no row");
    }

    private static byte[] delimited(byte[]... frames) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            out.write(frame.length);
            out.writeBytes(frame);
        }
        return out.toByteArray();
    }

    @Test
    void aFirstRowThatIsNotTheOptionsLooksLikeNothing() {
        byte[] name = Raw.bytes(raw -> raw.add(1, row -> row.add(11, value -> value.add(2, "x"))));
        assertNull(of(delimited(name)));
        assertNull(of(new byte[0]));
        byte[] patch = Streams.write(Streams.QUADS, to -> { });
        assertNull(of(Arrays.copyOf(patch, 4)), "too few bytes to tell");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<http://e/s> <http://e/p> <http://e/o> .\n", "TX .\nA <s> <p> <o> .\nTC .\n"})
    void whoReadsAnotherFormatIsToldWhichItIsAndHowToReadIt(String text) {
        SniffedFormat sniffed = of(Streams.utf8(text));
        FormatException e = assertThrows(FormatException.class, () -> Streams.read(Streams.utf8(text)));
        assertEquals("what looks like " + sniffed + ", not Jelly-Patch", e.found());
        assertEquals(sniffed.advice(), e.advice());
        assertEquals(true, sniffed.advice().contains(sniffed == SniffedFormat.NQUADS ? "nquads" : "rdf-patch"));
    }

    @Test
    void aFileOfTheOtherFormatIsSaidToBeThatAndOneOfTheSameIsSaidToBeBroken() throws IOException {
        byte[] patch = Streams.write(Streams.QUADS, to -> Streams.add(to, "<urn:s>", "<urn:p>", "<urn:o>", null));
        FormatException other = assertThrows(FormatException.class, () -> readRdf(patch));
        assertEquals("what looks like Jelly-Patch, not Jelly-RDF", other.found());
        byte[] rdf = delimited(Raw.bytes(raw -> raw.add(1, row -> row.add(1, options ->
                options.add(2, 9).add(9, 8).add(14, 1).add(15, 1)))));
        FormatException own = assertThrows(FormatException.class, () -> readRdf(rdf));
        assertEquals("a physical type of 9", own.found());
    }

    private static void readRdf(byte[] stream) throws IOException {
        try (RdfReader<byte[]> reader =
                new RdfReader<>(new ByteArrayInputStream(stream), "test", new Utf8Terms(), ReadOptions.DEFAULT)) {
            reader.readAll((subject, predicate, object, graph) -> { });
        }
    }
}

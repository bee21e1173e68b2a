package io.jellybridge.jena.riot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.files.Compression;
import java.nio.file.Path;
import org.apache.jena.riot.Lang;
import org.junit.jupiter.api.Test;

class RdfFileTest {

    @Test
    void theSyntaxIsThatOfTheLastSuffixButThatOfTheCompression() {
        assertEquals(Lang.NQUADS, RdfFile.of("a.nq").lang());
        assertEquals(Lang.NQUADS, RdfFile.of("some/folder/a.ttl#b.nq.gz").lang());
        assertEquals(Lang.TURTLE, RdfFile.of("a.ttl.zst").lang());
        assertEquals(Lang.NTRIPLES, RdfFile.of(".nt").lang());
        for (String none : new String[] {"a", "a.", "folder.nq/a", "a.gz", "", "a.txt", "a.nq "}) {
            assertNull(RdfFile.of(none).lang(), none);
        }
    }

    @Test
    void aSyntaxThatIsNamedCountsMore() {
        assertEquals(Lang.TURTLE, new RdfFile("a.nq", "a.nq", null, "ttl", false).lang());
        assertEquals(Lang.TURTLE, new RdfFile("a", "a", null, "Turtle", false).lang());
        assertEquals(Lang.TURTLE, new RdfFile("a", "a", null, "text/turtle", false).lang());
        RdfFile none = new RdfFile("/tmp/copy.nq", "s3://bucket/a", null, "spam", false);
        assertNull(none.lang());
        assertTrue(none.unknownSyntaxError().getMessage().startsWith("s3://bucket/a: 'spam' is of no RDF syntax; use .nq, "));
        assertTrue(RdfFile.of("a.txt").unknownSyntaxError().getMessage().startsWith("a.txt: the suffix is of no RDF syntax"));
        assertEquals("a.nt.xz: the suffix is of xz data, which is not read; decompress it",
                RdfFile.of("a.nt.xz").unknownSyntaxError().getMessage());
    }

    @Test
    void onlyHttpIsRemote() {
        for (String remote : new String[] {"http://h/a.nq", "HTTPS://h/a.nq"}) {
            assertTrue(RdfFile.of(remote).isRemote(), remote);
        }
        for (String local : new String[] {"a.nq", "file:///a.nq", "http/a.nq", "/a/http:b.nq"}) {
            assertFalse(RdfFile.of(local).isRemote(), local);
        }
    }

    @Test
    void relativeIrisGoFromTheFileOrFromWhatItIsACopyOf() {
        assertEquals(Path.of("/a b.nt"), RdfFile.of("file:///a%20b.nt").file());
        assertEquals("file:///a%20b.nt", RdfFile.of("/a b.nt").baseIri());
        assertEquals("http://h/a.nt",
                new RdfFile("/tmp/copy.nt", "s3://bucket/a.nt", "http://h/a.nt", null, false).baseIri());
        assertEquals("http://h/a.nt", new RdfFile("/a.nt", "/a.nt", "http://h/a.nt", null, false).baseIri());
        assertNull(new RdfFile("/tmp/copy.nt", "s3://bucket/a.nt", null, null, false).baseIri());
        assertEquals(Compression.GZIP, RdfFile.of("a.nq.gz").compression());
        assertEquals(Compression.ZSTD, RdfFile.of("a.nq.zst").compression());
        assertEquals(Compression.NONE, RdfFile.of("a.gz.nq").compression());
    }
}

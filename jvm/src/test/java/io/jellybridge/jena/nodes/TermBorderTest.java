package io.jellybridge.jena.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchHandler;
import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.PatchWriter;
import io.jellybridge.codec.RdfOptions;
import io.jellybridge.codec.RdfWriter;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.TermRules;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.jena.apply.ApplyCheck;
import io.jellybridge.text.NQuadsParser;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import io.jellybridge.text.RdfPatchWriteOptions;
import io.jellybridge.text.RdfPatchWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.jena.graph.Node;
import org.apache.jena.rdfpatch.RDFPatchOps;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.system.ErrorHandlerFactory;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.junit.jupiter.api.Test;

/**
 * One check of terms for every writer: random terms near the border of RDF 1.2, at every position. What one writer takes,
 * all take, our readers in strict and Jena's own read, and a dataset takes; what one refuses, all refuse, and so does a
 * dataset.
 */
class TermBorderTest {
    private static final int TERMS = Integer.getInteger("jellybridge.terms", 4000);
    private static final String S = "<http://e/s>";
    private static final String P = "<http://e/p>";
    private static final PatchOptions STAR = PatchOptions.DEFAULT.withRdfStar(true);
    private static final WriteOptions ANY = WriteOptions.DEFAULT.withTerms(TermRules.ANY);

    private static final String[] SEEDS = {
        "<http://e/o>", "<urn:x>", "<o>", "<//e/o>", "<a:>", "<:a>", "<1a:b>", "<a+b-c.d:e>", "<>", "<_:o>",
        "<http://é/ü#x>", "<http://e/a\\u0020b>", "<http://e/\\u003C>", "<http://e/\\u007B>", "<http://e/\\u00E9>",
        "<http://e/%20>",
        "\"x\"", "\"\"", "\"x\\n\"", "\"x\"@en", "\"x\"@EN-gb", "\"x\"@en_US", "\"x\"@1", "\"x\"@x-1", "\"x\"@en-",
        "\"x\"@-en", "\"x\"@abcdefgh", "\"x\"@abcdefghi", "\"x\"@en-12345678", "\"x\"@en-123456789",
        "\"x\"@en--ltr", "\"x\"@ar--rtl", "\"x\"@en--LTR", "\"x\"@en--up", "\"x\"@en---ltr", "\"x\"@en--ltr-x",
        "\"x\"@--ltr", "\"1\"^^<urn:d>", "\"1\"^^<d>",
        "\"1\"^^<http://www.w3.org/2001/XMLSchema#string>",
        "\"1\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>",
        "\"1\"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString>", "\"1\"^^<urn:d\\u0020>",
        "_:b", "_:b1.c", "<<( <urn:s> <urn:p> \"x\"@en_US )>>", "<<( <urn:s> <p> \"x\" )>>", "<<( _:s <urn:p> \"x\" )>>",
        "<<( \"s\" <urn:p> \"x\" )>>", "<<( <urn:s> _:p \"x\" )>>"};
    private static final String[] PIECES = {
        "-", "--", "_", ":", "_:", "@", "1", "a", "Z", "é", "/", "#", "ltr", "\\u0020", "\\u003E", "\\u0060",
        "\\u00FC", "%", "+", "^^", "\"", "<", ">", ".", "12345678"};

    private final NQuadsParser nquads = new NQuadsParser(true);

    /** A term, with a piece put in or taken out. */
    private static String near(Random random) {
        StringBuilder term = new StringBuilder(SEEDS[random.nextInt(SEEDS.length)]);
        for (int changes = random.nextInt(3); changes > 0; changes--) {
            int at = random.nextInt(term.length());
            if (random.nextInt(3) == 0) {
                term.deleteCharAt(at);
            } else {
                term.insert(at, PIECES[random.nextInt(PIECES.length)]);
            }
            if (term.length() == 0) {
                return "";
            }
        }
        return term.toString();
    }

    /** A statement of which one term is near the border. */
    private record Statement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {

        static Statement of(int position, String term) {
            byte[][] terms = {S.getBytes(UTF_8), P.getBytes(UTF_8), "\"o\"".getBytes(UTF_8), null};
            terms[position] = term.getBytes(UTF_8);
            return new Statement(terms[0], terms[1], terms[2], terms[3]);
        }

        void writeTo(PatchHandler<byte[]> patch) {
            patch.statement(Op.A, subject, predicate, object, graph);
        }
    }

    /** What is done with a statement. */
    private interface Writing {
        void write() throws IOException;
    }

    private static boolean takes(Writing writing) throws IOException {
        try {
            writing.write();
            return true;
        } catch (FormatException | TermSyntaxException e) {
            return false;
        }
    }

    private static byte[] jelly(Statement statement, PatchOptions options, WriteOptions cut) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (PatchWriter<byte[]> writer = new PatchWriter<>(out, "jelly-patch", new Utf8Terms(), options, cut)) {
            statement.writeTo(writer);
        }
        return out.toByteArray();
    }

    private static void jellyRdf(Statement statement) throws IOException {
        try (RdfWriter<byte[]> writer = new RdfWriter<>(new ByteArrayOutputStream(), "jelly", new Utf8Terms(),
                RdfOptions.DEFAULT.withRdfStar(true), WriteOptions.DEFAULT)) {
            writer.statement(statement.subject, statement.predicate, statement.object, statement.graph);
        }
    }

    private static byte[] text(Statement statement) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (RdfPatchWriter<byte[]> writer =
                new RdfPatchWriter<>(out, "rdf-patch", new Utf8Terms(), RdfPatchWriteOptions.DEFAULT)) {
            statement.writeTo(writer);
        }
        return out.toByteArray();
    }

    /** A line of N-Quads. */
    private byte[] line(Statement statement) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[][] terms = {statement.subject, statement.predicate, statement.object, statement.graph};
        for (int position = 0; position < terms.length; position++) {
            if (terms[position] != null) {
                nquads.parseTerm(position, terms[position]);
                out.writeBytes(nquads.copyTerm(position));
                out.write(' ');
            }
        }
        out.write('.');
        return out.toByteArray();
    }

    private static ApplyCheck check(byte[] patch) throws IOException {
        try (PatchReader<Node> reader =
                new PatchReader<>(new ByteArrayInputStream(patch), "test", new NodeTerms(), ReadOptions.STRICT)) {
            return ApplyCheck.of(reader, false);
        }
    }

    @Test
    void whatOneWriterTakesAllTakeAndAllReadAndWhatOneRefusesAllRefuse() throws IOException {
        Random random = new Random(6);
        int taken = 0;
        int refused = 0;
        Set<String> refusedByDatasets = new TreeSet<>();
        for (int i = 0; i < TERMS; i++) {
            int position = i < 4 * SEEDS.length ? i % 4 : random.nextInt(4);
            String term = i < 4 * SEEDS.length ? SEEDS[i / 4] : near(random);
            boolean hasLabel = term.startsWith("_:") || term.contains(" _:");
            if (hasLabel && !term.matches("_:[a-zA-Z0-9]+|<<\\( _:s .*")) {
                continue; // labels: N-Quads has a grammar for them, patches take any
            }
            String what = term + " as " + List.of("subject", "predicate", "object", "graph").get(position);
            Statement statement = Statement.of(position, term);
            boolean taking = takes(() -> jelly(statement, STAR, WriteOptions.DEFAULT));
            assertEquals(taking, takes(() -> jellyRdf(statement)), "jelly: " + what);
            assertEquals(taking, takes(() -> text(statement)), "rdf-patch: " + what);
            assertEquals(taking, takes(() -> line(statement)), "nquads: " + what);
            if (taking) {
                taken++;
                checkRead(statement, what);
            } else if (checkRefused(statement, what)) {
                refused++;
                refusedByDatasets.add(term);
            }
        }
        assertTrue(taken > TERMS / 10 && refused > TERMS / 10, taken + " taken, " + refused + " refused");
        Set<String> known = Set.of("<o>", "\"x\"@en_US", "\"x\"@1", "<http://e/a\\u0020b>", "\"1\"^^<d>");
        assertTrue(refusedByDatasets.containsAll(known), refusedByDatasets.toString());
    }

    private void checkRead(Statement statement, String what) throws IOException {
        byte[] line = line(statement);
        byte[] patch = jelly(statement, STAR, WriteOptions.DEFAULT);
        assertTrue(nquads.parse(line, 0, line.length), what);
        List<String> read = new ArrayList<>();
        for (int position = 0; position < NQuadsParser.POSITIONS; position++) {
            read.add(nquads.isPresent(position) ? new String(nquads.copyTerm(position), UTF_8) : null);
        }
        assertEquals(read, strict(patch), what);
        assertEquals(read, plain(text(statement)), what);
        if (statement.subject[0] != '<' || statement.subject[1] != '<') { // Jena 5 has no quoted subjects in N-Quads
            DatasetGraph jena = DatasetGraphFactory.create();
            RDFParser.fromString(new String(line, UTF_8), Lang.NQUADS)
                    .errorHandler(ErrorHandlerFactory.errorHandlerExceptionOnError()).parse(StreamRDFLib.dataset(jena));
            assertEquals(1, jena.stream().count(), what);
        }
        RDFPatchOps.read(new ByteArrayInputStream(text(statement)));
        check(patch);
    }

    private static List<String> strict(byte[] patch) throws IOException {
        return read(new PatchReader<>(new ByteArrayInputStream(patch), "test", new Utf8Terms(), ReadOptions.STRICT));
    }

    private static List<String> plain(byte[] text) throws IOException {
        return read(new RdfPatchReader<>(
                new ByteArrayInputStream(text), "test", new Utf8Terms(), RdfPatchReadOptions.DEFAULT));
    }

    private static List<String> read(PatchSource<byte[]> source) throws IOException {
        List<String> read = new ArrayList<>();
        try (source) {
            source.readAll(collecting(read));
        }
        return read;
    }

    private static PatchHandler<byte[]> collecting(List<String> read) {
        return new PatchAdapter<>() {
            @Override
            public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                for (byte[] term : Arrays.asList(subject, predicate, object, graph)) {
                    read.add(term == null ? null : new String(term, UTF_8));
                }
            }
        };
    }

    /** Whether there is such a term at all; if so, datasets refuse it. */
    private static boolean checkRefused(Statement statement, String what) throws IOException {
        PatchOptions all = STAR.withGeneralizedStatements(true);
        if (!takes(() -> jelly(statement, all, ANY))) {
            return false;
        }
        byte[] foreign = jelly(statement, all, ANY);
        assertEquals(4, strict(foreign).size(), "patches of others are read: " + what);
        assertThrows(RuntimeException.class, () -> check(foreign), () -> "a dataset takes " + what);
        return true;
    }
}

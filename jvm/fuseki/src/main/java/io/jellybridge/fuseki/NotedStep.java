package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.http.PatchProtocol;
import io.jellybridge.jena.apply.PatchApplier;
import io.jellybridge.jena.apply.PositionUpdate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.jena.graph.Node;
import org.apache.jena.sparql.core.DatasetGraph;

/**
 * The step that the parameters of a request define, with the notes in the headers of its patches. There may be many notes.
 */
final class NotedStep implements PatchApplier.Step {
    private static final byte[] NOTE = PatchProtocol.NOTE.getBytes(UTF_8);

    private final PositionUpdate advance;
    /** The notes; null before the patches are read the first time. */
    private List<String> notes;

    NotedStep(PositionUpdate advance) {
        this.advance = advance;
    }

    /** Returns the source. On the first call, it is wrapped to collect the headers. */
    PatchSource<Node> listen(PatchSource<Node> source) {
        if (notes != null) {
            return source;
        }
        notes = new ArrayList<>();
        return new Listener(source);
    }

    @Override
    public void before(DatasetGraph dataset) {
        advance.before(dataset);
    }

    @Override
    public void after(DatasetGraph dataset) {
        new PositionUpdate(advance.key(), advance.expected(), advance.next(), notes).after(dataset);
    }

    /** A listener that collects the notes. */
    private final class Listener extends HeaderListener {

        Listener(PatchSource<Node> source) {
            super(source);
        }

        @Override
        public void header(byte[] key, Node value) {
            if (Arrays.equals(key, NOTE)) {
                if (!value.isLiteral()) {
                    throw error("header", value + " as header " + PatchProtocol.NOTE, "write a literal");
                }
                notes.add(value.getLiteralLexicalForm());
            }
            super.header(key, value);
        }
    }
}

package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;

import java.util.Map;
import java.util.Random;

/**
 * Random statements of Jelly-RDF from a seed. Only what the options allow, except for calls that a writer has to refuse,
 * which {@link #illegalCall} makes.
 */
final class RandomStatements {
    private final Random random;
    private final RdfOptions options;
    private final RandomRowTerms terms;

    RandomStatements(long seed, RdfOptions options) {
        this.random = new Random(seed);
        this.options = options;
        this.terms = new RandomRowTerms(random, options.generalizedStatements(), options.rdfStar(),
                options.maxDatatypeTableSize() > 0);
    }

    /**
     * Makes random calls.
     *
     * @param to     gets the legal calls, each once
     * @param frames how many frames, each ended
     * @param each   runs before every legal call
     */
    void frames(RdfHandler<byte[]> to, int frames, Runnable each) {
        boolean graphs = options.physicalType() == PhysicalType.GRAPHS;
        byte[] graph = null;
        boolean open = false;
        for (int frame = 0; frame < frames; frame++) {
            for (int rows = random.nextInt(40); rows > 0; rows--) {
                each.run();
                if (options.namespaceDeclarations() && random.nextInt(10) == 0) {
                    to.namespace(utf8(terms.prefixName()), terms.iri());
                } else if (graphs && (!open || random.nextInt(6) == 0)) {
                    if (open) {
                        to.endGraph();
                    } else {
                        graph = terms.graph();
                        to.startGraph(graph);
                    }
                    open = !open;
                } else {
                    to.statement(terms.subject(), terms.predicate(), terms.object(), graphs ? graph : graphOfRow());
                }
            }
            if (open && (frame == frames - 1 || random.nextBoolean())) {
                to.endGraph();
                open = false;
            }
            to.endFrame(Map.of());
        }
    }

    private byte[] graphOfRow() {
        return options.physicalType() == PhysicalType.QUADS ? terms.graph() : null;
    }

    /** Makes one call that a writer of these options has to refuse, whatever came before. */
    void illegalCall(RdfWriter<byte[]> writer) {
        byte[] s = terms.iri();
        byte[] p = terms.iri();
        switch (random.nextInt(7)) {
            case 0 -> writer.statement(s, p, null, null);
            case 1 -> writer.statement(s, p, utf8("?variable"), null);
            case 2 -> writer.statement(s, utf8("<unfinished"), p, null);
            case 3 -> writer.namespace(utf8("ex"), null);
            case 4 -> writer.namespace(utf8("a:b"), s);
            case 5 -> writer.namespace(utf8("ex"), utf8("\"no IRI\""));
            default -> {
                switch (options.physicalType()) {
                    case TRIPLES -> writer.statement(s, p, s, utf8("<urn:g>"));
                    case QUADS -> writer.startGraph(s);
                    case GRAPHS -> writer.startGraph(utf8("?variable"));
                }
            }
        }
    }
}

package io.jellybridge.codec;

import static io.jellybridge.codec.Streams.utf8;

import java.util.Random;

/**
 * Random patches from a seed: every term kind, repeated terms, odd strings. Only what the options allow, except for calls
 * that a writer has to refuse, which {@link #illegalCall} makes.
 */
final class RandomPatches {
    private final Random random;
    private final PatchOptions options;
    private final RandomRowTerms terms;

    RandomPatches(long seed, PatchOptions options) {
        this.random = new Random(seed);
        this.options = options;
        this.terms = new RandomRowTerms(random, options.generalizedStatements(), options.rdfStar(),
                options.maxDatatypeTableSize() > 0);
    }

    /**
     * Makes random calls.
     *
     * @param to      gets the legal calls, each once
     * @param patches how many patches, each ended
     * @param each    runs before every legal call
     */
    void patches(PatchHandler<byte[]> to, int patches, Runnable each) {
        for (int patch = 0; patch < patches; patch++) {
            int rows = random.nextInt(40);
            boolean open = false;
            for (int row = 0; row < rows; row++) {
                each.run();
                int choice = random.nextInt(20);
                if (choice == 0) {
                    to.header(utf8(terms.string()), terms.value());
                } else if (choice < 3) {
                    Op op = random.nextBoolean() ? Op.PA : Op.PD;
                    byte[] namespace = op == Op.PD && random.nextBoolean() ? null : terms.iri();
                    to.prefix(op, utf8(terms.prefixName()), namespace, graph());
                } else if (choice < 6) {
                    to.transaction(open ? (random.nextBoolean() ? Op.TC : Op.TA) : Op.TX);
                    open = !open;
                } else {
                    to.statement(random.nextBoolean() ? Op.A : Op.D,
                            terms.subject(), terms.predicate(), terms.object(), graph());
                }
            }
            if (open) {
                to.transaction(Op.TC);
            }
            to.endPatch();
        }
    }

    /** Makes one call that a writer of these options has to refuse, whatever came before. */
    void illegalCall(PatchWriter<byte[]> writer) {
        byte[] s = terms.iri();
        byte[] p = terms.iri();
        switch (random.nextInt(7)) {
            case 0 -> writer.statement(Op.A, s, p, null, null);
            case 1 -> writer.statement(Op.A, s, p, utf8("?variable"), null);
            case 2 -> writer.statement(Op.D, s, utf8("<unfinished"), p, null);
            case 3 -> writer.prefix(Op.PA, utf8("ex"), null, null);
            case 4 -> writer.prefix(Op.PA, utf8("a:b"), s, null);
            case 5 -> writer.header(utf8("k"), new byte[] {'"', (byte) 0xFF, '"'});
            default -> writer.prefix(Op.PD, utf8("ex"), utf8("\"no IRI\""), null);
        }
    }

    private byte[] graph() {
        return options.statementType() == StatementType.TRIPLES ? null : terms.graph();
    }
}

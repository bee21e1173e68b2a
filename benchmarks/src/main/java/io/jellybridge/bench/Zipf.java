package io.jellybridge.bench;

import java.util.Arrays;

/** Zipf's distribution over the ranks from 0: rank {@code r} is drawn in proportion to {@code 1 / (r + 1)^exponent}. */
final class Zipf {
    private final double[] cumulative;

    Zipf(int ranks, double exponent) {
        cumulative = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += Math.pow(rank + 1, -exponent);
            cumulative[rank] = sum;
        }
        for (int rank = 0; rank < ranks; rank++) {
            cumulative[rank] /= sum;
        }
    }

    /** @param uniform a number drawn evenly from 0 (inclusive) to 1 (exclusive) */
    int rank(double uniform) {
        int found = Arrays.binarySearch(cumulative, uniform);
        return Math.min(found < 0 ? -found - 1 : found + 1, cumulative.length - 1);
    }
}

package io.jellybridge.spark.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The position that a dataset stores for a writer of batches. As a term, it is the number of the batch, an {@code xsd:long}. If
 * the patches have chains, it is a text of words: the number, then the state of the chains.
 *
 * @param number the number of the last batch
 * @param chain  the state of the chains after that batch
 */
record BatchPosition(long number, PatchChain chain) {
    private static final String LONG = "^^<http://www.w3.org/2001/XMLSchema#long>";
    private static final Pattern TERM = Pattern.compile("\"(\\d{1,19})(?:" + Pattern.quote('"' + LONG)
            + "|((?: [^\" ]+){3,})\")");
    /** The characters that end a word or are escaped in a literal, with their replacements. */
    private static final String[][] ESCAPES = {{"%", "%25"}, {" ", "%20"}, {"\"", "%22"}, {"\\", "%5C"}};

    /**
     * Parses the position that a dataset stores.
     *
     * @param key the key under which it is stored, for the message
     * @throws IllegalStateException the term is not a position
     */
    static BatchPosition parse(String term, String key) {
        Matcher matcher = TERM.matcher(term);
        if (!matcher.matches()) {
            throw new IllegalStateException("the dataset is at " + term + " under <" + key
                    + ">, which is no number of a batch; something else than this sink wrote that");
        }
        List<String> state = matcher.group(2) == null ? List.of()
                : Arrays.stream(matcher.group(2).substring(1).split(" ")).map(BatchPosition::unescape).toList();
        return new BatchPosition(Long.parseLong(matcher.group(1)), new PatchChain(state));
    }

    /** Returns the position in canonical N-Triples. */
    String term() {
        List<String> words = new ArrayList<>(List.of(Long.toString(number)));
        chain.state().forEach(term -> words.add(escape(term)));
        return '"' + String.join(" ", words) + '"' + (words.size() == 1 ? LONG : "");
    }

    private static String escape(String term) {
        String word = term;
        for (String[] escape : ESCAPES) {
            word = word.replace(escape[0], escape[1]);
        }
        return word;
    }

    private static String unescape(String word) {
        String term = word;
        for (int i = ESCAPES.length - 1; i >= 0; i--) {
            term = term.replace(ESCAPES[i][1], ESCAPES[i][0]);
        }
        return term;
    }
}

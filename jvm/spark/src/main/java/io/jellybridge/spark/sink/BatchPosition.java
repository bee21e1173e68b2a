package io.jellybridge.spark.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a dataset keeps of who writes batches to it. As a term: the number, an {@code xsd:long}; where the patches have
 * chains, a text of words, of which the first is the number and the others are how far the chains came.
 *
 * @param number of the last batch
 * @param chain  how far the patches came by then
 */
record BatchPosition(long number, PatchChain chain) {
    private static final String LONG = "^^<http://www.w3.org/2001/XMLSchema#long>";
    private static final Pattern TERM = Pattern.compile("\"(\\d{1,19})(?:" + Pattern.quote('"' + LONG)
            + "|((?: [^\" ]+){3,})\")");
    /** What ends a word, or is escaped in the text of a literal, and what stands for it in a word. */
    private static final String[][] ESCAPES = {{"%", "%25"}, {" ", "%20"}, {"\"", "%22"}, {"\\", "%5C"}};

    /**
     * The position that a dataset has.
     *
     * @param key where it has it, for the message
     * @throws IllegalStateException it is none
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

    /** In canonical N-Triples. */
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

package io.jellybridge.sync;

import java.util.Comparator;

/** Names in the order that people expect: numbers in them count as numbers, so {@code log2} comes before {@code log10}. */
final class NaturalOrder implements Comparator<String> {
    static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {
    }

    @Override
    public int compare(String a, String b) {
        int i = 0;
        int j = 0;
        while (i < a.length() && j < b.length()) {
            int result;
            if (isDigit(a.charAt(i)) && isDigit(b.charAt(j))) {
                int endOfA = endOfNumber(a, i);
                int endOfB = endOfNumber(b, j);
                result = compareNumbers(a.substring(i, endOfA), b.substring(j, endOfB));
                i = endOfA;
                j = endOfB;
            } else {
                result = Character.compare(a.charAt(i++), b.charAt(j++));
            }
            if (result != 0) {
                return result;
            }
        }
        int rest = Integer.compare(a.length() - i, b.length() - j);
        return rest != 0 ? rest : a.compareTo(b);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static int endOfNumber(String text, int start) {
        int end = start;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int compareNumbers(String a, String b) {
        String x = withoutZeros(a);
        String y = withoutZeros(b);
        int byLength = Integer.compare(x.length(), y.length());
        return byLength != 0 ? byLength : x.compareTo(y);
    }

    private static String withoutZeros(String number) {
        int start = 0;
        while (start < number.length() - 1 && number.charAt(start) == '0') {
            start++;
        }
        return number.substring(start);
    }
}

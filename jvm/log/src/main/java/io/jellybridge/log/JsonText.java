package io.jellybridge.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON, as log servers answer and offsets are kept: an object becomes a {@link Map}, an array a {@link List}, and
 * the rest strings, {@link Long}, {@link Double}, {@link Boolean} and null.
 */
public final class JsonText {
    private static final int MAX_DEPTH = 32;

    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /** @throws IOException the text is not one JSON object */
    public static Map<?, ?> object(String text) throws IOException {
        JsonText json = new JsonText(text);
        Object value = json.value(0);
        json.skipSpace();
        if (json.at < text.length() || !(value instanceof Map<?, ?> object)) {
            throw json.fault();
        }
        return object;
    }

    private Object value(int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw fault();
        }
        skipSpace();
        return switch (peek()) {
            case '{' -> members(depth);
            case '[' -> elements(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> members(int depth) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        for (boolean more = !ends('}'); more; more = goesOn('}')) {
            skipSpace();
            String name = string();
            skipSpace();
            expect(':');
            members.put(name, value(depth + 1));
        }
        return members;
    }

    private List<Object> elements(int depth) throws IOException {
        List<Object> elements = new ArrayList<>();
        at++;
        for (boolean more = !ends(']'); more; more = goesOn(']')) {
            elements.add(value(depth + 1));
        }
        return elements;
    }

    private boolean ends(char end) throws IOException {
        skipSpace();
        boolean found = peek() == end;
        at += found ? 1 : 0;
        return found;
    }

    private boolean goesOn(char end) throws IOException {
        if (ends(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private String string() throws IOException {
        expect('"');
        StringBuilder string = new StringBuilder();
        for (char c = take(); c != '"'; c = take()) {
            string.append(c == '\\' ? escaped() : c);
        }
        return string.toString();
    }

    private char escaped() throws IOException {
        char c = take();
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case '"', '\\', '/' -> c;
            case 'u' -> unicode();
            default -> throw fault();
        };
    }

    private char unicode() throws IOException {
        int code = 0;
        for (int digits = 0; digits < 4; digits++) {
            int digit = Character.digit(take(), 16);
            if (digit < 0) {
                throw fault();
            }
            code = code * 16 + digit;
        }
        return (char) code;
    }

    private Object word() throws IOException {
        int start = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                return number(word);
        }
    }

    private Object number(String word) throws IOException {
        try {
            return Long.valueOf(word);
        } catch (NumberFormatException e) {
            // no whole number
        }
        try {
            return Double.valueOf(word);
        } catch (NumberFormatException e) {
            throw fault();
        }
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() throws IOException {
        if (at >= text.length()) {
            throw fault();
        }
        return text.charAt(at);
    }

    private char take() throws IOException {
        char c = peek();
        at++;
        return c;
    }

    private void expect(char c) throws IOException {
        if (take() != c) {
            at--;
            throw fault();
        }
    }

    private IOException fault() {
        String shown = text.length() > 200 ? text.substring(0, 200) + "…" : text;
        return new IOException("this is no JSON object at character " + at + ": " + shown);
    }
}

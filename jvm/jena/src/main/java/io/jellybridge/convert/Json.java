package io.jellybridge.convert;

/** JSON text in the making. The caller sees to it that names and values alternate. */
final class Json {
    private final StringBuilder text = new StringBuilder();
    private boolean comma;

    private Json value(String raw) {
        text.append(comma ? "," : "").append(raw);
        comma = true;
        return this;
    }

    Json open(char bracket) {
        value(String.valueOf(bracket));
        comma = false;
        return this;
    }

    Json close(char bracket) {
        text.append(bracket);
        comma = true;
        return this;
    }

    Json name(String name) {
        quote(name);
        text.append(':');
        comma = false;
        return this;
    }

    /** A string; null is JSON's null. */
    Json string(String string) {
        return string == null ? value("null") : quote(string);
    }

    Json number(long number) {
        return value(Long.toString(number));
    }

    Json bool(boolean flag) {
        return value(Boolean.toString(flag));
    }

    private Json quote(String string) {
        value("\"");
        for (int i = 0; i < string.length(); i++) {
            char c = string.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                text.append(String.format("\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}

package io.jellybridge.log;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.jellybridge.codec.ExceptionMessages;
import java.io.IOException;
import java.io.StringReader;

/**
 * Parses JSON objects from untrusted sources, such as responses of servers and stored offsets. Their content is not assumed to
 * be right.
 */
public final class JsonText {

    private JsonText() {
    }

    /**
     * Parses an object.
     *
     * @throws IOException the text is not one JSON object
     */
    public static JsonObject parseObject(String text) throws IOException {
        JsonReader reader = new JsonReader(new StringReader(text));
        reader.setStrictness(Strictness.STRICT);
        try {
            JsonElement value = JsonParser.parseReader(reader);
            if (value instanceof JsonObject object && reader.peek() == JsonToken.END_DOCUMENT) {
                return object;
            }
        } catch (JsonParseException | IOException e) {
            throw noObjectError(text, e);
        }
        throw noObjectError(text, null);
    }

    /** Returns a member that is a string; null if there is none. */
    public static String getString(JsonObject object, String name) {
        return object.get(name) instanceof JsonPrimitive value && value.isString() ? value.getAsString() : null;
    }

    /** Returns a member that is an integer; null if there is none. */
    public static Long getWhole(JsonObject object, String name) {
        try {
            return object.get(name) instanceof JsonPrimitive value && value.isNumber()
                    ? Long.valueOf(value.getAsString()) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static IOException noObjectError(String text, Exception cause) {
        return new IOException("this is no JSON object: " + ExceptionMessages.excerpt(text), cause);
    }
}

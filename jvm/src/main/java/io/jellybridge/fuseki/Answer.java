package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.jena.ApplyReport;
import io.jellybridge.sync.PositionConflictException;
import io.jellybridge.text.TextFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.jena.atlas.json.JSON;
import org.apache.jena.atlas.json.JsonNull;
import org.apache.jena.atlas.json.JsonObject;
import org.apache.jena.fuseki.servlets.HttpAction;
import org.apache.jena.web.HttpSC;

/** An answer of {@link PatchEndpoint}, whose documentation says what is in them. */
record Answer(int status, JsonObject json) {

    static Answer applied(Applied applied) {
        ApplyReport report = applied.report();
        JsonObject json = new JsonObject();
        json.put("applied", applied.applied());
        json.put("patches", report.patches());
        json.put("transactions", report.transactions());
        json.put("added", report.added());
        json.put("deleted", report.deleted());
        json.put("aborted", report.aborted());
        if (applied.key() != null) {
            json.put("key", applied.key());
            json.put("position", applied.position());
        }
        return new Answer(HttpSC.OK_200, json);
    }

    static Answer conflict(PositionConflictException conflict) {
        Answer answer = error(HttpSC.CONFLICT_409, "conflict", conflict.getMessage());
        answer.json.put("key", conflict.key());
        answer.putOrNull("expected", conflict.expected());
        answer.putOrNull("found", conflict.found());
        return answer;
    }

    static Answer mediaType(String message) {
        return error(HttpSC.UNSUPPORTED_MEDIA_TYPE_415, "media-type", message);
    }

    /** What the check of a body, or of a step, refused; anything else is a fault of the server. */
    static Answer refusal(RuntimeException refusal) {
        if (refusal instanceof PatchFormatException format) {
            Answer answer = error(HttpSC.BAD_REQUEST_400, "format", format.getMessage());
            answer.json.put("rule", format.rule());
            answer.json.put("frame", format.frame());
            answer.json.put("row", format.row());
            answer.json.put("offset", format.offset());
            return answer;
        }
        if (refusal instanceof TextFormatException format) {
            Answer answer = error(HttpSC.BAD_REQUEST_400, "format", format.getMessage());
            answer.json.put("line", format.line());
            answer.json.put("column", format.column());
            return answer;
        }
        if (refusal instanceof IllegalArgumentException) {
            return error(HttpSC.BAD_REQUEST_400, "request", refusal.getMessage());
        }
        if (refusal instanceof IllegalStateException) {
            return error(HttpSC.INTERNAL_SERVER_ERROR_500, "dataset", refusal.getMessage());
        }
        throw refusal;
    }

    static Answer error(int status, String error, String message) {
        JsonObject json = new JsonObject();
        json.put("error", error);
        json.put("message", message);
        return new Answer(status, json);
    }

    private void putOrNull(String name, String value) {
        if (value == null) {
            json.put(name, JsonNull.instance);
        } else {
            json.put(name, value);
        }
    }

    /** Sends this, after the rest of the request. */
    void send(HttpAction action) {
        RequestBody.skipRest(action::getRequestInputStreamRaw);
        byte[] body = JSON.toStringFlat(json).getBytes(UTF_8);
        action.log.info("[" + action.id + "] Patch: " + status + " " + this);
        action.setResponseStatus(status);
        action.setResponseContentType("application/json");
        action.setResponseCharacterEncoding(UTF_8.name());
        action.setResponseContentLength(body.length);
        try {
            action.getResponseOutputStream().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // who asked is gone
        }
    }

    @Override
    public String toString() {
        return JSON.toStringFlat(json);
    }
}

package io.jellybridge.fuseki;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import io.jellybridge.codec.FormatException;
import io.jellybridge.jena.apply.ApplyReport;
import io.jellybridge.jena.apply.PositionConflictException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.apache.jena.fuseki.Fuseki;
import org.apache.jena.web.HttpSC;

/**
 * A JSON response. An error has its kind as {@code error}, a word, and a sentence as {@code message}. No response contains the
 * path of a file on the server. Errors that might contain one are identified by an incident, under which the server's log has
 * the details.
 */
record Answer(int status, JsonObject json) {

    /**
     * Creates the response for patches that are in the dataset.
     *
     * @param applied  false if they had been applied before
     * @param key      the key of the position; null if there was no step
     * @param position the position now; null if there was no step
     */
    static Answer fromApplied(boolean applied, ApplyReport report, String key, String position) {
        JsonObject json = new JsonObject();
        json.addProperty("applied", applied);
        json.addProperty("patches", report.patches());
        json.addProperty("transactions", report.transactions());
        json.addProperty("added", report.added());
        json.addProperty("deleted", report.deleted());
        json.addProperty("aborted", report.aborted());
        json.addProperty("changed", report.changed());
        if (key != null) {
            json.addProperty("key", key);
            json.addProperty("position", position);
        }
        return new Answer(HttpSC.OK_200, json);
    }

    static Answer fromConflict(PositionConflictException conflict) {
        Answer answer = errorAnswer(HttpSC.CONFLICT_409, "conflict", conflict.getMessage());
        answer.json.addProperty("key", conflict.key());
        answer.json.addProperty("expected", conflict.expected());
        answer.json.addProperty("found", conflict.found());
        return answer;
    }

    static Answer mediaType(String message) {
        return errorAnswer(HttpSC.UNSUPPORTED_MEDIA_TYPE_415, "media-type", message);
    }

    static Answer badRequest(String message) {
        return errorAnswer(HttpSC.BAD_REQUEST_400, "request", message);
    }

    static Answer wrongMethod(HttpServletRequest request, HttpServletResponse response, String allowed) {
        response.setHeader("Allow", allowed);
        return errorAnswer(HttpSC.METHOD_NOT_ALLOWED_405, "request",
                "the method " + request.getMethod() + "; here are " + allowed);
    }

    /** Returns the response for input that a check rejected; null if the error is a failure of the server. */
    static Answer fromRefusal(Throwable refusal) {
        if (refusal instanceof FormatException format) {
            Answer answer = errorAnswer(HttpSC.BAD_REQUEST_400, "format", format.getMessage());
            if (format.frame() >= 0) {
                answer.json.addProperty("rule", format.rule());
                answer.json.addProperty("frame", format.frame());
                answer.json.addProperty("row", format.row());
                answer.json.addProperty("offset", format.offset());
            } else {
                answer.json.addProperty("line", format.line());
                answer.json.addProperty("column", format.column());
            }
            return answer;
        }
        return refusal instanceof IllegalArgumentException ? badRequest(refusal.getMessage()) : null;
    }

    /**
     * Creates the response for a failure of the server, and logs the failure.
     *
     * @param error   the kind of the failure, a word
     * @param message a description without details of the failure
     */
    static Answer serverFailure(String error, String message, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            Fuseki.serverLog.error("jellybridge: out of memory: " + message, failure);
            return errorAnswer(HttpSC.INSUFFICIENT_STORAGE_507, "limit", message
                    + "; the request needs more memory than the server has: send it in parts, or start the server with more");
        }
        String incident = UUID.randomUUID().toString();
        Fuseki.serverLog.error("jellybridge: incident " + incident + ": " + message, failure);
        Answer answer = errorAnswer(HttpSC.INTERNAL_SERVER_ERROR_500, error,
                message + "; the server's log says why, at incident " + incident);
        answer.json.addProperty("incident", incident);
        return answer;
    }

    static Answer errorAnswer(int status, String error, String message) {
        JsonObject json = new JsonObject();
        json.addProperty("error", error);
        json.addProperty("message", message);
        return new Answer(status, json);
    }

    /** Sends the response. Replaces everything that was set before, except headers. */
    void sendTo(HttpServletResponse response) throws IOException {
        byte[] body = (this + "\n").getBytes(UTF_8);
        response.setStatus(status);
        response.setContentType("application/json");
        response.setCharacterEncoding(UTF_8.name());
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    @Override
    public String toString() {
        return json.toString();
    }
}

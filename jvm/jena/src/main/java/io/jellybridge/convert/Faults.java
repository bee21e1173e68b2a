package io.jellybridge.convert;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The faults of a file: the first ones whole, of the others how many. */
final class Faults {
    private final long kept;
    private final List<Exception> faults = new ArrayList<>();
    private final List<Boolean> tolerated = new ArrayList<>();
    private long errors;
    private long warnings;

    /** @param kept how many are kept */
    Faults(long kept) {
        this.kept = kept;
    }

    /**
     * @param fault     a {@link FormatException}, or why the input can't be read on
     * @param mayBeRead whether it is a broken MUST that reading gets over
     */
    void add(Exception fault, boolean mayBeRead) {
        if (mayBeRead) {
            warnings++;
        } else {
            errors++;
        }
        if (faults.size() < kept) {
            faults.add(fault);
            tolerated.add(mayBeRead);
        }
    }

    long errors() {
        return errors;
    }

    /** Writes the members {@code errors}, {@code warnings} and {@code faults} of an object. */
    void write(JsonWriter json) throws IOException {
        json.name("errors").value(errors).name("warnings").value(warnings).name("faults").beginArray();
        for (int i = 0; i < faults.size(); i++) {
            json.beginObject().name("severity").value(tolerated.get(i) ? "warning" : "error");
            if (faults.get(i) instanceof FormatException fault) {
                boolean inStream = fault.frame() >= 0;
                json.name("rule").value(fault.rule())
                        .name(inStream ? "frame" : "line").value(inStream ? fault.frame() : fault.line())
                        .name(inStream ? "row" : "column").value(inStream ? fault.row() : fault.column())
                        .name("offset").value(fault.offset())
                        .name("found").value(fault.found()).name("advice").value(fault.advice());
            }
            json.name("message").value(faults.get(i).getMessage()).endObject();
        }
        json.endArray();
    }
}

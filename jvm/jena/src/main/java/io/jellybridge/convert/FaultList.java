package io.jellybridge.convert;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.codec.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A list of the faults of a file: the first ones in full, the number of the others. */
final class FaultList {
    private final long kept;
    private final List<Exception> faults = new ArrayList<>();
    private final List<Boolean> tolerated = new ArrayList<>();
    private long errors;
    private long warnings;
    /** The last fault, if it is a warning; otherwise null. */
    private FormatException warning;

    /**
     * Creates an empty list.
     *
     * @param kept the number of faults to keep
     */
    FaultList(long kept) {
        this.kept = kept;
    }

    /**
     * Adds a fault. An error replaces the warning before it if both have the same rule and position.
     *
     * @param fault     a {@link FormatException}, or the reason why the input can't be read any further
     * @param mayBeRead true for a warning, which this and all other commands tolerate
     */
    void add(Exception fault, boolean mayBeRead) {
        boolean replaces = !mayBeRead && warning != null && fault instanceof FormatException error
                && error.rule().equals(warning.rule()) && error.offset() == warning.offset() && error.row() == warning.row();
        if (replaces) {
            warnings--;
            if (!faults.isEmpty() && faults.get(faults.size() - 1) == warning) {
                faults.remove(faults.size() - 1);
                tolerated.remove(tolerated.size() - 1);
            }
        }
        if (mayBeRead) {
            warnings++;
        } else {
            errors++;
        }
        warning = mayBeRead && fault instanceof FormatException tolerable ? tolerable : null;
        if (faults.size() < kept) {
            faults.add(fault);
            tolerated.add(mayBeRead);
        }
    }

    long errors() {
        return errors;
    }

    /** Writes the members {@code errors}, {@code warnings} and {@code faults} of a JSON object. */
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

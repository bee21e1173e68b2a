package io.jellybridge.convert;

import io.jellybridge.codec.PatchFormatException;
import io.jellybridge.text.TextFormatException;
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
     * @param fault     a {@link PatchFormatException} or {@link TextFormatException}, or why the input can't be read on
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
    void write(Json json) {
        json.name("errors").number(errors).name("warnings").number(warnings).name("faults").open('[');
        for (int i = 0; i < faults.size(); i++) {
            json.open('{').name("severity").string(tolerated.get(i) ? "warning" : "error");
            if (faults.get(i) instanceof PatchFormatException fault) {
                json.name("rule").string(fault.rule()).name("frame").number(fault.frame())
                        .name("row").number(fault.row()).name("offset").number(fault.offset())
                        .name("found").string(fault.found()).name("advice").string(fault.advice());
            } else if (faults.get(i) instanceof TextFormatException fault) {
                json.name("rule").string(fault.format()).name("line").number(fault.line())
                        .name("column").number(fault.column()).name("offset").number(fault.offset())
                        .name("found").string(fault.found()).name("advice").string(fault.advice());
            }
            json.name("message").string(faults.get(i).getMessage()).close('}');
        }
        json.close(']');
    }
}

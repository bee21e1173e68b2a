package io.jellybridge.fuseki;

import static io.jellybridge.options.Option.choice;
import static io.jellybridge.options.Option.flag;
import static io.jellybridge.options.Option.large;
import static io.jellybridge.options.Option.seconds;

import io.jellybridge.jena.capture.CaptureOptions;
import io.jellybridge.log.LogWriter;
import io.jellybridge.options.Option;
import io.jellybridge.options.OptionTable;
import io.jellybridge.options.OptionValues;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The options of a {@link LoggedDataset}. As system properties they begin with {@value #PREFIX}, have hyphens, and apply to
 * each dataset that {@link LoggedDatasets#PROPERTY} names. As properties of an assembler description they apply to one dataset.
 */
final class LoggedOptions {
    static final String PREFIX = LoggedDatasets.PROPERTY + ".";

    private static final Option<CaptureOptions.Start> START = choice("start", CaptureOptions.Start.class,
            CaptureOptions.Start.WHOLE, "the first patch, see [Start a log](#start-a-log)");
    private static final Option<Boolean> FSYNC = flag("fsync", true, "whether a commit waits for the disk");
    private static final Option<Boolean> EFFECTIVE_ONLY =
            flag("effectiveOnly", false, "record only changes with an effect, so that the log can be undone");
    private static final Option<Duration> MAX_SECONDS =
            seconds("maxSeconds", 10, "close a file of the log this long after its first patch");
    private static final Option<Long> MAX_BYTES =
            large("maxBytes", 64L << 20, 1, "close a file after the patch that makes it this large");
    private static final Option<Long> MAX_PATCHES = large("maxPatches", null, 1, "close a file after this many patches");

    static final OptionTable TABLE = new OptionTable("a logged dataset",
            List.of(START, FSYNC, EFFECTIVE_ONLY, MAX_SECONDS, MAX_BYTES, MAX_PATCHES), List.of());

    private LoggedOptions() {
    }

    /**
     * Parses options.
     *
     * @param given the values by name
     * @throws IllegalArgumentException a name is unknown, or a value is invalid
     */
    static CaptureOptions of(Map<String, String> given) {
        OptionValues values = TABLE.values(given);
        return CaptureOptions.DEFAULT
                .withStart(values.get(START))
                .withFsync(values.get(FSYNC))
                .withEffectiveOnly(values.get(EFFECTIVE_ONLY))
                .withRotation(new LogWriter.Rotation(values.get(MAX_BYTES), values.get(MAX_PATCHES, Long.MAX_VALUE),
                        values.get(MAX_SECONDS).toMillis()));
    }

    /** Parses the system properties. */
    static CaptureOptions ofProperties() {
        Map<String, String> given = new TreeMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(PREFIX)) {
                given.put(name.substring(PREFIX.length()).replace("-", "").toLowerCase(Locale.ROOT), System.getProperty(name));
            }
        }
        return of(given);
    }
}

package io.jellybridge.fuseki;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.jena.fuseki.Fuseki;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * What Fuseki's server log gets while this is open: messages, each with the exception behind it. Tests run beside others, so who
 * looks for what another's server may say too has it locked.
 */
final class LoggedLines extends AbstractAppender implements AutoCloseable {
    static final String LOCK = "Fuseki's log";

    private final Logger logger = (Logger) LogManager.getLogger(Fuseki.serverLog.getName());
    private final List<String> lines = new CopyOnWriteArrayList<>();

    LoggedLines() {
        super("lines", null, null, true, Property.EMPTY_ARRAY);
        start();
        logger.addAppender(this);
        logger.setLevel(Level.INFO);
    }

    @Override
    public void append(LogEvent event) {
        String cause = event.getThrown() == null ? "" : " <- " + event.getThrown();
        lines.add(event.getMessage().getFormattedMessage() + cause);
    }

    /** The lines that hold a text. */
    List<String> with(String text) {
        return lines.stream().filter(line -> line.contains(text)).toList();
    }

    @Override
    public void close() {
        logger.removeAppender(this);
    }
}

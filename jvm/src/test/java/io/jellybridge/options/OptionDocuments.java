package io.jellybridge.options;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jellybridge.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Holds the tables of options in the documents to those in the code. */
public final class OptionDocuments {

    private OptionDocuments() {
    }

    /**
     * Checks that a document has a table of these options, each of them once.
     *
     * @param document by its path from the project's folder
     * @param without  the names of options that the document does not list there
     */
    public static void assertHas(String document, Collection<String> without, OptionTable... tables) throws IOException {
        assertHas(document, markdown(without, name -> name, List.of(tables)));
    }

    /** Likewise, as the command line spells them: {@code --stream-type}. */
    public static void assertHasFlags(String document, OptionTable table) throws IOException {
        assertHas(document, markdown(List.of(), OptionDocuments::flag, List.of(table)));
    }

    private static String flag(String name) {
        return "--" + name.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    private static void assertHas(String document, String expected) throws IOException {
        assertTrue(Files.readString(ProjectFiles.folder(document)).contains(expected),
                document + " has not the table of options that the code has; put it there:\n\n" + expected);
    }

    private static String markdown(Collection<String> without, UnaryOperator<String> spelling, List<OptionTable> tables) {
        boolean countsSomewhere = tables.stream()
                .anyMatch(table -> !table.reading().isEmpty() && !table.writing().isEmpty());
        StringBuilder text = new StringBuilder(countsSomewhere
                ? (tables.size() > 1 ? "| option | of" : "| option | where") + " | takes | default | meaning |\n"
                        + "|---|---|---|---|---|\n"
                : "| option | takes | default | meaning |\n|---|---|---|---|\n");
        Set<Option<?>> options = new LinkedHashSet<>();
        tables.forEach(table -> options.addAll(OptionTable.join(table.reading(), table.writing())));
        options.removeIf(option -> without.contains(option.name()));
        for (Option<?> option : options) {
            assertTrue(option.name().matches("[a-z]+([A-Z][a-z]+)*"), option.name() + " is not spelled as options are");
            String takes = option.takes().replaceAll("[\\[\\]]", "");
            Object value = option.otherwise() instanceof Duration duration ? duration.toSeconds() : option.otherwise();
            String otherwise = value == null || value.equals("") ? "" : "`" + value + "`";
            StringJoiner cells = new StringJoiner(" | ", "| ", " |\n").add("`" + spelling.apply(option.name()) + "`");
            if (countsSomewhere) {
                cells.add(where(option, tables));
            }
            text.append(cells.add(takes).add(otherwise).add(option.meaning()));
        }
        return text.toString().replace("|  |", "| |");
    }

    /** Such as "writing `jelly-patch`, `jelly`; reading and writing `rdf-patch`"; of one table, without its name. */
    private static String where(Option<?> option, List<OptionTable> tables) {
        Map<String, Set<String>> where = new LinkedHashMap<>();
        for (OptionTable table : tables) {
            boolean read = table.reading().contains(option);
            boolean written = table.writing().contains(option);
            if (read || written) {
                where.computeIfAbsent(read && written ? "reading and writing" : read ? "reading" : "writing",
                        how -> new LinkedHashSet<>()).add("`" + table.of() + "`");
            }
        }
        return where.entrySet().stream().map(each -> tables.size() == 1 ? each.getKey()
                : each.getKey() + " " + String.join(", ", each.getValue())).collect(Collectors.joining("; "));
    }
}

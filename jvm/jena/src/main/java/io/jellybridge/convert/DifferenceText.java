package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonWriter;
import io.jellybridge.convert.ReadableDifference.BlankDescriptions;
import io.jellybridge.convert.ReadableDifference.Change;
import io.jellybridge.convert.ReadableDifference.Count;
import io.jellybridge.convert.ReadableDifference.Move;
import io.jellybridge.convert.ReadableDifference.Subject;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Writes a {@link ReadableDifference} as text with or without colours, as Markdown or as JSON. Not thread-safe. */
public final class DifferenceText {
    private static final int WIDTH = 88;
    private static final int MAX_PADDING = 28;
    private static final int MAX_DEPTH = 40;
    private static final int MAX_MOVES = 5;
    private static final String INDENT = "    ";
    /** The largest product of the lengths of two sequences to align. */
    private static final int MAX_ALIGNED = 1 << 22;
    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}_]+|\\s+|.", Pattern.DOTALL);
    private static final String FIRST = "<" + PrefixedTerms.RDF + "first>";
    private static final String REST = "<" + PrefixedTerms.RDF + "rest>";
    private static final String NIL = "<" + PrefixedTerms.RDF + "nil>";
    private static final String MARKED = "\u001b[7m";
    private static final String UNMARKED = "\u001b[27m";

    private final ReadableDifference difference;
    private final PrefixedTerms names;
    private final String old;
    private final String next;
    private final boolean colours;
    private final StringBuilder out = new StringBuilder();

    /**
     * Creates a writer.
     *
     * @param old     the name of the old snapshot
     * @param next    the name of the new snapshot
     * @param colours true to write text for a terminal with colours
     */
    public DifferenceText(ReadableDifference difference, String old, String next, boolean colours) {
        this.difference = difference;
        this.names = difference.names();
        this.old = old;
        this.next = next;
        this.colours = colours;
    }

    /** Writes the difference to a file, or to standard output. See {@link #toText} for the arguments. */
    public void write(String format, boolean statistics, FileLocation place) throws IOException {
        String text = toText(format, statistics);
        try (OutputFile target = place.create()) {
            try (Writer writer = new OutputStreamWriter(target.out(), UTF_8)) {
                writer.write(text);
            }
            target.commit();
        }
    }

    /**
     * Returns the difference.
     *
     * @param format     {@code text}, {@code markdown} or {@code json}
     * @param statistics true for the counts by graph, class and predicate alone
     * @throws IllegalArgumentException there is no such format
     * @throws IllegalStateException    there are more changes than memory holds
     */
    public String toText(String format, boolean statistics) throws IOException {
        switch (format) {
            case "text" -> writeText(statistics);
            case "markdown" -> writeMarkdown(statistics);
            case "json" -> writeJson(statistics);
            default -> throw new IllegalArgumentException("a difference is shown as text, markdown or json, not as " + format);
        }
        return out.toString();
    }

    private String summary() {
        if (difference.subjects().isEmpty()) {
            int prefixes = difference.changedPrefixes();
            return prefixes == 0 ? "No difference." : prefixes == 1 ? "No statement differs, but 1 prefix does."
                    : "No statement differs, but " + prefixes + " prefixes do.";
        }
        long isNew = difference.subjects().stream().filter(Subject::isNew).count();
        long isGone = difference.subjects().stream().filter(Subject::isGone).count();
        return String.format(Locale.ROOT, "%s added, %,d deleted. Subjects: %,d new, %,d deleted, %,d changed.",
                countStatements(difference.added()), difference.deleted(), isNew, isGone,
                difference.subjects().size() - isNew - isGone) + movesSentence();
    }

    private String movesSentence() {
        List<Move> moves = difference.moves();
        StringBuilder text = new StringBuilder();
        for (Move move : moves.subList(0, Math.min(MAX_MOVES, moves.size()))) {
            text.append(text.length() == 0 ? " Moved: " : "; ").append(countStatements(move.statements()))
                    .append(" from ").append(graphName(move.from())).append(" to ").append(graphName(move.to()));
        }
        return text + (moves.isEmpty() ? "" : moves.size() > MAX_MOVES ? "; and between other graphs." : ".");
    }

    private static String countStatements(long count) {
        return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? "statement" : "statements");
    }

    private String graphName(String graph) {
        return graph.isEmpty() ? "default graph" : "graph " + names.show(graph);
    }

    private boolean hasGraphs() {
        return difference.subjects().stream().anyMatch(subject -> !subject.graph().isEmpty());
    }

    // --- text

    private void writeText(boolean statistics) {
        StringBuilder body = new StringBuilder();
        if (statistics) {
            statistics().forEach(table -> body.append(alignColumns(table)).append('\n'));
        } else {
            String graph = hasGraphs() ? null : "";
            for (Subject subject : difference.subjects()) {
                if (!subject.graph().equals(graph)) {
                    graph = subject.graph();
                    body.append(paint(graphName(graph), "1")).append("\n\n");
                }
                writeHeading(subject, body);
                toLines(subject).forEach(line -> body.append(line).append('\n'));
                body.append('\n');
            }
        }
        out.append(paint("--- " + old, "1")).append('\n').append(paint("+++ " + next, "1")).append('\n');
        names.legend().forEach((prefix, namespace) ->
                out.append(paint("    prefix " + prefix + ": <" + PrefixedTerms.toVisible(namespace) + ">", "2")).append('\n'));
        out.append('\n').append(body).append(summary()).append('\n');
    }

    private void writeHeading(Subject subject, StringBuilder body) {
        String sign = subject.isNew() ? "+ " : subject.isGone() ? "- " : "  ";
        String colour = subject.isNew() ? "1;32" : subject.isGone() ? "1;31" : "1";
        String label = subject.label();
        body.append(paint(sign + subjectName(subject), colour)).append(label == null ? "" : "  " + label);
        if (!subject.isNew() && !subject.isGone() && !subject.isBlank() && !subject.classes().isEmpty()) {
            body.append(paint("  a " + String.join(", ", subject.newestClasses().stream().map(names::show).toList()), "2"));
        }
        body.append('\n');
    }

    private String subjectName(Subject subject) {
        return subject.isAlone() ? "[]" : names.show(subject.term());
    }

    /** Returns the changes of a subject, a line each, with a sign at its start. */
    private List<String> toLines(Subject subject) {
        List<Change> changes = new ArrayList<>(subject.unchanged());
        int unchanged = changes.size();
        changes.addAll(subject.changes());
        int padding = changes.stream().mapToInt(change -> toPredicate(change.predicate()).length())
                .filter(length -> length <= MAX_PADDING).max().orElse(0);
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            String predicate = toPredicate(change.predicate());
            String start = INDENT + predicate + " ".repeat(Math.max(0, padding - predicate.length())) + "  ";
            List<String> before = valueLines(subject.graph(), change.deleted(), start, false);
            List<String> after = valueLines(subject.graph(), change.added(), start, true);
            if (i < unchanged) {
                after.forEach(line -> lines.add("  " + line));
            } else if (before.size() > 1 || after.size() > 1) {
                addAligned(before, after, lines);
            } else {
                addPair(before, after, lines);
            }
        }
        return lines;
    }

    private String toPredicate(String predicate) {
        String label = names.isWellKnown(predicate) ? null : difference.labelOf(predicate);
        return names.toPredicate(predicate) + (label == null ? "" : " (" + label.substring(1, label.length() - 1) + ")");
    }

    /** Returns the lines of a value after the start of the first one; none for null. */
    private List<String> valueLines(String graph, String object, String start, boolean after) {
        List<String> lines = new ArrayList<>();
        if (object != null) {
            String label = difference.labelOf(object);
            lines.addAll(objectLines(difference.blankNodes(after), graph, object, INDENT, 0));
            lines.set(0, start + lines.get(0) + (label == null ? "" : paint("  # " + label.substring(1, label.length() - 1), "2")));
        }
        return lines;
    }

    private void addPair(List<String> before, List<String> after, List<String> lines) {
        boolean marks = colours && !before.isEmpty() && !after.isEmpty();
        List<String> one = marks ? markDifferences(before.get(0), after.get(0)) : List.of();
        before.forEach(line -> lines.add(paint("- " + (marks ? one.get(0) : line), "31")));
        after.forEach(line -> lines.add(paint("+ " + (marks ? one.get(1) : line), "32")));
    }

    private void addAligned(List<String> before, List<String> after, List<String> lines) {
        int[] same = alignItems(before, after);
        int at = 0;
        for (int i = 0; i <= before.size(); i++) {
            boolean isSame = i < before.size() && same[i] >= 0;
            if (i < before.size() && !isSame) {
                lines.add(paint("- " + before.get(i), "31"));
                continue;
            }
            int end = isSame ? same[i] : after.size();
            for (; at < end; at++) {
                lines.add(paint("+ " + after.get(at), "32"));
            }
            if (isSame) {
                lines.add("  " + after.get(at++));
            }
        }
    }

    /** Returns two lines in which the words that differ are marked, or as they are if they have little in common. */
    private static List<String> markDifferences(String before, String after) {
        List<String> ones = WORD.matcher(before).results().map(MatchResult::group).toList();
        List<String> others = WORD.matcher(after).results().map(MatchResult::group).toList();
        int[] same = alignItems(ones, others);
        boolean[] isSame = new boolean[ones.size()];
        boolean[] otherIsSame = new boolean[others.size()];
        int common = 0;
        for (int i = 0; i < same.length; i++) {
            if (same[i] >= 0) {
                isSame[i] = true;
                otherIsSame[same[i]] = true;
                common += ones.get(i).isBlank() ? 0 : ones.get(i).length();
            }
        }
        return 2 * common < Math.min(before.length(), after.length()) ? List.of(before, after)
                : List.of(markDifferences(ones, isSame), markDifferences(others, otherIsSame));
    }

    private static String markDifferences(List<String> words, boolean[] isSame) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < words.size(); i++) {
            boolean begins = !isSame[i] && (i == 0 || isSame[i - 1]);
            boolean ends = !isSame[i] && (i + 1 == words.size() || isSame[i + 1]);
            line.append(begins ? MARKED : "").append(words.get(i)).append(ends ? UNMARKED : "");
        }
        return line.toString();
    }

    /** Returns, for each item, the place of the equal item in the longest common sequence; -1 for none. */
    private static int[] alignItems(List<String> ones, List<String> others) {
        int[] same = new int[ones.size()];
        Arrays.fill(same, -1);
        if ((long) ones.size() * others.size() > MAX_ALIGNED) {
            return same;
        }
        int[][] lengths = new int[ones.size() + 1][others.size() + 1];
        for (int i = ones.size() - 1; i >= 0; i--) {
            for (int j = others.size() - 1; j >= 0; j--) {
                lengths[i][j] = ones.get(i).equals(others.get(j)) ? lengths[i + 1][j + 1] + 1
                        : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
            }
        }
        int j = 0;
        for (int i = 0; i < ones.size() && j < others.size();) {
            if (ones.get(i).equals(others.get(j))) {
                same[i++] = j++;
            } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
                i++;
            } else {
                j++;
            }
        }
        return same;
    }

    private String paint(String text, String colour) {
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }

    // --- values

    /** Returns a value in one line, or in several if it is a long description of a blank node. */
    private List<String> objectLines(BlankDescriptions nodes, String graph, String term, String indent, int depth) {
        String inline = inlineObject(nodes, graph, term, depth);
        if (inline.length() <= WIDTH || !isShown(nodes, graph, term, depth)) {
            return new ArrayList<>(List.of(inline));
        }
        List<String> lines = new ArrayList<>();
        List<String> members = listMembers(nodes, graph, term);
        lines.add(members == null ? "[" : "(");
        String inner = indent + INDENT;
        if (members != null) {
            for (String member : members) {
                List<String> value = objectLines(nodes, graph, member, inner, depth + 1);
                value.set(0, inner + value.get(0));
                lines.addAll(value);
            }
        } else {
            for (String[] pair : nodes.of(graph, term)) {
                List<String> value = objectLines(nodes, graph, pair[1], inner, depth + 1);
                value.set(0, inner + names.toPredicate(pair[0]) + " " + value.get(0));
                value.set(value.size() - 1, value.get(value.size() - 1) + " ;");
                lines.addAll(value);
            }
        }
        lines.add(indent + (members == null ? "]" : ")"));
        return lines;
    }

    private static boolean isShown(BlankDescriptions nodes, String graph, String term, int depth) {
        return term.startsWith("_:") && depth < MAX_DEPTH && nodes.isPart(graph, term) && !nodes.of(graph, term).isEmpty();
    }

    private String inlineObject(BlankDescriptions nodes, String graph, String term, int depth) {
        if (!isShown(nodes, graph, term, depth)) {
            return names.show(term);
        }
        StringBuilder text = new StringBuilder();
        List<String> members = listMembers(nodes, graph, term);
        if (members != null) {
            members.forEach(member -> text.append(' ').append(inlineObject(nodes, graph, member, depth + 1)));
            return "(" + text + " )";
        }
        for (String[] pair : nodes.of(graph, term)) {
            text.append(text.length() == 0 ? " " : " ; ").append(names.toPredicate(pair[0])).append(' ')
                    .append(inlineObject(nodes, graph, pair[1], depth + 1));
        }
        return "[" + text + " ]";
    }

    /** Returns the members of a list; null if the node is not the head of one. */
    private static List<String> listMembers(BlankDescriptions nodes, String graph, String head) {
        List<String> members = new ArrayList<>();
        for (String node = head; !node.equals(NIL);) {
            List<String[]> pairs = nodes.of(graph, node);
            boolean isList = pairs.size() == 2 && pairs.get(0)[0].equals(FIRST) && pairs.get(1)[0].equals(REST)
                    && nodes.isPart(graph, node);
            if (!isList) {
                return null;
            }
            members.add(pairs.get(0)[1]);
            node = pairs.get(1)[1];
        }
        return members;
    }

    // --- Markdown

    private void writeMarkdown(boolean statistics) {
        StringBuilder body = new StringBuilder();
        if (statistics) {
            statistics().forEach(table -> markdownTable(table, body));
        } else {
            boolean hasGraphs = hasGraphs();
            for (String graph : difference.subjects().stream().map(Subject::graph).distinct().toList()) {
                List<Subject> subjects = difference.subjects().stream().filter(each -> each.graph().equals(graph)).toList();
                if (hasGraphs) {
                    body.append(graph.isEmpty() ? "## Default graph" : "## Graph " + asCode(names.show(graph))).append("\n\n");
                }
                String level = hasGraphs ? "###" : "##";
                writeSection(level, "New", subjects, Subject::isNew, body);
                writeSection(level, "Deleted", subjects, Subject::isGone, body);
                writeSection(level, "Changed", subjects, subject -> !subject.isNew() && !subject.isGone(), body);
            }
        }
        out.append("# Changes from ").append(asCode(old)).append(" to ").append(asCode(next)).append("\n\n").append(summary()).append('\n');
        SortedMap<String, String> legend = names.legend();
        if (!legend.isEmpty()) {
            out.append("\nPrefixes: ").append(String.join(", ", legend.entrySet().stream()
                    .map(each -> asCode(each.getKey() + ": <" + PrefixedTerms.toVisible(each.getValue()) + ">")).toList())).append(".\n");
        }
        out.append(body.length() == 0 ? "" : "\n").append(body.toString().stripTrailing()).append(body.length() == 0 ? "" : "\n");
    }

    private void writeSection(String level, String title, List<Subject> all, Predicate<Subject> of, StringBuilder body) {
        List<Subject> subjects = all.stream().filter(of).toList();
        if (subjects.isEmpty()) {
            return;
        }
        body.append(level).append(' ').append(title).append("\n\n");
        for (Subject subject : subjects) {
            String label = subject.label();
            body.append(level).append("# ").append(asCode(subjectName(subject))).append(label == null ? "" : " — " + escapeText(label))
                    .append("\n\n```diff\n");
            toLines(subject).forEach(line -> body.append(line).append('\n'));
            body.append("```\n\n");
        }
    }

    private static String asCode(String text) {
        return "`" + text.replace('`', '\'') + "`";
    }

    private static String escapeText(String text) {
        return text.replaceAll("([\\\\`*_<>\\[\\]#|&])", "\\\\$1");
    }

    private static void markdownTable(List<String[]> rows, StringBuilder body) {
        for (int row = 0; row < rows.size(); row++) {
            String[] cells = rows.get(row);
            body.append("| ").append(row == 0 || cells[0].startsWith("(") ? cells[0] : asCode(cells[0]));
            for (int i = 1; i < cells.length; i++) {
                body.append(" | ").append(cells[i]);
            }
            body.append(" |\n").append(row == 0 ? "|---" + "|---:".repeat(cells.length - 1) + "|\n" : "");
        }
        body.append('\n');
    }

    // --- statistics

    /** Returns the tables of counts, each with a line of headings. */
    private List<List<String[]>> statistics() {
        List<List<String[]>> tables = new ArrayList<>();
        Map<String, SortedMap<String, Count>> all = difference.statistics();
        for (String of : List.of("graph", "class", "predicate")) {
            if (all.get(of).isEmpty() || of.equals("graph") && !hasGraphs()) {
                continue;
            }
            boolean hasSubjects = !of.equals("predicate");
            List<String[]> rows = new ArrayList<>();
            rows.add(hasSubjects ? new String[] {of, "new", "deleted", "changed", "+", "-"} : new String[] {of, "+", "-"});
            sortAll(all.get(of)).forEach(each -> {
                Count count = each.getValue();
                String name = each.getKey().isEmpty() ? hasSubjects && of.equals("class") ? "(no class)" : "(default graph)"
                        : hasSubjects ? names.show(each.getKey()) : names.toPredicate(each.getKey());
                rows.add(hasSubjects ? new String[] {name, formatNumber(count.isNew), formatNumber(count.isGone),
                    formatNumber(count.isChanged), formatNumber(count.added), formatNumber(count.deleted)}
                    : new String[] {name, formatNumber(count.added), formatNumber(count.deleted)});
            });
            tables.add(rows);
        }
        return tables;
    }

    private static Collection<Map.Entry<String, Count>> sortAll(SortedMap<String, Count> counts) {
        return counts.entrySet().stream().sorted(Comparator.comparingLong(
                (Map.Entry<String, Count> each) -> -each.getValue().added - each.getValue().deleted)).toList();
    }

    private static String formatNumber(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    private String alignColumns(List<String[]> rows) {
        StringBuilder table = new StringBuilder();
        int columns = rows.get(0).length;
        int[] widths = new int[columns];
        rows.forEach(row -> {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        });
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(row[0] + " ".repeat(widths[0] - row[0].length()));
            for (int i = 1; i < columns; i++) {
                String cell = "  " + " ".repeat(widths[i] - row[i].length()) + row[i];
                boolean isNumber = row != rows.get(0) && !row[i].equals("0") && i >= columns - 2;
                line.append(isNumber ? paint(cell, i == columns - 1 ? "31" : "32") : cell);
            }
            table.append(row == rows.get(0) ? paint(line.toString(), "1") : line).append('\n');
        }
        return table.toString();
    }

    // --- JSON

    private void writeJson(boolean statistics) throws IOException {
        StringWriter text = new StringWriter();
        JsonWriter json = new JsonWriter(text);
        json.setIndent(" ");
        json.setHtmlSafe(false);
        json.beginObject().name("old").value(old).name("new").value(next).name("added").value(difference.added())
                .name("deleted").value(difference.deleted()).name("moved").beginArray();
        for (Move move : difference.moves()) {
            json.beginObject().name("from").value(orNull(move.from())).name("to").value(orNull(move.to()))
                    .name("statements").value(move.statements()).endObject();
        }
        json.endArray();
        if (!statistics) {
            json.name("subjects").beginArray();
            for (Subject subject : difference.subjects()) {
                writeJson(subject, json);
            }
            json.endArray();
        }
        json.name("statistics").beginObject();
        for (Map.Entry<String, SortedMap<String, Count>> table : difference.statistics().entrySet()) {
            json.name(table.getKey()).beginArray();
            for (Map.Entry<String, Count> each : sortAll(table.getValue())) {
                json.beginObject().name("term").value(orNull(each.getKey()));
                if (!table.getKey().equals("predicate")) {
                    json.name("newSubjects").value(each.getValue().isNew).name("deletedSubjects").value(each.getValue().isGone)
                            .name("changedSubjects").value(each.getValue().isChanged);
                }
                json.name("added").value(each.getValue().added).name("deleted").value(each.getValue().deleted).endObject();
            }
            json.endArray();
        }
        json.endObject().name("prefixes").beginObject();
        for (Map.Entry<String, String> each : names.used().entrySet()) {
            json.name(each.getKey()).value(each.getValue());
        }
        json.endObject().endObject();
        out.append(text).append('\n');
    }

    /** Returns a term; null for the empty text of the default graph, or of no class. */
    private static String orNull(String term) {
        return term.isEmpty() ? null : term;
    }

    private void writeJson(Subject subject, JsonWriter json) throws IOException {
        json.beginObject().name("subject").value(subject.term()).name("graph").value(orNull(subject.graph()))
                .name("name").value(subjectName(subject))
                .name("label").value(subject.label()).name("classes").beginArray();
        for (String each : subject.classes()) {
            json.value(each);
        }
        json.endArray().name("change").value(subject.isNew() ? "new" : subject.isGone() ? "deleted" : "changed")
                .name("changes").beginArray();
        for (Change change : subject.changes()) {
            json.beginObject().name("predicate").value(change.predicate());
            writeJson("deleted", subject.graph(), change.deleted(), false, json);
            writeJson("added", subject.graph(), change.added(), true, json);
            json.endObject();
        }
        json.endArray().endObject();
    }

    private void writeJson(String name, String graph, String term, boolean after, JsonWriter json) throws IOException {
        if (term != null) {
            json.name(name).value(term).name(name + "Text").value(inlineObject(difference.blankNodes(after), graph, term, 0));
        }
    }
}

package io.jellybridge.convert;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.structure.BlankTerms;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A difference as people read it: the changes of each subject, with its label and classes. A blank node that one statement
 * refers to belongs to the subject of that statement, and stands there as what it says. The changes are in memory. Not
 * thread-safe.
 */
public final class ReadableDifference {
    /** A share of the heap, for the changes and for the statements with blank nodes. */
    private static final int HEAP_SHARE = 8;
    private static final int OVERHEAD = 4 * 56;
    private static final String TYPE = "<" + PrefixedTerms.RDF + "type>";
    /** Predicates of labels, the preferred first. */
    private static final List<String> LABELS = List.of("<" + PrefixedTerms.SKOS + "prefLabel>", "<" + PrefixedTerms.RDFS + "label>",
            "<http://purl.org/dc/terms/title>", "<http://purl.org/dc/elements/1.1/title>", "<https://schema.org/name>",
            "<http://schema.org/name>", "<http://xmlns.com/foaf/0.1/name>");
    /** Predicates that say what a node is about, after its class and labels. */
    private static final List<String> FIRST = List.of("<http://www.w3.org/2002/07/owl#onProperty>", "<http://www.w3.org/ns/shacl#path>",
            "<http://www.w3.org/2002/07/owl#annotatedSource>", "<http://www.w3.org/2002/07/owl#annotatedProperty>",
            "<http://www.w3.org/2002/07/owl#annotatedTarget>");
    private static final Comparator<String> PREDICATES = Comparator.comparingInt(ReadableDifference::rankOf)
            .thenComparing(Comparator.naturalOrder());

    private final long deleted;
    private final long added;
    private final int unsettled;
    private final long positions;
    private final int changedPrefixes;
    private final PrefixedTerms names;
    private final BlankDescriptions old = new BlankDescriptions();
    private final BlankDescriptions next = new BlankDescriptions();
    private final Map<String, Label> labels = new HashMap<>();
    private final Map<String, SortedSet<String>> classes = new HashMap<>();
    private final SortedMap<String, Subject> subjects = new TreeMap<>();
    /** The graphs and subjects of statements that did not change. */
    private final Set<String> unchanged = new HashSet<>();
    /** The reason why the changes can't be shown; null if they can. */
    private String tooLarge;

    /** A statement of a graph, as canonical terms. The graph is empty for the default graph. */
    record Statement(String subject, String predicate, String object, String graph) {
    }

    /** A label of a term, and how good it is: the smaller the rank, the better. */
    private record Label(int rank, String text) {
    }

    /**
     * A change of one value of a subject: an old value, a new one, or both if one takes the place of the other.
     *
     * @param deleted the old object; null if there is none
     * @param added   the new object; null if there is none
     */
    record Change(String predicate, String deleted, String added) {
    }

    /** A number of statements that moved from one graph to another. */
    record Move(String from, String to, int statements) {
    }

    /** The number of changed statements, and of subjects that are new, gone or changed. */
    static final class Count {
        long added;
        long deleted;
        long isNew;
        long isGone;
        long isChanged;
    }

    /** The changes of a subject in a graph. */
    final class Subject {
        private final String graph;
        private final String term;
        private final SortedMap<String, Set<String>> deletions = new TreeMap<>(PREDICATES);
        private final SortedMap<String, Set<String>> additions = new TreeMap<>(PREDICATES);
        /** The numbers of changed statements by predicate, those of its blank nodes among them. */
        private final SortedMap<String, long[]> counts = new TreeMap<>();
        private boolean isUnchangedPart;
        private boolean wasThere;
        private boolean isThere;

        private Subject(String graph, String term) {
            this.graph = graph;
            this.term = term;
        }

        String graph() {
            return graph;
        }

        String term() {
            return term;
        }

        boolean isBlank() {
            return term.startsWith("_:");
        }

        boolean isNew() {
            return !wasThere && !isUnchangedPart;
        }

        boolean isGone() {
            return !isThere && !isUnchangedPart;
        }

        /** Returns true for a blank node that no statement refers to. */
        boolean isAlone() {
            return isBlank() && !old.isReferenced(graph, term) && !next.isReferenced(graph, term);
        }

        /** Returns the label, if it says more than the name of the IRI. */
        String label() {
            return ReadableDifference.this.labelOf(term);
        }

        Collection<String> classes() {
            return classes.getOrDefault(term, new TreeSet<>());
        }

        /** Returns the classes after the changes; those before them if there are none. */
        Collection<String> newestClasses() {
            SortedSet<String> newest = new TreeSet<>(classes());
            newest.removeAll(deletions.getOrDefault(TYPE, Set.of()));
            newest.addAll(additions.getOrDefault(TYPE, Set.of()));
            return newest.isEmpty() ? classes() : newest;
        }

        /** Returns the statements that did not change, of a blank node, which has no other name. */
        List<Change> unchanged() {
            List<Change> unchanged = new ArrayList<>();
            for (String[] pair : isBlank() ? next.of(graph, term) : List.<String[]>of()) {
                if (!additions.getOrDefault(pair[0], Set.of()).contains(pair[1])) {
                    unchanged.add(new Change(pair[0], pair[1], pair[1]));
                }
            }
            return unchanged;
        }

        /** Returns the changes by predicate. An old and a new value are one change if each is the only one of its kind. */
        List<Change> changes() {
            List<Change> changes = new ArrayList<>();
            SortedSet<String> predicates = new TreeSet<>(PREDICATES);
            predicates.addAll(deletions.keySet());
            predicates.addAll(additions.keySet());
            for (String predicate : predicates) {
                SortedMap<String, List<Set<String>>> byKind = new TreeMap<>();
                byKind(deletions.getOrDefault(predicate, Set.of()), 0, byKind);
                byKind(additions.getOrDefault(predicate, Set.of()), 1, byKind);
                byKind.values().forEach(both -> addChanges(predicate, both.get(0), both.get(1), changes));
            }
            return changes;
        }

        private void byKind(Set<String> objects, int side, SortedMap<String, List<Set<String>>> byKind) {
            for (String object : objects) {
                byKind.computeIfAbsent(kindOf(object), kind -> List.of(new LinkedHashSet<>(), new LinkedHashSet<>()))
                        .get(side).add(object);
            }
        }

        private void addChanges(String predicate, Set<String> before, Set<String> after, List<Change> changes) {
            // A blank node whose inner statements changed is on both sides.
            List<String> same = before.stream().filter(after::contains).toList();
            same.forEach(object -> changes.add(new Change(predicate, object, object)));
            List<String> gone = before.stream().filter(object -> !after.contains(object)).toList();
            List<String> come = after.stream().filter(object -> !before.contains(object)).toList();
            if (gone.size() == 1 && come.size() == 1) {
                changes.add(new Change(predicate, gone.get(0), come.get(0)));
            } else {
                gone.forEach(object -> changes.add(new Change(predicate, object, null)));
                come.forEach(object -> changes.add(new Change(predicate, null, object)));
            }
        }
    }

    /** Returns what can be compared with each other: literals of one language, other literals, IRIs, or blank nodes. */
    private static String kindOf(String term) {
        if (term.charAt(0) != '"') {
            return term.startsWith("_:") ? "_" : "<";
        }
        int end = term.lastIndexOf('"');
        return "\"" + (term.startsWith("@", end + 1) ? term.substring(end + 1) : "");
    }

    private static int rankOf(String predicate) {
        int label = LABELS.indexOf(predicate);
        int first = FIRST.indexOf(predicate);
        return predicate.equals(TYPE) ? -1 : label >= 0 ? label : LABELS.size() + (first >= 0 ? first : FIRST.size());
    }

    private ReadableDifference(Difference difference, PrefixedTerms names) {
        this.deleted = difference.deleted();
        this.added = difference.added();
        this.unsettled = difference.unsettled();
        this.positions = difference.positions();
        this.changedPrefixes = difference.changedPrefixes();
        this.names = names;
    }

    /**
     * Reads a difference that {@linkplain Difference#forEach keeps} its statements.
     *
     * @param prefixes namespaces by their prefixes, which take precedence over those of the snapshots
     */
    public static ReadableDifference of(Difference difference, Map<String, String> prefixes) throws IOException {
        ReadableDifference readable = new ReadableDifference(difference, new PrefixedTerms(prefixes, difference.prefixes()));
        readable.readDifference(difference);
        return readable;
    }

    /** Returns the number of deleted statements. */
    public long deleted() {
        return deleted;
    }

    /** Returns the number of added statements. */
    public long added() {
        return added;
    }

    /** Returns the number of blank nodes that are too symmetric to compare. */
    public int unsettled() {
        return unsettled;
    }

    /** Returns the number of statements that were left out, see {@link Difference#positions}. */
    public long positions() {
        return positions;
    }

    /** Returns the number of prefixes that the patch changes, see {@link Difference#changedPrefixes}. */
    int changedPrefixes() {
        return changedPrefixes;
    }

    PrefixedTerms names() {
        return names;
    }

    /** Returns the statements about blank nodes before or after the changes. */
    BlankDescriptions blankNodes(boolean after) {
        return after ? next : old;
    }

    /**
     * Returns the changed subjects, by graph. Blank nodes come last.
     *
     * @throws IllegalStateException there are more changes than memory holds
     */
    Collection<Subject> subjects() {
        if (tooLarge != null) {
            throw new IllegalStateException(tooLarge);
        }
        return subjects.values();
    }

    /** Returns the label of a term, if it says more than the name of the IRI; null otherwise. */
    String labelOf(String term) {
        Label label = labels.get(term);
        if (label == null || term.charAt(0) != '<') {
            return null;
        }
        String text = label.text.substring(0, label.text.lastIndexOf('"') + 1);
        int name = Math.max(Math.max(term.lastIndexOf('#'), term.lastIndexOf('/')), term.lastIndexOf(':'));
        return squashSpaces(term.substring(name + 1)).equals(squashSpaces(text)) ? null : names.show(text);
    }

    private static String squashSpaces(String text) {
        StringBuilder letters = new StringBuilder();
        text.codePoints().filter(Character::isLetterOrDigit).map(Character::toLowerCase).forEach(letters::appendCodePoint);
        return letters.toString();
    }

    /** Returns the counts by graph, by class and by predicate; the names are terms, and empty for none. */
    Map<String, SortedMap<String, Count>> statistics() {
        Map<String, SortedMap<String, Count>> all = new TreeMap<>();
        List.of("graph", "class", "predicate").forEach(each -> all.put(each, new TreeMap<>()));
        for (Subject subject : subjects()) {
            Set<String> of = new HashSet<>(subject.classes());
            of.addAll(of.isEmpty() ? Set.of("") : Set.of());
            for (Map.Entry<String, long[]> counts : subject.counts.entrySet()) {
                addStatement(all.get("predicate"), counts.getKey(), counts.getValue());
                addStatement(all.get("graph"), subject.graph, counts.getValue());
                of.forEach(each -> addStatement(all.get("class"), each, counts.getValue()));
            }
            countSubject(all.get("graph"), subject.graph, subject);
            of.forEach(each -> countSubject(all.get("class"), each, subject));
        }
        return all;
    }

    /**
     * Returns how many statements were deleted from one graph and added to another, by the largest number. A graph is empty for the
     * default graph.
     */
    List<Move> moves() {
        if (subjects().stream().map(Subject::graph).distinct().limit(2).count() < 2) {
            return List.of();
        }
        Map<List<String>, String> gone = new HashMap<>();
        for (Subject subject : subjects()) {
            subject.deletions.forEach((predicate, objects) ->
                    objects.forEach(object -> gone.putIfAbsent(List.of(subject.term, predicate, object), subject.graph)));
        }
        Map<List<String>, Integer> counts = new HashMap<>();
        for (Subject subject : subjects()) {
            subject.additions.forEach((predicate, objects) -> objects.forEach(object -> {
                String from = gone.get(List.of(subject.term, predicate, object));
                if (from != null && !from.equals(subject.graph)) {
                    counts.merge(List.of(from, subject.graph), 1, Integer::sum);
                }
            }));
        }
        return counts.entrySet().stream().map(each -> new Move(each.getKey().get(0), each.getKey().get(1), each.getValue()))
                .sorted(Comparator.comparing(Move::statements).reversed().thenComparing(Move::from).thenComparing(Move::to)).toList();
    }

    private static void addStatement(SortedMap<String, Count> counts, String of, long[] numbers) {
        Count count = counts.computeIfAbsent(of, each -> new Count());
        count.deleted += numbers[0];
        count.added += numbers[1];
    }

    private static void countSubject(SortedMap<String, Count> counts, String of, Subject subject) {
        Count count = counts.computeIfAbsent(of, each -> new Count());
        count.isNew += subject.isNew() ? 1 : 0;
        count.isGone += subject.isGone() ? 1 : 0;
        count.isChanged += subject.isNew() || subject.isGone() ? 0 : 1;
    }

    // --- reading

    private void readDifference(Difference difference) throws IOException {
        Changes changes = new Changes();
        try {
            difference.read(changes);
        } catch (TooLarge e) {
            tooLarge = "the difference has " + (deleted + added) + " statements, more than memory holds to group them by subject;"
                    + " give more by --heap, or write it as a patch by --format patch";
            return;
        }
        Set<String> terms = new HashSet<>();
        boolean holdsBlank = false;
        for (int side = 0; side < 2; side++) {
            for (Statement each : changes.of(side)) {
                terms.add(each.subject);
                terms.add(each.predicate);
                terms.add(each.object);
                holdsBlank |= each.subject.startsWith("_:") || each.object.startsWith("_:");
                (side == 0 ? old : next).addStatement(each);
            }
        }
        if (holdsBlank) {
            readBlankNodes(difference);
        }
        for (int side = 0; side < 2; side++) {
            for (Statement each : changes.of(side)) {
                terms.add(addStatement(each, side == 1).term);
            }
        }
        readContext(difference, terms);
        for (Subject subject : subjects.values()) {
            subject.isUnchangedPart |= unchanged.contains(subject.graph + subject.term)
                    || subject.isBlank() && !subject.unchanged().isEmpty();
        }
    }

    /** Reads the statements with blank nodes that did not change. If they don't fit into memory, blank nodes show as labels. */
    private void readBlankNodes(Difference difference) throws IOException {
        long[] left = {Runtime.getRuntime().maxMemory() / HEAP_SHARE};
        difference.forEach((quad, isOld, isNew) -> {
            boolean isBlank = quad.subject()[0] == '_' || quad.object()[0] == '_' || quad.object()[0] == '<' && quad.object()[1] == '<';
            if (isOld && isNew && isBlank && left[0] > 0) {
                Statement statement = toStatement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
                left[0] -= sizeOf(statement);
                old.addStatement(statement);
                next.addStatement(statement);
            }
        });
        if (left[0] <= 0) {
            old.forget();
            next.forget();
        }
    }

    private void readContext(Difference difference, Set<String> terms) throws IOException {
        difference.forEach((quad, isOld, isNew) -> {
            String subject = new String(quad.subject(), UTF_8);
            if (!terms.contains(subject)) {
                return;
            }
            Statement statement = toStatement(quad.subject(), quad.predicate(), quad.object(), quad.graph());
            if (isOld && isNew) {
                unchanged.add(statement.graph + subject);
            }
            if (statement.predicate.equals(TYPE)) {
                classes.computeIfAbsent(subject, term -> new TreeSet<>()).add(statement.object);
            }
            int label = LABELS.indexOf(statement.predicate);
            if (label >= 0 && statement.object.charAt(0) == '"') {
                addLabel(statement, label, isNew);
            }
        });
    }

    private void addLabel(Statement statement, int predicate, boolean isNew) {
        String language = kindOf(statement.object).substring(1);
        int ofLanguage = language.equals("@en") ? 0 : language.isEmpty() ? 1 : language.startsWith("@en-") ? 2 : 3;
        Label label = new Label((isNew ? 0 : 1 << 8) + predicate * 4 + ofLanguage, statement.object);
        labels.merge(statement.subject, label, (one, other) -> one.rank != other.rank ? one.rank < other.rank ? one : other
                : one.text.compareTo(other.text) <= 0 ? one : other);
    }

    /** Adds a changed statement to its subject. That of a blank node which belongs to another subject shows in both values. */
    private Subject addStatement(Statement changed, boolean isNew) {
        BlankDescriptions here = isNew ? next : old;
        BlankDescriptions there = isNew ? old : next;
        Statement top = here.findTop(changed);
        Subject subject = subjects.computeIfAbsent(top.graph + (top.subject.startsWith("_:") ? "\u0002" : "\u0001") + top.subject,
                key -> new Subject(top.graph, top.subject));
        subject.counts.computeIfAbsent(top.predicate, predicate -> new long[2])[isNew ? 1 : 0]++;
        subject.wasThere |= !isNew;
        subject.isThere |= isNew;
        putStatement(isNew ? subject.additions : subject.deletions, top);
        if (top != changed && there.holdsStatement(top)) {
            putStatement(isNew ? subject.deletions : subject.additions, top);
            subject.isUnchangedPart = true;
        }
        return subject;
    }

    private static void putStatement(SortedMap<String, Set<String>> map, Statement statement) {
        map.computeIfAbsent(statement.predicate, predicate -> new LinkedHashSet<>()).add(statement.object);
    }

    private static long sizeOf(Statement statement) {
        return OVERHEAD + statement.subject.length() + statement.predicate.length() + statement.object.length()
                + statement.graph.length();
    }

    private static Statement toStatement(byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
        return new Statement(new String(subject, UTF_8), new String(predicate, UTF_8), new String(object, UTF_8),
                graph == null ? "" : new String(graph, UTF_8));
    }

    /** Thrown when the changes don't fit into memory. */
    private static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** A collector of the changes. */
    private static final class Changes extends PatchAdapter<byte[]> {
        private final List<Statement> deletions = new ArrayList<>();
        private final List<Statement> additions = new ArrayList<>();
        private long left = Runtime.getRuntime().maxMemory() / HEAP_SHARE;

        List<Statement> of(int side) {
            return side == 0 ? deletions : additions;
        }

        @Override
        public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
            Statement statement = ReadableDifference.toStatement(subject, predicate, object, graph);
            left -= sizeOf(statement);
            if (left < 0) {
                throw new TooLarge();
            }
            of(op == Op.D ? 0 : 1).add(statement);
        }
    }

    /** The statements about blank nodes, and those that refer to them, at one time. */
    static final class BlankDescriptions {
        private final Map<String, List<String[]>> about = new HashMap<>();
        private final Map<String, List<Statement>> references = new HashMap<>();
        private final Map<String, Statement> tops = new HashMap<>();

        private void addStatement(Statement statement) {
            if (statement.subject.startsWith("_:")) {
                about.computeIfAbsent(statement.graph + statement.subject, node -> new ArrayList<>())
                        .add(new String[] {statement.predicate, statement.object});
            }
            if (statement.object.startsWith("_:")) {
                references.computeIfAbsent(statement.graph + statement.object, node -> new ArrayList<>()).add(statement);
            } else if (statement.object.startsWith("<<(")) {
                // What a triple term says of a node does not say where the node belongs.
                for (byte[] node : BlankTerms.of(statement.object.getBytes(UTF_8))) {
                    references.computeIfAbsent(statement.graph + new String(node, UTF_8), key -> new ArrayList<>())
                            .addAll(List.of(statement, statement));
                }
            }
        }

        private void forget() {
            about.clear();
            references.clear();
        }

        /** Returns the statements about a node, as predicates and objects in the order in which people read them. */
        List<String[]> of(String graph, String node) {
            List<String[]> found = new ArrayList<>(about.getOrDefault(graph + node, List.of()));
            found.sort(Comparator.comparing((String[] pair) -> pair[0], PREDICATES).thenComparing(pair -> pair[1]));
            return found;
        }

        private boolean holdsStatement(Statement reference) {
            return references.getOrDefault(reference.graph + reference.object, List.of()).contains(reference);
        }

        private boolean isReferenced(String graph, String node) {
            return references.containsKey(graph + node);
        }

        /** Returns true if one statement refers to a node, and the node belongs to the subject of that statement. */
        boolean isPart(String graph, String node) {
            List<Statement> found = references.getOrDefault(graph + node, List.of());
            return found.size() == 1 && topOrNull(found.get(0)) != null;
        }

        /** Returns the statement of a subject of its own that leads to a statement. */
        Statement findTop(Statement statement) {
            Statement top = topOrNull(statement);
            return top == null ? statement : top;
        }

        /** Returns null for a statement of a circle of nodes, each of which is a subject of its own. */
        private Statement topOrNull(Statement statement) {
            Set<String> path = new HashSet<>();
            Statement at = statement;
            while (at.subject.startsWith("_:")) {
                Statement known = tops.get(at.graph + at.subject);
                List<Statement> found = references.getOrDefault(at.graph + at.subject, List.of());
                if (known == null && found.size() != 1) {
                    break;
                }
                if (!path.add(at.graph + at.subject)) {
                    return null;
                }
                at = known == null ? found.get(0) : known;
            }
            for (String node : path) {
                tops.put(node, at);
            }
            return at;
        }
    }
}

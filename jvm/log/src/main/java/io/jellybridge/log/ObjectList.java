package io.jellybridge.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.jellybridge.files.AtomicFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The list of a log's objects, in the file {@value #NAME} beside them. HTTP has no listing of its own. A Fuseki with jellybridge
 * lists the objects at each request. For a plain web server or a public bucket, {@link #publish} writes the file.
 *
 * <p>Only the objects are the log. So an old list gives an older state of the log, or the error that an object is missing.
 *
 * @param log     the log's id
 * @param stamp   a text that changes when an object changes
 * @param objects the names of the objects, with the names of their folders, and their lengths
 * @param patches the numbers of patches of those objects that have several although their names have one version
 */
public record ObjectList(String log, String stamp, Map<String, Long> objects, Map<String, Long> patches) {
    /** The name of the file. */
    public static final String NAME = "objects.json";
    private static final Pattern OBJECT = Pattern.compile(Pattern.quote(LogProperties.NAME) + "|[0-9]{20}(-[0-9]{20})?\\.jellyp|"
            + Checkpoints.FOLDER + "/[0-9]{20}/(checkpoint\\.json|part-[0-9]{5}(-[0-9a-f]{16})?\\.jelly)");

    /** Returns true if a name is that of an object of a log. */
    public static boolean isObject(String name) {
        return OBJECT.matcher(name).matches();
    }

    /** Lists the objects of a log. */
    public static ObjectList of(StoreLog log) throws IOException {
        return log.patches().retryWhileObjectsMove(() -> of(log, log.patches().listed()));
    }

    private static ObjectList of(StoreLog log, Map<String, Long> names) throws IOException {
        ObjectList found = new ObjectList(log.id(), null, new TreeMap<>(), new TreeMap<>());
        VersionMap layout = log.patches().mapOf(names);
        found.addCounts(layout.objects());
        found.addCounts(layout.covered()); // readers compare them with those that cover them
        found.addFolder(log.store(), "", names);
        if (names.containsKey(Checkpoints.FOLDER)) {
            for (String version : log.store().list(Checkpoints.FOLDER).keySet()) {
                String folder = Checkpoints.FOLDER + "/" + version;
                found.addFolder(log.store(), folder + "/", log.store().list(folder));
            }
        }
        MessageDigest stamp = ContentHash.newSha256();
        for (String object : found.objects.keySet()) {
            String of = log.store().stampOf(object);
            stamp.update((object + (of == null ? PatchIds.random() : of)).getBytes(UTF_8));
        }
        return new ObjectList(log.id(), HexFormat.of().formatHex(stamp.digest()), found.objects, found.patches);
    }

    private void addCounts(Collection<LogObject> layout) {
        for (LogObject object : layout) {
            if (object.isCounted() && object.versions() > 1) {
                patches.put(object.name(), (long) object.versions());
            }
        }
    }

    private void addFolder(LogStore store, String folder, Map<String, Long> names) throws IOException {
        for (Map.Entry<String, Long> name : names.entrySet()) {
            String file = folder + name.getKey();
            if (isObject(file)) {
                long length = name.getValue() >= 0 ? name.getValue() : store.lengthOf(file);
                if (length < 0) {
                    throw new FileNotFoundException(store.name() + "/" + file + " is not there"); // others deleted it meanwhile
                }
                objects.put(file, length);
            }
        }
    }

    /**
     * Writes the file for the objects that are there now. It replaces an older one.
     *
     * @return the number of objects
     * @throws IOException versions are missing, or the file can't be written
     */
    public static int publish(StoreLog log) throws IOException {
        log.head();
        ObjectList list = of(log);
        Path made = log.store().temporary();
        try {
            Files.writeString(made, list.json() + "\n");
            AtomicFolder.force(made, StandardOpenOption.WRITE);
            log.store().replace(NAME, made);
        } finally {
            Files.deleteIfExists(made);
        }
        return list.objects().size();
    }

    /** Returns the content of the file. */
    public JsonObject json() {
        JsonObject list = new JsonObject();
        list.addProperty("log", log);
        list.addProperty("stamp", stamp);
        list.add("objects", toJson(objects));
        list.add("patches", toJson(patches));
        return list;
    }

    private static JsonObject toJson(Map<String, Long> numbers) {
        JsonObject json = new JsonObject();
        numbers.forEach(json::addProperty);
        return json;
    }

    /** Parses the content of the file; null if it is something else. */
    static ObjectList parse(String text) throws IOException {
        JsonObject said = JsonText.parseObject(text);
        String log = JsonText.getString(said, "log");
        String stamp = JsonText.getString(said, "stamp");
        Map<String, Long> objects = readNumbers(said, "objects", -1);
        Map<String, Long> patches = readNumbers(said, "patches", 2);
        boolean isList = log != null && PatchIds.isId(log) && stamp != null && objects != null && patches != null;
        return isList ? new ObjectList(PatchIds.parseId(log), stamp, objects, patches) : null;
    }

    /** Returns the numbers of a member; null if it is something else. */
    private static Map<String, Long> readNumbers(JsonObject said, String member, long least) throws IOException {
        if (!(said.get(member) instanceof JsonObject json)) {
            return null;
        }
        Map<String, Long> numbers = new HashMap<>();
        for (Map.Entry<String, JsonElement> object : json.entrySet()) {
            Long number = JsonText.getWhole(json, object.getKey());
            if (number == null || number < least || number > Integer.MAX_VALUE && least > 0) {
                return null;
            }
            numbers.put(object.getKey(), number);
        }
        return numbers;
    }

    /** Returns the names in a folder, as {@link LogStore#list} does. */
    Map<String, Long> in(String folder) {
        String before = folder.isEmpty() ? "" : folder + "/";
        Map<String, Long> names = new HashMap<>();
        objects.forEach((file, length) -> {
            if (file.startsWith(before)) {
                int end = file.indexOf('/', before.length());
                names.put(file.substring(before.length(), end < 0 ? file.length() : end), end < 0 ? length : -1);
            }
        });
        return names;
    }
}

package io.jellybridge.log;

import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store of objects that does what each store does and nothing more: no locks, no renames, no stamps, no index, unless it is told to. */
public final class MemoryStore implements LogStore {
    private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

    private final String name = "memory://" + UUID.randomUUID();
    /** The objects by their names. */
    public final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();
    /** The number of changes before it fails; negative if it does not. */
    int changesLeft = -1;
    /** Whether the answer to who creates an object gets lost, after the object is there. */
    boolean answersAreLost;
    /** Whether it locks and compares heads, so that a writer need not look afterwards, and objects have stamps. */
    boolean isLikeServer;
    /** The object that lists lack, although it is there; null if there is none. */
    String unlisted;
    int listings;
    private String awaited;
    private Action others;

    public MemoryStore() {
        STORES.put(name, this);
    }

    /** Finds the stores of this process by their names, as readers of checkpoints do. */
    public static final class Stores implements LogStores {

        @Override
        public LogStore at(String address) {
            return STORES.get(address);
        }
    }

    /** Something that others do. */
    @FunctionalInterface
    public interface Action {
        void run() throws IOException;
    }

    /** Has others do something just before the object with a name is created or deleted. */
    public void before(String object, Action action) {
        awaited = object;
        others = action;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, Long> list(String folder) {
        listings++;
        String prefix = folder.isEmpty() ? "" : folder + "/";
        Map<String, Long> names = new TreeMap<>();
        objects.forEach((name, bytes) -> {
            if (name.startsWith(prefix) && !name.equals(unlisted)) {
                String rest = name.substring(prefix.length());
                int slash = rest.indexOf('/');
                names.put(slash < 0 ? rest : rest.substring(0, slash), slash < 0 ? bytes.length : -1L);
            }
        });
        return names;
    }

    @Override
    public long lengthOf(String file) {
        byte[] found = objects.get(file);
        return found == null ? -1 : found.length;
    }

    @Override
    public String stampOf(String file) {
        return isLikeServer && objects.containsKey(file) ? "never replaced" : null;
    }

    @Override
    public boolean hasLocks() {
        return isLikeServer;
    }

    @Override
    public boolean comparesHeads() {
        return isLikeServer;
    }

    @Override
    public InputStream open(String file, long offset) throws IOException {
        byte[] found = objects.get(file);
        if (found == null) {
            throw new FileNotFoundException(name() + "/" + file + " is not there");
        }
        return new ByteArrayInputStream(found, (int) offset, found.length - (int) offset);
    }

    @Override
    public void create(String file, Path content) throws IOException {
        change(file);
        if (objects.putIfAbsent(file, Files.readAllBytes(content)) != null) {
            throw new FileAlreadyExistsException(name() + "/" + file);
        }
        if (answersAreLost) {
            throw new IOException("the answer is lost");
        }
    }

    @Override
    public void delete(String file) throws IOException {
        change(file);
        objects.remove(file);
    }

    private void change(String file) throws IOException {
        if (file.equals(awaited)) {
            awaited = null;
            others.run();
        }
        if (changesLeft == 0) {
            throw new IOException("killed before " + name() + " changes");
        }
        changesLeft--;
    }
}

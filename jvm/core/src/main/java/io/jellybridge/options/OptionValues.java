package io.jellybridge.options;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The options that a user gave to something, as its {@link OptionTable} knows them. */
public final class OptionValues {
    private final String of;
    private final Map<String, String> given;

    OptionValues(String of, Map<String, String> given) {
        this.of = of;
        this.given = given;
    }

    /** What has the options, for messages. */
    public String of() {
        return of;
    }

    /** Whether the user gave the option. */
    public boolean has(Option<?> option) {
        return given.containsKey(option.name());
    }

    /** What the user gave, as text; null: nothing. */
    public String text(String name) {
        return given.get(name);
    }

    /**
     * The option's value: what the user gave, else its default.
     *
     * @throws IllegalArgumentException it can't have the value that the user gave where it counts; the message names both
     */
    public <T> T get(Option<T> option) {
        return get(option, option.otherwise());
    }

    /** Likewise, where what stands for a value that is not given is known only now. */
    public <T> T get(Option<T> option, T otherwise) {
        String text = given.get(option.name());
        return text == null ? otherwise : option.parse(text, of);
    }

    /** Those options that the user gave, as text by their names, of some names. */
    public Map<String, String> of(Collection<String> names) {
        Map<String, String> found = new TreeMap<>();
        names.stream().filter(given::containsKey).forEach(name -> found.put(name, given.get(name)));
        return found;
    }
}

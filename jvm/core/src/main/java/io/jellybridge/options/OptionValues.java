package io.jellybridge.options;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The options that a user gave for something, checked by its {@link OptionTable}. */
public final class OptionValues {
    private final String of;
    private final Map<String, String> given;

    OptionValues(String of, Map<String, String> given) {
        this.of = of;
        this.given = given;
    }

    /** Returns the owner of the options, for messages. */
    public String of() {
        return of;
    }

    /** Checks whether the user gave the option. */
    public boolean has(Option<?> option) {
        return given.containsKey(option.name());
    }

    /** Returns the text that the user gave, or null. */
    public String getText(String name) {
        return given.get(name);
    }

    /**
     * Returns the value that the user gave, or the default.
     *
     * @throws IllegalArgumentException the value is invalid; the message names option and value
     */
    public <T> T get(Option<T> option) {
        return get(option, option.otherwise());
    }

    /** Returns the value that the user gave, or a default that is known only now. */
    public <T> T get(Option<T> option, T otherwise) {
        String text = given.get(option.name());
        return text == null ? otherwise : option.parse(text, of);
    }

    /** Returns those options of some names that the user gave, as texts by name. */
    public Map<String, String> of(Collection<String> names) {
        Map<String, String> found = new TreeMap<>();
        names.stream().filter(given::containsKey).forEach(name -> found.put(name, given.get(name)));
        return found;
    }
}

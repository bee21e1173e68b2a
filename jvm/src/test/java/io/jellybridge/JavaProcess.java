package io.jellybridge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A JVM of its own with the classes of this one, which a test kills, or has at work beside others. It starts fast. */
public final class JavaProcess {
    private JavaProcess() {
    }

    /** @param arguments of the class's {@code main}, by their texts */
    public static ProcessBuilder of(Class<?> main, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx512m", "-cp", System.getProperty("java.class.path"),
                main.getName()));
        Arrays.stream(arguments).map(Object::toString).forEach(command::add);
        return new ProcessBuilder(command);
    }
}

package io.jellybridge;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/** Marks a test that {@code make test-all} runs and {@code make test} does not. The value says why: what it takes. */
@Tag("full")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Full {

    /** Names the cost, such as {@code "kills 20 processes"}. */
    String value();
}

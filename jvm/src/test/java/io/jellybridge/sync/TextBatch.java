package io.jellybridge.sync;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.jellybridge.codec.PatchSource;
import io.jellybridge.codec.Patches;
import io.jellybridge.codec.TermFactory;
import io.jellybridge.text.RdfPatchReadOptions;
import io.jellybridge.text.RdfPatchReader;
import java.io.ByteArrayInputStream;

/** Patches from RDF Patch text, in a test's own lines. */
record TextBatch(String text) implements Patches {

    static TextBatch of(String... lines) {
        return new TextBatch(String.join("\n", lines));
    }

    @Override
    public <T> PatchSource<T> open(TermFactory<T> terms) {
        return new RdfPatchReader<>(new ByteArrayInputStream(text.getBytes(UTF_8)), "test", terms,
                RdfPatchReadOptions.DEFAULT);
    }
}

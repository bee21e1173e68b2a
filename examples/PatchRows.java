import io.jellybridge.codec.Op;
import io.jellybridge.codec.PatchAdapter;
import io.jellybridge.codec.PatchReader;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.Utf8Terms;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Prints the statements of a Jelly-Patch file, with the codec alone:
 * {@code java -cp jellybridge-core-VERSION.jar PatchRows.java log.jellyp}
 */
class PatchRows {
    public static void main(String[] arguments) throws IOException {
        String file = arguments[0];
        try (var patches = new PatchReader<>(Files.newInputStream(Path.of(file)), file, new Utf8Terms(), ReadOptions.DEFAULT)) {
            patches.readAll(new PatchAdapter<>() {
                @Override
                public void statement(Op op, byte[] subject, byte[] predicate, byte[] object, byte[] graph) {
                    System.out.println(op + " " + text(subject) + " " + text(predicate) + " " + text(object)
                            + (graph == null ? "" : " " + text(graph)));
                }
            });
        }
    }

    private static String text(byte[] term) {
        return new String(term, StandardCharsets.UTF_8);
    }
}

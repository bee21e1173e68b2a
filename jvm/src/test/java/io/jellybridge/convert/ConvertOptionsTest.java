package io.jellybridge.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jellybridge.codec.PatchOptions;
import io.jellybridge.codec.ReadOptions;
import io.jellybridge.codec.WriteOptions;
import io.jellybridge.options.OptionDocuments;
import io.jellybridge.text.RdfPatchDialect;
import io.jellybridge.text.RdfPatchReadOptions;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConvertOptionsTest {

    @Test
    void theDocumentOfTheCommandLineHasTheOptions() throws IOException {
        OptionDocuments.assertHasFlags("docs/command-line.md", ConvertOptions.TABLE);
    }

    @Test
    void withoutOptionsEverythingIsAsUsualAndAsTheInputHasIt() {
        ConvertOptions none = ConvertOptions.of(Map.of());
        assertEquals(ReadOptions.DEFAULT, none.read());
        assertEquals(RdfPatchReadOptions.DEFAULT, none.text());
        assertEquals(WriteOptions.DEFAULT, none.cut());
        PatchOptions input = PatchOptions.DEFAULT.withRdfStar(true);
        assertEquals(input, none.patchOptions(input));
    }

    @Test
    void aNameThatIsNoneIsNamedWithTheOneThatWasMeant() {
        String message = assertThrows(IllegalArgumentException.class,
                () -> ConvertOptions.of(Map.of("streamTyp", "FLAT"))).getMessage();
        assertEquals("unknown option 'streamTyp' of convert; it has base, datatypeTableSize, delimited, dialect, frameRows, "
                + "generalizedStatements, marks, maxFrameBytes, maxTableBytes, maxTableSize, maxTermBytes, mendTags, nameTableSize, "
                + "prefixTableSize, rdfStar, "
                + "relativeIris, remoteContexts, restartBytes, statementType, streamType, strict; "
                + "did you mean 'streamType'?", message);
    }

    @Test
    void oneLimitIsThatOfFramesAndOfTokens() {
        ConvertOptions small = ConvertOptions.of(Map.of("maxFrameBytes", "100"));
        assertEquals(100, small.read().maxFrameBytes());
        assertEquals(100, small.text().maxTokenBytes());
        assertEquals(100, small.cut().maxFrameBytes());
    }

    @Test
    void theLimitOfTermsIsThatOfTokensWithoutOneOfFrames() {
        assertEquals(100, ConvertOptions.of(Map.of("maxTermBytes", "100")).text().maxTokenBytes());
        assertEquals(200, ConvertOptions.of(Map.of("maxTermBytes", "100", "maxFrameBytes", "200")).text().maxTokenBytes());
    }

    @Test
    void aChoiceIsTakenInAnyCaseAndWithHyphens() {
        assertEquals(RdfPatchDialect.RDF_DELTA, ConvertOptions.of(Map.of("dialect", "rdf-delta")).text().dialect());
    }
}

package io.jellybridge.jena.riot;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jellybridge.jena.nodes.DatasetTerms;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.out.NodeFmtLib;
import org.apache.jena.riot.system.StreamRDFBase;
import org.junit.jupiter.api.Test;

class JsonLdContextTest {

    @Test
    void aBaseDirectionIsKept() throws IOException {
        List<String> found = new ArrayList<>();
        String document = """
                {"@id": "urn:s", "urn:p": [{"@value": "a", "@language": "ar-EG", "@direction": "rtl"},
                {"@value": "b", "@direction": "ltr"}, {"@value": "c", "@language": "en"}]}
                """;
        RdfFile file = new RdfFile("a.jsonld", "a.jsonld", null, "jsonld", false);
        new RiotReader(file, new DatasetTerms()::findProblem).read(new ByteArrayInputStream(document.getBytes(UTF_8)),
                LabelToNode.createUseLabelAsGiven(), new StreamRDFBase() {
                    @Override
                    public void triple(Triple triple) {
                        found.add(NodeFmtLib.strNT(triple.getObject()));
                    }
                });
        assertEquals(List.of("\"a\"@ar-EG--rtl", "\"b\"^^<https://www.w3.org/ns/i18n#_ltr>", "\"c\"@en"), found);
    }
}

package io.jellybridge.codec;

import eu.neverblink.jelly.convert.jena.JenaConverterFactory;
import eu.neverblink.jelly.convert.jena.riot.JellyDatasetWriter;
import eu.neverblink.jelly.convert.jena.riot.JellyFormatVariant;
import eu.neverblink.jelly.convert.jena.riot.JellyReader;
import eu.neverblink.jelly.convert.jena.riot.JellyStreamWriter;
import eu.neverblink.jelly.core.JellyOptions;
import eu.neverblink.jelly.core.proto.v1.LogicalStreamType;
import eu.neverblink.jelly.core.proto.v1.PhysicalStreamType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.apache.jena.atlas.io.AWriter;
import org.apache.jena.atlas.io.IO;
import org.apache.jena.graph.Node;
import org.apache.jena.graph.Triple;
import org.apache.jena.riot.Lang;
import org.apache.jena.riot.RDFParser;
import org.apache.jena.riot.lang.LabelToNode;
import org.apache.jena.riot.out.NodeFormatterNT;
import org.apache.jena.riot.system.ErrorHandlerFactory;
import org.apache.jena.riot.system.PrefixMapStd;
import org.apache.jena.riot.system.StreamRDF;
import org.apache.jena.riot.system.StreamRDFBase;
import org.apache.jena.riot.system.StreamRDFLib;
import org.apache.jena.sparql.core.DatasetGraph;
import org.apache.jena.sparql.core.DatasetGraphFactory;
import org.apache.jena.sparql.core.Quad;
import org.apache.jena.sparql.util.Context;
import org.apache.jena.sys.JenaSystem;

/** Speaks to {@code jelly-jena}; see {@link JellyPeer}, whose class loader loads it. */
public final class JellyJenaPeer implements JellyPeer {
    private final JenaConverterFactory converters;

    /** For {@link JellyPeer#load}. */
    public JellyJenaPeer() {
        JenaSystem.init();
        converters = JenaConverterFactory.getInstance();
    }

    @Override
    public byte[] write(String physicalType, boolean delimited, int frameRows, byte[] nquads) {
        JellyFormatVariant variant = JellyFormatVariant.builder()
                .options(JellyOptions.SMALL_ALL_FEATURES.clone()
                        .setPhysicalType(PhysicalStreamType.valueOf(physicalType))
                        .setLogicalType(physicalType.equals("TRIPLES")
                                ? LogicalStreamType.FLAT_TRIPLES : LogicalStreamType.FLAT_QUADS))
                .frameSize(frameRows)
                .isDelimited(delimited)
                .build();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (physicalType.equals("GRAPHS")) {
            DatasetGraph dataset = DatasetGraphFactory.create();
            parse(nquads, Lang.NQUADS, StreamRDFLib.dataset(dataset));
            new JellyDatasetWriter(converters, variant).write(out, dataset, new PrefixMapStd(), null, new Context());
        } else {
            // As N-Quads, a statement without graph would be a quad of the default graph.
            parse(nquads, physicalType.equals("TRIPLES") ? Lang.NTRIPLES : Lang.NQUADS,
                    JellyStreamWriter.create(converters, variant, out));
        }
        return out.toByteArray();
    }

    private static void parse(byte[] statements, Lang lang, StreamRDF sink) {
        RDFParser.source(new ByteArrayInputStream(statements)).lang(lang)
                .labelToNode(LabelToNode.createUseLabelAsGiven())
                .errorHandler(ErrorHandlerFactory.errorHandlerStrictNoLogging).parse(sink);
    }

    @Override
    public byte[] read(byte[] stream) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AWriter writer = IO.wrapUTF8(out);
        new JellyReader(converters).read(
                new ByteArrayInputStream(stream), null, null, new Lines(writer), new Context());
        writer.flush();
        return out.toByteArray();
    }

    /** Writes N-Quads with the labels that blank nodes have. */
    private static final class Lines extends StreamRDFBase {
        private final NodeFormatterNT format = new NodeFormatterNT() {
            @Override
            public void formatBNode(AWriter to, String label) {
                to.print("_:");
                to.print(label);
            }
        };
        private final AWriter out;

        Lines(AWriter out) {
            this.out = out;
        }

        @Override
        public void triple(Triple triple) {
            line(triple.getSubject(), triple.getPredicate(), triple.getObject(), null);
        }

        @Override
        public void quad(Quad quad) {
            line(quad.getSubject(), quad.getPredicate(), quad.getObject(), quad.isDefaultGraph() ? null : quad.getGraph());
        }

        private void line(Node subject, Node predicate, Node object, Node graph) {
            for (Node node : new Node[] {subject, predicate, object}) {
                format.format(out, node);
                out.print(' ');
            }
            if (graph != null) {
                format.format(out, graph);
                out.print(' ');
            }
            out.print(".\n");
        }
    }
}

package io.jellybridge.bench;

import eu.neverblink.jelly.convert.jena.JenaConverterFactory;
import eu.neverblink.jelly.convert.jena.riot.JellyFormatVariant;
import eu.neverblink.jelly.convert.jena.riot.JellyStreamWriter;
import eu.neverblink.jelly.core.JellyOptions;
import eu.neverblink.jelly.core.ProtoDecoder;
import eu.neverblink.jelly.core.RdfHandler.QuadHandler;
import eu.neverblink.jelly.core.memory.RowBuffer;
import eu.neverblink.jelly.core.proto.v1.LogicalStreamType;
import eu.neverblink.jelly.core.proto.v1.PhysicalStreamType;
import eu.neverblink.jelly.core.proto.v1.RdfStreamFrame;
import eu.neverblink.jelly.core.utils.IoUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.jena.graph.Node;
import org.apache.jena.riot.system.StreamRDF;

/**
 * {@code jelly-jena}, called by its classes and never by Jena's registry, where its language and ours have the same name.
 */
final class JellyJena {
    private static final JenaConverterFactory CONVERTERS = JenaConverterFactory.getInstance();

    private JellyJena() {
    }

    /** Reads a QUADS stream, by the decoder itself: without the {@code Quad} that {@code JellyReader} makes of each row. */
    static void read(InputStream in, QuadHandler<Node> handler) throws IOException {
        ProtoDecoder<Node, ?> decoder = CONVERTERS.quadsDecoder(handler, JellyOptions.DEFAULT_SUPPORTED_OPTIONS);
        RowBuffer rows = RowBuffer.newSingle(decoder::ingestRow);
        RdfStreamFrame.Mutable frame = RdfStreamFrame.newInstance().setRows(rows);
        IoUtils.readStream(in, () -> frame, read -> rows.clear());
    }

    /** Writes a QUADS stream with lookups of the sizes that ours have; otherwise as by default. */
    static StreamRDF writer(OutputStream out) {
        return JellyStreamWriter.create(CONVERTERS, JellyFormatVariant.builder()
                .options(JellyOptions.BIG_STRICT.clone()
                        .setPhysicalType(PhysicalStreamType.QUADS)
                        .setLogicalType(LogicalStreamType.FLAT_QUADS))
                .build(), out);
    }
}

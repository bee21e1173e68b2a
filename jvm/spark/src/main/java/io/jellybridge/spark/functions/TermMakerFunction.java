package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.Utf8Terms;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** A function {@code rdf_…(text, …)} that creates a term. */
final class TermMakerFunction extends FunctionBody<UTF8String> {
    private static final long serialVersionUID = 1L;

    private final TermMaker maker;
    private transient Utf8Terms terms;

    TermMakerFunction(String name, TermMaker maker) {
        super(name, JellyFunctions.texts(maker.arity()), DataTypes.StringType);
        this.maker = maker;
    }

    /**
     * @throws FormatException the term would not be valid
     */
    @Override
    UTF8String call(InternalRow arguments) {
        if (terms == null) {
            terms = new Utf8Terms();
        }
        byte[] qualifier = maker.arity() > 1 ? arguments.getUTF8String(1).getBytes() : null;
        try {
            return UTF8String.fromBytes(maker.make(terms, arguments.getUTF8String(0).getBytes(), qualifier));
        } catch (IllegalArgumentException e) {
            throw FormatException.ofRow("N-Triples", null, e.getMessage(), "see " + name());
        }
    }
}

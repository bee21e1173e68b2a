package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.codec.TermBuilder;
import io.jellybridge.codec.TermSyntaxException;
import io.jellybridge.codec.Utf8Terms;
import io.jellybridge.text.NQuadsParser;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** A function {@code rdf_…(term)} that returns a part of a term. The term may have any form that N-Triples allows. */
final class TermPartFunction extends FunctionBody<UTF8String> {
    private static final long serialVersionUID = 1L;

    private final TermPart part;
    private transient TermBuilder<byte[], TermParts> reader;
    private transient NQuadsParser checked;

    TermPartFunction(String name, TermPart part) {
        super(name, JellyFunctions.texts(1), DataTypes.StringType);
        this.part = part;
    }

    /**
     * @throws FormatException the text is not a term; or the whole term is requested and is not a term of RDF 1.2
     */
    @Override
    UTF8String call(InternalRow arguments) {
        if (reader == null) {
            checked = new NQuadsParser(true);
            reader = new TermBuilder<>(new Utf8Terms(), new TermParts.Factory(part == TermPart.MEND_TAGS));
        }
        try {
            byte[] found = part.of(reader.translate(arguments.getUTF8String(0).getBytes()));
            if (part.isWhole() && found[0] != '_') { // patches accept any blank node label, N-Quads does not
                checked.parseTerm(NQuadsParser.OBJECT, found);
            }
            return UTF8String.fromBytes(found);
        } catch (TermSyntaxException e) {
            throw FormatException.inText("N-Triples", "the term " + e.text(), 0, 0, e.offset(), e.found(), e.advice());
        }
    }
}

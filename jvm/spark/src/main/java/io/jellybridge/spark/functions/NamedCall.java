package io.jellybridge.spark.functions;

import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A call of one of our functions that has the function's name in plans and as a column. Spark 4.3 names its own expression so;
 * earlier versions name it after its class. Public, since Spark copies expressions by their public constructors.
 */
public final class NamedCall extends ApplyFunctionExpression {
    private static final long serialVersionUID = 1L;

    /** Creates a call. */
    public NamedCall(ScalarFunction<?> function, Seq<Expression> arguments) {
        super(function, arguments);
    }

    @Override
    public String prettyName() {
        return name();
    }

    @Override
    @SuppressWarnings("unchecked") // Scala's iterators are covariant
    public Iterator<Object> flatArguments() {
        return (Iterator<Object>) (Iterator<?>) children().iterator();
    }

    @Override
    public Expression withNewChildrenInternal(IndexedSeq<Expression> arguments) {
        return new NamedCall(function(), arguments);
    }
}

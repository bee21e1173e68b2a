package io.jellybridge.spark.functions;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.ApplyFunctionExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.types.StructType;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/** A session extension that registers our functions in each session with our jar. Spark finds this class by a service file. */
public final class JellyExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit>
        implements SparkSessionExtensionsProvider {

    @Override
    public BoxedUnit apply(SparkSessionExtensions extensions) {
        for (JellyFunction function : JellyFunctions.all()) {
            extensions.injectFunction(
                    new Tuple3<>(new FunctionIdentifier(function.name()), expressionInfo(function), new Call(function)));
        }
        return BoxedUnit.UNIT;
    }

    /** Returns the information for {@code DESCRIBE FUNCTION}. */
    private static ExpressionInfo expressionInfo(JellyFunction function) {
        return new ExpressionInfo(function.getClass().getName(), null, function.name(), function.description(),
                "", function.examples(), "", "misc_funcs", "", "", "java_udf");
    }

    /** A function builder, which Spark calls for each call of the function in a query. */
    private static final class Call extends AbstractFunction1<Seq<Expression>, Expression> {
        private final JellyFunction function;

        Call(JellyFunction function) {
            this.function = function;
        }

        @Override
        public Expression apply(Seq<Expression> arguments) {
            StructType types = new StructType();
            for (Expression argument : CollectionConverters.asJava(arguments)) {
                types = types.add("argument" + types.size(), argument.dataType(), argument.nullable());
            }
            return new NamedCall((ScalarFunction<?>) function.bind(types), arguments);
        }
    }

    /**
     * A call of one of our functions that has the function's name in plans and as a column. Spark 4.3 names its own expression so;
     * earlier versions name it after its class. Public, since Spark copies expressions by their public constructors.
     */
    public static final class NamedCall extends ApplyFunctionExpression {
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
}

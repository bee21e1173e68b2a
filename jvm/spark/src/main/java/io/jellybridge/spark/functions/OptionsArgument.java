package io.jellybridge.spark.functions;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The optional second argument of a function, a map of options. It is parsed again only if it differs from that of the last
 * row. Not thread-safe.
 *
 * @param <S> the parsed form of the options
 */
final class OptionsArgument<S> {
    static final DataType TYPE = DataTypes.createMapType(DataTypes.StringType, DataTypes.StringType, true);

    private final boolean given;
    private final Function<Map<String, String>, S> reader;
    private Map<String, String> last = Map.of();
    private S made;

    /**
     * @param given  true if there is a second argument
     * @param reader parses the options, or throws an error
     */
    OptionsArgument(boolean given, Function<Map<String, String>, S> reader) {
        this.given = given;
        this.reader = reader;
    }

    S of(InternalRow arguments) {
        Map<String, String> options = given ? map(arguments.getMap(1)) : last;
        if (made == null || !options.equals(last)) {
            made = reader.apply(options);
            last = options;
        }
        return made;
    }

    private static Map<String, String> map(MapData data) {
        ArrayData names = data.keyArray();
        ArrayData values = data.valueArray();
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < data.numElements(); i++) {
            String name = names.getUTF8String(i).toString();
            if (values.isNullAt(i)) {
                throw new IllegalArgumentException("option '" + name + "' is null; leave it out");
            }
            options.put(name, values.getUTF8String(i).toString());
        }
        return options;
    }
}

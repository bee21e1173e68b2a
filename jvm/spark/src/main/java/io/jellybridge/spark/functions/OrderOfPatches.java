package io.jellybridge.spark.functions;

import io.jellybridge.codec.FormatException;
import io.jellybridge.spark.functions.JellyFunction.FunctionBody;
import io.jellybridge.sync.FileNames;
import io.jellybridge.sync.PatchOrder;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** The function {@code patch_order(patches)}: the indexes of patches of several files, in their order. See {@link PatchOrder}. */
final class OrderOfPatches extends FunctionBody<ArrayData> {
    private static final long serialVersionUID = 1L;
    private static final String RULE = "patch-order";
    private static final StructType PATCH = new StructType().add("file", DataTypes.StringType)
            .add("patch", DataTypes.LongType).add("id", DataTypes.StringType).add("prev", DataTypes.StringType);

    OrderOfPatches(String name, DataType[] types) {
        super(name, new DataType[] {DataTypes.createArrayType(PATCH)}, DataTypes.createArrayType(DataTypes.IntegerType));
    }

    @Override
    ArrayData call(InternalRow arguments) {
        ArrayData patches = arguments.getArray(0);
        Set<String> files = new HashSet<>();
        for (int i = 0; i < patches.numElements(); i++) {
            files.add(toPatch(patches, i).file());
        }
        Map<String, Integer> turns = new HashMap<>();
        FileNames.sortAll(files).forEach(file -> turns.put(file, turns.size()));
        List<Integer> listed = IntStream.range(0, patches.numElements()).boxed()
                .sorted(Comparator.comparing((Integer i) -> turns.get(toPatch(patches, i).file()))
                        .thenComparing(i -> patches.getStruct(i, PATCH.size()).getLong(1))).toList();
        try {
            return new GenericArrayData(new PatchOrder(listed.stream().map(i -> toPatch(patches, i)).toList()).all().stream()
                    .map(listed::get).toArray());
        } catch (IllegalStateException e) {
            throw FormatException.ofRow(RULE, null, e.getMessage(), "see number_patches");
        }
    }

    private static PatchOrder.Patch toPatch(ArrayData patches, int i) {
        InternalRow patch = getStruct(RULE, patches, i, PATCH.size());
        if (patch.isNullAt(0) || patch.isNullAt(1)) {
            throw FormatException.ofRow(RULE, placeOf(i), "its file or its number is null", "leave it out of the array");
        }
        String file = getText(patch, 0);
        String name = file + ", patch " + patch.getLong(1);
        String id = getText(patch, 2);
        return new PatchOrder.Patch(name, id == null ? name : id, id, getText(patch, 3), file, true);
    }

    private static String getText(InternalRow patch, int field) {
        UTF8String text = patch.isNullAt(field) ? null : patch.getUTF8String(field);
        return text == null ? null : text.toString();
    }
}

package io.jellybridge.spark;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.jellybridge.checkpoint.CheckpointPart;
import io.jellybridge.http.HttpOptions.Ticker;
import io.jellybridge.spark.ChangeFileFormat.JellyPatchFileFormat;
import io.jellybridge.spark.FileWriter.FileOutput;
import io.jellybridge.spark.dataset.FrameRows;
import io.jellybridge.spark.functions.JellyFunctions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.KryoSerializer;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.execution.datasources.v2.DataWritingSparkTaskResult;
import org.apache.spark.sql.sources.EqualTo;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.IsNull;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;

/**
 * What travels between the driver and executors. Spark moves closures by Java's serialization and the results of tasks by
 * the serializer that the session has set.
 */
class TaskMessageTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .importUrl(TaskMessage.class.getProtectionDomain().getCodeSource().getLocation());

    /** All that can travel, of this module, and what a checkpoint is made of. */
    static List<Class<?>> travelling() {
        Stream<Class<?>> found = OURS.stream().filter(type -> type.isAssignableTo(Serializable.class))
                .filter(type -> !type.isInterface() && !type.isEnum() && !type.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(type -> !type.isAssignableTo(Throwable.class)).map(JavaClass::reflect);
        return Stream.concat(found, Stream.of(CheckpointPart.class))
                // An RDD is made by a context alone, and a constant of an enum is what the enum is.
                .filter(type -> type != FrameRows.class && !Enum.class.isAssignableFrom(type))
                .sorted(Comparator.comparing(Class::getName)).toList();
    }

    @Test
    void noClassOfOursIsAMessage() {
        assertEquals(List.of(), OURS.stream().filter(type -> type.isAssignableTo(WriterCommitMessage.class)).toList());
    }

    @ParameterizedTest
    @MethodSource("travelling")
    void whatTravelsComesBackAsItWasByJavaAndInMessagesByKryo(Class<?> type) throws Exception {
        // A copy of the sample, as a set that was read has other room than one that was made.
        Object sample = new ObjectInputStream(new ByteArrayInputStream(bytes(Samples.of(type)))).readObject();
        byte[] bytes = bytes(sample);
        SparkConf conf = new SparkConf(false).set("spark.kryo.registrationRequired", "true");
        for (Serializer serializer : List.of(new KryoSerializer(conf), new JavaSerializer(conf))) {
            DataWritingSparkTaskResult result = new DataWritingSparkTaskResult(1, TaskMessage.of((Serializable) sample));
            assertArrayEquals(bytes, bytes(TaskMessage.read(sent(result, serializer).writerCommitMessage(), type)));
        }
    }

    private static DataWritingSparkTaskResult sent(DataWritingSparkTaskResult result, Serializer serializer) {
        var tag = ClassTag$.MODULE$.<DataWritingSparkTaskResult>apply(DataWritingSparkTaskResult.class);
        return serializer.newInstance().deserialize(serializer.newInstance().serialize(result, tag), tag);
    }

    /** Two whose bytes are the same are the same. */
    private static byte[] bytes(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Test
    void classesAreFoundWhereTheThreadDoesNotKnowThem() throws Exception {
        WriterCommitMessage message = TaskMessage.of((Serializable) Samples.of(CheckpointPart.class));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
        try {
            assertEquals(1, TaskMessage.read(message, CheckpointPart.class).quads());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Makes an object of any class by its longest constructor; what that does not need is null. */
    private static final class Samples {
        private static final Map<Class<?>, Object> SIMPLE = Map.of(int.class, 1, long.class, 1L, boolean.class, true,
                byte.class, (byte) 1, String.class, "text", Duration.class, Duration.ofSeconds(1), List.class, List.of(1), StructType.class, ChangeColumn.SCHEMA,
                DataType.class, DataTypes.StringType, scala.collection.immutable.Map.class,
                scala.collection.immutable.Map$.MODULE$.empty());

        private static Object of(Class<?> type) throws Exception {
            Object special = special(type);
            if (special != null) {
                return special;
            }
            Constructor<?> constructor = Stream.of(type.getDeclaredConstructors())
                    .max(Comparator.comparingInt(Constructor::getParameterCount)).orElseThrow();
            constructor.setAccessible(true);
            Class<?>[] types = constructor.getParameterTypes();
            Object[] values = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                values[i] = value(types[i]);
            }
            return constructor.newInstance(values);
        }

        /** What is made of lambdas. */
        private static Object special(Class<?> type) {
            FileOutput output = new JellyPatchFileFormat().toOutput(FormatOptions.JELLY_PATCH.parseValues(Map.of()), ChangeColumn.SCHEMA);
            return Stream.of(output, new FileWriter.Factory(output), pushed(new EqualTo("op", "A")), pushed(new EqualTo("graph", "g")),
                    pushed(new EqualTo("op", "A"), new IsNull("graph")), PushedFilter.test(new IsNull("graph")),
                    JellyFunctions.unboundFunction("rdf_kind")).filter(type::isInstance).findFirst().orElse(null);
        }

        private static PushedFilter pushed(Filter... filters) {
            return PushedFilter.of(CollectionConverters.asScala(List.of(filters)).toSeq());
        }

        private static Object value(Class<?> type) throws Exception {
            if (SIMPLE.containsKey(type)) {
                return SIMPLE.get(type);
            }
            if (type == Ticker.class) {
                return Ticker.System.TIME;
            }
            if (type.isArray()) {
                Object array = Array.newInstance(type.getComponentType(), 1);
                Array.set(array, 0, value(type.getComponentType()));
                return array;
            }
            if (type.isEnum()) {
                return type.getEnumConstants()[0];
            }
            if (!type.getName().startsWith("io.jellybridge.")) {
                return null;
            }
            return !Modifier.isAbstract(type.getModifiers()) ? of(type)
                    : of(travelling().stream().filter(type::isAssignableFrom).findFirst().orElseThrow());
        }
    }
}

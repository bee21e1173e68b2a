package io.jellybridge;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.jellybridge.codec.Op;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Holds the arrows of the design: wire ← codec ← {text, jena, spark} ← Bridge. Among those in braces there is one more:
 * Spark's N-Quads come from the parser in text. Conversions stand on text and jena: {text, jena} ← convert ← Bridge.
 * What speaks to servers stands on http, which knows the JDK alone: http ← {jena, log, sync, spark, Bridge}.
 * Followers stand on these and on logs: {convert, log} ← sync ← {fuseki, the sink of Spark, Bridge}. The source and the
 * functions of Spark know logs, but no dataset.
 */
class ArchitectureTest {

    private static final String ROOT = "io.jellybridge";

    /** Our classes alone: those of the place that {@link Op} comes from, so no test and no build tool. */
    private static final JavaClasses OURS =
            new ClassFileImporter().importUrl(Op.class.getProtectionDomain().getCodeSource().getLocation());

    private static final ArchRule ARROWS = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage(ROOT + "..")
            .layer("http").definedBy(ROOT + ".http..")
            .layer("wire").definedBy(ROOT + ".wire..")
            .layer("codec").definedBy(ROOT + ".codec..")
            .layer("text").definedBy(ROOT + ".text..")
            .layer("jena").definedBy(ROOT + ".jena..")
            .layer("spark").definedBy(ROOT + ".spark", ROOT + ".spark.functions..", ROOT + ".spark.log..")
            .layer("sink").definedBy(ROOT + ".spark.sink..")
            .layer("convert").definedBy(ROOT + ".convert..")
            .layer("conformance").definedBy(ROOT + ".conformance..")
            .layer("log").definedBy(ROOT + ".log..")
            .layer("sync").definedBy(ROOT + ".sync..")
            .layer("fuseki").definedBy(ROOT + ".fuseki..")
            .layer("bridge").definedBy(ROOT)
            .whereLayer("bridge").mayNotBeAccessedByAnyLayer()
            .whereLayer("conformance").mayNotBeAccessedByAnyLayer()
            .whereLayer("fuseki").mayNotBeAccessedByAnyLayer()
            .whereLayer("sink").mayNotBeAccessedByAnyLayer()
            .whereLayer("sync").mayOnlyBeAccessedByLayers("fuseki", "sink", "bridge")
            .whereLayer("log").mayOnlyBeAccessedByLayers("spark", "sync", "fuseki", "bridge")
            .whereLayer("convert").mayOnlyBeAccessedByLayers("sync", "bridge")
            .whereLayer("spark").mayOnlyBeAccessedByLayers("sink", "bridge")
            .whereLayer("jena")
            .mayOnlyBeAccessedByLayers("convert", "conformance", "sync", "fuseki", "sink", "bridge")
            .whereLayer("text")
            .mayOnlyBeAccessedByLayers("spark", "convert", "conformance", "log", "sync", "fuseki", "bridge")
            .whereLayer("codec").mayOnlyBeAccessedByLayers("text", "jena", "spark", "convert", "conformance", "log", "sync",
                    "fuseki", "sink", "bridge")
            .whereLayer("http").mayOnlyBeAccessedByLayers("jena", "spark", "sink", "log", "sync", "bridge")
            .whereLayer("wire").mayOnlyBeAccessedByLayers("codec", "text", "jena", "spark", "bridge")
            .ensureAllClassesAreContainedInArchitecture();

    @Test
    void arrowsBetweenPackagesGoOneWay() {
        ARROWS.check(OURS);
    }

    @Test
    void wireKnowsTheJdkAlone() {
        classes().that().resideInAPackage(ROOT + ".wire..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".wire..")
                .check(OURS);
    }

    @Test
    void httpKnowsTheJdkAlone() {
        classes().that().resideInAPackage(ROOT + ".http..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".http..")
                .check(OURS);
    }

    /** One client: retries, credentials and redaction have one home. */
    @Test
    void thereIsOneClientOfHttp() {
        noClasses().that(resideInAPackage(ROOT + "..")).and().resideOutsideOfPackage(ROOT + ".http..")
                .should().dependOnClassesThat().haveFullyQualifiedName("java.net.http.HttpClient")
                .check(OURS);
    }

    @Test
    void codecKnowsTheJdkAndWireAlone() {
        classes().that().resideInAPackage(ROOT + ".codec..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".wire..", ROOT + ".codec..")
                .check(OURS);
    }

    @Test
    void textKnowsTheJdkAndTheCodecAlone() {
        classes().that().resideInAPackage(ROOT + ".text..")
                .should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", ROOT + ".wire..", ROOT + ".codec..", ROOT + ".text..")
                .check(OURS);
    }

    @Test
    void jenaSideKnowsNothingOfSpark() {
        noClasses().that().resideInAPackage(ROOT + ".jena..")
                .should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..")
                .check(OURS);
    }

    @Test
    void conversionsKnowNothingOfSpark() {
        noClasses().that().resideInAPackage(ROOT + ".convert..")
                .should().dependOnClassesThat()
                .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..")
                .check(OURS);
    }

    @Test
    void onlyConversionsUseTheZstandardLibrary() {
        noClasses().that(resideInAPackage(ROOT + "..")).and().resideOutsideOfPackage(ROOT + ".convert..")
                .should().dependOnClassesThat().resideInAPackage("io.airlift..")
                .check(OURS);
    }

    /** Fuseki is not in the bundle: whoever else used it would fail where there is none. */
    @Test
    void onlyTheModuleForFusekiUsesFuseki() {
        noClasses().that(resideInAPackage(ROOT + "..")).and().resideOutsideOfPackage(ROOT + ".fuseki..")
                .should().dependOnClassesThat().resideInAPackage("org.apache.jena.fuseki..")
                .check(OURS);
    }

    @Test
    void sparkSideKnowsNothingOfJena() {
        noClasses().that().resideInAPackage(ROOT + ".spark..")
                .should().dependOnClassesThat().resideInAPackage("org.apache.jena..")
                .check(OURS);
    }

    @Test
    void nothingOfOursUsesProtobufAtRunTime() {
        noClasses().should().dependOnClassesThat().resideInAPackage("com.google.protobuf..").check(OURS);
    }

    /** The bundle relocates these, so a class of Spark's or of the user's of this name would not be ours. */
    @Test
    void onlyTheJenaSideUsesWhatTheBundleRelocates() {
        noClasses().that(resideInAPackage(ROOT + "..")).and().resideOutsideOfPackage(ROOT + ".jena..")
                .should().dependOnClassesThat(resideInAnyPackage("com.google.gson..", "com.github.benmanes.caffeine..",
                        "org.apache.commons..", "org.apache.thrift..", "org.roaringbitmap..", "jakarta.json.."))
                .check(OURS);
    }

    /** Guards the rules above: with nothing to look at, or with dependencies unseen, they would hold of anything. */
    @ParameterizedTest
    @CsvSource({
        "codec, io.jellybridge.wire",
        "http, java.net.http",
        "log, io.jellybridge.http",
        "sync, io.jellybridge.http",
        "text, io.jellybridge.codec",
        "jena, io.jellybridge.codec",
        "jena, org.apache.jena",
        "convert, io.airlift",
        "convert, io.jellybridge.text",
        "convert, io.jellybridge.jena",
        "spark, io.jellybridge.codec",
        "spark, org.apache.spark",
        "fuseki, org.apache.jena.fuseki",
    })
    void importedClassesShowTheArrowsThatAreThere(String from, String to) {
        assertTrue(OURS.stream().filter(inPackage(from)).flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .anyMatch(dependency -> dependency.getTargetClass().getPackageName().startsWith(to)),
                from + " uses " + to);
    }

    /** Guards the rules above: a rule that forbids an arrow which is there must fail. */
    @ParameterizedTest
    @ValueSource(strings = {"jena", "spark"})
    void aForbiddenArrowIsFound(String from) {
        ArchRule forbidsWhatIsThere = noClasses().that().resideInAPackage(ROOT + "." + from + "..")
                .should().dependOnClassesThat().resideInAPackage(ROOT + ".codec..");
        assertThrows(AssertionError.class, () -> forbidsWhatIsThere.check(OURS));
    }

    private static Predicate<JavaClass> inPackage(String name) {
        return type -> type.getPackageName().startsWith(ROOT + "." + name);
    }
}

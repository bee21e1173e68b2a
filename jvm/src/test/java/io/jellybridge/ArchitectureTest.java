package io.jellybridge;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.jellybridge.codec.Op;
import io.jellybridge.fuseki.PatchModule;
import io.jellybridge.jena.nodes.NodeTerms;
import io.jellybridge.log.PatchLog;
import io.jellybridge.spark.ChangeFileFormat.JellyPatchFileFormat;
import io.jellybridge.sync.Synchronizer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds every class to the picture in docs/architecture.md, and to what else is said there. */
class ArchitectureTest {

    private static final String ROOT = "io.jellybridge";

    /** Our classes alone, of all modules. The test's class path has the folder of each, and no class of ours beside them. */
    private static final JavaClasses OURS = new ClassFileImporter().importUrls(Stream.of(Op.class, PatchLog.class,
            NodeTerms.class, Synchronizer.class, PatchModule.class, JellyPatchFileFormat.class, Bridge.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation()).distinct().toList());

    /** The packages that the picture has, without the root's name; {@code Bridge} is the root itself. */
    private static final Map<String, Set<String>> PICTURE = picture();

    private static Map<String, Set<String>> picture() {
        String document;
        try {
            document = Files.readString(ProjectFiles.folder("docs/architecture.md"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // The last picture is the one of packages.
        String packages = document.substring(document.lastIndexOf("```mermaid\n")).split("```")[1];
        Map<String, Set<String>> arrows = new TreeMap<>();
        Matcher arrow = Pattern.compile("(?m)^ +([\\w.]+)(?: --> ([\\w.]+))?$").matcher(packages);
        while (arrow.find()) {
            if (!arrow.group(1).equals("end")) {
                Set<String> used = arrows.computeIfAbsent(arrow.group(1), name -> new TreeSet<>());
                if (arrow.group(2) != null) {
                    used.add(arrow.group(2));
                }
            }
        }
        return arrows;
    }

    /** What a package is called in the picture. */
    private static String name(JavaClass type) {
        String of = type.getPackageName();
        return of.equals(ROOT) ? "Bridge" : of.substring(ROOT.length() + 1);
    }

    @Test
    void whatIsUsedIsWhatThePictureShows() {
        Map<String, Set<String>> used = new TreeMap<>();
        for (JavaClass type : OURS) {
            Set<String> arrows = used.computeIfAbsent(name(type), name -> new TreeSet<>());
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (target.getPackageName().startsWith(ROOT) && !name(target).equals(name(type))) {
                    arrows.add(name(target));
                }
            }
        }
        assertEquals(PICTURE, used);
    }

    @Test
    void thePictureHasNoCircle() {
        Set<String> done = new TreeSet<>();
        for (int size = -1; size < done.size();) {
            size = done.size();
            PICTURE.forEach((name, uses) -> {
                if (done.containsAll(uses)) {
                    done.add(name);
                }
            });
        }
        assertEquals(PICTURE.keySet(), done);
    }

    /**
     * Two threads that are the first to use Jena wait for each other forever if one initializes a class of Jena, which starts Jena,
     * and the other starts Jena, which needs that class.
     */
    @Test
    void whatKeepsObjectsOfJenaInStaticFieldsStartsJenaBefore() {
        Set<String> missing = new TreeSet<>();
        for (JavaClass type : OURS) {
            boolean isStarted = name(type).equals("fuseki") // Fuseki has started Jena
                    || Stream.concat(type.getEnclosingClass().stream(), type.getAllRawSuperclasses().stream())
                            .anyMatch(before -> jenaIn(before).contains("JenaSystem"));
            List<String> used = jenaIn(type);
            if (!isStarted && !used.isEmpty() && !used.get(0).equals("JenaSystem")) {
                missing.add(type.getSimpleName() + " uses " + used.get(0));
            }
        }
        missing.remove("JellyRdfLang uses LangBuilder"); // a part of what starts with Jena
        assertEquals(Set.of(), missing);
    }

    /** The classes of Jena that a class uses when it is initialized, in order. */
    private static List<String> jenaIn(JavaClass type) {
        return type.getStaticInitializer().stream().flatMap(code -> code.getAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().getPackageName().startsWith("org.apache.jena"))
                .sorted(Comparator.comparing(JavaAccess::getLineNumber))
                .map(access -> access.getTargetOwner().getSimpleName()).toList();
    }

    @Test
    void wireKnowsTheJdkAlone() {
        classes().that().resideInAPackage(ROOT + ".wire..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".wire..")
                .check(OURS);
    }

    @Test
    void optionsKnowTheJdkAlone() {
        classes().that().resideInAPackage(ROOT + ".options..")
                .should().onlyDependOnClassesThat().resideInAnyPackage("java..", ROOT + ".options..")
                .check(OURS);
    }

    @Test
    void httpKnowsTheJdkFilesAndOptionsAlone() {
        classes().that().resideInAPackage(ROOT + ".http..")
                .should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", "javax.net.ssl..", ROOT + ".files..", ROOT + ".options..", ROOT + ".http..")
                .check(OURS);
    }

    @Test
    void filesKnowTheJdkTheCodecAndOptionsAlone() {
        classes().that().resideInAPackage(ROOT + ".files..")
                .should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", ROOT + ".wire..", ROOT + ".codec..", ROOT + ".options..", ROOT + ".files..")
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
    void structureKnowsTheJdkAndTheCodecAlone() {
        classes().that().resideInAPackage(ROOT + ".structure..")
                .should().onlyDependOnClassesThat()
                .resideInAnyPackage("java..", ROOT + ".wire..", ROOT + ".codec..", ROOT + ".structure..")
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

    /** Gson: Spark, Jena and who is behind HTTP have others, which may not come in between. */
    @Test
    void thereIsOneLibraryOfJson() {
        noClasses().that(resideInAPackage(ROOT + ".."))
                .should().dependOnClassesThat().resideInAnyPackage("org.apache.jena.atlas.json..", "com.fasterxml..",
                        "org.json4s..", "jakarta.json..")
                .check(OURS);
    }

    /** The bundle relocates these, so a class of Spark's or of the user's of this name would not be ours. */
    @Test
    void onlyTheJenaSideAndConversionsUseWhatTheBundleRelocates() {
        noClasses().that(resideInAPackage(ROOT + "..")).and().resideOutsideOfPackages(ROOT + ".jena..", ROOT + ".convert..")
                .should().dependOnClassesThat(resideInAnyPackage("com.github.benmanes.caffeine..", "org.apache.commons..",
                        "org.apache.thrift..", "org.roaringbitmap..", "jakarta.json.."))
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

package io.shardmark.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between modules and packages: driver → loader → sql → config ← sql ← proxy. */
final class ArchitectureTest {
  /** Packages that belong to one benchmark. */
  private static final String[] BENCHMARKS = {
    "io.shardmark.config.tpcc..",
    "io.shardmark.loader.tpcc..",
    "io.shardmark.driver.tpcc..",
    "io.shardmark.driver.tpcb..",
    "io.shardmark.driver.sysbench..",
    "io.shardmark.driver.script..",
    "io.shardmark.driver.bmt..",
    "io.shardmark.driver.isolation..",
    "io.shardmark.driver.replication.."
  };

  /** Classes that know each other. */
  private static final int MOST_IN_CIRCLE = 5;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static JavaClasses classes;

  @BeforeAll
  static void readClasses() {
    List<Path> modules =
        Stream.of("config", "sql", "loader", "driver", "proxy")
            .map(module -> ProjectTree.root().resolve(module).resolve("target/classes"))
            .filter(Files::isDirectory)
            .toList();
    classes = new ClassFileImporter().importPaths(modules);
    for (String module : List.of("config", "sql", "loader", "driver", "proxy")) {
      assertThat(classes)
          .as("compiled classes of module %s", module)
          .anyMatch(type -> type.getPackageName().startsWith("io.shardmark." + module));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "config, sql, say it with a value that the other module reads from config",
    "config, loader, say it with a value that the other module reads from config",
    "config, driver, say it with a value that the other module reads from config",
    "config, proxy, say it with a value that the other module reads from config",
    "sql, loader, let the loader pass in what sql needs",
    "sql, driver, let the driver pass in what sql needs",
    "sql, proxy, let the proxy pass in what sql needs",
    "loader, driver, let the driver pass in what the loader needs",
    "loader, proxy, they meet over a socket",
    "driver, proxy, they meet over a socket",
    "proxy, driver, they meet over a socket",
    "proxy, loader, they meet over a socket",
  })
  void modulesPointOneWay(String from, String to, String instead) {
    noClasses()
        .that()
        .resideInAPackage("io.shardmark." + from + "..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.shardmark." + to + "..")
        .because("instead, " + instead)
        .check(classes);
  }

  @Test
  void rulesAndArithmeticKnowNoCommandLine() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.shardmark.config..",
            "io.shardmark.driver.tpcc..",
            "io.shardmark.driver.measure..",
            "io.shardmark.driver.benchmark..",
            "io.shardmark.driver.judge..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "picocli..",
            "io.shardmark.driver",
            "io.shardmark.driver.cli..",
            "io.shardmark.driver.command..",
            "io.shardmark.driver.console..")
        .because("the command line calls them; instead, take what is needed as a parameter")
        .check(classes);
  }

  @Test
  void rulesAndArithmeticPrintNothing() {
    noClasses()
        .that()
        .resideInAnyPackage("io.shardmark.driver.tpcc..", "io.shardmark.driver.measure..")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .because("instead, return the text or take a Consumer<String>")
        .check(classes);
  }

  @Test
  void onlyTheListNamesABenchmark() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.shardmark.config..", "io.shardmark.loader..", "io.shardmark.driver..")
        .and()
        .resideOutsideOfPackages(BENCHMARKS)
        .and()
        .resideOutsideOfPackage("io.shardmark.driver.registry")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(BENCHMARKS)
        .because("a benchmark is a package and a line in a list; instead, extend Benchmark")
        .check(classes);
  }

  /** The list of benchmarks is there for the keys of properties files. */
  @Test
  void resultsAndTheirReaderKnowNothingElseOfTheDriver() {
    noClasses()
        .that()
        .resideInAPackage("io.shardmark.driver.results..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.shardmark.driver..")
                .and(
                    resideOutsideOfPackages(
                        "io.shardmark.driver.results..", "io.shardmark.driver.registry")))
        .because("everything after a run reads them; instead, compute it before and keep it there")
        .check(classes);
  }

  @Test
  void comparisonsKnowNoPage() {
    noClasses()
        .that()
        .resideInAPackage("io.shardmark.driver.compare")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.shardmark.driver.report..", "io.shardmark.driver.compare.html..")
        .because("the page shows what the comparison found; instead, keep it in the model")
        .check(classes);
  }

  @Test
  void theProxysRulesAreFreeOfSocketsThreadsAndDatabases() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.shardmark.proxy.protocol..",
            "io.shardmark.proxy.shardmap..",
            "io.shardmark.proxy.sql..",
            "io.shardmark.proxy.routing..",
            "io.shardmark.proxy.settings..",
            "io.shardmark.proxy.dialog..",
            "io.shardmark.proxy.merge..",
            "io.shardmark.proxy.commit..",
            "io.shardmark.proxy.snapshot..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.netty.channel..",
            "io.netty.handler..",
            "java.sql..",
            "java.net..",
            "io.micrometer..",
            "io.shardmark.proxy.pool..",
            "io.shardmark.proxy.execution..",
            "io.shardmark.proxy.scatter..",
            "io.shardmark.proxy.copy..",
            "io.shardmark.proxy.insert..",
            "io.shardmark.proxy.ddl..",
            "io.shardmark.proxy.local..",
            "io.shardmark.proxy.session..",
            "io.shardmark.proxy.transaction..",
            "io.shardmark.proxy.server..",
            "io.shardmark.proxy.catalog..",
            "io.shardmark.proxy.recovery..",
            "io.shardmark.proxy.deadlock..",
            "io.shardmark.proxy.admin..")
        .because("protocol, routing and commit decide; instead, let a shell perform it")
        .check(classes);
  }

  @Test
  void factsOfAStatementKnowNoRoutes() {
    noClasses()
        .that()
        .resideInAPackage("io.shardmark.proxy.sql..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.shardmark.proxy.routing..")
        .because("routing reads the facts; instead, let it decide there")
        .check(classes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"scatter", "copy", "insert", "ddl", "local"})
  void whatCarriesOutRoutesKnowsNoOtherAndNoSession(String one) {
    String[] others =
        Stream.of("scatter", "copy", "insert", "ddl", "local", "session", "server", "admin")
            .filter(other -> !other.equals(one))
            .map(other -> "io.shardmark.proxy." + other + "..")
            .toArray(String[]::new);
    noClasses()
        .that()
        .resideInAPackage("io.shardmark.proxy." + one + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(others)
        .because("it gets an Execution; instead, take what else is needed as a parameter")
        .check(classes);
  }

  @Test
  void onlyTheProxysBackgroundUsesBlockingDatabaseCalls() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "io.shardmark.proxy.pool..",
            "io.shardmark.proxy.execution..",
            "io.shardmark.proxy.scatter..",
            "io.shardmark.proxy.copy..",
            "io.shardmark.proxy.insert..",
            "io.shardmark.proxy.ddl..",
            "io.shardmark.proxy.local..",
            "io.shardmark.proxy.session..",
            "io.shardmark.proxy.transaction..",
            "io.shardmark.proxy.server..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.postgresql..")
        .because("an event loop must not block; instead, ask a service of catalog or recovery")
        .check(classes);
  }

  @Test
  void nobodyUsesClocksThatJumpOrTypesThatAreMutable() {
    noClasses()
        .should()
        .callMethod(System.class, "currentTimeMillis")
        .because("it jumps; instead, System.nanoTime for durations and Instant.now for dates")
        .check(classes);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.util.Date")
        .orShould()
        .dependOnClassesThat()
        .areAssignableTo("java.util.Calendar")
        .orShould()
        .dependOnClassesThat()
        .haveFullyQualifiedName("java.text.SimpleDateFormat")
        .because("instead, use java.time")
        .check(classes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"config", "sql", "loader", "driver", "proxy"})
  void packagesUseEachOtherOneWay(String module) {
    String below = "io.shardmark." + module;
    List<Set<String>> circles = Circles.of(Circles.uses(classes, below, JavaClass::getPackageName));
    assertThat(circles)
        .as(
            "packages of which each needs every other; move what both need into one that knows none")
        .isEmpty();
  }

  /** A few classes that make up one thing may know each other; more of them are a knot. */
  @ParameterizedTest
  @ValueSource(strings = {"config", "sql", "loader", "driver", "proxy"})
  void circlesOfClassesAreSmall(String module) {
    List<Set<String>> circles =
        Circles.of(Circles.uses(classes, "io.shardmark." + module, Circles::unit));
    assertThat(circles)
        .as("classes of which each reaches every other: give each what it needs as a parameter")
        .allSatisfy(circle -> assertThat(circle).hasSizeLessThanOrEqualTo(MOST_IN_CIRCLE));
  }

  /** Who reads a name in a message or a diff must not ask which of several it is. */
  @ParameterizedTest
  @ValueSource(strings = {"config", "sql", "loader", "driver", "proxy"})
  void aTypesNameIsUniqueInItsModule(String module) {
    Map<String, List<String>> byName =
        classes.stream()
            .filter(type -> type.getPackageName().startsWith("io.shardmark." + module))
            .filter(type -> !type.isAnonymousClass() && !type.getSimpleName().isEmpty())
            .filter(type -> !type.getSimpleName().equals("package-info"))
            .collect(
                Collectors.groupingBy(
                    JavaClass::getSimpleName,
                    Collectors.mapping(JavaClass::getName, Collectors.toList())));
    assertThat(byName.values()).allSatisfy(types -> assertThat(types).hasSize(1));
    assertThat(byName.keySet())
        .as("a name says of what it is a kind or a step")
        .doesNotContain("Kind", "Part", "Mode", "Step", "Use", "Entry");
  }

  /** The search above must find what it looks for. */
  @Test
  void findsCirclesOfNames() {
    Map<String, Set<String>> uses =
        Map.of(
            "a", Set.of("b", "x"),
            "b", Set.of("c"),
            "c", Set.of("a", "d"),
            "d", Set.of("e"),
            "e", Set.of("d"),
            "x", Set.of());
    assertThat(Circles.of(uses)).containsExactly(Set.of("a", "b", "c"), Set.of("d", "e"));
  }
}

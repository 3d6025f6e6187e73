package io.shardmark.driver.compare.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.ComparedFigure;
import io.shardmark.driver.compare.ComparedPoint;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.Comparison.Flag;
import io.shardmark.driver.compare.Comparison.PointRatio;
import io.shardmark.driver.compare.MadeRuns;
import io.shardmark.driver.compare.Ratio;
import io.shardmark.driver.compare.Ratio.Basis;
import io.shardmark.driver.guarantees.Guarantees;
import io.shardmark.driver.report.Page;
import io.shardmark.driver.results.LatencyFigure;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ratios, curves and flags of runs whose figures are known. */
final class ComparisonTest {
  static final Path PUBLISHED = Path.of("..", "results", "published-klustron-2023");

  @TempDir private Path temporary;

  private Path at(String name) {
    return temporary.resolve(name);
  }

  static Comparison compare(String... arguments) throws IOException {
    return Comparison.read(Stream.of(arguments).map(CompareArgument::parse).toList(), Choices.NONE);
  }

  private static List<String> subjects(Comparison comparison) {
    return comparison.flags().stream().map(Flag::subject).toList();
  }

  private static String flag(Comparison comparison, String subject) {
    return comparison.flags().stream()
        .filter(flag -> flag.subject().equals(subject))
        .map(Flag::sentence)
        .findFirst()
        .orElse("no flag " + subject);
  }

  @Test
  void publishedTablesAreLaidSideBySide() throws IOException {
    Comparison comparison = compare(PUBLISHED.toString());
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("### 50 warehouses", "### 500 warehouses")
        .contains("| Concurrent users | Oracle 19c (published) | Klustron 1.2.1 (published) |")
        .contains("| 100 | 97,179 | 69,464 |", "| 100 | 215,941 | 154,491 |")
        .contains("| 1,000 | 65,599 | – |")
        .contains("published figures, not measured by us")
        .contains("Klustron vs. Oracle: TPCC Performance Comparison");
    Ratio overall = comparison.overall().get(0).of(comparison.yardstick().main()).orElseThrow();
    assertThat(comparison.overall().get(0).points()).isEqualTo(10);
    assertThat(overall.value()).isCloseTo(0.393006, within(1e-6));
    assertThat(overall.interval()).isEmpty();
    assertThat(overall.reason()).contains("published");
    assertThat(comparison.flags()).isEmpty();
    assertThat(comparison.notes()).containsExactly("Not known of Oracle 19c: Home warehouses.");
  }

  /** One line for each group of systems, whatever is not known of it. */
  @Test
  void whatIsNotKnownIsOneNoteAndEqualTextsAreSaidOnce() throws IOException {
    String one = "one=" + MadeRuns.ours(at("one"));
    String two =
        "two="
            + MadeRuns.ours(
                at("two"),
                "\"statementProfile\" : \"benchmarksql\"",
                "\"statementProfile\" : \"batched\"");
    Comparison comparison = compare(one, two, PUBLISHED.toString());
    assertThat(comparison.notes())
        .filteredOn(note -> note.contains("known"))
        .containsExactly(
            "Not known of Oracle 19c, Klustron 1.2.1: Isolation.",
            "Not known of Oracle 19c: Home warehouses.");
    assertThat(flag(comparison, "Statement profile"))
        .isEqualTo("one, Oracle 19c, Klustron 1.2.1: benchmarksql; two: batched.");
  }

  /** The ratio of two columns is compared where figures are not: of few warehouses with many. */
  @Test
  void ownFiguresStandInTheTablesOfTheirSource() throws IOException {
    String cluster = "w50/cluster=" + MadeRuns.benchmarkSql(at("c20"), 2, 20, 10, 5);
    String single = "w50/single=" + MadeRuns.benchmarkSql(at("s20"), 2, 20, 20, 5);
    Comparison comparison = compare(cluster, single, PUBLISHED.toString());
    assertThat(comparison.tables()).hasSize(1);
    assertThat(comparison.systems()).noneMatch(ComparedSystem::isPublished);
    assertThat(comparison.title()).isEqualTo("Klustron vs. Oracle: TPCC Performance Comparison");
    assertThat(comparison.resultsOfTables()).noneMatch(one -> one.startsWith("50 warehouses"));
    String large = "w500/cluster=" + MadeRuns.benchmarkSql(at("l100"), 2, 100, 10, 5);
    assertThat(compare(cluster, single, large, PUBLISHED.toString()).resultsOfTables())
        .anyMatch(one -> one.startsWith("50 warehouses: "))
        .allMatch(one -> one.matches("500? warehouses: .*"));
    assertThat(ComparisonFiles.markdown(comparison))
        .contains(
            "| 20 | 12,766 | 588 | 28,500 | 648 | 78,996 | 1,188 | 175,991 | 1,248 | 0.16 | 0.49 |")
        .contains("| most at | 100 | 20 |")
        .contains("500 warehouses: no system here is called as its columns: w500/cluster");
    assertThat(ComparisonFiles.json(comparison)).contains("\"own\" : [ 588.0, null, null, null ]");
  }

  @Test
  void systemsThatEndInARowStandInItsPlace() throws IOException {
    Path sweep = at("sweep");
    Files.createDirectories(sweep.resolve("mine-shards-1"));
    Files.createDirectories(sweep.resolve("mine-shards-2"));
    MadeRuns.tpcb(sweep.resolve("mine-shards-1/t8"), 10, 1, "pipelined");
    MadeRuns.tpcb(sweep.resolve("mine-shards-2/t8"), 5, 1, "pipelined");
    String published =
        Files.readString(Path.of("..", "results", "published-infinisql", "published.json"));
    Path file =
        Files.writeString(
            at("published.json"),
            published.replace("TPC-B (pgbench)", "TPC-B").replace("medianSecond", "tps"));
    Comparison comparison = compare("nodes=" + sweep, file.toString());
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("| 1 | 84,400 | 39.8 | 89,500 | 1.00 | 1.00 |")
        .contains("| 2 | 109,400 | 19.8 | 116,600 | 1.30 | 0.50 |");
  }

  /** As the network between the two that the source sets in relation. */
  @Test
  void aColumnBesideARatioOfTwoOthersIsAGroupToo() throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String name : List.of("insert/1G", "delete/1G", "update/1G")) {
      arguments.add(name + "=" + MadeRuns.tpcb(at(name), 5, 1, "pipelined"));
    }
    String published =
        Files.readString(Path.of("..", "results", "published-bmt-2015", "published.json"))
            .replace("\"BMT\"", "\"TPC-B\"")
            .replace("\"rows\",", "\"branches\",")
            .replaceFirst(
                "\"columns\": *\\[",
                """
                "over": ["DELETE TPS", "INSERT TPS"], "columns": [
                {"name": "UPDATE TPS", "metric": "tps", "here": "update", "values": [1, 2, 3]},
                """);
    arguments.add(Files.writeString(at("published.json"), published).toString());

    Comparison comparison = compare(arguments.toArray(String[]::new));

    assertThat(comparison.isInTables()).isTrue();
    assertThat(comparison.ratios()).isEmpty();
  }

  /** A deletion over an insertion is no ratio, and no setting of one is unlike in the other. */
  @Test
  void eachColumnOfATableHasABaselineOfItsOwn() throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String operation : List.of("insert", "delete")) {
      for (String row : List.of("1G", "10G")) {
        int perSecond = (operation.equals("insert") ? 5 : 50) * (row.equals("1G") ? 1 : 2);
        String name = operation + "/" + row;
        arguments.add(
            name + "=" + MadeRuns.tpcb(at(name), perSecond, 1, operation.replace("e", "a")));
      }
    }
    String published =
        Files.readString(Path.of("..", "results", "published-bmt-2015", "published.json"));
    arguments.add(
        Files.writeString(
                at("published.json"),
                published.replace("\"BMT\"", "\"TPC-B\"").replace("\"rows\",", "\"branches\","))
            .toString());
    Comparison comparison = compare(arguments.toArray(String[]::new));

    assertThat(comparison.isInTables()).isTrue();
    assertThat(comparison.ratios()).isEmpty();
    assertThat(comparison.flags())
        .extracting(Comparison.Flag::subject)
        .doesNotContain("statements", "Scale");
    assertThat(comparison.alike()).contains("Pacing").doesNotContain("statements");
    assertThat(comparison.resultsOfTables().get(0))
        .matches(
            "INSERT TPS, 10G over 1G: 1\\.33 \\(published\\), 2\\.0\\d \\(here; 95 %: .*\\)\\.");
    assertThat(comparison.resultsOfTables().get(1)).startsWith("DELETE TPS, 10G over 1G: 1.38");
    assertThat(ComparisonFiles.markdown(comparison))
        .doesNotContain("## Ratio to", "## Throughput", "not comparable");
  }

  @Test
  void aRowKeepsItsFigureThoughTheRunOfAnotherLacksIt() throws IOException {
    Path sweep = at("sweep");
    Files.createDirectories(sweep.resolve("mine-shards-1"));
    Files.createDirectories(sweep.resolve("mine-shards-2"));
    MadeRuns.tpcb(sweep.resolve("mine-shards-1/t8"), 10, 1, "pipelined");
    Path other = MadeRuns.tpcb(sweep.resolve("mine-shards-2/t8"), 5, 1, "pipelined");
    Path summary = other.resolve("summary.json");
    Files.writeString(
        summary, Files.readString(summary).replace("medianSecond", "medianOfAnother"));
    String published =
        Files.readString(Path.of("..", "results", "published-infinisql", "published.json"));
    Path file =
        Files.writeString(at("published.json"), published.replace("TPC-B (pgbench)", "TPC-B"));
    assertThat(ComparisonFiles.markdown(compare("nodes=" + sweep, file.toString())))
        .contains("| 1 | 84,400 | 40 |")
        .contains("| 2 | 109,400 | – |");
  }

  @Test
  void theReadmeOfPublishedFiguresHasEachOfThem() throws IOException {
    String readme = Files.readString(PUBLISHED.resolve("README.md"));
    int rows = 0;
    Comparison comparison = compare(PUBLISHED.toString());
    for (ComparedSystem system : comparison.systems()) {
      for (ComparedPoint point : system.points()) {
        String figures =
            "| %d | %s%s | %s |"
                .formatted(
                    point.place().terminals(),
                    system.name().startsWith("Oracle") ? ".*" : "",
                    decimal(point.mean(comparison.yardstick().main())),
                    decimal(point.mean(comparison.yardstick().metrics().get(1))));
        String pattern =
            figures.replace(".*", "@").replaceAll("([|.])", "\\\\$1").replace("@", ".*");
        assertThat(Pattern.compile(pattern).matcher(readme).find()).as(figures).isTrue();
        rows++;
      }
    }
    assertThat(rows).isEqualTo(21);
  }

  @Test
  void processorTimeOfATransactionStandsBesideIt() throws IOException {
    String counted = "\"databaseFigures\" :";
    String server =
        """
        "serverProcesses": [{"role": "%s", "address": "a:1"%s}],
        """;
    Path known =
        MadeRuns.ours(
            at("known"),
            counted,
            server.formatted("server", ", \"userSeconds\": 10, \"systemSeconds\": 2") + counted);
    Path unknown = MadeRuns.ours(at("unknown"), counted, server.formatted("server", "") + counted);

    Comparison comparison = compare("known=" + known, "unknown=" + unknown);

    assertThat(ComparisonFiles.markdown(comparison))
        .contains("| processor time of a transaction, us | 818,182 | – |")
        .contains("| server: processor time of a transaction, us | 363,636 | – |")
        .contains("Processor us/transaction");
    assertThat(ComparisonFiles.json(comparison)).containsOnlyOnce("\"processorMicros\" : 818181.8");
    assertThat(ComparisonFiles.markdown(compare("a=" + unknown, PUBLISHED.toString())))
        .doesNotContain("Processor us");
  }

  @Test
  void unlikeGuaranteesAreNamedBeforeTheRatio() throws IOException {
    String database = "\"database\" : {";
    String settings =
        database
            + """
             "guarantee.fsync": "on", "guarantee.synchronous_commit": "%s",
            """;
    Path on = MadeRuns.ours(at("on"), database, settings.formatted("on"));
    Path off = MadeRuns.ours(at("off"), database, settings.formatted("off"));

    Comparison comparison = compare("on=" + on, "off=" + off);

    assertThat(new ComparisonPage(comparison).build().figures())
        .extracting(Page.PageFigure::name)
        .contains("not equal: tpmC of off over on");
    assertThat(comparison.guarantees()).isEqualTo(Guarantees.Equality.NOT_EQUAL);
    assertThat(ComparisonFiles.json(comparison)).contains("\"guarantees\" : \"not-equal\"");
    assertThat(ComparisonFiles.markdown(comparison))
        .containsSubsequence(
            "Not equal",
            "A committed transaction survives: with off not even the kill of a server process"
                + " (synchronous\\_commit=off); with on a loss of power",
            "Result",
            "tpmC ratio")
        .contains("| synchronous\\_commit | on | off |");
    assertThat(ComparisonFiles.markdown(compare("a=" + on, "b=" + PUBLISHED)))
        .doesNotContain("Not equal");
  }

  private static String decimal(double value) {
    return BigDecimal.valueOf(value).toPlainString();
  }

  /** Ours with other texts in its summary, and without other files. */
  private Path summaryOnly(String name, Consumer<ObjectNode> change) throws IOException {
    Path directory = at(name);
    Files.createDirectories(directory.getParent());
    MadeRuns.ours(directory);
    Files.move(directory.resolve("data"), at(name + "-data"));
    Path file = directory.resolve("summary.json");
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode summary = (ObjectNode) mapper.readTree(file.toFile());
    change.accept(summary);
    mapper.writeValue(file.toFile(), summary);
    return directory;
  }

  private static ObjectNode due(ObjectNode summary) {
    return (ObjectNode) summary.path("types").path(0).at("/latencyMillis/all/due");
  }

  /** At one of two places nobody knows the percentiles. */
  @Test
  void aGeometricMeanIsOfThePointsThatHaveTheFigure() throws IOException {
    List<String> arguments = new ArrayList<>();
    for (String system : List.of("a", "b")) {
      for (int terminals : List.of(5, 10)) {
        Path run =
            summaryOnly(
                system + terminals,
                summary -> {
                  ((ObjectNode) summary.path("configuration")).put("terminals", terminals);
                  if (terminals == 5) {
                    due(summary).put("count", 0);
                  }
                });
        arguments.add(system + "=" + run);
      }
    }
    Comparison comparison = compare(arguments.toArray(String[]::new));
    assertThat(comparison.overall().get(0).points()).isEqualTo(2);
    assertThat(figureNotes(comparison, "tpmC of b over a")).contains("geometric mean of 2 points");
    assertThat(figureNotes(comparison, "p99 New-Order of b over a")).contains("at one of 2 points");
  }

  @Test
  void lowerBoundsAreMarkedAndHaveNoRatioWithAnInterval() throws IOException {
    Path known = summaryOnly("known", summary -> {});
    Path bound =
        summaryOnly(
            "bound",
            summary -> due(summary).put("lowerBoundFrom", 95).put("undone", 3).put("p99", 2514));
    Comparison comparison = compare("known=" + known, "bound=" + bound);
    assertThat(figureNotes(comparison, "best tpmC of bound")).contains("p99 ≥ 2,514 ms");
    assertThat(ComparisonFiles.markdown(comparison)).contains("≥ 2,514");
    Ratio p99 =
        comparison
            .ratios()
            .get(0)
            .of(comparison.yardstick().percentile(LatencyFigure.P99))
            .orElseThrow();
    assertThat(p99.interval()).isEmpty();
    assertThat(p99.reason()).isEqualTo("a percentile is a lower bound");
  }

  private static String figureNotes(Comparison comparison, String name) {
    return new ComparisonPage(comparison)
        .build().figures().stream()
            .filter(figure -> figure.name().equals(name))
            .map(figure -> figure.value() + " " + figure.note())
            .collect(Collectors.joining());
  }

  @Test
  void failuresThatBenchmarkSqlDoesNotRecordAreADash() throws IOException {
    Path theirs = MadeRuns.benchmarkSql(at("theirs"), 2, 10, 20, 50);
    Path ours = MadeRuns.ours(at("ours"));
    Comparison comparison = compare("theirs=" + theirs, "ours=" + ours);
    Map<String, Double> failed =
        comparison.systems().stream()
            .collect(
                Collectors.toMap(
                    ComparedSystem::name,
                    one -> one.points().get(0).mean(ComparedFigure.FAILED_PERCENT)));
    assertThat(failed.get("theirs")).isNaN();
    assertThat(failed.get("ours")).isPositive();
    assertThat(ComparisonFiles.json(comparison)).containsOnlyOnce("\"failed\" :");
  }

  private Path withServer(String name, Map<String, String> facts) throws IOException {
    return summaryOnly(
        name,
        summary -> facts.forEach((key, text) -> summary.withObject("/database").put(key, text)));
  }

  @Test
  void serversThatAreSetOtherwiseAreFlaggedByWhatDiffers() throws IOException {
    Path on =
        withServer(
            "on",
            Map.of(
                "settings", "1", "setting.shared_buffers", "1GB", "extensions", "", "keys", "20"));
    Path off =
        withServer(
            "off",
            Map.of(
                "settings",
                "2",
                "setting.shared_buffers",
                "1GB",
                "setting.synchronous_commit",
                "off",
                "extensions",
                "",
                "keys",
                "19",
                "keysMissing",
                "s_item_fkey",
                "tables",
                "bmsql_stock unlogged"));
    Comparison comparison = compare("on=" + on, "off=" + off);
    assertThat(flag(comparison, "Server's settings"))
        .isEqualTo("on: nothing else; off: synchronous_commit=off.");
    assertThat(flag(comparison, "Tables and keys"))
        .isEqualTo("on: as built; off: without s_item_fkey, bmsql_stock unlogged.");
    assertThat(comparison.alike()).contains("Extensions").doesNotContain("Server's settings");
    assertThat(comparison.differences()).noneMatch(one -> one.setting().contains("setting."));
    assertThatThrownBy(() -> compare("a=" + on, "a=" + off, "b=" + PUBLISHED))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("are no repetitions of one run: Server's settings ");
  }

  @Test
  void singleRunsTakeTheirIntervalFromTheirParts() throws IOException {
    Path slow = MadeRuns.benchmarkSql(at("slow"), 2, 10, 20, 50);
    Path fast = MadeRuns.benchmarkSql(at("fast"), 2, 10, 40, 25);
    Comparison comparison = compare("slow=" + slow, "fast=" + fast);
    PointRatio point = comparison.ratios().get(0);
    Ratio tpmC = point.of(comparison.yardstick().main()).orElseThrow();
    // 60 s less one in each fifth: 1188 and 2388 New-Orders.
    assertThat(tpmC.value()).isCloseTo(2388.0 / 1188, within(1e-6));
    assertThat(tpmC.basis()).isEqualTo(Basis.PARTS);
    assertThat(tpmC.samples()).isBetween(16, 60); // 60 of 1 s, put together where they are alike
    assertThat(tpmC.interval().orElseThrow().low()).isBetween(1.95, 2388.0 / 1188);
    Ratio p90 = point.of(comparison.yardstick().percentile(LatencyFigure.P90)).orElseThrow();
    assertThat(p90.value()).isCloseTo(0.5, within(0.01));
    assertThat(p90.interval()).isEmpty();
    assertThat(subjects(comparison)).isEmpty();
    assertThat(comparison.alike()).contains("Statement profile", "Pacing", "Mix", "Run length");
  }

  private static List<Page.PageVerdict> headlines(Comparison comparison) {
    return new ComparisonPage(comparison)
        .verdicts().stream().filter(one -> one.subject().equals("Result")).toList();
  }

  @Test
  void saysInWordsWhatCameOutWithItsInterval() throws IOException {
    Path slow = MadeRuns.benchmarkSql(at("slow"), 2, 10, 20, 50);
    Path fast = MadeRuns.benchmarkSql(at("fast"), 2, 10, 40, 25);
    Path same = MadeRuns.benchmarkSql(at("same"), 2, 10, 20, 50);

    assertThat(headlines(compare("slow=" + slow, "fast=" + fast, "same=" + same)))
        .satisfiesExactly(
            more ->
                assertThat(more.text())
                    .matches(
                        "fast makes 101 % more New-Orders than slow \\(tpmC ratio 2\\.010, 95 %:"
                            + " [12]\\.\\d{3} to 2\\.\\d{3}\\)\\."),
            equal ->
                assertThat(equal.text())
                    .startsWith("same and slow do not differ beyond chance (tpmC ratio 1.0"));
    assertThat(headlines(compare("fast=" + fast, "slow=" + slow)).get(0).text())
        .startsWith("slow makes 50.3 % fewer New-Orders than fast");
  }

  @Test
  void unlikeScalesAreNotComparable() throws IOException {
    Path small = MadeRuns.benchmarkSql(at("small"), 2, 10, 20, 50);
    Path large = MadeRuns.benchmarkSql(at("large"), 4, 10, 40, 25);

    assertThat(headlines(compare("small=" + small, "large=" + large)))
        .containsExactly(
            new Page.PageVerdict(
                Page.PageGrade.UNKNOWN,
                "Result",
                "large and small are not comparable: 4 warehouses, 10 terminals against 2"
                    + " warehouses, 10 terminals."));
  }

  @Test
  void repeatedRunsTakeItFromEachOther() throws IOException {
    for (int i = 0; i < 3; i++) {
      MadeRuns.benchmarkSql(at("a" + i), 2, 10, 20 + i, 50);
      MadeRuns.benchmarkSql(at("b" + i), 2, 10, 30 + i, 40 + i);
    }
    Comparison comparison =
        compare(
            "a=" + at("a0"),
            "a=" + at("a1"),
            "a=" + at("a2"),
            "b=" + at("b0"),
            "b=" + at("b1"),
            "b=" + at("b2"));
    assertThat(comparison.systems()).hasSize(2);
    Ratio tpmC = comparison.ratios().get(0).of(comparison.yardstick().main()).orElseThrow();
    assertThat(tpmC.basis()).isEqualTo(Basis.REPETITIONS);
    assertThat(tpmC.samples()).isEqualTo(3);
    assertThat(tpmC.baselineSamples()).isEqualTo(3);
    assertThat(
            comparison
                .ratios()
                .get(0)
                .of(comparison.yardstick().percentile(LatencyFigure.P90))
                .orElseThrow()
                .basis())
        .as("the baseline's percentiles did not vary, the system's did")
        .isEqualTo(Basis.REPETITIONS);
    ComparedPoint point = comparison.systems().get(1).points().get(0);
    assertThat(point.latency("NEW_ORDER").orElseThrow().count())
        .as("histograms are added up")
        .isEqualTo(1788 + 1848 + 1908);
  }

  @Test
  void aRunWithLittleOverTimeHasNoInterval() throws IOException {
    Path ours = MadeRuns.ours(at("ours"));
    Path theirs = MadeRuns.benchmarkSql(at("theirs"), 2, 10, 20, 50);
    Files.delete(theirs.resolve("data/runInfo.csv"));
    String rows = Files.readString(theirs.resolve("data/result.csv"));
    Files.writeString(
        theirs.resolve("data/result.csv"), rows.substring(0, rows.indexOf("1,3999,")));
    Comparison comparison = compare("ours=" + ours, "theirs=" + theirs);
    Ratio tpmC = comparison.ratios().get(0).of(comparison.yardstick().main()).orElseThrow();
    assertThat(tpmC.basis()).isEqualTo(Basis.NONE);
    assertThat(tpmC.reason()).startsWith("too little over time");
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("No interval where: too little over time");
  }

  @Test
  void bothProgramsAndADirectoryCutShortAreComparedOnWhatIsThere() throws IOException {
    Path ours = MadeRuns.ours(at("ours"));
    Path theirs = MadeRuns.benchmarkSql(at("theirs"), 2, 10, 20, 50);
    Path killed = MadeRuns.ours(at("killed"));
    Files.delete(killed.resolve("summary.json"));
    Comparison comparison = compare("ours=" + ours, "theirs=" + theirs, "killed=" + killed);
    assertThat(comparison.systems()).extracting(ComparedSystem::runs).containsExactly(1, 1, 1);
    assertThat(comparison.missing())
        .anyMatch(sentence -> sentence.contains("killed") && sentence.contains("summary.json"))
        .anyMatch(sentence -> sentence.contains("sys_info.csv"));
    assertThat(subjects(comparison)).contains("Not to the end");
    assertThat(flag(comparison, "Not to the end")).contains("killed");
    assertThat(comparison.notes()).anyMatch(note -> note.contains("BenchmarkSQL 5.0"));
  }

  @Test
  void unlikeConditionsAreFlagged() throws IOException {
    Path one = MadeRuns.ours(at("one"));
    Path other =
        MadeRuns.ours(
            at("other"),
            "\"statementProfile\" : \"benchmarksql\"",
            "\"statementProfile\" : \"batched\"",
            "\"isolation\" : \"read committed\"",
            "\"isolation\" : \"serializable\"",
            "\"keyingTimeMultiplier\" : 0.0",
            "\"keyingTimeMultiplier\" : 1.0",
            "\"newOrderRemotePercent\" : 1",
            "\"newOrderRemotePercent\" : 10",
            "\"newOrder\" : 45",
            "\"newOrder\" : 40",
            "\"number\" : 2",
            "\"number\" : 20");
    Comparison comparison = compare("one=" + one, "other=" + other);
    assertThat(subjects(comparison))
        .contains(
            "Statement profile", "Isolation", "Pacing", "Remote shares", "Mix", "Scale", "Errors");
    assertThat(flag(comparison, "Statement profile"))
        .isEqualTo("one: benchmarksql; other: batched.");
    assertThat(flag(comparison, "Isolation")).contains("serializable");
    assertThat(flag(comparison, "Scale")).contains("20 of other with 2 of one");
    assertThat(flag(comparison, "Errors"))
        .isEqualTo("Transactions failed: one (1 of 34); other (1 of 34).");
    assertThat(comparison.alike()).contains("Home warehouses").doesNotContain("Isolation");
    assertThat(comparison.differences())
        .anyMatch(
            difference ->
                difference.setting().equals("isolation")
                    && difference
                        .values()
                        .equals(Map.of("one", "read committed", "other", "serializable")));
  }

  @Test
  void whatADrawnSeedDecidesIsNoDifference() throws IOException {
    String[] drawn = {"\"seedDrawn\" : false", "\"seedDrawn\" : true"};
    String[] seed = {"\"seed\" : 42", "\"seed\" : 43", "C for C_LAST, load", "cLastRun"};
    String[] both = {drawn[0], drawn[1], seed[0], seed[1], seed[2], seed[3]};
    Comparison given = compare("a=" + MadeRuns.ours(at("a")), "b=" + MadeRuns.ours(at("b"), seed));
    Comparison ofEach =
        compare("c=" + MadeRuns.ours(at("c"), drawn), "d=" + MadeRuns.ours(at("d"), both));

    assertThat(given.differences())
        .extracting(Comparison.Difference::setting)
        .contains("seed", "Workload: cLastRun");
    assertThat(ofEach.differences())
        .extracting(Comparison.Difference::setting)
        .doesNotContain("seed", "Workload: cLastRun");
  }

  @Test
  void onlyUnlikeConditionsAreTabled() throws IOException {
    Path one = MadeRuns.ours(at("one"));
    Path other =
        MadeRuns.ours(
            at("other"), "\"isolation\" : \"read committed\"", "\"isolation\" : \"serializable\"");

    assertThat(ComparisonFiles.markdown(compare("one=" + one, "other=" + other)))
        .contains("### Conditions that are not alike", "| Isolation | read committed |")
        .doesNotContain("not known | not known", "| Pacing |");
  }

  @Test
  void doubtfulRunsAreFlagged() throws IOException {
    Path one =
        MadeRuns.ours(
            at("one"),
            "\"ending\" : \"completed\"",
            "\"ending\" : \"interrupted\"",
            "\"kind\" : \"stalled\"",
            "\"kind\" : \"driver-bound\"",
            "\"limitMillis\" : 5000",
            "\"limitMillis\" : 1");
    Comparison comparison = compare("one=" + one, "two=" + MadeRuns.ours(at("two")));
    assertThat(flag(comparison, "Not to the end")).contains("interrupted");
    assertThat(flag(comparison, "Driver the limit")).contains("can do more than is shown");
    assertThat(flag(comparison, "Response-time limits")).contains("NEW_ORDER p90");
  }

  @Test
  void aMachineWhoseLoadIsNotKnownHasNoFigure() throws IOException {
    Path unknown =
        MadeRuns.ours(at("unknown"), "\"machineBusyShare\" : 0.75", "\"machineBusyShare\" : null");
    Comparison comparison = compare("unknown=" + unknown, "known=" + MadeRuns.ours(at("known")));
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("| machine of the driver: busy % | – | 75 |");
  }

  @Test
  void unlikeTerminalsAndLengthsOfSingleRunsAreFlagged() throws IOException {
    Path ten = MadeRuns.ours(at("ten"));
    Path fifty =
        MadeRuns.ours(
            at("fifty"),
            "\"terminals\" : 10",
            "\"terminals\" : 50",
            "\"seconds\" : 60.0",
            "\"seconds\" : 30.0");
    Comparison comparison = compare("ten=" + ten, "fifty=" + fifty);
    assertThat(flag(comparison, "Terminals")).isEqualTo("fifty ran with 50 and ten with 10.");
    assertThat(flag(comparison, "Run length")).isEqualTo("ten: 1 min; fifty: 30 s.");
    assertThat(comparison.ratios()).hasSize(1);
  }

  @Test
  void unlikeFillsOfOneProductAreFlagged() throws IOException {
    String commits = "\"databaseFigures\" : {";
    String small =
        commits + "\"relation_bytes\" : 2100000.0, \"relation_bytes_increase\" : 100000.0,";
    String large =
        commits + "\"relation_bytes\" : 2400000.0, \"relation_bytes_increase\" : 150000.0,";
    Path first = MadeRuns.ours(at("first"), commits, small);
    Path second = MadeRuns.ours(at("second"), commits, large);
    Path other =
        MadeRuns.ours(
            at("other"),
            commits,
            large,
            "\"product\" : \"PostgreSQL 15.18\"",
            "\"product\" : \"X\"");

    assertThat(flag(compare("a=" + first, "b=" + second), "Fill"))
        .matches("a: .* [KM]B; b: .* [KM]B for each unit of scale .*; reset puts tables back\\.");
    Path third = MadeRuns.ours(at("third"), commits, small);
    assertThat(compare("a=" + first, "b=" + third).alike()).contains("Fill");
    // What the ramp-up added is no fill: the size at the start is noted apart.
    String noted = "\"product\" : \"PostgreSQL 15.18\"";
    String atStart = noted + ", \"bytesAtStart\" : \"2000000\"";
    assertThat(
            compare(
                    "a=" + MadeRuns.ours(at("fourth"), commits, small, noted, atStart),
                    "b=" + MadeRuns.ours(at("fifth"), commits, large, noted, atStart))
                .alike())
        .contains("Fill");
    assertThat(compare("a=" + first, "b=" + other).flags())
        .extracting(Comparison.Flag::subject)
        .doesNotContain("Fill");
  }

  @Test
  void curvesWithoutACommonPointHaveNoRatio() throws IOException {
    for (int terminals : List.of(5, 10, 20, 40)) {
      MadeRuns.benchmarkSql(at("r" + terminals), 2, terminals, 20, 50);
    }
    Comparison comparison =
        compare("a=" + at("r5"), "a=" + at("r10"), "b=" + at("r20"), "b=" + at("r40"));
    assertThat(comparison.ratios()).isEmpty();
    assertThat(flag(comparison, "Terminals")).contains("no number of terminals in common");
    assertThat(ComparisonFiles.markdown(comparison)).contains("| 40 | – | 1,188 |");
  }

  @Test
  void aSeriesOverScalesIsOneTable() throws IOException {
    for (int warehouses : List.of(1, 2, 4, 8, 16)) {
      Files.createDirectories(at("s/a"));
      Files.createDirectories(at("s/b"));
      MadeRuns.benchmarkSql(at("s/a/w" + warehouses), warehouses, 10 * warehouses, 10, 20);
      MadeRuns.benchmarkSql(at("s/b/w" + warehouses), warehouses, 10 * warehouses, 20, 20);
    }
    Comparison comparison = compare(at("s").toString());
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("### tpmC\n", "| Warehouses | Concurrent users | a | b |")
        .contains("| 16 | 160 | 588 | 1,188 |", "| 16 | 160 | 648 | 1,248 |")
        .doesNotContain("### 16 warehouses");
    assertThat(comparison.ratios()).hasSize(5);
  }

  @Test
  void markdownAndJsonKeepWhatFilesSayFromBecomingMarkup() throws IOException {
    Path one = MadeRuns.benchmarkSql(at("one"), 2, 10, 20, 50);
    Path two = MadeRuns.benchmarkSql(at("two"), 2, 10, 30, 50);
    Comparison comparison = compare("a|b<script>=" + one, "c=" + two);
    assertThat(ComparisonFiles.markdown(comparison))
        .contains("a\\|b&lt;script>")
        .doesNotContain("<script")
        .doesNotContain("PWbmsql");
    assertThat(ComparisonFiles.json(comparison))
        .contains("\"schema\" : \"shardmark-comparison\"", "\"baseline\" : \"a|b<script>\"")
        .doesNotContain("PWbmsql");
  }

  /** Written out it would be a text of a gigabyte. */
  @Test
  void aSettingOfManyDigitsStaysAsItWasWritten() throws IOException {
    Path one = MadeRuns.benchmarkSql(at("one"), 2, 10, 3, 20);
    Path other = MadeRuns.benchmarkSql(at("other"), 2, 10, 4, 20);
    Path properties = other.resolve("run.properties");
    Files.writeString(
        properties, Files.readString(properties).replace("PerMin=0", "PerMin=1e999999999"));

    assertThat(ComparisonFiles.markdown(compare("a=" + one, "b=" + other)))
        .contains("at most 1e999999999 transactions a minute");
  }

  @Test
  void aRunOfAGroupThatCannotBeReadIsLeftOut() throws IOException {
    Path group = Files.createDirectory(at("group"));
    MadeRuns.ours(group.resolve("one"));
    MadeRuns.ours(group.resolve("two"));
    Path damaged = Files.createDirectory(group.resolve("damaged"));
    Files.writeString(damaged.resolve("summary.json"), "[");

    assertThat(compare(group.toString()).missing())
        .contains(damaged + "/summary.json is no JSON; it was not read; left out.");
  }
}

package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.tpcc.TpccConfig;
import io.shardmark.config.tpcc.TpccKey;
import io.shardmark.config.tpcc.TransactionMix;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped {@code config/props.*} are valid as they stand and hide no key. */
final class SampleFilesTest {
  private static final Pattern COMMENTED_KEY = Pattern.compile("(?m)^#([A-Za-z.]+)=(.*)$");

  /** BenchmarkSQL 5.0's sample, top to bottom. */
  private static final List<String> ORDER_OF_VERSION_50 =
      List.of(
          "db",
          "driver",
          "conn",
          "user",
          "password",
          "warehouses",
          "loadWorkers",
          "terminals",
          "runTxnsPerTerminal",
          "runMins",
          "limitTxnsPerMin",
          "terminalWarehouseFixed",
          "newOrderWeight",
          "paymentWeight",
          "orderStatusWeight",
          "deliveryWeight",
          "stockLevelWeight",
          "resultDirectory",
          "osCollectorScript",
          "osCollectorInterval",
          "osCollectorDevices");

  private static Path sample(String name) {
    return Path.of("..", "config", name);
  }

  private static BenchmarkProperties read(String name) {
    return BenchmarkProperties.read(TestCatalog.TPCC, sample(name), Map.of());
  }

  @Test
  void everySampleIsNamedHere() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "config"))) {
      List<String> names =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .filter(name -> name.startsWith("props."))
              .filter(name -> !name.startsWith("props.demo") && !name.equals("props.single"))
              .filter(name -> !namesAWorkload(name))
              .sorted()
              .toList();
      assertThat(names)
          .containsExactly(
              "props.citus",
              "props.fb",
              "props.fb.benchmarksql",
              "props.mariadb",
              "props.mysql",
              "props.ora",
              "props.ora.benchmarksql",
              "props.pg",
              "props.pg.benchmarksql",
              "props.sharded");
    }
  }

  /**
   * Those of other workloads, of whose keys this module knows nothing, have a test of their own.
   */
  private static boolean namesAWorkload(String file) {
    try {
      return values(file).containsKey(PropertyKey.WORKLOAD.key());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "props.pg, POSTGRES, org.postgresql.Driver, benchmarksql, PWbmsql, true",
    "props.sharded, POSTGRES, org.postgresql.Driver, bench, bench, true",
    "props.citus, POSTGRES, org.postgresql.Driver, bench, bench, true",
    "props.ora, ORACLE, oracle.jdbc.driver.OracleDriver, scott, tiger, true",
    "props.fb, FIREBIRD, org.firebirdsql.jdbc.FBDriver, benchmarksql, PWbmsql, false",
    "props.mysql, MYSQL, org.mariadb.jdbc.Driver, benchmarksql, PWbmsql, true",
    "props.mariadb, MARIADB, org.mariadb.jdbc.Driver, benchmarksql, PWbmsql, true"
  })
  void sampleParsesWithoutWarning(
      String file,
      DatabaseKind database,
      String driver,
      String user,
      String password,
      boolean fixedWarehouse) {
    BenchmarkProperties properties = read(file);

    assertThat(properties.warnings()).isEmpty();
    assertThat(properties.runWarnings()).isEmpty();
    ConnectionConfig connection = properties.connection();
    assertThat(connection.database()).isEqualTo(database);
    assertThat(connection.driverClass()).isEqualTo(driver);
    assertThat(connection.user()).isEqualTo(user);
    assertThat(connection.password().value()).isEqualTo(password);
    assertThat(properties.values().isTrue(TpccKey.TERMINAL_WAREHOUSE_FIXED))
        .isEqualTo(fixedWarehouse);
    assertThat(properties.load().workers()).isEqualTo(4);
    assertThat(properties.result().directoryPattern()).contains("my_result_%tY-%tm-%td_%tH%tM%tS");
  }

  @ParameterizedTest
  @ValueSource(strings = {"props.demo", "props.single"})
  void demonstrationsStartTheirOwnServers(String file) {
    BenchmarkProperties properties = read(file);

    assertThat(properties.warnings()).isEmpty();
    assertThat(properties.runWarnings()).isEmpty();
    assertThat(properties.connection().isEmbedded()).isTrue();
  }

  /** They are there to be compared. */
  @Test
  void demonstrationsDifferInTheirServersOnly() throws IOException {
    Map<String, String> one = values("props.single");
    Map<String, String> several = values("props.demo");

    assertThat(one.remove("conn")).isEqualTo("embedded:postgres");
    assertThat(several.remove("conn")).isEqualTo("embedded:sharded?shards=2");
    assertThat(one).isEqualTo(several);
  }

  private static Map<String, String> values(String file) throws IOException {
    return PropertiesText.entries(file, Files.readString(sample(file))).stream()
        .collect(
            Collectors.toMap(PropertiesText.PropertyLine::key, PropertiesText.PropertyLine::value));
  }

  /** A minute at least, and nothing that holds the database back. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "props.pg",
        "props.sharded",
        "props.ora",
        "props.citus",
        "props.fb",
        "props.mysql",
        "props.mariadb"
      })
  void sampleMeasuresTheDatabase(String file) {
    RunConfig run = read(file).run();

    assertThat(run.runDuration()).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
    assertThat(run.rampUp()).isPositive();
    assertThat(run.terminals()).isGreaterThanOrEqualTo(10);
    assertThat(read(file).values().requiredInteger(TpccKey.WAREHOUSES)).isGreaterThan(5);
    assertThat(run.pacing())
        .isEqualTo(new PacingConfig(0, 0, 0, Duration.ZERO, 0, LimitPacing.SCHEDULE, List.of()));
  }

  /** README makes a database of this name, and so do the pages for MySQL. */
  @ParameterizedTest
  @ValueSource(strings = {"props.pg", "props.mysql", "props.mariadb"})
  void sampleUsesTheDatabaseThatReadmeMakes(String file) throws IOException {
    assertThat(read(file).connection().url()).endsWith("/benchmarksql");
    assertThat(Files.readString(Path.of("..", "README.md")))
        .contains("create database benchmarksql owner benchmarksql");
    assertThat(Files.readString(Path.of("..", "docs", "databases.md")))
        .contains("create database benchmarksql;");
  }

  /** One conflict in a few dozen deliveries would end the first run with exit status 4. */
  @ParameterizedTest
  @ValueSource(strings = {"props.mysql", "props.mariadb"})
  void deliveriesThatMeetAreTriedAgain(String file) {
    assertThat(read(file).run().retries()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({"props.pg, POSTGRES, true", "props.ora, ORACLE, true", "props.fb, FIREBIRD, false"})
  void benchmarkSqlsOwnValuesStandBesideIt(String file, DatabaseKind database, boolean fixed)
      throws IOException {
    BenchmarkProperties properties = read(file + ".benchmarksql");

    assertThat(properties.warnings()).isEmpty();
    assertThat(properties.runWarnings()).isEmpty();
    assertThat(properties.connection().database()).isEqualTo(database);
    assertThat(properties.connection().user()).isEqualTo(read(file).connection().user());
    assertThat(properties.connection().driverClass())
        .isEqualTo(read(file).connection().driverClass());
    assertThat(properties.values().isTrue(TpccKey.TERMINAL_WAREHOUSE_FIXED)).isEqualTo(fixed);
    assertThat(values(file + ".benchmarksql").keySet())
        .containsExactlyInAnyOrderElementsOf(ORDER_OF_VERSION_50);
  }

  @Test
  void postgresSampleOfVersion50HasItsValues() {
    String file = "props.pg.benchmarksql";
    RunConfig run = read(file).run();

    assertThat(read(file).connection().url())
        .isEqualTo("jdbc:postgresql://localhost:5432/postgres");
    assertThat(read(file).values().requiredInteger(TpccKey.WAREHOUSES)).isEqualTo(1);
    assertThat(run.terminals()).isEqualTo(1);
    assertThat(run.connections()).isEqualTo(1);
    assertThat(run.transactionsPerTerminal()).isEqualTo(10);
    assertThat(run.runDuration()).isEqualTo(Duration.ZERO);
    assertThat(run.pacing().limitTxnsPerMin()).isEqualTo(300);
    assertThat(TpccConfig.read(read(file).values(), 1).mix())
        .isEqualTo(new TransactionMix(45, 43, 4, 4, 4));
    assertThat(read(file).result().osCollector())
        .hasValueSatisfying(
            collector -> assertThat(collector.devices()).containsExactly("net_eth0", "blk_sda"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "props.pg",
        "props.sharded",
        "props.ora",
        "props.citus",
        "props.fb",
        "props.mysql",
        "props.mariadb"
      })
  void sampleKeepsTheOrderOfVersion50(String file) throws IOException {
    List<String> keys =
        PropertiesText.entries(file, Files.readString(sample(file))).stream()
            .map(PropertiesText.PropertyLine::key)
            .filter(key -> !key.equals("rampupMins") && !key.equals("retries"))
            .toList();

    assertThat(keys).isEqualTo(ORDER_OF_VERSION_50);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "props.pg",
        "props.sharded",
        "props.ora",
        "props.citus",
        "props.fb",
        "props.mysql",
        "props.mariadb"
      })
  void everyKeyIsThereIfOnlyAsAComment(String file) throws IOException {
    List<String> keys = new ArrayList<>(values(file).keySet());
    Matcher commented = COMMENTED_KEY.matcher(Files.readString(sample(file)));
    while (commented.find()) {
      keys.add(commented.group(1));
    }

    assertThat(TestCatalog.TPCC.all().stream().map(Key::key)).isSubsetOf(keys);
    assertThat(keys)
        .isSubsetOf(TestCatalog.TPCC.all().stream().map(Key::key).collect(Collectors.toList()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "props.pg",
        "props.sharded",
        "props.ora",
        "props.citus",
        "props.fb",
        "props.mysql",
        "props.mariadb"
      })
  void commentedKeysParseWhenSwitchedOn(String file) throws IOException {
    String text =
        COMMENTED_KEY
            .matcher(Files.readString(sample(file)))
            .replaceAll("$1=$2")
            .replace("user@dbhost", "user@host")
            // As its comment says.
            .replace("\nrunMins=5\n", "\nrunMins=0\n");
    BenchmarkProperties properties =
        BenchmarkProperties.parse(TestCatalog.TPCC, Path.of(file), text, Map.of());

    assertThat(properties.run().seed()).isEqualTo(42);
    assertThat(properties.load().filePrefix()).contains("csv/");
    assertThat(properties.connection().connectTimeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(properties.result().sampleEvery()).isEqualTo(100);
  }
}

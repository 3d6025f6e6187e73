package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.servers.FreePort;
import io.shardmark.systemtest.BadInputs.Mistake;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tries each mistake of {@link BadInputs} with the command line itself: one line on standard error,
 * the status, and no file more than before. The table of all of them is {@code docs/bad-input.md};
 * {@code -Dbad.input.rewrite=true} writes it anew.
 */
final class BadInputTableTest {
  private static final Path PAGE = Workspace.root().resolve("docs/bad-input.md");
  private static final int LEAST_ROWS = 60;
  private static final String SCRIPT = "SCRIPT=";

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String empty;

  @SuppressWarnings("NullAway.Init") // set before the first test
  private static String loaded;

  private static int closedPort;

  /** Reasons of JDBC drivers come in the language of the machine. */
  private static final Locale LOCALE = Locale.getDefault();

  private final SoftAssertions softly = new SoftAssertions();

  @TempDir private Path directory;

  @BeforeAll
  static void makeDatabases() throws SQLException, IOException {
    Locale.setDefault(Locale.ENGLISH);
    // Else each run counts in a file of the working directory, also one that is refused.
    System.setProperty("runID", "1");
    closedPort = FreePort.find();
    empty = Postgres.newDatabase();
    loaded = Postgres.newDatabase();
    // What a build of one warehouse leaves, as far as the next command asks for it.
    try (Connection connection = Postgres.connect(loaded);
        Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE bmsql_config (cfg_name varchar(30) PRIMARY KEY, cfg_value varchar(50))",
              "INSERT INTO bmsql_config VALUES ('warehouses', '1'), ('nURandCLast', '7')",
              "CREATE TABLE bmsql_item AS SELECT 1 AS i_id",
              "CREATE TABLE bmsql_warehouse (w_id integer, w_tax decimal(4,4))",
              "INSERT INTO bmsql_warehouse VALUES (1, 0)",
              "CREATE TABLE bmsql_history (hist_id integer PRIMARY KEY)",
              "CREATE TABLE pgbench_branches AS SELECT 2 AS bid",
              "CREATE TABLE pgbench_tellers AS SELECT 20 AS tid",
              "CREATE TABLE pgbench_accounts AS SELECT 200000 AS aid",
              "ALTER TABLE pgbench_branches ADD PRIMARY KEY (bid)",
              "ALTER TABLE pgbench_tellers ADD PRIMARY KEY (tid)",
              "ALTER TABLE pgbench_accounts ADD PRIMARY KEY (aid)",
              "CREATE TABLE tb_test1 AS SELECT id AS c1, (id - 1) / 10 * 10 + 1 AS c3, 10 AS c9"
                  + " FROM generate_series(1, 20) AS id",
              "CREATE TABLE sbtest1 AS SELECT id, 1 AS k FROM generate_series(1, 400) AS id")) {
        statement.execute(sql);
      }
    }
  }

  @AfterAll
  static void dropDatabases() throws SQLException {
    Locale.setDefault(LOCALE);
    System.clearProperty("runID");
    Postgres.drop(empty);
    Postgres.drop(loaded);
  }

  @Test
  void everyMistakeIsToldInOneLineAndTheTableSaysHow() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Bad input

            What the programs say to mistakes: one line on standard error, and an exit status of 1, or 2 for a command line that cannot be understood. Nothing is begun, and no file is left. A test tries every row and makes this table.
            """);
    int rows =
        section(page, "Command lines", BadInputs.wordsOfCommandLines())
            + section(page, "Files and directories", BadInputs.files())
            + section(page, "Values", BadInputs.values())
            + section(page, "Other workloads", BadInputs.workloads())
            + section(page, "Scripts", BadInputs.scripts())
            + section(page, "BMT", BadInputs.bmt())
            + section(page, "Replication", BadInputs.replication())
            + section(page, "What the database holds", BadInputs.databases())
            + section(page, "The proxy's configuration", BadInputs.proxyConfigurations());

    assertThat(rows).isGreaterThanOrEqualTo(LEAST_ROWS);
    softly.assertAll();
    if (Boolean.getBoolean("bad.input.rewrite")) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page.toString());
  }

  private int section(StringBuilder page, String heading, List<Mistake> mistakes)
      throws IOException {
    page.append("\n## ")
        .append(heading)
        .append("\n\n| input | message | status |\n|---|---|---|\n");
    for (Mistake mistake : mistakes) {
      page.append(row(mistake));
    }
    return mistakes.size();
  }

  private String row(Mistake mistake) throws IOException {
    Path place = Files.createTempDirectory(directory, "row");
    boolean proxy = mistake.command().equals("proxy");
    if (mistake.lines().startsWith(SCRIPT)) {
      Files.writeString(place.resolve("my.sql"), script(mistake));
    }
    Files.createDirectory(place.resolve("empty"));
    Files.writeString(
        Files.createDirectory(place.resolve("damaged")).resolve("summary.json"),
        "{\"schema\": \"shardmark-summary\", \"schemaVersion\": 2, \"interval\": {\"seconds\": -1}}");
    Files.createDirectories(place.resolve("run/data"));
    Files.writeString(place.resolve("run/summary.json"), "{}");
    Files.writeString(place.resolve("props.pg"), properties(mistake, place));
    Files.writeString(place.resolve("proxy.yaml"), proxy ? yaml(mistake) : "");
    Set<String> before = files(place);
    Finished ended = proxy ? proxy(place) : driver(mistake, place);

    List<String> errors =
        ended.err().lines().filter(line -> !line.startsWith("WARNING: ")).toList();
    softly.assertThat(errors).as("%s: lines after %s", mistake, ended.out()).hasSize(1);
    softly.assertThat(ended.status()).as("%s: status", mistake).isEqualTo(mistake.status());
    softly
        .assertThat((ended.out() + ended.err()).replace("java -jar", "").replace("null:", ""))
        .as("%s", mistake)
        .doesNotContain("\tat ", Postgres.PASSWORD, "java.", "null", "Exception");
    softly.assertThat(files(place)).as("%s: files", mistake).isEqualTo(before);
    return "| %s | `%s` | %d |\n"
        .formatted(input(mistake), shown(String.join(" ", errors), place), ended.status());
  }

  private static String script(Mistake mistake) {
    return mistake.lines().substring(SCRIPT.length()).replace("~", "\n");
  }

  private static Set<String> files(Path place) throws IOException {
    try (Stream<Path> below = Files.walk(place);
        Stream<Path> here = Files.list(Path.of(""))) {
      return Stream.concat(below, here)
          .map(Path::toString)
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static String input(Mistake mistake) {
    if (mistake.command().equals("proxy")) {
      boolean without = mistake.lines().startsWith("-");
      return without
          ? "proxy.yaml without `%s`".formatted(mistake.lines().substring(1))
          : "`%s`".formatted(mistake.lines());
    }
    String command = "`driver.jar %s`".formatted(mistake.command().replace("@", ""));
    if (mistake.lines().startsWith(SCRIPT)) {
      return command + " with my.sql: `%s`".formatted(script(mistake).replace("\n", "`, `"));
    }
    return mistake.lines().isEmpty()
        ? command
        : command + " with `%s`".formatted(mistake.lines().replaceAll(";(?! )", "`, `"));
  }

  /** Without what differs from one machine to the next. */
  private static String shown(String message, Path place) {
    String working = Path.of("").toAbsolutePath().toString();
    return message
        .replaceFirst("^ERROR: ", "")
        .replace(place + "/", "")
        .replace(working, "/home/you")
        .replaceAll("the class path and [^;]*", "the class path and lib/postgres next to the jar")
        .replace(Integer.toString(closedPort), "5433")
        .replaceAll("127\\.0\\.0\\.1:(?!5433)[0-9]{4,5}", "127.0.0.1:5432")
        .replace(Postgres.url(""), "jdbc:postgresql://127.0.0.1:5432/")
        .replaceAll("\\btest[0-9]+\\b", "bench")
        .replaceAll("may use, [\\d,-]+, such", "may use, 0-7, such")
        .replace("|", "\\|");
  }

  private static Finished driver(Mistake mistake, Path place) {
    String[] words =
        Stream.of(mistake.command().split(" ", -1))
            .map(word -> word.replace("@", place + "/"))
            .toArray(String[]::new);
    return Workspace.execute(words);
  }

  private static Finished proxy(Path place) {
    try {
      ProxyConfig.read(place.resolve("proxy.yaml"));
      return new Finished(0, "", "");
    } catch (ConfigException e) {
      return new Finished(1, "", e.getMessage() + "\n");
    }
  }

  private static String properties(Mistake mistake, Path place) {
    Map<String, String> properties = new LinkedHashMap<>(Postgres.properties(empty));
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "1");
    properties.put("resultDirectory", place + "/result");
    boolean changed = !mistake.lines().isEmpty() && !mistake.lines().startsWith(SCRIPT);
    if (!mistake.command().equals("proxy") && changed) {
      for (String line : mistake.lines().split(";(?! )", -1)) {
        int equals = line.indexOf('=');
        properties.put(line.substring(0, equals), value(line.substring(equals + 1), place));
      }
    }
    // Always in one order, and what is changed at the end: messages name lines.
    List<String> lines = new ArrayList<>();
    properties.keySet().stream()
        .sorted()
        .forEach(key -> lines.add(key + "=" + properties.get(key)));
    return String.join("\n", lines) + "\n";
  }

  private static String value(String value, Path place) {
    return value
        .replaceFirst("^LOADED$", Postgres.url(loaded))
        .replace(":SERVER/", Postgres.url("").replaceFirst(".*(:[0-9]+/)$", "$1"))
        .replace("CLOSED", Integer.toString(closedPort))
        .replaceFirst("^(run|none/result|result_%tX)$", place + "/$1");
  }

  private static String yaml(Mistake mistake) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("listen", "listen: 127.0.0.1:0");
    lines.put("shards", "shards: [{name: s1, host: 127.0.0.1, port: 5433, database: bench}]");
    lines.put("users", "users: [{name: bench, password: bench}]");
    for (String line : mistake.lines().split(";(?! )", -1)) {
      if (line.startsWith("-")) {
        lines.remove(line.substring(1));
      } else {
        lines.put(line.substring(0, line.indexOf(':')), line);
      }
    }
    return String.join("\n", lines.values()) + "\n";
  }
}

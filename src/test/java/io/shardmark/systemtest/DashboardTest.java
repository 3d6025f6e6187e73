package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The dashboard on a pseudo-terminal: how it looks, and what it leaves behind. */
final class DashboardTest {
  private static final String TITLE = "TPC-C on postgres";
  private static final List<String> DASHBOARD =
      List.of(TITLE, "tpmC ", "tpmTotal ", "p95", "DELIVERY_BG", "waits ", "driver ");

  private static final Pattern CLOSING_LINES =
      Pattern.compile(
          """
          .* Term-00, Measured tpmC \\(NewOrders\\) = [0-9.]+
          .* Term-00, Measured tpmTOTAL = [0-9.]+
          .* Term-00, Session Start     = [-0-9]+ [0-9:]+
          .* Term-00, Session End       = [-0-9]+ [0-9:]+
          .* Term-00, Transaction Count = [0-9]+
          """);

  /** A prompt is no sign of the end: the one that the command was typed at comes back first. */
  private static final String ENDED = "; echo status=$?.";

  @TempDir private Path directory;
  private Workspace workspace;

  @BeforeEach
  void prepare() throws Exception {
    assumeTrue(PseudoTerminal.isAvailable(), "no tmux is installed");
    Map<String, String> properties = Postgres.properties("postgres", "null:");
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "0.15");
    properties.put("limitTxnsPerMin", "6000");
    workspace = new Workspace(directory).properties(properties);
  }

  private static String driver(String... keys) {
    List<String> words = Workspace.java(Workspace.jar());
    words.addAll(List.of("run", Workspace.PROPERTIES));
    words.addAll(List.of(keys));
    return String.join(" ", words);
  }

  /** The shell has told the status; the line that was typed holds no digit there. */
  private static boolean hasEnded(String screen) {
    return screen.matches("(?s).*status=\\d+\\..*");
  }

  private static void awaitMeasuring(PseudoTerminal terminal) throws Exception {
    terminal.await(screen -> screen.contains(" measuring ") && screen.contains("NEW_ORDER"));
  }

  /** The run ends by itself, but not before the dashboard was seen. */
  @Test
  void leavesTheNormalScreenAsARunWithoutItWould() throws Exception {
    String database = Postgres.loadedDatabase();
    workspace.properties(Postgres.properties(database));
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 80, 24);
        Connection holder = Postgres.connect(database);
        Statement lock = holder.createStatement()) {
      holder.setAutoCommit(false);
      lock.execute("LOCK TABLE bmsql_district IN EXCLUSIVE MODE");
      String modes = terminal.run("stty -g");
      terminal.type(driver() + ENDED);
      String screen =
          terminal.awaitAlternate(
              shown ->
                  shown.contains(" measuring ") && DASHBOARD.stream().allMatch(shown::contains));
      assertThat(screen).doesNotContain("Term-00");
      assertThat(screen.lines()).hasSize(24);
      holder.rollback();
      terminal.await(DashboardTest::hasEnded);
      String all = terminal.everything();

      assertThat(all).contains("status=0.").containsPattern(CLOSING_LINES);
      assertThat(all)
          .as("the status line, as without a dashboard")
          .containsPattern("Term-00, Running Average tpmTOTAL: [0-9.]+    Current tpmTOTAL: ");
      assertThat(all).as("nothing of the dashboard").doesNotContain("Ctrl-C ends the run");
      assertThat(terminal.showsAlternateScreen()).isFalse();
      assertThat(terminal.showsCursor()).isTrue();
      assertThat(terminal.run("stty -g")).isEqualTo(modes);
    }
    Postgres.drop(database);
  }

  @Test
  void followsTheSizeOfTheWindow() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 80, 24)) {
      terminal.type(driver("runMins", "10") + ENDED);
      awaitMeasuring(terminal);
      terminal.resize(130, 40);
      terminal.await(
          screen -> {
            List<String> lines = screen.lines().toList();
            return lines.stream()
                    .anyMatch(
                        l -> l.contains("measuring") && l.contains("left ") && l.length() > 100)
                && lines.size() == 40
                && lines.get(39).contains("Ctrl-C");
          });
      terminal.resize(50, 12);
      terminal.await(screen -> screen.contains("80 x 24 is needed"));
      terminal.resize(80, 24);
      terminal.await(screen -> screen.contains("Ctrl-C") && screen.contains("DELIVERY_BG"));
      terminal.press("C-c");
      terminal.await(DashboardTest::hasEnded);
    }
  }

  @ParameterizedTest
  @CsvSource({"INT, 130", "TERM, 143"})
  void aSignalEndsTheRunAndGivesTheTerminalBack(String signal, int status) throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 80, 24)) {
      String modes = terminal.run("stty -g");
      terminal.type("sh -c 'echo $$ > pid; exec " + driver("runMins", "10") + "'; echo status=$?.");
      awaitMeasuring(terminal);
      if (signal.equals("INT")) {
        terminal.press("C-z"); // must not stop it
        terminal.press("C-c");
      } else {
        long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
        ProcessHandle.of(pid).orElseThrow().destroy();
      }
      terminal.await(DashboardTest::hasEnded);

      assertThat(terminal.everything())
          .contains("status=" + status + ".", "The run was interrupted.")
          .containsPattern(CLOSING_LINES);
      assertThat(terminal.showsAlternateScreen()).isFalse();
      assertThat(terminal.run("stty -g")).isEqualTo(modes);
    }
  }

  @Test
  void linesThatCameMeanwhileAreShownAfterwards() throws Exception {
    String database = Postgres.loadedDatabase();
    Map<String, String> properties = Postgres.properties(database);
    properties.put("runTxnsPerTerminal", "0");
    properties.put("runMins", "10");
    workspace.properties(properties);
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 100, 30);
        Connection administrator = Postgres.connect(Postgres.USER);
        Statement statement = administrator.createStatement()) {
      terminal.type(driver() + ENDED);
      awaitMeasuring(terminal);
      statement.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '%s'"
              .formatted(database));
      terminal.await(screen -> screen.contains("x CONNECTION_LOST"));
      terminal.press("C-c");
      terminal.await(DashboardTest::hasEnded);

      assertThat(terminal.everything())
          .containsPattern("ERROR  jTPCC : Term-00, CONNECTION_LOST in [A-Z_]+, SQLSTATE")
          .containsPattern(CLOSING_LINES);
    }
    Postgres.drop(database);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM=dumb", "TERM=", "CI=true", "NOTHING="})
  void otherTerminalsGetTheStatusLine(String variable) throws Exception {
    boolean small = variable.equals("NOTHING=");
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, small ? 79 : 80, 24)) {
      terminal.type("env " + variable + " " + driver("runMins", "10") + ENDED);
      terminal.awaitInEverything("Running Average tpmTOTAL");
      assertThat(terminal.showsAlternateScreen()).isFalse();
      terminal.press("C-c");
      terminal.await(DashboardTest::hasEnded);
      assertThat(terminal.everything()).doesNotContain("console=dashboard");
    }
  }

  @Test
  void plainIsPlainAndADashboardThatCannotBeIsTold() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 80, 24)) {
      terminal.type(driver("console", "plain", "runMins", "10") + ENDED);
      terminal.awaitInEverything("Running Average tpmTOTAL");
      assertThat(terminal.showsAlternateScreen()).isFalse();
      terminal.press("C-c");
      terminal.await(DashboardTest::hasEnded);
      String second = driver("console", "dashboard", "resultDirectory", "second");
      terminal.type("TERM=dumb " + second + "; echo status=$?!");
      terminal.await(screen -> screen.contains("status=0!"));
      assertThat(terminal.everything())
          .contains("console=dashboard: TERM is dumb; it goes on as console=plain")
          .containsPattern(CLOSING_LINES);
    }
  }

  @Test
  void aJobInTheBackgroundIsNotStopped() throws Exception {
    try (PseudoTerminal terminal = PseudoTerminal.open(workspace, 80, 24)) {
      terminal.type("set -m; " + driver() + " & wait; echo status=$?.");
      terminal.await(DashboardTest::hasEnded);
      assertThat(terminal.everything())
          .contains("status=0.", "Running Average")
          .containsPattern(CLOSING_LINES);
    }
  }
}

package io.shardmark.driver.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.benchmark.BannerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunConsoleTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final Clock clock =
      Clock.fixed(Instant.parse("2026-11-20T21:37:10.581Z"), ZoneOffset.UTC);
  private final RunConsole console =
      new RunConsole(new PrintStream(bytes, true, StandardCharsets.UTF_8), clock);

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8).replace(Thread.currentThread().getName(), "main");
  }

  @Test
  void linesHaveBenchmarkSqlsPattern() {
    console.info("db=postgres");
    console.error("no");
    console.line(RunConsole.Level.WARN, "PoolBase", "slow");
    assertThat(printed())
        .isEqualTo(
            """
            21:37:10,581 [main] INFO   jTPCC : Term-00, db=postgres
            21:37:10,581 [main] ERROR  jTPCC : Term-00, no
            21:37:10,581 [main] WARN   PoolBase : slow
            """);
  }

  @Test
  void aLineWipesTheStatusItMeets() {
    console.showStatus("abc");
    console.showStatus("de");
    console.plain("line");
    console.showStatus("f");
    console.endStatus();
    assertThat(printed()).isEqualTo("abc\b\b\bde \b\b\b  \b\bline\nf\n");
  }

  @Test
  void bannerShowsTheKeysInBenchmarkSqlsOrder() {
    Map<String, String> properties =
        Map.of(
            "db", "postgres",
            "warehouses", "2",
            "terminals", "10",
            "runMins", "0",
            "runTxnsPerTerminal", "10",
            "limitTxnsPerMin", "300");
    BannerSettings own =
        new BannerSettings(
            Map.of("warehouses", "1"),
            Map.of("terminalWarehouseFixed", "false"),
            Map.of("newOrderWeight", "45.0"),
            Map.of());
    assertThat(
            String.join("\n", Banner.lines("Shardmark 1.0", properties, own, Map.of("seed", "42"))))
        .isEqualTo(
            """

            +-------------------------------------------------------------+
                 Shardmark 1.0
            +-------------------------------------------------------------+

            db=postgres
            driver (not defined)
            conn (not defined)
            user (not defined)

            warehouses=2
            terminals=10
            runTxnsPerTerminal=10
            limitTxnsPerMin=300
            terminalWarehouseFixed=false

            newOrderWeight=45.0

            resultDirectory (not defined)
            osCollectorScript (not defined)

            seed=42
            """);
  }

  @Test
  void librariesWarningsGoToConsoleAndFile(@TempDir Path directory) throws IOException {
    Path file = directory.resolve("benchmarksql-error.log");
    LibraryLog log = new LibraryLog(console, file, clock);
    LogRecord info = new LogRecord(Level.INFO, "not shown");
    log.publish(info);
    assertThat(file).doesNotExist();
    LogRecord warning = new LogRecord(Level.WARNING, "pool {0} is slow");
    warning.setParameters(new Object[] {"main"});
    warning.setLoggerName("com.zaxxer.hikari.pool.PoolBase");
    warning.setSourceClassName("com.zaxxer.hikari.pool.PoolBase");
    warning.setThrown(new IOException("broken\npipe"));
    log.publish(warning);
    log.close();
    assertThat(printed())
        .isEqualTo(
            "21:37:10,581 [main] WARN   PoolBase : pool main is slow (java.io.IOException:"
                + " broken\n");
    assertThat(Files.readString(file))
        .startsWith("2026-11-20 21:37:10,581 [")
        .contains("WARN   PoolBase : pool main is slow")
        .contains("java.io.IOException: broken")
        .contains("\tat ");
  }
}

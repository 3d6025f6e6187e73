package io.shardmark.driver.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmark.TestProperties;
import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.measure.Disposition;
import io.shardmark.driver.measure.ErrorLog;
import io.shardmark.driver.recorder.ResultDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RunAnnouncementTest {
  private static final ZonedDateTime START =
      ZonedDateTime.of(2026, 11, 20, 21, 37, 11, 25_999_999, ZoneOffset.UTC);

  @TempDir private Path temporary;

  @ParameterizedTest
  @CsvSource({
    "runMins=1, 1",
    "runMins=0.5, 0.5",
    "runMins=100, 100",
    "runMins=0.003, 0.003",
    "runTxnsPerTerminal=5, 0"
  })
  void runInfoHasBenchmarkSqlsColumns(String length, String written) throws IOException {
    BenchmarkProperties properties =
        TestProperties.of(
            "warehouses=4%nterminals=10%nthinkTimeMultiplier=0.5%n%s".formatted(length));
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ResultDirectory directory = ResultDirectory.create(temporary + "/r", START);

    new RunAnnouncement(RunPlan.of(properties, null, 7), new RunConsole(nowhere, Clock.systemUTC()))
        .writeRunInfo(directory, START);

    assertThat(directory.data().resolve("runInfo.csv"))
        .hasContent(
            """
            run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier
            7,simple,%s,postgres,2026-11-20 21:37:11.025,%s,0,4,10,0,0.5,0.0
            """
                .formatted(Product.NAME_AND_VERSION, written));
  }

  @ParameterizedTest
  @CsvSource({
    "42P05, x; add prepareThreshold=0 to the options of conn",
    "26000, x; add prepareThreshold=0 to the options of conn",
    "42P01, x"
  })
  void statementsThatAPoolerDoesNotKeepSayWhatToSet(String sqlState, String told) {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    BenchmarkProperties properties = TestProperties.of("warehouses=1\nterminals=1\nrunMins=1\n");

    new RunAnnouncement(
            RunPlan.of(properties, null, 7),
            new RunConsole(new PrintStream(shown, true, StandardCharsets.UTF_8), Clock.systemUTC()))
        .error(
            new ErrorLog.Notice(
                new ErrorLog.ErrorClass("PAYMENT", Disposition.OTHER_ERROR, sqlState), "x", 0));

    assertThat(shown.toString(StandardCharsets.UTF_8).strip())
        .endsWith("OTHER_ERROR in PAYMENT, SQLSTATE %s: %s".formatted(sqlState, told));
  }
}

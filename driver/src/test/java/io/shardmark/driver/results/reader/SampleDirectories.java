package io.shardmark.driver.results.reader;

import io.shardmark.config.ResultRows;
import io.shardmark.driver.measure.RunStatistics;
import io.shardmark.driver.measure.TestTypes;
import io.shardmark.driver.recorder.ResultDirectory;
import io.shardmark.driver.recorder.ResultFiles;
import io.shardmark.driver.recorder.SampleRun;
import io.shardmark.driver.results.ErrorResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;

/** Result directories of made-up runs. */
public final class SampleDirectories {
  private SampleDirectories() {}

  /** Ours, written by the code that writes it in a run. */
  public static Path ours(Path parent) throws IOException {
    ResultDirectory directory =
        ResultDirectory.create(
            parent.resolve("ours").toString(),
            ZonedDateTime.of(2026, 11, 20, 9, 0, 0, 0, ZoneOffset.UTC));
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(7, TestTypes.TPCC, ResultRows.ALL, 1),
            failure -> {
              throw new AssertionError(failure);
            });
    var statistics = SampleRun.play(files);
    files.errors(
        21, List.of(new ErrorResult("NEW_ORDER", "DEADLOCK", "40P01", 3, 2, 0, List.of())));
    files.close();
    StringBuilder client =
        new StringBuilder(
            "run,elapsed,cores_used,cores_available,gc_count,gc_ms,gc_max_ms,"
                + "heap_used_bytes,heap_committed_bytes,rss_bytes\n");
    // 10 s of ramp-up come first.
    for (int second = 1; second <= 70; second++) {
      client.append(
          "7,%d000,%s,%d,1,4.000,%s,52428800,83886080,104857600\n"
              .formatted(
                  second,
                  second <= 10 ? "2.000" : "0.500",
                  Runtime.getRuntime().availableProcessors(),
                  second == 33 ? "3.000" : "1.000"));
    }
    directory.write("data/client.csv", client.toString());
    directory.writeRunProperties("db=postgres\nwarehouses=2\npassword=***********\n");
    directory.writeSummary(SampleRun.result(statistics), statistics);
    return directory.root();
  }

  /**
   * Ours of one minute without ramp-up: 1,000 New-Orders, 500 Payments, 200 Stock-Levels and 100
   * Deliveries, all of whole milliseconds; no Order-Status. No transaction failed.
   */
  public static Path oursInWholeMilliseconds(Path parent) throws IOException {
    ResultDirectory directory =
        ResultDirectory.create(
            parent.resolve("whole").toString(),
            ZonedDateTime.of(2026, 11, 20, 9, 0, 0, 0, ZoneOffset.UTC));
    ResultFiles files =
        ResultFiles.open(
            directory,
            new ResultFiles.FileLayout(1, TestTypes.TPCC, ResultRows.ALL, 1),
            failure -> {
              throw new AssertionError(failure);
            });
    RunStatistics statistics = WholeMillisecondRun.play(files);
    files.close();
    directory.writeRunProperties("db=postgres\nwarehouses=2\npassword=***********\n");
    directory.writeSummary(SampleRun.result(statistics), statistics);
    return directory.root();
  }

  /** BenchmarkSQL 5.0's: one minute, two warehouses. */
  public static Path benchmarkSql(Path parent, String resultCsv) throws IOException {
    Path root = Files.createDirectories(parent.resolve("benchmarksql"));
    Path data = Files.createDirectories(root.resolve("data"));
    Files.writeString(
        root.resolve("run.properties"), "db=postgres\nuser=bench\npassword=PWbmsql\nrunMins=1\n");
    Files.writeString(
        data.resolve("runInfo.csv"),
        """
        run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier
        1,simple,5.0,postgres,2026-11-20 21:37:11.025,1,2,2,10,0,1.0,1.0
        """);
    Files.writeString(data.resolve("result.csv"), resultCsv);
    return root;
  }
}

package io.shardmark.driver.compare;

import io.shardmark.driver.results.Configuration;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Latencies;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.MeasuredInterval;
import io.shardmark.driver.results.Metric;
import io.shardmark.driver.results.ResultDraft;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.RunScale;
import io.shardmark.driver.results.Session;
import io.shardmark.driver.results.SummaryFile;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.reader.SampleDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Result directories of made-up runs. */
public final class MadeRuns {
  private static final String HEADER = "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n";

  private MadeRuns() {}

  /**
   * BenchmarkSQL's, of one minute.
   *
   * @param terminals and warehouses: where it stands
   * @param perSecond New-Orders in each second; every fifth second one less
   * @param latencyMillis of each
   */
  public static Path benchmarkSql(
      Path directory, int warehouses, int terminals, int perSecond, int latencyMillis)
      throws IOException {
    StringBuilder rows = new StringBuilder(HEADER);
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < perSecond - (second % 5 == 0 ? 1 : 0); i++) {
        rows.append(
            String.format(
                Locale.ROOT,
                "1,%d,%d,%d,NEW_ORDER,0,0,0%n",
                second * 1000 + 999,
                latencyMillis,
                latencyMillis));
      }
      rows.append("1,").append(second * 1000 + 999).append(",7,7,PAYMENT,0,0,0\n");
    }
    Path data = Files.createDirectories(directory.resolve("data"));
    Files.writeString(
        directory.resolve("run.properties"),
        """
        db=postgres
        conn=jdbc:postgresql://localhost:5432/tpcc?ssl=false
        user=bench
        password=PWbmsql
        warehouses=%d
        terminals=%d
        runMins=1
        limitTxnsPerMin=0
        newOrderWeight=45
        paymentWeight=43
        orderStatusWeight=4
        deliveryWeight=4
        stockLevelWeight=4
        """
            .formatted(warehouses, terminals));
    Files.writeString(
        data.resolve("runInfo.csv"),
        """
        run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier
        1,simple,5.0,postgres,2026-11-20 21:37:11.025,1,%d,%d,%d,0,1.0,1.0
        """
            .formatted(warehouses, warehouses, terminals));
    Files.writeString(data.resolve("result.csv"), rows.toString());
    return directory;
  }

  /**
   * Ours: 2 warehouses, 10 terminals, 20 tpmC, one failed transaction in 36. Texts of its {@code
   * summary.json} are replaced by others.
   */
  public static Path ours(Path directory, String... replacements) throws IOException {
    Path parent = Files.createDirectories(directory.resolveSibling(directory.getFileName() + ".d"));
    Files.move(SampleDirectories.ours(parent), directory);
    Files.delete(parent);
    Path summary = directory.resolve("summary.json");
    String text = Files.readString(summary);
    for (int i = 0; i < replacements.length; i += 2) {
      if (!text.contains(replacements[i])) {
        throw new IllegalArgumentException("summary.json has no " + replacements[i]);
      }
      text = text.replace(replacements[i], replacements[i + 1]);
    }
    Files.writeString(summary, text);
    return directory;
  }

  /**
   * Ours of TPC-B, of one minute with 8 terminals and 10 branches: in each second so many
   * transactions that write and three times as many that read; every fifth second one less writes.
   *
   * @param day of November on which it was made
   * @param statements the key of that name
   */
  public static Path tpcb(Path directory, int perSecond, int day, String statements)
      throws IOException {
    StringBuilder rows = new StringBuilder(HEADER);
    int writes = 0;
    for (int second = 0; second < 60; second++) {
      int millis = second * 1000 + 999;
      for (int i = 0; i < perSecond - (second % 5 == 0 ? 1 : 0); i++) {
        rows.append("1,").append(millis).append(",20,20,TPCB_LIKE,0,0,0\n");
        writes++;
      }
      for (int i = 0; i < 3 * perSecond; i++) {
        rows.append("1,").append(millis).append(",4,4,SELECT_ONLY,0,0,0\n");
      }
    }
    Path data = Files.createDirectories(directory.resolve("data"));
    Files.writeString(directory.resolve("run.properties"), "workload=tpcb\ndb=postgres\n");
    Files.writeString(data.resolve("result.csv"), rows.toString());
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("db", "postgres");
    told.put("conn", "jdbc:postgresql://localhost:5432/bench");
    told.put("terminals", 8);
    told.put("connections", 8);
    told.put("runSeconds", 60);
    told.put("scale", "10");
    told.put("statements", statements);
    told.put("pacing", Map.of("keyingTimeMultiplier", 0.0, "thinkTimeMultiplier", 0.0));
    int reads = 180 * perSecond;
    Files.writeString(
        directory.resolve(SummaryFile.NAME),
        SummaryFile.text(tpcb(new Configuration(told), day, writes, reads)));
    return directory;
  }

  private static RunResult tpcb(Configuration told, int day, int writes, int reads) {
    ZonedDateTime start = ZonedDateTime.of(2026, 11, day, 3, 0, 0, 0, ZoneOffset.UTC);
    ResultDraft made = new ResultDraft();
    made.run =
        Session.of(1, "Shardmark 1.0", "TPC-B", start, start.plusMinutes(1), Ending.COMPLETED);
    made.scale = new RunScale("branches", 10);
    made.configuration = told;
    made.interval = new MeasuredInterval(0, 60, 0, null);
    made.metrics =
        List.of(
            new Metric(
                "tps",
                "/s",
                (writes + reads) / 60.0,
                null,
                Map.of("TPCB_LIKE", 1L, "SELECT_ONLY", 1L),
                true),
            new Metric("medianSecond", "/s", 1 + (writes + reads) / 60, null, Map.of(), true));
    made.types = List.of(type("TPCB_LIKE", writes, 20), type("SELECT_ONLY", reads, 4));
    made.latencyMillis = due(Latency.of(writes + reads, 8, 4, 20, 20, 20, 20, 20));
    return made.result();
  }

  private static Latencies due(Latency due) {
    return new Latencies(
        new Latencies.Kinds(due, null, null, null),
        Latencies.NONE.local(),
        Latencies.NONE.distributed(),
        null);
  }

  private static TypeResult type(String name, int count, double millis) {
    Latency due = Latency.of(count, millis, millis, millis, millis, millis, millis, millis);
    return new TypeResult(
        name, true, true, count, count, 0, 0, null, 0, 0, 0, 0, 0, null, Map.of(), due(due));
  }
}

package io.shardmark.driver.report.compare;

import io.shardmark.driver.report.SampleDirectories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

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
}

package io.shardmark.driver.result;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/**
 * The one row of {@code data/runInfo.csv}, in BenchmarkSQL's columns.
 *
 * @param run the run number
 * @param driverVersion product and version, without a comma
 * @param database value of the key {@code db}
 * @param sessionStart local time
 * @param runMins value of the key {@code runMins}, which may be a fraction; 0 in a run by number of
 *     transactions
 * @param dataScale size of the data in the database
 * @param runScale how much of it the run uses
 * @param terminals value of the key {@code terminals}
 * @param limitTxnsPerMin value of that key
 * @param thinkTimeMultiplier as the run had it; BenchmarkSQL always writes 1.0
 * @param keyingTimeMultiplier as the run had it; BenchmarkSQL always writes 1.0
 */
public record RunInfo(
    int run,
    String driverVersion,
    String database,
    LocalDateTime sessionStart,
    BigDecimal runMins,
    int dataScale,
    int runScale,
    int terminals,
    int limitTxnsPerMin,
    double thinkTimeMultiplier,
    double keyingTimeMultiplier) {
  private static final String HEADER =
      "run,driver,driverVersion,db,sessionStart,runMins,loadWarehouses,runWarehouses,"
          + "numSUTThreads,limitTxnsPerMin,thinkTimeMultiplier,keyingTimeMultiplier";

  String toCsv() {
    // Timestamp's text form is the file's: 1 to 3 decimals, no T.
    String start = Timestamp.valueOf(sessionStart.truncatedTo(ChronoUnit.MILLIS)).toString();
    return HEADER
        + "\n"
        + String.join(
            ",",
            Integer.toString(run),
            "simple",
            driverVersion,
            database,
            start,
            // BenchmarkSQL's R scripts divide by it: no exponent, and no decimals they do not know.
            runMins.stripTrailingZeros().toPlainString(),
            Integer.toString(dataScale),
            Integer.toString(runScale),
            Integer.toString(terminals),
            Integer.toString(limitTxnsPerMin),
            Double.toString(thinkTimeMultiplier),
            Double.toString(keyingTimeMultiplier))
        + "\n";
  }
}

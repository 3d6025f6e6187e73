package io.shardmark.driver.results;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Which run this was. Texts are empty where they are not known.
 *
 * @param id the run number
 * @param product name and version of the program that wrote it
 * @param workload the benchmark, such as {@code TPC-C}
 * @param sessionStart when the terminals started, ISO 8601 with offset
 * @param sessionEnd when the last of them had ended, the same
 * @param ending why it ended
 */
public record Session(
    int id,
    String product,
    String workload,
    String sessionStart,
    String sessionEnd,
    Ending ending) {
  static final Session UNKNOWN = new Session(0, "", "", "", "", Ending.UNKNOWN);

  /** A session with its instants as ISO 8601 texts. */
  public static Session of(
      int id,
      String product,
      String workload,
      ZonedDateTime start,
      ZonedDateTime end,
      Ending ending) {
    return new Session(id, product, workload, text(start), text(end), ending);
  }

  /** When it began; empty if that is not known. */
  public Optional<Instant> begun() {
    return instant(sessionStart);
  }

  /** Of such a text; BenchmarkSQL's have no offset and are taken for those of this machine. */
  public static Optional<Instant> instant(String text) {
    try {
      return Optional.of(
          DateTimeFormatter.ISO_DATE_TIME
              .withZone(ZoneId.systemDefault())
              .parse(text.replace(' ', 'T'), Instant::from));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String text(ZonedDateTime instant) {
    return instant.format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
  }
}
